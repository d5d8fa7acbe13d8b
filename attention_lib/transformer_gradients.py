"""The backward pass of a whole Transformer by hand, part by part, from the last to the first.

Each function takes how the loss changes with the output of a part, `d_output`, and returns how it
changes with the input and with each parameter. What is added on the way forward gets the gradient
twice on the way back: once past the part, once through it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Integers, Mask, ignore_overflow, shapes
from attention_lib.gradients import _as_d_output, _softmax_backward, _sum_to
from attention_lib.multi_head import _below, _merge_heads, _share, _split_heads
from attention_lib.training import Parameters, _cross_entropy, _sum
from attention_lib.transformer import (
    Arrays,
    Steps,
    _as_block,
    _as_decoder,
    _as_eps,
    _as_tokens,
    _decoder,
    _layers,
    _norm,
    _size,
    _transformer_block,
)


def layer_norm_backward(
    X: ArrayLike, d_output: ArrayLike, gain: ArrayLike | None = None, *, eps: float = 1e-5
) -> tuple[Array, Array, Array]:
    r"""Carry a gradient back through ``layer_norm(X, gain, bias, eps=eps)``.

    With :math:`N` the normalised vectors, :math:`s` their former sizes and
    :math:`\mathrm{d}N = \mathrm{d}Y\,g`, each vector gets
    :math:`(\mathrm{d}N - \mathrm{mean}(\mathrm{d}N) - N\,\mathrm{mean}(N\,\mathrm{d}N))\,/\,s`.

    Parameters
    ----------
    X, gain, eps : array_like, array_like, float
        The inputs of `layer_norm`.
    d_output : array_like, shape (..., d)
        How the loss changes with each number of the output.

    Returns
    -------
    d_X, d_gain, d_bias : ndarray, shapes (..., d), (d,) and (d,)
        How the loss changes with each of them.

    Examples
    --------
    A norm does not feel a shift of all numbers, so their gradients sum to 0:

    >>> d_X, d_gain, d_bias = layer_norm_backward([[1, 2, 4]], [[1, 0, 0]])
    >>> print(d_X.round(3), abs(d_X.sum().round(6)))
    [[ 0.229 -0.344  0.115]] 0.0
    """
    X, d_output, gain = _as_norm(X, d_output, gain)
    return _layer_norm_backward(X, d_output, gain, _as_eps(eps, X))


@ignore_overflow
def _layer_norm_backward(
    X: Array, d_Y: Array, gain: Array, eps: float = 1e-5
) -> tuple[Array, Array, Array]:
    """Compute `layer_norm_backward` of arrays that fit each other."""
    d_X, d_gain = _rms_norm_backward(X - X.mean(axis=-1, keepdims=True), d_Y, gain, eps)
    return d_X - d_X.mean(axis=-1, keepdims=True), d_gain, _over_rows(d_Y)


def rms_norm_backward(
    X: ArrayLike, d_output: ArrayLike, gain: ArrayLike | None = None, *, eps: float = 1e-5
) -> tuple[Array, Array]:
    r"""Carry a gradient back through ``rms_norm(X, gain, eps=eps)``.

    As `layer_norm_backward`, without the mean and without a bias: each vector gets
    :math:`(\mathrm{d}N - N\,\mathrm{mean}(N\,\mathrm{d}N))\,/\,s`.

    Examples
    --------
    A norm does not feel how long a vector is, so its gradient stands at a right angle to it:

    >>> d_X, d_gain = rms_norm_backward([[3, 4]], [[1, 0]], eps=0)
    >>> print(d_X.round(3), (d_X @ [3, 4]).round(6))
    [[ 0.181 -0.136]] [0.]
    """
    X, d_output, gain = _as_norm(X, d_output, gain)
    return _rms_norm_backward(X, d_output, gain, _as_eps(eps, X))


@ignore_overflow
def _rms_norm_backward(X: Array, d_Y: Array, gain: Array, eps: float = 1e-5) -> tuple[Array, Array]:
    """Compute `rms_norm_backward` of arrays that fit each other."""
    size = _size(X, eps)  # (..., 1)
    N, d_N = X / size, d_Y * gain  # (..., d)
    d_X = (d_N - N * (N * d_N).mean(axis=-1, keepdims=True)) / size
    return d_X, _over_rows(d_Y * N)


def _as_norm(X: ArrayLike, d_output: ArrayLike, gain: ArrayLike | None) -> tuple[Array, ...]:
    """Read vectors, the gradients of their norms, and what these were stretched by."""
    X, d_output, gain = shapes("X: ... d, d_output: ... length, gain=1: d", X, d_output, gain)
    if d_output.shape != X.shape:
        raise ValueError(
            f"d_output needs the shape of the output, {X.shape}, but has shape {d_output.shape}"
        )
    return X, d_output, gain


def _over_rows(X: Array) -> Array:
    """Sum all rows: what is shared by them gets the gradients of all."""
    return X.reshape(-1, X.shape[-1]).sum(axis=0)


def transformer_block_backward(
    X: ArrayLike,
    parameters: Mapping[str, ArrayLike],
    d_output: ArrayLike,
    mask: ArrayLike | None = None,
    norm: str = "before",
    *,
    activation: str = "relu",
) -> tuple[Array, Parameters]:
    """Carry a gradient back through ``transformer_block(X, parameters, mask, norm, …)``.

    Parameters
    ----------
    X, parameters, mask, norm, activation : array_like, mapping, array_like, str, str
        The inputs of `transformer_block`.
    d_output : array_like, shape (..., n, d)
        How the loss changes with each number of the output.

    Returns
    -------
    d_X : ndarray, shape (..., n, d)
        How the loss changes with each number of `X`.
    gradients : dict of ndarray
        How it changes with each parameter, under the same names.

    Examples
    --------
    A block whose last matrices are 0 passes the gradient on as it is:

    >>> W = {"W_q": np.ones((1, 4, 2)), "W_k": np.ones((1, 4, 2)), "W_v": np.ones((1, 4, 2))}
    >>> W |= {"W_o": np.zeros((2, 4)), "W_1": np.ones((4, 8)), "W_2": np.zeros((8, 4))}
    >>> W |= {"gain_1": np.ones(4), "gain_2": np.ones(4)}
    >>> d_X, gradients = transformer_block_backward([[1, 2, 3, 4]], W, [[1, 0, 0, 5]])
    >>> d_X
    array([[1., 0., 0., 5.]])
    """
    check.choice("norm", norm, ["before", "after"])
    check.choice("activation", activation, ["relu", "gelu"])
    X, p, mask = _as_block(X, parameters, mask)
    lead = np.broadcast_shapes(X.shape[:-2], () if mask is None else mask.shape[:-3])
    X_all = np.broadcast_to(X, (*lead, *X.shape[-2:]))
    d_output = _as_d_output(check.as_floats(d_output=d_output)[0].astype(X.dtype), X_all.shape)
    steps = _transformer_block(X_all, p, mask, norm, activation)
    d_X, gradients = _transformer_block_backward(steps, p, d_output, norm, activation)
    return _sum_to(d_X, X.shape), gradients


@ignore_overflow
def _transformer_block_backward(
    s: Steps, p: Arrays, d_output: Array, norm: str = "before", activation: str = "relu"
) -> tuple[Array, Parameters]:
    """Compute `transformer_block_backward` from the steps of the way forward."""
    before, d = norm == "before", dict[str, Array]()
    d_T = d_output if before else _norm_backward(s.T, p, d_output, "_2", d)
    d_B = _feed_forward_backward(s, p, d_T, d, activation)
    d_H = d_T + (_norm_backward(s.H, p, d_B, "_2", d) if before else d_B)
    d_S = d_H if before else _norm_backward(s.S, p, d_H, "_1", d)
    d_A = _heads_backward(s, p, d_S, d)
    d_X = d_S + (_norm_backward(s.X, p, d_A, "_1", d) if before else d_A)
    return d_X, {name: d[name] for name in p}


def _norm_backward(X: Array, p: Arrays, d_Y: Array, which: str, d: Parameters) -> Array:
    """Return the gradient of the input of a norm; write those of its parameters into `d`."""
    gain, bias = f"gain{which}", f"bias{which}"
    if bias in p:
        d_X, d[gain], d[bias] = _layer_norm_backward(X, d_Y, p[gain])
    else:
        d_X, d[gain] = _rms_norm_backward(X, d_Y, p[gain])
    return d_X


def _feed_forward_backward(
    s: Steps, p: Arrays, d_output: Array, d: Parameters, activation: str
) -> Array:
    """Return the gradient of `B`; write those of the network's parameters into `d`."""
    d_hidden = (d_output @ p["W_2"].T) * _slope(s, p, activation)  # (..., n, d_h)
    d["W_2"], d["b_2"] = _sum(s.hidden, d_output), _over_rows(d_output)
    d["W_1"], d["b_1"] = _sum(s.B, d_hidden), _over_rows(d_hidden)
    return d_hidden @ p["W_1"].T


