r"""A memory of fixed size instead of a growing cache: linear attention and the delta rule.

Without the softmax, :math:`\phi(q)^\top \phi(k)` times a value can be summed up before any query is
known. Each token then changes one matrix, and the text itself is forgotten. See the chapter "What
came after".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Numbers, takes
from attention_lib.pooling import _times
from attention_lib.weights import causal_mask

Feature: TypeAlias = Callable[[Array], Array]  # rows of length d_k to rows of features >= 0

TOKENS = "Q: ... n d_k, K: ... n d_k, V: ... n d_v"
EACH = "each token has one query, one key and one value, so all need the same number of rows"


@takes("X: ...")
def elu_plus_one(X: Numbers) -> Array:
    r"""Make every number positive: :math:`x + 1` above 0 and :math:`e^x` below.

    The features of the first linear attention. Any function would do that gives no negative number.

    Examples
    --------
    >>> elu_plus_one([-1, 0, 2]).round(3)
    array([0.368, 1.   , 3.   ])
    """
    return np.where(X > 0, X + 1, np.exp(np.minimum(X, 0)))


@takes("Q: ... n d_k, K: ... m d_k, V: ... m d_v")
def linear_attention(
    Q: Numbers, K: Numbers, V: Numbers, *, feature: Feature = elu_plus_one, causal: bool = False
) -> Array:
    r"""Average the values with weights in proportion to :math:`\phi(q)^\top \phi(k)`.

    Computes :math:`\phi(Q)\,(\phi(K)^\top V)` and divides row ``i`` by :math:`\phi(q_i)^\top
    \sum_j \phi(k_j)`, or returns 0 where that is 0. The brackets are the point: nothing here has
    n × m numbers. The `feature` :math:`\phi` maps rows of length d_k to rows without negative
    numbers.

    If `causal`, keys ``j > i`` are hidden, as in `attention`. This parallel form then does need
    n × m numbers (`linear_attention_recurrent` gives the same without), and a feature that is
    rounded to 0, such as that of −800, adds nothing.

    Examples
    --------
    >>> linear_attention([[0]], K=[[0], [2]], V=[[10], [20]])  # features 1, and 1 and 3
    array([[17.5]])
    """
    check.flag("causal", causal)
    if feature is elu_plus_one and not causal:
        largest = K.max(axis=(-2, -1), keepdims=True, initial=np.finfo(K.dtype).min)
        K = K - np.minimum(largest, 0)  # features exp(K): what all share as a factor cancels
    Q, K, V = _relative(_features(feature, Q)), _features(feature, K), _with_ones(V)
    if not causal:
        return _divide(Q @ (K.mT @ V))  # (..., n, d_f) @ (..., d_f, d_v + 1)
    seen = causal_mask(Q.shape[-2], K.shape[-2])
    return _divide(_times(np.where(seen, Q @ K.mT, 0), V))


def _features(feature: Feature, X: Array) -> Array:
    """Read what a feature map gives for `X`: one row for each row, and nothing negative."""
    check.function("feature", feature, "X", "elu_plus_one")
    (read,) = check.as_floats(**{"feature(X)": feature(X.copy())})
    if read.shape[:-1] != X.shape[:-1] or read.shape[-1] == 0:
        raise ValueError(
            "feature(X) must give one row of features for each row of X, "
            f"but gave shape {read.shape} for X of shape {X.shape}"
        )
    if (read < 0).any():
        raise ValueError(
            "weights are products of features, so none may be negative, "
            f"but feature(X) gave {read.min():.3g}"
        )
    return read.astype(X.dtype, copy=False)


def _relative(Q: Array) -> Array:
    """Divide the features of each query by the largest: it cancels, and small ones stay above 0."""
    largest = Q.max(axis=-1, keepdims=True)
    return Q / np.where((largest > 0) & np.isfinite(largest), largest, 1)


def _with_ones(V: Array) -> Array:
    """Put a one after each value: what sums up the values then sums up the weights as well."""
    return np.concatenate([V, np.ones_like(V[..., :1])], axis=-1)


def _divide(sums: Array) -> Array:
    """Divide weighted sums of values by the sum of the weights, which stands in the last column."""
    total = sums[..., -1:]
    return sums[..., :-1] / np.where(total == 0, 1, total)


@takes(TOKENS, n=EACH)
def linear_attention_recurrent(
    Q: Numbers,
    K: Numbers,
    V: Numbers,
    *,
    feature: Feature = elu_plus_one,
    keep: ArrayLike = 1.0,
    state: ArrayLike | None = None,
) -> tuple[Array, Array]:
    r"""Compute causal `linear_attention` token by token, with a memory that does not grow.

    Token ``t`` adds the matrix :math:`\phi(k_t)\,v_t^\top` to the state, (..., d_f, d_v + 1), and
    :math:`\phi(k_t)` to its last column, by which the output is divided. Returns the output,
    (..., n, d_v), and the state after the last token, from which another call reads on.

    From 0 to 1, `keep`, a number or (..., n), is what each token leaves of the state that it finds.

    Examples
    --------
    >>> Q, K, V = np.random.default_rng(0).normal(size=(3, 6, 4))
    >>> output, state = linear_attention_recurrent(Q, K, V)
    >>> np.allclose(output, linear_attention(Q, K, V, causal=True)), state.shape
    (True, (4, 5))
    """
    Q, K = _features(feature, Q), _features(feature, K)
    V = _with_ones(V)
    S, (keep,) = _as_state(state, Q, K, V), _per_token(Q, K, V, keep=keep)
    sums, S = _recur(_relative(Q), K, V, S, keep)
    return _divide(sums), S


@takes(TOKENS, n=EACH)
def delta_rule(
    Q: Numbers,
    K: Numbers,
    V: Numbers,
    *,
    rate: ArrayLike = 1.0,
    keep: ArrayLike = 1.0,
    state: ArrayLike | None = None,
) -> tuple[Array, Array]:
    r"""Read and write a memory that is corrected instead of added to.

    Token ``t`` first asks the state what it holds under its key, and writes only the difference to
    its value: :math:`S \leftarrow S + \beta\, k_t\,(v_t - S^\top k_t)^\top`. Then it reads
    :math:`S^\top q_t`. Keys should have length 1, or at most 1; if they have length 1, a rate of 1
    replaces what was under the key. Returns what the tokens read, (..., n, d_v), and the state,
    (..., d_k, d_v), from which another call reads on.

    From 0 to 1, `rate`, a number or (..., n), is how much of the difference each token writes
    (:math:`\beta`), and `keep` what it leaves of the state that it finds.

    Examples
    --------
    The second value under a key replaces the first:

    >>> output, state = delta_rule([[1, 0], [1, 0]], K=[[1, 0], [1, 0]], V=[[10], [20]])
    >>> output.ravel()
    array([10., 20.])
    """
    S, (keep, rate) = _as_state(state, Q, K, V), _per_token(Q, K, V, keep=keep, rate=rate)
    return _recur(Q, K, V, S, keep, rate)


def _recur(
    Q: Array, K: Array, V: Array, S: Array, keep: Array, rate: Array | None = None
) -> tuple[Array, Array]:
    """Write and read token by token: add ``k vᵀ``, or what is missing of it if there is a rate."""
    output = np.empty((*S.shape[:-2], K.shape[-2], V.shape[-1]), S.dtype)
    for t in range(K.shape[-2]):
        q, k, v = Q[..., t, :, None], K[..., t, :, None], V[..., t, None, :]  # columns, and a row
        S = keep[..., t, None, None] * S  # (..., d_k, d_v)
        S = S + k @ (v if rate is None else rate[..., t, None, None] * (v - k.mT @ S))
        output[..., t, :] = (q.mT @ S)[..., 0, :]
    return output, S


def _as_state(state: ArrayLike | None, Q: Array, K: Array, V: Array) -> Array:
    """Read the memory of a recurrence: zeros by default."""
    lead, shape = check.pairs(Q, K, V)[:-2], (K.shape[-1], V.shape[-1])
    (read,) = check.as_floats(state=np.zeros(shape) if state is None else state)
    fits = read.shape[-2:] == shape and check.joint_shape(read.shape[:-2], lead) == lead
    check.require(fits, f"state must have shape {(*lead, *shape)}, as it was returned", state=read)
    return np.broadcast_to(read, (*lead, *shape)).astype(K.dtype)


def _per_token(Q: Array, K: Array, V: Array, **shares: ArrayLike) -> list[Array]:
    """Read shares: one number from 0 to 1 for each token, or one for all; return one for each."""
    shape = check.pairs(Q, K, V)[:-1]
    for name, value in shares.items():
        share = np.asarray(check.as_numbers(name, value), np.float64)
        if not np.all((share >= 0) & (share <= 1)):
            raise ValueError(f"{name} must lie between 0 and 1, but is {value!r}")
        fits = check.joint_shape(share.shape, shape) == shape
        check.require(
            fits, f"{name} needs shape () or {shape}, one for each token", **{name: share}
        )
    return [np.broadcast_to(np.asarray(share, K.dtype), shape) for share in shares.values()]
