"""How to draw a frame: a view describes it, and the page draws it.

A view names the arrays it shows by the names under which the live function returns them. What does
not move is given as numbers. A view holds no mathematics: every number comes from the function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bookwork.live.controls import Axis, find_axis
from bookwork.live.frames import ALONE, Frame
from bookwork.live.limits import Fit, Pair, fit_limits
from bookwork.live.options import Shape, fits, say_shape


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
    settle: Callable[[View, Sequence[Axis]], View] | None = None
    tables: Sequence[dict[str, Any]] = ()  # how its arrays read as tables
    wide: int = 0  # pixels, about: the height of a view that has a line to itself

    @property
    def show(self) -> str:
        """Return the name of its first array."""
        return next(iter(self.needs))

    def settled(self, axes: Sequence[Axis], start: Frame) -> View:
        """Return the view, completed by what the controls tell, or say why it cannot be drawn."""
        if "by" in self.options:
            _check_by(self, axes)
        view = self if self.settle is None else self.settle(self, axes)
        for name, within in view.moves.items():
            _check_moved(view, find_control(view, name, axes), within)
        _check_needs(view, start)
        return view

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


def find_control(view: View, name: str, axes: Sequence[Axis]) -> Axis:
    """Return the control that a view moves, or say which there are."""
    return find_axis(f"the {view.kind} moves", name, axes)


def _check_by(view: View, axes: Sequence[Axis]) -> None:
    """Require a list of labels for each value of the control that chooses among them."""
    axis = find_control(view, view.options["by"], axes)
    lists = view.options["words" if "words" in view.options else "labels"]
    if len(lists) != len(axis.values):
        raise ValueError(
            f"the {view.kind} needs a list of labels for each of the {len(axis.values)} values "
            f"of {axis.name!r}, but has {len(lists)}"
        )


def _check_moved(view: View, axis: Axis, within: Pair | None) -> None:
    """Require that the values of a control that a view moves are numbers that grow."""
    values = axis.values
    low, high = within or (-np.inf, np.inf)
    if not (axis.finite and (np.diff(values) > 0).all() and low <= values[0] <= values[-1] <= high):
        where = f" from {low:g} to {high:g}" if within else ""
        raise ValueError(
            f"the {view.kind} moves {axis.name!r} along an axis, so its values must be numbers "
            f"that grow{where}, but they are: {', '.join(map(str, values))}"
        )


def _check_needs(view: View, frame: Frame) -> None:
    """Require that the function returns what the view draws; what has a size m has the same."""
    m = None
    for name, shape in view.needs.items():
        if name not in frame:
            raise ValueError(
                f"the {view.kind} shows {name!r}, but the function returns only: "
                f"{', '.join(frame)}; return a dictionary with that name"
            )
        actual = frame[name].shape
        wanted = (m, *shape[1:]) if shape[:1] == (None,) else shape
        if not fits(actual, wanted):
            raise ValueError(
                f"the {view.kind} needs {name!r} of shape {say_shape(wanted)}, "
                f"but the function returns shape {actual}"
            )
        m = actual[0] if shape[:1] == (None,) else m
