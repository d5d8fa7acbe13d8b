"""The same small book with each theme: its figure moves, a cell runs, an exercise is checked.

The themes are installed beside the packages of this book, in front of them. The book shows a frame
from another host, for which the tests stand in: its pages load it, but what readers run may not ask
that host; under a strict policy there is a link.
"""

import functools
import os
import re
import shutil
import subprocess
import sys

import pytest
from bookwork.site.new import write_book
from bookwork.site.serve import Handler
from bookwork.testing.cells import ANSWER
from bookwork.testing.pages import check_faults, serving, watched
from bookwork.testing.shown import move, wait_for_drawing
from places import BOOKWORK
from playwright.sync_api import expect

ELDEST = ["sphinx-book-theme==1.1.4", "pydata-sphinx-theme==0.15.4"]
OUR_OWN = {"bookwork_house_style": True, "bookwork_policy": "strict"}
THEMES = {  # name of a case -> theme, what to install, and further settings
    "alabaster": ("alabaster", [], {}),
    "furo": ("furo", ["furo==2025.12.19", "sphinx-basic-ng==1.0.0b2"], {}),
    "pydata": ("pydata_sphinx_theme", [], {}),
    "book": ("sphinx_book_theme", [], {}),
    "strict": ("sphinx_book_theme", ELDEST, OUR_OWN),
    "rtd": ("sphinx_rtd_theme", ["sphinx-rtd-theme==3.1.0", "sphinxcontrib-jquery==4.1"], {}),
}
HOST = "https://media.example"
FRAME = f'<iframe title="A film" src="{HOST}/film"></iframe>\n'
ANSWERS = "def my_shares(x):\n    return x / x.sum()\n\ncheck('ex-shares', my_shares)"
ASK = f"""from pyodide.http import open_url
try:
    open_url("{HOST}/film")
except Exception:
    print("refused")
"""
ASK_IT = """async (code) => {
  const shown = [];
  const python = window.bookCells.makePython({});
  await python.run("a test", code, { onOutput: (message) => shown.push(message) });
  return JSON.stringify(shown);
}"""
LIGHT = {"alabaster", "rtd"}  # until a reader chooses, whatever the system says
pytestmark = [pytest.mark.rare, pytest.mark.xdist_group("themes")]


@pytest.fixture(scope="module")
def bakers(tmp_path_factory):
    """Return the folder of a small book, built once, so that its Python is there for all themes."""
    folder = tmp_path_factory.mktemp("themes") / "bakers"
    write_book(folder, "Three Bakers", "furo")
    chapter = folder / "chapters" / "first.md"
    chapter.write_text(f"{chapter.read_text()}\n{FRAME}")
    build(folder, "alabaster")
    return folder


def build(folder, theme, before=(), settings=None):
    """Build the book with a theme."""
    conf = (folder / "conf.py").read_text()
    conf = re.sub(r"html_theme = .*|bookwork_(policy|house_style) = .*\n", "", conf)
    settings = {"html_theme": theme} | (settings or {})
    lines = [f"{name} = {value!r}" for name, value in settings.items()]
    (folder / "conf.py").write_text("\n".join([conf.rstrip(), *lines, ""]))
    shutil.rmtree(folder / "_build" / "html", ignore_errors=True)
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, [*before, BOOKWORK]))}
    command = [sys.executable, "-m", "bookwork", "build"]
    done = subprocess.run(command, cwd=folder, env=env, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def install(packages, folder):
    """Install packages into a folder, without what they need: this book has that."""
    if packages:
        uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-deps", "--target"]
        newer = ["--python-version", "3.12"]  # which one of them says it needs, and does not
        subprocess.run([*uv, folder, *newer, *packages], check=True)
    return [folder]


@pytest.fixture(params=THEMES)
def shop(bakers, tmp_path, request):
    """Build the book with one of the themes; return its name."""
    theme, packages, settings = THEMES[request.param]
    build(bakers, theme, install(packages, tmp_path / "theme"), settings)
    return request.param


@pytest.fixture
def page(window, bakers, shop):
    """Return a page whose reader's system is dark, on the book; tests stand in for other hosts."""
    with serving(functools.partial(Handler, directory=bakers / "_build" / "html")) as address:
        page = watched(window(color_scheme="dark").new_page(), address)
        page.route(re.compile("^https://"), answer)
        page.forgiven += ["asked another host", "integrity"]
        page.goto(f"{address}/chapters/first.html")
        wait_for_drawing(page)
        yield page


def answer(route):
    """Stand in for the other hosts."""
    address, allowed = route.request.url, {"Access-Control-Allow-Origin": "*"}
    kind, body = "text/html", "<p>A film is shown</p>"
    if not address.startswith(HOST):
        kind, body = "text/javascript", ""
    route.fulfill(body=body, content_type=kind, headers=allowed)


def test_a_figure_moves_a_cell_runs_and_an_exercise_is_checked(page, shop):
    name = shop
    is_strict = name == "strict"
    move(page, page.locator(".live-figure").first)
    cell = page.locator(".cell").first
    cell.get_by_role("button", name="Run").first.click()
    expect(cell.locator(".book-own")).to_contain_text("0.2")
    verdict = page.evaluate(ANSWER, ["ex-shares", ANSWERS])
    assert verdict["status"] == "correct", verdict
    # what is elsewhere
    if is_strict:
        link = page.get_by_role("link", name="see this at media.example")
        expect(link).to_have_attribute("href", f"{HOST}/film")
    else:
        expect(page.frame_locator("iframe[title='A film']").locator("p")).to_be_visible()
    light = "light" if name in LIGHT else "dark"  # as the theme is, and so are figures
    expect(page.locator("html")).to_have_attribute("data-theme", light)
    ink = page.locator(".live-drawing").first.evaluate("(it) => getComputedStyle(it).color")
    assert (min(map(int, re.findall(r"\d+", ink)[:3])) > 128) == (light == "dark"), ink
    expect(page.locator(".book-notice")).to_have_count(0)
    check_faults(page)
    assert "refused" in page.evaluate(ASK_IT, ASK)
