"""Build the pages into _build/html, and report each fault in one sentence.

    python -m bookwork.build.build_book [folder]

Sphinx reads what has changed and runs the cells of changed chapters; sphinx/faults.py turns its
warnings into sentences. They fail the build of a strict book, and of no other.
"""

import gc
import sys
from contextlib import contextmanager
from typing import NamedTuple

from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.docutils import docutils_namespace, patch_docutils

from bookwork.book.book import Book
from bookwork.book.faults import Fault, one_line, print_faults


class Built(NamedTuple):
    """What a build of the pages came to."""

    faults: list[Fault]
    pages: int = 0  # of the book
    written: int = 0  # of these, in this build
    is_whole: bool = True  # or Sphinx stopped before the end

    def fails(self, book):
        """Return whether the build counts as failed: by a warning only if the book is strict."""
        return not self.is_whole or bool(book.strict and self.faults)


def main(arguments=()):
    """Build the pages of this book, or of one in another folder; return 1 if that fails."""
    book = Book(*arguments)
    built = build(book)
    print_faults(built.faults)
    return int(built.fails(book))


def build(book, begin=lambda: None):
    """Build the pages of a book; return what came of it.

    When all pages are read, and before they are written, `begin` is called.
    """
    app = None
    try:
        with patch_docutils(), docutils_namespace(), relaxed_gc():
            app = Sphinx(
                srcdir=book.root,
                outdir=book.site,
                doctreedir=book.built / ".doctrees",
                buildername="html",
                status=None,
                warning=None,
                **configured(book),
            )
            app.connect("env-updated", lambda app, env: begin(), priority=900)
            app.build()
    except SphinxError as error:
        found = app.book_faults.end() if app else []
        return Built([*found, Fault("", 0, one_line(error))], is_whole=False)
    return Built(app.book_faults.end(), len(app.env.found_docs), len(app.book_faults.written))


@contextmanager
def relaxed_gc():
    """Let Python look for garbage rarely: Sphinx keeps millions of objects, and makes little of it.

    To look through all of them again and again took more than half of the time of a build.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def configured(book):
    """Return how Sphinx is configured: by _config.yml of Jupyter Book, or by its own conf.py."""
    # in a strict book, a missing target of code that others document is a fault, too
    ours = {"book_alone": False} | ({"nitpicky": True} if book.strict else {})
    if (book.root / "_config.yml").is_file():
        return {"confdir": None, "confoverrides": configuration(book.root, ours)}
    return {"confdir": book.root, "confoverrides": ours}


def configuration(root, ours):
    """Return the settings of _config.yml for Sphinx."""
    override = {
        "external_toc_path": "_toc.yml",  # as seen from the book: a clone can be moved
        "latex_individualpages": False,
    }
    from jupyter_book.config import get_final_config  # noqa: PLC0415  not for plain Sphinx

    settings, _ = get_final_config(
        user_yaml=root / "_config.yml",
        cli_config=override | ours,
        sourcedir=root,
        validate=False,
    )
    own = [*settings.get("templates_path", ())]  # or the theme appends to a list that builds share
    return settings | {"templates_path": own}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
