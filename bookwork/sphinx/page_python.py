"""Sphinx extension: what a page needs to run its code cells.

Adds to each chapter the list of its code cells, in order, for page/cells/cells.js. The code of
figures is hidden and so not in the page, but the reader's run needs it. chapter_runs.py passes on
the notebook that myst-nb reads. A cell is identified by its index there, which myst-nb stores in
the cell's node and the page in a class of its element. build/make_book.py copies Python itself
into the site.
"""

from docutils import nodes

from bookwork.book.cell_tags import INDEPENDENT, REMOVED
from bookwork.book.exercise_text import CHECK
from bookwork.sphinx.pages import as_data

CELLS = "bookwork cells"  # the note of a page: its code cells


def setup(app):
    """Connect each step to Sphinx."""
    app.connect("doctree-read", mark_cells)
    app.connect("html-page-context", add_cells)


def mark_cells(app, doctree):
    """Mark each code cell of a page with its index in the notebook."""
    for node in doctree.findall(nodes.container):
        if "cell_index" in node:
            node["classes"].append(f"book-cell-{node['cell_index']}")


def add_cells(app, pagename, templatename, context, doctree):
    """List the code cells of a chapter at the end of its page."""
    cells = app.env.metadata.get(pagename, {}).get(CELLS)
    if doctree is not None and cells:
        data = as_data(cells)
        context["body"] += f'\n<script type="application/json" id="book-cells">{data}</script>\n'


def describe(notebook):
    """Return what the page needs to know about each code cell of a notebook."""
    return [
        {
            "index": index,
            "visible": not REMOVED & tags_of(cell),
            "code": cell["source"],
            "exercise": exercise_of(cell),
            "anew": bool(INDEPENDENT & tags_of(cell)),
        }
        for index, cell in enumerate(notebook["cells"])
        if cell["cell_type"] == "code"
    ]


def tags_of(cell):
    """Return the tags of a cell as a set."""
    return set(cell["metadata"].get("tags", ()))


def exercise_of(cell):
    """Return the label that a cell tagged `exercise` checks, or None for any other cell."""
    match = CHECK.search(cell["source"]) if "exercise" in tags_of(cell) else None
    return match[1] if match else None
