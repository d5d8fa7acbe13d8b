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

import attention_lib as lib

NAN, INF = math.nan, math.inf


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
    assert lib.lookup(query, keys, values) is values[keys.index(query)]
    assert lib.lookup(3, np.array([1, 3, 5]), np.array([[1.0], [2.0], [3.0]])).tolist() == [2.0]


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
    assert_attention_is_the_loop(call(lib.attention, Q, K, V, mask=mask), problem)
    assert_attention_is_the_loop(
        lib.attention(Q, K, V, score=lib.dot_score, mask=mask), problem, oracles.dot
    )


WAYS = [lib.attention, partial(lib.attention, score=lib.dot_score), lib.blockwise_attention]
WAYS += [partial(lib.blockwise_attention, block=block) for block in (1, 2)]
each_way = pytest.mark.parametrize("way", WAYS)


def output_of(way, *arrays, **options):
    found = call(way, *arrays, **options)
    return found[0] if isinstance(found, tuple) else found


@each_way
@pytest.mark.parametrize(("n", "m"), [(0, 2), (2, 0), (0, 0)])
def test_no_queries_give_no_rows_and_no_keys_give_zeros(way, n, m):
    for options in ({}, {"causal": True}):
        output = output_of(way, np.ones((n, 3)), np.ones((m, 3)), np.ones((m, 4)), **options)
        assert_same(output, np.full((n, 4), float(m > 0)), "float64")


@each_way
@pytest.mark.parametrize("bad", [NAN, INF, -INF, 1e308])
def test_whatever_a_masked_place_holds_changes_nothing(rng, way, bad):
    Q, K, V = rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))
    mask = rng.random((3, 5)) < 0.7
    mask[:, 1], mask[2], mask[:2, 4] = False, False, True  # key 1 is hidden, query 2 sees nothing
    expected = output_of(way, Q, K, V, mask=mask)
    first = output_of(way, Q, K, V, causal=True)[0]
    Q[2], K[1], V[1] = bad, bad, bad
    assert_same(output_of(way, Q, K, V, mask=mask), expected, "float64")
    assert_same(output_of(way, Q, K, V, causal=True)[0], first, "float64")


@each_way
@pytest.mark.parametrize(("dtype", "size"), [("float16", 300), ("float32", 1e20)])
def test_scores_that_no_number_of_the_dtype_can_hold_are_not_hidden(way, dtype, size):
    Q, K = np.array([[-1], [1], [-1]], dtype) * size, np.array([[2], [1], [1]], dtype) * size
    V, mask = np.eye(3, dtype=dtype), np.array([[True, True, True]] * 2 + [[True, False, True]])
    expected = np.array([[0, 0.5, 0.5], [1, 0, 0], [0, 0, 1]])  # the lowest wins, or the highest
    assert_same(output_of(way, Q, K, V, mask=mask), expected, dtype)
    expected[0] = [1, 0, 0]
    assert_same(output_of(way, Q, K, V, mask=mask, causal=True), expected, dtype)


@each_way
def test_sums_over_many_keys_do_not_outgrow_a_small_dtype(way):
    Q, K = np.zeros((1, 2), "float16"), np.zeros((3000, 2), "float16")
    assert_same(output_of(way, Q, K, np.full((3000, 1), 100, "float16")), [[100]], "float16")


@pytest.mark.parametrize("place", ["Q", "K", "V"])
def test_nan_in_an_allowed_place_spoils_the_rows_that_look_at_it_and_no_other(rng, place):
    arrays = {name: rng.normal(size=(3, 2)) for name in "QKV"}
    mask = np.array([[True, False, True], [True, True, False], [False, True, True]])
    expected = lib.attention(**arrays, mask=mask)
    for bad in (NAN, INF) if place == "V" else (NAN,):
        arrays[place][0] = bad
        output, weights = lib.attention(**arrays, mask=mask)
        hit, clean = ([0], [1, 2]) if place == "Q" else ([0, 1], [2])
        np.testing.assert_array_equal(output[hit], np.full((len(hit), 2), bad))
        assert np.isnan(weights[hit]).all() == (place != "V")
        np.testing.assert_array_equal(output[clean], expected[0][clean])
        np.testing.assert_array_equal(weights[clean], expected[1][clean])


