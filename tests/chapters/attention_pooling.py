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
    "the best grade": "4.0",
    "in the cell": "1000",
}
CLAIMS = Claims(
    ("a grade average of {}, asks", lambda c: c["q"]),
    ("None of these grades equals hers", lambda c: not (c["k"] == c["q"]).any()),
    ("The query {} is compared with the keys {}, {} and {}", lambda c: [c["q"], *c["k"]]),
    ("The comparison gives the weights {}, {} and {}", lambda c: c["by_hand"]),
    ("and the products add up to the output, {}", lambda c: c["by_hand"] @ c["v"]),
    ("reaches zero at a distance of {}", reach),
    ("The answer {}, which is more than anyone", lambda c: c["near"] @ c["v"]),
    ("none of them negative, sum to {}, as ours do", lambda c: c["near"].sum()),
    (
        "Close together, on their way from one-hot to uniform",
        lambda c: np.ptp(c["weigh"](10.0, 0.0)["weights"]) < 0.1,
    ),
    (
        "At (5, 5), further out than any of the values",
        lambda c: np.array_equal(c["mix"](1.0, 1.0, 1.0)["output"], [5, 5]),
    ),
    ("here are {} law schools", lambda c: len(c["gpa"])),
    (
        "comes mostly from the schools within a tenth of the query",
        lambda c: 0.8 < c["alpha"][c["alike"]].sum() < 0.95,
    ),
    (
        "Those at {} count next to nothing, but never nothing",
        lambda c: c["gpa"][(c["alpha"] > 0) & (c["alpha"] < 1e-9) & (c["gpa"] >= 3)].min(),
    ),
    ("Our width is {}", lambda c: c["best"]),
    ("The best of the forty is {}", lambda c: c["best"]),
    (
        "who at first got no answer, now has several",
        lambda c: abs((c["normalised"] - softmax(c["a"])) @ c["v"]) > 1,
    ),
    (
        "These are the weights that we used by hand",
        lambda c: np.allclose(c["normalised"], c["by_hand"]),
    ),
    (
        "This one loses a point for each tenth of a grade",
        lambda c: np.array_equal(np.argsort(-c["a"]), np.argsort(np.abs(c["q"] - c["k"]))),
    ),
    (
        "every query should find its own key, so the weights should be the identity",
        lambda c: np.array_equal(c["cold"].round(3), np.eye(10)),
    ),
)


@CLAIMS.says("Compare, weigh, add up: the nearer the key, the larger its weight")
def the_drawing_shows_the_numbers_of_the_first_cells(c):
    drawn = re.findall(r">(\d[\d.]*)</text>", DRAWING.read_text(encoding="utf-8"))
    groups = [c["q"]], c["k"], c["v"], [(c["by_hand"] @ c["v"]).round(1)], c["by_hand"]
    assert [float(number) for number in drawn] == [*itertools.chain(*groups)]


@CLAIMS.says("one is negative, and the answer is outside again")
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


@CLAIMS.says("The smallest of these widths trusts too few schools")
def the_best_width_beats_smaller_and_larger_ones(c):
    rows = [line.split() for line in c.printed("scores = ")]
    assert [float(width) for width, _ in rows] == [0.02, c["best"], 0.3, 1000]
    few, best, many, all_alike = (int(error) for _, error in rows)
    assert best < min(few, many) < all_alike


@CLAIMS.says("the third pulls the guesses towards the average")
def guesses_of_a_wide_kernel_are_drawn_to_the_average(c):
    spread = [
        np.std(softmax(c["scores"], temperature=width**2, mask=c["others"]) @ c["salary"])
        for width in (c["best"], 0.3)
    ]
    assert spread[1] < 0.6 * spread[0]


@CLAIMS.says("only the sums of the rows betray it")
def the_wrong_axis_makes_columns_sum_to_one_and_rows_not(c):
    figure = c.figure("fig-wrong")
    start = figure.frame()
    assert start["least"] < 0.95
    assert start["most"] > 1.05
    for at in grid(figure, "width"):
        frame = figure.frame(**at)
        np.testing.assert_allclose(frame["wrong"].sum(axis=0), 1)
        rows = frame["wrong"].sum(axis=1)
        np.testing.assert_allclose([frame["least"], frame["most"]], [rows.min(), rows.max()])


@CLAIMS.says("plausible at any width, and perfect at a small one")
def at_a_small_width_the_wrong_axis_passes_the_identity_check(c):
    frame = c.figure("fig-wrong").frame(width=0.2)
    np.testing.assert_array_equal(frame["wrong"].round(3), np.eye(10))
    np.testing.assert_array_equal(frame["sound"].round(3), np.eye(10))


@CLAIMS.says("yet the dot product prefers the second, because that key is longer")
def distance_prefers_the_equal_key_and_the_dot_product_the_longer_one(c):
    rows = [
        np.array(re.findall(r"\d\.\d+", line)[:2], float)
        for line in c.printed("from attention_lib import attention,")
    ]
    assert [row.argmax() for row in rows] == [0, 1]


@CLAIMS.says("Nonnegative weights keep the answer in the cone of the values")
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


@CLAIMS.says("Then set the score of $k_3$ to 2, a tie")
def the_winner_takes_all_when_it_is_cold_and_shares_with_a_tie(c):
    figure = c.figure("fig-temperature")
    assert figure.frame(temperature=0.1)["weights"][0] > 0.999
    hot = figure.frame(temperature=100.0)["weights"]
    assert hot.max() - hot.min() < 0.01
    tie = figure.frame(temperature=0.1, score=2.0)["weights"]
    np.testing.assert_allclose(tie, [0.5, 0, 0.5, 0, 0], atol=1e-4)


@CLAIMS.says("the values are mirrored, and so is the output")
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


@CLAIMS.says("It becomes flat: in the end all schools count alike")
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


@CLAIMS.says("if its colours fade, the weight is spread, not lost")
def every_row_keeps_its_sum_of_one_while_the_diagonal_melts(c):
    figure = c.figure("fig-wrong")
    peaks = []
    for at in grid(figure, "width"):
        weights = figure.frame(**at)["sound"]
        np.testing.assert_allclose(weights.sum(axis=1), 1)
        peaks.append(weights[4, 4])
    assert peaks == sorted(peaks, reverse=True)
    assert peaks[0] > 0.99
    assert peaks[-1] < 0.15
