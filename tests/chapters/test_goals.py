"""Every chapter of the book has goals that its exercises meet, whole exercises and short cells."""

import ast
import re

import pytest
from bookwork.book.cell_tags import HIDING
from bookwork.sphinx.page_python import CHECK
from chapters.page import ROOT, all_pages, fail_with
from chapters.printed import PRINTED

from attention_exercises import EXERCISES

PAGES = all_pages(ROOT)
OF_CHAPTER = {page.name: [p for p in PRINTED if p.chapter == page.name] for page in PAGES}
MOST_LINES, WIDEST = 15, 76  # of a cell that is shown

each_chapter = pytest.mark.parametrize(
    "page", [page for page in PAGES if OF_CHAPTER[page.name]], ids=lambda page: page.name
)


@each_chapter
def test_every_exercise_of_the_core_meets_a_goal(page):
    goals = {goal["goal"]: goal["met_by"] for goal in page.goals}
    assert all(goals.values())
    met = {label for met_by in goals.values() for label in met_by}
    assert met <= {each.label for each in OF_CHAPTER[page.name]}
    assert {each.label for each in OF_CHAPTER[page.name] if not each.extra} <= met


@each_chapter
def test_an_exercise_is_whole_and_its_checker_is_in_the_chapters_module(page):
    for each in OF_CHAPTER[page.name]:
        assert each.parts == ["starter", *["hint"] * each.hints, "solution"], each.label
        assert each.hints, each.label
        assert each.minutes, f'{each.label}: end its text with "(5 min, easy)"'
        assert each.label in [entry.label for entry in EXERCISES.chapters[page.name]]
        assert each.solves == [each.label]
        (code,) = each.codes
        assert CHECK.match(ast.unparse(ast.parse(code).body[-1]))[1] == each.label


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_cells_are_short_and_no_wider_than_the_page(page):
    shown = [cell for cell in page.cells if not HIDING & set(cell.tags)]
    long = [cell.line for cell in shown if len(cell.body.splitlines()) > MOST_LINES]
    wide = [cell.line for cell in shown for line in cell.body.splitlines() if len(line) > WIDEST]
    fail_with(f"{page.path}:{line}: more than {MOST_LINES} lines in a cell" for line in long)
    fail_with(f"{page.path}:{line}: more than {WIDEST} characters in a line" for line in wide)


def test_every_guess_of_the_book_says_what_is_right_or_is_drawn():
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "chapters").glob("*.md")]
    heads = [head for text in texts for head in re.findall(r"{guess}[^\n]*\n((?::.*\n)+)", text)]
    assert len(heads) > 25
    assert [head for head in heads if not re.search(r"^:(right|figure):", head, re.M)] == []
