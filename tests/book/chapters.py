"""Run a chapter in this process, and hold the numbers in its sentences against its cells.

A test of a chapter's numbers is a list of claims: what the text says, as a pattern whose groups are
the numbers, and the same numbers computed from the chapter's own variables.

    CLAIMS = [(r"The query scores (\\S+) against", lambda c: [c["scores"].max()])]
    assert_claims(run_chapter("my_chapter"), CLAIMS)
"""

import ast
import contextlib
import functools
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from myst_nb.core.read import read_myst_markdown_notebook

from attention_lib.live import LiveFigure

FOLDER = Path(__file__).parents[2] / "chapters"
WORDS = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
]
NO_PROSE = [
    r"\{math\}.*?```",  # displayed equations
    r"\$[^$]*\$",
    r"\{[\w:]+\}`[^`]*`",  # roles: references and citations
    r"\]\([^)]*\)",  # where a link leads
    r"\((sec|eq|fig)-[\w-]+\)=",
    r"```python .*?```",  # solutions, which test_exercises.py runs
    r"(?<![^\s(])`[^`]*[(=][^`]*`",  # code with a call or an assignment
    r"\{dropdown\} Hint \d",
    r"\(\d+ min, \w+\)",  # held against the table of exercises by test_exercises.py
]

Claim = tuple[str, Callable[[dict[str, Any]], Sequence[Any]]]


@dataclass(frozen=True)
class Cell:
    """One code cell after it has run: what it holds, returned and printed."""

    code: str
    options: dict[str, Any]
    value: Any
    printed: str

    @property
    def visible(self) -> bool:
        """Tell whether readers see the code."""
        return not {"remove-input", "remove-cell", "hide-input"} & set(self.options.get("tags", []))

    @property
    def starter(self) -> bool:
        """Tell whether the cell is the starter of an exercise."""
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

    @property
    def figures(self) -> list[LiveFigure]:
        """Return the live figures in the order of the page."""
        return [cell.value for cell in self.cells if isinstance(cell.value, LiveFigure)]

    def figure(self, name: str) -> LiveFigure:
        """Return the live figure with this label, such as ``fig-registrar``."""
        for cell in self.cells:
            if cell.options.get("mystnb", {}).get("figure", {}).get("name") == name:
                return cell.value
        raise KeyError(f"the chapter {self.name} has no figure {name}")


@functools.cache
def run_chapter(name: str) -> Chapter:
    """Read ``chapters/name.md`` as the build does, run its cells, and return what came of it."""
    return run_text(name, (FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def run_text(name: str, text: str) -> Chapter:
    """Run the text of a chapter."""
    notebook = read_myst_markdown_notebook(text)
    namespace: dict[str, Any] = {"__name__": name}
    cells, prose = [], []
    for part in notebook.cells:
        if part.cell_type == "code":
            cells.append(_run_cell(part, namespace, f"<{name}, cell {len(cells)}>"))
            prose.append(cells[-1].caption)
        else:
            prose.append(re.sub(r"^ *\d+\. ", "", part.source, flags=re.M))  # no list numbers
    return Chapter(name, " ".join(" ".join(prose).split()), tuple(cells), namespace)


def _run_cell(part: Any, namespace: dict[str, Any], name: str) -> Cell:
    """Execute all statements; the value of the last one is kept if it is an expression."""
    tree = ast.parse(part.source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, name, "exec"), namespace)
        value = eval(compile(ast.Expression(last.value), name, "eval"), namespace) if last else None
    return Cell(part.source, dict(part.metadata), value, printed.getvalue())


def assert_claims(chapter: Chapter, claims: Sequence[Claim]) -> None:
    """Require that each claim stands once in the prose, and that its numbers are those computed."""
    for pattern, compute in claims:
        stated = find_once(chapter.prose, pattern)
        computed = list(compute(chapter.namespace))
        assert len(stated) == len(computed), f"{pattern}: {len(computed)} numbers for {stated}"
        for text, value in zip(stated, computed, strict=True):
            assert agrees(text, value), f"{pattern}: the text says {text}, the cells give {value}"


def find_once(prose: str, pattern: str) -> tuple[str, ...]:
    """Return the groups of the one place that matches."""
    found = list(re.finditer(pattern, prose))
    assert len(found) == 1, f"{pattern!r} matches {len(found)} places of the text, not one"
    return found[0].groups()


def agrees(text: str, value: Any) -> bool:
    """Tell whether the text is `value`: a word as it is, a number to the digits that are stated."""
    if isinstance(value, str):
        return text == value
    stated = str(WORDS.index(text.lower())) if text.lower() in WORDS else text.replace(",", "")
    decimals = len(stated.partition(".")[2])
    return f"{value:.{decimals}f}" == stated


def unclaimed_numbers(chapter: Chapter, claims: Sequence[Claim]) -> list[str]:
    """Return the numbers in the prose that no claim covers, each with the words around it.

    Equations, references and link targets do not count.
    """
    prose = chapter.prose
    for pattern in [*(pattern for pattern, _ in claims), *NO_PROSE]:
        prose = re.sub(pattern, " … ", prose)
    return [match[0] for match in re.finditer(r".{0,25}\d[\d.,]*.{0,15}", prose)]
