"""A pipeline of matrices: which numbers a row is made of, stage by stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from bookwork.live.frames import Frame
from bookwork.live.options import Shape, as_list, one_of, texts_of
from bookwork.live.says import read_sentence
from bookwork.live.views import View, around_zero, choosing, common, limits_of, table

COLOURS = ("", "blue", "orange", "green", "purple")
Stage = dict[str, Any]  # what the page is told of a matrix


def stage(
    name: str,
    *,
    after: str | Mapping[str, str] = "",
    columns: Iterable[Any] = (),
    colour: str = "",
    says: str = "{row}: {values}",
) -> Stage:
    """Describe one matrix of a `flow`.

    - `name` is that of the array to draw, of shape (rows, columns). It stands above the matrix.
    - `after` names the stage it is computed from, row by row. A mapping, as below, has several, and
      says what of each enters one row: the same "row" or "all" rows.
    - `columns` are labels of the columns in its table, in place of numbers.
    - `colour` tells the matrix, and the arrows from it, apart from others: "blue", "orange",
      "green" or "purple".
    - `says` is one sentence for this stage; it can say {row} and {values}.

    Examples
    --------
    >>> stage("scores", after={"Q": "row", "K": "all"})["after"]
    {'Q': 'row', 'K': 'all'}
    """
    one_of("colour", colour, COLOURS)
    parts = after if isinstance(after, Mapping) else {after: "row"} if after else {}
    for source, part in parts.items():
        one_of(f"the part of {source}", part, ("row", "all"))
    return {
        "name": str(name),
        "columns": texts_of("columns", columns, 0),
        "after": parts,
        "colour": colour,
        "says": says,
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
    for each in as_list("steps", steps, "stages"):
        name, columns = each["name"], each["columns"]
        if name in stages:
            raise ValueError(f"two stages are called {name!r}: give each a name of its own")
        for source in each["after"]:
            one_of(f"what the stage {name!r} comes after", source, stages)
        says = read_sentence("says", each["says"], told["digits"], ("row", "values"))
        stages[name] = each | {"says": says, "limits": limits_of(around_zero, [name])}
        stages[name]["size"] = partial(_size, name)
        needs[name] = (len(rows), len(columns) or f"columns of {name}")
    told |= {
        "rows": rows,
        "row": choosing("the rows of the flow", at, len(rows)),
        "stages": list(stages.values()),
    }
    tables = [table(name, "rows", each["columns"], name) for name, each in stages.items()]
    return View("flow", told, needs, tables=tables, wide=510)


def _size(name: str, frames: Frame, _: Any) -> tuple[int, ...]:
    return frames[name].shape[-2:]
