"""A flow of matrices: what it asks of the function, and what it refuses to be made of."""

import json

import numpy as np
import pytest
from bookwork.live import checkbox, flow, live, slider, stage, token_buttons

ROWS = ["the", "dog", "barks"]
X = np.arange(12.0).reshape(3, 4) - 5
K = X[:, :2]


def layer(asks=0, scale=1.0):
    scores = scale * K @ K.T / 10
    weights = np.exp(scores)
    weights /= weights.sum(axis=1, keepdims=True)
    return {"X": X, "K": K, "scores": scores, "weights": weights}


def stages():
    return [
        stage("X"),
        stage("K", after="X", colour="orange", says="The key of {row}: {values}."),
        stage("scores", after={"X": "row", "K": "all"}, columns=ROWS),
        stage("weights", after="scores", columns=ROWS),
    ]


def make(at="asks", **controls):
    return live(layer, flow(stages(), rows=ROWS, at=at), name="Layer", **controls)


def test_the_page_learns_the_shape_scale_and_sources_of_each_stage():
    figure = make(asks=token_buttons(ROWS), scale=slider(1, 2, 1))
    spec = json.loads(json.dumps(figure.drawing.spec))
    x, k, scores, weights = spec["views"][0]["stages"]
    assert [part["size"] for part in (x, k, scores, weights)] == [[3, 4], [3, 2], [3, 3], [3, 3]]
    assert scores["after"] == {"X": "row", "K": "all"}
    assert (x["limits"], k["limits"]) == ([-6, 6], [-5, 5])
    assert scores["limits"] == [-8.2, 8.2]  # at the larger scale
    assert weights["name"] == "weights"
    assert (k["colour"], k["says"][:2]) == ("orange", ["The key of ", {"part": "row"}])


@pytest.mark.parametrize(
    ("at", "control", "says"),
    [
        ("who", token_buttons(ROWS), r"rows of the flow are chosen by 'who', but .* are: asks$"),
        ("asks", checkbox(), r"one of the rows .* must have shape \(3,\), but has shape \(2,\)$"),
    ],
)
def test_a_row_is_chosen_by_a_control_with_a_value_for_each(at, control, says):
    with pytest.raises(ValueError, match=says):
        make(at=at, asks=control)


def heads(block, head):
    return {"weights": np.full((3, 3), block + head / 10), "X": X}


def opened(**more):
    steps = [
        stage("weights", tiles=("block", "head"), label="all heads", causal=True),
        stage("X", opens="all heads", of=64, digits=1, link="layer.html#stream", **more),
        stage("weights", after="X", columns=ROWS, says="{row}: {largest}, {value}"),
        stage("bets", bars=[["tail", "tails"]] * 3, below="weights"),
    ]
    controls = {"block": slider(0, 4, 1), "head": slider(0, 1, 1), "asks": token_buttons(ROWS)}
    functions = [heads, lambda: {"bets": np.zeros((3, 2))}]
    return live(functions, flow(steps, rows=ROWS, at="asks"), name="Heads", **controls)


def test_tiles_stand_for_all_values_of_two_controls_and_bars_for_a_row():
    spec = json.loads(json.dumps(opened().drawing.spec))
    tiles, x, weights, bets = spec["views"][0]["stages"]
    assert [each["kind"] for each in (tiles, x, weights, bets)] == ["tiles", "rows", "rows", "bars"]
    assert tiles["size"] == [2, 5]  # heads below each other, blocks side by side
    assert (tiles["name"], tiles["label"], x["label"]) == ("weights", "all heads", "X")
    assert (x["of"], x["digits"], x["link"]) == (64, 1, "layer.html#stream")
    assert weights["says"][-1] == {"part": "value", "digits": 2}
    assert [table["title"] for table in spec["views"][0]["tables"]] == ["X", "weights", "bets"]
    assert {each["name"]: each["counts"] for each in spec["arrays"]}["weights"] == [5, 2, 1]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (
            {"link": "javascript:alert(1)"},
            r"^link is a page of the same site, .*, not 'java",
        ),
        ({"link": "//elsewhere.org:8"}, r"^link is a page of the same site"),
        ({"tiles": ("block", "block")}, r"^tiles are the names of two controls, but are"),
        (
            {"below": "nobody"},
            r"the stage 'X' comes after is one of 'all heads', but is 'nob",
        ),
    ],
)
def test_what_a_stage_refuses(more, says):
    with pytest.raises(ValueError, match=says):
        opened(**more) if "below" in more else stage("X", **more)
