"""Figures glide from step to step, end at the truth, never lag behind a hand."""

import pytest
from bookwork.live import arcs, bars, heatmap, live, plane, slider, token_buttons
from bookwork.testing.shown import show

pytestmark = pytest.mark.xdist_group("motion")  # they share a page
# What moves in a bar, an arc, a cell and an arrow.
MOVED = {
    ".live-bar": "width",
    ".live-arc:last-child": "stroke-width",
    ".live-heatmap rect": "fill",
    ".live-vector": "x2",
}
# Notes what each change drew, and the number beside the bar.
WATCH = """(drawing, moved) => {
  const number = drawing.querySelector(".live-bar").nextElementSibling;
  drawing.texts = [];
  drawing.seen = Object.entries(moved).map(([selector, name]) => {
    const part = drawing.querySelector(selector);
    const values = [];
    const look = new MutationObserver(() => {
      values.push(part.getAttribute(name));
      drawing.texts.push(number.textContent);
    });
    look.observe(part, { attributeFilter: [name] });
    return values;
  });
}"""
NOW = """(drawing, moved) =>
  Object.entries(moved).map(([part, name]) => drawing.querySelector(part).getAttribute(name))"""
ENDS = f"([drawing, moved, ends]) => String(({NOW})(drawing, moved)) === String(ends)"
# Two steps, the second while the first is on its way; then a hand takes the slider and moves it.
INTERRUPT = """async (drawing) => {
  const range = drawing.closest(".live-figure").querySelector("[type=range]");
  const bar = drawing.querySelector(".live-bar");
  const go = async (value) => {
    range.value = value;
    range.dispatchEvent(new Event("input", { bubbles: true }));
    await null;
    await null;
    return Number(bar.getAttribute("width"));
  };
  const drawn = [await go(1), await go(0.5)];
  range.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  drawn.push(await go(0.75));
  range.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
  return drawn;
}"""


@pytest.fixture
def figure(desk):
    """Return a figure that stands at 0, its slider, and what it draws at 1 and at 0.75."""

    def function(x, asks):
        return {"x": [x], "row": [0.2, x], "w": [[x, 0.2], [0.2, x]], "to": [[x, x]]}

    views = [
        bars(["x"], "x", limits=(0, 1)),
        arcs(["a", "b"], "row", at="asks", limits=(0, 1), least=0),
        heatmap(["a", "b"], ["a", "b"], "w", limits=(0, 1)),
        plane(points=[[0, 0]], moves_to="to", limits=(-1, 1)),
    ]
    x, asks = slider(0, 1, 0.25, value=0), token_buttons(["a", "b"], value=1)
    (shown,) = show(desk, live(function, views, name="x", x=x, asks=asks))
    handle, ends = shown.control(0).get_by_role("slider"), []
    for key in ("End", "ArrowLeft"):
        handle.press(key)
        ends.append(shown.drawing.evaluate(NOW, MOVED))
    handle.press("Home")
    desk.emulate_media(reduced_motion="no-preference")
    shown.drawing.evaluate(WATCH, MOVED)
    return shown.drawing, handle, *ends


def end_at(drawing, ends):
    drawing.page.wait_for_function(ENDS, arg=[drawing.element_handle(), MOVED, ends])


def test_a_step_glides_to_its_place_and_its_number_is_there_at_once(figure):
    drawing, handle, ends, _ = figure
    handle.press("End")
    end_at(drawing, ends)
    seen = drawing.evaluate("(drawing) => drawing.seen")
    assert min(len(set(values)) for values in seen) > 1  # its end, and what lies before it
    widths = list(map(float, seen[0]))
    assert 0 < widths[0] < widths[-1] == float(ends[0])
    assert widths == sorted(widths)
    assert set(drawing.evaluate("(drawing) => drawing.texts")) == {"1.00"}


def test_a_glide_that_is_interrupted_ends_where_the_last_change_says(figure):
    drawing, _, (longest, *_), ends = figure
    first, second, held = drawing.evaluate(INTERRUPT)
    longest = float(longest)
    assert 0 < first < longest
    assert [second, held] == pytest.approx([longest / 2, 0.75 * longest], abs=0.1)  # no lag
    end_at(drawing, ends)
