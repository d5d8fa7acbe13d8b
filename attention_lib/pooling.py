r"""Looking things up: exactly, softly, in oneself, and by distance.

All are one formula, :math:`\sum_j \alpha(q, k_j)\, v_j`, with different weights. See the chapters
"Queries, keys and values", "The general formula" and "Self-attention".
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Mask, Numbers, shapes, takes
from attention_lib.scores import _log_gaussian, _scaled_dot_score, gaussian_kernel, scaled_dot_score
from attention_lib.weights import _shares, _softmax, _visible

Value = TypeVar("Value")
Score: TypeAlias = Callable[[Array, Array], Array]  # (Q, K) to scores (..., n, m)
Kernel: TypeAlias = Callable[..., Array]  # (Q, K, width=…) to similarities >= 0 (..., n, m)


def lookup(query: Hashable, keys: Sequence[Hashable], values: Sequence[Value]) -> Value:
    """Return the value whose key equals the query: what a database does.

    ``values[j]`` is stored under ``keys[j]``: strings, numbers, tuples … A missing key raises
    ``KeyError``, and none may equal the query twice, or the answer would not be unique.

    Examples
    --------
    >>> lookup("Li", keys=["Zhang", "Lipton", "Li"], values=["Aston", "Zachary", "Mu"])
    'Mu'
    """
    if len(keys) != len(values):
        raise ValueError(
            f"each key needs one value, but there are {len(keys)} keys and {len(values)} values"
        )
    for key in (query, *keys):
        if not isinstance(key, Hashable):
            raise TypeError(
                "an exact look-up compares whole keys, so query and keys must be hashable "
                f"(a string, a number, a tuple), but one is a {type(key).__name__}"
            )
    places = [j for j, key in enumerate(keys) if key == query]
    if not places:
        raise KeyError(f"no key equals {query!r}: an exact look-up finds all or nothing")
    if len(places) > 1:
        raise ValueError(f"{query!r} is the key at places {places}: which value is meant?")
    return values[places[0]]


@takes("Q: ... n d_q, K: ... m d_k, V: ... m d_v")
def attention(
    Q: Numbers,
    K: Numbers,
    V: Numbers,
    *,
    score: Score = scaled_dot_score,
    mask: ArrayLike | None = None,
    causal: bool = False,
) -> tuple[Array, Array]:
    r"""Look up each query among the keys and average the values it finds.

    Computes :math:`\mathrm{softmax}(\mathrm{score}(Q, K))\, V`: ``V[j]`` is stored under ``K[j]``.
    Returns the output, (..., n, d_v), and the weights, (..., n, m). Each row of these sums to 1, or
    to 0 where the query may look at nothing.

    Parameters
    ----------
    score : callable
        Maps ``(Q, K)`` to scores of shape (..., n, m). The dot product wants d_q = d_k.
    mask : array_like of bool, shape (..., n, m), optional
        True where query ``i`` may look at key ``j``. Default: everywhere.
    causal : bool
        Also hide keys ``j > i``, as ``causal_mask(n, m)`` does. Where the keys of earlier words
        come from a cache, the mask to pass is ``causal_mask(n, m, align="end")``.

    Examples
    --------
    A query that points straight at key 0 reads value 0:

    >>> output, weights = attention([[50, 0]], K=[[1, 0], [0, 1]], V=[[10], [20]])
    >>> output.round(3)
    array([[10.]])
    """
    check.function("score", score, "Q, K", "dot_score")
    seen = _visible(mask, causal, check.pairs(Q, K, V))

    def checked(Q: Array, K: Array) -> Array:
        scores = _one_per_pair("score(Q, K)", score(Q.copy(), K.copy()), Q, K)
        lead = check.leading(scores=scores, V=V)
        check.as_mask(seen, (*lead, *scores.shape[-2:]))
        return scores

    return _attention(Q, K, V, seen, checked)


@takes("Q: ... n d_k, K: ... m d_k, V: ... m d_v")
def attention_with_bias(
    Q: Numbers,
    K: Numbers,
    V: Numbers,
    *,
    bias: ArrayLike,
    mask: ArrayLike | None = None,
    causal: bool = False,
) -> tuple[Array, Array]:
    r"""Look up each query among the keys, with something added to every score.

    Computes :math:`\mathrm{softmax}(QK^\top/\sqrt{d_k} + B)\, V` with a `bias` B, (..., n, m); the
    rest is as in `attention`. The last query of `alibi_bias` stands at the last key: if n is not
    m, the mask has to say so, and `causal` is refused.

    Examples
    --------
    >>> output, weights = attention_with_bias([[1]], K=[[1], [1]], V=[[10], [20]], bias=[[0, 1]])
    >>> weights.round(3)
    array([[0.269, 0.731]])
    """
    if np.asarray(bias).dtype.kind == "b":
        raise TypeError("bias is added to the scores, but is boolean: a mask goes in as mask=…")
    Q, K, V, B = check.as_floats(Q=Q, K=K, V=V, bias=bias)
    check.per_pair("bias", B, check.pairs(Q, K, V))
    if causal and Q.shape[-2] != K.shape[-2]:
        reason = (
            "causal=True puts query 0 at key 0, but alibi_bias the last query at the last key: "
            "pass mask=causal_mask(n, m, align=…)"
        )
        check.require(False, reason, Q=Q, K=K)
    seen = _visible(mask, causal, check.pairs(Q, K, V, B))
    return _attention(Q, K, V, seen, lambda Q, K: _scaled_dot_score(Q, K) + B)


def _roomy(Q: Array, K: Array) -> tuple[Array, Array]:
    """Return queries and keys in a dtype with room for their scores: −inf would pass for hidden."""
    wide: np.dtype[Any] = np.promote_types(Q.dtype, np.float32)  # float16 ends at 65504
    Q, K = Q.astype(wide, copy=False), K.astype(wide, copy=False)
    most = float(np.vdot(Q, Q)) * float(np.vdot(K, K))  # no score has a larger square
    if most >= float(np.finfo(wide).max):
        return Q.astype(np.float64), K.astype(np.float64)
    return Q, K


def _attention(
    Q: Array, K: Array, V: Array, mask: Mask | None = None, score: Score = _scaled_dot_score
) -> tuple[Array, Array]:
    """Compute `attention` of arrays that fit each other."""
    scores = score(*_roomy(Q, K))  # (..., n, m)
    weights = _softmax(scores, mask)  # (..., n, m)
    output = _times(weights, V)  # (..., n, d_v)
    return output.astype(V.dtype, copy=False), weights.astype(V.dtype, copy=False)


def _times(weights: Array, V: Array) -> Array:
    """Return ``weights @ V``; a weight of 0 takes nothing, not even from NaN or infinity."""
    output: Array = weights @ V
    if np.isfinite(output).all():
        return output
    bad = ~np.isfinite(V).all(axis=(*range(V.ndim - 2), -1))  # (m,)
    taken = weights[..., bad, None]  # (..., n, few, 1)
    terms = np.where(taken == 0, 0, taken * V[..., None, bad, :])  # (..., n, few, d_v)
    return weights[..., ~bad] @ V[..., ~bad, :] + terms.sum(axis=-2)


def _one_per_pair(call: str, answer: ArrayLike, Q: Array, K: Array) -> Array:
    """Read the result of a score or a kernel, in the dtype of `Q`: one number per pair."""
    if answer is None or isinstance(answer, tuple):  # of arrays that would become a batch
        gave = "None: end it with return" if answer is None else "a tuple"
        raise TypeError(f"{call} must give one array, but gave {gave}")
    (scores,) = check.as_floats(scores=answer)
    *lead, n, m = check.pairs(Q, K)
    shape = check.joint_shape(scores.shape, (*lead, 1, 1))
    if shape is None or scores.shape[-2:] != (n, m):
        raise ValueError(
            f"{call} must give one number per query and key, shape (..., {n}, {m}), "
            f"but gave shape {scores.shape} for Q of shape {Q.shape} and K of shape {K.shape}"
        )
    return np.broadcast_to(scores, shape).astype(Q.dtype, copy=False)


@takes("X: ... n d, W_q: ... d d_k, W_k: ... d d_k, W_v: ... d d_v")
def self_attention(
    X: Numbers, W_q: Numbers, W_k: Numbers, W_v: Numbers, *, mask: ArrayLike | None = None
) -> tuple[Array, Array]:
    r"""Let every row of `X`, a word, look at every row of `X`, through learned projections.

    With :math:`Q = XW_q,\ K = XW_k,\ V = XW_v` the output is
    :math:`\mathrm{softmax}(QK^\top/\sqrt{d_k})\,V`.

    The matrices are learned: what each word looks for, what it can be found by, what it passes on.
    Row ``i`` of the output, (..., n, d_v), is word ``i`` in the light of the others; that of the
    weights, (..., n, n), says how much it looks at each word. The mask is that of `attention`.

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
    seen = check.as_mask(mask, check.pairs(X, X, W_q, W_k, W_v))
    Q, K, V = X @ W_q, X @ W_k, X @ W_v  # (..., n, d_k) twice, (..., n, d_v)
    return _attention(Q, K, V, seen)


