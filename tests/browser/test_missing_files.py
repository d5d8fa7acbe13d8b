"""A page whose files do not come: the text is there, and a sentence with a way on."""

import re

import pytest
from playwright.sync_api import expect

CHAPTER = "chapters/welcome.html"  # small, with a figure, cells and a formula
LARGE = "chapters/attention_pooling.html"
FIGURES = ".live-views svg"
OTHERS = re.compile(  # when first asked for
    r"^(?!.*again=).*(mathjax.*/tex|doctools|clipboard|copybutton|togglebutton|bootstrap|theme)\.js"
)
# The second answer comes after the first, and so after what the page does with that.
ASK_AGAIN = """() => fetch("../build.json").then((answer) => answer.json())
  .then(() => new Promise((done) => setTimeout(done)))"""

APPLIED = """() => [...document.querySelectorAll('link[rel="stylesheet"]')]
  .filter(({ sheet, media }) => !sheet?.cssRules.length || media).map(({ href }) => href)"""
LOSSES = {
    "**/book/book.js*": "Figures do not move and code does not run",
    "**/mathjax*/core.js*": "Formulas are shown as they were typed",
    "**/sphinx-book-theme.css*": "The page looks plain",
    "**/bootstrap.js*": "Some buttons on this page do nothing",
}


def never(route):
    """Let a request wait for ever."""


def said(page):
    return page.get_by_role("complementary", name="Notice")


def test_figures_and_cells_wait_for_no_script_but_their_own(window, server):
    page, held = window().new_page(), {}
    page.route(OTHERS, never)
    page.route("**/pydata-sphinx-theme.css*", lambda route: held.update(sheet=route))
    page.goto(f"{server}/{CHAPTER}", wait_until="commit")
    expect(page.locator(FIGURES).first).to_be_visible()
    expect(page.get_by_role("button", name="Run").first).to_be_visible()
    page.route("**/editor.js*", lambda route: held.setdefault("editor", route))
    edit = page.get_by_role("button", name="Edit").first
    edit.click()
    expect(said(page)).to_contain_text("Formulas are shown as they were typed")
    expect(said(page)).to_contain_text("The page looks plain")
    try_again(page, "Some buttons on this page do nothing")
    try_again(page, "Formulas are shown")
    expect(page.locator("mjx-container").first).to_be_visible()
    expect(said(page)).to_contain_text("The editor could not be loaded.")
    expect(page.get_by_text("Loading the editor")).to_have_count(0)
    with page.expect_request(re.compile(r"editor\.js.*again=1")):
        edit.click()
    for route in held.values():  # what comes late is taken, too
        route.continue_()
    expect(page.get_by_role("textbox", name="Code of").first).to_be_focused()
    expect(said(page)).to_be_hidden()
    assert page.evaluate(APPLIED) == []


def try_again(page, words):
    line = said(page).locator("p", has_text=words)
    line.get_by_role("button", name="Try again").click()
    expect(line).to_have_count(0)


def test_formulas_wait_for_no_script_but_their_own(window, server):
    page = window().new_page()
    page.route(re.compile(r"book\.js|doctools|theme\.js"), never)
    page.goto(f"{server}/{CHAPTER}", wait_until="commit")
    expect(page.locator("mjx-container").first).to_be_visible()


def test_a_part_that_one_formula_needs_and_that_does_not_come_is_told_and_fetched_again(
    window, server
):
    page = window().new_page()
    page.route(f"**/{CHAPTER}", colour_a_formula)
    page.route(re.compile(r"^(?!.*again=).*/color\.js"), never)
    page.goto(f"{server}/{CHAPTER}", wait_until="commit")
    try_again(page, "Formulas are shown")
    expect(page.locator("mjx-container").first).to_be_visible()
    expect(said(page)).to_be_hidden()


