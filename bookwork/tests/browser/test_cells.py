"""Code cells of a page: run in order, edit, stop, start over, show what is shown.

All tests share one page, with a Python that obeys them (cells.py). What a page keeps is tested in
test_kept_text.py, the real Python of the page in test_cells_python.py.
"""

import re

import pytest
from bookwork.testing.cells import button, cell, ended, run, text_of, write
from bookwork.testing.looks import check_place
from bookwork.testing.pages import VIEWPORT, check_faults, open_context, watched
from bookwork.testing.shown import FITS, wait_for_drawing
from browser.cells import FAKE, display, figure_number, open_chapter, tell
from playwright.sync_api import expect

pytestmark = pytest.mark.xdist_group("cells")  # they share a page
GONE = "Your variables are gone; your text, outputs and progress are kept."
AGAIN = "The cells above run again before the next one."
MARKUP = "<img src=x onerror='window.hacked = true'><script>window.hacked = true</script>"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>'
PNG = (  # one pixel
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
)
DIFFERENT = "def match(query, keys):\n    return 2"
AT_LINE_1 = {"type": "KeyboardInterrupt", "message": "", "traceback": "", "line": 1}
RESET = """() => {
  const codes = JSON.parse(document.getElementById("book-cells").textContent);
  bookCells.stop();
  localStorage.clear();
  bookCells.cells.forEach((cell, i) => {
    cell.starter = codes[i].code;
    cell.held = null;
    cell.say?.("");
    cell.startOver?.();
  });
  document.querySelector("aside.book-notice")?.remove();
}"""

MARK = """() => {
  bookCells.markStale();
  return new Promise((done) => setTimeout(done, 250)); // after the timer that this has just set
}"""


@pytest.fixture(scope="module")
def shared(browser, server):
    context = open_context(browser)
    page = open_chapter(watched(context.new_page(), server), server)
    wait_for_drawing(page)
    yield page
    context.close()


@pytest.fixture
def chapter(shared):
    """The chapter as it was built, with a Python that has run nothing."""
    shared.mouse.move(0, 0)  # who rests on Run starts Python
    shared.evaluate(RESET)
    shared.wait_for_function("() => !bookCells.cells.some((cell) => cell.busy)")
    shared.evaluate(MARK)  # what was computed before a change is marked later
    shared.evaluate(FAKE)
    shared.set_viewport_size(VIEWPORT)
    yield shared
    shared.emulate_media(forced_colors="none")
    assert shared.evaluate("window.hacked") is None
    check_faults(shared)


def test_every_cell_to_be_run_has_its_code_and_named_buttons(chapter):
    shown = chapter.locator("div.cell:not([hidden]) .cell_input pre").all_text_contents()
    held = chapter.evaluate("""() => bookCells.cells.filter(({ input }) => input).map(
      ({ code, bar }) => [code, [...bar.querySelectorAll("button:not([hidden])")].map(
        (each) => each.ariaLabel)])""")
    assert [text.strip() for text in shown] == [code.strip() for code, _ in held]
    assert len({str(names) for _, names in held}) == len(held)
    check = "Run & check: Invert the shelf"  # its title, not its label
    expect(chapter.get_by_role("button", name=check, exact=True)).to_be_visible()


def test_keys_work_in_printed_code_and_in_the_editor(chapter):
    printed = cell(chapter, 1).locator(".cell_input pre")
    printed.press("Shift+Enter")  # runs what is printed
    cell(chapter, 1).get_by_text("Done").wait_for()
    printed.press("Enter")
    cell(chapter, 1).get_by_role("textbox").wait_for()
    assert chapter.evaluate("runs") == ["cell 1"]
    assert text_of(chapter, 1).startswith("import numpy as np")  # Enter itself writes nothing
    write(chapter, 3, "1")
    chapter.keyboard.type("/2")  # outside the editor / opens the search
    assert text_of(chapter, 3) == "1/2"
    assert chapter.evaluate("document.activeElement.className").startswith("cm-content")
    chapter.keyboard.press("Shift+Enter")
    cell(chapter, 3).get_by_text("Done").wait_for()
    chapter.keyboard.press("Tab")
    assert text_of(chapter, 3) == "1/2 "
    chapter.keyboard.press("Escape")
    chapter.evaluate("() => { window.now = Date.now; Date.now = () => now() + 2500; }")
    chapter.keyboard.press("Tab")
    chapter.evaluate("() => { Date.now = now; }")
    assert chapter.evaluate("document.activeElement.ariaLabel") == "Run: cell 3"


