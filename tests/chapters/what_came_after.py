"""What the chapter "What came after" says is what its cells and its figures give."""

import numpy as np
import pytest
from chapters.claims import Claims

from attention_lib import softmax

GIVEN = {
    "as published": "2,048",
    "the other keys of the needle": "9,999",
}
CLAIMS = Claims(
    (
        "A gap of 5 gives the needle {} of the weight … The answer {}",
        lambda c: c["needle"](5, np.array([10, 10_000])),
    ),
    ("only as much as {} other keys", lambda c: np.exp(5)),
)


@CLAIMS.says("every answer drowns in the average of all words")
def linear_attention_brings_almost_nothing_back_and_every_answer_is_near_the_average(c):
    assert [float(x) for x in c.printed("K = keys")][:2] == [1, 0.01]
    spread = np.abs(c["linear"] - c["V"].mean(axis=1, keepdims=True)).mean()
    assert spread < 0.2 * np.abs(c["V"] - c["V"].mean(axis=1, keepdims=True)).mean()


@CLAIMS.says("This plain sum, the last line, recalls nearly every word")
def the_plain_sum_recalls_nearly_every_word(c):
    assert c["share_right"](c["K"] @ c["S"], c["rows"]) > 0.95


@CLAIMS.says("The sum cannot tell old from new, and the delta rule nearly always can")
def only_the_delta_rule_tells_old_from_new(c):
    assert c["share_right"](c["K"] @ (c["again"].mT @ c["both"]), c["new"]) < 0.5
    assert c["share_right"](c["K"] @ c["corrected"], c["new"]) > 0.9


@CLAIMS.says("in about seven cases of eight they hold the right key")
def two_blocks_of_eight_hold_the_right_key_in_seven_cases_of_eight(c):
    assert (c["best"] == c["own"]).any(axis=-1).mean() == pytest.approx(7 / 8, abs=0.02)


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
