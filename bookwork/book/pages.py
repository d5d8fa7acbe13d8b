"""A page of a book as text: its cells, exercises and labels, with their lines."""

import json
import re
from bisect import bisect
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, zip_longest
from pathlib import Path

from myst_nb.core.read import is_myst_markdown_notebook

from bookwork.book.faults import Fault, UnreadableError, line_of
from bookwork.book.files import cache_until_changed
from bookwork.book.myst import Directive, as_dict, labels_among, read_blocks, read_yaml, walk

HEAD = re.compile(r"\A---\n(.*?)\n---\n", re.S)
GATED = ("exercise", "solution")  # directives that may be written as a start and an end
FENCE = "`" * 9  # around the cells of a notebook


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

    def open_gates(self):
        """Yield a fault for an exercise-start without its exercise-end, or the other way round."""
        for kind in GATED:
            named = {f"{kind}-start": f"{kind}-end", f"{kind}-end": f"{kind}-start"}
            gates = [block for block in self.blocks if getattr(block, "name", "") in named]
            for gate, other in zip_longest(gates[::2], gates[1::2]):
                pair = [gate.name, getattr(other, "name", "")]
                if pair != [f"{kind}-start", f"{kind}-end"]:
                    sentence = f"this {{{gate.name}}} has no {{{named[gate.name]}}}"
                    yield self.fault(gate.line, sentence)
                    break

    @cached_property
    def exercises(self):
        """The exercises, each with the blocks that belong to it: starters, hints, solutions.

        They stand anywhere between an exercise and the next one, or the next heading.
        """
        blocks = self.joined
        found = [k for k, block in enumerate(blocks) if getattr(block, "name", "") == "exercise"]
        return [(blocks[k], parts_of(blocks[k], blocks[k + 1 :])) for k in found]

    @property
    def joined(self):
        """The blocks, with what is between {exercise-start} and {exercise-end} in one exercise."""
        blocks, lines = iter(self.blocks), self.text.split("\n")
        joined = []
        for block in blocks:
            kind, _, gate = getattr(block, "name", "").partition("-")
            if gate == "start" and kind in GATED:
                ends = (each for each in blocks if getattr(each, "name", "") == f"{kind}-end")
                end = next(ends, block)
                body = "\n".join(lines[block.end : end.line - 1])
                joined.append(
                    replace(block, name=kind, body=body, start=block.end + 1, end=end.end)
                )
            else:
                joined.append(block)
        return joined

    @property
    def exercise_titles(self):
        """The titles of the labelled exercises, wherever they stand, by label."""
        kinds = ("exercise", "exercise-start")
        found = [block for block in self.all_blocks if getattr(block, "name", "") in kinds]
        return {block.label: block.argument for block in found if block.label}

    @cached_property
    def labels(self):
        """Labels of sections, figures, equations, exercises and tables: kind, label, line."""
        found = labels_among(self.blocks)
        return [(kind, label, self.line_of(label, line)) for kind, label, line in found]

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


@dataclass(frozen=True)
class NotebookPage(Page):
    """A notebook of Jupyter as a page: its cells are fenced, and faults name the cell."""

    kernel: dict
    starts: tuple  # the lines of the text on which its cells begin

    is_notebook = True

    @property
    def metadata(self):
        """What a page in Markdown says in its first lines."""
        return {"kernelspec": self.kernel}

    def fault(self, line, sentence):
        """Return a fault in the cell with this line."""
        return Fault(self.path, 0, f"in cell {bisect(self.starts, line)}, {sentence}")


def read_page(root, path):
    """Return a page of a book, or raise UnreadableError."""
    return read_file(root / path, path)


@cache_until_changed
def read_file(file, path):
    """Return the page in a file, the same one as long as the file stays as it is."""
    return page_of(path, file.read_text(encoding="utf-8", errors="replace"))


def page_of(path, text):
    """Return a text as a page, or raise UnreadableError."""
    page = read_notebook(path, text) if path.endswith(".ipynb") else Page(path, text)
    try:
        _ = page.metadata, page.all_blocks
    except UnreadableError as error:
        raise UnreadableError(error.fault._replace(path=path)) from error
    return page


def read_notebook(path, text):
    """Return a notebook of Jupyter as a page."""
    try:
        notebook = json.loads(text)
        texts = [as_text(cell) for cell in notebook["cells"]]
        kernel = as_dict(notebook.get("metadata", {}).get("kernelspec"))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        fault = Fault(path, getattr(error, "lineno", 1), "this is not a notebook, or damaged")
        raise UnreadableError(fault) from error
    sizes = [each.count("\n") + 2 for each in texts]
    starts = tuple(accumulate(sizes[:-1], initial=1)) if texts else ()
    return NotebookPage(path, "\n\n".join(texts), kernel, starts)


def as_text(cell):
    """Return a cell of a notebook as MyST."""
    source = re.sub(r"\r\n?", "\n", "".join(cell["source"]))
    if cell["cell_type"] != "code":
        return source if cell["cell_type"] == "markdown" else ""
    tags = json.dumps(as_dict(cell.get("metadata")).get("tags") or [])
    return f"{FENCE}{{code-cell}} python\n:tags: {tags}\n\n{source}\n{FENCE}"


def is_cell(block):
    """Return whether a block is a code cell."""
    return isinstance(block, Directive) and block.name == "code-cell"


def part_of(block):
    """Return "starter", "hint" or "solution", or None for a block that belongs to no exercise."""
    if is_cell(block):
        return "starter" if "exercise" in block.tags else None
    if getattr(block, "name", "") == "solution":
        return "solution"
    classes = str(getattr(block, "options", {}).get("class-container"))
    return next((part for part in ("hint", "solution") if f"book-{part}" in classes), None)


def parts_of(exercise, following):
    """Return the blocks that belong to an exercise: inside it, or before the next or a heading."""
    others = (k for k, block in enumerate(following) if ends_exercise(block))
    after = following[: next(others, len(following))]
    parts = [block for block in [*exercise.blocks, *after] if part_of(block)]
    label = exercise.label
    return [part for part in parts if part.name != "solution" or part.argument == label]


def ends_exercise(block):
    """Return whether a block cannot belong to the exercise before it."""
    if isinstance(block, Directive):
        return block.name == "exercise"
    return any(True for _ in block.headings)