def kernel_regression(
    x: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    *,
    kernel: Kernel = gaussian_kernel,
    width: ArrayLike = 1.0,
) -> tuple[Array, Array]:
    r"""Predict at `x` by averaging the values of nearby keys (Nadaraya–Watson).

    The weights are :math:`\kappa(x, k_j) / \sum_l \kappa(x, k_l)` with a kernel :math:`\kappa` that
    falls with distance. The Gaussian is never 0: far from all keys, the nearest one answers. Where
    another kernel, or your own, is 0 for every key, so are weights and output.

    Returns the predictions, (..., n) or (..., n, d_v), and the weights, (..., n, m), both without
    the axis n if `x` is a single number.

    Parameters
    ----------
    x, keys, values : array_like
        Where to predict, (..., n) or (), where something is known, (m,), and what, (m,): numbers,
        or vectors with one axis more.
    kernel : callable
        Maps ``(Q, K, width)`` to similarities of shape (..., n, m).
    width : array_like
        How far "nearby" reaches: a number, or shape (m,) for one per key, (n, 1) for one per query.

    Examples
    --------
    >>> output, weights = kernel_regression(3.5, [3.4, 3.6, 2.0], [40, 60, 10], width=0.1)
    >>> float(output)
    50.0
    >>> weights.round(2)
    array([0.5, 0.5, 0. ])
    """
    Q, K, V = _as_rows(x, keys, values)
    check.function("kernel", kernel, "Q, K, width", "gaussian_kernel")
    with np.errstate(over="ignore", invalid="ignore"):
        weights = _kernel_weights(kernel, Q, K, width)  # (..., n, m)
        check.leading(weights=weights, values=V)
        output = _times(weights, V)  # (..., n, d_v)
    if np.ndim(x) == 0:
        output, weights = output[..., 0, :], weights[..., 0, :]
    return output if np.ndim(values) > 1 else output[..., 0], weights


