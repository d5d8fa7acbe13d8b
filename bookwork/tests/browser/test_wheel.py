"""Books built from bookwork's wheel alone, outside the repository, without Node.

The fixture book, with a page more; and a lecture, as somebody else might have had it before.
"""

import functools
import re
import shutil
import subprocess
import sys

import checks
import pytest
from bookwork.site.serve import Handler
from bookwork.testing.cells import ANSWER
from bookwork.testing.pages import check_faults, serving, watched
from bookwork.testing.shown import check_drawn, move, open_page
from browser import cells
from browser.cells import RIGHT
from places import BOOK, CACHE, PROJECT
from playwright.sync_api import expect
from small_books import HEAD

UV = [sys.executable, "-m", "uv"]
LECTURE = PROJECT / "examples" / "economics"
SHARE = "def buyers_share(e_d, e_s):\n    return e_s / (e_s + e_d)\n\n"
SHARE += "check('who_pays_ex1', buyers_share)"
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

```{code-cell} ipython3
import pandas as pd

pd.DataFrame({"rye": [3]})
```
"""

pytestmark = [pytest.mark.rare, pytest.mark.python, pytest.mark.xdist_group("bookwork")]


@pytest.fixture(scope="module")
def workshop(tmp_path_factory, bookwork_wheel):
    """Return the command `bookwork` of a new environment, which has what the wheel brings."""
    env = tmp_path_factory.mktemp("workshop") / "env"
    subprocess.run([*UV, "venv", "--quiet", "--python", sys.executable, env], check=True)
    install(env, f"{bookwork_wheel}[book]", "pandas", "scipy", "pip", "furo==2025.12.19")
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
    (folder / ".cache").mkdir()
    (folder / ".cache" / "python").symlink_to(CACHE)


@pytest.fixture(scope="module")
def second(workshop, tmp_path_factory):
    """Return the folder of the fixture book, built with a page more."""
    folder = tmp_path_factory.mktemp("elsewhere") / "book"
    copy(BOOK, folder)
    (folder / "chapters" / "limits.md").write_text(HEAD + LIMITS)
    with (folder / "_toc.yml").open("a") as contents:
        contents.write("  - file: chapters/limits\n")
    code, said = run(workshop, "build", folder=folder)
    assert (code, "The book is in _build/html" in said) == (0, True), said
    assert "npm" not in said  # nothing is bundled again
    assert "\nPython in a page does not have zmq: no Run at cells that import that\n" in said
    return folder


@pytest.fixture(scope="module")
def server(second):
    """Serve this book, also to the fixture `page`."""
    with serving(functools.partial(Handler, directory=second / "_build" / "html")) as address:
        yield address


def test_a_reader_moves_runs_and_solves(page, server, second, workshop):
    open_page(page, f"{server}/chapters/orders.html")
    check_drawn(page)
    move(page, page.locator(".live-figure").nth(1))
    assert page.evaluate(ANSWER, ["ex-swap", RIGHT["ex-swap"]])["status"] == "correct"
    stored = page.evaluate("Object.keys(localStorage)")
    assert "a-small-bakery:progress:ex-swap" in stored
    code, said = run(workshop, "check", folder=second)
    assert (code, said.splitlines()[-1]) == (0, "No faults were found."), said


def test_a_cell_that_cannot_run_says_why_and_what_is_large_is_fetched_when_needed(page, server):
    fetched = []
    page.on("request", lambda request: fetched.append(request.url.rpartition("/")[2]))
    page.goto(f"{server}/chapters/limits.html")
    first, second, third = (cells.cell(page, number) for number in (1, 2, 3))
    expect(first).to_contain_text("Not run in the page: ")
    expect(first.get_by_role("button", name="Run")).to_have_count(0)
    cells.run(page, 2)
    expect(second.locator(".book-own")).to_contain_text("3")  # the import above was done
    expect(third.locator("details")).not_to_have_attribute("open", "")
    page.evaluate("bookCells.cells.at(-2).run()")
    expect(third.locator("details")).to_have_attribute("open", "")
    assert "pandas-" not in " ".join(fetched)
    assert cells.run(page, 4).startswith("Done")
    assert "pandas-" in " ".join(fetched)


def test_a_lecture_keeps_its_theme_and_its_map_and_gains_the_rest(workshop, tmp_path, window):
    folder = tmp_path / "lecture"
    copy(LECTURE, folder)
    code, said = run(workshop, "build", folder=folder)
    assert (code, "warnings: 0." in said) == (0, True), said
    with serving(functools.partial(Handler, directory=folder / "_build" / "html")) as address:
        page = watched(window().new_page(), address)
        map_of = {"body": "<p>A map</p>", "content_type": "text/html"}
        page.route(re.compile("^https://"), lambda route: route.fulfill(**map_of))
        page.forgiven.append("asked another host")
        open_page(page, f"{address}/lectures/who_pays.html")
        expect(page.frame_locator("iframe").locator("p")).to_be_visible()
        cell = page.locator(".cell", has_text="lost at 50 cents")
        cell.get_by_role("button", name="Run").first.click()
        told = "lost at 50 cents: 1.87 euros"
        expect(cell.locator(".book-own")).to_contain_text(told)
        assert page.evaluate(ANSWER, ["who_pays_ex1", SHARE])["status"] == "correct"
        check_faults(page)
