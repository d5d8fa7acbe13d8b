"""Controls of every kind and views of odd things, in a page: what is read is what is drawn.

All tests share one page.
"""

import ipywidgets
import numpy as np
import pytest
from browser.shown import FITS, TWO_PAINTS, add_widgets

from bookwork.live import (
    bars,
    checkbox,
    choice,
    curve,
    difference,
    heatmap,
    live,
    log_slider,
    option_slider,
    plane,
    slider,
    token_buttons,
)

pytestmark = pytest.mark.xdist_group("live controls")  # they share a page
SET = "([id, name, value]) => bookWidgets.modelOf(id).set(name, value)"


def show_figures(page, *figures):
    """Show figures on a page; return their places."""
    assert all(add_widgets(page, *figures))
    assert page.locator(".book-widget-error").all_inner_texts() == []
    return page.locator(".live-figure").all()


def one(page, function, view, **controls):
    """Show a live figure on a page; return its place."""
    return show_figures(page, live(function, view, name="Test", **controls))[0]


def echo(control):
    """Make a figure that draws the value of its one control, beside what the control says."""
    view = bars(["t"], limits=None, digits=6)
    return live(lambda t: [float(t)], view, name="Test", t=control)


def near(value):
    """Return `value` as far as the codes of a figure hold it."""
    return pytest.approx(value, rel=5e-3, abs=1e-4)


READ = """async (figure) => {
  for (const paint of [1, 2]) await new Promise(requestAnimationFrame);
  const text = (selector) => figure.querySelector(selector)?.textContent;
  return [text(".live-readout"), text(".live-controls .book-readout")];
}"""


def drawn(figure):
    """Return the number that a figure draws."""
    return float(figure.evaluate(READ)[0].rpartition(" ")[2])


def drawn_and_said(figure):
    """Return the number that a figure draws, and the one beside its slider."""
    readout, beside = figure.evaluate(READ)
    return float(readout.rpartition(" ")[2]), float(beside.replace("−", "-").replace(",", ""))


SLIDERS = [
    (slider(-5, 5, 4), [-5, -1, 3]),
    (slider(0, 1, 0.3), [0, 0.3, 0.6, 0.9]),
    (slider(2, 2, 1), [2]),
    (log_slider(0, 1, 0.3), [1, 10**0.3, 10**0.6, 10**0.9]),
    (option_slider([1, 10, 5]), [1, 10, 5]),
    (ipywidgets.FloatLogSlider(value=1, base=2, min=0, max=2.5, step=1), [1, 2, 4]),
]


CONTROL = "input[type=range], select, [role=group].book-control"


def test_a_long_label_leaves_room_for_its_control(desk):
    name = "a label that says what its control does, for long " * 2
    made = slider(0, 3, 1, name=name), choice([1, 2], name=name), token_buttons([1, 2], name=name)
    figures = show_figures(desk, *map(echo, made))
    for width in (360, 1280):
        desk.set_viewport_size({"width": width, "height": 800})
        desk.wait_for_function(FITS)
        widths = [each.locator(CONTROL).first.bounding_box()["width"] for each in figures]
        assert all(80 <= each <= width for each in widths), widths


def test_sliders_from_end_to_end(desk):
    figures = show_figures(desk, *(echo(control) for control, _ in SLIDERS))
    for figure, (_, values) in zip(figures, SLIDERS, strict=True):
        handle = figure.get_by_role("slider")
        for key, value in [("Home", values[0]), *(("ArrowRight", v) for v in values[1:])]:
            handle.press(key)
            assert drawn_and_said(figure) == (near(value), near(value))
        for key in ("ArrowRight", "End"):
            handle.press(key)
            assert drawn_and_said(figure) == (near(values[-1]), near(values[-1]))
        for key in ("PageDown", "PageUp"):
            handle.press(key)
            value, beside = drawn_and_said(figure)
            assert value == near(beside)
            assert beside in map(near, values)
        if len(values) > 1:
            figure.get_by_role("button", name="Back to start").click()
        assert drawn(figure) == near(values[0])


