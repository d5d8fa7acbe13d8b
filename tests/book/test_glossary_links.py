"""The first use of a term in a chapter is a link to the glossary, and nothing else is."""

import re

import pytest
from book.chapters import built
from bookwork.sphinx import glossary_links
from docutils import nodes

LINK = re.compile(
    r'<a class="book-term[^"]*" href="summary\.html#(term-[\w-]+)" title="([^"]+)">([^<]+)'
)
CHAPTERS = ["why_attention", "attention_pooling", "self_attention", "how_attention_learns"]
TERMS = {"head": ("#h", "One."), "multi-head attention": ("#m", "Several."), "query": ("#q", "?")}


def page_of(name):
    return built(f"chapters/{name}.html")


@pytest.mark.parametrize("name", CHAPTERS)
def test_each_term_is_linked_once_and_the_link_leads_to_its_definition(name):
    links = LINK.findall(page_of(name))
    assert len(links) >= 8
    places = [place for place, _, _ in links]
    assert len(places) == len(set(places))
    glossary = page_of("summary")
    assert [place for place in places if f'id="{place}"' not in glossary] == []
    assert [title for _, title, _ in links if "\\" in title or len(title) < 15] == []
    assert [title for _, title, _ in links if "(" in title and "sec-" in title] == []


def test_each_entry_of_the_glossary_ends_with_a_link_to_its_chapter():
    entries = re.findall(r'<dt id="term-[^"]*">.*?<dd>(.*?)</dd>', page_of("summary"), re.S)
    home = re.compile(r'\(<a [^>]*href="\w+\.html[^>]*><span[^>]*>chapter \d+</span></a>\)</p>')
    assert entries
    assert [entry for entry in entries if not home.search(entry)] == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_headings_code_formulas_exercises_and_links_are_left_alone(name):
    page = page_of(name)
    for pattern in (
        r"<h\d>.*?</h\d>",
        r"<pre>.*?</pre>",
        r"<code.*?</code>",
        r'<span class="math.*?</span>',
        r"<figcaption>.*?</figcaption>",
        r'<a class="reference.*?</a>',
        r"data-exercise=.*?</details>",
    ):
        found = re.findall(pattern, page, re.S)
        assert [text for text in found if "book-term" in text] == []


def test_pages_that_are_no_chapters_and_the_glossary_itself_have_no_such_links():
    for name in ("welcome", "notation", "teaching", "summary"):
        assert not LINK.findall(page_of(name))


def test_a_chapter_can_mean_something_else_by_a_word():
    assert "term-key" not in [place for place, _, _ in LINK.findall(page_of("why_attention"))]


def said(text, terms):
    parts = glossary_links.linked(text, terms)
    return [f"[{p.astext()}]" if p.hasattr("refuri") else p.astext() for p in map(wrapped, parts)]


def wrapped(part):
    """Give a bare text the form of an element."""
    return nodes.inline("", part) if isinstance(part, nodes.Text) else part


def test_the_longest_term_wins_plurals_count_and_each_is_linked_once():
    terms = dict(TERMS)
    text = "Multi-head\nattention has heads: a head for each of the queries."
    assert "".join(said(text, terms)) == (
        "[Multi-head\nattention] has [heads]: a head for each of the [queries]."
    )
    assert terms == {}


@pytest.mark.parametrize(
    "text", ["ahead of two-headed heading", "multi-head", "key_query", "", "x"]
)
def test_parts_of_words_are_no_terms(text):
    assert "".join(said(text, dict(TERMS))) == text
