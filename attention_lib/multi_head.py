"""Several look-ups side by side, and the feed-forward network that comes after them.

See the chapter "Multi-head attention".
"""

from __future__ import annotations

import math
import sys

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Mask, Numbers, takes
from attention_lib.pooling import _attention

OWN_VALUES = "each head of keys needs its own values, so W_k and W_v need as many heads"


@takes(
    "X: ... n d, context?: ... m d_c, "
    "W_q: h d d_k, W_k: g d_c d_k, W_v: g d_c d_v, W_o: h*d_v d_out",
    g=OWN_VALUES,
)
def multi_head_attention(
    X: Numbers,
    W_q: Numbers,
    W_k: Numbers,
    W_v: Numbers,
    W_o: Numbers,
    *,
    mask: ArrayLike | None = None,
    context: Numbers = None,
) -> tuple[Array, Array]:
    r"""Attend with `h` heads at once and mix their outputs.

    Head ``r`` projects the *whole* embedding with its own :math:`W_q^{(r)}, W_k^{(r)}, W_v^{(r)}`;
    the outputs are laid end to end and multiplied by :math:`W_o`. Keys and values may have fewer
    heads, g, that divide h: each is then shared by h / g heads of queries in a row, so that head
    ``r`` uses ``W_k[r * g // h]`` (grouped heads; with g = 1, all share one).

    Returns the mixed heads, (..., n, d_out), and one matrix of weights per head, (..., h, n, m).
    Keys and values come from the `context` (cross-attention), by default from `X`.

    Parameters
    ----------
    mask : array_like of bool, shape (..., n, m) or (..., h, n, m), optional
        True where word ``i`` may look at word ``j``. With as many axes as `X`, or fewer, it is the
        same for all heads. For one text, (1, n, d), a mask (h, n, m) could be either: refused.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(5, 8))
    >>> W_q, W_k, W_v = rng.normal(size=(3, 2, 8, 4))  # two heads, d_k = d_v = 4
    >>> output, weights = multi_head_attention(X, W_q, W_k, W_v, W_o=np.eye(8))
    >>> output.shape, weights.shape
    ((5, 8), (2, 5, 5))
    """
    _check_heads(W_q, W_k, W_v, W_o)
    context = X if context is None else context
    reason = "each row of the context is multiplied by W_k and W_v, so these need as many rows"
    check.require(context.shape[-1] == W_k.shape[-2], reason, context=context, W_k=W_k)
    *lead, n, m = check.pairs(X, context)
    seen = _as_mask_of_heads(mask, (*lead, len(W_q), n, m))
    Q, K, V = _project(X, W_q), _project(context, W_k), _project(context, W_v)
    found, weights = _attend(Q, K, V, seen)  # (..., n, h * d_v), (..., h, n, m)
    return found @ W_o, weights


def _project(X: Array, W: Array, b: Array | None = None) -> Array:
    """Return the queries, keys or values of all heads: (..., n, d) times (h, d, d_k)."""
    rows = _product(X[..., None, :, :], W)  # (..., h, n, d_k)
    return rows if b is None else rows + b[:, None, :]


def _attend(Q: Array, K: Array, V: Array, mask: Mask | None) -> tuple[Array, Array]:
    """Let every head look, and lay end to end what the heads find for each word."""
    h = Q.shape[-3]
    heads, weights = _attention(Q, _share(K, h), _share(V, h), mask)  # (..., h, n, d_v or m)
    return _merge_heads(heads), weights