TYPED = [
    (slider(0, 10, 3), "5", 6),
    (slider(0, 10, 3), "10", 9),
    (slider(0, 1, 0.25), "0.7", 0.75),
    (ipywidgets.IntSlider(max=10, step=3), "1", 0),
    (log_slider(0, 2, 1), "30", 10),
]


def test_numbers_typed_between_the_steps(desk):
    """Each goes to the nearest number that is drawn."""
    figures = show_figures(desk, *(echo(control) for control, *_ in TYPED))
    for figure, (_, typed, value) in zip(figures, TYPED, strict=True):
        readout = figure.locator(".book-readout")
        readout.fill(typed)
        readout.press("Enter")
        assert drawn_and_said(figure) == (near(value), near(value))


SET_FROM_ELSEWHERE = [
    (slider(0, 10, 3), "value", 100, 9),
    (slider(0, 1, 0.25), "value", 0.3, 0.25),
    (log_slider(0, 2, 1), "value", 30, 10),
    (option_slider([7, 8, 9], value=8), "index", None, 8),
]


def test_values_set_from_elsewhere(desk):
    """Each is moved to one that is drawn."""
    figures = show_figures(desk, *(echo(control) for control, *_ in SET_FROM_ELSEWHERE))
    for figure, (control, trait, given, value) in zip(figures, SET_FROM_ELSEWHERE, strict=True):
        desk.evaluate(SET, [control.model_id, trait, given])
        assert drawn_and_said(figure) == (near(value), near(value))


def test_a_control_that_moves_while_its_figure_is_hidden(desk):
    control = slider(0, 10, 3)
    desk.evaluate("() => { document.querySelector('main').style.display = 'none'; }")
    (figure,) = show_figures(desk, echo(control))
    desk.evaluate(SET, [control.model_id, "value", 6])
    desk.evaluate(TWO_PAINTS)
    desk.evaluate("() => { document.querySelector('main').style.display = ''; }")
    assert drawn_and_said(figure) == (near(6), near(6))


def press_last(figure):
    figure.locator(".live-controls button").last.click()


def choose_last(figure):
    menu = figure.locator("select")
    menu.select_option(index=menu.locator("option").count() - 1)


def tick(figure):
    figure.locator("input").last.click()


def type_nine(figure):
    figure.locator("input").fill("9")
    figure.locator("input").press("Enter")


OPTIONS = {"low": 2, "middle": 5, "high": 8}
CONTROLS = [
    (choice(OPTIONS), choose_last, 2, 8),
    (token_buttons([1, 2, 2]), press_last, 0, 2),
    (checkbox(), tick, 0, 1),
    (ipywidgets.Dropdown(options=OPTIONS, value=5), choose_last, 5, 8),
    (ipywidgets.Select(options=OPTIONS), choose_last, 2, 8),
    (ipywidgets.RadioButtons(options=OPTIONS), tick, 2, 8),
    (ipywidgets.ToggleButtons(options=OPTIONS), press_last, 2, 8),
    (ipywidgets.ToggleButton(), press_last, 0, 1),
    (ipywidgets.BoundedIntText(max=10, step=4), type_nine, 0, 8),
    (ipywidgets.BoundedFloatText(max=10, step=2.5), type_nine, 0, 10),
    ({"a": 3, "b": 4}, choose_last, 3, 4),
    (True, tick, 1, 0),
]


def test_controls_of_every_kind_go_back(desk):
    figures = show_figures(desk, *(echo(control) for control, *_ in CONTROLS))
    for figure, (_, move, start, last) in zip(figures, CONTROLS, strict=True):
        assert drawn(figure) == near(start)
        move(figure)
        assert drawn(figure) == near(last)
        if figure.locator("input[type=number]").count():
            assert float(figure.locator("input").input_value()) == last
        figure.get_by_role("button", name="Back to start").click()
        assert drawn(figure) == near(start)


