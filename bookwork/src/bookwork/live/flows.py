"""A pipeline of matrices: which numbers a row is made of, stage by stage."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from bookwork.live.controls import Axis, find_axis
from bookwork.live.frames import Frame
from bookwork.live.options import Shape, agree, as_list, one_of, texts_of
from bookwork.live.says import read_sentence
from bookwork.live.views import View, around_zero, choosing, common, limits_of, table

COLOURS = ("", "blue", "orange", "green", "purple")
LINK = re.compile(r"(?!/)[\w./-]*(#[\w-]+)?")  # to a page of the same site
Stage = dict[str, Any]  # what the page is told of a matrix


def stage(
    name: str,
    *,
    after: str | Mapping[str, str] = "",
    columns: Iterable[Any] = (),
    colour: str = "",
    says: str = "{row}: {values}",
    label: str = "",
    link: str = "",
    of: int = 0,
    digits: int | None = None,
    causal: bool = False,
    by_frame: bool = False,
    below: str = "",
    opens: str = "",
    tiles: tuple[str, str] | None = None,
    bars: Iterable[Iterable[Any]] = (),
) -> Stage:
    """Describe one matrix of a `flow`.

    - `name` is that of the array to draw, of shape (rows, columns).
    - `after` names the stage it is computed from, row by row. A mapping, as below, has several, and
      says what of each enters one row: the same "row" or "all" rows.
    - `columns` are labels of the columns in its table, in place of numbers.
    - `colour` tells the matrix, and the arrows from it, apart from others: "blue", "orange",
      "green" or "purple".
    - `says` is one sentence for this stage; it can say {row}, {values}, {largest}, the column of
      its largest number, and {value}, that number.
    - `label` stands above the matrix, in place of its name; `link` leads from there to a page of
      the book, such as "prices.html#bread".
    - `of` is the number of columns that the matrix has, if only the first are drawn.
    - `digits` are the decimals of its numbers, if they are not those of the flow.
    - `causal` says that row `i` has no columns after column `i`.
    - `by_frame` lets the colours run as far as most numbers of a frame do, where others are many
      times as large as these. Else they run as far as all numbers of all frames.
    - `below` names a stage under which this one stands.
    - `opens` names a stage with tiles: this one begins a new line, which shows the chosen tile.
    - `tiles` are the names of two controls. A small picture of the array stands for each pair of
      their values, (across, down), and a press chooses it. An array of a later stage will do.
    - `bars` has a list of labels for each row: the numbers of the chosen row are drawn as bars.

    Examples
    --------
    >>> stage("scores", after={"Q": "row", "K": "all"})["after"]
    {'Q': 'row', 'K': 'all'}
    """
    one_of("colour", colour, COLOURS)
    parts = after if isinstance(after, Mapping) else {after: "row"} if after else {}
    for source, part in parts.items():
        one_of(f"the part of {source}", part, ("row", "all"))
    if not LINK.fullmatch(link):
        raise ValueError(f"link is a page of the same site, such as page.html#part, not {link!r}")
    if tiles is not None and len(set(texts_of("tiles", tiles))) != 2:
        raise ValueError(f"tiles are the names of two controls, but are {tiles!r}")
    return {
        "name": str(name),
        "label": str(label or name),
        "kind": "tiles" if tiles else "bars" if bars else "rows",
        "columns": texts_of("columns", columns, 0),
        "after": parts,
        "colour": colour,
        "says": says,
        "link": link,
        "of": int(of),
        "digits": digits,
        "causal": bool(causal),
        "byFrame": bool(by_frame),
        "below": below,
        "opens": opens,
        "tiles": list(tiles or ()),
        "bars": [texts_of("bars", row) for row in bars],
    }


def flow(steps: Iterable[Stage], *, rows: Iterable[Any], at: str, **more: Any) -> View:
    """Draw a pipeline of matrices, and light what one row is made of, stage by stage.

    - `steps` are the matrices, made by `stage`, each after those it is computed from.
    - `rows` are labels of the rows that all matrices share.
    - `at` names the control that chooses the row: one with an option for each, such as
      `token_buttons`.
    - `more` are `title` and `digits`.

    Examples
    --------
    >>> view = flow(
    ...     [
    ...         stage("X"),
    ...         stage("Q", after="X", colour="blue"),
    ...         stage("K", after="X", colour="orange"),
    ...         stage("scores", after={"Q": "row", "K": "all"}, columns=["I", "see"]),
    ...     ],
    ...     rows=["I", "see"],
    ...     at="word",
    ... )
    >>> view.needs["scores"]
    (2, 2)
    """
    rows = texts_of("rows", rows)
    told = common((), **more)
    stages: dict[str, Stage] = {}
    needs: dict[str, Shape] = {}
    parts = ("row", "values", "largest", "value")
    for each in as_list("steps", steps, "stages"):
        name, columns, bars = each["label"], each["columns"], each["bars"]
        if name in stages:
            raise ValueError(f"two stages are called {name!r}: give each a name of its own")
        for source in (*each["after"], each["below"], each["opens"]):
            one_of(f"what the stage {name!r} comes after", source, ["", *stages])
        digits = told["digits"] if each["digits"] is None else each["digits"]
        says = read_sentence("says", each["says"], digits, parts)
        stages[name] = each | {
            "says": says,
            "digits": digits,
            "limits": limits_of(around_zero, [each["name"]]),
        }
        stages[name]["size"] = partial(_size, each["name"], each["tiles"])
        needs[each["name"]] = (len(rows), len(columns) or f"columns of {each['name']}")
        if bars:
            agree(f"the bars of {name!r}", (len(bars), len(bars[0])), (len(rows), "bars"), {})
            needs[each["name"]] = (len(rows), len(bars[0]))
    told |= {
        "rows": rows,
        "row": choosing("the rows of the flow", at, len(rows)),
        "stages": list(stages.values()),
    }
    tables = [
        table(each["name"], "rows", each["columns"], name, digits=each["digits"])
        for name, each in stages.items()
        if not each["tiles"]
    ]
    return View("flow", told, needs, tables=tables, wide=510)


def _size(name: str, tiles: Sequence[str], frames: Frame, axes: Sequence[Axis]) -> tuple[int, ...]:
    """Return rows and columns of a matrix, or how many tiles stand below and beside each other."""
    if tiles:
        return tuple(len(find_axis("tiles follow", each, axes).values) for each in tiles[::-1])
    return frames[name].shape[-2:]
