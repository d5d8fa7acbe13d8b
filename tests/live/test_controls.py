"""Controls: the values they can take, in order, and what is refused."""

import ipywidgets
import numpy as np
import pytest

from attention_lib.live import (
    checkbox,
    choice,
    log_slider,
    option_slider,
    slider,
    token_buttons,
)
from attention_lib.live.controls import read_axis


def test_a_float_slider_has_the_values_its_step_reaches():
    axis = read_axis("t", slider(0.1, 0.75, 0.1, value=0.3))
    assert axis.values == (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
    assert axis.texts == ("0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7")
    assert (axis.start, axis.kind, axis.low, axis.step) == (2, "value", 0.1, 0.1)


def test_the_texts_of_a_slider_have_the_decimals_of_its_low_end_and_its_step():
    control = slider(0.25, 2, 0.5)
    assert read_axis("t", control).texts == ("0.25", "0.75", "1.25", "1.75")
    assert control.readout_format == ".2f"
    assert read_axis("t", slider(1, 2, 0.25)).texts == ("1.00", "1.25", "1.50", "1.75", "2.00")


def test_whole_numbers_make_a_slider_of_whole_numbers():
    axis = read_axis("d", slider(1, 9, 4))
    assert axis.values == (1, 5, 9)
    assert all(type(value) is int for value in axis.values)
    assert (axis.texts, axis.start) == (("1", "5", "9"), 0)


def test_a_whole_start_written_with_a_point_keeps_whole_numbers():
    axis = read_axis("d", slider(1, 9, 4, value=5.0))
    assert (axis.values, axis.start) == ((1, 5, 9), 1)
    assert all(type(value) is int for value in axis.values)


@pytest.mark.parametrize("value", [10**0.5, 3.16])
def test_a_power_may_be_given_as_the_slider_shows_it(value):
    axis = read_axis("w", log_slider(-2, 1, 0.25, value=value))
    assert axis.texts[axis.start] == "3.16"


def test_a_log_slider_has_powers():
    control = ipywidgets.FloatLogSlider(value=1, base=10, min=-1, max=1, step=1)
    axis = read_axis("w", control)
    assert axis.values == pytest.approx((0.1, 1, 10))
    assert (axis.start, axis.kind) == (1, "log")
    assert np.exp(axis.low + axis.step * np.arange(3)) == pytest.approx(axis.values)


@pytest.mark.parametrize(
    "control",
    [
        choice({"dot": 1, "scaled": 2}, value=2),
        choice([("dot", 1), ("scaled", 2)], value=2),
        option_slider({"dot": 1, "scaled": 2}, value=2),
        option_slider([("dot", 1), ("scaled", 2)], value=2),
        ipywidgets.SelectionSlider(options=[("dot", 1), ("scaled", 2)], value=2),
        ipywidgets.RadioButtons(options=[("dot", 1), ("scaled", 2)], value=2),
        ipywidgets.ToggleButtons(options=[("dot", 1), ("scaled", 2)], value=2),
    ],
)
def test_a_selection_has_its_options(control):
    axis = read_axis("score", control)
    assert (axis.values, axis.texts, axis.start, axis.kind) == (
        (1, 2),
        ("dot", "scaled"),
        1,
        "index",
    )


def test_an_option_slider_starts_at_its_first_option():
    assert option_slider([("dot", 1), ("scaled", 2)]).value == 1
    assert option_slider(["dot", "scaled"]).value == "dot"


def test_token_buttons_tell_two_equal_tokens_apart():
    axis = read_axis("asks", token_buttons(["the", "dog", "the"], value=2))
    assert (axis.values, axis.start) == ((0, 1, 2), 2)
    assert len(set(axis.texts)) == 3
    assert [text.strip("\u200b") for text in axis.texts] == ["the", "dog", "the"]


@pytest.mark.parametrize("control", [checkbox(True), ipywidgets.ToggleButton(value=True)])
def test_a_checkbox_is_off_or_on(control):
    axis = read_axis("scaled", control)
    assert (axis.values, axis.start, axis.kind) == ((False, True), 1, "bool")
    assert not axis.numeric


def test_a_control_without_a_label_is_called_by_its_argument():
    control = slider(1, 2, 1)
    assert read_axis("key_length", control).label == "key length"
    assert control.description == "key length"
    assert read_axis("d", slider(1, 2, 1, name="Length")).label == "Length"


@pytest.mark.parametrize(
    ("control", "error", "says"),
    [
        (
            ipywidgets.FloatText(),
            TypeError,
            r"q is a FloatText, which has no finite list of values",
        ),
        (ipywidgets.IntRangeSlider(), TypeError, r"q is a IntRangeSlider, .* use a slider"),
        (ipywidgets.Dropdown(options=["a"], value=None), ValueError, r"q must start at one of its"),
        (ipywidgets.FloatSlider(step=0), ValueError, r"q needs a positive step, but its step is 0"),
        (
            ipywidgets.FloatSlider(value=0.25, min=0, max=1, step=0.1),
            ValueError,
            r"q starts at 0.25, between its steps 0.2 and 0.3: choose a step that reaches it",
        ),
        (slider(0.25, 1, 0.25, value=0.3), ValueError, r"0\.3, between its steps 0\.25 and 0\.50:"),
        (slider(0.25, 1, 0.25, value=0.9), ValueError, r"0\.9, between its steps 0\.75 and 1\.00:"),
        (slider(0, 1, 0.3, value=1), ValueError, r"starts at 1\.0, above its last step 0\.9:"),
        (slider(0.5, 0.7, 0.5, value=0.6), ValueError, r"at 0\.6, above its last step 0\.5:"),
        (slider(0, 10, 1, value=0.5), ValueError, r"starts at 0\.5, between its steps 0 and 1:"),
        (log_slider(-2, 1, 0.25, value=3), ValueError, r"3\.0, between its steps 1\.78 and 3\.16:"),
        (log_slider(-2, 1, 0), ValueError, r"q needs a positive step, but its step is 0"),
        (3, TypeError, r"q must be a control, such as slider, .* checkbox, but is 3$"),
    ],
)
def test_a_control_that_cannot_be_a_grid_gets_a_sentence(control, error, says):
    with pytest.raises(error, match=says):
        read_axis("q", control)
