"""The book's own chapters have enough cells."""

import pytest
from book.chapters import run_chapter

OURS = [
    "why_attention",
    "queries_keys_values",
    "attention_pooling",
    "scoring_functions",
    "self_attention",
    "multi_head_attention",
    "positions",
    "whole_transformer",
    "how_attention_learns",
    "a_model_that_writes",
    "looking_inside",
    "making_it_fast",
    "what_came_after",
]


@pytest.mark.parametrize("name", OURS)
def test_a_chapter_of_the_book_computes_what_it_tells(name):
    cells = run_chapter(name).cells
    assert sum(cell.visible and not cell.starter for cell in cells) >= 12
