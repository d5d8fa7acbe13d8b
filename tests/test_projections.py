"""One head: projections of one sequence, and what permuting it does."""

import math

import numpy as np
import oracles
from checks import assert_same, call, no_product, not_compared, refusals
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, generators, leads, masks, sizes, values

from attention_lib import causal_mask, self_attention, sinusoidal_positions


@st.composite
def heads(draw, masked=True):
    """X (..., n, d), the three projections, and a mask."""
    n, d, d_k, d_v = (draw(sizes) for _ in "nddd")
    lead, mask_lead = draw(leads(2))
    dtype = draw(dtypes)
    shapes = (*lead, n, d), (d, d_k), (d, d_k), (d, d_v)
    X, *projections = (draw(values(shape, dtype)) for shape in shapes)
    return X, projections, draw(masks(mask_lead, n, n)) if masked else None


@given(heads())
def test_self_attention_is_the_loop(head):
    X, projections, mask = head
    n = X.shape[-2]
    allowed = np.ones((n, n), bool) if mask is None else mask & np.ones((n, n), bool)
    W = dict(zip(("W_q", "W_k", "W_v"), (W.tolist() for W in projections), strict=True))
    expected = oracles.batched(oracles.self_attention, X, allowed, **W)
    assert_same(call(self_attention, X, *projections, mask=mask), expected, X.dtype)


@given(heads(masked=False), generators)
def test_permuting_the_sequence_permutes_the_output(head, rng):
    X, projections, _ = head
    order = rng.permutation(X.shape[-2])
    output, weights = self_attention(X, *projections)
    shuffled = self_attention(X[..., order, :], *projections)
    assert_same(shuffled, (output[..., order, :], weights[..., order, :][..., order]), X.dtype)


def test_a_causal_mask_breaks_permutation_equivariance():
    X, W, order = np.array([[0.0], [1.0]]), np.eye(1), [1, 0]
    output, _ = self_attention(X, W, W, W, mask=causal_mask(2))
    shuffled, _ = self_attention(X[order], W, W, W, mask=causal_mask(2))
    assert np.abs(shuffled - output[order]).max() > 0.2


def test_positions_break_permutation_equivariance(rng):
    X, W, order = rng.normal(size=(4, 6)), np.eye(6), [1, 0, 3, 2]
    P = sinusoidal_positions(4, 6)
    output, _ = self_attention(X + P, W, W, W)
    shuffled, _ = self_attention(X[order] + P, W, W, W)
    assert np.abs(shuffled - output[order]).max() > 0.01


def test_a_spoiled_token_that_is_masked_spoils_only_its_own_row(rng):
    X, projections = rng.normal(size=(4, 3)), rng.normal(size=(3, 3, 2))
    mask = np.ones((4, 4), bool)
    mask[:, 3] = False
    expected, _ = self_attention(X, *projections, mask=mask)
    X[3] = math.nan
    output, _ = self_attention(X, *projections, mask=mask)
    assert_same(output[:3], expected[:3], "float64")
    assert np.isnan(output[3]).all()


# bad input


def projecting(*shapes):
    return lambda: self_attention(np.ones((5, 4)), *map(np.ones, shapes))


VALUES = {
    no_product("X", (5, 4), "W_q", (3, 2)): projecting((3, 2), (4, 2), (4, 2)),
    no_product("X", (5, 4), "W_k", (3, 2)): projecting((4, 2), (3, 2), (4, 2)),
    no_product("X", (5, 4), "W_v", (3, 2)): projecting((4, 2), (4, 2), (3, 2)),
    not_compared((4, 2), (4, 3), "W_q", "W_k"): projecting((4, 2), (4, 3), (4, 2)),
}
test_projections_that_do_not_fit_are_refused = refusals(VALUES)
