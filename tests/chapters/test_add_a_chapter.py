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
GUIDE = (ROOT / "chapters" / "teaching.md").read_text(encoding="utf-8")
FOLDERS = ("attention_lib", "attention_exercises", "tools", "tests", "chapters", "images")
ADDED = [
    ("_toc.yml", "  - file: chapters/summary", "  - file: chapters/shares\n"),
    ("chapters/welcome.md", "{ref}`sec-summary`.", "{ref}`sec-shares`, "),
]
SMALL = {  # a book that has no other chapter, so that it is built quickly
    "_toc.yml": "format: jb-book\nroot: chapters/start\nchapters:\n  - file: chapters/shares\n",
    "chapters/start.md": "# A small book\n\nIts only chapter is {ref}`sec-shares`.\n",
}
TESTS = ["exercises/test_answers", "chapters/test_exercises", "chapters/test_claims"]


@pytest.mark.rare  # it checks a whole book, and builds one
def test_a_chapter_that_is_added_as_the_guide_says_is_accepted_built_tested_and_offered(tmp_path):
    add_the_example(tmp_path)
    for path, place, addition in ADDED:
        change(tmp_path / path, place, addition + place)
    assert printed(tmp_path, "-m", "bookwork", "check") == "No faults were found.\n"
    for path, text in SMALL.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    change(tmp_path / "_config.yml", "bookwork_strict: true", "bookwork_strict: false")
    printed(tmp_path, "-m", "bookwork", "build", "--pages")
    page = (tmp_path / "_build" / "html" / "chapters" / "shares.html").read_text(encoding="utf-8")
    for part in ('data-exercise="ex-shares"', 'caption-number">Figure 1 </span>', "gets 0.5 of it"):
        assert part in page
    tests = [f"tests/{name}.py" for name in TESTS]
    said = printed(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, "-k", "shares")
    assert int(re.search(r"(\d+) passed", said)[1]) > 10
    printed(tmp_path, "-c", "import subprocess as s; s.run('binder/postBuild', check=True)")
    made = {path.stem: path.read_text("utf-8") for path in tmp_path.glob("my-notebooks/*.ipynb")}
    assert sorted(made) == ["00-start", "01-shares"]
    assert "Exercise 1" in made["01-shares"]


def add_the_example(folder):
    """Copy the book, and the files of the example to their places in it."""
    ignored = shutil.ignore_patterns("__pycache__", "golden", "site")
    for name in (*FOLDERS, "examples", "provenance", "binder"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for path in (*ROOT.glob("*.*"), ROOT / "LICENSE"):
        if path.is_file():
            shutil.copy(path, folder)
    shutil.copy(EXAMPLE / "shares.md", folder / "chapters")
    shutil.copy(EXAMPLE / "shares.py", folder / "attention_exercises")
    shutil.copy(EXAMPLE / "claims_shares.py", folder / "tests" / "chapters" / "shares.py")
    shutil.copy(
        EXAMPLE / "answers_shares.py", folder / "tests" / "exercises" / "answers" / "shares.py"
    )


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def printed(folder, *command):
    """Return what Python prints in the small book, with its own copy of the library."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # `python` is the one that runs
    env = os.environ | {"PYTHONPATH": str(folder), "PATH": path}
    done = run(sys.executable, *command, cwd=folder, env=env)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_no_chapter_has_a_label_of_the_example():
    """The small book has both, so the clash would come up as a fault of the example."""
    label = re.compile(r"^(?::label: |\(|.*:name: )([\w-]+)", re.M)
    taken = {*label.findall((EXAMPLE / "shares.md").read_text(encoding="utf-8"))}
    for chapter in (ROOT / "chapters").glob("*.md"):
        clash = taken & {*label.findall(chapter.read_text(encoding="utf-8"))}
        assert not clash, f"{chapter.name} uses {clash}, which examples/chapter has: rename it"


def test_the_guide_names_every_file_of_the_example_and_has_its_code_every_view_and_control():
    for path in EXAMPLE.glob("*.*"):
        assert path.name in GUIDE
    (block,) = re.findall(r"^```python\n(.*?)^```", GUIDE, re.M | re.S)
    assert block in (EXAMPLE / "shares.md").read_text(encoding="utf-8")
    names = {name for name in live.__all__ if name.islower() and name != "live"}
    assert {name for name in names if f"`{name}`" not in GUIDE} == set()


def test_the_guide_says_how_large_the_site_is():
    site = ROOT / "_build" / "html"
    model = [*site.glob("_pyodide/data/*.bin")]
    if not model:
        pytest.skip("the site was built without the language model")
    large = r"some (\d+) MB, .*?: (\d+) are the language model.*?(\d+) Python "
    said = re.search(large, GUIDE, re.S)
    python = {*site.glob("_pyodide/**/*")} - {*model}
    for number, paths in zip(said.groups(), (site.rglob("*"), model, python), strict=True):
        size = sum(path.stat().st_size for path in paths if path.is_file())
        assert abs(int(number) - size / 1e6) < 1 + size / 2e7, said  # to within 5 per cent
