"""The guide "add a chapter" works: its example is copied into a small book, built and tested."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from checks import run

from bookwork import live

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "chapter"
BUNDLE = ROOT / "bookwork" / "web" / "static"
PYTHON = Path(sys.executable)
FOLDERS = ("attention_lib", "attention_exercises", "bookwork", "tools", "tests")
FOLDERS += ("chapters", "images", "provenance")
TOC = "format: jb-book\nroot: chapters/start\nchapters:\n  - file: chapters/shares\n"
START = "# A small book\n\nIts only chapter is {ref}`sec-shares`.\n"
pytestmark = pytest.mark.xdist_group("book")  # one worker builds it for all these tests


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Return the folder of a book that was made as the guide says."""
    if not BUNDLE.is_dir():
        pytest.fail("the book's scripts are not built: run make book first")
    folder = tmp_path_factory.mktemp("book")
    copy_repository(folder)
    add_the_example(folder)
    printed(folder, PYTHON, "-m", "bookwork", "build", "--pages")
    return folder


def copy_repository(folder):
    ignored = shutil.ignore_patterns("__pycache__", "golden", "site", "node_modules", "_build")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for path in ROOT.glob("*.*"):
        if path.is_file():
            shutil.copy(path, folder)
    shutil.copy(ROOT / "LICENSE", folder)
    modules = "bookwork/web/node_modules"  # the same for both books
    (folder / modules).symlink_to(ROOT / modules)


def add_the_example(folder):
    """Do what the guide says; only, the book has no other chapter, so that it is built quickly."""
    add_the_files(folder)
    (folder / "_toc.yml").write_text(TOC)
    config = (folder / "_config.yml").read_text(encoding="utf-8")
    lenient = config.replace("bookwork_strict: true", "bookwork_strict: false")  # of pages left out
    (folder / "_config.yml").write_text(lenient, encoding="utf-8")
    (folder / "chapters" / "start.md").write_text(START)


def add_the_files(folder):
    """Copy the files of the example to their places."""
    shutil.copy(EXAMPLE / "shares.md", folder / "chapters")
    shutil.copy(EXAMPLE / "shares.py", folder / "attention_exercises")
    shutil.copy(EXAMPLE / "claims_shares.py", folder / "tests" / "chapters" / "shares.py")
    answers = folder / "tests" / "exercises" / "answers" / "shares.py"
    shutil.copy(EXAMPLE / "answers_shares.py", answers)


def printed(folder, *command):
    """Return what a command prints in the small book, with its own copy of the library."""
    done = run(*command, cwd=folder, env=os.environ | {"PYTHONPATH": str(folder)})
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def labels_in(path):
    return set(
        re.findall(r"^(?::label: |\(|.*:name: )([\w-]+)", path.read_text(encoding="utf-8"), re.M)
    )


def test_no_chapter_has_a_label_of_the_example():
    """The small book has both, so the clash would come up as a fault of the example."""
    taken = labels_in(EXAMPLE / "shares.md")
    for chapter in (ROOT / "chapters").glob("*.md"):
        clash = labels_in(chapter) & taken
        assert not clash, f"{chapter.name} uses {clash}, which examples/chapter has: rename it"


def test_the_chapter_is_a_page_with_its_figure_and_its_exercise(book):
    page = (book / "_build" / "html" / "chapters" / "shares.html").read_text(encoding="utf-8")
    assert 'data-exercise="ex-shares"' in page
    assert re.search(r'caption-number">Figure 1 </span>', page)
    assert "gets 0.5 of it" in page
    assert "application/vnd.jupyter.widget-view+json" in page
    assert "Content-Security-Policy" in page


@pytest.mark.rare  # the same tests, with an exercise more
def test_the_tests_of_the_book_find_the_chapter_and_accept_it(book):
    names = ("exercises/test_answers", "book/test_exercises", "chapters/test_claims")
    tests = [f"tests/{name}.py" for name in names]
    command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    said = printed(book, *command, "-k", "shares")
    assert int(re.search(r"(\d+) passed", said)[1]) > 10


def test_beside_the_chapters_of_the_book_the_checks_accept_it(tmp_path):
    copy_repository(tmp_path)
    add_the_files(tmp_path)
    for path, place, addition in [
        ("_toc.yml", "  - file: chapters/summary", "  - file: chapters/shares\n"),
        ("chapters/welcome.md", "{ref}`sec-summary`.", "{ref}`sec-shares`, "),
    ]:
        text = (tmp_path / path).read_text(encoding="utf-8")
        assert text.count(place) == 1
        (tmp_path / path).write_text(text.replace(place, addition + place), encoding="utf-8")
    assert printed(tmp_path, PYTHON, "-m", "bookwork", "check") == "No faults were found.\n"


def test_the_guide_names_every_file_of_the_example():
    text = (ROOT / "chapters" / "teaching.md").read_text(encoding="utf-8")
    assert "examples/chapter" in text
    for path in EXAMPLE.glob("*.*"):
        assert path.name in text


def test_the_code_on_the_page_for_teachers_is_that_of_the_example():
    text = (ROOT / "chapters" / "teaching.md").read_text(encoding="utf-8")
    example = (EXAMPLE / "shares.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) == 1
    assert all(block in example for block in blocks)


def test_the_page_for_teachers_says_how_large_the_site_is():
    site = ROOT / "_build" / "html"
    model = [*site.glob("_pyodide/data/*.bin")]
    if not model:
        pytest.skip("the site was built without the language model")
    text = (ROOT / "chapters" / "teaching.md").read_text(encoding="utf-8")
    said = re.search(
        r"some (\d+) MB, .*?: (\d+) are the language model.*?(\d+) Python ", text, re.S
    )
    python = {*site.glob("_pyodide/**/*")} - {*model}
    for number, paths in zip(said.groups(), (site.rglob("*"), model, python), strict=True):
        size = sum(path.stat().st_size for path in paths if path.is_file())
        assert abs(int(number) - size / 1e6) < 1 + size / 2e7, said  # to within 5 per cent


def test_the_page_for_teachers_names_every_view_and_control():
    text = (ROOT / "chapters" / "teaching.md").read_text(encoding="utf-8")
    names = {name for name in live.__all__ if name.islower() and name != "live"}
    assert {name for name in names if f"`{name}`" not in text} == set()


# Binder and JupyterHub


def test_after_its_build_the_image_has_every_chapter_as_a_notebook(book):
    program = PYTHON.parent  # so that `python` is the one of this environment
    printed(book, "env", f"PATH={program}:{os.environ['PATH']}", ROOT / "binder" / "postBuild")
    made = {path.stem: path.read_text("utf-8") for path in book.glob("my-notebooks/*.ipynb")}
    assert sorted(made) == ["00-start", "01-shares"]
    assert "Exercise 1" in made["01-shares"]