DEFINE = """async () => {
  const cell = bookCells.cells.at(-2);
  cell.element.querySelector(".cell_output").remove(); // as if the book had none
  await cell.run();
  return cell.element.querySelector(".cell_output").offsetHeight;
}"""


def test_what_a_cell_needs_runs_first_and_once_in_its_own_place(chapter):
    """It keeps the book's output while nothing is changed."""
    assert run(chapter, 4).startswith("Done")
    assert chapter.evaluate("runs") == ["cell 1", "cell 2", "cell 4"]
    expect(cell(chapter, 2).locator(".book-own")).to_have_count(0)
    expect(cell(chapter, 4).locator(".book-own")).to_be_visible()
    run(chapter, 4)
    run(chapter, 3)  # which does not need what is in cell 2
    assert chapter.evaluate("runs.splice(0).slice(3)") == ["cell 4", "cell 3"]
    write(chapter, 2, DIFFERENT)
    run(chapter, 4)
    assert chapter.evaluate("runs.splice(0)") == ["cell 2", "cell 4"]
    expect(cell(chapter, 2).locator(".book-own")).to_be_visible()
    write(chapter, 1, "breads = []")
    run(chapter, 1)
    run(chapter, 4)  # and what needed that
    assert chapter.evaluate("runs.splice(0)") == ["cell 1", "cell 2", "cell 4"]
    chapter.evaluate("() => bookCells.cells[0].undoes.push(bookCells.cells[1])")
    run(chapter, 1)  # as if it gave a name of the second cell another value
    run(chapter, 4)
    assert chapter.evaluate("runs") == ["cell 1", "cell 2", "cell 4"]
    chapter.evaluate("() => bookCells.cells[0].undoes.pop()")
    assert chapter.evaluate(DEFINE) == 0  # what has no output, here and in the book, says nothing


def test_a_name_that_the_reader_has_made_above_is_found(chapter):
    """The build cannot know of it, so the cell says that it is missing, and runs again."""
    write(chapter, 2, "helper = 1")
    write(chapter, 3, missing("helper"))
    assert run(chapter, 3) == "Ended with an error."  # as this one always does
    assert chapter.evaluate("runs.splice(0)") == ["cell 1", "cell 3", "cell 2", "cell 3"]
    expect(cell(chapter, 3).locator(".book-error")).to_have_count(1)
    write(chapter, 3, missing("nobody"))
    run(chapter, 3)
    assert chapter.evaluate("runs") == ["cell 3"]


def missing(name):
    message = f"name '{name}' is not defined"
    error = {"type": "NameError", "message": message, "traceback": message, "line": 1}
    return tell(result={"ok": False, "error": error})


def test_stop_cancels_what_waits_and_the_reader_goes_on_from_there(chapter):
    write(chapter, 2, tell(wait=True, result={"ok": False, "stopped": True, "error": AT_LINE_1}))
    button(chapter, "Run", 2).click()
    chapter.wait_for_function("() => window.runs.at(-1) === 'cell 2'")
    button(chapter, "Run", 3).click()
    expect(cell(chapter, 3).get_by_role("status")).to_have_text("Waiting for another cell…")
    button(chapter, "Run", 2).click(force=True)  # running already: nothing more
    button(chapter, "Stop", 2).click()
    assert ended(chapter, 2) == "Stopped. Your variables are kept."
    assert ended(chapter, 3) == "Cancelled by Stop."
    expect(cell(chapter, 2).locator(".book-wrong-line, .book-error")).to_have_count(0)
    run(chapter, 4)
    assert chapter.evaluate("runs") == ["cell 1", "cell 2", "cell 4"]


