"""Which way is up? The backward pass of attention by hand, and a numeric check of any gradient.

See the chapter "How attention learns".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Mask, ignore_overflow, named_options
from attention_lib.pooling import _times
from attention_lib.scores import _scaled_dot_score
from attention_lib.weights import _hide, _softmax

Function: TypeAlias = Callable[[Array], ArrayLike]


def softmax_backward(weights: ArrayLike, d_weights: ArrayLike) -> Array:
    r"""Carry a gradient back through a softmax, from its weights to its scores.

    The Jacobian of softmax is :math:`\mathrm{diag}(w) - ww^\top`, so
    :math:`\mathrm{d}x_j = w_j\,(\mathrm{d}w_j - \sum_l w_l\,\mathrm{d}w_l)`. Where one weight has
    everything, that is 0: a saturated softmax does not learn. A weight of exactly 0 (a hidden key)
    passes nothing on.

    Parameters
    ----------
    weights : array_like, shape (..., m)
        The result of the softmax, summing to one along the last axis.
    d_weights : array_like, shape (..., m)
        How the loss changes with each weight.

    Returns
    -------
    ndarray, shape (..., m)
        How the loss changes with each score.

    Examples
    --------
    >>> softmax_backward([0.5, 0.5], [1, 0])
    array([ 0.25, -0.25])
    >>> softmax_backward([1, 0], [-5, 7])
    array([0., 0.])
    """
    return _softmax_backward(*check.softmax_backward(weights, d_weights))


def _softmax_backward(weights: Array, d_weights: Array) -> Array:
    """Compute `softmax_backward` of arrays that fit each other."""
    d_weights = np.where(weights == 0, 0, d_weights)
    mean = (weights * d_weights).sum(axis=-1, keepdims=True)  # (..., 1)
    return np.where(weights == 0, 0, weights * (d_weights - mean))  # (..., m)


@named_options
def attention_backward(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, d_output: ArrayLike, *, mask: ArrayLike | None = None
) -> tuple[Array, Array, Array]:
    r"""Carry a gradient back through ``attention(Q, K, V, mask=mask)`` with its scaled dot product.

    With :math:`S = QK^\top/\sqrt{d_k}` and :math:`W = \mathrm{softmax}(S)`:
    :math:`\mathrm{d}V = W^\top\mathrm{d}O`, :math:`\mathrm{d}W = \mathrm{d}O\,V^\top`, then through
    the softmax to :math:`\mathrm{d}S`, and :math:`\mathrm{d}Q = \mathrm{d}S\,K/\sqrt{d_k}`,
    :math:`\mathrm{d}K = \mathrm{d}S^\top Q/\sqrt{d_k}`.

    Parameters
    ----------
    Q, K, V : array_like, shapes (..., n, d_k), (..., m, d_k), (..., m, d_v)
        The inputs of `attention`.
    d_output : array_like, shape (..., n, d_v)
        How the loss changes with each number of the output.
    mask : array_like of bool, shape (..., n, m), optional
        The mask of `attention`.

    Returns
    -------
    d_Q, d_K, d_V : ndarray
        How the loss changes with each number of `Q`, `K` and `V`, in their shapes.

    Examples
    --------
    The values get the weights as their gradient:

    >>> d_Q, d_K, d_V = attention_backward([[0]], K=[[1], [2]], V=[[5], [7]], d_output=[[1]])
    >>> d_V
    array([[0.5],
           [0.5]])
    >>> d_Q
    array([[0.5]])
    """
    Q, K, V, d_output, mask = check.attention_backward(mask, Q=Q, K=K, V=V, d_output=d_output)
    d_Q, d_K, d_V = _attention_backward(Q, K, V, d_output, mask)
    return _sum_to(d_Q, Q.shape), _sum_to(d_K, K.shape), _sum_to(d_V, V.shape)


@ignore_overflow
def _attention_backward(
    Q: Array, K: Array, V: Array, d_output: Array, mask: Mask | None = None
) -> tuple[Array, Array, Array]:
    """Compute `attention_backward` of arrays that fit, with all leading axes in every gradient."""
    scores = _hide(_scaled_dot_score(*check.widen(Q, K)), mask)  # (..., n, m)
    seen = scores != -np.inf
    weights = np.where(seen, _softmax(scores), 0).astype(Q.dtype, copy=False)
    d_weights = d_output @ V.mT  # (..., n, m)
    weights, d_weights, seen = np.broadcast_arrays(weights, d_weights, seen)
    d_scores = _softmax_backward(weights, d_weights) / math.sqrt(K.shape[-1])
    d_Q = _times(d_scores, K, seen)  # (..., n, d_k)
    d_K = _times(d_scores.mT, Q, seen.mT)  # (..., m, d_k)
    d_V = _times(weights.mT, d_output, seen.mT)  # (..., m, d_v)
    return d_Q, d_K, d_V


def _sum_to(gradient: Array, shape: tuple[int, ...]) -> Array:
    """Sum over the axes along which an input of `shape` was broadcast: it was used that often."""
    gradient = gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))
    repeated = tuple(axis for axis, size in enumerate(shape) if size == 1)
    return gradient.sum(axis=repeated, keepdims=True)


def numeric_gradient(function: Function, x: ArrayLike, step: float | None = None) -> Array:
    r"""Measure a gradient: nudge each number of `x` both ways and see what changes.

    Parameters
    ----------
    function : callable
        Maps an array shaped like `x` to a number, or to an array.
    x : array_like
        Where to measure; read as float64 and left unchanged.
    step : float, optional
        How far to nudge. Too large blurs the slope, too small drowns it in rounding. Default: 1e-6,
        or 1e-6 of a number that is larger than 1.

    Returns
    -------
    ndarray, shape of the function's result followed by the shape of `x`
        Entry ``[..., i]`` is :math:`\partial f / \partial x_i`.

    Examples
    --------
    >>> numeric_gradient(lambda x: (x**2).sum(), [1, 2, 3]).round(6)
    array([2., 4., 6.])
    """
    check.check_function("function", function, "x", ["np.sum"])
    (x,) = check.as_floats(x=x)
    x = x.astype(np.float64)
    length = 1e-6 if step is None else check.as_size("step", step)
    shape = check.value_of_function(function(x.copy())).shape
    slopes = np.empty((*shape, *x.shape))
    for index in np.ndindex(x.shape):
        scale = max(1.0, abs(float(x[index]))) if step is None else 1.0
        slopes[(..., *index)] = _slope(function, x, index, length * scale, shape)
    return slopes


def _slope(
    function: Function, x: Array, index: tuple[int, ...], step: float, shape: tuple[int, ...]
) -> Array:
    """Measure how the result, of this shape, changes with one number of `x`."""
    above, below = x.copy(), x.copy()
    above[index] += step
    below[index] -= step
    distance = above[index] - below[index]  # not quite 2 * step, because of rounding
    if distance == 0:
        raise ValueError(f"step {step:g} does not change x = {x[index]:g}: take a larger one")
    higher, lower = (check.value_of_function(function(place)) for place in (above, below))
    check.check_slope(higher, lower, shape, step)
    return np.subtract(higher, lower, dtype=np.float64) / distance
