"""Look for faults in the exercises of the chapters: parts, labels, checkers and goals.

A chapter has everything about an exercise except its checker, which is in the module of the same
name. Here the two are compared.
"""

import ast
import re
from pathlib import Path
from string import ascii_lowercase

from bookwork.book.exercise_text import (
    CHECK,
    CHOICE,
    EFFORT,
    LABEL,
    LABEL_RULE,
    POINT,
    python_in,
)
from bookwork.book.faults import Fault, did_you_mean, line_of
from bookwork.book.myst import Directive, walk
from bookwork.book.pages import is_cell, part_of

NEEDED = {
    "starter": "a cell tagged exercise must follow it",
    "hint": "a dropdown of class book-hint must follow its starter",
    "solution": "a dropdown of class book-solution must follow its hints",
}


def faults_of(book, checkers):
    """Yield the faults of all exercises, compared with the checkers of each chapter's module."""
    modules = Modules(book, checkers)
    for page in book.pages:
        for exercise, parts in page.exercises:
            if book.strict or is_checked(exercise, parts, modules.table):
                yield from faults_of_one(page, exercise, parts, modules)
        yield from strays(page)
        yield from unseen(page, modules)
        if book.strict or page.metadata.get("goals"):
            yield from faults_of_goals(page, book.settings["bookwork_goals"])
    yield from faults_of_checkers(book, modules)


class Modules:
    """The modules of checkers of a book, one for each chapter."""

    def __init__(self, book, checkers):
        self.root, self.strict, self.checkers = book.root, book.strict, checkers
        package = book.settings["bookwork_exercises"] or "your_package.exercises"
        self.folder = package.replace(".", "/")
        self.table = {each.label: (name, each) for name in checkers for each in checkers[name]}

    def file_of(self, chapter):
        """Return the module that has the checkers of a chapter."""
        return f"{self.folder}/{chapter}.py"

    def fault(self, label, chapter, sentence):
        """Return a fault at the entry of an exercise in its module."""
        file = Path(self.root, self.file_of(chapter))
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        return Fault(self.file_of(chapter), line_of(text, f'"{label}"'), sentence)


def is_checked(exercise, parts, table):
    """Return whether an exercise is meant to be checked; others are as sphinx-exercise has them."""
    label = exercise.options.get("label")
    return label in table or any(part_of(part) for part in parts)


def faults_of_one(page, exercise, parts, modules):
    """Yield the faults of one exercise."""
    label = exercise.options.get("label", "")
    if not LABEL.fullmatch(label):
        yield page.fault(*label_fault(page, exercise, label))
        return
    called = called_by(parts)
    if called and called[0] != label:
        yield page.fault(page.line_of(called[0], exercise.line + 1), other_label(label, called[0]))
        return
    chapter, entry = modules.table.get(label, (page.name, None))
    yield from faults_of_parts(page, exercise, parts)
    for starter in parts[:1]:
        if part_of(starter) == "starter":
            yield from faults_of_starter(page, label, starter, modules)
    for part in parts:
        if part_of(part) == "solution":
            yield from faults_of_solution(page, label, part)
    if modules.strict and not EFFORT.search(exercise.body):
        sentence = f'the exercise {label} has no effort: end its text with "(5 min, easy)"'
        yield page.fault(exercise.line, sentence)
    if entry:
        yield from faults_of_entry(page, exercise, chapter, entry, modules)


def called_by(parts):
    """Return the labels that the starters among the parts of an exercise check."""
    starters = [part for part in parts if part_of(part) == "starter"]
    return [label for starter in starters for label in CHECK.findall(starter.body)]


def other_label(label, called):
    """Say that an exercise and its check have different labels."""
    return f'the exercise {label} calls check("{called}", …): both need the same label'


def label_fault(page, exercise, label):
    """Return line and sentence for a label that is missing, or that the page would not accept."""
    if not label:
        return exercise.line, f'the exercise "{exercise.argument}" has no label: write :label: ex-…'
    return page.line_of(label, exercise.line), f"{label} cannot be a label: a label {LABEL_RULE}"


def faults_of_parts(page, exercise, parts):
    """An exercise has one starter, one to three hints and one solution, in this order."""
    kinds, label = [part_of(part) for part in parts], exercise.options["label"]
    missing = [kind for kind in NEEDED if kind not in kinds]
    for kind in missing[:1]:
        yield page.fault(exercise.line, f"the exercise {label} has no {kind}: {NEEDED[kind]}")
    hints = [part for part in parts if part_of(part) == "hint"]
    if not missing and kinds != ["starter", *["hint"] * len(hints), "solution"]:
        sentence = f"the exercise {label} needs one starter, its hints and one solution, in order"
        yield page.fault(exercise.line, sentence)
    names = ["Hint"] if len(hints) == 1 else ["Hint 1", "Hint 2", "Hint 3"][: len(hints)]
    for hint, name in zip(hints, [*names, *["one too many"] * 9], strict=False):
        if hint.argument != name:
            yield page.fault(hint.line, f"this hint is called {hint.argument}, but it is {name}")