def test_restart_drops_the_variables_and_what_waits_and_keeps_text_and_output(chapter):
    restart, gone = button(chapter, "Restart Python", 1), f"{GONE} {AGAIN}"
    write(chapter, 1, tell(kind="stdout", text="mine"))
    run(chapter, 1)
    restart.click()
    status = cell(chapter, 1).get_by_role("status")
    expect(status).to_have_text(f"Python was restarted. {gone}")
    expect(cell(chapter, 1).locator(".book-stdout")).to_have_text("mine")
    assert text_of(chapter, 1).startswith("#! ")
    write(chapter, 2, tell(wait=True))
    button(chapter, "Run", 2).click()
    button(chapter, "Run", 3).click()
    chapter.wait_for_function("() => window.runs.at(-1) === 'cell 2'")
    restart.click()
    assert ended(chapter, 2) == f"Stopped. Python had to be restarted. {gone}"
    empty = "Your code was stopped before it printed anything"
    expect(cell(chapter, 2).locator(".book-own")).to_have_text(empty)
    assert ended(chapter, 3) == "Cancelled by Restart Python."
    run(chapter, 3)
    ran = ["cell 1", "restart", "cell 1", "cell 2", "restart", "cell 1", "cell 3"]
    assert chapter.evaluate("runs") == ran


def test_stop_ends_all_that_run_all_below_would_run_also_from_a_figure(chapter):
    chapter.evaluate("(code) => { bookCells.cells[2].starter = code; }", tell(wait=True))
    write(chapter, 2, "x = 1")
    button(chapter, "Run all below", 2).click()
    chapter.wait_for_function("(name) => window.runs.at(-1) === name", arg=figure_number(chapter))
    button(chapter, "Stop", 2).click()
    assert ended(chapter, 2) == "Done; stopped before all figures below were drawn."
    chapter.wait_for_function("() => !bookCells.cells.some((cell) => cell.busy)")
    assert chapter.evaluate("runs.at(-1)") == figure_number(chapter)


def test_outputs_replace_the_books_and_start_over_brings_it_back(chapter):
    built = cell(chapter, 1).locator(".output").first
    write(chapter, 1, "\n".join(tell(kind="stdout", text=f"{word}\n") for word in ["one", "two"]))
    run(chapter, 1)
    expect(built).to_be_hidden()
    own = cell(chapter, 1).get_by_role("group", name="Your output")
    assert own.locator("pre").all_text_contents() == ["one\ntwo\n"]
    button(chapter, "Start over", 1).click()
    expect(built).to_be_visible()
    expect(own).to_be_hidden()
    assert text_of(chapter, 1).startswith("import numpy as np")
    chapter.keyboard.press("ControlOrMeta+z")
    assert text_of(chapter, 1).startswith("#! ")


def test_an_error_above_is_shown_there_and_nothing_below_it_runs(chapter):
    error = {"type": "NameError", "message": "q", "traceback": "line 2: NameError: q", "line": 2}
    write(chapter, 1, "x = 1\n" + tell(result={"ok": False, "error": error}))
    button(chapter, "Run all below", 1).click()
    assert ended(chapter, 1) == "Ended with an error."
    assert chapter.evaluate("runs") == ["cell 1"]
    assert run(chapter, 2) == "Not run: cell 1, above, ended with an error."
    link = cell(chapter, 2).get_by_role("status").get_by_role("link", name="cell 1")
    expect(link).to_have_attribute("href", "#cell-1")
    expect(cell(chapter, 1).locator(".book-error")).to_have_text("line 2: NameError: q")
    expect(cell(chapter, 2)).not_to_contain_text("NameError")
    expect(cell(chapter, 1).locator(".book-wrong-line")).to_have_count(1)
    write(chapter, 1, "x = 1")
    expect(cell(chapter, 1).locator(".book-wrong-line")).to_have_count(0)
    assert run(chapter, 2).startswith("Done")


