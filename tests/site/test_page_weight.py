"""What a reader fetches to open a chapter, in bytes; benchmarks/page_weight.py lists all pages."""

import pytest

from benchmarks.page_weight import visit, weigh

HEAVY = ("attention_pooling", "how_attention_learns", "looking_inside", "summary")
MOST = {"all": 430_000, "js": 90_000}  # gzipped


@pytest.mark.parametrize("chapter", HEAVY)
def test_a_chapter_is_light_until_its_first_run(browser, server, chapter):
    kinds = weigh(visit(browser, f"{server}/chapters/{chapter}.html"))["kinds"]
    weights = kinds | {"all": sum(kinds.values())}
    assert {kind: weights[kind] for kind, most in MOST.items() if weights[kind] > most} == {}
