"""What the chapter "Where am I? Positions" says is what its cells and its figures give."""

import numpy as np
from book.chapters import by_definition

from attention_lib import alibi_bias, rotary, sinusoidal_positions
from attention_lib.datasets import load_minilm_positions, load_writer


def rows(c, *schemes):
    """Return the shares of right answers, the mean of all seeds, one row for each scheme."""
    return c["runs"].right[[c["runs"].schemes.index(name) for name in schemes]].mean(axis=1)


def far_looks(c):
    """Return the two distances that the last letter looks at most, with rotary positions."""
    looks = c["runs"].rotary_looks.mean(axis=0)
    return sorted(np.argsort(-looks)[:2].tolist())


def steps_down(c):
    """Return the two letters at which the right answers with rotary positions fall most."""
    (right,) = rows(c, "rotary")
    return sorted((np.argsort(np.diff(right[3:]))[:2] + 5).tolist())


def parts_of_hands(looks):
    """Fit the logarithms of weights by distance: what two hands add to the scores, and how well.

    A hand of speed w adds some cos(w distance + phase), whatever the words are.
    """
    distance = np.arange(60.0)  # without the mark
    hands = [
        np.column_stack([np.cos(w * distance), np.sin(w * distance)])
        for w in 10000.0 ** -np.array([0, 2 / 8])
    ]
    scores = np.log(looks[:60])
    columns = np.column_stack([*hands, np.ones(60)])
    fitted = np.linalg.lstsq(columns, scores, rcond=None)[0]
    left = scores - columns @ fitted
    return hands[0] @ fitted[:2], hands[1] @ fitted[2:4], 1 - left.var() / scores.var()


CLAIMS = [
    (r"at place 1000 the number would drown .*? are about 1\.", by_definition),
    (r"It is largest, 1, when", by_definition),
    (
        r"place (\d+) looks nearly like places (\d+) and (\d+)\.",
        lambda c: [10, 10 - round(2 * np.pi), 10 + round(2 * np.pi)],
    ),
    (r"but the first, whose scores are all 0, looks", by_definition),
    (r"like \$i\$, begins at 0:", by_definition),
    (r"The constant 10000 is a choice", by_definition),
    (r"the constant 10000 is often called", by_definition),
    (r"in the text, counted from 0, and", by_definition),
    (r"look like place 10 in", by_definition),
    (r"at which both hands point the same way as at place 0\?", by_definition),
    (r"first place after 0", by_definition),
    (r"back at 6, 12, 18, … and the second at 4, 8, 12, …", by_definition),
    (r"back for the first time at 12, so", by_definition),
    (r"begins at column 0, .*? begins at column 1\.", by_definition),
    (r"turns by the angle 1 at each step", by_definition),
    (r"for places 0 to", by_definition),
    (r"counts 0, 2, 4, …, which", by_definition),
    (r"so \*saw\* puts (\S+) of its weight there", lambda c: [before_saw(c)]),
    (
        r"its table has (\d+) rows, so it .*? more than (\d+) tokens",
        lambda c: [len(load_writer().parameters["P"])] * 2,
    ),
    (r"the query is at place 2 and the key at place 0", by_definition),
    (r"at places 5 and 3, .*? at places 5 and 0", by_definition),
    (r"has moved on, from place 2 to place 5, so", by_definition),
    (r"as if the key stood at place 0", by_definition),
    (r"stand at places 0, 1, … and have", by_definition),
    (r"stands at place 0 unless", by_definition),
    (r"`rotary` counts the rows from 0\.", by_definition),
    (r"with eight heads they are 1/2, 1/4, …, 1/256", by_definition),
    (r"whose value is 1, that the values of all others are 0,", by_definition),
    (r"random numbers, on texts of (\d+) letters", lambda c: [trained(c)]),
    (r"and then read texts of (\d+)\. The cell", lambda c: [c["runs"].right.shape[-1]]),
    (
        r"of a text of (\d+) letters, after training on (\d+)\. Guessing gives 1/8\.",
        lambda c: [c["runs"].right.shape[-1], trained(c)],
    ),
    (r"be a hand of length 1 that", by_definition),
    (r"does a text of 20 letters use", by_definition),
    (r"and reaches (\S+)\.", lambda c: [rows(c, "alibi")[0, 3:20].mean()]),
    (r"Beyond (\d+) letters the learned table fails", lambda c: [trained(c)]),
    (
        r"in two steps, at letter (\d+) and at letter (\d+)\. To see why, we look at letter (\d+),",
        lambda c: [*steps_down(c), c["runs"].right.shape[-1]],
    ),
    (r"The letter looks mostly (\d+) and (\d+) places back, and hardly three", far_looks),
    (
        r"look like 3, because (\d+) is (\d+) more, almost exactly seven turns, "
        r"and (\d+) is (\d+) more, nearly eight\.",
        lambda c: [far_looks(c)[0], round(14 * np.pi), far_looks(c)[1], round(16 * np.pi)],
    ),
    (
        r"But (\d+), (\d+) and (\d+) look like 3 to it as well",
        lambda c: [3 + round(turns * 2 * np.pi) for turns in (1, 3, 4)],
    ),
    (r"its term falls from distance 3 to about 22, so", by_definition),  # tested below
    (
        r"comes round, after (\d+) places\. So beyond 22 its term rises again, "
        r"and at (\d+) and (\d+) it is higher than at 3\.",
        lambda c: [round(20 * np.pi), *far_looks(c)],
    ),
    (
        r"a distance of (\d+), six turns more than 3, is possible from letter (\d+) on, "
        r"and one of (\d+) from letter (\d+) on",
        lambda c: [
            *(3 + round(12 * np.pi), steps_down(c)[0], 3 + round(14 * np.pi), steps_down(c)[1])
        ],
    ),
    (r"has a table of 61 rows, .*? 60 letters\. .*? letter 21 on", by_definition),
    (r"beyond letter 20 were", by_definition),
    (r"has only 20 rows", by_definition),
    (r"the change is 0 everywhere", by_definition),
    (r"SmolLM2", by_definition),
]


