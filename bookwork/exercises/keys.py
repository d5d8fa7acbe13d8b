"""The key of an exercise: what a page needs to judge a choice, a number or a shape itself.

Nothing is written twice: the checker is asked about each answer that it declares, and its verdicts
are the key. bookwork/page/exercises/key.js reads it, and the page has a form in place of the cell.
Where any of the checker is code, a function that says what is right or what to do next, there is no
key: the exercise is a cell like any other.
"""

from collections.abc import Iterator
from typing import Any

from bookwork.exercises.checkers import ChoiceChecker
from bookwork.exercises.numbers import Declared, NumberChecker
from bookwork.exercises.verdicts import Finding


def key_of(checker: Any) -> dict[str, Any] | None:
    """Return the key of an exercise, or None if any of it is code.

    Examples
    --------
    >>> key_of(ChoiceChecker("a", {"a": "yes.", "b": "no."}))
    {'choices': {'a': ('correct', 'yes.'), 'b': ('known mistake', 'no.')}}
    >>> key_of(len) is None
    True
    """
    if isinstance(checker, ChoiceChecker):
        return {"choices": {letter: tuple(checker(letter)) for letter in checker.explanations}}
    if not isinstance(checker, Declared) or any(part.is_code for part in checker.in_turn):
        return None
    return {"parts": [_part(checker, place) for place in range(len(checker.in_turn))]}


def _part(checker: Declared, place: int) -> dict[str, Any]:
    """Return what is known about one of several answers, while all others are right."""
    part, rights = checker.in_turn[place], [part.right for part in checker.in_turn]

    def judged(answer: Any) -> Finding:
        return checker(*rights[:place], answer, *rights[place + 1 :])

    known = [(answer, within, *judged(answer)) for answer, within in _declared(part)]
    shape = {} if isinstance(part, NumberChecker) else {"asks": part.asks, "axes": part.axes}
    return {"name": part.name, "known": known, "advice": part.advice} | shape


def _declared(part: Any) -> Iterator[tuple[Any, float]]:
    """Yield each answer that is declared, and how far another may be from it."""
    if not isinstance(part, NumberChecker):
        yield from ((list(shape), 0) for shape in [part.right, *part.others])
        return
    near: dict[float, float] = {part.right: part.tolerance}  # type: ignore[dict-item]
    near |= {other: part.rough or part.tolerance for other in part.others if other not in near}
    for number, tolerance in near.items():
        yield number, tolerance * max(1.0, abs(number))
