"""The exercises as the chapters print them: title, effort, choices, starter, hints, solution."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from bookwork.book.myst import Text, walk
from bookwork.book.pages import part_of

LABEL = re.compile(r"ex-[a-z0-9-]{1,60}")  # as in bookwork/page/exercises/verdict.js
LABEL_RULE = "begins with ex-, followed by at most 60 lower-case letters, digits and hyphens"
CHECK = re.compile(r"""\bcheck\(\s*["']([^"']*)["']""")
EFFORT = re.compile(r"\((?P<minutes>\d+) min, (?P<difficulty>easy|medium|hard)\)")
CHOICE = re.compile(r"^- \*\*(\w)\*\*: (.+)$", re.M)
POINT = re.compile(r"^\d\. ", re.M)


@dataclass(frozen=True)
class ExerciseText:
    """An exercise as its chapter prints it.

    Examples
    --------
    >>> both = 'def double(x):\\n    return 2 * x\\n\\n\\ncheck("ex-double", double)'
    >>> exercise = ExerciseText("sums", "ex-double", "Twice", 3, "easy", {}, 0, "", 1, both)
    >>> exercise.answer
    'def double(x):\\n    return 2 * x\\n'
    >>> exercise.kind
    'code'
    """

    chapter: str
    label: str
    title: str
    minutes: int
    difficulty: str
    choices: Mapping[str, str]  # by letter
    points: int  # of a rubric, with which readers compare their own words
    starter: str
    hints: int
    code: str  # of the solution

    @property
    def answer(self):
        """The solution as an answer: without the call to `check` at its end."""
        last = ast.parse(self.code).body[-1]
        return "\n".join(self.code.splitlines()[: last.lineno - 1]).rstrip() + "\n"

    @property
    def kind(self):
        """One of "choose", "self-check", "code" and "number"."""
        if self.choices:
            return "choose"
        if self.points:
            return "self-check"
        return "code" if re.search(r"^(def|import|from) ", self.code, re.M) else "number"


def exercises_in(book):
    """Return the complete exercises of all pages; check_exercises.py reports the others."""
    found = [read(page, *each) for page in book.pages for each in page.exercises]
    return [exercise for exercise in found if exercise]


def read(page, exercise, parts):
    """Return one exercise of a page, or None if a part of it is missing."""
    kinds, label = [part_of(part) for part in parts], exercise.options.get("label", "")
    effort = EFFORT.search(exercise.body)
    if set(kinds) != {"starter", "hint", "solution"} or not (effort and LABEL.fullmatch(label)):
        return None
    starter, solution = (parts[kinds.index(kind)] for kind in ("starter", "solution"))
    return ExerciseText(
        chapter=page.name,
        label=label,
        title=exercise.argument,
        minutes=int(effort["minutes"]),
        difficulty=effort["difficulty"],
        choices=dict(CHOICE.findall(exercise.body)),
        points=len(POINT.findall(exercise.body)),
        starter=starter.body,
        hints=kinds.count("hint"),
        code="\n".join(code.rstrip("\n") for code, _ in python_in(solution)),
    )


def python_in(directive):
    """Return the Python that a directive shows, each piece with the line on which it begins."""
    texts = [block for block in walk(directive.blocks) if isinstance(block, Text)]
    found = [piece for text in texts for piece in text.code]
    return [(code, line) for language, code, line in found if language == "python"]
