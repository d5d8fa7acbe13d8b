"""Cells are few, short and no wider than the page; the book's own chapters have enough of them."""

import pytest
from book.chapters import run_chapter

from attention_lib.exercises import EXERCISES

CHAPTERS = sorted({exercise.chapter for exercise in EXERCISES.values()})
OURS = [
    "why_attention",
    "queries_keys_values",
    "attention_pooling",
    "scoring_functions",
    "self_attention",
    "multi_head_attention",
    "how_attention_learns",
    "making_it_fast",
]


def shown_cells(name):
    """Return the code of the cells that a reader sees, without those to be filled in."""
    return [c.code for c in run_chapter(name).cells if c.visible and not c.starter]


@pytest.mark.parametrize("name", CHAPTERS)
def test_cells_are_few_and_short_and_fit_the_page(name):
    cells = shown_cells(name)
    lines = [line for code in cells for line in code.splitlines()]
    assert len(cells) <= 20
    assert max((len(code.splitlines()) for code in cells), default=0) <= 15
    assert max(map(len, lines), default=0) <= 76


@pytest.mark.parametrize("name", OURS)
def test_a_chapter_of_the_book_computes_what_it_tells(name):
    assert len(shown_cells(name)) >= 12
