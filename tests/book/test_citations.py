"""Citations by author and year, links to what is cited, and a way back from the bibliography."""

import re

import pytest
from book.chapters import built, words_of

ENTRY = re.compile(
    r'<div class="citation" id="work-(\w+)".*?(?=<div class="citation"|</section>)', re.S
)


@pytest.fixture(scope="module")
def entries():
    page = built("chapters/summary.html")
    return {match[1]: match[0] for match in ENTRY.finditer(page)}


def test_a_citation_says_author_and_year():
    page = words_of(built("chapters/welcome.html"))
    assert "machine translation (Bahdanau et al., 2015) and" in page
    page = words_of(built("chapters/attention_pooling.html"))
    assert "Boyd and Vandenberghe (2004), its chapter" in page


def test_an_entry_begins_as_it_is_cited(entries):
    assert len(entries) > 40
    assert "[Boyd and Vandenberghe, 2004]" in words_of(entries["boyd2004"])


def test_works_of_the_same_authors_and_year_are_told_apart(entries):
    labels = [re.match(r"\[(.*?)\]", words_of(entry))[1] for entry in entries.values()]
    assert sorted(set(labels)) == sorted(labels)
    page = words_of(built("chapters/what_came_after.html"))
    cited = re.findall(r"Yang et al., (\w+)", page)
    assert {"2024", "2024a", "2024b"} & set(cited) == {"2024a", "2024b"}
    assert all(f"Yang et al., {year}" in labels for year in cited)


def test_arxiv_numbers_and_dois_are_links(entries):
    for entry in entries.values():
        for number in re.findall(r"arXiv:([\w./-]*\w)", words_of(entry)):
            assert f'href="https://arxiv.org/abs/{number}"' in entry
        for number in re.findall(r"doi:(\S*\w)", words_of(entry)):
            assert f'href="https://doi.org/{number}"' in entry
    assert 'href="https://doi.org/' in "".join(entries.values())
