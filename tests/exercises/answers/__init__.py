"""Answers that readers give, chapter by chapter, as source text.

They come on top of those that need not be written down again: the chapter's own solution, and the
mistakes that each checker declares (see given.py).
"""

from typing import NamedTuple

from attention_exercises import Status


class WrongAnswer(NamedTuple):
    """An answer that readers give, and what they should be told."""

    source: str
    says: str  # a part of the message
    status: Status = "known mistake"


class Answers(NamedTuple):
    """Answers that define the names in the call of `check`, all written differently."""

    right: tuple[str, ...] = ()
    wrong: tuple[WrongAnswer, ...] = ()
