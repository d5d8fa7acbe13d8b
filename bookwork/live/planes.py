"""Points in the plane, given ones and those that a reader moves, and maps over the plane."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bookwork.live.frames import ALONE
from bookwork.live.limits import Limits, Pair, around_zero, read_limits, to_three
from bookwork.live.options import Shape, check_each, check_reads, common, fixed, table, texts_of
from bookwork.live.views import View

PLANE: dict[str, Shape] = {  # what a plane can show
    "points": (None, 2),
    "rings": (None, 2),
    "handle": (2,),
    "result": (2,),
    "moves_to": (None, 2),
}


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
    drag: tuple[str, str] | None = None,
    called: Mapping[str, str] | None = None,
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
    drag : (str, str), optional
        Names of the two controls that the handle's place sets when it is dragged, by mouse, touch
        or arrow keys.
    called : mapping of str to str, optional
        What "points", "rings", "handle", "result" and "moves_to" are called in your figure:
        ``called={"handle": "ball"}``.
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
    given = dict(zip(PLANE, (points, rings, handle, result, moves_to), strict=True))
    there = [kind for kind, numbers in given.items() if numbers is not None]
    named = "rings" if points is None else "points"
    if moves_to is not None and named not in there:
        raise ValueError("moves_to says where points or rings go, but the plane has neither")
    if drag is not None and handle is None:
        raise ValueError("drag moves the handle, but the plane has none: give it a handle")
    moving = {kind: str(given[kind]) for kind in there if isinstance(given[kind], str)}
    still = {kind: fixed(kind, given[kind], PLANE[kind]) for kind in there if kind not in moving}
    scale = read_limits(limits, to_three, to_three)
    words, names = _words_for(called, PLANE), texts_of("labels", labels)
    options: dict[str, Any] = dict.fromkeys(PLANE) | still | moving | common(title, digits)
    options |= {"labels": names, "weights": weights, "drag": _dragged(drag), "called": words}
    options["arrows"] = _arrows(arrows, [kind for kind in there if kind != "moves_to"])
    if region:
        options["region_points"] = _region(region, still.get("points"), scale(0.0, 0.0))
    shape = _label_points(names, options[named], named)
    if named in still:
        check_each("moves_to", "place", still.get("moves_to"), still[named], named)
    shapes = PLANE | {named: shape, "moves_to": shape}
    needs = {weights: shape[:1]} if weights else {}
    needs |= {name: shapes[kind] for kind, name in moving.items()}
    tables = [_table_of_points(name, kind, words[kind]) for kind, name in moving.items()]
    tables += [table(weights, "labels", ["weight"], "weights")] if weights else []
    drawn, moves = tuple(moving.values()), dict.fromkeys(options["drag"] or ())
    return View("plane", options, needs, scale, drawn, still, moves=moves, tables=tables)


def _arrows(arrows: str | Iterable[str], there: list[str]) -> list[str]:
    kinds = [arrows] if isinstance(arrows, str) else texts_of("arrows", arrows, of="kinds")
    for kind in kinds:
        if kind not in there:
            listed = ", ".join(there) or "nothing"
            raise ValueError(f"arrows asks for {kind!r}, but the plane has {listed}")
    return kinds


def _words_for(called: Mapping[str, str] | None, kinds: Iterable[str]) -> dict[str, str]:
    """Return what each kind of point is called: what the author says, or its own name."""
    words = {kind: "after" if kind == "moves_to" else kind for kind in kinds}
    for kind in called or {}:
        if kind not in words:
            raise ValueError(f"called names {kind!r}, but there are {', '.join(words)}")
    return words | {kind: str(word) for kind, word in (called or {}).items()}


def _dragged(drag: Any, what: str = "drag") -> list[str] | None:
    """Return the names of two controls, if there are any."""
    if drag is None:
        return None
    named = isinstance(drag, (list, tuple)) and all(isinstance(name, str) for name in drag)
    if named and len(drag) == len(set(drag)) == 2:
        return list(drag)
    raise ValueError(f"{what} takes the names of two controls, across and up, but is {drag!r}")


def _label_points(labels: list[str], points: Any, named: str) -> Shape:
    """Return the shape of points, fixed or named, that have no labels or one each."""
    if isinstance(points, str):
        return (len(labels) or None, 2)
    check_each("labels", "label", labels, points or (), named)
    return (len(points) if points else None, 2)


def _table_of_points(array: str, kind: str, called: str) -> dict[str, Any]:
    rows = "labels" if len(PLANE[kind]) > 1 else [called]
    return table(array, rows, ["across", "up"], called)


def _region(region: str, points: list[list[float]] | None, seen: Pair) -> list[list[float]]:
    """Return the corners of the hull of points, or of their cone as far as it can be seen."""
    if region not in ("hull", "cone") or points is None:
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


def field(
    x: ArrayLike,
    y: ArrayLike,
    show: str = ALONE,
    *,
    titles: Iterable[Any] = (),
    points: str | ArrayLike | None = None,
    labels: Iterable[Any] = (),
    at: tuple[str, str] | None = None,
    reads: str = "",
    called: Mapping[str, str] | None = None,
    xlabel: str = "",
    ylabel: str = "",
    limits: Limits = "auto",
    title: str = "",
    digits: int = 2,
) -> View:
    """Draw one coloured map over the plane, or several side by side on one scale.

    Parameters
    ----------
    x, y : array_like, shapes (q,) and (p,)
        Where the map is known, across and up, in equal steps.
    show : str
        Name of its numbers, of shape (p, q), or (maps, p, q) if there are `titles`: ``[i, j]``
        belongs to ``y[i]`` and ``x[j]``, as `numpy.meshgrid` has it.
    titles : sequence of str
        One for each map, if there are several.
    points : str or array_like, shape (m, 2)
        Points on the map, or the name of an array that moves.
    labels : sequence of str
        Names of the points.
    at : (str, str), optional
        Names of the two controls that hold the place of a handle, which can then be dragged on each
        map, by mouse, touch or arrow keys, and reads the number that is nearest. It cannot leave
        the map, which must not depend on it.
    reads : str
        What is said of the handle: ``{x}``, ``{y}``, ``{title}`` and ``{value}`` can stand in it.
    called : mapping of str to str, optional
        What "points" and "handle" are called in your figure.
    xlabel, ylabel : str
        Texts at the axes.
    limits, title, digits
        As in `heatmap`.

    Examples
    --------
    >>> field([0, 1, 2], [0, 1], "weight", at=("x", "y")).needs
    {'weight': (2, 3)}
    >>> field([0, 1, 2], [0, 1], "weight", titles=["dot", "scaled"]).needs
    {'weight': (2, 2, 3)}
    """
    across, up = _grid("x", x), _grid("y", y)
    names, words = texts_of("titles", titles), _words_for(called, ("points", "handle"))
    options = common(title, digits, show=show, xlabel=xlabel, ylabel=ylabel)
    options |= {"x": across, "y": up, "titles": names, "at": _dragged(at, "at"), "called": words}
    options |= {"labels": texts_of("labels", labels)}
    options |= {"reads": check_reads(reads, "x", "y", "title", "value")}
    maps = (len(names),) if names else ()
    needs: dict[str, Shape] = {str(show): (*maps, len(up), len(across))}
    rows = [f"{name} {place:.2f}".strip() for name in names or [""] for place in up]
    tables = [table(show, rows, "x")]
    is_fixed = points is not None and not isinstance(points, str)
    options["points"] = fixed("points", points, (None, 2)) if is_fixed else points
    shape = _label_points(options["labels"], options["points"], "points")
    if isinstance(points, str):
        needs[points] = shape
        tables.append(_table_of_points(points, "points", words["points"]))
    ends: list[Pair | None] = [(across[0], across[-1]), (up[0], up[-1])]
    moves = dict(zip(at or (), ends, strict=False))
    scale, steady = read_limits(limits, around_zero), {str(show): tuple(moves)}
    return View("field", options, needs, scale, moves=moves, steady=steady, tables=tables)


def _grid(name: str, given: ArrayLike) -> list[float]:
    """Return places in equal steps."""
    places = np.array(fixed(name, given, (None,)))
    steps = np.diff(places)
    if len(places) < 2 or steps[0] <= 0 or not np.allclose(steps, steps[0], rtol=1e-6):
        raise ValueError(f"{name} must grow in equal steps, at least two places, but is {given!r}")
    return [float(place) for place in places]