def _slope(s: Steps, p: Arrays, activation: str) -> Array | Mask:
    """Return how fast each number of the hidden layer grows with what it was made of."""
    if activation == "relu":
        return s.hidden > 0
    X = s.B @ p["W_1"] + p.get("b_1", 0)  # (..., n, d_h): computed again, for it was not kept
    bell = np.exp(-(X**2) / 2) / math.sqrt(2 * math.pi)
    return _below(X) + X * bell


def _heads_backward(s: Steps, p: Arrays, d_output: Array, d: Parameters) -> Array:
    """Return the gradient of `A`; write those of the heads' parameters into `d`."""
    (h, _, d_k), g = p["W_q"].shape, len(p["W_k"])
    d["W_o"], d["b_o"] = _sum(s.heads, d_output), _over_rows(d_output)
    d_heads = _split_heads(d_output @ p["W_o"].T, h)  # (..., h, n, d_v)
    d_weights = d_heads @ _share(s.V, h).mT  # (..., h, n, n)
    d_scores = _softmax_backward(s.weights, d_weights) / math.sqrt(d_k)
    d_Q = d_scores @ _share(s.K, h)  # (..., h, n, d_k)
    d_K, d_V = _unshare(d_scores.mT @ s.Q, g), _unshare(s.weights.mT @ d_heads, g)
    d_A = np.zeros_like(s.A)
    for key, gradient in (("q", d_Q), ("k", d_K), ("v", d_V)):
        rows, W = _merge_heads(gradient), p[f"W_{key}"]  # (..., n, h * d_k), (h, d, d_k)
        d[f"W_{key}"] = _split_heads(_sum(s.A, rows), len(W))  # (h, d, d_k)
        d[f"b_{key}"] = _over_rows(rows).reshape(len(W), -1)  # (h, d_k)
        d_A += rows @ _merge_heads(W).T
    return d_A