def _share(K: Array, h: int) -> Array:
    """Give each of `h` heads of queries its head of keys or values: (..., g, m, d) to h of them."""
    g = K.shape[-3]
    return K if g == h else np.repeat(K, h // g, axis=-3)


def _product(X: Array, W: Array) -> Array:
    """Return X W.

    In a page NumPy has no fast library for it: there `einsum` takes half the time, if `W` lies in
    memory column by column, or is laid out so, which pays for eight rows of 128 numbers.
    """
    rows = W.swapaxes(-1, -2)  # (..., out, in)
    pays = rows.flags.c_contiguous or X.size >= 8 * X.shape[-1] >= 8 * 128
    if sys.platform == "emscripten" and pays:
        X, rows = np.ascontiguousarray(X), np.ascontiguousarray(rows)
        return np.einsum("...j,kj->...k" if W.ndim == 2 else "...ij,...kj->...ik", X, rows)
    return X @ W


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


@takes("X: ... n d")
def split_heads(X: Numbers, heads: int) -> Array:
    """Cut each row into `heads` equal pieces, one per head.

    The first piece of every row, then the second …: shape (..., heads, n, d / heads).

    Examples
    --------
    >>> split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], heads=2)
    array([[[1., 2.],
            [5., 6.]],
    <BLANKLINE>
           [[3., 4.],
            [7., 8.]]])
    """
    reason = f"rows cannot be cut into {heads} equal heads"
    check.require(X.shape[-1] % check.as_count("heads", heads) == 0, reason, X=X)
    return _split_heads(X, heads)


def _split_heads(X: Array, heads: int) -> Array:
    n, d = X.shape[-2:]
    return X.reshape(*X.shape[:-2], n, heads, d // heads).swapaxes(-2, -3)


@takes("X: ... h n d_v")
def merge_heads(X: Numbers) -> Array:
    """Lay the heads of each word end to end, (..., n, h * d_v): the inverse of `split_heads`.

    Examples
    --------
    >>> merge_heads([[[1, 2]], [[3, 4]]])
    array([[1., 2., 3., 4.]])
    """
    return _merge_heads(X)


def _merge_heads(X: Array) -> Array:
    h, n, d_v = X.shape[-3:]
    return X.swapaxes(-2, -3).reshape(*X.shape[:-3], n, h * d_v)


@takes("X: ...")
def gelu(X: Numbers) -> Array:
    r"""Multiply each number by the share of a standard normal distribution that lies below it.

    Computes :math:`x\,\Phi(x)`: nearly x for large numbers, nearly 0 for very negative ones, and
    smooth between them, where :math:`\max(0, x)` has a corner.

    Examples
    --------
    >>> gelu([-3, -1, 0, 1, 3]).round(3)
    array([-0.004, -0.159,  0.   ,  0.841,  2.996])
    """
    below = (np.asarray(_erfc(-X / math.sqrt(2)), np.float64) / 2).astype(X.dtype)
    return np.maximum(X, np.finfo(X.dtype).min) * below  # 0 for -inf, which times 0 is NaN


_erfc = np.frompyfunc(math.erfc, 1, 1)  # NumPy has no such function


def _silu(X: Array) -> Array:
    """Multiply each number by its logistic function, which rises from 0 to 1."""
    return np.maximum(X, np.finfo(X.dtype).min) / (1 + np.exp(-X))  # -inf / inf would be NaN


ACTIVATIONS = {"relu": lambda X: np.maximum(0, X), "gelu": gelu, "silu": _silu}


@takes("X: ... n d, W_1: ... d d_h, b_1: d_h, W_2: ... d_h d_out, b_2: d_out")
def feed_forward(
    X: Numbers, W_1: Numbers, b_1: Numbers, W_2: Numbers, b_2: Numbers, *, activation: str = "relu"
) -> Array:
    r"""Pass each word on its own through a small network: :math:`\max(0, XW_1 + b_1)\,W_2 + b_2`.

    The part *after* multi-head attention in a Transformer; no word sees another here. For
    :math:`\max(0, x)`, the `activation` "relu", there may be "gelu" (see `gelu`) or "silu",
    :math:`x / (1 + e^{-x})`.

    Examples
    --------
    >>> feed_forward([[1, -1]], W_1=np.eye(2), b_1=[0, 0], W_2=[[10], [10]], b_2=[0.5])
    array([[10.5]])
    """
    check.choice("activation", activation, [*ACTIVATIONS])
    return _hidden(X, W_1, b_1, activation=activation) @ W_2 + b_2  # (..., n, d_out)


@takes("X: ... n d, W_g: d d_h, W_1: d d_h, W_2: d_h d_out")
def swiglu(X: Numbers, W_g: Numbers, W_1: Numbers, W_2: Numbers) -> Array:
    r"""Pass each word on its own through a gated network, as today's models do.

    Computes :math:`(\mathrm{silu}(XW_g) \odot XW_1)\,W_2`, where
    :math:`\mathrm{silu}(x) = x / (1 + e^{-x})`: the hidden numbers are multiplied by gates.

    Examples
    --------
    >>> swiglu([[1, 5]], W_g=[[-50, 0], [0, 1]], W_1=np.eye(2), W_2=np.eye(2)).round(2)
    array([[-0.  , 24.83]])
    """
    return _hidden(X, W_1, W_g=W_g, activation="silu") @ W_2  # (..., n, d_out)


def _hidden(
    X: Array, W_1: Array, b_1: Array | float = 0, W_g: Array | None = None, activation: str = "relu"
) -> Array:
    """Return the hidden layer of a network, (..., n, d_h), gated if there is a matrix of gates."""
    activate, up = ACTIVATIONS[activation], _product(X, W_1) + b_1
    return activate(up) if W_g is None else activate(_product(X, W_g)) * up
