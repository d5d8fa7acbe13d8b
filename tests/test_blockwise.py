"""Attention block by block: the same answer, without the whole table of scores."""

import math
import tracemalloc

import numpy as np
import pytest
from checks import assert_same, call, refusals, refuses
from hypothesis import given
from hypothesis import strategies as st
from strategies import problems, values

from attention_lib import (
    attention,
    attention_backward,
    blockwise,
    blockwise_attention,
    blockwise_attention_backward,
    causal_mask,
)

blocks = st.sampled_from([1, 2, 3, 4, 100])


def both_masks(problem, causal):
    """Return the mask of a problem, and of what comes later if it is causal."""
    return problem.allowed & causal_mask(*problem.allowed.shape[-2:]) if causal else problem.mask


@given(problems(), blocks, st.booleans())
def test_blockwise_is_plain_for_any_block_with_causal_and_mask(problem, block, causal):
    Q, K, V, mask = problem
    expected, _ = attention(Q, K, V, mask=both_masks(problem, causal))
    output = call(blockwise_attention, Q, K, V, mask=mask, causal=causal, block=block)
    assert_same(output, expected, Q.dtype)


@pytest.mark.parametrize("block", [1, 7, 64, 128, 129, 1000, None])
@pytest.mark.parametrize("causal", [False, True])
def test_blockwise_is_plain_for_long_sequences(rng, block, causal):
    Q, K, V = (rng.normal(size=(2, 130, 4)).astype("float32") for _ in "QKV")
    mask = rng.random((130, 130)) < 0.5
    mask[3] = False
    options = {} if block is None else {"block": block}
    for allowed in (mask, mask[:1], mask[:, :1], None):
        both = allowed
        if causal:
            both = causal_mask(130) if allowed is None else allowed & causal_mask(130)
        expected, _ = attention(Q, K, V, mask=both)
        output = blockwise_attention(Q, K, V, mask=allowed, causal=causal, **options)
        assert_same(output, expected, "float32")


@pytest.mark.parametrize(("n", "m"), [(0, 2), (2, 0), (0, 0)])
@pytest.mark.parametrize("causal", [False, True])
def test_no_queries_give_no_rows_and_no_keys_give_zeros(n, m, causal):
    output = blockwise_attention(np.ones((n, 3)), np.ones((m, 3)), np.ones((m, 4)), causal=causal)
    assert_same(output, np.full((n, 4), float(m > 0)), "float64")


@pytest.mark.parametrize("block", [1, 2, 50])
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e308])
def test_whatever_a_masked_place_holds_changes_nothing(rng, block, bad):
    Q, K, V = rng.normal(size=(4, 3)), rng.normal(size=(5, 3)), rng.normal(size=(5, 2))
    mask = np.ones((4, 5), bool)
    mask[:, 1], mask[2] = False, False
    expected = blockwise_attention(Q, K, V, mask=mask, block=block)
    assert not expected[2].any()
    Q[2], K[1], V[1] = bad, bad, bad
    output = call(blockwise_attention, Q, K, V, mask=mask, block=block)
    assert_same(output, expected, "float64")


@pytest.mark.parametrize("block", [1, 2, 50])
def test_a_causal_query_never_sees_what_comes_later(rng, block):
    Q, K, V = rng.normal(size=(4, 3)), rng.normal(size=(6, 3)), rng.normal(size=(6, 2))
    expected = blockwise_attention(Q, K, V, causal=True, block=block)
    K[2:], V[2:] = math.nan, math.inf
    output = blockwise_attention(Q, K, V, causal=True, block=block)
    assert_same(output[:2], expected[:2], "float64")
    assert np.isnan(output[2:]).all()


@pytest.mark.parametrize("block", [1, 2, 50])
@pytest.mark.parametrize("scale", [1e100, 1.3e154])
def test_scores_of_any_finite_size_never_overflow(block, scale):
    Q, K, V = np.array([[scale]]), np.array([[-scale], [scale], [0.0], [scale]]), np.eye(4)
    assert_same(blockwise_attention(Q, K, V, block=block), [[0, 0.5, 0, 0.5]], "float64")
    assert_same(blockwise_attention(-Q, K, V, block=block), [[1, 0, 0, 0]], "float64")


