"""Looking inside: all that a model computes, what a head adds, whether it copies.

See the chapter "Looking inside".
"""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Mask, Numbers, ignore_overflow, takes
from attention_lib.multi_head import _hidden, _merge_heads, _product, _share
from attention_lib.pooling import Score, _one_per_pair, _roomy, _times
from attention_lib.scores import _scaled_dot_score, scaled_dot_score
from attention_lib.transformer import (
    Kind,
    _as_decoder,
    _as_tokens,
    _centred,
    _decoder,
    _layers,
    _norm,
    _queries_keys_values,
    _read_off,
)
from attention_lib.weights import _softmax, causal_mask

_EACH = "each weight belongs to one value, so weights need a column for each row of V"


@takes("weights: ... n m, V: ... m d_v, W_o?: ... d_v d_out", m=_EACH)
def value_weighted(weights: Numbers, V: Numbers, W_o: Numbers = None) -> Array:
    r"""Measure how much each token adds to an output: :math:`\alpha_{ij}\,\lVert v_j W_o \rVert`.

    A weight is only a factor, so a large one on a short value adds little; where it is 0 nothing is
    added, whatever the value: shape (..., n, m). `W_o` are the rows of the output projection that
    belong to the head; without them values count as they are.

    Examples
    --------
    >>> value_weighted([[0.9, 0.1]], V=[[0.1, 0], [3, 4]]).round(2)
    array([[0.09, 0.5 ]])
    """
    V = V if W_o is None else V @ W_o  # (..., m, d_out)
    lengths = np.linalg.norm(V, axis=-1)[..., None, :]  # (..., 1, m)
    return np.where(weights == 0, 0, weights * lengths)  # (..., n, m)


@takes("weights: ... n n", n="every token looks at every token")
def induction_score(weights: Numbers, tokens: Sequence[Hashable]) -> Array:
    """Measure how much of its weight a head gives to what followed earlier copies of a token.

    The mean over all tokens that have come before; each gives the sum of its weights on the tokens
    right after its earlier copies. From 0 to 1 for each head; 0 if no token comes twice. The n
    `tokens` are strings or numbers.

    Examples
    --------
    >>> float(induction_score([[1, 0, 0], [0, 1, 0], [0.1, 0.7, 0.2]], ["a", "b", "a"]))
    0.7
    """
    if isinstance(tokens, str):
        raise TypeError("tokens must be a list of tokens, but are one string: split it first")
    read = tokens.tolist() if isinstance(tokens, np.ndarray) else list(tokens)
    n = len(read)
    if weights.shape[-1] != n:
        raise ValueError(
            "every token looks at every token, so weights need shape (..., n, n), "
            f"but there are {n} tokens and weights have shape {weights.shape}"
        )
    after = np.zeros((n, n), dtype=bool)  # True where j follows an earlier copy of i
    for i, token in enumerate(read):
        after[i, 1 : i + 1] = [earlier == token for earlier in read[:i]]
    found = np.where(after, weights, 0).sum(axis=-1)[..., after.any(axis=-1)]  # (..., repeated)
    return np.asarray(found.sum(axis=-1) / max(found.shape[-1], 1), weights.dtype)


def logit_lens(tokens: ArrayLike, parameters: Mapping[str, ArrayLike]) -> Array:
    r"""Read the scores of the next token off every layer, as if the decoder stopped there.

    Computes :math:`\mathrm{norm}(X)\,U` from what enters the first block and from what leaves each
    block: one table of scores for each stage, shape (blocks + 1, ..., n, c). The last is the result
    of `decoder_logits`, whose parameters are the same.

    Examples
    --------
    >>> from attention_lib import start_decoder
    >>> parameters = start_decoder(np.random.default_rng(0), tokens=5, places=8, d=4, heads=2)
    >>> logit_lens([0, 3, 1], parameters).shape
    (2, 3, 5)
    """
    p = _as_decoder(parameters)
    logits, steps = _decoder(_as_tokens("tokens", tokens, p), p)
    stages = [step.X for step in steps]  # blocks of (..., n, d)
    return np.stack([*(_read_off(X, p) for X in stages), logits])


