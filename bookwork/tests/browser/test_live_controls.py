"""Controls of every kind and views of odd things, in a page: what is read is what is drawn.

All tests share one page.
"""

import ipywidgets
import numpy as np
import pytest
from bookwork.live import (
    bars,
    checkbox,
    choice,
    curve,
    heatmap,
    live,
    log_slider,
    option_slider,
    plane,
    slider,
    token_buttons,
)
from bookwork.testing.shown import FITS, TWO_PAINTS, show

pytestmark = pytest.mark.xdist_group("live controls")  # they share a page
# The number that a figure draws, the one that stands beside its control, and the one that a screen
# reader says of it.
READ = """async (figure) => {
  for (const paint of [1, 2]) await new Promise(requestAnimationFrame);
  const [drawn] = figure.querySelector(".live-readout").textContent.match(/[^ ]+$/);
  const beside = figure.querySelector(".live-controls :is(.book-readout, [type=number])");
  const heard = figure.querySelector("[type=range]")?.getAttribute("aria-valuetext");
  return [drawn, beside && (beside.value ?? beside.textContent), heard];
}"""


def show_boxes(page, *figures):
    return [shown.box for shown in show(page, *figures)]


def one(page, function, view, **controls):
    """Show a live figure on a page; return its place."""
    return show_boxes(page, live(function, view, name="Test", **controls))[0]


def echo(control):
    """Make a figure that draws the value of its one control, beside what the control says."""
    view = bars(["t"], limits=None, digits=6)
    return live(lambda t: [float(t)], view, name="Test", t=control)


def check_value(figure, value, what):
    """A figure draws a value, as far as its codes hold it, and its control shows and says so."""
    for text in filter(None, figure.evaluate(READ)):
        number = float(text.replace("−", "-").replace(",", ""))
        assert number == pytest.approx(value, rel=5e-3, abs=1e-4), what


def test_a_long_label_leaves_room_for_its_control(desk):
    name = "a label that says what its control does, for long " * 2
    made = slider(0, 3, 1, name=name), choice([1, 2], name=name), token_buttons([1, 2], name=name)
    figures = show_boxes(desk, *map(echo, made))
    control = "input[type=range], select, [role=group].book-control"
    for width in (360, 1280):
        desk.set_viewport_size({"width": width, "height": 800})
        desk.wait_for_function(FITS)
        widths = [each.locator(control).first.bounding_box()["width"] for each in figures]
        assert all(80 <= each <= width for each in widths), widths


def key(name):
    return lambda figure: figure.get_by_role("slider").press(name)


def typed(text):
    """Type a number beside a slider; it goes to the nearest that is drawn."""

    def move(figure):
        field = figure.locator(".live-controls .book-readout")
        field.fill(text)
        field.press("Enter")

    return move


def press_last(figure):
    figure.locator(".live-controls button").last.click()


def choose_last(figure):
    menu = figure.locator("select")
    menu.select_option(index=menu.locator("option").count() - 1)


def tick(figure):
    figure.locator("input").last.click()


RIGHT, END = key("ArrowRight"), key("End")
OPTIONS = {"low": 2, "middle": 5, "high": 8}
# Each control with where it starts, and with moves and where they lead.
CONTROLS = [
    (slider(2, 2, 1), 2, [(RIGHT, 2)]),
    (slider(-5, 5, 4), -5, [(RIGHT, -1), (RIGHT, 3), (RIGHT, 3), (key("Home"), -5), (END, 3)]),
    (slider(0, 1, 0.3), 0, [(RIGHT, 0.3), (END, 0.9), (typed("0.5"), 0.6), (typed("7"), 0.9)]),
    (ipywidgets.IntSlider(max=10, step=3), 0, [(RIGHT, 3), (typed("1"), 0), (typed("10"), 9)]),
    (log_slider(0, 1, 0.3), 1, [(RIGHT, 10**0.3), (END, 10**0.9), (typed("3.5"), 10**0.6)]),
    (option_slider([1, 10, 5]), 1, [(RIGHT, 10), (RIGHT, 5), (END, 5)]),
    (ipywidgets.FloatLogSlider(1, base=2, min=0, max=2.5, step=1), 1, [(RIGHT, 2), (END, 4)]),
    (choice(OPTIONS), 2, [(choose_last, 8)]),
    (token_buttons([1, 2, 2]), 0, [(press_last, 2)]),
    (checkbox(), 0, [(tick, 1)]),
    (ipywidgets.Dropdown(options=OPTIONS, value=5), 5, [(choose_last, 8)]),
    (ipywidgets.ToggleButtons(options=OPTIONS), 2, [(press_last, 8)]),
]


