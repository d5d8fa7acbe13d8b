"""Exact attention without the n × m matrix, there and back: one block of queries at a time.

See the chapter "Making it fast".
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Mask, ignore_overflow, named_options
from attention_lib.gradients import _attention_backward, _sum_to
from attention_lib.pooling import _attention
from attention_lib.weights import causal_mask

MOST_THREADS = 8  # each holds a block of scores
SMALL = 1 << 18  # fewer scores than this are not worth a thread: starting one takes 0.1 ms


@named_options
def blockwise_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    causal: bool = False,
    block: int = 256,
) -> Array:
    r"""Return the output of ``attention(Q, K, V, mask=mask)`` with far less memory.

    The scores of one block of queries, and their exponentials, share one buffer that fits into the
    processor's cache, which on most machines is also faster. Extra memory: `block` × m numbers for
    each thread instead of n × m for each head, so it grows with m and not with n × m.

    With ``OPENBLAS_NUM_THREADS=1`` in the environment before Python starts, the blocks are shared
    among threads, which is fastest. Without it the threads are left to the matrix product: both at
    once would get in each other's way.

    Parameters
    ----------
    Q, K, V, mask : array_like
        What `attention` takes, in the same shapes.
    causal : bool
        Also hide keys ``j > i``, as `causal_mask` does, without building that mask. Keys that no
        query of a block may see are skipped.
    block : int
        How many queries to take at a time.

    Returns
    -------
    ndarray, shape (..., n, d_v)
        The output. There are no weights to return: they never exist all at once.

    Examples
    --------
    >>> from attention_lib import attention
    >>> Q, K, V = np.random.default_rng(0).normal(size=(3, 10, 4))
    >>> output = blockwise_attention(Q, K, V, block=3)
    >>> np.allclose(output, attention(Q, K, V)[0])
    True
    """
    Q, K, V, mask, block = check.blockwise_attention(mask, causal, block, Q=Q, K=K, V=V)
    output = np.empty((*Q.shape[:-1], V.shape[-1]), Q.dtype)
    blocks = list(_cut(Q, K, V, mask, causal, output, block))
    sizes = [len(part.Q) * len(part.K) for part in blocks]
    wide = np.promote_types(Q.dtype, np.float32)  # sums of float16 could overflow
    work = partial(_process, iter(blocks), max(sizes, default=0), wide)
    _in_threads(work, min(_threads(sum(sizes)), len(blocks)))
    return output


class _Block(NamedTuple):
    """Some queries of one head, the keys that they may see, and where their output goes."""

    Q: Array  # (b, d_k)
    K: Array  # (k, d_k)
    V: Array  # (k, d_v)
    bad: Mask  # (k,), True where a value is not finite
    mask: Mask | None  # (b, k)
    first_later: int  # from this key on, query i may see only the first i + 1
    output: Array  # (b, d_v), to be written to


def _cut(
    Q: Array, K: Array, V: Array, mask: Mask | None, causal: bool, output: Array, block: int
) -> Iterator[_Block]:
    """Cut every head into blocks of queries; if causal, without the keys after the last query."""
    bad = np.asarray(~np.isfinite(V).all(axis=-1))  # (..., m)
    for head, rows, keys in _places(Q, K, causal, block):
        yield _Block(
            *(Q[head][rows], K[head][keys], V[head][keys], bad[head][keys]),
            None if mask is None else mask[head][rows, keys],
            rows.start if causal else K.shape[-2],
            output[head][rows],
        )


def _places(
    Q: Array, K: Array, causal: bool, block: int
) -> Iterator[tuple[tuple[int, ...], slice, slice]]:
    """Say which head, which rows of `Q` and which of `K` belong to each block."""
    n, m = Q.shape[-2], K.shape[-2]
    for head in np.ndindex(Q.shape[:-2]):
        for start in range(0, n, block):
            stop = min(start + block, n)
            yield head, slice(start, stop), slice(min(stop, m) if causal else m)


def _threads(scores: int) -> int:
    """Return how many threads are worth starting; Python in a browser cannot start any."""
    alone = os.environ.get("OPENBLAS_NUM_THREADS") == "1"  # else the matrix product has its own
    if scores < SMALL or not alone or sys.platform == "emscripten":
        return 1
    return min(os.cpu_count() or 1, MOST_THREADS)


def _in_threads(work: Callable[[], None], threads: int) -> None:
    if threads <= 1:
        work()
        return
    with ThreadPoolExecutor(threads) as pool:
        for future in [pool.submit(work) for _ in range(threads)]:
            future.result()  # raises here what was raised there


def _process(blocks: Iterator[_Block], most_scores: int, dtype: np.dtype[Any]) -> None:
    """Process blocks until none is left, all in one buffer: allocating memory takes time."""
    buffer = np.empty(most_scores, dtype)
    for block in blocks:
        shape = len(block.Q), len(block.K)
        _attend(block, buffer[: math.prod(shape)].reshape(shape))


@ignore_overflow
def _attend(block: _Block, scores: Array) -> None:
    """Write the output of a block, with `scores` as its working memory."""
    _score(block, scores)
    redo = (scores[:, block.bad] != -np.inf).any(axis=-1)  # (b,), queries that see a bad value
    if check.wide_enough(block.Q, block.K) != block.Q.dtype:
        redo |= (np.isinf(scores) & _seen(block)).any(axis=-1)  # whose scores are too large
    V = np.where(block.bad[:, None], 0, block.V) if block.bad.any() else block.V
    output = _softmax_times(scores, V)  # (b, d_v)
    redo |= ~np.isfinite(output).all(axis=-1)  # and those whose sum was too large
    if redo.any():
        Q, K = (part.astype(scores.dtype, copy=False) for part in (block.Q[redo], block.K))
        output[redo], _ = _attention(Q, K, block.V, _seen(block)[redo])
    block.output[...] = output


def _seen(block: _Block) -> Mask:
    """Return which keys of a block each of its queries may see."""
    seen = np.ones((len(block.Q), len(block.K)), bool) if block.mask is None else block.mask.copy()
    seen[:, block.first_later :] &= causal_mask(*seen[:, block.first_later :].shape)
    return seen


def _score(block: _Block, scores: Array) -> None:
    """Write the scores of a block, minus infinity where nothing may be seen."""
    Q = block.Q.astype(scores.dtype, copy=False)
    np.matmul(Q / math.sqrt(Q.shape[-1]), block.K.T, out=scores)
    if block.mask is not None:
        np.copyto(scores, -np.inf, where=~block.mask)
    later = scores[:, block.first_later :]
    np.copyto(later, -np.inf, where=~causal_mask(*later.shape))


def _softmax_times(scores: Array, V: Array) -> Array:
    """Return ``softmax(scores) @ V`` and overwrite the scores."""
    scores -= scores.max(axis=-1, keepdims=True, initial=np.finfo(scores.dtype).min)
    np.exp(scores, out=scores)
    total = scores.sum(axis=-1, keepdims=True)  # (b, 1)
    return scores @ V / np.where(total == 0, 1, total)  # fewer divisions than in (b, k)


@named_options
def blockwise_attention_backward(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    d_output: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    causal: bool = False,
    block: int = 256,
) -> tuple[Array, Array, Array]:
    r"""Return ``attention_backward(Q, K, V, d_output, mask=mask)`` with far less memory.

    No weights are kept on the way forward: those of one block of queries are computed again, used
    and forgotten. Such a block holds whole rows, so the sum below the line of the softmax is at
    hand. (Where blocks of keys are cut too, one number for each query, the log-sum-exp of its
    scores, has to be kept for it.)

    Parameters
    ----------
    Q, K, V, d_output, mask : array_like
        What `attention_backward` takes, in the same shapes.
    causal, block : bool, int
        Those of `blockwise_attention`.

    Returns
    -------
    d_Q, d_K, d_V : ndarray
        How the loss changes with each number of `Q`, `K` and `V`, in their shapes.

    Examples
    --------
    >>> from attention_lib import attention_backward
    >>> Q, K, V, d_output = np.random.default_rng(0).normal(size=(4, 10, 3))
    >>> d_Q, d_K, d_V = blockwise_attention_backward(Q, K, V, d_output, block=4)
    >>> np.allclose(d_K, attention_backward(Q, K, V, d_output)[1])
    True
    """
    Q, K, V, d_output, mask = check.attention_backward(mask, Q=Q, K=K, V=V, d_output=d_output)
    given = Q, K, V
    Q, K, V, mask, block = check.blockwise_attention(mask, causal, block, Q=Q, K=K, V=V)
    d_output = np.broadcast_to(d_output, (*Q.shape[:-1], V.shape[-1]))
    wide = np.promote_types(Q.dtype, np.float32)  # sums of float16 could overflow
    d_Q, d_K, d_V = (np.zeros(part.shape, wide) for part in (Q, K, V))
    for head, rows, keys in _places(Q, K, causal, block):
        seen = None if mask is None else mask[head][rows, keys]  # (b, k)
        if causal:
            earlier = np.tri(rows.stop - rows.start, keys.stop, rows.start, dtype=bool)
            seen = earlier if seen is None else seen & earlier
        parts = Q[head][rows], K[head][keys], V[head][keys], d_output[head][rows]
        block_d_Q, block_d_K, block_d_V = _attention_backward(*parts, seen)
        d_Q[head][rows] = block_d_Q  # (b, d_k)
        d_K[head][keys] += block_d_K  # (k, d_k), from these queries
        d_V[head][keys] += block_d_V  # (k, d_v)
    sums = zip((d_Q, d_K, d_V), given, strict=True)
    d_Q, d_K, d_V = (_sum_to(d, part.shape).astype(part.dtype) for d, part in sums)
    return d_Q, d_K, d_V
