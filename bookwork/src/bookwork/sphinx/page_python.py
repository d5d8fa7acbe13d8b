"""Sphinx extension: what a page needs to run its code cells.

Adds to each chapter the list of its code cells, in order, for page/cells/notebook.js, each with the
cells that it needs. The code of
figures is hidden and so not in the page, but the reader's run needs it. execution.py passes on
the notebook that myst-nb reads. A cell is identified by its index there, which myst-nb stores in
the cell's node and the page in a class of its element. A cell that cannot run in the page is listed
with the reason and what of it can. build/build.py copies Python itself into the site, and with
BOOKWORK_PYTHON=0 the list says that it does not.
"""

import hashlib
import os
import re
from collections import Counter
from functools import partial
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx_exercise.nodes import is_solution_node

from bookwork.book.cell_tags import INDEPENDENT, NO_RUN, REMOVED
from bookwork.book.names import imported_by, parsed
from bookwork.book.needs import orders
from bookwork.book.runnable import UNWANTED, obstacle
from bookwork.site.packages import forget, lacking, prepare, result_of
from bookwork.sphinx.pages import as_data, has_changed, notes_of

logger = logging.getLogger(__name__)
CELLS = "bookwork cells"  # the note of a page: its code cells
ABSENT = "Python in a page does not have {}: no Run at cells that import that"
UNSENT = {"anew", "run", "solution", "tags", "line"}  # of a note, what the page does not need
CHECK = re.compile(r"""\bcheck\(\s*["']([^"']*)["']""")


def setup(app):
    """Connect each step to Sphinx."""
    app.connect("doctree-read", mark_cells)
    app.connect("env-updated", look_at_packages)


def look_at_packages(app, env):
    """Find what cells import; write their pages again when readers' Python has other packages."""
    root, noted = Path(app.srcdir), notes_of(env, CELLS)
    running = [cell["code"] for cells in noted.values() for cell in cells if cell["run"]]
    names = {name for code in running if "import" in code for name in imported_in(code)}
    if app.builder.format == "html" and not is_left_out():
        for fault in prepare(root, names) if running else forget(root):
            logger.warning(fault)
    lacks = lacking(root)
    if missing := sorted({lacks(name) for name in names} - {""}):
        print(ABSENT.format(", ".join(missing)), flush=True)
    app.connect("html-page-context", partial(add_cells, lacks=lacks))
    has_other = has_changed(env, "packages", (result_of(root), is_left_out()))
    return sorted(noted) if has_other else []


def imported_in(code):
    """Return the dotted names that a cell imports, if it cannot do without them."""
    return {name for node in parsed(code).body for name in imported_by(node)}


def is_left_out():
    """Return whether the site is built without Python."""
    return os.environ.get("BOOKWORK_PYTHON") == "0"


def mark_cells(app, doctree):
    """Mark each code cell of a page with its index in the notebook, and note those of solutions."""
    noted = app.env.metadata[app.env.docname].get(CELLS, [])
    cells = {cell["index"]: cell for cell in noted}
    for node in doctree.findall(nodes.container):
        if "cell_index" in node:
            node["classes"].append(f"book-cell-{node['cell_index']}")
    for number, solution in enumerate(doctree.findall(is_solution_node)):
        for node in solution.findall(nodes.container):
            if node.get("cell_index") in cells:
                cells[node["cell_index"]]["solution"] = f"solution {number}"


def add_cells(app, pagename, templatename, context, doctree, lacks):
    """List the code cells of a chapter at the end of its page."""
    noted = app.env.metadata.get(pagename, {}).get(CELLS, ())
    if doctree is not None and any(cell["run"] for cell in noted):
        says = 'id="book-cells" data-python="none"' if is_left_out() else 'id="book-cells"'
        data = as_data(judged(pagename, noted, lacks))
        context["body"] += f'\n<script type="application/json" {says}>{data}</script>\n'


def judged(page, cells, lacks):
    """Return the cells as the page needs them.

    Each has the cells that it needs, and those that it undoes; some have what keeps them from
    running. A reader's text of it is kept under its key: its page and a hash of its code.
    """
    listed = [cell | obstacle_of(cell, lacks) for cell in cells]
    found, seen = [], Counter()
    for cell, order in zip(listed, orders(map(named, listed)), strict=True):
        key = f"{page}:{hashlib.sha256(cell['code'].encode()).hexdigest()[:12]}"
        seen[key] += 1
        kept = {name: value for name, value in cell.items() if name not in UNSENT}
        kept |= {name: value for name, value in order._asdict().items() if value}
        found.append(kept | {"key": f"{key}.{seen[key]}" if seen[key] > 1 else key})
    return found


def obstacle_of(cell, lacks):
    """Return what keeps a cell from running, and what of it can; nothing if all of it can."""
    if not cell["run"]:
        return UNWANTED._asdict()
    found = None if cell["exercise"] else obstacle(cell["code"], lacks)
    return found._asdict() if found else {}


def named(cell):
    """Return what the order of cells depends on: what runs, whether it starts anew, its room."""
    room = cell["exercise"] or cell.get("solution")
    return cell.get("rest", cell["code"]), cell["anew"], room


def describe(notebook, lines):
    """Return what is noted of each code cell of a notebook, whose code begins on these lines."""
    metadata = notebook.get("metadata", {})
    is_run = is_python(notebook) and metadata.get("bookwork_run", True)
    return [
        {
            "index": index,
            "visible": not REMOVED & tags_of(cell),
            "code": cell["source"],
            "exercise": exercise_of(cell),
            "anew": bool(INDEPENDENT & tags_of(cell)),
            "run": bool(is_run and NO_RUN not in tags_of(cell)),
            "tags": sorted(map(str, tags_of(cell))),
            "line": lines[index],  # 0 in a notebook of Jupyter
        }
        for index, cell in enumerate(notebook["cells"])
        if cell["cell_type"] == "code"
    ]


def is_python(notebook):
    """Return whether a notebook is in Python, as far as it says."""
    spec = notebook.get("metadata", {}).get("kernelspec", {})
    return spec.get("language", "python").lower() == "python"


def tags_of(cell):
    """Return the tags of a cell as a set."""
    return set(cell["metadata"].get("tags", ()))


def exercise_of(cell):
    """Return the label that a cell tagged `exercise` checks, or None for any other cell."""
    match = CHECK.search(cell["source"]) if "exercise" in tags_of(cell) else None
    return match[1] if match else None
