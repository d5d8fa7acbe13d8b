"""The whole Transformer: norms, the block, and a decoder that scores what comes next.

What a part finds is added to what was there, so every block reads and writes one stream of vectors.
A decoder turns tokens into vectors, passes them through its blocks, each token seeing only those
before it, and turns each vector into one score per possible next token.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Mask, ignore_overflow, named_options
from attention_lib.multi_head import _activate, _merge_heads, _share
from attention_lib.pooling import _attention
from attention_lib.weights import causal_mask

Arrays: TypeAlias = Mapping[str, Array]


@named_options
def layer_norm(
    X: ArrayLike,
    gain: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    *,
    eps: float = 1e-5,
) -> Array:
    r"""Give each vector mean 0 and variance 1, then stretch and shift each of its numbers.

    Computes :math:`\frac{x - \mathrm{mean}(x)}{\sqrt{\mathrm{var}(x) + \varepsilon}}\,g + b` along
    the last axis.

    Parameters
    ----------
    X : array_like, shape (..., d)
        Vectors.
    gain, bias : array_like, shape (d,), optional
        Learned. Default: 1 and 0.
    eps : float
        At least 0; keeps a vector of equal numbers from being divided by 0.

    Returns
    -------
    ndarray, shape (..., d)
        The normalised vectors.

    Examples
    --------
    >>> layer_norm([[1, 2, 3]]).round(3)
    array([[-1.225,  0.   ,  1.225]])
    """
    X, gain, bias, eps = check.norm(X, gain, bias, eps)
    return _layer_norm(X, gain, bias, eps)


@ignore_overflow
def _layer_norm(X: Array, gain: Array, bias: Array, eps: float = 1e-5) -> Array:
    """Compute `layer_norm` of arrays that fit each other."""
    centred = X - X.mean(axis=-1, keepdims=True)
    return centred / _size(centred, eps) * gain + bias


@named_options
def rms_norm(X: ArrayLike, gain: ArrayLike | None = None, *, eps: float = 1e-5) -> Array:
    r"""Give the numbers of each vector a mean square of 1, then stretch each of them.

    Computes :math:`\frac{x}{\sqrt{\mathrm{mean}(x^2) + \varepsilon}}\,g` along the last axis: a
    layer norm that leaves the mean alone.

    Parameters
    ----------
    X : array_like, shape (..., d)
        Vectors.
    gain : array_like, shape (d,), optional
        Learned. Default: 1.
    eps : float
        At least 0; keeps a vector of zeros from being divided by 0.

    Returns
    -------
    ndarray, shape (..., d)
        The normalised vectors.

    Examples
    --------
    >>> rms_norm([[3, 4]], eps=0).round(3)
    array([[0.849, 1.131]])
    """
    X, gain, _, eps = check.norm(X, gain, None, eps)
    return _rms_norm(X, gain, eps)


@ignore_overflow
def _rms_norm(X: Array, gain: Array, eps: float = 1e-5) -> Array:
    """Compute `rms_norm` of arrays that fit each other."""
    return X / _size(X, eps) * gain


def _size(X: Array, eps: float) -> Array:
    """Return the root of the mean square of each vector, (..., 1)."""
    wide = np.promote_types(check.wide_enough(X, X), np.float32)  # so that no square overflows
    squares = np.square(X, dtype=wide).mean(axis=-1, keepdims=True)
    size: Array = np.sqrt(squares + wide.type(eps)).astype(X.dtype)
    check.check_sizes(size)
    return size


class Steps(NamedTuple):
    """Everything that a block computes, from its input `X` to its `output`."""

    X: Array  #: (..., n, d)
    A: Array  #: (..., n, d): what the heads read, `X` or its norm
    Q: Array  #: (..., h, n, d_k)
    K: Array  #: (..., g, m, d_k)
    V: Array  #: (..., g, m, d_v)
    weights: Array  #: (..., h, n, m)
    heads: Array  #: (..., n, h * d_v): what the heads found, laid end to end
    S: Array  #: (..., n, d): `X` and what was found
    H: Array  #: (..., n, d): `S` or its norm
    B: Array  #: (..., n, d): what the feed-forward network reads, `H` or its norm
    hidden: Array  #: (..., n, d_h): its hidden layer
    T: Array  #: (..., n, d): `H` and what the network returned
    output: Array  #: (..., n, d): `T` or its norm


@named_options
def transformer_block(
    X: ArrayLike,
    parameters: Mapping[str, ArrayLike],
    mask: ArrayLike | None = None,
    norm: str = "before",
    *,
    activation: str = "relu",
) -> Array:
    r"""Let each word look at the others, then think on its own; add what either returns.

    With the norm before each part, as today, :math:`H = X + \mathrm{heads}(\mathrm{norm}(X))` and
    the output is :math:`H + \mathrm{network}(\mathrm{norm}(H))`. With the norm after, as in 2017,
    :math:`H = \mathrm{norm}(X + \mathrm{heads}(X))` and then
    :math:`\mathrm{norm}(H + \mathrm{network}(H))`.

    Parameters
    ----------
    X : array_like, shape (..., n, d)
        One word per row.
    parameters : mapping of str to array_like
        ``W_q``, ``W_k``, ``W_v`` and ``W_o`` of `multi_head_attention`; ``W_1``, ``W_2`` and, if
        you like, ``b_1`` and ``b_2`` of `feed_forward`; ``gain_1`` and ``gain_2``, both (d,), of
        the two norms. These are `rms_norm`; with ``bias_1`` or ``bias_2`` they are `layer_norm`.
        The heads may have biases: ``b_q``, (h, d_k), ``b_k`` and ``b_v`` are added to queries, keys
        and values, ``b_o``, (d,), after ``W_o``.
    mask : array_like of bool, shape (..., n, n) or (..., h, n, n), optional
        True where word ``i`` may look at word ``j``. Default: everywhere.
    norm : "before" or "after"
        Where the norms stand.
    activation : "relu" or "gelu"
        That of `feed_forward`.

    Returns
    -------
    ndarray, shape (..., n, d)
        One row per word.

    Examples
    --------
    A block whose last matrices are 0 adds nothing:

    >>> W = {"W_q": np.ones((1, 4, 2)), "W_k": np.ones((1, 4, 2)), "W_v": np.ones((1, 4, 2))}
    >>> W |= {"W_o": np.zeros((2, 4)), "W_1": np.ones((4, 8)), "W_2": np.zeros((8, 4))}
    >>> transformer_block([[1, 2, 3, 4]], W | {"gain_1": np.ones(4), "gain_2": np.ones(4)})
    array([[1., 2., 3., 4.]])
    """
    X, p, mask = check.transformer_block(X, parameters, mask, norm, activation)
    return _transformer_block(X, p, mask, norm, activation).output


@ignore_overflow
def _transformer_block(
    X: Array,
    p: Arrays,
    mask: Mask | None,
    norm: str = "before",
    activation: str = "relu",
    past: Steps | None = None,
) -> Steps:
    """Compute `transformer_block` step by step; words may also look at the keys of `past`."""
    before = norm == "before"
    A = _norm(X, p, "_1") if before else X
    Q, K, V = (_project(A, p, key) for key in "qkv")  # (..., h, n, d_k)
    if past is not None:
        K, V = np.concatenate([past.K, K], axis=-2), np.concatenate([past.V, V], axis=-2)
    heads, weights = _attention(Q, _share(K, Q.shape[-3]), _share(V, Q.shape[-3]), mask)
    merged = _merge_heads(heads)  # (..., n, h * d_v)
    S = X + merged @ p["W_o"] + p.get("b_o", 0)
    H = S if before else _norm(S, p, "_1")
    B = _norm(H, p, "_2") if before else H
    hidden = _activate(B @ p["W_1"] + p.get("b_1", 0), activation)  # (..., n, d_h)
    T = H + hidden @ p["W_2"] + p.get("b_2", 0)
    output = T if before else _norm(T, p, "_2")
    return Steps(X, A, Q, K, V, weights, merged, S, H, B, hidden, T, output)


def _project(A: Array, p: Arrays, key: str) -> Array:
    """Return the queries, keys or values ("q", "k" or "v") of all heads, with their biases."""
    rows, bias = A[..., None, :, :] @ p[f"W_{key}"], p.get(f"b_{key}")
    return rows if bias is None else rows + bias[:, None, :]  # (..., h, n, d_k)


def _norm(X: Array, p: Arrays, which: str) -> Array:
    """Apply the norm "_1" or "_2" of a block, or "", the last one of a decoder."""
    gain, bias = p[f"gain{which}"], p.get(f"bias{which}")
    return _rms_norm(X, gain) if bias is None else _layer_norm(X, gain, bias)


def decoder_logits(tokens: ArrayLike, parameters: Mapping[str, ArrayLike]) -> Array:
    r"""Score every token that might come next, after each token of a text.

    Token ``i`` becomes the vector ``E[tokens[i]] + P[i]``; the blocks, with their norms before and
    a causal mask, pass it on; :math:`\mathrm{norm}(X)\,U` are the scores. Their softmax is how
    likely the model takes each token to be next.

    Parameters
    ----------
    tokens : array_like of int, shape (..., n)
        Numbers of tokens, from 0 to c - 1.
    parameters : mapping of str to array_like
        ``E``, (c, d): a vector for each token. ``P``, (places, d): one for each place, if places
        are learned. ``U``, (d, c): from a vector to scores. ``gain``, (d,), and perhaps ``bias``
        of the last norm. And those of `transformer_block`, with one axis more in front: ``W_1`` of
        shape (blocks, d, d_h), and so on.

    Returns
    -------
    ndarray, shape (..., n, c)
        Row ``i`` scores what comes after token ``i``, and knows the tokens up to ``i`` only.

    Examples
    --------
    >>> from attention_lib.next_token import start_decoder
    >>> parameters = start_decoder(np.random.default_rng(0), tokens=5, places=8, d=4, heads=2)
    >>> decoder_logits([0, 3, 1], parameters).shape
    (3, 5)
    """
    return _decoder(*check.decoder(tokens, parameters))[0]


def decoder_steps(tokens: ArrayLike, parameters: Mapping[str, ArrayLike]) -> list[Steps]:
    """Return everything that the blocks of a decoder compute on their way, to look at.

    Parameters
    ----------
    tokens, parameters : array_like of int, mapping of str to array_like
        Those of `decoder_logits`.

    Returns
    -------
    list of Steps
        One for each block, with the arrays ``X``, ``A``, ``Q``, ``K``, ``V``, ``weights``,
        ``heads``, ``S``, ``H``, ``B``, ``hidden``, ``T`` and ``output``, in the order of the block.

    Examples
    --------
    >>> from attention_lib.next_token import start_decoder
    >>> parameters = start_decoder(np.random.default_rng(0), tokens=5, places=8, d=4, heads=2)
    >>> decoder_steps([0, 3, 1], parameters)[0].weights.shape
    (2, 3, 3)
    """
    return _decoder(*check.decoder(tokens, parameters))[1]


@ignore_overflow
def _decoder(
    tokens: NDArray[np.integer[Any]], p: Arrays, past: list[Steps] | None = None
) -> tuple[Array, list[Steps]]:
    """Return logits and steps for tokens that stand after those of `past`."""
    layers, n = _layers(p), tokens.shape[-1]
    earlier: list[Steps | None] = [None] * len(layers) if past is None else [*past]
    start = 0 if past is None else past[0].K.shape[-2]
    X = p["E"][tokens]  # (..., n, d)
    if "P" in p:
        X = X + p["P"][start : start + n]
    mask, steps = causal_mask(n, start + n, align="end"), []
    for layer, before in zip(layers, earlier, strict=True):
        steps.append(_transformer_block(X, layer, mask, past=before))
        X = steps[-1].output
    return _norm(X, p, "") @ p["U"], steps


def _layers(p: Arrays) -> list[Arrays]:
    """Return the parameters of each block, cut out of those of a decoder."""
    names = [name for name in check.BLOCK if name in p]
    return [{name: p[name][i] for name in names} for i in range(len(p["W_q"]))]
