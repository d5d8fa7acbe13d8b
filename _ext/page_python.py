"""Sphinx extension: what a page needs to run its code cells.

Lists in each chapter the source of its code cells, in order, for web/cells.js. Figures have their
code hidden and so not in the page; the reader's run needs it all the same. Python itself is put
beside the pages by tools/make_book.py.
"""

import json
from pathlib import Path

from myst_nb.core.read import is_myst_markdown_notebook, read_myst_markdown_notebook

from tools.exercise_grammar import CHECK

HIDING = {"remove-input", "remove_input", "remove-cell", "remove_cell"}


def setup(app):
    """Connect each step to Sphinx."""
    app.connect("html-page-context", add_cells)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def add_cells(app, pagename, templatename, context, doctree):
    """List the code cells of a chapter at the end of its page."""
    if doctree is None:
        return
    path = app.env.doc2path(pagename)
    text = Path(path).read_text(encoding="utf-8")
    if not is_myst_markdown_notebook(text):
        return
    cells = read_myst_markdown_notebook(text, config=app.env.myst_config, path=path)["cells"]
    context["body"] += as_script(describe(cell for cell in cells if cell["cell_type"] == "code"))


def describe(cells):
    """Return what the page needs to know of each code cell."""
    return [
        {
            "index": index,
            "visible": not HIDING & tags_of(cell),
            "code": cell["source"],
            "exercise": exercise_of(cell),
        }
        for index, cell in enumerate(cells)
    ]


def tags_of(cell):
    """Return the tags of a cell as a set."""
    return set(cell["metadata"].get("tags", ()))


def exercise_of(cell):
    """Return the label that a cell tagged `exercise` checks, or None for any other cell."""
    match = CHECK.search(cell["source"]) if "exercise" in tags_of(cell) else None
    return match[1] if match else None


def as_script(data):
    """Return data as an element that browsers leave alone, whatever the code in it says."""
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return f'\n<script type="application/json" id="book-cells">{text}</script>\n'