def _unshare(d_K: Array, g: int) -> Array:
    """Sum the gradients of the heads that share a head of keys or values: h of them to g."""
    h, *rest = d_K.shape[-3:]
    return d_K if g == h else d_K.reshape(*d_K.shape[:-3], g, h // g, *rest).sum(axis=-3)


def decoder_gradients(
    tokens: ArrayLike, parameters: Mapping[str, ArrayLike], answers: ArrayLike
) -> tuple[float, Parameters]:
    """Measure how unlikely a decoder finds the right next tokens, and which way is down.

    Parameters
    ----------
    tokens, parameters : array_like of int, mapping
        The inputs of `decoder_logits`.
    answers : array_like of int, shape (..., n)
        What comes next after each token, or -1 where that does not count (padding).

    Returns
    -------
    loss : float
        The mean cross-entropy of the answers that count, in nats.
    gradients : dict of ndarray
        How the loss changes with each parameter, under the same names.

    Examples
    --------
    >>> from attention_lib.next_token import start_decoder
    >>> parameters = start_decoder(np.random.default_rng(0), tokens=5, places=8, d=4, heads=2)
    >>> loss, gradients = decoder_gradients([0, 3, 1], parameters, answers=[3, 1, -1])
    >>> gradients.keys() == parameters.keys()
    True
    """
    p = _as_decoder(parameters)
    numbers, right = _as_tokens("tokens", tokens, p), _as_tokens("answers", answers, p, least=-1)
    reason = "each token has one answer, or -1"
    check.require(right.shape == numbers.shape, reason, tokens=numbers, answers=right)
    if not np.any(right >= 0):
        raise ValueError("the loss is a mean over answers, but there are none")
    return _decoder_gradients(numbers, p, right)


def _decoder_gradients(tokens: Integers, p: Arrays, answers: Integers) -> tuple[float, Parameters]:
    """Compute `decoder_gradients` of arrays that fit each other."""
    logits, steps = _decoder(tokens, p)
    counts, d_logits = answers >= 0, np.zeros_like(logits)
    loss, d_logits[counts] = _cross_entropy(logits[counts], answers[counts])
    X, d = steps[-1].output, {"U": _sum(_norm(steps[-1].output, p, ""), d_logits)}
    d_X = _norm_backward(X, p, d_logits @ p["U"].T, "", d)
    blocks: list[Parameters] = []
    for step, layer in zip(reversed(steps), reversed(_layers(p)), strict=True):
        d_X, gradients = _transformer_block_backward(step, layer, d_X)
        blocks.insert(0, gradients)
    d |= {name: np.stack([block[name] for block in blocks]) for name in blocks[0]}
    d |= _embedding_backward(tokens, p, d_X)
    return loss, {name: d[name] for name in p}


def _embedding_backward(tokens: Integers, p: Arrays, d_X: Array) -> Parameters:
    """Return the gradients of E and P: the sums over where a token and a place were used."""
    d_E = np.zeros_like(p["E"])
    np.add.at(d_E, tokens, d_X)
    if "P" not in p:
        return {"E": d_E}
    d_P, n = np.zeros_like(p["P"]), tokens.shape[-1]
    d_P[:n] = d_X.reshape(-1, *d_X.shape[-2:]).sum(axis=0)
    return {"E": d_E, "P": d_P}
