"""From scores to weights: softmax, its limits and edge cases, and the masks."""

import math
from functools import partial

import numpy as np
import oracles
import pytest
from checks import assert_same, call, refusals, refuses
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, generators, leads, masks, sizes, values

from attention_lib import causal_mask, local_mask, padding_mask, softmax, strided_mask, top_k_mask

NAN, INF = math.nan, math.inf


@st.composite
def score_tables(draw):
    """Scores (..., n, m), perhaps large or -inf, and a mask for them."""
    n, m, dtype = draw(sizes), draw(sizes), draw(dtypes)
    lead, mask_lead = draw(leads(2))
    x = draw(values((*lead, n, m), dtype)) * draw(st.sampled_from([1, 300]))
    if draw(st.booleans()):
        x[draw(generators).random(x.shape) < 0.3] = -INF
    return x.astype(dtype), draw(masks(mask_lead, n, m))


def softmax_oracle(x, mask, temperature=1.0):
    x, mask = np.broadcast_arrays(x, True if mask is None else mask)
    rows = [
        oracles.softmax(x[i].tolist(), mask[i].tolist(), temperature)
        for i in np.ndindex(x.shape[:-1])
    ]
    return np.reshape(rows, x.shape)


@given(score_tables(), st.sampled_from([0.1, 1.0, 7.0]))
def test_softmax_is_the_loop(table, temperature):
    x, mask = table
    weights = call(softmax, x, temperature=temperature, mask=mask)
    assert_same(weights, softmax_oracle(x, mask, temperature), x.dtype)


@given(score_tables(), st.integers(0, 2))
def test_softmax_works_along_any_axis(table, axis):
    x = np.broadcast_to(table[0], (2, *table[0].shape[-2:])) if table[0].ndim == 2 else table[0]
    expected = np.moveaxis(softmax(np.moveaxis(x, axis, -1)), -1, axis)
    for same_axis in (axis, axis - x.ndim):
        np.testing.assert_array_equal(softmax(x, axis=same_axis), expected)


def test_softmax_counts_the_axis_on_x_when_the_mask_has_more_axes():
    mask = np.array([[True, True, False], [False, False, False]])
    expected = [[0.5, 0.5, 0], [0, 0, 0]]
    assert_same(softmax([1.0, 1.0, 1.0], axis=0, mask=mask), expected, "float64")
    columns = softmax(np.ones((3, 1)), axis=0, mask=mask[..., np.newaxis])
    assert_same(columns, np.array(expected)[..., np.newaxis], "float64")


def test_temperature_may_differ_from_row_to_row_and_divides_the_scores():
    x = np.array([[0.0, 1.0, 3.0]])
    T = np.array([[0.5], [1.0], [4.0]])
    assert_same(call(softmax, x, temperature=T), softmax(x / T), "float64")
    assert_same(softmax(x[0], temperature=T), softmax(x / T), "float64")
    grid = softmax(x, temperature=T[:, np.newaxis])  # (3, 1, 3)
    assert_same(grid, softmax(x / T)[:, np.newaxis], "float64")


@given(score_tables())
def test_low_temperature_gives_the_hard_choice_shared_by_ties(table):
    x, mask = table
    x = np.where(np.isfinite(x), x, -1e4).astype(x.dtype)
    seen = np.where(True if mask is None else mask, x, -INF)
    best = np.isfinite(seen) & (seen == seen.max(axis=-1, keepdims=True))
    hard = best / np.maximum(best.sum(axis=-1, keepdims=True), 1)
    for temperature in (1e-12, 1e-300, 5e-324):
        assert_same(softmax(x, temperature=temperature, mask=mask), hard, x.dtype)


@given(score_tables())
def test_high_temperature_gives_the_average_over_what_is_allowed(table):
    x, mask = table
    allowed = np.broadcast_arrays(x > -INF if mask is None else (x > -INF) & mask, x)[0]
    uniform = allowed / np.maximum(allowed.sum(axis=-1, keepdims=True), 1)
    for temperature in (1e15, 1e300):
        assert_same(softmax(x, temperature=temperature, mask=mask), uniform, x.dtype)


