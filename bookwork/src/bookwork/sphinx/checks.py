"""Sphinx extension: warns of what an author should mend, in one sentence with its file and line.

What Sphinx and other extensions tell by themselves is left to them: labels, works, files, formulas.
"""

from pathlib import Path

from sphinx.util import logging

from bookwork.book.book import Book
from bookwork.book.faults import did_you_mean, line_of
from bookwork.book.names import parse_cell
from bookwork.book.settings import DEFAULTS
from bookwork.sphinx.book_warnings import tell_of_cell
from bookwork.sphinx.exercises import LABEL, LABEL_RULE, NOTED
from bookwork.sphinx.page_python import CELLS, is_python
from bookwork.sphinx.pages import notes_of

logger = logging.getLogger(__name__)
NO_STARTER = "a cell tagged exercise must follow it, before the next heading"


def setup(app):
    """Connect each check to Sphinx."""
    app.connect("config-inited", check_settings)
    app.connect("doctree-read", check_cells)
    app.connect("env-updated", check_exercises)


# settings


def check_settings(app, config):
    """Warn of settings that bookwork does not know, and of packages that are not there."""
    book = Book(app.srcdir)
    (file, text), settings = book.configuration, book.settings
    told = [(name, f"there is no setting {name}") for name in settings["unknown"]]
    told = [(name, said + did_you_mean(name, DEFAULTS)) for name, said in told]
    for name in ("bookwork_package", "bookwork_exercises"):
        folder = settings[name].replace(".", "/")
        if name in text and folder and not (book.root / folder).is_dir():
            said = f"{name} is {settings[name]}, but the book has no folder {folder}"
            told.append((name, said))
    for name, said in told:
        logger.warning(said, location=f"{book.root / file}:{line_of(text, name)}")


# cells


def check_cells(app, doctree):
    """Warn of cells that are not Python."""
    page = app.env.docname
    noted = app.env.metadata[page]
    cells = noted.get(CELLS, ())
    if not cells or not is_python({"metadata": noted}):
        return
    for cell in cells:
        try:
            parse_cell(cell["code"], 0)
        except SyntaxError as error:
            if "raises-exception" not in cell["tags"]:
                tell_of_cell(page, cell, error.lineno, f"the cell fails: SyntaxError: {error.msg}")


# exercises


def check_exercises(app, env):
    """Every exercise that is checked agrees with its checker, and every checker has an exercise."""
    if app.book_checkers is None:
        return
    checkers = {each.label: (name, each) for name, own in app.book_checkers.items() for each in own}
    modules = Book(app.srcdir).settings["bookwork_exercises"].replace(".", "/")
    known = set()
    for page, exercises in notes_of(env, NOTED).items():
        for exercise in exercises:
            known |= {exercise["label"], *(each["exercise"] for each in exercise["starters"])}
            if exercise["label"] in checkers or exercise["starters"]:
                for line, said in faults_of(exercise, checkers, f"{modules}/{Path(page).name}.py"):
                    logger.warning(said, location=(page, line))
    for label, (name, _) in checkers.items():
        if label not in known and not did_you_mean(label, known - checkers.keys() - {None}):
            said = f"no exercise of the book has the label {label}"
            file = Path(app.srcdir, modules, f"{name}.py")
            line = line_of(file.read_text(encoding="utf-8"), f'"{label}"')
            logger.warning(said, location=f"{file}:{line}")


def faults_of(exercise, checkers, module):
    """Yield the faults of an exercise, each with its line; its checker belongs into a module."""
    label, line, starters = exercise["label"], exercise["line"], exercise["starters"]
    if not exercise["is_named"]:
        yield line, f'the exercise "{exercise["title"]}" has no label: write :label: ex-…'
    elif not LABEL.fullmatch(label):
        yield line, f"{label} cannot be a label: a label {LABEL_RULE}"
    elif not starters:
        yield line, f"the exercise {label} has no starter: {NO_STARTER}"
    else:
        for starter in starters:
            if said := fault_of_starter(starter, label, checkers, module):
                yield starter["line"], said
    if label in checkers:
        key = checkers[label][1].key or {}
        offered, explained = exercise["letters"], sorted(key.get("choices", ()))
        if offered != explained:
            offers, explains = (", ".join(each) or "no letters" for each in (offered, explained))
            said = f"the exercise {label} offers {offers}, but its checker explains {explains}"
            yield line, f"{said}, in {module}"


def fault_of_starter(starter, label, checkers, module):
    """Return what is wrong with the starter of an exercise, or nothing: it ends in its check."""
    if not starter["exercise"]:
        return f'the starter of {label} does not call check("{label}", …)'
    if starter["exercise"] != label:
        called = f'check("{starter["exercise"]}", …)'
        return f"the exercise {label} calls {called}: both need the same label"
    if label not in checkers:
        near = did_you_mean(label, checkers)
        return f"the exercise {label} has no checker" + (
            f" in {module}{near}" if near else f": add one to EXERCISES in {module}"
        )
    call = checkers[label][1].call
    is_last = starter["code"].rstrip().splitlines()[-1].startswith(call)
    return "" if is_last else f"the starter of {label} does not end in {call}"
