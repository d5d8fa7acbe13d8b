"""Exact attention without the n × m matrix: one block of keys at a time.

See the chapter "Making it fast".
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from attention_lib._shapes import (
    Array,
    as_count,
    as_floats,
    as_mask,
    check_keys_match_values,
    check_leading,
    check_rows,
    check_same_length,
)
from attention_lib.pooling import weighted_sum
from attention_lib.scores import scaled_dot_score
from attention_lib.weights import causal_mask, hide


def blockwise_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    mask: ArrayLike | None = None,
    causal: bool = False,
    block: int = 256,
) -> Array:
    r"""Return the output of ``attention(Q, K, V, mask=mask)`` with far less memory.

    Keeps, for each query, the largest score so far, the sum of the exponentials below it, and the
    sum of the values weighted by them. When a later block holds a larger score, both sums are
    scaled down to it (the online softmax). Extra memory: n × `block` numbers instead of n × m.

    Parameters
    ----------
    Q : array_like, shape (..., n, d_k)
        One query per row.
    K : array_like, shape (..., m, d_k)
        One key per row.
    V : array_like, shape (..., m, d_v)
        One value per row.
    mask : array_like of bool, shape (..., n, m), optional
        True where query ``i`` may look at key ``j``. Default: everywhere.
    causal : bool
        Also hide keys ``j > i``, as `causal_mask` does, without building that mask.
    block : int
        How many keys to take at a time.

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
    Q, K, V = as_floats(Q=Q, K=K, V=V)
    check_rows(Q=Q, K=K, V=V)
    check_same_length(Q, K)
    check_keys_match_values(K, V)
    block = as_count("block", block)
    n, m = Q.shape[-2], K.shape[-2]
    lead = check_leading(Q=Q, K=K, V=V)
    if mask is not None:
        mask = as_mask(mask, (*lead, n, m))
        lead = np.broadcast_shapes(lead, mask.shape[:-2])
        mask = np.broadcast_to(mask, (*lead, n, m))  # a view: no memory
    _, total, output = so_far = _nothing_yet((*lead, n), V)
    for start in range(0, min(n, m) if causal else m, block):
        keys = slice(start, start + block)
        rows = slice(start if causal else 0, n)  # earlier queries may not look this far
        scores = _block_scores(Q[..., rows, :], K[..., keys, :], causal)
        scores = hide(scores, None if mask is None else mask[..., rows, keys])
        _absorb([part[..., rows, :] for part in so_far], scores, V[..., keys, :])
    return (output / np.where(total == 0, 1, total)).astype(Q.dtype, copy=False)


def _nothing_yet(shape: tuple[int, ...], V: Array) -> tuple[Array, Array, Array]:
    """Return peak, total and output before the first block; float16 sums could overflow."""
    dtype = np.promote_types(V.dtype, np.float32)
    return (
        np.full((*shape, 1), -np.inf, dtype),
        np.zeros((*shape, 1), dtype),
        np.zeros((*shape, V.shape[-1]), dtype),
    )


def _block_scores(Q: Array, K: Array, causal: bool) -> Array:
    """Score one block; if causal, its first query and its first key stand at the same place."""
    with np.errstate(over="ignore", invalid="ignore"):  # in a key that the mask hides
        scores = scaled_dot_score(Q, K)
    return hide(scores, causal_mask(Q.shape[-2], K.shape[-2])) if causal else scores


def _absorb(so_far: Sequence[Array], scores: Array, V: Array) -> None:
    """Add one block to peak, total and output, in place; both sums count from the new peak."""
    peak, total, output = so_far  # (..., n, 1), (..., n, 1), (..., n, d_v)
    scores = scores.astype(peak.dtype, copy=False)  # (..., n, block)
    with np.errstate(over="ignore", invalid="ignore"):
        new_peak = np.maximum(peak, scores.max(axis=-1, keepdims=True))
        base = np.where(new_peak == -np.inf, 0, new_peak)
        exponentials = np.exp(scores - base)
        shrink = np.exp(peak - base)
        peak[...] = new_peak
        total[...] = shrink * total + exponentials.sum(axis=-1, keepdims=True)
        output[...] = shrink * output + weighted_sum(exponentials, V, scores != -np.inf)
