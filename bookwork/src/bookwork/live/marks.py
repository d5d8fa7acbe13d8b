"""What a chart is made of: marks over two scales, drawn by web/live/chart.js.

A place is given as numbers, as the name of an array that the function returns, or as "@" and the
name of a control: where that stands. A scale makes pixels of it. A new kind of picture is a
function that lists marks, as those in charts.py do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bookwork.live.options import Shape, agree, known_shape, numbers_of
from bookwork.live.views import Fit, View, by_factors, common, limits_of, moved, padded, table

Scale = dict[str, Any]
Channel = tuple[Any, Shape]  # numbers or the name of an array, and the shape that this must have


@dataclass(frozen=True)
class Mark:
    """One layer of a chart: what the page is told of it, and the arrays that it draws.

    The limits of the chart take in what it `spans`; its `weights` they do not. What is pointed at
    `reads` the `parts` of its mark.
    """

    kind: str
    told: dict[str, Any]
    spans: Sequence[Channel] = ()
    weights: Sequence[Channel] = ()
    tables: Sequence[dict[str, Any]] = ()
    parts: Sequence[str] = ()
    reads: str = ""


def chart(
    kind: str,
    x: Scale,
    y: Scale,
    marks: Sequence[Mark],
    options: Mapping[str, Any],
    *,
    fit: Fit = padded,
    drag: Sequence[str] = (),
    **more: Any,
) -> View:
    """Return a view of marks, the first ones below.

    - `options` has lists of labels; a size in the shape of a mark may be the name of one.
    - `fit` finds the limits that the scales share from the lowest and the highest number.
    - `drag` names the controls, across and up, that are moved by dragging the picture.
    - `more` are `reads`, `limits`, `title` and `digits`.
    """
    spans = [channel for mark in marks for channel in mark.spans]
    channels = [*spans, *(channel for mark in marks for channel in mark.weights)]
    first = next((mark for mark in marks if mark.parts), Mark("", {}))
    log = y["kind"] == "log"
    fits = {"fit": by_factors if log else fit, "log": log, "drawn": [given for given, _ in spans]}
    told = common(first.parts, more.pop("reads", first.reads), **fits, **more)
    told["marks"] = [{"kind": mark.kind, **mark.told} for mark in marks]
    told |= {"x": x, "y": y, "drag": [moved(kind, name) for name in drag], **options}
    sizes = _sizes(marks, options)
    needs = {name: known_shape(shape, sizes) for name, shape in channels if isinstance(name, str)}
    tables = [each for mark in marks for each in mark.tables]
    return View(kind, told, needs, first.parts, tables)


def _sizes(marks: Iterable[Mark], options: Mapping[str, Any]) -> dict[Any, int]:
    """Return how many labels and given numbers there are, if they agree."""
    sizes: dict[Any, int] = {}
    for name, labels in options.items():
        if isinstance(labels, list) and labels:
            sizes[name] = len(labels[0] if "by" in options else labels)
    for mark in marks:
        for given, shape in (*mark.spans, *mark.weights):
            if not isinstance(given, str):
                agree(mark.told.get("called") or mark.kind, np.shape(given), shape, sizes)
        if labels := options.get(mark.told.get("names", "")):
            agree(mark.told["names"], (len(labels),), mark.spans[0][1][:1], sizes)
    return sizes


def band(names: str) -> Scale:
    """Return a scale with a place for each label; `names` is the option of the view with these."""
    return {"kind": "band", "names": names}


def linear(
    label: str = "", *, bare: bool = False, log: bool = False, drawn: Sequence[Any] = ()
) -> Scale:
    """Return a scale of numbers, which may grow by factors; a bare one shows only where zero is.

    It has limits of its own if it tells what is `drawn` on it.
    """
    told = {"kind": "log" if log else "linear", "label": str(label), "bare": bare}
    return told | ({"limits": limits_of(_all, drawn, log=log)} if drawn else {})


def _all(low: float, high: float) -> tuple[float, float]:
    return (low, high) if low < high else padded(low, high)


def cell(show: str) -> Mark:
    """Return the coloured cells of a matrix over two bands called "rows" and "columns"."""
    spans, tables = [(show, ("rows", "columns"))], [table(show, "rows", "columns")]
    parts, reads = ("row", "column", "value"), "{row}, {column}: {value}"
    return Mark("cell", {"show": show}, spans, tables=tables, parts=parts, reads=reads)


def bar(show: str) -> Mark:
    """Return bars from zero, one for each label of a band called "labels"."""
    spans, tables = [(show, ("labels",))], [table(show, "labels", ["value"])]
    parts, reads = ("label", "value"), "{label}: {value}"
    return Mark("bar", {"show": show}, spans, tables=tables, parts=parts, reads=reads)


def line(show: str, label: str = "curve") -> Mark:
    """Return a line over the `places` of the view; one of several can be switched off."""
    tables = [table(show, "places", ["height"], label)]
    return Mark("line", {"show": show, "label": label}, [(show, ("places",))], tables=tables)


def scatter(at: Any, weights: str | None = None) -> Mark:
    """Return small points at places across and up, which grow against the heaviest of them."""
    places = numbers_of("points", at)
    agree("points", places.shape, (2, "points"), {})
    told = {"at": places.T.tolist(), "colour": "green", "weights": weights, "scatter": True}
    return Mark("point", told, [(places[1], ("points",))], *_weighed(weights, "points"))


def standing(at: Any, show: str) -> list[Mark]:
    """Return a diamond at the height that is read where a control stands, and a line to it."""
    told = {"at": [f"@{at}", show], "colour": "purple", "shape": "diamond"}
    tables = [table(show, [at], ["reads"], "reading")]
    return [
        Mark("rule", {"x": f"@{at}", "y": show}),
        Mark("point", told, [(show, ())], tables=tables),
    ]


def rule(x: str) -> Mark:
    """Return an upright line through a place."""
    return Mark("rule", {"x": x})


def point(at: Any, colour: str, *, shape: str = "dot", **more: Any) -> Mark:
    """Return one point or, with a name for their `count`, several.

    They are `called` so in a legend, may grow with their `weights`, and `names` is the option of
    the view with their labels.
    """
    return _placed("point", "at", at, {"colour": colour, "shape": shape}, **more)


def arrow(to: Any, start: Any = None, *, colour: str, **more: Any) -> Mark:
    """Return an arrow or several, from zero or from where others start, as in `point`."""
    return _placed("arrow", "to", to, {"start": _given("start", start), "colour": colour}, **more)


def _placed(
    kind: str,
    key: str,
    at: Any,
    told: dict[str, Any],
    *,
    count: str = "",
    called: str = "",
    names: str = "",
    weights: str | None = None,
) -> Mark:
    given = _given(called or kind, at)
    channels, tables = _weighed(weights, count)
    if called and isinstance(at, str):
        tables = [table(at, "labels" if count else [called], ["across", "up"], called), *tables]
    told = {key: given, **told, "called": called, "names": names, "weights": weights}
    shape = (count, 2) if count else (2,)
    return Mark(kind, told, [(given, shape)], channels, tables if called else ())


def _given(name: str, at: Any) -> Any:
    """Return places as the page knows them: numbers, or the name of an array."""
    return at if at is None or isinstance(at, str) else numbers_of(name, at).tolist()


def _weighed(weights: str | None, count: str) -> tuple[list[Channel], list[dict[str, Any]]]:
    """Return the weights of a mark, and their table."""
    if not weights:
        return [], []
    return [(weights, (count,))], [table(weights, "labels", ["weight"], "weights", digits=3)]


def area(points: Any, cone: bool = False) -> Mark:
    """Return the shaded hull of points: where sums with weights that add up to one can lie.

    A `cone` is where those with any nonnegative weights lie, further than can be seen.
    """
    z = numbers_of("points", points) @ [1, 1j]
    if cone:
        rays = z[z != 0]
        z = np.append(1000 * max(3.0, np.abs(z).max()) * rays / np.abs(rays), 0)
    return Mark("area", {"corners": [[float(p.real), float(p.imag)] for p in _hull(np.unique(z))]})


def _hull(z: NDArray[Any]) -> list[Any]:
    """Return the corners of a hull, in order: from a corner, all others lie on one side."""
    corners = [p for p in z if _widest_gap(z[z != p] - p) > math.pi + 1e-9]
    return sorted(corners, key=lambda p: np.angle(p - np.mean(corners)))


def _widest_gap(ways: NDArray[Any]) -> float:
    turns = np.sort(np.angle(ways))
    return float(np.diff([*turns, *(turns[:1] + 2 * math.pi)]).max(initial=0.0))
