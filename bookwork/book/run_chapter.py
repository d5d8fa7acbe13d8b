"""Run a chapter in this process: its cells in order, its prose with line numbers."""

import ast
import bisect
import contextlib
import io
import re
from dataclasses import dataclass
from typing import Any

from bookwork.book.cell_tags import HIDING
from bookwork.book.myst import Directive
from bookwork.book.pages import Page
from bookwork.live import LiveFigure


@dataclass(frozen=True)
class Cell:
    """One code cell after it has run: its source, its value and its output."""

    source: Directive
    value: Any
    printed: str

    @property
    def code(self) -> str:
        """Return its code."""
        return self.source.body

    @property
    def visible(self) -> bool:
        """Return whether readers see the code."""
        return not HIDING & set(self.source.tags)

    @property
    def starter(self) -> bool:
        """Return whether the cell is the starter of an exercise."""
        return "exercise" in self.source.tags


@dataclass(frozen=True)
class Chapter:
    """A chapter after its cells have run, in order, in one namespace."""

    path: str  # of its page
    prose: str  # text and captions, one space between words
    cells: tuple[Cell, ...]
    namespace: dict[str, Any]
    places: tuple[tuple[int, int], ...]  # position of each word in the prose, and its line

    @property
    def name(self) -> str:
        """Return its name among the tests."""
        return Page(self.path, "").name

    def line_at(self, position: int) -> int:
        """Return the line of the file for a position in the prose."""
        return self.places[bisect.bisect(self.places, (position, 10**9)) - 1][1]

    @property
    def figures(self) -> list[LiveFigure]:
        """Return the live figures in the order of the page."""
        return [cell.value for cell in self.cells if isinstance(cell.value, LiveFigure)]

    def figure(self, name: str) -> LiveFigure:
        """Return the live figure with this label, such as ``fig-exact``."""
        for cell in self.cells:
            if cell.source.figure_name == name:
                return cell.value
        raise KeyError(f"the chapter {self.name} has no figure {name}")


def run_page(page: Page) -> Chapter:
    """Run the cells of a page, and return the result."""
    namespace: dict[str, Any] = {"__name__": page.name}
    lines, words, cells = page.text.split("\n"), [], []
    last = 1 + lines.index("---", 1) if lines[0] == "---" else 0
    for cell in page.cells:
        words += words_between(lines, last, cell.line - 1)
        words += place_words(cell.figure.get("caption", "").split(), lines, cell.line - 1)
        cells.append(_run_cell(cell, namespace, page.path))
        last = cell.end
    prose, places = join_words([*words, *words_between(lines, last, len(lines))])
    return Chapter(page.path, prose, tuple(cells), namespace, places)


def words_between(lines: list[str], start: int, end: int) -> list[tuple[str, int]]:
    """Return the words of some lines, each with its line; the numbers of lists are left out."""
    plain = [re.sub(r"^ *\d+\. ", "", line) for line in lines[start:end]]
    return [(word, k) for k, line in enumerate(plain, start=start + 1) for word in line.split()]


def place_words(words: list[str], lines: list[str], start: int) -> list[tuple[str, int]]:
    """Return each word with its line; they follow each other in the file."""
    placed = []
    for word in words:
        start = next((k for k in range(start, len(lines)) if word in lines[k]), start)
        placed.append((word, start + 1))
    return placed


def join_words(words: list[tuple[str, int]]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Join words by spaces; return the text, and for each word its position and its line."""
    places, position = [], 0
    for word, line in words:
        places.append((position, line))
        position += len(word) + 1
    return " ".join(word for word, _ in words), tuple(places)


def _run_cell(cell: Directive, namespace: dict[str, Any], path: str) -> Cell:
    """Execute all statements; keep the value of the last one if it is an expression.

    Tracebacks show the file and the lines of the chapter.
    """
    tree = ast.parse("\n" * (cell.start - 1) + cell.body, path)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, path, "exec"), namespace)
        value = eval(compile(ast.Expression(last.value), path, "eval"), namespace) if last else None
    return Cell(cell, value, printed.getvalue())
