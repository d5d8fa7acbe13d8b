"""The forms in which a value goes to the page."""

import base64

import numpy as np
import pytest
from checks import load
from reader import WEB

page_display = load(WEB / "page_display.py")


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


def test_values_are_printed_as_in_a_notebook():
    assert page_display.pretty({3, 1}) == "{1, 3}"
    assert page_display.pretty("a word " * 30) == repr("a word " * 30)  # in one line
    assert page_display.pretty(np.eye(2)) == "array([[1., 0.],\n       [0., 1.]])"


@pytest.mark.parametrize("value", ["x" * 10**6, [["y" * 100] * 99] * 99, list(range(10**6))])
def test_a_huge_value_is_cut(value):
    text = page_display.bundle(value)["text/plain"]
    assert len(text) < 20_100
    assert text.endswith("more characters)")


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