def colour_a_formula(route):
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace("\\(", r"\(\color{red} ", 1))


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param("missing", marks=pytest.mark.rare),
        pytest.param("late", marks=pytest.mark.rare),
        "damaged",
    ],
)
def test_without_its_script_a_page_shows_tables_says_so_and_tries_again(window, server, fault):
    def fail(route):
        kind = "html" if "css" in route.request.url else "javascript"
        if fault == "missing":
            route.fulfill(status=404)
        elif fault == "damaged":
            route.fulfill(body="<html>", content_type=f"text/{kind}")

    page = window().new_page()
    for file in LOSSES:
        page.route(file, fail, times=1)
    page.goto(f"{server}/{CHAPTER}", wait_until="commit")
    for words in LOSSES.values():
        expect(said(page)).to_contain_text(words)
    expect(page.locator(".book-still table").first).to_be_visible()
    for words in LOSSES.values():
        try_again(page, words)
    expect(page.locator(FIGURES).first).to_be_visible()
    expect(page.locator(".book-still")).to_have_count(0)
    expect(page.locator("mjx-container").first).to_be_visible()
    page.wait_for_function(f"() => ({APPLIED})().length === 0")
    expect(said(page)).to_be_hidden()


def test_a_script_that_comes_while_the_page_asks_for_updates_is_not_said_to_be_missing(
    window, server
):
    page, held = window().new_page(), {}
    page.route("**/book/book.js*", lambda route: held.setdefault("script", route))
    page.route("**/build.json", lambda route: held.setdefault("build", route))
    with page.expect_request("**/build.json"):
        page.goto(f"{server}/{CHAPTER}", wait_until="commit")
    held["script"].continue_()
    page.wait_for_function("() => window.bookCells")
    with page.expect_response("**/build.json") as answer:
        held["build"].continue_()
    answer.value.finished()
    page.unroute("**/build.json")
    page.evaluate(ASK_AGAIN)
    expect(said(page)).to_be_hidden()


def test_the_text_does_not_wait_for_ever_for_a_style_sheet(window, server):
    page = window().new_page()
    page.route("**/pydata-sphinx-theme.css*", never)
    page.goto(f"{server}/{CHAPTER}", wait_until="commit")
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
    expect(page.locator(FIGURES).first).to_be_visible()


def test_without_scripts_every_figure_is_a_table_and_a_sentence_says_why(window, server):
    page = window(java_script_enabled=False).new_page()
    page.goto(f"{server}/{LARGE}")
    expect(page.get_by_text("Scripts are switched off in this browser")).to_be_visible()
    markers = page.locator('script[type="application/vnd.jupyter.widget-view+json"]')
    figures = page.locator(".book-still")
    expect(figures).to_have_count(markers.count())
    for figure in figures.all():
        expect(figure.locator("table").first).to_be_visible()


def test_a_page_of_an_earlier_build_says_so_and_offers_to_reload(window, server):
    page = window().new_page()
    page.route("**/book/book.js*", lambda route: route.fulfill(status=404))
    page.route("**/build.json", lambda route: route.fulfill(json={CHAPTER: "another"}))
    page.goto(f"{server}/{CHAPTER}")
    expect(said(page)).to_contain_text("This page has been updated since you opened it")
    expect(said(page)).not_to_contain_text("has not arrived")
    page.unroute("**/book/book.js*")
    page.unroute("**/build.json")
    page.get_by_role("button", name="Reload").click()
    expect(page.locator(FIGURES).first).to_be_visible()
    expect(said(page)).to_be_hidden()


# A larger chapter loads more of the same kinds of files.
@pytest.mark.parametrize("chapter", [CHAPTER, pytest.param(LARGE, marks=pytest.mark.rare)])
def test_every_address_that_a_page_loads_names_what_it_holds(page, server, chapter):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server}/{chapter}")
    page.evaluate("() => window.bookWidgets.ready")
    page.get_by_role("button", name="Edit").first.click()
    page.locator(".cm-editor").first.wait_for()
    page.goto(f"{server}/search.html?q=softmax")
    page.locator(".book-search-results li").first.wait_for()
    named = re.compile(
        r"\.html|\?v=\w{8}$|/mathjax-[\d.]+/|/fonts/[\w-]+-[A-Z0-9]{8}\.woff2$|^blob:|^data:"
        r"|/build\.json$"  # which a page asks for when a file is late
    )
    assert [url for url in asked if not named.search(url)] == []
