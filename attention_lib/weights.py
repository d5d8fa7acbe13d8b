"""From scores to weights: softmax, temperature, and the masks that say who may look where.

A mask is boolean and True means *may look*. It acts on scores, before the softmax, so that the
weights of what remains still sum to one. See the chapters "The general formula" (softmax,
temperature), "Scoring functions" (sparse masks) and "Self-attention" (padding and causal masks).
"""

from __future__ import annotations

import numpy as np
from numpy.lib.array_utils import normalize_axis_index
from numpy.typing import ArrayLike

from attention_lib._shapes import (
    Array,
    Mask,
    as_count,
    as_floats,
    as_integers,
    as_mask,
    as_positive,
    shapes_of,
)


def softmax(
    x: ArrayLike, axis: int = -1, temperature: ArrayLike = 1.0, mask: ArrayLike | None = None
) -> Array:
    r"""Turn scores into weights: :math:`w_j = e^{x_j/T} / \sum_l e^{x_l/T}`.

    The outputs are nonnegative and sum to one along `axis`. Where nothing may be looked at (the
    mask hides everything, all scores are −inf, or there are no keys) the weights are all zero. A
    NaN or +inf that may be looked at makes the weights of its own row NaN.

    Parameters
    ----------
    x : array_like
        Scores of any finite size: the largest is subtracted first, so nothing overflows.
    axis : int
        The axis along which the weights sum to one.
    temperature : array_like
        Positive. Near 0 the largest score takes everything; large values even the weights out. A
        number, or an array that broadcasts against `x` with length 1 along `axis`.
    mask : array_like of bool, optional
        True where a weight is wanted; what is hidden gets weight 0, whatever its score.

    Returns
    -------
    ndarray
        The weights, shaped like `x` (broadcast with `mask` and `temperature`).

    Examples
    --------
    >>> softmax([1, 2, 3]).round(3)
    array([0.09 , 0.245, 0.665])
    >>> softmax([1, 2, 3], temperature=0.1).round(3)
    array([0., 0., 1.])
    >>> softmax([1, 2, 3], mask=[True, True, False]).round(3)
    array([0.269, 0.731, 0.   ])
    """
    (x,) = as_floats(x=x)
    axis = _from_the_end(axis, x)
    temperature = _as_temperature(temperature, x, axis)
    x = hide(x, mask)
    with np.errstate(over="ignore", invalid="ignore"):  # -inf and NaN are meant: see above
        peak = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
        shifted = x - np.where(peak == -np.inf, 0, peak)
        exponentials = np.exp(shifted / temperature)
    return shares(exponentials, axis)


def _from_the_end(axis: int, x: Array) -> int:
    """Count the axis from the end: a mask or a temperature may bring batch axes in front."""
    try:
        return normalize_axis_index(axis, x.ndim) - x.ndim
    except (TypeError, ValueError):
        raise ValueError(
            "weights sum to one along one axis of the scores, "
            f"but axis is {axis!r} and {shapes_of(x=x)}"
        ) from None


def _as_temperature(temperature: ArrayLike, x: Array, axis: int) -> Array:
    numbers = as_positive("temperature", temperature, x.dtype)
    try:
        fits = numbers.ndim < -axis or numbers.shape[axis] == 1
        np.broadcast_shapes(numbers.shape, x.shape)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            "all weights that sum to one share one temperature, "
            f"but temperature has shape {numbers.shape} and the scores have shape {x.shape}"
        )
    return numbers


def shares(parts: Array, axis: int = -1) -> Array:
    """Divide by the sum along `axis`; where that is 0, so are the shares.

    Examples
    --------
    >>> shares(np.array([[1.0, 3.0], [0.0, 0.0]]))
    array([[0.25, 0.75],
           [0.  , 0.  ]])
    """
    wide = np.promote_types(parts.dtype, np.float32)  # sums of float16 could overflow
    total = parts.sum(axis=axis, keepdims=True, dtype=wide)
    return np.asarray(parts / np.where(total == 0, 1, total), parts.dtype)


def hide(scores: Array, mask: ArrayLike | None) -> Array:
    """Return the scores with −inf wherever `mask` is False.

    Examples
    --------
    >>> hide(np.array([[1.0, 2.0]]), [[True, False]])
    array([[  1., -inf]])
    """
    if mask is None:
        return scores
    return np.where(as_mask(mask, scores.shape), scores, -np.inf)


