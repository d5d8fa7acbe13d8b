"""Exact lookup, attention and kernel regression: from weights to an average of values."""

import math
import re
from functools import partial

import numpy as np
import oracles
import pytest
from checks import assert_same, call, not_compared, per_pair, refusals, without_value
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, leads, problems, sizes, values

from attention_lib import (
    additive_score,
    attention,
    boxcar_kernel,
    dot_score,
    epanechnikov_kernel,
    gaussian_kernel,
    kernel_regression,
    lookup,
    multiplicative_score,
    pooling,
    scaled_dot_score,
    softmax,
    triangular_kernel,
)

NAN, INF = math.nan, math.inf


# exact lookup


@given(
    st.dictionaries(
        st.one_of(st.integers(), st.text(max_size=3), st.tuples(st.integers())),
        st.integers(),
        min_size=1,
    ),
    st.data(),
)
def test_lookup_finds_what_a_dictionary_finds(database, data):
    query = data.draw(st.sampled_from(list(database)))
    keys, values = list(database), list(database.values())
    assert lookup(query, keys, values) == database[query]


def test_lookup_returns_the_value_itself_whatever_its_type():
    value = ["psychology"]
    assert lookup("John Doe", ("Jane Roe", "John Doe"), (None, value)) is value
    assert lookup("John Doe", ("John Doe", "Jane Roe"), (None, value)) is None
    assert lookup(3, np.array([1, 3, 5]), np.array([[1.0], [2.0], [3.0]])).tolist() == [2.0]


# attention


def assert_attention_is_the_loop(results, problem, score=oracles.scaled_dot):
    """Weights have the leading axes of Q, K and the mask; the output also those of V."""
    *arrays, _ = problem
    dtype, allowed = problem.Q.dtype, problem.allowed
    output, _ = oracles.batched(oracles.attention, *arrays, allowed, score=score)
    one_value = np.ones((problem.K.shape[-2], 1))
    _, weights = oracles.batched(oracles.attention, *arrays[:2], one_value, allowed, score=score)
    assert_same(results, (output, weights), dtype)


@given(problems())
def test_attention_is_the_loop(problem):
    Q, K, V, mask = problem
    assert_attention_is_the_loop(call(attention, Q, K, V, mask=mask), problem)
    assert_attention_is_the_loop(
        attention(Q, K, V, score=dot_score, mask=mask), problem, oracles.dot
    )


def test_attention_takes_any_score_and_keeps_its_own_dtype(rng):
    Q, K, V = (rng.normal(size=(3, 2)).astype("float32") for _ in "QKV")
    scores = [[0, 1, 2], [5, 5, 5], [2, 0, 1]]
    output, weights = attention(Q, K, V, score=lambda Q, K: scores)
    assert_same(weights, softmax(scores), "float32")
    assert_same(output, softmax(scores) @ V, "float32")


@pytest.mark.parametrize(("n", "m"), [(0, 2), (2, 0), (0, 0)])
def test_no_queries_give_no_rows_and_no_keys_give_zeros(n, m):
    results = call(attention, np.ones((n, 3)), np.ones((m, 3)), np.ones((m, 4)))
    assert_same(results, (np.full((n, 4), float(m > 0)), np.full((n, m), 1 / max(m, 1))), "float64")
    empty = attention(
        np.ones((2, 0, 3)), np.ones((m, 3)), np.ones((m, 4)), mask=np.ones((0, m), bool)
    )
    assert [part.shape for part in empty] == [(2, 0, 4), (2, 0, m)]


@pytest.mark.parametrize("bad", [NAN, INF, -INF, 1e308])
@pytest.mark.parametrize("score", [scaled_dot_score, dot_score])
def test_whatever_a_masked_place_holds_changes_nothing(rng, bad, score):
    Q, K, V = rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))
    mask = rng.random((3, 5)) < 0.7
    mask[:, 1], mask[2], mask[:2, 4] = False, False, True  # key 1 is hidden, query 2 sees nothing
    expected = attention(Q, K, V, score=score, mask=mask)
    Q[2], K[1], V[1] = bad, bad, bad
    assert_same(call(attention, Q, K, V, score=score, mask=mask), expected, "float64")


