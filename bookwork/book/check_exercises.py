"""Look for faults in the exercises of the chapters: parts, labels and checkers.

A chapter has everything about an exercise except its checker, which is in the module of the same
name. Here the two are compared.
"""

from pathlib import Path

from bookwork.book.exercise_text import LABEL, LABEL_RULE, exercises_on
from bookwork.book.faults import Fault, did_you_mean, line_of
from bookwork.book.pages import part_of

STARTER = "a cell tagged exercise must follow it, before the next heading"


def faults_of(book, checkers):
    """Yield the faults of all exercises, compared with the checkers of each chapter's module."""
    modules, known = Modules(book, checkers), set()
    for page in book.sources:
        exercises = exercises_on(page)
        yield from page.open_gates()
        for each in exercises:  # those without a starter are as sphinx-exercise has them
            is_ours = each.label in modules.table or each.starter
            if is_ours and each.label not in known:  # or check_labels tells that it occurs twice
                yield from faults_of_one(each, modules)
        for outer, inner in page.nested("exercise") if modules.table else ():
            sentence = f"an exercise inside {{{outer.name}}} is not recognised: put it outside"
            yield page.fault(inner.line, sentence)
        known |= {label for each in exercises for label in (each.label, *each.called)}
    yield from unused_checkers(book, modules, known)


class Modules:
    """The modules of checkers of a book, one for each chapter."""

    def __init__(self, book, checkers):
        package = book.settings["bookwork_exercises"] or "your_package.exercises"
        self.root, self.folder = book.root, package.replace(".", "/")
        self.table = {each.label: (name, each) for name in checkers for each in checkers[name]}

    def file_of(self, chapter):
        """Return the module that has the checkers of a chapter."""
        return f"{self.folder}/{chapter}.py"

    def fault(self, label, chapter, sentence):
        """Return a fault at the entry of an exercise in its module."""
        file = Path(self.root, self.file_of(chapter))
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        return Fault(self.file_of(chapter), line_of(text, f'"{label}"'), sentence)


def faults_of_one(exercise, modules):
    """Yield the faults of one exercise."""
    page, label, called = exercise.page, exercise.label, exercise.called
    line = exercise.directive.line
    if not label:
        said = f' "{exercise.title}"' if exercise.title else ""
        yield page.fault(line, f"the exercise{said} has no label: write :label: ex-…")
    elif not LABEL.fullmatch(label):
        sentence = f"{label} cannot be a label: a label {LABEL_RULE}"
        yield page.fault(page.line_of(label, line), sentence)
    elif called and called[0] != label:
        sentence = f'the exercise {label} calls check("{called[0]}", …): both need the same label'
        yield page.fault(page.line_of(called[0], line + 1), sentence)
    else:
        for at, sentence in faults_of_contents(exercise, modules):
            yield page.fault(at, sentence)
    if label and not exercise.starter:
        yield page.fault(line, f"the exercise {label} has no starter: {STARTER}")


def faults_of_contents(exercise, modules):
    """Yield the faults of starter, solution and checker."""
    for part in exercise.parts:
        if part_of(part) == "starter":
            yield from faults_of_starter(exercise, part, modules)
    if exercise.label in modules.table:
        yield from faults_of_checker(exercise, *modules.table[exercise.label], modules)


def faults_of_starter(exercise, starter, modules):
    """A starter ends in the check of its own exercise, which has a checker."""
    label, line = exercise.label, exercise.page.line_of(exercise.label, starter.line)
    if not exercise.called:
        yield starter.line, f'the starter of {label} does not call check("{label}", …)'
    elif label not in modules.table:
        yield line, no_checker(exercise, modules)
    elif not starter.body.splitlines()[-1].startswith(call := modules.table[label][1].call):
        yield line, f"the starter of {label} does not end in {call}"


def no_checker(exercise, modules):
    """Say that an exercise has no checker, and where one belongs or which one may be meant."""
    here = {each.label for each in exercises_on(exercise.page)}
    own = {known for known, (chapter, _) in modules.table.items() if chapter == exercise.chapter}
    sentence = f"the exercise {exercise.label} has no checker"
    file = modules.file_of(exercise.chapter)
    if near := did_you_mean(exercise.label, own - here):
        return f"{sentence} in {file}{near}"
    return f"{sentence}: add one to EXERCISES in {file}"


def faults_of_checker(exercise, chapter, entry, modules):
    """The checker of an exercise is in the right module and expects what the chapter asks for."""
    label, line, file = exercise.label, exercise.directive.line, modules.file_of(chapter)
    if list(exercise.choices) != sorted(entry.letters):
        both = (exercise.choices, sorted(entry.letters))
        offers, explains = (", ".join(each) or "no letters" for each in both)
        sentence = f"the exercise {label} offers {offers}, but its checker explains {explains}"
        yield line, f"{sentence}, in {file}"
    if exercise.points != len(entry.rubric):
        sentence = f"the exercise {label} asks for {exercise.points} points, but its rubric has"
        yield line, f"{sentence} {len(entry.rubric)}, in {file}"


def unused_checkers(book, modules, known):
    """Report checkers that have no exercise, unless one with a similar label lacks its checker."""
    unclaimed = known - modules.table.keys()
    for label, (chapter, _) in modules.table.items():
        if label not in known and not did_you_mean(label, unclaimed):
            sentence = f"the book has no exercise {label} in {book.file_of(chapter)}"
            yield modules.fault(label, chapter, sentence)
