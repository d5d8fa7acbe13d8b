"""What the chapter "The general formula" says is what its cells and its figures give."""

import itertools
import re

import numpy as np
from chapters.claims import Claims
from chapters.page import ROOT, grid

from attention_lib import softmax

DRAWING = ROOT / "images" / "attention-pooling.svg"


def reach(c):
    """Return the distance at which the nearness of the first cells is 0, from a key within it."""
    return abs(c["q"] - c["k"][0]) / (1 - c["near"][0])


def in_cone(point):
    """Return whether a point lies between the rays through (3, 1) and (1, 3)."""
    x, y = point
    return min(3 * y - x, 3 * x - y) > -1e-9


GIVEN = {
    "grades": "4.0 3.4 3.6",
    "widths that the text tries": "0.4 0.07 0.31 1.0 0.02 0.3",
    "an example": "1.25",
    "in the cell": "1000",
}
CLAIMS = Claims(
    ("a grade average of {} asks", lambda c: c["q"]),
    ("That comes to about {} thousand dollars", lambda c: c["by_hand"] @ c["v"]),
    ("The query {} is compared with the keys {}, {} and {}", lambda c: [c["q"], *c["k"]]),
    ("The comparison gives the weights {}, {} and {}", lambda c: c["by_hand"]),
    ("and the products add up to the output, {}", lambda c: c["by_hand"] @ c["v"]),
    ("its value contributes to the total, {}", lambda c: c["by_hand"] @ c["v"]),
    ("reaches 0 at a distance of {}", reach),
    ("The answer {}, which is more than anyone", lambda c: c["near"] @ c["v"]),
    ("they sum to {}, so the answer", lambda c: c["near"].sum()),
    ("in the hull, and {} is outside again", lambda c: c["divided"] @ c["v"]),
    ("already lie between {} and {}", lambda c: np.sort(c["weigh"](10.0, 0.0)["weights"])[[0, -1]]),
    (
        "the gap of {} between the first and the last shrinks to {}",
        lambda c: np.ptp(c["weigh"](10.0, 0.0)["scores"]) / [1, 10],
    ),
    ("here are {} law schools", lambda c: len(c["gpa"])),
    ("their correlation is {}", lambda c: np.corrcoef(c["gpa"], c["salary"])[0, 1]),
    ("The guess for {} is {} dollars", lambda c: [c["q"], c["guess"]]),
    (
        "the {} schools between 3.4 and 3.6 hold {} of the weight",
        lambda c: [c["alike"].sum(), c["alpha"][c["alike"]].sum()],
    ),
    ("The curve begins at {}: … the formula is 0/0", lambda c: c["x"][0]),
    ("a width of 8? … The answer {}, in two", lambda c: c["melt"](8.0).max()),
    (
        "shared evenly among {} keys that is {} each, so its largest weight is never less",
        lambda c: [len(c["PLACES"]), 1 / len(c["PLACES"])],
    ),
    ("from the other {}, and compare", lambda c: len(c["gpa"]) - 1),
    (
        "Of forty widths {} is best: its error is {} dollars, against {} for",
        lambda c: [c["best"], c["leave_one_out"](c["best"]), c["leave_one_out"](1000)],
    ),
    (
        "has two: {} thousand dollars from the nearness and {} from the softmax",
        lambda c: [c["normalised"] @ c["v"], softmax(c["a"]) @ c["v"]],
    ),
    (
        "These are the weights that we used by hand at the beginning",
        lambda c: np.allclose(c["normalised"], c["by_hand"]),
    ),
    (
        "$-\\tfrac12\\lVert q - k\\rVert^2$: the nearer the key, the higher the score",
        lambda c: np.array_equal(np.argsort(-c["a"]), np.argsort(np.abs(c["q"] - c["k"]))),
    ),
    (
        "every query should find its own key, so the weights should be the identity",
        lambda c: np.array_equal(c["cold"].round(3), np.eye(10)),
    ),
)


@CLAIMS.says("Follow one row from left to right")
def the_drawing_shows_the_numbers_of_the_first_cells(c):
    drawn = re.findall(r">(\d[\d.]*)</text>", DRAWING.read_text(encoding="utf-8"))
    groups = [c["q"]], c["k"], c["v"], [(c["by_hand"] @ c["v"]).round(1)], c["by_hand"]
    assert [float(number) for number in drawn] == [*itertools.chain(*groups)]


@CLAIMS.says("one of them is negative, so nothing keeps the answer in the hull")
def dividing_scores_by_their_sum_leaves_one_negative_weight_and_the_hull(c):
    np.testing.assert_allclose(c["divided"].sum(), 1)
    assert (c["divided"] < 0).sum() == 1
    assert not c["v"].min() <= c["divided"] @ c["v"] <= c["v"].max()


@CLAIMS.says("whereas squares would rank −2 as high as 2")
def squares_do_not_keep_the_order_of_scores_and_exponentials_do(c):
    a = c["a"]
    assert a[2] < a[1]
    np.testing.assert_allclose(a[2] ** 2, a[1] ** 2)
    assert softmax(a).argsort().tolist() == a.argsort().tolist()


@CLAIMS.says("and both are worse")
def the_best_width_beats_smaller_and_larger_ones(c):
    rows = [line.split() for line in c.printed("scores = ")]
    assert [float(width) for width, _ in rows] == [0.02, c["best"], 0.3, 1000]
    few, best, many, all_alike = (int(error) for _, error in rows)
    assert best < min(few, many) < all_alike


