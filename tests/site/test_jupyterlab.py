"""The chapters in JupyterLab, as `make lab` serves them: opened, run, figures moved, checked.

This really starts JupyterLab and drives it in Chromium as a reader would.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import nbformat
import pytest
from browser.open_chromium import open_chromium
from browser.shown import Shown
from chapters.page import run_chapter
from checks import run
from lab.start_lab import start_lab
from playwright.sync_api import expect

from tools import ROOT, my_notebooks

CHAPTER = "queries_keys_values"
EXERCISE = "ex-row-sums"
PATIENCE = 600_000  # milliseconds: a busy machine may need minutes to start a kernel
# Figures have two seconds to start, says anywidget, and goes on; that they are drawn is seen below.
TOO_SLOW = {"[anywidget] Failed to initialize model."}
PANEL = ".jp-NotebookPanel:not(.lm-mod-hidden)"
ERROR = f"{PANEL} :is([data-mime-type$='jupyter.error'], [data-mime-type$='jupyter.stderr'])"
DRAWN = re.compile(r"^\d+( \d+)*$")  # what a figure that is drawn has as its data-places
DONE = """([panel, cells]) => {
  const prompts = [...document.querySelectorAll(`${panel} .jp-CodeCell .jp-InputPrompt`)];
  const texts = prompts.map((prompt) => prompt.textContent.trim()).filter(Boolean);
  return texts.length >= cells && texts.every((text) => /\\[\\d+\\]/.test(text));
}"""
TEXT = """(nodes) => nodes.map((node) => {
  const copy = node.cloneNode(true);
  copy.querySelectorAll("code").forEach((code) => code.remove());
  return copy.textContent;
})"""
RAW_MARKS = re.compile(r":::|\{\w[\w:-]*\}|^\(\w[\w-]*\)=|^%", re.M)
DRAWINGS_SHOWN = """() => [...document.querySelectorAll(".jp-MarkdownOutput img")]
    .every((drawing) => drawing.naturalWidth > 0)"""


@pytest.mark.rare  # bookwork's tests have a page in JupyterLab, and test_downloads.py runs all code
def test_chapters_open_by_double_click_run_and_leave_the_repository_clean(tmp_path):
    before, names = git_status(), [path.stem for path in (ROOT / "chapters").glob("*.md")]
    with ThreadPoolExecutor(1) as apart:  # a thread holds one Playwright; other tests keep theirs
        apart.submit(read_book_in_lab, tmp_path, names).result()
    assert git_status() == before


def git_status():
    return run("git", "status", "--porcelain", cwd=ROOT).stdout


def read_book_in_lab(folder, names):
    mine = folder / "my-notebooks"
    my_notebooks.main(mine)
    files = {path.stem[3:].replace("-", "_"): path for path in sorted(mine.glob("*.ipynb"))}
    with start_lab(mine, folder / "home") as address_of, open_chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(PATIENCE)
        hosts, errors = listen(page)
        page.goto(address_of(""))
        for name in names:
            open_by_double_click(page, files[name].name)
            cells = nbformat.read(files[name], 4)["cells"]
            run_all_cells(page, sum(map(is_shown, cells)))
            assert not RAW_MARKS.findall(prose(page)), name
            page.wait_for_function(DRAWINGS_SHOWN)
            if name == CHAPTER:
                check_figures(page)
                check_folded(page)
                solve_and_save(page)
            close(page)
        assert hosts == {"127.0.0.1"}
        assert not errors


def listen(page):
    """Return the hosts that are asked for something, and what goes wrong, as both come in."""
    hosts, errors = set(), []
    page.on("request", lambda request: hosts.update(filter(None, [urlsplit(request.url).hostname])))
    page.on("pageerror", lambda error: errors.extend({str(error)} - TOO_SLOW))
    return hosts, errors


def open_by_double_click(page, name):
    page.locator(".jp-DirListing-item", has_text=name).dblclick()
    page.locator(f"{PANEL} .jp-Notebook").wait_for()
    page.locator("#jp-main-statusbar").get_by_text("Idle").wait_for()  # the kernel listens


def run_all_cells(page, count):
    """Run the notebook; each of its `count` visible cells gets its number, and none fails."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(DONE, arg=[PANEL, count])
    assert page.locator(ERROR).all_text_contents() == []


def solve_and_save(page):
    """The starter is not started; the chapter's own solution is correct."""
    cell = page.locator(f"{PANEL} .jp-CodeCell", has_text=f'check("{EXERCISE}"')
    verdict = cell.locator(".jp-OutputArea")
    expect(verdict).to_contain_text("Not started", timeout=PATIENCE)
    fold = page.locator(f"{PANEL} details", has_text=f'check("{EXERCISE}"')
    cell.locator(".cm-content").click()
    expect(cell.locator(".cm-content")).to_be_focused(timeout=PATIENCE)
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(fold.locator("pre").first.text_content().strip())
    page.keyboard.press("Control+Enter")
    expect(verdict).to_contain_text("Correct", timeout=PATIENCE)
    page.keyboard.press("Control+s")


def is_shown(cell):
    """Return whether a cell shows code; that of a figure is hidden, and its number with it."""
    return cell["cell_type"] == "code" and "jupyter" not in cell["metadata"]


def prose(page):
    """Return what the notebook shows of its text, without code."""
    shown = page.locator(f"{PANEL} .jp-MarkdownOutput :is(p, li, h1, h2, h3, td, summary)")
    return "\n".join(shown.evaluate_all(TEXT))


def check_figures(page):
    """Every figure shows what the library returns, as it starts and after each key on a slider."""
    figures = run_chapter(CHAPTER).figures
    expect(page.locator(".live-drawing")).to_have_count(len(figures), timeout=PATIENCE)
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
    for handle in handles.all():  # as a screen reader says them
        for words in ("aria-label", "aria-valuetext"):
            expect(handle).to_have_attribute(words, re.compile("."), timeout=PATIENCE)
    for k in range(handles.count()):
        for key in ("End", "ArrowLeft"):
            before = drawing.get_attribute("data-places")
            handles.nth(k).press(key)
            expect(drawing).not_to_have_attribute("data-places", before, timeout=PATIENCE)
            shown.check()
    return handles.count()


def check_folded(page):
    """Hints and solutions are folded until a reader opens them."""
    folds = page.locator(f"{PANEL} details")
    assert folds.count() > 10
    assert page.locator(f"{PANEL} details[open]").count() == 0
    folds.first.locator("summary").click()
    expect(folds.first.locator("p").first).to_be_visible(timeout=PATIENCE)


def close(page):
    """Shut the notebook and its kernel, so that one chapter runs at a time."""
    page.get_by_role("menuitem", name="File", exact=True).click()
    page.get_by_role("menuitem", name="Close and Shut Down Notebook").click()
    dialog = page.locator(".jp-Dialog")
    dialog.locator("button.jp-mod-accept").click()
    dialog.wait_for(state="detached")
    page.locator(PANEL).wait_for(state="detached")