@pytest.mark.parametrize("score", [scaled_dot_score, dot_score])
@pytest.mark.parametrize(("dtype", "size"), [("float16", 300), ("float32", 1e20)])
def test_scores_that_no_number_of_the_dtype_can_hold_are_not_hidden(dtype, size, score):
    Q, K = np.array([[-1], [1]], dtype) * size, np.array([[2], [1], [1]], dtype) * size
    V, mask = np.array([[1], [2], [4]], dtype), np.array([[True, True, True], [False, True, True]])
    weights = [[0, 0.5, 0.5], [1, 0, 0]]  # the lowest score wins by far, or the highest
    assert_same(call(attention, Q, K, V, score=score), ([[3], [1]], weights), dtype)
    results = call(attention, Q, K, V, score=score, mask=mask)
    assert_same(results, ([[3], [3]], [[0, 0.5, 0.5]] * 2), dtype)
    assert_same(attention(Q[:1], K[:1], V[:1], score=score), ([[1]], [[1]]), dtype)


def test_small_numbers_of_a_small_dtype_need_no_wide_one(rng, monkeypatch):
    seen = []
    monkeypatch.setattr(pooling, "_softmax", lambda x, mask: seen.append(x.dtype) or x)
    Q = rng.normal(size=(3000, 64)).astype("float16")  # its squares sum to more than 65504
    attention(Q, Q[:5], Q[:5])
    assert seen == [np.float32]


@pytest.mark.parametrize("place", ["Q", "K", "V"])
def test_nan_in_an_allowed_place_spoils_the_rows_that_look_at_it_and_no_other(rng, place):
    arrays = {name: rng.normal(size=(3, 2)) for name in "QKV"}
    mask = np.array([[True, False, True], [True, True, False], [False, True, True]])
    expected = attention(**arrays, mask=mask)
    arrays[place][0] = NAN
    output, weights = attention(**arrays, mask=mask)
    hit = [0] if place == "Q" else [0, 1]
    clean = [i for i in range(3) if i not in hit]
    assert np.isnan(output[hit]).all()
    assert np.isnan(weights[hit]).all() == (place != "V")
    np.testing.assert_array_equal(output[clean], expected[0][clean])
    np.testing.assert_array_equal(weights[clean], expected[1][clean])


@pytest.mark.parametrize("bad", [INF, -INF, NAN])
def test_an_infinite_value_reaches_those_who_look_at_it(bad):
    mask = np.array([[True, True], [True, False]])
    output, _ = attention(np.ones((2, 1)), np.ones((2, 1)), [[1.0, 5.0], [bad, 7.0]], mask=mask)
    np.testing.assert_array_equal(output, [[bad, 6.0], [1.0, 5.0]])


def test_values_hidden_from_a_row_by_a_score_of_minus_infinity_leave_a_zero_output():
    def nothing(Q, K):
        return np.full((len(Q), len(K)), -INF)

    output, weights = attention(np.ones((2, 1)), np.ones((3, 1)), np.ones((3, 1)), score=nothing)
    assert not output.any()
    assert not weights.any()


# kernel regression


@pytest.mark.parametrize(
    ("kernel", "oracle"),
    [
        (gaussian_kernel, oracles.gaussian),
        (boxcar_kernel, oracles.boxcar),
        (triangular_kernel, oracles.triangular),
        (epanechnikov_kernel, oracles.epanechnikov),
    ],
)
@given(st.data(), sizes, sizes, sizes, sizes, leads(1), dtypes)
def test_kernel_regression_is_the_loop(kernel, oracle, data, n, m, d, d_v, lead, dtype):
    x = data.draw(values((*lead[0], n, d), dtype))
    keys, stored = data.draw(values((m, d), dtype)), data.draw(values((m, d_v), dtype))
    width = data.draw(st.sampled_from([0.4, 1.0, 3.0]))
    expected = oracles.batched(
        oracles.kernel_regression, x, keys, stored, kernel=oracle, width=width
    )
    assert_same(
        call(kernel_regression, x, keys, stored, kernel=kernel, width=width), expected, dtype
    )
    output, weights = call(kernel_regression, x, keys, stored[:, 0], kernel=kernel, width=width)
    assert_same((output[..., np.newaxis], weights), (expected[0][..., :1], expected[1]), dtype)


