"""What the chapter "The general formula" says is what its cells and its figures give."""

import itertools
import re

import numpy as np
from book.chapters import FOLDER, by_definition, find, grid, printed

from attention_lib import kernel_regression, softmax

DRAWING = FOLDER.parent / "images" / "attention-pooling.svg"


def reach(c):
    """Return the distance at which the nearness of the first cells is 0, from a key within it."""
    return abs(c["q"] - c["k"][0]) / (1 - c["near"][0])


CLAIMS = [
    (r"a grade average of (\S+) asks", lambda c: [c["q"]]),
    (r"the GPA, 4\.0 is the best", by_definition),
    (r"That comes to about (\d+) thousand dollars", lambda c: [c["by_hand"] @ c["v"]]),
    (
        r"The query (\S+) is compared with the keys (\S+), (\S+) and (\S+)\. "
        r"The comparison gives the weights (\S+), (\S+) and (\S+)\. "
        r"Each weight multiplies its value, (\d+), (\d+) and (\d+), "
        r"and the products add up to the output, (\S+)\.",
        lambda c: [c["q"], *c["k"], *c["by_hand"], *c["v"], c["by_hand"] @ c["v"]],
    ),
    (r"its value contributes to the total, (\S+)\.", lambda c: [c["by_hand"] @ c["v"]]),
    (r"one-hot: one weight is 1, the others 0", by_definition),
    (r"Push a slider below 0 and", by_definition),
    (r"with a width of 0\.07; we shall see", by_definition),
    (r"The exponential of \$-\\infty\$ is 0, so", by_definition),
    (r"none of them negative, sum to 1\.25\. Where must", by_definition),
    (r"from 0 upwards, usually to 1: how near", by_definition),
    (r"largest for equal, and 0 or nearly 0 for far apart;", by_definition),
    (r"reaches 0 at a distance of (\S+)\. For", lambda c: [reach(c)]),
    (
        r"output lie when all three weights are 1\? .*? At \((\d), (\d)\), further out .*? "
        r"these weights sum to 3\.",
        lambda c: c["mix"](1.0, 1.0, 1.0)["output"],
    ),
    (
        r"The best paid of the three earns (\d+)\. .*? The answer (\d+), which is more than anyone",
        lambda c: [c["v"].max(), c["near"] @ c["v"]],
    ),
    (r"they sum to (\S+), so the answer", lambda c: [c["near"].sum()]),
    (r"in the hull, and (\S+) is outside again", lambda c: [c["divided"] @ c["v"]]),
    (r"squares would rank −(\d) as high as (\d)\.", lambda c: [-c["a"][2], c["a"][1]]),
    (r"the last of the three lines above added (1000) to every score", lambda c: [1000]),
    (r"expect when \$T\$ is close to 0, and which", by_definition),
    (
        r"Close to 0 the weights become one-hot, .*? already lie between (\S+) and (\S+)\. "
        r".*? the gap of (\d) between the first and the last shrinks to (\S+), which",
        lambda c: [
            *np.sort(c["weigh"](10.0, 0.0)["weights"])[[0, -1]],
            *np.ptp(c["weigh"](10.0, 0.0)["scores"]) / [1, 10],
        ],
    ),
    (r"As \$T\$ nears 0 the weights", by_definition),
    (r"set the score of \$k_3\$ to (\d), a tie", lambda c: [c["weigh"](1.0, 0.0)["scores"].max()]),
    (
        r"The answer, \((\d), (\d)\), lies below all three values\.",
        lambda c: np.array([0.5, -0.5, 1]) @ c["V"],
    ),
    (r"here are (\d+) law schools", lambda c: [len(c["gpa"])]),
    (r"as they were in 1985 ", by_definition),  # the data set is lawsch85
    (r"their correlation is (\S+)\.", lambda c: [np.corrcoef(c["gpa"], c["salary"])[0, 1]]),
    (r"The guess for (\S+) is (\S+) dollars", lambda c: [c["q"], c["guess"]]),
    (
        r"the (\d+) schools between 3\.4 and 3\.6 hold (\S+) of the weight\.",
        lambda c: [c["alike"].sum(), c["alpha"][c["alike"]].sum()],
    ),
    (r"boxcar \| 1 if \$u \\le 1\$, else 0", by_definition),
    (r"was our nearness, with width (\S+): ", lambda c: [reach(c)]),
    (r"The curve begins at (\S+): .*? the formula is 0/0\.", lambda c: [c["x"][0]]),
    (r"a width of 0\.31 the Gaussian's curve .*? and at 1\.0 hardly", by_definition),  # below
    (
        r"the largest weight of every row is (1)\. .*? a width of 8\? .*? The answer (\S+), in two",
        lambda c: [c["melt"](0.2).max(axis=1).min(), c["melt"](8.0).max()],
    ),
    (
        r"shared evenly among (\w+) keys that is (\S+) each, so its largest weight is never less",
        lambda c: [len(c["PLACES"]), 1 / len(c["PLACES"])],
    ),
    (r"from the other (\d+), and compare", lambda c: [len(c["gpa"]) - 1]),
    (
        r"Of forty widths (\S+) is best: its error is (\S+) dollars, against (\S+) for a width so",
        lambda c: [c["best"], c["leave_one_out"](c["best"]), c["leave_one_out"](1000)],
    ),
    (r"A width of 0\.02 trusts too few schools, 0\.3 pulls", by_definition),
    (
        r"has two: (\S+) thousand dollars from the nearness and (\S+) from the softmax\.",
        lambda c: [c["normalised"] @ c["v"], softmax(c["a"]) @ c["v"]],
    ),
]


