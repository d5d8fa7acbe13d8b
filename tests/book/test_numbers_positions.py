"""What the chapter "Where am I? Positions" says is what its cells and its figures give."""

import numpy as np
from book.chapters import by_definition
from test_train_positions import models

from attention_lib import sinusoidal_positions, softmax
from attention_lib.models import load_minilm_positions, load_writer


def rows(c, *schemes):
    """Return the shares of right answers, the mean of all seeds, one row for each scheme."""
    return c["runs"].right[[c["runs"].schemes.index(name) for name in schemes]].mean(axis=1)


def terms(c, hands="as trained"):
    """Return what each hand adds to a score, by seed, distance and hand, without the mark."""
    return c["runs"].terms[c["runs"].hands.index(hands), :, :60]


def steps_down(c):
    """Return the two letters at which the right answers with rotary positions fall most."""
    (right,) = rows(c, "rotary")
    return sorted((np.argsort(np.diff(right[3:]))[:2] + 5).tolist())


def alike(*turns):
    """Return the distances that look like 3 to the fastest hand, this many turns further on."""
    return [3 + round(turn * 2 * np.pi) for turn in turns]


SIGNS = [1, 1, 1, -1, -1, -1, 1]  # of the scores at distances 0 to 6
CLAIMS = [
    (r"at place 1000 the number would drown .*? are about 1\.", by_definition),
    (r"\$i/n\$ stays below 1, but a step is now 1/5 .*? and 1/50 in one", by_definition),
    (r"0111 for place 7, 1000 for place 8\.", by_definition),
    (r"we write −1 for the digit 0 and compare place 7 with places 0 to 8:", by_definition),
    (r"Place 7 is \*least\* like its neighbour 8, because", by_definition),
    (r"a distance of 3 means", by_definition),
    (r"It is largest, 1, when", by_definition),
    (
        r"place (\d+) looks nearly like places (\d+) and (\d+)\.",
        lambda c: [10, 10 - round(2 * np.pi), 10 + round(2 * np.pi)],
    ),
    (r"but the first, whose scores are all 0, looks", by_definition),
    (r"like \$i\$, begins at 0:", by_definition),
    (r"The constant 10000 is a choice", by_definition),
    (r"the constant 10000 is called `rope_theta`; SmolLM2 has 100,000\.", by_definition),
    (r"in the text, counted from 0\.", by_definition),
    (
        r"which of the places 11 to (\d+) looks most like place 10 in .*? Place (\d+), with a "
        r"cosine of (\S+); place 16 has (\S+), and the neighbour 11 only (\S+)\. To guess .*? 16 "
        r"is to count one turn, of (\S+) places; but three turns take (\S+), .*? \(choose 32\)",
        lambda c: [
            len(row := c["like_place"](10, "1 hand")["cosine"]) - 1,
            *(11 + row[11:].argmax(), row[11:].max(), *row[[16, 11]]),
            *(2 * np.pi, 3 * 2 * np.pi),
        ],
    ),
    (
        r"only the distance, from 0 to (6)\? .*? It goes up and down: (\S+), (\S+), (\S+), −(\S+), "
        r"−(\S+), −(\S+), (\S+)\. That",
        lambda c: [6, *(s * c["two_hands"](0, d)["score"] for d, s in enumerate(SIGNS))],
    ),
    (r"at which both hands point the same way as at place 0\?", by_definition),
    (r"first place after 0", by_definition),
    (r"back at 6, 12, 18, … and the second at 4, 8, 12, …", by_definition),
    (r"back for the first time at 12, so", by_definition),
    (r"begins at column 0, .*? begins at column 1\.", by_definition),
    (r"for places 0 to", by_definition),
    (r"counts 0, 2, 4, …, which", by_definition),
    (r"\*Saw\* puts (\S+) of its weight on the word before", lambda c: [before_saw(c)]),
    (
        r"has (\d+) rows, so it cannot read more than (\d+) tokens",
        lambda c: [len(load_writer().parameters["P"])] * 2,
    ),
    (r"stand at places 0, 1, … and have", by_definition),
    (r"stands at place 0 unless", by_definition),
    (r"`rotary` counts the rows from 0\.", by_definition),
    (r"With eight heads the slopes are 1/2, 1/4, …, 1/256", by_definition),
    (r"has the value 1 and all others 0,", by_definition),
    (r"\(\*seeds\*\), on texts of (\d+) letters", lambda c: [trained(c)]),
    (
        r"right: (1,000) corrections .*? each from 32 texts; ALiBi "
        r"\(slopes 1/4, 1/16, 1/64 and 1/256\) needed (3,000)",
        lambda c: [models.STEPS["rotary"], models.STEPS["alibi"]],
    ),
    (r"Then it read texts of (\d+) letters\. The cell", lambda c: [c["runs"].right.shape[-1]]),
    (
        r"of a text of (\d+) letters, after training on (\d+) "
        r"\(mean of three seeds\)\. Guessing gives 1/8\.",
        lambda c: [c["runs"].right.shape[-1], trained(c)],
    ),
    (r"be a hand of length 1 that", by_definition),
    (
        r"in two steps, at letters (\d+) and (\d+)\.",
        steps_down,
    ),
    (r"shows for letter (\d+) what each", lambda c: [c["runs"].right.shape[-1]]),
    (r"In training no distance was above (\d+)\.", lambda c: [trained(c)]),
    (
        r"high at distance 3\. This .*? nearly as high at (\d+), (\d+), (\d+) and so on",
        lambda c: alike(1, 2, 3),
    ),
    (r"its term falls from distance 3 to about 22, so", by_definition),  # tested below
    (r"comes round as well, after (\d+) places\.", lambda c: [round(20 * np.pi)]),
    (
        r"Beyond 22 its term rises again; at (\d+) it is nearly as high as at 3, "
        r"and at (\d+) and (\d+) higher\.",
        lambda c: alike(6, 7, 8),
    ),
    (
        r"A distance of (\d+) becomes possible at letter (\d+), "
        r"and one of (\d+) at letter (\d+): these are",
        lambda c: [*(alike(6)[0], steps_down(c)[0], alike(7)[0], steps_down(c)[1])],
    ),
    (r"by letter (\d+) little is left", lambda c: [alike(8)[0] + 1]),  # tested below
    (r"\\approx 43\{,\}267\$:", by_definition),
    (r"its rows from (\d+) on never", lambda c: [trained(c) + 1]),
    (r"such as SmolLM2", by_definition),
    (r"language model T5 learns", by_definition),
    (r"the \$d_k/2\$ hands by parts", by_definition),
    (r"a distance of (\d+) now looks as 3 did, and that", lambda c: [3 * 3]),
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


def test_with_the_mask_alone_most_rows_change_in_every_other_order(chapter):
    figure = chapter.figure("fig-order")
    for order in list(chapter.namespace["ORDERS"])[1:]:
        frame = figure.frame(order=order, places=False, causal=True)
        assert (np.abs(frame["change"]).max(axis=1) > 0.1).sum() >= 4


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


def test_what_the_chapter_says_of_longer_texts_holds_for_every_seed(chapter):
    runs = chapter.namespace["runs"]
    right = dict(zip(runs.schemes, runs.right, strict=True))
    assert runs.right[..., 3:20].mean(axis=-1).min() > 0.99
    for scheme in ("none", "learned"):
        assert right[scheme][:, 20:].mean(axis=1).max() < 0.2
    assert right["waves"][:, 20].max() > 0.9  # one more letter at best
    assert right["waves"][:, 21:].mean() < 0.3
    assert right["rotary"][:, 20:40].mean(axis=1).min() > 0.98
    assert right["rotary"][:, 50:].max() < 0.3
    assert right["rotary"][:, 52].max() < 0.2  # little is left to lose at letter 54
    tens = right["alibi"][:, 20:].reshape(-1, 4, 10).mean(axis=(0, 2))
    assert (np.diff(tens) < 0).all()  # worse little by little


def test_a_slow_hand_keeps_out_near_look_alikes_and_lets_far_ones_in(chapter):
    for fast, slow, *others in terms(chapter.namespace).transpose(0, 2, 1):  # one for each seed
        score = fast + slow + sum(others)
        assert score[:20].argmax() == 3
        assert score.argmax() in (47, 53)
        assert softmax(score[:20])[3] > 0.9  # the second layer does the looking back
        assert fast[:7].argmax() == 3
        assert 20 <= slow[3:50].argmin() + 3 <= 24
        assert np.ptp(fast[alike(*range(9))]) < 0.1 * np.ptp(fast)  # all look alike
        assert (np.diff(slow[3:20]) < 0).all()
        assert (np.diff(slow[25:50]) > 0).all()
        assert slow[[47, 53]].min() > slow[3]
        assert max(np.ptp(other) for other in others) < 0.1 * np.ptp(slow)


def test_hands_that_do_not_turn_too_far_read_longer_texts(chapter):
    runs = chapter.namespace["runs"]
    share = dict(zip(runs.hands, runs.longer[..., 3:].mean(axis=-1), strict=True))  # (5, 3) each
    for hands in ("larger base", "by parts"):
        assert share[hands].min() > 0.98
    assert share["interpolated"][:, :2].max() < 0.25
    assert share["interpolated"][:, 2].min() > 0.9
    assert share["as trained"][:, 0].max() < 0.9
    assert share["as trained"][:, 1:].min() > 0.98
    for hands in ("larger base", "by parts"):
        second = terms(chapter.namespace, hands).mean(axis=0)[:, 1]  # what the figure draws
        assert second[4:].max() < second[3]
    assert set(terms(chapter.namespace, "interpolated").sum(axis=-1).argmax(axis=1)) == {9}
