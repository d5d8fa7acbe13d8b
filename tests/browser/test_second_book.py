"""A second book, on another subject: built from wheels alone, outside the repository, without Node.

It is put through what the first one can: drag, run, edit, solve, read from disk, no request to
another host, no error in the console, a policy in every page.
"""

import functools
import re
import shutil
import subprocess
import sys
from pathlib import Path

import checks
import pytest
from book.small_books import HEAD
from bookwork.site.serve import Handler
from browser import cells
from browser.cells import ANSWER
from browser.conftest import check_faults, serving, watched
from browser.shown import check_drawn, move, open_page
from playwright.sync_api import expect

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "second-book"
UV = [sys.executable, "-m", "uv"]
LECTURE = ROOT / "examples" / "economics"
SHARE = "def buyers_share(e_d, e_s):\n    return e_s / (e_s + e_d)\n\n"
SHARE += "check('who_pays_ex1', buyers_share)"
ADD_UP = (
    "def add_up(x, strengths):\n    k = np.arange(1, len(strengths) + 1)\n"
    '    return np.sin(np.multiply.outer(x, k)) @ strengths\n\ncheck("ex-add-up", add_up)'
)
LIMITS = """# What a page cannot do

```{code-cell} ipython3
import numpy as np
import zmq
```

```{code-cell} ipython3
int(np.sum([1, 2]))
```

```{code-cell} ipython3
:tags: [hide-input]

import sys
assert sys.platform != "emscripten"
```
"""
POLICY = """http-equiv="Content-Security-Policy" content="default-src 'none';"""
pytestmark = pytest.mark.xdist_group("bookwork")  # one worker builds it for all these tests


@pytest.fixture(scope="module")
def workshop(tmp_path_factory, bookwork_wheel):
    """Return the command `bookwork` of a new environment, which has what the wheels bring."""
    env = tmp_path_factory.mktemp("workshop") / "env"
    subprocess.run([*UV, "venv", "--quiet", "--python", sys.executable, env], check=True)
    install(env, f"{bookwork_wheel}[book]", "pandas", "scipy", "pip")
    return env / "bin" / "bookwork"


def install(env, *packages):
    command = [*UV, "pip", "install", "--quiet", "--python", env / "bin" / "python"]
    subprocess.run([*command, *packages], check=True)


def run(command, *arguments, folder):
    """Run the command in a folder, where this repository and Node cannot be found."""
    environment = {"PATH": str(command.parent), "HOME": str(folder.parent)}
    assert not shutil.which("node", path=environment["PATH"])
    done = checks.run(command, *arguments, cwd=folder, env=environment)
    return done.returncode, done.stdout + done.stderr


def copy(book, folder):
    """Copy a book; of what Python in its pages is made of, nothing has to be fetched twice."""
    shutil.copytree(book, folder, ignore=shutil.ignore_patterns("_build", ".cache", "__pycache__"))
    (folder / ".cache").symlink_to(ROOT / ".cache")


@pytest.fixture(scope="module")
def second(workshop, tmp_path_factory):
    """Return the folder of the second book, built with a page more."""
    folder = tmp_path_factory.mktemp("elsewhere") / "book"
    copy(EXAMPLE, folder)
    (folder / "chapters" / "limits.md").write_text(HEAD + LIMITS)
    with (folder / "_toc.yml").open("a") as contents:
        contents.write("  - file: chapters/limits\n")
    code, said = run(workshop, "build", folder=folder)
    assert (code, "The book is in _build/html" in said) == (0, True), said
    assert "\nPython in a page does not have zmq: no Run at cells that import that\n" in said
    return folder


@pytest.fixture(scope="module")
def server(second):
    """Serve the second book, also to the fixture `page`."""
    with serving(functools.partial(Handler, directory=second / "_build" / "html")) as address:
        yield address


