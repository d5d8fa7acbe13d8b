"""bookwork stands alone: it names no subject, its wheel is complete, its commands answer."""

import json
import os
import re
import zipfile

import pytest
from bookwork.__main__ import main
from bookwork.book import files
from bookwork.book.settings import settings_of
from bookwork.site import new
from checks import refuses, run, run_python
from places import BOOKWORK, PROJECT

WORDS = re.compile(r"attention|softmax|transformer|multi.?head|\btokens? [ijkab]\b|minilm", re.I)
ADMONITION = '"attention", "caution", "danger"'  # one of docutils' boxes is called so
OTHERS = ("README.md", "CHANGELOG.md", "package-lock.json", "test_bookwork.py")  # packages, and it
TEXT = {".py", ".js", ".mjs", ".css", ".html", ".toml", ".txt", ".json", ".ts"}


def sources():
    """Return the files of bookwork that someone wrote."""
    paths = [PROJECT / name for name in run("git", "ls-files", cwd=PROJECT).stdout.splitlines()]
    return [p for p in paths if p.suffix in TEXT and p.name not in OTHERS and p.is_file()]


def words_of_the_subject(text):
    return sorted({match[0] for match in WORDS.finditer(text.replace(ADMONITION, ""))})


def test_no_file_of_bookwork_names_the_subject_of_the_first_book():
    assert len(sources()) > 150
    found = {p.name: words_of_the_subject(p.read_text(encoding="utf-8")) for p in sources()}
    assert {name: words for name, words in found.items() if words} == {}


# the wheel


