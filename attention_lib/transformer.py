"""The whole Transformer: norms, the block, and a decoder that scores what comes next.

What a part finds is added to what was there, so every block reads and writes one stream of vectors.
A decoder turns tokens into vectors, passes them through its blocks, each token seeing only those
before it, and turns each vector into one score per possible next token.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Declared, Integers, Mask, ignore_overflow, shapes
from attention_lib.multi_head import (
    _ACTIVATIONS,
    _as_mask_of_heads,
    _check_heads,
    _merge_heads,
    _share,
    _silu,
)
from attention_lib.pooling import _attention
from attention_lib.positions import _rotary
from attention_lib.weights import causal_mask

Arrays: TypeAlias = Mapping[str, Array]

BLOCK = check.declare(  # the parameters of a block; it can do without those that have a default
    "W_q: h d d_k, W_k: g d d_k, W_v: g d d_v, W_o: h*d_v d, W_1: d d_h, W_2: d_h d, "
    "gain_1: d, gain_2: d, b_q=0: h d_k, b_k=0: g d_k, b_v=0: g d_v, b_o=0: d, "
    "b_1=0: d_h, b_2=0: d, bias_1=0: d, bias_2=0: d"
)
DECODER = {
    **check.declare("E: c d, P=0: places d"),
    **{name: Declared(("blocks", *axes), default) for name, (axes, default) in BLOCK.items()},
    **check.declare("gain: d, bias=0: d, U: d c"),
}


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
    X, gain, bias = shapes("X: ... d, gain=1: d, bias=0: d", X, gain, bias)
    return _layer_norm(X, gain, bias, _as_eps(eps, X))


@ignore_overflow
def _layer_norm(X: Array, gain: Array, bias: Array, eps: Array | float = 1e-5) -> Array:
    """Compute `layer_norm` of arrays that fit each other."""
    X, eps, _ = _shrunk(X, eps)
    centred = X - X.mean(axis=-1, keepdims=True)
    return centred / _size(centred, eps) * gain + bias


def rms_norm(X: ArrayLike, gain: ArrayLike | None = None, *, eps: float = 1e-5) -> Array:
    r"""Give the numbers of each vector a mean square of 1, then stretch each of them.

    Computes :math:`\frac{x}{\sqrt{\mathrm{mean}(x^2) + \varepsilon}}\,g` along the last axis: a
    layer norm that leaves the mean alone. Parameters and result as in `layer_norm`.

    Examples
    --------
    >>> rms_norm([[3, 4]], eps=0).round(3)
    array([[0.849, 1.131]])
    """
    X, gain = shapes("X: ... d, gain=1: d", X, gain)
    return _rms_norm(X, gain, _as_eps(eps, X))


@ignore_overflow
def _rms_norm(X: Array, gain: Array, eps: Array | float = 1e-5) -> Array:
    """Compute `rms_norm` of arrays that fit each other."""
    X, eps, _ = _shrunk(X, eps)
    return X / _size(X, eps) * gain


def _shrunk(X: Array, eps: Array | float) -> tuple[Array, Array | float, Array | float]:
    """Divide vectors whose squares would overflow, by a power of 2 that is returned as well.

    A norm does not feel it, as long as `eps` shrinks with the squares.
    """
    wide = np.finfo(np.promote_types(X.dtype, np.float32))
    most = min(math.sqrt(wide.max / X.shape[-1]) / 2, float(np.finfo(X.dtype).max) / 4)
    largest = np.abs(X).max(axis=-1, keepdims=True)  # (..., 1)
    large = (largest > most) & np.isfinite(largest)
    if not large.any():
        return X, eps, 1.0
    exponents = np.where(large, np.frexp(largest)[1], 0)
    eps = np.maximum(np.ldexp(eps, -2 * exponents), wide.tiny * (eps > 0))
    return np.ldexp(X, -exponents), eps, np.ldexp(1.0, exponents)


def _size(X: Array, eps: Array | float) -> Array:
    """Return the root of the mean square of each vector, (..., 1)."""
    wide = np.promote_types(X.dtype, np.float32)  # squares of float16 could overflow
    squares = np.square(X, dtype=wide).mean(axis=-1, keepdims=True)
    size: Array = np.sqrt(squares + eps).astype(X.dtype)
    if (size == 0).any():
        raise ValueError("a vector of size 0 cannot be divided by its size: take a larger eps")
    return size


def _as_eps(eps: float, X: Array) -> float:
    """Read what is added to the mean square of vectors, which are not empty."""
    check.require(X.shape[-1] > 0, "a norm is taken over the numbers of a vector", X=X)
    (size,) = check.as_floats(eps=eps)
    if not (size.ndim == 0 and 0 <= size < np.inf):
        raise ValueError(f"eps must be a number of at least 0, but is {eps!r}")
    return float(size)


@ignore_overflow
def swiglu(X: ArrayLike, W_g: ArrayLike, W_1: ArrayLike, W_2: ArrayLike) -> Array:
    r"""Pass each word on its own through a gated network, as today's models do.

    Computes :math:`(\mathrm{silu}(XW_g) \odot XW_1)\,W_2`, where
    :math:`\mathrm{silu}(x) = x / (1 + e^{-x})`: a `feed_forward` whose hidden numbers are
    multiplied by gates. These have a matrix of their own, ``W_g``, as large as ``W_1``, (d, d_h).

    Examples
    --------
    >>> swiglu([[1, 5]], W_g=[[-50, 0], [0, 1]], W_1=np.eye(2), W_2=np.eye(2)).round(2)
    array([[-0.  , 24.83]])
    """
    declared = "X: ... n d, W_g: d d_h, W_1: d d_h, W_2: d_h d_out"
    X, W_g, W_1, W_2 = shapes(declared, X, W_g, W_1, W_2)
    return _hidden(X, {"W_g": W_g, "W_1": W_1}, _silu) @ W_2  # (..., n, d_out)


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


def transformer_block(
    X: ArrayLike,
    parameters: Mapping[str, ArrayLike],
    mask: ArrayLike | None = None,
    norm: str = "before",
    *,
    activation: str = "relu",
    rotary_base: float | None = None,
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
        With ``W_g``, (d, d_h), the network is gated: `swiglu`, if `activation` is "silu".
        The heads may have biases: ``b_q``, (h, d_k), ``b_k`` and ``b_v`` are added to queries, keys
        and values, ``b_o``, (d,), after ``W_o``.
    mask : array_like of bool, shape (..., n, n) or (..., h, n, n), optional
        True where word ``i`` may look at word ``j``. Default: everywhere.
    norm : "before" or "after"
        Where the norms stand.
    activation : "relu", "gelu" or "silu"
        That of `feed_forward`.
    rotary_base : float, optional
        Turn queries and keys by their places, 0, 1, …, as `rotary` with this base does.

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
    check.choice("norm", norm, ["before", "after"])
    check.choice("activation", activation, [*_ACTIVATIONS])
    known = {**check.declare("X: ... n d"), **BLOCK, **check.declare("W_g=0: d d_h")}
    p = _as_parameters(parameters, known, X=X)
    words = p.pop("X")
    *lead, n, _ = words.shape
    mask = _as_mask_of_heads(mask, (*lead, len(p["W_q"]), n, n))
    base = None if rotary_base is None else check.as_size("rotary_base", rotary_base)
    return _transformer_block(words, p, mask, norm, activation, base=base).output


def _as_parameters(
    parameters: Mapping[str, ArrayLike], known: Mapping[str, Declared], **more: ArrayLike
) -> dict[str, Array]:
    """Read a mapping of the names that are known, in one dtype with `more`."""
    check.mapping(parameters)
    names = [name for name in known if name not in more]
    missing = [name for name in names if known[name].default is None and name not in parameters]
    strange = [name for name in parameters if name not in names]
    if missing or strange:
        said = f"{missing[0]!r} is missing" if missing else f"{strange[0]!r} is not one of them"
        raise ValueError(f"parameters are {', '.join(names)}, but {said}")
    given = {**more, **parameters}
    read = dict(zip(given, check.as_floats(**given), strict=True))
    check.fit({name: read[name] for name in known if name in read}, known, {})
    _check_heads(*(read[name] for name in ("W_q", "W_k", "W_v", "W_o")))
    return read


@ignore_overflow
def _transformer_block(
    X: Array,
    p: Arrays,
    mask: Mask | None,
    norm: str = "before",
    activation: str = "relu",
    past: Steps | None = None,
    base: float | None = None,
) -> Steps:
    """Compute `transformer_block` step by step; words may also look at the keys of `past`."""
    before = norm == "before"
    A = _norm(X, p, "_1") if before else X
    Q, K, V = (_project(A, p, key) for key in "qkv")  # (..., h, n, d_k)
    if base is not None:
        places = np.arange(float(X.shape[-2])) + (0 if past is None else past.K.shape[-2])  # (n,)
        Q, K = _rotary(Q, places, base), _rotary(K, places, base)
    if past is not None:
        K, V = np.concatenate([past.K, K], axis=-2), np.concatenate([past.V, V], axis=-2)
    heads, weights = _attention(Q, _share(K, Q.shape[-3]), _share(V, Q.shape[-3]), mask)
    merged = _merge_heads(heads)  # (..., n, h * d_v)
    S = X + _product(merged, p["W_o"]) + p.get("b_o", 0)
    H = S if before else _norm(S, p, "_1")
    B = _norm(H, p, "_2") if before else H
    hidden = _hidden(B, p, _ACTIVATIONS[activation])  # (..., n, d_h)
    T = H + _product(hidden, p["W_2"]) + p.get("b_2", 0)
    output = T if before else _norm(T, p, "_2")
    return Steps(X, A, Q, K, V, weights, merged, S, H, B, hidden, T, output)


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


def _project(A: Array, p: Arrays, key: str) -> Array:
    """Return the queries, keys or values ("q", "k" or "v") of all heads, with their biases."""
    rows, bias = _product(A[..., None, :, :], p[f"W_{key}"]), p.get(f"b_{key}")
    return rows if bias is None else rows + bias[:, None, :]  # (..., h, n, d_k)


def _hidden(B: Array, p: Arrays, activate: Callable[[Array], Array]) -> Array:
    """Return the hidden layer of the network, (..., n, d_h), gated if there is a gate."""
    up = _product(B, p["W_1"]) + p.get("b_1", 0)
    return activate(_product(B, p["W_g"])) * up if "W_g" in p else activate(up)


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
    p = _as_decoder(parameters)
    return _decoder(_as_tokens("tokens", tokens, p), p)[0]


def decoder_steps(tokens: ArrayLike, parameters: Mapping[str, ArrayLike]) -> list[Steps]:
    """Return everything that the blocks of a decoder compute on their way, to look at.

    Parameters as in `decoder_logits`. Returns a list with one `Steps` for each block: its arrays
    ``X``, ``A``, ``Q``, ``K``, ``V``, ``weights``, ``heads``, ``S``, ``H``, ``B``, ``hidden``,
    ``T`` and ``output``, in the order of the block.

    Examples
    --------
    >>> from attention_lib.next_token import start_decoder
    >>> parameters = start_decoder(np.random.default_rng(0), tokens=5, places=8, d=4, heads=2)
    >>> decoder_steps([0, 3, 1], parameters)[0].weights.shape
    (2, 3, 3)
    """
    p = _as_decoder(parameters)
    return _decoder(_as_tokens("tokens", tokens, p), p)[1]


def _as_decoder(parameters: Mapping[str, ArrayLike]) -> dict[str, Array]:
    """Read the parameters of a decoder."""
    p = _as_parameters(parameters, DECODER)
    check.require(len(p["W_q"]) > 0, "a decoder has at least one block", W_q=p["W_q"])
    return p


def _as_tokens(name: str, tokens: ArrayLike, p: Arrays, least: int = 0) -> Integers:
    """Read numbers of tokens that a decoder knows, no more of them than it has places."""
    if isinstance(tokens, str):
        raise TypeError(f"{name} must be whole numbers, but are a text: encode it first")
    numbers = check.as_integers(name, tokens)
    check.require(numbers.ndim > 0, f"{name} are a text, shape (..., n)", **{name: numbers})
    check.within(name, numbers, least, len(p["E"]) - 1)
    places = len(p["P"]) if "P" in p else numbers.shape[-1]
    if numbers.shape[-1] > places:
        raise ValueError(
            f"this decoder has {places} places, but the text has {numbers.shape[-1]} tokens: "
            f"give it the last {places}"
        )
    return numbers


@ignore_overflow
def _decoder(
    tokens: Integers, p: Arrays, past: list[Steps] | None = None
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
    names = [name for name in BLOCK if name in p]
    return [{name: p[name][i] for name in names} for i in range(len(p["W_q"]))]
