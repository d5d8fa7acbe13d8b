"""Look for faults in the chapters, and report each in one sentence with its file and line.

    bookwork check --text   contents, labels, cells, exercises and goals, as text
    bookwork check          the same, and the numbers in the text, which runs the cells

`make book` begins with the first, `make check` ends with the second. The tests of the book use the
same functions.
"""

import ast
import importlib
import itertools
import re
import sys
import traceback
from pathlib import Path

import yaml
from sphinx_external_toc.parsing import MalformedError, parse_toc_yaml

from bookwork.book import check_exercises, check_numbers
from bookwork.book.book_text import Book, figure_of, tags_of
from bookwork.book.cell_tags import ANEW, FIELDS, HIDING
from bookwork.book.faults import Fault, did_you_mean, line_of, no_label, one_line, print_faults
from bookwork.book.files import CONFIGURATIONS, PACKAGE, ROOT, own_files
from bookwork.book.notebook_text import FENCE, ROLE, TITLED, Directive
from bookwork.book.settings import DEFAULTS, packages_of, settings_of

FENCED = re.compile(r"^ *(`{3,})(?P<directive>\{)?.*?^ *\1`*$", re.M | re.S)
HEADS = re.compile(
    r"(?:\A|^(?P<cell>`{3,}\{code-cell\}[^\n]*\n))"  # of a page or of a cell
    r"(?:---\n(?P<lines>.*?)\n---\n|:tags: (?P<tags>[^\n]*)\n)",
    re.M | re.S,
)
MAGIC = re.compile(r"^(\s*)(?:[\w, ]+=\s*)?[%!].*$|^(\s*)[\w.]+\?{1,2}\s*$")
PAGE_HAS = ("numpy", "matplotlib", "ipywidgets", "anywidget", "traitlets", "IPython", "myst_nb", "")
SPHINX = ("genindex", "modindex", "py-modindex", "search")  # labels of its own
TEXT = re.compile(r"""^[A-Za-z_]\w* *= *(["'])(?:[^\\\n]|\\.)*\1 *(?:#.*)?$""", re.M)
MOST_CELLS, MOST_LINES, WIDEST = 20, 15, 76  # of what is shown on a page
NO_CONTENTS = "there is no such file: it lists the pages, as in the book of `bookwork new`"
HEADER = "its first lines must say jupytext and kernelspec, as `bookwork new` writes them"


def main(arguments=None):
    """Print the faults; return 1 if there are any."""
    only_text = "text" in (sys.argv[1:] if arguments is None else arguments)
    return 1 if print_faults(faults_of(ROOT, only_text)) else 0


def faults_of(root, only_text=False, table=None):
    """Return the faults of the book in a folder; the numbers of a faulty text are not checked."""
    try:
        book, table = read_book(root), table or read_table(root)
    except UnreadableError as error:
        return [error.fault]
    checks = [*CHECKS, *(STRICT if book.strict else ())]
    faults = [fault for check in checks for fault in check(book)]
    faults += check_exercises.faults_of(book, table)
    return faults if faults or only_text or not book.strict else check_numbers.faults_of(book)


def stops(root):
    """Return whether a fault keeps the pages from being built: any of a strict book does."""
    try:
        read_book(root)
        read_table(root)
    except UnreadableError:
        return True
    return settings_of(root)["bookwork_strict"]


class UnreadableError(Exception):
    """A file that everything else depends on cannot be read."""

    def __init__(self, fault):
        super().__init__(str(fault))
        self.fault = fault


def read_book(root):
    """Return the pages of the book, or say why its table of contents cannot be read."""
    toc = root / "_toc.yml"
    if not toc.is_file() and (root / "_config.yml").is_file():
        raise UnreadableError(Fault("_toc.yml", 0, NO_CONTENTS))
    try:
        if toc.is_file():
            parse_toc_yaml(toc)
    except yaml.YAMLError as error:
        fault = Fault("_toc.yml", error.problem_mark.line + 1, f"{error.context}: {error.problem}")
        raise UnreadableError(fault) from error
    except MalformedError as error:
        line = line_in_contents(toc.read_text(encoding="utf-8"), str(error))
        raise UnreadableError(Fault("_toc.yml", line, one_line(error))) from error
    book = Book(root)
    for page in book.pages:
        for fault in check_heads(page):
            raise UnreadableError(fault)
    return book


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


def check_heads(page):
    """The metadata of a page and the options of its cells can be read."""
    for match in HEADS.finditer(page.text):
        what = "the options of the cell" if match["cell"] else "the first lines"
        form = "tags" if match["lines"] is None else "lines"
        try:
            yaml.safe_load(match[form])
        except yaml.YAMLError as error:
            line = page.text.count("\n", 0, match.start(form)) + error.problem_mark.line + 1
            yield page.fault(line, f"{what} cannot be read: {error.problem}")


