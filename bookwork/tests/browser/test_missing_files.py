"""A page whose files do not come: the text is there, and a sentence with a way on."""

import re

import pytest
from bookwork.testing.shown import VIEWS
from playwright.sync_api import expect

CHAPTER = "chapters/welcome.html"  # small, with a figure and cells
LARGE = "chapters/orders.html"
MISSING = "A part of this page did not load: reload. Your text is kept."


def said(page):
    return page.get_by_role("complementary", name="Notice")


@pytest.mark.parametrize("file", ["book/book.js", "book/editor.js", "sphinx-book-theme.css"])
def test_a_file_that_does_not_come_is_told_and_a_reload_brings_it(page, server, file):
    page.forgiven.append("")  # whatever goes wrong, it does so on purpose
    page.route(f"**/{file}*", lambda route: route.fulfill(status=404))
    page.goto(f"{server}/{CHAPTER}")
    if "editor" in file:
        page.get_by_role("button", name="Edit").first.click()
        expect(page.get_by_text("The editor could not be loaded.").first).to_be_visible()
    else:
        expect(said(page)).to_contain_text(MISSING)
    expect(page.locator(".book-still table, .live-views svg").first).to_be_visible()
    page.unroute(f"**/{file}*")
    page.reload()
    page.get_by_role("button", name="Edit").first.click()
    expect(page.get_by_role("textbox", name="Code of").first).to_be_focused()
    expect(said(page)).to_be_hidden()


def test_the_text_stands_where_it_stays_before_scripts_come(page, server):
    page.forgiven.append("")
    page.emulate_media(color_scheme="dark")
    text = page.locator("article h2").first
    page.route("**/*.js*", lambda route: route.abort())
    page.goto(f"{server}/{LARGE}")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.evaluate("document.fonts.ready")
    before = text.bounding_box()
    page.unroute("**/*.js*")
    page.reload()
    page.locator(".exercise-chapter button").wait_for()
    page.evaluate("document.fonts.ready")
    assert text.bounding_box() == before


def test_without_scripts_all_can_be_read_and_a_sentence_says_why(window, server):
    page = window(java_script_enabled=False).new_page()
    page.goto(f"{server}/{LARGE}")
    expect(page.get_by_text("Scripts are switched off in this browser")).to_be_visible()
    expect(page.locator(".katex-display").first).to_be_visible()
    expect(page.locator(".book-still")).to_have_count(page.locator(VIEWS).count())
    for figure in page.locator(".book-still").all():
        expect(figure.locator("table").first).to_be_visible()
    page.goto(f"{server}/{LARGE}")
    # cells exercises and terms are plain
    expect(page.locator(".cell_input").first).to_be_visible()
    expect(page.locator(".cell_output .output").first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^(Run|Edit)"))).to_have_count(0)
    parts = page.locator("[data-exercise=ex-swap] details")
    assert [part.inner_text().strip() for part in parts.all()] == ["Hint 1", "Hint 2", "Solution"]
    parts.last.locator("summary").click()
    expect(parts.last.locator("pre")).to_be_visible()
    expect(page.locator(".exercise-line")).to_be_hidden()
    term = page.locator("a.book-term[href='summary.html#term-order']")
    expect(term).to_have_attribute("title", re.compile("^The name with which a guest asks"))
    page.goto(f"{server}/search.html?q=bread")
    found = page.locator(".book-search")
    expect(found).to_contain_text("Searching needs scripts", use_inner_text=True)
    chapters = page.get_by_role("navigation", name="Chapters")
    expect(chapters.get_by_role("link").nth(4)).to_be_visible()


def test_every_address_that_a_page_loads_names_what_it_holds(page, server):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server}/{CHAPTER}")
    page.evaluate("() => window.bookWidgets.ready")
    page.get_by_role("button", name="Edit").first.click()
    page.locator(".cm-editor").first.wait_for()
    page.goto(f"{server}/search.html?q=bread")
    page.locator(".book-search-results li").first.wait_for()
    told = r"\?(v|digest)=\w+$|/fonts/[\w-]+-\w{8}\.woff2$|/mystnb\.\w{64}\.css$"
    named = re.compile(rf"\.html|{told}|^blob:|^data:")
    unnamed = {url.rpartition("/")[2] for url in asked if not named.search(url)}
    of_others = {"basic.css", "exercise.css"}
    assert unnamed <= {*of_others, "logo.svg", "favicon.svg", "search-index.js"}