def test_keys_that_are_numbers_are_keys_of_length_one(rng):
    x, keys, stored = rng.normal(size=(2, 3)), rng.normal(size=5), rng.normal(size=(5, 2))
    expected = kernel_regression(x[..., np.newaxis], keys[:, np.newaxis], stored)
    assert_same(call(kernel_regression, x, keys, stored), expected, "float64")
    assert_same(
        call(kernel_regression, x[0], keys, stored), (expected[0][0], expected[1][0]), "float64"
    )
    single = call(kernel_regression, x[0, 1], keys, stored)
    assert_same(single, (expected[0][0, 1], expected[1][0, 1]), "float64")
    output, weights = kernel_regression(x[0, 1], keys, stored[:, 1])
    assert_same((output, weights), (expected[0][0, 1, 1], expected[1][0, 1]), "float64")


def test_a_row_beyond_the_reach_of_every_key_gets_zeros():
    for kernel in (boxcar_kernel, triangular_kernel, epanechnikov_kernel):
        output, weights = kernel_regression(
            [0.0, 50.0], [0.0, 0.5], [1.0, 1.0], kernel=kernel, width=1.0
        )
        assert_same(output, [1, 0], "float64")
        assert weights[0].all()
        assert not weights[1].any()
    output, weights = kernel_regression([0.0], np.zeros(0), np.zeros(0))
    assert_same((output, weights), (np.zeros(1), np.zeros((1, 0))), "float64")


@given(st.data(), sizes, sizes, dtypes, st.sampled_from([1e-3, 0.02, 1e3]))
def test_gaussian_kernel_regression_is_softmax_of_the_log_kernel(data, n, m, dtype, width):
    x, keys = data.draw(values((n, 1), dtype)), data.draw(values((m, 1), dtype))
    stored = data.draw(values((m, 2), dtype))
    rows = [[-((oracles.distance(q, k) / width) ** 2) / 2 for k in keys] for q in x.tolist()]
    weights = np.array([oracles.softmax(row, [True] * m) for row in rows])
    expected = oracles.average(weights, stored.tolist()), weights
    assert_same(call(kernel_regression, x, keys, stored, width=width), expected, dtype)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("width", [0.01, 1e-30, 1e-200, 5e-324])
def test_the_nearest_key_answers_however_many_widths_away(dtype, width):
    x, keys = np.array([3.5, 4.25, 3.0], dtype), np.array([3.0, 4.5, 4.5], dtype)
    stored = np.array([40, 60, 80], dtype)
    output, weights = call(kernel_regression, x, keys, stored, width=width)
    assert_same(weights, [[1, 0, 0], [0, 0.5, 0.5], [1, 0, 0]], dtype)
    assert_same(output, [40, 70, 40], dtype)
    assert_same(kernel_regression(1e4, keys[:1], stored[:1], width=width), (40, [1]), dtype)


def test_a_width_per_key_is_a_row_and_a_width_per_query_a_column(rng):
    x, keys, stored = rng.normal(size=2), rng.normal(size=2), rng.normal(size=2)
    narrow, wide = (kernel_regression(x, keys, stored, width=width)[0] for width in (0.3, 5))
    output, _ = kernel_regression(x, keys, stored, width=[[0.3], [5]])
    assert_same(output, [narrow[0], wide[1]], "float64")
    output, weights = kernel_regression(x, keys, stored, width=[0.3, 5])
    similar = np.stack(
        [gaussian_kernel(x[:, None], keys[[j], None], w)[:, 0] for j, w in enumerate([0.3, 5])],
        axis=1,
    )
    assert_same(weights, similar / similar.sum(axis=1, keepdims=True), "float64")


@pytest.mark.parametrize("kernel", [boxcar_kernel, triangular_kernel, epanechnikov_kernel])
def test_a_value_beyond_the_reach_of_its_key_leaks_nowhere(kernel):
    output, _ = kernel_regression([0.0, 5.0, 9.0], [0.0, 0.5, 9.0], [2.0, 2.0, NAN], kernel=kernel)
    np.testing.assert_array_equal(output, [2.0, 0.0, NAN])


