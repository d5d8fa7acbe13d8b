"""What the chapter "Looking inside" measures with: loops, laws, bad input."""

import math
from functools import partial

import numpy as np
import oracles
import pytest
from checks import assert_same, call, no_product, not_compared, refusals
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, generators, leads, sizes, values

import attention_lib as lib
from attention_lib.inside import _as_head


@given(st.data(), leads(3), sizes, sizes, sizes, dtypes)
def test_value_weighted_is_the_loop(data, lead, n, m, d_v, dtype):
    weights = np.abs(data.draw(values((*lead[0], n, m), dtype)))
    V, W_o = (
        data.draw(values((*lead[1], m, d_v), dtype)),
        data.draw(values((*lead[2], d_v, 3), dtype)),
    )
    expected = oracles.batched(oracles.value_weighted, weights, V, W_o)
    assert_same(call(lib.value_weighted, weights, V, W_o), expected, dtype)


def test_without_an_output_projection_values_count_as_they_are_and_without_weight_nothing_does():
    weights, V = np.array([[0.25, 0.75]]), np.array([[3.0, 4.0], [0.0, 2.0]])
    for W_o in (None, np.eye(2)):
        assert lib.value_weighted(weights, V, W_o).tolist() == [[1.25, 1.5]]
    found = lib.value_weighted([[1.0, 0.0, 0.0]], [[2.0], [math.nan], [math.inf]])
    assert found.tolist() == [[2.0, 0.0, 0.0]]


@given(st.data(), leads(1), st.integers(0, 7), dtypes)
def test_the_induction_score_is_the_loop(data, lead, n, dtype):
    tokens = data.draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))
    weights = lib.softmax(data.draw(values((*lead[0], n, n), dtype)))
    expected = [oracles.induction_score(weights[i].tolist(), tokens) for i in np.ndindex(lead[0])]
    assert_same(call(lib.induction_score, weights, tokens), np.reshape(expected, lead[0]), dtype)


@pytest.mark.parametrize("hidden", [(0, 2), (3, 3), (3, 4), (4, 5)])
def test_weights_that_do_not_count_may_be_anything(hidden):
    weights = np.full((5, 5), 0.2)
    expected = lib.induction_score(weights, list("abaca"))
    weights[hidden if hidden != (4, 5) else (4, 0)] = math.nan
    assert lib.induction_score(weights, list("abaca")) == expected


def decoder(rng, dtype="float64"):
    shapes = {"E": (7, 8), "P": (6, 8), "gain": (8,), "U": (8, 7)}
    shapes |= {"W_q": (3, 4, 8, 3), "W_k": (3, 2, 8, 3), "W_v": (3, 2, 8, 5), "W_o": (3, 20, 8)}
    shapes |= {"W_1": (3, 8, 9), "W_2": (3, 9, 8), "gain_1": (3, 8), "gain_2": (3, 8)}
    return {name: rng.normal(size=shape).astype(dtype) for name, shape in shapes.items()}


TOKENS = np.array([[1, 5, 0, 1, 5], [2, 2, 6, 3, 4]])


@given(generators, dtypes, st.booleans())
def test_the_lens_reads_every_stage_and_ends_in_the_logits(rng, dtype, biased):
    parameters = decoder(rng, dtype)
    if biased:
        parameters["bias"] = rng.normal(size=8).astype(dtype)
    lens = call(lib.logit_lens, TOKENS, parameters)
    assert (lens.shape, lens.dtype) == ((4, 2, 5, 7), np.dtype(dtype))
    np.testing.assert_array_equal(lens[-1], lib.decoder_logits(TOKENS, parameters))
    if not biased:
        start = parameters["E"][TOKENS] + parameters["P"][:5]
        expected = lib.rms_norm(start, parameters["gain"]) @ parameters["U"]
        np.testing.assert_allclose(lens[0], expected, rtol=1e-3, atol=1e-4)
    shorter = {name: a[:2] if "_" in name else a for name, a in parameters.items()}
    middle = lib.decoder_logits(TOKENS, shorter)  # as if there were two blocks
    np.testing.assert_allclose(lens[2], middle, rtol=1e-3, atol=1e-3)