def trace(
    model: Any,
    tokens: ArrayLike,
    *,
    score: Score = scaled_dot_score,
    without: Iterable[tuple[int, int]] = (),
    hidden: Iterable[int] = (),
) -> dict[str, Array]:
    r"""Return everything that a model computes on the way from a text to the next token, by name.

    ``E`` has the vectors of the tokens, (n, d), and ``P``, if places are learned, theirs. In each
    block, which is the first axis of what follows, the stream ``X``, (n, d), is read through a
    norm, ``A``; ``Q``, ``K`` and ``V``, (h, n, d_k), turned by their places if the model does so
    and shared among the heads, give ``scores`` and ``weights``, (h, n, n); each head has ``found``
    the weighted values, (h, n, d_v); after ``W_o`` the ``heads``, (n, d), are added to the stream,
    which makes ``H``. That is read through a norm, ``B``; the ``hidden`` numbers, (n, d_h), give
    what the ``network`` adds, (n, d), which makes ``Y``. After the last block come ``logits``,
    (n, vocabulary).

    Parameters
    ----------
    model : mapping or LanguageModel
        The parameters of a decoder, as in `decoder_logits`, or a model such as SmolLM2.
    tokens : array_like of int, shape (n,)
        One text, of one token or more.
    score : callable
        Maps ``(Q, K)`` to scores of shape (h, n, n), before the mask.
    without : iterable of pairs of int
        Heads, (block, head), that add nothing.
    hidden : iterable of int
        Places at which no later token may look.

    Examples
    --------
    >>> from attention_lib import start_decoder
    >>> parameters = start_decoder(np.random.default_rng(0), tokens=5, places=8, d=4, heads=2)
    >>> {name: array.shape for name, array in trace(parameters, [0, 3, 1]).items()}["weights"]
    (1, 2, 3, 3)
    """
    check.function("score", score, "Q, K", "dot_score")
    parts, blocks, kind, read_off = _taken_apart(model, tokens)
    n = len(parts["E"])
    mask = causal_mask(n)
    places = [check.as_count("a place", place, least=0) for place in hidden]
    mask[:, [place for place in (*places, *getattr(model, "hidden", ())) if place < n]] = False
    X: Any = sum(parts.values())  # (n, d)
    steps: list[dict[str, Array]] = []
    for block in _silenced(blocks, without):
        steps.append(_trace_block(X, block, mask | np.eye(n, dtype=bool), kind, score))
        X = steps[-1]["Y"]
    traced = {name: np.stack([step[name] for step in steps]) for name in steps[0]}
    return parts | traced | {"logits": read_off(X)}


def _taken_apart(model: Any, tokens: ArrayLike) -> tuple[dict[str, Array], Any, Kind, Any]:
    """Return what enters a model for a text, its blocks, their kind, and how it is read off."""
    if not isinstance(model, Mapping):
        kind = Kind(activation="silu", gated=True, base=model.base)
        return {"E": model.E[model.as_ids(tokens)]}, model.blocks, kind, model.read_off
    p = _as_decoder(model)
    numbers = _as_tokens("tokens", tokens, p)
    reason = "a trace is that of one text, of one token or more"
    check.require(numbers.ndim == 1 and numbers.size > 0, reason, tokens=numbers)
    parts = {"E": p["E"][numbers]}  # (n, d)
    if "P" in p:
        parts["P"] = p["P"][: len(numbers)]
    return parts, _layers(p), Kind(centred=_centred(p)), lambda X: _read_off(X, p)


