"""The chapters in JupyterLab, as `make lab` serves them: opened, read, run.

This really starts JupyterLab and drives it in Chromium as a reader would. That figures move there
and answers are judged, bookwork's own tests show.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import nbformat
import pytest
from bookwork.testing.chromium import open_chromium
from bookwork.testing.lab import start_lab
from checks import run

from tools import ROOT, my_notebooks

PATIENCE = 600_000  # milliseconds: a busy machine may need minutes to start a kernel
# Figures have two seconds to start, says anywidget, and goes on; that they are drawn is seen below.
TOO_SLOW = {"[anywidget] Failed to initialize model."}
PANEL = ".jp-NotebookPanel:not(.lm-mod-hidden)"
ERROR = f"{PANEL} :is([data-mime-type$='jupyter.error'], [data-mime-type$='jupyter.stderr'])"
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
    files = {
        path.stem.partition("-")[2].replace("-", "_"): path for path in sorted(mine.glob("*.ipynb"))
    }
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


def is_shown(cell):
    """Return whether a cell shows code; that of a figure is hidden, and its number with it."""
    return cell["cell_type"] == "code" and "jupyter" not in cell["metadata"]


def prose(page):
    """Return what the notebook shows of its text, without code."""
    shown = page.locator(f"{PANEL} .jp-MarkdownOutput :is(p, li, h1, h2, h3, td, summary)")
    return "\n".join(shown.evaluate_all(TEXT))


def close(page):
    """Shut the notebook and its kernel, so that one chapter runs at a time."""
    page.get_by_role("menuitem", name="File", exact=True).click()
    page.get_by_role("menuitem", name="Close and Shut Down Notebook").click()
    dialog = page.locator(".jp-Dialog")
    dialog.locator("button.jp-mod-accept").click()
    dialog.wait_for(state="detached")
    page.locator(PANEL).wait_for(state="detached")
