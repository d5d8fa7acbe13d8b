"""What the chapter "Scoring functions" says is what its cells and its figures give."""

import numpy as np
import pytest
from book.chapters import FOLDER, by_definition, find, grid, printed

from attention_exercises.scoring_functions import EXERCISES
from attention_lib import (
    additive_score,
    dot_score,
    gated_score,
    local_mask,
    multiplicative_score,
    scaled_dot_score,
    softmax,
    strided_mask,
    top_k_mask,
)


def dots(c):
    return (c["Q"] @ c["K"].T)[0]  # (m,)


CLAIMS = [
    (
        r"- key 1 - key 2 - .*? The answer Key 1, by a little: (\S+) against (\S+)\. "
        r"\*Key 2\* takes .*? but key 2 does not point",
        lambda c: [dots(c)[0], (c["Q"] @ c["short"])[0]],
    ),
    (r"of this size have a standard deviation of (\d+), and", lambda c: [np.sqrt(400)]),
    (
        r"All pairs are scored, and (\d) of (\d+), or (\S+), are kept\.",
        lambda c: [3, len(c["places"]), c["thin_out"]("top-k", 3)["shares"][1]],
    ),
    (r"which we number from 1 to 5:", by_definition),
    (r"Key 1 equals the query; key 2 points in nearly", by_definition),
    (r"Now make key 2 as short as key 1\.", by_definition),
    (
        r"If key 2 were as short as key 1, it would lose, with (\S+) against (\S+), because",
        lambda c: [(c["Q"] @ c["short"])[0], dots(c)[0]],
    ),
    (r"now a longer key 2 gets less weight", by_definition),
    (
        r"to the left of where it points, and finds key (\d):",
        lambda c: [multiplicative_score(c["Q"], c["K"], c["W"]).argmax() + 1],
    ),
    (r"You can shorten, stretch and turn key 2 in", by_definition),
    (r"Key 1 equals the query, and key 2 begins as .*? below that of key 1, while", by_definition),
    (r"Then turn key 2 away from", by_definition),
    (
        r"Put the query on key 1\. Only the additive .*? gives key 1 more than",
        by_definition,
    ),  # below
    (r"Key 1, which equals the query, scores highest", by_definition),
    (
        r"so it nearly shuts for keys (\d) and (\d)\.",
        lambda c: [j + 1 for j in range(5) if c["w_g"][2] * c["K"][j, 0] < -1],
    ),
    (r"multiplies the dot product by a learned number between 0 and 1, the", by_definition),
    (r"In the cell \$b_g\$ is 0 and", by_definition),
    (
        r"weight of key 5, because a score near 0 beats −(\S+)\. "
        r"\*\*A score of 0 does not mean a weight of 0\*\*",
        lambda c: [-dots(c)[4]],
    ),
    (r"never does: key 1 lies inside the polygon", by_definition),  # tested below
    (r"Key 2 wins, with (\S+) against (\S+), because", lambda c: [dots(c)[1], dots(c)[0]]),
    (r"when the weight is 0, and also when it is 1:", by_definition),
    (r"by more than a right angle \(90 degrees\)", by_definition),
    (r"averaged over (\d+) draws", lambda c: [len(c["asks"])]),
    (r"`K\.shape\[1\]`, not `K\.shape\[0\]`", by_definition),
    (r"Both vectors hold 25 numbers", by_definition),
    (r"and there are 25 of them", by_definition),
    (r"an S-shaped curve from −1 to 1, is applied", by_definition),
    (r"agree, and near 0 when they are far apart", by_definition),  # tested below
    (
        r"translation of (\d+) steps over (\d+) words, with .*? of (\d+) numbers .*? to (\d+):",
        lambda c: [len(c["steps"]), len(c["words"]), *c["P_q"].shape],
    ),
    (r"for each pair, and holds (\d+) numbers on the way", lambda c: [c["hidden"].size]),
    (r"A score of 0 is not a weight of 0\. A mask", by_definition),
    (r"need no division: their scores lie between −1 and 1\)", by_definition),
    (r"should get a neutral score near 0, whatever", by_definition),
    (r"A query holds 400 numbers and a key 200\. .*? to size 50\?", by_definition),
    (r"is at most 50\.", by_definition),
    (r"`z @ W_1`, is", by_definition),
    (r"\*not a number\*, from 0/0\.", by_definition),
    (
        r"because each query has at most (\d) keys, itself and (\d) to each side\.",
        lambda c: [local_mask(1024, 1024, window=4).sum(axis=1).max(), 4 - 1],
    ),
    (
        r"A stride's share stays the same, here one in (\w+)\.",
        lambda c: [1 / c["strided"].mean()],
    ),
    (
        r"Weights of (\d+) queries on (\d+) keys",
        lambda c: c["pair_scores"].shape,
    ),
    (r"vectors of 512 numbers, .*? vectors of 300 numbers,", by_definition),
]


