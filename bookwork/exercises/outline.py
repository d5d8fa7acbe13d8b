"""Which exercises the chapters have, in which order and under which titles: for the report.

They are read from the chapters, which an installed package of checkers does not have.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

Outline: TypeAlias = Mapping[str, Mapping[str, str]]  # chapter -> label -> title, in order


class NoOutlineError(ValueError):
    """There are no chapters."""


def read_outline(folder: Path) -> Outline:
    """Return the outline of the book that a package of checkers belongs to."""
    roots = [root for root in folder.parents[:2] if (root / "_toc.yml").is_file()]
    if not roots:
        raise NoOutlineError("this copy of the library has no chapters")
    book = import_module("bookwork.book.book")  # which those have who have chapters
    outline: Outline = book.Book(roots[0]).outline
    return outline
