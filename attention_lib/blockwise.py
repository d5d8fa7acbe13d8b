"""Exact attention without the n × m matrix, there and back: one block of queries at a time.

See the chapter "Making it fast".
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Mask, Numbers, ignore_overflow, takes
from attention_lib.backward import _as_d_output, _shape_of_output, _sum_to, _weights_backward
from attention_lib.pooling import _roomy, _times
from attention_lib.weights import causal_mask

MOST_THREADS = 8  # each holds a block of scores
SMALL = 1 << 18  # fewer scores than this are not worth a thread: starting one takes 0.1 ms


@takes("Q: ... n d_k, K: ... m d_k, V: ... m d_v")
def blockwise_attention(
    Q: Numbers,
    K: Numbers,
    V: Numbers,
    *,
    mask: ArrayLike | None = None,
    causal: bool = False,
    block: int = 256,
) -> Array:
    r"""Return the output of ``attention(Q, K, V, mask=mask)``, not its weights, with less memory.

    The scores of `block` queries at a time, and their exponentials, share one buffer that fits into
    the processor's cache: block × m numbers for each thread instead of n × m for each head. Mask
    and `causal` are those of `attention`; keys that no query of a block may see are skipped.

    With ``OPENBLAS_NUM_THREADS=1`` in the environment before Python starts, the blocks are shared
    among threads, which is fastest. Without it the threads are left to the matrix product: both at
    once would get in each other's way.

    Examples
    --------
    >>> from attention_lib import attention
    >>> Q, K, V = np.random.default_rng(0).normal(size=(3, 10, 4))
    >>> output = blockwise_attention(Q, K, V, block=3)
    >>> np.allclose(output, attention(Q, K, V)[0])
    True
    """
    seen = check.as_mask(mask, check.pairs(Q, K, V))
    Q, K, V, seen = _in_batches(*_roomy(Q, K), V, seen)
    output = np.empty((*Q.shape[:-1], V.shape[-1]), V.dtype)
    places = list(_places(Q, K, causal, block))
    sizes = [(rows.stop - rows.start) * keys.stop for _, rows, keys in places]
    queue = iter(places)  # each thread takes the next one from it

    @ignore_overflow
    def work() -> None:
        buffer = np.empty(max(sizes), Q.dtype)  # one for all blocks: allocating memory takes time
        for head, rows, keys in queue:
            q, k = Q[head][rows] / math.sqrt(Q.shape[-1]), K[head][keys]  # (b, d_k), (k, d_k)
            scores = buffer[: len(q) * len(k)].reshape(len(q), len(k))
            np.matmul(q, k.T, out=scores)
            if seen is not None:
                np.copyto(scores, -np.inf, where=~seen[head][rows, keys])
            if causal:
                later = scores[:, rows.start :]  # earlier keys are seen by all queries of the block
                np.copyto(later, -np.inf, where=~causal_mask(*later.shape))
            output[head][rows] = _softmax_times(scores, V[head][keys])

    _in_threads(work, len(places), sum(sizes))
    return output


def _in_batches(
    Q: Array, K: Array, V: Array, mask: Mask | None
) -> tuple[Array, Array, Array, Mask | None]:
    """Repeat each array for all leading axes, without copying it."""
    allowed = np.ones((1, 1), bool) if mask is None else np.atleast_2d(mask)
    *lead, n, m = check.pairs(Q, K, V, allowed)
    Q, K, V = (np.broadcast_to(part, (*lead, *part.shape[-2:])) for part in (Q, K, V))
    return Q, K, V, None if mask is None else np.broadcast_to(allowed, (*lead, n, m))


def _places(
    Q: Array, K: Array, causal: bool, block: int
) -> Iterator[tuple[tuple[int, ...], slice, slice]]:
    """Cut every head into blocks of rows of `Q`; if causal, without the keys after the last row."""
    check.flag("causal", causal, "; a mask goes in as mask=…")
    block = check.as_count("block", block)
    n, m = Q.shape[-2], K.shape[-2]
    for head in np.ndindex(Q.shape[:-2]):
        for start in range(0, n, block):
            stop = min(start + block, n)
            yield head, slice(start, stop), slice(min(stop, m) if causal else m)


def _in_threads(work: Callable[[], None], blocks: int, scores: int) -> None:
    """Let threads share the work where that is faster; Python in a browser cannot start any."""
    alone = os.environ.get("OPENBLAS_NUM_THREADS") == "1"  # else the matrix product has its own
    many = alone and scores >= SMALL and sys.platform != "emscripten"
    threads = min(os.cpu_count() or 1, MOST_THREADS, blocks) if many else min(blocks, 1)
    if threads == 1:
        work()
    elif threads > 1:
        with ThreadPoolExecutor(threads) as pool:
            for future in [pool.submit(work) for _ in range(threads)]:
                future.result()  # raises here what was raised there


def _softmax_times(scores: Array, V: Array) -> Array:
    """Return ``softmax(scores) @ V`` and overwrite the scores."""
    scores -= scores.max(axis=-1, keepdims=True, initial=np.finfo(scores.dtype).min)
    np.exp(scores, out=scores)
    total = scores.sum(axis=-1, keepdims=True)  # (b, 1)
    scores *= 1 / np.where(total == 0, 1, total)  # before the product, which cannot overflow then
    return _times(scores, V)


@takes("Q: ... n d_k, K: ... m d_k, V: ... m d_v, d_output: ... rows columns")
def blockwise_attention_backward(
    Q: Numbers,
    K: Numbers,
    V: Numbers,
    d_output: Numbers,
    *,
    mask: ArrayLike | None = None,
    causal: bool = False,
    block: int = 256,
) -> tuple[Array, Array, Array]:
    r"""Return ``attention_backward(Q, K, V, d_output, mask=mask)`` with far less memory.

    No weights are kept on the way forward: those of one `block` of queries are computed again, used
    and forgotten. (Where blocks of keys are cut too, one number for each query, the log-sum-exp of
    its scores, has to be kept for the sums of the softmax.)

    Examples
    --------
    >>> from attention_lib import attention_backward
    >>> Q, K, V, d_output = np.random.default_rng(0).normal(size=(4, 10, 3))
    >>> d_Q, d_K, d_V = blockwise_attention_backward(Q, K, V, d_output, block=4)
    >>> np.allclose(d_K, attention_backward(Q, K, V, d_output)[1])
    True
    """
    seen = check.as_mask(mask, check.pairs(Q, K, V))
    d_output = _as_d_output(d_output, _shape_of_output(Q, K, V, seen))
    given = (Q, K, V)
    Q, K, V, seen = _in_batches(Q, K, V, seen)
    d_Q, d_K, d_V = (np.zeros(part.shape, part.dtype) for part in (Q, K, V))
    for head, rows, keys in _places(Q, K, causal, block):
        here = None if seen is None else seen[head][rows, keys]  # (b, k)
        if causal:
            earlier = np.tri(rows.stop - rows.start, keys.stop, rows.start, dtype=bool)
            here = earlier if here is None else here & earlier
        parts = Q[head][rows], K[head][keys], V[head][keys], d_output[head][rows]
        block_d_Q, block_d_K, block_d_V = _weights_backward(*parts, here)
        d_Q[head][rows] = block_d_Q  # (b, d_k)
        d_K[head][keys] += block_d_K  # (k, d_k), from these queries
        d_V[head][keys] += block_d_V  # (k, d_v)
    sums = zip((d_Q, d_K, d_V), given, strict=True)
    d_Q, d_K, d_V = (_sum_to(d, part.shape) for d, part in sums)
    return d_Q, d_K, d_V
