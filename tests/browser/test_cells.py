"""Code cells of a page: run in order, edit, stop, start over, remember, show what is shown safely.

Most tests give the page a Python of their own (FAKE), which obeys the comments `#! {…}` in a cell's
code, so that they see what the page does and nothing else. The last ones run the real one.
"""

import json
import os
import re
from urllib.parse import unquote

import pytest
from browser.axe import check_accessible
from browser.conftest import NEVER_GIVE_UP, PATIENCE, VIEWPORT, check_faults
from browser.shown import TWO_PAINTS, replace_text, wait_for_drawing, wait_until
from playwright.sync_api import expect

from tools.find_chromium import find_chromium
from tools.open_chromium import FLAGS

CHAPTER = "chapters/queries_keys_values.html"
FAKE = """() => {
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
GONE = "Your variables are gone; your text, outputs and progress are kept."
AGAIN = "The cells above run again before the next one."
LOADED = """() => Promise.all([...document.querySelectorAll(".book-own :is(img, iframe)")].map(
  (made) => made.complete || new Promise((done) => {
    made.onload = made.onerror = done;
    if (made.srcdoc) made.srcdoc += " "; // once more: whether a frame has loaded cannot be seen
  })
)).then(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))"""
LEAK = re.compile(r"192\.0\.2\.1|/x$")  # what the markup below would ask for
IS_TEXT = "(key) => key.includes(':answer:')"
EVIL = "window.hacked = true"
SANDBOX = "allow-popups allow-popups-to-escape-sandbox"  # links open a new tab, nothing else works
MARKUP = [
    f"<img src=x onerror='{EVIL}'>",
    f"<script>{EVIL}; top.hacked = true; parent.hacked = true</script>",
    f"</pre></iframe><svg onload='{EVIL}'></svg>",
    f'"><details open ontoggle="{EVIL}">x</details>',
    f"<a href='javascript:{EVIL}' autofocus onfocus='{EVIL}'>x</a>",
]
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
    f'<script>{EVIL}; top.hacked = true</script><image href="x" onerror="{EVIL}"/></svg>'
)
PNG = (  # one pixel
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
)


@pytest.fixture
def chapter(page, plain):
    """A chapter with the Python of these tests."""
    return open_chapter(page, plain)


@pytest.fixture
def whole_chapter(page, server):
    """The same with its formulas."""
    return open_chapter(page, server)


def open_chapter(page, address):
    page.goto(f"{address}/{CHAPTER}")
    page.evaluate(FAKE)
    return page


def cell(page, number):
    """Return the number-th cell of a page whose code is shown, counted from 1."""
    return page.locator("div.cell:has(.cell_input)").nth(number - 1)


def figure_number(page):
    """Return the number of the chapter's first figure, which stands below its second cell."""
    return page.locator("#fig-exact .caption-number").inner_text().strip()


def button(page, text, number):
    return cell(page, number).get_by_role("button", name=f"{text}: cell {number}", exact=True)


def write(page, number, text):
    """Replace the text of a cell, as a reader does."""
    if button(page, "Edit", number).is_visible():
        button(page, "Edit", number).click()
    replace_text(page, cell(page, number).get_by_role("textbox"), text)


def text_of(page, number):
    return "\n".join(cell(page, number).locator(".cm-line").all_inner_texts())


def run(page, number):
    """Press Run and wait for the end; return what the page says then."""
    button(page, "Run", number).click()
    return ended(page, number)


def ended(page, number):
    waiting = button(page, "Stop", number)
    waiting.wait_for(state="hidden")
    return cell(page, number).get_by_role("status").inner_text()


def tell(**told):
    """Return code that makes the Python of these tests do something."""
    return f"#! {json.dumps(told)}"


def display(**bundle):
    return tell(
        kind="display", bundle={name.replace("_", "/"): data for name, data in bundle.items()}
    )


def test_nothing_is_loaded_before_the_first_edit_and_keys_typed_there_stay_there(page, plain):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{plain}/{CHAPTER}")
    wait_for_drawing(page)  # figures take their height, which moves the code
    page.wait_for_load_state("networkidle")
    page.evaluate(FAKE)
    check_every_visible_cell_has_its_code_and_named_buttons(page)
    x, y = place_of_a_letter(page)
    check_a_drag_selects(page, x, y)
    assert not [url for url in asked if re.search("editor|pyodide|python", url)]
    check_a_press_into_code_edits_it_there(page, x, y)
    assert [url for url in asked if "/editor.js?v=" in url]
    check_keys_work_in_printed_code(page)
    check_keys_typed_in_the_editor_reach_nothing_else(page)
    check_shift_enter_runs_and_escape_then_tab_leaves(page)
    check_a_figure_shows_its_code(page)


def check_every_visible_cell_has_its_code_and_named_buttons(chapter):
    shown = chapter.locator(".cell_input pre").all_text_contents()
    visible = "bookCells.cells.filter(({ input }) => input)"
    facts = "({ code, verb, spokenName }) => [code, verb, spokenName]"
    held = chapter.evaluate(f"{visible}.map({facts})")
    assert [text.strip() for text in shown] == [code.strip() for code, _, _ in held]
    assert len({name for _, _, name in held}) == len(held)
    for i, (_, verb, name) in enumerate(held):
        buttons = cell(chapter, i + 1).locator(".book-bar").get_by_role("button")
        names = buttons.evaluate_all("all => all.map((button) => button.ariaLabel)")
        assert names == [f"{verb}: {name}", f"Edit: {name}"]
    exercise = chapter.locator("[data-exercise=ex-row-sums]")
    check = exercise.get_by_role("button", name="Run & check: A row that sums to two", exact=True)
    expect(check).to_be_visible()  # its label, ex-row-sums, says nothing to those who only hear it


def place_of_a_letter(page):
    """Return where the fifth letter of the function's name in the second cell is."""
    code = cell(page, 2).locator(".cell_input pre")
    code.scroll_into_view_if_needed()
    place = "([text]) => { const range = document.createRange(); range.setStart(text, 4);"
    place += "range.setEnd(text, 5); const { x, y, height } = range.getBoundingClientRect();"
    place += "return [x, y + height / 2]; }"
    return code.locator(".nf").first.evaluate(f"(word) => ({place})(word.childNodes)")


def check_a_drag_selects(chapter, x, y):
    chapter.mouse.move(x - 20, y)
    chapter.mouse.down()
    chapter.mouse.move(x + 20, y, steps=4)
    chapter.mouse.up()
    chapter.wait_for_function("() => getSelection().toString().length > 1")
    assert chapter.locator("script[src*='editor.js']").count() == 0


def check_a_press_into_code_edits_it_there(chapter, x, y):
    chapter.mouse.click(x, y)
    cell(chapter, 2).get_by_role("textbox").wait_for()
    chapter.wait_for_function("() => document.activeElement.className.startsWith('cm-content')")
    chapter.keyboard.type("X")
    expect(cell(chapter, 2).locator(".cm-line").first).to_contain_text("def matcXh(")


