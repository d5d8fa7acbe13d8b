"""What the chapter "What came after" says is what its cells and its figures give."""

import numpy as np
from book.chapters import by_definition, find, printed

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


CLAIMS = [
    (r"Since 2017 .*? some of it, as of 2025", by_definition),
    (r"as queries, 20 times as long", by_definition),
    (r"Attention recalls all (\d+) words", lambda c: [c["K"].shape[1]]),
    (
        r"subtract the average answer, (\d+) % of the words",
        lambda c: [100 * c["share_right"](c["linear"] - c["common"], c["rows"])],
    ),
    (
        r", too, brings (\d+) % back, because two random keys in (\d+) dimensions",
        lambda c: [100 * c["share_right"](c["K"] @ c["S"], c["rows"]), c["K"].shape[2]],
    ),
    (
        r"new word (\d+) % of the time, .*? delta rule, here with .*?, gives it in (\d+) %",
        lambda c: [
            100 * c["share_right"](c["K"] @ state, c["new"])
            for state in (c["again"].mT @ c["both"], c["corrected"])
        ],
    ),
    (
        r"Of (\d+) words, the sum gives back (\d+) % of the first (16) and (\d+) % of the last "
        r"(16), and the delta rule with a rate of 1 gives back (\d+) % and (\d+) %\. "
        r"With a rate of (0\.1) it forgets far less: (\d+) % and (\d+) %",
        lambda c: [
            *(c["many"].shape[1], by_age(c, "added")[0], 16, by_age(c, "added")[-1], 16),
            *(*by_age(c, "learned")[::3], 0.1, *by_age(c, "slowly")[::3]),
        ],
    ),
    (r"where keys repeat and, from (32) words on", lambda c: [c["COUNTS"][4]]),
    (r"the 64 random keys used above", by_definition),
    (
        r"only two of eight blocks, and they hold the right key in (\d+) % of the cases \(by "
        r"chance (\d+) %\)",
        lambda c: [100 * (c["best"] == c["own"]).any(axis=-1).mean(), 100 * 2 / 8],
    ),
    (
        r"each scores about (1)/(8) with it, while with the other means it scores about (0), "
        r"give or take (\S+)\. Trained",
        lambda c: [1, 1 / own_block(c).mean(), 0, other_blocks(c).std()],
    ),
    (r"\*\*gate\*\* .*? between 0 and 1 fades", by_definition),
    (r"The rate .*?, from 0 to 1, says", by_definition),
    (r"a rate of 1 is worse than the sum once there are many words", by_definition),  # see below
    (r"\*Mamba-2\* ", by_definition),  # its name
    (r":header-rows: 1", by_definition),
    (r"likely - \*Qwen3-Next\* ", by_definition),  # its name
    (r"- \*DeepSeek-V3\.2\*", by_definition),
    (r", 1 on the diagonal, .*? and 0 elsewhere\. Then all outputs", by_definition),
    (r"by 0 to hide .*? than 1 to fade\.", by_definition),
    (r"and 0 where .*? Gates may be 0, so", by_definition),
    (r"so the diagonal is 1\.", by_definition),
    (r"put a 1 after them\.", by_definition),
    (r"Where all gates are 1 this is the causal mask", by_definition),
    (r"Head 1 of layer 3 of MiniLM", by_definition),
    (r"which falls towards 0 as", by_definition),
    (
        r"A gap of 5 gives the needle (\S+) of the weight .*? The answer (\S+)\. With (\S+) among "
        r"ten, .*? as much as (\d+) other keys, since .*? and here there are (9,999) of them\.",
        lambda c: [*c["needle"](5, np.array([10, 10_000, 10])), np.exp(5), 9999],
    ),
    (r"exceed that of 9,999 others", by_definition),
    (r"in \*DeepSeek-V3\.2\* .*? a few cheap heads", by_definition),
    (r"attention reads only the best 2,048\.", by_definition),  # as published
    (r"at the end of 2025\.", by_definition),
    (r"the same two \(1 layer in 4 has attention\)", by_definition),  # as published
    (r"\*Gemma 3\* \(5 layers in 6\)", by_definition),  # as published
    (r"by numbers between 0 and 1 that", by_definition),
    (r"a description of 77 tokens\. Its picture is 64 × 64 tokens", by_definition),
    (r"The models of 2023 used facts", by_definition),
]


# what is said in words


def test_both_forms_are_equal_and_the_cache_is_far_larger(chapter):
    cell = find(chapter, "import numpy")
    assert cell.value == (True, (8, 9))
    assert printed(chapter, 'print("cache') == ["cache: 16000  state: 72"]


def test_linear_attention_brings_almost_nothing_back_and_every_answer_is_near_the_average(chapter):
    c = chapter.namespace
    assert printed(chapter, "K = keys")[0].startswith("1.0 0.0")
    spread = np.abs(c["linear"] - c["V"].mean(axis=1, keepdims=True)).mean()
    assert spread < 0.2 * np.abs(c["V"] - c["V"].mean(axis=1, keepdims=True)).mean()


def test_whether_the_delta_rule_leads_depends_on_the_keys_and_on_the_rate(chapter):
    memory, rates = chapter.namespace["MEMORY"], chapter.namespace["RATES"]
    for d_k in (16, 32, 64):
        once, twice, alike = (memory[d_k, kind] for kind in chapter.namespace["KINDS"])
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


def test_the_cell_of_gates_is_the_unrolled_state(chapter):
    cell = find(chapter, "gates =")
    gates, seen = chapter.namespace["gates"], np.zeros((5, 5))
    for i in range(5):
        seen[i] = gates[i] * seen[i - 1] if i else 0
        seen[i, i] = 1
    np.testing.assert_allclose(cell.value, seen, atol=0.005)


def test_a_key_that_fits_keeps_most_of_its_weight_and_a_sink_takes_nearly_all_where_none_does():
    assert softmax([5, 0, 0], sink=3).sum() > 0.85
    assert softmax([0, 0, 0], sink=3).sum() < 0.15


# what the figures show


def test_the_needle_is_lost_at_some_length_unless_scores_grow(chapter):
    figure = chapter.figure("fig-needle")
    for g in (1, 5, 12):
        frame = figure.frame(g=g, n=10)
        assert (np.diff(frame["plain"]) < 0).all()
        assert (frame["scaled"][-1] > frame["scaled"][0]) == (g > np.log(10))
    assert round(np.log(10), 1) == 2.3


def test_owner_falls_silent_and_the_last_his_which_found_dog_falls_silent_last(chapter):
    figure, c = chapter.figure("fig-sink-score"), chapter.namespace
    assert (c["INSIDE"][15], c["INSIDE"][4], c["INSIDE"][7]) == ("his", "owner", "dog")
    without, raised = figure.frame(sink=-10), figure.frame(sink=4)
    np.testing.assert_allclose(without["weights"].sum(axis=1), 1, atol=1e-4)
    assert raised["weights"][15].argmax() == 7
    assert raised["his"] > 0.85
    assert raised["owner"] < 0.35
    for sink in range(-2, 11):
        assert figure.frame(sink=sink)["weights"].sum(axis=1).argmax() == 15


def test_two_patches_are_the_upper_corners(chapter):
    assert printed(chapter, "image = np.arange")[-1] == "[0 1 4 5] [2 3 6 7]"
