"""Answers that are numbers, shapes or letters: what is right, and what people answer instead.

All of it is data, so it is also the key with which a page judges such an answer without Python:
web/exercises/key.js does what is done here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from inspect import Parameter, Signature
from math import inf
from numbers import Real
from typing import Any

from bookwork.exercises.verdicts import NOT_STARTED, Finding, Status, unfinished
from bookwork.exercises.words import show

_EXACT = 2**53 - 1  # the largest whole number that a page can count to
Known = tuple[list[float], float, Status, str]  # an answer, how far it reaches, what is said


class Declared:
    """A checker of one value or of several, which come in turn."""

    values: tuple["Value", ...]

    @property
    def __signature__(self) -> Signature:
        return Signature([Parameter(v.name, Parameter.POSITIONAL_OR_KEYWORD) for v in self.values])

    @property
    def key(self) -> dict[str, Any]:
        """What a page needs to judge an answer."""
        return {"parts": [value.part for value in self.values]}

    def __call__(self, *answers: Any, **named: Any) -> Finding:
        """Return the finding of the first value that is not right, or else of the last."""
        given = self.__signature__.bind(*answers, **named).args
        if any(map(unfinished, given)):
            return Finding("not started", NOT_STARTED)
        found = [value.judge(answer) for value, answer in zip(self.values, given, strict=True)]
        return next((each for each in found if each.status != "correct"), found[-1])


@dataclass(frozen=True)
class Value(Declared):
    """Checks a number, or a shape; wrong ones that readers are known to give have their messages.

    Parameters
    ----------
    name : str
        The variable of the starter that holds the answer.
    right : float or tuple of int
        What is right.
    known : mapping to str
        The message for each wrong number or shape that is known.
    advice : str or tuple of str
        The message for any other, with {} for the answer; or one for numbers that are too small
        and one for those that are too large.
    praise : str
        The message for the right answer.
    tolerance, rough : float
        How far an answer may be from the right number and from the known ones, as a share of the
        number, or of 1 if it is smaller than that; the default of `rough` is `tolerance`.

    Examples
    --------
    >>> place = Value("place", 12, {24: "both are back, but for the second time."})
    >>> place(24)
    Finding(status='known mistake', message='both are back, but for the second time.')
    >>> Value("weights", (5, 8), {(8, 5): "rows are queries."})([8, 5]).message
    'rows are queries.'
    """

    name: str
    right: float | tuple[int, ...]
    known: Mapping[Any, str] = field(default_factory=dict)
    advice: str | tuple[str, str] = "it is not {}."
    praise: str = "that is right."
    tolerance: float = 1e-6
    rough: float = 0.0

    @property
    def values(self) -> tuple["Value", ...]:  # type: ignore[override]
        """What judges each answer: itself."""
        return (self,)

    @property
    def is_shape(self) -> bool:
        """Whether the answer is a shape, not a number."""
        return isinstance(self.right, tuple)

    def _known(self, answer: Any, tolerance: float, status: Status, says: str) -> Known:
        if self.is_shape:
            return list(answer), 0.0, status, says
        return [answer], tolerance * max(1.0, abs(answer)), status, says

    @property
    def part(self) -> dict[str, Any]:
        """What a page needs to judge this one of several answers; the right one comes first."""
        kind, rough = "shape" if self.is_shape else "number", self.rough or self.tolerance
        right = self._known(self.right, self.tolerance, "correct", self.praise)
        wrong = [self._known(n, rough, "known mistake", says) for n, says in self.known.items()]
        return {"name": self.name, "kind": kind, "known": [right, *wrong], "advice": self.advice}

    def judge(self, answer: Any) -> Finding:
        """Judge one answer."""
        sizes: Any = answer if self.is_shape else [answer]
        if not isinstance(sizes, tuple | list) or not all(map(_is_finite, sizes)):
            kind = "a shape, as in (rows, columns)" if self.is_shape else "one number"
            says = f"{self.name} is {kind}, but yours is {self._shown(answer)}."
            return Finding("wrong shape", says)
        table = self.part["known"]
        for known, within, status, says in table:
            pairs = list(zip(known, sizes, strict=False))
            if len(known) == len(sizes) and all(abs(a - b) <= within for a, b in pairs):
                return Finding(status, says)
        advice = self.advice
        if isinstance(advice, tuple):
            advice = advice[sizes[0] > table[0][0][0]]
        return Finding("not yet", advice.replace("{}", self._shown(answer)))

    def _shown(self, answer: Any) -> str:
        """Return a number with enough digits to recognise it, a whole one with all; else `show`."""
        if not isinstance(answer, int | float):
            return show(tuple(answer) if self.is_shape and isinstance(answer, list) else answer)
        is_whole = abs(answer) <= _EXACT and answer == int(answer)
        return str(int(answer)) if is_whole else show(answer, 8)


@dataclass(frozen=True)
class Values(Declared):
    """Checks several numbers or shapes, one after the other; the first that is wrong counts.

    Examples
    --------
    >>> both = Values((Value("shape", (5, 8)), Value("total", 5)), praise="every row sums to 1.")
    >>> both((5, 8), 5)
    Finding(status='correct', message='every row sums to 1.')
    """

    values: tuple[Value, ...]
    praise: str

    def __post_init__(self) -> None:
        praised = tuple(replace(value, praise=self.praise) for value in self.values)
        object.__setattr__(self, "values", praised)


def _is_finite(number: Any) -> bool:
    size: Any = abs(number) if isinstance(number, Real) else inf
    return bool(size < 1e308)  # neither infinity nor NaN


@dataclass(frozen=True)
class ChoiceChecker:
    """Checks a letter; every wrong one has its explanation.

    The choices themselves are in the chapter. The build checks that the letters there are those
    that are explained here.

    Parameters
    ----------
    right : str
        The right letter.
    explanations : mapping of str to str
        The message for each letter, including the right one.

    Examples
    --------
    >>> says = {"a": "you count the keys, not the queries.", "b": "one row for each query."}
    >>> ChoiceChecker("b", says)("a")
    Finding(status='known mistake', message='you count the keys, not the queries.')
    """

    right: str
    explanations: Mapping[str, str]

    def __post_init__(self) -> None:
        if self.right not in self.explanations:
            letters = ", ".join(self.explanations)
            raise ValueError(f"the right letter is {self.right}, but {letters} are explained")

    @property
    def key(self) -> dict[str, Any]:
        """What a page needs to judge a letter."""
        return {"choices": {letter: tuple(self(letter)) for letter in self.explanations}}

    def __call__(self, answer: Any) -> Finding:
        """Judge the letter."""
        chosen = answer.strip(" .:()*'\"").lower() if isinstance(answer, str) else ""
        if chosen not in self.explanations:
            letters = ", ".join(f'"{choice}"' for choice in self.explanations)
            says = f"answer with one of {letters}, including the quotes, not {show(answer)}."
            return Finding("wrong shape", says)
        right = chosen == self.right
        return Finding("correct" if right else "known mistake", self.explanations[chosen])
