"""What a chart is made of: marks over two scales, drawn by js/chart.js.

A place is given as numbers, as the name of an array that the function returns, or as "@" and the
name of a control: where that stands. A scale makes pixels of it. A new kind of picture is a
function that lists marks, as those in charts.py do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bookwork.live.limits import Fit
from bookwork.live.options import Shape, common, table
from bookwork.live.says import parts_of, read_sentence
from bookwork.live.views import View

Scale = dict[str, Any]
Channel = tuple[Any, Shape]  # numbers or the name of an array, and the shape that this must have


@dataclass(frozen=True)
class Mark:
    """One layer of a chart: what the page is told of it, and the arrays that it draws.

    The limits of the chart take in what it `spans`. What is pointed at reads its `parts`.
    """

    kind: str
    told: dict[str, Any]
    spans: Sequence[Channel] = ()
    needs: Sequence[Channel] = ()
    tables: Sequence[dict[str, Any]] = ()
    parts: tuple[str, ...] = ()


def chart(
    kind: str,
    x: Scale,
    y: Scale,
    marks: Iterable[Mark],
    fit: Fit,
    *,
    drag: Sequence[str] = (),
    says: Sequence[Any] = (),
    reads: str = "",
    title: str = "",
    digits: int = 2,
    **options: Any,
) -> View:
    """Return a view of marks, the first ones below.

    Scales without limits of their own share those that `fit` finds for the marks. The controls in
    `drag`, across and up, are moved by dragging the picture. What is pointed at `reads` the parts
    of its mark; a view without such marks `says` a sentence, given in pieces (see says.py).
    """
    marks = list(marks)
    told = common(title, digits) | {"x": x, "y": y, "drag": list(drag), "says": list(says)}
    told["marks"] = [{"kind": mark.kind, **mark.told} for mark in marks]
    spans = [channel for mark in marks for channel in mark.spans]
    needs = [*spans, *(channel for mark in marks for channel in mark.needs)]
    parts = next((mark.parts for mark in marks if mark.parts), ())
    if parts:
        told["reads"] = read_sentence("reads", reads, parts_of(parts), digits)
    return View(
        kind,
        told | options,
        {name: shape for name, shape in needs if isinstance(name, str)},
        fit,
        [name for name, _ in spans if isinstance(name, str)],
        [numbers for numbers, _ in spans if not isinstance(numbers, str)],
        moves=dict.fromkeys(drag),
        parts=parts,
        tables=[each for mark in marks for each in mark.tables],
    )


def number(given: Any, digits: int, place: int = 0) -> dict[str, Any]:
    """Return a piece of a sentence: a number of an array, or of those that are given."""
    what = {"array": given, "place": place} if isinstance(given, str) else {"number": given[place]}
    return {**what, "digits": digits}


def band(names: str) -> Scale:
    """Return a scale with a place for each label; `names` is the option of the view with these."""
    return {"kind": "band", "names": names}


def linear(label: str = "", *, bare: bool = False, log: bool = False) -> Scale:
    """Return a scale of numbers, which may grow by factors; a bare one shows only where zero is."""
    return {"kind": "log" if log else "linear", "label": str(label), "bare": bare}


def cell(show: str, rows: int, columns: int) -> Mark:
    """Return the coloured cells of a matrix over two bands called "rows" and "columns"."""
    tables, parts = [table(show, "rows", "columns")], ("row", "column", "value")
    return Mark("cell", {"show": show}, [(show, (rows, columns))], tables=tables, parts=parts)


def bar(show: str, count: int) -> Mark:
    """Return bars from zero, one for each label of a band called "labels"."""
    tables, parts = [table(show, "labels", ["value"])], ("label", "value")
    return Mark("bar", {"show": show}, [(show, (count,))], tables=tables, parts=parts)


def line(show: str, count: int, label: str = "curve") -> Mark:
    """Return a line over the `places` of the view; one of several can be switched off."""
    tables = [table(show, "places", ["height"], label)]
    return Mark("line", {"show": show, "label": label}, [(show, (count,))], tables=tables)


def point(
    at: Any,
    colour: str,
    *,
    size: Shape,
    shape: str = "dot",
    called: str = "",
    names: str = "",
    weights: str | None = None,
    scatter: bool = False,
) -> Mark:
    """Return one point or several, of a size such as (m, 2), which grow with their weights.

    `at` are numbers, the name of an array, or two places, across and up. `names` is the option of
    the view with labels. Points of a scatter are small, and grow against the heaviest of them.
    """
    told = {"at": at, "colour": colour, "shape": shape, "called": called, "names": names}
    told |= {"weights": weights, "scatter": scatter}
    if size == ():  # a height at a place of a control
        tables = [table(at[1], [at[0][1:]], ["reads"], "reading")]
        return Mark("point", told, [(at[1], ())], tables=tables)
    tables = _places(at, size, called)
    if not weights:
        return Mark("point", told, [(at, size)], tables=tables)
    tables.append(table(weights, "labels", ["weight"], "weights", digits=3))
    return Mark("point", told, [(at, size)], [(weights, size[:1])], tables)


def arrow(
    to: Any,
    start: Any = None,
    *,
    colour: str,
    size: Shape,
    called: str = "",
    names: str = "",
    head: bool = True,
    weights: str | None = None,
) -> Mark:
    """Return arrows to places, from zero or from where others start, as wide as they weigh.

    Those without a head lead to points, which tell the rest.
    """
    told = {"to": to, "start": start, "colour": colour, "head": head, "weights": weights}
    if not head:
        return Mark("arrow", told)
    told |= {"called": called, "names": names}
    return Mark("arrow", told, [(to, size)], tables=_places(to, size, called))


def _places(at: Any, size: Shape, called: str) -> list[dict[str, Any]]:
    """Return the table of places that move."""
    rows = "labels" if len(size) > 1 else [called]
    return [table(at, rows, ["across", "up"], called)] if isinstance(at, str) else []


def rule(x: str, y: str | None = None) -> Mark:
    """Return a line through a place x or, with a height y, from the side to there."""
    return Mark("rule", {"x": x, "y": y})


def area(corners: Sequence[Sequence[float]]) -> Mark:
    """Return a shaded area."""
    return Mark("area", {"corners": list(corners)})
