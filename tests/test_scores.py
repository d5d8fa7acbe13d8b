"""The scoring functions and the kernels: one number per pair of a query and a key."""

import math

import numpy as np
import pytest
from checks import assert_same, call, no_product, not_compared, per_pair, refusals, refuses

import attention_lib as lib

KERNELS = [lib.gaussian_kernel, lib.boxcar_kernel, lib.triangular_kernel, lib.epanechnikov_kernel]
kernels = pytest.mark.parametrize("kernel", KERNELS)


@pytest.mark.parametrize(
    ("dtype", "entry"), [("float16", 40), ("float32", 5e18), ("float64", 4e153)]
)
def test_scaled_scores_are_finite_where_the_plain_dot_product_is_too_large(dtype, entry):
    Q = np.full((1, 64), entry, dtype)
    assert_same(call(lib.scaled_dot_score, Q, Q), [[8 * entry**2]], dtype)


def test_a_closed_gate_gives_zero_and_an_open_gate_the_dot_product_for_each_pair(rng):
    Q, K = rng.normal(size=(3, 4)), rng.normal(size=(5, 4))
    for gate, factor in [
        (-1e308, 0),
        (1e308, 1),
        (np.where(np.eye(3, 5), 1e4, -1e4), np.eye(3, 5)),
    ]:
        assert_same(call(lib.gated_score, Q, K, np.zeros(8), gate), factor * (Q @ K.T), "float64")
    grid = lib.gated_score(Q, K, np.zeros(8), np.zeros((2, 1, 1)))
    assert_same(grid, np.stack([Q @ K.T / 2] * 2), "float64")


def test_parameters_may_have_leading_axes_of_their_own(rng):
    Q, K = rng.normal(size=(3, 4)), rng.normal(size=(5, 2))
    W_q, W_k, W = rng.normal(size=(6, 4, 7)), rng.normal(size=(6, 2, 7)), rng.normal(size=(6, 4, 2))
    each = [lib.additive_score(Q, K, W_q[i], W_k[i], np.ones(7)) for i in range(6)]
    assert_same(lib.additive_score(Q, K, W_q, W_k, np.ones(7)), np.array(each), "float64")
    each = [lib.multiplicative_score(Q, K, W[i]) for i in range(6)]
    assert_same(lib.multiplicative_score(Q, K, W), np.array(each), "float64")


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        (lib.gaussian_kernel, [1, math.exp(-1 / 8), math.exp(-1 / 2), math.exp(-2)]),
        (lib.boxcar_kernel, [1, 1, 1, 0]),
        (lib.triangular_kernel, [1, 1 / 2, 0, 0]),
        (lib.epanechnikov_kernel, [3 / 4, 9 / 16, 0, 0]),
    ],
)
@pytest.mark.parametrize("width", [1, 4.0, 0.25])
def test_kernels_at_the_centre_half_way_at_the_edge_and_beyond(kernel, expected, width):
    Q, K = [[0.0, 0.0]], np.array([[0, 0], [0, 0.5], [-1, 0], [0, 2]]) * width
    assert_same(kernel(Q, K, width), [expected], "float64")


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
    for distance, width in [(1e30, 1.0), (1.0, 1e-300)]:
        assert_same(
            kernel(np.zeros((1, 2), "f4"), np.float32([[distance] * 2]), width), [[0]], "f4"
        )


ARGUMENTS = {  # d_q = d_k = 2
    lib.dot_score: (),
    lib.scaled_dot_score: (),
    lib.additive_score: (np.eye(2), np.eye(2), np.ones(2)),
    lib.multiplicative_score: (np.eye(2),),
    lib.gated_score: (np.ones(4),),
    **dict.fromkeys(KERNELS, (1.0,)),
}


@pytest.mark.parametrize("score", ARGUMENTS)
@pytest.mark.parametrize(("n", "m"), [(0, 3), (3, 0), (0, 0)])
def test_no_queries_or_no_keys_give_an_empty_table(score, n, m):
    assert call(score, np.ones((n, 2)), np.ones((m, 2)), *ARGUMENTS[score]).shape == (n, m)


def scoring(score, *shapes):
    return lambda: score(*map(np.ones, shapes))


def additive(*shapes):
    return scoring(lib.additive_score, (3, 4), (5, 2), *shapes)


EMPTY = "queries and keys need at least one number, but Q has shape (3, 0) and K has shape (5, 0)"
HIDDEN = "these meet in one hidden layer, so all need the same length d_h, but W_q has shape (4, 6)"
BETWEEN = "W stands between a query and a key, so its shape must be (d_q, d_k), "
END_TO_END = "the gate reads a query and a key end to end, so w_g needs shape (d_q + d_k,), "
WIDTH = "; one for each key has shape (3,), one for each query (3, 1)"
PLAIN = (lib.dot_score, lib.scaled_dot_score)
VALUES = [
    (EMPTY, scoring(lib.dot_score, (3, 0), (5, 0))),
    *[(not_compared((3, 4), (5, 8)), scoring(score, (3, 4), (5, 8))) for score in PLAIN],
    *[(not_compared((3, 4), (5, 8)), scoring(kernel, (3, 4), (5, 8), ())) for kernel in KERNELS],
    (not_compared((3, 4), (5, 2)), scoring(lib.gated_score, (3, 4), (5, 2), (6,))),
    (no_product("Q", (3, 4), "W_q", (5, 6)), additive((5, 6), (2, 6), (6,))),
    (no_product("K", (5, 2), "W_k", (4, 6)), additive((4, 6), (4, 6), (6,))),
    (f"{HIDDEN} and W_k has shape (2, 7)", additive((4, 6), (2, 7), (6,))),
    (f"{HIDDEN} and b has shape (1,)", additive((4, 6), (2, 6), (6,), (1,))),
    ("w_v must have shape (d_h,), but has shape (6, 1)", additive((4, 6), (2, 6), (6, 1), (6,))),
    (
        f"{BETWEEN}but Q has shape (3, 4) and W has shape (2, 4)",
        scoring(lib.multiplicative_score, (3, 4), (5, 2), (2, 4)),
    ),
    (
        f"{END_TO_END}but Q has shape (3, 4) and K has shape (3, 4) and w_g has shape (4,)",
        scoring(lib.gated_score, (3, 4), (3, 4), (4,)),
    ),
    (per_pair("b_g", (2, 3), (3, 3)), scoring(lib.gated_score, (3, 4), (3, 4), (8,), (2, 3))),
    (
        per_pair("width", (3, 4), (3, 3)) + WIDTH,
        scoring(lib.gaussian_kernel, (3, 4), (3, 4), (3, 4)),
    ),
]
test_what_does_not_fit_is_refused = refusals(VALUES)


@kernels
@pytest.mark.parametrize("width", [0, -1, 0.0, math.nan, math.inf, [1.0, -2.0]])
def test_a_width_that_is_not_positive_is_refused(kernel, width):
    with refuses(ValueError, f"width must be a positive number, but is {width!r}"):
        kernel(np.ones((1, 1)), np.ones((2, 1)), width)
