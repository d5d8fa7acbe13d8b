"""The scoring functions and the kernels: one number per pair of a query and a key."""

import math
from types import SimpleNamespace

import numpy as np
import oracles
import pytest
from checks import assert_same, call, no_product, not_compared, per_pair, refusals, refuses
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, leads, sizes, values

from attention_lib import (
    additive_score,
    boxcar_kernel,
    dot_score,
    epanechnikov_kernel,
    gated_score,
    gaussian_kernel,
    multiplicative_score,
    scaled_dot_score,
    scores,
    triangular_kernel,
)

KERNELS = {
    gaussian_kernel: oracles.gaussian,
    boxcar_kernel: oracles.boxcar,
    triangular_kernel: oracles.triangular,
    epanechnikov_kernel: oracles.epanechnikov,
}
kernels = pytest.mark.parametrize("kernel", KERNELS)


@st.composite
def queries_and_keys(draw, same_size=True):
    n, m, d_q = draw(sizes), draw(sizes), draw(sizes)
    d_k = d_q if same_size else draw(sizes)
    q, k = draw(leads(2))
    dtype = draw(dtypes)
    return draw(values((*q, n, d_q), dtype)), draw(values((*k, m, d_k), dtype))


def table(Q, K, similarity, *parameters):
    parameters = [np.asarray(parameter).tolist() for parameter in parameters]
    return oracles.batched(lambda Q, K: oracles.pairs(Q, K, similarity, *parameters), Q, K)


@given(queries_and_keys())
def test_dot_scores_are_the_loop(QK):
    Q, K = QK
    assert_same(call(dot_score, Q, K), table(Q, K, oracles.dot), Q.dtype)
    assert_same(call(scaled_dot_score, Q, K), table(Q, K, oracles.scaled_dot), Q.dtype)


@given(st.data(), queries_and_keys(same_size=False), sizes)
def test_additive_score_is_the_loop(data, QK, d_h):
    Q, K = QK
    shapes = (Q.shape[-1], d_h), (K.shape[-1], d_h), (d_h,), (d_h,)
    W_q, W_k, w_v, b = (data.draw(values(shape, Q.dtype)) for shape in shapes)
    expected = table(Q, K, oracles.additive, W_q, W_k, w_v, b)
    assert_same(call(additive_score, Q, K, W_q, W_k, w_v, b), expected, Q.dtype)
    expected = table(Q, K, oracles.additive, W_q, W_k, w_v, np.zeros(d_h))
    assert_same(call(additive_score, Q, K, W_q, W_k, w_v), expected, Q.dtype)


@given(st.data(), queries_and_keys(same_size=False))
def test_multiplicative_score_is_the_loop(data, QK):
    Q, K = QK
    W = data.draw(values((Q.shape[-1], K.shape[-1]), Q.dtype))
    expected = table(Q, K, oracles.multiplicative, W)
    assert_same(call(multiplicative_score, Q, K, W), expected, Q.dtype)


@given(st.data(), queries_and_keys(), st.sampled_from([-2.0, 0.0, 3.0]))
def test_gated_score_is_the_loop(data, QK, b_g):
    Q, K = QK
    w_g = data.draw(values((2 * Q.shape[-1],), Q.dtype))
    expected = table(Q, K, oracles.gated, w_g, b_g)
    assert_same(call(gated_score, Q, K, w_g, b_g), expected, Q.dtype)
    expected = table(Q, K, oracles.gated, w_g, 0.0)
    assert_same(call(gated_score, Q, K, w_g), expected, Q.dtype)


@pytest.mark.parametrize(
    ("dtype", "entry"), [("float16", 40), ("float32", 5e18), ("float64", 4e153)]
)
def test_scaled_scores_are_finite_where_the_plain_dot_product_is_too_large(dtype, entry):
    Q = np.full((1, 64), entry, dtype)
    assert_same(call(scaled_dot_score, Q, Q), [[8 * entry**2]], dtype)


def test_a_closed_gate_gives_zero_and_an_open_gate_the_dot_product(rng):
    Q, K = rng.normal(size=(3, 4)), rng.normal(size=(5, 4))
    for gate, factor in [(-1e6, 0), (-1e308, 0), (1e6, 1), (1e308, 1)]:
        assert_same(gated_score(Q, K, np.zeros(8), gate), factor * (Q @ K.T), "float64")


