"""Several look-ups side by side, and the feed-forward network that comes after them.

See the chapter "Multi-head attention".
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Mask, ignore_overflow, shapes
from attention_lib.pooling import _attention


@ignore_overflow
def multi_head_attention(
    X: ArrayLike,
    W_q: ArrayLike,
    W_k: ArrayLike,
    W_v: ArrayLike,
    W_o: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    context: ArrayLike | None = None,
) -> tuple[Array, Array]:
    r"""Attend with `h` heads at once and mix their outputs.

    Head ``r`` projects the *whole* embedding with its own :math:`W_q^{(r)}, W_k^{(r)}, W_v^{(r)}`;
    the outputs are laid end to end and multiplied by :math:`W_o`. Keys and values may have fewer
    heads, g, that divide h: each is then shared by h / g heads of queries in a row, so that head
    ``r`` uses ``W_k[r * g // h]`` (grouped heads; with g = 1, all share one).

    Parameters
    ----------
    X : array_like, shape (..., n, d)
        Where the queries come from, one word per row.
    W_q, W_k, W_v : array_like, shapes (h, d, d_k), (g, d, d_k) and (g, d, d_v)
        One projection to queries, to keys and to values for each head; mostly g = h.
    W_o : array_like, shape (h * d_v, d_out)
        Mixes the heads.
    mask : array_like of bool, shape (..., n, m) or (..., h, n, m), optional
        True where word ``i`` may look at word ``j``. With as many axes as `X`, or fewer, it is the
        same for all heads; with more, like the weights, each head has its own. For one text,
        (1, n, d), a mask (h, n, m) could be either and is refused. Default: everywhere.
    context : array_like, shape (..., m, d), optional
        Where keys and values come from (cross-attention). Default: `X` (self-attention).

    Returns
    -------
    output : ndarray, shape (..., n, d_out)
        The mixed heads.
    weights : ndarray, shape (..., h, n, m)
        One matrix of weights per head.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(5, 8))
    >>> W_q, W_k, W_v = rng.normal(size=(3, 2, 8, 4))  # two heads, d_k = d_v = 4
    >>> output, weights = multi_head_attention(X, W_q, W_k, W_v, W_o=np.eye(8))
    >>> output.shape, weights.shape
    ((5, 8), (2, 5, 5))
    """
    context = X if context is None else context
    X, context, W_q, W_k, W_v, W_o = shapes(
        "X: ... n d, context: ... m d_c, "
        "W_q: h d d_k, W_k: g d_c d_k, W_v: g d_c d_v, W_o: h*d_v d_out",
        *(X, context, W_q, W_k, W_v, W_o),
    )
    _check_heads(W_q, W_k, W_v, W_o)
    *lead, n, m = check.pairs(X, context)
    h = len(W_q)
    mask = _as_mask_of_heads(mask, (*lead, h, n, m))
    X, context = X[..., None, :, :], context[..., None, :, :]  # (..., 1, n, d), (..., 1, m, d)
    Q, K, V = X @ W_q, context @ W_k, context @ W_v  # (..., h, n, d_k), (..., g, m, d_k or d_v)
    heads, weights = _attention(Q, _share(K, h), _share(V, h), mask)  # (..., h, n, d_v or m)
    return _merge_heads(heads) @ W_o, weights  # (..., n, d_out)


def _check_heads(W_q: Array, W_k: Array, W_v: Array, W_o: Array) -> None:
    """Require heads that share keys evenly, and rows of `W_o` for all that they find."""
    h, g, d_v = W_q.shape[-3], W_k.shape[-3], W_v.shape[-1]
    reason = "query heads share key heads evenly, so the number in W_k must divide that in W_q"
    check.require(g == h or (g > 0 and h % g == 0), reason, W_q=W_q, W_k=W_k)
    reason = f"W_o mixes {h} heads of length {d_v} laid end to end, so it needs {h * d_v} rows"
    check.require(W_o.shape[-2] == h * d_v, reason, W_v=W_v, W_o=W_o)


def _as_mask_of_heads(mask: ArrayLike | None, shape: tuple[int, ...]) -> Mask | None:
    """Read a mask that broadcasts against weights of shape (..., h, n, m)."""
    if mask is None:
        return None
    array = check.as_booleans(mask)
    if array.ndim >= len(shape):
        check.per_pair("mask", array, shape)
        return array
    check.per_pair("mask", array, (*shape[:-3], *shape[-2:]))
    if array.ndim > 2 and array.shape[-3] == shape[-3] > 1 == shape[-4]:
        raise ValueError(
            f"this mask may be meant for {shape[-3]} heads or for as many texts: "
            f"mask has shape {array.shape} and the weights have shape {shape}; "
            "give it as many axes as the weights"
        )
    return np.atleast_2d(array)[..., None, :, :]  # (..., 1, n, m)


def _share(K: Array, h: int) -> Array:
    """Give each of `h` heads of queries its head of keys or values: (..., g, m, d) to h of them."""
    g = K.shape[-3]
    return K if g == h else np.repeat(K, h // g, axis=-3)


def split_heads(X: ArrayLike, heads: int) -> Array:
    """Cut each row into `heads` equal pieces, one per head.

    Parameters
    ----------
    X : array_like, shape (..., n, d)
        One word per row; `heads` must divide `d`.
    heads : int
        Number of pieces.

    Returns
    -------
    ndarray, shape (..., heads, n, d / heads)
        The first piece of every row, then the second …

    Examples
    --------
    >>> split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], heads=2)
    array([[[1., 2.],
            [5., 6.]],
    <BLANKLINE>
           [[3., 4.],
            [7., 8.]]])
    """
    (X,), heads = shapes("X: ... n d", X), check.as_count("heads", heads)
    d = X.shape[-1]
    if d % heads != 0:
        raise ValueError(
            f"rows of length {d} cannot be cut into {heads} equal heads: X has shape {X.shape}"
        )
    return _split_heads(X, heads)


def _split_heads(X: Array, heads: int) -> Array:
    n, d = X.shape[-2:]
    return X.reshape(*X.shape[:-2], n, heads, d // heads).swapaxes(-2, -3)


def merge_heads(X: ArrayLike) -> Array:
    """Lay the heads of each word end to end: the inverse of `split_heads`.

    One matrix per head, shape (..., h, n, d_v), becomes one row per word, (..., n, h * d_v).

    Examples
    --------
    >>> merge_heads([[[1, 2]], [[3, 4]]])
    array([[1., 2., 3., 4.]])
    """
    return _merge_heads(*shapes("X: ... h n d_v", X))


def _merge_heads(X: Array) -> Array:
    h, n, d_v = X.shape[-3:]
    return X.swapaxes(-2, -3).reshape(*X.shape[:-3], n, h * d_v)


def gelu(X: ArrayLike) -> Array:
    r"""Multiply each number by the share of a standard normal distribution that lies below it.

    Computes :math:`x\,\Phi(x)` for each number of an array: nearly x for large ones, nearly 0 for
    very negative ones, and smooth between them, where :math:`\max(0, x)` has a corner.

    Examples
    --------
    >>> gelu([-3, -1, 0, 1, 3]).round(3)
    array([-0.004, -0.159,  0.   ,  0.841,  2.996])
    """
    return _gelu(*check.as_floats(X=X))


@ignore_overflow
def _gelu(X: Array) -> Array:
    """Compute `gelu` of an array."""
    below = (np.asarray(_erfc(-X / math.sqrt(2)), np.float64) / 2).astype(X.dtype)
    return np.maximum(X, np.finfo(X.dtype).min) * below  # 0 for -inf, which times 0 is NaN


_erfc = np.frompyfunc(math.erfc, 1, 1)  # NumPy has no such function


@ignore_overflow
def _silu(X: Array) -> Array:
    """Multiply each number by its logistic function, which rises from 0 to 1."""
    return np.maximum(X, np.finfo(X.dtype).min) / (1 + np.exp(-X))  # -inf / inf would be NaN


_ACTIVATIONS = {"relu": lambda X: np.maximum(0, X), "gelu": _gelu, "silu": _silu}


@ignore_overflow
def feed_forward(
    X: ArrayLike,
    W_1: ArrayLike,
    b_1: ArrayLike,
    W_2: ArrayLike,
    b_2: ArrayLike,
    *,
    activation: str = "relu",
) -> Array:
    r"""Pass each word on its own through a small network: :math:`\max(0, XW_1 + b_1)\,W_2 + b_2`.

    The block *after* multi-head attention in a Transformer; no word sees another here.

    Parameters
    ----------
    X : array_like, shape (..., n, d)
        One word per row.
    W_1, b_1 : array_like, shapes (..., d, d_h) and (d_h,)
        Into the hidden layer.
    W_2, b_2 : array_like, shapes (..., d_h, d_out) and (d_out,)
        Out of the hidden layer.
    activation : "relu", "gelu" or "silu"
        What the hidden layer does to each number: :math:`\max(0, x)`, `gelu`, or
        :math:`x / (1 + e^{-x})`.

    Returns
    -------
    ndarray, shape (..., n, d_out)
        One row per word.

    Examples
    --------
    >>> feed_forward([[1, -1]], W_1=np.eye(2), b_1=[0, 0], W_2=[[10], [10]], b_2=[0.5])
    array([[10.5]])
    """
    check.choice("activation", activation, [*_ACTIVATIONS])
    declared = "X: ... n d, W_1: ... d d_h, b_1: d_h, W_2: ... d_h d_out, b_2: d_out"
    X, W_1, b_1, W_2, b_2 = shapes(declared, X, W_1, b_1, W_2, b_2)
    hidden = _ACTIVATIONS[activation](X @ W_1 + b_1)  # (..., n, d_h)
    return hidden @ W_2 + b_2  # (..., n, d_out)
