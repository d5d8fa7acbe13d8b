"""How to draw a frame: each function here describes one view; the page draws it.

A view names the arrays it shows by the names under which the live function returns them. What does
not move is given as numbers. A view holds no mathematics: every number comes from the function.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.live.frames import ALONE, Frame


@dataclass(frozen=True)
class View:
    """What to draw (`kind`, `options`), which arrays it needs, and which controls it moves."""

    kind: str
    options: dict[str, Any]
    needs: dict[str, tuple[int | None, ...]] = field(default_factory=dict)
    derived: dict[str, tuple[str, str]] = field(default_factory=dict)  # name: first minus second
    moves: tuple[str, ...] = ()

    def spec(self) -> dict[str, Any]:
        """Return what the page needs to know."""
        return {"kind": self.kind, **self.options}


def heatmap(
    rows: Sequence[str],
    columns: Sequence[str],
    show: str = ALONE,
    *,
    title: str = "",
    reads: str = "{row} looks at {column}: {value}",
    limits: tuple[float, float] | None = (0.0, 1.0),
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
    limits : (float, float) or None
        The values with the palest and the strongest colour; None takes them from the data. Limits
        below and above 0 give a diverging palette.
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
    rows, columns = list(rows), list(columns)
    options = _options(locals(), "rows", "columns", "show", "title", "reads", "limits", "digits")
    return View("heatmap", options, {show: (len(rows), len(columns))})


def difference(
    first: str,
    second: str,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    title: str = "",
    limits: tuple[float, float] | None = None,
    digits: int = 2,
) -> View:
    """Draw ``first - second``, two matrices that the function returns, as a heatmap around 0.

    Parameters are those of `heatmap`; the difference is taken in NumPy.

    Examples
    --------
    >>> difference("soft", "hard", ["q"], ["a", "b"]).derived
    {'soft − hard': ('soft', 'hard')}
    """
    rows, columns = list(rows), list(columns)
    show = f"{first} − {second}"
    reads = f"{{row}}, {{column}}: {first} is larger by {{value}}"
    options = _options(
        locals(), "rows", "columns", "show", "title", "reads", "limits", "digits", diverging=True
    )
    shape = (len(rows), len(columns))
    return View("heatmap", options, {first: shape, second: shape}, {show: (first, second)})


def bars(
    labels: Sequence[str],
    show: str = ALONE,
    *,
    title: str = "",
    reads: str = "{label}: {value}",
    limits: tuple[float, float] | None = (0.0, 1.0),
    digits: int = 2,
) -> View:
    """Draw one bar per key.

    Parameters
    ----------
    labels : sequence of str
        One per bar.
    show : str
        Which array to draw, of shape (labels,).
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
    """
    labels = list(labels)
    options = _options(locals(), "labels", "show", "title", "reads", "limits", "digits")
    return View("bars", options, {show: (len(labels),)})


def plane(
    *,
    keys: str | ArrayLike | None = None,
    values: str | ArrayLike | None = None,
    query: str | ArrayLike | None = None,
    output: str | ArrayLike | None = None,
    weights: str | None = None,
    region: str | None = None,
    labels: Sequence[str] = (),
    drag: tuple[str, str] | None = None,
    limits: tuple[float, float] = (-3.0, 3.0),
    title: str = "",
    digits: int = 2,
) -> View:
    """Draw points in the plane: a query, keys, values, and the output among them.

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
    labels : sequence of str
        Names of the values (or keys, if there are no values).
    drag : (str, str), optional
        Names of the two controls that the query's place sets when it is dragged, by mouse, touch
        or arrow keys.
    limits : (float, float)
        Both axes run from here to there.
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
    """
    names = ("region", "labels", "drag", "limits", "title", "digits", "weights")
    options = _options(locals(), *names)
    points = {"keys": keys, "values": values, "query": query, "output": output}
    shapes = {"keys": (None, 2), "values": (None, 2), "query": (2,), "output": (2,)}
    for name, given in points.items():
        options[name] = given if isinstance(given, str) else _fixed(name, given, shapes[name])
    grown = options["keys"] if values is None else options["values"]
    count = len(grown) if isinstance(grown, list) else None
    needs: dict[str, tuple[int | None, ...]] = {weights: (count,)} if weights else {}
    needs |= {given: shapes[name] for name, given in points.items() if isinstance(given, str)}
    if region:
        options["region_points"] = _region(region, options["values"], limits)
    return View("plane", options, needs, moves=tuple(drag or ()))


def _region(region: str, values: Any, limits: tuple[float, float]) -> list[list[float]]:
    """Return the corners of the hull of the values, or of their cone as far as it can be seen."""
    if region not in ("hull", "cone") or not isinstance(values, list):
        raise ValueError(f"a region is 'hull' or 'cone' of fixed values, but is {region!r}")
    if region == "hull":
        return _hull(values)
    far = 100 * max(abs(limit) for limit in limits)
    rays = [[far * x / r, far * y / r] for x, y in values if (r := float(np.hypot(x, y)))]
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
    show: str,
    *,
    points: tuple[ArrayLike, ArrayLike] | None = None,
    weights: str | None = None,
    at: str | None = None,
    reading: str | None = None,
    labels: Sequence[str] = (),
    xlabel: str = "",
    ylabel: str = "",
    limits: tuple[float, float] | None = None,
    title: str = "",
    digits: int = 2,
) -> View:
    """Draw a curve over data points, and what one query reads from it.

    Parameters
    ----------
    x : array_like, shape (p,)
        Where the curve is drawn.
    show : str
        Name of the curve's heights, of shape (p,).
    points : (array_like, array_like), optional
        Horizontal and vertical places of the data, each of shape (m,).
    weights : str, optional
        Name of an array of shape (m,); points with more weight are drawn larger and stronger.
    at : str, optional
        Name of the control that holds the query; it can then be dragged along the axis.
    reading : str, optional
        Name of a single number: the height that the query reads.
    labels : sequence of str
        Names of the data points, for reading out.
    xlabel, ylabel, title : str
        Texts.
    limits : (float, float), optional
        Lowest and highest value drawn. Default: from points and curve.
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
    names = ("show", "weights", "at", "reading", "labels", "xlabel", "ylabel", "limits", "title")
    options = _options(locals(), *names, "digits", x=grid)
    needs: dict[str, tuple[int | None, ...]] = {show: (len(grid),)}
    if points is not None:
        options["points"] = _pair(points)
    if weights:
        if points is None:
            raise ValueError("weights belong to points, but the curve has none: give it points")
        needs[weights] = (len(options["points"][0]),)
    if reading:
        needs[reading] = ()
    return View("curve", options, needs, moves=(at,) if at else ())


