"""From scores to weights: softmax, its limits and edge cases, and the masks."""

import math
from functools import partial

import numpy as np
import oracles
import pytest
from checks import assert_same, call, refusals
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
    x, T = np.array([[0.0, 1.0, 3.0]]), np.array([[0.5], [1.0], [4.0]])
    assert_same(call(softmax, x, temperature=T), softmax(x / T), "float64")
    assert_same(softmax(x[0], temperature=T), softmax(x / T), "float64")
    assert_same(softmax(x, temperature=T[:, None]), softmax(x / T)[:, None], "float64")


@given(score_tables())
def test_low_temperature_gives_the_hard_choice_and_high_the_average(table):
    x, mask = table
    x = np.where(np.isfinite(x), x, -1e4).astype(x.dtype)
    seen = np.where(True if mask is None else mask, x, -INF)
    best = np.isfinite(seen) & (seen == seen.max(axis=-1, keepdims=True))
    for kept, temperatures in ((best, (1e-12, 5e-324)), (seen > -INF, (1e15, 1e300))):
        shares = kept / np.maximum(kept.sum(axis=-1, keepdims=True), 1)
        for temperature in temperatures:
            assert_same(softmax(x, temperature=temperature, mask=mask), shares, x.dtype)


@pytest.mark.parametrize(
    ("scores", "dtype", "expected"),
    [
        ([1e300, 1e300], "float64", [0.5, 0.5]),
        ([1e308, -1e308, 0], "float64", [1, 0, 0]),
        ([1.7e308, -1.7e308, 1.7e308], "float64", [0.5, 0, 0.5]),
        ([3e38, -3e38, 3e38, 0], "float32", [0.5, 0, 0.5, 0]),
        ([6e4, -6e4], "float16", [1, 0]),
    ],
)
def test_scores_temperatures_and_sinks_of_any_finite_size_never_overflow(scores, dtype, expected):
    x = np.array(scores, dtype=dtype)
    for temperature in (1e-300, 0.5, 1.0):
        assert_same(call(softmax, x, temperature=temperature), expected, dtype)
    for sink in (None, 0.0):
        ones = softmax([1.0, -1.0], sink=sink)
        found = call(softmax, x[0] * np.array([1, -1], dtype), temperature=scores[0], sink=sink)
        assert_same(found, ones, dtype)
    for sink, share in ((1e300, 0), (3.5e38, 0), (-1e300, 0.5)):
        assert_same(call(softmax, np.ones(2, "float32"), sink=sink), [share] * 2, "float32")


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


def test_there_may_be_very_many_keys_or_none():
    weights = call(softmax, np.zeros(70000, "float16"))
    assert_same(weights * 7, np.full(70000, 1e-4), "float16")
    assert weights.all()  # their sum has no place in float16
    for shape in ((0,), (3, 0), (2, 0, 0)):
        for options in ({}, {"mask": np.ones(shape, bool)}, {"sink": 1.0}):
            assert_same(softmax(np.zeros(shape), **options), np.zeros(shape), "float64")


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
    assert np.isnan(softmax([1.0, 2.0], sink=NAN)).all()


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


@pytest.mark.parametrize("lengths", [2, 0, [0, 1, 4], [[1, 2], [4, 0]], np.array([3], "uint8"), []])
@pytest.mark.parametrize("m", [4, 6])
def test_padding_mask_is_the_loop(lengths, m):
    expected = [oracles.padding_mask(length, m) for length in np.ravel(lengths)]
    shape = (*np.shape(lengths), 1, m)
    assert_same(padding_mask(lengths, m), np.reshape(expected, shape).astype(bool), "bool")


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
        ([1, 1, 1], 2, [0, 1]),
        ([-INF, -INF, 0], 2, [0, 2]),
        ([-INF, INF, 0], 1, [1]),
        (np.array([0, 255, 3], dtype="uint8"), np.int64(1), [1]),
        (np.tile([0.0, 1.0], 50), 30, [*range(1, 60, 2)]),
    ],
)
def test_top_k_mask_takes_the_lowest_index_of_a_tie(scores, k, expected):
    assert np.flatnonzero(top_k_mask(scores, k)).tolist() == expected
    np.testing.assert_array_equal(top_k_mask([scores], k), [top_k_mask(scores, k)])


TWO_ROWS = np.ones((2, 3))
SHARED = "all weights that sum to one share one {0}, but {0} has shape {1} and the scores"
SIZED = [causal_mask, partial(local_mask, window=1), partial(strided_mask, stride=1)]
SHAPES = {"temperature": [(3,), (2, 3), (3, 1), (4, 2, 3)], "sink": [(2, 3), (4, 1)]}


def weigh(x=TWO_ROWS, **options):
    return lambda: softmax(x, **options)


VALUES = [
    *[
        (f"{SHARED.format(name, shape)} have shape (2, 3)", weigh(**{name: np.ones(shape)}))
        for name, shapes in SHAPES.items()
        for shape in shapes
    ],
    (f"{SHARED.format('sink', (2, 1))} have shape (2, 3)", weigh(axis=0, sink=np.ones((2, 1)))),
    *[
        (f"temperature must be a positive number, but is {cold!r}", weigh(temperature=cold))
        for cold in [0, -1, NAN, INF, -INF, [[1.0], [0.0]]]
    ],
    *[
        (f"axis {axis} is out of bounds for array of dimension {np.ndim(x)}", weigh(x, axis=axis))
        for x, axis in [([1.0], 1), ([1.0], -2), (5.0, -1)]
    ],
    *[("n must be at least 0, but is -1", partial(mask, -1, 2)) for mask in SIZED],
    *[("m must be at least 0, but is -1", partial(mask, 2, -1)) for mask in SIZED],
    ("m must be at least 0, but is -1", lambda: padding_mask([1], -1)),
    ("align must be 'start' or 'end', but is 'left'", lambda: causal_mask(2, 3, align="left")),
    ("window must be at least 1, but is 0", lambda: local_mask(2, 2, 0)),
    ("stride must be at least 1, but is 0", lambda: strided_mask(2, 2, 0)),
    ("lengths must lie between 0 and m = 4, but are [1, 5]", lambda: padding_mask([1, 5], 4)),
    ("k must be at least 1, but is 0", lambda: top_k_mask([[1, 2]], 0)),
    (
        "each query can keep at most as many keys as there are, "
        "but k is 3 and the scores have shape (1, 2)",
        lambda: top_k_mask([[1, 2]], 3),
    ),
    ("scores must have shape (..., m), but has shape ()", lambda: top_k_mask(7.0, 1)),
]
TYPES = [
    *[
        (f"temperature must hold real numbers, but its dtype is {dtype}", weigh(temperature=hot))
        for hot, dtype in [("hot", "<U3"), (1j, "complex128"), ([None], "object")]
    ],
    ("n must be a whole number, but is 2.0", lambda: causal_mask(2.0)),
    ("window must be a whole number, but is 1.5", lambda: local_mask(2, 2, 1.5)),
    ("stride is missing: pass it by name, as stride=2", lambda: strided_mask(2, 2)),
    ("window is missing: pass it by name, as window=2", lambda: local_mask(4, 2)),
    ("lengths must be whole numbers, but their dtype is float64", lambda: padding_mask([1.0], 4)),
    (
        "mask must have one entry per query and key, but is False; no mask is mask=None",
        weigh(mask=False),
    ),
]
test_what_makes_no_sense_is_refused = refusals(VALUES, TYPES)