def test_controls_of_every_kind_say_what_is_drawn_and_go_back(desk):
    figures = show_boxes(desk, *(echo(control) for control, *_ in CONTROLS))
    for figure, (control, start, moves) in zip(figures, CONTROLS, strict=True):
        check_value(figure, start, control)
        for move, value in moves:
            move(figure)
            check_value(figure, value, control)
        if value != start:
            figure.get_by_role("button", name="Back to start").click()
        check_value(figure, start, control)


def test_a_figure_whose_control_moves_while_it_is_hidden_shows_so_later(desk):
    control = slider(0, 10, 3)
    seen, hidden = show_boxes(desk, echo(control), echo(control))  # as in a fold, of one control
    place = hidden.locator("xpath=ancestor::div[contains(@class, 'added')]")
    place.evaluate("(place) => (place.style.display = 'none')")
    RIGHT(seen)
    check_value(seen, 3, "seen")
    place.evaluate("(place) => (place.style.display = '')")
    check_value(hidden, 3, "hidden")


def test_a_control_stands_on_the_axis_at_its_value(desk):
    """Also beyond the curve: the axis reaches as far as the control does."""
    view = curve([0, 10, 20], "fit", at="query", reading="guess")
    control = option_slider([5, 20, 25])
    figure = one(desk, lambda query: {"fit": [0, 10, 20], "guess": query}, view, query=control)
    line, picture = figure.locator(".live-stand-line"), figure.locator(".live-curve svg")
    at = [float(line.get_attribute("x1"))]
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        picture.press(key)
        desk.evaluate(TWO_PAINTS)
        at.append(float(line.get_attribute("x1")))
    assert at[2] - at[1] == pytest.approx((at[1] - at[0]) / 3)
    assert at[3] == at[1]
    assert 0 < at[0] < at[2] <= float(picture.get_attribute("width"))


def test_arrow_keys_move_a_point_that_is_dragged_their_own_way(desk):
    view = plane(handle="at", drag=("x", "y"))
    controls = {name: slider(0, 4, 1, value=2) for name in "xy"}
    (shown,) = show(desk, live(lambda x, y: {"at": [x, y]}, view, name="Moved", **controls))
    for key, places in [("Right", [3, 2]), ("Up", [3, 3]), ("Left", [2, 3]), ("Down", [2, 2])]:
        shown.drawing.locator(".live-drag").press(f"Arrow{key}")
        assert shown.check() == places


def test_signs_that_mean_something_elsewhere_are_only_signs(desk):
    odd = ["<b>bold</b>", "{value}", "$1 & \\(x\\)", "__proto__", '"quoted"']
    views = [heatmap(odd, odd, name, title="<i>title</i>") for name in ("{soft}", "constructor")]
    figure = one(desk, lambda: {"{soft}": np.eye(5), "constructor": np.zeros((5, 5))}, views)
    for k, value in enumerate(("1.00", "0.00")):
        figure.locator(".live-heatmap svg").nth(k).press("ArrowDown")
        said = f"<b>bold</b>, <b>bold</b>: {value}"
        assert said in figure.locator(".live-readout").text_content()
    assert figure.locator(".live-drawing b, .live-drawing i").count() == 0


def test_one_of_everything_is_drawn_at_numbers(desk):
    views = [
        bars(["a"], "one"),
        heatmap(["q"], ["k"], "M"),
        plane(points="p", weights="one", region=None),
        curve([0, 1], "line", points=([0.5, 1], [2, 2]), weights="less"),
    ]
    frame = {"one": [0.0], "M": [[0.0]], "p": [[4.0, 4.0]], "line": [2, 2], "less": [-3, 1]}
    figure = one(desk, lambda t: frame, views, t=slider(1, 1, 1))
    drawn = figure.locator(".live-views").evaluate("(views) => views.innerHTML")
    assert "NaN" not in drawn
    assert "Infinity" not in drawn
    radii = figure.locator(".live-views circle").evaluate_all(
        "all => all.map((c) => c.r.baseVal.value)"
    )
    assert all(radius > 0 for radius in radii)


def test_large_numbers_and_those_far_apart_are_printed_in_full(desk):
    # Between arrays of 16 bits, from whose places 32 could not be read.
    frame = {"odd": [0.5], "far": [0.25, 1e6, 0.75], "last": [1.0]}
    views = [bars(["a"], "odd"), bars(list("abc"), "far"), bars(["a"], "last")]
    numbers = [-1234567.125, 12345.0625, 9999.5]
    figures = show_boxes(
        desk,
        live(lambda t: frame, views, name="Far", t=slider(0, 1, 1)),
        live(lambda: numbers, bars(list("abc"), digits=4), name="Large"),
    )
    far, large = (
        figure.locator(".live-bars .live-bar + text").all_text_contents() for figure in figures
    )
    assert far == ["0.50", "0.25", "1,000,000.00", "0.75", "1.00"]
    assert large == ["-1,234,567.1250", "12,345.0625", "9999.5000"]