def _pair(points: Sequence[ArrayLike]) -> list[list[float]]:
    parts = [_fixed("points", part, (None,)) for part in points]  # each of shape (m,)
    lengths = [len(part) for part in parts]
    if len(parts) != 2 or lengths[0] != lengths[1]:
        raise ValueError(
            "points must be two lists of one length, across and up, but have lengths "
            + " and ".join(map(str, lengths))
        )
    return parts


def check_moves(view: View, controls: Sequence[str]) -> None:
    """Require that the controls a view moves are in the figure."""
    for name in view.moves:
        if name not in controls:
            raise ValueError(
                f"the {view.kind} moves {name!r}, but the figure has no such control; "
                f"its controls are: {', '.join(controls) or 'none'}"
            )


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
    shapes = {name: frame[name].shape for name, need in view.needs.items() if None in need}
    if len({shape[0] for shape in shapes.values()}) > 1:
        said = " and ".join(f"{name!r} has shape {shape}" for name, shape in shapes.items())
        raise ValueError(f"the {view.kind} needs one size m, but {said}")


def _say(shape: tuple[int | None, ...]) -> str:
    return str(tuple("m" if size is None else size for size in shape)).replace("'", "")


def _fixed(name: str, given: ArrayLike | None, shape: tuple[int | None, ...]) -> Any:
    if given is None:
        return None
    array = np.asarray(given, float)
    if array.ndim != len(shape) or shape[-1] not in (None, array.shape[-1]):
        raise ValueError(f"{name} must have shape {_say(shape)}, but has shape {array.shape}")
    return array.tolist()


def _options(given: dict[str, Any], *names: str, **more: Any) -> dict[str, Any]:
    """Pick the named arguments, sequences as lists so that they can be sent to the page."""
    picked = {name: given[name] for name in names} | more
    return {k: list(v) if isinstance(v, (tuple, list)) else v for k, v in picked.items()}