@pytest.mark.parametrize(
    ("kernel", "oracle"),
    [
        (lib.gaussian_kernel, oracles.gaussian),
        (lib.boxcar_kernel, oracles.boxcar),
        (lib.triangular_kernel, oracles.triangular),
        (lib.epanechnikov_kernel, oracles.epanechnikov),
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
        call(lib.kernel_regression, x, keys, stored, kernel=kernel, width=width), expected, dtype
    )
    output, weights = call(lib.kernel_regression, x, keys, stored[:, 0], kernel=kernel, width=width)
    assert_same((output[..., np.newaxis], weights), (expected[0][..., :1], expected[1]), dtype)


def test_keys_that_are_numbers_are_keys_of_length_one(rng):
    x, keys, stored = rng.normal(size=(2, 3)), rng.normal(size=5), rng.normal(size=(5, 2))
    output, weights = lib.kernel_regression(x[..., None], keys[:, None], stored)
    for at in (..., 0, (0, 1)):
        expected = (output[at], weights[at])
        assert_same(call(lib.kernel_regression, x[at], keys, stored), expected, "float64")
    one = lib.kernel_regression(x[0, 1], keys, stored[:, 1])
    assert_same(one, (output[0, 1, 1], weights[0, 1]), "float64")


@pytest.mark.parametrize(
    "kernel", [lib.boxcar_kernel, lib.triangular_kernel, lib.epanechnikov_kernel]
)
def test_beyond_the_reach_of_every_key_there_are_zeros_and_nan_stays_where_it_is(kernel):
    x, keys, stored = [0.0, 5.0, 9.0, NAN], [0.0, 0.5, 9.0], [2.0, 2.0, NAN]
    output, weights = lib.kernel_regression(x, keys, stored, kernel=kernel)
    np.testing.assert_array_equal(output, [2.0, 0.0, NAN, NAN])
    assert not weights[1].any()
    assert np.isnan(weights[3]).all()


def test_without_keys_there_is_a_zero_and_an_unknown_place_spoils_only_its_own_prediction():
    assert_same(
        lib.kernel_regression([0.0], np.zeros(0), np.zeros(0)),
        (np.zeros(1), np.zeros((1, 0))),
        "float64",
    )
    output, _ = lib.kernel_regression([NAN, 0.0], [0.0, 0.5], [1.0, 1.0])
    np.testing.assert_array_equal(output, [NAN, 1.0])


@given(st.data(), sizes, sizes, dtypes, st.sampled_from([1e-3, 0.02, 1e3]))
def test_gaussian_kernel_regression_is_softmax_of_the_log_kernel(data, n, m, dtype, width):
    x, keys = data.draw(values((n, 1), dtype)), data.draw(values((m, 1), dtype))
    stored = data.draw(values((m, 2), dtype))
    rows = [[-((oracles.distance(q, k) / width) ** 2) / 2 for k in keys] for q in x.tolist()]
    weights = np.array([oracles.softmax(row, [True] * m) for row in rows])
    expected = oracles.average(weights, stored.tolist()), weights
    assert_same(call(lib.kernel_regression, x, keys, stored, width=width), expected, dtype)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("width", [0.01, 1e-30, 1e-200, 5e-324])
def test_the_nearest_key_answers_however_many_widths_away(dtype, width):
    x, keys = np.array([3.5, 4.25, 3.0], dtype), np.array([3.0, 4.5, 4.5], dtype)
    stored = np.array([40, 60, 80], dtype)
    output, weights = call(lib.kernel_regression, x, keys, stored, width=width)
    assert_same(weights, [[1, 0, 0], [0, 0.5, 0.5], [1, 0, 0]], dtype)
    assert_same(output, [40, 70, 40], dtype)
    assert_same(lib.kernel_regression(1e4, keys[:1], stored[:1], width=width), (40, [1]), dtype)


def test_a_width_per_key_is_a_row_and_a_width_per_query_a_column(rng):
    x, keys, stored = rng.normal(size=(3, 2))
    narrow, wide = (lib.kernel_regression(x, keys, stored, width=width)[0] for width in (0.3, 5))
    output, _ = lib.kernel_regression(x, keys, stored, width=[[0.3], [5]])
    assert_same(output, [narrow[0], wide[1]], "float64")
    _, weights = lib.kernel_regression(x, keys, stored, width=[0.3, 5])
    similar = lib.gaussian_kernel(x[:, None], keys[:, None], [0.3, 5])
    assert_same(weights, similar / similar.sum(axis=1, keepdims=True), "float64")


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
        lib.lookup(query, keys, values)


def test_whatever_can_be_called_with_queries_and_keys_is_a_score(rng):
    Q, W = rng.normal(size=(2, 3)).astype("float32"), rng.normal(size=(3, 3)).astype("float32")
    expected = lib.attention(Q @ W, Q, Q, score=lib.dot_score)
    assert_same(
        lib.attention(Q, Q, Q, score=partial(lib.multiplicative_score, W=W)), expected, "float32"
    )
    assert lib.attention([[1.0]], [[1.0]], [[1.0]], score=np.matmul)[1] == 1
    scores = [[0, 1], [5, 5]]
    output, weights = lib.attention(np.stack([Q] * 4), Q, Q, score=lambda Q, K: scores)
    assert_same(weights, [lib.softmax(scores)] * 4, "float32")
    assert_same(output, [lib.softmax(scores) @ Q] * 4, "float32")


def test_a_score_or_a_kernel_that_works_in_place_leaves_the_arrays_alone(rng):
    def halved(Q, K, width=1.0):
        Q /= 2
        K *= width
        return np.abs(Q @ K.T)

    Q, K, V = rng.normal(size=(3, 4, 2))
    expected = lib.attention(Q, K, V, score=lambda Q, K: np.abs(Q @ K.T) / 2)
    assert_same(call(lib.attention, Q, K, V, score=halved), expected, "float64")
    expected = lib.kernel_regression(Q, K, V, kernel=lambda Q, K, width: np.abs(Q @ K.T))
    assert_same(call(lib.kernel_regression, Q, K, V, kernel=halved, width=3.0), expected, "float64")


def attend(*shapes, **options):
    return lambda: lib.attention(*map(np.ones, shapes), **options)


def regress(*shapes, **options):
    return lambda: lib.kernel_regression(*map(np.ones, shapes), **options)


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
    "score=lambda Q, K: additive_score(Q, K, W_q, W_k, w_v, b)": attend(
        *ONE, score=lib.additive_score
    ),
    f"{CALLED}gaussian_kernel takes Q, K, width: give it the rest, as in "
    "score=lambda Q, K: gaussian_kernel(Q, K, width)": attend(*ONE, score=lib.gaussian_kernel),
    "kernel is called with Q, K and width, but dot_score takes Q, K: give it the rest, as in "
    "kernel=lambda Q, K, width: dot_score(Q, K)": regress(*ONE, kernel=lib.dot_score),
    "score(Q, K) must give one array, but gave a tuple": attend(*ONE, score=gives(([[1]], [[1]]))),
    "kernel(Q, K, width) must give one array, but gave a tuple": regress(
        *ONE, kernel=gives(([[1]], [[1]]))
    ),
    "scores must hold real numbers, but its dtype is object": attend(*ONE, score=gives([[None]])),
    f"score(Q, K) {NONE}": attend(*ONE, score=gives(None)),
    f"kernel(Q, K, width) {NONE}": regress(*ONE, kernel=gives(None)),
    "Q must hold real numbers, but is None": lambda: lib.attention(None, [[1.0]], [[1.0]]),
}


test_what_does_not_fit_is_refused = refusals(VALUES, TYPES)
