"""A page whose files do not come: the text is there, and a sentence with a way on."""

import re

import pytest
from browser.cells import cell, run, write
from browser.shown import VIEWS
from playwright.sync_api import expect

CHAPTER = "chapters/welcome.html"  # small, with a figure and cells
LARGE = "chapters/attention_pooling.html"
FIGURES = ".live-views svg"
APPLIED = """() => [...document.querySelectorAll('link[rel="stylesheet"]')]
  .filter(({ sheet, media }) => !sheet?.cssRules.length || media).map(({ href }) => href)"""
MISSING = "A part of this page did not load"
LOG_IN = "<html>Please log in"  # which some networks send instead of a file
FAULTS = [
    ("**/book/book.js*", {"status": 404}),
    ("**/sphinx-book-theme.js*", {"body": LOG_IN, "content_type": "text/javascript"}),
    ("**/sphinx-book-theme.css*", {"body": LOG_IN, "content_type": "text/html"}),
]


def said(page):
    return page.get_by_role("complementary", name="Notice")


@pytest.mark.parametrize(("file", "answer"), FAULTS)
def test_a_file_that_does_not_come_is_told_and_a_reload_brings_it(page, server, file, answer):
    page.forgiven.append("")  # whatever goes wrong, it does so on purpose
    page.route(file, lambda route: route.fulfill(**answer), times=1)
    page.goto(f"{server}/{CHAPTER}")
    expect(said(page)).to_contain_text(MISSING)
    expect(page.locator(".book-still table, .live-views svg").first).to_be_visible()
    page.get_by_role("button", name="Reload").click()
    expect(page.locator(FIGURES).first).to_be_visible()
    expect(said(page)).to_be_hidden()


def test_a_style_sheet_is_there_though_one_that_it_imports_is_not(page, server):
    page.forgiven.append("")
    prefix = '@import url("https://fonts.example/own.css");'

    def answer(route):
        route.fulfill(body=prefix + route.fetch().text(), content_type="text/css")

    page.route("**/sphinx-book-theme.css*", answer)
    page.add_init_script(
        "addEventListener('error', ({ target }) => (window.failed += target.href), true)"
    )
    page.goto(f"{server}/{CHAPTER}", wait_until="networkidle")
    assert "sphinx-book-theme.css" in page.evaluate("failed")
    expect(page.locator(FIGURES).first).to_be_visible()
    expect(said(page)).to_be_hidden()


def test_what_is_late_is_told_and_taken_when_it_comes(page, server):
    held = {}
    page.route("**/sphinx-book-theme.js*", lambda route: held.update(script=route))
    page.route("**/pydata-sphinx-theme.css*", lambda route: held.update(sheet=route))
    page.goto(f"{server}/{CHAPTER}", wait_until="commit")
    expect(page.locator(FIGURES).first).to_be_visible()  # they wait for no script but their own
    expect(said(page)).to_contain_text(MISSING)
    for route in held.values():
        route.continue_()
    expect(said(page)).to_be_hidden()
    page.wait_for_function(f"() => ({APPLIED})().length === 0")


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


def test_an_editor_that_does_not_come_is_told_and_asked_for_again(page, server):
    page.forgiven.append("")
    page.route("**/editor.js*", lambda route: route.abort(), times=1)
    page.goto(f"{server}/{CHAPTER}")
    edit = page.get_by_role("button", name="Edit").first
    edit.click()
    expect(said(page)).to_contain_text("The editor could not be loaded.")
    edit.click()
    expect(page.get_by_role("textbox", name="Code of").first).to_be_focused()
    expect(said(page)).to_be_hidden()


def test_without_scripts_all_can_be_read_and_a_sentence_says_why(window, server):
    page = window(java_script_enabled=False).new_page()
    page.goto(f"{server}/{LARGE}")
    expect(page.get_by_text("Scripts are switched off in this browser")).to_be_visible()
    expect(page.locator(".katex-display").first).to_be_visible()
    expect(page.locator(".book-still")).to_have_count(page.locator(VIEWS).count())
    for figure in page.locator(".book-still").all():
        expect(figure.locator("table").first).to_be_visible()
    page.goto(f"{server}/chapters/queries_keys_values.html")
    check_cells_exercises_and_terms_are_plain(page)
    page.goto(f"{server}/search.html?q=softmax")
    found = page.locator(".book-search")
    expect(found).to_contain_text("Searching needs scripts", use_inner_text=True)
    chapters = page.get_by_role("navigation", name="Chapters")
    expect(chapters.get_by_role("link").nth(10)).to_be_visible()


def check_cells_exercises_and_terms_are_plain(page):
    """There is no button; hints and solution are folded, and a term is a link with a title."""
    expect(page.locator(".cell_input").first).to_be_visible()
    expect(page.locator(".cell_output .output").first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^(Run|Edit)"))).to_have_count(0)
    parts = page.locator("[data-exercise=ex-swap] details")
    assert [part.inner_text().strip() for part in parts.all()] == ["Hint 1", "Hint 2", "Solution"]
    parts.last.locator("summary").click()
    expect(parts.last.locator("pre")).to_be_visible()
    expect(page.locator(".exercise-line")).to_be_hidden()
    term = page.locator("a.book-term[href='summary.html#term-key']")
    expect(term).to_have_attribute("title", re.compile("^A vector that a query is compared with"))


def test_a_page_of_an_earlier_build_says_so_and_offers_to_reload(window, server):
    page = window().new_page()
    page.route("**/book/book.js*", lambda route: route.fulfill(status=404))
    page.route("**/build.json", lambda route: route.fulfill(json={CHAPTER: "another"}))
    page.goto(f"{server}/{CHAPTER}")
    expect(said(page)).to_contain_text("This page has been updated since you opened it")
    expect(said(page)).not_to_contain_text(MISSING)
    page.unroute("**/book/book.js*")
    page.unroute("**/build.json")
    page.get_by_role("button", name="Reload").click()
    expect(page.locator(FIGURES).first).to_be_visible()
    expect(said(page)).to_be_hidden()


@pytest.mark.parametrize("gone", [("snapshot-*", "**/*.wasm*"), ("index.json",)], ids=len)
def test_a_file_that_is_gone_in_a_build_costs_nothing_that_was_typed(page, server, gone):
    page.forgiven.append("")
    for file in gone:  # before the reader writes, which fetches Python
        page.route(f"**/_pyodide/{file}", lambda route: route.fulfill(status=404))
    page.goto(f"{server}/{CHAPTER}")
    write(page, 1, "mine = 1")
    said_of_it = run(page, 1)
    assert "wait a moment, then press Run again" in said_of_it
    assert "connection" not in said_of_it
    expect(said(page)).to_contain_text("the book has changed, or is just being built")
    page.get_by_role("button", name="Reload").click()
    expect(cell(page, 1).get_by_role("textbox")).to_have_text("mine = 1")


def test_every_address_that_a_page_loads_names_what_it_holds(page, server):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server}/{CHAPTER}")
    page.evaluate("() => window.bookWidgets.ready")
    page.get_by_role("button", name="Edit").first.click()
    page.locator(".cm-editor").first.wait_for()
    page.goto(f"{server}/search.html?q=softmax")
    page.locator(".book-search-results li").first.wait_for()
    named = re.compile(
        r"\.html|\?v=\w{8}$|/fonts/[\w-]+-\w{8}\.woff2$|^blob:|^data:"
        r"|/build\.json$"  # which a page asks for when a file is late
    )
    assert [url for url in asked if not named.search(url)] == []
