"""The widget: frames made when the cell runs, drawn in the page with no kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import anywidget
import ipywidgets
import numpy as np
import traitlets

from bookwork.live.arguments import (
    check_kinds,
    check_plays,
    join_controls,
    read_axes,
)
from bookwork.live.controls import Axis
from bookwork.live.frames import Frame, Packed, call, check_budget, evaluate, pack
from bookwork.live.says import says_of
from bookwork.live.script import script_and_style
from bookwork.live.views import View, check_moves, check_needs

BUDGET = 2_000_000  # bytes of frames in one figure


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
        function: Callable[..., Any],
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
        names = [axis.name for axis in self.axes]
        for name in values:
            if name not in names:
                listed = ", ".join(names) or "none"
                raise ValueError(f"the figure has no control {name!r}; its controls are: {listed}")
        places = [
            axis.place(values[axis.name]) if axis.name in values else axis.start
            for axis in self.axes
        ]
        return call(self.function, self.axes, places)


def live(
    function: Callable[..., Any],
    view: View | Sequence[View],
    *,
    name: str = "",
    says: str | None = None,
    play: str | None = None,
    budget: int = BUDGET,
    controls: Mapping[str, Any] | None = None,
    **more_controls: Any,
) -> LiveFigure:
    """Turn a NumPy function and ipywidgets controls into a figure that needs no kernel.

    The function is evaluated now, for every combination of control values; the page looks the
    results up and draws them. So what is drawn is what the function returned.

    Parameters
    ----------
    function : callable
        Takes the controls' values by name and returns an array, or a dictionary of named arrays,
        of the same shapes every time.
    view : View or sequence of View
        How to draw: a view, such as `heatmap` or `bars`, or several.
    name : str
        What the figure is called by those who cannot see it.
    says : str, optional
        One sentence below the figure that follows the controls, such as
        ``"{row} has most of {column} ({value})"``. A name between braces stands for a single
        number that the function returns, for what a control is set to, or for a part of the largest
        number in the first view that has any: in a heatmap {row}, {column} and {value}, in bars
        {label} and {value}, in a sentence or arcs {asks}, {word} and {value}. ``{guess:.1f}``
        prints one decimal, ``{share:.0%}`` a share as per cent, ``{count:d}`` no decimals. Without
        it, a figure of one view has that view's own sentence, and a figure of several says only
        what is pointed at.
    play : str, optional
        Name of a control that means time. It gets a button that steps through its values, from
        where it stands to the end; a second press stops it, and so does moving the control. For a
        reader who wants no motion, each press makes one step.
    budget : int
        Refuse to make more bytes of frames than this.
    controls : mapping of str to controls, optional
        For arguments that are called like one of the above: ``controls={"name": choice(…)}``.
    **more_controls : ipywidgets.Widget
        One control per argument of the function: `slider`, `choice`, `checkbox`, `token_buttons`,
        any ipywidgets control with a finite list of values, or one of the abbreviations that
        ``ipywidgets.interact`` knows: ``(0.5, 4, 0.5)``, ``["soft", "hard"]``, ``True``.

    Returns
    -------
    LiveFigure
        A widget: the last line of a cell shows it.

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
    own = {"function": function, "view": view, "name": name, "says": says, "play": play}
    check_kinds(**own, budget=budget, controls=controls)
    views = [view] if isinstance(view, View) else list(view)
    widgets = join_controls(controls or {}, more_controls)
    axes = read_axes(widgets)
    check_plays(play, axes)
    start = call(function, axes, [axis.start for axis in axes])
    drawn = [part.settled(axes) for part in views]
    for part in drawn:
        check_moves(part, axes)
        check_needs(part, start)
    said = [says_of(says, drawn, axes, start)] if says else []
    wanted = dict.fromkeys(each for part in [*drawn, *said] for each in part.needs)
    frames = evaluate(function, axes, start, wanted, budget)
    packed = [
        pack(each, array, len(axes), _digits(each, [*drawn, *said]))
        for each, array in frames.items()
    ]
    check_budget(sum(part.codes.nbytes for part in packed), axes, budget)
    spec = {
        "name": str(name),
        "controls": [axis.spec() for axis in axes],
        "arrays": _layout(packed),
        "views": [part.spec(frames, str(name)) for part in drawn],
        "held": sorted({held for part in drawn for held in part.holds}),
        "says": said[0].options["says"] if said else None,
        "play": play,
    }
    buffer = b"".join(part.codes.tobytes() for part in packed)
    drawing = Drawing(spec=spec, frames=buffer, controls=list(widgets.values()))
    return LiveFigure(function, widgets, axes, drawing)


def _digits(name: str, views: Sequence[View]) -> int:
    """Return the most decimals with which an array is printed."""
    wanted = [view for view in views if name in view.needs]
    return max(max(view.options["digits"], view.decimals.get(name, 0)) for view in wanted)


def _layout(packed: Sequence[Packed]) -> list[dict[str, Any]]:
    """Say where each array begins in the buffer, in bytes, and how to read it."""
    begins = np.cumsum([0, *(part.codes.nbytes for part in packed)]).tolist()
    return [
        {
            "name": part.name,
            "begin": begin,
            "counts": part.codes.shape[: part.codes.ndim - len(part.shape)],
            "shape": part.shape,
            "low": part.low,
            "high": part.high,
            "steps": part.steps,
        }
        for part, begin in zip(packed, begins[:-1], strict=True)
    ]
