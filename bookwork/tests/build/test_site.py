"""The pages of the fixture book as they are written: terms, works, policy, footer, script."""

import re

import pytest

LINK = re.compile(
    r'<a class="book-term[^"]*" href="summary\.html#(term-[\w-]+)" title="([^"]+)">([^<]+)'
)
POLICY = '<meta http-equiv="Content-Security-Policy"'
PAGES = ("orders", "guesses", "figures", "sentences")


@pytest.fixture
def page_of(site):
    return lambda name: (site / "chapters" / f"{name}.html").read_text(encoding="utf-8")


def test_each_term_is_linked_once_and_the_link_leads_to_its_definition(page_of):
    links = [link for name in PAGES for link in set(LINK.findall(page_of(name)))]
    assert {place for place, _, _ in links} >= {"term-order", "term-share"}
    for name in PAGES:
        places = [place for place, _, _ in LINK.findall(page_of(name))]
        assert len(places) == len(set(places))
    assert not [name for name in ("welcome", "summary") if LINK.findall(page_of(name))]
    assert "pitta" in page_of("guesses")  # which says that it means something else by it
    assert "term-pitta" not in page_of("guesses")
    assert [place for place, _, _ in links if f'id="{place}"' not in page_of("summary")] == []
    meaning = "A number divided by the sum of all."
    assert {title for place, title, _ in links if place == "term-share"} == {meaning}


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"<h\d>.*?</h\d>", r"<pre>.*?</pre>", r"<code.*?</code>", r'<span class="math.*?</span>'),
        *(r"<figcaption>.*?</figcaption>", r'<a class="reference.*?</a>'),
        r"data-exercise=.*?</details>",
    ],
)
def test_headings_code_formulas_exercises_and_links_have_no_terms(page_of, pattern):
    found = [text for name in PAGES for text in re.findall(pattern, page_of(name), re.S)]
    assert [text for text in found if "book-term" in text] == []


def test_a_citation_says_author_and_year_and_its_entry_begins_so(page_of):
    orders = words_of(page_of("orders"))
    assert "as all shops do (Crumb et al., 1950)." in orders
    assert "Bond (1900a) tells, and Bond (1900b) denies." in orders
    works = words_of(page_of("summary"))
    for label in ("[Bond, 1900a]", "[Bond, 1900b]", "[Crumb et al., 1950]"):
        assert label in works
    assert 'href="https://arxiv.org/abs/1900.00001"' in page_of("summary")
    assert 'href="https://doi.org/10.1000/crumb"' in page_of("summary")


def words_of(page):
    return " ".join(re.sub(r"<[^>]*>", "", page).split())


def test_every_page_has_one_policy_before_all_that_it_could_forbid(site):
    pages = [path.read_text() for path in site.rglob("*.html")]
    pages = [page for page in pages if "<head" in page]  # of two, one leads on, one is a template
    assert len(pages) >= 6
    for page in pages:
        (content,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
        rules = dict(rule.split(" ", 1) for rule in content.split("; "))
        asking = re.search(r"<(script|link|img|style|body|title)\b", page)
        assert asking is None or page.index(POLICY) < asking.start()
        assert not re.search(r"data:|https?:|\*|'unsafe-inline'|'unsafe-eval'", rules["script-src"])
        assert (rules["worker-src"], rules["frame-src"]) == ("blob:", "'none'")


def test_a_page_ends_with_the_version_of_the_book_and_its_source(page_of, site):
    page = page_of("welcome")
    footer = page[page.index('class="book-footer"') :]
    assert "A Small Bakery 0.1.0, © 2026" in footer  # whatever Matplotlib dates its pictures by
    assert 'href="../_sources/chapters/welcome.md"' in footer
    assert (site / "_sources" / "chapters" / "welcome.md").is_file()


def test_the_bundle_has_the_script_that_the_library_gives_its_figures(page_of, site):
    assert "export default" not in page_of("welcome")
    bundle = (site / "_static" / "book" / "book.js").read_text()
    assert all(text in bundle for text in ("live-drawing", "live-readout", "Show as table"))
