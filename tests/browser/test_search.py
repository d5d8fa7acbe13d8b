"""Searching as a reader does: from the box to the words in their section, and when it fails."""

import re
from urllib.parse import unquote

from browser.axe import check_place
from browser.shown import open_page, wait_until
from playwright.sync_api import expect

HERE, THERE = "chapters/welcome.html", "chapters/attention_pooling.html"
SECTION = "temperature-from-a-look-up-to-an-average"
MARKUP = "%3Cimg src=x onerror=%22window.injected=1%22%3E"
IN_VIEW = """() => {
  const { top } = document.querySelector("mark.book-found").getBoundingClientRect();
  return top > 0 && top < innerHeight;
}"""
NOTHING_RAN = """() => window.injected === undefined && !document.querySelector("img[src=x]")"""
COVERED = """form => {
  const icon = form.querySelector("i").getBoundingClientRect();
  const input = form.querySelector("input");
  const text = input.getBoundingClientRect().left + parseFloat(getComputedStyle(input).paddingLeft);
  return icon.right > text && icon.width > 0;
}"""
RINGS = """form => [form, ...form.querySelectorAll("*")]
  .filter((part) => getComputedStyle(part).outlineStyle !== "none" && part.matches(":focus-within"))
  .map((part) => part.tagName)"""
# What the index makes of odd words is tested in tests/book/test_search.py.
ODD = ["__proto__", MARKUP, "%25", "", "the", "q" * 3000]
OPEN_AGAIN = "(dialog) => { dialog.close(); dialog.showModal(); }"  # at once, as by two quick keys


def test_from_the_disk_too_a_search_leads_to_the_words_in_their_section(page, site):
    root = site.as_uri()
    open_page(page, f"{root}/{HERE}")
    page.keyboard.press("Control+k")
    expect(page.locator("#pst-search-dialog input")).to_be_focused()
    page.keyboard.type("softmax temperature")
    assert page.locator("#pst-search-dialog form").evaluate(COVERED) is False
    assert page.locator("#pst-search-dialog form").evaluate(RINGS) == ["FORM"]
    below = page.locator("#pst-search-dialog .book-search-results a").first
    expect(below).to_have_text("Temperature: from a look-up to an average")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?*")
    first = page.locator(".book-search-results a").first
    expect(first).to_have_text("Temperature: from a look-up to an average")
    assert page.locator(".book-search form").evaluate(COVERED) is False
    expect(page.get_by_role("status")).to_contain_text("places found for “softmax temperature”.")
    first.click()
    page.wait_for_url(f"**/{THERE}#{SECTION}")  # the words are not part of the address
    marks = page.locator("mark.book-found")
    expect(marks.first).to_be_visible()
    assert marks.first.evaluate(f"mark => mark.closest('#{SECTION}') !== null")
    found = {text.lower().removesuffix("s") for text in marks.all_text_contents()}
    assert found == {"softmax", "temperature"}
    page.evaluate("() => window.bookWidgets.ready")
    page.wait_for_function(IN_VIEW)
    page.keyboard.press("Escape")
    expect(marks).to_have_count(0)


def test_results_come_while_one_types_and_without_the_index_the_field_leads_to_the_page(
    page, server
):
    page.forgiven += ["search-index.js", "ERR_FAILED"]
    answers, asked = ["", ""], []
    page.route(re.compile(r"search-index\.js"), lambda route: answer(route, answers, asked))
    open_page(page, f"{server}/{HERE}")
    assert asked == []  # who reads asks for no index
    page.keyboard.press("Control+k")
    expect(page.locator("#pst-search-dialog input")).to_be_focused()
    page.keyboard.type("softmax")
    for attempt in (1, 2):  # what did not arrive is asked for again
        wait_until(page, lambda attempt=attempt: len(asked) == attempt)
        expect(page.locator(".book-search-below")).to_have_text(
            "The search index could not be loaded. Open this search again to try once more."
        )
        page.locator("#pst-search-dialog").evaluate(OPEN_AGAIN)
    check_the_results_below_the_field(page)
    assert len(asked) == 3
    check_the_arrow_keys_lead_to_a_result(page)


