"""The exercises that can be checked, by label; `check` finds one here and judges an answer."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from itertools import starmap
from pkgutil import iter_modules
from typing import Any, TypeAlias

from bookwork.exercises.verdicts import NOT_STARTED, Finding, Verdict, unfinished
from bookwork.exercises.words import as_lists, show

Checkers: TypeAlias = dict[str, Callable[..., Finding]]  # by label


@dataclass(frozen=True)
class Exercise:
    """How the exercise with a label is checked; its chapter has everything else about it.

    Examples
    --------
    >>> def check_bits(most):
    ...     return Finding("correct", "no more fit.") if most == 372 else Finding("not yet", "no.")
    >>> Exercise("ex-bits", check_bits).call
    'check("ex-bits", most)'
    """

    label: str
    checker: Callable[..., Finding]  # takes what the starter passes to `check`

    @property
    def call(self) -> str:
        """The last line of the starter cell, which passes the answer to `check`."""
        names = ", ".join(inspect.signature(self.checker).parameters)
        return f'check("{self.label}", {getattr(self.checker, "answer", names)})'

    @property
    def key(self) -> dict[str, Any] | None:
        """What a page needs to judge a choice, a number or a shape, or None if it needs Python."""
        return getattr(self.checker, "key", None)

    def judge(self, *answer: Any, **named: Any) -> Finding:
        """Judge an answer, which may be handed over in a wrong way."""
        if all(map(unfinished, (*answer, *named.values()))):
            return Finding("not started", NOT_STARTED)
        try:
            inspect.signature(self.checker).bind(*answer, **named)
        except TypeError:
            return Finding("wrong shape", f"pass the answer as in {self.call}.")
        return self.checker(*answer, **named)


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
        """Judge an answer, as the starter cell passes it; this never raises, however odd it is."""
        if not isinstance(label, str) or label not in self:
            raise ValueError(f"there is no exercise {show(label)}")
        try:
            given = {name: as_lists(part) for name, part in named.items()}
            finding = self[label].judge(*map(as_lists, answer), **given)
        except Exception as error:  # an answer so odd that no check expects it
            kind = type(error).__name__
            says = f"this answer could not be judged: the checker failed with {kind}."
            finding = Finding("not yet", says)
        return Verdict(label, finding.status, finding.message)


def read_module(name: str) -> tuple[Exercise, ...]:
    """Return the exercises of one module of checkers."""
    given = getattr(import_module(name), "EXERCISES", {})
    if not isinstance(given, dict):
        raise TypeError(f"EXERCISES in {name} should be a dictionary, but is {show(given)}")
    return tuple(starmap(Exercise, given.items()))