@CLAIMS.says("0.3 pulls the guesses towards the overall average")
def guesses_of_a_wide_kernel_are_drawn_to_the_average(c):
    spread = [
        np.std(softmax(c["scores"], temperature=width**2, mask=c["others"]) @ c["salary"])
        for width in (c["best"], 0.3)
    ]
    assert spread[1] < 0.6 * spread[0]


@CLAIMS.says("its columns sum to one and its rows do not")
def the_wrong_axis_makes_columns_sum_to_one_and_rows_not(c):
    np.testing.assert_allclose(c["sound"].sum(axis=1), 1)
    np.testing.assert_allclose(c["wrong"].sum(axis=0), 1)
    assert np.abs(c["wrong"].sum(axis=1) - 1).max() > 0.05


@CLAIMS.says("yet the dot product prefers the second, because that key is longer")
def distance_prefers_the_equal_key_and_the_dot_product_the_longer_one(c):
    rows = [
        np.array(re.findall(r"\d\.\d+", line)[:2], float)
        for line in c.printed("from attention_lib import attention,")
    ]
    assert [row.argmax() for row in rows] == [0, 1]


@CLAIMS.says("Nonnegative weights keep it in the convex cone of the values")
def nonnegative_weights_stay_in_the_cone_and_reach_beyond_all_values(c):
    figure = c.figure("fig-cone")
    frames = [(at, figure.frame(**at)["output"]) for at in grid(figure, "w1", "w2", "w3")]
    nonnegative = [output for at, output in frames if min(at.values()) >= 0]
    assert all(in_cone(output) and output[0] >= 0 for output in nonnegative)
    assert max(np.linalg.norm(output) for output in nonnegative) > np.linalg.norm([3, 1])
    assert any(not in_cone(output) for _, output in frames)
    V = c["V"]
    assert V.tolist() == [[3, 1], [1, 3], [1, 1]]
    assert (np.array([0.5, -0.5, 1]) @ V)[1] < V[:, 1].min()  # below all values


@CLAIMS.says(
    "equality finds nothing, nearness finds the neighbours, the score still ranks all seven"
)
def between_keys_equality_finds_none_nearness_the_neighbours_and_a_score_ranks_all(c):
    figure = c.figure("fig-similarity")
    assert figure.frame(query=3.4)["equal"].tolist() == [0, 0, 0, 1, 0, 0, 0]
    between = figure.frame(query=3.45)
    assert not between["equal"].any()
    assert between["near"].nonzero()[0].tolist() == [2, 3, 4, 5]
    assert len(np.unique(between["score"])) == len(c["grades"]) == 7
    assert between["score"].min() < 0 < between["score"].max()


@CLAIMS.says("Then set the score of $k_3$ to 2, a tie")
def the_winner_takes_all_when_it_is_cold_and_shares_with_a_tie(c):
    figure = c.figure("fig-temperature")
    assert figure.frame(temperature=0.1)["weights"][0] > 0.999
    hot = figure.frame(temperature=100.0)["weights"]
    assert hot.max() - hot.min() < 0.01
    tie = figure.frame(temperature=0.1, score=2.0)["weights"]
    np.testing.assert_allclose(tie, [0.5, 0, 0.5, 0, 0], atol=1e-4)


@CLAIMS.says("the values are mirrored, left to right, and so is the output")
def with_mirrored_values_the_output_is_mirrored(c):
    figure = c.figure("fig-plane")
    for at in grid(figure, "x", "temperature"):
        frame = figure.frame(**at)
        np.testing.assert_allclose(frame["there"], frame["here"] * [-1, 1])
    hard = figure.frame(x=1.5, y=1.5, temperature=0.1)
    np.testing.assert_allclose(hard["here"], [1.5, 1.5], atol=1e-3)
    middle = c["points"].mean(axis=0)
    for at in grid(figure, "x", "y"):
        hot = figure.frame(**at, temperature=100.0)["here"]
        np.testing.assert_allclose(hot, middle, atol=0.1)


@CLAIMS.says("A wide kernel flattens the curve")
def narrow_kernels_chase_wide_ones_flatten_and_the_boxcar_makes_steps(c):
    figure = c.figure("fig-salary")

    def fit(width, kernel="Gaussian"):
        return figure.frame(width=width, kernel=kernel)["fit"]

    steps = [np.abs(np.diff(fit(width))).sum() for width in (0.03, 0.07, 0.31, 1.0)]
    assert steps == sorted(steps, reverse=True)
    assert 0.25 < np.ptp(fit(0.31)) / np.ptp(fit(0.07)) < 0.5  # still a rising line
    assert (np.diff(fit(0.31)) > 0).all()
    assert np.ptp(fit(1.0)) < 0.05 * np.ptp(fit(0.07))
    level = {name for name in c["KERNELS"] if (np.diff(fit(0.15, name)) == 0).any()}
    assert level == {"boxcar"}


@CLAIMS.says("the diagonal melts and its colour fades")
def every_row_keeps_its_sum_of_one_while_the_diagonal_melts(c):
    figure = c.figure("fig-melt")
    peaks = []
    for at in grid(figure, "width"):
        weights = figure.frame(**at)["result"]
        np.testing.assert_allclose(weights.sum(axis=1), 1)
        peaks.append(weights[4, 4])
    assert peaks == sorted(peaks, reverse=True)
    assert peaks[0] > 0.99
    assert peaks[-1] < 0.15
