"""Every cell of a chapter, run in its page, and every exercise, answered there.

Cells print what the book prints. The book's own solution and one wrong answer of each exercise are
put into its cell and run as by "Run & check". All this is rare, because make test takes it apart:
tests/book/test_cells_in_pyodide.py runs the cells of the chapters in the same Python,
tests/exercises/test_answers_in_pyodide.py judges answers there, tests/browser/test_cells.py shows
whatever a cell can print, and tests/browser/test_second_book.py runs and solves in a page.
"""

import pytest
from book.printed import PRINTED
from browser.axe import check_accessible
from browser.shown import replace_text
from given import cell_of, wrong_answers
from playwright.sync_api import expect

pytestmark = pytest.mark.rare  # for the reason above
CHAPTERS = list(dict.fromkeys(each.chapter for each in PRINTED))
RUN_ALL = """async () => {
  const told = [];
  for (const cell of bookCells.cells) {
    const find = (selector) => [...(cell.element?.querySelectorAll(selector) ?? [])];
    const texts = (selector) => find(selector).map((element) => element.textContent);
    const built = texts(".output.text_plain pre, .output.stream pre");
    const { ok, error, verdict } = await bookCells.run(cell);
    const own = texts(".book-stdout, .book-stderr, .book-value");
    told.push({ name: cell.name, ok, error, verdict, built, own });
  }
  return told;
}"""
RUN = """async ([label, code]) => {
  const cell = window.bookCells.ofExercise(label);
  cell.code = code;
  const result = await cell.run();
  return result && (result.verdict ?? { status: "none", message: result.error?.traceback });
}"""


def answers(exercise, turn):
    """Yield two answers, the status each should get and a part of its message.

    The wrong ones take turns, so that every status is told in the page.
    """
    known = wrong_answers(exercise.label)
    wrong = known[turn % len(known)]
    yield cell_of(exercise.label, wrong.source), wrong.status, wrong.says
    yield exercise.code, "correct", ""


@pytest.mark.parametrize("chapter", ["welcome", *CHAPTERS])
def test_cells_and_answers_give_in_the_page_what_they_give_elsewhere(page, server, chapter):
    page.goto(f"{server}/chapters/{chapter}.html")
    page.evaluate("() => window.bookWidgets.ready")
    run_every_cell(page)
    here = [each for each in PRINTED if each.chapter == chapter]
    for turn, exercise in enumerate(here):
        give_answers(page, exercise, turn)
    if here:
        solved = f"{len(here)} of {len(here)} solved"
        expect(page.locator(".exercise-chapter")).to_contain_text(solved)
    expect(page.locator(".exercise-badge-solved")).to_have_count(len(here))
    check_accessible(page)


def run_every_cell(page):
    for cell in page.evaluate(RUN_ALL):
        assert cell["ok"], f"{cell['name']}: {cell['error']}"
        if cell["name"].startswith("ex-"):
            assert cell["verdict"]["status"] == "not started", cell["name"]
        else:
            assert words(cell["own"]) == words(cell["built"]), cell["name"]
    assert page.locator(".book-own .book-widget-error").count() == 0


def words(texts):
    return "\n".join(texts).split()


def give_answers(page, exercise, turn):
    for code, status, says in answers(exercise, turn):
        verdict = page.evaluate(RUN, [exercise.label, code])
        assert verdict["status"] == status, f"{exercise.label}: {code}\n{verdict}"
        assert says in verdict["message"], f"{exercise.label}: {code}\n{verdict}"


def test_a_new_reader_goes_from_a_wrong_answer_by_a_hint_to_the_right_one(page, server):
    page.goto(f"{server}/chapters/queries_keys_values.html")
    exercise = page.locator("[data-exercise=ex-row-sums]")
    badge, verdict = exercise.locator(".exercise-badge"), exercise.locator(".book-verdict")
    answer(page, exercise, 'answer = "a"\ncheck("ex-row-sums", answer)')
    verdict.wait_for()
    expect(verdict).not_to_contain_text("Correct")
    expect(badge).to_have_text("tried")
    exercise.get_by_role("button", name="Show the hint").click()
    expect(exercise.locator("details.book-hint")).to_be_visible()
    answer(page, exercise, 'answer = "b"\ncheck("ex-row-sums", answer)')
    expect(verdict).to_contain_text("Correct")
    expect(badge).to_have_text("solved")
    page.reload()
    expect(badge).to_have_text("solved")
    expect(exercise.locator(".cm-content")).to_contain_text('answer = "b"')


def answer(page, exercise, code):
    """Type an answer and press the button."""
    if exercise.get_by_role("button", name="Edit").is_visible():
        exercise.get_by_role("button", name="Edit").click()
    replace_text(page, exercise.locator(".cm-content"), code)
    exercise.get_by_role("button", name="Run & check").click()
