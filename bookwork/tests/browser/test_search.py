"""Searching as a reader does: from the field to the words in their section, and when it fails."""

import re
from urllib.parse import unquote

from bookwork.testing.looks import check_place
from bookwork.testing.shown import open_page
from playwright.sync_api import expect

HERE, THERE = "chapters/welcome.html", "chapters/orders.html"
SECTION = "shares"
TITLE = "Shares"
DIALOG = "#pst-search-dialog"
MARKUP = "%3Cimg src=x onerror=%22window.injected=1%22%3E"
IN_VIEW = """() => {
  const { top } = document.querySelector("mark.book-found").getBoundingClientRect();
  return top > 0 && top < innerHeight;
}"""
NOTHING_RAN = """() => window.injected === undefined && !document.querySelector("img[src=x]")"""
# What the index makes of odd words is tested in tests/book/test_search.py.
ODD = [MARKUP, "", "q" * 3000]


def test_from_the_disk_too_a_search_leads_to_the_words_in_their_section(page, site):
    open_page(page, f"{site.as_uri()}/{HERE}")
    page.keyboard.press("Control+k")
    dialog = page.locator(DIALOG)
    expect(dialog.locator("input")).to_be_focused()
    page.keyboard.type("divided shares")
    links = dialog.locator("li a")
    expect(links.first).to_have_text(TITLE)
    for key, focused in [("Down", 0), ("Down", 1), ("Up", 0), ("Up", None), ("Down", 0)]:
        page.keyboard.press(f"Arrow{key}")
        stop = dialog.locator("input") if focused is None else links.nth(focused)
        expect(stop).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{THERE}#{SECTION}")  # the words are not part of the address
    marks = page.locator("mark.book-found")
    expect(marks.first).to_be_visible()
    assert marks.first.evaluate(f"mark => mark.closest('#{SECTION}') !== null")
    found = {text.lower().removesuffix("s") for text in marks.all_text_contents()}
    assert {"divided", "share"} <= found <= {"divide", "divided", "share"}
    page.evaluate("() => window.bookWidgets.ready")
    page.wait_for_function(IN_VIEW)
    page.keyboard.press("Escape")
    expect(marks).to_have_count(0)


def test_results_come_while_one_types_and_only_who_searches_loads_the_index(page, server):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    open_page(page, f"{server}/{HERE}")
    assert [address for address in asked if "search-" in address] == []
    page.keyboard.press("Control+k")
    page.keyboard.type("bread")
    dialog = page.locator(DIALOG)
    links, status = dialog.locator("li a"), dialog.get_by_role("status")
    expect(status).to_have_text(re.compile(r"^\d+ places found for “bread”\.$"))
    expect(links).to_have_count(8)
    expect(dialog.locator("mark").first).to_have_text(re.compile("bread", re.IGNORECASE))
    check_place(page, DIALOG)
    page.set_viewport_size({"width": 390, "height": 700})
    assert dialog.evaluate("({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth")
    dialog.get_by_role("button", name="Show more").click()
    expect(links.nth(8)).to_be_focused()
    dialog.locator("input").press("Enter")
    page.wait_for_url("**/search.html?q=bread")
    check_whatever_is_asked_for_is_answered_in_words(page)
    for address in (f"search.html?q={MARKUP}", f"{HERE}?q={MARKUP}&highlight={MARKUP}#%25"):
        open_page(page, f"{server}/{address}")
        assert page.evaluate(NOTHING_RAN)


def check_whatever_is_asked_for_is_answered_in_words(page):
    field, status = page.locator(".book-search input"), page.get_by_role("status")
    for query in map(unquote, ODD):
        field.fill("bread")
        expect(status).to_contain_text("found for “bread”")
        field.fill(query)
        expect(status).not_to_contain_text("found for “bread”")
        expect(status).to_have_text(re.compile(r"\.$"))
        assert page.evaluate(NOTHING_RAN)


def test_without_its_index_the_search_says_so_and_leads_to_the_chapters(page, server):
    page.forgiven += ["search-", "ERR_FAILED", "Unexpected"]
    answers, asked = ["", "window.bookSearchIndex = {", "window.other = {}"], []
    page.route(re.compile(r"search-index\.js"), lambda route: answer(route, answers, asked))
    page.goto(f"{server}/search.html?q=bread")
    status = page.locator(".book-search-status")
    for left in (2, 1, 0):
        expect(status).to_contain_text("so nothing can be looked up")
        assert len(answers) == left
        chapters = page.get_by_role("navigation", name="Chapters")
        expect(chapters.get_by_role("link", name="Orders")).to_be_visible()
        page.get_by_role("button", name="Try again").click()
    expect(status).to_contain_text("found for “bread”")
    assert len(set(asked)) == 4  # none from what the browser has kept
    expect(page.get_by_role("complementary", name="Notice")).to_have_count(0)
    page.route(re.compile(r"search-words\.js"), lambda route: route.abort())
    open_page(page, f"{server}/{HERE}")
    page.keyboard.press("Control+k")
    page.get_by_role("link", name="Choose a chapter").click()
    page.wait_for_url("**/search.html*")


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
