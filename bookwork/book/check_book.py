"""Look for faults in the chapters, and report each in one sentence with its file and line.

A build begins with this. What Sphinx reports itself, works and files that are not there, is left
to it.
"""

import importlib
import itertools
import re
import sys
import traceback
from pathlib import Path

import yaml
from sphinx_external_toc.parsing import MalformedError, parse_toc_yaml

from bookwork.book import check_exercises
from bookwork.book.book import Book
from bookwork.book.cell_tags import FIELDS, INDEPENDENT
from bookwork.book.faults import (
    Fault,
    UnreadableError,
    did_you_mean,
    line_of,
    no_label,
    one_line,
    print_faults,
)
from bookwork.book.files import PACKAGE, importing_from, own_files
from bookwork.book.names import made_by, parse_cell, parsed, used_by
from bookwork.book.settings import DEFAULTS

ROLE = re.compile(r"\{[\w:]+\}`[^`]+`")
SPHINX = ("genindex", "modindex", "py-modindex", "search")  # labels of its own
TEXT = re.compile(r"""^[A-Za-z_]\w* *= *(["'])(?:[^\\\n]|\\.)*\1 *(?:#.*)?$""", re.M)
NO_CONTENTS = "there is no such file: it lists the pages, as in the book of `bookwork new`"
OLD_CONTENTS = (
    "a list was for Jupyter Book 0.x: `jupyter-book toc migrate _toc.yml -o _toc.yml` mends it"
)
HEADER = "its first lines must say jupytext and kernelspec, as `bookwork new` writes them"


def check(book, only_text=False):
    """Print the faults of a book; return 1 if there are any."""
    found = print_faults(faults_of(book, only_text))
    return 1 if found else 0


def faults_of(book, only_text=False, table=None):
    """Return the faults of a book."""
    try:
        faults = faults_of_text(book, table)
    except UnreadableError as error:
        return [error.fault]
    return faults


def faults_of_text(book, table=None):
    """Return the faults of the text, or raise UnreadableError."""
    if unreadable := fault_of_contents(book):
        raise UnreadableError(unreadable)
    if book.broken:
        return book.broken
    table = table or read_table(book)
    faults = [fault for check in CHECKS for fault in check(book)]
    return [*faults, *check_exercises.faults_of(book, table)]


def fault_of_contents(book):
    """Return why the table of contents cannot be read: a fault, or None."""
    toc = book.root / "_toc.yml"
    if not toc.is_file():
        needs_one = (book.root / "_config.yml").is_file()
        return Fault("_toc.yml", 0, NO_CONTENTS) if needs_one else None
    try:
        parse_toc_yaml(toc)
    except yaml.YAMLError as error:
        return Fault("_toc.yml", error.problem_mark.line + 1, f"{error.context}: {error.problem}")
    except MalformedError as error:
        sentence = OLD_CONTENTS if isinstance(book.contents, list) else one_line(error)
        return Fault("_toc.yml", line_in_contents(book.toc, str(error)), sentence)
    return None


def line_in_contents(text, message):
    """Return the line of a message, which ends with a path into the contents, or a name."""
    *_, meant, _ = message.split("'") if "'" in message else ("", "", "")
    if not meant.startswith("/"):
        lines = [k for k, line in enumerate(text.splitlines(), start=1) if meant in line]
        return lines[-1] if lines else 1
    node = yaml.compose(text)
    for key in filter(None, meant.split("/")):
        named = {name.value: value for name, value in node.value} if key.isalpha() else {}
        node = named[key] if named else node.value[int(key)]
    return node.start_mark.line + 1


def read_table(book):
    """Return the exercises that each chapter's module can check, or say why it cannot be read."""
    package = book.settings["bookwork_exercises"]
    if not package or not book.root.joinpath(*package.split(".")).is_dir():
        return {}
    try:
        with importing_from(book):
            table = getattr(importlib.import_module(package), "EXERCISES", None)
    except Exception as error:
        raise UnreadableError(fault_of_module(book.root, error)) from error
    if table is None:
        file = f"{package.replace('.', '/')}/__init__.py"
        raise UnreadableError(Fault(file, 1, "EXERCISES is missing: see `bookwork new`"))
    return table.chapters


def fault_of_module(root, error):
    """Return why a module of checkers cannot be read, with the last of its lines that ran."""
    sentence = one_line(f"{type(error).__name__}: {error}")
    if named := re.search(r"EXERCISES in ([\w.]+) should be", sentence):
        path = f"{named[1].replace('.', '/')}.py"
        text = (root / path).read_text(encoding="utf-8")
        return Fault(path, line_of(text, "EXERCISES"), sentence)
    frames = [(Path(f.filename), f.lineno) for f in traceback.extract_tb(error.__traceback__)]
    own = [(path, line) for path, line in frames if path.is_relative_to(root)]
    authors = [(path, line) for path, line in own if not path.is_relative_to(PACKAGE)] or own
    return Fault(authors[-1][0].relative_to(root).as_posix(), authors[-1][1], sentence)


