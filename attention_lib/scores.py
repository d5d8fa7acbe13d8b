"""How well does a key fit a query? Scoring functions and kernels.

Each function compares every row of `Q` with every row of `K` and returns one number per pair, in an
array of shape (..., n, m): queries are rows, keys are columns. The chapter "Scoring functions"
tells when to choose which.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from attention_lib._shapes import (
    Array,
    as_floats,
    as_positive,
    check_leading,
    check_per_pair,
    check_product,
    check_rows,
    check_same_length,
    shapes_of,
)

FAR = 200.0  # widths; every kernel is 0 there, and its square overflows in no dtype
Score: TypeAlias = Callable[[Array, Array], Array]  # (Q, K) to scores (..., n, m)
Kernel: TypeAlias = Callable[..., Array]  # (Q, K, width=…) to similarities >= 0 (..., n, m)


def dot_score(Q: ArrayLike, K: ArrayLike) -> Array:
    r"""Score each pair by its dot product, :math:`a(q, k) = q^\top k`.

    Parameters
    ----------
    Q : array_like, shape (..., n, d_k)
        One query per row.
    K : array_like, shape (..., m, d_k)
        One key per row.

    Returns
    -------
    ndarray, shape (..., n, m)
        A longer key scores higher: the dot product is not a similarity.

    Examples
    --------
    >>> dot_score([[1, 0]], [[3, 4], [30, 40]])
    array([[ 3., 30.]])
    """
    Q, K = _queries_and_keys(Q, K)
    check_same_length(Q, K)
    return Q @ K.mT  # (..., n, m)


def scaled_dot_score(Q: ArrayLike, K: ArrayLike) -> Array:
    r"""Score each pair by :math:`a(q, k) = q^\top k / \sqrt{d_k}`.

    Dividing by the standard deviation that the dot product of two random vectors has keeps the
    scores near one whatever the length of the vectors.

    Parameters
    ----------
    Q : array_like, shape (..., n, d_k)
        One query per row.
    K : array_like, shape (..., m, d_k)
        One key per row.

    Returns
    -------
    ndarray, shape (..., n, m)
        The scores.

    Examples
    --------
    >>> scaled_dot_score([[1, 1, 1, 1]], [[1, 2, 3, 4]])
    array([[5.]])
    """
    Q, K = _queries_and_keys(Q, K)
    check_same_length(Q, K)
    # divided first, the product does not overflow; math.sqrt keeps float32, np.sqrt would not
    return (Q / math.sqrt(Q.shape[-1])) @ K.mT  # (..., n, m)


def additive_score(
    Q: ArrayLike,
    K: ArrayLike,
    W_q: ArrayLike,
    W_k: ArrayLike,
    w_v: ArrayLike,
    b: ArrayLike | None = None,
) -> Array:
    r"""Score each pair by a small network, :math:`a(q, k) = w_v^\top\tanh(qW_q + kW_k + b)`.

    Queries and keys may differ in length; the network has one hidden layer of `d_h` units.

    Parameters
    ----------
    Q : array_like, shape (..., n, d_q)
        One query per row.
    K : array_like, shape (..., m, d_k)
        One key per row.
    W_q : array_like, shape (..., d_q, d_h)
        Learned, applied to queries.
    W_k : array_like, shape (..., d_k, d_h)
        Learned, applied to keys.
    w_v : array_like, shape (d_h,)
        Learned, turns the hidden layer into one number.
    b : array_like, shape (d_h,), optional
        Learned bias of the hidden layer. Default: none.

    Returns
    -------
    ndarray, shape (..., n, m)
        The scores, never larger than the sum of ``abs(w_v)``.

    Examples
    --------
    >>> additive_score([[0.5]], [[0.5], [-0.5]], W_q=[[1]], W_k=[[1]], w_v=[2]).round(3)
    array([[1.523, 0.   ]])
    """
    b = 0 if b is None else b
    Q, K, W_q, W_k, w_v, b = _queries_and_keys(Q, K, W_q=W_q, W_k=W_k, w_v=w_v, b=b)
    check_rows(W_q=W_q, W_k=W_k)
    check_product(Q=Q, W_q=W_q)
    check_product(K=K, W_k=W_k)
    _check_hidden_layer(W_q, W_k, w_v, b)
    check_leading(Q=Q, K=K, W_q=W_q, W_k=W_k)
    queries, keys = Q @ W_q, K @ W_k  # (..., n, d_h), (..., m, d_h)
    hidden = np.tanh(queries[..., :, None, :] + keys[..., None, :, :] + b)  # (..., n, m, d_h)
    return hidden @ w_v  # (..., n, m)


def _check_hidden_layer(W_q: Array, W_k: Array, w_v: Array, b: Array) -> None:
    d_h = W_q.shape[-1]
    if W_k.shape[-1] != d_h or w_v.shape != (d_h,) or b.shape not in ((), (d_h,)):
        bias = {"b": b} if b.ndim > 0 else {}  # a missing one is 0
        raise ValueError(
            "W_q, W_k, w_v and b meet in one hidden layer, so W_q and W_k need d_h columns and "
            f"w_v and b need shape (d_h,), but {shapes_of(W_q=W_q, W_k=W_k, w_v=w_v, **bias)}"
        )


def multiplicative_score(Q: ArrayLike, K: ArrayLike, W: ArrayLike) -> Array:
    r"""Score each pair by a learned bilinear form, :math:`a(q, k) = q^\top W k`.

    With the identity as `W` this is the dot product; any other `W` lets the score compare
    different directions of query and key, and vectors of different lengths.

    Parameters
    ----------
    Q : array_like, shape (..., n, d_q)
        One query per row.
    K : array_like, shape (..., m, d_k)
        One key per row.
    W : array_like, shape (..., d_q, d_k)
        Learned.

    Returns
    -------
    ndarray, shape (..., n, m)
        The scores.

    Examples
    --------
    >>> multiplicative_score([[1, 2]], [[5, 7]], W=[[0, 1], [0, 0]])
    array([[7.]])
    """
    Q, K, W = _queries_and_keys(Q, K, W=W)
    check_rows(W=W)
    if W.shape[-2:] != (Q.shape[-1], K.shape[-1]):
        raise ValueError(
            "W stands between a query and a key, so its shape must be (d_q, d_k), "
            f"but {shapes_of(Q=Q, W=W, K=K)}"
        )
    check_leading(Q=Q, W=W, K=K)
    return Q @ W @ K.mT  # (..., n, m)


def gated_score(Q: ArrayLike, K: ArrayLike, w_g: ArrayLike, b_g: ArrayLike = 0.0) -> Array:
    r"""Score each pair by a gate times the dot product.

    The gate :math:`g = \sigma(w_g^\top [q; k] + b_g)` lies between 0 (shut) and 1 (open), and the
    score is :math:`a(q, k) = g \cdot q^\top k`.

    Parameters
    ----------
    Q : array_like, shape (..., n, d_q)
        One query per row.
    K : array_like, shape (..., m, d_k)
        One key per row; ``d_k = d_q`` because of the dot product.
    w_g : array_like, shape (d_q + d_k,)
        Learned; first the part for the query, then the part for the key.
    b_g : array_like, optional
        Learned bias: the larger, the wider open. A number, or an array that broadcasts against the
        scores.

    Returns
    -------
    ndarray, shape (..., n, m)
        The scores.

    Examples
    --------
    A gate that only lets keys with a positive first entry through:

    >>> gated_score([[1, 1]], [[1, 3], [-1, 3]], w_g=[0, 0, 50, 0]).round(3)
    array([[4., 0.]])
    """
    Q, K, w_g = _queries_and_keys(Q, K, w_g=w_g)
    (b_g,) = as_floats(b_g=b_g)
    d_q = Q.shape[-1]
    if w_g.shape != (d_q + K.shape[-1],):
        raise ValueError(
            "the gate reads a query and a key end to end, so w_g needs shape (d_q + d_k,), "
            f"but {shapes_of(Q=Q, K=K, w_g=w_g)}"
        )
    scores = dot_score(Q, K)  # (..., n, m)
    check_per_pair("b_g", b_g, scores.shape)
    opening = (Q @ w_g[:d_q])[..., :, None] + (K @ w_g[d_q:])[..., None, :]  # (..., n, m)
    gate = 0.5 * (1 + np.tanh((opening + b_g.astype(Q.dtype)) / 2))  # a sigmoid, no overflow
    return gate * scores  # (..., n, m)


def gaussian_kernel(Q: ArrayLike, K: ArrayLike, width: ArrayLike) -> Array:
    r"""Similarity :math:`\exp(-u^2/2)` with :math:`u = \lVert q - k\rVert / \text{width}`.

    Parameters
    ----------
    Q : array_like, shape (..., n, d)
        One query per row.
    K : array_like, shape (..., m, d)
        One key per row.
    width : array_like
        The distance at which the similarity has fallen to 0.61. Positive; a number, or an array
        that broadcasts against the result. The other kernels read their parameters the same way.

    Returns
    -------
    ndarray, shape (..., n, m)
        Similarities from 0 to 1; beyond some 38 widths (14 in float32) they are rounded to 0.

    Examples
    --------
    >>> gaussian_kernel([[3.5]], [[3.5], [3.4], [3.0]], width=0.1).round(3)
    array([[1.   , 0.607, 0.   ]])
    """
    u = _near(Q, K, width)
    return np.exp(-(u**2) / 2)


def log_gaussian_kernel(Q: ArrayLike, K: ArrayLike, width: ArrayLike) -> Array:
    r"""Return :math:`-u^2/2`, plus what makes it 0 for the nearest key of each query.

    Its softmax are the shares of `gaussian_kernel`, also where that is rounded to 0 for every key.

    Examples
    --------
    >>> log_gaussian_kernel([[0]], [[500], [501]], width=1)
    array([[   0. , -500.5]])
    """
    u = _distance(Q, K, width)  # (..., n, m)
    nearest = u.min(axis=-1, keepdims=True, initial=np.inf)  # (..., n, 1)
    with np.errstate(over="ignore", invalid="ignore"):
        return (nearest - u) * (nearest / 2 + u / 2)


def boxcar_kernel(Q: ArrayLike, K: ArrayLike, width: ArrayLike) -> Array:
    r"""Similarity 1 where :math:`u = \lVert q - k\rVert / \text{width} \le 1`, else 0.

    Parameters and result as in `gaussian_kernel`.

    Examples
    --------
    >>> boxcar_kernel([[0]], [[1], [2], [3]], width=2)
    array([[1., 1., 0.]])
    """
    u = _near(Q, K, width)
    return np.where(np.isnan(u), u, u <= 1)


def triangular_kernel(Q: ArrayLike, K: ArrayLike, width: ArrayLike) -> Array:
    r"""Similarity :math:`\max(0, 1 - u)` with :math:`u = \lVert q - k\rVert / \text{width}`.

    Parameters and result as in `gaussian_kernel`.

    Examples
    --------
    >>> triangular_kernel([[0]], [[1], [2], [3]], width=2)
    array([[0.5, 0. , 0. ]])
    """
    return np.maximum(0, 1 - _near(Q, K, width))


def epanechnikov_kernel(Q: ArrayLike, K: ArrayLike, width: ArrayLike) -> Array:
    r"""Similarity :math:`\tfrac34\max(0, 1 - u^2)`, :math:`u = \lVert q - k\rVert / \text{width}`.

    Parameters and result as in `gaussian_kernel`.

    Examples
    --------
    >>> epanechnikov_kernel([[0]], [[0], [1], [3]], width=2)
    array([[0.75  , 0.5625, 0.    ]])
    """
    return 0.75 * np.maximum(0, 1 - _near(Q, K, width) ** 2)


def _queries_and_keys(Q: ArrayLike, K: ArrayLike, **learned: ArrayLike) -> tuple[Array, ...]:
    """Return queries, keys and what is learned as arrays of one dtype."""
    Q, K, *parameters = as_floats(Q=Q, K=K, **learned)
    check_rows(Q=Q, K=K)
    check_leading(Q=Q, K=K)
    return Q, K, *parameters


def _near(Q: ArrayLike, K: ArrayLike, width: ArrayLike) -> Array:
    """Return the distances in widths, none of them larger than `FAR`."""
    return np.minimum(_distance(Q, K, width), FAR)


def _distance(Q: ArrayLike, K: ArrayLike, width: ArrayLike) -> Array:
    """Return the distance of each query to each key, counted in widths: shape (..., n, m)."""
    Q, K = _queries_and_keys(Q, K)
    check_same_length(Q, K)
    width = as_positive("width", width, Q.dtype)
    with np.errstate(over="ignore"):  # infinitely far is as good as very far
        steps = Q[..., :, None, :] - K[..., None, :, :]  # (..., n, m, d)
        distance = np.hypot.reduce(steps, axis=-1, initial=0)  # (..., n, m)
        n, m = distance.shape[-2:]
        hint = f"; one for each key has shape ({m},), one for each query ({n}, 1)"
        check_per_pair("width", width, distance.shape, hint)
        most = np.finfo(distance.dtype).max / 2
        return np.where(np.isinf(distance), distance, np.minimum(distance / width, most))


def check_function(name: str, function: object, given: str, such: str) -> None:
    """Require a function of what is given, such as that one, or say what to pass instead.

    Examples
    --------
    >>> check_function("score", multiplicative_score, "Q, K", "dot_score")
    Traceback (most recent call last):
    TypeError: score is called with Q and K, but multiplicative_score takes Q, K, W: \
give it the rest, as in score=lambda Q, K: multiplicative_score(Q, K, W)
    """
    said = " and ".join(given.rsplit(", ", 1))
    if not callable(function) or isinstance(function, type):
        such = f"{function}_{name}" if f"{function}_{name}" in globals() else such
        raise TypeError(f"{name} must be a function of {said}, such as {such}, but is {function!r}")
    try:
        signature = inspect.signature(function)
    except ValueError:  # some functions written in C do not tell
        return
    try:
        names = given.split(", ")
        signature.bind(*names[:2], **dict.fromkeys(names[2:]))  # as it will be called: width=…
    except TypeError:
        own, takes = getattr(function, "__name__", repr(function)), ", ".join(signature.parameters)
        raise TypeError(
            f"{name} is called with {said}, but {own} takes {takes}: "
            f"give it the rest, as in {name}=lambda {given}: {own}({takes})"
        ) from None