def check_keys_work_in_printed_code(chapter):
    printed = cell(chapter, 1).locator(".cell_input pre")
    printed.press("Shift+Enter")  # runs what is printed
    cell(chapter, 1).get_by_text("Done").wait_for()
    printed.press("Enter")
    cell(chapter, 1).get_by_role("textbox").wait_for()
    assert chapter.evaluate("runs") == ["cell 1"]
    assert text_of(chapter, 1).startswith("import numpy as np")  # Enter itself writes nothing


def check_keys_typed_in_the_editor_reach_nothing_else(chapter):
    write(chapter, 3, "1")
    chapter.keyboard.type("/2")  # outside the editor / opens the search
    assert text_of(chapter, 3) == "1/2"
    assert chapter.evaluate("document.activeElement.className").startswith("cm-content")


def check_shift_enter_runs_and_escape_then_tab_leaves(chapter):
    write(chapter, 4, "x")
    chapter.keyboard.press("Shift+Enter")
    cell(chapter, 4).get_by_text("Done").wait_for()
    assert text_of(chapter, 4) == "x"
    chapter.keyboard.press("Tab")
    assert text_of(chapter, 4) == "x   "
    chapter.keyboard.press("Escape")
    chapter.evaluate("() => { const now = Date.now; Date.now = () => now() + 2500; }")
    chapter.keyboard.press("Tab")
    assert chapter.evaluate("document.activeElement.ariaLabel") == "Run: cell 4"


def check_a_figure_shows_its_code(chapter):
    figure = chapter.locator("div.cell:has(#fig-exact)")
    figure.get_by_text("Show the code of this figure").click()
    code = figure.get_by_role("textbox", name="Code of Figure")
    expect(code).to_contain_text("def exact_match(query):")
    expect(code).to_have_attribute("aria-readonly", "true")
    assert chapter.locator("[title=null]").count() == 0


def test_cells_above_run_first_and_again_after_a_restart(chapter):
    assert button(chapter, "Restart Python", 1).is_hidden()  # there is no Python yet
    check_cells_above_run_first_and_once_hidden_ones_too(chapter)
    check_after_a_restart_the_cells_above_run_again(chapter)
    check_restart_drops_the_variables_and_what_waits_and_keeps_text_and_output(chapter)


def check_cells_above_run_first_and_once_hidden_ones_too(chapter):
    """They keep the book's output while nothing is changed."""
    assert run(chapter, 3).startswith("Done")
    first = ["cell 1", "cell 2", figure_number(chapter), "cell 3"]
    assert chapter.evaluate("runs") == first
    assert cell(chapter, 2).locator(".book-own").count() == 0
    assert chapter.locator("#fig-exact .book-own").count() == 0
    assert cell(chapter, 3).locator(".book-own").is_visible()
    run(chapter, 3)
    run(chapter, 4)
    assert chapter.evaluate("runs") == [*first, "cell 3", "cell 4"]


def check_after_a_restart_the_cells_above_run_again(chapter):
    write(chapter, 3, tell(result={"ok": False, "stopped": True, "restarted": True}))
    assert run(chapter, 3) == f"Stopped. Python had to be restarted. {GONE} {AGAIN}"
    expect(cell(chapter, 3).locator(".book-own")).to_have_text(
        "Your code was stopped before it printed anything"
    )
    write(chapter, 3, "x")
    run(chapter, 3)
    again = ["cell 1", "cell 2", figure_number(chapter), "cell 3"]
    assert chapter.evaluate("runs.slice(-4)") == again


def check_restart_drops_the_variables_and_what_waits_and_keeps_text_and_output(chapter):
    restart = button(chapter, "Restart Python", 1)
    before = len(chapter.evaluate("runs"))
    write(chapter, 1, tell(kind="stdout", text="mine"))
    run(chapter, 1)
    restart.click()
    said = cell(chapter, 1).get_by_role("status").inner_text()
    assert said == f"Python was restarted. {GONE} {AGAIN}"
    assert cell(chapter, 1).locator(".book-stdout").inner_text() == "mine"
    assert text_of(chapter, 1).startswith("#! ")
    write(chapter, 2, tell(wait=True))
    button(chapter, "Run", 2).click()
    button(chapter, "Run", 3).click()
    chapter.wait_for_function("() => window.runs.at(-1) === 'cell 2'")
    restart.click()
    assert ended(chapter, 2) == f"Stopped. Python had to be restarted. {GONE} {AGAIN}"
    assert ended(chapter, 3) == "Cancelled by Restart Python."
    ran = chapter.evaluate("runs")[before:]
    assert ran == ["cell 1", "restart", "cell 1", "cell 2", "restart"]


def test_stop_ends_what_runs_and_waits_and_the_time_of_a_run_is_told(chapter):
    check_stop_ends_a_run_and_what_waits_behind_it(chapter)
    button(chapter, "Start over", 1).click()
    check_stop_ends_all_that_run_all_below_would_run_also_from_a_figure(chapter)
    check_an_output_stays_in_its_place_while_a_function_of_its_widgets_runs(chapter)
    check_the_time_of_a_run_is_told_where_there_is_one(chapter)


def check_stop_ends_a_run_and_what_waits_behind_it(chapter):
    write(chapter, 1, tell(wait=True))
    button(chapter, "Run", 1).click()
    button(chapter, "Run", 2).click()
    expect(cell(chapter, 2).get_by_role("status")).to_have_text("Waiting for another cell…")
    button(chapter, "Run", 1).click(force=True)  # running already: nothing more
    button(chapter, "Stop", 1).click()
    assert ended(chapter, 2) == "Cancelled by Stop."
    assert chapter.evaluate("runs") == ["cell 1"]


def check_stop_ends_all_that_run_all_below_would_run_also_from_a_figure(chapter):
    chapter.evaluate(
        "(code) => { bookCells.cells.find((cell) => cell.offer).starter = code; }", tell(wait=True)
    )
    write(chapter, 2, "x = 1")
    button(chapter, "Run all below", 2).click()
    chapter.wait_for_function("(name) => window.runs.at(-1) === name", arg=figure_number(chapter))
    button(chapter, "Stop", 2).click()
    assert ended(chapter, 2) == "Done; stopped before all figures below were drawn."
    chapter.wait_for_function("() => !bookCells.cells.some((cell) => cell.busy)")
    assert chapter.evaluate("runs.at(-1)") == figure_number(chapter)


CALL = "(running) => bookCells.cells.find(({ name }) => name === 'cell 4').showCall({ running })"
PLACES = """(cell) => [...cell.querySelectorAll(".book-own, [aria-label^=Edit]")].map((each) => {
  const [own, whole] = [each, cell].map((node) => node.getBoundingClientRect());
  return [own.x - whole.x, own.y - whole.y];
})"""


def check_an_output_stays_in_its_place_while_a_function_of_its_widgets_runs(chapter):
    """Otherwise the widget that the reader presses next would move away under the pointer."""
    run(chapter, 4)
    for width in (VIEWPORT["width"], 360):
        chapter.set_viewport_size({**VIEWPORT, "width": width})
        chapter.evaluate(TWO_PAINTS)
        before = cell(chapter, 4).evaluate(PLACES)
        chapter.evaluate(CALL, True)
        expect(button(chapter, "Stop", 4)).to_be_visible()
        assert cell(chapter, 4).evaluate(PLACES) == before
        chapter.evaluate(CALL, False)
        expect(button(chapter, "Stop", 4)).to_be_hidden()
        assert cell(chapter, 4).evaluate(PLACES) == before
    chapter.set_viewport_size(VIEWPORT)


