"""Finding one's way in a page: terms, works that are cited, wide tables, the header on a phone."""

import re

import pytest
from bookwork.testing.pages import check_faults, watched
from bookwork.testing.shown import TWO_PAINTS, open_page, wait_for_drawing
from playwright.sync_api import expect

CHAPTER = "chapters/orders.html"
MEANING = "The name with which a guest asks for a bread. Each order has one row."
PHONE = {"width": 390, "height": 844}
# Where figures land that the address names one after the other, when something above them grows:
# in Safari the text then moves away, and in Chromium with this style.
LAND = """async (names) => {
  document.body.style.overflowAnchor = "none";
  const paints = async () => {
    for (const paint of [1, 2]) await new Promise(requestAnimationFrame);
  };
  const above = document.createElement("div");
  document.querySelector("article").prepend(above);
  const top = (name) => Math.round(document.getElementById(name).getBoundingClientRect().top);
  const landed = {};
  for (const name of names) {
    location.hash = name;
    await paints();
    above.style.height = `${500 - above.offsetHeight}px`;
    await paints();
    landed[name] = top(name);
  }
  return landed;
}"""
LAST_BEGUN = """(all) => {
  const begun = all.filter((heading) => heading.getBoundingClientRect().top < 0.3 * innerHeight);
  return begun.at(-1).firstChild.textContent;
}"""
GROUND = "entry => getComputedStyle(entry).backgroundColor"
INK_AND_GROUND = """(tip) => {
  const { color, backgroundColor } = getComputedStyle(tip);
  return [color, backgroundColor].map((each) => each.match(/[0-9]+/g).slice(0, 3).map(Number));
}"""


@pytest.fixture
def page(window, server):
    """Return a page that can be touched; nothing may go wrong in it."""
    page = watched(window(has_touch=True).new_page(), server)
    yield page
    check_faults(page)


def test_terms_and_works_can_be_found_by_mouse_keyboard_and_finger(page, server):
    open_page(page, f"{server}/{CHAPTER}")  # nothing moves away from the pointer
    # a term says what it means to mouse and keyboard
    term, box = page.locator("a.book-term[href$='#term-order']"), page.get_by_role("tooltip")
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
    page.wait_for_url("**/summary.html#term-order")
    expect(page.locator("#term-order")).to_be_in_viewport()
    open_page(page, f"{server}/{CHAPTER}")
    # a citation leads to its work
    page.get_by_role("link", name="Crumb et al., 1950").click()
    page.wait_for_url("**/summary.html#work-crumb1950")
    entry = page.locator("#work-crumb1950")
    expect(entry).to_be_in_viewport()
    ground = page.locator("#work-bond1900a").evaluate(GROUND)
    expect(entry).not_to_have_css("background-color", ground)
    open_page(page, f"{server}/{CHAPTER}")
    # a term says what it means to a finger
    page.locator("a.book-term[href$='#term-order']").tap()
    expect(page.get_by_role("tooltip")).to_contain_text(MEANING)
    assert page.url.endswith(CHAPTER)
    page.get_by_role("tooltip").get_by_role("link", name="Glossary").tap()
    page.wait_for_url("**/summary.html#term-order")


def test_a_link_to_a_figure_lands_on_it_while_figures_take_their_height(page, server, site):
    """Each chapter is opened at its last figure, above which most others take their height."""
    missed = {}
    for chapter in ("orders", "guesses", "figures"):
        text = (site / "chapters" / f"{chapter}.html").read_text(encoding="utf-8")
        figures = re.findall(r'<figure[^>]* id="([^"]+)', text)
        page.goto(f"{server}/chapters/{chapter}.html#{figures[-1]}")
        wait_for_drawing(page)
        page.evaluate(TWO_PAINTS)
        opened = {figures[-1]: page.locator(f"#{figures[-1]}").bounding_box()["y"]}
        landed = page.evaluate(LAND, figures) | opened
        missed |= {name: top for name, top in landed.items() if not 0 <= top < 200}
    assert missed == {}


def test_wide_tables_and_the_header_on_a_phone(page, server):
    page.set_viewport_size(PHONE)
    open_page(page, f"{server}/chapters/summary.html")
    table = page.get_by_role("region", name="Table: A wide table, scrolls sideways")
    expect(table).to_have_class(re.compile("book-more-after"))
    table.focus()
    table.evaluate("box => box.scrollTo(box.scrollWidth, 0)")
    expect(table).to_have_class(re.compile("book-more-before"))
    expect(table).not_to_have_class(re.compile("book-more-after"))
    page.set_viewport_size({"width": 405, "height": 844})  # a phone of 390, and a bar to scroll
    open_page(page, f"{server}/chapters/figures.html")
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390


def test_the_list_of_sections_follows_a_jump_and_closes_on_a_phone(page, server):
    page.goto(f"{server}/{CHAPTER}#summary")
    wait_for_drawing(page)
    sections = page.locator("#pst-page-toc-nav")
    marked = sections.locator("a[aria-current=true]")
    expect(marked).to_have_text("Summary")
    page.locator("#summary").evaluate("(section) => (section.hidden = true)")  # begins nowhere
    page.evaluate("() => scrollTo({ top: 1500, behavior: 'instant' })")
    heading = page.locator("section > h2:visible").evaluate_all(LAST_BEGUN)
    expect(marked).to_have_text(heading)
    page.locator("#summary").evaluate("(section) => (section.hidden = false)")
    page.set_viewport_size(PHONE)
    for way_out in ("a[href='#summary']", ".book-close"):
        page.locator(".secondary-toggle").tap()
        expect(sections).to_be_visible()
        page.locator("dialog[open]").locator(way_out).tap()
        expect(sections).to_be_hidden()


def test_the_tips_of_the_bar_can_be_read_in_the_dark(page, server):
    page.emulate_media(color_scheme="dark")
    page.goto(f"{server}/{CHAPTER}")
    page.get_by_role("button", name="Fullscreen mode").first.hover()
    tip = page.locator(".tooltip-inner")
    ink, ground = tip.evaluate(INK_AND_GROUND)
    assert sum(abs(a - b) for a, b in zip(ink, ground, strict=True)) > 400
