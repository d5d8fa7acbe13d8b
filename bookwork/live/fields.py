"""A coloured map over the plane: what a function returns for each place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bookwork.live.frames import ALONE
from bookwork.live.limits import Limits, around_zero, read_limits, unit_or
from bookwork.live.options import (
    Shape,
    check_reads,
    common,
    dragged,
    fixed,
    label_points,
    table,
    texts_of,
    words_for,
)
from bookwork.live.views import View


def field(
    x: ArrayLike,
    y: ArrayLike,
    show: str = ALONE,
    *,
    titles: Iterable[Any] = (),
    points: str | ArrayLike | None = None,
    labels: Iterable[Any] = (),
    at: tuple[str, str] | None = None,
    reading: str | None = None,
    reads: str = "",
    called: Mapping[str, str] | None = None,
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
    points : str or array_like, shape (m, 2)
        Points on the map, or the name of an array that moves.
    labels : sequence of str
        Names of the points.
    at : (str, str), optional
        Names of the two controls that hold the place of a handle, which can then be dragged on each
        map, by mouse, touch or arrow keys. It cannot leave the map, which must not depend on it.
    reading : str, optional
        Name of the numbers that are read at the handle, one per map. Default: those of the map
        where it is nearest to the handle. Needs `at`.
    reads : str
        What is said of the handle: ``{x}``, ``{y}``, ``{title}`` and ``{value}`` can stand in it.
    called : mapping of str to str, optional
        What "points" and "handle" are called in your figure.
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
    names = texts_of("titles", titles)
    options = common(title, digits, show=show, xlabel=xlabel, ylabel=ylabel)
    options |= {"x": across, "y": up, "titles": names, "at": dragged(at, "at")}
    options |= {"labels": texts_of("labels", labels), "columns": int(columns)}
    options |= {"reading": reading, "reads": check_reads(reads, "x", "y", "title", "value")}
    needs: dict[str, Shape] = {str(show): (len(up), len(across))}
    if names:
        needs = {str(show): (len(names), len(up), len(across))}
    if reading:
        if at is None:
            raise ValueError("a reading needs two controls that hold a place: give the field `at`")
        needs[reading] = (len(names),) if names else ()
    options["called"] = words_for(called, ("points", "handle"))
    rows = [f"{name} {place:.2f}".strip() for name in names or [""] for place in up]
    tables = [table(show, rows, "x")]
    tables += [table(reading, names or ["here"], ["reads"], "reading")] if reading else []
    moving = isinstance(points, str)
    options["points"] = points if moving or points is None else fixed("points", points, (None, 2))
    shape = label_points(options["labels"], options["points"], "points")
    if isinstance(points, str):
        needs[points] = shape
        tables.append(table(points, "labels", ["across", "up"], options["called"]["points"]))
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
        tables=tables,
    )


def _grid(name: str, given: ArrayLike) -> list[float]:
    """Return places in equal steps."""
    places = np.array(fixed(name, given, (None,)))
    steps = np.diff(places)
    if len(places) < 2 or steps[0] <= 0 or not np.allclose(steps, steps[0], rtol=1e-6):
        raise ValueError(f"{name} must grow in equal steps, at least two places, but is {given!r}")
    return [float(place) for place in places]