def check_the_time_of_a_run_is_told_where_there_is_one(chapter):
    chapter.evaluate("() => { const now = performance.now(); performance.now = () => now; }")
    assert run(chapter, 1) == "Done."
    before = len(chapter.evaluate("runs"))
    write(chapter, 1, tell(wait=True))
    button(chapter, "Run", 1).click()
    chapter.wait_for_function(f"() => window.runs.length === {before + 1}")
    chapter.evaluate("() => { const now = performance.now(); performance.now = () => now + 1234; }")
    button(chapter, "Stop", 1).click()
    assert ended(chapter, 1) == "Done in 1.2 s."


def test_outputs_errors_and_verdicts_are_shown_and_why_python_does_not_run(whole_chapter):
    check_when_python_cannot_start_the_page_says_so_once_and_stays_whole(whole_chapter)
    make_python_anew(whole_chapter)
    check_what_fails_outside_a_run_is_said_at_the_foot_of_the_page(whole_chapter)
    check_outputs_replace_the_books_and_start_over_brings_it_back(whole_chapter)
    check_an_error_above_is_shown_there_and_the_cell_does_not_run(whole_chapter)
    check_advice_is_shown_below_the_output_and_what_was_left_out_is_counted(whole_chapter)
    check_a_verdict_is_said_in_words_and_told_to_the_page(whole_chapter)
    check_accessible(whole_chapter)
    make_python_anew(whole_chapter)
    check_progress_is_shown_while_python_starts(whole_chapter)


def make_python_anew(chapter):
    """Let the next run make a Python of these tests, as the first one does."""
    chapter.evaluate("() => { bookCells.python = undefined; }")
    chapter.evaluate(FAKE)


def check_when_python_cannot_start_the_page_says_so_once_and_stays_whole(chapter):
    chapter.evaluate("""() => { bookCells.makePython = () => ({ state: "off",
        start: () => Promise.reject(new Error("Python cannot start here.")) }); }""")
    built = cell(chapter, 1).locator(".output").first
    for number in (1, 2, 1):
        assert run(chapter, number) == "Not run. Python cannot start here."
    assert chapter.get_by_role("complementary", name="Notice").count() == 0
    assert built.is_visible()


def check_what_fails_outside_a_run_is_said_at_the_foot_of_the_page(chapter):
    chapter.evaluate(
        "() => { const make = bookCells.makePython; bookCells.makePython = (options) => {"
        "options.onFault('A control failed.'); return make(options); }; }"
    )
    run(chapter, 1)
    told = chapter.get_by_role("complementary", name="Notice").locator("p").all_inner_texts()
    assert told == ["A control failed."]


def check_outputs_replace_the_books_and_start_over_brings_it_back(chapter):
    built = cell(chapter, 1).locator(".output").first
    write(chapter, 1, "\n".join(tell(kind="stdout", text=f"{word}\n") for word in ["one", "two"]))
    run(chapter, 1)
    assert built.is_hidden()
    own = cell(chapter, 1).get_by_role("group", name="Your output")
    assert own.locator("pre").all_text_contents() == ["one\ntwo\n"]
    button(chapter, "Start over", 1).click()
    assert built.is_visible()
    assert own.is_hidden()
    assert text_of(chapter, 1).startswith("import numpy as np")
    chapter.keyboard.press("ControlOrMeta+z")
    assert text_of(chapter, 1).startswith("#! ")


def check_an_error_above_is_shown_there_and_the_cell_does_not_run(chapter):
    error = {"type": "NameError", "message": "q", "traceback": "line 2: NameError: q", "line": 2}
    write(chapter, 1, "x = 1\n" + tell(result={"ok": False, "error": error}))
    assert run(chapter, 2) == "Not run: cell 1, above, ended with an error."
    assert cell(chapter, 1).locator(".book-error").inner_text() == "line 2: NameError: q"
    assert "NameError" not in cell(chapter, 2).inner_text()
    assert cell(chapter, 1).locator(".book-wrong-line").count() == 1
    write(chapter, 1, "x = 1")
    assert cell(chapter, 1).locator(".book-wrong-line").count() == 0
    assert run(chapter, 2).startswith("Done")


def check_advice_is_shown_below_the_output_and_what_was_left_out_is_counted(chapter):
    error = {"type": "MemoryError", "message": "", "traceback": "MemoryError", "line": 1}
    result = {"ok": False, "error": error, "dropped": 1234, "unshown": 56, "advice": "Delete x."}
    write(chapter, 1, tell(result=result))
    assert run(chapter, 1) == "Ended with an error."
    assert cell(chapter, 1).locator(".book-own > *").all_inner_texts() == [
        "Your output",
        "1,234 more characters are not shown.",
        "56 more values and figures are not shown.",
        "MemoryError",
        "Delete x.",
    ]


def check_a_verdict_is_said_in_words_and_told_to_the_page(chapter):
    verdict = {"label": "ex-a", "status": "known mistake", "message": "the axis is the wrong one."}
    chapter.evaluate(
        "() => addEventListener('book:verdict', ({ detail }) => { window.told = detail; })"
    )
    write(chapter, 1, tell(kind="display", bundle={"application/vnd.book.verdict+json": verdict}))
    run(chapter, 1)
    line = cell(chapter, 1).locator(".book-verdict")
    assert line.inner_text() == "Known mistake: the axis is the wrong one."
    assert chapter.evaluate("told") == verdict


def check_progress_is_shown_while_python_starts(chapter):
    chapter.evaluate(
        "() => { const make = bookCells.makePython; bookCells.makePython = (options) => "
        "Object.assign(make(options), { run: () => new Promise(() => {}) , start() {"
        "options.onProgress({ text: 'NumPy', loaded: 3_100_000, total: 9_700_000 });"
        "return new Promise(() => {}); } }); }"
    )
    button(chapter, "Run", 1).click()
    expect(cell(chapter, 1).get_by_role("status")).to_have_text("Starting Python…")
    expect(cell(chapter, 1).locator(".book-progress")).to_have_text("NumPy 3.1 of 9.7 MB")
    assert cell(chapter, 1).locator("progress").evaluate("bar => bar.position > 0.3")


DIFFERENT = "def match(query, keys):\n    return 2"


def stale(page, number):
    return cell(page, number).locator(".book-stale")


def test_a_change_is_drawn_below_and_what_was_computed_before_it_is_marked(chapter):
    check_figures_below_an_edited_cell_are_drawn_by_the_readers_code(chapter)
    chapter.evaluate("() => bookCells.restart(bookCells.cells[0])")  # no cell has run
    check_outputs_from_before_a_change_are_marked_until_all_below_ran(chapter)
    check_a_mark_goes_when_a_run_begins(chapter)
    check_nothing_below_an_error_runs(chapter)


