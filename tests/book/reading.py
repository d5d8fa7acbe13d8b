"""The text of a page with its cells, as myst-nb reads them, and their lines."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from myst_nb.core.read import is_myst_markdown_notebook, read_myst_markdown_notebook
from myst_parser.config.main import MdParserConfig

from bookwork.book.faults import Fault

HEAD = re.compile(r"\A---\n(.*?)\n---\n", re.S)
CONFIG = MdParserConfig(enable_extensions={"colon_fence", "dollarmath"})


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
    """A page of the book as text."""

    path: str  # as seen from the root: chapters/shares.md
    text: str

    @property
    def name(self) -> str:
        """Return its name among the tests and the modules of checkers."""
        return Path(self.path).stem

    @property
    def is_notebook(self) -> bool:
        """Return whether its cells are run."""
        return is_myst_markdown_notebook(self.text)

    @property
    def goals(self) -> list[dict[str, Any]]:
        """Return what its first lines say that readers learn."""
        head = HEAD.match(self.text)
        return yaml.safe_load(head[1])["goals"] if head else []

    @cached_property
    def cells(self) -> list[CodeCell]:
        """Return its code cells."""
        notebook = read_myst_markdown_notebook(self.text, CONFIG, add_source_map=True)
        pairs = zip(notebook.cells, notebook.metadata["source_map"], strict=True)
        return [self.cell(cell, line) for cell, line in pairs if cell.cell_type == "code"]

    def cell(self, cell: Any, line: int) -> CodeCell:
        """Return a cell that begins at a line."""
        lines, code = self.text.split("\n"), cell.source.split("\n")
        start = next(k for k in range(line, len(lines)) if lines[k : k + len(code)] == code) + 1
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        tags = cell.metadata.get("tags", [])
        return CodeCell(cell.source, tags, figure, line, start, start + len(code))

    def line_of_text(self, words: str) -> int:
        """Return the line on which a phrase begins; it may span lines."""
        match = re.search(r"\s+".join(map(re.escape, words.split())), self.text)
        return self.text.count("\n", 0, match.start()) + 1 if match and words else 1

    def fault(self, line: int, sentence: str) -> Fault:
        """Return a fault at a line of this page."""
        return Fault(self.path, line, sentence)


def read_page(root: Path, path: str) -> Page:
    """Return a page of a book."""
    return Page(path, (root / path).read_text(encoding="utf-8"))


def all_pages(root: Path) -> list[Page]:
    """Return the pages of a book in the order of its contents."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [entry for part in toc["parts"] for entry in part["chapters"]]
    names = [toc["root"], *(entry["file"] for entry in chapters)]
    return [read_page(root, f"{name}.md") for name in names if (root / f"{name}.md").is_file()]
