"""What the reader wrote in cells: it is kept on its page, and is the same in two tabs."""

import pytest
from bookwork.testing.cells import button, cell, run, text_of, write
from bookwork.testing.shown import replace_text
from browser.cells import CHAPTER, FAKE, open_chapter
from browser.test_exercises import file_of, keep, load
from playwright.sync_api import expect

MINE = "(key) => /:(text|progress):/.test(key)"
SWAP = "bookCells.ofExercise('ex-swap')"


@pytest.fixture
def chapter(page, server):
    return open_chapter(page, server)


def test_edited_text_survives_a_reload_is_the_same_in_two_tabs_and_start_over_forgets_it(
    chapter, server
):
    write(chapter, 2, "mine = '/'")
    chapter.reload()
    cell(chapter, 2).get_by_role("textbox").wait_for()
    assert text_of(chapter, 2) == "mine = '/'"
    expect(chapter.locator(".book-editor")).to_have_count(1)
    # a tab keeps its own text when another tab has a different one
    write(chapter, 3, "mine")
    key = chapter.evaluate("bookCells.cells[3].memory.key")
    event = {"key": key, "oldValue": "something else", "newValue": "theirs"}
    chapter.evaluate("event => dispatchEvent(new StorageEvent('storage', event))", event)
    assert text_of(chapter, 3) == "mine"
    check_a_tab_that_follows_another_stores_nothing(chapter)
    write(chapter, 1, "from the first tab")
    other = chapter.context.new_page()
    other.goto(f"{server}/{CHAPTER}")
    # two tabs show the same text and lose none
    cell(other, 1).get_by_text("from the first tab").wait_for()
    write(other, 1, "from the second tab")
    cell(chapter, 1).get_by_text("from the second tab").wait_for()
    write(other, 4, "new in the second tab")
    cell(chapter, 4).get_by_text("new in the second tab").wait_for()
    button(other, "Start over", 1).press("Enter")
    cell(chapter, 1).locator(".cm-line", has_text="import numpy as np").wait_for()
    other.close()
    for number in (2, 3, 4):  # by a key: a figure that is drawn moves the button from a pointer
        button(chapter, "Start over", number).press("Enter")
    chapter.reload(wait_until="networkidle")
    expect(chapter.locator(".book-editor")).to_have_count(0)
    assert chapter.evaluate(f"Object.keys(localStorage).filter({MINE})") == []


def check_a_tab_that_follows_another_stores_nothing(chapter):
    """Or it would put an older text in place of what was typed there meanwhile."""
    key = chapter.evaluate("bookCells.cells[3].memory.key")
    keep(chapter, key, "theirs, and more")
    event = {"key": key, "oldValue": "mine", "newValue": "theirs"}
    chapter.evaluate("event => dispatchEvent(new StorageEvent('storage', event))", event)
    assert text_of(chapter, 3) == "theirs"
    assert chapter.evaluate("key => localStorage.getItem(key)", key) == "theirs, and more"


def test_an_answer_is_kept_by_its_label_and_advice_tells_what_it_lacks(chapter):
    exercise = chapter.locator("[data-exercise=ex-swap]")
    chapter.evaluate(f"{SWAP}.code = 'def invert(): return 1'")
    chapter.reload()
    chapter.evaluate(FAKE)
    expect(exercise.locator(".cm-content")).to_have_text("def invert(): return 1")
    built = exercise.get_by_text("put your answer in place of the dots")
    expect(built).to_be_hidden()  # it judges the starter, which is no longer there
    answer(chapter, exercise, 'answer = "a"\n# check("ex-swap", answer)')
    missing = 'nothing was checked: it lacks the line check("ex-swap", invert)'
    expect(exercise.locator(".book-advice")).to_contain_text(missing)


def answer(page, exercise, code):
    replace_text(page, exercise.locator(".cm-content"), code)
    exercise.get_by_role("button", name="Run & check").press("Enter")


def test_code_from_a_file_runs_when_the_reader_runs_a_cell(chapter):
    key = chapter.evaluate("bookCells.cells[0].memory.key").removeprefix("a-small-bakery:text:")
    texts = {key: "names = ['from the file']"}
    said = load(chapter, file_of({"ex-swap": {"answer": "mine = 1"}}, texts=texts))
    assert said.startswith("Loaded 0 solved exercises and 2 answers.")
    assert chapter.evaluate(f"{SWAP}.code") == "mine = 1"
    cell(chapter, 1).get_by_text("names = ['from the file']").wait_for()
    assert chapter.evaluate("runs") == []
    assert run(chapter, 3).startswith("Done")
    assert "names = ['from the file']" in chapter.evaluate("codes")
