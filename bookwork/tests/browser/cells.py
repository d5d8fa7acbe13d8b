"""Code cells of a page, for tests: a Python that obeys them, and what a reader does with them.

FAKE stands for the page's Python. It obeys the comments `#! {…}` in a cell's code, so that a test
sees what the page does and nothing else.
"""

import json

from browser.conftest import LONG
from browser.shown import replace_text

CHAPTER = "chapters/orders.html"
FAKE = """() => {
  bookCells.python = null; // one may just have been started for a reader who rested on Run
  window.runs = [];
  window.codes = [];
  bookCells.makePython = ({ onProgress }) => ({
    state: "off",
    async start() {
      onProgress({ text: "NumPy", loaded: 3_100_000, total: 9_700_000 });
      this.state = "ready";
    },
    waiting() { return new Promise((stopped) => { this.stopped = stopped; }); },
    stop() { this.stopped?.(); },
    restart() {
      window.runs.push("restart");
      this.stopped?.({ ok: false, stopped: true, restarted: true });
    },
    async run(name, code, { exercise, onOutput }) {
      window.runs.push(name);
      window.codes.push(code);
      const result = { ok: true, error: null, stopped: false, restarted: false, dropped: 0 };
      for (const [, text] of code.matchAll(/^#! (.*)$/gm)) {
        const told = JSON.parse(text);
        if (told.kind) onOutput(told);
        else if (told.wait) Object.assign(result, await this.waiting());
        Object.assign(result, told.result);
      }
      return result;
    },
  });
}"""

# Gives an answer to an exercise; the result is the verdict.
ANSWER = """async ([label, code]) => {
  const cell = window.bookCells.ofExercise(label);
  cell.code = code;
  const { verdict, error } = await cell.run();
  return verdict ?? { status: "none", message: error?.traceback };
}"""


# Right answers to exercises of the fixture book, as whole cells.
RIGHT = {
    "ex-swap": """from shop.exercises import check

def invert(breads, prices):
    return {price: [b for b, p in zip(breads, prices) if p == price] for price in prices}

check("ex-swap", invert)""",
    "ex-split": """from shop.exercises import check

def split(loaves, trays):
    return loaves.reshape(trays, -1)

check("ex-split", split)""",
}
WRONG = {label: answer.replace("return ", "return 0 and ") for label, answer in RIGHT.items()}


def open_chapter(page, address):
    page.goto(f"{address}/{CHAPTER}")
    page.evaluate(FAKE)
    return page


def cell(page, number):
    """Return the number-th cell of a page whose code is shown, counted from 1."""
    return page.locator("div.cell:has(.cell_input)").nth(number - 1)


def figure_number(page):
    """Return the number of the chapter's first figure, which stands below its second cell."""
    return page.locator("#fig-match .caption-number").inner_text().strip()


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


def tell(**told):
    """Return code that makes the Python of these tests do something."""
    return f"#! {json.dumps(told)}"


def display(**bundle):
    return tell(
        kind="display", bundle={name.replace("_", "/"): data for name, data in bundle.items()}
    )
