"""One language for all sentences of a figure: what `says`, and `reads` of a view, may contain.

A sentence such as ``"{row} reads {guess:.1f}"`` is taken apart here; the page only puts in what its
pieces say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from string import Formatter
from typing import Any

from bookwork.live.controls import Axis
from bookwork.live.frames import Frame
from bookwork.live.limits import from_zero
from bookwork.live.options import common
from bookwork.live.views import View

FORMAT = re.compile(r"\.([01]?\d)([f%])|d|")
NUMBERS = ("value", "values")  # parts that are printed; the others are texts
Piece = str | dict[str, Any]  # words, or what stands in their place


def read_sentence(
    who: str, template: str, known: Mapping[str, dict[str, Any]], digits: int
) -> list[Piece]:
    """Take a sentence apart into words and what its names stand for, a number with its decimals.

    Examples
    --------
    >>> read_sentence("reads", "{row}: {value:.0%}", parts_of(["row", "value"]), 2)
    [{'part': 'row'}, ': ', {'part': 'value', 'digits': 0, 'percent': True}]
    """
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


def parts_of(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the parts of what a view says, as `read_sentence` wants to know them."""
    return {name: {"part": name} for name in names}


def _printed(piece: Mapping[str, Any], form: str, digits: int) -> dict[str, Any] | None:
    """Return how to print what a name stands for, or None if it cannot be printed so."""
    if "array" not in piece and piece.get("part") not in NUMBERS:
        return None if form else {}  # it is a text
    if not form:
        return {"digits": digits}
    match = FORMAT.fullmatch(form)
    return match and {"digits": int(match[1] or 0), "percent": match[2] == "%"}


def says_of(template: str, views: Sequence[View], axes: Sequence[Axis], frame: Frame) -> View:
    """Return an author's sentence on a figure as a view that is not drawn.

    It may name single numbers, controls, and parts of the largest number of the first view that
    has any. A name that is a part and a control must mean the same: the word that is chosen.
    """
    view = next((each for each in views if each.parts), views[0])
    numbers = {name: {"array": name} for name, array in frame.items() if not array.ndim}
    known = {axis.name: {"control": axis.name} for axis in axes} | numbers | parts_of(view.parts)
    pieces = read_sentence("says", template, known, view.options["digits"])
    said = {piece.get("part") for piece in pieces if isinstance(piece, dict)}
    for axis in axes:
        if axis.name in said - ({"asks"} & set(view.holds)):
            raise ValueError(
                f"{{{axis.name}}} in says may be a part of the {view.kind} or a control: "
                "give the control another name"
            )
    named = [piece for piece in pieces if isinstance(piece, dict)]
    needs = [each.get("array", view.show) for each in named if "digits" in each]
    shapes = {name: frame[name].shape for name in needs}
    return View("says", common("", 0) | {"says": pieces}, shapes, from_zero)
