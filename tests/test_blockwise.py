"""Attention block by block: the same answer, without the whole table of scores."""

import math
import tracemalloc

import numpy as np
import pytest
from checks import assert_same, call, refusals, refuses
from hypothesis import given
from hypothesis import strategies as st
from strategies import problems, values

import attention_lib as lib
from attention_lib import blockwise

blocks = st.sampled_from([1, 2, 3, 4, 100])


def both_masks(problem, causal):
    """Return the mask of a problem, and of what comes later if it is causal."""
    return (
        problem.allowed & lib.causal_mask(*problem.allowed.shape[-2:]) if causal else problem.mask
    )


@given(problems(), blocks, st.booleans())
def test_blockwise_is_plain_for_any_block_with_causal_and_mask(problem, block, causal):
    Q, K, V, mask = problem
    expected, _ = lib.attention(Q, K, V, mask=both_masks(problem, causal))
    output = call(lib.blockwise_attention, Q, K, V, mask=mask, causal=causal, block=block)
    assert_same(output, expected, Q.dtype)


@pytest.mark.parametrize("block", [1, 2, 50])
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e308])
def test_what_a_later_key_holds_reaches_no_gradient_of_an_earlier_query(rng, block, bad):
    Q, K, V, d_output = rng.normal(size=(4, 4, 3))
    options = {"causal": True, "block": block}
    expected, *_ = lib.blockwise_attention_backward(Q, K, V, d_output, **options)
    K[2:], V[2:] = bad, bad
    found, *_ = lib.blockwise_attention_backward(Q, K, V, d_output, **options)
    assert_same(found[:2], expected[:2], "float64")


@pytest.mark.parametrize("block", [1, 2, 50])
@pytest.mark.parametrize("scale", [1e100, 1.3e154])
def test_scores_and_values_of_any_finite_size_never_overflow(block, scale):
    Q, K, V = np.array([[scale]]), np.array([[-scale], [scale], [0.0], [scale]]), np.eye(4)
    assert_same(lib.blockwise_attention(Q, K, V, block=block), [[0, 0.5, 0, 0.5]], "float64")
    assert_same(lib.blockwise_attention(-Q, K, V, block=block), [[1, 0, 0, 0]], "float64")
    Q, K, V = np.zeros((1, 2), "f4"), np.zeros((2, 2), "f4"), np.full((2, 1), 3e38, "f4")
    assert_same(lib.blockwise_attention(Q, K, V, block=block), [[3e38]], "float32")


@pytest.mark.parametrize("block", [1, 50])
@pytest.mark.parametrize(("dtype", "size"), [("float16", 300), ("float32", 1e20)])
def test_scores_that_no_number_can_hold_have_a_way_back(dtype, size, block):
    Q, K = np.array([[-1], [1]], dtype) * size, np.array([[2], [1]], dtype) * size
    V = np.eye(2, dtype=dtype)
    *_, d_V = lib.blockwise_attention_backward(Q, K, V, V, block=block)
    assert_same(d_V, [[0, 1], [1, 0]], dtype)


@pytest.mark.parametrize("block", [1, 2, 50])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_bad_score_in_an_allowed_place_makes_its_row_nan_and_no_other(block, bad):
    Q, K, V = np.eye(2)[:, :1], np.array([[1], [bad], [1]]), np.array([[1.0], [2], [3]])
    mask = np.array([[True, True, True], [True, False, True]])
    output = lib.blockwise_attention(Q, K, V, mask=mask, block=block)
    np.testing.assert_array_equal(output, [[math.nan], [2.0]])


@pytest.mark.parametrize("causal", [False, True])
def test_extra_memory_grows_with_the_keys_and_not_with_the_pairs(monkeypatch, causal):
    monkeypatch.setattr(blockwise, "MOST_THREADS", 1)
    peaks = []
    for n in (1024, 4096):
        Q = np.ones((n, 4), dtype="float32")
        tracemalloc.start()
        lib.blockwise_attention(Q, Q, Q, causal=causal)
        if n == 1024:
            lib.blockwise_attention_backward(Q, Q, Q, Q, causal=causal, block=32)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 5 * peaks[0] < 5 * 1024 * 1024 * Q.itemsize / 2


