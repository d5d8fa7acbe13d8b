"""Several look-ups side by side, and the feed-forward network that comes after them.

See the chapter "Multi-head attention".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from attention_lib._shapes import (
    Array,
    Mask,
    as_booleans,
    as_count,
    as_floats,
    check_axes,
    check_leading,
    check_per_pair,
    check_product,
    check_rows,
    shapes_of,
)
from attention_lib.pooling import attention
from attention_lib.projections import project


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
    r"""Attend with `h` heads at once and mix what they found.

    Head ``i`` projects the *whole* embedding with its own :math:`W_q^{(i)}, W_k^{(i)}, W_v^{(i)}`;
    the outputs are laid end to end and multiplied by :math:`W_o`.

    Parameters
    ----------
    X : array_like, shape (..., n, d)
        Where the queries come from, one word per row.
    W_q : array_like, shape (h, d, d_k)
        One query projection per head.
    W_k : array_like, shape (h, d, d_k)
        One key projection per head.
    W_v : array_like, shape (h, d, d_v)
        One value projection per head.
    W_o : array_like, shape (h * d_v, d_out)
        Mixes the heads.
    mask : array_like of bool, shape (..., n, m) or (..., h, n, m), optional
        True where word ``i`` may look at word ``j``. With as many axes as `X`, or fewer, it is the
        same for all heads; with more, like the weights, each head has its own. Default: everywhere.
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
    X, context, W_q, W_k, W_v, W_o = as_floats(
        X=X, context=X if context is None else context, W_q=W_q, W_k=W_k, W_v=W_v, W_o=W_o
    )
    check_rows(X=X, context=context)
    _check_heads(W_q, W_k, W_v, W_o)
    lead = check_leading(X=X, context=context)
    if mask is not None:
        mask = _for_heads(mask, (*lead, len(W_q), X.shape[-2], context.shape[-2]))
    check_product(X=X, W_q=W_q)
    check_product(context=context, W_k=W_k)
    check_product(context=context, W_v=W_v)
    X, context = X[..., None, :, :], context[..., None, :, :]  # (..., 1, n, d), (..., 1, m, d)
    Q = project(X=X, W_q=W_q)  # (..., h, n, d_k)
    K = project(context=context, W_k=W_k)  # (..., h, m, d_k)
    V = project(context=context, W_v=W_v)  # (..., h, m, d_v)
    heads, weights = attention(Q, K, V, mask=mask)  # (..., h, n, d_v), (..., h, n, m)
    return merge_heads(heads) @ W_o, weights  # (..., n, d_out)


def _for_heads(mask: ArrayLike, shape: tuple[int, ...]) -> Mask:
    """Return a mask that broadcasts against weights of shape (..., h, n, m)."""
    array = as_booleans(mask)
    if array.ndim >= len(shape):
        check_per_pair("mask", array, shape)
        return array
    check_per_pair("mask", array, (*shape[:-3], *shape[-2:]))
    return np.atleast_2d(array)[..., None, :, :]  # (..., 1, n, m)


def _check_heads(W_q: Array, W_k: Array, W_v: Array, W_o: Array) -> None:
    check_axes("(h, d, d_k)", W_q=W_q, W_k=W_k)
    check_axes("(h, d, d_v)", W_v=W_v)
    check_axes("(h * d_v, d_out)", W_o=W_o)
    if not W_q.shape[0] == W_k.shape[0] == W_v.shape[0]:
        raise ValueError(
            "each head needs its own W_q, W_k and W_v, so their first axes must agree, "
            f"but {shapes_of(W_q=W_q, W_k=W_k, W_v=W_v)}"
        )
    h, _, d_v = W_v.shape
    if W_o.shape[0] != h * d_v:
        raise ValueError(
            f"W_o mixes {h} heads of length {d_v} laid end to end, so it needs {h * d_v} rows, "
            f"but {shapes_of(W_v=W_v, W_o=W_o)}"
        )


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
    (X,) = as_floats(X=X)
    check_rows(X=X)
    heads = as_count("heads", heads)
    n, d = X.shape[-2:]
    if d % heads != 0:
        raise ValueError(
            f"rows of length {d} cannot be cut into {heads} equal heads: X has shape {X.shape}"
        )
    return X.reshape(*X.shape[:-2], n, heads, d // heads).swapaxes(-2, -3)


def merge_heads(X: ArrayLike) -> Array:
    """Lay the heads of each word end to end: the inverse of `split_heads`.

    Parameters
    ----------
    X : array_like, shape (..., h, n, d_v)
        One matrix per head.

    Returns
    -------
    ndarray, shape (..., n, h * d_v)
        One row per word.

    Examples
    --------
    >>> merge_heads([[[1, 2]], [[3, 4]]])
    array([[1., 2., 3., 4.]])
    """
    (X,) = as_floats(X=X)
    if X.ndim < 3:
        raise ValueError(f"heads must have shape (..., h, n, d_v), but have shape {X.shape}")
    h, n, d_v = X.shape[-3:]
    return X.swapaxes(-2, -3).reshape(*X.shape[:-3], n, h * d_v)


def feed_forward(
    X: ArrayLike, W_1: ArrayLike, b_1: ArrayLike, W_2: ArrayLike, b_2: ArrayLike
) -> Array:
    r"""Pass each word on its own through a small network: :math:`\max(0, XW_1 + b_1)\,W_2 + b_2`.

    The block *after* multi-head attention in a Transformer; no word sees another here.

    Parameters
    ----------
    X : array_like, shape (..., n, d)
        One word per row.
    W_1 : array_like, shape (..., d, d_h)
        Into the hidden layer.
    b_1 : array_like, shape (d_h,)
        Its bias.
    W_2 : array_like, shape (..., d_h, d_out)
        Out of the hidden layer.
    b_2 : array_like, shape (d_out,)
        Its bias.

    Returns
    -------
    ndarray, shape (..., n, d_out)
        One row per word.

    Examples
    --------
    >>> feed_forward([[1, -1]], W_1=np.eye(2), b_1=[0, 0], W_2=[[10], [10]], b_2=[0.5])
    array([[10.5]])
    """
    X, W_1, b_1, W_2, b_2 = as_floats(X=X, W_1=W_1, b_1=b_1, W_2=W_2, b_2=b_2)
    check_rows(W_1=W_1, W_2=W_2)
    _check_bias(W_1=W_1, b_1=b_1)
    _check_bias(W_2=W_2, b_2=b_2)
    hidden = np.maximum(0, project(X=X, W_1=W_1) + b_1)  # (..., n, d_h)
    return project(hidden=hidden, W_2=W_2) + b_2  # (..., n, d_out)


def _check_bias(**arrays: Array) -> None:
    W, b = arrays.values()
    if b.shape != W.shape[-1:]:
        raise ValueError(
            "a bias is added to each row that leaves its matrix, so both need the same length, "
            f"but {shapes_of(**arrays)}"
        )
