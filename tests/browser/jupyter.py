"""An open notebook in JupyterLab: run from top to bottom, an exercise solved.

`panel` is where the notebook stands: JupyterLab may hold several at once.
"""

import re

from playwright.sync_api import expect

ERROR = ":is([data-mime-type$='jupyter.error'], [data-mime-type$='jupyter.stderr'])"
DRAWN = re.compile(r"^\d+( \d+)*$")  # what a figure that is drawn has as its data-places
DONE = """([panel, cells]) => {
  const prompts = [...document.querySelectorAll(`${panel} .jp-CodeCell .jp-InputPrompt`)];
  const texts = prompts.map((prompt) => prompt.textContent.trim()).filter(Boolean);
  return texts.length >= cells && texts.every((text) => /\\[\\d+\\]/.test(text));
}"""


def run_all_cells(page, count, panel="body"):
    """Run the notebook; each of its `count` visible cells gets its number, and none fails."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(DONE, arg=[panel, count])
    assert page.locator(f"{panel} {ERROR}").all_text_contents() == []


def solve(page, label, patience, panel="body"):
    """The starter is not started; the chapter's own solution is correct; save it."""
    cell = page.locator(f"{panel} .jp-CodeCell", has_text=f'check("{label}"')
    verdict = cell.locator(".jp-OutputArea")
    expect(verdict).to_contain_text("Not started", timeout=patience)
    fold = page.locator(f"{panel} details", has_text=f'check("{label}"')
    cell.locator(".cm-content").click()
    expect(cell.locator(".cm-content")).to_be_focused(timeout=patience)
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(fold.locator("pre").first.text_content().strip())
    page.keyboard.press("Control+Enter")
    expect(verdict).to_contain_text("Correct", timeout=patience)
    page.keyboard.press("Control+s")
