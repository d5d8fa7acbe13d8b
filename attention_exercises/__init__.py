"""The exercises of the book and their checkers: `check` an answer, get a verdict in words.

>>> from attention_exercises import check
>>> print(check("ex-rows-sum", (8, 5), 8))
Known mistake: rows are queries and columns are keys, so 5 queries and 8 keys make 5 rows of 8.

Each module here has the checks of one chapter, written with the names in `bookwork.exercises`,
which are for authors.
"""

from typing import Any

from bookwork.exercises import Exercise, Exercises, Finding, Status, Verdict

__all__ = ["EXERCISES", "Exercise", "Finding", "Status", "Verdict", "check"]

EXERCISES = Exercises(__name__, __path__)


def check(label: str, *answer: Any, **named: Any) -> Verdict:
    """Judge an answer to an exercise of the book.

    Parameters
    ----------
    label : str
        The label of the exercise, such as ``"ex-softmax"``.
    *answer, **named
        The answer, as the starter cell of the exercise passes it: a function, a number, a
        shape, a letter …

    Returns
    -------
    Verdict
        Its `status` is one of ``"not started"``, ``"wrong shape"``, ``"known mistake"``,
        ``"not yet"`` and ``"correct"``; its `message` says it in words. A wrong or unfinished
        answer never raises.

    Examples
    --------
    >>> print(check("ex-temperature", ...))
    Not started: put your answer in place of the dots, then run the cell.
    >>> check("ex-temperature", 0.436).status
    'correct'
    """
    return EXERCISES.check(label, *answer, **named)
