"""Every page: drawn, readable on a phone in the dark; every live figure: what the library returns.

Figures are read as they start; the first of each kind is moved, and in the rare run all are.
"""

from pathlib import Path

import pytest
from bookwork.testing.looks import check_accessible, check_looks
from bookwork.testing.pages import page_names
from bookwork.testing.shown import TWO_PAINTS, beside, check_drawn, open_page
from built_book import SITE
from chapters.page import run_chapter
from playwright.sync_api import expect

PAGES = page_names(SITE) if (SITE / "searchindex.js").is_file() else []
MOVED = [
    f"chapters/{name}.html"
    for name in ("why_attention", "attention_pooling", "self_attention", "scoring_functions")
]
PHONE, SCREEN = {"width": 390, "height": 900}, {"width": 1280, "height": 900}
TALLEST = 700  # pixels, where a window has 1280 by 900
WHOLE_MODELS = 1000  # of a figure that shows one: its buttons stay in sight
WHOLE = ("fig-machine", "fig-welcome-heads")
HEIGHTS = """() => [...document.querySelectorAll("article figure .book-widget")].map((widget) => {
  return [widget.closest("figure").id, widget.offsetHeight];
})"""


def figures_on(name):
    """Return the figures of a page, made by running its chapter."""
    return run_chapter(Path(name).stem).figures if name.startswith("chapters/") else []


@pytest.mark.parametrize("name", [name for name in PAGES if name not in MOVED])
def test_a_page_can_be_read_on_a_phone_in_the_dark(page, server, name):
    visit(page, server, name)
    for shown in beside(page, figures_on(name)):
        shown.check()


def test_figures_show_what_the_library_returns_wherever_they_are_moved(page, server):
    """One visit of each: all is looked at, figures are read, the first of each kind is moved."""
    met = set()
    for name in MOVED:
        visit(page, server, name)
        check_looks(page, "light")
        for shown in beside(page, figures_on(name)):
            shown.check()
            if kinds_of(shown) - met:
                check_moves(shown)
            met |= kinds_of(shown)


@pytest.mark.rare  # what moves a figure is the same for all of a kind
@pytest.mark.parametrize("name", PAGES)
def test_every_figure_of_every_page_shows_what_the_library_returns(page, server, name):
    open_page(page, f"{server}/{name}")
    for shown in beside(page, figures_on(name)):
        shown.check()
        check_moves(shown)
    check_looks(page, "light")
    check_accessible(page)


def kinds_of(shown):
    """Return the kinds of a figure's views and controls, and how they are moved."""
    views = {(view["kind"], bool(view.get("drag"))) for view in shown.spec["views"]}
    controls = {axis.kind for axis in shown.figure.axes}
    more = {f"{name}: {bool(shown.spec[name])}" for name in ("held", "says", "play")}
    return views | controls | more


def visit(page, server, name):
    """Open a page: all of it is there, nothing is cut on a phone, nor taller than a screen."""
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    open_page(page, f"{server}/{name}")
    check_drawn(page)
    check_looks(page, "dark")
    page.set_viewport_size(SCREEN)
    page.evaluate(TWO_PAINTS)
    tall = {name: height for name, height in page.evaluate(HEIGHTS) if height > TALLEST}
    assert all(name.startswith(WHOLE) for name in tall)
    assert not {name for name, height in tall.items() if height > WHOLE_MODELS}


def check_moves(shown):
    check_dragging(shown)
    check_controls(shown)


def check_dragging(shown):
    """A query is dragged with the mouse and nudged with the keys."""
    for k in range(shown.drawing.locator(".live-drag").count()):
        picture = shown.drawing.locator(".live-drag").nth(k)
        box = picture.bounding_box()
        there = {"x": box["width"] / 2 + 60, "y": box["height"] / 2 - 50}
        picture.drag_to(picture, target_position=there)
        before = shown.check()
        picture.press("ArrowLeft")
        assert sum(before) - sum(shown.check()) == 1


def check_controls(shown):
    """Each control has a name and leads to its last value, and one button back to the start."""
    for k, axis in enumerate(shown.figure.axes):
        control = shown.control(k)
        parts = control.locator("input, select")
        named = parts.first if parts.count() else control
        assert named.get_attribute("aria-label") == axis.label
        move_to_the_end(control)
        last = len(axis.values) - 1
        assert shown.check()[k] == (last - axis.start if axis.kind == "bool" else last), axis.name
    start = [axis.start for axis in shown.figure.axes]
    back = shown.drawing.get_by_role("button", name="Back to start")
    assert back.is_visible() == (shown.check() != start)
    if back.is_visible():
        back.click()
    assert shown.check() == start
    expect(back).to_be_hidden()


def move_to_the_end(control):
    """Move a control to its last value, a box to its other one."""
    slider, menu = control.get_by_role("slider"), control.locator("select")
    if slider.count():
        slider.press("End")
    elif menu.count():
        menu.select_option(index=menu.locator("option").count() - 1)
    else:
        control.locator("button, input, [role=radio]").last.click()
