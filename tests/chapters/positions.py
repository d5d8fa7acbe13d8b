"""What the chapter "Where am I? Positions" says is what its cells and its figures give."""

import numpy as np
from chapters.claims import Claims

from attention_lib import sinusoidal_positions, softmax
from attention_lib.models import load_writer


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


def before_saw(c):
    """Return the weight of the word before "saw" when one hand asks for it."""
    hand, R = sinusoidal_positions(5, 2), c["R"]
    powers = np.exp(9 * hand[2] @ R.T @ hand.T)
    np.testing.assert_allclose(c["weights"][2], powers / powers.sum())
    return c["weights"][2, 1]


def trained(c):
    """Return the last letter up to which the model with waves is nearly always right."""
    return int((rows(c, "waves")[0, 3:] > 0.99).sum()) + 3


GIVEN = {
    "an example": "1000 0111",
    "choices of models": "10000 100,000 500,000",
    "steps of training": "200 1,000 3,000",
}
CLAIMS = Claims(
    ("Saw puts {} of its weight on the word before", before_saw),
    (
        "our model that writes … has {} rows, and cannot read a longer text",
        lambda c: len(load_writer().parameters["P"]),
    ),
    ("in two drops, at letters {} and {}", steps_down),
    (
        "At a distance of {}, after six turns of the fastest hand, … and at {}, one turn later",
        lambda c: alike(6, 7),
    ),
    (
        "first occur at letters {} and {}",
        lambda c: [distance + 1 for distance in alike(6, 7)],
    ),
    ("cannot hold every whole number above {}", lambda c: 2**8),  # it has eight significant bits
)


@CLAIMS.says("If the words move, their outputs move along, unchanged")
def outputs_move_along_with_the_words(c):
    np.testing.assert_allclose(c["moved"], c["O"][c["order"]])
    assert [c["ours"][at] for at in c["order"]] == c["theirs"]


@CLAIMS.says("so seven is least like its neighbour")
def in_binary_neighbours_can_be_least_alike(c):
    signs = 2 * (np.arange(9)[:, None] >> np.arange(4) & 1) - 1
    assert (signs @ signs[7]).argmin() == 8


@CLAIMS.says("position 10 looks nearly like 4 and 16")
def one_hand_comes_round_again(c):
    cosine = c["like_place"](10, "1 hand")["cosine"][::4]
    assert min(cosine[4], cosine[16]) > 0.9


@CLAIMS.says("between whole positions, … the curve follows the hands")
def the_drawn_curves_pass_through_whole_positions(c):
    for hands, table in c["ALIKE"].items():
        for place in (6, 17):
            drawn = c["like_place"](place, hands)["cosine"]
            np.testing.assert_allclose(drawn[::4], table[place], atol=1e-9)


@CLAIMS.says("It goes up and down, from positive to negative and back")
def with_one_pair_the_score_goes_up_and_down(c):
    scores = np.array([c["two_hands"](0, distance)["score"] for distance in range(7)])
    assert scores[0] < scores[1] > scores[2]
    assert scores[1] > 0 > scores[4]
    assert scores[6] > 0


@CLAIMS.says("Between whole distances, the curve follows the wave of the hand")
def the_drawn_waves_pass_through_what_was_measured(c):
    for hands, smooth in c["SMOOTH"].items():
        np.testing.assert_allclose(smooth[:, ::4].T, c["TERMS"][hands][:60], atol=1e-9)


@CLAIMS.says("Dots: the way that each has come from the positions before")
def the_dots_end_where_the_arrows_stand(c):
    frame = c["two_hands"](9, 2)
    np.testing.assert_allclose(frame["path"][[25, 51]], [frame["query"], frame["key"][0]])
    np.testing.assert_allclose(frame["path"][20], c["two_hands"](8, 2)["query"])


@CLAIMS.says("ticked, no weight changes, whatever the order")
def only_a_box_makes_order_count(c):
    figure = c.figure("fig-order")
    for order in c["ORDERS"]:
        assert figure.frame(order=order)["largest"] < 1e-12
    other = "his owner saw the dog"
    for box in ({"places": True}, {"causal": True}):
        assert figure.frame(order=other, **box)["largest"] > 0.05


@CLAIMS.says("The answer Yes, in most rows")
def with_the_mask_alone_most_rows_change_in_every_other_order(c):
    figure = c.figure("fig-order")
    for order in list(c["ORDERS"])[1:]:
        frame = figure.frame(order=order, places=False, causal=True)
        assert (np.abs(frame["change"]).max(axis=1) > 0.1).sum() >= 4


@CLAIMS.says("with many hands, one peak is left")
def more_hands_leave_one_peak_and_learned_places_are_like_their_neighbours(c):
    figure = c.figure("fig-waves")
    one, many = (figure.frame(hands=hands, place=10) for hands in ("1 hand", "32 hands"))
    assert one["six"] > 0.9 > many["six"]
    assert many["next"] > many["six"]
    for place in range(6, 31):
        learned = figure.frame(hands="learned by MiniLM", place=place)["cosine"][::4]
        assert abs(np.argsort(-learned)[1] - place) == 1


@CLAIMS.says("both arrows turn, and the score stays the same")
def both_hands_turn_and_the_score_stays(c):
    figure = c.figure("fig-rotary")
    frames = [figure.frame(place=place, distance=2) for place in (0, 7, 24)]
    assert np.ptp([frame["score"] for frame in frames]) < 1e-9
    assert np.ptp([frame["query"][0] for frame in frames]) > 0.5


@CLAIMS.says("The methods differ most in how they extrapolate")
def what_the_chapter_says_of_longer_texts_holds_for_every_seed(c):
    runs = c["runs"]
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


@CLAIMS.says("its term falls up to a distance of about 22")
def a_slow_hand_keeps_out_near_look_alikes_and_lets_far_ones_in(c):
    for fast, slow, *others in terms(c).transpose(0, 2, 1):  # one for each seed
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


@CLAIMS.says("So the hands turn too far, and how far they turn can be changed")
def hands_that_do_not_turn_too_far_read_longer_texts(c):
    runs = c["runs"]
    share = dict(zip(runs.hands, runs.longer[..., 3:].mean(axis=-1), strict=True))  # (5, 3) each
    for hands in ("larger base", "by parts"):
        assert share[hands].min() > 0.98
    assert share["interpolated"][:, :2].max() < 0.25
    assert share["interpolated"][:, 2].min() > 0.9
    assert share["as trained"][:, 0].max() < 0.9
    assert share["as trained"][:, 1:].min() > 0.98
    for hands in ("larger base", "by parts"):
        second = terms(c, hands).mean(axis=0)[:, 1]  # what the figure draws
        assert second[4:].max() < second[3]
    assert set(terms(c, "interpolated").sum(axis=-1).argmax(axis=1)) == {9}
