"""A chapter runs again when its output could change, and not otherwise."""

import json
from types import SimpleNamespace

import pytest
from book.small_books import HEAD
from myst_nb.core.config import NbParserConfig
from myst_parser.config.main import MdParserConfig
from nbformat.v4 import new_code_cell, new_notebook, new_output
from sphinx.config import Config

from bookwork.sphinx import execution
from bookwork.sphinx.book_warnings import FAILED

WIDGET = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"


def make_runs(folder):
    """Return what runs chapters, in a build that is not Sphinx's."""
    settings = {"bookwork_package": "shop", "bookwork_exercises": ""}
    config = Config({}, settings)
    for name in settings:
        config.add(name, "", "env", str)
    config.add("bookwork_house_style", False, "env", bool)
    config.add("book_code", "", "env", str)
    env = SimpleNamespace(metadata={"chapter": {}}, docname="chapter", myst_config=MdParserConfig())
    env.mystnb_config = NbParserConfig(execution_mode="cache", execution_timeout=60)
    env.doc2path = lambda name: folder / f"{name}.md"
    site = folder / "_build" / "html"
    app = SimpleNamespace(srcdir=folder, outdir=site, config=config, env=env)
    execution.note_code(app, config)
    return execution.Runs(app)


def write_chapter(folder, code, caption="A caption", text="Some text."):
    options = f"---\nmystnb:\n  figure:\n    caption: {caption}\n---"
    cell = f"```{{code-cell}} ipython3\n{options}\n{code}\n```"
    (folder / "chapter.md").write_text(f"{HEAD}# Title\n\n{text}\n\n{cell}\n")


def build(runs, folder):
    """Do what a build does with the chapter; return the outputs of its cell."""
    runs.run_missing(runs.app, runs.app.env, ["chapter"])
    notebook = execution.read("chapter", runs.app.env)
    runs.client(notebook, str(folder / "chapter.md"), runs.app.env.mystnb_config, None)
    return next(cell.outputs for cell in notebook.cells if cell.cell_type == "code")


@pytest.fixture(autouse=True)
def silent(monkeypatch):
    """Let nothing be told: that is tested with whole builds."""
    monkeypatch.setattr(execution, "tell_of_outputs", lambda *_: None)


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


@pytest.mark.parametrize("file", ["__init__.py", "goods/bread.py", "data/prices.csv"])
def test_a_change_of_the_books_package_runs_its_chapters_again(book, file):
    path = book / "shop" / file
    path.parent.mkdir(parents=True)
    path.write_text("price = 1")
    build(make_runs(book), book)
    path.write_text("price = 2")
    assert build(make_runs(book), book)[0]["data"]["text/plain"] == "'xx'"


def test_a_package_that_changes_during_the_run_leaves_nothing_to_be_taken_for_the_new_one(book):
    (book / "shop").mkdir()
    (book / "shop" / "__init__.py").write_text("")
    write_chapter(book, "open('shop/__init__.py', 'w').write('a = 1')")
    assert build(make_runs(book), book)
    assert not list((book / "_build").glob("outputs/*"))


def test_another_version_of_numpy_is_noticed(book, monkeypatch):
    build(make_runs(book), book)
    monkeypatch.setattr(execution, "VERSIONS", ["3.11", "2.0"])
    assert build(make_runs(book), book)[0]["data"]["text/plain"] == "'xx'"


def test_a_book_may_run_its_chapters_every_time(book):
    for count in ("'x'", "'xx'"):
        runs = make_runs(book)
        runs.app.env.mystnb_config = NbParserConfig(execution_mode="force")
        assert build(runs, book)[0]["data"]["text/plain"] == count


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
    tidy = execution.tidy(first, "chapter")
    assert json.dumps(tidy) == json.dumps(execution.tidy(second, "chapter"))
    printed, shown, warned = tidy.cells[0].outputs
    assert (printed.text, warned.text) == ("ab\nc", "careful")
    state = tidy.metadata.widgets[STATE].state
    box, slider = state
    assert shown.data[WIDGET].model_id == box
    assert state[box].children == [f"IPY_MODEL_{slider}"]
    assert json.dumps(execution.tidy(first, "another")) != json.dumps(tidy)
