"""A chapter runs again when its output could change, and not otherwise."""

import json
import os
from types import SimpleNamespace

import pytest
from book.small_books import HEAD
from myst_nb.core.config import NbParserConfig
from myst_parser.config.main import MdParserConfig
from nbformat.v4 import new_code_cell, new_notebook, new_output

from bookwork.sphinx import chapter_runs, uses
from bookwork.sphinx.faults import FAILED

WIDGET = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
USER = "from attention_lib import attention\nfrom attention_lib.datasets import load\nattention()"
LIBRARY = {
    "__init__": "from attention_lib.pooling import attention, lookup\n",
    "weights": (
        "LIMIT = 3\n\n\ndef softmax(x):\n    return x + LIMIT\n\n\ndef mask():\n    return 1\n"
    ),
    "pooling": (
        "from attention_lib.weights import softmax\n\n\ndef attention():\n    return softmax(1)\n"
        "\n\ndef lookup():\n    return 2\n"
    ),
    "datasets": "def load():\n    return 3\n",
    "exercises/__init__": (
        "from attention_lib.exercises import scoring\n\nCHAPTERS = [scoring]\n"
        "\n\ndef check():\n    return CHAPTERS\n"
    ),
    "exercises/scoring": "def checker():\n    return 4\n",
    "data/words": "a, b",
}


@pytest.fixture
def library(tmp_path):
    """Return a folder with a library of a few lines."""
    for name, text in LIBRARY.items():
        path = tmp_path / "attention_lib" / (name if "/w" in name else f"{name}.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def digest(folder, code=USER, exercises=""):
    library = uses.Library(folder, "attention_lib", exercises)
    return library.digest(library.used_by([code]))


def change(library, name, old, new):
    path = library / "attention_lib" / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("pooling.py", "softmax(1)", "softmax(2)"),  # what the chapter calls
        ("weights.py", "x + LIMIT", "x - LIMIT"),  # what that calls in turn
        ("weights.py", "LIMIT = 3", "LIMIT = 4"),  # and the constant it uses
        ("weights.py", "LIMIT = 3", "import os\nos.environ\nLIMIT = 3"),  # done at import
        ("__init__.py", "attention, lookup", "lookup as attention, lookup"),
        ("data/words", "a, b", "a, c"),
    ],
)
def test_a_change_that_reaches_a_chapter_is_seen(library, name, old, new):
    before = digest(library)
    change(library, name, old, new)
    assert digest(library) != before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("pooling.py", "return 2", "return 3"),  # another function
        ("weights.py", "return 1", "return 2"),
        ("weights.py", "return x + LIMIT", "return x + LIMIT  # a comment"),
        ("weights.py", "LIMIT = 3", '"""What softmax adds."""\n\nLIMIT = 3'),
        ("exercises/scoring.py", "return 4", "return 5"),
    ],
)
def test_a_change_that_does_not_reach_it_is_not(library, name, old, new):
    before = digest(library)
    change(library, name, old, new)
    assert digest(library) == before


def test_a_chapter_with_exercises_depends_on_check_but_on_no_checker(library):
    code = "from attention_lib.exercises import check"
    before = digest(library, code)
    change(library, "exercises/scoring.py", "return 4", "return 5")
    assert digest(library, code) == before
    change(library, "exercises/__init__.py", "return CHAPTERS", "return 0")
    assert digest(library, code) != before


def test_checkers_may_be_beside_the_library(library):
    (library / "attention_lib" / "exercises").rename(library / "questions")
    change(library, "../questions/__init__.py", "attention_lib.exercises", "questions")
    code = "from questions import check"
    before = digest(library, code, "questions")
    change(library, "../questions/scoring.py", "return 4", "return 5")
    assert digest(library, code, "questions") == before
    change(library, "../questions/__init__.py", "return CHAPTERS", "return 0")
    assert digest(library, code, "questions") != before


def test_a_module_that_is_imported_whole_counts_whole(library):
    code = "import attention_lib.weights as w\nfrom attention_lib import datasets"
    before = digest(library, code)
    change(library, "weights.py", "return 1", "return 2")
    assert digest(library, code) != before


def test_a_cell_that_is_no_python_imports_nothing_and_magics_hide_no_import(library):
    magic = ["%matplotlib inline\nfrom attention_lib import weights"]
    assert uses.Library(library, "attention_lib").used_by(magic) == [["attention_lib", "weights"]]
    assert uses.Library(library, "attention_lib").used_by(["from attention_lib import ("]) == []


def test_a_change_of_the_workshop_reaches_chapters_that_use_it(library, monkeypatch):
    code = "from bookwork.live import bars"
    (library / "bookwork").mkdir()
    place = library / "bookwork" / "live.py"
    monkeypatch.setattr(uses, "PACKAGE", library / "bookwork")
    place.write_text("def bars():\n    return 1\n")
    before = digest(library, code), digest(library)
    place.write_text("def bars():\n    return 2\n")
    assert digest(library, code) != before[0]
    assert digest(library) == before[1]


# running