def causal_mask(n: int, m: int | None = None) -> Mask:
    """Let query ``i`` look at keys ``j <= i`` only: at the past and itself, never the future.

    Parameters
    ----------
    n : int
        Number of queries.
    m : int, optional
        Number of keys, counted from the same start. Default: `n`.

    Returns
    -------
    ndarray of bool, shape (n, m)
        True where query ``i`` may look at key ``j``.

    Examples
    --------
    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    n = as_count("n", n, least=0)
    return np.tri(n, n if m is None else as_count("m", m, least=0), dtype=bool)


def padding_mask(lengths: ArrayLike, m: int) -> Mask:
    """Hide the padding after the end of each sequence.

    Parameters
    ----------
    lengths : array_like of int, shape (...)
        How many of the `m` keys are real in each sequence.
    m : int
        Number of keys, padding included.

    Returns
    -------
    ndarray of bool, shape (..., 1, m)
        True for the real keys, the same for every query.

    Examples
    --------
    >>> padding_mask([2, 3], m=3)[:, 0].astype(int)
    array([[1, 1, 0],
           [1, 1, 1]])
    """
    m = as_count("m", m, least=0)
    lengths = as_integers("lengths", lengths)
    if np.any((lengths < 0) | (lengths > m)):
        raise ValueError(f"lengths must lie between 0 and m = {m}, but are {lengths.tolist()}")
    return np.arange(m) < lengths[..., None, None]  # (..., 1, m)


def local_mask(n: int, m: int | None = None, window: int | None = None) -> Mask:
    """Let each query look at keys fewer than `window` places away: ``abs(i - j) < window``.

    Parameters
    ----------
    n, m : int
        Numbers of queries and keys. Default of `m`: as many keys as queries.
    window : int
        At least 1; with 1 each query sees only the key at its own place.

    Returns
    -------
    ndarray of bool, shape (n, m)
        True where query ``i`` may look at key ``j``.

    Examples
    --------
    >>> local_mask(4, window=2).astype(int)
    array([[1, 1, 0, 0],
           [1, 1, 1, 0],
           [0, 1, 1, 1],
           [0, 0, 1, 1]])
    """
    return np.abs(_offsets(n, m)) < _as_given("window", window)


def strided_mask(n: int, m: int | None = None, stride: int | None = None) -> Mask:
    """Let each query look at every `stride`-th key, counted from its own place in both directions.

    Parameters
    ----------
    n, m : int
        Numbers of queries and keys. Default of `m`: as many keys as queries.
    stride : int
        At least 1; with 1 everything may be looked at.

    Returns
    -------
    ndarray of bool, shape (n, m)
        True where ``i - j`` is a multiple of `stride`.

    Examples
    --------
    >>> strided_mask(4, stride=2).astype(int)
    array([[1, 0, 1, 0],
           [0, 1, 0, 1],
           [1, 0, 1, 0],
           [0, 1, 0, 1]])
    """
    return _offsets(n, m) % _as_given("stride", stride) == 0


def _offsets(n: int, m: int | None) -> np.ndarray:
    """Return ``i - j`` for every query place ``i`` and key place ``j``."""
    n = as_count("n", n, least=0)
    m = n if m is None else as_count("m", m, least=0)
    return np.subtract.outer(np.arange(n), np.arange(m))


def _as_given(name: str, value: int | None) -> int:
    """Read a count that has no default, though it stands after an `m` that has one."""
    if value is None:
        raise TypeError(f"{name} is missing: pass it by name, as {name}=2")
    return as_count(name, value)


def top_k_mask(scores: ArrayLike, k: int) -> Mask:
    """Let each query look at the `k` keys that score highest.

    Parameters
    ----------
    scores : array_like, shape (..., n, m)
        The scores to choose by.
    k : int
        How many keys each query keeps, from 1 to m. Of equal scores the first ones are kept.

    Returns
    -------
    ndarray of bool, shape (..., n, m)
        Exactly `k` True in each row.

    Examples
    --------
    >>> top_k_mask([[0.1, 0.9, 0.5, 0.9]], k=2).astype(int)
    array([[0, 1, 0, 1]])
    """
    (scores,) = as_floats(scores=scores)
    k = as_count("k", k)
    if scores.ndim == 0 or k > scores.shape[-1]:
        raise ValueError(
            f"each query can keep at most as many keys as there are, but k is {k} "
            f"and the scores have shape {scores.shape}"
        )
    best = np.argsort(-scores, axis=-1, kind="stable")[..., :k]
    mask = np.zeros(scores.shape, dtype=bool)
    np.put_along_axis(mask, best, True, axis=-1)
    return mask
