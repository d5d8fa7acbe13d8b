"""A fault in the book: one sentence, with the file and the line to look at."""

import difflib
import re
from typing import NamedTuple


class Fault(NamedTuple):
    """One fault of the book.

    Examples
    --------
    >>> print(Fault("chapters/shares.md", 45, "the cell fails: ZeroDivisionError"))
    chapters/shares.md:45: the cell fails: ZeroDivisionError
    """

    path: str  # relative to the root of the book
    line: int  # 0 for the whole file
    sentence: str

    def __str__(self):
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.sentence}" if place else self.sentence


def print_faults(faults):
    """Print each fault once, file by file; return how many there are."""
    told = sorted(set(faults))
    for fault in told:
        print(fault, flush=True)
    return len(told)


def one_line(text):
    """Return a text without its line breaks."""
    return " ".join(str(text).split())


def did_you_mean(name, known):
    """Return a question with the most similar known name, or nothing.

    Examples
    --------
    >>> did_you_mean("fig-shres", ["fig-shares", "eq-shares"])
    '; did you mean fig-shares?'
    >>> did_you_mean("fig-sofmax", ["sec-why"])
    ''
    """
    near = difflib.get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def line_of(text, word, start=1):
    """Return the line of a word: the first from `start` on, else the first of all, else `start`.

    Examples
    --------
    >>> line_of("one\\ntwo\\none", "one", start=2)
    3
    """
    whole = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
    lines = [k for k, line in enumerate(text.splitlines(), start=1) if whole.search(line)]
    return next((line for line in lines if line >= start), lines[0] if lines else start)
