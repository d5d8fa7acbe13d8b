"""Controls: the values they can take, in order, and what is refused."""

import json

import ipywidgets
import numpy as np
import pytest
from bookwork.live import checkbox, choice, log_slider, option_slider, slider, token_buttons
from bookwork.live.controls import read_axis


@pytest.mark.parametrize(
    ("control", "texts"),
    [
        (slider(0.1, 0.75, 0.1), "0.1 0.2 0.3 0.4 0.5 0.6 0.7"),
        (slider(0.25, 2, 0.5), "0.25 0.75 1.25 1.75"),
        (slider(1, 2, 0.25), "1.00 1.25 1.50 1.75 2.00"),
        (slider(0, 1, 1 / 3), "0.000 0.333 0.667 1.000"),  # a step with no end of decimals
        (slider(1, 9, 4), "1 5 9"),
        (choice([1, 2.5, None, np.float32(0.5)]), "1 2.5 None 0.5"),
        (choice({1: "one", 2: "two"}), "1 2"),
        (option_slider(np.array(["a", "b"])), "a b"),
        (token_buttons([1, 2, 1]), "1 2 1\u200b"),  # two equal tokens are told apart
    ],
)
def test_the_values_of_a_control_have_texts(control, texts):
    axis = read_axis("t", control)
    assert " ".join(axis.texts) == texts
    if isinstance(control, ipywidgets.FloatSlider):
        assert axis.values == pytest.approx([float(text) for text in texts.split()], abs=1e-3)
        assert format(axis.values[1], control.readout_format) == axis.texts[1]


@pytest.mark.parametrize("value", [10**0.5, 3.16])
def test_a_power_may_be_given_as_the_slider_shows_it(value):
    control = log_slider(-2, 1, 0.25, value=value)
    axis = read_axis("w", control)
    assert axis.texts[axis.start] == "3.16"
    assert control.value == axis.values[axis.start] == 10**0.5


@pytest.mark.parametrize(
    "control",
    [
        choice({"dot": 1, "scaled": 2}, value=2),
        choice([("dot", 1), ("scaled", 2)], value=2),
        option_slider({"dot": 1, "scaled": 2}, value=2),
        ipywidgets.SelectionSlider(options=[("dot", 1), ("scaled", 2)], value=2),
        ipywidgets.ToggleButtons(options=[("dot", 1), ("scaled", 2)], value=2),
    ],
)
def test_a_selection_has_its_options(control):
    axis = read_axis("score", control)
    assert (axis.values, axis.texts) == ((1, 2), ("dot", "scaled"))
    assert (axis.start, axis.kind) == (1, "index")


def test_a_checkbox_is_off_or_on():
    axis = read_axis("scaled", checkbox(True))
    assert (axis.values, axis.start, axis.kind) == ((False, True), 1, "bool")
    assert not axis.numeric


def test_a_control_without_a_label_is_called_by_its_argument():
    control = slider(1, 2, 1)
    assert read_axis("key_length", control).label == "key length"
    assert control.description == "key length"
    assert read_axis("d", slider(1, 2, 1, name="Length")).label == "Length"


@pytest.mark.parametrize(
    ("control", "last", "values"),
    [
        (slider(0, 10, 3), 9, (0, 3, 6, 9)),
        (slider(0, 1, 0.3), 0.9, (0.0, 0.3, 0.6, 0.9)),
        (slider(-1, 1, 0.75), 0.5, (-1.0, -0.25, 0.5)),
        (slider(2, 2, 1), 2, (2,)),
        (log_slider(0, 1, 0.3), 0.9, (1.0, 10**0.3, 10**0.6, 10**0.9)),
        (ipywidgets.FloatSlider(min=0, max=1, step=0.3), 0.9, (0.0, 0.3, 0.6, 0.9)),
        (ipywidgets.FloatLogSlider(value=2, base=2, min=0, max=2.5, step=1), 2, (1.0, 2.0, 4.0)),
    ],
)
def test_a_slider_ends_at_its_last_step(control, last, values):
    assert read_axis("t", control).values == pytest.approx(values, rel=1e-12)
    assert control.max == last


@pytest.mark.parametrize(
    ("control", "values"),
    [
        (slider(0, 1, 0.25), [0, 0.25, 0.5, 0.75, 1]),
        (slider(0, 1, 1 / 3), [0, 1 / 3, 2 / 3, 1]),
        (log_slider(0, 1, 0.5), [1, 10**0.5, 10]),
        (option_slider({"low": 0.1, "high": np.float32(2)}), [0.1, 2]),
        (option_slider([1, np.inf]), None),
        (choice(["soft", "hard"]), None),
        (checkbox(), None),
    ],
)
def test_the_page_is_sent_the_numbers_that_a_control_can_take(control, values):
    """It sets them against what the control holds; a list of words needs none, nor has JSON NaN."""
    spec = read_axis("t", control).spec()
    assert spec.get("values") == (None if values is None else pytest.approx(values, rel=1e-12))
    json.dumps(spec, allow_nan=False)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: choice(5), r"^options is a list of values, but is 5$"),
        (lambda: choice("soft"), r"^options is a list of values, but is 'soft': write \['soft'\]$"),
        (lambda: token_buttons("a dog"), r"^tokens is a list of words, .*: write \['a', 'dog'\]$"),
    ],
)
def test_options_that_are_no_list_get_a_sentence(make, says):
    with pytest.raises(TypeError, match=says):
        make()


@pytest.mark.parametrize(
    ("control", "error", "says"),
    [
        (ipywidgets.FloatText(), TypeError, r"^q must be a control .* but is FloatText$"),
        (ipywidgets.IntRangeSlider(), TypeError, r"or checkbox, but is IntRangeSlider$"),
        ((0, 1), TypeError, r"but is \(0, 1\)$"),
        (ipywidgets.IntSlider, TypeError, r"but is <class"),
        (ipywidgets.Dropdown(options=["a"], value=None), ValueError, r"q must start at one of its"),
        (ipywidgets.Dropdown(options=["a", "a"]), ValueError, r"label of its own, .* are: a, a$"),
        (ipywidgets.FloatSlider(step=0), ValueError, r"slider q runs from .* in steps of 0\.0$"),
        (ipywidgets.IntSlider(10, max=10, step=3), ValueError, r"q has no value 10, but these"),
    ],
)
def test_a_control_that_cannot_be_a_grid_gets_a_sentence(control, error, says):
    with pytest.raises(error, match=says):
        read_axis("q", control)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: slider(0, 2, 0.5, 0.3, "d"), r"^the control q has no value 0\.3, but these: \[0"),
        (lambda: slider(0, 1, -0.5), r"in steps above 0, .* from 0\.0 to 1\.0 in steps of -0\."),
        (lambda: slider(0, np.inf, 1), r", but from 0\.0 to inf in steps of 1\.0$"),
        (lambda: slider(0, 1e9, 1e-3), r"at most 10,000 of them, but from 0\.0 to 1000000000\.0"),
        (lambda: log_slider(-2, 1, 0.25, value=3), r"no value 3\.0, but these: \[0\.01, 0\.017"),
        (lambda: choice([], name="kind"), r"^the control q must start at one of its options, and"),
    ],
)
def test_values_that_cannot_be_listed_get_a_sentence(make, says):
    with pytest.raises(ValueError, match=says):
        read_axis("q", make())
