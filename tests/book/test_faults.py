"""Each mistake of an author gets one sentence, with its file and line; the book itself has none."""

import re
import shutil
from itertools import groupby
from types import ModuleType

import numpy as np
import pytest
from book.chapters import FOLDER, fail_with
from checks import load

from bookwork.book import check_book
from bookwork.book.book import Book
from bookwork.book.check_book import faults_of
from bookwork.book.exercise_text import exercises_on
from bookwork.book.faults import Fault, print_faults
from bookwork.book.pages import read_page
from bookwork.exercises import ChoiceChecker, Exercise
from bookwork.exercises import table as engine_table
from bookwork.exercises.table import exercises_of, judge

ROOT = FOLDER.parent
EXAMPLE = ROOT / "examples" / "chapter"
TOC = "format: jb-book\nroot: chapters/start\nchapters:\n  - file: chapters/shares\n"
START = "# A small book\n\nIts chapters:\n\n1. {ref}`sec-shares` – share.\n"
SHARES = "chapters/shares.md"
IMPORT = "from bookwork.exercises import ChoiceChecker"


def test_the_book_has_no_fault():
    fail_with(faults_of(Book(ROOT), only_text=True))


@pytest.fixture(scope="module")
def table():
    """Return the checkers of the example, by the name of its chapter."""
    return {"shares": exercises_of(load(EXAMPLE / "shares.py").EXERCISES, "shares")}


