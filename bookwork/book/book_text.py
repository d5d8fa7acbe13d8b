"""The chapters as text, for the checks: blocks and labels with their lines."""

import functools
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import yaml
from myst_nb.core.read import is_myst_markdown_notebook
from sphinx.util.matching import Matcher

from bookwork.book.faults import Fault, line_of
from bookwork.book.files import own_files
from bookwork.book.notebook_book import files_of
from bookwork.book.notebook_text import Directive, blocks
from bookwork.book.settings import settings_of

HEAD = re.compile(r"\A---\n(.*?)\n---\n", re.S)
KINDS = (".md", ".ipynb", ".rst", "")  # of pages; a table of contents may leave them out
TARGET = re.compile(r"^\((?P<label>[^()\s]+)\)=\s*$", re.M)


@dataclass(frozen=True)
class Page:
    """A page of the book as text."""

    path: str  # as seen from the root: chapters/shares.md
    text: str

    @property
    def name(self):
        """Its name in the tests and among the modules of checkers."""
        return Path(self.path).stem

    @property
    def is_notebook(self):
        """Return whether its cells are run."""
        return is_myst_markdown_notebook(self.text)

    @property
    def is_python(self):
        """Return whether its cells are Python, as far as it says."""
        return self.metadata.get("kernelspec", {}).get("language", "python").lower() == "python"

    @functools.cached_property
    def metadata(self):
        """Its metadata, between two lines of dashes at its beginning."""
        head = HEAD.match(self.text)
        return (yaml.safe_load(head[1]) if head else None) or {}

    @functools.cached_property
    def blocks(self):
        """Directives, fenced code and the text between, without blank text."""
        found = [block for block, _ in blocks(self.text)]
        return [block for block in found if isinstance(block, Directive) or block.strip()]

    @property
    def cells(self):
        """The code cells."""
        return [block for block in self.blocks if is_cell(block)]

    @property
    def exercises(self):
        """The exercises, each with the blocks that follow it and belong to it."""
        for k, block in enumerate(self.blocks):
            if getattr(block, "name", "") == "exercise":
                yield block, parts_after(self.blocks[k + 1 :])

    @functools.cached_property
    def labels(self):
        """Labels of sections, figures, equations, exercises and tables, each with its line."""
        return [(label, self.line_of(label, start)) for label, start in labels_among(self.blocks)]

    def line_of(self, word, start=1):
        """Return the line of a word, the first from `start` on."""
        return line_of(self.text, word, start)

    def line_of_text(self, words, start=0):
        """Return the line on which a phrase begins, from a position on; it may span lines."""
        pattern = r"\s+".join(map(re.escape, words.split()))
        match = re.compile(pattern).search(self.text, start)
        return self.text.count("\n", 0, match.start()) + 1 if match and words else 1

    def fault(self, line, sentence):
        """Return a fault at a line of this page."""
        return Fault(self.path, line, sentence)


def is_cell(block):
    """Return whether a block is a code cell."""
    return isinstance(block, Directive) and block.name == "code-cell"


def tags_of(cell):
    """Return the tags of a code cell."""
    tags = cell.options.get("tags", [])
    return yaml.safe_load(tags) if isinstance(tags, str) else tags


def figure_of(cell):
    """Return the name and caption of the figure, from the options of a code cell."""
    options = cell.options.get("mystnb")
    return options.get("figure", {}) if isinstance(options, dict) else {}


def part_of(block):
    """Return "starter", "hint" or "solution", or None for a block that belongs to no exercise."""
    if is_cell(block):
        return "starter" if "exercise" in tags_of(block) else None
    classes = getattr(block, "options", {}).get("class-container", "")
    return next((part for part in ("hint", "solution") if f"book-{part}" in classes), None)


def parts_after(following):
    """Return the blocks that follow an exercise and belong to it."""
    parts = []
    for block in following:
        if part_of(block) is None:
            break
        parts.append(block)
    return parts


def labels_in(text):
    """Return the labels that a text defines.

    Examples
    --------
    >>> sorted(labels_in("(sec-why)=\\n# Why\\n\\n:::{exercise}\\n:label: ex-one\\n:::"))
    ['ex-one', 'sec-why']
    """
    return {label for label, _ in labels_among([block for block, _ in blocks(text)])}


def labels_among(found, start=1):
    """Yield the labels of blocks, each with a line from which to search for it."""
    for block in found:
        if not isinstance(block, Directive):
            yield from ((match["label"], start) for match in TARGET.finditer(block))
            continue
        start = max(start, block.line)
        named = figure_of(block) if is_cell(block) else block.options
        yield from ((named[key], start) for key in ("label", "name") if named.get(key))
        if not is_cell(block):
            yield from ((label, start) for label in labels_in(block.body))


def file_named(root, name):
    """Return the file of a page that a table of contents names, with or without its ending."""
    there = [name + kind for kind in KINDS if (root / (name + kind)).is_file()]
    return there[0] if there else f"{name.removesuffix('.md')}.md"


def pages_below(root):
    """Return the texts of a project without _toc.yml: Sphinx finds them by itself."""
    names = sorted(p.relative_to(root).as_posix() for p in own_files(root) if p.suffix == ".md")
    excluded = matcher(settings_of(root)["excluded"])
    return [name for name in names if not excluded(name)]


def matcher(patterns):
    """Return a function that tells whether Sphinx leaves a file out, which may be by its folder."""
    leaves_out = Matcher(patterns)
    return lambda name: any(map(leaves_out, [name, *map(str, PurePosixPath(name).parents)]))


class Book:
    """The texts of the book in the order of _toc.yml; unlisted ones come last.

    Notebooks of Jupyter and pages in reStructuredText are listed, but not read.
    """

    def __init__(self, root):
        self.root, contents = root, root / "_toc.yml"
        self.toc = contents.read_text(encoding="utf-8") if contents.is_file() else ""
        names = files_of(yaml.safe_load(self.toc)) if self.toc else pages_below(root)
        self.listed = [file_named(root, str(name)) for name in names]
        self.written = [f"chapters/{path.name}" for path in sorted(root.glob("chapters/*.md"))]
        there = [path for path in self.listed if (root / path).is_file() and path.endswith(".md")]
        self.pages = [self.read(path) for path in dict.fromkeys([*there, *self.written])]

    @functools.cached_property
    def strict(self):
        """Whether the book asks for more than most books need."""
        return settings_of(self.root)["bookwork_strict"]

    def read(self, path):
        """Return one page."""
        return Page(path, (self.root / path).read_text(encoding="utf-8"))

    @property
    def first(self):
        """The first page, which lists the chapters."""
        return self.pages[0]
