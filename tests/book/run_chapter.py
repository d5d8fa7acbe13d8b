"""Run a chapter in this process: its cells in order, its prose with line numbers."""

import ast
import bisect
import contextlib
import io
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from book.reading import HEAD, CodeCell, Page

from bookwork.book.cell_tags import HIDING
from bookwork.live import LiveFigure

NO_NUMBER = re.compile(r"^ *\d+\. |^:(?:at|right): .*")  # that is claimed: of a list, of a guess


@dataclass(frozen=True)
class Cell:
    """One code cell after it has run: its source, its value and its output."""

    source: CodeCell
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
            if cell.source.figure.get("name") == name:
                return cell.value
        raise KeyError(f"the chapter {self.name} has no figure {name}")


def run_page(page: Page) -> Chapter:
    """Run the cells of a page, and return the result."""
    namespace: dict[str, Any] = {"__name__": page.name}
    cells = tuple(_run_cell(cell, namespace, page.path) for cell in page.cells)
    words = list(words_of(page))
    starts = itertools.accumulate((len(word) + 1 for word, _ in words), initial=0)
    places = tuple((start, line) for start, (_, line) in zip(starts, words, strict=False))
    return Chapter(page.path, " ".join(word for word, _ in words), cells, namespace, places)


def words_of(page: Page) -> Iterator[tuple[str, int]]:
    """Yield the words of text and captions, each with its line.

    The numbers of lists are left out, and what a guess says of its figure and of what is right.
    All words of a caption have the line on which it begins.
    """
    captions = {cell.line: cell.figure.get("caption", "") for cell in page.cells}
    inside = {line for cell in page.cells for line in range(cell.line, cell.end + 1)}
    head = HEAD.match(page.text)
    start = head[0].count("\n") if head else 0
    for line, text in enumerate(page.text.split("\n")[start:], start=start + 1):
        said = captions.get(line, "") if line in inside else NO_NUMBER.sub("", text)
        place = max(line, page.line_of_text(said)) if line in captions else line
        yield from ((word, place) for word in said.split())


def _run_cell(cell: CodeCell, namespace: dict[str, Any], path: str) -> Cell:
    """Execute all statements; keep the value of the last one if it is an expression.

    Tracebacks show the file and the lines of the chapter.
    """
    tree = ast.parse("\n" * (cell.start - 1) + cell.body, path)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, path, "exec"), namespace)
        value = eval(compile(ast.Expression(last.value), path, "eval"), namespace) if last else None
    return Cell(cell, value, printed.getvalue())