def faults_of_starter(page, label, starter, modules):
    """A starter ends in the check of its own exercise, which has a checker."""
    if not called_by([starter]):
        yield page.fault(starter.line, f'the starter of {label} does not call check("{label}", …)')
    elif label not in modules.table:
        yield page.fault(page.line_of(label, starter.line), no_checker(page, label, modules))
    elif not starter.body.splitlines()[-1].startswith(call := modules.table[label][1].call):
        sentence = f"the starter of {label} does not end in {call}"
        yield page.fault(page.line_of(label, starter.line), sentence)


def no_checker(page, label, modules):
    """Say that an exercise has no checker, and where one belongs or which one may be meant."""
    here = {exercise.options.get("label") for exercise, _ in page.exercises}
    own = {known for known, (chapter, _) in modules.table.items() if chapter == page.name}
    sentence, file = f"the exercise {label} has no checker", modules.file_of(page.name)
    if near := did_you_mean(label, own - here):
        return f"{sentence} in {file}{near}"
    return f'{sentence}: add Exercise("{label}", …) to EXERCISES in {file}'


def faults_of_solution(page, label, dropdown):
    """A solution names its exercise and is one block of Python that ends in the same check."""
    inside = [block for block in dropdown.blocks if getattr(block, "name", "") == "solution"]
    solved, codes = [block.argument for block in inside], python_in(dropdown)
    if solved != [label]:
        said = f"that of {solved[0]}" if solved else "missing: a {solution} must be in it"
        yield page.fault(dropdown.line, f"the solution of {label} is {said}")
    elif len(codes) != 1:
        yield page.fault(dropdown.line, f"the solution of {label} needs one block of Python")
    else:
        yield from faults_of_code(page, label, dropdown.line, *codes[0])


def faults_of_code(page, label, start, code, first):
    """The code of a solution can be read, and its last statement checks it."""
    try:
        body = ast.parse(code).body
    except SyntaxError as error:
        line = first + (error.lineno or 1) - 1
        yield page.fault(line, f"the solution of {label} fails: SyntaxError: {error.msg}")
        return
    called = CHECK.match(ast.unparse(body[-1])) if body else None
    if called is None:
        yield page.fault(start, f'the solution of {label} does not end in check("{label}", …)')
    elif called[1] != label:
        sentence = f'the solution of {label} calls check("{called[1]}", …)'
        yield page.fault(page.line_of(called[1], start), f"{sentence}: both need the same label")


def faults_of_entry(page, exercise, chapter, entry, modules):
    """The checker of an exercise is in the right module and expects what the chapter asks for."""
    label, file = entry.label, modules.file_of(chapter)
    if chapter != page.name:
        sentence = f"the checker of {label} is in {file}: move it to {modules.file_of(page.name)}"
        yield page.fault(page.line_of(label, exercise.line), sentence)
    letters = [letter for letter, _ in CHOICE.findall(exercise.body)]
    if letters != sorted(entry.letters):
        both = (letters, sorted(entry.letters))
        offers, explains = (", ".join(each) or "no letters" for each in both)
        sentence = f"the exercise {label} offers {offers}, but its checker explains {explains}"
        yield page.fault(exercise.line, f"{sentence}, in {file}")
    elif letters != list(ascii_lowercase[: len(letters)]):
        sentence = f"the choices of {label} are lettered {', '.join(letters)}: use a, b and so on"
        yield page.fault(exercise.line, sentence)
    points = len(POINT.findall(exercise.body))
    if points != len(entry.rubric):
        sentence = f"the exercise {label} asks for {points} points, but its rubric has"
        yield page.fault(exercise.line, f"{sentence} {len(entry.rubric)}, in {file}")


def strays(page):
    """Report starters, hints, solutions and checks that follow no exercise."""
    owned = {id(part) for _, parts in page.exercises for part in parts}
    missed = {k for _, parts in page.exercises for k in NEEDED if k not in map(part_of, parts)}
    for block in page.blocks:
        part = part_of(block)
        if part and part not in missed and id(block) not in owned:
            yield page.fault(block.line, f"this {part} follows no exercise, so it belongs to none")
        elif is_cell(block) and not part and "starter" not in missed:
            for label in CHECK.findall(block.body):
                sentence = f'this cell calls check("{label}", …) but is not tagged exercise'
                yield page.fault(page.line_of(label, block.line), sentence)