def check_the_results_below_the_field(page):
    dialog = page.locator("#pst-search-dialog")
    links = dialog.locator("li a")
    expect(dialog.get_by_role("status")).to_have_text(
        re.compile(r"^The first 8 of \d+ places\. Enter shows them all\.$")
    )
    expect(links).to_have_count(8)
    expect(dialog.locator("mark").first).to_have_text(re.compile("softmax", re.IGNORECASE))
    check_place(page, "#pst-search-dialog")
    page.set_viewport_size({"width": 390, "height": 700})
    assert dialog.evaluate("({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth")
    for typed, told in {"xyzzy": "Nothing in this book has “xyzzy”.", "": ""}.items():
        dialog.locator("input").fill(typed)
        expect(dialog.get_by_role("status")).to_have_text(told)
        expect(links).to_have_count(0)


def check_the_arrow_keys_lead_to_a_result(page):
    dialog = page.locator("#pst-search-dialog")
    dialog.locator("input").fill("softmax temperature")
    expect(dialog.locator("li a").nth(1)).to_be_visible()
    for key, focused in [("Down", 0), ("Down", 1), ("Up", 0), ("Up", None), ("Down", 0)]:
        page.keyboard.press(f"Arrow{key}")
        place = dialog.locator("input") if focused is None else dialog.locator("li a").nth(focused)
        expect(place).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{THERE}#{SECTION}")
    expect(page.locator("mark.book-found").first).to_be_visible()


def test_whatever_is_asked_for_is_answered_in_words(page, server):
    check_an_address_is_answered(page, f"{server}/search.html?q={MARKUP}")
    for query in map(unquote, ODD):
        page.locator(".book-search input").fill("softmax")
        expect(page.get_by_role("status")).to_contain_text("found for “softmax”")
        page.locator(".book-search input").fill(query)
        expect(page.get_by_role("status")).not_to_contain_text("found for “softmax”")
        expect(page.get_by_role("status")).to_have_text(re.compile(r"[.:?]$"))
        assert page.evaluate(NOTHING_RAN)
    check_an_address_is_answered(page, f"{server}/search.html?q=sofmax")
    expect(page.get_by_role("status")).to_contain_text("has “sofmax”: here is “softmax”.")
    page.get_by_role("button", name="more").click()
    expect(page.locator(".book-search-results a").nth(20)).to_be_visible()
    page.locator(".book-search input").fill("causal")
    expect(page.get_by_role("status")).to_contain_text("found for “causal”")
    check_a_chapter_runs_nothing(page, f"{server}/{HERE}?q={MARKUP}&highlight={MARKUP}#%25")


def check_an_address_is_answered(page, address):
    page.goto(address)
    expect(page.get_by_role("status")).to_have_text(re.compile(r"[.:?]$"))  # a sentence
    assert page.evaluate(NOTHING_RAN)


def check_a_chapter_runs_nothing(page, address):
    open_page(page, address)
    assert page.evaluate(NOTHING_RAN)


def test_without_its_index_the_page_says_so_and_lists_the_chapters(page, server):
    page.forgiven += ["search-index.js", "ERR_FAILED", "Unexpected"]
    answers, asked = ["", "window.bookSearchIndex = {", "window.other = {}"], []
    page.route(re.compile(r"search-index\.js"), lambda route: answer(route, answers, asked))
    page.goto(f"{server}/search.html?q=softmax")
    status = page.locator(".book-search-status")
    for left in (2, 1, 0):
        expect(status).to_contain_text("The search index could not be loaded")
        assert len(answers) == left
        expect(page.locator(".book-notice")).to_be_hidden()
        chapters = page.get_by_role("navigation", name="Chapters")
        expect(chapters.get_by_role("link", name="Scoring")).to_be_visible()
        page.get_by_role("button", name="Try again").click()  # which clears what is said
    expect(status).to_contain_text("found for “softmax”")
    assert len(set(asked)) == 4  # what a cache has kept is not taken again


def answer(route, answers, asked):
    """Answer with the next of some texts, an error if it is empty, and at last with the index."""
    asked.append(route.request.url)
    body = answers.pop(0) if answers else None
    if body:
        route.fulfill(body=body, content_type="text/javascript")
    elif body == "":
        route.abort()
    else:
        route.continue_()
