"""What `live` is given: its own arguments, and one control for each argument of the function."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import ipywidgets

from bookwork.live.controls import Axis, read_axis
from bookwork.live.views import View


def check_kinds(**given: Any) -> None:
    """Say so if `live` was given a control under a name of its own, or no view, or no name."""
    for own, value in given.items():
        if isinstance(value, ipywidgets.Widget):
            raise TypeError(
                f"live has a use of its own for {own}: a control for an argument called {own} goes "
                f"into controls={{{own!r}: …}}"
            )
    views = given["view"] if isinstance(given["view"], (list, tuple)) else [given["view"]]
    if not views or not all(isinstance(view, View) for view in views):
        raise TypeError(
            f"view must be a view, such as bars or heatmap, or several in a list, but is "
            f"{given['view']!r}"
        )
    if not str(given["name"] or "").strip():
        raise TypeError('a figure needs a name, for those who cannot see it: name="…"')


def join_controls(controls: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the controls of the dictionary and those given by name, none of them twice."""
    for name in more:
        if name in controls:
            raise ValueError(f"the control {name} is given twice, by itself and in controls")
    return {**controls, **more}


def read_axes(controls: Mapping[str, Any]) -> list[Axis]:
    """Read all controls; no two may look the same to a reader."""
    axes = [read_axis(name, control) for name, control in controls.items()]
    labels = [axis.label for axis in axes]
    for label in labels:
        if labels.count(label) > 1:
            raise ValueError(f"two controls are called {label!r}: give each a name of its own")
    return axes


def check_plays(name: str | None, axes: Iterable[Axis]) -> None:
    """Require that the control to be played is in the figure and has several values."""
    if name is None:
        return
    known = {axis.name: axis for axis in axes}
    if name not in known:
        listed = ", ".join(known) or "none"
        raise ValueError(f"the figure has no control {name!r} to play; its controls are: {listed}")
    if len(known[name].values) < 2:
        raise ValueError(f"the control {name} has only one value, so there is nothing to play")
