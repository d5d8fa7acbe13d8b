"""Which cells can run in a page: those of Python that import only what the page's Python has.

Of any other cell is done, for the cells below, what needs no such import.
"""

import ast
from typing import NamedTuple

from bookwork.book.names import MAGICS, imported_by, made_by, parsed, used_by


class Obstacle(NamedTuple):
    """Why a cell cannot run in the page, and what of it can."""

    why: str  # after "Not run in the page: "; empty if the author wants it so
    rest: str = ""  # code


UNWANTED = Obstacle("")


def obstacle(code, lacks):
    """Return the obstacle of a cell, or None.

    `lacks` names what a page cannot import of a module, or returns an empty text.
    """
    if foreign := MAGICS.foreign(code):
        return Obstacle(foreign)
    why, kept, lost = "", [], set()  # lost: names that what is left out would have made
    for statement in parsed(code).body:
        missing = next(filter(None, map(lacks, imported_by(statement))), "")
        why = why or missing
        if missing or used_by(statement) & lost:
            lost |= made_by(statement)
        else:
            kept.append(ast.unparse(statement))
    return (
        Obstacle(f"it imports {why}, which Python in a page does not have", "\n".join(kept))
        if why
        else None
    )
