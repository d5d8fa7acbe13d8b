"""Sphinx extension of this book: every page is offered as a notebook, and as a Python file.

They are written from what Sphinx knows of a page when it writes it: its numbers, references and
works, and the code of its cells. ``{only} html`` is left to the page; ``{only} notebook`` has what
a notebook says instead.
"""

import re
from pathlib import Path

import jupytext
import nbformat
from bookwork.book.cell_tags import HIDING
from bookwork.sphinx.page_python import CELLS
from bookwork.sphinx.pages import number_of, reading_order
from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from bookwork import __version__
from tools.markdown import Markdown

FOLDER = "notebooks"  # in the site
MENU = "download-buttons"  # of the theme
ENDINGS = (".ipynb", ".py")
INSTALLS = "install"  # the tag of what a reader who has the repository does not need
PLAIN = {  # in a Python file: drawings in words, no places, no links to them
    r"!\[([^]]*)\]\(data:[^)]*\)": r"[Figure: \1]",
    r'<a id="[^"]*"></a>\n*': "",
    r"\[([^]]*)\]\((?:#|\d\d[a-z]?-)[^)]*\)": r"\1",
}
START = """> **To begin, choose *Run › Run All Cells* in the menu.** Every cell then shows its
> result, and the live figures appear. To run one cell, click into it and press Shift+Enter. Change
> what you like: this notebook is your own copy of a chapter of the book *Paying Attention*."""
NEEDS = """> **It needs the book's library.** Put the files `{}` and `{}`, which the book's
> site offers beside this notebook, into the same folder. The next cell installs them."""
INSTALL = '%pip install --quiet "{}[figures]" "{}"'
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


class notebook_only(nodes.General, nodes.Element):  # noqa: N801
    """What only a notebook says; nothing but this module sees its content."""


class page_only(nodes.General, nodes.Element):  # noqa: N801
    """What only the page says."""


def setup(app):
    """Connect each step to Sphinx."""
    app.add_post_transform(KeepBoth)
    app.connect("env-get-updated", write_all_if_renamed, priority=900)  # once pages have numbers
    app.connect("doctree-resolved", write_notebook)
    app.connect("html-page-context", add_downloads, priority=700)  # after the theme has its own
    app.connect("build-finished", remove_others)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


class KeepBoth(SphinxPostTransform):
    """Keep what the page says, and what a notebook says instead, until both are written."""

    default_priority = 49  # before Sphinx drops one of them, at 50
    formats = ("html",)

    def run(self, **kwargs):
        """Mark the parts of a page."""
        for node in list(self.document.findall(addnodes.only)):
            if node["expr"] == "html":
                node.replace_self(page_only("", *node.children))
            elif node["expr"] == "notebook":
                node.replace_self(notebook_only("", content=node.children))


def names_of(env):
    """Return the name of each page's notebook: with the chapter's number, in the order of reading.

    Pages before the first chapter are 00, 00a, 00b …; those after the last chapter count on.
    """
    pages = reading_order(env)
    first = next((k for k, page in enumerate(pages) if number_of(env, page)), 0)
    numbers = ["00" + "abcdefghijklmnopqrstuvwxyz"[k - 1 : k] for k in range(first)]
    numbers += [f"{k:02d}" for k in range(bool(first), len(pages))]
    return {
        p: f"{k}-{Path(p).name.replace('_', '-')}" for k, p in zip(numbers, pages, strict=False)
    }


def write_all_if_renamed(app, env):
    """Return all pages if their notebooks have other names, to which they link."""
    before, env.book_notebooks = getattr(env, "book_notebooks", {}), names_of(env)
    return [] if env.book_notebooks == before else sorted(env.found_docs)


def write_notebook(app, doctree, page):
    """Write a page as a notebook and as a Python file, and leave to the page what is its own."""
    name, folder = app.env.book_notebooks.get(page), Path(app.outdir, FOLDER)
    if app.builder.format == "html" and name:
        made = notebook_of(app, doctree, page)
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(made, folder / f"{name}.ipynb")
        (folder / f"{name}.py").write_text(as_script(made), encoding="utf-8")
    for node in list(doctree.findall(notebook_only)):
        node.parent.remove(node)
    for node in list(doctree.findall(page_only)):
        node.replace_self(node.children)