def check_figures_below_an_edited_cell_are_drawn_by_the_readers_code(chapter):
    figure = chapter.locator("#fig-exact")
    expect(figure.locator(".live-figure").first).to_be_visible()
    redraw = chapter.get_by_role("button", name=f"Redraw with your code: {figure_number(chapter)}")
    run(chapter, 2)
    assert redraw.is_hidden()
    assert chapter.evaluate("runs") == ["cell 1", "cell 2"]
    write(chapter, 2, "def match(query, keys): ...")
    run(chapter, 2)
    figure.get_by_role("group", name="Your output").wait_for()
    assert chapter.evaluate("runs.slice(2)") == ["cell 2", figure_number(chapter)]
    assert figure.locator("figcaption").is_visible()
    assert figure.locator(".live-figure").first.is_hidden()
    chapter.get_by_role("button", name=f"Start over: {figure_number(chapter)}").click()
    assert figure.locator(".live-figure").first.is_visible()
    redraw.click()
    figure.get_by_role("group", name="Your output").wait_for()
    button(chapter, "Start over", 2).click()
    assert figure.locator(".live-figure").first.is_visible()


def check_outputs_from_before_a_change_are_marked_until_all_below_ran(chapter):
    assert cell(chapter, 2).locator(".book-number").inner_text() == "cell 2"
    assert button(chapter, "Run all below", 2).is_hidden()
    run(chapter, 4)
    write(chapter, 2, DIFFERENT)
    expect(stale(chapter, 4)).to_have_text("Computed before your change in cell 2.")
    expect(chapter.locator("div.cell:has(#fig-exact) .book-stale")).to_be_visible()
    for number in (1, 3):  # cell 3 uses nothing that was changed
        assert stale(chapter, number).count() == 0
    stale(chapter, 4).get_by_role("link", name="cell 2").click()
    expect(cell(chapter, 2)).to_be_in_viewport()
    button(chapter, "Run", 4).hover()
    expect(button(chapter, "Run", 4)).to_have_attribute("title", re.compile("^Shift\\+Enter"))
    assert run(chapter, 4).endswith("Cell 2, above, was changed after it ran.")
    button(chapter, "Run all above", 4).click()
    expect(stale(chapter, 4)).to_have_count(0)
    assert DIFFERENT in chapter.evaluate("codes")
    write(chapter, 2, f"{DIFFERENT} + 1")
    expect(stale(chapter, 4)).to_be_visible()
    button(chapter, "Run all below", 2).click()
    expect(chapter.locator(".book-stale")).to_have_count(0)
    assert not [name for name in chapter.evaluate("runs") if name.startswith("ex-")]


MARK = """() => {
  bookCells.markStale();
  return new Promise((done) => setTimeout(done, 250)); // after the timer that this has just set
}"""


def check_a_mark_goes_when_a_run_begins(chapter):
    """Were it to go later, what it has shown would move under the reader's pointer."""
    write(chapter, 4, tell(wait=True))
    expect(stale(chapter, 4)).to_have_text("Computed before your change.")
    button(chapter, "Run", 4).click()
    expect(cell(chapter, 4).get_by_role("status")).to_have_text("Running…")
    assert stale(chapter, 4).count() == 0
    chapter.evaluate(MARK)
    assert stale(chapter, 4).count() == 0
    button(chapter, "Stop", 4).click()
    ended(chapter, 4)


def check_nothing_below_an_error_runs(chapter):
    write(chapter, 2, tell(result={"ok": False, "error": {"type": "E", "message": "", "line": 1}}))
    button(chapter, "Run all below", 2).click()
    assert ended(chapter, 2) == "Ended with an error."
    last = chapter.evaluate("runs.at(-1)")
    assert last == "cell 2"  # nothing below it was tried
    assert run(chapter, 4) == "Not run: cell 2, above, ended with an error."
    link = cell(chapter, 4).get_by_role("status").get_by_role("link", name="cell 2")
    assert link.get_attribute("href") == "#cell-2"


EVIL_FILE = "window_hacked = True\nnames = ['from the file']"


def load_file(page, answers):
    data = {"format": "Paying Attention: progress", "version": 1, "exercises": {}}
    text = json.dumps(data | {"answers": answers})
    page.locator(".exercise-chapter").get_by_role("button").click()
    file = {"name": "a.json", "mimeType": "application/json", "buffer": text.encode()}
    page.locator("dialog input[type=file]").set_input_files(file)
    page.get_by_role("dialog").get_by_text("Loaded 0 solved").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()


def test_code_from_a_file_runs_only_when_the_reader_asks_for_it(chapter):
    names = chapter.evaluate("bookCells.cells.map(({ memory }) => memory?.name)")
    choice = chapter.evaluate("bookCells.ofExercise('ex-row-sums').memory.name")
    write(chapter, 3, "mine")
    load_file(chapter, {names[0]: EVIL_FILE, choice: EVIL_FILE, names[1]: "earlier = 1"})
    note = cell(chapter, 1).get_by_role("note")
    expect(note).to_contain_text("This code comes from the file you loaded.")
    assert text_of(chapter, 1) == EVIL_FILE
    said = run(chapter, 3)
    assert "Cell 1, above, contains code that you have not run yet" in said
    assert not [code for code in chapter.evaluate("codes") if code == EVIL_FILE]
    assert chapter.evaluate("codes.at(-1)") == "mine"
    cell(chapter, 1).get_by_role("textbox").focus()
    chapter.keyboard.type(" ")  # who changes it has not asked for it to run
    button(chapter, "Start over", 1).click()
    expect(note).to_be_hidden()
    chapter.keyboard.press("ControlOrMeta+z")  # nor has who brings it back
    expect(note).to_be_visible()
    chapter.reload()
    chapter.evaluate(FAKE)
    cell(chapter, 1).get_by_role("textbox").wait_for()
    button(chapter, "Run all below", 2).click()
    ended(chapter, 2)
    chapter.wait_for_function("() => runs.length > 6")
    assert "hacked" not in "".join(chapter.evaluate("codes"))
    exercise = chapter.locator("[data-exercise=ex-row-sums]")
    expect(exercise.get_by_role("note")).to_be_visible()
    exercise.get_by_role("radio", name="b:").check()  # the letter goes into the book's code
    chapter.wait_for_function("() => runs.includes('ex-row-sums')")
    assert "hacked" not in "".join(chapter.evaluate("codes"))
    run(chapter, 3)
    button(chapter, "Run it too", 3).click()
    chapter.wait_for_function("() => codes.some((code) => code.includes('hacked'))")
    expect(note).to_be_hidden()
    ended(chapter, 3)
    assert re.fullmatch(r"Done( in \d+\.\d s)?\.", run(chapter, 3))


def keep(page, name, text):
    page.evaluate(
        "both => localStorage.setItem(...both)", [f"paying-attention:answer:{name}", text]
    )


def test_choices_and_what_was_written_for_an_earlier_edition_are_kept(chapter):
    check_choices_are_radio_buttons_that_write_and_check_the_code(chapter)
    keep_what_was_written_for_earlier_editions(chapter)
    chapter.reload()
    chapter.evaluate(FAKE)
    check_texts_of_earlier_editions_are_found_and_said_to_be_so(chapter)
    check_texts_of_earlier_editions_run_only_on_request(chapter)
    check_the_new_starter_can_be_seen_used_and_left(chapter)
    check_a_choice_is_kept_and_advice_is_given_where_its_code_is_wrong(chapter)
    button(chapter, "Keep mine", 1).click()
    chapter.reload()
    check_texts_that_were_kept_stay(chapter)


