"""The checkers of a book's exercises, imported from its package."""

import re
import sys
import traceback
from importlib import import_module
from pathlib import Path

from bookwork.book.faults import Fault, line_of, one_line
from bookwork.book.files import PACKAGE


class CheckersError(Exception):
    """The checkers cannot be imported: it has this fault."""

    def __init__(self, fault):
        super().__init__(str(fault))
        self.fault = fault


def read_checkers(book):
    """Return the exercises that each chapter's module can check, or raise CheckersError."""
    package = book.settings["bookwork_exercises"]
    if not package or not book.root.joinpath(*package.split(".")).is_dir():
        return {}
    sys.path.insert(0, str(book.root))
    try:
        table = getattr(import_module(package), "EXERCISES", None)
    except Exception as error:
        raise CheckersError(fault_of(book.root, error)) from error
    finally:
        sys.path.remove(str(book.root))
    if table is None:
        file = f"{package.replace('.', '/')}/__init__.py"
        raise CheckersError(Fault(file, 1, "EXERCISES is missing: see `bookwork new`"))
    return table.chapters


def fault_of(root, error):
    """Return why a module of checkers cannot be read, with the last of its lines that ran."""
    sentence = one_line(f"{type(error).__name__}: {error}")
    if named := re.search(r"EXERCISES in ([\w.]+) should be", sentence):
        path = f"{named[1].replace('.', '/')}.py"
        text = (root / path).read_text(encoding="utf-8")
        return Fault(path, line_of(text, "EXERCISES"), sentence)
    frames = [(Path(f.filename), f.lineno) for f in traceback.extract_tb(error.__traceback__)]
    own = [(path, line) for path, line in frames if path.is_relative_to(root)]
    authors = [(path, line) for path, line in own if not path.is_relative_to(PACKAGE)] or own
    return Fault(authors[-1][0].relative_to(root).as_posix(), authors[-1][1], sentence)
