"""Code cells of a page, and what a reader does with them."""

from bookwork.testing.pages import LONG
from bookwork.testing.shown import replace_text

# Gives an answer to an exercise; the result is the verdict.
ANSWER = """async ([label, code]) => {
  const cell = window.bookCells.ofExercise(label);
  cell.code = code;
  const { verdict, error } = await cell.run();
  return verdict ?? { status: "none", message: error?.traceback };
}"""


def cell(page, number):
    """Return the number-th cell of a page whose code is shown, counted from 1."""
    return page.locator("div.cell:has(.cell_input)").nth(number - 1)


def button(page, text, number):
    return cell(page, number).get_by_role("button", name=f"{text}: cell {number}", exact=True)


def write(page, number, text):
    """Replace the text of a cell, as a reader does."""
    if button(page, "Edit", number).is_visible():
        button(page, "Edit", number).click()
    replace_text(page, cell(page, number).get_by_role("textbox", name="Code of"), text)


def text_of(page, number):
    return "\n".join(cell(page, number).locator(".cm-line").all_inner_texts())


def run(page, number):
    """Press Run and wait for the end; return what the page says then.

    By a key: a figure that is drawn as the page scrolls may move the button away from a pointer.
    """
    button(page, "Run", number).press("Enter")
    return ended(page, number)


def ended(page, number):
    waiting = button(page, "Stop", number)
    waiting.wait_for(state="hidden", timeout=LONG)
    return cell(page, number).get_by_role("status").inner_text()
