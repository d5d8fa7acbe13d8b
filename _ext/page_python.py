"""Sphinx extension: what a page needs to run its code cells.

Copies the folder that tools/build_python.py made in _build/python to _pyodide in the site, and
lists in each chapter the source of its code cells, in order, for web/cells.js. Figures have their
code hidden and so not in the page; the reader's run needs it all the same. With PAGE_PYTHON=0 there
is no such folder, and the page says so when Run is pressed.
"""

import json
import re
import shutil
from pathlib import Path

from myst_nb.core.read import is_myst_markdown_notebook, read_myst_markdown_notebook

HIDING = {"remove-input", "remove_input", "remove-cell", "remove_cell"}
CHECK = re.compile(r"""^check\(\s*["'](ex-[\w-]+)["']""", re.MULTILINE)


def setup(app):
    """Connect each step to Sphinx."""
    app.connect("html-page-context", add_cells)
    app.connect("build-finished", copy_python)
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


def copy_python(app, exception):
    """Bring _pyodide in the site up to date; hosts such as GitHub Pages must not skip it."""
    if exception is not None or app.builder.format != "html":
        return
    bring_up_to_date(Path(app.outdir).parent / "python", Path(app.outdir) / "_pyodide")
    (Path(app.outdir) / ".nojekyll").touch()


def bring_up_to_date(source, target):
    """Copy a folder that a tool made, unless its copy was made from the same inputs."""
    if stamp(source) != stamp(target):
        shutil.rmtree(target, ignore_errors=True)
        if source.is_dir():
            shutil.copytree(source, target)


def stamp(folder):
    """Return what the files in a folder were made from, or None where there are none."""
    path = folder / "built-for"
    return path.read_text() if path.is_file() else None
