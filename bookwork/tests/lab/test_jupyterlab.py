"""A page of the fixture book in JupyterLab: run, figures moved by real ipywidgets, one checked.

This really starts JupyterLab and drives it in Chromium as a reader would.
"""

import os
import re
from concurrent.futures import ThreadPoolExecutor

import nbformat
from bookwork.testing.chromium import open_chromium
from bookwork.testing.lab import start_lab
from bookwork.testing.shown import Shown
from browser.made import CONFIG, made
from myst_nb.core.read import read_myst_markdown_notebook
from places import BOOK, BOOKWORK
from playwright.sync_api import expect

PATIENCE = 600_000  # milliseconds: a busy machine may need minutes to start a kernel
# Figures have two seconds to start, says anywidget, and goes on; that they are drawn is seen below.
TOO_SLOW = {"[anywidget] Failed to initialize model."}
ERROR = ":is([data-mime-type$='jupyter.error'], [data-mime-type$='jupyter.stderr'])"
DRAWN = re.compile(r"^\d+( \d+)*$")  # what a figure that is drawn has as its data-places
DONE = """(cells) => {
  const prompts = [...document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")];
  const texts = prompts.map((prompt) => prompt.textContent.trim()).filter(Boolean);
  return texts.length >= cells && texts.every((text) => /\\[\\d+\\]/.test(text));
}"""
ANSWER = "from shop.exercises import check\ncheck('ex-share', lambda x: x / x.sum())"


def test_figures_of_every_kind_move_in_jupyterlab_and_a_verdict_is_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (BOOKWORK, BOOK))))
    with ThreadPoolExecutor(1) as apart:  # a thread holds one Playwright; other tests keep theirs
        apart.submit(read_in_lab, tmp_path).result()


def read_in_lab(folder):
    (folder / "notebooks").mkdir()
    count = write_notebook(folder / "notebooks" / "figures.ipynb")
    with start_lab(folder / "notebooks", folder / "home") as address_of, open_chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(PATIENCE)
        errors = []
        page.on("pageerror", lambda error: errors.extend({str(error)} - TOO_SLOW))
        page.goto(address_of("figures.ipynb"))
        page.locator("#jp-main-statusbar").get_by_text("Idle").wait_for()  # the kernel listens
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        page.wait_for_function(DONE, arg=count)
        assert page.locator(ERROR).all_text_contents() == []
        check_figures(page)
        expect(page.locator(".jp-OutputArea").last).to_contain_text("Correct", timeout=PATIENCE)
        assert not errors


def write_notebook(path):
    """Write the cells of the page, and one that checks an answer; return how many there are."""
    text = (BOOK / "chapters" / "figures.md").read_text(encoding="utf-8")
    notebook = read_myst_markdown_notebook(text, CONFIG)
    notebook.cells.append(nbformat.v4.new_code_cell(ANSWER))
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(notebook, path)
    return sum(cell.cell_type == "code" for cell in notebook.cells)


def check_figures(page):
    """Every figure shows what its function returns, at first and after each key on a slider."""
    figures = made("figures")
    expect(page.locator(".live-drawing")).to_have_count(len(figures), timeout=PATIENCE)
    assert sum(check_figure(page, figure, k) for k, figure in enumerate(figures))


def check_figure(page, figure, number):
    """Compare the numbers of one figure, moving its sliders; return how many it has."""
    drawing = page.locator(".live-drawing").nth(number)
    drawing.scroll_into_view_if_needed()
    expect(drawing).to_have_attribute("data-places", DRAWN, timeout=PATIENCE)
    shown = Shown(page, figure, number)
    shown.check()
    handles = shown.box.locator(".live-controls .noUi-handle")
    for handle in handles.all():
        for words in ("aria-label", "aria-valuetext"):  # as a screen reader says them
            expect(handle).to_have_attribute(words, re.compile("."), timeout=PATIENCE)
        before = drawing.get_attribute("data-places")
        handle.press("End")
        expect(drawing).not_to_have_attribute("data-places", before, timeout=PATIENCE)
        shown.check()
    return handles.count()