def read_table(root):
    """Return the exercises that each chapter's module can check, or say why it cannot be read."""
    package = settings_of(root)["bookwork_exercises"]
    if not package or not root.joinpath(*package.split(".")).is_dir():
        return {}
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    try:
        return importlib.import_module(package).EXERCISES.chapters
    except Exception as error:
        raise UnreadableError(fault_of_module(root, error)) from error


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
    file = next(name for name in CONFIGURATIONS if (book.root / name).is_file())
    settings = settings_of(book.root)
    text = (book.root / file).read_text(encoding="utf-8")
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
            near = did_you_mean(path, book.written)
            yield Fault("_toc.yml", line, f"there is no file {path}{near}")
    for path in book.written:
        if path not in book.listed and Path(path).name != "README.md":
            name = path.removesuffix(".md")
            sentence = f'this page is not in the book: add "- file: {name}" to _toc.yml'
            yield Fault(path, 1, sentence)


def check_first_page(book):
    """The first page links to every chapter."""
    line = 1
    for page in book.pages[1:]:
        labels = [label for label, _ in page.labels]
        if not page.is_notebook or not labels:
            continue
        if f"`{labels[0]}`" in book.first.text:
            line = book.first.line_of(labels[0])
        else:
            sentence = f"the chapter {page.path} is not listed here: add {{ref}}`{labels[0]}`"
            yield book.first.fault(line, sentence)


# cells


def check_cells(book):
    """Cells are run, and import only what a reader's Python has."""
    settings = settings_of(book.root)
    own = [*packages_of(settings), "bookwork", *settings["bookwork_imports"]]
    allowed = None if book.strict else {*own, *PAGE_HAS, *sys.stdlib_module_names}
    for page in book.pages:
        if page.cells and not page.is_notebook:
            yield page.fault(page.cells[0].line, f"the cells of this page are not run: {HEADER}")
        yield from nested_cells(page)
        for cell in page.cells if page.is_python else ():
            yield from check_code(page, cell, own, allowed)
        yield from check_fields(page)
        yield from check_anew(page)


def check_sizes(book):
    """Cells are few, short, and no wider than the page."""
    for page in book.pages:
        shown = [cell for cell in page.cells if not HIDING & set(tags_of(cell))]
        fixed = [cell for cell in shown if "exercise" not in tags_of(cell)]
        if len(fixed) > MOST_CELLS:
            sentence = f"this is shown cell {MOST_CELLS + 1}: a chapter may have {MOST_CELLS}"
            yield page.fault(fixed[MOST_CELLS].line, sentence)
        for cell in shown:
            yield from check_size(page, cell)


def nested_cells(page):
    """Report cells inside other directives, which are not run."""
    for block in page.blocks:
        if isinstance(block, Directive) and block.name != "code-cell":
            inside = [match["name"] for match in FENCE.finditer(block.body)]
            if "code-cell" in inside:
                line = page.line_of("code-cell", block.line)
                yield page.fault(line, f"a cell inside {{{block.name}}} is not run: put it outside")


def check_code(page, cell, own=(), allowed=None):
    """A cell is Python, and imports nothing but what the book may use, and NumPy.

    In a book that is not strict, it may import all that is `allowed`: what readers' Python has.
    """
    if cell.body.startswith("%%"):
        return
    try:
        tree = parse_cell(cell.body, start_of(page, cell))
    except SyntaxError as error:
        yield page.fault(error.lineno, f"the cell fails: SyntaxError: {error.msg}")
        return
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in {name.split(".")[0] for name in names} - (allowed or {"numpy", *own}):
            yield page.fault(node.lineno, cannot_import(name, own, allowed))


def cannot_import(name, own, allowed):
    """Say that a cell imports what it should not, or what fails when a reader runs it."""
    if allowed is None:
        only = ", ".join(filter(None, own))
        return f"the cell imports {name}: a chapter imports only {only} and NumPy"
    lacks = f"the cell imports {name}, which readers' Python does not have"
    return f"{lacks}: if only the build runs it, add {name} to bookwork_imports"


