"""What the reader wrote in cells: it is kept, the same in two tabs, and runs only when asked."""

import re

import pytest
from browser.cells import (
    CHAPTER,
    FAKE,
    button,
    cell,
    ended,
    open_chapter,
    run,
    tell,
    text_of,
    write,
)
from browser.shown import replace_text
from browser.test_exercises import file_of, keep, load
from playwright.sync_api import expect

IS_TEXT = "(key) => key.includes(':answer:')"
ANSWER = "paying-attention:answer:"
EVIL_FILE = "window_hacked = True\nnames = ['from the file']"


@pytest.fixture
def chapter(page, server):
    return open_chapter(page, server)


def test_code_from_a_file_runs_only_when_the_reader_asks_for_it(chapter):
    names = chapter.evaluate("bookCells.cells.map(({ memory }) => memory?.name)")
    choice = chapter.evaluate("bookCells.ofExercise('ex-row-sums').memory.name")
    write(chapter, 3, "mine")
    answers = {names[0]: EVIL_FILE, choice: EVIL_FILE, names[1]: "earlier = 1"}
    assert load(chapter, file_of(answers=answers)).startswith("Loaded 0 solved")
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
    expect(exercise.locator(".book-verdict")).to_be_visible()
    expect(exercise.get_by_role("note")).to_be_hidden()
    assert "hacked" not in "".join(chapter.evaluate("codes"))
    run(chapter, 3)
    button(chapter, "Run it too", 3).click()
    chapter.wait_for_function("() => codes.some((code) => code.includes('hacked'))")
    expect(note).to_be_hidden()
    ended(chapter, 3)
    assert re.fullmatch(r"Done( in \d+\.\d s)?\.", run(chapter, 3))


def test_what_was_written_for_an_earlier_edition_is_kept(chapter):
    chapter.locator("[data-exercise=ex-row-sums]").get_by_role("radio", name="b:").check()
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
    keep(chapter, f"{ANSWER}ex-swap:0ld", "def invert(): return 'mine'")
    keep(chapter, f"{ANSWER}{first.rsplit(':', 1)[0]}:0ld", "edited = 'before the cell changed'")
    keep(
        chapter,
        f"{ANSWER}queries_keys_values:another-section:7:{second.rsplit(':', 1)[1]}",
        "moved = 1",
    )


def check_texts_of_earlier_editions_are_found_and_said_to_be_so(chapter):
    exercise = chapter.locator("[data-exercise=ex-swap]")
    expect(exercise.locator(".cm-content")).to_have_text("def invert(): return 'mine'")
    built = exercise.get_by_text("put your answer in place of the dots")
    expect(built).to_be_hidden()  # it judges the starter, which is no longer there
    sentence = "The exercise has changed since you wrote this: see the new starter."
    expect(exercise.get_by_role("note")).to_contain_text(sentence)
    expect(cell(chapter, 1).get_by_role("note")).to_contain_text("has changed since you wrote this")
    expect(cell(chapter, 1).get_by_role("note")).to_contain_text("kept by an earlier edition")
    assert text_of(chapter, 2) == "moved = 1"
    assert cell(chapter, 2).get_by_role("note").count() == 0


def check_texts_of_earlier_editions_run_only_on_request(chapter):
    run(chapter, 3)
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
    chapter, server
):
    write(chapter, 2, "mine = '/'")
    chapter.reload()
    cell(chapter, 2).get_by_role("textbox").wait_for()
    assert text_of(chapter, 2) == "mine = '/'"
    assert chapter.locator(".book-editor").count() == 1
    check_a_tab_keeps_its_own_text_when_another_tab_has_a_different_one(chapter)
    check_a_tab_that_follows_another_stores_nothing(chapter)
    write(chapter, 1, "from the first tab")
    other = chapter.context.new_page()
    other.goto(f"{server}/{CHAPTER}")
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


def check_a_tab_that_follows_another_stores_nothing(chapter):
    """Or it would put an older text in place of what was typed there meanwhile."""
    key = chapter.evaluate("bookCells.cells[3].memory.key")
    keep(chapter, key, "theirs, and more")
    event = {"key": key, "oldValue": "mine", "newValue": "theirs"}
    chapter.evaluate("event => dispatchEvent(new StorageEvent('storage', event))", event)
    assert text_of(chapter, 3) == "theirs"
    assert chapter.evaluate("key => localStorage.getItem(key)", key) == "theirs, and more"


def check_two_tabs_show_the_same_text_and_lose_none(chapter, other):
    """Of two tabs, in the first of which "from the first tab" was written before."""
    cell(other, 1).get_by_text("from the first tab").wait_for()
    write(other, 1, "from the second tab")
    cell(chapter, 1).get_by_text("from the second tab").wait_for()
    write(other, 4, "new in the second tab")
    cell(chapter, 4).get_by_text("new in the second tab").wait_for()
    button(other, "Start over", 1).click()
    cell(chapter, 1).locator(".cm-line", has_text="import numpy as np").wait_for()
