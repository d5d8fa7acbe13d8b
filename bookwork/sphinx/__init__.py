"""The Sphinx extension: ``extra_extensions: [bookwork]`` makes the pages of a book live.

Its parts are modules here, each with its own `setup`. What is particular to a book is in the
settings ``bookwork_*``, which `bookwork.book.settings` explains.
"""

import os
from pathlib import Path

from bookwork import __version__
from bookwork.book.book import Book
from bookwork.book.settings import DEFAULTS
from bookwork.build import make_book
from bookwork.build.purge_styles import purge
from bookwork.build.secure_pages import secure
from bookwork.sphinx import (
    book_search,
    book_shell,
    chapter_numbers,
    citations,
    execution,
    exercises,
    far_frames,
    faults,
    formulas,
    glossary_links,
    guesses,
    loading,
    notebook_links,
    page_python,
    page_scripts,
    plain_figures,
)

PARTS = (
    faults,  # first, to hear of all others
    *(
        book_shell,
        execution,
        plain_figures,
        exercises,
        guesses,
        formulas,
        chapter_numbers,
        citations,
    ),
    *(book_search, glossary_links, page_python, notebook_links),
    page_scripts,
)


def setup(app):
    """Register the settings and set up each part."""
    for name, default in DEFAULTS.items():
        app.add_config_value(name, default, "html", type(default))
    app.add_config_value("book_alone", True, "", bool)  # no command of bookwork builds the rest
    for part in PARTS:
        part.setup(app)
    app.connect("build-finished", finish, priority=900)  # after other extensions
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def finish(app, exception):
    """Finish the site; policies come last, as they depend on whole pages."""
    if exception is None and app.builder.format == "html":
        book_shell.remove_unused(app)
        if book_shell.is_adapted(app.config) and "BOOKWORK_SERVED" not in os.environ:
            purge(Path(app.outdir))
        loading.finish_pages(app)
        far_frames.remove_unnamed(app)
        secure(Path(app.outdir), app.config.bookwork_policy, app.config.bookwork_hosts)
        book = Book(app.srcdir)
        if app.config.book_alone and Path(app.outdir) == book.site:
            make_book.complete(book)
