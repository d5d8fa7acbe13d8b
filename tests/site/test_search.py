"""The search of the built book: what it should find first, and what the book calls otherwise."""

from pathlib import Path

import pytest
import yaml
from bookwork.testing.look_up import entries_of, look_up
from built_book import FOLDER, SITE

INDEX = SITE / "search-index.js"
MEANT = yaml.safe_load((FOLDER / "synonyms.yml").read_text(encoding="utf-8"))
FIRST = {  # what is typed -> the title, or the kind, of what comes first
    "causal_mask": ("title", "causal_mask"),
    "softmax temperature": ("kind", "section"),
    "what is the temperature of a softmax?": ("kind", "section"),
}


@pytest.fixture(scope="module")
def index():
    return entries_of(INDEX)


@pytest.fixture(scope="module")
def found(index, tmp_path_factory):
    """Return what the search finds, for all queries of this file at once."""
    titles = {entry["title"] for entry in index}
    queries = {*titles, *FIRST, *MEANT, *(one["here"] for one in MEANT.values())}
    return look_up(INDEX, queries, tmp_path_factory.mktemp("search"))


def test_a_title_finds_its_section_exercise_or_term_among_the_first_three(index, found):
    titles = {entry["title"] for entry in index}
    shown = {title: [one["title"] for one in found[title][:3]] for title in titles}
    assert [title for title, some in shown.items() if title not in some] == []
    assert sum(title == some[0] for title, some in shown.items()) > 0.95 * len(shown)


def test_what_explains_comes_before_what_lists(found):
    assert {query: found[query][0][kind] for query, (kind, _) in FIRST.items()} == {
        query: said for query, (_, said) in FIRST.items()
    }


def test_what_the_book_calls_otherwise_is_found_under_both_names(found):
    assert [said for said, one in MEANT.items() if found[said] != found[one["here"]]] == []
    assert len(MEANT) <= 20


def test_every_chapter_is_in_the_index(index):
    pages = {Path(entry["page"]).stem for entry in index}
    assert pages == {file.stem for file in FOLDER.glob("*.md")}
