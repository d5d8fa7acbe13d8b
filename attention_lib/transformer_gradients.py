"""The backward pass of a whole Transformer by hand, part by part, from the last to the first.

Each function takes how the loss changes with the output of a part, `d_output`, and returns how it
changes with the input and with each parameter. What is added on the way forward gets the gradient
twice on the way back: once past the part, once through it. The blocks are those of
`decoder_logits`, with their norms before and ReLU.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Integers, ignore_overflow, shapes
from attention_lib.gradients import _as_d_output, _softmax_backward
from attention_lib.multi_head import _merge_heads, _share, _split_heads
from attention_lib.training import Parameters, _cross_entropy, _sum
from attention_lib.transformer import (
    Arrays,
    Steps,
    _as_decoder,
    _as_eps,
    _as_tokens,
    _decoder,
    _layers,
    _norm,
    _product,
    _shrunk,
    _size,
)


def rms_norm_backward(
    X: ArrayLike, d_output: ArrayLike, gain: ArrayLike | None = None, *, eps: float = 1e-5
) -> tuple[Array, Array]:
    r"""Carry a gradient back through ``rms_norm(X, gain, eps=eps)``.

    With :math:`N` the normalised vectors, :math:`s` their former sizes and
    :math:`\mathrm{d}N = \mathrm{d}Y\,g`, each vector gets
    :math:`(\mathrm{d}N - N\,\mathrm{mean}(N\,\mathrm{d}N))\,/\,s`.

    Parameters
    ----------
    X, gain, eps : array_like, array_like, float
        The inputs of `rms_norm`.
    d_output : array_like, shape (..., d)
        How the loss changes with each number of the output.

    Returns
    -------
    d_X, d_gain : ndarray, shapes (..., d) and (d,)
        How the loss changes with each of them.

    Examples
    --------
    A norm does not feel how long a vector is, so its gradient stands at a right angle to it:

    >>> d_X, d_gain = rms_norm_backward([[3, 4]], [[1, 0]], eps=0)
    >>> print(d_X.round(3), (d_X @ [3, 4]).round(6))
    [[ 0.181 -0.136]] [0.]
    """
    X, d_output, gain = shapes("X: ... d, d_output: ... length, gain=1: d", X, d_output, gain)
    return _rms_norm_backward(X, _as_d_output(d_output, X.shape), gain, _as_eps(eps, X))


@ignore_overflow
def _rms_norm_backward(
    X: Array, d_Y: Array, gain: Array, eps: Array | float = 1e-5
) -> tuple[Array, Array]:
    """Compute `rms_norm_backward` of arrays that fit each other."""
    X, eps, scale = _shrunk(X, eps)
    size = _size(X, eps)  # (..., 1)
    N, d_N = X / size, d_Y * gain  # (..., d)
    d_X = (d_N - N * (N * d_N).mean(axis=-1, keepdims=True)) / size
    d_X = (d_X / scale).astype(X.dtype, copy=False)
    return d_X, _over_rows(d_Y * N)


def _over_rows(X: Array) -> Array:
    """Sum all rows: what is shared by them gets the gradients of all."""
    return X.reshape(-1, X.shape[-1]).sum(axis=0)


@ignore_overflow
def _block_backward(s: Steps, p: Arrays, d_output: Array) -> tuple[Array, Parameters]:
    """Return the gradients of a block's input and parameters, from the steps of the way forward."""
    d = dict[str, Array]()
    d_B = _feed_forward_backward(s, p, d_output, d)
    d_S = d_output + _norm_backward(s.S, p, d_B, "_2", d)
    d_A = _heads_backward(s, p, d_S, d)
    d_X = d_S + _norm_backward(s.X, p, d_A, "_1", d)
    return d_X, {name: d[name] for name in p}


def _norm_backward(X: Array, p: Arrays, d_Y: Array, which: str, d: Parameters) -> Array:
    """Return the gradient of the input of a norm; write those of its parameters into `d`."""
    centred = f"bias{which}" in p  # a layer norm takes the mean away before, an RMS norm does not
    if centred:
        X, d[f"bias{which}"] = X - X.mean(axis=-1, keepdims=True), _over_rows(d_Y)
    d_X, d[f"gain{which}"] = _rms_norm_backward(X, d_Y, p[f"gain{which}"])
    return d_X - d_X.mean(axis=-1, keepdims=True) if centred else d_X


def _feed_forward_backward(s: Steps, p: Arrays, d_output: Array, d: Parameters) -> Array:
    """Return the gradient of `B`; write those of the network's parameters into `d`."""
    d_hidden = (d_output @ p["W_2"].T) * (s.hidden > 0)  # (..., n, d_h)
    d["W_2"], d["b_2"] = _sum(s.hidden, d_output), _over_rows(d_output)
    d["W_1"], d["b_1"] = _sum(s.B, d_hidden), _over_rows(d_hidden)
    return _product(d_hidden, p["W_1"].T)


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
        d_X, gradients = _block_backward(step, layer, d_X)
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
