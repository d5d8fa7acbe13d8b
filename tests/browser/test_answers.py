"""Cells and answers run in their page: those of each chapter, and one for each kind of checker.

All this is rare: tests/book/test_cells_in_pyodide.py runs the cells of the chapters in the same
Python, tests/exercises/test_answers_in_pyodide.py judges all answers there, and two kinds of
checkers are asked in test_second_book.py.
"""

import pytest
from book.printed import BY_LABEL, PRINTED
from browser.axe import check_accessible
from browser.cells import ANSWER
from given import cell_of, wrong_answers
from playwright.sync_api import expect

from attention_exercises import EXERCISES

pytestmark = pytest.mark.rare
CHAPTERS = ["welcome", *dict.fromkeys(each.chapter for each in PRINTED)]
KINDS = {}  # the first exercise that has a checker of each kind
for each in EXERCISES.values():
    KINDS.setdefault(type(each.checker).__name__, each.label)
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


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_cells_print_in_the_page_what_the_book_prints(page, server, chapter):
    page.goto(f"{server}/chapters/{chapter}.html")
    page.evaluate("() => window.bookWidgets.ready")
    for cell in page.evaluate(RUN_ALL):
        assert cell["ok"], f"{cell['name']}: {cell['error']}"
        if cell["name"].startswith("ex-"):
            assert cell["verdict"]["status"] == "not started", cell["name"]
        else:
            assert words(cell["own"]) == words(cell["built"]), cell["name"]
    assert page.locator(".book-own .book-widget-error").count() == 0
    check_accessible(page)


def words(texts):
    return "\n".join(texts).split()


@pytest.mark.parametrize("label", KINDS.values(), ids=KINDS)
def test_a_checker_of_each_kind_judges_in_the_page(page, server, label):
    exercise, (wrong, *_) = BY_LABEL[label], wrong_answers(label)
    page.goto(f"{server}/chapters/{exercise.chapter}.html")
    badge = page.locator(f"[data-exercise={label}] .exercise-badge")
    verdict = page.evaluate(ANSWER, [label, cell_of(label, wrong.source)])
    assert (verdict["status"], wrong.says in verdict["message"]) == (wrong.status, True), verdict
    verdict = page.evaluate(ANSWER, [label, exercise.code])
    assert verdict["status"] == "correct", verdict
    expect(badge).to_have_text("solved")
