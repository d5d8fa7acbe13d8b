"""A coloured map over the plane: what a function returns for a query that stands there."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bookwork.live.frames import ALONE
from bookwork.live.limits import Limits, around_zero, read_limits, unit_or
from bookwork.live.views import (
    Shape,
    View,
    _common,
    _dragged,
    _fixed,
    _label_points,
    _reads,
    _texts,
)


def field(
    x: ArrayLike,
    y: ArrayLike,
    show: str = ALONE,
    *,
    titles: Iterable[Any] = (),
    keys: str | ArrayLike | None = None,
    labels: Iterable[Any] = (),
    at: tuple[str, str] | None = None,
    reading: str | None = None,
    reads: str = "",
    columns: int = 3,
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
    keys : str or array_like, shape (m, 2)
        Points on the map, or the name of an array that moves.
    labels : sequence of str
        Names of the points.
    at : (str, str), optional
        Names of the two controls that hold the query's place; it can then be dragged on each map,
        by mouse, touch or arrow keys. They must not leave the map, which must not depend on them.
    reading : str, optional
        Name of the numbers that the query reads, one per map. Default: those of the map where it
        is nearest to the query. Needs `at`.
    reads : str
        What the query says: ``{x}``, ``{y}``, ``{title}`` and ``{value}`` can stand in it.
    columns : int
        At most so many maps stand side by side.
    xlabel, ylabel : str
        Texts at the axes.
    limits, title, digits
        As in `heatmap`.

    Returns
    -------
    View
        For `live`.

    Examples
    --------
    >>> field([0, 1, 2], [0, 1], "weight", at=("x", "y")).needs
    {'weight': (2, 3)}
    >>> field([0, 1, 2], [0, 1], "weight", titles=["dot", "scaled"]).needs
    {'weight': (2, 2, 3)}
    """
    across, up = _grid("x", x), _grid("y", y)
    names = _texts("titles", titles)
    options = _common(title, digits, show=show, xlabel=xlabel, ylabel=ylabel)
    options |= {"x": across, "y": up, "titles": names, "at": _dragged(at, "at")}
    options |= {"labels": _texts("labels", labels), "columns": _count(columns)}
    options |= {"reading": reading, "reads": _reads(reads, "x", "y", "title", "value")}
    needs: dict[str, Shape] = {str(show): (len(up), len(across))}
    if names:
        needs = {str(show): (len(names), len(up), len(across))}
    if reading:
        if at is None:
            raise ValueError("a reading belongs to a query, but the field has none: give it `at`")
        needs[reading] = (len(names),) if names else ()
    moving = isinstance(keys, str)
    options["keys"] = keys if moving or keys is None else _fixed("keys", keys, (None, 2))
    shape = _label_points(options["labels"], options["keys"], "keys")
    if isinstance(keys, str):
        needs[keys] = shape
    scale = read_limits(limits, around_zero, unit_or(around_zero))
    moves = tuple(at or ())
    ends = {name: (grid[0], grid[-1]) for name, grid in zip(moves, (across, up), strict=False)}
    return View(
        "field",
        options,
        needs,
        scale,
        (str(show),),
        moves=moves,
        within=ends,
        steady={str(show): moves},
    )


def _grid(name: str, given: ArrayLike) -> list[float]:
    """Return places in equal steps."""
    places = np.array(_fixed(name, given, (None,)))
    steps = np.diff(places)
    if len(places) < 2 or steps[0] <= 0 or not np.allclose(steps, steps[0], rtol=1e-6):
        raise ValueError(f"{name} must grow in equal steps, at least two places, but is {given!r}")
    return [float(place) for place in places]


def _count(columns: Any) -> int:
    if not isinstance(columns, Integral) or columns < 1:
        raise ValueError(f"columns is how many maps stand side by side, but is {columns!r}")
    return int(columns)
