"""From scores to weights: softmax, temperature, and the masks that say who may look where.

A mask is boolean and True means *may look*. It acts on scores, before the softmax, so that the
weights of what remains still sum to one. See the chapters "The general formula" (softmax,
temperature), "Scoring functions" (sparse masks) and "Self-attention" (padding and causal masks).
"""

from __future__ import annotations

import numpy as np
from numpy.lib.array_utils import normalize_axis_index
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Mask, Numbers, takes


@takes("x: ...")
def softmax(
    x: Numbers,
    axis: int = -1,
    temperature: ArrayLike = 1.0,
    mask: ArrayLike | None = None,
    sink: ArrayLike | None = None,
) -> Array:
    r"""Turn scores into weights: :math:`w_j = e^{x_j/T} / \sum_l e^{x_l/T}`.

    The outputs are nonnegative and sum to one along `axis`. Where nothing may be looked at (the
    mask hides everything, all scores are −inf, or there are no keys) the weights are all zero. A
    NaN or +inf that may be looked at makes the weights of its own row NaN.

    A `sink` :math:`s` adds :math:`e^{s/T}` to the denominator: one score more, whose weight goes
    nowhere, so that the others may sum to less than one.

    Scores of any finite size will do: the largest is subtracted first, so nothing overflows.

    Parameters
    ----------
    temperature, sink : array_like
        Near a temperature of 0 the largest score takes everything; high ones even the weights out.
        Numbers, or arrays of length 1 along `axis`, such as (h, 1, 1) for one per head. Default of
        the sink: none, as with −inf.
    mask : array_like of bool, optional
        True for the scores that count; the others get weight 0, whatever they are.

    Examples
    --------
    >>> softmax([1, 2, 3]).round(3)
    array([0.09 , 0.245, 0.665])
    >>> softmax([1, 2, 3], temperature=0.1).round(3)
    array([0., 0., 1.])
    >>> softmax([1, 2, 3], mask=[True, True, False]).round(3)
    array([0.269, 0.731, 0.   ])
    >>> softmax([1, 1], sink=1).round(3)  # a third goes nowhere
    array([0.333, 0.333])
    """
    axis = normalize_axis_index(axis, x.ndim) - x.ndim  # a mask may bring batch axes in front
    seen = check.as_mask(mask, x.shape)
    T = check.as_positive("temperature", temperature, x.dtype)
    _check_shared("temperature", T, x, axis)
    if sink is not None:
        limit = np.finfo(x.dtype).max
        sink = check.as_floats(sink=sink)[0].clip(-limit, limit).astype(x.dtype) / 2
        _check_shared("sink", sink, x, axis)
    # Halves, which are exact: the difference of two scores may be too large a number, theirs never.
    return _softmax(x / 2, seen, axis, T / 2, sink)


def _softmax(
    x: Array,
    mask: Mask | None = None,
    axis: int = -1,
    T: Array | float = 1.0,
    sink: Array | None = None,
) -> Array:
    """Return ``exp(x / T)`` divided by its sum, with 0 / 0 = 0."""
    if mask is not None:
        x = np.where(mask, x, -np.inf)  # what is hidden gets weight 0, even NaN
    peak = x.max(axis=axis, keepdims=True, initial=np.finfo(x.dtype).min)  # finite even for -inf
    if sink is not None:
        peak = np.maximum(peak, sink)
    exponentials = np.exp((x - peak) / T)  # at most 1: nothing overflows
    lost = 0.0 if sink is None else np.exp((sink - peak) / T)
    return _shares(exponentials, axis, lost)


def _shares(parts: Array, axis: int = -1, lost: Array | float = 0.0) -> Array:
    """Divide by the sum along `axis` and what is lost; where that is 0, so are the shares."""
    wide = np.promote_types(parts.dtype, np.float32)  # sums of float16 could overflow
    total = parts.sum(axis=axis, keepdims=True, dtype=wide) + lost
    return np.asarray(parts / np.where(total == 0, 1, total), parts.dtype)


def _check_shared(name: str, array: Array, x: Array, axis: int) -> None:
    """Require one number for all the scores whose weights sum to one."""
    shared = array.ndim < -axis or array.shape[axis] == 1
    if not shared or check.joint_shape(array.shape, x.shape) is None:
        raise ValueError(
            f"all weights that sum to one share one {name}, "
            f"but {name} has shape {array.shape} and the scores have shape {x.shape}"
        )