@pytest.fixture
def book(tmp_path):
    """Return the root of a book whose only chapter is the example."""
    for folder in ("chapters", "attention_lib", "attention_exercises"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(EXAMPLE / "shares.md", tmp_path / "chapters")
    shutil.copy(EXAMPLE / "shares.py", tmp_path / "attention_exercises")
    (tmp_path / "chapters" / "start.md").write_text(START, encoding="utf-8")
    (tmp_path / "_toc.yml").write_text(TOC)
    shutil.copy(ROOT / "_config.yml", tmp_path)
    return tmp_path


def change(book, path, *changes):
    """Replace pieces of a file of the book, each of which must be there."""
    text = (book / path).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (book / path).write_text(text, encoding="utf-8")


def told(book, table):
    return [str(fault) for fault in faults_of(Book(book), only_text=True, table=table)]


def test_the_example_has_no_fault(book, table):
    assert told(book, table) == []


# the table of contents


@pytest.mark.parametrize(
    ("added", "sentence"),
    [
        (
            "file: chapters/share",
            "5: there is no file chapters/share.md; did you mean chapters/shares.md?",
        ),
        ("file: chapters/shares", "5: document file used multiple times: 'chapters/shares'"),
        ("chapters/shares", "5: entry not a mapping type @ '/chapters/1'"),
        ("file: {", "6: while parsing a flow node: expected the node content"),
    ],
)
def test_a_wrong_line_in_the_contents_is_told(book, table, added, sentence):
    (book / "_toc.yml").write_text(f"{TOC}  - {added}\n")
    (fault,) = told(book, table)
    assert fault.startswith(f"_toc.yml:{sentence}")


def test_a_page_in_any_folder_of_pages_that_is_not_listed_is_told(book, table):
    (book / "chapters").rename(book / "text")
    (book / "_toc.yml").write_text(TOC.replace("chapters/", "text/"))
    (book / "text" / "bread.md").write_text("# Bread\n")
    (book / "notes").mkdir()  # which has no page
    (book / "notes" / "mine.md").write_text("# Mine\n")
    assert told(book, table) == [
        'text/bread.md:1: this page is not in the book: add "- file: text/bread" to _toc.yml'
    ]


# the text of the chapter: what is changed in the example, and what is told of it

MISTAKES = r"""
-     format_name: myst
+     format_name: markdown
24: the cells of this page are not run: its first lines must say jupytext and
    kernelspec, as `bookwork new` writes them

-     met_by: [ex-shares]
+     met_by: [ex-shares
12: the first lines cannot be read: expected ',' or ']', but got '<stream end>'

-     name: fig-shares
+     name: {fig-shares
42: the options of the cell cannot be read: expected ',' or '}', but got ':'

- :tags: [exercise]
+ :tags: [exercise
67: the options of the cell cannot be read: expected ',' or ']', but got '<stream end>'

- Three bakers
+ :::{note}\n```{code-cell} ipython3\n1\n```\n:::\n\nThree bakers
23: a cell inside {note} is not run: put it outside

- def shares_of_bread(third):
+ def shares_of_bread(third)
47: the cell fails: SyntaxError: expected ':'

- ```{code-cell} ipython3\nimport numpy
+ ```{code-cell} ipython3\n:tags: [fields]\nname = f'x'\nimport numpy
24: the cell is tagged fields, so it needs a line such as text = "…"

- tags: [remove-input]
+ tags: [remove-input, independent]
48: the cell uses np, which is made above the independent cell: make it below that
72: the cell uses check, which is made above the independent cell: make it below that

- {numref}`fig-shares`
+ {numref}`fig-share`
33: there is no label fig-share; did you mean fig-shares?

- {numref}`fig-shares`
+ {numref}`the figure\n<nothing-like-it>`
34: there is no label nothing-like-it

-     name: fig-shares
+     name: sec-shares
41: the label sec-shares occurs twice: also in chapters/shares.md:15
33: there is no label fig-shares; did you mean ex-shares?

- :label: ex-shares
+ :label: ex-shares-one
- [ex-shares]
+ [ex-shares-one]
72: the exercise ex-shares-one calls check("ex-shares", …): both need the same label

- ex-shares
+ ex shares
61: ex shares cannot be a label: a label has at most 100 characters, without spaces,
    quotation marks and backslashes

- :label: ex-shares
+
60: the exercise "Shares of anything" has no label: write :label: ex-…

- :tags: [exercise]
+
60: the exercise ex-shares has no starter: a cell tagged exercise must follow it,
    before the next heading

- check("ex-shares", shares)\n```\n\n:::{drop
+ ```\n\n:::{drop
66: the starter of ex-shares does not call check("ex-shares", …)

- check("ex-shares", shares)\n```\n\n:::{drop
+ check("ex-shares")\n```\n\n:::{drop
72: the starter of ex-shares does not end in check("ex-shares", shares)

- sum of all. (3 min
+ sum of all.\n\n- **a**: one\n- **b**: two\n\n(3 min
60: the exercise ex-shares offers a, b, but its checker explains no letters,
    in attention_exercises/shares.py

- sum of all. (3 min
+ sum of all.\n\n1. Why?\n2. What for?\n\n(3 min
60: the exercise ex-shares asks for 2 points, but its rubric has 0,
    in attention_exercises/shares.py

- Three bakers
+ ::::{note}\n:::{exercise} Bread\n:label: ex-bread\n:::\n::::\n\nThree bakers
23: an exercise inside {note} is not recognised: put it outside
"""


def read_mistakes(text):
    """Yield the changes of each mistake, old and new, and the sentences that tell of it."""
    for block in text.strip().split("\n\n"):
        kinds = groupby(block.splitlines(), lambda line: line[0] if line[0] in "-+" else "")
        parts = [(kind, list(lines)) for kind, lines in kinds]
        *edits, said = ["\n".join(line[2:] if kind else line for line in ls) for kind, ls in parts]
        edits = [edit.replace("\\n", "\n") for edit in edits]
        sentences = said.replace("\n    ", " ").splitlines()
        changes = list(zip(edits[::2], edits[1::2], strict=True))
        yield pytest.param(changes, sentences, id=sentences[0])


@pytest.mark.parametrize(("changes", "sentences"), [*read_mistakes(MISTAKES)])
def test_a_mistake_is_told_with_its_line(book, table, changes, sentences):
    change(book, SHARES, *changes)
    assert told(book, table) == [f"{SHARES}:{sentence}" for sentence in sentences]


def test_an_exercise_without_a_checker_is_told_where_it_is_checked(book, table):
    no_checker = f"{SHARES}:72: the exercise ex-share{{}} has no checker"
    added = "add one to EXERCISES in attention_exercises/shares.py"
    assert told(book, {"bread": ()}) == [f"{no_checker.format('s')}: {added}"]
    change(book, SHARES, ("ex-shares", "ex-share"))  # which is told once
    near = "in attention_exercises/shares.py; did you mean ex-shares?"
    assert told(book, table) == [f"{no_checker.format('')} {near}"]


def test_a_checker_without_an_exercise_is_told_in_the_table(book, table):
    text = (book / SHARES).read_text(encoding="utf-8")
    (book / SHARES).write_text(text[: text.index(":::{exercise}")], encoding="utf-8")
    assert told(book, table) == [
        "attention_exercises/shares.py:16: the book has no exercise ex-shares in chapters/shares.md"
    ]


def test_an_exercise_that_is_copied_to_another_chapter_is_told_once(book, table):
    copied = (book / SHARES).read_text(encoding="utf-8").replace("-shares", "-two")
    copied = copied.replace("ex-two", "ex-shares")
    (book / "chapters" / "two.md").write_text(copied, encoding="utf-8")
    (book / "_toc.yml").write_text(f"{TOC}  - file: chapters/two\n")
    twice = f"chapters/two.md:61: the label ex-shares occurs twice: also in {SHARES}:61"
    assert told(book, table) == [twice]


@pytest.mark.parametrize(
    ("offered", "explained", "sentence"),
    [
        ("abe", "abc", "offers a, b, e, but its checker explains a, b, c"),
        ("bac", "abc", "offers b, a, c, but its checker explains a, b, c"),
        ("", "ab", "offers no letters, but its checker explains a, b"),
    ],
)
def test_letters_that_do_not_fit_are_told(book, offered, explained, sentence):
    choices = "".join(f"- **{letter}**: so\n" for letter in offered)
    change(book, SHARES, ("(3 min", f"\n\n{choices}\n(3 min"), ("shares)\n", "answer)\n"))
    checker = ChoiceChecker("b", {letter: "so." for letter in explained})
    (said,) = told(book, {"shares": (Exercise("ex-shares", checker),)})
    where = "in attention_exercises/shares.py"
    assert said == f"{SHARES}:60: the exercise ex-shares {sentence}, {where}"


# the exercise that its README adds to the example, in two files


@pytest.fixture
def added(book):
    """Return the example after both files were changed as the guide says, and its checkers."""
    guide = (ROOT / "examples" / "chapter" / "README.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^`{5}md\n(.*?)^`{5}$", guide, re.M | re.S)
    code = re.search(r"^```python\n(def largest\(x: .*?)^```$", guide, re.M | re.S)[1]
    (goal,) = re.findall(r"`(met_by: .*?)`", guide)
    change(book, SHARES, ("met_by: [ex-shares]", goal))
    (book / SHARES).write_text(f"{(book / SHARES).read_text()}\n{text}", encoding="utf-8")
    module = book / "attention_exercises" / "shares.py"
    module.write_text(module.read_text() + "\n" + code)
    return book, {"shares": exercises_of(load(module).EXERCISES, "shares")}


def test_the_exercise_of_the_guide_has_no_fault(added):
    assert told(*added) == []


def test_the_exercise_of_the_guide_is_checked_by_what_its_two_files_say(added):
    book, checkers = added
    table = {exercise.label: exercise for exercise in checkers["shares"]}
    _, text = exercises_on(read_page(book, SHARES))
    assert (text.label, text.minutes, text.difficulty) == ("ex-largest", 3, "easy")
    space = {"np": np, "check": lambda label, *answer: judge(table, label, answer, {})}
    assert run(text.starter, dict(space)).status == "not started"
    assert run(text.code, dict(space)).status == "correct"
    (mistake,) = table["ex-largest"].checker.mistakes
    assert judge(table, "ex-largest", (mistake.wrong,), {}).message == mistake.says


def run(code, space):
    """Run a cell; return the value of its last line."""
    *lines, last = code.rstrip().split("\n")
    exec("\n".join(lines), space)
    return eval(last, space)


# how it is told


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("\nnonsense\n", "2: NameError: name 'nonsense' is not defined"),
        (
            f"{IMPORT}\nANY = ChoiceChecker('c', {{'a': 'no.', 'b': 'yes.'}})\n",
            "2: ValueError: the right letter is c, but a, b are explained",
        ),
        (
            f"{IMPORT}\n\nEXERCISES = ('ex-shares',)\n",
            "3: TypeError: EXERCISES in attention_exercises.shares should be a dictionary of "
            "checkers or a tuple of Exercise, but is ('ex-shares',)",
        ),
    ],
)
def test_a_module_of_checkers_that_cannot_be_read_is_told(book, monkeypatch, source, sentence):
    path = book / "attention_exercises" / "shares.py"
    path.write_text(source)

    def read_it(name):
        space = ModuleType("attention_exercises.shares")
        exec(compile(path.read_text(), str(path), "exec"), vars(space))
        monkeypatch.setattr(engine_table, "import_module", lambda name: space)
        return engine_table.read_module("attention_exercises.shares")

    monkeypatch.setattr(check_book.importlib, "import_module", read_it)
    assert [str(fault) for fault in faults_of(Book(book))] == [
        f"attention_exercises/shares.py:{sentence}"
    ]


def test_each_fault_is_printed_once_and_counted(capsys):
    fault = Fault("b.md", 10, "ten")
    assert print_faults([fault, Fault("b.md", 9, "nine"), fault, Fault("", 0, "no file")]) == 3
    assert capsys.readouterr().out == "no file\nb.md:9: nine\nb.md:10: ten\n"
