"""The Sphinx extension: ``extra_extensions: [bookwork]`` makes the pages of a book live.

Its parts are modules here, each with its own `setup`. What is particular to a book is in the
settings ``bookwork_*``, which `bookwork.book.settings` explains.
"""

from pathlib import Path

from bookwork import __version__
from bookwork.book.book import Book
from bookwork.book.settings import DEFAULTS
from bookwork.sphinx import (
    book_search,
    book_warnings,
    bundle,
    chapter_numbers,
    checks,
    citations,
    execution,
    exercises,
    figures,
    finish,
    formulas,
    glossary_links,
    guesses,
    house,
    page_python,
    pictures,
)

PARTS = (
    *(book_warnings, bundle, house, execution, figures, exercises, guesses, formulas),
    *(chapter_numbers, citations, book_search, glossary_links, page_python, pictures, checks),
    finish,
)


def setup(app):
    """Register the settings and set up each part."""
    for name, default in DEFAULTS.items():
        app.add_config_value(name, default, "html", type(default))
    app.add_config_value("book_alone", True, "", bool)  # no command of bookwork builds the rest
    for part in PARTS:
        part.setup(app)
    app.connect("build-finished", complete, priority=900)  # after other extensions
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def complete(app, exception):
    """Build what stands beside the pages, if no command of bookwork does."""
    book = Book(app.srcdir)
    is_site = app.builder.format == "html" and Path(app.outdir) == book.site
    if exception is None and is_site and app.config.book_alone:
        from bookwork.site import build  # noqa: PLC0415  which imports this package

        build.complete(book)
