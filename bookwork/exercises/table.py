"""The exercises that can be checked, by label; `check` finds one here and judges an answer."""

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import starmap
from pkgutil import iter_modules
from typing import Any, TypeAlias

from bookwork.exercises.verdicts import NOT_STARTED, Finding, Verdict, unfinished
from bookwork.exercises.words import plain, show

Checkers: TypeAlias = dict[str, Callable[..., Finding]]  # by label


TICKS = "done"  # a list that kept answers to earlier editions hand over; it says nothing any more


@dataclass(frozen=True)
class Exercise:
    """How the exercise with a label is checked; its chapter has everything else about it.

    Parameters
    ----------
    label : str
        Its label in the chapter, such as ``"ex-price"``.
    checker : callable
        Takes what the starter cell passes to `check` and returns a `Finding`: a `FunctionChecker`,
        a `ChoiceChecker`, your own function …

    Examples
    --------
    >>> def check_bits(most):
    ...     return Finding("correct", "no more fit.") if most == 372 else Finding("not yet", "no.")
    >>> Exercise("ex-bits", check_bits).call
    'check("ex-bits", most)'
    """

    label: str
    checker: Callable[..., Finding]

    @property
    def call(self) -> str:
        """The last line of the starter cell, which passes the answer to `check`."""
        names = ", ".join(inspect.signature(self.checker).parameters)
        return f'check("{self.label}", {getattr(self.checker, "answer", names)})'

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters that the checker explains, if the reader is to choose one."""
        return tuple(getattr(self.checker, "explanations", ()))

    @property
    def key(self) -> dict[str, Any] | None:
        """What a page needs to judge a choice, a number or a shape, or None if it needs Python."""
        key: dict[str, Any] | None = getattr(self.checker, "key", None)
        return key


class Exercises(dict[str, Exercise]):
    """The exercises of a book by label, from a package with one module for each chapter.

    A module counts if its name does not begin with an underscore: a new chapter needs no entry in
    any list. All are imported at once, before the reader can change what they use from NumPy.
    """

    def __init__(self, package: str, folders: Iterable[str]) -> None:
        found = [module.name for module in iter_modules(folders) if not module.ispkg]
        names = [name for name in found if not name.startswith("_")]
        self.chapters = {name: read_module(f"{package}.{name}") for name in names}
        super().__init__((each.label, each) for own in self.chapters.values() for each in own)

    def check(self, label: str, *answer: Any, **named: Any) -> Verdict:
        """Judge an answer, as the starter cell of the exercise passes it; this never raises."""
        return judge(self, label, answer, named)


def read_module(name: str) -> tuple[Exercise, ...]:
    """Return the exercises of one module of checkers."""
    given = getattr(import_module(name), "EXERCISES", {})
    if not isinstance(given, dict):
        raise TypeError(f"EXERCISES in {name} should be a dictionary, but is {show(given)}")
    return tuple(starmap(Exercise, given.items()))


def judge(
    exercises: Mapping[str, Exercise], label: str, answer: tuple[Any, ...], named: dict[str, Any]
) -> Verdict:
    """Judge an answer; this never raises, however odd the answer is."""
    exercise = find(exercises, label)
    try:
        finding = _climb(exercise, answer, named)
    except Exception as error:  # an answer so odd that no check expects it
        kind = type(error).__name__
        says = f"this answer could not be judged: the checker failed with {kind}."
        finding = Finding("not yet", says)
    return Verdict(exercise.label, finding.status, finding.message)


def _climb(exercise: Exercise, answer: tuple[Any, ...], named: dict[str, Any]) -> Finding:
    answer = tuple(plain(part) for part in answer)
    named = {name: plain(part) for name, part in named.items() if name != TICKS}
    if all(unfinished(part) for part in (*answer, *named.values())):
        return Finding("not started", NOT_STARTED)
    try:
        inspect.signature(exercise.checker).bind(*answer, **named)
    except TypeError:
        return Finding("wrong shape", f"pass the answer as in {exercise.call}.")
    return exercise.checker(*answer, **named)


def find(exercises: Mapping[str, Exercise], label: str) -> Exercise:
    """Return the exercise with a label, or suggest one with a similar label."""
    if isinstance(label, str) and label in exercises:
        return exercises[label]
    near = difflib.get_close_matches(str(label), exercises, n=1)
    hint = f": did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"there is no exercise {show(label)}{hint}")