def check_choices_are_radio_buttons_that_write_and_check_the_code(chapter):
    exercise = chapter.locator("[data-exercise=ex-row-sums]")
    expect(exercise.get_by_role("group", name="Choose one:").get_by_role("radio")).to_have_count(4)
    assert exercise.get_by_text("put your answer in place of the dots").is_hidden()
    assert exercise.get_by_text("Write the letter").is_hidden()
    exercise.get_by_role("button", name="Run & check").click()
    expect(exercise.get_by_text("Choose one of the answers first.")).to_be_visible()
    exercise.get_by_text("Divide each row by its sum").click()
    chapter.wait_for_function("() => runs.at(-1) === 'ex-row-sums'")
    code = 'answer = "c"  # "a", "b", "c" or "d"\ncheck("ex-row-sums", answer)'
    assert chapter.evaluate("codes.at(-1)") == code
    ran = chapter.evaluate("runs.length")
    chosen = exercise.get_by_role("radio", name="c:")
    chosen.press("ArrowUp")  # by keyboard, choosing is not checking
    expect(exercise.get_by_role("radio", name="b:")).to_be_checked()
    assert chapter.evaluate("runs.length") == ran
    exercise.get_by_role("radio", name="b:").press("Enter")
    chapter.wait_for_function(f"() => runs.length === {ran + 1}")
    assert 'answer = "b"' in chapter.evaluate("codes.at(-1)")


def check_a_choice_is_kept_and_advice_is_given_where_its_code_is_wrong(chapter):
    exercise = chapter.locator("[data-exercise=ex-row-sums]")
    expect(exercise.get_by_role("radio", name="b:")).to_be_checked()
    assert exercise.locator(".cm-content").is_hidden()
    exercise.locator(".exercise-code summary").click()
    error = {"type": "NameError", "message": "name 'a' is not defined", "traceback": "x", "line": 1}
    unquoted = f"answer = a\n{tell(result={'ok': False, 'error': error})}"
    answer(chapter, exercise, unquoted)
    expect(exercise.locator(".book-advice")).to_contain_text('it needs quotes: write "a", not a.')
    assert exercise.get_by_role("radio", checked=True).count() == 0
    answer(chapter, exercise, 'answer = "a"\n# check("ex-row-sums", answer)')
    missing = 'nothing was checked: it lacks the line check("ex-row-sums", answer)'
    expect(exercise.locator(".book-advice")).to_contain_text(missing)


def answer(page, exercise, code):
    replace_text(page, exercise.locator(".cm-content"), code)
    exercise.get_by_role("button", name="Run & check").click()


def keep_what_was_written_for_earlier_editions(chapter):
    first, second = chapter.evaluate("bookCells.cells.slice(0, 2).map(({ memory }) => memory.name)")
    legacy = chapter.evaluate("bookCells.cells[3].memory.nameBefore")
    keep(chapter, "ex-swap:0ld", "def invert(): return 'mine'")
    keep(chapter, f"{first.rsplit(':', 1)[0]}:0ld", "edited = 'before the cell changed'")
    keep(chapter, f"queries_keys_values:another-section:7:{second.rsplit(':', 1)[1]}", "moved = 1")
    keep(chapter, legacy, "named = 'by an earlier edition'")


def check_texts_of_earlier_editions_are_found_and_said_to_be_so(chapter):
    exercise = chapter.locator("[data-exercise=ex-swap]")
    expect(exercise.locator(".cm-content")).to_have_text("def invert(): return 'mine'")
    built = exercise.get_by_text("put your answer in place of the dots")
    expect(built).to_be_hidden()  # it judges the starter, which is no longer there
    sentence = "The exercise has changed since you wrote this: see the new starter."
    expect(exercise.get_by_role("note")).to_contain_text(sentence)
    expect(cell(chapter, 1).get_by_role("note")).to_contain_text("has changed since you wrote this")
    assert [text_of(chapter, n) for n in (2, 3)] == ["moved = 1", "named = 'by an earlier edition'"]
    assert cell(chapter, 2).get_by_role("note").count() == 0
    expect(cell(chapter, 3).get_by_role("note")).to_contain_text("kept by an earlier edition")


def check_texts_of_earlier_editions_run_only_on_request(chapter):
    run(chapter, 3)
    assert chapter.evaluate("codes.at(-1)") == "named = 'by an earlier edition'"
    expect(cell(chapter, 3).get_by_role("note")).to_have_count(0)
    assert "edited = 'before the cell changed'" not in chapter.evaluate("codes")
    assert "moved = 1" in chapter.evaluate("codes")


def check_the_new_starter_can_be_seen_used_and_left(chapter):
    exercise = chapter.locator("[data-exercise=ex-swap]")
    printed = exercise.locator(".cell_input")
    assert printed.is_hidden()
    exercise.get_by_role("button", name="See the new starter").click()
    assert printed.is_visible()
    exercise.get_by_role("button", name="Use the new starter").click()
    expect(exercise.locator(".cm-content")).to_contain_text('check("ex-swap"')
    assert printed.is_hidden()
    chapter.keyboard.press("ControlOrMeta+z")
    expect(exercise.locator(".cm-content")).to_have_text("def invert(): return 'mine'")


def check_texts_that_were_kept_stay(chapter):
    exercise = chapter.locator("[data-exercise=ex-swap]")
    expect(exercise.locator(".cm-content")).to_have_text("def invert(): return 'mine'")
    assert text_of(chapter, 1) == "edited = 'before the cell changed'"
    assert cell(chapter, 1).get_by_role("note").is_hidden()


def test_edited_text_survives_a_reload_is_the_same_in_two_tabs_and_start_over_forgets_it(
    chapter, plain
):
    write(chapter, 2, "mine = '/'")
    chapter.reload()
    cell(chapter, 2).get_by_role("textbox").wait_for()
    assert text_of(chapter, 2) == "mine = '/'"
    assert chapter.locator(".book-editor").count() == 1
    check_a_tab_keeps_its_own_text_when_another_tab_has_a_different_one(chapter)
    write(chapter, 1, "from the first tab")
    other = chapter.context.new_page()
    other.goto(f"{plain}/{CHAPTER}")
    check_two_tabs_show_the_same_text_and_lose_none(chapter, other)
    other.close()
    for number in (2, 3, 4):
        button(chapter, "Start over", number).click()
    chapter.reload(wait_until="networkidle")
    assert chapter.locator(".book-editor").count() == 0
    assert chapter.evaluate(f"Object.keys(localStorage).filter({IS_TEXT})") == []


def check_a_tab_keeps_its_own_text_when_another_tab_has_a_different_one(chapter):
    write(chapter, 3, "mine")
    key = chapter.evaluate("bookCells.cells[3].memory.key")
    event = {"key": key, "oldValue": "something else", "newValue": "theirs"}
    chapter.evaluate("event => dispatchEvent(new StorageEvent('storage', event))", event)
    assert text_of(chapter, 3) == "mine"