def test_the_gate_may_differ_from_pair_to_pair(rng):
    Q, K = rng.normal(size=(3, 4)), rng.normal(size=(5, 4))
    b_g = np.where(np.eye(3, 5), 1e4, -1e4)
    assert_same(call(gated_score, Q, K, np.zeros(8), b_g), np.eye(3, 5) * (Q @ K.T), "float64")
    grid = gated_score(Q, K, np.zeros(8), np.zeros((2, 1, 1)))
    assert_same(grid, np.stack([Q @ K.T / 2] * 2), "float64")


def test_parameters_may_have_leading_axes_of_their_own(rng):
    Q, K = rng.normal(size=(3, 4)), rng.normal(size=(5, 2))
    W_q, W_k, W = rng.normal(size=(6, 4, 7)), rng.normal(size=(6, 2, 7)), rng.normal(size=(6, 4, 2))
    each = [additive_score(Q, K, W_q[i], W_k[i], np.ones(7)) for i in range(6)]
    assert_same(additive_score(Q, K, W_q, W_k, np.ones(7)), np.array(each), "float64")
    each = [multiplicative_score(Q, K, W[i]) for i in range(6)]
    assert_same(multiplicative_score(Q, K, W), np.array(each), "float64")


@kernels
@given(QK=queries_and_keys(), width=st.sampled_from([0.3, 1.0, 2.5]))
def test_kernels_are_the_loop(kernel, QK, width):
    Q, K = QK
    similarities = call(kernel, Q, K, width)
    assert_same(similarities, table(Q, K, KERNELS[kernel], width), Q.dtype)
    assert (similarities >= 0).all()


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        (gaussian_kernel, [1, math.exp(-1 / 8), math.exp(-1 / 2), math.exp(-2)]),
        (boxcar_kernel, [1, 1, 1, 0]),
        (triangular_kernel, [1, 1 / 2, 0, 0]),
        (epanechnikov_kernel, [3 / 4, 9 / 16, 0, 0]),
    ],
)
@pytest.mark.parametrize("width", [1, 4.0, 0.25])
def test_kernels_at_the_centre_half_way_at_the_edge_and_beyond(kernel, expected, width):
    Q, K = [[0.0, 0.0]], np.array([[0, 0], [0, 0.5], [-1, 0], [0, 2]]) * width
    assert_same(kernel(Q, K, width), [expected], "float64")


@pytest.mark.parametrize(("dtype", "reach"), [("float64", 38), ("float32", 14)])
def test_a_gaussian_is_rounded_to_zero_some_way_out_and_no_sooner(dtype, reach):
    K = np.array([[reach - 1], [reach + 1]], dtype)
    assert (gaussian_kernel(np.zeros((1, 1), dtype), K, 1.0) > 0).tolist() == [[True, False]]


@kernels
def test_the_width_may_differ_from_pair_to_pair(kernel):
    Q, K, widths = [[0.0], [1.0]], [[0.5], [3.0]], np.array([[[1.0, 2.0]], [[3.0, 4.0]]])
    expected = [
        [[kernel([q], [k], width)[0, 0] for k, width in zip(K, row[0], strict=True)] for q in Q]
        for row in widths
    ]
    assert_same(call(kernel, Q, K, widths), expected, "float64")


@kernels
@pytest.mark.parametrize(
    ("unit", "dtype"),
    [
        (1e-200, "float64"),
        (1e200, "float64"),
        (1e-30, "float32"),
        (1e30, "float32"),
        (1e3, "float16"),
    ],
)
def test_only_the_distance_counted_in_widths_matters(kernel, unit, dtype):
    Q, K = np.zeros((1, 1)), np.array([[0.0], [0.25], [0.5], [2.0]])
    similarities = kernel((Q * unit).astype(dtype), (K * unit).astype(dtype), unit)
    assert_same(similarities, kernel(Q, K, 1.0), dtype)


@kernels
def test_a_key_very_far_away_counts_for_nothing_and_does_not_overflow(kernel):
    for distance, width in [(1e200, 1.0), (1.0, 1e-200), (1e308, 1e-300)]:
        assert_same(kernel([[0.0]], [[distance]], width), [[0]], "float64")
    assert_same(
        kernel(np.zeros((1, 2), "float32"), np.full((1, 2), 1e30, "float32"), 1.0), [[0]], "float32"
    )
    assert_same(
        kernel(np.zeros((1, 1), "float32"), np.ones((1, 1), "float32"), 1e-300), [[0]], "float32"
    )


