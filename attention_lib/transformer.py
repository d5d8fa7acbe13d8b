"""The whole Transformer: norms, the block, and a decoder that scores what comes next.

What a part finds is added to what was there, so every block reads and writes one stream of vectors.
A decoder turns tokens into vectors, passes them through its blocks, each token seeing only those
before it, and turns each vector into one score per possible next token.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import (
    Array,
    Declared,
    Integers,
    Mask,
    Numbers,
    ignore_overflow,
    takes,
)
from attention_lib.multi_head import (
    ACTIVATIONS,
    OWN_VALUES,
    _as_mask_of_heads,
    _attend,
    _check_heads,
    _hidden,
    _product,
    _project,
)
from attention_lib.positions import _rotary
from attention_lib.weights import causal_mask

Arrays: TypeAlias = Mapping[str, Array]

BLOCK = check.declare(
    "W_q: h d d_k, W_k: g d d_k, W_v: g d d_v, W_o: h*d_v d, W_1: d d_h, W_2: d_h d, "
    "gain_1: d, gain_2: d, b_q?: h d_k, b_k?: g d_k, b_v?: g d_v, b_o?: d, "
    "b_1?: d_h, b_2?: d, bias_1?: d, bias_2?: d"
)
GATES = check.declare("W_g?: d d_h")
DECODER = {
    **check.declare("E: c d, P?: places d"),
    **{name: part._replace(axes=("blocks", *part.axes)) for name, part in BLOCK.items()},
    **check.declare("gain: d, bias?: d, U: d c"),
}
BECAUSE = {
    "g": OWN_VALUES,
    "c": "E has a vector and U a score for each token, so both need the same number of tokens",
    "blocks": "the first axis of these is that of the blocks, so it must be as long in all",
}


@takes("X: ... d, gain?: d, bias?: d")
def layer_norm(
    X: Numbers, gain: Numbers = None, bias: Numbers = None, *, eps: float = 1e-5
) -> Array:
    r"""Give each vector mean 0 and variance 1, then stretch and shift each of its numbers.

    Computes :math:`\frac{x - \mathrm{mean}(x)}{\sqrt{\mathrm{var}(x) + \varepsilon}}\,g + b` along
    the last axis; `eps` keeps a vector of equal numbers from being divided by 0.

    Examples
    --------
    >>> layer_norm([[1, 2, 3]]).round(3)
    array([[-1.225,  0.   ,  1.225]])
    """
    normed = _layer_norm(X, 1 if gain is None else gain, 0, _as_eps(eps, X))
    return normed if bias is None else normed + bias


@ignore_overflow
def _layer_norm(
    X: Array, gain: Array | float, bias: Array | float, eps: Array | float = 1e-5
) -> Array:
    X, eps, _ = _shrunk(X, eps)
    centred = X - X.mean(axis=-1, keepdims=True)
    return centred / _size(centred, eps) * gain + bias


@takes("X: ... d, gain?: d")
def rms_norm(X: Numbers, gain: Numbers = None, *, eps: float = 1e-5) -> Array:
    r"""Give the numbers of each vector a mean square of 1, then stretch each of them.

    Computes :math:`\frac{x}{\sqrt{\mathrm{mean}(x^2) + \varepsilon}}\,g` along the last axis: a
    `layer_norm` that leaves the mean alone.

    Examples
    --------
    >>> rms_norm([[3, 4]], eps=0).round(3)
    array([[0.849, 1.131]])
    """
    return _rms_norm(X, 1 if gain is None else gain, _as_eps(eps, X))


@ignore_overflow
def _rms_norm(X: Array, gain: Array | float, eps: Array | float = 1e-5) -> Array:
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
    return 0.0 if eps == 0 else check.as_size("eps", eps)


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


class Kind(NamedTuple):
    """What distinguishes the Transformers: that of 2017, BERT, GPT, the models of today."""

    norm: str = "before"  #: where the norms stand: "before" each part, or "after" it
    centred: tuple[bool, bool] = (False, False)  #: whether each is a layer norm, or an RMS norm
    activation: str = "relu"  #: what the network does to its hidden numbers: "gelu", "silu"
    gated: bool = False  #: whether these are multiplied by gates, from ``W_g``
    base: float | None = None  #: that of `rotary`, if queries and keys are turned


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
        the two norms. These are `rms_norm`; one that has a ``bias_1`` or ``bias_2`` is a
        `layer_norm`. With ``W_g``, (d, d_h), the network is gated: `swiglu`, if `activation` is
        "silu". The heads may have biases: ``b_q``, (h, d_k), ``b_k`` and ``b_v`` are added to
        queries, keys and values, ``b_o``, (d,), after ``W_o``.
    mask, norm, activation
        The mask of `multi_head_attention`; "before" or "after"; that of `feed_forward`.
    rotary_base : float, optional
        Turn queries and keys by their places, 0, 1, …, as `rotary` with this base does.

    Examples
    --------
    A block whose last matrices are 0 adds nothing:

    >>> W = {"W_q": np.ones((1, 4, 2)), "W_k": np.ones((1, 4, 2)), "W_v": np.ones((1, 4, 2))}
    >>> W |= {"W_o": np.zeros((2, 4)), "W_1": np.ones((4, 8)), "W_2": np.zeros((8, 4))}
    >>> transformer_block([[1, 2, 3, 4]], W | {"gain_1": np.ones(4), "gain_2": np.ones(4)})
    array([[1., 2., 3., 4.]])
    """
    check.choice("norm", norm, ["before", "after"])
    check.choice("activation", activation, [*ACTIVATIONS])
    base = None if rotary_base is None else check.as_size("rotary_base", rotary_base)
    p = _as_parameters(parameters, {**check.declare("X: ... n d"), **BLOCK, **GATES}, X=X)
    words = p.pop("X")
    *lead, n, _ = words.shape
    seen = _as_mask_of_heads(mask, (*lead, len(p["W_q"]), n, n))
    kind = Kind(norm, _centred(p), activation, "W_g" in p, base)
    return _transformer_block(words, p, seen, kind).output