Threads = blockwise.ThreadPoolExecutor
LARGE = np.ones((2, 512, 1))  # two heads of 512 × 512 scores, in four blocks


THREADS = [  # of how many rows, in how many processors, with which setting
    ({}, 3),
    ({"processors": 100, "block": 32}, 8),
    ({"processors": 100}, 4),
    ({"processors": 1}, None),
    ({"processors": None}, None),
    ({"platform": "emscripten"}, None),
    ({"rows": 511, "heads": 1}, None),
    ({"heads": 1}, 2),
    ({"blas": "2"}, None),
    ({"blas": ""}, None),
]


@pytest.mark.parametrize(("here", "threads"), THREADS)
def test_threads_are_as_many_as_processors_or_blocks_up_to_a_limit(monkeypatch, here, threads):
    started = []
    monkeypatch.setattr(blockwise, "ThreadPoolExecutor", lambda n: started.append(n) or Threads(n))
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", here.get("blas", "1"))
    monkeypatch.setattr("os.cpu_count", lambda: here.get("processors", 3))
    monkeypatch.setattr("sys.platform", here.get("platform", "linux"))
    Q = LARGE[: here.get("heads", 2)]
    output = lib.blockwise_attention(Q[:, : here.get("rows")], Q, Q, block=here.get("block", 256))
    assert (started, output.min()) == ([threads] if threads else [], 1)


def test_an_error_in_a_thread_is_raised_and_threads_change_nothing(rng, monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    Q, K, V = rng.normal(size=(3, 2, 600, 4)).astype("float32")
    output = lib.blockwise_attention(Q, K, V, causal=True, block=64)
    assert_same(output, lib.attention(Q, K, V, causal=True)[0], "float32")
    monkeypatch.setattr(blockwise, "_softmax_times", lambda scores, V: scores.no_room)
    with pytest.raises(AttributeError, match="no_room"):
        lib.blockwise_attention(Q, K, V)


@pytest.mark.parametrize("causal", [lib.causal_mask(3), "no", 1, None])
def test_causal_is_yes_or_no(causal):
    message = (
        f"causal must be True or False, but is a {type(causal).__name__}; a mask goes in as mask=…"
    )
    with refuses(TypeError, message):
        lib.blockwise_attention(np.ones((3, 1)), np.ones((3, 1)), np.ones((3, 1)), causal=causal)
    yes = np.bool_(True)
    assert lib.blockwise_attention(np.ones((1, 1)), [[1.0], [1]], [[1.0], [3]], causal=yes) == 1


def in_blocks(block, d_output=LARGE):
    return lambda: lib.blockwise_attention_backward(LARGE, LARGE, LARGE, d_output, block=block)


VALUES = {f"block must be at least 1, but is {block}": in_blocks(block) for block in (0, -3)}
SAME = "d_output needs the shape of the output, (2, 512, 1), but has shape (3, 1)"
VALUES[SAME] = in_blocks(2, np.ones((3, 1)))
TYPES = {f"block must be a whole number, but is {block}": in_blocks(block) for block in (2.0, None)}
test_a_block_of_nothing_is_refused = refusals(VALUES, TYPES)


@given(st.data(), problems(), blocks, st.booleans())
def test_the_way_back_in_blocks_is_the_plain_one(data, problem, block, causal):
    Q, K, V, mask = problem
    both = both_masks(problem, causal)
    output, _ = lib.attention(Q, K, V, mask=both)
    d_output = data.draw(values(output.shape, Q.dtype))
    options = {"mask": mask, "causal": causal, "block": block}
    gradients = call(lib.blockwise_attention_backward, Q, K, V, d_output, **options)
    assert_same(gradients, lib.attention_backward(Q, K, V, d_output, mask=both), Q.dtype)
