"""One language for all sentences of a figure: what `says`, and `reads` of a view, may contain.

A sentence such as ``"{row} reads {guess:.1f}"`` is taken apart here; the page only puts in what its
pieces say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from string import Formatter
from typing import Any

FORMAT = re.compile(r"\.([01]?\d)([f%])|d|")
NUMBERS = ("value", "values")  # parts that are printed; the others are texts
Piece = str | dict[str, Any]  # words, or what stands in their place


def read_sentence(
    who: str, template: str, digits: int, parts: Iterable[str], more: Any = ()
) -> list[Piece]:
    """Take a sentence apart into words and what its names stand for, a number with its decimals.

    Examples
    --------
    >>> read_sentence("reads", "{row}: {value:.0%}", 2, ["row", "value"])
    [{'part': 'row'}, ': ', {'part': 'value', 'digits': 0, 'percent': True}]
    """
    known = dict(more) | {name: {"part": name} for name in parts}
    try:
        parsed = list(Formatter().parse(template))
    except (TypeError, ValueError):
        raise ValueError(
            f"{who} is a sentence with names between braces, but is {template!r}; a brace that is "
            "meant as one is written twice"
        ) from None
    pieces: list[Piece] = []
    for words, name, form, conversion in parsed:
        pieces += [words] if words else []
        if name is None:
            continue
        printed = _printed(known.get(name, {}), form or "", digits)
        if name not in known or conversion or printed is None:
            asked = name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
            listed = ", ".join(f"{{{each}}}" for each in known) or "no name"
            raise ValueError(
                f"{who} can say {listed}, and of a number {{x:.2f}}, {{x:.0%}} or {{x:d}}, "
                f"but asks for {{{asked}}}"
            )
        pieces.append(known[name] | printed)
    return pieces


def _printed(piece: Mapping[str, Any], form: str, digits: int) -> dict[str, Any] | None:
    """Return how to print what a name stands for, or None if it cannot be printed so."""
    if "array" not in piece and piece.get("part") not in NUMBERS:
        return None if form else {}  # it is a text
    if not form:
        return {"digits": digits}
    match = FORMAT.fullmatch(form)
    return match and {"digits": int(match[1] or 0), "percent": match[2] == "%"}