def _as_parameters(
    parameters: Mapping[str, ArrayLike], known: Mapping[str, Declared], **more: ArrayLike
) -> dict[str, Array]:
    """Read a mapping of the names that are known, in one dtype with `more`."""
    check.mapping(parameters)
    names = [name for name in known if name not in more]
    missing = [name for name in names if not known[name].optional and name not in parameters]
    strange = [name for name in parameters if name not in names]
    if missing or strange:
        said = [f"{name!r} is missing" for name in missing[:1]]
        said += [f"{name!r} is not one of them" for name in strange[:1]]
        raise ValueError(f"parameters are {', '.join(names)}, but {' and '.join(said)}")
    given = {**more, **parameters}
    read = dict(zip(given, check.as_floats(**given), strict=True))
    check.fit({name: read[name] for name in known if name in read}, known, BECAUSE)
    _check_heads(*(read[name] for name in ("W_q", "W_k", "W_v", "W_o")))
    return read


def _centred(p: Arrays) -> tuple[bool, bool]:
    """Return which of the two norms are layer norms: those that have a bias."""
    return "bias_1" in p, "bias_2" in p


@ignore_overflow
def _transformer_block(
    X: Array, p: Arrays, mask: Mask | None, kind: Kind, past: Any = None
) -> Steps:
    """Compute `transformer_block` step by step; words may also look at the keys of `past`."""
    before, (first, second) = kind.norm == "before", kind.centred
    A = _norm(X, p, "_1", first) if before else X
    Q, K, V = _queries_keys_values(A, p, kind.base, past)
    found, weights = _attend(Q, K, V, mask)  # (..., n, h * d_v), (..., h, n, m)
    S = X + _product(found, p["W_o"]) + p.get("b_o", 0)
    H = S if before else _norm(S, p, "_1", first)
    B = _norm(H, p, "_2", second) if before else H
    gates = p["W_g"] if kind.gated else None
    hidden = _hidden(B, p["W_1"], p.get("b_1", 0), gates, kind.activation)  # (..., n, d_h)
    T = H + _product(hidden, p["W_2"]) + p.get("b_2", 0)
    output = T if before else _norm(T, p, "_2", second)
    return Steps(X, A, Q, K, V, weights, found, S, H, B, hidden, T, output)


def _queries_keys_values(
    A: Array, p: Arrays, base: float | None, past: Any
) -> tuple[Array, Array, Array]:
    """Return what all heads compare and find, (..., h, n, d_k), after what is `past`."""
    Q, K, V = (_project(A, p[f"W_{key}"], p.get(f"b_{key}")) for key in "qkv")
    if base is not None:
        start = 0 if past is None else past.K.shape[-2]
        places = np.arange(start, start + A.shape[-2], dtype=np.float64)  # (n,)
        Q, K = _rotary(Q, places, base), _rotary(K, places, base)
    if past is not None:
        K, V = np.concatenate([past.K, K], axis=-2), np.concatenate([past.V, V], axis=-2)
    return Q, K, V


def _norm(X: Array, p: Arrays, which: str, centred: bool) -> Array:
    """Apply the norm "_1" or "_2" of a block, or "", the last one of a decoder."""
    gain = p[f"gain{which}"]
    return _layer_norm(X, gain, p[f"bias{which}"]) if centred else _rms_norm(X, gain)


def decoder_logits(tokens: ArrayLike, parameters: Mapping[str, ArrayLike]) -> Array:
    r"""Score every token that might come next, after each token of a text.

    Token ``i`` becomes the vector ``E[tokens[i]] + P[i]``; the blocks, with their norms before and
    a causal mask, pass it on; :math:`\mathrm{norm}(X)\,U` are the scores. Their softmax is how
    likely the model takes each token to be next. Row ``i`` knows the tokens up to ``i`` only.

    The parameters are ``E``, (c, d), a vector for each token; ``P``, (places, d), one for each
    place, if places are learned; ``U``, (d, c), from a vector to scores; ``gain``, (d,), and
    perhaps ``bias`` of the last norm; and those of `transformer_block`, with one axis more in
    front: ``W_1`` of shape (blocks, d, d_h), and so on.

    Examples
    --------
    >>> from attention_lib import start_decoder
    >>> parameters = start_decoder(np.random.default_rng(0), tokens=5, places=8, d=4, heads=2)
    >>> decoder_logits([0, 3, 1], parameters).shape
    (3, 5)
    """
    p = _as_decoder(parameters)
    return _decoder(_as_tokens("tokens", tokens, p), p)[0]


def decoder_steps(tokens: ArrayLike, parameters: Mapping[str, ArrayLike]) -> list[Steps]:
    """Return everything that the blocks of a decoder compute on their way, a `Steps` for each.

    Parameters as in `decoder_logits`.

    Examples
    --------
    >>> from attention_lib import start_decoder
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
        steps.append(_transformer_block(X, layer, mask, Kind(centred=_centred(p)), before))
        X = steps[-1].output
    return _read_off(X, p), steps


def _read_off(X: Array, p: Arrays) -> Array:
    """Turn vectors between blocks into scores of the next token: norm(X) U."""
    return _norm(X, p, "", "bias" in p) @ p["U"]


def _layers(p: Arrays) -> list[Arrays]:
    """Return the parameters of each block, cut out of those of a decoder."""
    names = [name for name in BLOCK if name in p]
    return [{name: p[name][i] for name in names} for i in range(len(p["W_q"]))]