def before_saw(c):
    """Return the weight of the word before "saw" when one hand asks for it."""
    hand, R = sinusoidal_positions(5, 2), c["R"]
    powers = np.exp(9 * hand[2] @ R.T @ hand.T)
    np.testing.assert_allclose(c["weights"][2], powers / powers.sum())
    return c["weights"][2, 1]


def trained(c):
    """Return the last letter up to which the model with waves is nearly always right."""
    return int((rows(c, "waves")[0, 3:] > 0.99).sum()) + 3


def test_only_a_box_makes_order_count(chapter):
    figure = chapter.figure("fig-order")
    for order in chapter.namespace["ORDERS"]:
        assert figure.frame(order=order)["largest"] < 1e-12
    other = "his owner saw the dog"
    for box in ({"places": True}, {"causal": True}):
        assert figure.frame(order=other, **box)["largest"] > 0.05


def test_a_score_of_counted_places_is_largest_at_an_end():
    places = np.arange(9.0)
    rng = np.random.default_rng(0)
    for a, b, c, d in rng.normal(size=(50, 4)):
        scores = np.outer(a * places + b, c * places + d)
        assert set(scores.argmax(axis=1)) <= {0, 8}


def test_more_hands_leave_one_peak_and_learned_places_are_like_their_neighbours(chapter):
    figure = chapter.figure("fig-waves")
    one, many = (figure.frame(hands=hands, place=10) for hands in ("1 hand", "32 hands"))
    assert one["six"] > 0.9 > many["six"]
    assert many["next"] > many["six"]
    for place in range(6, 31):
        learned = figure.frame(hands="learned by MiniLM", place=place)["cosine"]
        assert abs(np.argsort(-learned)[1] - place) == 1
    assert len(load_minilm_positions()) == 32


def test_both_hands_turn_and_the_score_stays(chapter):
    figure = chapter.figure("fig-rotary")
    frames = [figure.frame(place=place, distance=2) for place in (0, 7, 24)]
    assert np.ptp([frame["score"] for frame in frames]) < 1e-9
    assert np.ptp([frame["query"][0] for frame in frames]) > 0.5
    scores = [figure.frame(place=3, distance=distance)["score"] for distance in range(7)]
    assert len(set(np.round(scores, 3))) == 7


def test_a_steep_head_looks_near_and_a_flat_one_far(chapter):
    weights = chapter.figure("fig-alibi").frame(asks=13)["result"]  # (heads, words)
    distance = np.arange(13, -1, -1)
    mean = weights @ distance
    assert mean[0] < 2 < mean[1] < 5 < mean[2]
    bias = alibi_bias([0.5], 14)[0, -1]
    np.testing.assert_allclose(weights[0], np.exp(bias) / np.exp(bias).sum())


def test_what_the_chapter_says_of_longer_texts_holds_for_every_seed(chapter):
    runs = chapter.namespace["runs"]
    right = dict(zip(runs.schemes, runs.right, strict=True))
    for scheme in ("none", "waves", "learned", "rotary"):
        assert right[scheme][:, 3:20].mean(axis=1).min() > 0.99
    for scheme in ("none", "learned"):
        assert right[scheme][:, 20:].mean(axis=1).max() < 0.2
    assert right["waves"][:, 20].mean() > 0.8
    assert right["waves"][:, 21:].mean() < 0.3
    assert right["rotary"][:, 20:40].mean(axis=1).min() > 0.98
    assert right["rotary"][:, 50:].max() < 0.3
    assert right["alibi"][:, 20:].mean(axis=1).max() < right["rotary"][:, 20:].mean(axis=1).min()
    assert (runs.rotary_looks[:, [47, 53]].sum(axis=1) > 0.5).all()
    assert runs.rotary_looks[:, [9, 22, 28]].max() < 0.005


def test_a_slow_hand_keeps_out_near_look_alikes_and_lets_far_ones_in(chapter):
    for looks in chapter.namespace["runs"].rotary_looks:  # one row for each seed
        fast, slow, share = parts_of_hands(looks)
        assert share > 0.98  # two hands explain nearly all
        assert fast[:7].argmax() == 3
        assert 20 <= slow[3:50].argmin() + 3 <= 24
        assert np.ptp(fast[[3, 9, 22, 28, 41, 47, 53]]) < 0.1 * np.ptp(fast)  # all look alike
        assert (np.diff(slow[3:20]) < 0).all()
        assert (np.diff(slow[25:50]) > 0).all()
        assert slow[[47, 53]].min() > slow[3]


def test_rotary_asks_for_the_word_before_in_either_sentence():
    Q = rotary(np.tile([[9.0, 0.0]], (5, 1)), np.arange(5) - 1)
    K = rotary(np.tile([[1.0, 0.0]], (5, 1)))
    assert (Q @ K.T)[1:].argmax(axis=1).tolist() == [0, 1, 2, 3]
