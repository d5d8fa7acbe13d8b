"""The still picture of a live figure: the numbers of its start, as the library computed them."""

import base64
import importlib
import re
from pathlib import Path

import numpy as np
import pytest

from bookwork.live import (
    arcs,
    bars,
    curve,
    field,
    flow,
    heatmap,
    live,
    plane,
    sentence,
    slider,
    stage,
    text,
    token_buttons,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def stills():
    return importlib.import_module("bookwork.sphinx.stills")


def drawn(stills, function, view, **controls):
    """Return the still picture of a figure as a page holds it: a drawing inside a box."""
    figure = live(function, view, name="A <figure>", **controls)
    buffer = {"data": base64.b64encode(figure.drawing.frames).decode()}
    widgets = {
        "box": {"state": {"children": ["IPY_MODEL_row", "IPY_MODEL_drawing"]}},
        "row": {"state": {"children": []}},
        "drawing": {"state": {"spec": figure.drawing.spec}, "buffers": [buffer]},
    }
    return stills.still_of({"model_id": "box"}, widgets)


def texts(picture):
    return re.findall(r"<text[^>]*>([^<]*)</text>", picture)


def test_a_heatmap_and_bars_print_what_the_function_returns_at_the_start(stills):
    def function(t):
        return {"grid": np.array([[0.1, 0.2], [0.3, 0.4]]) * t, "row": np.array([1.0, -1.0]) * t}

    views = [heatmap(["a", "b"], ["c", "d"], "grid"), bars(["e", "f"], "row", limits=(-3, 3))]
    picture = drawn(stills, function, views, t=slider(0, 3, 1, value=2, name="times"))
    assert {"0.20", "0.40", "0.60", "0.80", "2.00", "-2.00", *"abcdef"} <= set(texts(picture))
    assert "times: 2" in picture
    assert picture.count("A &lt;figure&gt;") == 2  # what the pictures are called


def test_a_plane_marks_its_points_and_its_region_where_they_are(stills):
    fixed = {"keys": [[0, 0], [1, 1]], "labels": ["p", "q"], "limits": (0, 1)}
    picture = drawn(
        stills, lambda x: {"at": np.array([x, 0.0])}, plane(output="at", **fixed), x=slider(0, 1, 1)
    )
    assert re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', picture) == [
        ("26.0", "294.0"),
        ("312.0", "8.0"),
    ]
    assert 'class="output" d="M26 294m' in picture
    assert {"p", "q"} <= set(texts(picture))


def test_a_curve_runs_from_its_first_to_its_last_height(stills):
    view = curve([0.0, 1.0], "height", at="x", reading="now", limits=(0, 1), digits=2)
    picture = drawn(
        stills,
        lambda x: {"height": np.array([0.0, 1.0]), "now": np.asarray(x / 2)},
        view,
        x=slider(0, 1, 1, value=1),
    )
    assert 'class="line" d="M60.0 250.0L448.0 12.0"' in picture
    assert 'class="output" d="M448 131m' in picture  # halfway up


WORDS = ["a", "<b>", "a"]
LOOKS = np.array([[0.7, 0.29, 0.01], [0.5, 0.25, 0.25], [0.125, 0.75, 0.125]])


def test_words_are_written_with_their_numbers_and_the_chosen_one_is_bold(stills):
    views = [sentence(WORDS, "row", at="k"), text("{k} of {total:.0f}: {share:.1%}")]
    picture = drawn(
        stills,
        lambda k: {"row": LOOKS[k], "total": 3.0, "share": k / 4},
        views,
        k=token_buttons(WORDS, value=1),
    )
    assert re.findall(r"<small>([\d.]+)</small>", picture) == ["0.50", "0.25", "0.25"]
    assert re.findall(r"<b>(.*?)</b>", picture) == ["&lt;b&gt;"]
    assert "<p>&lt;b&gt; of 3: 25.0%</p>" in picture


