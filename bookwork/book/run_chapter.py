"""Run a chapter in this process: its cells in order, its prose with line numbers."""

import ast
import bisect
import contextlib
import functools
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from myst_nb.core.read import read_myst_markdown_notebook

from bookwork.book.cell_tags import HIDING
from bookwork.book.files import ROOT
from bookwork.live import LiveFigure

FOLDER = ROOT / "chapters"


@dataclass(frozen=True)
class Cell:
    """One code cell after it has run: its code, its value and its output."""

    code: str
    options: dict[str, Any]
    value: Any
    printed: str

    @property
    def visible(self) -> bool:
        """Return whether readers see the code."""
        return not HIDING & set(self.options.get("tags", []))

    @property
    def starter(self) -> bool:
        """Return whether the cell is the starter of an exercise."""
        return "exercise" in self.options.get("tags", [])

    @property
    def caption(self) -> str:
        return self.options.get("mystnb", {}).get("figure", {}).get("caption", "")


@dataclass(frozen=True)
class Chapter:
    """A chapter after its cells have run, in order, in one namespace."""

    name: str
    prose: str  # text and captions, one space between words
    cells: tuple[Cell, ...]
    namespace: dict[str, Any]
    places: tuple[tuple[int, int], ...]  # position of each word in the prose, and its line

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
            if cell.options.get("mystnb", {}).get("figure", {}).get("name") == name:
                return cell.value
        raise KeyError(f"the chapter {self.name} has no figure {name}")


def run_chapter(name: str, folder: Path = FOLDER) -> Chapter:
    """Read ``chapters/name.md`` as the build does, run its cells, and return the result."""
    return _run_file(name, folder / f"{name}.md")


@functools.cache  # of the path, whichever way it was given
def _run_file(name: str, path: Path) -> Chapter:
    return run_text(name, path.read_text(encoding="utf-8"))


def run_text(name: str, text: str) -> Chapter:
    """Run the text of a chapter."""
    notebook = read_myst_markdown_notebook(text, add_source_map=True)
    namespace: dict[str, Any] = {"__name__": name}
    lines, words, cells = text.split("\n"), [], []
    for part, start in zip(notebook.cells, notebook.metadata.source_map, strict=True):
        if part.cell_type == "code":
            first = line_of_code(lines, start, part.source)
            cells.append(_run_cell(part, namespace, f"chapters/{name}.md", first))
            said = cells[-1].caption
        else:
            said = re.sub(r"^ *\d+\. ", "", part.source, flags=re.M)  # list numbers
        words += place_words(said.split(), lines, start - (part.cell_type == "code"))
    prose, places = join_words(words)
    return Chapter(name, prose, tuple(cells), namespace, places)


def line_of_code(lines: list[str], start: int, source: str) -> int:
    """Return the line at which the code of a cell begins, after its options."""
    code = source.split("\n")
    options = range(start, len(lines))
    return next((k + 1 for k in options if lines[k : k + len(code)] == code), start + 1)


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


def _run_cell(part: Any, namespace: dict[str, Any], path: str, first: int) -> Cell:
    """Execute all statements; keep the value of the last one if it is an expression.

    Tracebacks show the file and the lines of the chapter.
    """
    tree = ast.parse("\n" * (first - 1) + part.source, path)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, path, "exec"), namespace)
        value = eval(compile(ast.Expression(last.value), path, "eval"), namespace) if last else None
    return Cell(part.source, dict(part.metadata), value, printed.getvalue())
