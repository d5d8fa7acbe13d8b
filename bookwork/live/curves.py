"""Curves over an axis that a control may stand on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    xlabel, ylabel, title : str
        Texts.
    log : {"", "x", "y", "xy"}
        Which axes grow by factors; all their numbers must be above 0.
    limits : (float, float), optional
        Lowest and highest value drawn, or beyond if numbers lie there. Default: from the numbers.
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
    grid = fixed("x", x, (None,))
    if len(set(grid)) < 2:
        raise ValueError(f"a curve needs at least two places x, but has {len(set(grid))}")
    lines = _lines(show)
    options = common(title, digits, xlabel=xlabel, ylabel=ylabel)
    options |= {"lines": list(lines.items()), "log": log}
    options |= {"x": grid, "weights": weights, "at": at, "reading": reading}
    options |= {"labels": texts_of("labels", labels), "points": None}
    if points is not None:
        options["points"] = _pair(points)
    check_each("labels", "label", options["labels"], (options["points"] or [[]])[0], "points")
    needs: dict[str, Shape] = dict.fromkeys(lines, (len(grid),))
    if weights:
        if points is None:
            raise ValueError("weights belong to points, but the curve has none: give it points")
        needs[weights] = (len(options["points"][0]),)
    if reading:
        if not at:
            raise ValueError("a reading needs a control on the axis: give the curve `at`")
        needs[reading] = ()
    drawn = (*lines, reading) if reading else tuple(lines)
    still = {} if points is None else {"points": options["points"][1]}
    fit = _check_log(log, grid, options["points"], limits)
    moves = (at,) if at else ()
    tables = [
        table(name, "x", ["height"], label if len(lines) > 1 else "curve")
        for name, label in lines.items()
    ]
    tables += [table(weights, "labels", ["weight"], "weights", 4)] if weights else []
    tables += [table(reading, [at], ["reads"], "reading")] if reading else []
    scale = read_limits(limits, fit)
    return View("curve", options, needs, scale, drawn, still, moves=moves, tables=tables)


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
    parts = [fixed("points", part, (None,)) for part in given]  # each of shape (m,)
    lengths = [len(part) for part in parts]
    if len(parts) != 2 or lengths[0] != lengths[1]:
        raise ValueError(
            "points must be two lists of one length, across and up, but have lengths "
            + " and ".join(map(str, lengths))
        )
    return parts
