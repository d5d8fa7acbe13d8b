"""Every chapter that teaches has cells enough, and none that is long or wider than the page."""

import pytest
from book.chapters import run_chapter

from attention_lib.exercises import EXERCISES

TEACHING = sorted({exercise.chapter for exercise in EXERCISES.values()} - {"summary"})


@pytest.mark.parametrize("name", TEACHING)
def test_cells_are_few_and_short_and_fit_the_page(name):
    visible = [cell for cell in run_chapter(name).cells if cell.visible and not cell.starter]
    assert 12 <= len(visible) <= 20
    assert max(len(cell.code.splitlines()) for cell in visible) <= 15
    assert max(len(line) for cell in visible for line in cell.code.splitlines()) <= 76
