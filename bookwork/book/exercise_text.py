"""The exercises as the chapters print them: title, effort, choices, starter, hints, solution."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from bookwork.book.book_text import part_of
from bookwork.book.exercise_grammar import CHOICE, EFFORT, LABEL, POINT


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
    starter, solution = (parts[kinds.index(kind)].body for kind in ("starter", "solution"))
    return ExerciseText(
        chapter=page.name,
        label=label,
        title=exercise.argument,
        minutes=int(effort["minutes"]),
        difficulty=effort["difficulty"],
        choices=dict(CHOICE.findall(exercise.body)),
        points=len(POINT.findall(exercise.body)),
        starter=starter,
        hints=kinds.count("hint"),
        code="\n".join(re.findall(r"```python\n(.+?)\n```", solution, re.S)),
    )
