"""Each mistake of an author gets one sentence, with its file and line; the example has none.

One small book has a page for each mistake, and is checked once. A page is the chapter of the
example under a name of its own, which stands for the word shares.
"""

import re
from itertools import groupby
from pathlib import Path, PurePosixPath

import pytest
from small_books import run, write

EXAMPLE = Path(__file__).with_name("example")
CONFIG = """title: A book
only_build_toc_files: true
parse:
  myst_enable_extensions: [colon_fence]
sphinx:
  extra_extensions: [bookwork]
  config:
    bookwork_package: stall
    bookwork_strict: true
    bookwork_strickt: true
    bookwork_exercises: stall.exercises
"""
TABLE = "from bookwork.exercises import Exercises\nEXERCISES = Exercises(__name__, __path__)\n"
WORDS = "bread clock water hammer pocket zebra orbit comfy kiwis quartz window mosaic lyrics fable"
NAMES = iter(re.findall(r"\w+", WORDS))  # no two of which are alike
NOT_TAKEN = (  # says myst-nb
    "Found an unexpected `code-cell` or `raw-cell` directive. Either this file was not converted "
    "to a notebook, because Jupytext header content was missing, or the `code-cell` was not "
    "converted, because it is nested. See "
    "https://myst-nb.readthedocs.io/en/latest/authoring/text-notebooks.html for more information."
)
MISTAKES = r"""
-     format_name: myst
+     format_name: markdown
24: NOT TAKEN
33: there is no label fig-@; did you mean ex-@?
35: NOT TAKEN
60: the exercise ex-@ has no starter: a cell tagged exercise must follow it,
    before the next heading
66: NOT TAKEN

- Three bakers
+ :::{note}\n```{code-cell} ipython3\n1\n```\n:::\n\nThree bakers
23: NOT TAKEN

- def @_of_bread(third):
+ def @_of_bread(third)
47: the cell fails: SyntaxError: expected ':'

- {numref}`fig-@`
+ {numref}`fig-@x`
33: there is no label fig-@x; did you mean fig-@?

- {numref}`fig-@`
+ {numref}`the figure\n<nothing-like-it>`
34: there is no label nothing-like-it

-     name: fig-@
+     name: sec-@
33: there is no label fig-@; did you mean ex-@?

- :label: ex-@
+ :label: ex-@-one
- [ex-@]
+ [ex-@-one]
undefined label: ex-@
69: the exercise ex-@-one calls check("ex-@", …): both need the same label

- ex-@
+ ex @
60: ex @ cannot be a label: a label has at most 100 characters, without spaces,
    quotation marks and backslashes
84: Directive 'solution': maximum 1 argument(s) allowed, 2 supplied

- :label: ex-@
+
undefined label: ex-@
60: the exercise "Shares of anything" has no label: write :label: ex-…

- :tags: [exercise]
+
60: the exercise ex-@ has no starter: a cell tagged exercise must follow it,
    before the next heading

- check("ex-@", @)\n```\n\n:::{drop
+ ```\n\n:::{drop
69: the starter of ex-@ does not call check("ex-@", …)

- check("ex-@", @)\n```\n\n:::{drop
+ check("ex-@")\n```\n\n:::{drop
69: the starter of ex-@ does not end in check("ex-@", @)

- sum of all. (3 min
+ sum of all.\n\n* **a**: one\n* **b**: two\n\n(3 min
60: the exercise ex-@ offers a, b, but its checker explains no letters,
    in stall/exercises/@.py

- ex-@
+ ex-none-of-these
69: the exercise ex-none-of-these has no checker: add one to EXERCISES in stall/exercises/@.py
"""


def read_mistakes(text):
    """Yield the name of each page, its changes, old and new, and the sentences that tell of it."""
    for block in text.strip().split("\n\n"):
        name = next(NAMES)
        lines = block.replace("@", name).splitlines()
        kinds = groupby(lines, lambda line: line[0] if line[0] in "-+" else "")
        parts = [(kind, list(lines)) for kind, lines in kinds]
        *edits, said = ["\n".join(line[2:] if kind else line for line in ls) for kind, ls in parts]
        edits = [edit.replace("\\n", "\n") for edit in edits]
        sentences = re.sub(r"\n +", " ", said).replace("NOT TAKEN", NOT_TAKEN).splitlines()
        changes = list(zip(edits[::2], edits[1::2], strict=True))
        yield pytest.param(name, changes, sentences, id=sentences[-1])


PAGES = [*read_mistakes(MISTAKES)]


def files_of(name, *changes):
    """Return the example under another name: its page with changes, and its checkers."""
    page, checkers = (
        re.sub(r"\bshares", name, (EXAMPLE / file).read_text(encoding="utf-8"))
        for file in ("shares.md", "shares.py")
    )
    for old, new in changes:
        assert old in page
        page = page.replace(old, new)
    return {f"chapters/{name}.md": page, f"stall/exercises/{name}.py": checkers}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Return the folder of the book."""
    folder = tmp_path_factory.mktemp("mistakes")
    names = [page.values[0] for page in PAGES]
    toc = "format: jb-book\nroot: start\nchapters:\n" + "".join(
        f"  - file: chapters/{name}\n" for name in [*names, "right", "rihgt"]
    )
    write(folder, {"_config.yml": CONFIG, "_toc.yml": toc, "start.md": "# Start\n"})
    write(folder, {"stall/__init__.py": "", "stall/exercises/__init__.py": TABLE})
    write(folder, files_of("right"))
    for page in PAGES:
        write(folder, files_of(*page.values[:1], *page.values[1]))
    return folder


@pytest.fixture(scope="module")
def told(book):
    """Return what is told of the book, line by line."""
    return check(book)


def check(book, *chapter):
    """Check a book, or one of its pages; return what is told."""
    code, said = run(book, "-m", "bookwork", "check", *chapter)
    assert code == 1, said
    return [line for line in said.splitlines() if re.match(r"\S+\.(yml|md|py):", line)]


@pytest.mark.parametrize(("name", "changes", "sentences"), PAGES)
def test_a_mistake_is_told_with_its_line(told, name, changes, sentences):
    place = f"chapters/{name}.md:"
    assert [line.removeprefix(place).strip() for line in told if place in line] == sentences


def test_other_mistakes_are_told_once_and_a_right_page_has_none(told):
    pages = {page.values[0] for page in PAGES}
    assert [line for line in told if PurePosixPath(line.partition(":")[0]).stem not in pages] == [
        "_config.yml:10: there is no setting bookwork_strickt; did you mean bookwork_strict?",
        "start.md: toctree contains reference to nonexisting document 'chapters/rihgt'",
    ]


def test_a_checker_without_an_exercise_is_told_in_its_module(told):
    modules = [line for line in told if line.startswith("stall/")]
    assert modules == ["stall/exercises/fable.py:8: no exercise of the book has the label ex-fable"]


def test_a_chapter_can_be_checked_alone_by_any_of_its_names(book, told):
    own = [line for line in told if "bread" in line.partition(":")[0]]
    for name in ("chapters/bread", "chapters/bread.md"):
        assert check(book, name) == own
    code, said = run(book, "-m", "bookwork", "check", "chapters/bred")
    assert (code, said) == (1, "the book has no page chapters/bred\n")


def test_a_report_needs_a_build_and_says_so(book):
    code, said = run(book, "-m", "bookwork", "report", "progress.json")
    told = "the book is not built yet, which lists its exercises: bookwork build\n"
    assert (code, said) == (1, told)