def test_a_control_stands_on_the_axis_at_its_value(desk):
    """Also beyond the curve: the axis reaches as far as the control does."""
    view = curve([0, 10, 20], "fit", at="query", reading="guess")
    control = option_slider([5, 20, 25])
    figure = one(desk, lambda query: {"fit": [0, 10, 20], "guess": query}, view, query=control)
    line, picture = figure.locator(".live-stand-line"), figure.locator(".live-curve svg")
    at = [float(line.get_attribute("x1"))]
    for key in ("ArrowRight", "ArrowRight"):
        picture.press(key)
        desk.evaluate(TWO_PAINTS)
        at.append(float(line.get_attribute("x1")))
    assert at[2] - at[1] == pytest.approx((at[1] - at[0]) / 3)
    assert 0 < at[0] < at[2] <= float(picture.get_attribute("width"))
    assert "at 25 the curve reads 25.00" in figure.locator(".live-readout").text_content()


def test_signs_that_mean_something_elsewhere_are_only_signs(desk):
    odd = ["<b>bold</b>", "{value}", "$1 & \\(x\\)", "__proto__", '"quoted"']
    matrix = np.eye(5)
    views = [
        heatmap(odd, odd, "{soft}", title="<i>title</i>"),
        difference("{soft}", "constructor", odd, odd),
    ]
    figure = one(desk, lambda: {"{soft}": matrix, "constructor": 0 * matrix}, views)
    figure.locator(".live-heatmap svg").first.press("ArrowDown")
    assert "<b>bold</b>, <b>bold</b>: 1.00" in figure.locator(".live-readout").text_content()
    assert figure.locator(".live-drawing b, .live-drawing i").count() == 0
    figure.locator(".live-heatmap svg").nth(1).press("ArrowDown")
    assert "{soft} is larger by 1.00" in figure.locator(".live-readout").text_content()


def test_one_of_everything(desk):
    views = [
        bars(["a"], "one"),
        heatmap(["q"], ["k"], "M"),
        difference("M", "M", ["q"], ["k"]),
        plane(points="p", weights="one", region=None),
        curve([0, 1], "line", points=([0.5, 1], [2, 2]), weights="less"),
    ]
    frame = {"one": [0.0], "M": [[0.0]], "p": [[4.0, 4.0]], "line": [2, 2], "less": [-3, 1]}
    figure = one(desk, lambda t: frame, views, t=slider(1, 1, 1))
    for name in ("x", "y", "cx", "cy", "r", "width", "d", "transform", "points"):
        drawn = figure.locator(f".live-views [{name}]").evaluate_all(
            "(all, name) => all.map((part) => part.getAttribute(name))", name
        )
        assert not [text for text in drawn if "NaN" in text or "Infinity" in text], name
    radii = figure.locator(".live-views circle").evaluate_all(
        "all => all.map((c) => c.r.baseVal.value)"
    )
    assert all(radius > 0 for radius in radii)


def test_numbers_far_apart(desk):
    """Between arrays of 16 bits, from whose places 32 could not be read."""
    frame = {"odd": [0.5], "far": [0.25, 1e6, 0.75], "last": [1.0]}
    views = [bars(["a"], "odd"), bars(list("abc"), "far"), bars(["a"], "last")]
    figure = one(desk, lambda t: frame, views, t=slider(0, 1, 1))
    texts = figure.locator(".live-bars .live-label").all_text_contents()[1::2]
    assert texts == ["0.50", "0.25", "1,000,000.00", "0.75", "1.00"]


def test_thousands_are_parted_and_decimals_are_not(desk):
    numbers = [-1234567.125, 12345.0625, 9999.5]
    figure = one(desk, lambda: numbers, bars(list("abc"), digits=4))
    texts = figure.locator(".live-bars .live-label").all_text_contents()[1::2]
    assert texts == ["-1,234,567.1250", "12,345.0625", "9999.5000"]
