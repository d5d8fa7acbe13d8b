"""Sentences with numbers in them: which names an author may write, and how each is printed.

A sentence such as ``"{row} reads {guess:.1f} after {steps} steps"`` is taken apart here; the page
only puts in what its pieces say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import Formatter
from typing import Any

from bookwork.live.controls import Axis
from bookwork.live.frames import Frame

FORMAT = re.compile(r"\.(\d{1,2})([f%])|d")
Piece = str | dict[str, Any]  # words, or what stands in their place
Named = tuple[str, str]  # a name between braces, and how to print it


def read_sentence(who: str, template: str) -> list[str | Named]:
    """Take a sentence apart into words and names.

    Examples
    --------
    >>> read_sentence("the text", "after {steps} steps: {guess:.1f}")
    ['after ', ('steps', ''), ' steps: ', ('guess', '.1f')]
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
    found: list[str | Named] = []
    for words, name, form, conversion in parsed:
        found += [words] if words else []
        if name is not None:
            found.append((f"{name}!{conversion}" if conversion else name, form or ""))
    return found


def settle_sentence(
    who: str,
    sentence: Sequence[str | Named],
    digits: int,
    axes: Sequence[Axis],
    frame: Frame,
    parts: Sequence[str] = (),
) -> list[Piece]:
    """Find each name among the parts of a view, the single numbers and the controls."""
    labels = [axis.name for axis in axes]
    pieces: list[Piece] = []
    for each in sentence:
        if isinstance(each, str):
            pieces.append(each)
            continue
        name, _ = each
        if name in parts:
            pieces.append({"part": name} | _printed(who, each, digits, name == "value"))
        elif name in frame:
            _check_single(who, name, frame)
            pieces.append({"array": name} | _printed(who, each, digits, True))
        elif name in labels:
            pieces.append({"control": name} | _printed(who, each, digits, False))
        else:
            singles = [other for other in frame if frame[other].ndim == 0]
            known = ", ".join(f"{{{other}}}" for other in [*parts, *singles, *labels])
            raise ValueError(f"{who} can say {known or 'no name'}, but asks for {{{name}}}")
    return pieces


def _check_single(who: str, name: str, frame: Frame) -> None:
    if frame[name].ndim:
        raise ValueError(
            f"{who} can say single numbers, but {name!r} has shape {frame[name].shape}"
        )


def _printed(who: str, named: Named, digits: int, is_number: bool) -> dict[str, Any]:
    """Return how to print what a name stands for: a number, or something that is a text already."""
    name, form = named
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


def decimals_of(pieces: Sequence[Piece]) -> dict[str, int]:
    """Return with how many decimals each array must arrive."""
    found: dict[str, int] = {}
    for piece in pieces:
        if isinstance(piece, dict) and "array" in piece:
            needed = piece["digits"] + 2 * piece.get("percent", False)
            found[piece["array"]] = max(needed, found.get(piece["array"], 0))
    return found