@pytest.fixture(scope="module")
def wheel(bookwork_wheel):
    """Return what the wheel holds: names and contents."""
    with zipfile.ZipFile(bookwork_wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.xdist_group("bookwork")
def test_the_wheel_carries_all_that_a_book_needs_already_built(wheel):
    static, python = "bookwork/web/static/book/", "bookwork/web/pyodide/"
    own = ["book.js", "look.css", "editor.js", "python-worker.js", "manifest.json"]
    others = ["pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"]
    assert {*(static + name for name in own), *(python + name for name in others)} <= set(wheel)
    assert [n for n in wheel if n.startswith(f"{python}numpy-")]
    assert {f"bookwork/site/skeleton/{n}" for n in skeleton()} <= set(wheel)
    template = "bookwork/sphinx/templates/bookwork-search.html"
    assert {template, "bookwork/web/live/figure.js"} <= set(wheel)
    assert not [n for n in wheel if "node_modules" in n or "/tests/" in n]
    assert b"bookwork = bookwork.__main__:main" in next(
        data for name, data in wheel.items() if name.endswith("entry_points.txt")
    )


@pytest.mark.xdist_group("bookwork")
def test_the_wheel_names_everybody_whose_work_it_carries(wheel):
    overview = wheel["bookwork-1.0.0.dist-info/licenses/THIRD_PARTY.md"].decode()
    for name in ("CodeMirror", "KaTeX", "Font Awesome", "Pyodide", "CPython", "NumPy"):
        assert name in overview
    web = wheel["bookwork/web/static/book/LICENSES.txt"].decode()
    packages = json.loads(wheel["bookwork/web/static/book/manifest.json"])["packages"]
    assert [n for n, v in packages.items() if f"{n} {v} (" not in web] == []
    assert "Font Awesome Free 6" in web


def skeleton():
    files = [path for path in new.SKELETON.rglob("*") if path.is_file()]
    return {path.relative_to(new.SKELETON).as_posix() for path in files}


# the commands


def test_a_new_book_has_its_title_everywhere_and_no_gap_is_left(tmp_path, capsys):
    assert main(["new", str(tmp_path / "my waves"), "--title", "Sums of Waves"]) == 0
    said = capsys.readouterr().out
    assert f"cd '{tmp_path}/my waves'\n" in said
    assert "sums_of_waves/exercises/first.py" in said
    texts = [
        p.read_text(encoding="utf-8") for p in (tmp_path / "my waves").rglob("*") if p.is_file()
    ]
    assert len(texts) == len(skeleton()) - 1  # one configuration, not both
    assert not [text for text in texts if re.search(r"@[A-Z]+@", text)]
    settings = settings_of(tmp_path / "my waves")
    assert settings["bookwork_package"] == "sums_of_waves"
    assert (settings["bookwork_id"], settings["title"]) == ("sums-of-waves", "Sums of Waves")


TITLES = ["Waves", 'He said: "it\'s 100 % # @"', "Über Wellen & \\\\n", "波"]


@pytest.mark.parametrize("theme", ["book", "furo"])
@pytest.mark.parametrize("title", TITLES)
def test_a_new_book_has_the_title_that_was_asked_for(tmp_path, theme, title):
    assert main(["new", str(tmp_path / "book"), "--theme", theme, "--title", title]) == 0
    settings = settings_of(tmp_path / "book")
    assert (settings["title"], settings["bookwork_id"]) == (title, new.id_of(title))
    assert (tmp_path / "book" / settings["bookwork_package"] / "__init__.py").is_file()


def check(folder):
    """Check a book; return the exit code, and what is printed and complained of."""
    environment = os.environ | {"PYTHONPATH": str(BOOKWORK)}
    done = run_python("-m", "bookwork", "check", cwd=folder, env=environment)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("theme", ["book", "furo"])
def test_a_new_book_has_no_fault_until_it_lacks_its_table_of_exercises(tmp_path, theme):
    assert main(["new", str(tmp_path / "book"), "--theme", theme, "--title", "Waves"]) == 0
    assert check(tmp_path / "book") == (0, "No faults were found.\n", "")
    (tmp_path / "book" / "waves" / "exercises" / "__init__.py").unlink()
    said = "waves/exercises/__init__.py:1: EXERCISES is missing: see `bookwork new`\n"
    assert check(tmp_path / "book")[:2] == (1, said)


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path, capsys):
    (tmp_path / "mine.txt").touch()
    assert main(["new", str(tmp_path)]) == 1
    said = f"{tmp_path} is there already, and not empty: choose another name\n"
    assert capsys.readouterr().err == said
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("command", ["serve", "build", "check"])
def test_outside_a_book_a_command_says_so(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    with refuses(SystemExit, f"{tmp_path} has no book: {NO_BOOK}"):
        main([command])


NO_BOOK = "go to one, or write one with bookwork new FOLDER"
LIVE = 'extensions = ["myst_nb", "bookwork"]\n'


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("_config.yml", "title: [", "_config.yml:1: expected the node content"),
        ("_config.yml", "", "_config.yml:1: the settings should be names with values"),
        (
            "_config.yml",
            "\nsphinx:\n  config:\n    bookwork_pakage: a\n  extra_extensions: [bookwork]\n",
            "_config.yml:4: there is no setting bookwork_pakage; did you mean bookwork_package?",
        ),
        (
            "conf.py",
            f"bookwork_package = 'waves'\n{LIVE}",
            "conf.py:1: bookwork_package is waves, but the book has no folder waves",
        ),
        (
            "conf.py",
            f"bookwork_exercises = 'shop.questions'\n{LIVE}",
            "conf.py:1: bookwork_exercises is shop.questions, but the book has no folder "
            "shop/questions",
        ),
        ("conf.py", "project = \n", "conf.py: There is a syntax error in your configuration file"),
        ("_config.yml", "title: A\n", "_toc.yml:1: there is no such file: it lists the pages"),
        ("_toc.yml", "- file: index\n", "_toc.yml:1: toc is not a mapping"),
    ],
)
def test_a_fault_of_the_settings_is_told_in_a_sentence(tmp_path, name, text, sentence):
    (tmp_path / name).write_text(text)
    if name == "_toc.yml":
        (tmp_path / "_config.yml").write_text("title: A\n")
    if "bookwork_pak" in text:
        (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: index\n")
    (tmp_path / "index.md").write_text("# A\n")
    code, out, wrong = check(tmp_path)
    said = out + wrong
    assert (code, said.count("\n"), said[: len(sentence)]) == (1, 1, sentence), said


def test_the_book_is_the_nearest_folder_with_a_configuration(tmp_path):
    inner = tmp_path / "book" / "chapters"
    inner.mkdir(parents=True)
    assert files.find_root(inner) == inner
    (tmp_path / "book" / "conf.py").touch()
    assert files.find_root(inner) == tmp_path / "book"
