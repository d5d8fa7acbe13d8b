"""How to draw a frame: a view describes it, and the page draws it.

A view names the arrays it shows by the names under which the live function returns them. What does
not move is given as numbers. A view holds no mathematics: every number comes from the function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from bookwork.live.controls import Axis, find_axis
from bookwork.live.frames import ALONE, Frame
from bookwork.live.options import Shape, agree, as_list, numbers_of, texts_of
from bookwork.live.says import read_sentence

Pair = tuple[float, float]
Fit = Callable[[float, float], Pair]  # from the lowest and the highest number to the limits
Settled = Callable[[Frame, Sequence[Axis]], Any]  # an option that follows from what was made
SLACK = 1e-6  # of the room between limits: what rounding may add, far less than a pixel


@dataclass(frozen=True)
class View:
    """What to draw (`kind`, `options`), and the arrays it needs, each with its shape.

    An option that is a function is called with all frames and controls, when they are known.
    `parts` are what a sentence can say of the largest number of its first array.
    """

    kind: str
    options: dict[str, Any]
    needs: Mapping[str, Shape]
    parts: Sequence[str] = ()
    tables: Sequence[dict[str, Any]] = ()  # how its arrays read as tables
    wide: int = 0  # pixels, about: the height of a view that has a line to itself

    def check(self, frame: Frame) -> None:
        """Require that the function returns what the view draws."""
        sizes: dict[Any, int] = {}
        for name, shape in self.needs.items():
            if name not in frame:
                raise ValueError(
                    f"the {self.kind} shows {name!r}, but the function returns only: "
                    f"{', '.join(frame)}; return a dictionary with that name"
                )
            agree(f"{name!r}, drawn by the {self.kind},", frame[name].shape, shape, sizes)

    def spec(self, frames: Frame, axes: Sequence[Axis], name: str) -> dict[str, Any]:
        """Return what the page needs to know, in a figure of this name."""
        title = self.options["title"]
        alone = title or name  # of an array that has no name of its own
        tables = [
            {"title": alone if each["array"] == ALONE else title, **each} for each in self.tables
        ]
        told = {"kind": self.kind, "wide": self.wide, "tables": tables}
        return told | _settled(self.options, frames, axes)


def _settled(told: Any, *made: Any) -> Any:
    """Return options with the results of those that are functions."""
    if isinstance(told, dict):
        return {name: _settled(each, *made) for name, each in told.items()}
    if isinstance(told, list):
        return [_settled(each, *made) for each in told]
    return told(*made) if callable(told) else told


def common(
    parts: Sequence[str],
    reads: str = "",
    *,
    drawn: Sequence[Any] = (),
    fit: Fit | None = None,
    limits: Pair | None = None,
    log: bool = False,
    title: str = "",
    digits: int = 2,
) -> dict[str, Any]:
    """Return the options that all views have.

    - `reads` says what is pointed at, by the parts of the view.
    - `limits` are the ends of the scale, which move if a number that is drawn lies beyond.
    - `title` stands above, if several views stand side by side.
    - `digits` are the decimals printed in the view, in tables, and in what is read out.
    """
    if not isinstance(digits, Integral) or not 0 <= digits <= 20:
        raise ValueError(f"digits is a whole number from 0 to 20, but is {digits!r}")
    told: dict[str, Any] = {"title": str(title or ""), "digits": int(digits)}
    told |= {"reads": read_sentence("reads", reads, digits, parts)} if parts else {}
    return told | ({"limits": limits_of(fit, drawn, limits, log)} if fit else {})


def table(array: str, rows: Any, columns: Any, title: str = "", **digits: int) -> dict[str, Any]:
    """Say how an array reads as a table, under which title and with how many decimals.

    `rows` and `columns` are labels, or name the option of the view that holds them; numbers stand
    for labels that are not there.
    """
    titled = {"title": title} if title else {}
    return {"array": str(array), "rows": rows, "columns": columns, **titled, **digits}


def labels_by(name: str, given: Any, by: str | None) -> tuple[dict[str, Any], int]:
    """Return labels as options of a view, a list for each value of the control `by`, if any."""
    if by is None:
        labels = texts_of(name, given)
        return {name: labels}, len(labels)
    lists = [texts_of(name, each) for each in as_list(name, given, "lists")]
    count = len(lists[0]) if lists else 0
    for each in lists:
        agree(f"each list of {name}", (len(each),), (count,), {})

    def settle(_: Frame, axes: Sequence[Axis]) -> str:
        values = find_axis(f"{name} follow", by, axes).values
        agree(f"{name}, a list for each value of {by!r},", (len(lists),), (len(values),), {})
        return by

    return {name: lists, "by": settle}, count


def moved(kind: str, name: str) -> Settled:
    """Return the name of a control that a view moves, once its values are numbers that grow."""

    def settle(_: Frame, axes: Sequence[Axis]) -> str:
        values = (axis := find_axis(f"the {kind} moves", name, axes)).values
        if axis.numeric and (np.diff(values) > 0).all():
            return name
        raise ValueError(
            f"the {kind} moves {name!r} along an axis, so its values must be numbers that "
            f"grow, but they are: {', '.join(map(str, values))}"
        )

    return settle


def choosing(who: str, name: str, count: int) -> Settled:
    """Return the name of a control that chooses one of so many, once it has a value for each."""

    def settle(_: Frame, axes: Sequence[Axis]) -> str:
        values = find_axis(f"{who} are chosen by", name, axes).values
        agree(f"{name}, which chooses one of {who},", (len(values),), (count,), {})
        return name

    return settle


def limits_of(fit: Fit, drawn: Sequence[Any], given: Any = None, log: bool = False) -> Settled:
    """Return limits for all that is drawn: numbers, names of arrays, "@" and the name of a control.

    They are those given, or further if a number lies beyond; if none are given, as `fit` says.
    """
    ends: list[float] = [] if given is None else numbers_of("limits", given).tolist()
    if given is not None and (np.shape(ends) != (2,) or ends[0] >= ends[1]):
        raise ValueError(f"limits are two numbers, the lower one first, but are {given!r}")

    def settle(frames: Frame, axes: Sequence[Axis]) -> Pair:
        known = frames | {f"@{axis.name}": axis.values for axis in axes if axis.numeric}
        found = [known.get(each, ()) if isinstance(each, str) else each for each in drawn]
        numbers = np.concatenate(
            [np.ravel(each) for each in found if np.size(each)] or [np.zeros(1)]
        )
        low, high = float(numbers.min()), float(numbers.max())
        lowest = min([low, *ends])
        if log and lowest <= 0:
            raise ValueError(f"log needs numbers above 0, but the lowest is {lowest:.4g}")
        return fit(low, high) if given is None else _widened(ends[0], ends[1], low, high)

    return settle


def _widened(lowest: float, highest: float, low: float, high: float) -> Pair:
    """Return limits, or as far beyond them as the numbers reach."""
    room = SLACK * (highest - lowest)
    return low if low < lowest - room else lowest, high if high > highest + room else highest


def from_zero(low: float, high: float) -> Pair:
    """Reach from 0 to 1 or, if a number lies beyond, from 0 as far as the numbers do."""
    if low >= -SLACK and high <= 1 + SLACK:
        return 0.0, 1.0
    return min(low, 0.0), max(high, 0.0)


def around_zero(low: float, high: float) -> Pair:
    """Reach as far below 0 as above it, if any number is negative."""
    reach = max(-low, high)
    return (-reach, reach) if low < -SLACK else from_zero(low, high)


def padded(low: float, high: float) -> Pair:
    """Leave a little room below and above."""
    room = 0.04 * (high - low or 1.0)
    return low - room, high + room


def by_factors(low: float, high: float) -> Pair:
    """Leave a little room below and above, on an axis that grows by factors."""
    room = (high / low) ** 0.04 if high > low else 1.1
    return low / room, high * room
