"""What a chart is made of: marks over two scales, drawn by js/chart.js.

A place is given as numbers, as the name of an array that the function returns, or as "@" and the
name of a control: where that stands. A scale makes pixels of it. A new kind of picture is a
function that lists marks, as those in charts.py do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bookwork.live.limits import Fit
from bookwork.live.options import Shape, common, table
from bookwork.live.says import decimals_in, parts_of, read_sentence
from bookwork.live.views import View

Scale = dict[str, Any]


@dataclass(frozen=True)
class Mark:
    """One layer of a chart: what the page is told of it, and the arrays that it draws.

    The limits of the chart take in the arrays in `spans` and the numbers in `still`.
    """

    kind: str
    told: dict[str, Any]
    needs: Mapping[str, Shape] = field(default_factory=dict)
    spans: Sequence[str] = ()
    still: Sequence[Any] = ()
    tables: Sequence[dict[str, Any]] = ()


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
    parts: tuple[str, ...] = (),
    title: str = "",
    digits: int = 2,
    **options: Any,
) -> View:
    """Return a view of marks, the first ones below.

    Scales without limits of their own share those that `fit` finds for the marks. The controls in
    `drag`, across and up, are moved by dragging the picture. What is pointed at `reads` its
    `parts`; a view without them `says` a sentence, given in pieces (see says.py).
    """
    marks = list(marks)
    told = common(title, digits) | {"x": x, "y": y, "drag": list(drag), "says": list(says)}
    told["marks"] = [{"kind": mark.kind, **mark.told} for mark in marks]
    if parts:
        told |= {"reads": read_sentence("reads", reads, parts_of(parts), digits)}
    needs = {name: shape for mark in marks for name, shape in mark.needs.items()}
    tables = [each for mark in marks for each in mark.tables]
    printed = {each["array"]: each["digits"] for each in tables if "digits" in each}
    if parts:
        printed[next(iter(needs))] = decimals_in(told["reads"]).get("value", 0)
    return View(
        kind,
        told | options,
        needs,
        fit,
        [name for mark in marks for name in mark.spans],
        [numbers for mark in marks for numbers in mark.still],
        moves=dict.fromkeys(drag),
        parts=parts,
        decimals=printed,
        tables=tables,
    )


def number(given: Any, digits: int, place: int = 0) -> dict[str, Any]:
    """Return a piece of a sentence: a number of an array, or of those that are given."""
    what = {"array": given, "place": place} if isinstance(given, str) else {"number": given[place]}
    return {**what, "digits": digits}


def band(names: str) -> Scale:
    """Return a scale with a place for each label; `names` is the option of the view with these."""
    return {"kind": "band", "names": names}


def linear(label: str = "", *, bare: bool = False) -> Scale:
    """Return a scale of numbers; a bare one shows nothing but where zero is."""
    return {"kind": "linear", "label": str(label), "bare": bare}


def log_scale(label: str = "") -> Scale:
    """Return a scale of numbers that grow by factors."""
    return {"kind": "log", "label": str(label)}


def cell(show: str, rows: int, columns: int) -> Mark:
    """Return the coloured cells of a matrix over two bands called "rows" and "columns"."""
    needs: dict[str, Shape] = {str(show): (rows, columns)}
    return Mark("cell", {"show": show}, needs, [show], tables=[table(show, "rows", "columns")])


def bar(show: str, count: int) -> Mark:
    """Return bars from zero, one for each label of a band called "labels"."""
    needs: dict[str, Shape] = {str(show): (count,)}
    return Mark("bar", {"show": show}, needs, [show], tables=[table(show, "labels", ["value"])])


def line(show: str, count: int, label: str, is_one_of_several: bool) -> Mark:
    """Return a line over the `places` of the view; one of several can be switched off."""
    tables = [table(show, "places", ["height"], label if is_one_of_several else "curve")]
    return Mark("line", {"show": show, "label": label}, {show: (count,)}, [show], tables=tables)


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
    needs: dict[str, Shape] = {weights: size[:1]} if weights else {}
    tables = [table(weights, "labels", ["weight"], "weights", digits=3)] if weights else []
    if size == ():  # a height at a place of a control
        needs, tables = {at[1]: ()}, [table(at[1], [at[0][1:]], ["reads"], "reading")]
        return Mark("point", told, needs, [at[1]], tables=tables)
    if not isinstance(at, str):
        return Mark("point", told, needs, still=[at], tables=tables)
    return Mark(
        "point", told, {at: size} | needs, [at], tables=[*_places(at, size, called), *tables]
    )


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
    """Return arrows to places, from zero or from where others start, as wide as they weigh."""
    told = {"to": to, "start": start, "colour": colour, "called": called, "names": names}
    told |= {"head": head, "weights": weights}
    if not head:  # it leads to a point, which has told the rest
        return Mark("arrow", told)
    if not isinstance(to, str):
        return Mark("arrow", told, still=[to])
    return Mark("arrow", told, {to: size}, [to], tables=_places(to, size, called))


def _places(array: str, size: Shape, called: str) -> list[dict[str, Any]]:
    rows = "labels" if len(size) > 1 else [called]
    return [table(array, rows, ["across", "up"], called)]


def rule(x: str, y: str | None = None) -> Mark:
    """Return a line through a place x or, with a height y, from the side to there."""
    return Mark("rule", {"x": x, "y": y})


def area(corners: Sequence[Sequence[float]]) -> Mark:
    """Return a shaded area."""
    return Mark("area", {"corners": list(corners)})
