"""Which exercises the chapters have, in which order and under which titles: for the report.

A clone has the chapters themselves. A wheel has none, so the book that makes one puts their outline
into it, as a file beside the modules of checkers.
"""

import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

Outline: TypeAlias = Mapping[str, Mapping[str, str]]  # chapter -> label -> title, in order
FILE = "outline.json"


class NoOutlineError(ValueError):
    """There are no chapters and no outline of them."""


def read_outline(folder: Path) -> Outline:
    """Return the outline that belongs to a package of checkers, in or beside a book's own."""
    if (folder / FILE).is_file():
        outline: Outline = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return outline
    roots = [root for root in folder.parents[:2] if (root / "_toc.yml").is_file()]
    if not roots:
        raise NoOutlineError("this copy of the library has no list of the book's exercises")
    book = import_module("bookwork.book.book")  # which those have who have chapters
    outline = book.Book(roots[0]).outline
    return outline
