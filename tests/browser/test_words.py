"""What a reader's code shows, by the page's own Python: live figures, displays, text, Markdown.

What needs no browser is in tests/page/test_page_widgets.py.
"""

import pytest
from browser.conftest import check_faults, open_context, watched
from playwright.sync_api import expect

CHAPTER = "chapters/queries_keys_values.html"
SHOWN = "div.cell:has(.cell_input):not(.tag_exercise, .book-exercise *)"
RUN = """async ([number, code]) => {
  const own = document.querySelectorAll("SHOWN")[number - 1];
  const cell = bookCells.cells.find(({ element }) => element === own);
  cell.code = code;
  await (window.ended = cell.run());
}""".replace("SHOWN", SHOWN)
BEGIN = RUN.replace("await (window.ended = cell.run())", "window.ended = cell.run()")

pytestmark = pytest.mark.xdist_group("words")  # they share a page


@pytest.fixture(scope="module")
def chapter(browser, server):
    """A chapter whose Python is started once; each test has cells below those of the last."""
    context = open_context(browser)
    page = watched(context.new_page(), server)
    page.forgiven += ["blob:", "could not be drawn"]  # how Stop is told; what is told
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
        self.status = self.element.get_by_role("status").first
        self.stop = self.element.get_by_role("button", name="Stop")

    def run(self, code):
        self.page.evaluate(RUN, [self.number, code])

    def begin(self, code):
        """Run code that does not end by itself."""
        self.page.evaluate(BEGIN, [self.number, code])


FIGURE = """
from bookwork.live import bars, live
live(lambda k: [k, 2.0], bars(["a", "b"]), name="The reader's", k=(0, 4))
"""
CALLBACKS = """
import ipywidgets as widgets
s = widgets.IntSlider(description="heard", max=9)
s.observe(lambda change: print("now", change.new), "value")
display(s)
widgets.interact(lambda x: print("x is", x), x=5);
"""
UPDATES = """
import time
from IPython.display import clear_output
line = display("first", display_id=True)
line.update("second")
clear_output(wait=True)
print("after")
for i in range(300):
    clear_output(wait=True)
    print("frame", i)
place = display(0, display_id=True)
"""
LONG = "print('long\\n' * 30)\nplace.update(1)"
TERMINAL = r"""
for i in range(3): print(f"step {i} of 2", end="\r")
print("\nok \x1b[31mred\x1b[0m\r\nlonger\rshort")
"""
HEIGHT = "(cell) => cell.querySelector('.cell_output').offsetHeight"


def test_a_figure_of_the_readers_moves_without_python_and_callbacks_say_where_they_work(chapter):
    first = Cell(chapter, 1)
    first.run(FIGURE)
    chapter.evaluate("bookCells.python.stop()")
    first.own.get_by_role("slider", name="k").press("End")
    expect(first.own.locator(".live-drawing")).to_contain_text("4.00")
    first.run(CALLBACKS)
    expect(first.own.locator(".book-stdout")).to_have_text("x is 5\n")
    expect(first.own.get_by_role("slider", name="heard")).to_be_visible()
    expect(first.own).to_contain_text("If they call Python, run the code in JupyterLab.")
    expect(first.own).to_contain_text("the widget Output works in JupyterLab")


def test_what_is_displayed_can_be_replaced_and_nothing_empties_while_a_cell_runs(chapter):
    second, third = Cell(chapter, 2), Cell(chapter, 3)
    second.run(UPDATES)
    expect(second.own).to_have_text("Your outputframe 299\n0")
    third.run(LONG)
    expect(second.own).to_have_text("Your outputframe 299\n1")
    tall = third.element.evaluate(HEIGHT)
    third.begin("import time\ntime.sleep(600)")
    expect(third.status).to_have_text("Running…")
    assert third.element.evaluate(HEIGHT) == tall
    expect(third.element.locator(".book-own:not(.book-coming)")).to_contain_text("long")
    third.stop.click()
    chapter.evaluate("() => window.ended")
    expect(third.own).not_to_contain_text("long")
    third.run("kept = 7")  # or the cells below would run it again


def test_text_is_shown_as_on_a_terminal_and_only_an_error_has_its_colour(chapter):
    fourth = Cell(chapter, 4)
    fourth.run(TERMINAL)
    assert fourth.own.locator(".book-stdout").inner_text() == "step 2 of 2\nok red\nshortr\n"
    fourth.run("import sys\nsys.stderr.write('51 of 51')")
    style = "(text) => getComputedStyle(text).borderLeftColor"
    colour = fourth.own.locator(".book-stderr").evaluate(style)
    fourth.run("1 / 0")
    assert colour != fourth.own.locator(".book-error").evaluate(style)
    expect(fourth.own).to_contain_text("ZeroDivisionError")
