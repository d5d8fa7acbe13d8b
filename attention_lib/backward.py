"""Which way is up? Backward passes by hand, of attention and of a decoder, and a numeric check.

Each function takes how the loss changes with the output of a part, `d_output`, and returns how it
changes with the input and with each parameter. What is added on the way forward gets the gradient
twice on the way back: once past the part, once through it. See the chapters "How attention learns"
and "The whole Transformer".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Integers, Mask, Numbers, ignore_overflow, takes
from attention_lib.multi_head import _merge_heads, _product, _share, _split_heads
from attention_lib.pooling import _roomy, _times
from attention_lib.scores import _scaled_dot_score
from attention_lib.transformer import (
    Arrays,
    Steps,
    _as_decoder,
    _as_eps,
    _as_tokens,
    _centred,
    _decoder,
    _layers,
    _norm,
    _shrunk,
    _size,
)
from attention_lib.weights import _softmax, _visible

Function: TypeAlias = Callable[[Array], ArrayLike]
Parameters: TypeAlias = dict[str, Array]


def softmax_backward(weights: ArrayLike, d_weights: ArrayLike) -> Array:
    r"""Carry a gradient back through a softmax, from its weights to its scores.

    The Jacobian of softmax is :math:`\mathrm{diag}(w) - ww^\top`, so
    :math:`\mathrm{d}x_j = w_j\,(\mathrm{d}w_j - \sum_l w_l\,\mathrm{d}w_l)`. Where one weight has
    everything, that is 0: a saturated softmax does not learn. A weight of exactly 0 (a hidden key)
    passes nothing on.

    `weights`, (..., m), are the result of a softmax; `d_weights` is how the loss changes with each.

    Examples
    --------
    >>> softmax_backward([0.5, 0.5], [1, 0])
    array([ 0.25, -0.25])
    >>> softmax_backward([1, 0], [-5, 7])
    array([0., 0.])
    """
    weights, d_weights = check.as_floats(weights=weights, d_weights=d_weights)
    reason = "each weight needs one gradient, so both need the same shape"
    check.require(weights.shape == d_weights.shape, reason, weights=weights, d_weights=d_weights)
    sums = weights.sum(axis=-1, dtype=np.float64)
    if (weights < 0).any() or (sums > 1.01).any():  # rounded sums of small dtypes included
        raise ValueError(
            "weights are the result of a softmax, so none is negative and they sum to 1 at most, "
            f"but one is {np.nanmin(weights):.3g} or some sum to {np.nanmax(sums):.3g}"
        )
    return _softmax_backward(weights, d_weights)


def _softmax_backward(weights: Array, d_weights: Array) -> Array:
    """Compute `softmax_backward` of arrays that fit each other."""
    d_weights = np.where(weights == 0, 0, d_weights)
    mean = (weights * d_weights).sum(axis=-1, keepdims=True)  # (..., 1)
    return np.where(weights == 0, 0, weights * (d_weights - mean))  # (..., m)


@takes("Q: ... n d_k, K: ... m d_k, V: ... m d_v, d_output: ... rows columns")
def attention_backward(
    Q: Numbers,
    K: Numbers,
    V: Numbers,
    d_output: Numbers,
    *,
    mask: ArrayLike | None = None,
    causal: bool = False,
) -> tuple[Array, Array, Array]:
    r"""Carry a gradient back through ``attention(Q, K, V, mask=mask)`` with its scaled dot product.

    With :math:`S = QK^\top/\sqrt{d_k}` and :math:`W = \mathrm{softmax}(S)`:
    :math:`\mathrm{d}V = W^\top\mathrm{d}O`, :math:`\mathrm{d}W = \mathrm{d}O\,V^\top`, then through
    the softmax to :math:`\mathrm{d}S`, and :math:`\mathrm{d}Q = \mathrm{d}S\,K/\sqrt{d_k}`,
    :math:`\mathrm{d}K = \mathrm{d}S^\top Q/\sqrt{d_k}`.

    `d_output` says how the loss changes with each number of the output, whose shape it has; `mask`
    and `causal` are those of `attention`. The results have the shapes of `Q`, `K` and `V`.

    Examples
    --------
    >>> d_Q, d_K, d_V = attention_backward([[0]], K=[[1], [2]], V=[[5], [7]], d_output=[[1]])
    >>> d_V  # the weights
    array([[0.5],
           [0.5]])
    """
    seen = _visible(mask, causal, check.pairs(Q, K, V))
    d_output = _as_d_output(d_output, _shape_of_output(Q, K, V, seen))
    gradients = _weights_backward(Q, K, V, d_output, seen)
    d_Q, d_K, d_V = (_sum_to(d, x.shape) for d, x in zip(gradients, (Q, K, V), strict=True))
    return d_Q, d_K, d_V


def _shape_of_output(Q: Array, K: Array, V: Array, mask: Mask | None) -> tuple[int, ...]:
    """Return the shape of the output of attention."""
    batches = [Q, K, V] if mask is None else [Q, K, V, np.atleast_2d(mask)]
    lead = np.broadcast_shapes(*(array.shape[:-2] for array in batches))
    return *lead, Q.shape[-2], V.shape[-1]


def _as_d_output(d_output: Array, shape: tuple[int, ...]) -> Array:
    """Return one gradient for each number of an output of this shape; batches may share them."""
    if check.joint_shape(d_output.shape, shape) != shape or d_output.shape[-2:] != shape[-2:]:
        raise ValueError(
            f"d_output needs the shape of the output, {shape}, but has shape {d_output.shape}"
        )
    return np.broadcast_to(d_output, shape)


def _weights_backward(
    Q: Array, K: Array, V: Array, d_output: Array, mask: Mask | None
) -> list[Array]:
    """Compute `attention_backward` of arrays that fit, with all leading axes in every gradient."""
    Q, K = _roomy(Q, K)
    weights = _softmax(_scaled_dot_score(Q, K), mask)  # (..., n, m)
    if mask is not None:
        weights = np.where(mask, weights, 0)  # also in rows of NaN
    gradients = _attention_backward(Q, K, V, weights, d_output)
    return [gradient.astype(V.dtype, copy=False) for gradient in gradients]


def _attention_backward(
    Q: Array, K: Array, V: Array, weights: Array, d_output: Array
) -> tuple[Array, Array, Array]:
    """Return the gradients of Q, K and V, where the weights are known from the way forward."""
    d_weights = d_output @ V.mT  # (..., n, m)
    d_scores = _softmax_backward(weights, d_weights) / math.sqrt(K.shape[-1])
    d_Q = _times(d_scores, K)  # (..., n, d_k)
    d_K = _times(d_scores.mT, Q)  # (..., m, d_k)
    d_V = _times(weights.mT, d_output)  # (..., m, d_v)
    return d_Q, d_K, d_V


def _sum_to(gradient: Array, shape: tuple[int, ...]) -> Array:
    """Sum over the axes along which an input of `shape` was broadcast: it was used that often."""
    gradient = gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))
    repeated = tuple(axis for axis, size in enumerate(shape) if size == 1)
    return gradient.sum(axis=repeated, keepdims=True)


def numeric_gradient(function: Function, x: ArrayLike, step: float | None = None) -> Array:
    r"""Measure a gradient: nudge each number of `x` both ways and see what changes.

    Entry ``[..., i]`` of the result is :math:`\partial f / \partial x_i`, where `function` maps an
    array shaped like `x`, in float64, to a number or to an array. Too large a `step` blurs the
    slope, too small a one drowns it in rounding. Default: 1e-6, or 1e-6 of a number larger than 1.

    Examples
    --------
    >>> numeric_gradient(lambda x: (x**2).sum(), [1, 2, 3]).round(6)
    array([2., 4., 6.])
    """
    check.function("function", function, "x", "np.sum")
    (x,) = check.as_floats(x=x)
    x = x.astype(np.float64)
    length = 1e-6 if step is None else check.as_size("step", step)
    shape = _as_value(function(x.copy())).shape
    slopes = np.empty((*shape, *x.shape))
    for index in np.ndindex(x.shape):
        scale = max(1.0, abs(float(x[index]))) if step is None else 1.0
        slopes[(..., *index)] = _slope(function, x, index, length * scale)
    return slopes


def _slope(function: Function, x: Array, index: tuple[int, ...], step: float) -> Array:
    """Measure how the result changes with one number of `x`."""
    above, below = x.copy(), x.copy()
    above[index] += step
    below[index] -= step
    distance = above[index] - below[index]  # not quite 2 * step, because of rounding
    if distance == 0:
        raise ValueError(f"step {step:g} does not change x = {x[index]:g}: take a larger one")
    higher, lower = (_as_value(function(place)) for place in (above, below))
    _check_step(higher, step)
    return np.subtract(higher, lower, dtype=np.float64) / distance


def _as_value(result: Any) -> Array:
    """Read what a function returned whose slopes are measured: a number, or one array of them."""
    if isinstance(result, tuple):  # its parts may go together, but are not one
        raise TypeError("function must return a number or one array of numbers, not a tuple")
    (value,) = check.as_floats(**{"function(x)": result})
    return value.copy()  # the function may write its next result into the same array


def _check_step(value: Array, step: float) -> None:
    """Require results in a dtype that shows what a step of this length changes."""
    eps = float(np.finfo(value.dtype).eps)
    if value.dtype.itemsize < 8 and step < eps**0.5:
        raise ValueError(
            f"function rounds its result to {value.dtype}, which drowns a step of {step:g}: "
            f"compute in float64, or take step={eps ** (1 / 3):.1g}"
        )


def _sum(X: Array, d_Y: Array) -> Array:
    """Return the gradient of W where Y = X @ W, summed over all rows of all examples."""
    return _product(X.reshape(-1, X.shape[-1]).T, d_Y.reshape(-1, d_Y.shape[-1]))


def cross_entropy(logits: ArrayLike, answers: ArrayLike) -> tuple[float, Array]:
    r"""Measure how unlikely the right answers are: the mean of :math:`-\log` of their softmax.

    `logits`, (..., c), are one score for each of c possible answers; `answers`, (...), are the
    right ones, from 0 to c - 1. The loss is log(c) if all answers are equally likely, and infinite
    if a right one is impossible (a score of −inf). Returns it, and how it changes with each score:
    probability minus one-hot, over the number of answers.

    Examples
    --------
    >>> loss, d_logits = cross_entropy(np.array([[0.0, 0.0]]), np.array([1]))
    >>> round(loss, 3)  # log(2)
    0.693
    >>> d_logits
    array([[ 0.5, -0.5]])
    """
    return _cross_entropy(*_check_answers(logits, answers))


def _check_answers(logits: ArrayLike, answers: ArrayLike) -> tuple[Array, Integers]:
    (logits,), answers = check.as_floats(logits=logits), check.as_integers("answers", answers)
    fits = logits.ndim > 0 and answers.shape == logits.shape[:-1]
    reason = "each row of scores has one right answer"
    check.require(fits, reason, logits=logits, answers=answers)
    if answers.size == 0:
        reason = "the loss is a mean over answers, but there are none"
        raise ValueError(f"{reason}: {check.shapes_of(logits=logits)}")
    last = logits.shape[-1] - 1
    check.require(last >= 0, "each row needs at least one possible answer", logits=logits)
    check.within("answers", answers, 0, last)
    return logits, answers


@ignore_overflow
def _cross_entropy(logits: Array, answers: Integers) -> tuple[float, Array]:
    """Compute `cross_entropy` of arrays that fit each other, the loss in float64."""
    peak = logits.max(axis=-1, keepdims=True, initial=np.finfo(logits.dtype).min)
    shifted = logits - peak.astype(np.float64)  # (..., c), at most 0
    total = np.exp(shifted).sum(axis=-1, keepdims=True)  # (..., 1), 0 if nothing is possible
    chosen = np.take_along_axis(shifted, answers[..., None], axis=-1)  # (..., 1)
    loss = (np.log(np.where(total == 0, 1, total)) - chosen).mean()
    d_logits = _softmax(logits)  # (..., c)
    right = np.take_along_axis(d_logits, answers[..., None], axis=-1)  # (..., 1)
    np.put_along_axis(d_logits, answers[..., None], right - 1, axis=-1)
    return float(loss), d_logits / answers.size


@takes("X: ... d, d_output: ... length, gain?: d")
def rms_norm_backward(
    X: Numbers, d_output: Numbers, gain: Numbers = None, *, eps: float = 1e-5
) -> tuple[Array, Array]:
    r"""Carry a gradient back through ``rms_norm(X, gain, eps=eps)``.

    With :math:`N` the normalised vectors, :math:`s` their former sizes and
    :math:`\mathrm{d}N = \mathrm{d}Y\,g`, each vector gets
    :math:`(\mathrm{d}N - N\,\mathrm{mean}(N\,\mathrm{d}N))\,/\,s`.

    `d_output` says how the loss changes with each number of the output, whose shape it has.

    Examples
    --------
    A norm does not feel how long a vector is, so its gradient stands at a right angle to it:

    >>> d_X, d_gain = rms_norm_backward([[3, 4]], [[1, 0]], eps=0)
    >>> print(d_X.round(3), (d_X @ [3, 4]).round(6))
    [[ 0.181 -0.136]] [0.]
    """
    d_Y, stretch = _as_d_output(d_output, X.shape), 1 if gain is None else gain
    return _rms_norm_backward(X, d_Y, stretch, _as_eps(eps, X))


def _rms_norm_backward(
    X: Array, d_Y: Array, gain: Array | float, eps: Array | float = 1e-5
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


def _block_backward(s: Steps, p: Arrays, d_output: Array) -> tuple[Array, Parameters]:
    """Return the gradients of a block's input and parameters, from the steps of the way forward."""
    d = dict[str, Array]()
    d_B = _feed_forward_backward(s, p, d_output, d)
    first, second = _centred(p)
    d_S = d_output + _norm_backward(s.S, p, d_B, "_2", second, d)
    d_A = _heads_backward(s, p, d_S, d)
    d_X = d_S + _norm_backward(s.X, p, d_A, "_1", first, d)
    return d_X, {name: d[name] for name in p}