def parse_cell(code, start=0):
    """Return the tree of a cell, with lines of the page; magics are left out."""
    lines = [MAGIC.sub(lambda m: f"{m[1] or m[2] or ''}pass", line) for line in code.splitlines()]
    text = "\n" * start + "\n".join(lines)
    return compile(text, "cell", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def start_of(page, cell):
    """Return the number of lines before the code of a cell, which may be indented."""
    first, lines = cell.body.splitlines()[:1], page.text.splitlines()
    places = range(cell.line, len(lines))
    return next((k for k in places if [lines[k].strip()] == [f.strip() for f in first]), 0)


def check_fields(page):
    """A cell that is tagged `fields` has a text for each of them."""
    for cell in page.cells:
        if FIELDS in tags_of(cell) and not TEXT.search(cell.body):
            sentence = 'the cell is tagged fields, so it needs a line such as text = "…"'
            yield page.fault(cell.line, sentence)


def check_anew(page):
    """A cell that starts anew and those below need nothing that is made above it."""
    cells = [(cell, Names(cell)) for cell in page.cells if page.is_python and is_python(cell)]
    starts = [i for i, (cell, _) in enumerate(cells) if ANEW in tags_of(cell)]
    for start, end in itertools.pairwise([*starts, len(cells)]):
        above = set().union(*(names.bound for _, names in cells[:start]))
        known = set().union(*(names.bound for _, names in cells[start:end]))
        for cell, names in cells[start:end]:
            for name in sorted(names.used & above - known):
                sentence = f"the cell uses {name}, which is made above the cell that starts anew"
                yield page.fault(page.line_of(name, cell.line), f"{sentence}: make it below that")


class Names:
    """The names that a cell binds, anywhere in it, and those that it uses."""

    def __init__(self, cell):
        self.bound, self.used = set(), set()
        for node in ast.walk(parse_cell(cell.body)):
            if isinstance(node, ast.Name):
                (self.used if isinstance(node.ctx, ast.Load) else self.bound).add(node.id)
            elif isinstance(node, ast.alias):
                self.bound.add((node.asname or node.name).split(".")[0])
            elif isinstance(node, ast.arg):
                self.bound.add(node.arg)
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                self.bound.add(node.name)


def is_python(cell):
    try:
        parse_cell(cell.body)
    except SyntaxError:  # which check_code reports
        return False
    return True


def check_size(page, cell):
    """Report a cell that is too long or too wide."""
    name = figure_of(cell).get("name", "")
    lines = cell.body.splitlines()
    if len(lines) > MOST_LINES:
        sentence = f"the cell {name}has {len(lines)} lines: a shown cell has at most {MOST_LINES}"
        yield page.fault(cell.line, sentence)
    for line in lines:
        if len(line) > WIDEST:
            place = page.text.splitlines().index(line, cell.line) + 1
            yield page.fault(place, f"this line has {len(line)} characters, more than {WIDEST}")


# labels


def check_labels(book):
    """A label is defined once in the book, and every reference has a target."""
    first = {}
    for page in book.pages:
        for label, line in page.labels:
            if label in first:
                yield page.fault(line, f"the label {label} occurs twice: also in {first[label]}")
            first.setdefault(label, f"{page.path}:{line}")
    files = settings_of(book.root)["bibliographies"]
    works = {key for name in files for key in works_in(book.root / name)}
    others = "" if book.strict else without_references(book)
    for page in book.pages:
        for target, line in references(page, ("ref", "numref", "eq")):
            if target not in first and not is_named(target, others, first):
                yield page.fault(page.line_of(target, line), no_label(target, first))
        for target, line in references(page, ("cite",)):
            keys = re.sub(r"\{[^}]*\}", "", target).split(",")  # without "{see}" and "{p. 3}"
            for key in {key.strip() for key in keys} - works:
                near, listed = did_you_mean(key, works), ", ".join(files)
                sentence = f"there is no work {key} in {listed}{near}"
                yield page.fault(page.line_of(key, line), sentence)


def works_in(bibliography):
    """Return the keys of the works in a bibliography."""
    text = bibliography.read_text(encoding="utf-8") if bibliography.is_file() else ""
    return re.findall(r"^\s*@\w+\s*[{(]\s*([^,\s]+)\s*,", text, re.M)


def references(page, kinds):
    """Yield the target and the line of each role of some kinds in a page."""
    text = FENCED.sub(without_code, page.text)
    for role in ROLE.finditer(text):
        if role["name"].split(":")[0] in kinds:
            titled = TITLED.match(role["text"])
            yield (
                titled["target"] if titled else role["text"],
                text.count("\n", 0, role.start()) + 1,
            )


def without_references(book):
    """Return all texts of the book, of any kind, without the roles in them."""
    files = [path for path in own_files(book.root) if path.suffix in (".md", ".ipynb", ".rst")]
    return ROLE.sub("", "\n".join(path.read_text(encoding="utf-8") for path in files))


def is_named(target, others, labels):
    """Return whether a label may be defined in a way that only Sphinx knows, which then tells.

    It occurs outside references, or in another project, which a word and a colon name.
    """
    project, colon, _ = target.partition(":")
    foreign = colon and not any(label.startswith(f"{project}:") for label in labels)
    return bool(others) and (foreign or target in SPHINX or target in others)


def without_code(fenced):
    """Keep a fenced block if it is a directive; of code, only the number of its lines."""
    return fenced[0] if fenced["directive"] else "\n" * fenced[0].count("\n")


def check_files(book):
    """Every file that a page shows exists."""
    for page in book.pages:
        for block in page.blocks:
            if not isinstance(block, Directive):
                continue
            named = block.argument if block.name in ("figure", "image", "include") else ""
            file = named or (block.options.get("file") if block.name == "csv-table" else "")
            if file and not (book.root / page.path).parent.joinpath(file).is_file():
                yield page.fault(block.line, f"there is no file {file}, as seen from {page.path}")


CHECKS = (check_settings, check_contents, check_cells, check_labels, check_files)
STRICT = (check_first_page, check_sizes)

if __name__ == "__main__":
    sys.exit(main())
