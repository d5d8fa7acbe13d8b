"""Look for faults in the exercises of the chapters: parts, labels, checkers and goals.

A chapter has everything about an exercise except its checker, which is in the module of the same
name. Here the two are compared.
"""

import ast
import re
from pathlib import Path
from string import ascii_lowercase

from bookwork.book.book_text import is_cell, part_of
from bookwork.book.exercise_grammar import CHECK, CHOICE, EFFORT, LABEL, LABEL_RULE, POINT
from bookwork.book.faults import Fault, did_you_mean, line_of
from bookwork.book.files import ROOT
from bookwork.book.notebook_text import FENCE, Directive, blocks
from bookwork.book.settings import settings_of

NEEDED = {
    "starter": "a cell tagged exercise must follow it",
    "hint": "a dropdown of class book-hint must follow its starter",
    "solution": "a dropdown of class book-solution must follow its hints",
}
PROMISE = re.compile(r"^After this chapter you can\n\n(.*?)\n\n(?!-)", re.M | re.S)


def faults_of(book, checkers):
    """Yield the faults of all exercises, compared with the checkers of each chapter's module."""
    table = {each.label: (chapter, each) for chapter in checkers for each in checkers[chapter]}
    for page in book.pages:
        for exercise, parts in page.exercises:
            if book.strict or is_checked(exercise, parts, table):
                yield from faults_of_one(page, exercise, parts, table, book.strict)
        yield from strays(page)
        yield from unseen(page, table, book.strict)
        if book.strict or page.metadata.get("goals"):
            yield from faults_of_goals(page)
    yield from faults_of_checkers(book, checkers)


def is_checked(exercise, parts, table):
    """Return whether an exercise is meant to be checked; others are as sphinx-exercise has them."""
    label = exercise.options.get("label")
    return label in table or any(part_of(part) for part in parts)


def file_of(chapter):
    """Return the module that has the checkers of a chapter."""
    package = settings_of(ROOT)["bookwork_exercises"] or "your_package.exercises"
    return f"{package.replace('.', '/')}/{chapter}.py"


def faults_of_one(page, exercise, parts, table, strict):
    """Yield the faults of one exercise."""
    label = exercise.options.get("label", "")
    if not LABEL.fullmatch(label):
        yield page.fault(*label_fault(page, exercise, label))
        return
    called = called_by(parts)
    if called and called[0] != label:
        yield page.fault(page.line_of(called[0], exercise.line + 1), other_label(label, called[0]))
        return
    chapter, entry = table.get(label, (page.name, None))
    yield from faults_of_parts(page, exercise, parts)
    for starter in parts[:1]:
        if part_of(starter) == "starter":
            yield from faults_of_starter(page, label, starter, table)
    for part in parts:
        if part_of(part) == "solution":
            yield from faults_of_solution(page, label, part)
    if strict and not EFFORT.search(exercise.body):
        sentence = f'the exercise {label} has no effort: end its text with "(5 min, easy)"'
        yield page.fault(exercise.line, sentence)
    if entry:
        yield from faults_of_entry(page, exercise, chapter, entry)


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


def faults_of_starter(page, label, starter, table):
    """A starter ends in the check of its own exercise, which has a checker."""
    if not called_by([starter]):
        yield page.fault(starter.line, f'the starter of {label} does not call check("{label}", …)')
    elif label not in table:
        yield page.fault(page.line_of(label, starter.line), no_checker(page, label, table))
    elif not starter.body.splitlines()[-1].startswith(table[label][1].call):
        sentence = f"the starter of {label} does not end in {table[label][1].call}"
        yield page.fault(page.line_of(label, starter.line), sentence)


def no_checker(page, label, table):
    """Say that an exercise has no checker, and where one belongs or which one may be meant."""
    here = {exercise.options.get("label") for exercise, _ in page.exercises}
    own = {known for known, (chapter, _) in table.items() if chapter == page.name}
    sentence, file = f"the exercise {label} has no checker", file_of(page.name)
    if near := did_you_mean(label, own - here):
        return f"{sentence} in {file}{near}"
    return f'{sentence}: add Exercise("{label}", …) to EXERCISES in {file}'


