"""Compare what the sentences of a chapter say with what its cells give.

Each chapter has a table of claims: a phrase of a sentence, in which {} stands for a number (or a
word) and … for any words, and a function of the chapter that returns the numbers. A phrase without
{} is a claim in words: its function returns whether it is so, or asserts it.

    CLAIMS = Claims(
        ("The query scores {} against", lambda c: c["scores"].max()),
        ("the first key wins", lambda c: c["scores"].argmax() == 0),
    )

Only decimals, percentages and numbers from 100 on need a claim, and no years. GIVEN has those that
nothing computes, with the reason: `GIVEN = {"as published": "141 2,048"}`.
"""

import importlib
import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any, NamedTuple

import numpy as np
from chapters.page import Chapter, Page

WORDS = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
]
PARTS = {"{}": r"([−-]?\w(?:[\w.,]*\w)?)", "…": ".*?", " ": r"\s"}  # of a phrase
NO_PROSE = [  # in which nobody counts
    *(r"\{math\}.*?```", r"\$[^$]*\$"),  # equations
    r"```python\s.*?```",  # solutions, which test_exercises.py runs
    r"\{[\w:]+\}`[^`]*`|`[^`\n]*`",  # references, code
    r"\]\([^)]*\)",  # link targets
    r"\n:\w[\w-]*: [^\n]*",  # options
]
NUMBER = re.compile(r"(?<![\w.,/^-])(\d[\d,]*\d|\d)(\.\d+)?( %| per cent)?(?![\w/]|-\w)")
YEAR = re.compile(r"1[5-9]\d\d|20[0-2]\d")


class Claim(NamedTuple):
    """A phrase of the text, what computes it, and whether that takes long."""

    phrase: str
    compute: Callable[[Chapter], Any]
    rare: bool = False


class Claims(list[Claim]):
    def __init__(self, *rows: tuple[str, Callable[[Chapter], Any]]):
        super().__init__(Claim(*row) for row in rows)

    def says(self, phrase: str, *, rare: bool = False) -> Callable[..., Any]:
        """Add a function as what computes a phrase, as a decorator."""

        def add(compute: Callable[[Chapter], Any]) -> Callable[[Chapter], Any]:
            self.append(Claim(phrase, compute, rare))
            return compute

        return add


def faults_of_page(page: Page, run: Callable[[Page], Chapter]) -> Iterator[str]:
    """Yield what is wrong with the claims of a chapter, and the numbers that have none."""
    module = f"chapters.{page.name}"
    try:
        chapter, table = run(page), importlib.import_module(module)
    except Exception as error:
        if getattr(error, "name", "") == module:
            yield f"{page.path}:1: nothing checks what it says: write tests/chapters/{page.name}.py"
        else:
            yield f"{page.path}:{line_of(error, page.path)}: the cell fails: {say(error)}"
        return
    yield from wrong_claims(chapter, [claim for claim in table.CLAIMS if not claim.rare])
    yield from unclaimed_numbers(chapter, table.CLAIMS, getattr(table, "GIVEN", {}))


def line_of(error: BaseException, path: str) -> int:
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    if isinstance(error, SyntaxError) and error.filename == path:
        lines.append(error.lineno)
    return (lines[-1] if lines else None) or 1


def file_of(chapter: Chapter) -> str:
    return f"tests/chapters/{chapter.page.name}.py"


def wrong_claims(chapter: Chapter, claims: list[Claim]) -> Iterator[str]:
    """Yield what is wrong with the claims: their sentence and both numbers, or the nearest."""
    for claim in claims:
        here = f"{file_of(chapter)}:{claim.compute.__code__.co_firstlineno}"
        found = places_of(claim, chapter)
        if len(found) == 1:
            for position, wrong in disagreements(claim, found[0], chapter):
                said = chapter.sentence_at(position)
                line = chapter.line_at(position)
                yield f'{chapter.page.path}:{line}: "{said}" – {wrong} ({here})'
        else:
            yield f'{here}: "{claim.phrase}" {misplaced(claim, found, chapter)}'


def places_of(claim: Claim, chapter: Chapter) -> list[re.Match[str]]:
    """Return where a chapter has the phrase of a claim; how words are set does not matter."""
    pieces = re.split(r"(\{\}|…| )", claim.phrase.replace("*", ""))
    pattern = "".join(PARTS.get(piece, re.escape(piece)) for piece in pieces)
    return list(re.finditer(pattern, chapter.prose, re.I | re.S))