def test_lengths_are_measured_by_squares_unless_these_are_no_numbers(rng, monkeypatch):
    def slow(*args, **options):
        raise AssertionError

    Q, K = rng.normal(size=(4, 3)), rng.normal(size=(5, 3))
    far = gaussian_kernel(Q * 1e200, K * 1e200, 1e200)
    monkeypatch.setattr(scores.np, "hypot", SimpleNamespace(reduce=slow))  # eight times as slow
    assert_same(gaussian_kernel(Q, K, 1.0), far, "float64")
    assert gaussian_kernel(Q, Q, 1.0)[0, 0] == 1


ARGUMENTS = {  # d_q = d_k = 2
    dot_score: (),
    scaled_dot_score: (),
    additive_score: (np.eye(2), np.eye(2), np.ones(2)),
    multiplicative_score: (np.eye(2),),
    gated_score: (np.ones(4),),
    **dict.fromkeys(KERNELS, (1.0,)),
}


@pytest.mark.parametrize("score", ARGUMENTS)
@pytest.mark.parametrize(("n", "m"), [(0, 3), (3, 0), (0, 0)])
def test_no_queries_or_no_keys_give_an_empty_table(score, n, m):
    assert call(score, np.ones((n, 2)), np.ones((m, 2)), *ARGUMENTS[score]).shape == (n, m)


@pytest.mark.parametrize(
    "score", [s for s in ARGUMENTS if s not in (additive_score, multiplicative_score, gated_score)]
)
def test_queries_and_keys_of_different_length_are_refused(score):
    with refuses(ValueError, not_compared((3, 4), (5, 8))):
        score(np.ones((3, 4)), np.ones((5, 8)), *ARGUMENTS[score])


def scoring(score, *shapes):
    return lambda: score(*map(np.ones, shapes))


EMPTY = "queries and keys need at least one number, but Q has shape (3, 0) and K has shape (5, 0)"
HIDDEN = "these meet in one hidden layer, so all need the same length d_h, but W_q has shape (4, 6)"
VALUES = {
    EMPTY: scoring(dot_score, (3, 0), (5, 0)),
    no_product("Q", (3, 4), "W_q", (5, 6)): scoring(
        additive_score, (3, 4), (5, 2), (5, 6), (2, 6), (6,)
    ),
    no_product("K", (5, 2), "W_k", (4, 6)): scoring(
        additive_score, (3, 4), (5, 2), (4, 6), (4, 6), (6,)
    ),
    f"{HIDDEN} and W_k has shape (2, 7)": scoring(
        additive_score, (3, 4), (5, 2), (4, 6), (2, 7), (6,)
    ),
    f"{HIDDEN} and b has shape (1,)": scoring(
        additive_score, (3, 4), (5, 2), (4, 6), (2, 6), (6,), (1,)
    ),
    "w_v must have shape (d_h,), but has shape (6, 1)": scoring(
        additive_score, (3, 4), (5, 2), (4, 6), (2, 6), (6, 1), (6,)
    ),
    "W stands between a query and a key, so its shape must be (d_q, d_k), "
    "but Q has shape (3, 4) and W has shape (2, 4)": scoring(
        multiplicative_score, (3, 4), (5, 2), (2, 4)
    ),
    "the gate reads a query and a key end to end, so w_g needs shape (d_q + d_k,), "
    "but Q has shape (3, 4) and K has shape (3, 4) and w_g has shape (4,)": scoring(
        gated_score, (3, 4), (3, 4), (4,)
    ),
    not_compared((3, 4), (5, 2)): scoring(gated_score, (3, 4), (5, 2), (6,)),
    per_pair("b_g", (2, 3), (3, 3)): scoring(gated_score, (3, 4), (3, 4), (8,), (2, 3)),
    per_pair("width", (3, 4), (3, 3)) + "; one for each key has shape (3,), one for each query "
    "(3, 1)": scoring(gaussian_kernel, (3, 4), (3, 4), (3, 4)),
}
test_what_does_not_fit_is_refused = refusals(VALUES)


@kernels
@pytest.mark.parametrize("width", [0, -1, 0.0, math.nan, math.inf, [1.0, -2.0]])
def test_a_width_that_is_not_positive_is_refused(kernel, width):
    with refuses(ValueError, f"width must be a positive number, but is {width!r}"):
        kernel(np.ones((1, 1)), np.ones((2, 1)), width)