def test_the_mean_of_large_values_does_not_overflow():
    Q, K, V = np.zeros((1, 2), "f4"), np.zeros((2, 2), "f4"), np.full((2, 1), 3e38, "f4")
    assert_same(blockwise_attention(Q, K, V), [[3e38]], "float32")


@pytest.mark.parametrize("block", [1, 50])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("dtype", "size"), [("float16", 300), ("float32", 1e20)])
def test_scores_that_no_number_can_hold_are_not_hidden(dtype, size, block, causal):
    Q, K = np.array([[-1], [1], [-1]], dtype) * size, np.array([[2], [1], [1]], dtype) * size
    V, mask = np.eye(3, dtype=dtype), np.array([[True, True, True]] * 2 + [[True, False, True]])
    expected = [[1, 0, 0] if causal else [0, 0.5, 0.5], [1, 0, 0], [0, 0, 1]]
    output = call(blockwise_attention, Q, K, V, mask=mask, causal=causal, block=block)
    assert_same(output, expected, dtype)
    *_, d_V = blockwise_attention_backward(Q, K, V, V, mask=mask, causal=causal, block=block)
    assert_same(d_V, np.transpose(expected), dtype)


@pytest.mark.parametrize("block", [1, 2, 50])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_bad_score_in_an_allowed_place_makes_its_row_nan_and_no_other(block, bad):
    Q, K, V = (
        np.array([[1.0], [0.0]]),
        np.array([[1.0], [bad], [1.0]]),
        np.array([[1.0], [2.0], [3.0]]),
    )
    mask = np.array([[True, True, True], [True, False, True]])
    output = blockwise_attention(Q, K, V, mask=mask, block=block)
    np.testing.assert_array_equal(output, [[math.nan], [2.0]])


@pytest.mark.parametrize("causal", [False, True])
def test_extra_memory_grows_with_the_keys_and_not_with_the_pairs(monkeypatch, causal):
    monkeypatch.setattr(blockwise, "MOST_THREADS", 1)
    peaks = []
    for n in (1024, 4096):
        Q = np.ones((n, 4), dtype="float32")
        tracemalloc.start()
        blockwise_attention(Q, Q, Q, causal=causal)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 5 * peaks[0]


class ThreadsStartedError(Exception):
    """Threads would have been started."""


@pytest.fixture
def processors(monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    monkeypatch.setattr("os.cpu_count", lambda: 3)


@pytest.fixture
def no_threads(monkeypatch, processors):
    def refuse(count):
        raise ThreadsStartedError(count)

    monkeypatch.setattr(blockwise, "ThreadPoolExecutor", refuse)


LARGE = np.ones((2, 512, 1))  # two heads of 512 × 512 scores, in four blocks


@pytest.mark.parametrize(
    ("processors", "block", "threads"), [(3, 256, "3"), (100, 32, "8"), (100, 256, "4")]
)
def test_threads_are_as_many_as_processors_or_blocks_up_to_a_limit(
    no_threads, monkeypatch, processors, block, threads
):
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    with pytest.raises(ThreadsStartedError, match=f"^{threads}$"):
        blockwise_attention(LARGE, LARGE, LARGE, block=block)


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("os.cpu_count", lambda: 1), ("os.cpu_count", lambda: None), ("sys.platform", "emscripten")],
)
def test_one_processor_or_a_browser_starts_no_thread(no_threads, monkeypatch, attribute, value):
    monkeypatch.setattr(attribute, value)
    blockwise_attention(LARGE, LARGE, LARGE)


def test_little_work_starts_no_thread(no_threads):
    blockwise_attention(LARGE[0, :511], LARGE[0], LARGE[0])
    with pytest.raises(ThreadsStartedError):
        blockwise_attention(LARGE[0], LARGE[0], LARGE[0])


def test_no_thread_is_started_beside_those_of_the_matrix_product(no_threads, monkeypatch):
    for blas in ("2", ""):
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", blas)
        blockwise_attention(LARGE, LARGE, LARGE)


