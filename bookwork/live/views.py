"""How to draw a frame: a view describes it, and the page draws it.

A view names the arrays it shows by the names under which the live function returns them. What does
not move is given as numbers. A view holds no mathematics: every number comes from the function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bookwork.live.controls import Axis
from bookwork.live.frames import ALONE, Frame
from bookwork.live.limits import SLACK, Fit, Pair, fit_limits
from bookwork.live.options import Shape, say_shape


@dataclass(frozen=True)
class View:
    """What to draw (`kind`, `options`), which arrays it needs, and which controls it moves.

    The `limits` must take in the arrays that `drawn` names and the fixed numbers in `still`. A
    control that it `moves` may have to stay within two numbers; one that it `holds` is not shown
    elsewhere. `parts` are what a sentence can say of the largest number of its first array.
    `settle` completes it, once controls and arrays are known.
    """

    kind: str
    options: dict[str, Any]
    needs: Mapping[str, Shape]
    limits: Fit
    drawn: Sequence[str] = ()
    still: Sequence[Any] = ()
    moves: Mapping[str, Pair | None] = field(default_factory=dict)
    holds: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    decimals: Mapping[str, int] = field(default_factory=dict)  # of arrays, if more than `digits`
    settle: Callable[[View, Sequence[Axis]], View] | None = None
    tables: Sequence[dict[str, Any]] = ()  # how its arrays read as tables
    wide: int = 0  # pixels, about: the height of a view that has a line to itself

    @property
    def show(self) -> str:
        """Return the name of its first array."""
        return next(iter(self.needs))

    def settled(self, axes: Sequence[Axis]) -> View:
        """Return the view, completed by what the controls tell."""
        if "by" in self.options:
            _check_by(self, axes)
        return self if self.settle is None else self.settle(self, axes)

    def spec(self, frames: Frame, name: str) -> dict[str, Any]:
        """Return what the page needs to know, in a figure of this name."""
        numbers = [frames[name] for name in self.drawn]
        numbers += [np.array(given) for given in self.still]
        title = self.options["title"]
        alone = title or name  # of an array that has no name of its own
        tables = [
            {"title": alone if each["array"] == ALONE else title, **each} for each in self.tables
        ]
        limits = fit_limits(self.limits, numbers)
        drawn = {"kind": self.kind, "limits": limits, "wide": self.wide}
        return drawn | self.options | {"tables": tables}


def _check_by(view: View, axes: Sequence[Axis]) -> None:
    """Require a list of labels for each value of the control that chooses among them."""
    axis = find_control(view, view.options["by"], axes)
    lists = view.options["words" if "words" in view.options else "labels"]
    if len(lists) != len(axis.values):
        raise ValueError(
            f"the {view.kind} needs a list of labels for each of the {len(axis.values)} values "
            f"of {axis.name!r}, but has {len(lists)}"
        )


def find_control(view: View, name: str, axes: Sequence[Axis]) -> Axis:
    """Return the control that a view moves, or say which there are."""
    known = {axis.name: axis for axis in axes}
    if name not in known:
        raise ValueError(
            f"the {view.kind} moves {name!r}, but the figure has no such control; "
            f"its controls are: {', '.join(known) or 'none'}"
        )
    return known[name]


def check_moves(view: View, axes: Sequence[Axis]) -> None:
    """Require that the controls a view moves are in the figure and hold growing numbers."""
    for name, within in view.moves.items():
        axis = find_control(view, name, axes)
        values = axis.values
        if not (axis.numeric and np.isfinite(values).all() and (np.diff(values) > 0).all()):
            raise ValueError(
                f"the {view.kind} moves {name!r} along an axis, so its values must be numbers "
                f"that grow, but they are: {', '.join(map(str, values))}"
            )
        if view.options.get("x", {}).get("kind") == "log" and values[0] <= 0:
            raise ValueError(f"log needs numbers above 0, but {name!r} can be {values[0]}")
        if within is not None:
            _check_within(view, name, values, *within)


def _check_within(view: View, name: str, values: Sequence[float], low: float, high: float) -> None:
    """Require that a control does not leave what the view knows."""
    room = SLACK * (high - low)
    for value in (values[0], values[-1]):
        if not low - room <= value <= high + room:
            raise ValueError(
                f"the {view.kind} is known from {low:g} to {high:g} along {name!r}, "
                f"but that control can be {value}"
            )


def check_needs(view: View, frame: Frame) -> None:
    """Require that the function returns what the view draws."""
    for name, shape in view.needs.items():
        if name not in frame:
            raise ValueError(
                f"the {view.kind} shows {name!r}, but the function returns only: "
                f"{', '.join(frame)}; return a dictionary with that name"
            )
        actual = frame[name].shape
        if len(actual) != len(shape) or any(
            w not in (None, a) for w, a in zip(shape, actual, strict=True)
        ):
            raise ValueError(
                f"the {view.kind} needs {name!r} of shape {say_shape(shape)}, "
                f"but the function returns shape {actual}"
            )
    shapes = {name: frame[name].shape for name, need in view.needs.items() if need[:1] == (None,)}
    if len({shape[0] for shape in shapes.values()}) > 1:
        said = " and ".join(f"{name!r} has shape {shape}" for name, shape in shapes.items())
        raise ValueError(f"the {view.kind} needs one size m, but {said}")
