"""What the chapter "Scoring functions" says is what its cells and its figures give."""

import numpy as np
from chapters.claims import Claims
from chapters.page import grid

from attention_lib import gated_score, local_mask, softmax


def dots(c):
    return (c["Q"] @ c["K"].T)[0]  # (m,)


GIVEN = {
    "sizes in exercises": "400 200 512 300",
}
CLAIMS = Claims(
    ("averaged over {} draws", lambda c: len(c["asks"])),
    (
        "On its way to the scores the additive one holds {} numbers for every pair",
        lambda c: c["hidden"].size / (len(c["steps"]) * len(c["words"])),
    ),
    ("their standard deviation is {}", lambda c: np.sqrt(len(c["q"]))),
    ("in `bfloat16` {} + 1 is", lambda c: 2**8),  # seven bits follow its first one
)


@CLAIMS.says("Dividing by $\\sqrt{d_k}$ brings the variance back to one")
def variance_grows_with_the_size_and_the_root_brings_it_back_to_one(c):
    rows = np.array([line.split() for line in c.printed("for d_k in (4")], float)
    sizes, plain, scaled = rows.T
    np.testing.assert_allclose(plain, sizes, rtol=0.06)
    np.testing.assert_allclose(scaled, 1, atol=0.05)


@CLAIMS.says("Shutting the gate raised the weight of key 5")
def a_shut_gate_raises_the_weight_of_key_5(c):
    gated = softmax(gated_score(c["Q"], c["K"], c["w_g"]))[0]
    assert dots(c)[4] < 0
    assert gated[4] > 5 * softmax(dots(c))[4]


@CLAIMS.says("now a longer key 2 gets less weight")
def a_longer_key_gains_weight_below_a_right_angle_and_loses_it_beyond(c):
    figure = c.figure("fig-longer-key")
    angles, lengths = (
        next(axis.values for axis in figure.axes if axis.name == name)
        for name in ("angle", "length")
    )
    for turn in angles:
        frames = [figure.frame(angle=turn, length=length) for length in lengths]
        gains = np.diff([frame["dot"][1] for frame in frames])
        if turn != 90:
            assert (gains > 0).all() if turn < 90 else (gains < 0).all()
        cosines = [frame["cosine"] for frame in frames]
        np.testing.assert_allclose(cosines, [cosines[0]] * len(cosines))
    start, shortest = figure.frame(), figure.frame(length=0.4)
    assert start["dot"].argmax() == 1
    assert shortest["dot"].argmax() == 0


@CLAIMS.says("without the division one weight swallows the others and the slope dies")
def the_slope_dies_with_the_size_and_the_division_keeps_it(c):
    figure = c.figure("fig-saturation")
    slopes = np.array([figure.frame(**at)["slopes"] for at in grid(figure, "size")])
    plain, scaled = slopes.T
    assert (np.diff(plain[2:]) < 0).all()
    assert plain[-1] < 0.06
    assert np.ptp(scaled[2:]) < 0.03
    assert scaled.min() > 0.15
    largest = [figure.frame(size=512, draw=draw)["plain"].max() for draw in range(1, 7)]
    assert np.mean(np.array(largest) > 0.9) > 0.5
    for draw in range(1, 7):
        assert figure.frame(size=512, draw=draw)["scaled"].max() < 0.75


@CLAIMS.says("but must score every pair before it knows which")
def top_k_scores_all_pairs_and_fixed_patterns_only_what_they_keep(c):
    figure = c.figure("fig-sparse")
    for at in grid(figure, "pattern", "size"):
        frame = figure.frame(**at)
        scored, kept = frame["shares"]
        assert kept == (frame["weights"] > 0).mean()
        assert scored == (1 if at["pattern"] == "top-k" else kept)


@CLAIMS.says("and nearly shuts for keys {} and {}")
def the_gate_shuts(c):
    gates = gated_score(c["Q"], c["K"], c["w_g"])[0] / dots(c)
    assert (gates[[0, 1, 3]] > 0.7).all()
    return np.flatnonzero(gates < 0.2) + 1


@CLAIMS.says("but key 2 does not point exactly along the query")
def as_short_as_key_1(c):
    (q,), K, short = c["Q"], c["K"], c["short"]
    np.testing.assert_array_equal(K[0], q)
    np.testing.assert_allclose(np.linalg.norm(short), np.linalg.norm(K[0]))
    assert 0.9 * K[0] @ q < short @ q < K[0] @ q
    assert K[1] @ q > K[0] @ q


@CLAIMS.says("We mask first as we should, and then too late")
def masked_too_late(c):
    np.testing.assert_allclose(c["masked"].sum(axis=1), 1)
    late = c["late"].sum(axis=1)
    assert late[1] < 0.9
    assert late[1] < late[0] < late[2]


@CLAIMS.says("For a window it falls as sequences grow; for a stride it stays the same")
def shares_of_patterns(c):
    (short, *short_shares), (long, *long_shares) = (
        [float(x) for x in line.replace("[", "").replace("]", "").split()]
        for line in c.printed("from attention_lib import local_mask")
    )
    assert short < long
    assert long_shares[0] < short_shares[0] / 10
    assert long_shares[1] == short_shares[1] == 1 / 8
    assert local_mask(1024, 1024, window=4).sum(axis=1).max() == 7
