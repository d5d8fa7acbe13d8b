"""The search of the built book: what its index has, and what any search should find first."""

import json
import re
from pathlib import Path

import pytest
import yaml
from book.chapters import built
from bookwork.site.build_web import NODE
from bookwork.sphinx.book_search import synonyms
from checks import run
from sphinx.errors import ConfigError

ROOT = Path(__file__).parents[2]
INDEX = ROOT / "_build" / "html" / "search-index.js"
LOOK_UP = ROOT / "tests" / "look_up.mjs"
MEANT = yaml.safe_load((ROOT / "synonyms.yml").read_text(encoding="utf-8"))
SAME = {  # another form, or a slip of a finger -> the word that finds the same first
    "temperatures": "temperature",
    "residual connections": "residual connection",
    "SOFTMAX": "softmax",
    "normalization": "normalisation",
    "ｓｏｆｔｍａｘ": "softmax",
    "perplexty": "perplexity",  # codespell:ignore
    "sofmax": "softmax",
    "<b>temperature</b>": "temperature",
    "what is the temperature of a softmax?": "softmax temperature",
}
NOTHING = [
    *("constructor", "__proto__", "hasOwnProperty", "valueOf"),
    *("注意力", "внимание", "zebra", "xyzzy" * 50, "q" * 10_000),
]
NO_WORD = ["", "   ", "???", ".*", "<>", "%", "\\", "🙂", "the", "what is it", "a " * 5000]


@pytest.fixture(scope="module")
def index():
    text = INDEX.read_text(encoding="utf-8")
    found = json.loads(text.removeprefix("window.bookSearchIndex = ").removesuffix(";\n"))
    return [entry | {"page": one["href"]} for one in found["chapters"] for entry in one["entries"]]


@pytest.fixture(scope="module")
def found(index, tmp_path_factory):
    """Return what the search finds, for all queries of this file at once."""
    queries = {
        *(entry["title"] for entry in index),
        *("temperature"[:n] for n in range(3, 12)),
        *(*SAME, *SAME.values(), *NOTHING, *NO_WORD),
        *(*MEANT, *(one["here"] for one in MEANT.values())),
        *("softmax temperature", "causal_mask", "np.roll", "k", "softmax zebra"),
    }
    file = tmp_path_factory.mktemp("search") / "queries.json"
    file.write_text(json.dumps(list(queries)), encoding="utf-8")
    done = run(NODE, LOOK_UP, INDEX, file)
    assert done.returncode == 0, done.stderr
    return dict(zip(queries, json.loads(done.stdout), strict=True))


def test_a_title_finds_its_section_exercise_or_term_among_the_first_three(index, found):
    shown = {title: [one["title"] for one in found[title][:3]] for title in titles_of(index)}
    assert [title for title, some in shown.items() if title not in some] == []
    first = [title for title, some in shown.items() if title == some[0]]
    assert len(first) > 0.95 * len(shown)


def titles_of(index):
    return {entry["title"] for entry in index}


def test_while_one_types_a_word_its_section_is_there_already(found):
    for n in range(3, 12):
        titles = [one["title"] for one in found["temperature"[:n]][:8]]
        assert "Temperature: from a look-up to an average" in titles


def test_other_forms_and_slips_find_the_same_among_the_first_three(found):
    places = {said: [one["href"] for one in found[said][:3]] for said in (*SAME, *SAME.values())}
    assert [said for said, meant in SAME.items() if places[meant][0] not in places[said]] == []


def test_what_explains_comes_before_what_lists(found):
    kinds = [one["kind"] for one in found["softmax temperature"]]
    assert kinds[0] == "section"


def test_what_the_book_calls_otherwise_is_found_under_both_names(found):
    assert [said for said, one in MEANT.items() if found[said] != found[one["here"]]] == []


def test_synonyms_are_few_and_have_reasons():
    assert len(MEANT) <= 20
    assert [said for said, one in MEANT.items() if one.keys() != {"here", "why"}] == []


@pytest.mark.parametrize("text", ["qkv: queries", "- qkv", "qkv: {why: short}", "qkv: {", "7"])
def test_synonyms_of_another_form_are_refused_in_a_sentence(tmp_path, text):
    file = tmp_path / "synonyms.yml"
    assert synonyms(file) == []
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="has other lines than such as qkv: "):
        synonyms(file)


def test_names_in_code_are_found(found):
    assert found["causal_mask"][0]["title"] == "causal_mask"
    assert found["np.roll"]


def test_a_letter_is_found_as_a_letter_and_not_as_a_beginning(found):
    assert {word for one in found["k"] for word in one["words"]} == {"k"}


def test_if_no_place_has_all_words_those_with_some_are_found(found):
    assert found["softmax zebra"]


def test_words_that_the_book_has_not_find_nothing_and_break_nothing(found):
    assert [query for query in NOTHING if found[query] != []] == []


def test_what_holds_no_word_asks_for_nothing(found):
    assert [query for query in NO_WORD if found[query] is not None] == []


def test_a_result_leads_to_a_place_in_its_page(found):
    for said in SAME:
        for result in found[said]:
            page, _, anchor = result["href"].partition("#")
            assert f'id="{anchor}"' in built(page)


def test_hints_and_solutions_are_not_in_the_index(index):
    texts = [entry["text"] for entry in index]
    assert not [text for text in texts if "Show the hint" in text or "Solution to" in text]
    chapter = (ROOT / "chapters" / "attention_pooling.md").read_text(encoding="utf-8")
    hint = re.search(r"\{dropdown\} [^\n]*\n:class-container: book-hint\n+([^\n]{20,40})", chapter)
    assert hint
    assert not [text for text in texts if hint[1].rstrip() in text]


def test_every_chapter_is_in_the_index_in_its_order_as_plain_text(index):
    pages = [Path(page).with_suffix(".md") for page in dict.fromkeys(one["page"] for one in index)]
    assert [page.stem for page in pages[:2]] == ["welcome", "why_attention"]
    files = [*(ROOT / "chapters").glob("*.md"), *(ROOT / "reference").glob("*.md")]
    assert sorted(pages) == sorted(file.relative_to(ROOT) for file in files)
    formulas = re.compile(r"\\[a-zA-Z(\[]|\{|\}")
    texts = [entry["text"] for entry in index if entry["kind"] in ("section", "exercise", "term")]
    assert [text for text in texts if formulas.search(text)] == []


@pytest.mark.parametrize("page", ["search.html", "chapters/welcome.html"])
def test_each_page_says_where_the_index_is(page):
    assert re.search(r' data-index="[./]*search-index\.js"', built(page))
