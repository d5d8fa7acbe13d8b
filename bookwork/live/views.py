"""How to draw a frame: each function here describes one view; the page draws it.

A view names the arrays it shows by the names under which the live function returns them. What does
not move is given as numbers. A view holds no mathematics: every number comes from the function.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bookwork.live.controls import Axis
from bookwork.live.frames import ALONE, Frame
from bookwork.live.limits import (
    SLACK,
    Fit,
    Limits,
    Pair,
    around_zero,
    both_sides,
    by_factors,
    check_limits,
    fit_limits,
    from_zero,
    padded,
    read_limits,
    to_three,
    unit_or,
    widen,
)
from bookwork.live.lists import as_list

Shape = tuple[int | None, ...]


@dataclass(frozen=True)
class View:
    """What to draw (`kind`, `options`), which arrays it needs, and which controls it moves.

    `drawn` names the arrays, and `still` holds the fixed numbers, that the `limits` must take in.
    A control that it `holds` is not shown elsewhere. `parts` names what a sentence can say of its
    largest number. `settle` completes it, once controls and arrays are known.
    `steady` arrays are the same at all values of some controls, and are kept for one value only.
    A control that it moves may have to stay `within` two numbers.
    """

    kind: str
    options: dict[str, Any]
    needs: dict[str, Shape]
    limits: Pair | Fit
    drawn: tuple[str, ...]
    still: dict[str, Any] = field(default_factory=dict)
    derived: dict[str, tuple[str, str]] = field(default_factory=dict)  # name: first minus second
    moves: tuple[str, ...] = ()
    within: dict[str, Pair] = field(default_factory=dict)
    holds: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    decimals: dict[str, int] = field(default_factory=dict)  # of arrays, if not as `digits` says
    settle: Callable[[View, Sequence[Axis], Frame], View] | None = None
    steady: dict[str, tuple[str, ...]] = field(default_factory=dict)  # name: controls without say

    @property
    def sends(self) -> tuple[str, ...]:
        """Return the names of the arrays that the page draws."""
        return tuple(self.derived or self.needs)

    def settled(self, axes: Sequence[Axis], frame: Frame) -> View:
        """Return the view, completed by what the controls and the arrays tell."""
        return self if self.settle is None else self.settle(self, axes, frame)

    def spec(self, frames: Frame, axes: Sequence[Axis]) -> dict[str, Any]:
        """Return what the page needs to know."""
        return {"kind": self.kind, "limits": self._limits(frames, axes), **self.options}

    def _limits(self, frames: Frame, axes: Sequence[Axis]) -> Pair:
        """Return the limits; given ones must take in every number that is drawn."""
        moving = {name: frames[name] for name in self.drawn}
        still = {name: np.array(numbers) for name, numbers in self.still.items()}
        numbers = [*moving.values(), *still.values()]
        if callable(self.limits):
            return fit_limits(self.limits, numbers)
        if sys.platform == "emscripten":  # in the page, what a reader changes is always drawn
            return fit_limits(widen(self.limits), numbers)
        for name, array in still.items():
            check_limits(self.kind, self.limits, name, array, [])
        for name, array in moving.items():
            check_limits(self.kind, self.limits, name, array, axes)
        return self.limits


def heatmap(
    rows: Iterable[Any],
    columns: Iterable[Any],
    show: str = ALONE,
    *,
    title: str = "",
    reads: str = "{row} looks at {column}: {value}",
    limits: Limits = "auto",
    digits: int = 2,
) -> View:
    """Draw a matrix as coloured cells, one row per query and one column per key.

    Parameters
    ----------
    rows, columns : sequence of str
        Labels of queries and keys.
    show : str
        Which array to draw, of shape (rows, columns).
    title : str
        Stands above, if several views stand side by side.
    reads : str
        What a cell says when it is pointed at.
    limits : (float, float), "auto" or None
        The values with the palest and the strongest colour; no number may lie beyond. "auto" is 0
        and 1, as weights need, unless some numbers lie beyond: then, and with None, the limits
        come from the numbers. Limits below and above 0 give a diverging palette.
    digits : int
        Decimals printed in cells that are large enough.

    Returns
    -------
    View
        For `live`.

    Examples
    --------
    >>> heatmap(["q"], ["a", "b"]).needs
    {'result': (1, 2)}
    """
    options = {"rows": _labels("rows", rows), "columns": _labels("columns", columns)}
    shape = (len(options["rows"]), len(options["columns"]))
    options |= _common(title, digits, show=show, reads=_reads(reads, "row", "column", "value"))
    scale = read_limits(limits, around_zero, unit_or(around_zero))
    parts = ("row", "column", "value")
    return View("heatmap", options, {str(show): shape}, scale, (str(show),), parts=parts)


def difference(
    first: str,
    second: str,
    rows: Iterable[Any],
    columns: Iterable[Any],
    *,
    title: str = "",
    limits: Pair | None = None,
    digits: int = 2,
) -> View:
    """Draw ``first - second``, two matrices that the function returns, as a heatmap around 0.

    Parameters are those of `heatmap`; the difference is taken in NumPy.

    Examples
    --------
    >>> difference("soft", "hard", ["q"], ["a", "b"]).derived
    {'soft − hard': ('soft', 'hard')}
    """
    show = f"{first} − {second}"
    view = heatmap(rows, columns, show, title=title, digits=digits)
    reads = f"{{row}}, {{column}}: {first} is larger by {{value}}"
    return replace(
        view,
        options=view.options | {"reads": reads, "diverging": True},
        needs=dict.fromkeys((str(first), str(second)), view.needs[show]),
        derived={show: (str(first), str(second))},
        limits=read_limits(limits, both_sides),
    )


def bars(
    labels: Iterable[Any],
    show: str = ALONE,
    *,
    by: str | None = None,
    title: str = "",
    reads: str = "{label}: {value}",
    limits: Limits = "auto",
    digits: int = 2,
) -> View:
    """Draw one bar per key.

    Parameters
    ----------
    labels : sequence of str
        One per bar.
    show : str
        Which array to draw, of shape (labels,).
    by : str, optional
        Name of a control that decides what the labels are. `labels` then has a list of them for
        each of its values, all of one length.
    title, reads, limits, digits
        As in `heatmap`.

    Returns
    -------
    View
        For `live`.

    Examples
    --------
    >>> bars(["a", "b", "c"]).needs
    {'result': (3,)}
    >>> bars([["a", "b", "c"], ["x", "y", "z"]], by="alphabet").needs
    {'result': (3,)}
    """
    options, count = _labels_by("labels", labels, by)
    shape = (count,)
    options |= _common(title, digits, show=show, reads=_reads(reads, "label", "value"))
    scale = read_limits(limits, from_zero, unit_or(from_zero))
    parts = ("label", "value")
    return View(
        "bars", options, {str(show): shape}, scale, (str(show),), parts=parts, settle=settle_by
    )


def plane(
    *,
    keys: str | ArrayLike | None = None,
    values: str | ArrayLike | None = None,
    query: str | ArrayLike | None = None,
    output: str | ArrayLike | None = None,
    weights: str | None = None,
    region: str | None = None,
    arrows: str | Iterable[str] = (),
    moves_to: str | ArrayLike | None = None,
    labels: Iterable[Any] = (),
    drag: tuple[str, str] | None = None,
    called: Mapping[str, str] | None = None,
    limits: Limits = "auto",
    title: str = "",
    digits: int = 2,
) -> View:
    """Draw points in the plane: a query, keys, values, and the output among them.

    Keys and values are two kinds of given points, the query is one that moves, and the output one
    that follows. `called` says what they are in your figure: ``called={"query": "ball"}``.

    Parameters
    ----------
    keys, values : str or array_like, shape (m, 2)
        Fixed points, or the name of an array that moves.
    query, output : str or array_like, shape (2,)
        One point each.
    weights : str, optional
        Name of an array of shape (m,); the points grow with their weights.
    region : {"hull", "cone"}, optional
        Shade where weighted sums of the values can lie: the convex hull (weights that sum to one),
        or the cone (any nonnegative weights).
    arrows : str or sequence of str
        Which of "keys", "values", "query" and "output" are drawn as arrows from the origin.
    moves_to : str or array_like, shape (m, 2)
        Where each value (or key, if there are no values) moves: an arrow leads there.
    labels : sequence of str
        Names of the values (or keys, if there are no values).
    drag : (str, str), optional
        Names of the two controls that the query's place sets when it is dragged, by mouse, touch
        or arrow keys.
    called : mapping of str to str, optional
        What the legend and the sentence call "keys", "values", "query", "output" or "moves_to".
    limits : (float, float) or "auto"
        Both axes run from here to there; no point may lie beyond. "auto" is -3 and 3, or further
        if some points lie further out.
    title : str
        Stands above, if several views stand side by side.
    digits : int
        Decimals in what is read out.

    Returns
    -------
    View
        For `live`.

    Examples
    --------
    >>> plane(values=[[0, 1], [1, 0]], output="output").needs
    {'output': (2,)}
    >>> plane(values=[[0, 1], [1, 0]], moves_to="after", arrows="values").needs
    {'after': (2, 2)}
    """
    points = {"keys": keys, "values": values, "query": query, "output": output}
    given_arrows = _arrows(arrows, points)
    named = "keys" if values is None else "values"
    if moves_to is not None and points[named] is None:
        raise ValueError("moves_to says where values or keys go, but the plane has neither")
    points["moves_to"] = moves_to
    many, one = (None, 2), (2,)
    shapes: dict[str, Shape] = {"keys": many, "values": many, "query": one, "output": one}
    shapes["moves_to"] = many
    moving = {name: given for name, given in points.items() if isinstance(given, str)}
    still = {
        name: _fixed(name, given, shapes[name])
        for name, given in points.items()
        if given is not None and name not in moving
    }
    options = dict.fromkeys(points) | still | moving | _common(title, digits)
    options |= {"labels": _texts("labels", labels), "weights": weights, "drag": _dragged(drag)}
    if drag is not None and query is None:
        raise ValueError("drag moves the query, but the plane has none: give it a query")
    options["arrows"] = given_arrows
    options["called"] = _called(called or {}, points)
    scale = read_limits(limits, to_three)
    if region:
        seen = scale if isinstance(scale, tuple) else to_three(0.0, 0.0)
        options["region_points"] = _region(region, still.get("values"), seen)
    shapes[named] = _label_points(options["labels"], options[named], named)
    shapes["moves_to"] = shapes[named]
    if named in still:
        _check_each("moves_to", "place", still.get("moves_to"), still[named], named)
    needs: dict[str, Shape] = {weights: shapes[named][:1]} if weights else {}
    needs |= {given: shapes[name] for name, given in moving.items()}
    moves = tuple(options["drag"] or ())
    return View("plane", options, needs, scale, tuple(moving.values()), still, moves=moves)


def _label_points(labels: Any, points: Any, named: str) -> Shape:
    """Return the shape of points, fixed or named, that have no labels or one each."""
    if isinstance(points, str):
        return (len(labels) or None, 2)
    _check_each("labels", "label", labels, points or (), named)
    return (len(points) if points else None, 2)


def _check_each(
    what: str, one: str, given: Sequence[Any] | None, points: Sequence[Any], named: str
) -> None:
    if given and len(given) != len(points):
        raise ValueError(
            f"{what} needs one {one} for each point; there are {len(points)} {named}, "
            f"but {len(given)} {one}s"
        )


def _called(called: Mapping[str, str], points: dict[str, Any]) -> dict[str, str]:
    for kind in called:
        if kind not in points:
            raise ValueError(f"called names {kind!r}, but a plane has {', '.join(points)}")
    return {kind: str(word) for kind, word in called.items()}


def _arrows(arrows: str | Iterable[str], points: dict[str, Any]) -> list[str]:
    kinds = [arrows] if isinstance(arrows, str) else as_list("arrows", arrows, "kinds")
    there = [kind for kind, given in points.items() if given is not None]
    for kind in kinds:
        if kind not in there:
            listed = ", ".join(there) or "nothing"
            raise ValueError(f"arrows asks for {kind!r}, but the plane has {listed}")
    return kinds


def _dragged(drag: Any, what: str = "drag") -> list[str] | None:
    if drag is None:
        return None
    named = isinstance(drag, (list, tuple)) and all(isinstance(name, str) for name in drag)
    if named and len(drag) == len(set(drag)) == 2:
        return list(drag)
    raise ValueError(f"{what} takes the names of two controls, across and up, but is {drag!r}")


def _region(region: str, values: list[list[float]] | None, seen: Pair) -> list[list[float]]:
    """Return the corners of the hull of the values, or of their cone as far as it can be seen."""
    if region not in ("hull", "cone") or values is None:
        raise ValueError(f"a region is 'hull' or 'cone' of fixed values, but is {region!r}")
    if region == "hull":
        return _hull(values)
    far = 100 * float(max(np.abs(seen).max(), np.abs(values).max(initial=0.0)))
    rays = [[far * x / r, far * y / r] for x, y in values if (r := math.hypot(x, y))]
    return _hull([[0.0, 0.0], *rays])


def _hull(points: list[list[float]]) -> list[list[float]]:
    """Return the corners of the convex hull, in order (Andrew's monotone chain)."""
    ordered = sorted(points)
    return _chain(ordered)[:-1] + _chain(ordered[::-1])[:-1]


def _chain(ordered: list[list[float]]) -> list[list[float]]:
    chain: list[list[float]] = []
    for x, y in ordered:
        while len(chain) > 1:
            (x0, y0), (x1, y1) = chain[-2:]
            if (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0:
                break
            chain.pop()
        chain.append([x, y])
    return chain


def curve(
    x: ArrayLike,
    show: str | Iterable[str] | Mapping[str, str] = ALONE,
    *,
    points: tuple[ArrayLike, ArrayLike] | None = None,
    weights: str | None = None,
    at: str | None = None,
    reading: str | None = None,
    labels: Iterable[Any] = (),
    xlabel: str = "",
    ylabel: str = "",
    log: str = "",
    limits: Pair | None = None,
    title: str = "",
    digits: int = 2,
) -> View:
    """Draw a curve, or several, over data points, and what one query reads from it.

    Parameters
    ----------
    x : array_like, shape (p,)
        Where the curve is drawn.
    show : str, sequence of str, or mapping of str to str
        Name of the curve's heights, of shape (p,). Several names draw several lines, with a legend
        where each is switched on and off; a mapping gives each name its label there.
    points : (array_like, array_like), optional
        Horizontal and vertical places of the data, each of shape (m,).
    weights : str, optional
        Name of an array of shape (m,); points with more weight are drawn larger and stronger.
    at : str, optional
        Name of the control that holds the query, a number; it can then be dragged along the axis.
    reading : str, optional
        Name of a single number: the height that the query reads. Needs `at`.
    labels : sequence of str
        Names of the data points, for reading out.
    xlabel, ylabel, title : str
        Texts.
    log : {"", "x", "y", "xy"}
        Which axes grow by factors; all their numbers must be above 0.
    limits : (float, float), optional
        Lowest and highest value drawn; no number may lie beyond. Default: from points and curve.
    digits : int
        Decimals in what is read out.

    Returns
    -------
    View
        For `live`.

    Examples
    --------
    >>> curve([0, 1, 2], "fit", at="query", reading="guess").needs
    {'fit': (3,), 'guess': ()}
    """
    grid = _fixed("x", x, (None,))
    if len(set(grid)) < 2:
        raise ValueError(f"a curve needs at least two places x, but has {len(set(grid))}")
    lines = _lines(show)
    options = _common(title, digits, xlabel=xlabel, ylabel=ylabel)
    options |= {"lines": list(lines.items()), "log": log}
    options |= {"x": grid, "weights": weights, "at": at, "reading": reading}
    options |= {"labels": _texts("labels", labels), "points": None}
    if points is not None:
        options["points"] = _pair(points)
    _check_each("labels", "label", options["labels"], (options["points"] or [[]])[0], "points")
    needs: dict[str, Shape] = dict.fromkeys(lines, (len(grid),))
    if weights:
        if points is None:
            raise ValueError("weights belong to points, but the curve has none: give it points")
        needs[weights] = (len(options["points"][0]),)
    if reading:
        if not at:
            raise ValueError("a reading belongs to a query, but the curve has none: give it `at`")
        needs[reading] = ()
    drawn = (*lines, reading) if reading else tuple(lines)
    still = {} if points is None else {"points": options["points"][1]}
    fit = _check_log(log, grid, options["points"], limits)
    moves = (at,) if at else ()
    return View("curve", options, needs, read_limits(limits, fit), drawn, still, moves=moves)


def _lines(show: str | Iterable[str] | Mapping[str, str]) -> dict[str, str]:
    """Return the name of each line with its label."""
    named = show if isinstance(show, Mapping) else {name: name for name in _listed(show)}
    if not named:
        raise ValueError("a curve needs at least one line to show, but has none")
    return {str(name): str(label) for name, label in named.items()}


def _listed(show: Any) -> list[Any]:
    many = isinstance(show, Iterable) and not isinstance(show, str)
    return list(show) if many else [show]


def _check_log(
    log: str, grid: list[float], points: list[list[float]] | None, limits: Pair | None
) -> Fit:
    """Return how to find limits; on an axis that grows by factors, numbers must be above 0."""
    if log not in ("", "x", "y", "xy"):
        raise ValueError(f"log is 'x', 'y' or 'xy', but is {log!r}")
    if "x" in log and min(*grid, *(points or [[]])[0]) <= 0:
        raise ValueError("log needs places x above 0, but some are not")
    if "y" in log and limits is not None and min(limits) <= 0:
        raise ValueError(f"log needs limits above 0, but they are {limits!r}")
    return by_factors if "y" in log else padded


def _pair(points: Sequence[ArrayLike]) -> list[list[float]]:
    given = as_list("points", points, "two lists")
    parts = [_fixed("points", part, (None,)) for part in given]  # each of shape (m,)
    lengths = [len(part) for part in parts]
    if len(parts) != 2 or lengths[0] != lengths[1]:
        raise ValueError(
            "points must be two lists of one length, across and up, but have lengths "
            + " and ".join(map(str, lengths))
        )
    return parts


def check_moves(view: View, axes: Sequence[Axis]) -> None:
    """Require that the controls a view moves are in the figure and hold growing numbers."""
    for name in view.moves:
        axis = find_control(view, name, axes)
        values = axis.values
        if not (axis.numeric and np.isfinite(values).all() and (np.diff(values) > 0).all()):
            raise ValueError(
                f"the {view.kind} moves {name!r} along an axis, so its values must be numbers "
                f"that grow, but they are: {', '.join(map(str, values))}"
            )
        if "x" in view.options.get("log", "") and values[0] <= 0:
            raise ValueError(f"log needs a query above 0, but {name!r} can be {values[0]}")
        _check_within(view, name, values)


def _check_within(view: View, name: str, values: Sequence[float]) -> None:
    """Require that a control does not leave what the view knows."""
    low, high = view.within.get(name, (values[0], values[-1]))
    room = SLACK * (high - low)
    for value in (values[0], values[-1]):
        if not low - room <= value <= high + room:
            raise ValueError(
                f"the {view.kind} is known from {low:g} to {high:g} along {name!r}, "
                f"but that control can be {value}"
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


def check_needs(view: View, frame: Frame) -> None:
    """Require that the function returns what the view draws."""
    for name, shape in view.needs.items():
        if name not in frame:
            given = ", ".join(frame)
            raise ValueError(
                f"the {view.kind} shows {name!r}, but the function returns only: {given}; "
                "return a dictionary with that name"
            )
        actual = frame[name].shape
        same = len(actual) == len(shape) and all(
            w in (None, a) for w, a in zip(shape, actual, strict=True)
        )
        if not same:
            raise ValueError(
                f"the {view.kind} needs {name!r} of shape {_say(shape)}, "
                f"but the function returns shape {actual}"
            )
    _check_one_size(view, frame)


def _check_one_size(view: View, frame: Frame) -> None:
    """Require that all arrays of a view whose first size m is free have the same m."""
    shapes = {name: frame[name].shape for name, need in view.needs.items() if need[:1] == (None,)}
    if len({shape[0] for shape in shapes.values()}) > 1:
        said = " and ".join(f"{name!r} has shape {shape}" for name, shape in shapes.items())
        raise ValueError(f"the {view.kind} needs one size m, but {said}")


def _say(shape: tuple[int | None, ...]) -> str:
    return str(tuple("m" if size is None else size for size in shape)).replace("'", "")


def _common(title: str, digits: int, **texts: str) -> dict[str, Any]:
    """Return the options that all views have, fit to be sent to the page."""
    if not isinstance(digits, Integral) or not 0 <= digits <= 20:
        raise ValueError(f"digits is a whole number from 0 to 20, but is {digits!r}")
    texts = {name: str(text) for name, text in texts.items()}
    return {"title": str(title or ""), "digits": int(digits), **texts}


def _texts(name: str, given: Any, hint: str = "") -> list[str]:
    """Return labels as texts."""
    labels = as_list(name, given)
    for label in labels:
        if isinstance(label, list) or (isinstance(label, np.ndarray) and label.ndim):
            raise TypeError(f"{name} is a list of labels, but one of them is {label!r}{hint}")
    return list(map(str, labels))


def _labels(name: str, given: Any, hint: str = "") -> list[str]:
    """Return labels as texts, at least one."""
    labels = _texts(name, given, hint)
    if not labels:
        raise ValueError(f"{name} needs at least one label, but has none")
    return labels


def _labels_by(name: str, given: Iterable[Any], by: Any) -> tuple[dict[str, Any], int]:
    """Return labels as options of a view, a list for each value of the control `by`, if any."""
    if by is None:
        labels = _labels(name, given, "; lists for the values of a control need `by`, its name")
        return {name: labels}, len(labels)
    if not isinstance(by, str):
        raise TypeError(f"by is the name of a control, but is {by!r}")
    lists = [_labels(name, each) for each in as_list(name, given, "lists")]
    if len({len(each) for each in lists}) != 1:
        counts = ", ".join(str(len(each)) for each in lists) or "none"
        raise ValueError(f"{name} needs lists of one length, but their lengths are: {counts}")
    return {name: lists, "by": by}, len(lists[0])


def settle_by(view: View, axes: Sequence[Axis], frame: Frame) -> View:
    """Require a list of labels for each value of the control that chooses among them."""
    if "by" in view.options:
        axis = find_control(view, view.options["by"], axes)
        lists = view.options["words" if "words" in view.options else "labels"]
        if len(lists) != len(axis.values):
            raise ValueError(
                f"the {view.kind} needs a list of labels for each of the {len(axis.values)} values "
                f"of {axis.name!r}, but has {len(lists)}"
            )
    return view


def _reads(template: str, *parts: str, what: str = "reads") -> str:
    for name in re.findall(r"\{(\w+)\}", str(template)):
        if name not in parts:
            known = ", ".join(f"{{{part}}}" for part in parts)
            raise ValueError(f"{what} can say {known}, but asks for {{{name}}}")
    return template


def _fixed(name: str, given: ArrayLike, shape: Shape) -> Any:
    try:
        array = np.asarray(given, float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must hold numbers, of shape {_say(shape)}") from None
    if array.ndim != len(shape) or shape[-1] not in (None, array.shape[-1]):
        raise ValueError(f"{name} must have shape {_say(shape)}, but has shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinity, which cannot be drawn")
    return array.tolist()