def check_two_tabs_show_the_same_text_and_lose_none(chapter, other):
    """Of two tabs, in the first of which "from the first tab" was written before."""
    cell(other, 1).get_by_text("from the first tab").wait_for()
    write(other, 1, "from the second tab")
    cell(chapter, 1).get_by_text("from the second tab").wait_for()
    write(other, 4, "new in the second tab")
    cell(chapter, 4).get_by_text("new in the second tab").wait_for()
    button(other, "Start over", 1).click()
    cell(chapter, 1).locator(".cm-line", has_text="import numpy as np").wait_for()


FULL = """() => {
  Storage.prototype.setItem = () => { throw new DOMException("", "QuotaExceededError"); };
}"""
NONE = """() => Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("", "SecurityError"); },
})"""
THEME = ["SecurityError", "QuotaExceededError", "invalid theme mode"]  # its scripts log these


@pytest.mark.rare  # test_exercises.py sees a browser that stores nothing, and a full one
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        pytest.param(FULL, "storage for the book is full", id="full"),
        pytest.param(NONE, "stores nothing", id="disabled"),
    ],
)
@pytest.mark.own_tab
def test_without_storage_the_page_says_so_once_and_works(page, plain, fault, words):
    page.forgiven += THEME
    page.add_init_script(f"({fault})()")
    page.goto(f"{plain}/{CHAPTER}")
    page.evaluate(FAKE)
    for number in (1, 2):
        write(page, number, f"mine {number}")
    assert run(page, 2).startswith("Done")
    assert [text_of(page, number) for number in (1, 2)] == ["mine 1", "mine 2"]
    notice = page.get_by_role("complementary", name="Notice")
    expect(notice.locator("p")).to_have_count(1)
    expect(notice).to_contain_text(words)
    notice.get_by_role("button", name="Close").click()
    expect(notice).to_be_hidden()


def test_outputs_fit_and_markup_stays_text_or_is_shown_in_frames_that_do_nothing(whole_chapter):
    check_a_long_output_makes_no_page_wider_than_a_phone(whole_chapter)
    check_what_is_told_by_colour_is_told_where_the_system_sets_all_colours(whole_chapter)
    check_images_are_shown_as_images(whole_chapter)
    check_markup_in_what_code_prints_returns_and_raises_stays_text(whole_chapter)
    check_html_is_shown_in_frames_without_scripts_origin_or_requests(whole_chapter)
    check_what_takes_seconds_to_set_or_to_paint_is_left_out(whole_chapter)


def check_a_long_output_makes_no_page_wider_than_a_phone(chapter):
    chapter.set_viewport_size({"width": 390, "height": 844})
    long = "x" * 3000
    write(chapter, 1, "\n".join([tell(kind="stdout", text=long), display(text_plain=long)]))
    run(chapter, 1)
    assert chapter.evaluate("document.documentElement.scrollWidth <= innerWidth")
    printed = cell(chapter, 1).locator(".book-stdout")
    printed.evaluate("(node) => (node.tabIndex = -1)")  # as the theme does where nothing scrolls
    expect(printed).to_have_js_property("tabIndex", 0)
    short = cell(chapter, 1).locator(".book-own-mark")
    assert short.get_attribute("tabindex") is None
    chapter.set_viewport_size(VIEWPORT)


def check_what_is_told_by_colour_is_told_where_the_system_sets_all_colours(chapter):
    chapter.emulate_media(forced_colors="active")
    write(chapter, 1, "1 / 0")
    chapter.evaluate("() => bookCells.cells.find(({ editor }) => editor).editor.markLine(1)")
    line = cell(chapter, 1).locator(".book-wrong-line")
    looks = (
        "(node) => [getComputedStyle(node).borderLeftStyle, getComputedStyle(node).borderLeftWidth]"
    )
    assert line.evaluate(looks) == ["solid", "4px"]
    track = chapter.locator(".book-widget .noUi-target").first
    assert track.evaluate(looks) == ["solid", "1px"]
    colour = "(node) => getComputedStyle(node).backgroundColor"
    page_colour = chapter.locator("body").evaluate(colour)
    assert chapter.locator(".book-widget .noUi-handle").first.evaluate(colour) != page_colour
    adjust = "(node) => getComputedStyle(node).forcedColorAdjust"
    assert chapter.locator(".live-views").first.evaluate(adjust) == "none"
    chapter.emulate_media(forced_colors="none")


def check_images_are_shown_as_images(chapter):
    svg = {"image/svg+xml": SVG}
    write(chapter, 1, "\n".join([display(image_png=PNG), tell(kind="display", bundle=svg)]))
    run(chapter, 1)
    images = cell(chapter, 1).locator(".book-own > img")
    images.nth(1).wait_for()
    chapter.wait_for_function(
        "[...document.querySelectorAll('.book-own img')].every((img) => img.complete)"
    )
    assert images.evaluate_all("all => all.map((img) => img.naturalWidth)") == [1, 9]
    check_safe(chapter)


def check_markup_in_what_code_prints_returns_and_raises_stays_text(chapter):
    code = []
    for markup in MARKUP:
        verdict = {"label": markup, "status": markup, "message": markup}
        bundles = [
            {"text/plain": markup},
            {"application/vnd.book.verdict+json": verdict},
            {"text/x-unknown": markup},
            {"text/plain": {"nested": markup}},
        ]
        code += [tell(kind=kind, text=markup) for kind in ("stdout", "stderr")]
        code += [tell(kind="display", bundle=bundle) for bundle in bundles]
    error = {"type": MARKUP[0], "message": MARKUP[1], "traceback": "".join(MARKUP), "line": 1}
    write(chapter, 1, "\n".join([*code, tell(result={"ok": False, "error": error})]))
    run(chapter, 1)
    own = cell(chapter, 1).locator(".book-own")
    for markup in MARKUP:
        assert own.inner_text().count(markup) >= 6
    assert own.locator("img, script, svg, details, a, iframe").count() == 0
    check_safe(chapter)


def check_html_is_shown_in_frames_without_scripts_origin_or_requests(chapter):
    asked = requests_of_frames(chapter)
    leak = "<img src='https://192.0.2.1/leak'><link rel=stylesheet href='https://192.0.2.1/'>"
    table = "<table><tr><td>cell of a table</td></tr></table>"
    write(chapter, 1, "\n".join(display(text_html=table + leak + markup) for markup in MARKUP))
    run(chapter, 1)
    frames = cell(chapter, 1).locator("iframe")
    assert frames.count() == len(MARKUP)
    for frame in frames.all():
        assert frame.get_attribute("sandbox") == SANDBOX
        frame.content_frame.get_by_text("cell of a table").wait_for()
        assert frame.evaluate("frame => frame.contentDocument") is None
    check_safe(chapter, asked)


FORMULAS = "application/vnd.book.text+html"
HARD = [r"\begin{a} " * 5_000, r"\(" * 10_000, r"\(" + "x^{" * 60 + "}" * 60 + r"\)"]
NOTED = "These formulas are shown as they were typed: together they are too much for the page."
SPY = """() => {
  window.read = [];
  const { MathJax } = window;
  const { tex2mmlPromise } = MathJax;
  MathJax.tex2mmlPromise = (tex) => (window.read.push(tex), tex2mmlPromise.call(MathJax, tex));
}"""


