"""Text fields above a cell: they write the code, and nothing runs unasked."""

import re

from bookwork.testing.shown import FITS, wait_until
from browser.cells import FAKE
from playwright.sync_api import expect

CHAPTER = "chapters/sentences.html"
HOSTILE = '<img src=x onerror="hacked=1"> "; import js #\\ \u202e\u200b שלום 👩‍🔬'


def cell(page, number=0):
    """Return a cell with fields: the one of the reader's own sentence, or that of two."""
    return page.locator("div.cell.tag_fields").nth(number)


def field(page, name, number=0):
    return cell(page, number).get_by_role("textbox", name=re.compile(f"^{name}: cell"))


def press(page, name, number=0):
    cell(page, number).get_by_role("button", name=re.compile(f"^{name}")).click()


def ended(page, number=0):
    """Wait until a run has ended; return what the page says then."""
    status = cell(page, number).locator(".book-bar > .book-status").last
    expect(status).to_have_text(re.compile("^(Done|Ended|Stopped)"))
    expect(cell(page, number).get_by_role("button", name="Stop:")).to_be_hidden()
    return status.inner_text()


def test_a_field_writes_the_code_and_enter_runs_it(page, server):
    page.goto(f"{server}/{CHAPTER}")
    page.evaluate(FAKE)
    check_enter_runs_what_a_field_wrote_without_the_cells_above(page)
    # a field follows the code
    editor = cell(page).locator(".cm-content")
    editor.focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text("text = 'say so' # so\nread = text")
    expect(field(page, "text")).to_have_value("say so")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text("text = str(3)")
    expect(field(page, "text")).to_be_disabled()
    press(page, "Start over")
    expect(field(page, "text")).to_have_value(re.compile("^The baker"))
    field(page, "text").press("Shift+Enter")
    expect(cell(page).locator(".cm-content")).to_contain_text("\\n")
    page.reload()
    expect(field(page, "text")).to_have_value(re.compile("bread\\.\n$"))  # kept, as what is typed
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_function(FITS)
    page.emulate_media(media="print")
    expect(cell(page).locator(".book-fields")).to_be_hidden()


def check_enter_runs_what_a_field_wrote_without_the_cells_above(chapter):
    runs = "() => window.runs.splice(0)"
    expect(field(chapter, "text")).to_have_value(re.compile("^The baker met the guest"))
    expect(field(chapter, "second", 1)).to_have_value(re.compile("too small"))
    field(chapter, "text").fill(HOSTILE)
    expect(cell(chapter).locator(".cm-content")).to_contain_text('\\"; import js #\\\\ \u202e')
    expect(cell(chapter).locator(".cm-line")).to_have_count(5)
    assert chapter.evaluate(runs) == []
    field(chapter, "text").press("Enter")
    ended(chapter)
    own, figure = chapter.evaluate(runs)
    assert own.startswith("cell ")
    assert figure.startswith("Figure ")
    expect(field(chapter, "text")).to_have_value(HOSTILE)
    assert chapter.evaluate("() => window.hacked") is None
    press(chapter, "Run:", 1)  # the cell below needs the one that starts anew, and no other
    ended(chapter, 1)
    assert len(chapter.evaluate(runs)) == 1
    field(chapter, "text").fill("The baker met the guest in the shop and sold her bread.")
    field(chapter, "text").press("Enter")  # the book's own text: the figure follows it, too
    wait_until(chapter, lambda: figure in chapter.evaluate("() => window.runs"))
    ended(chapter)


def test_a_typed_cell_follows_each_key_once_enter_has_run_it(page, server):
    page.goto(f"{server}/{CHAPTER}")
    page.evaluate(FAKE)
    runs = "() => window.runs.length"
    field(page, "beginning", 2).fill("take")
    assert page.evaluate(runs) == 0
    field(page, "beginning", 2).press("Enter")
    ended(page, 2)
    before = page.evaluate(runs)
    field(page, "beginning", 2).press_sequentially(" flour")
    wait_until(page, lambda: page.evaluate(runs) > before)
    ended(page, 2)
    expect(field(page, "beginning", 2)).to_be_focused()
    expect(field(page, "beginning", 2)).to_have_value("take flour")
