"""What a reader's code shows, by the page's own Python: live figures, displays, text, Markdown.

What needs no browser is in unit/page/test_page_widgets.py.
"""

import pytest
from bookwork.testing.cells import button, cell, ended, run, write
from browser.cells import CHAPTER
from playwright.sync_api import expect

pytestmark = pytest.mark.python


def shows(page, number, code):
    """Run code in a cell of the page; return where what it shows stands."""
    write(page, number, code)
    run(page, number)
    return cell(page, number).locator(".book-own")


FIGURE = """
from bookwork.live import bars, live, slider
live(lambda k: [k, 2.0], bars(["a", "b"]), name="The reader's", k=slider(0, 4, 1))
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


def test_what_a_readers_code_shows_stays_usable(page, server):
    page.forgiven += ["blob:", "could not be drawn"]  # how Stop is told; what is told
    page.goto(f"{server}/{CHAPTER}")
    # a figure moves without python and callbacks say where they work
    own = shows(page, 1, FIGURE)
    page.evaluate("bookCells.python.stop()")
    own.get_by_role("slider", name="k").press("End")
    expect(own.locator(".live-drawing")).to_contain_text("4.00")
    shows(page, 1, CALLBACKS)
    expect(own.locator(".book-stdout")).to_have_text("x is 5\n")
    expect(own.get_by_role("slider", name="heard")).to_be_visible()
    expect(own).to_contain_text("If they call Python, run the code in JupyterLab.")
    expect(own).to_contain_text("the widget Output works in JupyterLab")
    # a display is replaced and nothing empties while a cell runs
    second = shows(page, 2, UPDATES)
    expect(second).to_have_text("Your outputframe 299\n0")
    third = shows(page, 3, LONG)
    expect(second).to_have_text("Your outputframe 299\n1")
    tall = cell(page, 3).evaluate(HEIGHT)
    write(page, 3, "import time\ntime.sleep(600)")
    button(page, "Run", 3).press("Enter")
    expect(cell(page, 3).get_by_role("status")).to_have_text("Running…")
    assert cell(page, 3).evaluate(HEIGHT) == tall
    expect(cell(page, 3).locator(".book-own:not(.book-coming)")).to_contain_text("long")
    button(page, "Stop", 3).click()
    ended(page, 3)
    expect(third).not_to_contain_text("long")
    shows(page, 3, "kept = 7")  # or the cells below would run it again
    # text is as on a terminal and only an error has its colour
    fourth = shows(page, 4, TERMINAL)
    assert fourth.locator(".book-stdout").inner_text() == "step 2 of 2\nok red\nshortr\n"
    shows(page, 4, "import sys\nsys.stderr.write('51 of 51')")
    style = "(text) => getComputedStyle(text).borderLeftColor"
    colour = fourth.locator(".book-stderr").evaluate(style)
    shows(page, 4, "1 / 0")
    assert colour != fourth.locator(".book-error").evaluate(style)
    expect(fourth).to_contain_text("ZeroDivisionError")
