"""What a reader fetches to open a chapter, in bytes, gzipped."""

import gzip

import pytest

HEAVY = ("attention_pooling", "how_attention_learns", "looking_inside", "summary")
MOST, MOST_SCRIPT = 450_000, 90_000


@pytest.mark.parametrize("chapter", HEAVY)
def test_a_chapter_is_light_until_its_first_run(page, server, chapter):
    fetched = []
    page.on("response", lambda file: fetched.extend(only_files(file)))
    page.goto(f"{server}/chapters/{chapter}.html")
    page.evaluate("window.bookWidgets.ready")
    page.wait_for_load_state("networkidle")
    weights = [(file.request.resource_type, gzipped(file.body())) for file in fetched]
    assert sum(weight for _, weight in weights) < MOST
    assert sum(weight for kind, weight in weights if kind == "script") < MOST_SCRIPT


def only_files(response):
    """Leave out what the page makes itself: data:, blob:."""
    return [response] if response.url.startswith("http") else []


def gzipped(content):
    """Return the size after gzip, or as it is where gzip does not help (fonts)."""
    return min(len(content), len(gzip.compress(content, 6)))
