"""The widget: frames made when the cell runs, drawn in the page with no kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import anywidget
import ipywidgets
import traitlets

from bookwork.live.controls import Axis, find_axis, place_of, read_axis
from bookwork.live.frames import (
    Frame,
    call_parts,
    check_budget,
    evaluate_parts,
    pack,
    parts_of,
)
from bookwork.live.says import read_sentence
from bookwork.live.script import script_and_style
from bookwork.live.views import View

Function = Callable[..., Any] | Sequence[Callable[..., Any]]


class Drawing(anywidget.AnyWidget):
    """The drawn part of a live figure: frames, and references to the controls that choose one."""

    _esm, _css = script_and_style()

    spec = traitlets.Dict().tag(sync=True)
    frames = traitlets.Bytes().tag(sync=True)
    controls = traitlets.List(traitlets.Instance(ipywidgets.Widget)).tag(
        sync=True, **ipywidgets.widget_serialization
    )


class LiveFigure(ipywidgets.VBox):
    """Controls above a drawing; `function` and `controls` stay at hand for tests and readers.

    Controls that a view holds, such as the words of a `sentence`, are not shown a second time.
    """

    def __init__(
        self,
        function: Function,
        controls: dict[str, Any],
        axes: Sequence[Axis],
        drawing: Drawing,
    ):
        self.function = function
        self.controls = controls
        self.axes = tuple(axes)
        self.drawing = drawing
        held = drawing.spec.get("held", ())
        above = [control for name, control in controls.items() if name not in held]
        row = ipywidgets.Box(above)
        row.add_class("live-controls")
        super().__init__([row, drawing] if above else [drawing])
        self.add_class("live-figure")

    def frame(self, /, **values: Any) -> Frame:
        """Return the named arrays at the given control values; others stay at their start."""
        at = {axis.name: axis.start for axis in self.axes}
        for name, value in values.items():
            axis = find_axis("a frame is asked for at", name, self.axes)
            at[name] = place_of(name, axis.values, value)
        parts = parts_of(self.function, self.axes)
        return _joined(call_parts(parts, self.axes, list(at.values())))


def live(
    function: Function,
    view: View | Sequence[View],
    *,
    name: str = "",
    says: str | None = None,
    play: str | None = None,
    **controls: Any,
) -> LiveFigure:
    """Turn a NumPy function and ipywidgets controls into a figure that needs no kernel.

    The function is evaluated now, for every combination of control values; the page looks the
    results up and draws them. So what is drawn is what the function returned.

    - `function` takes the controls' values by name and returns an array, or a dictionary of named
      arrays, of the same shapes every time. Of several functions, in a list, each takes the
      controls that it names, and is called for the values of these alone.
    - `view` says how to draw: a view, such as `heatmap` or `bars`, or several.
    - `name` is what the figure is called by those who cannot see it.
    - `says` is one sentence below the figure that follows the controls, such as
      ``"{row} has most of {column} ({value})"``. A name between braces stands for a single number
      that the function returns, for what a control is set to, or for a part of the largest number
      in the first view that has any: in a heatmap {row}, {column} and {value}, in bars {label} and
      {value}, in a sentence or arcs {asks}, {word} and {value}. ``{guess:.1f}`` prints one decimal,
      ``{share:.0%}`` a share as per cent, ``{count:d}`` no decimals. Without it, a figure of
      bars, cells or words alone says its largest number, and any other only what is pointed at.
    - `play` names a control that means time. It gets a button that steps through its values, from
      where it stands to the end; a second press stops it, and so does moving the control. For a
      reader who wants no motion, each press makes one step.
    - `controls` are one per argument of the function: `slider`, `log_slider`, `option_slider`,
      `choice`, `token_buttons`, `checkbox`, or the same kinds made with ipywidgets.

    Examples
    --------
    >>> import numpy as np
    >>> from bookwork.live import bars, slider
    >>> figure = live(
    ...     lambda power: np.array([1.0, 2.0, 3.0]) ** power,
    ...     bars(["a", "b", "c"]),
    ...     name="Powers of three numbers",
    ...     power=slider(0.5, 2, 0.5, value=1),
    ... )
    >>> figure.frame(power=2.0)["result"].round(2)
    array([1., 4., 9.])
    """
    views = [view] if isinstance(view, View) else list(view)
    if not views or not all(isinstance(part, View) for part in views):
        raise TypeError(f"a view is made by bars, heatmap and the like, but there is {views!r}")
    if not str(name or "").strip():
        raise TypeError('a figure needs a name, for those who cannot see it: name="…"')
    axes = _read_axes(controls, play)
    parts = parts_of(function, axes)
    starts = call_parts(parts, axes, [axis.start for axis in axes])
    start = _joined(starts)
    for each in views:
        each.check(start)
    said = [_sentence(says, views, axes, start)] if says else []
    wanted = dict.fromkeys(each for part in [*views, *said] for each in part.needs)
    frames = evaluate_parts(parts, axes, starts, wanted)
    told = [part.spec(frames, axes, str(name)) for part in views]
    layout, buffer = pack(frames, len(axes), _most_digits([told, *(part.options for part in said)]))
    check_budget(len(buffer), axes)
    spec = {
        "name": str(name),
        "controls": [axis.spec() for axis in axes],
        "arrays": layout,
        "views": told,
        "held": sorted({part["at"] for part in told if part.get("at")}),
        "says": said[0].options["says"] if said else None,
        "play": play,
    }
    drawing = Drawing(spec=spec, frames=buffer, controls=list(controls.values()))
    return LiveFigure(function, controls, axes, drawing)


def _joined(frames: Sequence[Frame]) -> Frame:
    return {name: array for frame in frames for name, array in frame.items()}


def _sentence(says: str, views: Sequence[View], axes: Sequence[Axis], frame: Frame) -> View:
    """Return an author's sentence on a figure as a view that is not drawn."""
    view = next((each for each in views if each.parts), views[0])
    known = {axis.name: {"control": axis.name} for axis in axes}
    known |= {name: {"array": name} for name, array in frame.items() if not array.ndim}
    pieces = read_sentence("says", says, view.options["digits"], view.parts, known)
    printed = [piece for piece in pieces if isinstance(piece, dict) and "digits" in piece]
    needs = [piece.get("array", next(iter(view.needs))) for piece in printed]
    return View("says", {"says": pieces}, {name: frame[name].shape for name in needs})


def _read_axes(controls: Mapping[str, Any], play: str | None) -> list[Axis]:
    """Read all controls; no two may look the same, and the one to be played has several values."""
    axes = [read_axis(name, control) for name, control in controls.items()]
    labels = [axis.label for axis in axes]
    if len(set(labels)) < len(labels):
        raise ValueError(f"each control needs a name of its own, but they are: {', '.join(labels)}")
    if play is not None and len(find_axis("the figure plays", play, axes).values) < 2:
        raise ValueError(f"the control {play} has only one value, so there is nothing to play")
    return axes


def _most_digits(told: Any) -> int:
    """Return the most "digits" in what the page is told; a share in per cent has two more."""
    if isinstance(told, Mapping):
        own = told.get("digits", 0) + 2 * told.get("percent", False)
        return max(own, _most_digits([*told.values()]))
    return max(map(_most_digits, told), default=0) if isinstance(told, (list, tuple)) else 0