@pytest.mark.parametrize(
    ("scores", "dtype", "expected"),
    [
        ([1e300, 1e300], "float64", [0.5, 0.5]),
        ([1e308, -1e308, 0], "float64", [1, 0, 0]),
        ([-1e308, -1e308], "float64", [0.5, 0.5]),
        ([1.7e308, -1.7e308, 1.7e308], "float64", [0.5, 0, 0.5]),
        ([3e38, -3e38, 3e38, 0], "float32", [0.5, 0, 0.5, 0]),
        ([6e4, -6e4], "float16", [1, 0]),
    ],
)
@pytest.mark.parametrize("temperature", [1e-300, 0.5, 1.0])
def test_scores_of_any_finite_size_never_overflow(scores, dtype, expected, temperature):
    x = np.array(scores, dtype=dtype)
    assert_same(call(softmax, x, temperature=temperature), expected, dtype)


@pytest.mark.parametrize(
    ("scores", "dtype"),
    [([4e4, -4e4], "float16"), ([2e38, -2e38], "float32"), ([1e308, -1e308], "float64")],
)
@pytest.mark.parametrize("sink", [None, 0.0])
def test_scores_of_any_finite_size_never_overflow_at_high_temperatures_either(scores, dtype, sink):
    x = np.array(scores, dtype)
    expected = softmax([1.0, -1.0], sink=sink)
    assert_same(call(softmax, x, temperature=scores[0], sink=sink), expected, dtype)


