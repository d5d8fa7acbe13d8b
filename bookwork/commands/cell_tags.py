"""The tags by which a cell of a chapter hides its code."""

REMOVED = {"remove-input", "remove_input", "remove-cell", "remove_cell"}  # from the page
HIDING = REMOVED | {"hide-input"}  # or folded until the reader opens it
