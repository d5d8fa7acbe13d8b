"""Heatmaps, bars, curves and planes: each lists the marks of a chart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bookwork.live.controls import Axis
from bookwork.live.frames import ALONE
from bookwork.live.limits import (
    Fit,
    Limits,
    Pair,
    above_zero,
    around_zero,
    by_factors,
    from_zero,
    padded,
    read_limits,
    to_three,
)
from bookwork.live.marks import (
    Mark,
    area,
    arrow,
    band,
    bar,
    cell,
    chart,
    line,
    linear,
    log_scale,
    number,
    point,
    rule,
)
from bookwork.live.options import (
    Shape,
    as_list,
    check_each,
    fixed,
    labels_by,
    labels_of,
    texts_of,
)
from bookwork.live.views import View

PLANE: dict[str, Shape] = {  # what a plane can show
    "points": (None, 2),
    "rings": (None, 2),
    "handle": (2,),
    "result": (2,),
    "moves_to": (None, 2),
}
COLOURS = dict(zip(PLANE, ("green", "orange", "blue", "purple", "purple"), strict=True))
ENDS = {"handle": "triangle", "result": "diamond"}  # shown even where an arrow leads there
SHAPES = {"rings": "ring"} | ENDS
MOST_COLUMNS = 150  # of a heatmap; on a phone there is no room for more


def heatmap(
    rows: Iterable[Any],
    columns: Iterable[Any],
    show: str = ALONE,
    *,
    title: str = "",
    reads: str = "{row}, {column}: {value}",
    words: Mapping[float, str] | None = None,
    limits: Limits = "auto",
    digits: int = 2,
) -> View:
    """Draw a matrix as coloured cells.

    Parameters
    ----------
    rows, columns : sequence of str
        Labels of its rows and columns.
    show : str
        Which array to draw, of shape (rows, columns).
    title : str
        Stands above, if several views stand side by side.
    reads : str
        What a cell says when it is pointed at.
    words : mapping of float to str, optional
        What a number means, such as ``{0: "hidden", 1: "may look"}``, if it can only be one of a
        few: there is a legend of these in place of a scale, and they are read aloud.
    limits : (float, float), "auto" or None
        The values with the weakest and the strongest colour; they move if a number lies beyond.
        "auto" is 0 and 1, unless some numbers lie beyond: then, and with None, the limits come
        from the numbers. Limits below and above 0 give a diverging palette.
    digits : int
        Decimals printed in cells that are large enough, in tables and in what is read out.

    Examples
    --------
    >>> heatmap(["q"], ["a", "b"]).needs
    {'result': (1, 2)}
    """
    rows, columns = labels_of("rows", rows), labels_of("columns", columns)
    if len(columns) > MOST_COLUMNS:
        raise ValueError(
            f"a heatmap has room for {MOST_COLUMNS} columns, but there are {len(columns)}: "
            "show a part of the matrix, or more rows instead"
        )
    return chart(
        "heatmap",
        band("columns"),
        band("rows"),
        [cell(show, len(rows), len(columns))],
        read_limits(limits, around_zero),
        reads=reads,
        parts=("row", "column", "value"),
        title=title,
        digits=digits,
        rows=rows,
        columns=columns,
        words=[(float(number), str(word)) for number, word in (words or {}).items()],
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
    """Draw one bar per number.

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

    Examples
    --------
    >>> bars(["a", "b", "c"]).needs
    {'result': (3,)}
    >>> bars([["a", "b", "c"], ["x", "y", "z"]], by="alphabet").needs
    {'result': (3,)}
    """
    options, count = labels_by("labels", labels, by)
    return chart(
        "bars",
        linear(bare=True),
        band("labels"),
        [bar(show, count)],
        read_limits(limits, from_zero),
        reads=reads,
        parts=("label", "value"),
        title=title,
        digits=digits,
        **options,
    )


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
    dots: bool = False,
    limits: Pair | None = None,
    title: str = "",
    digits: int = 2,
) -> View:
    """Draw a curve, or several, over data points, and what it reads where a control stands.

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
        Name of a control that stands on the axis, a number; it can then be dragged along it.
    reading : str, optional
        Name of a single number: the height of the curve there. Needs `at`.
    labels : sequence of str
        Names of the data points, for reading out.
    xlabel, ylabel : str
        Texts at the axes.
    dots : bool
        Mark each place x, where there is nothing between one and the next.
    log : {"", "x", "y", "xy"}
        Which axes grow by factors; all their numbers must be above 0.
    limits : (float, float), optional
        Lowest and highest value drawn, or beyond if numbers lie there. Default: from the numbers.
    title, digits
        As in `heatmap`.

    Examples
    --------
    >>> curve([0, 1, 2], "fit", at="query", reading="guess").needs
    {'fit': (3,), 'guess': ()}
    """
    grid, lines = _grid(x), _lines(show)
    across, up = ([], []) if points is None else _pair(points)
    names = texts_of("labels", labels)
    check_each("labels", "label", names, across, "points")
    if weights and points is None:
        raise ValueError("weights belong to points, but the curve has none: give it points")
    if reading and not at:
        raise ValueError("a reading needs a control on the axis: give the curve `at`")
    data = [list(pair) for pair in zip(across, up, strict=True)]
    scatter = point(data, "green", size=(len(data), 2), weights=weights, scatter=True)
    scatter = replace(scatter, still=[up])
    drawn = [line(name, len(grid), label, len(lines) > 1) for name, label in lines.items()]
    says = ["at ", {"control": at}, " the curve reads ", number(reading or "", digits)]
    view = chart(
        "curve",
        log_scale(xlabel) if "x" in log else linear(xlabel),
        log_scale(ylabel) if "y" in log else linear(ylabel),
        [*([scatter] if data else []), *drawn, *_standing(at, reading)],
        _fit(log, [*grid, *across], limits),
        drag=[at] if at else [],
        says=says if reading else [],
        title=title,
        digits=digits,
        places=grid,
        labels=names,
        dots=bool(dots),
    )
    return replace(view, settle=partial(_settle_places, [*grid, *across]))


def _standing(at: str | None, reading: str | None) -> list[Mark]:
    """Return what stands where the control `at` stands, and what is read there."""
    if at is None:
        return []
    if reading is None:
        return [rule(f"@{at}")]
    read = point([f"@{at}", reading], "purple", shape="diamond", size=())
    return [rule(f"@{at}"), rule(f"@{at}", reading), read]


def _settle_places(places: list[float], view: View, axes: Sequence[Axis]) -> View:
    """Let the axis reach over all places, and over those where the control can stand."""
    standing = [axis.values for axis in axes if axis.name in view.moves and axis.numeric]
    reached = [*places, *(value for values in standing for value in values)]
    ends = [float(min(reached)), float(max(reached))]
    return replace(view, options=view.options | {"x": view.options["x"] | {"limits": ends}})


def _grid(x: ArrayLike) -> list[float]:
    grid: list[float] = fixed("x", x, (None,))
    if len(set(grid)) < 2:
        raise ValueError(f"a curve needs at least two places x, but has {len(set(grid))}")
    return grid


def _lines(show: Any) -> dict[str, str]:
    """Return the name of each line with its label."""
    if not isinstance(show, Mapping):
        many = isinstance(show, Iterable) and not isinstance(show, str)
        show = {name: name for name in (show if many else [show])}
    if not show:
        raise ValueError("a curve needs at least one line to show, but has none")
    return {str(name): str(label) for name, label in show.items()}


def _fit(log: str, across: list[float], limits: Pair | None) -> Fit:
    """Return how to find limits; on an axis that grows by factors, numbers must be above 0."""
    if log not in ("", "x", "y", "xy"):
        raise ValueError(f"log is 'x', 'y' or 'xy', but is {log!r}")
    if "x" in log and min(across) <= 0:
        raise ValueError("log needs places x above 0, but some are not")
    if "y" not in log:
        return read_limits(limits, padded)
    if limits is not None and min(limits) <= 0:
        raise ValueError(f"log needs limits above 0, but they are {limits!r}")
    return above_zero(read_limits(limits, by_factors))


def _pair(points: Any) -> list[list[float]]:
    parts = [fixed("points", part, (None,)) for part in as_list("points", points, "two lists")]
    lengths = [len(part) for part in parts]  # each of shape (m,)
    if len(parts) != 2 or lengths[0] != lengths[1]:
        raise ValueError(
            "points must be two lists of one length, across and up, but have lengths "
            + " and ".join(map(str, lengths))
        )
    return parts


def plane(
    *,
    points: str | ArrayLike | None = None,
    rings: str | ArrayLike | None = None,
    handle: str | ArrayLike | None = None,
    result: str | ArrayLike | None = None,
    weights: str | None = None,
    region: str | None = None,
    arrows: str | Iterable[str] = (),
    moves_to: str | ArrayLike | None = None,
    labels: Iterable[Any] = (),
    ends: Iterable[Any] = (),
    drag: tuple[str, str] | None = None,
    called: Mapping[str, str] | None = None,
    xlabel: str = "",
    ylabel: str = "",
    limits: Limits = "auto",
    title: str = "",
    digits: int = 2,
) -> View:
    """Draw points in the plane: given ones, one that a reader moves, and one that follows.

    Parameters
    ----------
    points, rings : str or array_like, shape (m, 2)
        Two kinds of given points, full and hollow: fixed ones, or the name of an array that moves.
    handle, result : str or array_like, shape (2,)
        One point each: the one that moves, and the one that follows from it.
    weights : str, optional
        Name of an array of shape (m,); the points grow with their weights.
    region : {"hull", "cone"}, optional
        Shade where weighted sums of the points can lie: the convex hull (weights that sum to one),
        or the cone (any nonnegative weights).
    arrows : str or sequence of str
        Which of "points", "rings", "handle" and "result" are drawn as arrows from the origin.
    moves_to : str or array_like, shape (m, 2)
        Where each point (or ring, if there are no points) moves: an arrow leads there.
    labels : sequence of str
        Names of the points (or rings, if there are no points).
    ends : sequence of str
        Names of the places where they move, as many.
    drag : (str, str), optional
        Names of the two controls that the handle's place sets when it is dragged, by mouse, touch
        or arrow keys.
    called : mapping of str to str, optional
        What "points", "rings", "handle", "result" and "moves_to" are called in your figure:
        ``called={"handle": "ball"}``.
    xlabel, ylabel : str
        Texts at the axes.
    limits : (float, float) or "auto"
        Both axes run from here to there, or further if some points lie further out. "auto" is
        -3 and 3.
    title, digits
        As in `heatmap`.

    Examples
    --------
    >>> plane(points=[[0, 1], [1, 0]], result="mean").needs
    {'mean': (2,)}
    >>> plane(points=[[0, 1], [1, 0]], moves_to="after", arrows="points").needs
    {'after': (2, 2)}
    """
    given = {"points": points, "rings": rings, "handle": handle, "result": result}
    there: dict[str, Any] = {
        kind: at if isinstance(at, str) else fixed(kind, at, PLANE[kind])
        for kind, at in (given | {"moves_to": moves_to}).items()
        if at is not None
    }
    named = "rings" if points is None else "points"
    names, goals, words = texts_of("labels", labels), texts_of("ends", ends), _words_for(called)
    _check_plane(there, named, drag, goals)
    shape = _shape_of(named, there, names)
    check_each("ends", "name", goals, range(shape[0] or len(goals)), named)
    arrowed = _arrows(arrows, [kind for kind in there if kind != "moves_to"])
    fit = read_limits(limits, to_three, to_three)
    marks = [area(_region(region, there.get("points"), fit(0.0, 0.0)))] if region else []
    if weights and result is not None:
        marks.append(_pulls(there, named, shape, weights))
    for kind, at in there.items():
        size = shape if kind in (named, "moves_to") else PLANE[kind]
        look: dict[str, Any] = {"colour": COLOURS[kind], "called": words[kind], "size": size}
        look |= {"names": {named: "labels", "moves_to": "ends"}.get(kind, "")}
        look |= {"weights": weights} if kind == named and kind not in arrowed else {}
        start = there[named] if kind == "moves_to" else None
        marks += _drawn(kind, at, start, kind in arrowed or kind == "moves_to", look)
    single = [kind for kind in ENDS if kind in there]
    return chart(
        "plane",
        linear(xlabel),
        linear(ylabel),
        marks,
        fit,
        drag=_dragged(drag),
        says=_say_places(single, there, words, digits),
        title=title,
        digits=digits,
        square=True,
        labels=names,
        ends=goals,
    )


def _check_plane(there: Mapping[str, Any], named: str, drag: Any, goals: list[str]) -> None:
    """Refuse what refers to points that the plane does not have."""
    if goals and "moves_to" not in there:
        raise ValueError("ends names the places where points move, but there is no moves_to")
    if "moves_to" in there and named not in there:
        raise ValueError("moves_to says where points or rings go, but the plane has neither")
    if drag is not None and "handle" not in there:
        raise ValueError("drag moves the handle, but the plane has none: give it a handle")


def _shape_of(named: str, there: Mapping[str, Any], labels: list[str]) -> Shape:
    """Return the shape of points, fixed or named, that have no labels or one each."""
    points, goals = there.get(named), there.get("moves_to")
    if isinstance(points, str):
        return (len(labels) or None, 2)
    check_each("labels", "label", labels, points or (), named)
    if not isinstance(goals, str):
        check_each("moves_to", "place", goals, points or (), named)
    return (len(points) if points else None, 2)


def _pulls(there: Mapping[str, Any], named: str, shape: Shape, weights: str) -> Mark:
    """Return lines from the result to the points that it follows from, as wide as they weigh."""
    start, colour = there["result"], COLOURS[named]
    return arrow(there[named], start, colour=colour, size=shape, head=False, weights=weights)


def _drawn(kind: str, at: Any, start: Any, is_arrow: bool, look: dict[str, Any]) -> list[Mark]:
    """Return one kind of point: an arrow, its mark, or both for those with a shape of their own."""
    if is_arrow and kind not in ENDS:
        return [arrow(at, start, **look)]
    mark = point(at, shape=SHAPES.get(kind, "dot"), **look)
    shaft = arrow(at, colour=look["colour"], size=look["size"], head=False)
    return [shaft, mark] if is_arrow else [mark]


def _say_places(
    kinds: Iterable[str], there: Mapping[str, Any], words: Mapping[str, str], digits: int
) -> list[Any]:
    """Say where the single points are."""
    pieces: list[Any] = []
    for kind in kinds:
        at = there[kind]
        x, y = (number(at, digits, k) for k in (0, 1))
        pieces += ["; "] if pieces else []
        pieces += [f"{words[kind]} at (", x, ", ", y, ")"]
    return pieces


def _arrows(arrows: str | Iterable[str], there: list[str]) -> list[str]:
    kinds = [arrows] if isinstance(arrows, str) else texts_of("arrows", arrows, of="kinds")
    for kind in kinds:
        if kind not in there:
            listed = ", ".join(there) or "nothing"
            raise ValueError(f"arrows asks for {kind!r}, but the plane has {listed}")
    return kinds


def _words_for(called: Mapping[str, str] | None) -> dict[str, str]:
    """Return what each kind of point is called: what the author says, or its own name."""
    words = {kind: "after" if kind == "moves_to" else kind for kind in PLANE}
    for kind in called or {}:
        if kind not in words:
            raise ValueError(f"called names {kind!r}, but there are {', '.join(words)}")
    return words | {kind: str(word) for kind, word in (called or {}).items()}


def _dragged(drag: Any) -> list[str]:
    """Return the names of two controls, if there are any."""
    if drag is None:
        return []
    named = isinstance(drag, (list, tuple)) and all(isinstance(name, str) for name in drag)
    if named and len(drag) == len(set(drag)) == 2:
        return list(drag)
    raise ValueError(f"drag takes the names of two controls, across and up, but is {drag!r}")


def _region(region: str, points: Any, seen: Pair) -> list[list[float]]:
    """Return the corners of the hull of points, or of their cone as far as it can be seen."""
    if region not in ("hull", "cone") or not isinstance(points, list):
        raise ValueError(f"a region is 'hull' or 'cone' of fixed points, but is {region!r}")
    if region == "hull":
        return _hull(points)
    far = 100 * float(max(np.abs(seen).max(), np.abs(points).max(initial=0.0)))
    rays = [[far * x / r, far * y / r] for x, y in points if (r := math.hypot(x, y))]
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