def test_lines_run_from_the_chosen_word_or_from_all(stills):
    one = drawn(stills, lambda k: LOOKS[k], arcs(WORDS, at="k"), k=token_buttons(WORDS, value=0))
    assert texts(one) == ["a", "&lt;b&gt;", "a", "0.70", "0.29"]  # 0.01 is too little for a line
    assert re.findall(r'<path class="arc" stroke-width="([\d.]+)"', one) == ["5.7", "2.8"]
    two = drawn(stills, lambda: np.array([LOOKS, LOOKS]), arcs(WORDS, heads=["x", "y"]))
    assert texts(two) == ["a", "&lt;b&gt;", "a", "x", "y"]
    assert two.count('class="arc"') == 2 * 8 + 2


def test_another_widget_has_no_picture(stills):
    assert stills.still_of({"model_id": "x"}, {"x": {"state": {"children": []}}}) == ""
    assert stills.still_of({"model_id": "gone"}, {}) == ""


def test_a_field_draws_its_maps_the_points_and_the_query(stills):
    maps = np.stack([np.eye(3), 1 - np.eye(3)])
    view = field(
        [0, 1, 2], [0, 1, 2], titles=["one", "two"], keys=[[0, 2]], labels=["k"], at=("x", "y")
    )
    controls = {"x": slider(0, 2, 1, value=2), "y": slider(0, 2, 1)}
    picture = drawn(stills, lambda x, y: maps, view, **controls)
    assert texts(picture) == ["one", "k", "two", "k"]
    assert re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', picture) == [
        ("0.0", "20.0"),
        ("230.0", "20.0"),
    ]
    assert re.findall(r'class="query" d="M(\d+) (\d+)', picture) == [("210", "230"), ("440", "230")]
    strong, pale = (
        re.search(rf'opacity="{shade}" class="plus" d="([^"]*)"', picture)[1]
        for shade in ("0.66", "0.06")
    )
    assert strong.startswith("M140 20H210V90H140z")  # the map's last row stands at the top
    assert pale.startswith("M0 20H140V90H0z")  # two cells of one shade, drawn as one


def test_a_flow_draws_every_stage_with_its_name_and_shape(stills):
    steps = ["X", stage("Q", after="X", shape="2 × 30"), stage("sum", "X", after=("X", "Q"))]
    arrays = {"X": np.eye(2), "Q": np.array([[1.0, -1.0, 0.0]] * 2)}
    picture = drawn(stills, lambda: arrays, flow(steps, rows=list("ab")))
    assert texts(picture) == ["X", "2 × 2", "Q", "2 × 30", "sum", "2 × 2"]
    assert picture.count('class="line"') == 3
    assert picture.count('class="minus"') == 1


def test_a_plane_draws_its_arrows_from_where_they_begin_to_where_they_end(stills):
    points = {"values": [[1, 0], [0, 1]], "moves_to": "after", "arrows": "values", "limits": (0, 1)}
    picture = drawn(stills, lambda: {"after": np.array([[0.5, 0.5], [0, 0]])}, plane(**points))
    assert re.findall(r'class="arrow (\w+)" d="([^"]*)"', picture) == [
        ("values", "M26 294L312 294"),
        ("values", "M26 294L26 8"),
        ("output", "M312 294L169 151"),
        ("output", "M26 8L26 294"),
    ]


def test_a_curve_of_several_lines_names_each_and_can_grow_by_factors(stills):
    view = curve([1, 10, 100], {"a": "first", "b": "second"}, log="xy", limits=(1, 100))
    lines = {"a": np.array([1.0, 10.0, 100.0]), "b": np.full(3, 10.0)}
    picture = drawn(stills, lambda: lines, view)
    assert re.findall(r'class="(line[^"]*)" d="([^"]*)"', picture) == [
        ("line", "M60.0 250.0L254.0 131.0L448.0 12.0"),
        ("line dash-1", "M60.0 131.0L254.0 131.0L448.0 131.0"),
    ]
    assert {"first", "second", "1", "10", "100"} <= set(texts(picture))