# what is said in words


def angle(one, other):
    return np.degrees(np.arccos(one @ other / np.linalg.norm(one) / np.linalg.norm(other)))


def test_key_a_equals_the_query_and_b_is_longer_in_nearly_the_same_direction(chapter):
    (q,), K = chapter.namespace["Q"], chapter.namespace["K"]
    np.testing.assert_array_equal(K[0], q)
    assert np.linalg.norm(K[1]) > 2 * np.linalg.norm(q)
    assert angle(q, K[1]) < 20
    assert dots(chapter.namespace).argmax() == 1
    short = chapter.namespace["short"]
    np.testing.assert_allclose(np.linalg.norm(short), np.linalg.norm(K[0]))
    assert angle(short, K[1]) < 1e-5
    assert short @ q < K[0] @ q


def test_variance_grows_with_the_size_and_the_root_brings_it_back_to_one(chapter):
    rows = np.array([line.split() for line in printed(chapter, "for d_k in (4")], float)
    sizes, plain, scaled = rows.T
    np.testing.assert_allclose(plain, sizes, rtol=0.06)
    np.testing.assert_allclose(scaled, 1, atol=0.05)


def test_without_the_division_one_key_takes_everything_and_the_slope_dies(chapter):
    (weights,) = printed(chapter, "plain, scaled =")
    assert weights.startswith("[1. 0. 0. 0. 0. 0. 0. 0.]")
    plain, scaled = printed(chapter, "for weights in (plain")
    assert plain == "largest slope: 0.0"
    assert float(scaled.split()[-1]) > 0.2


def test_the_hand_made_network_prefers_the_nearest_key_however_long_the_others_are(chapter):
    c = chapter.namespace
    parameters = c["W_q"], c["W_k"], c["w_v"], c["b"]
    for factor in (1, 2, 10):
        keys = np.vstack([c["K"][:1], factor * c["K"][1:]])
        assert additive_score(c["Q"], keys, *parameters).argmax() == 0
    u = c["Q"][:, None] - c["K"]  # (n, m, d_k)
    bumps = np.tanh(u + 1) - np.tanh(u - 1)
    np.testing.assert_allclose(bumps.sum(axis=-1), additive_score(c["Q"], c["K"], *parameters))
    line = np.linspace(-5, 5, 1001)
    bump = np.tanh(line + 1) - np.tanh(line - 1)
    assert line[bump.argmax()] == pytest.approx(0)
    assert bump[[0, -1]].max() < 0.001


def test_the_matrix_turns_the_query_to_the_left_where_key_3_is(chapter):
    c = chapter.namespace
    (q,), W = c["Q"], c["W"]
    np.testing.assert_allclose(q @ W, [-q[1], q[0]])  # what the keys are compared with
    assert multiplicative_score(c["Q"], c["K"], W).argmax() == 2


def test_two_thin_matrices_make_a_dot_product_of_projections(chapter):
    cell = find(chapter, "np.allclose(scores")
    assert cell.value is True
    assert cell.printed.splitlines() == ["(20, 30, 8) 4800 (20, 30) 600"]


