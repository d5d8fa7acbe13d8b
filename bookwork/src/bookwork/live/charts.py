"""Heatmaps, bars, curves and planes: each lists the marks of a chart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from bookwork.live.frames import ALONE
from bookwork.live.marks import (
    area,
    arrow,
    band,
    bar,
    cell,
    chart,
    line,
    linear,
    point,
    rule,
    scatter,
    standing,
)
from bookwork.live.options import agree, numbers_of, one_of, texts_of
from bookwork.live.views import View, around_zero, from_zero, labels_by

MOST_COLUMNS = 150  # of a heatmap; on a phone there is no room for more
LOOKS = {  # what a plane can show: colour and shape
    "points": ("green", "dot"),
    "rings": ("orange", "ring"),
    "handle": ("blue", "triangle"),
    "result": ("purple", "diamond"),
}


def heatmap(
    rows: Iterable[Any],
    columns: Iterable[Any],
    show: str = ALONE,
    *,
    words: Mapping[float, str] | None = None,
    **more: Any,
) -> View:
    """Draw a matrix as coloured cells.

    - `rows` and `columns` are its labels.
    - `show` names the array to draw, of shape (rows, columns).
    - `words` says what a number means, such as ``{0: "hidden", 1: "may look"}``, if it can only be
      one of a few: there is a legend of these in place of a scale, and they are read aloud.
    - `more` are `reads` ({row}, {column}, {value}), `limits`, `title` and `digits`. Without limits,
      the scale runs from 0 to 1, or as far as the numbers; limits below and above 0 give two
      colours.

    Examples
    --------
    >>> heatmap(["q"], ["a", "b"]).needs
    {'result': (1, 2)}
    """
    rows, columns = texts_of("rows", rows), texts_of("columns", columns)
    if len(columns) > MOST_COLUMNS:
        raise ValueError(
            f"a heatmap has room for {MOST_COLUMNS} columns, but there are {len(columns)}: "
            "show a part of the matrix, or more rows instead"
        )
    meant = [(float(number), str(word)) for number, word in (words or {}).items()]
    options = {"rows": rows, "columns": columns, "words": meant}
    return chart(
        "heatmap", band("columns"), band("rows"), [cell(show)], options, fit=around_zero, **more
    )


def bars(labels: Iterable[Any], show: str = ALONE, *, by: str | None = None, **more: Any) -> View:
    """Draw one bar per number.

    - `labels` has one per bar.
    - `show` names the array to draw, of shape (labels,).
    - `by` names a control that decides what the labels are. `labels` then has a list of them for
      each of its values, all of one length.
    - `more` are `reads` ({label}, {value}), `limits`, `title` and `digits`. Without limits, the
      bars have room from 0 to 1, or as far as the numbers.

    Examples
    --------
    >>> bars([["a", "b", "c"], ["x", "y", "z"]], by="alphabet").needs
    {'result': (3,)}
    """
    options, _ = labels_by("labels", labels, by)
    return chart(
        "bars", linear(bare=True), band("labels"), [bar(show)], options, fit=from_zero, **more
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
    **more: Any,
) -> View:
    """Draw a curve, or several, over data points, and what it reads where a control stands.

    - `x` has the places where the curve is drawn, of shape (p,).
    - `show` names the curve's heights, of shape (p,). Several names draw several lines, with a
      legend where each is switched on and off; a mapping gives each name its label there.
    - `points` are the horizontal and the vertical places of the data, each of shape (m,).
    - `weights` names an array of shape (m,); points with more weight are larger and stronger.
    - `at` names a control that stands on the axis, a number; it can then be dragged along it.
    - `reading` names a single number: the height of the curve there.
    - `xlabel` and `ylabel` are the texts at the axes.
    - `log` says which axes grow by factors: "x", "y" or "xy". All their numbers must be above 0.
    - `dots` marks each place x, where there is nothing between one and the next.
    - `more` are `limits` (of the heights; without them, from the numbers), `title` and `digits`.

    Examples
    --------
    >>> curve([0, 1, 2], "fit", at="query", reading="guess").needs
    {'fit': (3,), 'guess': ()}
    """
    one_of("log", log, ("", "x", "y", "xy"))
    grid = numbers_of("x", x)
    agree("x", grid.shape, ("places",), {})
    names = {show: "curve"} if isinstance(show, str) else show
    if not isinstance(names, Mapping):
        names = {name: name for name in texts_of("show", names)}
    stands: list[Any] = [at] if at or reading else []
    marks = [scatter(points, weights)] if points is not None else []
    marks += [line(name, str(label)) for name, label in names.items()]
    marks += [rule(f"@{at}")] if at else []
    marks += standing(at, reading) if reading else []
    drawn = [grid, f"@{at}", *([] if points is None else points[:1])]
    return chart(
        "curve",
        linear(xlabel, log="x" in log, drawn=drawn),
        linear(ylabel, log="y" in log),
        marks,
        {"places": grid.tolist(), "labels": [], "dots": bool(dots)},
        drag=stands,
        **more,
    )


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
    called: Mapping[str, str] | None = None,
    xlabel: str = "",
    ylabel: str = "",
    limits: tuple[float, float] = (-3, 3),
    **more: Any,
) -> View:
    """Draw points in the plane: given ones, one that a reader moves, and one that follows.

    - `points` and `rings` are two kinds of given points, full and hollow, of shape (m, 2): fixed
      ones, or the name of an array that moves.
    - `handle` and `result` are one point each, of shape (2,): the one that moves, and the one that
      follows from it.
    - `weights` names an array of shape (m,); the points grow with their weights.
    - `region` shades where weighted sums of the points can lie: the convex "hull" (weights that sum
      to one) or the "cone" (any nonnegative weights).
    - `arrows` says which of points, rings, handle and result are arrows from the origin.
    - `moves_to` are places of shape (m, 2): an arrow leads there from each point, or from each ring
      if there are no points.
    - `labels` are the names of the points (or rings), `ends` those of the places where they move.
    - `called` says what all these are called in your figure: ``called={"handle": "ball"}``.
    - `xlabel` and `ylabel` are the texts at the axes.
    - `limits` are where both axes begin and end, unless some points lie further out.
    - `more` are `drag`, the names of the two controls that the handle's place sets when it is
      dragged, by mouse, touch or arrow keys; `title` and `digits`.

    Examples
    --------
    >>> plane(points=[[0, 1], [1, 0]], moves_to="after", result="mean").needs
    {'mean': (2,), 'after': (2, 2)}
    """
    given = {"points": points, "rings": rings, "handle": handle, "result": result}
    named = "rings" if points is None else "points"
    names = {kind: kind for kind in LOOKS} | {"moves_to": "after"}
    arrows = [arrows] if isinstance(arrows, str) else arrows
    for kind in arrows:
        one_of("arrows", kind, LOOKS)
    for kind, text in (called or {}).items():
        one_of("called", kind, names)
        names[kind] = str(text)
    marks = []
    for kind, at in given.items():
        if at is None:
            continue
        (colour, shape), single = LOOKS[kind], kind in ("handle", "result")
        told: dict[str, Any] = {"colour": colour, "count": "" if single else kind}
        if kind == named:
            told |= {"count": "labels", "names": "labels"}
        if kind in arrows:
            marks.append(arrow(at, called="" if single else names[kind], **told))
        if single or kind not in arrows:
            grown = weights if kind == named else None
            marks.append(point(at, shape=shape, called=names[kind], weights=grown, **told))
    if region:
        one_of("region", region, ("hull", "cone"))
        marks.insert(0, area(points, cone=region == "cone"))
    if moves_to is not None:
        to: dict[str, Any] = {"colour": "purple", "called": names["moves_to"], "count": "labels"}
        marks.append(arrow(moves_to, given[named], names="ends", **to))
    texts = {"labels": texts_of("labels", labels, 0), "ends": texts_of("ends", ends, 0)}
    options: dict[str, Any] = {**texts, "square": True}
    return chart("plane", linear(xlabel), linear(ylabel), marks, options, limits=limits, **more)
