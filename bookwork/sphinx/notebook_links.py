"""Sphinx extension: every chapter can be downloaded as a notebook.

build/make_book.py copies into the site what a book builds beside its pages: the chapters as
notebooks and as Python files with the wheels that they need. The theme's download menu lists them.
A book says that it has them: ``bookwork_notebooks: true``.
"""

from bookwork import __version__
from bookwork.book.book import Book
from bookwork.book.references import notebook_names

MENU = "download-buttons"


def setup(app):
    """Connect each step to Sphinx."""
    app.add_config_value("book_wheels", [], "html", list)  # a change rewrites every page
    app.add_config_value("book_notebooks", {}, "html", dict)
    app.connect("config-inited", note_what_is_offered)
    app.connect(
        "html-page-context", add_downloads, priority=700
    )  # after the theme has added its own


def note_what_is_offered(app, config):
    """Store the names of the wheels and the notebooks."""
    if not config.bookwork_notebooks:
        return
    config.book_notebooks = notebook_names(Book(app.srcdir))
    wheels = {config.bookwork_package: config.html_context["book_version"]}
    wheels |= {"bookwork": __version__}
    config.book_wheels = [f"{name}-{wheels[name]}-py3-none-any.whl" for name in wheels]


def add_downloads(app, pagename, templatename, context, doctree):
    """Add a chapter's notebook to the download menu of its header."""
    name = app.config.book_notebooks.get(pagename.rpartition("/")[2])
    if doctree is None or name is None:
        return
    folder = context["pathto"]("notebooks", 1)
    for group in context.get("header_buttons", []):  # of the theme
        if group["label"] == MENU:
            group["buttons"][:0] = downloads(name, folder, app.config.book_wheels)


def downloads(name, folder, wheels):
    """Return the entries of the download menu: notebook, Python file, and the library."""
    entries = [
        (f"{name}.ipynb", "Notebook (.ipynb)", "Download as a notebook", "code"),
        (f"{name}.py", "Python (.py)", "Download as a Python file", "file-lines"),
    ]
    for wheel, word in zip(wheels, ("Library", "Figures and exercises"), strict=True):
        entries.append((wheel, f"{word} (.whl)", "Download what both need", "box"))
    return [link(f"{folder}/{file}", *words) for file, *words in entries]


def link(address, text, tooltip, icon):
    """Return a link in the form that the theme's templates expect."""
    words = {"text": text, "tooltip": tooltip, "icon": f"fas fa-{icon}", "label": "save-file"}
    return {"type": "link", "url": address} | words
