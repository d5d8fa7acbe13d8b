r"""Looking things up: exactly, softly, and by distance.

All three are one formula, :math:`\sum_j \alpha(q, k_j)\, v_j`, with different weights. See the
chapters "Queries, keys and values" and "The general formula".
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Kernel, Mask, Score, ignore_overflow, named_options
from attention_lib.scores import _log_gaussian, _scaled_dot_score, gaussian_kernel, scaled_dot_score
from attention_lib.weights import _hide, _shares, _softmax

Value = TypeVar("Value")


def lookup(query: Hashable, keys: Sequence[Hashable], values: Sequence[Value]) -> Value:
    """Return the value whose key equals the query: what a database does.

    Parameters
    ----------
    query : hashable
        What to look for: a string, a number, a tuple …
    keys : sequence of hashable
        No key may equal the query twice, or the answer would not be unique.
    values : sequence
        ``values[j]`` is stored under ``keys[j]``.

    Returns
    -------
    object
        The value stored under that key. A missing key raises ``KeyError``.

    Examples
    --------
    >>> lookup("Li", keys=["Zhang", "Lipton", "Li"], values=["Aston", "Zachary", "Mu"])
    'Mu'
    """
    check.lookup(query, keys, values)
    places = [j for j, key in enumerate(keys) if key == query]
    if not places:
        raise KeyError(f"no key equals {query!r}: an exact look-up finds all or nothing")
    if len(places) > 1:
        raise ValueError(f"{query!r} is the key at places {places}: which value is meant?")
    return values[places[0]]


@named_options
def attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    *,
    score: Score = scaled_dot_score,
    mask: ArrayLike | None = None,
) -> tuple[Array, Array]:
    r"""Look up each query among the keys and average the values it finds.

    Computes :math:`\mathrm{softmax}(\mathrm{score}(Q, K))\, V`; see the chapter "The general
    formula".

    Parameters
    ----------
    Q : array_like, shape (..., n, d_k)
        One query per row.
    K : array_like, shape (..., m, d_k)
        One key per row.
    V : array_like, shape (..., m, d_v)
        One value per row: ``V[j]`` is stored under ``K[j]``.
    score : callable
        Maps ``(Q, K)`` to scores of shape (..., n, m).
    mask : array_like of bool, shape (..., n, m), optional
        True where query ``i`` may look at key ``j``. Default: everywhere.

    Returns
    -------
    output : ndarray, shape (..., n, d_v)
        Each row is a weighted average of the rows of `V`.
    weights : ndarray, shape (..., n, m)
        Nonnegative; each row sums to 1, or to 0 where the query may look at nothing.

    Examples
    --------
    A query that points straight at key 0 reads value 0:

    >>> output, weights = attention([[50, 0]], K=[[1, 0], [0, 1]], V=[[10], [20]])
    >>> output.round(3)
    array([[10.]])
    """
    return _attention(*check.attention(Q, K, V, mask, score))


@ignore_overflow
def _attention(
    Q: Array, K: Array, V: Array, mask: Mask | None = None, score: Score = _scaled_dot_score
) -> tuple[Array, Array]:
    """Compute `attention` of arrays that fit each other."""
    scores = _hide(score(*check.widen(Q, K)), mask)  # (..., n, m)
    weights = _softmax(scores).astype(Q.dtype, copy=False)  # (..., n, m)
    output: Array = weights @ V  # (..., n, d_v)
    if not np.isfinite(output).all():  # 0 * NaN is NaN, but what is hidden must not count
        output = _times(weights, V, scores != -np.inf)
    return output, weights


@ignore_overflow
def _times(weights: Array, V: Array, seen: Mask) -> Array:
    """Return ``weights @ V``, in which pairs that are not seen count for nothing.

    The two differ only for NaN or infinity in `V`, which times a weight of 0 would be NaN.
    """
    bad = ~np.isfinite(V).all(axis=(*range(V.ndim - 2), -1))  # (m,)
    if not bad.any():
        return weights @ V
    terms = weights[..., bad, None] * V[..., None, bad, :]  # (..., n, few, d_v)
    terms = np.where(seen[..., bad, None], terms, 0)
    return weights[..., ~bad] @ V[..., ~bad, :] + terms.sum(axis=-2)


@named_options
def kernel_regression(
    x: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    *,
    kernel: Kernel = gaussian_kernel,
    width: ArrayLike = 1.0,
) -> tuple[Array, Array]:
    r"""Predict at `x` by averaging the values of nearby keys (Nadaraya–Watson).

    The weights are :math:`\kappa(x, k_j) / \sum_l \kappa(x, k_l)` with a kernel :math:`\kappa` that
    falls with distance. The Gaussian is never 0: far from all keys, the nearest one answers.
    Another kernel may be 0 for every key; there weights and output are 0. So they are where your
    own kernel is rounded to 0, even if it is ``lambda Q, K, width: gaussian_kernel(Q, K, width)``:
    far from all keys only `gaussian_kernel` itself is known to be more than 0.

    Parameters
    ----------
    x : array_like, shape (..., n) or (), or (..., n, d)
        Where to predict: numbers if the keys are numbers, else one point per row.
    keys : array_like, shape (m,) or (m, d)
        Where something is known.
    values : array_like, shape (m,) or (m, d_v)
        What is known there.
    kernel : callable
        Maps ``(Q, K, width)`` to similarities of shape (..., n, m).
    width : array_like
        How far "nearby" reaches. Positive; a number, or an array that broadcasts against the
        weights: shape (m,) for one width per key, (n, 1) for one per query.

    Returns
    -------
    output : ndarray, shape (..., n) or (..., n, d_v)
        The predictions, without the axis n if `x` is a single number.
    weights : ndarray, shape (..., n, m)
        How much each key counts.

    Examples
    --------
    >>> output, weights = kernel_regression(3.5, [3.4, 3.6, 2.0], [40, 60, 10], width=0.1)
    >>> float(output)
    50.0
    >>> weights.round(2)
    array([0.5, 0.5, 0. ])
    """
    Q, K, V = check.kernel_regression(x, keys, values, kernel)
    weights, seen = _kernel_weights(kernel, Q, K, width)  # (..., n, m)
    check.check_leading(weights=weights, values=V)
    output = _times(weights, V, seen)  # (..., n, d_v)
    if np.ndim(x) == 0:
        output, weights = output[..., 0, :], weights[..., 0, :]
    return output if np.ndim(values) > 1 else output[..., 0], weights


def _kernel_weights(kernel: Kernel, Q: Array, K: Array, width: ArrayLike) -> tuple[Array, Mask]:
    """Return each key's share of the kernel, and where the kernel is not 0."""
    if kernel is gaussian_kernel:  # never 0, only too small to be written down
        Q64, K64, width = check.kernel(Q.astype(np.float64), K.astype(np.float64), width)
        weights = _softmax(_log_gaussian(Q64, K64, width)).astype(Q.dtype)
        return weights, np.ones(weights.shape, bool)
    answer = kernel(Q.copy(), K.copy(), width=width)
    similarities = check.check_answer("kernel(Q, K, width)", answer, Q, K)  # (..., n, m)
    check.check_similarities(similarities)
    return _shares(similarities), similarities != 0