@ignore_overflow
def _trace_block(
    X: Array, p: Mapping[str, Array], mask: Mask, kind: Kind, score: Score
) -> dict[str, Array]:
    """Compute what `_transformer_block` does, with the norms before, and any score."""
    A = _norm(X, p, "_1", kind.centred[0])  # (n, d)
    Q, K, V = _queries_keys_values(A, p, kind.base, None)
    K, V = _share(K, len(Q)), _share(V, len(Q))  # (h, n, d_k)
    scores = _one_per_pair("score(Q, K)", score(*_roomy(Q.copy(), K.copy())), Q, K)
    weights = _softmax(scores, mask)  # (h, n, n)
    found = _times(weights, V)  # (h, n, d_v)
    heads = _product(_merge_heads(found), p["W_o"]) + p.get("b_o", 0)  # (n, d)
    H = X + heads
    B = _norm(H, p, "_2", kind.centred[1])
    gates = p["W_g"] if kind.gated else None
    hidden = _hidden(B, p["W_1"], p.get("b_1", 0), gates, kind.activation)  # (n, d_h)
    network = _product(hidden, p["W_2"]) + p.get("b_2", 0)
    seen = {"X": X, "A": A, "Q": Q, "K": K, "V": V, "scores": scores, "weights": weights}
    added = {"found": found, "heads": heads, "H": H, "B": B, "hidden": hidden, "network": network}
    return seen | added | {"Y": H + network}


@takes("E: ... c d, W_q: ... d d_k, W_k: ... d d_k")
def qk_circuit(E: Numbers, W_q: Numbers, W_k: Numbers) -> Array:
    r"""Score every token as a query against every token as a key: what a head looks *for*.

    Computes :math:`E W_q W_k^\top E^\top / \sqrt{d_k}`, where `E` has a vector for each token, as a
    head reads it. Row: the token that asks. Column: the token that is looked at.

    Examples
    --------
    >>> qk_circuit(np.eye(2), W_q=[[1], [0]], W_k=[[0], [3]])  # token 0 looks for token 1
    array([[0., 3.],
           [0., 0.]])
    """
    return _scaled_dot_score(E @ W_q, E @ W_k)  # (..., c, c)


@takes("E: ... c d, W_v: ... d d_v, W_o: ... d_v e, U: ... e c_out")
def ov_circuit(E: Numbers, W_v: Numbers, W_o: Numbers, U: Numbers) -> Array:
    r"""Score what each token, if it is looked at, makes likelier next: what a head *writes*.

    Computes :math:`E W_v W_o U`. Row: the token that is looked at. Column: the token whose score is
    raised. A head that copies has its largest numbers on the diagonal.

    `E` has a vector for each token, after the norm, and `U` includes the gain of the last norm, if
    there are any; `W_o` are the rows of the output projection that belong to the head.

    Examples
    --------
    >>> ov_circuit(np.eye(2), W_v=[[0], [1]], W_o=[[0, 2]], U=np.eye(2))  # token 1 is copied
    array([[0., 0.],
           [0., 2.]])
    """
    return E @ W_v @ (W_o @ U)  # (..., c, c)


def _silenced(
    blocks: Sequence[Mapping[str, Array]], heads: Iterable[tuple[int, int]]
) -> list[dict[str, Array]]:
    """Return the blocks of a model in which some heads (block, head) add nothing."""
    silent = [dict(block) for block in blocks]
    h, d_v = len(silent[0]["W_q"]), silent[0]["W_v"].shape[-1]
    for block, head in (_as_head(pair, len(silent), h) for pair in heads):
        W_o = silent[block]["W_o"] = silent[block]["W_o"].copy(order="K")  # (h * d_v, d)
        W_o[head * d_v : (head + 1) * d_v] = 0
    return silent


def _as_head(pair: tuple[int, int], blocks: int, h: int) -> tuple[int, int]:
    """Read the numbers of a block and of a head in it."""
    try:
        block, head = map(operator.index, pair)
    except (TypeError, ValueError):
        raise TypeError(
            f"heads are pairs (block, head), as in [(0, 3)], but one is {pair!r}"
        ) from None
    if not (0 <= block < blocks and 0 <= head < h):
        raise ValueError(
            f"there is no head {head} in block {block}: blocks count from 0 to {blocks - 1}, "
            f"heads from 0 to {h - 1}"
        )
    return block, head
