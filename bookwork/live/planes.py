"""Points in the plane: what is given, what a reader moves, and what follows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bookwork.live.limits import Limits, Pair, read_limits, to_three
from bookwork.live.options import (
    Shape,
    as_list,
    check_each,
    common,
    dragged,
    fixed,
    label_points,
    table,
    texts_of,
    words_for,
)
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
    >>> plane(points=[[0, 1], [1, 0]], result="mean").needs
    {'mean': (2,)}
    >>> plane(points=[[0, 1], [1, 0]], moves_to="after", arrows="points").needs
    {'after': (2, 2)}
    """
    given = {"points": points, "rings": rings, "handle": handle, "result": result}
    from_origin = _arrows(arrows, given)
    given["moves_to"] = moves_to
    named = "rings" if points is None else "points"
    if moves_to is not None and given[named] is None:
        raise ValueError("moves_to says where points or rings go, but the plane has neither")
    if drag is not None and handle is None:
        raise ValueError("drag moves the handle, but the plane has none: give it a handle")
    moving = {kind: name for kind, name in given.items() if isinstance(name, str)}
    still = {
        kind: fixed(kind, numbers, PLANE[kind])
        for kind, numbers in given.items()
        if numbers is not None and kind not in moving
    }
    options: dict[str, Any] = dict.fromkeys(given) | still | moving | common(title, digits)
    options |= {"labels": texts_of("labels", labels), "weights": weights, "drag": dragged(drag)}
    words = words_for(called, PLANE)
    options |= {"arrows": from_origin, "called": words}
    scale = read_limits(limits, to_three)
    if region:
        options["region_points"] = _region(region, still.get("points"), scale(0.0, 0.0))
    shape = label_points(options["labels"], options[named], named)
    if named in still:
        check_each("moves_to", "place", still.get("moves_to"), still[named], named)
    shapes = PLANE | {named: shape, "moves_to": shape}
    needs = {weights: shape[:1]} if weights else {}
    needs |= {name: shapes[kind] for kind, name in moving.items()}
    words = options["called"]
    tables = [
        table(
            name, "labels" if len(PLANE[kind]) > 1 else [words[kind]], ["across", "up"], words[kind]
        )
        for kind, name in moving.items()
    ]
    tables += [table(weights, "labels", ["weight"], "weights")] if weights else []
    drawn, moves = tuple(moving.values()), tuple(options["drag"] or ())
    return View("plane", options, needs, scale, drawn, still, moves=moves, tables=tables)


def _arrows(arrows: str | Iterable[str], points: dict[str, Any]) -> list[str]:
    kinds = [arrows] if isinstance(arrows, str) else as_list("arrows", arrows, "kinds")
    there = [kind for kind, given in points.items() if given is not None]
    for kind in kinds:
        if kind not in there:
            listed = ", ".join(there) or "nothing"
            raise ValueError(f"arrows asks for {kind!r}, but the plane has {listed}")
    return kinds


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