def test_the_drawing_shows_the_numbers_of_the_first_cells(chapter):
    c = chapter.namespace
    drawn = re.findall(r">(\d[\d.]*)</text>", DRAWING.read_text(encoding="utf-8"))
    groups = [c["q"]], c["k"], c["v"], [(c["by_hand"] @ c["v"]).round(1)], c["by_hand"]
    assert [float(number) for number in drawn] == [*itertools.chain(*groups)]


# what is said in words


def test_no_key_equals_the_query_and_the_exact_match_answers_nothing(chapter):
    assert printed(chapter, "exact =") == ["[0. 0. 0.] 0.0"]


def test_normalising_gives_the_weights_chosen_by_hand(chapter):
    np.testing.assert_allclose(chapter.namespace["normalised"], chapter.namespace["by_hand"])


def test_dividing_scores_by_their_sum_leaves_one_negative_weight_and_the_hull(chapter):
    c = chapter.namespace
    np.testing.assert_allclose(c["divided"].sum(), 1)
    assert (c["divided"] < 0).sum() == 1
    assert not c["v"].min() <= c["divided"] @ c["v"] <= c["v"].max()


def test_the_nearer_a_key_the_higher_its_score(chapter):
    c = chapter.namespace
    np.testing.assert_array_equal(np.argsort(-c["a"]), np.argsort(np.abs(c["q"] - c["k"])))


def test_the_formula_the_library_and_shifted_scores_give_the_same_weights(chapter):
    lines = printed(chapter, "from attention_lib import softmax")
    assert len(lines) == 3
    assert len(set(lines)) == 1


def test_squares_do_not_keep_the_order_of_scores_and_exponentials_do(chapter):
    a = chapter.namespace["a"]
    assert a[2] < a[1]
    np.testing.assert_allclose(a[2] ** 2, a[1] ** 2)
    assert softmax(a).argsort().tolist() == a.argsort().tolist()


def test_cold_weights_are_one_hot_and_hot_weights_uniform(chapter):
    lines = printed(chapter, "for T in")
    assert lines[0] == "0.1 [1. 0. 0.]"
    assert lines[-1] == "1000 [0.33 0.33 0.33]"


def test_the_nearness_was_the_triangular_kernel(chapter):
    c = chapter.namespace
    kernel = c["KERNELS"]["triangular"]([[c["q"]]], c["k"][:, None], 0.4)  # (1, m)
    np.testing.assert_allclose(kernel[0], c["near"])


