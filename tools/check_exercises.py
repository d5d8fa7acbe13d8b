"""Look for faults in the exercises of the chapters: parts, labels, checkers and goals."""

import re
from pathlib import Path

from tools.book_text import part_of
from tools.faults import Fault, did_you_mean, line_of
from tools.notebook_text import Directive, blocks

LABEL = re.compile(r"ex-[a-z0-9-]{1,60}")  # as in web/verdict.js
CHECK = re.compile(r"""\bcheck\(\s*["']([^"']*)["']""")
EFFORT = re.compile(r"\((\d+) min, (easy|medium|hard)\)")
FOLDER = "attention_lib/exercises"
NEEDED = {
    "starter": "a cell tagged exercise must follow it",
    "hint": "a dropdown of class book-hint must follow its starter",
    "solution": "a dropdown of class book-solution must follow its hints",
}
PROMISE = re.compile(r"^After this chapter you can\n\n(.*?)\n\n(?!-)", re.M | re.S)


def faults_of(book, table):
    """Yield the faults of all exercises, held against the table of those that can be checked."""
    for page in book.pages:
        for exercise, parts in page.exercises:
            yield from faults_of_one(page, exercise, parts, table)
        yield from strays(page)
        yield from faults_of_goals(page)
    yield from faults_of_table(book, table)


def faults_of_one(page, exercise, parts, table):
    """Yield the faults of one exercise."""
    label = exercise.options.get("label", "")
    if not LABEL.fullmatch(label):
        yield page.fault(*label_fault(page, exercise, label))
        return
    called = called_by(parts)
    if called and called[0] != label:
        sentence = f'the exercise {label} calls check("{called[0]}", …): both need the same label'
        yield page.fault(page.line_of(called[0], exercise.line + 1), sentence)
        return
    yield from faults_of_parts(page, exercise, parts)
    for starter in parts[:1]:
        if part_of(starter) == "starter":
            yield from faults_of_starter(page, label, starter, table)
    for part in parts:
        if part_of(part) == "solution":
            yield from faults_of_solution(page, label, part)
    yield from faults_of_entry(page, exercise, table.get(label))


def called_by(parts):
    """Return the labels that the starters among the parts of an exercise check."""
    starters = [part for part in parts if part_of(part) == "starter"]
    return [label for starter in starters for label in CHECK.findall(starter.body)]


def label_fault(page, exercise, label):
    """Return line and sentence for a label that is missing, or that the page would not accept."""
    if not label:
        return exercise.line, f'the exercise "{exercise.argument}" has no label: write :label: ex-…'
    rule = "begins with ex- and goes on with at most 60 small letters, digits and hyphens"
    return page.line_of(label, exercise.line), f"the label {label} is not one: a label {rule}"


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
    elif not starter.body.splitlines()[-1].startswith(table[label].call):
        sentence = f"the starter of {label} does not end in {table[label].call}"
        yield page.fault(page.line_of(label, starter.line), sentence)


def no_checker(page, label, table):
    """Say that an exercise has no checker, and where one belongs or which one may be meant."""
    here = {exercise.options.get("label") for exercise, _ in page.exercises}
    own = {known for known, entry in table.items() if entry.chapter == page.name}
    near = did_you_mean(label, own - here)
    sentence = f"the exercise {label} has no checker"
    if near:
        return f"{sentence} in {FOLDER}/{page.name}.py{near}"
    listed = "" if own else f", and {page.name} to CHAPTERS in {FOLDER}/__init__.py"
    return f"{sentence}: add it to EXERCISES in {FOLDER}/{page.name}.py{listed}"


def faults_of_solution(page, label, dropdown):
    """A solution names its exercise and is one block of Python."""
    inside = [block for block, _ in blocks(dropdown.body)]
    solved = [b.argument for b in inside if isinstance(b, Directive) and b.name == "solution"]
    if solved != [label]:
        said = f"that of {solved[0]}" if solved else "none: a {solution} must stand in it"
        yield page.fault(dropdown.line, f"the solution of {label} is {said}")
    elif dropdown.body.count("```python\n") != 1:
        yield page.fault(dropdown.line, f"the solution of {label} needs one block of Python")