@given(generators, dtypes)
def test_a_trace_has_what_the_decoder_computes(rng, dtype):
    parameters, tokens = decoder(rng, dtype), TOKENS[0]
    traced = lib.trace(parameters, tokens)
    np.testing.assert_array_equal(traced["logits"], lib.decoder_logits(tokens, parameters))
    for i, steps in enumerate(lib.decoder_steps(tokens, parameters)):
        for name in ("X", "A", "Q", "weights", "H", "B", "hidden"):
            np.testing.assert_array_equal(traced[name][i], getattr(steps, name), name)
        np.testing.assert_array_equal(traced["Y"][i], steps.output)
        for name in ("K", "V"):  # each of which two heads share
            np.testing.assert_array_equal(traced[name][i, 1::2], getattr(steps, name), name)
    laid = traced["found"].swapaxes(1, 2).reshape(3, 5, 20) @ parameters["W_o"]
    np.testing.assert_allclose(traced["heads"], laid, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(traced["X"] + traced["heads"], traced["H"], rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(traced["H"] + traced["network"], traced["Y"], rtol=1e-5, atol=1e-5)
    allowed = np.where(lib.causal_mask(5), traced["scores"], -np.inf)
    np.testing.assert_allclose(lib.softmax(allowed), traced["weights"], rtol=1e-5)
    np.testing.assert_array_equal(traced["E"] + traced["P"], traced["X"][0])


def test_a_trace_follows_what_is_changed():
    parameters, tokens = decoder(np.random.default_rng(0)), TOKENS[0]
    mute = {name: array.copy() for name, array in parameters.items()}
    mute["W_o"][1, 5:10] = 0  # the rows of head 1
    silent = lib.trace(parameters, tokens, without=[(1, 1)])
    np.testing.assert_array_equal(silent["logits"], lib.decoder_logits(tokens, mute))
    blind = lib.trace(parameters, tokens, hidden=[1, 9])["weights"]
    assert blind[:, :, 2:, 1].max() == 0 < blind[:, :, 1, 1].min()
    even = lib.trace(parameters, tokens, score=lambda Q, K: np.zeros((4, 5, 5)))["weights"]
    np.testing.assert_allclose(even[2, 3, 3], [0.25, 0.25, 0.25, 0.25, 0])


@given(generators, dtypes, sizes, sizes, sizes)
def test_scores_of_tokens_are_those_of_attention_between_their_vectors(rng, dtype, c, d, d_k):
    E = rng.normal(size=(c, d)).astype(dtype)
    W_q, W_k = rng.normal(size=(2, 3, d, d_k)).astype(dtype)  # of three heads
    scores = call(lib.qk_circuit, E, W_q, W_k)
    assert scores.shape == (3, c, c)
    for head in range(3):
        _, weights = lib.attention(E @ W_q[head], E @ W_k[head], E)
        np.testing.assert_allclose(lib.softmax(scores[head]), weights, rtol=1e-3, atol=1e-4)


@given(generators, dtypes, sizes, sizes, sizes)
def test_what_a_token_writes_is_its_value_read_off_by_the_last_matrix(rng, dtype, c, d, d_v):
    E, U = rng.normal(size=(c, d)).astype(dtype), rng.normal(size=(d, c + 1)).astype(dtype)
    W_v, W_o = rng.normal(size=(2, d, d_v)), rng.normal(size=(2, d_v, d))
    table = call(lib.ov_circuit, E, W_v.astype(dtype), W_o.astype(dtype), U)
    for head in range(2):
        rows = oracles.matmul(oracles.matmul(E.tolist(), W_v[head].tolist()), W_o[head].tolist())
        expected = np.reshape(oracles.matmul(rows, U.tolist()), (c, c + 1))
        np.testing.assert_allclose(table[head], expected, rtol=1e-3, atol=1e-3)


E, W = np.ones((4, 3)), np.ones((3, 2))
BEYOND = ": blocks count from 0 to 2, heads from 0 to 3"
VALUES = {
    "a trace is that of one text, of one token or more, but tokens has shape (0,)": lambda: (
        lib.trace(decoder(np.random.default_rng(0)), np.array([], int))
    ),
    "score(Q, K) must give one number per query and key, shape (..., 2, 2), but gave shape (3,) "
    "for Q of shape (4, 2, 3) and K of shape (4, 2, 3)": lambda: lib.trace(
        decoder(np.random.default_rng(0)), [1, 2], score=lambda Q, K: np.zeros(3)
    ),
    "each weight belongs to one value, so weights need a column for each row of V, "
    "but weights has shape (3, 2) and V has shape (4, 3)": lambda: lib.value_weighted(W, E),
    no_product("V", (2, 3), "W_o", (4, 3)): lambda: lib.value_weighted(W, W.T, E),
    "every token looks at every token, so weights need shape (..., n, n), "
    "but there are 2 tokens and weights have shape (3, 3)": lambda: lib.induction_score(
        np.eye(3), ["a", "b"]
    ),
    **{
        f"there is no head {head} in block {block}{BEYOND}": partial(
            _as_head, (block, head), blocks=3, h=4
        )
        for block, head in [(3, 0), (0, 4), (-1, 0), (0, -1)]
    },
    no_product("E", (4, 3), "W_q", (2, 2)): lambda: lib.qk_circuit(E, np.ones((2, 2)), W),
    not_compared((3, 2), (3, 5), "W_q", "W_k"): lambda: lib.qk_circuit(E, W, np.ones((3, 5))),
    no_product("W_v", (3, 2), "W_o", (3, 3)): lambda: lib.ov_circuit(E, W, np.eye(3), E.T),
}
TYPES = {
    "tokens must be a list of tokens, but are one string: split it first": lambda: (
        lib.induction_score(np.eye(3), "aba")
    ),
    **{
        f"heads are pairs (block, head), as in [(0, 3)], but one is {head!r}": partial(
            _as_head, head, blocks=3, h=4
        )
        for head in [3, (0,), (0, 1, 2), (0.5, 1), "ab"]
    },
}
test_what_does_not_fit_is_refused = refusals(VALUES, TYPES)
