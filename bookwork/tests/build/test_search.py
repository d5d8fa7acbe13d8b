"""The search of a built book: what its index has, and what any search should find first."""

import re

import pytest
from bookwork.sphinx.book_search import synonyms
from bookwork.testing.look_up import entries_of, look_up
from sphinx.errors import ConfigError

SAME = {  # another form, or a slip of a finger -> the word that finds the same first
    "orders": "order",
    "BRIOCHE": "brioche",
    "ｂｒｉｏｃｈｅ": "brioche",
    "broche": "brioche",  # codespell:ignore
    "<b>pitta</b>": "pitta",
    "what is the share of a bread?": "share bread",
    "flat bread": "pitta",  # as synonyms.yml says
}
NOTHING = [
    *("constructor", "__proto__", "hasOwnProperty", "valueOf"),
    *("注意力", "внимание", "zebra", "xyzzy" * 50, "q" * 10_000),
]
NO_WORD = ["", "   ", "???", ".*", "<>", "%", "\\", "🙂", "the", "what is it", "a " * 5000]
TYPED = "sentences"


@pytest.fixture(scope="module")
def index(site):
    return entries_of(site / "search-index.js")


@pytest.fixture(scope="module")
def found(index, site, tmp_path_factory):
    """Return what the search finds, for all queries of this file at once."""
    queries = {
        *(entry["title"] for entry in index),
        *(TYPED[:n] for n in range(3, len(TYPED))),
        *(*SAME, *SAME.values(), *NOTHING, *NO_WORD),
        *("price_of", "np.ones", "k", "bread zebra"),
    }
    return look_up(site / "search-index.js", queries, tmp_path_factory.mktemp("search"))


def test_a_title_finds_its_section_exercise_or_term_among_the_first_three(index, found):
    titles = {entry["title"] for entry in index}
    shown = {title: [one["title"] for one in found[title][:3]] for title in titles}
    assert [title for title, some in shown.items() if title not in some] == []


def test_while_one_types_a_word_its_section_is_there_already(found):
    for n in range(3, len(TYPED)):
        assert "Sentences of readers" in [one["title"] for one in found[TYPED[:n]][:8]]


def test_other_forms_and_slips_find_the_same_among_the_first_three(found):
    places = {said: [one["href"] for one in found[said][:3]] for said in (*SAME, *SAME.values())}
    assert [said for said, meant in SAME.items() if places[meant][0] not in places[said]] == []


@pytest.mark.parametrize("text", ["qkv: queries", "- qkv", "qkv: {why: short}", "qkv: {", "7"])
def test_synonyms_of_another_form_are_refused_in_a_sentence(tmp_path, text):
    file = tmp_path / "synonyms.yml"
    assert synonyms(file) == []
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="has other lines than such as qkv: "):
        synonyms(file)


def test_a_letter_is_found_as_a_letter_and_not_as_a_beginning(found):
    assert {word for one in found["k"] for word in one["words"]} <= {"k"}


def test_words_that_the_book_has_not_find_nothing_and_break_nothing(found):
    assert [query for query in NOTHING if found[query] != []] == []
    assert [query for query in NO_WORD if found[query] is not None] == []  # asks for nothing
    assert found["bread zebra"]  # where no place has all words, those with some
    assert found["price_of"]  # a name in code
    assert found["np.ones"] is not None


def test_a_result_leads_to_a_place_in_its_page(found, site):
    for said in SAME:
        for result in found[said]:
            page, _, anchor = result["href"].partition("#")
            assert f'id="{anchor}"' in (site / page).read_text(encoding="utf-8")


def test_hints_and_solutions_are_not_in_the_index_and_formulas_are_words(index):
    texts = [entry["text"] for entry in index]
    assert not [text for text in texts if "Show the hint" in text or "Solution to" in text]
    assert not [text for text in texts if "has a method argmin" in text]
    plain = [entry["text"] for entry in index if entry["kind"] in ("section", "exercise", "term")]
    assert [text for text in plain if re.search(r"\\[a-zA-Z(\[]|\{|\}", text)] == []


def test_every_chapter_is_in_the_index_in_its_order_and_pages_say_where_it_is(index, site):
    for page in ("search.html", "chapters/welcome.html"):
        text = (site / page).read_text(encoding="utf-8")
        assert re.search(r' data-index="[./]*search-index\.js"', text)
    pages = list(dict.fromkeys(entry["page"] for entry in index))
    names = ("welcome", "orders", "guesses", "figures", "sentences", "summary")
    assert pages == [f"chapters/{name}.html" for name in names]
