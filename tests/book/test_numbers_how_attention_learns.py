"""What the chapter "How attention learns" says is what its cells and its figures give."""

import itertools

import numpy as np
import pytest
from book.chapters import by_definition, find

from attention_exercises.how_attention_learns import back_through_softmax, slope, step
from attention_lib import (
    attention,
    attention_backward,
    numeric_gradient,
    softmax,
    softmax_backward,
)
from attention_lib.training import Copying, LookUp, cross_entropy, measure, train


def count(c):
    return [sum(W.size for W in c["parameters"].values())]


def sure_and_divided(c):
    """Return the gap of two scores, the larger weight and its entry, then all with gap / 10."""
    gap = np.log(0.9999 / 0.0001)
    weights = [softmax([a, 0.0])[0] for a in (gap, gap / 10)]
    return [gap, gap / 10, *weights, *(weight * (1 - weight) for weight in weights)]


def even_loss(c):
    return [cross_entropy(np.zeros((1, 12)), np.array([3]))[0]]


CLAIMS = [
    (r"Three keys have the scores (\d), (\d) and (\d)\. We raise", lambda c: c["a"]),
    (r"gives three keys the weights 0\.7, 0\.2 and 0\.1\. Now the first", by_definition),
    (r"all scores times (\d+), one key has everything", lambda c: [c["factor"]]),
    (r"set the score of key 2 to (\d), a tie", lambda c: [np.array([2.0, 0.0, 0.0, -1.0]).max()]),
    (r"have the weights 0\.4, 0\.3, 0\.2 and 0\.1, so nothing is saturated", by_definition),
    (r"let the last two be 0, so that the average has to be 0 as well", by_definition),
    (r"0\.4 times one of them and 0\.3 times the other must cancel", by_definition),
    (r"If one weight is near 1 and the others near 0, each .*? near 0: the", by_definition),
    (r"gives one key the weight 0\.9999\.", by_definition),
    (
        r"laid end to end, a vector of size (\d+); a query is a one-hot key, of size (\d+)\.",
        lambda c: [c["parameters"][name].shape[0] for name in ("W_k", "W_q")],
    ),
    (r"The head has only (\d+) \*\*parameters", count),
    (r"It is 0 for certain and right answers, and \$\\log 12\$, about (\S+), for", even_loss),
    # tested below
    (r"is \$-1/p_l\$ at \$l\$ and 0 elsewhere\. .*? and \$p_l - 1\$ for", by_definition),
    (
        r"The rate of (\d+) looks large, but the largest entry of these gradients is only "
        r"(\S+)\. Training",
        lambda c: [c["eta"], max(np.abs(d_W).max() for d_W in c["gradients"].values())],
    ),
    (r"If you plot `small\[\"W_k\"\]\[:12\]`, you see", by_definition),
    (
        r"scores differ by (\S+) before the division and by (\S+) after it, so the weight falls "
        r"from (\S+) to (\S+), and the entries rise from (\S+) to (\S+), two thousand times",
        sure_and_divided,
    ),
    (r"Training works on a \*\*batch\*\*, here (\d+) tables", lambda c: [len(c["X"])]),
    (r"be the logit of 1 minus the logit of 2, .*? prefers 1 if \$D\$ is positive", by_definition),
    (r"a hidden key has weight 0, so", by_definition),
    (r"belongs to the text A 1 B 2 A,", by_definition),
    (r"prefers 1 in both texts on the left and 2 in both on the right", by_definition),
    (r"A and B at the first place, 1 and 2 at the second", by_definition),
    (r"what \*this\* run found, with seed (\d)\.", lambda c: [c["settings"]["seed"]]),
    (r"With seed 4 the model .*? And with seed 9 it still", by_definition),  # tested below
    (r"> C 4 A 2 F 5 B 1 A Which .*? copy what came after it: 2\.", by_definition),
    (r"Of 100 answers 95 must be right, and .*? a query must give at least 0\.98", by_definition),
    (r"`run\.parameters\[-1\]`, and `run\.accuracies\[-1\]` says", by_definition),
    (r"a head of (\d+) parameters learns", count),
]


# what is said in words


def printed(chapter, start):
    """Return what the visible cell with this first line printed, or its value as text."""
    cell = find(chapter, start)
    return cell.printed.strip() or str(cell.value)


def test_the_nudged_weight_grows_the_others_pay_and_the_changes_sum_to_zero(chapter):
    c = chapter.namespace
    changes = c["nudged"] - c["alpha"]
    assert changes[0] > 0 > changes[1:].max()
    assert changes.sum() == pytest.approx(0, abs=1e-15)


