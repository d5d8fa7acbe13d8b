"""Controls of every kind and views of odd things, in a page: what is read is what is drawn."""

import ipywidgets
import numpy as np
import pytest
from browser.shown import TWO_PAINTS, add_widgets

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

SET = """async ([id, name, value]) => {
  const model = await bookWidgets.manager.get_model(id);
  model.set(name, value);
}"""


@pytest.fixture
def desk(page, site):
    """Return an open page without figures; each check puts its own there, below the others'."""
    page.goto(f"{site.as_uri()}/search.html")
    page.evaluate("() => bookWidgets.ready")
    return page


def show(page, function, view, **controls):
    """Show a live figure below those that the page already has."""
    return show_figures(page, live(function, view, name="Test", **controls))[0]


def show_figures(page, *figures):
    """Show figures below those that the page has; return their places."""
    shown = page.locator(".live-figure")
    before = shown.count()
    assert all(add_widgets(page, *figures))
    assert page.locator(".book-widget-error").all_inner_texts() == []
    return [shown.nth(before + number) for number in range(len(figures))]


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
  return [text(".live-readout"), text(".live-controls .widget-readout")];
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
OTHER_SLIDERS = [
    (slider(0, 10, 3), [0, 3, 6, 9]),
    (slider(-0.3, 0.3, 0.1), [-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]),
    (slider(0, 0.004, 0.001), [0, 0.001, 0.002, 0.003, 0.004]),
    (ipywidgets.IntSlider(max=10, step=3), [0, 3, 6, 9]),
    (ipywidgets.FloatSlider(max=0.014, step=0.005), [0, 0.005, 0.01]),
    (ipywidgets.SelectionSlider(options=[3, 1]), [3, 1]),
]


def test_what_a_control_reads_is_what_is_drawn(desk):
    check_sliders_from_end_to_end(desk, SLIDERS)
    check_numbers_typed_between_the_steps(desk)
    check_values_set_from_elsewhere(desk)
    check_controls_of_every_kind_go_back(desk)
    check_a_control_that_moves_while_its_figure_is_hidden(desk)
    check_a_long_label_leaves_room_for_its_control(desk)


CONTROL = ".noUi-target, select, .widget-toggle-buttons"


def check_a_long_label_leaves_room_for_its_control(page):
    name = "a label that says what its control does, for long " * 2
    made = slider(0, 3, 1, name=name), choice([1, 2], name=name), token_buttons([1, 2], name=name)
    figures = show_figures(page, *map(echo, made))
    before = page.viewport_size
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        widths = [each.locator(CONTROL).first.bounding_box()["width"] for each in figures]
        assert all(80 <= each <= width for each in widths)
    page.set_viewport_size(before)


@pytest.mark.rare  # the same kinds of sliders, with other steps or made by ipywidgets itself
def test_what_other_sliders_read_is_what_is_drawn(desk):
    check_sliders_from_end_to_end(desk, OTHER_SLIDERS)


def check_sliders_from_end_to_end(page, sliders):
    figures = show_figures(page, *(echo(control) for control, _ in sliders))
    for figure, (_, values) in zip(figures, sliders, strict=True):
        handle = figure.locator(".noUi-handle")
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


def check_numbers_typed_between_the_steps(page):
    """Each goes to the nearest number that is drawn."""
    figures = show_figures(page, *(echo(control) for control, *_ in TYPED))
    for figure, (_, typed, value) in zip(figures, TYPED, strict=True):
        readout = figure.locator(".widget-readout")
        readout.fill(typed)
        readout.press("Enter")
        assert drawn_and_said(figure) == (near(value), near(value))


SET_FROM_ELSEWHERE = [
    (slider(0, 10, 3), "value", 100, 9),
    (slider(0, 1, 0.25), "value", 0.3, 0.25),
    (log_slider(0, 2, 1), "value", 30, 10),
    (option_slider([7, 8, 9], value=8), "index", None, 8),
]


def check_values_set_from_elsewhere(page):
    """Each is moved to one that is drawn."""
    figures = show_figures(page, *(echo(control) for control, *_ in SET_FROM_ELSEWHERE))
    for figure, (control, trait, given, value) in zip(figures, SET_FROM_ELSEWHERE, strict=True):
        page.evaluate(SET, [control.model_id, trait, given])
        assert drawn_and_said(figure) == (near(value), near(value))


def check_a_control_that_moves_while_its_figure_is_hidden(page):
    control = slider(0, 10, 3)
    page.evaluate("() => { document.querySelector('main').style.display = 'none'; }")
    (figure,) = show_figures(page, echo(control))
    page.evaluate(SET, [control.model_id, "value", 6])
    page.evaluate(TWO_PAINTS)
    page.evaluate("() => { document.querySelector('main').style.display = ''; }")
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


def check_controls_of_every_kind_go_back(page):
    figures = show_figures(page, *(echo(control) for control, *_ in CONTROLS))
    for figure, (_, move, start, last) in zip(figures, CONTROLS, strict=True):
        assert drawn(figure) == near(start)
        move(figure)
        assert drawn(figure) == near(last)
        if figure.locator("input[type=number]").count():
            assert float(figure.locator("input").input_value()) == last
        figure.get_by_role("button", name="Back to start").click()
        assert drawn(figure) == near(start)


def test_odd_things_are_drawn_as_they_are(desk):
    check_a_query_stands_at_the_value_of_its_option(desk)
    check_labels_that_are_not_texts(desk)
    check_signs_that_mean_something_elsewhere_are_only_signs(desk)
    check_one_of_everything(desk)
    check_numbers_far_apart(desk)
    check_thousands_are_parted_and_decimals_are_not(desk)
    for limits in ("auto", (2, 6)):
        check_bars_stay_within_their_picture(desk, limits)