@pytest.mark.parametrize(
    ("scores", "mask", "expected"),
    [
        ([-INF, -INF], None, [0, 0]),
        ([5.0, 7.0], [False, False], [0, 0]),
        ([-INF, 7.0], [True, False], [0, 0]),
        ([NAN, INF], [False, False], [0, 0]),
        ([1.0, 1.0, NAN], [True, True, False], [0.5, 0.5, 0]),
        ([1.0, INF, 1.0], [True, False, True], [0.5, 0, 0.5]),
        ([1.0, 1.0, -2e6, 3e38], [True, True, False, False], [0.5, 0.5, 0, 0]),
        ([1.0, 1.0, -INF], None, [0.5, 0.5, 0]),
        ([1.0, NAN], None, [NAN, NAN]),
        ([1.0, INF], None, [NAN, NAN]),
        ([INF, INF], None, [NAN, NAN]),
        ([-INF, NAN], None, [NAN, NAN]),
        ([1.0, NAN, 2.0], [True, True, False], [NAN, NAN, NAN]),
        ([1.0, INF, 2.0], [True, True, False], [NAN, NAN, NAN]),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_softmax_of_a_special_row_leaves_the_other_rows_alone(scores, mask, expected, dtype):
    x = np.array([scores, np.arange(len(scores))], dtype=dtype)
    mask = None if mask is None else np.array([mask, [True] * len(mask)])
    weights = call(softmax, x, mask=mask)
    np.testing.assert_array_equal(weights[0], np.array(expected, dtype=dtype))
    np.testing.assert_array_equal(weights[1], softmax(x[1]))


def test_sums_over_many_keys_do_not_outgrow_a_small_dtype():
    weights = call(softmax, np.zeros(70000, "float16"))
    assert_same(weights * 7, np.full(70000, 1e-4), "float16")
    assert weights.all()


@pytest.mark.parametrize("shape", [(0,), (3, 0), (2, 0, 0)])
def test_with_zero_keys_there_are_zero_weights(shape):
    assert_same(softmax(np.zeros(shape)), np.zeros(shape), "float64")
    assert_same(
        softmax(np.zeros(shape), mask=np.ones(shape, dtype=bool)), np.zeros(shape), "float64"
    )


# a sink


@given(score_tables(), st.sampled_from([0.1, 1.0, 7.0]), st.sampled_from([-INF, -3.0, 0.0, 2.0]))
def test_a_sink_is_one_score_more_whose_weight_is_dropped(table, temperature, sink):
    x, mask = table
    weights = call(softmax, x, temperature=temperature, mask=mask, sink=sink)
    x, mask = np.broadcast_arrays(x, True if mask is None else mask)
    column = np.full((*x.shape[:-1], 1), sink, x.dtype)
    longer = np.concatenate([x, column], axis=-1)
    seen = np.concatenate([mask, np.ones_like(column, dtype=bool)], axis=-1)
    assert_same(weights, softmax_oracle(longer, seen, temperature)[..., :-1], x.dtype)


def test_each_head_may_have_its_own_sink_along_any_axis():
    x = np.random.default_rng(0).normal(size=(2, 3, 4))
    sink = np.array([0.5, -1.0])[:, None, None]
    both = softmax(x, sink=sink)
    for head in (0, 1):
        assert_same(both[head], softmax(x[head], sink=sink[head, 0, 0]), "float64")
    assert_same(softmax(x.swapaxes(1, 2), axis=1, sink=sink), both.swapaxes(1, 2), "float64")


@pytest.mark.parametrize("sink", [1e300, -1e300, 3.5e38])
def test_a_sink_of_any_finite_size_never_overflows(sink):
    weights = call(softmax, np.array([1.0, 1.0], "float32"), sink=sink)
    assert_same(weights, [0, 0] if sink > 0 else [0.5, 0.5], "float32")


def test_a_sink_that_is_no_number_gives_nan():
    assert np.isnan(softmax([1.0, 2.0], sink=NAN)).all()


def test_where_nothing_is_seen_the_sink_takes_everything():
    assert softmax([[1.0, 2.0]], mask=[[False, False]], sink=-5).tolist() == [[0, 0]]
    assert softmax(np.zeros((2, 0)), sink=1.0).shape == (2, 0)


# masks


@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize("m", [0, 1, 3, 7])
def test_masks_of_positions_are_their_loops(n, m):
    cases = [(causal_mask(n, m), oracles.causal_mask(n, m))]
    cases += [(causal_mask(n, m, align="end"), oracles.causal_mask(n, m, align="end"))]
    for size in (1, 2, 3, 9):
        cases.append((local_mask(n, m, size), oracles.local_mask(n, m, size)))
        cases.append((strided_mask(n, m, size), oracles.strided_mask(n, m, size)))
    for mask, expected in cases:
        assert type(mask) is np.ndarray
        assert_same(mask, np.reshape(expected, (n, m)).astype(bool), "bool")


@pytest.mark.parametrize(
    "lengths",
    [2, 0, 4, [0, 1, 4], [[1, 2, 3], [4, 0, 2]], np.array([3], "uint8"), np.zeros((2, 0), int), []],
)
def test_padding_mask_is_the_loop(lengths):
    flat = np.ravel(lengths)
    expected = [oracles.padding_mask(length, 4) for length in flat]
    shape = (*np.shape(lengths), 1, 4)
    assert_same(padding_mask(lengths, 4), np.reshape(expected, shape).astype(bool), "bool")


@given(st.data(), leads(1), sizes, sizes, dtypes)
def test_top_k_mask_is_the_loop_with_exactly_k_in_each_row(data, lead, n, m, dtype):
    scores = data.draw(values((*lead[0], n, m), dtype))
    k = data.draw(st.integers(1, m))
    mask = call(top_k_mask, scores, k)
    assert_same(mask, oracles.batched(oracles.top_k_mask, scores, k=k), "bool")
    assert (mask.sum(axis=-1) == k).all()


@pytest.mark.parametrize(
    ("scores", "k", "expected"),
    [
        ([1, 1, 1], 2, [True, True, False]),
        ([0, 2, 2, 2], 1, [False, True, False, False]),
        ([-INF, -INF, 0], 2, [True, False, True]),
        ([-INF, INF, 0], 1, [False, True, False]),
        ([3, 1, 2], 3, [True, True, True]),
        ([7], np.int64(1), [True]),
        (np.array([0, 255, 3], dtype="uint8"), 1, [False, True, False]),
    ],
)
def test_top_k_mask_takes_the_lowest_index_of_a_tie(scores, k, expected):
    assert top_k_mask([scores], k).tolist() == [expected]
    assert top_k_mask(scores, k).tolist() == expected


def test_top_k_mask_takes_the_lowest_indices_of_a_long_tie():
    scores = np.tile([0.0, 1.0], 50)
    assert np.flatnonzero(top_k_mask(scores, 30)).tolist() == list(range(1, 60, 2))


# bad input


def test_no_mask_has_a_negative_size():
    for mask in (causal_mask, partial(local_mask, window=1), partial(strided_mask, stride=1)):
        with refuses(ValueError, "n must be at least 0, but is -1"):
            mask(-1, 2)
        with refuses(ValueError, "m must be at least 0, but is -1"):
            mask(2, -1)
    with refuses(ValueError, "m must be at least 0, but is -1"):
        padding_mask([1], -1)


def one_for_all(name, shape, axis=-1):
    """Return the message, and the call, of an array of which a row of weights has several."""
    message = f"all weights that sum to one share one {name}, but {name} has shape {shape} and "
    call = partial(softmax, np.ones((2, 3)), axis=axis, **{name: np.ones(shape)})
    return f"{message}the scores have shape (2, 3)", call


VALUES = {
    **dict(one_for_all("temperature", shape) for shape in [(3,), (2, 3), (3, 1), (4, 2, 3)]),
    **dict([one_for_all("temperature", (2, 1), axis=0)]),
    **dict(one_for_all("sink", shape) for shape in [(3,), (2, 3), (4, 1)]),
    **{
        f"temperature must be a positive number, but is {cold!r}": partial(
            softmax, np.ones((2, 3)), temperature=cold
        )
        for cold in [0, -1, 0.0, NAN, INF, -INF, [[1.0], [0.0]]]
    },
    **{
        f"axis {axis} is out of bounds for array of dimension {np.ndim(x)}": partial(
            softmax, x, axis=axis
        )
        for x, axis in [([1.0], 1), ([1.0], -2), (5.0, -1)]
    },
    "align must be 'start' or 'end', but is 'left'": lambda: causal_mask(2, 3, align="left"),
    "window must be at least 1, but is 0": lambda: local_mask(2, 2, 0),
    "stride must be at least 1, but is 0": lambda: strided_mask(2, 2, 0),
    "lengths must lie between 0 and m = 4, but are [1, 5]": lambda: padding_mask([1, 5], 4),
    "k must be at least 1, but is 0": lambda: top_k_mask([[1, 2]], 0),
    "each query can keep at most as many keys as there are, "
    "but k is 3 and the scores have shape (1, 2)": lambda: top_k_mask([[1, 2]], 3),
    "scores must have shape (..., m), but has shape ()": lambda: top_k_mask(7.0, 1),
}
TYPES = {
    **{
        f"temperature must hold real numbers, but its dtype is {dtype}": partial(
            softmax, [1.0], temperature=temperature
        )
        for temperature, dtype in [("hot", "<U3"), (1j, "complex128"), ([None], "object")]
    },
    "n must be a whole number, but is 2.0": lambda: causal_mask(2.0),
    "window must be a whole number, but is 1.5": lambda: local_mask(2, 2, 1.5),
    "stride is missing: pass it by name, as stride=2": lambda: strided_mask(2, 2),
    "window is missing: pass it by name, as window=2": lambda: local_mask(4, 2),
    "lengths must be whole numbers, but their dtype is float64": lambda: padding_mask([1.0], 4),
    "mask must have one entry per query and key, but is False; no mask is mask=None": lambda: (
        softmax([1.0, 2.0], mask=False)
    ),
}

test_what_makes_no_sense_is_refused = refusals(VALUES, TYPES)


def test_a_mask_may_have_no_keys():
    assert padding_mask([0, 0], 0).shape == (2, 1, 0)
    assert local_mask(2, 0, 1).shape == strided_mask(2, 0, 1).shape == (2, 0)
