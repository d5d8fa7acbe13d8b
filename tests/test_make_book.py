"""The site as a whole: what stands beside the pages is put there, and only when it changed."""

import pytest

from bookwork.book.book import Book
from bookwork.build import make_book
from bookwork.build.build_book import Built


@pytest.fixture
def built(tmp_path):
    """Return where a small book is built."""
    (tmp_path / "_config.yml").write_text(CONFIG)
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: start\n")
    (tmp_path / "start.md").write_text("# Start\n")
    (tmp_path / "_build" / "html").mkdir(parents=True)
    return tmp_path / "_build"


CONFIG = """
title: A book
sphinx:
  config:
    bookwork_strict: true
    bookwork_pre_steps: [model]
"""


def make(built, part, content):
    folder = built / part
    folder.mkdir(exist_ok=True)
    (folder / "built-for").write_text(content)
    (folder / "file").write_text(content)


def test_a_part_is_copied_when_it_has_changed(built):
    copied = built / "html" / "_pyodide" / "file"
    for content in ("first", "second"):
        make(built, "python", content)
        make_book.put_in_place(Book(built.parent))
        assert copied.read_text() == content
    copied.write_text("untouched")
    make_book.put_in_place(Book(built.parent))
    assert copied.read_text() == "untouched"
    assert (built / "html" / ".nojekyll").is_file()


def test_without_python_the_site_has_none_and_what_was_built_stays(built, monkeypatch):
    for part in make_book.PARTS:
        make(built, part, "first")
    make_book.put_in_place(Book(built.parent))
    monkeypatch.setenv("BOOKWORK_PYTHON", "0")
    make_book.put_in_place(Book(built.parent))
    assert {path.name for path in (built / "html").iterdir()} == {".nojekyll"}
    monkeypatch.delenv("BOOKWORK_PYTHON")
    make_book.put_in_place(Book(built.parent))
    assert (built / "html" / "_pyodide" / "file").read_text() == "first"


FAULT = make_book.check_book.Fault("start.md", 1, "there is no label x")


@pytest.mark.parametrize(
    ("pages", "beside", "last"),
    [
        ([FAULT], "true", "The book is strict and has 1 fault, told above: _build/html is not f"),
        ([], "false", "The pages are in _build/html; what belongs beside them failed, as told"),
    ],
)
def test_a_part_that_fails_fails_the_build_and_puts_nothing_in_place(
    built, monkeypatch, capsys, pages, beside, last
):
    make(built, "python", "first")
    monkeypatch.setattr(make_book.build_web, "main", lambda: None)
    monkeypatch.setattr(
        make_book.build_book, "build", lambda book, begin: begin() or Built(pages, 1, 1)
    )
    monkeypatch.setattr(make_book, "start", lambda *steps: make_book.subprocess.Popen([beside]))
    assert make_book.make(Book(built.parent)) == 1
    assert not (built / "html" / "_pyodide").exists()
    assert capsys.readouterr().out.splitlines()[-1].startswith(last)


ALL = [["model"], ["bookwork.build.build_python"]]


@pytest.mark.parametrize(("pages_only", "steps"), [(False, ALL), (True, [])])
def test_what_is_fetched_begins_first_and_python_after_it(built, monkeypatch, pages_only, steps):
    begun = []

    def start(book, *steps):
        begun.append(list(steps))
        return make_book.subprocess.Popen(["true"])

    monkeypatch.setattr(make_book.build_web, "main", lambda: None)
    monkeypatch.setattr(
        make_book.build_book, "build", lambda book, begin: begin() or Built([], 1, 1)
    )
    monkeypatch.setattr(make_book, "start", start)
    assert make_book.make(Book(built.parent), pages_only) == 0
    assert begun == steps


def test_steps_run_in_order_until_one_fails(tmp_path):
    for name, code in (("one", 0), ("two", 3), ("three", 0)):
        said = f"open('said', 'a').write('{name} ')\nraise SystemExit({code})"
        (tmp_path / f"{name}.py").write_text(said)
    assert make_book.run(Book(tmp_path), "one", "two", "three") == 3
    assert (tmp_path / "said").read_text() == "one two "
    assert make_book.run(Book(tmp_path)) == 0


def test_a_book_that_is_not_strict_is_built_and_each_warning_told_once(built, monkeypatch, capsys):
    (built.parent / "_config.yml").write_text("title: A book\n")
    monkeypatch.setattr(make_book.check_book, "faults_of_text", lambda book: [FAULT])
    monkeypatch.setattr(make_book.build_web, "main", lambda: None)
    monkeypatch.setattr(
        make_book.build_book, "build", lambda book, begin: begin() or Built([FAULT], 3, 0)
    )
    monkeypatch.setattr(make_book, "start", lambda *_: make_book.subprocess.Popen(["true"]))
    assert make_book.make(Book(built.parent)) == 0
    said = capsys.readouterr().out
    assert said.count(str(FAULT)) == 1
    last = "The book is in _build/html: 3 pages, none written now; 1 warning."
    assert said.splitlines()[-1] == last


def test_a_book_without_contents_says_so_and_that_nothing_was_built(built, capsys):
    (built.parent / "_toc.yml").unlink()
    assert make_book.make(Book(built.parent)) == 1
    fault, last = capsys.readouterr().out.splitlines()
    assert fault.startswith("_toc.yml: there is no such file")
    assert last == "Nothing was built: 1 fault, told above."
