"""A chapter of the book: its text and its cells as myst-nb reads them, and what they give."""

import ast
import bisect
import contextlib
import io
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from bookwork.book.cell_tags import HIDING
from bookwork.live import LiveFigure
from myst_nb.core.read import is_myst_markdown_notebook, read_myst_markdown_notebook
from myst_parser.config.main import MdParserConfig

ROOT = Path(__file__).parents[2]
HEAD = re.compile(r"\A---\n(.*?)\n---\n", re.S)
CONFIG = MdParserConfig(enable_extensions={"colon_fence", "dollarmath"})
NO_NUMBER = re.compile(r"^ *\d+\. |^:(?:at|right): .*")  # of a list, of a guess
BREAK = re.compile(r" *(?:$|[#|>:`]|[-*] |\d+\. )")  # a line that does not continue the one above
SENTENCE_END = re.compile(r'\n|(?<=[.!?])["”)]* ')


class CodeCell(NamedTuple):
    """A code cell: what it runs, its tags, the figure that it draws, its lines in the page."""

    body: str
    tags: list[str]
    figure: dict[str, str]
    line: int  # on which it begins
    start: int  # on which its code begins
    end: int


@dataclass(frozen=True)
class Page:
    path: str  # as seen from the root: chapters/shares.md
    text: str

    @property
    def name(self) -> str:
        return Path(self.path).stem

    @property
    def is_notebook(self) -> bool:
        return is_myst_markdown_notebook(self.text)

    @property
    def goals(self) -> list[dict[str, Any]]:
        head = HEAD.match(self.text)
        return yaml.safe_load(head[1])["goals"] if head else []

    @cached_property
    def cells(self) -> list[CodeCell]:
        notebook = read_myst_markdown_notebook(self.text, CONFIG, add_source_map=True)
        pairs = zip(notebook.cells, notebook.metadata["source_map"], strict=True)
        return [self.cell(cell, line) for cell, line in pairs if cell.cell_type == "code"]

    def cell(self, cell: Any, line: int) -> CodeCell:
        lines, code = self.text.split("\n"), cell.source.split("\n")
        start = next(k for k in range(line, len(lines)) if lines[k : k + len(code)] == code) + 1
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        tags = cell.metadata.get("tags", [])
        return CodeCell(cell.source, tags, figure, line, start, start + len(code))

    @cached_property
    def words(self) -> list[tuple[str, str, int]]:
        """Return the words of text and captions: what is before each, itself, its line.

        Without emphasis, the numbers of lists, and what a guess says of its figure.
        """
        captions = {cell.line: cell.figure.get("caption", "") for cell in self.cells}
        inside = {line for cell in self.cells for line in range(cell.line, cell.end + 1)}
        head = HEAD.match(self.text)
        words, before = [], "\n"
        for line, text in enumerate(self.text.split("\n"), start=1):
            said = captions.get(line, "") if line in inside else NO_NUMBER.sub("", text)
            before = "\n" if line in inside or BREAK.match(text) else before
            if line > (head[0].count("\n") if head else 0):
                for word in said.replace("*", "").split():
                    words.append((before, word, line))
                    before = " "
        return words


def read_page(root: Path, path: str) -> Page:
    return Page(path, (root / path).read_text(encoding="utf-8"))


def all_pages(root: Path) -> list[Page]:
    """Return the pages of a book in the order of its contents."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [entry for part in toc.get("parts", [toc]) for entry in part["chapters"]]
    names = [toc["root"], *(entry["file"] for entry in chapters)]
    return [read_page(root, f"{name}.md") for name in names if (root / f"{name}.md").is_file()]


class Cell(NamedTuple):
    """A code cell after it has run: its source, its value and what it printed."""

    source: CodeCell
    value: Any
    printed: str

    @property
    def code(self) -> str:
        return self.source.body

    @property
    def shown(self) -> bool:
        """Return whether readers see the code, and it is no exercise."""
        return not {*HIDING, "exercise"} & {*self.source.tags}


class Chapter(dict[str, Any]):
    """A chapter whose cells have run in order: its variables, its figures, its prose.

    In the prose there is a space between words and a line break between paragraphs.
    """

    def __init__(self, page: Page):
        variables: dict[str, Any] = {"__name__": page.name}
        self.page = page
        self.cells = [run_cell(cell, variables, page.path) for cell in page.cells]
        super().__init__(variables)
        self.prose = "".join(before + word for before, word, _ in page.words)
        ends = itertools.accumulate(len(before + word) for before, word, _ in page.words)
        self.places = [(end, line) for end, (*_, line) in zip(ends, page.words, strict=True)]
        breaks = [match.end() for match in SENTENCE_END.finditer(self.prose)]
        self.breaks = [0, *breaks, len(self.prose)]

    def line_at(self, position: int) -> int:
        return self.places[bisect.bisect(self.places, (position, 10**9))][1]

    def sentence_at(self, position: int) -> str:
        after = bisect.bisect(self.breaks, position)
        return self.prose[self.breaks[after - 1] : self.breaks[after]].strip()

    @property
    def sentences(self) -> Iterator[tuple[int, str]]:
        yield from ((start, self.sentence_at(start)) for start in self.breaks[:-1])

    @property
    def figures(self) -> list[LiveFigure]:
        return [cell.value for cell in self.cells if isinstance(cell.value, LiveFigure)]

    def figure(self, name: str) -> Any:
        """Return the live figure with this label, such as ``fig-exact``."""
        for cell in self.cells:
            if cell.source.figure.get("name") == name:
                return cell.value
        raise KeyError(f"the chapter {self.page.name} has no figure {name}")

    def find(self, start: str) -> Cell:
        """Return the cell that readers see with a line that begins so."""
        cells = [cell for cell in self.cells if cell.shown and f"\n{start}" in f"\n{cell.code}"]
        assert len(cells) == 1, f"{len(cells)} cells have a line that begins with {start!r}"
        return cells[0]

    def printed(self, start: str) -> list[str]:
        return self.find(start).printed.splitlines()


def run_cell(cell: CodeCell, variables: dict[str, Any], path: str) -> Cell:
    """Execute all statements; keep the value of the last one if it is an expression.

    Tracebacks show the file and the lines of the chapter.
    """
    tree = ast.parse("\n" * (cell.start - 1) + cell.body, path)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, path, "exec"), variables)
        value = eval(compile(ast.Expression(last.value), path, "eval"), variables) if last else None
    return Cell(cell, value, printed.getvalue())


@cache
def run_chapter(name: str) -> Chapter:
    """Run the cells of a chapter of the book, once for all tests of a process."""
    return Chapter(read_page(ROOT, f"chapters/{name}.md"))


def grid(figure: Any, *names: str) -> Iterator[dict[str, Any]]:
    """Yield every combination of the values of some controls of a figure, by their names."""
    axes = {axis.name: axis.values for axis in figure.axes}
    for values in itertools.product(*(axes[name] for name in names)):
        yield dict(zip(names, values, strict=True))


def fail_with(faults: Iterator[str]) -> None:
    """Fail with the sentences of the faults, if there are any, and nothing around them."""
    if told := "\n".join(faults):
        pytest.fail(told, pytrace=False)