def _norm_backward(
    X: Array, p: Arrays, d_Y: Array, which: str, centred: bool, d: Parameters
) -> Array:
    """Return the gradient of the input of a norm; write those of its parameters into `d`."""
    if centred:  # a layer norm takes the mean away before, an RMS norm does not
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
    h, g = len(p["W_q"]), len(p["W_k"])
    d["W_o"], d["b_o"] = _sum(s.heads, d_output), _over_rows(d_output)
    d_heads = _split_heads(d_output @ p["W_o"].T, h)  # (..., h, n, d_v)
    K, V = _share(s.K, h), _share(s.V, h)  # (..., h, n, d_k or d_v)
    d_Q, d_K, d_V = _attention_backward(s.Q, K, V, s.weights, d_heads)
    d_K, d_V = _unshare(d_K, g), _unshare(d_V, g)
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

    Tokens and parameters are those of `decoder_logits`; the `answers`, (..., n), are what comes
    next after each token, or -1 where that does not count (padding). Returns the mean cross-entropy
    of those that count, in nats, and how it changes with each parameter, under the same names.

    Examples
    --------
    >>> from attention_lib import start_decoder
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


@ignore_overflow
def _decoder_gradients(tokens: Integers, p: Arrays, answers: Integers) -> tuple[float, Parameters]:
    """Compute `decoder_gradients` of arrays that fit each other."""
    logits, steps = _decoder(tokens, p)
    counts, d_logits = answers >= 0, np.zeros_like(logits)
    loss, d_logits[counts] = _cross_entropy(logits[counts], answers[counts])
    X, centred = steps[-1].output, "bias" in p
    d = {"U": _sum(_norm(X, p, "", centred), d_logits)}
    d_X = _norm_backward(X, p, d_logits @ p["U"].T, "", centred, d)
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
