"""A chapter runs again when its output could change, and not otherwise."""

from types import SimpleNamespace

import pytest
from bookwork.sphinx import execution
from myst_nb.core.config import NbParserConfig
from myst_nb.sphinx_ import create_client
from myst_parser.config.main import MdParserConfig
from small_books import HEAD
from sphinx.config import Config

SETTINGS = {
    **{"bookwork_package": "shop", "bookwork_exercises": "", "bookwork_house_style": False},
    "book_code": "",
}
COUNT = "with open('runs', 'a') as file:\n    file.write('x')\nopen('runs').read()"


def write_chapter(folder, code, text="Some text."):
    (folder / "chapter.md").write_text(f"{HEAD}# A\n\n{text}\n\n```{{code-cell}}\n{code}\n```\n")


def build(folder, monkeypatch, mode="cache"):
    """Do what a build does with the chapter; return the outputs of its cell."""
    config = Config({}, SETTINGS)
    for name, default in SETTINGS.items():
        config.add(name, default, "env", type(default))
    env = SimpleNamespace(metadata={"chapter": {}}, docname="chapter", myst_config=MdParserConfig())
    app = SimpleNamespace(srcdir=folder, outdir=folder / "_build" / "html", config=config)
    env.doc2path = lambda name: str(folder / f"{name}.md")
    execution.choose_cache(app, config)
    app.env, env.mystnb_config = env, NbParserConfig(execution_mode=mode)
    execution.choose_folder(app)
    ran = {}
    monkeypatch.setattr(execution, "take", lambda env, made, *_: ran.update(made))
    execution.run_chapters(app, env, ["chapter"])
    execution.myst_nb_sphinx.create_client()
    (client,) = ran.values()
    return next(cell.outputs for cell in client.notebook.cells if cell.cell_type == "code")


@pytest.fixture(autouse=True)
def restore(monkeypatch):
    """Leave myst-nb as it was."""
    monkeypatch.setattr(execution.myst_nb_sphinx, "create_client", create_client)
    for room in (execution.cache, execution.direct):
        monkeypatch.setattr(room, "single_nb_execution", room.single_nb_execution)


def test_text_changes_without_another_run_and_code_or_the_books_package_does_not(
    tmp_path, monkeypatch
):
    (tmp_path / "shop" / "data").mkdir(parents=True)
    prices = tmp_path / "shop" / "data" / "prices.csv"
    for code, text, price, count in [
        (COUNT, "Some text.", "1", "'x'"),
        (COUNT, "More text.\n\n+++\n\nIn two cells.", "1", "'x'"),
        (f"{COUNT} + 'y'", "Some text.", "1", "'xxy'"),
        (f"{COUNT} + 'y'", "Some text.", "2", "'xxxy'"),
    ]:
        prices.write_text(price)
        write_chapter(tmp_path, code, text)
        assert build(tmp_path, monkeypatch)[0]["data"]["text/plain"] == count
    assert len(list((tmp_path / "_build" / "outputs").iterdir())) == 1  # no earlier ones are kept


def test_a_package_that_changes_during_the_run_leaves_nothing_to_be_taken_for_the_new_one(
    tmp_path, monkeypatch
):
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").write_text("")
    write_chapter(tmp_path, "open('shop/__init__.py', 'w').write('a = 1')")
    assert build(tmp_path, monkeypatch)
    assert not list((tmp_path / "_build").glob("outputs/*"))


@pytest.mark.parametrize(
    ("code", "name"),
    [("1 / 0", "ZeroDivisionError"), ("import os\nos._exit(3)", "DeadKernelError")],
)
def test_a_chapter_that_fails_is_not_kept_and_runs_again(tmp_path, monkeypatch, code, name):
    write_chapter(tmp_path, f"open('runs', 'a').write('x')\n{code}")
    for count in ("x", "xx"):
        assert [output.ename for output in build(tmp_path, monkeypatch)] == [name]
        assert (tmp_path / "runs").read_text() == count
