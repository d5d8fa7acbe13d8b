"""Answers on paper: the reader compares them with a rubric and ticks its points off."""

from dataclasses import dataclass
from typing import Any

from numpy import bool_

from bookwork.exercises.checkers import NOT_STARTED, FunctionChecker, unfinished
from bookwork.exercises.verdicts import Finding
from bookwork.exercises.words import show


def first_open(done: Any, rubric: tuple[str, ...], before: str) -> Finding | None:
    """Return a finding for the first point that is not ticked off, if there is one."""
    if not isinstance(done, list | tuple) or len(done) != len(rubric):
        return Finding(
            "wrong shape",
            f"done should have {len(rubric)} entries, True or False, one for each point of the "
            f"rubric, but is {show(done)}.",
        )
    for number, (tick, point) in enumerate(zip(done, rubric, strict=True), start=1):
        if tick is not ... and not isinstance(tick, bool | bool_):
            return Finding(
                "known mistake", f"point {number} of done is {show(tick)}: write True or False."
            )
        if tick is ... or not tick:
            return Finding("not yet", f"{before} point {number} is still open: {point}")
    return None


@dataclass(frozen=True)
class RubricChecker:
    """Asks whether a text on paper meets each point of its rubric."""

    rubric: tuple[str, ...]
    praise: str

    def __call__(self, done: Any) -> Finding:
        """Judge the ticks; the reader judges the points."""
        if unfinished(done):
            return Finding("not started", NOT_STARTED)
        before = "compare what you wrote with the rubric and tick off its points in done;"
        return first_open(done, self.rubric, before) or Finding("correct", self.praise)


@dataclass(frozen=True)
class DesignChecker:
    """Checks the code of a design, then asks whether each point of its rubric is met."""

    code: FunctionChecker
    rubric: tuple[str, ...]

    @property
    def answer(self) -> str:
        """What the starter hands over."""
        return f"{self.code.name}, done=done"

    def __call__(self, function: Any, done: Any = None) -> Finding:
        """Judge the function; the reader ticks off the points of the rubric."""
        if unfinished(function):
            return Finding("not started", NOT_STARTED)
        finding = self.code(function)
        if finding.status != "correct":
            return finding
        nothing = unfinished(done) and not isinstance(done, list | tuple)
        ticks = [False] * len(self.rubric) if nothing else done
        before = (
            "the code is right. Compare what you wrote with the rubric and tick off its points in "
            "done;"
        )
        return first_open(ticks, self.rubric, before) or finding
