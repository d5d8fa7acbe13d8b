"""The first use of a term in a chapter is a link to the glossary, and nothing else is."""

from types import SimpleNamespace

import pytest
from bookwork.sphinx import glossary_links
from docutils import nodes

TERMS = {"grain": ("#h", "One."), "many-grain bread": ("#m", "Several."), "query": ("#q", "?")}


def said(text, terms):
    parts = glossary_links.linked(text, terms, glossary_links.pattern_of(tuple(terms)))
    return [f"[{p.astext()}]" if p.hasattr("refuri") else p.astext() for p in map(wrapped, parts)]


def wrapped(part):
    """Give a bare text the form of an element."""
    return nodes.inline("", part) if isinstance(part, nodes.Text) else part


def test_the_longest_term_wins_plurals_count_and_each_is_linked_once():
    terms = dict(TERMS)
    text = "Many-grain\nbread has grains: a grain for each of the queries."
    assert "".join(said(text, terms)) == (
        "[Many-grain\nbread] has [grains]: a grain for each of the [queries]."
    )
    assert terms == {}


@pytest.mark.parametrize("text", ["ingrained two-grained graining", "many-grain", "key_query", ""])
def test_parts_of_words_are_no_terms(text):
    assert "".join(said(text, dict(TERMS))) == text


def test_the_terms_of_a_page_are_one_pattern_however_many_are_linked():
    texts = ("a grain", "a query", "more queries")
    page = nodes.section("", *(nodes.paragraph("", "", nodes.Text(text)) for text in texts))
    env = SimpleNamespace(docname="a", metadata={"a": {}}, toc_secnumbers={"a": {"": (1,)}})
    build = SimpleNamespace(
        env=env,
        document=page,
        config=SimpleNamespace(bookwork_house_style=True),
        terms_for=lambda page: dict(TERMS),
    )
    glossary_links.pattern_of.cache_clear()
    glossary_links.LinkTerms.run(build)
    assert [each.astext() for each in page.findall(nodes.reference)] == ["grain", "query"]
    assert glossary_links.pattern_of.cache_info().misses == 1