def faults_of_entry(page, exercise, entry):
    """Effort, title, choices and points are those of the table."""
    label = exercise.options["label"]
    effort = EFFORT.search(exercise.body)
    if effort is None:
        sentence = f'the exercise {label} has no effort: end its text with "(5 min, easy)"'
        yield page.fault(exercise.line, sentence)
    if effort is None or entry is None:
        return
    said = {
        "chapter": (page.name, entry.chapter),
        "title": (exercise.argument, entry.title),
        "effort": (effort[0], f"({entry.minutes} min, {entry.difficulty})"),
        "choices": (choices_in(exercise.body), dict(entry.choices or {})),
        "number of points": (len(re.findall(r"^\d\. ", exercise.body, re.M)), len(entry.rubric)),
    }
    for what, (here, there) in said.items():
        if here != there:
            table = f"{FOLDER}/{entry.chapter}.py"
            sentence = f"the {what} of {label} is {here} here and {there} in {table}"
            yield page.fault(exercise.line, sentence)


def choices_in(text):
    """Return the letters to choose from, and what they stand for."""
    return dict(re.findall(r"^- \*\*(\w)\*\*: (.+)$", text, re.M))


def strays(page):
    """Tell of starters, hints and solutions that follow no exercise."""
    owned = {id(part) for _, parts in page.exercises for part in parts}
    missed = {k for _, parts in page.exercises for k in NEEDED if k not in map(part_of, parts)}
    for block in page.blocks:
        part = part_of(block)
        if part and part not in missed and id(block) not in owned:
            yield page.fault(block.line, f"this {part} follows no exercise, so it belongs to none")


def faults_of_table(book, table):
    """What can be checked stands in a chapter, in the same order."""
    printed = [e.options.get("label", "") for page in book.pages for e, _ in page.exercises]
    called = {
        label for page in book.pages for _, parts in page.exercises for label in called_by(parts)
    }
    order = [label for label in printed if label in table]
    both = [label for label in table if label in printed]
    for label, entry in table.items():
        misspelt = did_you_mean(label, set(printed) - set(table))  # told in the chapter
        if label not in {*printed, *called} and not misspelt:
            sentence = f"the book has no exercise {label} in chapters/{entry.chapter}.md"
            yield table_fault(book.root, label, entry, sentence)
    for label, expected in zip(both, order, strict=False):
        if label != expected:
            sentence = f"{label} stands where the chapters have {expected}: keep their order"
            yield table_fault(book.root, label, table[label], sentence)
            break


def table_fault(root, label, entry, sentence):
    """Return a fault at the entry of an exercise in the table."""
    path = f"{FOLDER}/{entry.chapter}.py"
    file = Path(root, path)
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return Fault(path, line_of(text, f'label="{label}"'), sentence)


# goals


def faults_of_goals(page):
    """What a chapter promises is what its exercises ask; its metadata say which meets which."""
    here = [exercise.options.get("label", "") for exercise, _ in page.exercises]
    called = [label for _, parts in page.exercises for label in called_by(parts)]
    if not here or not set(called) <= set(here):  # a wrong label is told already
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
    """A goal is met by exercises of its chapter, by at least one."""
    if not met_by:
        yield page.fault(page.line_of_text(goal), f'the goal "{goal}" is met by no exercise')
    for label in set(met_by) - set(here):
        near = did_you_mean(label, here)
        sentence = f"met_by names {label}, which is no exercise of this chapter{near}"
        yield page.fault(page.line_of(label), sentence)


def faults_of_promises(page, goals):
    """The goals stand in the metadata and below the title, in the same words and order."""
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
        yield page.fault(line, "the goals stand in another order than in the first lines")
