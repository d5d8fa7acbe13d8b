"""What the chapter "How attention learns" says is what its cells and its figures give."""

import itertools

import numpy as np
import pytest
from book.chapters import by_definition, find

from attention_exercises.how_attention_learns import EXERCISES
from attention_lib import (
    Copying,
    LookUp,
    attention,
    cross_entropy,
    measure,
    numeric_gradient,
    softmax,
    softmax_backward,
    train,
)


def count(c):
    return [sum(W.size for W in c["parameters"].values())]


def sure_and_divided(c):
    """Return the gap of two scores, the larger weight and its entry, then all with gap / 10."""
    gap = np.log(0.9999 / 0.0001)
    weights = [softmax([a, 0.0])[0] for a in (gap, gap / 10)]
    return [gap, gap / 10, *weights, *(weight * (1 - weight) for weight in weights)]


def even_loss(c):
    return [cross_entropy(np.zeros((1, 12)), np.array([3]))[0]]


def losses(c):
    """Return the loss of the small head before the first step, after it and at the end."""
    rng = np.random.default_rng(1)
    first = [rng.normal(size=(3, size)) / 2 for size in (2, 2, 3)]
    after = [W - c["eta"] * d_W for W, d_W in zip(first, c["nudge_all"](*first), strict=True)]
    return [c["loss_of"](*matrices) for matrices in (first, after, c["matrices"])]


