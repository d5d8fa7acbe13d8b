"""The exercises as the chapters print them: title, effort, choices, starter, hints, solution."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bookwork.book.myst import Directive, Text, walk
from bookwork.book.pages import Page, is_cell, part_of

LABEL = re.compile(r"""[^\s"'\\]{1,100}""")  # as in bookwork/page/exercises/verdict.js
LABEL_RULE = "has at most 100 characters, without spaces, quotation marks and backslashes"
CHECK = re.compile(r"""\bcheck\(\s*["']([^"']*)["']""")
EFFORT = re.compile(r"\((?P<minutes>\d+) min, (?P<difficulty>easy|medium|hard)\)")
CHOICE = re.compile(r"^- \*\*(\w)\*\*: (.+)$", re.M)
POINT = re.compile(r"^\d\. ", re.M)


@dataclass(frozen=True)
class ExerciseText:
    """An exercise as its chapter prints it; what is missing of it is empty.

    Examples
    --------
    >>> text = ":::{exercise} Twice\\n:label: ex-double\\nDouble it. (3 min, easy)\\n:::\\n"
    >>> (exercise,) = exercises_on(Page("chapters/sums.md", text))
    >>> exercise.chapter, exercise.label, exercise.minutes, exercise.hints
    ('sums', 'ex-double', 3, 0)
    """

    page: Page
    directive: Directive
    parts: list[Directive]  # that follow it, in order
    chapter: str
    label: str
    title: str
    minutes: int
    difficulty: str
    choices: Mapping[str, str]  # by letter
    points: int  # of a rubric, with which readers compare their own words
    starter: str
    called: list[str]  # the labels that the starter checks
    hints: int
    code: str  # of the solution


def exercises_on(page):
    """Return the exercises of a page, in order."""
    return [read(page, *each) for each in page.exercises]


def read(page, exercise, parts):
    """Return one exercise of a page: its directive, and the parts that follow it."""
    kinds = ("starter", "hint", "solution")
    starters, hints, solutions = ([p for p in parts if part_of(p) == kind] for kind in kinds)
    effort, code = EFFORT.search(exercise.body), [c for s in solutions for c, _ in python_in(s)]
    return ExerciseText(
        page=page,
        directive=exercise,
        parts=parts,
        chapter=page.name,
        label=exercise.label,
        title=exercise.argument,
        minutes=int(effort["minutes"]) if effort else 0,
        difficulty=effort["difficulty"] if effort else "",
        choices=dict(CHOICE.findall(exercise.body)),
        points=len(POINT.findall(exercise.body)),
        starter=starters[0].body if starters else "",
        called=[label for starter in starters for label in CHECK.findall(starter.body)],
        hints=len(hints),
        code="\n".join(piece.rstrip("\n") for piece in code),
    )


def python_in(directive):
    """Return the Python that a directive shows, each piece with the line on which it begins."""
    found = []
    for block in walk(directive.blocks):
        if isinstance(block, Text):
            found += [(code, line) for language, code, line in block.code if language == "python"]
        elif is_cell(block):
            found.append((block.body, block.start))
    return found
