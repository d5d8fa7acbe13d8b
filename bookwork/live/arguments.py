"""What `live` is given: its own arguments, and one control for each argument of the function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import ipywidgets

from bookwork.live.controls import Axis, as_control, read_axis
from bookwork.live.views import View

OWN = {
    "function": "a function of the controls' values",
    "view": "a view, such as bars or heatmap, or several in a list",
    "name": "a text, what the figure is called",
    "says": "a sentence, what the figure says of itself",
    "play": "the name of a control",
    "budget": "a whole number of bytes",
    "controls": "a dictionary",
}


def check_kinds(**given: Any) -> None:
    """Say so if `live` was given a control, or anything else, under a name of its own."""
    right = {
        "function": callable,
        "view": _is_view,
        "name": lambda name: isinstance(name, str) or not _may_be_control(name),
        "says": lambda says: says is None or isinstance(says, str),
        "play": lambda play: play is None or isinstance(play, str),
        "budget": _is_whole,
        "controls": lambda controls: controls is None or isinstance(controls, Mapping),
    }
    for own, what in OWN.items():
        if not right[own](given[own]):
            raise TypeError(
                f"{own} must be {what}, but is {given[own]!r}; a control for an argument called "
                f"{own} goes into controls={{{own!r}: …}}"
            )


def check_by_name(name: Any, unnamed: Sequence[Any]) -> None:
    """Require that a figure has a name, and that whatever stands after the view goes by one."""
    if unnamed and isinstance(unnamed[0], View):
        raise TypeError("live takes a function and a view; several views go into a list")
    if unnamed:
        raise TypeError('live takes a function and a view; all else goes by its name: name="…"')
    if name is None or (isinstance(name, str) and not name.strip()):
        raise TypeError('a figure needs a name, for those who cannot see it: name="…"')


def _is_whole(number: Any) -> bool:
    if isinstance(number, Integral):
        return not isinstance(number, bool)
    return isinstance(number, Real) and float(number).is_integer()


def _is_view(view: Any) -> bool:
    views = view if isinstance(view, (list, tuple)) else [view]
    return bool(views) and all(isinstance(part, View) for part in views)


def _may_be_control(given: Any) -> bool:
    return isinstance(given, (ipywidgets.Widget, Iterable, bool))


def join_controls(controls: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the controls of the dictionary and those given by name, none of them twice."""
    for name in more:
        if name in controls:
            raise ValueError(f"the control {name} is given twice, by itself and in controls")
    return {name: as_control(name, given) for name, given in {**controls, **more}.items()}


def check_takes(function: Callable[..., Any], given: Iterable[str]) -> None:
    """Require one control for each argument that the function cannot do without, and no other."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # some functions written in C do not tell
        return
    by_name = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    for p in by_name:
        if p.default is p.empty and p.name not in given:
            control = f"{p.name}=slider(0, 1, 0.1)"
            if p.name in OWN:
                control = f"controls={{{p.name!r}: slider(0, 1, 0.1)}}"
            raise TypeError(
                f"the function takes {p.name}, for which there is no control: "
                f"add one, such as {control}"
            )
    takes = [p.name for p in by_name]
    for name in given:
        if name not in takes and not any(p.kind is p.VAR_KEYWORD for p in parameters):
            listed = ", ".join(takes) or "nothing"
            raise TypeError(f"there is a control {name}, but the function takes {listed} by name")


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
