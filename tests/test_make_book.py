"""The site as a whole: what stands beside the pages is put there, and only when it changed."""

import pytest

from bookwork.build import make_book


@pytest.fixture
def built(tmp_path, monkeypatch):
    """Let the tool work in a folder of its own; return it."""
    monkeypatch.setattr(make_book, "BUILT", tmp_path)
    monkeypatch.setattr(make_book, "SITE", tmp_path / "html")
    (tmp_path / "html").mkdir()
    return tmp_path


def make(built, part, content):
    folder = built / part
    folder.mkdir(exist_ok=True)
    (folder / "built-for").write_text(content)
    (folder / "file").write_text(content)


def test_a_part_is_copied_when_it_has_changed(built):
    copied = built / "html" / "_pyodide" / "file"
    for content in ("first", "second"):
        make(built, "python", content)
        make_book.put_in_place()
        assert copied.read_text() == content
    copied.write_text("untouched")
    make_book.put_in_place()
    assert copied.read_text() == "untouched"
    assert (built / "html" / ".nojekyll").is_file()


def test_without_python_the_site_has_none_and_what_was_built_stays(built, monkeypatch):
    for part in make_book.PARTS:
        make(built, part, "first")
    make_book.put_in_place()
    monkeypatch.setenv("PAGE_PYTHON", "0")
    make_book.put_in_place()
    assert {path.name for path in (built / "html").iterdir()} == {"notebooks", ".nojekyll"}
    monkeypatch.delenv("PAGE_PYTHON")
    make_book.put_in_place()
    assert (built / "html" / "_pyodide" / "file").read_text() == "first"


@pytest.mark.parametrize(("pages", "beside"), [(1, "true"), (0, "false")])
def test_a_part_that_fails_fails_the_build_and_puts_nothing_in_place(
    built, monkeypatch, pages, beside
):
    make(built, "python", "first")
    monkeypatch.setattr(make_book.build_web, "main", lambda: None)
    monkeypatch.setattr(make_book.build_book, "main", lambda: pages)
    monkeypatch.setattr(make_book, "start", lambda *steps: make_book.subprocess.Popen([beside]))
    assert make_book.main([]) == 1
    assert not (built / "html" / "_pyodide").exists()


@pytest.mark.parametrize(("options", "more"), [([], ["lite"]), (["--pages-only"], [])])
def test_what_is_fetched_begins_first_and_python_after_it(built, monkeypatch, options, more):
    begun = []

    def start(*steps):
        begun.append(list(steps))
        return make_book.subprocess.Popen(["true"])

    told = {"bookwork_before": ["model"], "bookwork_beside": ["lite"], "bookwork_strict": True}
    monkeypatch.setattr(make_book, "settings_of", lambda root: told)
    monkeypatch.setattr(make_book.check_book, "faults_of", lambda *_, **__: [])
    monkeypatch.setattr(make_book.build_web, "main", lambda: None)
    monkeypatch.setattr(make_book.build_book, "main", lambda: 0)
    monkeypatch.setattr(make_book, "start", start)
    assert make_book.main(options) == 0
    assert begun == [["model"], ["bookwork.build.build_python", *more]]