def misplaced(claim: Claim, found: list[re.Match[str]], chapter: Chapter) -> str:
    """Say where the phrase of a claim stands more than once, or what is nearest to it."""
    path = chapter.page.path
    if found:
        lines = ", ".join(str(chapter.line_at(match.start())) for match in found)
        return f"is in {path} in more than one place (lines {lines}): add a word to it"
    position, said = max(chapter.sentences, key=lambda each: likeness(claim.phrase, each[1]))
    line = chapter.line_at(position)
    return f'is no longer in {path}; the nearest sentence is in line {line}: "{said}"'


def likeness(phrase: str, sentence: str) -> float:
    """Return how much of a phrase is in a sentence, in the same order."""
    words, others = (re.findall(r"\w+", text.lower()) for text in (phrase, sentence))
    blocks = SequenceMatcher(None, words, others, autojunk=False).get_matching_blocks()
    return sum(block.size**2 for block in blocks)


def disagreements(
    claim: Claim, found: re.Match[str], chapter: Chapter
) -> Iterator[tuple[int, str]]:
    """Yield where the text differs from what is computed, and how."""
    try:
        computed = values_of(claim.compute(chapter))
    except AssertionError as error:
        yield found.start(), f"this is not so: {' '.join(str(error).split())[:300]}"
        return
    except Exception as error:
        yield found.start(), f"this cannot be computed: {say(error)}"
        return
    if len(found.groups()) != len(computed):
        yield found.start(), f"{len(found.groups())} numbers, but {len(computed)} are computed"
        return
    for group, value in enumerate(computed, start=1):
        if not agrees(found[group], value):
            given = value if isinstance(value, str) else f"{float(value):,.6g}"
            yield found.start(group), f"the text says {found[group]}, the cells give {given}"


def values_of(computed: Any) -> list[Any]:
    """Return the numbers that a claim computes: several, one, or none if it says whether."""
    assert computed is not False, "False"
    if computed is None or isinstance(computed, (bool, np.bool_)):
        assert computed is None or computed, "False"
        return []
    return [computed] if isinstance(computed, str) or np.ndim(computed) == 0 else [*computed]


def agrees(text: str, value: Any) -> bool:
    """Return whether a text states `value`: a word exactly, a number to the digits given."""
    if isinstance(value, str):
        return text == value
    number = text.replace(",", "").replace("−", "-")
    stated = str(WORDS.index(text.lower())) if text.lower() in WORDS else number
    decimals = len(stated.partition(".")[2])
    return f"{round(float(value), decimals) + 0.0:.{decimals}f}" == stated  # never -0.0


def unclaimed_numbers(
    chapter: Chapter, claims: list[Claim], given: Mapping[str, str]
) -> Iterator[str]:
    """Yield the numbers that no claim computes, each with its sentence, and GIVEN ones not there.

    Equations, code, references and link targets do not count.
    """
    prose = chapter.prose
    for pattern in NO_PROSE:
        prose = re.sub(pattern, lambda match: " " * len(match[0]), prose, flags=re.S)
    claimed = set(claimed_positions(chapter, claims))
    known = {number for numbers in given.values() for number in numbers.split()}
    said = set()
    for match in NUMBER.finditer(prose):
        number, here = match[1] + (match[2] or ""), match.start()
        if needs_a_claim(match) and number not in known | said and here not in claimed:
            where = f"{chapter.page.path}:{chapter.line_at(here)}"
            sentence = f"no claim computes {number}: add it to {file_of(chapter)}"
            yield f'{where}: "{chapter.sentence_at(here)}" – {sentence}'
        said.add(number)
    for number in sorted(known - said):
        yield f"{file_of(chapter)}:1: {number} is GIVEN, but {chapter.page.path} does not say it"


def claimed_positions(chapter: Chapter, claims: list[Claim]) -> Iterator[int]:
    """Yield the positions in the prose that a number of a claim covers."""
    for match in (match for claim in claims for match in places_of(claim, chapter)):
        for start, end in match.regs[1:]:
            yield from range(start, end)


def needs_a_claim(match: re.Match[str]) -> bool:
    """Return whether a number is a decimal, a percentage, or 100 and more, and no year."""
    whole, decimals, percent = match.groups()
    if decimals or percent:
        return True
    return len(whole) > 2 and not YEAR.fullmatch(whole)


def say(error: BaseException) -> str:
    reason = error.msg if isinstance(error, SyntaxError) else error
    return " ".join(f"{type(error).__name__}: {reason}".split())
