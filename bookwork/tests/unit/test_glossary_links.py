"""The first use of a term in a chapter is a link to the glossary, and nothing else is."""

import pytest
from bookwork.sphinx import glossary_links
from docutils import nodes

TERMS = {"grain": ("#h", "One."), "many-grain bread": ("#m", "Several."), "query": ("#q", "?")}


def said(text, terms):
    parts = glossary_links.linked(text, terms)
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


@pytest.mark.parametrize(
    "text", ["ingrained two-grained graining", "many-grain", "key_query", "", "x"]
)
def test_parts_of_words_are_no_terms(text):
    assert "".join(said(text, dict(TERMS))) == text