# bad input


HASH = "must be hashable (a string, a number, a tuple), but one is a "


@pytest.mark.parametrize(
    ("query", "keys", "values", "error", "message"),
    [
        ("a", ["b"], [1], KeyError, "no key equals 'a': an exact look-up finds all or nothing"),
        (1, [], [], KeyError, "no key equals 1: an exact look-up finds all or nothing"),
        ("a", [*"aba"], [1] * 3, ValueError, "'a' is the key at places [0, 2]: which value is"),
        (["a"], ["a"], [1], TypeError, f"whole keys, so query and keys {HASH}list"),
        ((1, 2), np.eye(2), [1, 2], TypeError, f"whole keys, so query and keys {HASH}ndarray"),
        ("a", ["a", "b"], [1], ValueError, "value, but there are 2 keys and 1 values"),
    ],
)
def test_a_lookup_without_one_answer_says_why(query, keys, values, error, message):
    with pytest.raises(error, match=re.escape(message)):
        lookup(query, keys, values)


def test_whatever_can_be_called_with_queries_and_keys_is_a_score(rng):
    Q, W = rng.normal(size=(2, 3)), rng.normal(size=(3, 3))
    expected = attention(Q @ W, Q, Q, score=dot_score)
    for score in (
        partial(multiplicative_score, W=W),
        lambda *both: dot_score(both[0] @ W, both[1]),
    ):
        assert_same(attention(Q, Q, Q, score=score), expected, "float64")
    assert attention([[1.0]], [[1.0]], [[1.0]], score=np.matmul)[1] == 1


def test_a_score_without_the_batch_serves_the_whole_batch():
    Q, K, V = np.ones((4, 2, 1)), np.ones((3, 1)), np.ones((3, 1))
    output, weights = attention(Q, K, V, score=lambda Q, K: np.zeros((2, 3)))
    assert_same((output, weights), (np.ones((4, 2, 1)), np.full((4, 2, 3), 1 / 3)), "float64")


def test_a_score_or_a_kernel_that_works_in_place_leaves_the_arrays_alone(rng):
    def halved(Q, K, width=1.0):
        Q /= 2
        K *= width
        return np.abs(Q @ K.T)

    Q, K, V = rng.normal(size=(3, 4, 2))
    expected = attention(Q, K, V, score=lambda Q, K: np.abs(Q @ K.T) / 2)
    assert_same(call(attention, Q, K, V, score=halved), expected, "float64")
    expected = kernel_regression(Q, K, V, kernel=lambda Q, K, width: np.abs(Q @ K.T))
    assert_same(call(kernel_regression, Q, K, V, kernel=halved, width=3.0), expected, "float64")


@pytest.mark.parametrize(
    "kernel", [gaussian_kernel, boxcar_kernel, triangular_kernel, epanechnikov_kernel]
)
def test_an_unknown_place_spoils_only_its_own_prediction(kernel):
    output, weights = kernel_regression([NAN, 0.0], [0.0, 0.5], [1.0, 1.0], kernel=kernel)
    np.testing.assert_array_equal(output, [NAN, 1.0])
    assert np.isnan(weights[0]).all()


def attend(*shapes, **options):
    return lambda: attention(*map(np.ones, shapes), **options)


def regress(*shapes, **options):
    return lambda: kernel_regression(*map(np.ones, shapes), **options)


def gives(answer):
    """Return a score, which is a kernel as well, that gives this whatever it is asked."""
    return lambda Q, K, width=1.0: answer