def test_formulas_agree_with_nudging(chapter):
    assert printed(chapter, "def jacobian") == "True"
    assert printed(chapter, "from attention_lib import attention\n") == "True"
    assert printed(chapter, "from attention_lib import attention_backward") == (
        "[True, True, True] True"
    )
    assert printed(chapter, "batch =").endswith("True")
    assert printed(chapter, "eta =") == "0.02 True"


def test_the_larger_the_scores_the_smaller_the_jacobian(chapter):
    largest = [float(line.split()[1]) for line in printed(chapter, "for factor in").splitlines()]
    assert largest == sorted(largest, reverse=True)
    assert largest[-1] < 1e-4


def test_the_jacobian_of_a_sure_head_is_about_a_ten_thousandth(chapter):
    alpha = np.array([0.9999, 0.00005, 0.00005])
    assert np.abs(chapter.namespace["jacobian"](alpha)).max() == pytest.approx(1e-4, rel=0.01)


def test_raising_the_others_is_lowering_the_second(chapter):
    J = chapter.namespace["jacobian"](np.array([0.7, 0.2, 0.1]))
    assert J[1, 0] + J[1, 2] == pytest.approx(-J[1, 1])
    np.testing.assert_allclose(J.sum(axis=1), 0, atol=1e-15)


def test_smaller_scores_wake_a_sure_head_more_than_a_louder_loss(chapter):
    jacobian, gap = chapter.namespace["jacobian"], np.log(0.9999 / 0.0001)
    before, after = (jacobian(softmax([a, 0.0]))[0, 0] for a in (gap, gap / 10))
    assert after == pytest.approx(0.2, abs=0.01)
    assert after / 10 / before == pytest.approx(200, rel=0.05)
    assert after / 10 / before > 10  # what ten times the loss would gain


def test_both_ways_back_through_the_softmax_agree(chapter):
    quick, whole = printed(chapter, "d_alpha =").replace("] [", "]|[").split("|")
    assert quick == whole


def test_with_keys_as_values_and_plain_scores_the_slope_is_the_covariance_of_the_keys(rng):
    q, K = rng.normal(size=3), rng.normal(size=(5, 3))
    measured = numeric_gradient(lambda q: softmax(K @ q) @ K, q)
    np.testing.assert_allclose(measured, np.cov(K.T, aweights=softmax(K @ q), bias=True), atol=1e-8)


def test_a_small_step_lowers_the_loss_and_a_long_one_can_raise_it(rng):
    def loss(Q, K, V, target):
        return ((attention(Q, K, V)[0] - target) ** 2).sum() / 2

    worse = 0
    for _ in range(20):
        Q, K, V, Y = (rng.normal(size=shape) for shape in [(2, 3), (5, 3), (5, 2), (2, 2)])
        assert loss(np.array(step(Q, K, V, Y, 0.01)), K, V, Y) < loss(Q, K, V, Y)
        worse += loss(np.array(step(Q, K, V, Y, 100.0)), K, V, Y) > loss(Q, K, V, Y)
    assert worse > 0


def test_the_loss_begins_at_that_of_even_guesses(chapter):
    assert chapter.namespace["loss"] == pytest.approx(np.log(12), abs=0.1)


def descend(seed, rate):
    """Take a hundred plain steps and return the share of right answers about new tables."""
    task, rng = LookUp(), np.random.default_rng(seed)
    parameters, held_out = task.start(rng), task.draw(rng, 200)
    for _ in range(100):
        _, gradients = task.gradients(parameters, task.draw(rng, 16))
        parameters = {name: W - rate * gradients[name] for name, W in parameters.items()}
    return measure(task, parameters, held_out)[1]


@pytest.mark.parametrize("seed", range(3))
def test_plain_steps_work_if_the_rate_fits(seed):
    assert descend(seed, 10.0) > 0.98
    assert descend(seed, 0.05) < 0.2
    assert descend(seed, 300.0) < 0.5


def test_the_softmax_under_the_cross_entropy_is_not_silent_when_sure_and_wrong():
    logits = np.array([[20.0, 0.0, 0.0]])
    _, d_logits = cross_entropy(logits, np.array([1]))
    assert np.abs(softmax_backward(softmax(logits), np.eye(3)[:1])).max() < 1e-8
    np.testing.assert_allclose(d_logits, [[1, -1, 0]], atol=1e-8)


def test_the_values_are_handed_out_by_w_v_and_the_keys_hardly_matter_to_it(chapter):
    assert printed(chapter, "learned =") == "True True"


def test_one_layer_stays_near_a_quarter_and_two_climb_from_there_to_nearly_all(chapter):
    c = chapter.namespace
    one, two = np.array(c["one"].accuracies), np.array(c["two"].accuracies)
    assert one.max() < 0.4
    assert abs(one[-10:].mean() - 0.25) < 0.05
    assert abs(two[2:9].mean() - 0.25) < 0.06
    assert two[-5:].min() > 0.95


