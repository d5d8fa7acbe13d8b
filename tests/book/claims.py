"""Compare the numbers in the sentences of a chapter with its cells.

The tests of a chapter's numbers list its claims: what the text says, as a pattern whose groups are
the numbers, and the same numbers computed from the chapter's own variables.

    CLAIMS = [(r"The query scores (\\S+) against", lambda c: [c["scores"].max()])]
"""

import re
import runpy
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from book.reading import Page
from book.run_chapter import Chapter, run_page

from bookwork.book.faults import Fault, one_line
from bookwork.sphinx.exercises import EFFORT

WORDS = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
]
NO_PROSE = [
    r"\{math\}.*?```",  # displayed equations
    r"\$[^$]*\$",
    r"\{[\w:]+\}`[^`]*`",  # roles: references and citations
    r"\]\([^)]*\)",  # link targets
    r"\((sec|eq|fig)-[\w-]+\)=",
    r"```python .*?```",  # solutions, which test_exercises.py runs
    r"(?<![^\s(])`[^`]*[(=][^`]*`",  # code with a call or an assignment
    r"\{dropdown\} Hint \d",
    EFFORT.pattern,  # of an exercise
]

Claim = tuple[str, Callable[[dict[str, Any]], Sequence[Any]]]


def faults_of_page(
    root: Path, page: Page, run: Callable[[Page], Chapter] = run_page
) -> Iterator[Fault]:
    """Yield the faults of one page: numbers that are wrong, or that no claim covers."""
    tests = f"tests/book/test_numbers_{page.name}.py"
    if not (root / tests).is_file():
        sentence = f"nothing checks the numbers of this chapter: write {tests}"
        yield page.fault(1, f"{sentence}, as in examples/chapter")
        return
    try:
        chapter = run(page)
    except Exception as error:
        yield page.fault(line_of_error(error, page.path), f"the cell fails: {say(error)}")
        return
    try:
        claims = runpy.run_path(str(root / tests))["CLAIMS"]
    except Exception as error:
        line = line_of_error(error, str(root / tests))
        yield Fault(tests, line, f"this file cannot be run: {say(error)}")
        return
    yield from wrong_numbers(chapter, claims, tests)
    yield from unclaimed_numbers(chapter, claims, tests)


def wrong_numbers(chapter: Chapter, claims: Sequence[Claim], tests: str) -> Iterator[Fault]:
    """Yield the claims that do not occur exactly once in the prose, or whose numbers are wrong."""
    for pattern, compute in claims:
        found = list(re.finditer(pattern, chapter.prose))
        try:
            computed = list(compute(chapter.namespace))
        except Exception as error:
            sentence = f"the claim cannot be computed: {say(error)}"
        else:
            sentence = misfit(chapter, pattern, found, computed)
        if sentence:
            line = compute.__code__.co_firstlineno if hasattr(compute, "__code__") else 0
            yield Fault(tests, line, sentence)
        else:
            yield from wrong_values(chapter, found[0], computed)


def misfit(chapter: Chapter, pattern: str, found: list[re.Match[str]], computed: list[Any]) -> str:
    """Return how a claim disagrees with the text or with what it computes, or nothing."""
    if len(found) != 1:
        places = f"{len(found)} places, not one, of {chapter.path}"
        return f"the claim {pattern!r} matches {places}"
    stated = len(found[0].groups())
    if stated != len(computed):
        return (
            f"the claim {pattern!r} has {stated} numbers in brackets, but computes {len(computed)}"
        )
    return ""


def wrong_values(chapter: Chapter, found: re.Match[str], computed: list[Any]) -> Iterator[Fault]:
    """Yield the numbers of one claim that differ from those of the cells."""
    for group, value in enumerate(computed, start=1):
        if not agrees(found[group], value):
            line = chapter.line_at(found.start(group))
            sentence = f"the text says {found[group]}, the cells give {value}"
            yield Fault(chapter.path, line, sentence)


def agrees(text: str, value: Any) -> bool:
    """Return whether a text states `value`: a word exactly, a number to the digits given."""
    if isinstance(value, str):
        return text == value
    stated = str(WORDS.index(text.lower())) if text.lower() in WORDS else text.replace(",", "")
    decimals = len(stated.partition(".")[2])
    return f"{round(float(value), decimals) + 0.0:.{decimals}f}" == stated  # never -0.0


def unclaimed_numbers(chapter: Chapter, claims: Sequence[Claim], tests: str) -> Iterator[Fault]:
    """Yield the numbers in the prose that no claim covers, each with the words around it.

    Equations, references and link targets do not count.
    """
    prose = chapter.prose
    for pattern in [*(pattern for pattern, _ in claims), *NO_PROSE]:
        prose = re.sub(pattern, lambda match: " " * len(match[0]), prose)
    for match in re.finditer(r"\d(?:[\d.,]*\d)?", prose):
        words = around(chapter.prose, *match.span())
        sentence = f'the number {match[0]} in "{words}" has no claim: add one to {tests}'
        yield Fault(chapter.path, chapter.line_at(match.start()), sentence)


def around(text: str, start: int, end: int) -> str:
    """Return a piece of text with whole words on both sides."""
    before = text[:start].split(" ")
    after = text[end:].split(" ")
    return " ".join(before[-4:]) + text[start:end] + " ".join(after[:4])


def line_of_error(error: BaseException, path: str) -> int:
    """Return the line of a file from which an error came, or 1."""
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    if isinstance(error, SyntaxError) and error.filename == path:
        lines.append(error.lineno)
    return (lines[-1] if lines else None) or 1


def say(error: BaseException) -> str:
    """Return the last line of a traceback."""
    reason = error.msg if isinstance(error, SyntaxError) else error
    return one_line(f"{type(error).__name__}: {reason}").removesuffix(":")
