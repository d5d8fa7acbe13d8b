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
