"""Count the book: for each chapter its words, visible cells, live figures and exercises by kind.

Run it as ``python -m tools.count_book``. Words are those of the text and the captions, without
exercises, hints and solutions.
"""

import re
from pathlib import Path

import yaml

from bookwork.book.book_text import Book
from bookwork.book.cell_tags import HIDING
from bookwork.book.exercise_text import exercises_in
from bookwork.book.notebook_book import files_of
from tools.check_prose import WORD, prose_of

ROOT = Path(__file__).parents[1]
KINDS = ("code", "number", "choose", "self-check")
FIGURE = re.compile(r"^    name: fig-", re.M)
HIDDEN = re.compile("|".join(sorted(HIDING)))
EXERCISE = re.compile(r"^:::\{exercise\}.*?^::::\{dropdown\} Solution.*?^::::$", re.M | re.S)
CELL = re.compile(r"^```\{code-cell\}.*?^```$", re.M | re.S)


def main():
    """Print a table; its last line has the sums."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    files = [Path(file) for file in files_of(toc)]
    rows = [count(file.stem) for file in files if file.parts[0] == "chapters"]
    print("| chapter | words | visible cells | live figures |", " | ".join(KINDS), "|")
    print("|---|" + "--:|" * (len(rows[0]) - 1))
    for row in rows:
        print("|", " | ".join(map(str, row)), "|")
    _, *numbers = zip(*rows, strict=True)
    print("| all |", " | ".join(str(sum(column)) for column in numbers), "|")


def count(name):
    """Return the name of a chapter and its numbers."""
    text = EXERCISE.sub("", (ROOT / "chapters" / f"{name}.md").read_text(encoding="utf-8"))
    cells = CELL.findall(text)
    visible = [cell for cell in cells if not HIDDEN.search(cell)]
    live = [cell for cell in cells if FIGURE.search(cell) and "show_heatmaps(" not in cell]
    kinds = [exercise.kind for exercise in exercises_in(Book(ROOT)) if exercise.chapter == name]
    words = len(WORD.findall(prose_of(text)))
    return [name, words, len(visible), len(live), *(kinds.count(kind) for kind in KINDS)]


if __name__ == "__main__":
    main()