def test_the_gaussian_is_a_softmax_whose_temperature_is_the_width_squared(chapter):
    cell = find(chapter, "np.allclose(alpha")
    assert cell.value is True


def test_the_best_width_beats_smaller_and_larger_ones(chapter):
    c = chapter.namespace
    rows = [line.split() for line in printed(chapter, "scores = ")]
    assert [float(width) for width, _ in rows] == [0.02, c["best"], 0.3, 1000]
    few, best, many, all_alike = (int(error) for _, error in rows)
    assert best < min(few, many) < all_alike


def test_guesses_of_a_wide_kernel_are_drawn_to_the_average(chapter):
    c = chapter.namespace
    spread = [
        np.std(softmax(c["scores"], temperature=width**2, mask=c["others"]) @ c["salary"])
        for width in (c["best"], 0.3)
    ]
    assert spread[1] < 0.6 * spread[0]


def test_each_query_finds_its_own_key_in_the_identity_check(chapter):
    np.testing.assert_array_equal(chapter.namespace["cold"].round(3), np.eye(10))


def test_the_wrong_axis_makes_columns_sum_to_one_and_rows_not(chapter):
    c = chapter.namespace
    np.testing.assert_allclose(c["sound"].sum(axis=1), 1)
    np.testing.assert_allclose(c["wrong"].sum(axis=0), 1)
    assert np.abs(c["wrong"].sum(axis=1) - 1).max() > 0.05
    names = [line.split(":")[0] for line in printed(chapter, "sound =")]
    assert names == ["columns", "rows"]