CLAIMS = [
    (
        r"with the most weight: here key (\d), which has (\S+)\. It may",
        lambda c: [(row := c["at_step"](2, 1, 0)["weights"]).argmax() + 1, row.max()],
    ),
    (
        r"At step 20 half of the answers are right, and in the table shown the largest weight of a "
        r"row is (\S+) on average",
        lambda c: [c["draw"](c["run"]).frame(step=20)["weights"].max(axis=1).mean()],
    ),
    (r"random numbers, (\d+) in all\. One", lambda c: [sum(W.size for W in c["matrices"])]),
    (r"each of the (\d+) numbers move", lambda c: [sum(W.size for W in c["matrices"])]),
    (r"from (\S+) to (\S+), and a hundred steps bring it down to (\S+)\. This", losses),
    (r"Three keys have the scores (\d), (\d) and (\d)\. We raise", lambda c: c["a"]),
    (r"gives three keys the weights 0\.7, 0\.2 and 0\.1\. Now the first", by_definition),
    (r"If one weight is near 1 and the others near 0, each .*? near 0: the", by_definition),
    (r"gives one key the weight 0\.9999\.", by_definition),
    (
        r"laid end to end, a vector of size (\d+); a query is a one-hot key, of size (\d+)\.",
        lambda c: [c["parameters"][name].shape[0] for name in ("W_k", "W_q")],
    ),
    (r"The head has only (\d+) \*\*parameters", count),
    (r"It is 0 for certain and right answers, and \$\\log 12\$, about (\S+), for", even_loss),
    # tested below
    (r"gradient of the score is nearly 0, even if", by_definition),
    (r"If you plot `small\[\"W_k\"\]\[:12\]`, you see", by_definition),
    (
        r"scores differ by (\S+) before the division and by (\S+) after it, the weight falls "
        r"from (\S+) to (\S+), and the entries rise from (\S+) to (\S+), two thousand times",
        sure_and_divided,
    ),
    (r"on a \*\*batch\*\*, here (\d+) tables", lambda c: [len(c["batch"].X)]),
    (r"a hidden key has weight 0, so", by_definition),
    (r"\| A 1 B 2 A \| 1 \| .*? \| A 2 B 1 A \| 2 \|", by_definition),
    (r"A and B at the first place, 1 and 2 at the second", by_definition),
    (r"decides, positive for 1 and negative for 2, its total", by_definition),
    (r"be the logit of 1 minus the logit of 2: the model prefers 1 if \$g > 0\$", by_definition),
    (r"what seed (\d) found", lambda c: [c["settings"]["seed"]]),
    (
        r"seeds from 0 to 9, nine .*? than 0\.7 of .*? after 150 .*? 4 .*? only 0\.08:",
        by_definition,
    ),
    (r"as well as with seed (\d), yet", lambda c: [c["settings"]["seed"]]),
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
    assert printed(chapter, "def jacobian").endswith("True")
    assert printed(chapter, "rng = np.random.default_rng(0)\nq, K") == "True"
    assert printed(chapter, "Q, K, V = X @ W_q") == "[True, True, True]"


def test_the_larger_the_scores_the_smaller_the_jacobian(chapter):
    largest = [float(line.split()[1]) for line in printed(chapter, "for factor in").splitlines()]
    assert largest == sorted(largest, reverse=True)
    assert largest[-1] < 1e-4


def test_the_jacobian_of_a_sure_head_is_about_a_ten_thousandth(chapter):
    alpha = np.array([0.9999, 0.00005, 0.00005])
    assert np.abs(chapter.namespace["jacobian"](alpha)).max() == pytest.approx(1e-4, rel=0.01)


def test_smaller_scores_wake_a_sure_head_more_than_a_louder_loss(chapter):
    jacobian, gap = chapter.namespace["jacobian"], np.log(0.9999 / 0.0001)
    before, after = (jacobian(softmax([a, 0.0]))[0, 0] for a in (gap, gap / 10))
    assert after == pytest.approx(0.2, abs=0.01)
    assert after / 10 / before == pytest.approx(200, rel=0.05)
    assert after / 10 / before > 10  # what ten times the loss would gain


def test_both_ways_back_through_the_softmax_agree(chapter):
    quick, whole = printed(chapter, "d_alpha =").replace("] [", "]|[").split("|")
    assert quick == whole


def test_the_step_of_the_chapter_trains_the_head_from_even_guesses(chapter):
    found = [float(line.split()[1]) for line in printed(chapter, "for t in").splitlines()]
    assert found[0] == pytest.approx(np.log(12), abs=0.1)
    assert found == sorted(found, reverse=True)
    task, parameters = chapter.namespace["task"], chapter.namespace["parameters"]
    assert measure(task, parameters, task.draw(np.random.default_rng(1), 200))[1] > 0.98


def test_the_values_are_handed_out_by_w_v_and_the_keys_hardly_matter_to_it(chapter):
    assert printed(chapter, "from_keys") == "True True"


def test_one_layer_stays_near_a_quarter_and_two_climb_from_there_to_nearly_all(chapter):
    c = chapter.namespace
    one, two = np.array(c["one"].accuracies), np.array(c["two"].accuracies)
    assert one.max() < 0.4
    assert abs(one[-10:].mean() - 0.25) < 0.05
    assert abs(two[2:9].mean() - 0.25) < 0.06
    assert two[-5:].min() > 0.95


def looks_back(chapter, seed):
    """Train; return the share of right answers and the numbers' weight on the letter before."""
    task = Copying(layers=2)
    run = train(task, **(chapter.namespace["settings"] | {"seed": seed, "every": 150}))
    _, weights = task.predict(run.parameters[-1], task.draw(np.random.default_rng(1), 100).X)
    return run.accuracies[-1], weights[0][:, [1, 3, 5, 7], [0, 2, 4, 6]].mean()


def test_seed_four_answers_just_as_well_without_the_pattern(chapter):
    right, before = looks_back(chapter, 4)
    assert right > 0.95
    assert round(before, 2) == 0.08


@pytest.mark.rare
def test_nine_of_ten_seeds_show_the_pattern_and_two_of_them_still_make_mistakes(chapter):
    seen = [looks_back(chapter, seed) for seed in range(10)]
    shown = [(right, before) for right, before in seen if before > 0.7]
    assert len(shown) == 9
    assert sum(right < 0.95 for right, _ in shown) == 2


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
    Q, K, V = (rng.normal(size=shape) for shape in [(2, 3), (5, 3), (5, 4)])
    _, weights = attention(Q, K, V)
    d_weights = rng.normal(size=weights.shape)
    right = softmax_backward(weights, d_weights)
    np.testing.assert_allclose(
        EXERCISES["ex-softmax-backward"].model(weights, d_weights, 0.5), 2 * right
    )
    measured = numeric_gradient(lambda q: attention(q[None], K, V)[0][0], Q[0])
    np.testing.assert_allclose(EXERCISES["ex-covariance"].model(Q[0], K, V), measured, atol=1e-8)


# what the figures show


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


def test_the_arrows_are_steps_against_the_gradient_of_the_keys(chapter):
    figure = chapter.figure("fig-arrows")
    start, next_ = (figure.frame(right=2, factor=1, step=step) for step in (0, 1))
    q = chapter.namespace["ASKS"]

    def loss(K):
        return 1 - attention(q, K, np.eye(5))[1][0, 2]

    slopes = numeric_gradient(loss, start["keys"])
    np.testing.assert_allclose(start["where it goes"], start["keys"] - 10 * slopes, atol=1e-7)
    np.testing.assert_allclose(next_["keys"], start["keys"] - slopes, atol=1e-7)


def test_a_query_that_is_sure_of_a_wrong_key_moves_nothing(chapter):
    figure = chapter.figure("fig-arrows")
    top = int(figure.frame(right=0, factor=10, step=0)["weights"].argmax())
    for right in {0, 1, 2, 3, 4} - {top}:
        start, end = (figure.frame(right=right, factor=10, step=step) for step in (0, 20))
        assert np.abs(end["keys"] - start["keys"]).max() < 0.1
        assert end["share"] < 0.1


@pytest.mark.parametrize("seed", [0, 1])
def test_flat_weights_become_one_hot_and_letters_seek_themselves(chapter, seed):
    c = chapter.namespace
    figure = c["draw"](train(c["task"], seed=seed, steps=100, every=2))
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
