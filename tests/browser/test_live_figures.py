"""Live figures, moved by mouse and keyboard, show what attention_lib returns; pages can be read.

The figures are found on the pages; what they should show comes from running the chapter here.
make test looks at every page on a phone in the dark. Chapters that have every kind of view and
control between them are seen on a screen in the light as well, and the first figure of each kind is
moved; make test-all does so with all figures of all pages.
"""

from itertools import islice

import pytest
from browser.conftest import SITE, page_names, some_rarely
from browser.looks import check_accessible, check_looks
from browser.shown import TWO_PAINTS, check_drawn, figures_of, open_page

from bookwork.live.controls import SAME_AGAIN

PAGES = page_names(SITE)
MOVED = [
    f"chapters/{name}.html"
    for name in ("why_attention", "attention_pooling", "self_attention", "scoring_functions")
]
PHONE, SCREEN = {"width": 390, "height": 900}, {"width": 1280, "height": 900}
TALLEST = 700  # pixels, where a window has 1280 by 900
TALL = {"fig-six-scores"}  # six maps and what they add up to are looked at one after the other
HEIGHTS = """() => [...document.querySelectorAll("article figure")].map((figure) => {
  return [figure.id, figure.querySelector(".book-widget, img").offsetHeight];
})"""
# Which kind a control is of, in the order of `mover_of`.
KIND = """(control) => {
  const parts = ["input[type=range]", "select", "[role=radio]", "input[type=checkbox]", "button"];
  return parts.findIndex((part) => control.querySelector(part));
}"""
# What a control shows: the number of a slider and how a screen reader says it, or what is chosen.
TELLS = """(control) => {
  const text = (el) => el?.replaceAll("\\u00a0", " ");
  const find = (selector) => control.querySelector(selector);
  return {
    number: text(find(".book-readout")?.textContent),
    heard: text(find("input[type=range]")?.getAttribute("aria-valuetext")),
    choice: text(find("option:checked, [aria-pressed=true], [aria-checked=true]")?.textContent),
  };
}"""
PLAIN = str.maketrans("−", "-", ",")  # ipywidgets prints a true minus sign


@pytest.mark.parametrize("name", some_rarely([name for name in PAGES if name not in MOVED]))
def test_a_page_can_be_read_on_a_phone_in_the_dark(page, server, name):
    visit(page, server, name)


def test_figures_show_what_the_library_returns(page, server):
    """One visit of each: all is looked at, figures are read, the first of each kind is moved."""
    movers, met = set(), set()
    for name in MOVED:
        visit(page, server, name)
        check_looks(page, "light")
        for shown in figures_of(page, name):
            shown.check()
            if kinds_of(shown) - met:
                check_moves(shown, movers)
            met |= kinds_of(shown)


@pytest.mark.rare  # what moves a figure is the same for all of a kind
@pytest.mark.parametrize("name", PAGES)
def test_every_figure_of_every_page_shows_what_the_library_returns(page, server, name):
    open_page(page, f"{server}/{name}")
    for shown in figures_of(page, name):
        shown.check()
        check_moves(shown, set())
    check_looks(page, "light")
    check_accessible(page)


def check_moves(shown, movers):
    check_names(shown)
    check_reading(shown)
    check_dragging(shown)
    check_controls(shown, movers)


def kinds_of(shown):
    """Return the kinds of a figure's views and controls, and how they are moved."""
    views = {(view["kind"], bool(view.get("drag"))) for view in shown.spec["views"]}
    axes = shown.figure.axes
    controls = {(mover_of(shown.control(k)), axis.kind) for k, axis in enumerate(axes)}
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
    tall = {name for name, height in page.evaluate(HEIGHTS) if height > TALLEST}
    assert tall <= TALL


