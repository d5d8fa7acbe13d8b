"""Jupyter's own words in a page: interact, Output, observe and display, by the page's own Python.

What needs no browser is in tests/page/test_page_widgets.py.
"""

import re

import ipywidgets
import pytest
from browser.conftest import VIEWPORT, check_faults, watched
from browser.shown import FITS, add_widgets
from playwright.sync_api import expect

CHAPTER = "chapters/queries_keys_values.html"
SHOWN = "div.cell:has(.cell_input):not(.tag_exercise, .book-exercise *)"
RUN = """async ([number, code]) => {
  const cell = bookCells.cells.filter((each) => each.editButton && !each.isApart)[number - 1];
  cell.code = code;
  await (window.ended = cell.run());
}"""
BEGIN = RUN.replace("await (window.ended = cell.run())", "window.ended = cell.run()")


pytestmark = pytest.mark.xdist_group("words")  # they share a page


@pytest.fixture(scope="module")
def chapter(browser, server):
    """A chapter whose Python is started once; each test has cells below those of the last."""
    context = browser.new_context(viewport=VIEWPORT)
    page = watched(context.new_page(), server)
    page.forgiven.append("blob:")  # how Stop is told
    page.goto(f"{server}/{CHAPTER}")
    yield page
    check_faults(page)
    context.close()


class Cell:
    """The number-th cell of a page whose code is shown, counted from 1, without exercises."""

    def __init__(self, page, number):
        self.page, self.number = page, number
        self.element = page.locator(SHOWN).nth(number - 1)
        self.own = self.element.locator(".book-own")
        self.output, self.log = self.own.locator(".book-output"), self.own.locator(".book-log")
        self.status = self.element.get_by_role("status").first
        self.stop = self.element.get_by_role("button", name="Stop")
        self.handle = self.own.locator(".noUi-handle").first

    def run(self, code):
        self.page.evaluate(RUN, [self.number, code])

    def begin(self, code):
        """Run code that does not end by itself."""
        self.page.evaluate(BEGIN, [self.number, code])


INTERACT = """
import ipywidgets as widgets
from IPython.display import clear_output
@widgets.interact
def f(x=5):
    print("x is", x)
    if x == 7:
        while True: pass
    return 60 / (x - 6)
"""
OBSERVE = """
s = widgets.IntSlider(max=9)
def tell(change):
    print("now", change.new)
    if change.new > 1: 1 / 0
s.observe(tell, "value")
s
"""
BOXES = """
outs = widgets.Output(), widgets.Output()
for out in outs:
    with out: display(widgets.IntSlider())
widgets.Tab(outs, titles=["one", "two"])
"""
LOOKS = """
import ipywidgets as widgets
sheet = "body, main { display: none } } h1 { display: none } .widget-label { letter-spacing: 3px }"
over = "<p style='position: fixed; inset: 0'>over all</p>"
wide = widgets.Layout(border="999px solid")
far = widgets.Image(value=b"http://192.0.2.1/a.png", format="url")
widgets.VBox([widgets.HTML(f"<style>{sheet}</style>{over}"), widgets.Label("a", layout=wide), far])
"""
IS_WITHIN = """(node) => {
  const outer = node.closest(".book-widget").getBoundingClientRect();
  const { top, bottom } = node.getBoundingClientRect();
  return outer.top <= top && bottom <= outer.bottom;
}"""
WITHIN = """
place = display("first", display_id=True)
out, inner, button = widgets.Output(), widgets.IntSlider(max=9), widgets.Button(description="more")
display(out, button)
with out: display(inner)
out.append_stdout("below")
@button.on_click
@out.capture()
def more(_):
    print(" and more", inner.value)
    place.update("second")
"""
SHOWN_ONLY_LAST = """
for i in range(300):
    clear_output(wait=True)
    print("frame", i)
"""
FLOOD = """
import ipywidgets as widgets
t = widgets.IntSlider(max=10**9)
display(t)
while True: t.value += 1
"""


def test_interact_shows_results_and_errors_and_can_be_stopped(chapter):
    first = Cell(chapter, 1)
    first.run(INTERACT)
    expect(first.output).to_have_text("x is 5\n-60.0")
    first.handle.press("ArrowRight")
    expect(first.output).to_contain_text("x is 6")
    expect(first.output.locator(".book-error")).to_contain_text("line 9, in f")
    expect(first.output.locator(".book-error")).to_contain_text("ZeroDivisionError")
    first.handle.press("ArrowRight")
    expect(first.status).to_have_text("Running…")
    first.stop.click()
    expect(first.status).to_have_text("Stopped. Your variables are kept.")
    expect(first.stop).to_be_hidden()
    first.handle.press("ArrowRight")
    expect(first.output).to_have_text("x is 8\n30.0")


