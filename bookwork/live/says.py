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

FORMAT = re.compile(r"\.(\d{1,2})([f%])|d")
NUMBERS = ("value", "values")  # parts that are printed; the others are texts
Piece = str | dict[str, Any]  # words, or what stands in their place


def read_sentence(
    who: str, template: str, known: Mapping[str, dict[str, Any]], digits: int
) -> list[Piece]:
    """Take a sentence apart into words and what its names stand for, a number with its decimals.

    A name that is known to have a shape is no number, and cannot be said.

    Examples
    --------
    >>> read_sentence("reads", "{row}: {value:.0%}", parts_of(["row", "value"]), 2)
    [{'part': 'row'}, ': ', {'part': 'value', 'digits': 0, 'percent': True}]
    """
    if not isinstance(template, str):
        raise TypeError(f"{who} is a sentence with names between braces, but is {template!r}")
    try:
        parsed = list(Formatter().parse(template))
    except ValueError:
        raise ValueError(
            f"{who} has a brace without its partner: {template!r}; a brace that is meant as one "
            "is written twice"
        ) from None
    pieces: list[Piece] = []
    for words, name, form, conversion in parsed:
        pieces += [words] if words else []
        if name is None:
            continue
        asked = f"{name}!{conversion}" if conversion else name
        _check_known(who, asked, known)
        pieces.append(known[name] | _printed(who, name, form or "", digits, known[name]))
    return pieces


def _check_known(who: str, asked: str, known: Mapping[str, dict[str, Any]]) -> None:
    if shape := known.get(asked, {}).get("shape"):
        raise ValueError(f"{who} can say single numbers, but {asked!r} has shape {shape}")
    if asked not in known:
        names = [f"{{{name}}}" for name, piece in known.items() if "shape" not in piece]
        listed = ", ".join(names) or "no name"
        raise ValueError(f"{who} can say {listed}, but asks for {{{asked}}}")


def parts_of(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the parts of what a view says, as `read_sentence` wants to know them."""
    return {name: {"part": name} for name in names}


def _printed(
    who: str, name: str, form: str, digits: int, piece: Mapping[str, Any]
) -> dict[str, Any]:
    """Return how to print what a name stands for: a number, or something that is a text already."""
    is_number = "array" in piece or piece.get("part") in NUMBERS
    if not form:
        return {"digits": digits} if is_number else {}
    if not is_number:
        raise ValueError(f"{who} says {{{name}}} as it stands: leave out {form!r} after its name")
    match = FORMAT.fullmatch(form)
    if not match or int(match[1] or 0) > 20:
        raise ValueError(
            f"{who} can print {{{name}:.2f}}, {{{name}:.0%}} or {{{name}:d}}, "
            f"but asks for {{{name}:{form}}}"
        )
    return {"digits": int(match[1] or 0), "percent": match[2] == "%"}


def decimals_in(pieces: Iterable[Piece]) -> dict[str, int]:
    """Return the most decimals with which a sentence prints each of its numbers."""
    most: dict[str, int] = {}
    for piece in pieces:
        if isinstance(piece, dict) and "digits" in piece:
            name = piece.get("array") or piece["part"]
            needed = piece["digits"] + 2 * piece.get("percent", False)
            most[name] = max(needed, most.get(name, 0))
    return most


def says_of(template: str, views: Sequence[View], axes: Sequence[Axis], frame: Frame) -> View:
    """Return an author's sentence on a figure as a view that is not drawn.

    It may name single numbers, controls, and parts of the largest number of the first view that
    has any.
    """
    view = next((each for each in views if each.parts), views[0])
    known = parts_of(view.parts)
    for name, array in frame.items():
        known.setdefault(name, {"shape": array.shape} if array.ndim else {"array": name})
    for axis in axes:
        known.setdefault(axis.name, {"control": axis.name})
    pieces = read_sentence("says", template, known, view.options["digits"])
    _check_one_meaning(view, pieces, axes)
    decimals = decimals_in(pieces)
    if "value" in view.parts and "value" in decimals:
        decimals[view.show] = max(decimals.pop("value"), decimals.get(view.show, 0))
    needs = {name: frame[name].shape for name in decimals}
    return View("says", common("", 0) | {"says": pieces}, needs, from_zero, decimals=decimals)


def _check_one_meaning(view: View, pieces: Iterable[Piece], axes: Sequence[Axis]) -> None:
    """Refuse a name that is a part of the view and a control, unless both are the asking word."""
    said = {piece.get("part") for piece in pieces if isinstance(piece, dict)}
    same = {"asks"} & set(view.holds)
    for axis in axes:
        if axis.name in said - same:
            raise ValueError(
                f"{{{axis.name}}} in says may be a part of the {view.kind} or a control: "
                "give the control another name"
            )
