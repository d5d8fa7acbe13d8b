"""A sequence that looks things up in itself, through learned projections.

See the chapter "Self-attention".
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, ignore_overflow, shapes
from attention_lib.pooling import _attention


@ignore_overflow
def self_attention(
    X: ArrayLike, W_q: ArrayLike, W_k: ArrayLike, W_v: ArrayLike, *, mask: ArrayLike | None = None
) -> tuple[Array, Array]:
    r"""Let every row of `X` look at every row of `X`.

    With :math:`Q = XW_q,\ K = XW_k,\ V = XW_v` the output is
    :math:`\mathrm{softmax}(QK^\top/\sqrt{d_k})\,V`, of shape n × d_v.

    Parameters
    ----------
    X : array_like, shape (..., n, d)
        One word (or other item) per row.
    W_q, W_k : array_like, shape (..., d, d_k)
        Learned: what each word looks for, and what it can be found by.
    W_v : array_like, shape (..., d, d_v)
        Learned: what each word passes on when it is looked at.
    mask : array_like of bool, shape (..., n, n), optional
        True where word ``i`` may look at word ``j``. Default: everywhere.

    Returns
    -------
    output : ndarray, shape (..., n, d_v)
        Each word, in the light of the others.
    weights : ndarray, shape (..., n, n)
        Row ``i``: how much word ``i`` looks at each word.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.eye(3)  # three words that share nothing
    >>> output, weights = self_attention(X, W_q=9 * X, W_k=X, W_v=[[1], [2], [3]])
    >>> weights.round(2)
    array([[0.99, 0.01, 0.01],
           [0.01, 0.99, 0.01],
           [0.01, 0.01, 0.99]])
    """
    declared = "X: ... n d, W_q: ... d d_k, W_k: ... d d_k, W_v: ... d d_v"
    X, W_q, W_k, W_v = shapes(declared, X, W_q, W_k, W_v)
    mask = check.as_mask(mask, check.pairs(X, X, W_q, W_k, W_v))
    Q, K, V = X @ W_q, X @ W_k, X @ W_v  # (..., n, d_k) twice, (..., n, d_v)
    return _attention(Q, K, V, mask)