@pytest.mark.parametrize("seed", range(3))
def test_one_layer_stays_near_a_quarter_with_other_seeds_too(chapter, seed):
    run = train(Copying(layers=1), **(chapter.namespace["settings"] | {"seed": seed}))
    assert abs(np.mean(run.accuracies[-10:]) - 0.25) < 0.05


def test_a_layer_of_one_head_prefers_by_a_sum_over_tokens_so_it_cannot_copy(rng):
    task = Copying(layers=1, records=2)
    texts = ["A1B2A", "B2A1A", "B1A2A", "A2B1A"]
    X = np.eye(12)[[["ABCDEF123456".index(token) for token in text] for text in texts]]
    logits, weights = task.predict(task.start(rng), X)
    D = (logits[:, 0] - logits[:, 1]) / weights[0, :, -1, -1]  # exp(last score) is the same in all
    assert np.abs(D).min() > 1e-3
    assert D[0] + D[1] == pytest.approx(D[2] + D[3])


def test_other_seeds_answer_just_as_well_without_the_pattern_or_still_make_mistakes(chapter):
    task, settings = Copying(layers=2), chapter.namespace["settings"]
    other, worse = (train(task, **(settings | {"seed": seed, "every": 150})) for seed in (4, 9))
    X, _ = task.draw(np.random.default_rng(1), 100)
    _, weights = task.predict(other.parameters[-1], X)
    assert other.accuracies[-1] > 0.95
    assert weights[0][:, [1, 3, 5, 7], [0, 2, 4, 6]].mean() < 0.3
    assert worse.accuracies[-1] < 0.93


@pytest.mark.parametrize("seed", range(3))
def test_a_head_with_two_numbers_spreads_its_keys_around_a_circle(seed):
    W = train(LookUp(d_k=2), seed, steps=200, rate=0.1, every=200).parameters[-1]
    keys = W["W_k"][:12] - W["W_k"][:12].mean(axis=0)
    lengths = np.hypot(*keys.T)
    assert lengths.min() > 0.9 * lengths.max()
    angles = np.sort(np.degrees(np.arctan2(*keys.T)))
    gaps = np.diff([*angles, angles[0] + 360])
    assert 20 < gaps.min() < gaps.max() < 40
    cosines = (W["W_q"] * keys).sum(axis=1) / np.hypot(*W["W_q"].T) / lengths
    assert cosines.min() > 0.99


# what the exercises ask for


def test_the_specifications_of_the_exercises_agree_with_the_library(rng):
    Q, K, V, Y = (rng.normal(size=shape) for shape in [(2, 3), (5, 3), (5, 4), (2, 4)])
    output, weights = attention(Q, K, V)
    d_weights = rng.normal(size=weights.shape)
    right = softmax_backward(weights, d_weights)
    np.testing.assert_allclose(back_through_softmax(weights, d_weights, 0.5), 2 * right)
    measured = numeric_gradient(lambda q: attention(q[None], K, V)[0][0], Q[0])
    np.testing.assert_allclose(slope(Q[0], K, V), measured, atol=1e-8)
    d_Q, _, _ = attention_backward(Q, K, V, output - Y)
    np.testing.assert_allclose(step(Q, K, V, Y, 0.3), Q - 0.3 * d_Q)


# what the figures show


def test_when_one_key_has_everything_the_jacobian_is_faint_and_a_tie_colours_four_cells(chapter):
    figure = chapter.figure("fig-jacobian")
    assert np.abs(figure.frame(factor=10.0)["jacobian"]).max() < 0.01
    tie = figure.frame(factor=10.0, score=2.0)["jacobian"]
    np.testing.assert_allclose(tie[:2, :2], [[0.25, -0.25], [-0.25, 0.25]], atol=1e-3)
    assert np.abs(tie[2:]).max() < 0.01
    extremes = [
        np.abs(figure.frame(factor=f, score=s)["jacobian"]).max()
        for f, s in itertools.product(*(axis.values for axis in figure.axes))
    ]
    assert max(extremes) <= 0.25 + 1e-9  # as drawn
    scores = 0.5 * np.array([2.0, 1.0, 0.0, -1.0])
    nearest = min(figure.axes[0].values, key=lambda factor: abs(factor - 0.5))
    shown = figure.frame(factor=nearest, score=1.0)["jacobian"]
    np.testing.assert_allclose(
        shown, numeric_gradient(softmax, scores * nearest / 0.5), atol=1e-8
    )  # the slope towards the very scores that the softmax is given


