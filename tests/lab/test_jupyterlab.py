"""A chapter in JupyterLab with a live kernel: its cells run, its figures follow their sliders.

This really starts JupyterLab, and drives it in Chromium as a reader would.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import nbformat
from book.chapters import FOLDER, run_chapter
from browser.shown import Shown
from myst_nb.core.read import read_myst_markdown_notebook
from playwright.sync_api import expect

from tools.open_chromium import open_chromium
from tools.start_lab import start_lab

CHAPTER = "queries_keys_values"
PATIENCE = 120_000  # milliseconds: a busy machine may need a minute to start a kernel
ERROR = ":is([data-mime-type$='jupyter.error'], [data-mime-type$='jupyter.stderr'])"
DRAWN_OR_FAILED = f"""(count) => document.querySelector("{ERROR}")
    || document.querySelectorAll(".live-drawing").length === count"""
DRAWN = re.compile(r"^\d+( \d+)*$")


def test_a_chapter_runs_in_jupyterlab_and_its_figures_follow_their_sliders(tmp_path):
    with ThreadPoolExecutor(1) as apart:  # a thread holds one Playwright; other tests keep theirs
        apart.submit(read_chapter_in_lab, tmp_path).result()


def read_chapter_in_lab(folder):
    notebooks = folder / "notebooks"
    write_notebook(notebooks)
    with start_lab(notebooks, folder / "home") as address_of, open_chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(PATIENCE)
        hosts, errors = listen(page)
        page.goto(address_of(f"{CHAPTER}.ipynb"))
        run_all_cells(page)
        check_figures(page)
        assert hosts == {"127.0.0.1"}
        assert not errors


def write_notebook(folder):
    """Write the chapter as a notebook, read as the build reads it, with no outputs."""
    folder.mkdir()
    text = (FOLDER / f"{CHAPTER}.md").read_text(encoding="utf-8")
    nbformat.write(read_myst_markdown_notebook(text), folder / f"{CHAPTER}.ipynb")


def listen(page):
    """Return the hosts that are asked for something, and what goes wrong, as both come in."""
    hosts, errors = set(), []
    page.on("request", lambda request: hosts.update(filter(None, [urlsplit(request.url).hostname])))
    page.on("pageerror", lambda error: errors.append(str(error)))
    return hosts, errors


def run_all_cells(page):
    page.locator("#jp-main-statusbar").get_by_text("Idle").wait_for()  # the kernel listens
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()


def check_figures(page):
    """Every figure shows what the library returns, as it starts and after each key on a slider."""
    figures = run_chapter(CHAPTER).figures
    page.wait_for_function(DRAWN_OR_FAILED, arg=len(figures))
    expect(page.locator(".jp-InputPrompt").get_by_text("[*]")).to_have_count(0, timeout=PATIENCE)
    assert page.locator(ERROR).all_text_contents() == []
    sliders = sum(check_figure(page, figure, k) for k, figure in enumerate(figures))
    assert sliders


def check_figure(page, figure, number):
    """Compare the numbers of one figure, moving its sliders; return how many it has."""
    drawing = page.locator(".live-drawing").nth(number)
    drawing.scroll_into_view_if_needed()
    expect(drawing).to_have_attribute("data-places", DRAWN, timeout=PATIENCE)
    shown = Shown(page, figure, number)
    shown.check()
    handles = shown.box.locator(".live-controls .noUi-handle")
    for k in range(handles.count()):
        for key in ("End", "ArrowLeft"):
            before = drawing.get_attribute("data-places")
            handles.nth(k).press(key)
            expect(drawing).not_to_have_attribute("data-places", before, timeout=PATIENCE)
            shown.check()
    return handles.count()