def check_controls(shown, movers):
    """Each control chooses what the library returns, and tells its value: by keys and mouse.

    Those moved by one of `movers`, which have been at work before, are moved only once.
    """
    for k, axis in enumerate(shown.figure.axes):
        control = shown.control(k)
        control.scroll_into_view_if_needed()
        mover = mover_of(control)
        moves = mover(control, axis.start, len(axis.values) - 1)
        for place in islice(moves, 1 if mover in movers else None):
            places = shown.check()
            assert place is None or places[k] == place, f"{axis.name}: {places}"
            check_told(control.evaluate(TELLS), axis, places[k], text_of(shown, axis, places[k]))
        movers.add(mover)
    start = [axis.start for axis in shown.figure.axes]
    back = shown.drawing.get_by_role("button", name="Back to start")
    assert back.is_visible() == (shown.check() != start)
    if back.is_visible():
        back.click()
    assert shown.check() == start
    assert back.is_hidden()


def mover_of(control):
    """Return the function that moves such a control and yields the places it should have."""
    return [move_slider, move_menu, move_words, move_box, press_buttons][control.evaluate(KIND)]


def move_slider(control, _start, last):
    slider = control.get_by_role("slider")
    slider.press("End")
    yield last
    slider.click()  # in its middle
    yield None


def move_menu(control, _start, last):
    menu = control.locator("select")
    menu.select_option(index=0)
    menu.press("ArrowDown")
    yield min(1, last)
    menu.select_option(index=last)
    yield last


def move_box(control, start, _last):
    box = control.locator("input")
    box.click()
    yield 1 - start
    box.press("Space")
    yield start


def move_words(control, _start, last):
    words = control.get_by_role("radio")
    words.nth(last // 2).click()
    yield last // 2
    words.and_(words.page.locator("[tabindex='0']")).press("ArrowRight")
    yield (last // 2 + 1) % (last + 1)


def press_buttons(control, _start, last):
    buttons = control.locator("button")
    buttons.nth(last).click()
    yield last
    buttons.nth(last // 2).press("Enter")
    yield last // 2


def text_of(shown, axis, place):
    """Return what a control shows at a place: words in a view may be shorter than their names."""
    views = [view for view in shown.spec["views"] if view.get("at") == axis.name]
    words = [view["words"] for view in views if "words" in view and "by" not in view]
    held = words and axis.name in shown.spec["held"]
    return words[0][int(axis.values[place])] if held else axis.texts[place]


def check_told(told, axis, place, text):
    """What the control itself shows is the value that was looked up."""
    if axis.kind != "index" and told["number"]:
        number = float(told["number"].translate(PLAIN))
        assert number == pytest.approx(axis.values[place], rel=5e-3)
    elif shown := told["number"] or told["choice"]:
        assert shown.rstrip(SAME_AGAIN) == text.rstrip(SAME_AGAIN)
    assert told["heard"] == told["number"]


def check_names(shown):
    """Who cannot see a control or a drawing hears its name."""
    for k, axis in enumerate(shown.figure.axes):
        parts = shown.control(k).locator("input, select")
        named = parts if parts.count() else shown.control(k)
        assert named.first.get_attribute("aria-label") == axis.label
    assert shown.drawing.get_attribute("aria-label") == shown.figure.drawing.spec["name"]


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


def labels_of(shown, view, name):
    """Return the labels of a view; if they follow a control, those of where it stands."""
    if "by" not in view:
        return view[name]
    names = [axis.name for axis in shown.figure.axes]
    return view[name][shown.read()["places"][names.index(view["by"])]]


def check_reading(shown):
    """Cells and bars, reached with the keys, read themselves out; several views say no more."""
    tables = dict(shown.read()["tables"])
    readout = shown.drawing.locator(".live-readout")
    if len(shown.spec["views"]) > 1 and not shown.spec["says"]:
        assert readout.text_content() == ""
    for k, view in enumerate(shown.spec["views"]):
        if view["kind"] not in ("heatmap", "bars"):
            continue
        picture = shown.drawing.locator(".live-view").nth(k).locator("svg")
        picture.press("ArrowDown")
        first = {
            name: labels_of(shown, view, f"{name}s")[0]
            for name in ("row", "column", "label")
            if f"{name}s" in view
        }
        expected = view["reads"].format(**first, value=tables[view["show"]][0])
        assert expected in readout.text_content()
        picture.blur()