# the settings


def check_settings(book):
    """The settings of bookwork are known, and the book's package is there."""
    settings, (file, text) = book.settings, book.configuration
    for name in settings["unknown"]:
        sentence = f"there is no setting {name}{did_you_mean(name, DEFAULTS)}"
        yield Fault(file, line_of(text, name), sentence)
    for name in ("bookwork_package", "bookwork_exercises"):
        folder = settings[name].replace(".", "/")
        if name in text and folder and not (book.root / folder).is_dir():
            sentence = f"{name} is {settings[name]}, but the book has no folder {folder}"
            yield Fault(file, line_of(text, name), sentence)


# the table of contents


def check_contents(book):
    """Every page in _toc.yml exists, and every page is in _toc.yml."""
    if not book.toc:
        return
    for path in book.listed:
        line = line_of(book.toc, path.removesuffix(".md"))
        if not (book.root / path).is_file():
            near = did_you_mean(path, book.found)
            yield Fault("_toc.yml", line, f"there is no file {path}{near}")
    for path in book.unlisted:
        name = path.removesuffix(".md")
        yield Fault(path, 1, f'this page is not in the book: add "- file: {name}" to _toc.yml')


# cells


def check_cells(book):
    """Cells are run, and are Python."""
    for page in book.sources:
        if page.cells and not page.is_notebook:
            yield page.fault(page.cells[0].line, f"the cells of this page are not run: {HEADER}")
        for outer, cell in page.nested("code-cell"):
            sentence = f"a cell inside {{{outer.name}}} is not run: put it outside"
            yield page.fault(cell.line, sentence)
        for cell in page.cells if page.is_python else ():
            yield from check_code(page, cell)
        yield from check_independent(page)


def check_code(page, cell):
    """A cell is Python, and has texts if it is tagged `fields`."""
    try:
        parse_cell(cell.body, cell.start - 1)
    except SyntaxError as error:
        if "raises-exception" not in cell.tags:
            yield page.fault(error.lineno, f"the cell fails: SyntaxError: {error.msg}")
        return
    if FIELDS in cell.tags and not TEXT.search(cell.body):
        sentence = 'the cell is tagged fields, so it needs a line such as text = "…"'
        yield page.fault(cell.line, sentence)


def check_independent(page):
    """An independent cell and those below need nothing that is made above it."""
    cells = [(cell, parsed(cell.body).body) for cell in page.cells if page.is_python]
    cells = [(cell, names(made_by, body), names(used_by, body)) for cell, body in cells]
    starts = [i for i, (cell, *_) in enumerate(cells) if INDEPENDENT & set(cell.tags)]
    for start, end in itertools.pairwise([*starts, len(cells)]):
        above = set().union(*(bound for _, bound, _ in cells[:start]))
        known = set().union(*(bound for _, bound, _ in cells[start:end]))
        for cell, _, used in cells[start:end]:
            for name in sorted(used & above - known):
                sentence = f"the cell uses {name}, which is made above the independent cell"
                yield page.fault(page.line_of(name, cell.line), f"{sentence}: make it below that")


def names(kind, statements):
    """Return the names that statements make, or use."""
    return set().union(*map(kind, statements))


# labels


def check_labels(book):
    """A label is defined once in the book, and every reference has a target.

    Formulas have labels of their own, and so have directives of a domain, such as {prf:lemma}. A
    book with an intersphinx_mapping may refer to other books: Sphinx tells what they do not have.
    """
    first = {}
    for page in book.sources:
        for kind, label, line in page.labels:
            if (kind, label) in first:
                also = first[kind, label]
                yield page.fault(line, f"the label {label} occurs twice: also in {also}")
            first.setdefault((kind, label), f"{page.path}:{line}")
    if book.settings["refers to others"]:
        return
    labels = {label for _, label in first}
    others = without_references(book)
    for page in book.sources:
        for role in page.roles:
            known = role.target in labels or is_named(role.target, others, labels)
            if role.name in ("ref", "numref", "eq") and not known:
                line = page.line_of(role.target, role.line)
                yield page.fault(line, no_label(role.target, labels))


def without_references(book):
    """Return all texts of the book, of any kind, without the roles in them."""
    files = [path for path in own_files(book.root) if path.suffix in (".md", ".ipynb", ".rst")]
    return ROLE.sub(
        "", "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)
    )


def is_named(target, others, labels):
    """Return whether a label may be defined in a way that only Sphinx knows, which then tells.

    It occurs outside references, or in another project, which a word and a colon name.
    """
    project, colon, _ = target.partition(":")
    foreign = colon and not any(label.startswith(f"{project}:") for label in labels)
    occurs = re.search(rf"(?<![\w-]){re.escape(target)}(?![\w-])", others)
    return bool(foreign or target in SPHINX or occurs)


CHECKS = (check_settings, check_contents, check_cells, check_labels)

if __name__ == "__main__":
    sys.exit(check(Book()))
