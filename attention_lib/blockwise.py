"""Exact attention without the n × m matrix: one block of queries at a time.

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

from attention_lib import _shapes as door
from attention_lib._shapes import Array, Mask, quiet
from attention_lib.pooling import _attention
from attention_lib.weights import causal_mask

MOST_THREADS = 8  # each holds a block of scores
SMALL = 1 << 18  # fewer scores than this are not worth a thread: starting one takes 0.1 ms


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
    Q, K, V, mask, block = door.blockwise_attention(mask, causal, block, Q=Q, K=K, V=V)
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
    n, m = Q.shape[-2], K.shape[-2]
    bad = np.asarray(~np.isfinite(V).all(axis=-1))  # (..., m)
    for head in np.ndindex(Q.shape[:-2]):
        for start in range(0, n, block):
            rows = slice(start, min(start + block, n))
            keys = slice(rows.stop if causal else m)
            yield _Block(
                *(Q[head][rows], K[head][keys], V[head][keys], bad[head][keys]),
                None if mask is None else mask[head][rows, keys],
                start if causal else m,
                output[head][rows],
            )


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


@quiet
def _attend(block: _Block, scores: Array) -> None:
    """Write the output of a block, with `scores` as its working memory."""
    _score(block, scores)
    redo = (scores[:, block.bad] != -np.inf).any(axis=-1)  # (b,), queries that see a bad value
    V = np.where(block.bad[:, None], 0, block.V) if block.bad.any() else block.V
    output = _softmax_times(scores, V)  # (b, d_v)
    redo |= ~np.isfinite(output).all(axis=-1)  # and those whose sum was too large
    if redo.any():
        _score(block, scores)
        Q, mask = block.Q[redo].astype(scores.dtype), scores[redo] != -np.inf
        output[redo], _ = _attention(Q, block.K, block.V, mask)
    block.output[...] = output


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