def test_a_reader_drags_runs_and_solves(page, server):
    open_page(page, f"{server}/chapters/sums.html")
    check_drawn(page)
    figures = page.locator(".live-figure")
    expect(figures).to_have_count(3)
    move(page, figures.first)
    move(page, figures.nth(2))
    expect(figures.nth(2)).to_contain_text("The tip of the last arm is at the height 0.9")
    expect(figures.nth(2).locator(".live-plane .live-vector")).to_have_count(9 + 1)  # a legend
    page.locator("[data-exercise=ex-even]").get_by_role("radio", name="b:").check()
    verdict = page.evaluate(ANSWER, ["ex-add-up", ADD_UP])
    assert verdict["status"] == "correct", verdict
    expect(page.locator(".exercise-badge-solved")).to_have_count(2)
    stored = page.evaluate("Object.keys(localStorage)")
    assert "sums-of-waves:progress:ex-even" in stored
    assert not [key for key in stored if "attention" in key]


def test_a_package_is_fetched_at_the_first_cell_that_imports_it(page, server):
    fetched = []
    page.on("request", lambda request: fetched.append(request.url.rpartition("/")[2]))
    chapters = {"sums": [], "find_the_waves": ["scipy"], "shapes_compared": ["pandas"]}
    for chapter, large in chapters.items():
        fetched.clear()
        page.goto(f"{server}/chapters/{chapter}.html")
        assert cells.run(page, 1).startswith("Done")
        expect(cells.cell(page, 1).locator(".book-own")).to_be_visible()
        assert [name for name in ("scipy", "pandas") if f"{name}-" in " ".join(fetched)] == large


def test_a_cell_that_cannot_run_says_why_and_an_error_opens_its_fold(page, server):
    page.goto(f"{server}/chapters/limits.html")
    first, second, third = (cells.cell(page, number) for number in (1, 2, 3))
    expect(first).to_contain_text("Not run in the page: ")
    assert first.get_by_role("button", name="Run").count() == 0
    cells.run(page, 2)
    expect(second.locator(".book-own")).to_contain_text("3")  # the import above was done
    expect(third.locator("details")).not_to_have_attribute("open", "")
    page.evaluate("bookCells.cells.at(-1).run()")
    expect(third.locator("details")).to_have_attribute("open", "")


def test_the_pages_can_be_read_and_figures_moved_from_disk(window, second):
    page = watched(window(color_scheme="dark").new_page(), "file:")
    open_page(page, (second / "_build" / "html" / "chapters" / "sums.html").as_uri())
    move(page, page.locator(".live-figure").first)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    check_faults(page)


def test_every_page_has_its_policy(second, workshop):
    site = second / "_build" / "html"
    pages = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    own = [path for path, text in pages.items() if "<head>" in text]
    assert len(own) >= 5
    assert [path.name for path in own if POLICY not in pages[path]] == []
    code, said = run(workshop, "check", folder=second)
    assert (code, said.splitlines()[-1]) == (0, "No faults were found."), said


# a third book, as somebody else might have had it


@pytest.mark.rare
def test_a_lecture_keeps_its_theme_and_its_map_and_gains_the_rest(workshop, tmp_path, window):
    folder = tmp_path / "lecture"
    copy(LECTURE, folder)
    install(workshop.parents[1], "furo==2025.12.19")
    code, said = run(workshop, "build", folder=folder)
    assert (code, "no warnings" in said) == (0, True), said
    with serving(functools.partial(Handler, directory=folder / "_build" / "html")) as address:
        page = watched(window().new_page(), address)
        map_of = {"body": "<p>A map</p>", "content_type": "text/html"}
        page.route(re.compile("^https://"), lambda route: route.fulfill(**map_of))
        page.forgiven.append("asked another host")
        open_page(page, f"{address}/lectures/who_pays.html")
        expect(page.frame_locator("iframe").locator("p")).to_be_visible()
        cell = page.locator(".cell", has_text="lost at 50 cents")
        cell.get_by_role("button", name="Run").first.click()
        expect(cell.locator(".book-own")).to_contain_text("lost at 50 cents: 1.87 euros")
        assert page.evaluate(ANSWER, ["who_pays_ex1", SHARE])["status"] == "correct"
        check_faults(page)