ONE = [(1, 1)] * 3
TOGETHER = "the axes before the last two must be equal or 1 to go together, but "
NUMBER = "score(Q, K) must give one number per query and key, shape "
NONE = "must give one array, but gave None: end it with return"
FUNCTION = "score must be a function of Q and K, such as "
CALLED = "score is called with Q and K, but "
LESS = "weights are shares of similarities, so none may be negative, but kernel(Q, K, width) gave "
VALUE = "each key needs one value, so keys and values need the same number of rows, but keys has "
VALUES = {
    not_compared((3, 4), (5, 8)): attend((3, 4), (5, 8), (5, 2)),
    without_value((5, 4), (4, 2)): attend((3, 4), (5, 4), (4, 2)),
    without_value((5, 4), (1, 2)): attend((3, 4), (5, 4), (1, 2)),
    per_pair("mask", (5, 2, 3), (4, 2, 3)): attend(
        (2, 2), (3, 2), (4, 3, 1), mask=np.ones((5, 2, 3), bool)
    ),
    f"{TOGETHER}scores has shape (5, 2, 3) and V has shape (4, 3, 1)": attend(
        (2, 2), (3, 2), (4, 3, 1), score=gives(np.ones((5, 2, 3)))
    ),
    f"{NUMBER}(..., 2, 3), but gave shape (5, 2, 3) for Q of shape (4, 2, 1) and K of shape "
    "(3, 1)": attend((4, 2, 1), (3, 1), (3, 1), score=gives(np.ones((5, 2, 3)))),
    **{
        f"{NUMBER}(..., 3, 5), but gave shape {shape} for Q of shape (3, 4) and K of shape "
        "(5, 4)": attend((3, 4), (5, 4), (5, 2), score=gives(np.ones(shape)))
        for shape in [(5, 3), (3, 1), (5,), ()]
    },
    f"{LESS}-0.5": regress((1,), (2,), (2,), kernel=gives([[1, -0.5]])),
    f"{LESS}-inf": regress((1,), (2,), (2,), kernel=gives([[1, -INF]])),
    **{
        f"{VALUE}shape {keys} and values has shape {values}": regress((1, 2), keys, values)
        for keys, values in [((3,), (4,)), ((3, 2), (4,)), ((3,), ()), ((), (3,)), ((3,), (1, 3))]
    },
    not_compared((3, 2), (4, 5)): regress((3, 2), (4, 5), (4,)),
    "x needs one vector per row, shape (..., rows, length), but has shape (2,); "
    "a single vector x goes in as [x]": regress((2,), (4, 2), (4,)),
    f"{TOGETHER}keys has shape (2, 3, 1) and values has shape (4, 3, 1)": regress(
        (5, 1), (2, 3, 1), (4, 3, 1)
    ),
    f"{TOGETHER}weights has shape (2, 5, 3) and values has shape (4, 3, 1)": regress(
        (2, 5), (3,), (4, 3, 1)
    ),
    per_pair("width", (2,), (2, 3)) + "; one for each key has shape (3,), one for each query "
    "(2, 1)": regress((2,), (3,), (3,), width=[0.1, 10]),
}
TYPES = {
    f"{FUNCTION}dot_score, but is 'dot'": attend(*ONE, score="dot"),
    f"{FUNCTION}dot_score, but is None": attend(*ONE, score=None),
    f"{FUNCTION}dot_score, but is <class 'dict'>": attend(*ONE, score=dict),
    f"{CALLED}additive_score takes Q, K, W_q, W_k, w_v, b: give it the rest, as in "
    "score=lambda Q, K: additive_score(Q, K, W_q, W_k, w_v, b)": attend(*ONE, score=additive_score),
    f"{CALLED}gaussian_kernel takes Q, K, width: give it the rest, as in "
    "score=lambda Q, K: gaussian_kernel(Q, K, width)": attend(*ONE, score=gaussian_kernel),
    "kernel is called with Q, K and width, but dot_score takes Q, K: give it the rest, as in "
    "kernel=lambda Q, K, width: dot_score(Q, K)": regress(*ONE, kernel=dot_score),
    "score(Q, K) must give one array, but gave a tuple": attend(*ONE, score=gives(([[1]], [[1]]))),
    "kernel(Q, K, width) must give one array, but gave a tuple": regress(
        *ONE, kernel=gives(([[1]], [[1]]))
    ),
    "scores must hold real numbers, but its dtype is object": attend(*ONE, score=gives([[None]])),
    f"score(Q, K) {NONE}": attend(*ONE, score=gives(None)),
    f"kernel(Q, K, width) {NONE}": regress(*ONE, kernel=gives(None)),
    "Q must hold real numbers, but is None": lambda: attention(None, [[1.0]], [[1.0]]),
}


test_what_does_not_fit_is_refused = refusals(VALUES, TYPES)
