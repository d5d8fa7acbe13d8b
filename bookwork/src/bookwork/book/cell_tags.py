"""The tags of a chapter's cells: some hide their code, others say what the page does with them."""

REMOVED = {"remove-input", "remove_input", "remove-cell", "remove_cell"}  # from the page
HIDING = REMOVED | {"hide-input"}  # or folded until the reader opens it
INDEPENDENT = {"independent"}  # neither this cell nor those below need what is above it
NO_RUN = "no-run"  # the page offers no Run