def test_observe_tells_below_its_cell_until_it_runs_again(chapter):
    second = Cell(chapter, 2)
    second.run(f"import ipywidgets as widgets\n{OBSERVE}")
    expect(second.log).to_have_count(0)
    for moved in range(1, 5):
        second.handle.press("ArrowRight")
        expect(second.log).to_contain_text(f"now {moved}\n")
    expect(second.log.locator(".book-error")).to_have_count(1)
    expect(second.log.locator(".book-error")).to_contain_text("line 6, in tell")
    expect(second.log.locator(".book-error")).to_contain_text("(3 times)")
    second.run(BOXES)
    expect(second.log).to_have_count(0)
    second.own.get_by_role("tab", name="two").click()
    expect(second.output.locator(".noUi-handle:visible")).to_have_count(1)
    for _ in range(2):  # what was in the boxes makes room for the next
        second.run("out = widgets.Output()\ndisplay(out, out)\nwith out: print('as new')")
        expect(second.output).to_have_text(["as new\n", "as new\n"])


def test_outputs_keep_what_stays(chapter):
    first = Cell(chapter, 3)
    first.run(f"import ipywidgets as widgets\n{WITHIN}")
    expect(first.output.locator(".book-stdout")).to_have_text("below")
    handle = first.output.locator(".noUi-handle")
    handle.press("ArrowRight")
    handle.evaluate("(handle) => { window.seen = handle; }")
    first.own.get_by_role("button", name="more").click()
    expect(first.output.locator(".book-stdout")).to_have_text("below and more 1\n")
    assert handle.evaluate("(handle) => window.seen === handle")
    expect(first.own.locator("[data-display]")).to_have_text("'second'")


AS_IN_A_NOTEBOOK = r"""
import ipywidgets as widgets
for i in range(3): print(f"step {i} of 2", end="\r")
print("\nab\b\bok \x1b[31mred\x1b[0m\r\nlonger\rshort")
gone = widgets.Label("gone")
display(gone, widgets.Label("with $x^2$"), widgets.HTMLMath("<code>$y$</code>, $$y$$ and $z$"))
gone.close()
"""


def test_looks_of_widgets_change_nothing_else(chapter):
    """Neither a style sheet, nor a part that stays in place, nor a border wider than the page."""
    second = Cell(chapter, 4)
    second.run(LOOKS)
    expect(second.own.locator(".widget-label").last).to_have_css("letter-spacing", "3px")
    expect(second.page.locator("article h1")).to_be_visible()
    assert second.own.get_by_text("over all").evaluate(IS_WITHIN)
    second.page.wait_for_function(FITS)
    far = second.own.get_by_role("img", name="http://192.0.2.1/a.png is not shown")
    expect(far).to_be_visible()


def test_text_and_closed_widgets_are_shown_as_in_a_notebook(chapter):
    first = Cell(chapter, 5)
    first.run(AS_IN_A_NOTEBOOK)
    printed = first.own.locator(".book-stdout")
    assert printed.inner_text() == "step 2 of 2\nok red\nshortr\n"
    expect(first.own.locator(".katex")).to_have_count(3)
    expect(first.own.locator("code")).to_have_text("$y$")
    expect(first.own).not_to_contain_text("gone")


def test_a_flood_is_thinned_and_stopped(chapter):
    """It comes last: a cell below would run the one that was stopped again."""
    second, third = Cell(chapter, 6), Cell(chapter, 7)
    second.run(f"from IPython.display import clear_output\n{SHOWN_ONLY_LAST}")
    expect(second.own.locator(".book-stdout")).to_have_text("frame 299\n")
    third.begin(FLOOD)
    readout = third.own.locator(".widget-readout")
    expect(readout).not_to_have_text("0")
    third.stop.click()
    third.page.evaluate("() => window.ended")
    expect(third.status).to_have_text("Stopped. Your variables are kept.")
    second.run("print(t.value)")
    last = int(second.own.locator(".book-stdout").inner_text())
    expect(readout).to_have_text(re.compile(f"^({last}|{last - 1})$"))


def test_a_stored_interact_shows_its_start(desk):
    page = desk
    stored = [
        {"output_type": "stream", "name": "stdout", "text": ["one\n", "two\n"]},
        {"output_type": "display_data", "data": {"text/plain": "3"}, "metadata": {}},
        {
            "output_type": "error",
            "ename": "ValueError",
            "evalue": "no",
            "traceback": ["\x1b[31mValueError\x1b[39m: no"],
        },
    ]
    box = ipywidgets.VBox([ipywidgets.IntSlider(), ipywidgets.Output(outputs=stored)])
    assert add_widgets(page, box) == [True]
    shown = page.locator(".added").last.locator(".book-output pre")
    expect(shown).to_have_text(["one\ntwo\n", "3", "ValueError: no"])
