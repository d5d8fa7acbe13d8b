"""Answers that are numbers or shapes: what is right, and what people answer instead."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, TypeAlias

from bookwork.exercises.checkers import NOT_STARTED, plain, unfinished
from bookwork.exercises.verdicts import Finding
from bookwork.exercises.words import show

_EXACT = 2**53 - 1  # the largest whole number that a page can count to
Says: TypeAlias = str | Callable[[Any], str]  # with {} for the answer, or made from the answer


class Declared:
    """A checker of one answer or, `in_turn`, of several."""

    @property
    def in_turn(self) -> tuple[Any, ...]:
        """What judges each answer."""
        return (self,)

    @property
    def answer(self) -> str:
        """What the starter passes to `check`."""
        return ", ".join(part.name for part in self.in_turn)

    @property
    def __signature__(self) -> inspect.Signature:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature([inspect.Parameter(part.name, kind) for part in self.in_turn])

    def __call__(self, *answers: Any, **named: Any) -> Finding:
        """Return the finding of the first part that is not right, or else of the last."""
        given = self.__signature__.bind(*answers, **named).args
        if any(unfinished(answer) for answer in given):
            return Finding("not started", NOT_STARTED)
        for part, answer in zip(self.in_turn, given, strict=True):
            finding = part.unreadable(answer) or part.judge(answer)
            if finding.status != "correct":
                break
        return finding


@dataclass(frozen=True)
class NumberChecker(Declared):
    """Checks one number; wrong ones that readers are known to give have their explanations.

    Parameters
    ----------
    name : str
        The variable of the starter that holds the answer.
    right : float or callable
        The right number, or a function that says whether a number is right.
    others : mapping of float to str
        The message for each wrong number that is known.
    advice : str, tuple of str or callable
        The message for any other number, with {} for the number; one for what is too small and
        one for what is too large; or a function that makes it.
    praise : str or callable
        The message if the number is right.
    asks : str
        The message for what is no number, with {} for the answer.
    tolerance, rough : float
        How far an answer may be from the right number and from the others, as a share of the
        number, or of 1 if it is smaller than that; the default of `rough` is `tolerance`.
    odd : callable, optional
        Returns a message for numbers that make no sense, such as a negative length, else "".
    read : callable
        Turns an answer into the number that is meant: 66 percent into 0.66.
    before : str
        What comes before each message of `others`.

    Examples
    --------
    >>> place = NumberChecker("place", 12, {24: "both are back, but for the second time."})
    >>> place(24)
    Finding(status='known mistake', message='both are back, but for the second time.')
    >>> place("noon")
    Finding(status='wrong shape', message="the answer is one number, not 'noon'.")
    """

    name: str
    right: float | Callable[[float], bool]
    others: Mapping[float, str] | Mapping[int, str] = field(default_factory=dict)
    advice: Says | tuple[str, str] = "it is not {}."
    praise: Says = "that is the number."
    asks: str = "the answer is one number, not {}."
    tolerance: float = 1e-6
    rough: float = 0.0
    odd: Callable[[float], str] = lambda number: ""
    read: Callable[[float], float] = float
    before: str = ""

    @property
    def is_code(self) -> bool:
        """Whether more decides than what is near the declared numbers: functions do."""
        default = type(self)
        code = (callable(each) for each in (self.right, self.praise, self.advice))
        more = any(code) or "{}" in str(self.praise)
        return more or (self.odd, self.read) != (default.odd, default.read)

    def unreadable(self, answer: Any) -> Finding | None:
        """Say that an answer is no number, if it is none."""
        if not isinstance(plain(answer), Real) or plain(answer) != plain(answer):  # NaN
            return Finding("wrong shape", _said(self.asks, answer))
        try:
            float(answer)
        except OverflowError:
            return Finding("not yet", "this number cannot be right: it has more than 308 digits.")
        return None

    def judge(self, answer: Any) -> Finding:
        """Judge what is a number."""
        number = self.read(float(answer))
        if says := self.odd(number):
            return Finding("known mistake", says)
        if self._is_right(number):
            return Finding("correct", _said(self.praise, number))
        for other, says in self.others.items():
            if _near(number, other, self.rough or self.tolerance):
                return Finding("known mistake", self.before + says)
        advice = self.advice(number) if callable(self.advice) else self.advice
        if isinstance(advice, tuple):
            advice = advice[not callable(self.right) and number > self.right]
        return Finding("not yet", _said(advice, answer))

    def _is_right(self, number: float) -> bool:
        if callable(self.right):
            return self.right(number)
        return _near(number, self.right, self.tolerance)


def _near(number: float, other: float, tolerance: float) -> bool:
    return abs(number - other) <= tolerance * max(1.0, abs(other))  # never for NaN


def _said(says: Says, answer: Any) -> str:
    return says(answer) if callable(says) else says.replace("{}", _shown(answer))


def _shown(answer: Any) -> str:
    """Return a number with enough digits to recognise it, a whole one with all; else `show`."""
    if not isinstance(answer, int | float):
        return show(answer)
    is_whole = abs(answer) <= _EXACT and answer == int(answer)
    return str(int(answer)) if is_whole else show(answer, 8)


@dataclass(frozen=True)
class ShapeChecker(Declared):
    """Checks a shape; wrong ones that readers are known to give have their explanations.

    Parameters
    ----------
    name : str
        The variable of the starter that holds the answer.
    right : tuple of int
        The right shape.
    others : mapping of tuple to str
        The message for each wrong shape that is known.
    advice, praise : str or callable
        The messages for any other shape, with {} for the shape, and for the right one.
    asks : str
        The message for what is no shape, with {} for the answer.
    before : str
        What comes before each message of `others`.
    axes : int, optional
        How many numbers a shape must have to be taken for one.

    Examples
    --------
    >>> weights = ShapeChecker("weights", (5, 8), {(8, 5): "rows are queries."})
    >>> weights([8, 5])
    Finding(status='known mistake', message='rows are queries.')
    """

    name: str
    right: tuple[int, ...]
    others: Mapping[tuple[int, ...], str] = field(default_factory=dict)
    advice: Says = "the shape is not {}."
    praise: Says = "that is the shape."
    asks: str = "a shape is written as in (rows, columns), but yours is {}."
    before: str = ""
    axes: int | None = None

    @property
    def is_code(self) -> bool:
        """Whether more decides than the declared shapes: functions do."""
        return callable(self.advice) or callable(self.praise)

    def unreadable(self, answer: Any) -> Finding | None:
        """Say that an answer is no shape, if it is none."""
        numbers = isinstance(answer, tuple | list) and all(isinstance(n, Real) for n in answer)
        if numbers and self.axes in (None, len(answer)):
            return None
        return Finding("wrong shape", _said(self.asks, answer))

    def judge(self, answer: Any) -> Finding:
        """Judge what is a shape."""
        shape = tuple(answer)
        if shape == self.right:
            return Finding("correct", _said(self.praise, shape))
        if shape in self.others:
            return Finding("known mistake", self.before + self.others[shape])
        return Finding("not yet", _said(self.advice, shape))


@dataclass(frozen=True)
class SeveralChecker(Declared):
    """Checks several numbers or shapes, one after the other; the first that is wrong counts.

    Examples
    --------
    >>> parts = ShapeChecker("shape", (5, 8)), NumberChecker("total", 5)
    >>> both = SeveralChecker(parts, praise="every row sums to 1.")
    >>> both((5, 8), 5)
    Finding(status='correct', message='every row sums to 1.')
    >>> both((5, 8), ...).status
    'not started'
    """

    parts: tuple[NumberChecker | ShapeChecker, ...]
    praise: str

    @property
    def in_turn(self) -> tuple[Any, ...]:
        """What judges each answer."""
        return self.parts

    def __call__(self, *answers: Any, **named: Any) -> Finding:
        """Judge the answers in their order."""
        finding = super().__call__(*answers, **named)
        return Finding("correct", self.praise) if finding.status == "correct" else finding