@pytest.mark.usefixtures("processors")
@pytest.mark.parametrize("causal", [False, True])
def test_threads_change_nothing(rng, monkeypatch, causal):
    Q, K, V = rng.normal(size=(3, 2, 600, 4)).astype("float32")
    output = blockwise_attention(Q, K, V, causal=causal, block=64)
    monkeypatch.setattr(blockwise, "MOST_THREADS", 1)
    alone = blockwise_attention(Q, K, V, causal=causal, block=64)
    np.testing.assert_array_equal(output, alone)
    both = causal_mask(600) if causal else None
    assert_same(output, attention(Q, K, V, mask=both)[0], "float32")


@pytest.mark.usefixtures("processors")
def test_an_error_in_a_thread_is_raised_where_it_can_be_seen(monkeypatch):
    def no_room(scores, V):
        raise MemoryError("no room")

    monkeypatch.setattr(blockwise, "_softmax_times", no_room)
    with pytest.raises(MemoryError, match="no room"):
        blockwise_attention(LARGE, LARGE, LARGE)


@pytest.mark.parametrize("block", [64, 4096])
def test_sums_over_many_keys_do_not_outgrow_a_small_dtype(block):
    Q, K = np.zeros((1, 2), "float16"), np.zeros((3000, 2), "float16")
    V = np.full((3000, 1), 100, "float16")
    assert_same(blockwise_attention(Q, K, V, block=block), [[100]], "float16")


@pytest.mark.parametrize("causal", [causal_mask(3), "no", 1, None])
def test_causal_is_yes_or_no(causal):
    message = (
        f"causal must be True or False, but is a {type(causal).__name__}; a mask goes in as mask=…"
    )
    with refuses(TypeError, message):
        blockwise_attention(np.ones((3, 1)), np.ones((3, 1)), np.ones((3, 1)), causal=causal)
    yes = np.bool_(True)
    assert blockwise_attention(np.ones((1, 1)), [[1.0], [1]], [[1.0], [3]], causal=yes) == 1


def in_blocks(block):
    return lambda: blockwise_attention(LARGE, LARGE, LARGE, block=block)


VALUES = {f"block must be at least 1, but is {block}": in_blocks(block) for block in (0, -3)}
TYPES = {f"block must be a whole number, but is {block}": in_blocks(block) for block in (2.0, None)}
test_a_block_of_nothing_is_refused = refusals(VALUES, TYPES)


# the way back


@given(st.data(), problems(), blocks, st.booleans())
def test_the_way_back_in_blocks_is_the_plain_one(data, problem, block, causal):
    Q, K, V, mask = problem
    both = both_masks(problem, causal)
    output, _ = attention(Q, K, V, mask=both)
    d_output = data.draw(values(output.shape, Q.dtype))
    options = {"mask": mask, "causal": causal, "block": block}
    gradients = call(blockwise_attention_backward, Q, K, V, d_output, **options)
    assert_same(gradients, attention_backward(Q, K, V, d_output, mask=both), Q.dtype)


@pytest.mark.parametrize("causal", [False, True])
def test_the_way_back_never_holds_the_whole_table_of_weights(causal):
    n = 1024
    Q = np.ones((n, 4), dtype="float32")
    tracemalloc.start()
    blockwise_attention_backward(Q, Q, Q, Q, causal=causal, block=32)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < n * n * Q.itemsize / 2


@pytest.mark.parametrize("block", [1, 2, 50])
def test_what_a_later_key_holds_reaches_no_gradient_of_an_earlier_query(rng, block):
    Q, K, V, d_output = rng.normal(size=(4, 4, 3))
    expected, _, _ = blockwise_attention_backward(Q, K, V, d_output, causal=True, block=block)
    K[2:], V[2:] = math.nan, math.inf
    d_Q, _, _ = blockwise_attention_backward(Q, K, V, d_output, causal=True, block=block)
    assert_same(d_Q[:2], expected[:2], "float64")
    assert np.isnan(d_Q[2:]).all()


def test_the_way_back_in_blocks_refuses_what_does_not_fit():
    Q, K = np.ones((2, 3)), np.ones((4, 3))
    said = "d_output needs the shape of the output, (2, 3), but has shape (4, 3)"
    with refuses(ValueError, said):
        blockwise_attention_backward(Q, K, K, K)
    with refuses(ValueError, "block must be at least 1, but is 0"):
        blockwise_attention_backward(Q, K, K, Q, block=0)