def test_the_gate_opens_to_the_right_and_shuts_for_c_and_e(chapter):
    c = chapter.namespace
    gates = gated_score(c["Q"], c["K"], c["w_g"])[0] / dots(c)
    assert np.flatnonzero(gates < 0.2).tolist() == [2, 4]
    assert (gates[[0, 1, 3]] > 0.7).all()
    assert np.flatnonzero(c["K"][:, 0] < 0).tolist() == [2, 4]


def test_the_formula_of_the_welcome_page_is_the_attention_of_the_library(chapter):
    formula = r"\mathrm{softmax}\bigl(Q K^\top / \sqrt{d_k}\bigr)\, V"
    assert formula in (FOLDER / "welcome.md").read_text(encoding="utf-8")
    (line,) = printed(chapter, "by_letters =")
    assert line.endswith(" True")


def test_a_mask_on_the_weights_comes_too_late(chapter):
    c = chapter.namespace
    np.testing.assert_allclose(c["masked"].sum(axis=1), 1)
    np.testing.assert_array_equal((c["masked"] > 0).sum(axis=1), [4, 2, 5])
    late = c["late"].sum(axis=1)
    assert late[1] < 0.9
    assert late[1] < late[0] < late[2]
    text = (FOLDER / "scoring_functions.md").read_text(encoding="utf-8")
    table = text.split("|---|---|---|---|---|\n")[1].split("\n\n")[0].splitlines()
    words = [[word.strip() != "*pad*" for word in row.strip("| ").split("|")] for row in table]
    np.testing.assert_array_equal(c["mask"], words)


def test_a_shut_gate_raises_the_weight_of_key_5(chapter):
    c = chapter.namespace
    gated = softmax(gated_score(c["Q"], c["K"], c["w_g"]))[0]
    assert gated[4] > 5 * softmax(dots(c))[4]


def test_a_query_that_may_look_at_nothing_reads_nothing(chapter):
    assert printed(chapter, "nothing =") == ["[[0. 0. 0. 0. 0.]] [[0.]]"]


def test_the_share_of_a_window_falls_with_the_length_and_that_of_a_stride_does_not(chapter):
    lines = printed(chapter, "for n in (16")
    short, long = (np.array(line.split("[")[1].rstrip("]").split(), float) for line in lines)
    assert long[0] < short[0] / 10
    assert long[1] == short[1] == 1 / 8
    assert local_mask(1024, 1024, window=4).sum(axis=1)[100] == 7


def test_the_learned_numbers_of_the_table_are_the_sizes_of_the_parameters(chapter):
    c = chapter.namespace
    d_q, d_k, d_h = 2, 2, 4
    additive = sum(c[name].size for name in ("W_q", "W_k", "w_v", "b"))
    assert additive == (d_q + d_k + 2) * d_h
    assert c["W"].size == d_q * d_k
    assert c["w_g"].size + 1 == d_q + d_k + 1


# what the figures show


def test_a_longer_key_gains_weight_below_a_right_angle_and_loses_it_beyond(chapter):
    figure = chapter.figure("fig-longer-key")
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
    key = chapter.namespace["K"][1]  # the text's, but for rounding
    np.testing.assert_allclose(start["keys"][1], key, atol=0.05)


def test_the_slope_dies_with_the_size_and_the_division_keeps_it(chapter):
    figure = chapter.figure("fig-saturation")
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


def test_top_k_scores_all_pairs_and_fixed_patterns_only_what_they_keep(chapter):
    figure = chapter.figure("fig-sparse")
    for at in grid(figure, "pattern", "size"):
        frame = figure.frame(**at)
        np.testing.assert_allclose(frame["weights"].sum(axis=1), 1)
        scored, kept = frame["shares"]
        assert kept == (frame["weights"] > 0).mean()
        assert scored == (1 if at["pattern"] == "top-k" else kept)
    kept = {
        pattern: figure.frame(pattern=pattern, size=1)["shares"][1]
        for pattern in ("all pairs", "strided", "top-k")
    }
    assert kept["top-k"] == 1 / 16
    assert kept["all pairs"] == kept["strided"] == 1


