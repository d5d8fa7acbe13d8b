"""Code cells of a page, for tests: a Python that obeys them, and what a reader does with them.

FAKE stands for the page's Python. It obeys the comments `#! {…}` in a cell's code, so that a test
sees what the page does and nothing else.
"""

import json

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


def figure_number(page):
    """Return the number of the chapter's first figure, which stands below its second cell."""
    return page.locator("#fig-match .caption-number").inner_text().strip()


def tell(**told):
    """Return code that makes the Python of these tests do something."""
    return f"#! {json.dumps(told)}"


def display(**bundle):
    return tell(
        kind="display", bundle={name.replace("_", "/"): data for name, data in bundle.items()}
    )
