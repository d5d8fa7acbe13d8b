"""Curves over an axis that a control may stand on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from numpy.typing import ArrayLike

from bookwork.live.frames import ALONE
from bookwork.live.limits import Fit, Pair, by_factors, padded, read_limits
from bookwork.live.options import Shape, as_list, check_each, common, fixed, table, texts_of
from bookwork.live.views import View


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
    options = common(title, digits, xlabel=xlabel, ylabel=ylabel, log=log)
    options |= {"lines": list(lines.items()), "x": grid, "labels": names, "points": [across, up]}
    options |= {"weights": weights, "at": at, "reading": reading}
    needs: dict[str, Shape] = dict.fromkeys(lines, (len(grid),))
    height = {name: label if len(lines) > 1 else "curve" for name, label in lines.items()}
    tables = [table(name, "x", ["height"], label) for name, label in height.items()]
    if weights:
        if points is None:
            raise ValueError("weights belong to points, but the curve has none: give it points")
        needs[weights] = (len(across),)
        tables.append(table(weights, "labels", ["weight"], "weights", digits=4))
    if reading:
        if not at:
            raise ValueError("a reading needs a control on the axis: give the curve `at`")
        needs[reading] = ()
        tables.append(table(reading, [at], ["reads"], "reading"))
    drawn = (*lines, reading) if reading else tuple(lines)
    scale = read_limits(limits, _fit(log, [*grid, *across], limits))
    moves = {at: None} if at else {}
    return View("curve", options, needs, scale, drawn, {"points": up}, moves=moves, tables=tables)


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
    if "y" in log and limits is not None and min(limits) <= 0:
        raise ValueError(f"log needs limits above 0, but they are {limits!r}")
    return by_factors if "y" in log else padded


def _pair(points: Any) -> list[list[float]]:
    parts = [fixed("points", part, (None,)) for part in as_list("points", points, "two lists")]
    lengths = [len(part) for part in parts]  # each of shape (m,)
    if len(parts) != 2 or lengths[0] != lengths[1]:
        raise ValueError(
            "points must be two lists of one length, across and up, but have lengths "
            + " and ".join(map(str, lengths))
        )
    return parts
