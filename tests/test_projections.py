"""One head: projections of one sequence, what permuting it does, and positions."""

import math

import numpy as np
import oracles
import pytest
from checks import assert_same, call, no_product, not_compared, refuses
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, generators, leads, masks, sizes, values

from attention_lib import attention, causal_mask, self_attention, sinusoidal_positions


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


@given(heads())
def test_self_attention_is_attention_of_three_projections(head):
    X, (W_q, W_k, W_v), mask = head
    expected = attention(X @ W_q, X @ W_k, X @ W_v, mask=mask)
    assert_same(call(self_attention, X, W_q, W_k, W_v, mask=mask), expected, X.dtype)


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


# positions


@pytest.mark.parametrize("n", [0, 1, 2, 40])
@pytest.mark.parametrize("d", [1, 2, 5, 8])
def test_sinusoidal_positions_are_the_loop(n, d):
    positions = sinusoidal_positions(n, d)
    assert type(positions) is np.ndarray
    assert_same(positions, np.reshape(oracles.sinusoidal_positions(n, d), (n, d)), "float64")


@pytest.mark.parametrize("dtype", ["float16", "float32", np.float32, np.dtype("float64")])
def test_positions_have_the_dtype_asked_for_and_leave_that_of_the_words_alone(dtype):
    positions = sinusoidal_positions(40, 6, dtype=dtype)
    assert_same(positions, sinusoidal_positions(40, 6), np.dtype(dtype))
    assert (np.ones((40, 6), dtype) + positions).dtype == dtype


@pytest.mark.parametrize("dtype", ["int64", bool, "complex128", str])
def test_positions_that_are_no_floating_numbers_are_refused(dtype):
    message = f"positions lie between -1 and 1, so dtype must be floating, but is {np.dtype(dtype)}"
    with refuses(TypeError, message):
        sinusoidal_positions(3, 4, dtype=dtype)


def test_sine_and_cosine_of_a_position_lie_on_the_unit_circle():
    P = sinusoidal_positions(50, 8)
    assert_same(P[:, 0::2] ** 2 + P[:, 1::2] ** 2, np.ones((50, 4)), "float64")


@pytest.mark.parametrize("k", [1, 7])
def test_moving_by_k_positions_rotates_each_pair_by_the_same_angle(k):
    P = sinusoidal_positions(50, 8)
    for pair in range(4):
        angle = k / 10000 ** (2 * pair / 8)
        turn = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
        sines_and_cosines = P[:, 2 * pair : 2 * pair + 2]
        assert_same(sines_and_cosines[:-k] @ np.array(turn), sines_and_cosines[k:], "float64")


# bad input


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (
            [(5, 4), (3, 2), (4, 2), (4, 2)],
            no_product("X", (5, 4), "W_q", (3, 2)),
        ),
        (
            [(5, 4), (4, 2), (3, 2), (4, 2)],
            no_product("X", (5, 4), "W_k", (3, 2)),
        ),
        (
            [(5, 4), (4, 2), (4, 2), (3, 2)],
            no_product("X", (5, 4), "W_v", (3, 2)),
        ),
        (
            [(5, 4), (4, 2), (4, 3), (4, 2)],
            not_compared((5, 2), (5, 3)),
        ),
    ],
)
def test_projections_that_do_not_fit_are_refused(shapes, message):
    with refuses(ValueError, message):
        self_attention(*map(np.ones, shapes))


@pytest.mark.parametrize(
    ("n", "d", "error", "message"),
    [
        (-1, 4, ValueError, "n must be at least 0, but is -1"),
        (3, 0, ValueError, "d must be at least 1, but is 0"),
        (3.0, 4, TypeError, "n must be a whole number, but is 3.0"),
        (3, "4", TypeError, "d must be a whole number, but is '4'"),
    ],
)
def test_sizes_that_make_no_positions_are_refused(n, d, error, message):
    with refuses(error, message):
        sinusoidal_positions(n, d)
