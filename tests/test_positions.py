"""Positions: waves, turned pairs and penalties against loops, and the laws they are made for."""

import math
from functools import partial

import numpy as np
import oracles
import pytest
from checks import assert_same, call, not_compared, per_pair, refusals, refuses, without_value
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, leads, problems, sizes, values

import attention_lib as lib


@pytest.mark.parametrize("n", [0, 1, 2, 40])
@pytest.mark.parametrize("d", [1, 2, 5, 8])
def test_sinusoidal_positions_are_the_loop(n, d):
    positions = lib.sinusoidal_positions(n, d)
    assert type(positions) is np.ndarray
    assert_same(positions, np.reshape(oracles.sinusoidal_positions(n, d), (n, d)), "float64")


@pytest.mark.parametrize("dtype", ["float16", "float32", np.float32, np.dtype("float64")])
def test_positions_have_the_dtype_asked_for_and_leave_that_of_the_words_alone(dtype):
    positions = lib.sinusoidal_positions(40, 6, dtype=dtype)
    assert_same(positions, lib.sinusoidal_positions(40, 6), np.dtype(dtype))
    assert (np.ones((40, 6), dtype) + positions).dtype == dtype


@given(st.data(), leads(2), sizes, sizes, dtypes)
def test_rotary_is_the_loop(data, lead, n, pairs, dtype):
    X = data.draw(values((*lead[0], n, 2 * pairs), dtype))
    positions = data.draw(values((*lead[1], n)))
    rows = positions[..., None]  # (..., n, 1): a matrix for each matrix of X
    expected = oracles.batched(oracles.rotary, X, rows, base=50.0)
    assert_same(call(lib.rotary, X, positions, base=50.0), expected, dtype)
    far = np.full(n, 10**6)  # turned as exactly
    assert_same(lib.rotary(X, far), lib.rotary(X.astype("float64"), far), dtype)


@pytest.mark.parametrize(("n", "m"), [(3, 3), (2, 5), (5, 2), (1, 4), (0, 3), (3, 0)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_alibi_is_the_loop(n, m, dtype):
    slopes = np.array([0.5, 0.25, 0.125], dtype)
    expected = np.reshape([oracles.alibi(slope, n, m) for slope in slopes.tolist()], (3, n, m))
    assert_same(call(lib.alibi_bias, slopes, n, m), expected, dtype)


@given(st.data(), problems(batches=False))
def test_attention_with_bias_is_the_loop(data, problem):
    Q, K, V, mask = problem
    bias = data.draw(values((Q.shape[-2], K.shape[-2]), Q.dtype))
    expected = oracles.batched(oracles.attention_with_bias, Q, K, V, bias, problem.allowed)
    assert_same(call(lib.attention_with_bias, Q, K, V, bias=bias, mask=mask), expected, Q.dtype)


def test_a_bias_of_minus_infinity_hides_and_a_hidden_bias_leaks_nowhere(rng):
    Q, K, V = (rng.normal(size=shape) for shape in ((2, 4), (3, 4), (3, 2)))
    mask = np.array([True, False, True])
    expected = lib.attention(Q, K, V, mask=mask)
    assert_same(
        lib.attention_with_bias(Q, K, V, bias=np.where(mask, 0, -np.inf)), expected, "float64"
    )
    bias = np.where(mask, 0, math.nan)
    assert_same(lib.attention_with_bias(Q, K, V, bias=bias, mask=mask), expected, "float64")
    Q, K, V = np.float16([[-300]]), np.float16([[300], [300]]), np.float16([[1], [2]])
    results = call(lib.attention_with_bias, Q, K, V, bias=np.log(np.float16([[1, 3]])))
    assert_same(results, ([[1.75]], [[0.25, 0.75]]), "float16")  # scores that it cannot hold


def test_where_keys_come_from_a_cache_a_bias_goes_with_a_mask_that_says_where_queries_stand(rng):
    Q, K, V = (rng.normal(size=shape) for shape in ((2, 4), (3, 4), (3, 2)))
    bias = lib.alibi_bias([0.5], 2, 3)
    said = (
        "causal=True puts query 0 at key 0, but alibi_bias the last query at the last key: "
        "pass mask=causal_mask(n, m, align=…), but Q has shape (2, 4) and K has shape (3, 4)"
    )
    with refuses(ValueError, said):
        lib.attention_with_bias(Q, K, V, bias=bias, causal=True)
    bias = lib.alibi_bias([0.5], 3)
    expected = lib.attention_with_bias(K, K, V, bias=bias, mask=lib.causal_mask(3))
    assert_same(lib.attention_with_bias(K, K, V, bias=bias, causal=True), expected, "float64")


def turned(*shape, **options):
    return lambda: lib.rotary(np.ones(shape), **options)


def biased(Q, K, V, bias):
    return lambda: lib.attention_with_bias(*map(np.ones, (Q, K, V)), bias=bias)


ROW = "each row has one position, but X has "
VALUES = {
    "n must be at least 0, but is -1": lambda: lib.sinusoidal_positions(-1, 4),
    "d must be at least 1, but is 0": lambda: lib.sinusoidal_positions(3, 0),
    "numbers are turned in pairs, so d must be even, but X has shape (3, 5)": turned(3, 5),
    "X needs one vector per row, shape (..., rows, length), but has shape (4,); "
    "a single vector x goes in as [x]": turned(4),
    f"{ROW}shape (3, 4) and positions has shape (2,)": turned(3, 4, positions=[0, 1]),
    f"{ROW}shape (1, 4) and positions has shape (2,)": turned(1, 4, positions=[0, 1]),
    **{
        f"base must be a positive number, but is {base!r}": turned(1, 4, base=base)
        for base in (0, [1, 2], np.nan)
    },
    "slopes must have shape (h,), but has shape ()": lambda: lib.alibi_bias(0.5, 3),
    "m must be at least 0, but is -1": lambda: lib.alibi_bias([0.5], 2, -1),
    not_compared((3, 4), (5, 2)): biased((3, 4), (5, 2), (5, 2), np.ones((3, 5))),
    without_value((5, 4), (3, 2)): biased((3, 4), (5, 4), (3, 2), np.ones((3, 5))),
    per_pair("bias", (5, 3), (3, 5)): biased((3, 4), (5, 4), (5, 2), np.ones((5, 3))),
    per_pair("bias", (3, 3, 5), (2, 3, 5)): biased((2, 3, 4), (5, 4), (5, 2), np.ones((3, 3, 5))),
}
TYPES = {
    "n must be a whole number, but is 3.0": lambda: lib.sinusoidal_positions(3.0, 4),
    "d must be a whole number, but is '4'": lambda: lib.sinusoidal_positions(3, "4"),
    **{
        f"positions lie between -1 and 1, so dtype must be floating, but is {np.dtype(dtype)}": (
            partial(lib.sinusoidal_positions, 3, 4, dtype=dtype)
        )
        for dtype in ("int64", bool, "complex128", str)
    },
    "positions must hold real numbers, but its dtype is <U1": turned(1, 4, positions=["a"]),
    "positions are one for each row, but are 10000.0; a base goes in as base=…": turned(
        2, 4, positions=10000.0
    ),
    "m must be a whole number, but is 2.5": lambda: lib.alibi_bias([0.5], 2, 2.5),
    "bias is added to the scores, but is boolean: a mask goes in as mask=…": biased(
        (2, 2), (2, 2), (2, 2), lib.causal_mask(2)
    ),
}
test_what_does_not_fit_is_refused = refusals(VALUES, TYPES)