def faults_of_solution(page, label, dropdown):
    """A solution names its exercise and is one block of Python that ends in the same check."""
    inside = [block for block, _ in blocks(dropdown.body)]
    solved = [b.argument for b in inside if isinstance(b, Directive) and b.name == "solution"]
    codes = re.findall(r"```python\n(.*?)```", dropdown.body, re.S)
    if solved != [label]:
        said = f"that of {solved[0]}" if solved else "missing: a {solution} must be in it"
        yield page.fault(dropdown.line, f"the solution of {label} is {said}")
    elif len(codes) != 1:
        yield page.fault(dropdown.line, f"the solution of {label} needs one block of Python")
    else:
        yield from faults_of_code(page, label, dropdown.line, codes[0])


def faults_of_code(page, label, start, code):
    """The code of a solution can be read, and its last statement checks it."""
    try:
        body = ast.parse(code).body
    except SyntaxError as error:
        line = page.line_of("python", start) + (error.lineno or 0)
        yield page.fault(line, f"the solution of {label} fails: SyntaxError: {error.msg}")
        return
    called = CHECK.match(ast.unparse(body[-1])) if body else None
    if called is None:
        yield page.fault(start, f'the solution of {label} does not end in check("{label}", …)')
    elif called[1] != label:
        sentence = f'the solution of {label} calls check("{called[1]}", …)'
        yield page.fault(page.line_of(called[1], start), f"{sentence}: both need the same label")


def faults_of_entry(page, exercise, chapter, entry):
    """The checker of an exercise is in the right module and expects what the chapter asks for."""
    label, file = entry.label, file_of(chapter)
    if chapter != page.name:
        sentence = f"the checker of {label} is in {file}: move it to {file_of(page.name)}"
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


def unseen(page, table, strict):
    """Report exercises and solutions in places where they are not recognised."""
    plain = {e.options.get("label") for e, parts in page.exercises} if not strict else set()
    plain -= {e.options.get("label") for e, parts in page.exercises if is_checked(e, parts, table)}
    for block in page.blocks:
        if not isinstance(block, Directive) or is_cell(block):
            continue
        if block.name == "solution" and block.argument not in plain:
            sentence = f"the solution of {block.argument} must be in a dropdown of class"
            yield page.fault(block.line, f"{sentence} book-solution")
        names = {match["name"] for match in FENCE.finditer(block.body)} & {"exercise", "solution"}
        if part_of(block) == "solution" or not (strict or table):
            names -= {"solution"}
        if not (strict or table):
            names -= {"exercise"}
        for name in sorted(names):
            line = page.line_of(f"{{{name}}}", block.line)
            sentence = f"an {name}" if name == "exercise" else f"a {name}"
            yield page.fault(
                line, f"{sentence} inside {{{block.name}}} is not recognised: put it outside"
            )


def faults_of_checkers(book, checkers):
    """Every checker has an exercise in a chapter, and every exercise has one checker."""
    printed = {e.options.get("label", "") for page in book.pages for e, _ in page.exercises}
    called = {
        label for page in book.pages for _, parts in page.exercises for label in called_by(parts)
    }
    first = {}
    for chapter, exercises in checkers.items():
        unclaimed = printed - {exercise.label for exercise in exercises}
        for label in (exercise.label for exercise in exercises):
            misspelt = did_you_mean(label, unclaimed)  # reported in the chapter
            if label not in printed | called and not misspelt:
                sentence = f"the book has no exercise {label} in chapters/{chapter}.md"
                yield checker_fault(book.root, label, chapter, sentence)
            if label in first:
                sentence = f"{label} has two checkers: the other is in {first[label]}"
                yield checker_fault(book.root, label, chapter, sentence)
            first.setdefault(label, file_of(chapter))


def checker_fault(root, label, chapter, sentence):
    """Return a fault at the entry of an exercise in its module."""
    file = Path(root, file_of(chapter))
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return Fault(file_of(chapter), line_of(text, f'"{label}"'), sentence)


# goals


def faults_of_goals(page):
    """A chapter's exercises cover its goals; its metadata says which exercise meets which goal."""
    here = [exercise.options.get("label", "") for exercise, _ in page.exercises]
    called = [label for _, parts in page.exercises for label in called_by(parts)]
    if not here or not set(called) <= set(here):  # a wrong label has been reported
        return
    goals = page.metadata.get("goals") or []
    yield from faults_of_promises(page, [goal.get("goal", "") for goal in goals])
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


def faults_of_promises(page, goals):
    """The goals in the metadata and below the title agree in words and order."""
    promise = PROMISE.search(page.text)
    if promise is None:
        wanted = 'a list below "After this chapter you can"'
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
