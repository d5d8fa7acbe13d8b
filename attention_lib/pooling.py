r"""Looking things up: exactly, softly, and by distance.

All three are one formula, :math:`\sum_j \alpha(q, k_j)\, v_j`, with different weights. See the
chapters "Queries, keys and values" and "The general formula".
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from attention_lib._shapes import (
    Array,
    Mask,
    as_floats,
    check_keys_match_values,
    check_leading,
    check_rows,
    shapes_of,
)
from attention_lib.scores import (
    Kernel,
    Score,
    check_function,
    gaussian_kernel,
    log_gaussian_kernel,
    scaled_dot_score,
)
from attention_lib.weights import hide, shares, softmax

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
        The one value found. A missing key raises ``KeyError``.

    Examples
    --------
    >>> lookup("Li", keys=["Zhang", "Lipton", "Li"], values=["Aston", "Zachary", "Mu"])
    'Mu'
    """
    if len(keys) != len(values):
        raise ValueError(
            f"each key needs one value, but there are {len(keys)} keys and {len(values)} values"
        )
    _check_hashable("the query", query)
    for key in keys:
        _check_hashable("each key", key)
    places = [j for j, key in enumerate(keys) if key == query]
    if not places:
        raise KeyError(f"no key equals {query!r}: an exact look-up finds all or nothing")
    if len(places) > 1:
        raise ValueError(f"{query!r} is the key at places {places}: which value is meant?")
    return values[places[0]]


def _check_hashable(name: str, value: Hashable) -> None:
    try:
        hash(value)
    except TypeError:
        raise TypeError(
            f"an exact look-up compares whole keys, so {name} must be hashable "
            f"(a string, a number, a tuple), but it is a {type(value).__name__}"
        ) from None


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
    Q, K, V = as_floats(Q=Q, K=K, V=V)
    check_rows(Q=Q, K=K, V=V)
    check_keys_match_values(K, V)
    check_leading(Q=Q, K=K, V=V)
    check_function("score", score, "Q, K", "scaled_dot_score")
    with np.errstate(over="ignore", invalid="ignore"):  # in a key that the mask hides
        scores = _checked_scores("score(Q, K)", score(Q, K), Q, K)  # (..., n, m)
    scores = hide_from(V, scores, mask)
    weights = softmax(scores)  # (..., n, m)
    return weighted_sum(weights, V, scores != -np.inf), weights  # (..., n, d_v)


def _checked_scores(call: str, scores: ArrayLike, Q: Array, K: Array) -> Array:
    """Return what a scoring function gave in the dtype of `Q`, if it is one number per pair."""
    if isinstance(scores, tuple):  # of arrays that would become a batch
        raise TypeError(f"{call} must give one array, but gave a tuple")
    (scores,) = as_floats(scores=scores)
    n, m = Q.shape[-2], K.shape[-2]
    try:
        shape = np.broadcast_shapes(scores.shape, (*check_leading(Q=Q, K=K), 1, 1))
    except ValueError:
        shape = ()
    if scores.shape[-2:] != (n, m) or not shape:
        raise ValueError(
            f"{call} must give one number per query and key, shape (..., {n}, {m}), "
            f"but gave shape {scores.shape} for Q of shape {Q.shape} and K of shape {K.shape}"
        )
    return np.broadcast_to(scores, shape).astype(Q.dtype, copy=False)


def hide_from(V: Array, scores: Array, mask: ArrayLike | None) -> Array:
    """Return ``hide(scores, mask)``, or say which leading axes do not go with those of `V`.

    Examples
    --------
    >>> hide_from(np.ones((2, 1)), np.array([[1.0, 2.0]]), [[True, False]])
    array([[  1., -inf]])
    """
    hidden = hide(scores, mask)
    check_leading(scores=scores, **({} if mask is None else {"mask": np.asarray(mask)}), V=V)
    return hidden


def weighted_sum(weights: Array, V: Array, allowed: Mask) -> Array:
    """Return ``weights @ V`` in which pairs that are not allowed count for nothing.

    The two differ only for a NaN or infinity in `V`, which times a weight of 0 would be NaN.

    Parameters
    ----------
    weights : ndarray, shape (..., n, m)
        Zero where not allowed.
    V : ndarray, shape (..., m, d_v)
        One value per row.
    allowed : ndarray of bool, shape (..., n, m)
        True where query ``i`` may look at key ``j``.

    Returns
    -------
    ndarray, shape (..., n, d_v)
        The sums.

    Examples
    --------
    >>> weighted_sum(np.array([[1.0, 0.0]]), np.array([[5.0], [np.nan]]), np.array([[True, False]]))
    array([[5.]])
    """
    finite = np.isfinite(V).all(axis=(*range(V.ndim - 2), -1))  # (m,)
    if finite.all():
        return weights @ V
    rest = ~finite
    with np.errstate(over="ignore", invalid="ignore"):
        terms = weights[..., rest, None] * V[..., None, rest, :]  # (..., n, few, d_v)
        terms = np.where(allowed[..., rest, None], terms, 0)
        return weights[..., finite] @ V[..., finite, :] + terms.sum(axis=-2)


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
    Another kernel may be 0 for every key; there weights and output are 0.

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
    x, keys, values = as_floats(x=x, keys=keys, values=values)
    Q, K = (x, keys) if keys.ndim > 1 else (np.atleast_1d(x)[..., None], keys[..., None])
    V = values if values.ndim > 1 else values[..., None]
    _check_known_points(keys, values, K, V)
    check_rows(x=Q)
    weights, allowed = _kernel_weights(kernel, Q, K, width)  # (..., n, m)
    check_leading(weights=weights, values=V)
    output = weighted_sum(weights, V, allowed)  # (..., n, d_v)
    if x.ndim == 0:
        output, weights = output[..., 0, :], weights[..., 0, :]
    return output if values.ndim > 1 else output[..., 0], weights


def _kernel_weights(kernel: Kernel, Q: Array, K: Array, width: ArrayLike) -> tuple[Array, Mask]:
    """Return the shares of a kernel, and where it is not 0."""
    check_function("kernel", kernel, "Q, K, width", "gaussian_kernel")
    if kernel is gaussian_kernel:  # not 0 anywhere, only too small to be written down
        scores = log_gaussian_kernel(Q.astype(np.float64), K.astype(np.float64), width)
        return softmax(scores).astype(Q.dtype), np.ones(scores.shape, bool)
    given = kernel(Q, K, width=width)
    similarities = _checked_scores("kernel(Q, K, width)", given, Q, K)  # (..., n, m)
    return shares(similarities), similarities != 0


def _check_known_points(keys: Array, values: Array, K: Array, V: Array) -> None:
    if K.ndim < 2 or V.ndim < 2 or K.shape[-2] != V.shape[-2]:
        raise ValueError(
            "each key needs one value, so keys and values need the same number of rows, "
            f"but {shapes_of(keys=keys, values=values)}"
        )
    check_leading(keys=K, values=V)