def _as_rows(x: ArrayLike, keys: ArrayLike, values: ArrayLike) -> tuple[Array, ...]:
    """Read points, keys and values; numbers become vectors of length 1."""
    x, keys, values = check.as_floats(x=x, keys=keys, values=values)
    Q, K = (x, keys) if keys.ndim > 1 else (np.atleast_1d(x)[..., None], keys[..., None])
    V = values if values.ndim > 1 else values[..., None]
    reason = "each key needs one value, so keys and values need the same number of rows"
    fits = K.ndim > 1 and V.ndim > 1 and K.shape[-2] == V.shape[-2]
    check.require(fits, reason, keys=keys, values=values)
    check.leading(keys=K, values=V)
    return *shapes("x: ... n d", Q), K, V


def _kernel_weights(kernel: Kernel, Q: Array, K: Array, width: ArrayLike) -> Array:
    """Return each key's share of the kernel."""
    if kernel is gaussian_kernel:  # never 0, only too small to be written down
        shapes("Q: ... n d_k, K: ... m d_k", Q, K)
        logarithms = _log_gaussian(Q.astype(np.float64), K.astype(np.float64), width)
        return _softmax(logarithms).astype(Q.dtype)
    answer = kernel(Q.copy(), K.copy(), width=width)
    similarities = _one_per_pair("kernel(Q, K, width)", answer, Q, K)  # (..., n, m)
    if (similarities < 0).any():
        raise ValueError(
            "weights are shares of similarities, so none may be negative, "
            f"but kernel(Q, K, width) gave {np.nanmin(similarities):.3g}"
        )
    return _shares(similarities)
