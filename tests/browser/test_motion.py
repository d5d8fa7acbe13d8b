"""Figures glide from step to step, end at the truth, never lag behind a hand."""

import pytest
from browser.shown import show

from bookwork.live import arcs, bars, heatmap, live, plane, slider

pytestmark = pytest.mark.xdist_group("motion")  # they share a page
# What each change drew: the width of the bar, and the number beside it.
WATCH = """(drawing) => {
  const bar = drawing.querySelector(".live-bar");
  const number = bar.nextElementSibling;
  const note = () => [Number(bar.getAttribute("width")), number.textContent];
  drawing.seen = [note()];
  drawing.now = () => note()[0];
  const look = new MutationObserver(() => drawing.seen.push(note()));
  look.observe(bar, { attributeFilter: ["width"] });
}"""
ENDS = "([drawing, width]) => Math.abs(drawing.now() - width) < 0.1"
# What each change drew of an arc, a cell and an arrow: its attribute that moves.
MOVED = {".live-arc": "stroke-width", ".live-heatmap rect": "fill", ".live-vector": "x2"}
WATCH_ALL = """(drawing, moved) => {
  drawing.seen = Object.entries(moved).map(([selector, name]) => {
    const part = drawing.querySelector(selector);
    const values = new Set([part.getAttribute(name)]);
    const look = new MutationObserver(() => values.add(part.getAttribute(name)));
    look.observe(part, { attributeFilter: [name] });
    return [part, name, values];
  });
}"""
ARE_THERE = """([drawing, ends]) =>
  drawing.seen.every(([part, name], k) => part.getAttribute(name) === ends[k])"""
NOW = "(drawing) => drawing.seen.map(([part, name]) => part.getAttribute(name))"
# Two steps, the second while the first is on its way; then a hand takes the slider and moves it.
INTERRUPT = """async (drawing) => {
  const range = drawing.closest(".live-figure").querySelector("[type=range]");
  const go = async (value) => {
    range.value = value;
    range.dispatchEvent(new Event("input", { bubbles: true }));
    await null;
    await null;
    return drawing.now();
  };
  const drawn = [await go(1), await go(0.5)];
  range.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  drawn.push(await go(0.75));
  range.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
  return drawn;
}"""


@pytest.fixture
def bar(desk):
    """One bar, from 0 to as long as its slider says, and how long it is at 1."""
    one = lambda x: {"x": [x]}  # noqa: E731
    figure = live(one, bars(["x"], "x", limits=(0, 1)), name="x", x=slider(0, 1, 0.25, value=0))
    (shown,) = show(desk, figure)
    handle = shown.control(0).get_by_role("slider")
    handle.press("End")  # no motion yet
    shown.drawing.evaluate(WATCH)
    longest = shown.drawing.evaluate("(drawing) => drawing.now()")
    handle.press("Home")
    seen = shown.drawing.evaluate("(drawing) => drawing.seen")
    assert [width for width, _ in seen] == [longest, 0]
    return shown, handle, longest


def end_at(shown, width):
    shown.page.wait_for_function(ENDS, arg=[shown.drawing.element_handle(), width])


def test_a_step_glides_to_its_place_and_its_number_is_there_at_once(desk, bar):
    shown, handle, longest = bar
    desk.emulate_media(reduced_motion="no-preference")
    handle.press("End")
    end_at(shown, longest)
    widths, texts = zip(*shown.drawing.evaluate("(drawing) => drawing.seen.slice(2)"), strict=True)
    assert 0 < widths[0] < longest
    assert list(widths) == sorted(widths)
    assert set(texts) == {"1.00"}


def test_a_glide_that_is_interrupted_ends_where_the_last_change_says(desk, bar):
    shown, _, longest = bar
    desk.emulate_media(reduced_motion="no-preference")
    first, second, held = shown.drawing.evaluate(INTERRUPT)
    assert 0 < first < longest
    assert [second, held] == pytest.approx([longest / 2, 0.75 * longest], abs=0.1)  # no lag
    end_at(shown, 0.75 * longest)


def test_arcs_cells_and_arrows_glide_too(desk):
    def function(x):
        return {"w": [[x, 0.2], [0.2, x]], "to": [[x, x]]}

    views = [
        arcs(["a", "b"], "w", limits=(0, 1)),
        heatmap(["a", "b"], ["a", "b"], "w", limits=(0, 1)),
        plane(points=[[0, 0]], moves_to="to", limits=(-1, 1)),
    ]
    (shown,) = show(desk, live(function, views, name="x", x=slider(0.3, 0.9, 0.6, value=0.3)))
    handle = shown.control(0).get_by_role("slider")
    handle.press("End")  # no motion yet
    shown.drawing.evaluate(WATCH_ALL, MOVED)
    ends = shown.drawing.evaluate(NOW)
    handle.press("Home")
    shown.drawing.evaluate(WATCH_ALL, MOVED)
    desk.emulate_media(reduced_motion="no-preference")
    handle.press("End")
    desk.wait_for_function(ARE_THERE, arg=[shown.drawing.element_handle(), ends])
    passed = shown.drawing.evaluate("(drawing) => drawing.seen.map(([, , values]) => values.size)")
    assert min(passed) > 2  # its beginning, its end and what lies between them
