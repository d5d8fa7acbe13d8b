"""Finding one's way in a page: terms, works that are cited, wide tables, the header on a phone."""

import re

import pytest
from browser.conftest import VIEWPORT, check_faults, watched
from browser.shown import open_page, wait_for_drawing
from playwright.sync_api import expect

CHAPTER = "chapters/queries_keys_values.html"
MEANING = "A vector that a query is compared with. Each key has one value."
PHONE = {"width": 390, "height": 844}
BUTTONS = (
    ".bd-header-article :is(.article-header-buttons > .btn, .dropdown-toggle, .primary-toggle)"
)
CAPTION = "button => getComputedStyle(button, '::after').content.split('/')[0].trim()"
GAP = "button => parseFloat(getComputedStyle(button).rowGap) || 0"
GROUND = "entry => getComputedStyle(entry).backgroundColor"


@pytest.fixture
def page(window, server):
    """Return a page that can be touched; nothing may go wrong in it."""
    page = watched(window(has_touch=True).new_page(), server)
    yield page
    check_faults(page)


def test_terms_and_works_can_be_found_by_mouse_keyboard_and_finger(page, server):
    """The checks follow links, from the chapter to its summary and back, twice."""
    open_page(page, f"{server}/{CHAPTER}")  # nothing moves away from the pointer
    check_a_term_says_what_it_means_to_mouse_and_keyboard(page)
    check_a_work_leads_to_where_it_is_cited(page)
    check_a_citation_leads_to_its_work(page)
    page.set_viewport_size(PHONE)
    check_numbers_of_a_figure_scroll_sideways(page)
    open_page(page, f"{server}/{CHAPTER}")
    check_a_term_says_what_it_means_to_a_finger(page)


def check_a_term_says_what_it_means_to_mouse_and_keyboard(page):
    term, box = page.locator("a.book-term[href$='#term-key']"), page.get_by_role("tooltip")
    term.hover()
    expect(box).to_contain_text(MEANING)
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    term.focus()
    expect(box).to_contain_text(MEANING)
    expect(term).to_have_attribute("aria-describedby", box.get_attribute("id"))
    term.blur()
    expect(box).to_be_hidden()
    term.click()
    page.wait_for_url("**/summary.html#term-key")
    expect(page.locator("#term-key")).to_be_in_viewport()


def check_a_work_leads_to_where_it_is_cited(page):
    page.locator("#work-xu2015").get_by_role("link", name="chapter 2").click()
    page.wait_for_url(re.compile(r"/queries_keys_values\.html#\w+$"))
    place = page.locator(f"#{page.url.partition('#')[2]}")
    expect(place).to_contain_text("Xu et al., 2015")
    expect(place).to_be_in_viewport()


def check_a_citation_leads_to_its_work(page):
    page.get_by_role("link", name="Xu et al., 2015").click()
    page.wait_for_url("**/summary.html#work-xu2015")
    entry = page.locator("#work-xu2015")
    expect(entry).to_be_in_viewport()
    ground = page.locator("#work-boyd2004").evaluate(GROUND)
    expect(entry).not_to_have_css("background-color", ground)


def check_a_term_says_what_it_means_to_a_finger(phone):
    phone.locator("a.book-term[href$='#term-key']").tap()
    expect(phone.get_by_role("tooltip")).to_contain_text(MEANING)
    assert phone.url.endswith(CHAPTER)
    phone.get_by_role("tooltip").get_by_role("link", name="Glossary").tap()
    phone.wait_for_url("**/summary.html#term-key")


def check_numbers_of_a_figure_scroll_sideways(page):
    wait_for_drawing(page)
    page.get_by_role("button", name="Show as table").first.click()
    look_at_the_end(page.get_by_role("region", name=re.compile("^Numbers of the figure: ")))


def test_wide_tables_and_the_header_on_a_phone(page, server):
    page.set_viewport_size(PHONE)
    open_page(page, f"{server}/chapters/notation.html")
    table = page.get_by_role("region", name="Table: Looking things up, scrolls sideways")
    look_at_the_end(table)
    for button in page.locator(BUTTONS).all():
        if button.is_visible():
            assert re.fullmatch(r'"[A-Z]\w+"', button.evaluate(CAPTION))
            assert button.get_attribute("aria-label") or button.inner_text().strip()
            assert button.evaluate(GAP) == 0  # or its word stands lower than the others
    page.set_viewport_size(VIEWPORT)
    # the theme sets -1, a little later
    expect(page.locator(".pst-scrollable-table-container[tabindex='0']")).to_have_count(0)


def look_at_the_end(table):
    """A table that scrolls says on which side there is more, also to the keyboard."""
    expect(table).to_have_class(re.compile("live-more-after"))
    table.focus()
    table.evaluate("box => box.scrollTo(box.scrollWidth, 0)")
    expect(table).to_have_class(re.compile("live-more-before"))
    expect(table).not_to_have_class(re.compile("live-more-after"))


def test_a_chapter_is_saved_as_a_notebook(page, server):
    open_page(page, f"{server}/{CHAPTER}")
    page.locator(".dropdown-download-buttons > button").click()
    with page.expect_download() as download:
        page.locator(".dropdown-download-buttons a", has_text=".ipynb").click()
    assert download.value.suggested_filename.endswith(".ipynb")
    assert download.value.path().read_bytes().startswith(b"{")
