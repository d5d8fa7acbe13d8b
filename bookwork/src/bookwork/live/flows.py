"""A pipeline of matrices: which numbers a row is made of, stage by stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bookwork.live.frames import Frame
from bookwork.live.limits import around_zero, fit_limits
from bookwork.live.options import Shape, as_list, common, labels_of, one_of, table
from bookwork.live.says import parts_of, read_sentence
from bookwork.live.views import View

PARTS = ("row", "all")
COLOURS = ("", "blue", "orange", "green", "purple")


Stage = dict[str, Any]  # what the page is told of a matrix


def stage(
    name: str,
    *,
    after: str | Iterable[str] | Mapping[str, str] = (),
    columns: Iterable[Any] | None = None,
    colour: str = "",
    says: str = "{row}: {values}",
) -> Stage:
    """Describe one matrix of a `flow`.

    Parameters
    ----------
    name : str
        Name of the array to draw, of shape (rows, columns). It stands above the matrix.
    after : str, sequence of str, or mapping of str to {"row", "all"}
        The stages it is computed from. A mapping says what of each enters one row: the same row,
        which is the default, or all rows.
    columns : sequence of str, optional
        Labels of the columns, for reading out. Default: numbers.
    colour : {"blue", "orange", "green", "purple"}, optional
        Tells the matrix, and the arrows from it, apart from others.
    says : str
        One sentence for this stage; it can say ``{row}`` and ``{values}``.

    Examples
    --------
    >>> stage("scores", after={"Q": "row", "K": "all"})["after"]
    {'Q': 'row', 'K': 'all'}
    """
    one_of("colour", colour, COLOURS)
    sources = [after] if isinstance(after, str) else after
    if not isinstance(sources, Mapping):
        sources = dict.fromkeys(as_list("after", sources, "stages"), "row")
    for source, part in sources.items():
        one_of(f"the part of {source}", part, PARTS)
    return {
        "name": str(name),
        "columns": [] if columns is None else labels_of("columns", columns),
        "after": {str(source): part for source, part in sources.items()},
        "colour": colour,
        "says": says,
    }


class Flow(View):
    """A view with a scale of its own for each stage."""

    def spec(self, frames: Frame, name: str) -> dict[str, Any]:
        """Return what the page needs to know."""
        stages = []
        for each in self.options["stages"]:
            drawn = frames[each["name"]]
            limits = fit_limits(around_zero, [drawn])
            stages.append(each | {"size": drawn.shape[-2:], "limits": limits})
        return super().spec(frames, name) | {"stages": stages}


def flow(
    steps: Iterable[Stage | str],
    *,
    rows: Iterable[Any],
    at: str,
    reads: str = "{stage}, {row}, {column}: {value}",
    title: str = "",
    digits: int = 2,
) -> View:
    """Draw a pipeline of matrices, and light what one row is made of, stage by stage.

    Parameters
    ----------
    steps : sequence of Stage or str
        The matrices, made by `stage`, each after those it is computed from; a text is a stage of
        that name on the one before.
    rows : sequence of str
        Labels of the rows that all matrices share.
    at : str
        Name of the control that holds the place of the chosen row, such as `token_buttons`.
    reads : str
        What a cell says when it is pointed at.
    title, digits
        As in `heatmap`.

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
    shared, stages = labels_of("rows", rows), _in_order(steps)
    told = common(title, digits) | {"rows": shared, "at": at, "stages": stages}
    parts = parts_of(["stage", "row", "column", "value"])
    told["reads"] = read_sentence("reads", reads, parts, digits)
    for each in stages:
        each["says"] = read_sentence("says", each["says"], parts_of(["row", "values"]), digits)
    needs: dict[str, Shape] = {
        each["name"]: (len(shared), len(each["columns"]) or None) for each in stages
    }
    moves = {at: (0.0, len(shared) - 1.0)}
    tables = [table(each["name"], "rows", each["columns"], each["name"]) for each in stages]
    return Flow("flow", told, needs, around_zero, moves=moves, tables=tables, wide=510)


def _in_order(steps: Iterable[Stage | str]) -> list[Stage]:
    """Return the stages; each may come only after others that stand before it."""
    stages: dict[str, Stage] = {}
    for given in as_list("steps", steps, "stages"):
        each = stage(given, after=list(stages)[-1:]) if isinstance(given, str) else given
        if not isinstance(each, dict):
            raise TypeError(f"a flow is made of stages, but one is {each!r}: use stage(…)")
        if each["name"] in stages:
            raise ValueError(f"two stages are called {each['name']!r}: give each a name of its own")
        for source in each["after"]:
            if source not in stages:
                raise ValueError(
                    f"the stage {each['name']!r} comes after {source!r}, but no stage before it "
                    f"has that name; those before it are: {', '.join(stages) or 'none'}"
                )
        stages[each["name"]] = dict(each)
    if not stages:
        raise ValueError("a flow needs at least one stage, but has none")
    return list(stages.values())
