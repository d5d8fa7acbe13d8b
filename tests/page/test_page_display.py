"""The forms in which a value goes to the page."""

import base64

import numpy as np
import pytest
from checks import load
from page.reader import WEB

page_display = load(WEB / "page_display.py")


def function(x, y=1): ...


class Shown:
    """A value with forms of its own."""

    def _repr_html_(self):
        return "<b>x</b>"

    def _repr_png_(self):
        return b"png"

    def _repr_svg_(self):
        return None

    def _repr_mimebundle_(self, **_):
        return {"application/x": 1}, {"metadata": 2}


class Meta(type):
    def __repr__(cls):
        return "a class with a text of its own"


class Named(metaclass=Meta): ...


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (list(range(5)), "[0, 1, 2, 3, 4]"),
        ([], "[]"),
        ({"a": "x" * 40, "b": "y" * 40}, f"{{'a': '{'x' * 40}',\n 'b': '{'y' * 40}'}}"),
        ((np.eye(2), 1), "(array([[1., 0.],\n        [0., 1.]]),\n 1)"),
        ({"key": np.eye(2)}, "{'key': array([[1., 0.],\n               [0., 1.]])}"),
        ((1,), "(1,)"),
        ({3, 1}, "{1, 3}"),
        ({1j}, "{1j}"),
        (np.ndarray, "numpy.ndarray"),
        (int, "int"),
        (Named, "a class with a text of its own"),
        (function, f"<function {__name__}.function(x, y=1)>"),
        (None, "None"),
    ],
)
def test_values_are_printed_as_in_a_notebook(value, text):
    assert page_display.pretty(value) == text


def test_a_set_that_cannot_be_sorted_is_printed_in_its_own_order():
    assert page_display.pretty({1, "a"}) in {"{1, 'a'}", "{'a', 1}"}


def test_a_list_within_itself_ends():
    value = []
    value.append(value)
    assert "[...]" in page_display.pretty(value)


@pytest.mark.parametrize("value", ["x" * 10**6, [["y" * 100] * 99] * 99])
def test_a_huge_value_is_cut(value):
    text = page_display.bundle(value)["text/plain"]
    assert len(text) < 20_100
    assert text.endswith("more characters)")


def test_a_long_list_is_shown_by_its_first_thousand_items():
    assert page_display.pretty(list(range(10**5))).endswith(" 998,\n 999,\n ...]")


def test_forms_that_a_value_has_are_handed_on():
    found = page_display.bundle(Shown())
    assert found["text/html"] == "<b>x</b>"
    assert base64.b64decode(found["image/png"]) == b"png"
    assert found["application/x"] == 1
    assert "image/svg+xml" not in found
    assert page_display.bundle(Shown).keys() == {"text/plain"}  # the class itself has no such form


class Figure:
    """Stands in for a Matplotlib figure whose SVG has a certain size."""

    def __init__(self, svg):
        self.svg = svg

    def savefig(self, file, format, **_):
        file.write(self.svg if format == "svg" else b"png")


def test_a_figure_is_sent_as_svg_unless_that_is_too_large():
    assert page_display.drawn(Figure(b"s" * 10)) == {"image/svg+xml": "s" * 10}
    for svg in (b"s" * (10**6 + 1), b"<g/>" * 6000):
        assert page_display.drawn(Figure(svg)) == {"image/png": base64.b64encode(b"png").decode()}