def test_the_distance_score_is_the_score_of_the_plane(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-plane")
    scores = c["distance_score"](np.array([[1.0, 0.5]]), c["points"])  # (1, 5)
    np.testing.assert_allclose(softmax(scores)[0], figure.frame(x=1.0, y=0.5)["weights"])


def test_distance_prefers_the_equal_key_and_the_dot_product_the_longer_one(chapter):
    c = chapter.namespace
    assert c["query"][0] == c["keys"][0]
    assert np.linalg.norm(c["keys"][1]) > np.linalg.norm(c["keys"][0])
    rows = [
        np.array(re.findall(r"\d\.\d+", line)[:2], float)
        for line in printed(chapter, "from attention_lib import attention,")
    ]
    assert [row.argmax() for row in rows] == [0, 1]


# what the figures show


def in_cone(point):
    """Return whether a point lies between the rays through (3, 1) and (1, 3)."""
    x, y = point
    return min(3 * y - x, 3 * x - y) > -1e-9


def test_nonnegative_weights_stay_in_the_cone_and_reach_beyond_all_values(chapter):
    figure = chapter.figure("fig-cone")
    frames = [(at, figure.frame(**at)["output"]) for at in grid(figure, "w1", "w2", "w3")]
    nonnegative = [output for at, output in frames if min(at.values()) >= 0]
    assert all(in_cone(output) and output[0] >= 0 for output in nonnegative)
    assert max(np.linalg.norm(output) for output in nonnegative) > np.linalg.norm([3, 1])
    assert any(not in_cone(output) for _, output in frames)
    V = chapter.namespace["V"]
    assert V.tolist() == [[3, 1], [1, 3], [1, 1]]
    assert (np.array([0.5, -0.5, 1]) @ V)[1] < V[:, 1].min()  # below all values


def test_between_keys_equality_finds_none_nearness_the_neighbours_and_a_score_ranks_all(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-similarity")
    assert figure.frame(query=3.4)["equal"].tolist() == [0, 0, 0, 1, 0, 0, 0]
    between = figure.frame(query=3.45)
    assert not between["equal"].any()
    assert between["near"].nonzero()[0].tolist() == [2, 3, 4, 5]
    assert len(np.unique(between["score"])) == len(c["grades"]) == 7
    assert between["score"].min() < 0 < between["score"].max()
    frames = [figure.frame(**at) for at in grid(figure, "query")]
    extremes = [part(frame["score"]) for frame in frames for part in (np.min, np.max)]
    np.testing.assert_allclose([min(extremes), max(extremes)], [-8, 4])  # as drawn


def test_the_figure_and_the_cell_mean_the_same_nearness(chapter):
    c = chapter.namespace
    near = chapter.figure("fig-similarity").frame(query=3.5)["near"]
    np.testing.assert_allclose(near, np.maximum(0, 1 - np.abs(3.5 - c["grades"]) / reach(c)))


def test_the_winner_takes_all_when_it_is_cold_and_shares_with_a_tie(chapter):
    figure = chapter.figure("fig-temperature")
    assert figure.frame(temperature=0.1)["weights"][0] > 0.999
    hot = figure.frame(temperature=100.0)["weights"]
    assert hot.max() - hot.min() < 0.01
    tie = figure.frame(temperature=0.1, score=2.0)["weights"]
    np.testing.assert_allclose(tie, [0.5, 0, 0.5, 0, 0], atol=1e-4)


def test_with_mirrored_values_the_output_is_mirrored(chapter):
    figure = chapter.figure("fig-plane")
    for at in grid(figure, "x", "temperature"):
        frame = figure.frame(**at)
        np.testing.assert_allclose(frame["there"], frame["here"] * [-1, 1])
    hard = figure.frame(x=1.5, y=1.5, temperature=0.1)
    np.testing.assert_allclose(hard["here"], [1.5, 1.5], atol=1e-3)
    middle = chapter.namespace["points"].mean(axis=0)
    for at in grid(figure, "x", "y"):
        hot = figure.frame(**at, temperature=100.0)["here"]
        np.testing.assert_allclose(hot, middle, atol=0.1)


def test_narrow_kernels_chase_wide_ones_flatten_and_the_boxcar_makes_steps(chapter):
    figure = chapter.figure("fig-salary")

    def fit(width, kernel="Gaussian"):
        return figure.frame(width=width, kernel=kernel)["fit"]

    steps = [np.abs(np.diff(fit(width))).sum() for width in (0.03, 0.07, 0.31, 1.0)]
    assert steps == sorted(steps, reverse=True)
    assert 0.25 < np.ptp(fit(0.31)) / np.ptp(fit(0.07)) < 0.5  # still a rising line
    assert (np.diff(fit(0.31)) > 0).all()
    assert np.ptp(fit(1.0)) < 0.05 * np.ptp(fit(0.07))
    level = {name for name in chapter.namespace["KERNELS"] if (np.diff(fit(0.15, name)) == 0).any()}
    assert level == {"boxcar"}


def test_the_salary_curve_never_falls_to_zero_for_want_of_schools(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-salary")
    for at in grid(figure, "width", "kernel"):
        assert figure.frame(**at)["fit"].min() > 0
    for at in grid(figure, "query", "width", "kernel"):
        assert figure.frame(**at)["reading"] > 0
    left = np.sort(c["gpa"][c["gpa"] <= c["x"][0]])
    narrowest = next(min(axis.values) for axis in figure.axes if axis.name == "width")
    assert np.diff(left).max() / 2 > narrowest


def test_the_salary_figure_reads_what_the_library_returns(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-salary")
    for name, kernel in c["KERNELS"].items():
        frame = figure.frame(query=3.2, width=0.15, kernel=name)
        guess, weights = kernel_regression(3.2, c["gpa"], c["salary"], kernel=kernel, width=0.15)
        assert frame["reading"] == guess
        np.testing.assert_array_equal(frame["weights"], weights)
    assert round(float(figure.frame()["reading"])) == round(float(c["guess"]))


def test_every_row_keeps_its_sum_of_one_while_the_diagonal_melts(chapter):
    figure = chapter.figure("fig-melt")
    peaks = []
    for at in grid(figure, "width"):
        weights = figure.frame(**at)["result"]
        np.testing.assert_allclose(weights.sum(axis=1), 1)
        peaks.append(weights[4, 4])
    assert peaks == sorted(peaks, reverse=True)
    assert peaks[0] > 0.99
    assert peaks[-1] < 0.15
    corners = np.argwhere(np.isclose(weights, weights.max()))
    assert corners.tolist() == [[0, 0], [9, 9]]
