"""What the chapter "What came after" says is what its cells and its figures give."""

import numpy as np
from chapters.claims import Claims

from attention_lib import softmax


def by_age(c, memory):
    """Return what a memory recalls of each quarter of 64 words in percent, oldest first."""
    answers, quarters = c["many"] @ c[memory], np.split(np.arange(64), 4)
    return [100 * c["share_right"](answers[:, q], c["stored"][:, q]) for q in quarters]


def own_block(c):
    """Return how each of 64 keys scores with the mean of its own block."""
    scores = c["many"] @ c["averages"].mT  # (trials, 64, 8)
    return scores[:, np.arange(64), np.arange(64) // 8]


def other_blocks(c):
    """Return how the 64 keys score with the means of the other blocks, which is about 0."""
    scores = c["many"] @ c["averages"].mT
    others = scores[:, np.arange(64)[:, None] // 8 != np.arange(8)]
    assert abs(others.mean()) < 0.005
    return others


GIVEN = {
    "a rate in the cell": "0.1",
    "as published": "2,048",
    "the other keys of the needle": "9,999",
}
CLAIMS = Claims(
    (
        "subtract the average answer, {} % of the words",
        lambda c: [100 * c["share_right"](c["linear"] - c["common"], c["rows"])],
    ),
    (
        ", too, brings {} % back, because two random keys in {} dimensions",
        lambda c: [100 * c["share_right"](c["K"] @ c["S"], c["rows"]), c["K"].shape[2]],
    ),
    (
        "new word {} % of the time, … delta rule, here with …, gives it in {} %",
        lambda c: [
            100 * c["share_right"](c["K"] @ state, c["new"])
            for state in (c["again"].mT @ c["both"], c["corrected"])
        ],
    ),
    (
        "the sum gives back {} % of the first 16 and {} % of the last 16",
        lambda c: by_age(c, "added")[::3],
    ),
    (
        "the delta rule with a rate of 1 gives back {} % and {} %",
        lambda c: by_age(c, "learned")[::3],
    ),
    ("With a rate of 0.1 it forgets far less: {} % and {} %", lambda c: by_age(c, "slowly")[::3]),
    (
        "hold the right key in {} % of the cases (by chance {} %)",
        lambda c: [100 * (c["best"] == c["own"]).any(axis=-1).mean(), 100 * 2 / 8],
    ),
    ("each scores about 1/{} with it", lambda c: 1 / own_block(c).mean()),
    ("it scores about 0, give or take {}", lambda c: other_blocks(c).std()),
    (
        "A gap of 5 gives the needle {} of the weight … The answer {}",
        lambda c: c["needle"](5, np.array([10, 10_000])),
    ),
    ("With {} among ten", lambda c: c["needle"](5, np.array([10]))),
    ("only as much as {} other keys", lambda c: np.exp(5)),
)


@CLAIMS.says("every answer drowns in the same average of all words")
def linear_attention_brings_almost_nothing_back_and_every_answer_is_near_the_average(c):
    assert c.printed("K = keys")[0].startswith("1.0 0.0")
    spread = np.abs(c["linear"] - c["V"].mean(axis=1, keepdims=True)).mean()
    assert spread < 0.2 * np.abs(c["V"] - c["V"].mean(axis=1, keepdims=True)).mean()


@CLAIMS.says("a rate of 1 is worse than the sum once there are many words")
def whether_the_delta_rule_leads_depends_on_the_keys_and_on_the_rate(c):
    memory, rates = c["MEMORY"], c["RATES"]
    for d_k in (16, 32, 64):
        once, twice, alike = (memory[d_k, kind] for kind in c["KINDS"])
        plain, slow, fast = (once[:, i] for i in (2, 3 + rates.index(0.1), 3 + rates.index(1)))
        assert plain[-1] < plain[0] - 0.05  # the more words, the fewer come back
        assert (fast <= plain).all()
        assert fast[-1] < plain[-1] - 0.05
        assert (np.abs(slow - plain) < 0.06).all()
        assert (twice[:, -1] > twice[:, 2] + 0.05).all()
        assert (alike[3:, -2] > alike[3:, 2] + 0.05).all()
        assert (alike[4:, 3:] > 1.4 * alike[4:, 2:3]).all()  # whatever the rate
        assert (once[:, 0] == 1).all()
        assert np.abs(twice[1:, 0] - 0.5).max() < 0.1  # attention does not know which is new


@CLAIMS.says("Where one key fits well, it keeps most of its weight")
def a_key_that_fits_keeps_most_of_its_weight_and_a_sink_takes_nearly_all_where_none_does(c):
    assert softmax([5, 0, 0], sink=3).sum() > 0.85
    assert softmax([0, 0, 0], sink=3).sum() < 0.15


@CLAIMS.says("every needle is lost at some length")
def the_needle_is_lost_at_some_length_unless_scores_grow(c):
    figure = c.figure("fig-needle")
    for g in (1, 5, 12):
        frame = figure.frame(g=g, n=10)
        assert (np.diff(frame["plain"]) < 0).all()
        assert (frame["scaled"][-1] > frame["scaled"][0]) == (g > np.log(10))
    assert round(np.log(10), 1) == 2.3


@CLAIMS.says("the last his, which found dog, falls silent last")
def owner_falls_silent_and_the_last_his_which_found_dog_falls_silent_last(c):
    figure = c.figure("fig-sink-score")
    assert (c["INSIDE"][15], c["INSIDE"][4], c["INSIDE"][7]) == ("his", "owner", "dog")
    without, raised = figure.frame(sink=-10), figure.frame(sink=4)
    np.testing.assert_allclose(without["weights"].sum(axis=1), 1, atol=1e-4)
    assert raised["weights"][15].argmax() == 7
    assert raised["his"] > 0.85
    assert raised["owner"] < 0.35
    for sink in range(-2, 11):
        assert figure.frame(sink=sink)["weights"].sum(axis=1).argmax() == 15
