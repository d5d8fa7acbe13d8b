"""Numbers with labels: a matrix as a heatmap, a difference of two, a list as bars."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from bookwork.live.frames import ALONE
from bookwork.live.limits import Limits, Pair, around_zero, both_sides, from_zero, read_limits
from bookwork.live.options import check_reads, common, labels_by, labels_of, table
from bookwork.live.views import View


def heatmap(
    rows: Iterable[Any],
    columns: Iterable[Any],
    show: str = ALONE,
    *,
    title: str = "",
    reads: str = "{row}, {column}: {value}",
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
    options = {"rows": labels_of("rows", rows), "columns": labels_of("columns", columns)}
    needs = {str(show): (len(options["rows"]), len(options["columns"]))}
    parts = ("row", "column", "value")
    options |= common(title, digits, show=show, reads=check_reads(reads, *parts))
    scale, tables = read_limits(limits, around_zero), [table(show, "rows", "columns")]
    return View("heatmap", options, needs, scale, parts=parts, tables=tables)


def difference(
    first: str,
    second: str,
    rows: Iterable[Any],
    columns: Iterable[Any],
    *,
    title: str = "",
    limits: Pair | None = None,
    digits: int = 2,
) -> View:
    """Draw ``first - second``, two matrices that the function returns, as a heatmap around 0.

    Parameters are those of `heatmap`; the difference is taken in NumPy.

    Examples
    --------
    >>> difference("soft", "hard", ["q"], ["a", "b"]).derived
    {'soft − hard': ('soft', 'hard')}
    """
    show, both = f"{first} − {second}", (str(first), str(second))
    view = heatmap(rows, columns, show, title=title, digits=digits)
    reads = f"{{row}}, {{column}}: {first} is larger by {{value}}"
    return replace(
        view,
        options=view.options | {"reads": reads, "diverging": True},
        needs=dict.fromkeys(both, view.needs[show]),
        derived={show: both},
        limits=read_limits(limits, both_sides),
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
    parts = ("label", "value")
    options |= common(title, digits, show=show, reads=check_reads(reads, *parts))
    scale, tables = read_limits(limits, from_zero), [table(show, "labels", ["value"])]
    return View("bars", options, {str(show): (count,)}, scale, parts=parts, tables=tables)
