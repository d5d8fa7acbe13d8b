"""A page of a book as text: its cells, exercises and labels, with their lines."""

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from myst_nb.core.read import is_myst_markdown_notebook

from bookwork.book.faults import Fault, UnreadableError, line_of
from bookwork.book.myst import Directive, as_dict, labels_among, read_blocks, read_yaml, walk

HEAD = re.compile(r"\A---\n(.*?)\n---\n", re.S)


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
        kernel = as_dict(self.metadata.get("kernelspec"))
        return str(kernel.get("language") or "python").lower() == "python"

    @cached_property
    def metadata(self):
        """Its metadata, between two lines of dashes at its beginning."""
        head = HEAD.match(self.text)
        return as_dict(read_yaml(head[1], 2, "")) if head else {}

    @cached_property
    def blocks(self):
        """Its directives and the text between, without blank text."""
        return read_blocks(self.text)

    @cached_property
    def all_blocks(self):
        """The same, with what is inside directives."""
        return list(walk(self.blocks))

    @cached_property
    def cells(self):
        """The code cells."""
        return [block for block in self.blocks if is_cell(block)]

    def nested(self, name):
        """Yield the directives of a name that are inside others, each after the outer one."""
        for outer in self.blocks:
            for inner in walk(getattr(outer, "blocks", ())):
                if getattr(inner, "name", "") == name:
                    yield outer, inner

    @cached_property
    def exercises(self):
        """The exercises, each with the blocks that follow it and belong to it."""
        found = [k for k, b in enumerate(self.blocks) if getattr(b, "name", "") == "exercise"]
        return [(self.blocks[k], parts_after(self.blocks[k + 1 :])) for k in found]

    @property
    def exercise_titles(self):
        """The titles of the labelled exercises, wherever they stand, by label."""
        found = [block for block in self.all_blocks if getattr(block, "name", "") == "exercise"]
        return {block.label: block.argument for block in found if block.label}

    @cached_property
    def labels(self):
        """Labels of sections, figures, equations, exercises and tables, each with its line."""
        return [(label, self.line_of(label, line)) for label, line in labels_among(self.blocks)]

    @property
    def roles(self):
        """All roles: in the text, in titles and in captions."""
        return [role for block in self.all_blocks for role in block.roles]

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


def read_page(root, path):
    """Return a page; of a notebook of Jupyter, only its text is read."""
    text = (root / path).read_text(encoding="utf-8")
    if path.endswith(".ipynb"):
        text = "\n\n".join(texts_of(path, text))
    return Page(path, text)


def texts_of(path, notebook):
    """Return the texts between the cells of a notebook of Jupyter."""
    try:
        cells = [cell for cell in json.loads(notebook)["cells"] if cell["cell_type"] == "markdown"]
        return ["".join(cell["source"]) for cell in cells]
    except (ValueError, KeyError, TypeError) as error:
        fault = Fault(path, getattr(error, "lineno", 1), "this is not a notebook, or damaged")
        raise UnreadableError(fault) from error


def is_cell(block):
    """Return whether a block is a code cell."""
    return isinstance(block, Directive) and block.name == "code-cell"


def part_of(block):
    """Return "starter", "hint" or "solution", or None for a block that belongs to no exercise."""
    if is_cell(block):
        return "starter" if "exercise" in block.tags else None
    classes = str(getattr(block, "options", {}).get("class-container"))
    return next((part for part in ("hint", "solution") if f"book-{part}" in classes), None)


def parts_after(following):
    """Return the blocks that follow an exercise and belong to it."""
    others = (k for k, block in enumerate(following) if part_of(block) is None)
    return following[: next(others, len(following))]