def check_what_takes_seconds_to_set_or_to_paint_is_left_out(chapter):
    chapter.evaluate("() => window.MathJax.startup.promise")
    chapter.evaluate(SPY)
    many = [r"\(" + "x" * 1_500 + r"\)"] * 8
    shown = [{FORMULAS: f"<p>{text}</p>"} for text in ["words", *many, *HARD, "words"]]
    write(chapter, 1, "\n".join(tell(kind="display", bundle=bundle) for bundle in shown))
    run(chapter, 1)
    texts = cell(chapter, 1).locator(".book-text")
    notes = texts.locator(".book-widget-note")
    expect(texts.nth(11).locator(".book-widget-note")).to_have_text(NOTED)
    assert texts.locator("mjx-container").count() < 8
    assert texts.locator("mjx-container").count() + notes.count() == 8 + len(HARD)
    assert chapter.evaluate("[...new Set(read.map((tex) => tex[0] + tex.length))]") == ["x1500"]
    check_effects_are_not_painted(chapter)
    check_endless_lines_and_streams_in_turns_are_few_pieces(chapter)


def check_effects_are_not_painted(chapter):
    svg = SVG.replace("<script>", "<style>rect { filter: blur(9px) }</style><script>")
    svg = svg.replace("<image ", "<rect filter='url(#f)' style='filter: blur(9px)'/><image ")
    html = "<p style='backdrop-filter: blur(9px); color: red'>a filter: none</p>"
    bundles = [{"image/svg+xml": svg}, {"text/html": html}]
    write(chapter, 1, "\n".join(tell(kind="display", bundle=bundle) for bundle in bundles))
    run(chapter, 1)
    drawn = unquote(cell(chapter, 1).locator(".book-own > img").get_attribute("src"))
    assert "<rect" in drawn
    assert "filter" not in drawn
    written = cell(chapter, 1).locator("iframe").get_attribute("srcdoc")
    assert '<p style="color: red;">a filter: none</p>' in written


def check_endless_lines_and_streams_in_turns_are_few_pieces(chapter):
    turns = [tell(kind=("stdout", "stderr")[i % 2], text=f"{i}\n") for i in range(600)]
    endless = [tell(kind="stdout", text="x" * 6_000)] * 4
    write(chapter, 1, "\n".join([*endless, tell(kind="stdout", text="\n"), *turns]))
    run(chapter, 1)
    printed = cell(chapter, 1).locator(".book-own > pre")
    texts = printed.all_text_contents()
    assert max(map(len, texts[0].split("\n"))) == 10_000
    assert texts[0].replace("\n", "") == "x" * 24_000 + "0"
    assert "".join(texts[1:]) == "".join(f"{i}\n" for i in range(1, 600))
    assert len(texts) == 500


def requests_of_frames(page):
    """Return a list that will hold what frames wanted to ask for; they may say that they may not.

    Their policy has to refuse it all, see `check_safe`, so that it is no fault of the page.
    """
    asked = []

    def note(request):
        if LEAK.search(request.url):
            asked.append(request)

    page.on("request", note)
    page.forgiven += ["192.0.2.1", "/chapters/x", "console: "]
    return asked


def check_safe(page, asked=()):
    """Nothing of the markup ran, and the policy of its frame refused all that it asked for."""
    page.evaluate(LOADED)
    assert page.evaluate("window.hacked") is None
    wait_until(page, lambda: all(request.failure for request in asked))
    assert {request.failure for request in asked} <= {"csp"}
    check_faults(page)


def test_without_scripts_the_page_is_whole(window, plain):
    page = window(java_script_enabled=False).new_page()
    page.goto(f"{plain}/{CHAPTER}")
    assert page.locator(".cell_input").first.is_visible()
    assert page.locator(".cell_output .output").first.is_visible()
    assert page.get_by_role("button", name=re.compile("^(Run|Edit)")).count() == 0


# with the Python of the book


def test_the_readers_function_draws_the_figure_and_who_leaves_comes_back_to_their_text(page, plain):
    page.goto(f"{plain}/{CHAPTER}")
    check_the_readers_function_draws_the_live_figure(page)
    check_faults(page)
    button(page, "Start over", 2).click()
    check_who_leaves_while_a_cell_runs_comes_back_to_their_text_and_runs_it(page, plain)


def check_the_readers_function_draws_the_live_figure(page):
    page.evaluate("() => bookWidgets.ready")
    write(page, 2, "def match(query, keys):\n    return np.ones(len(keys))")
    assert run(page, 2).startswith("Done")
    drawn = page.locator("#fig-exact .book-own .live-figure")
    drawn.wait_for()
    said = drawn.locator(".live-readout")
    expect(said).to_have_text("“The Time Machine” equals 6 of the six titles")
    drawn.get_by_role("combobox", name="query").select_option("the alchymist")
    expect(said).to_have_text("“the alchymist” equals 6 of the six titles")
    drawn.evaluate("(figure) => { figure.id = 'old-figure'; }")
    button(page, "Run", 2).click()  # again: the old figure makes room for a new one
    expect(page.locator("#fig-exact .book-own .live-figure:not(#old-figure)")).to_have_count(1)
    assert page.locator("#old-figure").count() == 0
    ended(page, 2)


def check_who_leaves_while_a_cell_runs_comes_back_to_their_text_and_runs_it(page, plain):
    page.forgiven.append("blob:")  # what Python looks at is gone with the page
    write(page, 1, "print('on')\nwhile True: pass")
    button(page, "Run", 1).click()
    cell(page, 1).locator(".book-stdout").wait_for()
    page.goto(f"{plain}/chapters/notation.html")
    wait_until(page, lambda: not page.workers)
    page.go_back()
    cell(page, 1).get_by_role("textbox").wait_for()
    assert text_of(page, 1) == "print('on')\nwhile True: pass"
    assert button(page, "Stop", 1).is_hidden()
    write(page, 1, "print('back')")
    assert run(page, 1).startswith("Done")
    assert cell(page, 1).locator(".book-stdout").inner_text().strip() == "back"


@pytest.fixture
def returning(browser):
    """A page of a browser that keeps a page it leaves, to bring it back as it was."""
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else FLAGS
    own = browser.browser_type.launch(
        executable_path=find_chromium(),
        headless=False,
        timeout=PATIENCE,
        args=flags,
        ignore_default_args=["--disable-back-forward-cache"],
    )
    context = own.new_context()
    context.set_default_timeout(PATIENCE)
    context.add_init_script(NEVER_GIVE_UP)
    yield context.new_page()
    own.close()


