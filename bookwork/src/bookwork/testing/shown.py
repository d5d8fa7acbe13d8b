"""A page as a reader sees it, its live figures beside the same ones made by running it here."""

import json

import numpy as np
from ipywidgets.embed import embed_data
from playwright.sync_api import expect

TWO_PAINTS = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
READ = """async (drawing) => {
  for (const paint of [1, 2]) await new Promise(requestAnimationFrame);
  const all = (part, selector) => [...part.querySelectorAll(selector)];
  const texts = (part, selector) => all(part, selector).map((el) => el.textContent);
  const tables = all(drawing, "table")
    .map((table) => [table.dataset.array, texts(table, "tr td:not(:empty)")]);
  const digits = all(drawing, ".live-view").map((view) => texts(view, ".live-digits"));
  const places = drawing.dataset.places.split(" ").filter(Boolean).map(Number);
  return JSON.stringify({ places, tables, digits });
}"""
ADD = """async (text) => {
  const { state, ids } = JSON.parse(text);
  await bookWidgets.addState(state);
  return Promise.all(ids.map(async (id) => {
    const place = document.querySelector("main").appendChild(document.createElement("div"));
    place.className = "book-widget added";
    return (await bookWidgets.show(id, place)) !== null;
  }));
}"""
# Letters that come later would move a figure under the pointer.
ALL_DRAWN = """() => document.fonts.status === "loaded" &&
  [...document.querySelectorAll(".live-figure")].every((figure) => {
    const drawing = figure.querySelector(".live-drawing"); // which comes later than its figure
    return drawing && (drawing.offsetParent === null || drawing.dataset.places !== undefined);
  })"""
# A page that has become narrower is so at once, its figures a moment later.
FITS = "() => document.documentElement.scrollWidth <= innerWidth"
# As a reader pastes: Chromium would type line by line, and arrange the whole page for each.
PASTE = """(editor, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const options = { clipboardData, bubbles: true, cancelable: true };
  editor.dispatchEvent(new ClipboardEvent("paste", options));
}"""
VIEWS = 'script[type="application/vnd.jupyter.widget-view+json"]'
# Figures whose frames are in files are drawn when a reader comes near.
COME_NEAR = """async () => {
  const far = ".book-still:not(:has(.book-widget-error))";
  const { scrollX: left, scrollY: top } = window;
  for (const figure of document.querySelectorAll(far)) {
    figure.scrollIntoView({ behavior: "instant" });
    while (figure.matches(far)) await new Promise((done) => setTimeout(done, 20));
  }
  scrollTo({ left, top, behavior: "instant" });
}"""


def open_page(page, address):
    """Open a page and wait until nothing in it moves by itself any more."""
    page.goto(address)
    wait_for_drawing(page)
    page.evaluate(COME_NEAR)


def wait_for_drawing(page):
    """Wait until figures and formulas are drawn, in the letters that they keep."""
    page.evaluate("() => window.bookWidgets.ready")
    page.evaluate("() => document.fonts.ready.then(() => null)")


def replace_text(page, editor, text):
    """Replace the text of a cell: select all of it and paste."""
    editor.focus()
    page.keyboard.press("ControlOrMeta+a")
    editor.evaluate(PASTE, text)


def wait_until(page, is_so):
    """Wait for what only the events of a page tell: they come while it waits."""
    for _ in range(600):
        if is_so():
            return
        page.wait_for_timeout(50)
    raise AssertionError("this has not happened within half a minute")


def add_widgets(page, *widgets):
    """Show widgets on an open page, each in an element of its own; tell which are there."""
    state = embed_data(views=widgets, drop_defaults=False)["manager_state"]
    ids = [widget.model_id for widget in widgets]
    there = page.evaluate(ADD, json.dumps({"state": state, "ids": ids}))  # one text: sent sooner
    page.wait_for_function(ALL_DRAWN)
    return there


def show(page, *figures):
    """Show figures below those of a page; return each beside what it was made of."""
    first = page.locator(".live-figure").count()
    assert add_widgets(page, *figures) == [True] * len(figures)
    assert page.locator(".book-widget-error").all_inner_texts() == []
    return [Shown(page, figure, first + number) for number, figure in enumerate(figures)]


def move(page, figure):
    """Move the first slider of a figure one step, and see that the figure changes."""
    before = figure.inner_text()
    figure.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    expect(figure).not_to_have_text(before, use_inner_text=True)


def readout(shown):
    """Return the sentence below a figure, once it is drawn."""
    shown.page.evaluate(TWO_PAINTS)
    return shown.drawing.locator(".live-readout").text_content()


def check_drawn(page):
    """Every formula and every widget of the page stands there."""
    assert page.locator("main .math:not(:has(.katex math))").all_inner_texts() == []
    assert page.locator(".book-widget-error").all_inner_texts() == []
    assert page.locator(".book-widget").count() == page.locator(VIEWS).count()
    assert all(page.locator(".book-widget").evaluate_all("all => all.map((el) => el.offsetHeight)"))


def beside(page, made):
    """Return the live figures of an open page, each beside one that was made."""
    assert page.locator(".live-drawing").count() == len(made)
    return [Shown(page, figure, number) for number, figure in enumerate(made)]


def to_weights(x):
    """Return weights of scores: positive, and summing to one in each row."""
    grown = np.exp(x - x.max(axis=-1, keepdims=True))
    return grown / grown.sum(axis=-1, keepdims=True)


class Shown:
    """One live figure on an open page, beside the same figure made by running the chapter."""

    def __init__(self, page, figure, number):
        self.page, self.figure = page, figure
        self.box = page.locator(".live-figure").nth(number)
        self.drawing = page.locator(".live-drawing").nth(number)
        self.drawing.get_by_role("button", name="Show as table").click()

    def control(self, k):
        """Return control k: above the drawing or, if a view holds it, the words that set it."""
        names = [axis.name for axis in self.figure.axes]
        held = self.spec["held"]
        if names[k] in held:
            view = next(
                i for i, each in enumerate(self.spec["views"]) if each.get("at") == names[k]
            )
            return self.drawing.locator(".live-view").nth(view).get_by_role("radiogroup")
        above = [name for name in names if name not in held]
        return self.box.locator(".live-controls > *").nth(above.index(names[k]))

    def read(self):
        """Return its `places`, the numbers of its `tables` and the `digits` in each view."""
        return json.loads(self.drawing.evaluate(READ))

    def check(self):
        """Compare every number shown with what the chapter's function returns at its places."""
        read = self.read()
        values = {
            axis.name: axis.values[place]
            for axis, place in zip(self.figure.axes, read["places"], strict=True)
        }
        frame = self.figure.frame(**values)
        errors = {a["name"]: (a["high"] - a["low"]) / a["steps"] / 2 for a in self.spec["arrays"]}
        drawn = {each["array"] for view in self.spec["views"] for each in view["tables"]}
        assert {name for name, _ in read["tables"]} == drawn
        for name, texts in read["tables"]:
            first, _, second = name.partition(" − ")
            expected = frame[first] - frame[second] if second else frame[first]
            check_numbers(texts, np.ravel(expected), errors[name], f"{name} at {values}")
        return read["places"]

    @property
    def spec(self):
        return self.figure.drawing.spec


def check_numbers(texts, expected, error, where):
    assert len(texts) == len(expected), where
    for text, number in zip(texts, expected, strict=True):
        decimals = len(text.partition(".")[2])
        allowed = 0.5 * 10.0**-decimals + error + 1e-9 * abs(number)
        assert abs(float(text.replace(",", "")) - number) <= allowed, f"{where}: {text}, {number}"