def causal_mask(n: int, m: int | None = None, align: str = "start") -> Mask:
    """Let query ``i`` look at keys ``j <= i`` only: at the past and itself, never the future.

    There are `n` queries and `m` keys, by default as many. With `align` as "start" query 0 stands
    at key 0; so it is where other functions take ``causal=True``. With "end" the last query stands
    at the last key, as when the queries are new words and the keys are all words so far: query
    ``i`` then sees ``j <= i + m - n``.

    Examples
    --------
    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    >>> causal_mask(2, 4, align="end").astype(int)
    array([[1, 1, 1, 0],
           [1, 1, 1, 1]])
    """
    n = check.as_count("n", n, least=0)
    m = n if m is None else check.as_count("m", m, least=0)
    check.choice("align", align, ["start", "end"])
    return np.tri(n, m, m - n if align == "end" else 0, dtype=bool)


def _visible(mask: ArrayLike | None, causal: bool, shape: tuple[int, ...]) -> Mask | None:
    """Read a mask for scores of this shape; if causal, keys ``j > i`` are hidden as well."""
    check.flag("causal", causal, "; a mask goes in as mask=…")
    seen = check.as_mask(mask, shape)
    if not causal:
        return seen
    earlier = causal_mask(shape[-2], shape[-1])
    return earlier if seen is None else seen & earlier


def padding_mask(lengths: ArrayLike, m: int) -> Mask:
    """Hide the padding after the end of each sequence.

    Of the `m` keys in each sequence as many are real as `lengths`, (...), says: shape (..., 1, m),
    the same for every query.

    Examples
    --------
    >>> padding_mask([2, 3], m=3)[:, 0].astype(int)
    array([[1, 1, 0],
           [1, 1, 1]])
    """
    m, lengths = check.as_count("m", m, least=0), check.as_integers("lengths", lengths)
    if np.any((lengths < 0) | (lengths > m)):
        raise ValueError(f"lengths must lie between 0 and m = {m}, but are {lengths.tolist()}")
    return np.arange(m) < lengths[..., None, None]  # (..., 1, m)


def local_mask(n: int, m: int | None = None, window: int | None = None) -> Mask:
    """Let each query look at keys fewer than `window` positions away: ``abs(i - j) < window``.

    `n` and `m` as in `causal_mask`. With a window of 1 each query sees only the key at its place.

    Examples
    --------
    >>> local_mask(4, window=2).astype(int)
    array([[1, 1, 0, 0],
           [1, 1, 1, 0],
           [0, 1, 1, 1],
           [0, 0, 1, 1]])
    """
    distance = np.abs(_offsets(n, m))  # (n, m)
    return distance < _as_given("window", window)


def strided_mask(n: int, m: int | None = None, stride: int | None = None) -> Mask:
    """Let each query look at keys a multiple of `stride` positions away, itself included.

    `n` and `m` as in `causal_mask`. With a stride of 1 each query sees every key.

    Examples
    --------
    >>> strided_mask(4, stride=2).astype(int)
    array([[1, 0, 1, 0],
           [0, 1, 0, 1],
           [1, 0, 1, 0],
           [0, 1, 0, 1]])
    """
    return _offsets(n, m) % _as_given("stride", stride) == 0  # (n, m)


def _offsets(n: int, m: int | None) -> np.ndarray:
    """Return ``i - j`` for the position ``i`` of every query and ``j`` of every key."""
    n = check.as_count("n", n, least=0)
    m = n if m is None else check.as_count("m", m, least=0)
    return np.subtract.outer(np.arange(n), np.arange(m))


def _as_given(name: str, value: int | None) -> int:
    """Read a count that has no default, although it follows `m`, which has one."""
    if value is None:
        raise TypeError(f"{name} is missing: pass it by name, as {name}=2")
    return check.as_count(name, value)


@takes("scores: ... m")
def top_k_mask(scores: Numbers, k: int) -> Mask:
    """Let each query look at the `k` keys that score highest.

    From 1 to m in each row, never more: of equal scores the first ones are kept.

    Examples
    --------
    >>> top_k_mask([[0.1, 0.9, 0.5, 0.9]], k=2).astype(int)
    array([[0, 1, 0, 1]])
    """
    k = check.as_count("k", k)
    if k > scores.shape[-1]:
        raise ValueError(
            f"each query can keep at most as many keys as there are, but k is {k} "
            f"and the scores have shape {scores.shape}"
        )
    best = np.argsort(-scores, axis=-1, kind="stable")[..., :k]  # (..., n, k)
    mask = np.zeros(scores.shape, dtype=bool)
    np.put_along_axis(mask, best, True, axis=-1)
    return mask