def unseen(page, modules):
    """Report exercises and solutions in places where they are not recognised."""
    checked = {e.label for e, parts in page.exercises if is_checked(e, parts, modules.table)}
    plain = set() if modules.strict else {e.label for e, _ in page.exercises} - checked
    names = {"exercise": "an exercise", "solution": "a solution"}
    for block in page.blocks:
        if not isinstance(block, Directive):
            continue
        if block.name == "solution" and block.argument not in plain:
            sentence = f"the solution of {block.argument} must be in a dropdown of class"
            yield page.fault(block.line, f"{sentence} book-solution")
        for inner in walk(block.blocks) if modules.strict or modules.table else ():
            name = getattr(inner, "name", "")
            if name in names and (part_of(block), name) != ("solution", "solution"):
                sentence = f"{names[name]} inside {{{block.name}}} is not recognised"
                yield page.fault(inner.line, f"{sentence}: put it outside")


def faults_of_checkers(book, modules):
    """Every checker has an exercise in a chapter, and every exercise has one checker."""
    exercises = [each for page in book.pages for each in page.exercises]
    printed = {exercise.options.get("label", "") for exercise, _ in exercises}
    called = {label for _, parts in exercises for label in called_by(parts)}
    first = {}
    for chapter, checkers in modules.checkers.items():
        unclaimed = printed - {checker.label for checker in checkers}
        for label in (checker.label for checker in checkers):
            misspelt = did_you_mean(label, unclaimed)  # reported in the chapter
            if label not in printed | called and not misspelt:
                sentence = f"the book has no exercise {label} in {book.file_of(chapter)}"
                yield modules.fault(label, chapter, sentence)
            if label in first:
                sentence = f"{label} has two checkers: the other is in {first[label]}"
                yield modules.fault(label, chapter, sentence)
            first.setdefault(label, modules.file_of(chapter))


# goals


def faults_of_goals(page, words):
    """A chapter's exercises cover its goals; its metadata says which exercise meets which goal."""
    here = [exercise.options.get("label", "") for exercise, _ in page.exercises]
    called = [label for _, parts in page.exercises for label in called_by(parts)]
    if not here or not set(called) <= set(here):  # a wrong label has been reported
        return
    told = page.metadata.get("goals")
    goals = [goal for goal in told if isinstance(goal, dict)] if isinstance(told, list) else []
    yield from faults_of_promises(page, [goal.get("goal", "") for goal in goals], words)
    for goal in goals:
        yield from faults_of_goal(page, goal.get("goal", ""), goal.get("met_by") or (), here)
    met = {label for goal in goals for label in goal.get("met_by") or ()}
    for exercise, _ in page.exercises:
        label = exercise.options.get("label", "")
        if label not in met:
            sentence = f"the exercise {label} serves no goal: name it in met_by, in the first lines"
            yield page.fault(page.line_of(label, exercise.line), sentence)


def faults_of_goal(page, goal, met_by, here):
    """A goal is met by at least one exercise of its chapter."""
    if not met_by:
        yield page.fault(page.line_of_text(goal), f'the goal "{goal}" is met by no exercise')
    for label in set(met_by) - set(here):
        near = did_you_mean(label, here)
        sentence = f"met_by names {label}, which is not an exercise of this chapter{near}"
        yield page.fault(page.line_of(label), sentence)


def faults_of_promises(page, goals, words):
    """The goals in the metadata and below the title agree in words and order."""
    listed = rf"^{re.escape(words)}\n\n(.*?)\n\n(?!-)"
    promise = re.search(listed, page.text, re.M | re.S)
    if promise is None:
        wanted = f'a list below "{words}"'
        yield page.fault(1, f"this chapter has exercises but no goals: it needs {wanted}")
        return
    items = re.split(r"^- ", promise[1], flags=re.M)[1:]
    promised = [" ".join(item.split()).rstrip(";.") for item in items]
    head = "is not under goals in the first lines of this chapter"
    for goal in [goal for goal in promised if goal not in goals]:
        yield page.fault(page.line_of_text(goal, promise.start()), f'the goal "{goal}" {head}')
    for goal in [goal for goal in goals if goal not in promised]:
        sentence = f'the goal "{goal}" is not in the list below the title'
        yield page.fault(page.line_of_text(goal), sentence)
    if sorted(goals) == sorted(promised) and goals != promised:
        line = page.line_of_text(promise[0])
        yield page.fault(line, "the goals are in a different order than in the first lines")
