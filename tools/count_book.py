"""Count the book: for each chapter its words, visible cells, live figures and exercises by kind.

Run it as ``python -m tools.count_book``. Words are those of the text and the captions, without
exercises, hints and solutions.
"""

from bookwork.book.book import Book
from bookwork.book.cell_tags import HIDING
from bookwork.book.exercise_text import exercises_in
from bookwork.book.myst import walk
from bookwork.book.pages import is_cell, part_of
from tools import ROOT
from tools.check_prose import WORD, prose_of

KINDS = ("code", "number", "choose", "self-check")


def main():
    """Print a table; its last line has the sums."""
    book = Book(ROOT)
    kinds = {}
    for exercise in exercises_in(book):
        kinds.setdefault(exercise.chapter, []).append(exercise.kind)
    chapters = [page for page in book.pages if page.path.startswith("chapters/")]
    rows = [[*count(page), *map(kinds.get(page.name, []).count, KINDS)] for page in chapters]
    print("| chapter | words | visible cells | live figures |", " | ".join(KINDS), "|")
    print("|---|" + "--:|" * (len(rows[0]) - 1))
    for row in rows:
        print("|", " | ".join(map(str, row)), "|")
    _, *numbers = zip(*rows, strict=True)
    print("| all |", " | ".join(str(sum(column)) for column in numbers), "|")


def count(page):
    """Return the name of a chapter and how many words, visible cells and live figures it has."""
    own = [b for b in page.blocks if not part_of(b) and getattr(b, "name", "") != "exercise"]
    cells = [block for block in own if is_cell(block)]
    visible = [cell for cell in cells if not HIDING & set(cell.tags)]
    live = [cell for cell in cells if cell.figure_name and "show_heatmaps(" not in cell.body]
    words = sum(len(WORD.findall(prose)) for prose, _ in prose_of(walk(own)))
    return [page.name, words, len(visible), len(live)]


if __name__ == "__main__":
    main()
