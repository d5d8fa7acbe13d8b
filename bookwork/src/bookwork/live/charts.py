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
    Limits,
    above_zero,
    around_zero,
    by_factors,
    from_zero,
    padded,
    read_limits,
    to_three,
    widened,
)
from bookwork.live.marks import (
    area,
    arrow,
    band,
    bar,
    cell,
    chart,
    line,
    linear,
    number,
    point,
    rule,
)
from bookwork.live.options import (
    as_many,
    belong,
    fixed,
    labels_by,
    labels_of,
    one_of,
    texts_of,
)
from bookwork.live.views import View

MOST_COLUMNS = 150  # of a heatmap; on a phone there is no room for more
KINDS = {  # what a plane can show: shape, colour and look
    "points": ((None, 2), "green", "dot"),
    "rings": ((None, 2), "orange", "ring"),
    "handle": ((2,), "blue", "triangle"),
    "result": ((2,), "purple", "diamond"),
    "moves_to": ((None, 2), "purple", "arrow"),
}
SINGLE = ("handle", "result")  # shown even where an arrow leads there


def heatmap(
    rows: Iterable[Any],
    columns: Iterable[Any],
    show: str = ALONE,
    *,
    title: str = "",
    reads: str = "{row}, {column}: {value}",
    words: Mapping[float, str] | None = None,
    limits: Limits = None,
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
    limits : (float, float), optional
        The values with the weakest and the strongest colour; they move if a number lies beyond.
        Default: 0 and 1, or from the numbers, if some lie beyond. Limits below and above 0 give a
        diverging palette.
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
    limits: Limits = None,
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
    xlabel: str = "",
    ylabel: str = "",
    log: str = "",
    dots: bool = False,
    limits: Limits = None,
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
    xlabel, ylabel : str
        Texts at the axes.
    log : {"", "x", "y", "xy"}
        Which axes grow by factors; all their numbers must be above 0.
    dots : bool
        Mark each place x, where there is nothing between one and the next.
    limits : (float, float), optional
        Lowest and highest value drawn, or beyond if numbers lie there. Default: from the numbers.
    title, digits
        As in `heatmap`.

    Examples
    --------
    >>> curve([0, 1, 2], "fit", at="query", reading="guess").needs
    {'fit': (3,), 'guess': ()}
    """
    one_of("log", log, ("", "x", "y", "xy"))
    belong(weights=(weights, "points", points), reading=(reading, "a control, `at`", at))
    grid, lines = fixed("x", x, (None,)), _lines(show)
    across, up = fixed("points", ((), ()) if points is None else points, (2, None))
    data, size = [*zip(across, up, strict=True)], (len(up), 2)
    scatter = point(data, "green", size=size, weights=weights, scatter=True)
    marks = [replace(scatter, spans=[(up, size)])] if data else []
    marks += [line(name, len(grid), label) for name, label in lines.items()]
    marks += [rule(f"@{at}")] if at else []
    if reading:
        read = point([f"@{at}", reading], "purple", shape="diamond", size=())
        marks += [rule(f"@{at}", reading), read]
    fit = widened(limits) if limits is not None else by_factors if "y" in log else padded
    says = ["at ", {"control": at}, " the curve reads ", number(reading or "", digits)]
    view = chart(
        "curve",
        linear(xlabel, log="x" in log),
        linear(ylabel, log="y" in log),
        marks,
        above_zero(fit) if "y" in log else fit,
        drag=[at] if at else [],
        says=says if reading else [],
        title=title,
        digits=digits,
        places=grid,
        labels=[],
        dots=bool(dots),
    )
    return replace(view, settle=partial(_settle_places, [*grid, *across]))


def _lines(show: Any) -> dict[str, str]:
    """Return the name of each line with its label."""
    if isinstance(show, str):
        return {show: "curve"}
    names = labels_of("show", show)
    labels = map(str, show.values()) if isinstance(show, Mapping) else names
    return dict(zip(names, labels, strict=True))


def _settle_places(places: list[float], view: View, axes: Sequence[Axis]) -> View:
    """Let the axis reach over all places, and over those where the control can stand."""
    standing = [axis.values for axis in axes if axis.name in view.moves and axis.finite]
    reached = [*places, *(value for values in standing for value in values)]
    x, ends = view.options["x"], (float(min(reached)), float(max(reached)))
    if ends[0] == ends[1]:
        raise ValueError(f"a curve needs at least two places x, but has only {ends[0]:g}")
    fit = above_zero(widened(ends)) if x["kind"] == "log" else widened(ends)
    return replace(view, options=view.options | {"x": x | {"limits": fit(*ends)}})


def plane(
    *,
    points: str | ArrayLike | None = None,
    rings: str | ArrayLike | None = None,
    handle: str | ArrayLike | None = None,
    result: str | ArrayLike | None = None,
    weights: str | None = None,
    region: str | None = None,
    arrows: str | Sequence[str] = (),
    moves_to: str | ArrayLike | None = None,
    labels: Iterable[Any] = (),
    ends: Iterable[Any] = (),
    drag: tuple[str, str] | None = None,
    called: Mapping[str, str] | None = None,
    xlabel: str = "",
    ylabel: str = "",
    limits: Limits = None,
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
    limits : (float, float), optional
        Both axes run from here to there, or further if some points lie further out. Default: -3
        and 3.
    title, digits
        As in `heatmap`.

    Examples
    --------
    >>> plane(points=[[0, 1], [1, 0]], moves_to="after", result="mean").needs
    {'mean': (2,), 'after': (2, 2)}
    """
    given = dict(zip(KINDS, (points, rings, handle, result, moves_to), strict=True))
    there = {
        kind: at if isinstance(at, str) else fixed(kind, at, KINDS[kind][0])
        for kind, at in given.items()
        if at is not None
    }
    named = "rings" if points is None else "points"
    arrows, called = [arrows] if isinstance(arrows, str) else arrows, called or {}
    for name, kinds in (("arrows", arrows), ("called", called)):
        for kind in kinds:
            one_of(name, kind, KINDS)
    belong(
        weights=(weights, "points or rings", there.get(named)),
        moves_to=(moves_to is not None, "points or rings", there.get(named)),
        ends=(ends, "moves_to", moves_to),
        drag=(drag, "a handle", handle),
    )
    options: dict[str, Any] = {"labels": texts_of("labels", labels), "ends": texts_of("ends", ends)}
    among = {kind: there.get(kind) for kind in (named, "moves_to")}
    size = (as_many(**among, **options), 2)
    fit = to_three if limits is None else widened(limits)
    words = {kind: str(called.get(kind, kind)) for kind in KINDS}
    words["moves_to"] = str(called.get("moves_to", "after"))
    marks = [area(_region(region, there.get("points"), fit(0.0, 0.0)))] if region else []
    if weights and result is not None:  # lines from it to the points that it follows from
        lines: dict[str, Any] = {
            "colour": KINDS[named][1],
            "size": size,
            "head": False,
            "weights": weights,
        }
        marks.append(arrow(there[named], there["result"], **lines))
    for kind, at in there.items():
        shape, colour, look = KINDS[kind]
        is_arrow = kind in arrows or kind == "moves_to"
        told: dict[str, Any] = {"colour": colour, "called": words[kind]}
        told["size"] = size if kind in among else shape
        told["names"] = {named: "labels", "moves_to": "ends"}.get(kind, "")
        if is_arrow:
            start = there[named] if kind == "moves_to" else None
            marks.append(arrow(at, start, head=kind not in SINGLE, **told))
        if not is_arrow or kind in SINGLE:
            marks.append(point(at, shape=look, weights=weights if kind == named else None, **told))
    single = [kind for kind in SINGLE if kind in there]
    says = [piece for kind in single for piece in _say_place(words[kind], there[kind], digits)]
    return chart(
        "plane",
        linear(xlabel),
        linear(ylabel),
        marks,
        fit,
        drag=_dragged(drag),
        says=says[1:],
        title=title,
        digits=digits,
        square=True,
        **options,
    )


def _say_place(word: str, at: Any, digits: int) -> list[Any]:
    """Say where a single point is, after what was said of others."""
    return ["; ", f"{word} at (", number(at, digits, 0), ", ", number(at, digits, 1), ")"]


def _dragged(drag: Any) -> list[str]:
    """Return the names of two controls, if there are any."""
    if drag is None or (len(set(drag)) == len(drag) == 2 and not isinstance(drag, str)):
        return list(drag or ())
    raise ValueError(f"drag takes the names of two controls, across and up, but is {drag!r}")


def _region(region: str, points: Any, seen: Sequence[float]) -> list[list[float]]:
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
