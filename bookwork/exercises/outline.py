"""Which exercises the chapters have, in which order and under which titles: for the report.

Each build of the book writes it beside its pages; an installed package of checkers has none.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

Outline: TypeAlias = Mapping[str, Mapping[str, str]]  # chapter -> label -> title, in order
FILE = "outline.json"


class NoOutlineError(ValueError):
    """There are no chapters, or they are not built."""


def read_outline(folder: Path) -> Outline:
    """Return the outline of the book that a package of checkers belongs to."""
    roots = [root for root in folder.parents[:2] if (root / "_toc.yml").is_file()]
    if not roots:
        raise NoOutlineError("this copy of the library has no chapters")
    return outline_of(roots[0])


def outline_of(root: Path) -> Outline:
    """Return the outline of the book in a folder, as its last build wrote it."""
    if not (root / "_build" / FILE).is_file():
        raise NoOutlineError("the book is not built yet, which lists its exercises: bookwork build")
    outline: Outline = json.loads((root / "_build" / FILE).read_text(encoding="utf-8"))
    return outline
