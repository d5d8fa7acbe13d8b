"""The key of an exercise: what a page needs to judge a choice, a number or a shape itself.

Nothing is written twice: the checker is asked about each answer that it declares, and its verdicts
are the key. bookwork/page/exercises/key.js reads it. Where the checker is code, a function that
says what is right or what to do next, the page asks Python.
"""

from collections.abc import Callable, Iterator
from typing import Any

from bookwork.exercises.checkers import ChoiceChecker
from bookwork.exercises.numbers import Declared, NumberChecker
from bookwork.exercises.verdicts import Finding

ALMOST = 0.999  # of the way to the end of a tolerance
PYTHON = ("", "")  # in place of a status and a message: Python has to judge these answers

Answers = Callable[[Any], Finding]


def key_of(checker: Any) -> dict[str, Any] | None:
    """Return the key of an exercise, or None if all of it is code.

    Examples
    --------
    >>> key_of(ChoiceChecker("a", {"a": "yes.", "b": "no."}))
    {'choices': {'a': ('correct', 'yes.'), 'b': ('known mistake', 'no.')}}
    >>> key_of(len) is None
    True
    """
    if isinstance(checker, ChoiceChecker):
        return {"choices": {letter: tuple(checker(letter)) for letter in checker.explanations}}
    if not isinstance(checker, Declared):
        return None
    rights = [part.right for part in checker.in_turn]
    if len(rights) > 1 and any(callable(right) for right in rights):
        return None
    return {"parts": [_part(checker, rights, place) for place in range(len(rights))]}


def _part(checker: Declared, rights: list[Any], place: int) -> dict[str, Any]:
    """Return what is known about one of several answers, while all others are right."""
    part = checker.in_turn[place]

    def judge(answer: Any) -> Finding:
        return checker(*rights[:place], answer, *rights[place + 1 :])

    if isinstance(part, NumberChecker):
        advice = None if callable(part.advice) or part.is_code else part.advice
        return {"name": part.name, "known": [*_numbers(part, judge)], "advice": advice}
    shapes = [part.right, *part.others]
    known = [(list(shape), 0, *judge(shape)) for shape in shapes]
    asks = {"asks": part.asks, "axes": part.axes}
    return {"name": part.name, "known": known, "advice": part.advice} | asks


def _numbers(part: NumberChecker, judge: Answers) -> Iterator[tuple[Any, ...]]:
    """Yield each number that is declared, how far an answer may be from it, and the verdict."""
    near = {} if callable(part.right) else {part.right: part.tolerance}
    near |= {other: part.rough or part.tolerance for other in part.others if other not in near}
    for number, tolerance in near.items():
        within, finding = tolerance * max(1.0, abs(number)), judge(number)
        ends = (number - ALMOST * within, number + ALMOST * within)
        if part.is_code and any(judge(end) != finding for end in ends):
            yield number, 0, *finding
            yield number, within, *PYTHON
        else:
            yield number, within, *finding