def test_advice_is_shown_below_the_output_and_what_was_left_out_is_counted(chapter):
    error = {"type": "MemoryError", "message": "", "traceback": "MemoryError", "line": 1}
    result = {"ok": False, "error": error, "dropped": 1234, "unshown": 56, "advice": "Delete x."}
    long = "x" * 3000  # which makes no page wider than a phone
    write(chapter, 1, "\n".join([display(text_plain=long), tell(result=result)]))
    chapter.set_viewport_size({"width": 390, "height": 844})
    assert run(chapter, 1) == "Ended with an error."
    assert cell(chapter, 1).locator(".book-own > *").all_inner_texts() == [
        "Your output",
        long,
        "1,234 more characters are not shown.",
        "56 more values and figures are not shown.",
        "MemoryError",
        "Delete x.",
    ]
    chapter.wait_for_function(FITS)
    chapter.set_viewport_size(VIEWPORT)
    check_place(chapter, "div.cell:has(.book-advice)")


def test_a_verdict_is_said_in_words_and_told_to_the_page_and_its_markup_stays_text(chapter):
    verdict = {"label": "ex-a", "status": "known mistake", "message": MARKUP}
    chapter.evaluate("() => addEventListener('book:verdict', (e) => { window.told = e.detail; })")
    error = {"type": MARKUP, "message": MARKUP, "traceback": MARKUP, "line": 1}
    others = [display(text_unknown=MARKUP), display(text_plain={"nested": MARKUP})]
    others += [tell(kind="stdout", text=MARKUP), tell(result={"ok": False, "error": error})]
    shown = tell(kind="display", bundle={"application/vnd.book.verdict+json": verdict})
    write(chapter, 1, shown)
    run(chapter, 1)
    expect(cell(chapter, 1).get_by_text("Your output")).to_be_hidden()  # a verdict is the book's
    write(chapter, 1, "\n".join([shown, *others]))
    run(chapter, 1)
    line = cell(chapter, 1).locator(".book-verdict")
    expect(line).to_have_text(f"Known mistake: {MARKUP}")
    assert chapter.evaluate("told") == verdict
    heard = cell(chapter, 1).get_by_role("status")  # what is read aloud
    expect(heard).to_have_text(re.compile(rf"^Ended.* known mistake: {re.escape(MARKUP)}$"))
    kinds = "img, script, svg, details, a, iframe"
    expect(cell(chapter, 1).locator(".book-own").locator(kinds)).to_have_count(0)


def test_python_starts_for_who_rests_on_run_or_types_and_nobody_else(chapter):
    button(chapter, "Run", 2).hover()
    chapter.wait_for_function("() => bookCells.python?.state === 'ready'")
    chapter.mouse.move(0, 0)  # or a Run that scrolls below the pointer would be rested on too
    chapter.evaluate("() => { bookCells.python = null; }")
    if button(chapter, "Edit", 1).is_visible():
        button(chapter, "Edit", 1).press("Enter")
    cell(chapter, 1).get_by_role("textbox").focus()
    assert chapter.evaluate("bookCells.python") is None
    chapter.keyboard.type("#")
    chapter.wait_for_function("() => bookCells.python?.state === 'ready'")
    assert chapter.evaluate("window.runs") == []


def stale(page, number):
    return cell(page, number).locator(".book-stale")


def test_figures_below_an_edited_cell_are_drawn_by_the_readers_code(chapter):
    figure = chapter.locator("#fig-match")
    expect(figure.locator(".live-figure").first).to_be_visible()
    figure_code = chapter.locator("div.cell:has(#fig-match) details")
    figure_code.get_by_text("Show the code of this figure").click()
    expect(figure_code.locator("pre")).to_contain_text("def exact_match(order):")
    redraw = chapter.get_by_role("button", name=f"Redraw with your code: {figure_number(chapter)}")
    run(chapter, 2)
    expect(redraw).to_be_hidden()
    assert chapter.evaluate("runs") == ["cell 1", "cell 2"]
    write(chapter, 2, "def match(query, keys): ...")
    run(chapter, 2)
    figure.get_by_role("group", name="Your output").wait_for()
    assert chapter.evaluate("runs.slice(2)") == ["cell 2", figure_number(chapter)]
    expect(figure.locator("figcaption")).to_be_visible()
    expect(figure.locator(".live-figure").first).to_be_hidden()
    chapter.get_by_role("button", name=f"Start over: {figure_number(chapter)}").click()
    expect(figure.locator(".live-figure").first).to_be_visible()
    redraw.click()
    figure.get_by_role("group", name="Your output").wait_for()
    button(chapter, "Start over", 2).click()
    expect(figure.locator(".live-figure").first).to_be_visible()