def test_the_right_key_is_pulled_and_the_wrong_one_with_most_weight_pushed_hardest(
    chapter,
):
    figure, query = chapter.figure("fig-arrows"), chapter.namespace["ASKS"][0]
    for right, factor in itertools.product(range(5), (0.5, 1)):
        start, end = (figure.frame(right=right, factor=factor, step=step) for step in (0, 20))
        moves = (start["where it goes"] - start["keys"]) @ query
        wrong = [j for j in range(5) if j != right]
        assert moves[right] > 0
        assert min(wrong, key=lambda j: moves[j]) == max(wrong, key=lambda j: start["weights"][j])
        across = start["where it goes"] - start["keys"]
        np.testing.assert_allclose(across @ [-0.6, 0.8], 0, atol=1e-12)  # along the query
        assert end["share"] > start["share"]


def test_a_wrong_key_that_is_less_wrong_than_the_average_is_pulled(chapter):
    figure, query = chapter.figure("fig-arrows"), chapter.namespace["ASKS"][0]
    start = figure.frame(right=2, factor=1, step=0)
    moves = (start["where it goes"] - start["keys"]) @ query
    assert moves[4] > 0 > moves[0]  # neither is the right one


def test_the_arrows_are_steps_against_the_gradient_of_the_keys(chapter):
    figure = chapter.figure("fig-arrows")
    start, next_ = (figure.frame(right=2, factor=1, step=step) for step in (0, 1))
    q, wanted = chapter.namespace["ASKS"], np.eye(5)[2]

    def loss(K):
        return ((attention(q, K, np.eye(5))[0][0] - wanted) ** 2).sum() / 2

    slopes = numeric_gradient(loss, start["keys"])
    np.testing.assert_allclose(start["where it goes"], start["keys"] - 5 * slopes, atol=1e-7)
    np.testing.assert_allclose(next_["keys"], start["keys"] - slopes, atol=1e-7)


def test_a_query_that_is_sure_of_a_wrong_key_moves_nothing(chapter):
    figure = chapter.figure("fig-arrows")
    top = int(figure.frame(right=0, factor=10, step=0)["weights"].argmax())
    for right in {0, 1, 2, 3, 4} - {top}:
        start, end = (figure.frame(right=right, factor=10, step=step) for step in (0, 20))
        assert np.abs(end["keys"] - start["keys"]).max() < 0.1
        assert end["share"] < 0.1


def test_the_slope_is_strong_between_the_points_and_weak_far_out(chapter):
    figure = chapter.figure("fig-covariance")

    def follow(x, y):
        return figure.frame(x=x, y=y)["slope"]

    strongest = max(
        np.abs(follow(x, y)).max()
        for x, y in itertools.product(*(axis.values for axis in figure.axes))
    )
    assert strongest <= 1.6  # as drawn
    assert follow(0.5, 0.0)[0, 0] > 0.8 * strongest
    for x, y in itertools.product((-4.0, 4.0), repeat=2):
        assert np.abs(follow(x, y)).max() < 0.1
    numeric = numeric_gradient(
        lambda q: attention(q[None], *[chapter.namespace["POINTS"]] * 2)[0][0], [1.0, 0.5]
    )
    np.testing.assert_allclose(follow(1.0, 0.5), numeric, atol=1e-8)


@pytest.mark.parametrize("name", ["fig-training", "fig-again"])
def test_flat_weights_become_one_hot_and_letters_seek_themselves(chapter, name):
    figure = chapter.figure(name)
    start, end = figure.frame(step=0), figure.frame(step=100)
    assert start["weights"].max() < 0.35
    assert start["now"] < 0.2
    assert end["now"] > 0.98
    np.testing.assert_allclose(end["weights"], np.eye(6), atol=0.05)
    assert (end["letters"].argmax(axis=1) == np.arange(12)).all()
    assert np.abs(end["numbers"]).max() < np.diagonal(end["letters"]).min() / 4
    frames = [figure.frame(step=step) for step in range(0, 101, 2)]
    assert max(np.abs(frame["letters"]).max() for frame in frames) < 14


def test_half_of_the_answers_are_right_while_the_rows_are_still_blurred(chapter):
    blurred = chapter.figure("fig-training").frame(step=20)
    assert blurred["now"] > 0.5
    assert np.diagonal(blurred["weights"]).max() < 0.5


def test_numbers_look_at_the_letter_before_and_the_last_letter_at_the_number_to_copy(chapter):
    figure = chapter.figure("fig-induction")
    for last in range(4):
        end = figure.frame(last=last, step=150)
        assert end["first"].argmax(axis=1).tolist() == [0, 2, 4, 6]
        assert end["second"][0].argmax() == 2 * last + 1
        assert end["second"][0].max() > 0.9
    start = figure.frame(step=0)
    assert start["second"].max() < 0.6


def test_the_figure_shows_the_text_of_the_chapter(chapter):
    c = chapter.namespace
    shown = " ".join([*c["TOKENS"], c["ASKED"][1]])
    assert f"> {shown} " in chapter.prose
