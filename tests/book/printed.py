"""The exercises as the chapters print them: text, starter, hints, solution."""

import re
from dataclasses import dataclass

from book.chapters import FOLDER

WHOLE = re.compile(
    r"^:::\{exercise\} (?P<title>[^\n]+)\n:label: (?P<label>[^\n]+)\n\n(?P<text>.+?)\n:::\n\n"
    r"```\{code-cell\} ipython3\n:tags: \[exercise\]\n\n(?P<starter>.+?)\n```\n\n"
    r"(?P<hints>.+?)"
    r"^::::\{dropdown\} Solution\n:class-container: book-solution\n\n"
    r":::\{solution\} (?P<solved>[^\n]+)\n\n(?P<solution>.+?)\n:::\n::::\n",
    re.M | re.S,
)
HINT = re.compile(
    r":::\{dropdown\} (Hint[^\n]*)\n:class-container: book-hint\n\n(.+?)\n:::\n\n", re.S
)
EFFORT = re.compile(r"\((\d+) min, (easy|medium|hard)\)")


@dataclass(frozen=True)
class Printed:
    """An exercise as its chapter prints it."""

    chapter: str
    label: str
    title: str
    text: str
    starter: str
    hints: str
    solved: str
    solution: str

    @property
    def code(self):
        """The one block of code in the solution."""
        (code,) = re.findall(r"```python\n(.+?)\n```", self.solution, re.S)
        return code


def read_chapter(path):
    text = path.read_text(encoding="utf-8")
    return [Printed(path.stem, **found.groupdict()) for found in WHOLE.finditer(text)]


PRINTED = [each for path in sorted(FOLDER.glob("*.md")) for each in read_chapter(path)]