def test_outputs_from_before_a_change_are_marked_until_they_are_computed_again(chapter):
    expect(cell(chapter, 2).locator(".book-number")).to_have_text("cell 2")
    expect(button(chapter, "Run all below", 2)).to_be_hidden()
    run(chapter, 4)
    write(chapter, 2, DIFFERENT)
    expect(stale(chapter, 4)).to_have_text("Computed before your change.")
    expect(chapter.locator("div.cell:has(#fig-match) .book-stale")).to_be_visible()
    for number in (1, 3):  # cell 3 uses nothing that was changed
        expect(stale(chapter, number)).to_have_count(0)
    run(chapter, 4)
    expect(stale(chapter, 4)).to_have_count(0)
    assert DIFFERENT in chapter.evaluate("codes")
    write(chapter, 2, f"{DIFFERENT} + 1")
    expect(stale(chapter, 4)).to_be_visible()
    button(chapter, "Run all below", 2).click()
    expect(chapter.locator(".book-stale")).to_have_count(0)
    assert not [name for name in chapter.evaluate("runs") if name.startswith("ex-")]
    write(chapter, 4, tell(wait=True))
    expect(stale(chapter, 4)).to_have_text("Computed before your change.")
    button(chapter, "Run", 4).click()  # later the mark would move what is below it from a pointer
    expect(cell(chapter, 4).get_by_role("status")).to_have_text("Running…")
    chapter.evaluate(MARK)
    expect(stale(chapter, 4)).to_have_count(0)
    button(chapter, "Stop", 4).click()
    ended(chapter, 4)


def test_what_is_told_by_colour_is_told_where_the_system_sets_all_colours(chapter):
    chapter.emulate_media(forced_colors="active")
    write(chapter, 1, "1 / 0")
    chapter.evaluate("() => bookCells.cells.find(({ editor }) => editor).editor.markLine(1)")
    line = cell(chapter, 1).locator(".book-wrong-line")
    assert line.evaluate("(node) => getComputedStyle(node).borderLeftWidth") == "4px"
    adjust = "(node) => getComputedStyle(node).forcedColorAdjust"
    assert chapter.locator(".live-views").first.evaluate(adjust) == "none"


HOLD = """() => {
  const { decode } = HTMLImageElement.prototype;
  HTMLImageElement.prototype.decode = () => new Promise((done) => {
    window.draw = () => done(Object.assign(HTMLImageElement.prototype, { decode }) && null);
  });
}"""


def test_images_are_shown_as_images_and_what_was_there_stays_until_then(chapter):
    svg = tell(kind="display", bundle={"image/svg+xml": SVG})
    built, own = cell(chapter, 1).locator(".output").first, cell(chapter, 1).locator(".book-own")
    for shown, name in ((display(image_png=PNG), "png"), (svg, "svg")):
        before = cell(chapter, 1).locator(".cell_output").bounding_box()
        chapter.evaluate(HOLD)
        write(chapter, 1, shown)
        button(chapter, "Run", 1).press("Enter")
        chapter.wait_for_function("() => window.draw")
        now = cell(chapter, 1).locator(".cell_output").bounding_box()
        assert now["height"] == before["height"]
        assert built.is_visible() == (name == "png")
        chapter.evaluate("() => { draw(); delete window.draw; }")
        ended(chapter, 1)
        expect(own.locator("img")).to_have_attribute("src", re.compile(f"^data:image/{name}"))
        expect(built).to_be_hidden()
        assert own.locator("img").evaluate("img => img.naturalWidth") in (1, 9)
