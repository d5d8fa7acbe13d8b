"""A reader's visit: a cell runs, exercises of each kind are judged, all can be read aloud."""

import pytest
from bookwork.testing.cells import ANSWER, run, write
from bookwork.testing.looks import check_accessible
from bookwork.testing.shown import open_page
from given import cell_of, right_answers, wrong_answers
from playwright.sync_api import expect

pytestmark = pytest.mark.python
CHAPTER = "chapters/queries_keys_values.html"


def exercise(page, label):
    return page.locator(f".book-exercise[data-exercise={label}]")


def badge(page, label):
    return exercise(page, label).locator(".exercise-badge")


def test_a_cell_runs_and_an_answer_in_it_is_judged(page, server):
    page.goto(f"{server}/{CHAPTER}")
    assert run(page, 1).startswith("Done")
    write(page, 2, "def match(query, keys):\n    return np.ones(len(keys))")
    assert run(page, 2).startswith("Done")
    said = page.locator("#fig-exact .book-own .live-readout")
    expect(said).to_have_text("“The Time Machine” equals 6 of the six titles")
    wrong = wrong_answers("ex-swap")[0]
    for source, status in [(wrong.source, wrong.status), (right_answers("ex-swap")[0], "correct")]:
        assert page.evaluate(ANSWER, ["ex-swap", cell_of("ex-swap", source)])["status"] == status
    expect(badge(page, "ex-swap")).to_have_text("solved")


def test_choices_and_numbers_are_judged_without_python(page, server):
    page.goto(f"{server}/chapters/multi_head_attention.html")
    choice, count = exercise(page, "ex-one-row"), exercise(page, "ex-count-heads")
    choice.get_by_text("It has one weight for each word").click()
    choice.get_by_role("button", name="Check").click()
    expect(badge(page, "ex-one-row")).to_have_text("solved")
    count.get_by_label("numbers").fill("4 · 512 · 512")
    count.get_by_label("shape").fill("10, 512")
    count.get_by_label("shape").press("Enter")
    expect(badge(page, "ex-count-heads")).to_have_text("solved")
    assert page.evaluate("bookCells.python") is None


def test_a_chapter_is_read_aloud(page, server):
    open_page(page, f"{server}/{CHAPTER}")
    check_accessible(page)