def make_runs(folder):
    """Return what runs chapters, in a build that is not Sphinx's."""
    config = SimpleNamespace(bookwork_package="attention_lib", bookwork_exercises="")
    config.bookwork_house_style = False
    env = SimpleNamespace(metadata={"chapter": {}}, docname="chapter", myst_config=MdParserConfig())
    env.mystnb_config = NbParserConfig(execution_mode="cache", execution_timeout=60)
    env.doc2path = lambda name: folder / f"{name}.md"
    site = folder / "_build" / "html"
    app = SimpleNamespace(srcdir=folder, outdir=site, config=config, env=env)
    return chapter_runs.ChapterRuns(app)


def write_chapter(folder, code, caption="A caption", text="Some text."):
    options = f"---\nmystnb:\n  figure:\n    caption: {caption}\n---"
    cell = f"```{{code-cell}} ipython3\n{options}\n{code}\n```"
    (folder / "chapter.md").write_text(f"{HEAD}# Title\n\n{text}\n\n{cell}\n")


def build(runs, folder):
    """Do what a build does with the chapter; return the outputs of its cell."""
    runs.run_missing(runs.app, runs.app.env, ["chapter"])
    notebook = chapter_runs.read(folder / "chapter.md", runs.app.env)
    runs.client(notebook, str(folder / "chapter.md"), runs.app.env.mystnb_config, None)
    return next(cell.outputs for cell in notebook.cells if cell.cell_type == "code")


@pytest.fixture
def book(tmp_path):
    """Return a folder with a chapter that counts in a file how often it has run."""
    write_chapter(tmp_path, COUNT)
    return tmp_path


COUNT = "with open('runs', 'a') as file:\n    file.write('x')\nopen('runs').read()"


def test_text_and_captions_change_without_another_run_and_code_does_not(book):
    first = build(make_runs(book), book)
    assert first[0]["data"]["text/plain"] == "'x'"
    write_chapter(book, COUNT, caption="Another caption", text="More text.\n\n+++\n\nIn two cells.")
    assert build(make_runs(book), book) == first
    write_chapter(book, f"{COUNT} + 'y'")
    assert build(make_runs(book), book)[0]["data"]["text/plain"] == "'xxy'"
    assert len(list((book / "_build" / "outputs").iterdir())) == 1  # no earlier ones are kept


def test_another_version_of_numpy_is_noticed(book, monkeypatch):
    runs = make_runs(book)
    build(runs, book)
    env = runs.app.env
    assert make_runs(book).find_outdated(None, env, (), (), ()) == []
    monkeypatch.setattr(chapter_runs, "VERSIONS", ["3.11", "2.0"])
    assert make_runs(book).find_outdated(None, env, (), (), ()) == ["chapter"]
    assert build(make_runs(book), book)[0]["data"]["text/plain"] == "'xx'"


@pytest.mark.parametrize(
    ("code", "name"), [("1 / 0", "ZeroDivisionError"), ("import os\nos._exit(3)", "Python ended")]
)
def test_a_chapter_that_fails_is_not_kept_and_runs_again(tmp_path, code, name):
    write_chapter(tmp_path, code)
    runs = make_runs(tmp_path)
    assert [output.ename for output in build(runs, tmp_path)] == [name]
    assert runs.app.env.metadata["chapter"][FAILED]
    assert not (tmp_path / "_build" / "outputs").exists()
    write_chapter(tmp_path, "2")
    runs = make_runs(tmp_path)
    assert build(runs, tmp_path)[0]["data"]["text/plain"] == "2"
    assert not runs.app.env.metadata["chapter"][FAILED]


def ran_notebook(pieces, ids):
    """Return a notebook after a run that printed in pieces and made a box with a slider in it."""
    box, slider = ids
    made = {box: {"children": [f"IPY_MODEL_{slider}"]}, slider: {"value": 1}}
    printed = [new_output("stream", name="stdout", text=piece) for piece in pieces]
    shown = new_output("display_data", {WIDGET: {"model_id": box}})
    warned = new_output("stream", name="stderr", text="careful")
    cells = [new_code_cell("1", outputs=[*printed, shown, warned], id="one")]
    return new_notebook(cells=cells, metadata={"widgets": {STATE: {"state": made}}})


def test_two_runs_of_a_chapter_leave_the_same_behind():
    first = ran_notebook(["a", "b\n", "c"], ["0" * 32, "f" * 32])
    second = ran_notebook(["ab\nc"], ["e" * 32, "1" * 32])
    tidy = chapter_runs.tidy(first, "chapter")
    assert json.dumps(tidy) == json.dumps(chapter_runs.tidy(second, "chapter"))
    printed, shown, warned = tidy.cells[0].outputs
    assert (printed.text, warned.text) == ("ab\nc", "careful")
    state = tidy.metadata.widgets[STATE].state
    box, slider = state
    assert shown.data[WIDGET].model_id == box
    assert state[box].children == [f"IPY_MODEL_{slider}"]
    assert json.dumps(chapter_runs.tidy(first, "another")) != json.dumps(tidy)


@pytest.mark.parametrize(("cores", "share"), [(None, "1"), (1, "1"), (2, "1"), (8, "4")])
def test_chapters_that_run_side_by_side_share_the_cores(monkeypatch, cores, share):
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    environment = {}
    chapter_runs.share_cores(environment)
    assert environment == {"OMP_NUM_THREADS": share}
    own = {"OMP_NUM_THREADS": "3"}
    chapter_runs.share_cores(own)
    assert own == {"OMP_NUM_THREADS": "3"}