def notebook_of(app, doctree, page):
    """Return a page as a notebook without outputs; the ids of its cells never change."""
    codes = {cell["index"]: cell for cell in app.env.metadata[page].get(CELLS, ())}
    cells, writer = [], Markdown(app, page, app.env.book_notebooks)
    for part in writer.parts(doctree.children):
        if isinstance(part, str):
            add_text(cells, part)
        else:
            add_code(cells, codes, part, writer)
    cells += [code_cell(codes[index]) for index in sorted(codes)]
    if any(cell["cell_type"] == "code" for cell in cells):
        cells = [*first_cells(wheels_of(app.config)), *cells]
    for k, cell in enumerate(cells):
        cell["id"] = f"{Path(page).name.replace('_', '-')}-{k}"[-64:]
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": dict(KERNEL)})


def add_text(cells, text):
    """Add a text to the last cell, or as the next one."""
    if text and cells and cells[-1]["cell_type"] == "markdown":
        cells[-1]["source"] += f"\n\n{text}"
    elif text:
        cells.append(nbformat.v4.new_markdown_cell(text))


def add_code(cells, codes, node, writer):
    """Add a code cell, after those before it that the page does not have.

    Links to the figure that it draws lead above it, at the end of the text; its caption is below.
    """
    index = node["cell_index"]
    for earlier in sorted(k for k in codes if k < index):
        cells.append(code_cell(codes.pop(earlier)))
    figure = node.next_node(nodes.figure)
    if figure:
        add_text(cells, writer.anchors(figure).strip())
    cells.append(code_cell(codes.pop(index), node["cell_metadata"].get("tags", [])))
    if figure:
        cells.append(nbformat.v4.new_markdown_cell(writer.write_figure(figure)))


def code_cell(cell, tags=()):
    """Return a code cell of the page as one of the notebook; what the page hides is folded."""
    metadata = {"tags": list(tags)} if tags else {}
    if HIDING & set(tags) or not cell["visible"]:
        metadata["jupyter"] = {"source_hidden": True}
    return nbformat.v4.new_code_cell(cell["code"], metadata=metadata)


def first_cells(wheels):
    """Yield the first cells: what to press and, if the library is missing, how to install it."""
    yield nbformat.v4.new_markdown_cell(START)
    tag = {"tags": [INSTALLS]}
    yield nbformat.v4.new_markdown_cell(NEEDS.format(*wheels), metadata=tag)
    yield nbformat.v4.new_code_cell(INSTALL.format(*wheels), metadata=tag)


def wheels_of(config):
    """Return the names of the wheels that a notebook needs."""
    versions = {config.bookwork_package: config.html_context["book_version"]}
    versions |= {"bookwork": __version__}
    return [f"{name}-{versions[name]}-py3-none-any.whl" for name in versions]


def as_script(made):
    """Return a notebook, which changes, as a plain Python file: drawings in words, no links."""
    for cell in made["cells"]:
        cell["metadata"] = {}
        if cell["cell_type"] == "markdown":
            for pattern, text in PLAIN.items():
                cell["source"] = re.sub(pattern, text, cell["source"])
    made["metadata"] = {"jupytext": {"notebook_metadata_filter": "-all"}}
    return jupytext.writes(made, fmt="py:percent")


def remove_others(app, exception):
    """Remove the notebooks of pages that are gone or have another number."""
    if exception is None and app.builder.format == "html":
        names = {f"{name}{end}" for name in app.env.book_notebooks.values() for end in ENDINGS}
        for path in Path(app.outdir, FOLDER).iterdir():
            if path.suffix in ENDINGS and path.name not in names:
                path.unlink()


def add_downloads(app, pagename, templatename, context, doctree):
    """Offer a page's notebook, Python file and wheels in the download menu of its header."""
    name = app.env.book_notebooks.get(pagename)
    if doctree is None or name is None:
        return
    library, figures = wheels_of(app.config)
    offered = [
        (f"{name}.ipynb", "Notebook (.ipynb)", "Download as a notebook", "code"),
        (f"{name}.py", "Python (.py)", "Download as a Python file", "file-lines"),
        (library, "Library (.whl)", "Download what both need", "box"),
        (figures, "Figures and exercises (.whl)", "Download what both need", "box"),
    ]
    for group in [g for g in context.get("header_buttons", ()) if g["label"] == MENU]:
        group["buttons"][:0] = [
            {"type": "link", "url": context["pathto"](f"{FOLDER}/{file}", 1), "text": text}
            | {"tooltip": tooltip, "icon": f"fas fa-{icon}", "label": "save-file"}
            for file, text, tooltip, icon in offered
        ]