@pytest.mark.rare  # it starts a browser of its own
def test_a_page_that_is_brought_back_as_it_was_still_runs_and_stops(returning, plain):
    returning.goto(f"{plain}/{CHAPTER}")
    write(returning, 1, "print('on')\nwhile True: pass")
    button(returning, "Run", 1).click()
    cell(returning, 1).locator(".book-stdout").wait_for()
    returning.evaluate("() => addEventListener('pageshow', () => { window.back = true; })")
    returning.goto(f"{plain}/chapters/notation.html")
    returning.go_back(wait_until="commit")
    returning.wait_for_function("() => window.back")
    button(returning, "Stop", 1).click()
    assert ended(returning, 1) == "Stopped. Your variables are kept."
    write(returning, 1, "print('back')")
    assert run(returning, 1).startswith("Done")
    assert cell(returning, 1).locator(".book-stdout").inner_text().strip() == "back"


def test_where_scripts_are_blocked_the_page_says_so_and_later_runs_show_all_safely(page, server):
    page.goto(f"{server}/{CHAPTER}")
    check_without_the_script_of_python_the_page_says_why(page)
    check_without_its_script_the_editor_says_why(page)
    check_what_was_blocked_works_when_it_arrives(page)
    check_faults(page)
    check_hostile_text_from_real_code_stays_text(page)
    check_markdown_and_tex_are_shown_as_in_a_notebook_and_stay_harmless(page)


def check_without_the_script_of_python_the_page_says_why(page):
    page.forgiven.append("python-worker")
    page.route("**/python-worker.js*", lambda route: route.abort())
    sentence = (
        "Not run. Python could not start: its script did not arrive. "
        "Check your connection, then press Run again."
    )
    for _ in range(2):
        assert run(page, 1) == sentence


def check_without_its_script_the_editor_says_why(page):
    page.route("**/editor.js*", lambda route: route.abort())
    page.forgiven += ["editor.js", "ERR_FAILED"]
    button(page, "Edit", 1).click()
    notice = page.get_by_role("complementary", name="Notice").locator("p")
    expect(notice).to_have_text([re.compile("^The editor could not be loaded.*press Edit again")])
    page.route(
        "**/editor.js*", lambda route: route.fulfill(body="", content_type="text/javascript")
    )
    with page.expect_request("**/editor.js*again=*"):  # what a cache has kept is not taken again
        button(page, "Edit", 1).click()
    expect(cell(page, 1).locator(".book-status")).to_be_empty()  # it has given up
    expect(notice).to_have_count(1)


def check_what_was_blocked_works_when_it_arrives(page):
    notice = page.get_by_role("complementary", name="Notice").locator("p")
    for name in ("python-worker", "editor"):
        page.unroute(f"**/{name}.js*")
    button(page, "Edit", 1).click()
    expect(cell(page, 1).get_by_role("textbox")).to_be_focused()
    expect(notice).to_have_count(0)
    assert run(page, 1).startswith("Done")


def check_hostile_text_from_real_code_stays_text(page):
    asked = requests_of_frames(page)
    code = [
        f"markup = {MARKUP[:4]!r}",
        "class Evil:",
        "    def __init__(self, text): self.text = text",
        "    def __repr__(self): return self.text",
        "class Page(Evil):",
        "    def _repr_html_(self): return self.text",
        "class Drawing(Evil):",
        f"    def _repr_svg_(self): return {SVG!r}",
        "for text in markup:",
        "    print(text)",
        "    for kind in (Evil, Page, Drawing): display(kind(text))",
        "raise type(markup[0], (Exception,), {})(markup[1])",
    ]
    write(page, 1, "\n".join(code))
    assert run(page, 1) == "Ended with an error."
    own = cell(page, 1).locator(".book-own")
    assert own.locator(".book-stdout, .book-value").count() == 8
    frames = own.locator(f"iframe[sandbox='{SANDBOX}']")
    assert frames.count() == own.locator("img[src^=data]").count() == 4
    assert own.locator("script, svg, details, a, img:not([src^=data])").count() == 0
    assert MARKUP[1] in own.locator(".book-error").inner_text()
    check_safe(page, asked)


MARKDOWN = r"""
# Title

Some *words*, `$code$`, \$5, $a_1*b_1*c$ and [a link](https://example.org).

$$
- x
$$

| n |
|--:|
| 1 |

<b id="own" class="book-run" style="position: fixed">raw</b>
"""
RICH = f"""
from ipywidgets import Button, Output
from IPython.display import *
display(Markdown({MARKDOWN!r}), Math(r"\\frac12"), Latex("so $x$"))
display(Markdown("words\\n\\n<style>p {{}}</style>\\n\\n" + "\\n\\n".join({MARKUP!r})))
display(Latex({MARKUP[0]!r}), Math(r"\\href{{javascript:{EVIL}}}{{\\text{{to}}}}"))
out, more = Output(), Button(description="more")
def show(_):
    with out:
        clear_output(wait=True)
        display(Markdown("**strong** $y$"))
more.on_click(show)
display(more, out, Image(data=b"GIF89a", width=30, height=20))
"""


def check_markdown_and_tex_are_shown_as_in_a_notebook_and_stay_harmless(page):
    page.forgiven += ["/chapters/x", "console: "]  # what the markup asks for, and its refusal
    write(page, 1, RICH)
    assert run(page, 1).startswith("Done")
    texts = cell(page, 1).locator(".book-text")
    first = texts.first
    expect(first.locator("mjx-container")).to_have_count(2)
    assert first.locator("h3").inner_text() == "Title"
    assert first.locator("em").all_inner_texts() == ["words"]
    assert first.locator("code").inner_text() == "$code$"
    assert "$5," in first.locator("p").first.inner_text()
    assert first.locator("mjx-container[display] mo").text_content() == "\u2212"  # no list
    assert first.locator("td").get_attribute("style") == "text-align:right"
    assert first.locator("a").get_attribute("target") == "_blank"
    assert first.locator("b").evaluate("(node) => [...node.attributes].length") == 0
    expect(texts.nth(1).locator("mfrac")).to_have_count(1)
    expect(texts.nth(2).locator("mjx-container")).to_have_count(1)
    assert texts.nth(3).locator("script, style, [onerror], [onload], [ontoggle]").count() == 0
    assert texts.nth(4).inner_text() == MARKUP[0]
    expect(texts.nth(5).locator("mjx-container a")).to_have_count(1)
    assert texts.nth(5).locator("a[href]").count() == 0
    page.get_by_role("button", name="more", exact=True).click()
    output = cell(page, 1).locator(".book-output .book-text")
    expect(output.locator("mjx-container")).to_have_count(1)
    assert output.locator("strong").inner_text() == "strong"
    picture = cell(page, 1).locator("img[src^='data:image/gif']")
    assert picture.evaluate("({ style }) => [style.width, style.aspectRatio]") == [
        "30px",
        "30 / 20",
    ]
    check_safe(page)


@pytest.mark.rare  # exercises, figures and the search are tried from the disk in each run
def test_from_the_disk_the_page_is_read_and_edited_and_says_why_it_does_not_run(page, site):
    page.goto(f"{site.as_uri()}/{CHAPTER}")
    write(page, 1, "mine")
    for number in (1, 2):
        assert run(page, number).startswith(
            "Not run. Python cannot start in a page opened from disk"
        )
    assert page.get_by_role("complementary", name="Notice").count() == 0
    assert text_of(page, 1) == "mine"
    assert cell(page, 2).locator(".output").is_visible()
