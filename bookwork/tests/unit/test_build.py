"""The site as a whole: what stands beside the pages is put there, and only when it changed."""

import pytest
from bookwork.book.book import Book
from bookwork.book.faults import Fault
from bookwork.site import build as site


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


def test_python_is_copied_when_it_has_changed_unless_it_is_left_out(built, monkeypatch):
    copied = built / "html" / "_pyodide" / "file"
    for content in ("first", "second"):
        make(built, "python", content)
        site.put_in_place(Book(built.parent))
        assert copied.read_text() == content
    copied.write_text("untouched")
    site.put_in_place(Book(built.parent))
    assert copied.read_text() == "untouched"
    monkeypatch.setenv("BOOKWORK_PYTHON", "0")
    site.put_in_place(Book(built.parent))
    assert {path.name for path in (built / "html").iterdir()} == {".nojekyll"}
    monkeypatch.delenv("BOOKWORK_PYTHON")
    site.put_in_place(Book(built.parent))  # what was built stays
    assert copied.read_text() == "second"


def test_what_the_pages_no_longer_have_goes_and_what_other_steps_wrote_stays(built):
    made, site_folder = built / "pages" / "notebooks", built / "html" / "notebooks"
    made.mkdir(parents=True)
    site_folder.mkdir()
    (site_folder / "library.whl").touch()
    for name in ("01-start.ipynb", "02-start.ipynb"):
        (made / name).write_text(name)
        site.publish(Book(built.parent))
        assert {path.name for path in site_folder.iterdir()} == {"library.whl", name}
        (made / name).unlink()


FAULT = Fault("start.md", 1, "there is no label x")


@pytest.fixture
def pretend(built, monkeypatch):
    """Return a function with which a build has faults in its pages, and a result beside them."""

    def has(faults, beside=0):
        pages = site.Pages(Book(built.parent))
        pages.faults, pages.all, begun = faults, {"start"}, []

        def build_pages(book, chapter, begin):
            begin()
            return pages

        monkeypatch.setattr(site, "build_pages", build_pages)
        monkeypatch.setattr(site, "run", lambda book, *steps: begun.append([*steps]) or beside)
        return begun

    return has


@pytest.mark.parametrize(
    ("pages", "beside", "last"),
    [
        ([FAULT], 0, "The book is strict, and faults are told above: _build/html is as it"),
        ([], 1, "The pages are in _build/html; what belongs beside them failed, as told"),
    ],
)
def test_a_part_that_fails_fails_the_build_and_puts_nothing_in_place(
    built, pretend, capsys, pages, beside, last
):
    make(built, "python", "first")
    pretend(pages, beside)
    assert site.build(Book(built.parent)) == 1
    assert not (built / "html" / "_pyodide").exists()
    assert capsys.readouterr().out.splitlines()[-1].startswith(last)


ALL = [["model"], ["bookwork.site.build_python"]]


@pytest.mark.parametrize(("alone", "steps"), [(False, ALL), (True, [[], []])])
def test_what_is_fetched_begins_first_and_python_after_it(built, pretend, alone, steps):
    begun = pretend([])
    assert site.build(Book(built.parent), pages_only=alone) == 0
    assert begun == steps


def test_steps_run_in_order_until_one_fails(tmp_path):
    for name, code in (("one", 0), ("two", 3), ("three", 0)):
        said = f"open('said', 'a').write('{name} ')\nraise SystemExit({code})"
        (tmp_path / f"{name}.py").write_text(said)
    assert site.run(Book(tmp_path), "one", "two", "three") == 3
    assert (tmp_path / "said").read_text() == "one two "
    assert site.run(Book(tmp_path)) == 0


def test_a_book_that_is_not_strict_is_built_and_each_warning_told_once(built, pretend, capsys):
    (built.parent / "_config.yml").write_text("title: A book\n")
    pretend([FAULT, FAULT])
    assert site.build(Book(built.parent)) == 0
    said = capsys.readouterr().out
    assert said.count(str(FAULT)) == 1
    last = "The book is in _build/html. Pages: 1, written now: 0; warnings: 1."
    assert said.splitlines()[-1] == last


@pytest.mark.parametrize(
    ("contents", "told"),
    [
        ("", "_toc.yml:1: there is no such file: it lists the pages, as in the book of"),
        ("format: jb-book\nroot: start\nchapters:\n- start\n", "_toc.yml:1: entry not a mapping"),
        ("- file: start\n", "_toc.yml:1: toc is not a mapping"),
        ("root: {\n", "_toc.yml:2: while parsing a flow node"),
    ],
)
def test_contents_that_cannot_be_read_are_told_and_the_build_stops(built, capsys, contents, told):
    (built.parent / "_toc.yml").write_text(contents)
    book = Book(built.parent)
    pages = site.build_pages(book)
    assert (pages.is_whole, pages.have_failed, pages.tell()) == (False, True, 1)
    assert capsys.readouterr().out.startswith(told)