def check_a_query_stands_at_the_value_of_its_option(page):
    """Also beyond the curve: the axis reaches as far as the query does."""
    view = curve([0, 10, 20], "fit", at="query", reading="guess")
    control = option_slider([5, 20, 25])
    figure = show(page, lambda query: {"fit": [0, 10, 20], "guess": query}, view, query=control)
    line, picture = figure.locator(".live-query-line"), figure.locator(".live-curve svg")
    at = [float(line.get_attribute("x1"))]
    for key in ("ArrowRight", "ArrowRight"):
        picture.press(key)
        page.evaluate(TWO_PAINTS)
        at.append(float(line.get_attribute("x1")))
    assert at[2] - at[1] == pytest.approx((at[1] - at[0]) / 3)
    assert 0 < at[0] < at[2] <= float(picture.get_attribute("width"))
    assert "at 25 the curve reads 25.00" in figure.locator(".live-readout").text_content()


def check_labels_that_are_not_texts(page):
    eye = np.eye(2)
    views = [
        bars([1, None], "v"),
        heatmap(range(2), np.array([0.5, 1.5]), "M"),
        difference("M", "M", [3, 4], [5, 6], title=7),
        plane(rings="M", labels=[8, 9]),
        curve([0, 1], "v", points=(eye[0], eye[1]), weights="v", labels=[10, 11], xlabel=12),
    ]
    figure = show(page, lambda: {"v": eye[0], "M": eye}, views)
    parts = [
        view.locator(".live-label").all_text_contents()
        for view in figure.locator(".live-view").all()
    ]
    assert parts[0][::2] == ["1", "None"]
    assert parts[1][:4] == ["0", "1", "0.5", "1.5"]
    assert parts[2][:4] == ["3", "4", "5", "6"]
    assert parts[3][-2:] == ["8", "9"]
    assert "12" in parts[4]
    assert figure.locator(".live-title").all_text_contents() == ["7"]


def check_signs_that_mean_something_elsewhere_are_only_signs(page):
    odd = ["<b>bold</b>", "{value}", "$1 & \\(x\\)", "__proto__", '"quoted"']
    matrix = np.eye(5)
    views = [
        heatmap(odd, odd, "{soft}", title="<i>title</i>"),
        difference("{soft}", "constructor", odd, odd),
    ]
    figure = show(page, lambda: {"{soft}": matrix, "constructor": 0 * matrix}, views)
    figure.locator(".live-heatmap svg").first.press("ArrowDown")
    assert (
        "<b>bold</b> looks at <b>bold</b>: 1.00" in figure.locator(".live-readout").text_content()
    )
    assert figure.locator(".live-drawing b, .live-drawing i").count() == 0
    figure.locator(".live-heatmap svg").nth(1).press("ArrowDown")
    assert "{soft} is larger by 1.00" in figure.locator(".live-readout").text_content()


def check_one_of_everything(page):
    views = [
        bars(["a"], "one"),
        heatmap(["q"], ["k"], "M"),
        difference("M", "M", ["q"], ["k"]),
        plane(points="p", weights="one", region=None),
        curve([0, 1], "line", points=([0.5, 1], [2, 2]), weights="less"),
    ]
    frame = {"one": [0.0], "M": [[0.0]], "p": [[4.0, 4.0]], "line": [2, 2], "less": [-3, 1]}
    figure = show(page, lambda t: frame, views, t=slider(1, 1, 1))
    for name in ("x", "y", "cx", "cy", "r", "width", "d", "transform", "points"):
        drawn = figure.locator(f".live-views [{name}]").evaluate_all(
            "(all, name) => all.map((part) => part.getAttribute(name))", name
        )
        assert not [text for text in drawn if "NaN" in text or "Infinity" in text], name
    radii = figure.locator(".live-views circle").evaluate_all(
        "all => all.map((c) => c.r.baseVal.value)"
    )
    assert all(radius > 0 for radius in radii)


def check_numbers_far_apart(page):
    """Between arrays of 16 bits, from whose places 32 could not be read."""
    frame = {"odd": [0.5], "far": [0.25, 1e6, 0.75], "last": [1.0]}
    views = [bars(["a"], "odd"), bars(list("abc"), "far"), bars(["a"], "last")]
    figure = show(page, lambda t: frame, views, t=slider(0, 1, 1))
    texts = figure.locator(".live-bars .live-label").all_text_contents()[1::2]
    assert texts == ["0.50", "0.25", "1,000,000.00", "0.75", "1.00"]


def check_thousands_are_parted_and_decimals_are_not(page):
    numbers = [-1234567.125, 12345.0625, 9999.5]
    figure = show(page, lambda: numbers, bars(list("abc"), digits=4))
    texts = figure.locator(".live-bars .live-label").all_text_contents()[1::2]
    assert texts == ["-1,234,567.1250", "12,345.0625", "9999.5000"]


def check_bars_stay_within_their_picture(page, limits):
    figure = show(page, lambda: [2.0, 3.5, 5.0], bars(list("abc"), limits=limits))
    picture = figure.locator(".live-bars svg").bounding_box()
    for part in figure.locator(".live-bar, .live-axis").all():
        box = part.bounding_box()
        assert (
            picture["x"] <= box["x"] <= box["x"] + box["width"] <= picture["x"] + picture["width"]
        )
    widths = [float(bar.get_attribute("width")) for bar in figure.locator(".live-bar").all()]
    assert sorted(set(widths)) == widths
