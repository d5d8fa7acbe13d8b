"""The exercises as the chapters print them: text, starter, hints, solution."""

import re
from dataclasses import dataclass

from book.chapters import FOLDER

from attention_lib.exercises import EXERCISES
from tools.book_text import Book, part_of


@dataclass(frozen=True)
class Printed:
    """An exercise as its chapter prints it."""

    chapter: str
    label: str
    starter: str
    hints: int
    solution: str

    @property
    def code(self):
        """The one block of code in the solution."""
        (code,) = re.findall(r"```python\n(.+?)\n```", self.solution, re.S)
        return code


def read_exercise(page, exercise, parts):
    kinds = [part_of(part) for part in parts]
    starter, solution = (parts[kinds.index(kind)].body for kind in ("starter", "solution"))
    label = exercise.options["label"]
    return Printed(page.name, label, starter, kinds.count("hint"), solution)


def is_whole(exercise, parts):
    """Tell whether there is something to test; test_faults.py fails where there is not."""
    kinds = {part_of(part) for part in parts}
    return kinds == {"starter", "hint", "solution"} and exercise.options.get("label") in EXERCISES


PRINTED = [
    read_exercise(page, exercise, parts)
    for page in Book(FOLDER.parent).pages
    for exercise, parts in page.exercises
    if is_whole(exercise, parts)
]
