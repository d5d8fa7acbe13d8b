"""The exercises of the book and their checkers: `check` an answer, get a verdict in words.

>>> from attention_lib.exercises import check
>>> print(check("ex-rows-sum", (8, 5), 8))
Known mistake: rows are queries and columns are keys, so 5 queries and 8 keys make 5 rows of 8.
"""

import difflib
import inspect
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from attention_lib.exercises import (
    attention_pooling,
    how_attention_learns,
    making_it_fast,
    multi_head_attention,
    queries_keys_values,
    scoring_functions,
    self_attention,
    summary,
    why_attention,
)
from attention_lib.exercises._ladder import NOT_STARTED, plain, unfinished
from attention_lib.exercises._table import Exercise, Finding, Status, Verdict
from attention_lib.exercises._words import show

__all__ = ["EXERCISES", "Exercise", "Status", "Verdict", "check"]

CHAPTERS = (
    why_attention,
    queries_keys_values,
    attention_pooling,
    scoring_functions,
    self_attention,
    multi_head_attention,
    how_attention_learns,
    making_it_fast,
    summary,
)
EXERCISES: Mapping[str, Exercise] = MappingProxyType(
    {exercise.label: exercise for chapter in CHAPTERS for exercise in chapter.EXERCISES}
)


def check(label: str, *answer: Any, **named: Any) -> Verdict:
    """Judge an answer to an exercise of the book.

    Parameters
    ----------
    label : str
        The label of the exercise, such as ``"ex-softmax"``.
    *answer, **named
        The answer, as the starter cell of the exercise hands it over: a function, a number, a
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
    exercise = _find(label)
    try:
        finding = _judge(exercise, answer, named)
    except Exception as error:  # an answer so odd that no rung of the ladder expects it
        finding = Finding(
            "not yet", f"this answer could not be judged: the checker met {type(error).__name__}."
        )
    return Verdict(exercise.label, finding.status, finding.message)


def _judge(exercise: Exercise, answer: tuple[Any, ...], named: dict[str, Any]) -> Finding:
    answer = tuple(plain(part) for part in answer)
    named = {name: plain(part) for name, part in named.items()}
    if all(unfinished(part) for part in (*answer, *named.values())):
        return Finding("not started", NOT_STARTED)
    try:
        inspect.signature(exercise.checker).bind(*answer, **named)
    except TypeError:
        return Finding("wrong shape", f"hand over the answer as in {exercise.call}.")
    return exercise.checker(*answer, **named)


def _find(label: str) -> Exercise:
    if isinstance(label, str) and label in EXERCISES:
        return EXERCISES[label]
    near = difflib.get_close_matches(str(label), EXERCISES, n=1)
    hint = f": do you mean {near[0]!r}?" if near else ""
    raise ValueError(f"there is no exercise {show(label)}{hint}")
