"""Text fields above a cell: they write the code, and nothing runs unasked.

The last test runs the whole of MiniLM on sentences of a reader, with what may fail on the way.
"""

import re

from browser.cells import FAKE
from browser.shown import FITS, wait_for_drawing, wait_until
from playwright.sync_api import expect

CHAPTER = "chapters/looking_inside.html"
OWN = "A doctor met a nurse."
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
    check_a_field_follows_the_code(page)
    page.reload()
    expect(field(page, "text")).to_have_value(re.compile("keys\\.\n$"))  # kept, as what is typed
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_function(FITS)
    page.emulate_media(media="print")
    expect(cell(page).locator(".book-fields")).to_be_hidden()


def check_enter_runs_what_a_field_wrote_without_the_cells_above(chapter):
    runs = "() => window.runs.splice(0)"
    expect(field(chapter, "text")).to_have_value(re.compile("^The king met the queen"))
    expect(field(chapter, "second", 1)).to_have_value(re.compile("too wide"))
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
    field(chapter, "text").fill("The king met the queen in the garden and she lost her keys.")
    field(chapter, "text").press("Enter")  # the book's own text: the figure follows it, too
    wait_until(chapter, lambda: figure in chapter.evaluate("() => window.runs"))
    ended(chapter)


def check_a_field_follows_the_code(chapter):
    editor = cell(chapter).locator(".cm-content")
    editor.focus()
    chapter.keyboard.press("ControlOrMeta+a")
    chapter.keyboard.insert_text("text = 'say so' # so\nread = text")
    expect(field(chapter, "text")).to_have_value("say so")
    chapter.keyboard.press("ControlOrMeta+a")
    chapter.keyboard.insert_text("text = str(3)")
    expect(field(chapter, "text")).to_be_disabled()
    press(chapter, "Start over")
    expect(field(chapter, "text")).to_have_value(re.compile("^The king"))
    field(chapter, "text").press("Shift+Enter")
    expect(cell(chapter).locator(".cm-content")).to_contain_text("\\n")


WEIGHTS = "**/minilm_whole_int8.npz*"


def read(page, text):
    """Type a sentence and read it; return what the page says and shows."""
    output = cell(page).locator(".cell_output")
    before = output.inner_text()
    field(page, "text").fill(text)
    field(page, "text").press("Enter")
    wait_until(page, lambda: output.inner_text() not in (before, ""))
    return ended(page), output.inner_text()


def test_a_sentence_of_the_reader_is_read_whatever_it_is_and_whatever_fails(page, server):
    page.forgiven += ["minilm_whole", "Failed to load", "ERR_INTERNET", "failed: blob:"]  # of Stop
    page.goto(f"{server}/{CHAPTER}")
    page.route(WEIGHTS, lambda route: None)  # nothing ever comes
    field(page, "text").fill(OWN)
    field(page, "text").press("Enter")
    loading = cell(page).locator(".book-progress")
    expect(loading).to_have_text(re.compile("g (for )?minilm_whole_int8.npz 0.0 of 21.0 MB$"))
    press(page, "Stop")
    assert "Your variables are kept" in ended(page)
    page.unroute(WEIGHTS)
    _, tokens = read(page, HOSTILE)
    assert tokens.split("[CLS] ")[1].startswith("< im ##g sr ##c = x one ##rro ##r = ")
    page.context.set_offline(True)
    assert "no words" in read(page, " \u200b ")[1]
    assert "at most 64 are read here" in read(page, "word " * 100)[1]
    _, tokens = read(page, f"{HOSTILE} <script>hacked=1</script>")
    page.context.set_offline(False)
    figure = page.locator("#fig-own-sentence")
    expect(figure.get_by_role("radio", name="##rro", exact=True)).to_be_visible()
    wait_for_drawing(page)
    figure.get_by_role("button", name="Show as table").click()
    expect(figure.locator("table").first).to_contain_text("##rro")
    assert page.evaluate("() => window.hacked") is None
    assert figure.locator("img, script:not([type])").count() == 0
