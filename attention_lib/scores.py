"""How well does a key fit a query? Scoring functions and kernels.

Each function compares every row of `Q` with every row of `K` and returns one number per pair, in an
array of shape (..., n, m): queries are rows, keys are columns. The chapter "Scoring functions"
says when to choose which.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Numbers, takes


@takes("Q: ... n d_k, K: ... m d_k")
def dot_score(Q: Numbers, K: Numbers) -> Array:
    r"""Score each pair by its dot product, :math:`a(q, k) = q^\top k`.

    A longer key scores higher: the dot product is not a similarity.

    Examples
    --------
    >>> dot_score([[1, 0]], [[3, 4], [30, 40]])
    array([[ 3., 30.]])
    """
    return Q @ K.mT  # (..., n, m)


@takes("Q: ... n d_k, K: ... m d_k")
def scaled_dot_score(Q: Numbers, K: Numbers) -> Array:
    r"""Score each pair by :math:`a(q, k) = q^\top k / \sqrt{d_k}`.

    The dot product of two random vectors has the standard deviation :math:`\sqrt{d_k}`: divided by
    it, scores stay near 1, however long the vectors are.

    Examples
    --------
    >>> scaled_dot_score([[1, 1, 1, 1]], [[1, 2, 3, 4]])
    array([[5.]])
    """
    return _scaled_dot_score(Q, K)


def _scaled_dot_score(Q: Array, K: Array) -> Array:
    """Return ``Q @ K.mT / sqrt(d_k)``, divided first: then no product overflows on the way."""
    d_k = Q.shape[-1]
    return (Q / math.sqrt(d_k)) @ K.mT  # (..., n, m); np.sqrt would turn float32 into float64


@takes("Q: ... n d_q, K: ... m d_k, W_q: ... d_q d_h, W_k: ... d_k d_h, w_v: d_h, b?: d_h")
def additive_score(
    Q: Numbers, K: Numbers, W_q: Numbers, W_k: Numbers, w_v: Numbers, b: Numbers = None
) -> Array:
    r"""Score each pair by a small network, :math:`a(q, k) = w_v^\top\tanh(qW_q + kW_k + b)`.

    Queries and keys may differ in length; the learned `w_v` turns one hidden layer of `d_h` units
    into a number. No score is larger than the sum of ``abs(w_v)``.

    Examples
    --------
    >>> additive_score([[0.5]], [[0.5], [-0.5]], W_q=[[1]], W_k=[[1]], w_v=[2]).round(3)
    array([[1.523, 0.   ]])
    """
    queries, keys = Q @ W_q, K @ W_k  # (..., n, d_h), (..., m, d_h)
    bias = 0 if b is None else b
    hidden = np.tanh(queries[..., :, None, :] + keys[..., None, :, :] + bias)  # (..., n, m, d_h)
    return hidden @ w_v  # (..., n, m)


_BETWEEN = "W stands between a query and a key, so its shape must be (d_q, d_k)"


@takes("Q: ... n d_q, W: ... d_q d_k, K: ... m d_k", d_q=_BETWEEN, d_k=_BETWEEN)
def multiplicative_score(Q: Numbers, K: Numbers, W: Numbers) -> Array:
    r"""Score each pair by a learned bilinear form, :math:`a(q, k) = q^\top W k`.

    With the identity as `W` this is the dot product; any other `W` lets the score compare
    different directions of query and key, and vectors of different lengths.

    Examples
    --------
    >>> multiplicative_score([[1, 2]], [[5, 7]], W=[[0, 1], [0, 0]])
    array([[7.]])
    """
    return Q @ W @ K.mT  # (..., n, m)


@takes("Q: ... n d_k, K: ... m d_k, w_g: d_q+d_k")
def gated_score(Q: Numbers, K: Numbers, w_g: Numbers, b_g: ArrayLike = 0.0) -> Array:
    r"""Score each pair by a gate times the dot product.

    The gate :math:`g = \sigma(w_g^\top [q; k] + b_g)` lies between 0 (shut) and 1 (open), and the
    score is :math:`a(q, k) = g \cdot q^\top k`. The larger `b_g`, the wider open: a number, or an
    array that broadcasts against the scores.

    Examples
    --------
    A gate that only lets keys with a positive first entry through:

    >>> gated_score([[1, 1]], [[1, 3], [-1, 3]], w_g=[0, 0, 50, 0]).round(3)
    array([[4., 0.]])
    """
    reason = "the gate reads a query and a key end to end, so w_g needs shape (d_q + d_k,)"
    check.require(len(w_g) == 2 * Q.shape[-1], reason, Q=Q, K=K, w_g=w_g)
    b_g = check.as_floats(b_g=b_g)[0].astype(Q.dtype)  # read alone: it does not widen the others
    check.per_pair("b_g", b_g, check.pairs(Q, K))
    w_q, w_k = np.split(w_g, 2)  # (d_q,), (d_k,)
    opening = (Q @ w_q)[..., :, None] + (K @ w_k)[..., None, :] + b_g  # (..., n, m)
    gate = 0.5 * (1 + np.tanh(opening / 2))  # the sigmoid, without its overflow
    return gate * (Q @ K.mT)  # (..., n, m)


@takes("Q: ... n d_k, K: ... m d_k")
def gaussian_kernel(Q: Numbers, K: Numbers, width: ArrayLike) -> Array:
    r"""Similarity :math:`\exp(-u^2/2)` with :math:`u = \lVert q - k\rVert / \text{width}`.

    At a distance of one `width` it has fallen to 0.61; beyond about 38 (14 in float32) it is
    rounded to 0. Widths are positive: a number, or an array that broadcasts against the result. So
    they are in the other kernels.

    Examples
    --------
    >>> gaussian_kernel([[3.5]], [[3.5], [3.4], [3.0]], width=0.1).round(3)
    array([[1.   , 0.607, 0.   ]])
    """
    u = _distance(Q, K, width)  # (..., n, m)
    return np.exp(-(u**2) / 2)


@takes("Q: ... n d_k, K: ... m d_k")
def boxcar_kernel(Q: Numbers, K: Numbers, width: ArrayLike) -> Array:
    r"""Similarity 1 where :math:`u = \lVert q - k\rVert / \text{width} \le 1`, else 0.

    Examples
    --------
    >>> boxcar_kernel([[0]], [[1], [2], [3]], width=2)
    array([[1., 1., 0.]])
    """
    u = _distance(Q, K, width)  # (..., n, m)
    return np.where(np.isnan(u), u, u <= 1)


@takes("Q: ... n d_k, K: ... m d_k")
def triangular_kernel(Q: Numbers, K: Numbers, width: ArrayLike) -> Array:
    r"""Similarity :math:`\max(0, 1 - u)` with :math:`u = \lVert q - k\rVert / \text{width}`.

    Examples
    --------
    >>> triangular_kernel([[0]], [[1], [2], [3]], width=2)
    array([[0.5, 0. , 0. ]])
    """
    u = _distance(Q, K, width)  # (..., n, m)
    return np.maximum(0, 1 - u)


@takes("Q: ... n d_k, K: ... m d_k")
def epanechnikov_kernel(Q: Numbers, K: Numbers, width: ArrayLike) -> Array:
    r"""Similarity :math:`\tfrac34\max(0, 1 - u^2)`, :math:`u = \lVert q - k\rVert / \text{width}`.

    Examples
    --------
    >>> epanechnikov_kernel([[0]], [[0], [1], [3]], width=2)
    array([[0.75  , 0.5625, 0.    ]])
    """
    u = _distance(Q, K, width)  # (..., n, m)
    return 0.75 * np.maximum(0, 1 - u**2)


def _log_gaussian(Q: Array, K: Array, width: ArrayLike) -> Array:
    r"""Return :math:`-u^2/2`, plus what makes it 0 for the nearest key of each query.

    The softmax of this is each key's share of `gaussian_kernel`, even where that is rounded to 0
    for every key.
    """
    u = _distance(Q, K, width)  # (..., n, m)
    nearest = u.min(axis=-1, keepdims=True, initial=np.inf)  # (..., n, 1)
    return (nearest - u) * (nearest / 2 + u / 2)


def _distance(Q: Array, K: Array, width: ArrayLike) -> Array:
    """Return the distance of each query to each key, counted in widths."""
    *_, n, m = shape = check.pairs(Q, K)
    size = check.as_positive("width", width, Q.dtype)
    hint = f"; one for each key has shape ({m},), one for each query ({n}, 1)"
    check.per_pair("width", size, shape, hint)
    distance = _length(Q[..., :, None, :] - K[..., None, :, :])  # (..., n, m)
    most = np.finfo(distance.dtype).max / 2  # so that only what is infinitely far away is infinite
    return np.where(np.isinf(distance), distance, np.minimum(distance / size, most))


def _length(steps: Array) -> Array:
    """Return the length of each vector, also where its square is no number of this dtype."""
    limits = np.finfo(steps.dtype)
    squares = np.einsum("...d,...d->...", steps, steps)
    fits = (squares < limits.max) & (squares > limits.tiny / limits.eps) | ~steps.any(axis=-1)
    return np.sqrt(squares) if fits.all() else np.hypot.reduce(steps, axis=-1, initial=0)
