"""Look for faults in the exercises of the chapters: parts, labels, checkers and goals.

A chapter has everything about an exercise except its checker, which is in the module of the same
name. Here the two are compared.
"""

import ast
import re
from pathlib import Path

from bookwork.book.exercise_text import CHECK, LABEL, LABEL_RULE, exercises_on, python_in
from bookwork.book.faults import Fault, did_you_mean, line_of, one_line
from bookwork.book.myst import as_dict, texts_in
from bookwork.book.pages import part_of

NEEDED = {
    "starter": "a cell tagged exercise must follow it, before the next heading",
    "hint": "a dropdown of class book-hint must follow its starter",
    "solution": "a dropdown of class book-solution must follow its hints",
}


def faults_of(book, checkers):
    """Yield the faults of all exercises, compared with the checkers of each chapter's module."""
    modules, known = Modules(book, checkers), set()
    for page in book.sources:
        exercises = exercises_on(page)
        yield from page.open_gates()
        for each in exercises:  # those without a starter are as sphinx-exercise has them
            is_ours = book.has_goals or each.label in modules.table or each.starter
            if is_ours and each.label not in known:  # or check_labels tells that it occurs twice
                yield from faults_of_one(each, modules, book.has_goals)
        for outer, inner in page.nested("exercise") if book.has_goals or modules.table else ():
            sentence = f"an exercise inside {{{outer.name}}} is not recognised: put it outside"
            yield page.fault(inner.line, sentence)
        words = book.settings["bookwork_goals"]
        if exercises and words and (book.strict or page.metadata.get("goals")):
            yield from faults_of_goals(page, exercises, words)
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


def faults_of_one(exercise, modules, has_goals):
    """Yield the faults of one exercise; a book with goals wants all parts of it, in order."""
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
        for at, sentence in faults_of_contents(exercise, modules, has_goals):
            yield page.fault(at, sentence)
    for sentence in missing_of(exercise, has_goals) if label else ():
        yield page.fault(line, f"the exercise {label} {sentence}")


def missing_of(exercise, has_goals):
    """Yield what an exercise lacks: a starter in any case, the rest in a book with goals."""
    kinds = [*map(part_of, exercise.parts)]
    missing = [kind for kind in (NEEDED if has_goals else ["starter"]) if kind not in kinds]
    for kind in missing:
        yield f"has no {kind}: {NEEDED[kind]}"
    in_order = ["starter", *["hint"] * exercise.hints, "solution"]
    if has_goals and not missing and kinds != in_order:
        yield "needs one starter, its hints and one solution, in order"
    if has_goals and not exercise.minutes:
        yield 'has no effort: end its text with "(5 min, easy)"'


def faults_of_contents(exercise, modules, has_goals):
    """Yield the faults of starter, solution and checker."""
    for part in exercise.parts:
        if part_of(part) == "starter":
            yield from faults_of_starter(exercise, part, modules)
        elif part_of(part) == "solution" and has_goals:
            yield from faults_of_solution(exercise, part)
    if exercise.label in modules.table:
        yield from faults_of_checker(exercise, *modules.table[exercise.label], modules, has_goals)


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


def faults_of_solution(exercise, dropdown):
    """A solution names its exercise and is one block of Python that ends in the same check."""
    label, line = exercise.label, dropdown.line
    inside = [block for block in dropdown.blocks if getattr(block, "name", "") == "solution"]
    solved, codes = [block.argument for block in inside], python_in(dropdown)
    if solved != [label]:
        said = f"that of {solved[0]}" if solved else "missing: a {solution} must be in it"
        yield line, f"the solution of {label} is {said}"
        return
    if len(codes) != 1:
        yield line, f"the solution of {label} needs one block of Python"
        return
    try:
        body = ast.parse(codes[0][0]).body
    except SyntaxError as error:
        at = codes[0][1] + (error.lineno or 1) - 1
        yield at, f"the solution of {label} fails: SyntaxError: {error.msg}"
        return
    called = CHECK.match(ast.unparse(body[-1])) if body else None
    if not called or called[1] != label:
        yield line, f'the solution of {label} does not end in check("{label}", …)'


def faults_of_checker(exercise, chapter, entry, modules, has_goals):
    """The checker of an exercise is in the right module and expects what the chapter asks for."""
    label, line, file = exercise.label, exercise.directive.line, modules.file_of(chapter)
    if has_goals and chapter != exercise.chapter:
        sentence = f"the checker of {label} is in {file}: move it to"
        at = exercise.page.line_of(label, line)
        yield at, f"{sentence} {modules.file_of(exercise.chapter)}"
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


# goals


def faults_of_goals(page, exercises, words):
    """A chapter's exercises cover its goals; its metadata says which exercise meets which goal."""
    here = [each.label for each in exercises]
    if not {label for each in exercises for label in each.called} <= set(here):
        return  # a wrong label has been reported
    told = page.metadata.get("goals")
    goals = [as_dict(goal) for goal in told] if isinstance(told, list) else []
    goals = {str(goal.get("goal", "")): texts_in(goal.get("met_by")) for goal in goals}
    yield from faults_of_promises(page, goals, words)
    for goal, met_by in goals.items():
        if not met_by:
            yield page.fault(page.line_of_text(goal), f'the goal "{goal}" is met by no exercise')
        for label in set(met_by) - set(here):
            near = did_you_mean(label, here)
            sentence = f"met_by names {label}, which is not an exercise of this chapter{near}"
            yield page.fault(page.line_of(label), sentence)
    met = {label for met_by in goals.values() for label in met_by}
    for each in exercises:
        if each.label not in met:
            served = f"the exercise {each.label} serves no goal"
            line = page.line_of(each.label, each.directive.line)
            yield page.fault(line, f"{served}: name it in met_by, in the first lines")


def faults_of_promises(page, goals, words):
    """The goals in the metadata are those below the title."""
    promise = re.search(rf"^{re.escape(words)}\n\n(.*?)\n\n(?!-)", page.text, re.M | re.S)
    if promise is None:
        wanted = f'a list below "{words}"'
        yield page.fault(1, f"this chapter has exercises but no goals: it needs {wanted}")
        return
    items = re.split(r"^- ", promise[1], flags=re.M)[1:]
    promised = [one_line(item).rstrip(";.") for item in items]
    for goal in [goal for goal in promised if goal not in goals]:
        sentence = f'the goal "{goal}" is not under goals in the first lines of this chapter'
        yield page.fault(page.line_of_text(goal, promise.start()), sentence)
    for goal in [goal for goal in goals if goal not in promised]:
        sentence = f'the goal "{goal}" is not in the list below the title'
        yield page.fault(page.line_of_text(goal), sentence)
