"""Sphinx extension: every chapter can be downloaded or opened as a notebook.

build/make_book.py copies into the site what a book builds beside its pages: the chapters as
notebooks and as Python files with the wheels that they need (notebooks/), and JupyterLite (lite/).
The theme's download menu lists the former; a button before it opens the chapter in the latter,
where it is built (not with PAGE_PYTHON=0) and where there is a server, which
page/site/notebook-links.js checks. A book says that it has them: ``bookwork_notebooks: true``.
"""

import os

from bookwork import __version__
from bookwork.book.book import Book
from bookwork.book.references import notebook_names

MENU = "download-buttons"


def setup(app):
    """Connect each step to Sphinx."""
    app.add_config_value("book_wheels", [], "html", list)  # a change rewrites every page
    app.add_config_value("book_notebooks", {}, "html", dict)
    app.add_config_value("book_has_lite", False, "html", bool)
    app.connect("config-inited", note_what_is_offered)
    app.connect("html-page-context", add_buttons, priority=700)  # after the theme has added its own


def note_what_is_offered(app, config):
    """Store the names of the wheels and the notebooks, and whether there is JupyterLite."""
    if not config.bookwork_notebooks:
        return
    config.book_notebooks = notebook_names(Book(app.srcdir))
    wheels = {config.bookwork_package: config.html_context["book_version"]}
    wheels |= {"bookwork": __version__}
    config.book_wheels = [f"{name}-{wheels[name]}-py3-none-any.whl" for name in wheels]
    config.book_has_lite = os.environ.get("PAGE_PYTHON") != "0"


def add_buttons(app, pagename, templatename, context, doctree):
    """Add the links to a chapter's notebook to its header."""
    name = app.config.book_notebooks.get(pagename.rpartition("/")[2])
    if doctree is None or name is None:
        return
    buttons, path_to = context.get("header_buttons", []), context["pathto"]  # of the theme
    for group in buttons:
        if group["label"] == MENU:
            group["buttons"][:0] = downloads(name, path_to("notebooks", 1), app.config.book_wheels)
    if app.config.book_has_lite:
        address = f"{path_to('lite/notebooks/index.html', 1)}?path={name}.ipynb"
        buttons.insert(0, open_button(address))


def downloads(name, folder, wheels):
    """Return the entries of the download menu: notebook, Python file, and the library."""
    entries = [
        (f"{name}.ipynb", "Notebook (.ipynb)", "Download as a notebook", "code"),
        (f"{name}.py", "Python (.py)", "Download as a Python file", "file-lines"),
    ]
    for wheel, word in zip(wheels, ("Library", "Figures and exercises"), strict=True):
        entries.append((wheel, f"{word} (.whl)", "Download what both need", "box"))
    return [link(f"{folder}/{file}", *words, "save-file") for file, *words in entries]


def open_button(address):
    """Return the button that opens a chapter in JupyterLite; it is shown where that can work."""
    tooltip = "Open this chapter as a notebook, in the browser"
    button = link(address, "Open as notebook", tooltip, "rocket", "open-notebook")
    return button | {"classes": "book-needs-host"}


def link(address, text, tooltip, icon, label):
    """Return a link in the form that the theme's templates expect."""
    words = {"text": text, "tooltip": tooltip, "icon": f"fas fa-{icon}", "label": label}
    return {"type": "link", "url": address} | words
