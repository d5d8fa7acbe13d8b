"""A pipeline of matrices: which numbers a row is made of, stage by stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from bookwork.live.frames import Frame
from bookwork.live.limits import around_zero, fit_limits
from bookwork.live.options import Shape, as_list, common, labels_of, table
from bookwork.live.says import parts_of, read_sentence
from bookwork.live.views import View

PARTS = ("row", "column", "all")
SAYS = parts_of(["row", "values"])
COLOURS = ("", "blue", "orange", "green", "purple")


@dataclass(frozen=True)
class Stage:
    """One matrix of a pipeline; `after` holds the stages it is made of, and which part of each."""

    name: str
    columns: list[str] | None
    rows: list[str] | None
    after: dict[str, str]
    colour: str
    says: str


def stage(
    name: str,
    *,
    after: str | Iterable[str] | Mapping[str, str] = (),
    columns: Iterable[Any] | None = None,
    rows: Iterable[Any] | None = None,
    colour: str = "",
    says: str = "",
) -> Stage:
    """Describe one matrix of a `flow`.

    Parameters
    ----------
    name : str
        Name of the array to draw, of shape (rows, columns). It stands above the matrix.
    after : str, sequence of str, or mapping of str to {"row", "all", "column"}
        The stages it is computed from. A mapping says what of each enters one row: the same row,
        which is the default, all rows, or the column of the same place.
    columns : sequence of str, optional
        Labels of the columns, for reading out. Default: numbers.
    rows : sequence of str, optional
        Labels of the rows, if they are not those of the flow; such a stage is lit as a whole.
    colour : {"blue", "orange", "green", "purple"}, optional
        Tells the matrix, and the arrows from it, apart from others.
    says : str
        One sentence for this stage; it can say ``{row}`` and ``{values}``.

    Examples
    --------
    >>> stage("scores", after={"Q": "row", "K": "all"}).after
    {'Q': 'row', 'K': 'all'}
    """
    if colour not in COLOURS:
        raise ValueError(f"a colour is one of {', '.join(COLOURS[1:])}, but is {colour!r}")
    says = says or "{row}: {values}"
    read_sentence("says", says, SAYS, 2)  # or it is refused here
    return Stage(
        name=str(name),
        columns=None if columns is None else labels_of("columns", columns),
        rows=None if rows is None else labels_of("rows", rows),
        after=_parts(str(name), after),
        colour=colour,
        says=says,
    )


def _parts(name: str, after: str | Iterable[str] | Mapping[str, str]) -> dict[str, str]:
    """Return what a stage is made of: each source, and which part of it enters one row."""
    given = [after] if isinstance(after, str) else after
    if not isinstance(given, Mapping):
        given = dict.fromkeys(as_list("after", given, "stages"), "row")
    for source, part in given.items():
        if part not in PARTS:
            raise ValueError(
                f"a row of {name!r} is made of a 'row', a 'column' or 'all' of {source!r}, "
                f"but not of {part!r}"
            )
    return {str(source): part for source, part in given.items()}


def _fitted(frames: NDArray[Any]) -> dict[str, Any]:
    """Return the shape of one frame, and limits for all of them."""
    return {"size": frames.shape[-2:], "limits": fit_limits(around_zero, [frames])}


class Flow(View):
    """A view with a scale of its own for each stage."""

    def spec(self, frames: Frame, name: str) -> dict[str, Any]:
        """Return what the page needs to know."""
        stages = [drawn | _fitted(frames[drawn["name"]]) for drawn in self.options["stages"]]
        return super().spec(frames, name) | {"stages": stages}


def flow(
    steps: Iterable[Stage | str],
    *,
    rows: Iterable[Any],
    at: str | None = None,
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
    at : str, optional
        Name of the control that holds the place of the chosen row, such as `token_buttons`.
        Without one, the reader chooses a row in the figure itself.
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
    ... )
    >>> [each["depth"] for each in view.options["stages"]]
    [0, 1, 1, 2]
    """
    shared, stages = labels_of("rows", rows), _in_order(steps)
    parts = ("stage", "row", "column", "value")
    options = common(title, digits) | {"rows": shared, "at": at, "stages": _drawn(stages, digits)}
    options["reads"] = read_sentence("reads", reads, parts_of(parts), digits)
    needs: dict[str, Shape] = {
        each.name: (len(each.rows or shared), len(each.columns) if each.columns else None)
        for each in stages
    }
    tables = [table(s.name, s.rows or "rows", s.columns or (), s.name) for s in stages]
    moves = {at: (0.0, len(shared) - 1.0)} if at else {}
    return Flow("flow", options, needs, around_zero, moves=moves, tables=tables, wide=510)


def _in_order(steps: Iterable[Stage | str]) -> list[Stage]:
    """Return the stages; each may come only after others that stand before it."""
    stages: list[Stage] = []
    for given in as_list("steps", steps, "stages"):
        names = [each.name for each in stages]
        each = stage(given, after=names[-1:]) if isinstance(given, str) else given
        if not isinstance(each, Stage):
            raise TypeError(f"a flow is made of stages, but one is {each!r}: use stage(…)")
        if each.name in names:
            raise ValueError(f"two stages are called {each.name!r}: give each a name of its own")
        for source in each.after:
            if source not in names:
                raise ValueError(
                    f"the stage {each.name!r} comes after {source!r}, but no stage before it has "
                    f"that name; those before it are: {', '.join(names) or 'none'}"
                )
        stages.append(each)
    if not stages:
        raise ValueError("a flow needs at least one stage, but has none")
    return stages


def _drawn(stages: Sequence[Stage], digits: int) -> list[dict[str, Any]]:
    """Return the stages as the page gets them, with their depths and the places of sources."""
    place = {each.name: k for k, each in enumerate(stages)}
    depth: dict[str, int] = {}
    for each in stages:
        depth[each.name] = max((depth[source] + 1 for source in each.after), default=0)
    return [
        vars(each)
        | {"depth": depth[each.name]}
        | {"after": [[place[source], part] for source, part in each.after.items()]}
        | {"says": read_sentence("says", each.says, SAYS, digits)}
        for each in stages
    ]
