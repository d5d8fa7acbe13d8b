"""Which way is up? The backward pass of attention by hand, and a numeric check of any gradient.

See the chapter "How attention learns".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Mask, shapes
from attention_lib.pooling import _times, _with_room_for_scores
from attention_lib.scores import _scaled_dot_score
from attention_lib.weights import _softmax

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
    weights, d_weights = check.as_floats(weights=weights, d_weights=d_weights)
    reason = "each weight needs one gradient, so both need the same shape"
    check.require(weights.shape == d_weights.shape, reason, weights=weights, d_weights=d_weights)
    _check_weights(weights)
    return _softmax_backward(weights, d_weights)


def _check_weights(weights: Array) -> None:
    """Require what a softmax returns: scores would give a gradient of nothing."""
    reason = "weights are the result of a softmax, so none is negative and they sum to 1 at most"
    if (weights < 0).any():
        raise ValueError(f"{reason}, but one is {np.nanmin(weights):.3g}")
    sums = np.nan_to_num(weights).sum(axis=-1, dtype=np.float64)
    if (sums > 1.01).any():  # rounded sums of small dtypes included
        raise ValueError(f"{reason}, but some sum to {sums.max():.3g}")


def _softmax_backward(weights: Array, d_weights: Array) -> Array:
    """Compute `softmax_backward` of arrays that fit each other."""
    d_weights = np.where(weights == 0, 0, d_weights)
    mean = (weights * d_weights).sum(axis=-1, keepdims=True)  # (..., 1)
    return np.where(weights == 0, 0, weights * (d_weights - mean))  # (..., m)


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
    Q, K, V, d_output, mask = _as_arguments(Q, K, V, d_output, mask)
    d_Q, d_K, d_V = _attention_backward(Q, K, V, d_output, mask)
    return _sum_to(d_Q, Q.shape), _sum_to(d_K, K.shape), _sum_to(d_V, V.shape)


def _as_arguments(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, d_output: ArrayLike, mask: ArrayLike | None
) -> tuple[Array, Array, Array, Array, Mask | None]:
    """Read the arguments of `attention_backward`; return `d_output` in the shape of the output."""
    declared = "Q: ... n d_k, K: ... m d_k, V: ... m d_v, d_output: ... rows length"
    Q, K, V, d_output = shapes(declared, Q, K, V, d_output)
    allowed = check.as_mask(mask, check.pairs(Q, K, V))
    batches = [Q, K, V] if allowed is None else [Q, K, V, allowed]
    lead = np.broadcast_shapes(*(array.shape[:-2] for array in batches))
    return Q, K, V, _as_d_output(d_output, (*lead, Q.shape[-2], V.shape[-1])), allowed


def _as_d_output(d_output: Array, shape: tuple[int, ...]) -> Array:
    """Return one gradient for each number of an output of this shape; batches may share them."""
    if check.joint_shape(d_output.shape, shape) != shape or d_output.shape[-2:] != shape[-2:]:
        raise ValueError(
            f"d_output needs the shape of the output, {shape}, but has shape {d_output.shape}"
        )
    return np.broadcast_to(d_output, shape)


@_with_room_for_scores
def _attention_backward(
    Q: Array, K: Array, V: Array, d_output: Array, mask: Mask | None = None
) -> tuple[Array, Array, Array]:
    """Compute `attention_backward` of arrays that fit, with all leading axes in every gradient."""
    weights = _softmax(_scaled_dot_score(Q, K), mask)  # (..., n, m)
    if mask is not None:
        weights = np.where(mask, weights, 0)  # also in rows of NaN
    d_weights = d_output @ V.mT  # (..., n, m)
    d_scores = _softmax_backward(weights, d_weights) / math.sqrt(K.shape[-1])
    d_Q = _times(d_scores, K)  # (..., n, d_k)
    d_K = _times(d_scores.mT, Q)  # (..., m, d_k)
    d_V = _times(weights.mT, d_output)  # (..., m, d_v)
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
    check.function("function", function, "x", ["np.sum"])
    (x,) = check.as_floats(x=x)
    x = x.astype(np.float64)
    length = 1e-6 if step is None else check.as_size("step", step)
    shape = _as_value(function(x.copy())).shape
    slopes = np.empty((*shape, *x.shape))
    for index in np.ndindex(x.shape):
        scale = max(1.0, abs(float(x[index]))) if step is None else 1.0
        slopes[(..., *index)] = _slope(function, x, index, length * scale)
    return slopes


def _slope(function: Function, x: Array, index: tuple[int, ...], step: float) -> Array:
    """Measure how the result changes with one number of `x`."""
    above, below = x.copy(), x.copy()
    above[index] += step
    below[index] -= step
    distance = above[index] - below[index]  # not quite 2 * step, because of rounding
    if distance == 0:
        raise ValueError(f"step {step:g} does not change x = {x[index]:g}: take a larger one")
    higher, lower = (_as_value(function(place)) for place in (above, below))
    _check_step(higher, step)
    return np.subtract(higher, lower, dtype=np.float64) / distance


def _as_value(result: Any) -> Array:
    """Read what a function returned whose slopes are measured: a number, or one array of them."""
    arrays = isinstance(result, list) and any(isinstance(part, np.ndarray) for part in result)
    if arrays or isinstance(result, tuple):  # these may go together, but are not one
        raise TypeError(
            "function must return a number or one array of numbers, "
            f"but returned a {type(result).__name__}"
        )
    (value,) = check.as_floats(**{"function(x)": result})
    return value.copy()  # the function may write its next result into the same array


def _check_step(value: Array, step: float) -> None:
    """Require results in a dtype that shows what a step of this length changes."""
    eps = float(np.finfo(value.dtype).eps)
    if value.dtype.itemsize < 8 and step < eps**0.5:
        raise ValueError(
            f"function rounds its result to {value.dtype}, which drowns a step of {step:g}: "
            f"compute in float64, or take step={eps ** (1 / 3):.1g}"
        )