def test_top_k_keeps_fewer_pairs_than_a_window_of_the_same_size(chapter):
    figure = chapter.figure("fig-sparse")
    for size in range(2, 9):
        top, local = (
            figure.frame(pattern=pattern, size=size)["shares"][1]
            for pattern in ("top-k", "local window")
        )
        assert top < local


def test_all_six_are_those_of_the_library(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-six-scores")
    for x, y in ((1.0, 0.5), (-2.5, 3.0), (0.0, 0.0)):
        Q, K = np.array([[x, y]]), c["K"]
        scaled = scaled_dot_score(Q, K)
        rows = np.concatenate(
            [
                softmax(dot_score(Q, K)),
                softmax(scaled),
                softmax(additive_score(Q, K, c["W_q"], c["W_k"], c["w_v"], c["b"])),
                softmax(multiplicative_score(Q, K, c["W"])),
                softmax(gated_score(Q, K, c["w_g"])),
                softmax(scaled, mask=top_k_mask(scaled, 2)),
            ]
        )
        frame = figure.frame(x=x, y=y)
        np.testing.assert_allclose(frame["weights"], rows)
        np.testing.assert_allclose(frame["outputs"], rows @ c["V"][:, 0])


def test_at_the_start_six_scores_give_six_different_answers(chapter):
    frame = chapter.figure("fig-six-scores").frame()
    assert len(np.unique(frame["outputs"].round(1))) == 6
    assert frame["weights"].argmax(axis=1).tolist() == [1, 1, 0, 2, 1, 1]


def test_the_dot_product_wants_the_key_that_reaches_farthest_in_the_querys_direction(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-six-scores")
    for at in grid(figure, "x", "y"):
        query = np.array([at["x"], at["y"]])
        if not query.any():
            continue
        frame = figure.frame(**at)
        reach = c["K"] @ query / np.linalg.norm(query)
        left = c["K"] @ np.array([-query[1], query[0]])
        assert np.isclose(reach[frame["weights"][0].argmax()], reach.max())
        assert np.isclose(left[frame["weights"][3].argmax()], left.max())


def test_only_the_additive_score_gives_key_1_more_than_half_and_only_around_the_key(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-six-scores")
    where = np.array([[at["x"], at["y"]] for at in grid(figure, "x", "y")])
    weights = c["six_weights"](where)[..., 0]  # (6, n), of key 1
    assert np.flatnonzero(weights.max(axis=1) > 0.5).tolist() == [2]
    assert np.abs(where[weights[2] > 0.5] - c["K"][0]).max() <= 1
    reach = where @ c["K"].T  # (n, 5): key 1 is inside the polygon of the others
    away = np.linalg.norm(where, axis=1) > 0
    assert (reach[away, 1:].max(axis=1) > reach[away, 0]).all()


def test_the_hand_made_network_mostly_wants_the_nearest_key(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-six-scores")
    nearest = []
    for at in grid(figure, "x", "y"):
        distance = np.linalg.norm(c["K"] - [at["x"], at["y"]], axis=1)
        chosen = figure.frame(**at)["weights"][2].argmax()
        nearest.append(np.isclose(distance[chosen], distance.min()))
    assert np.mean(nearest) > 0.85


# what the solutions add


def test_the_specifications_of_the_exercises_are_the_library(rng):
    Q, K, V = rng.normal(size=(4, 3)), rng.normal(size=(6, 3)), rng.normal(size=(6, 2))
    np.testing.assert_allclose(EXERCISES["ex-scaled-score"].model(Q, K), scaled_dot_score(Q, K))
    W_q, W_k, w_v, b = (rng.normal(size=shape) for shape in ((3, 5), (3, 5), 5, 5))
    scores = additive_score(Q, K, W_q, W_k, w_v, b)
    own = EXERCISES["ex-additive-score"].model(Q, K, W_q, W_k, w_v, b)
    np.testing.assert_allclose(own, scores)
    mask = local_mask(4, 6, 2) | strided_mask(4, 6, 3)
    output, share = EXERCISES["ex-sparse-attention"].model(Q, K, V, 2, 3)
    np.testing.assert_allclose(output, softmax(scaled_dot_score(Q, K), mask=mask) @ V)
    assert share == mask.mean()
