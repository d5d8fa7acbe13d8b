"""Exercises of the chapter "Self-attention"."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from dis import Instruction, get_instructions
from functools import cached_property, partial
from inspect import unwrap
from itertools import starmap
from math import exp, inf, sqrt
from sys import getprofile, setprofile
from types import FrameType, ModuleType
from typing import Any

from numpy import (
    apply_along_axis,
    arange,
    array,
    asarray,
    eye,
    frompyfunc,
    isnan,
    mask_indices,
    nan_to_num,
    ones,
    split,
    tri,
    tril,
    tril_indices,
    tril_indices_from,
    triu,
    triu_indices,
    triu_indices_from,
    vectorize,
    where,
    zeros,
)
from numpy import exp as exp_all
from numpy.random import Generator, default_rng

from attention_exercises._rules import ATTENTION, draw_small, nearly
from attention_lib._arguments import Array, Mask
from attention_lib.datasets import load_minilm_layer
from bookwork.exercises import (
    NOT_STARTED,
    ChoiceChecker,
    DesignChecker,
    Exercise,
    Finding,
    FunctionChecker,
    Mistake,
    borrowed,
    distinct_sizes,
    draw_arrays,
    parts,
    plain,
    read_array,
    run,
    show,
)


def _random(seed: int, *shapes: tuple[int, ...]) -> tuple[Array, ...]:
    """Return arrays of one decimal, so that a case can be read."""
    rng = default_rng(seed)
    return tuple(rng.normal(scale=0.7, size=shape).round(1) for shape in shapes)


def _sizes(seed: int, n: int, d: int, d_k: int, d_v: int) -> tuple[Array, ...]:
    return _random(seed, (n, d), (d, d_k), (d, d_k), (d, d_v))


def _softmax(scores: Array, axis: int = -1) -> Array:
    powers = exp_all(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


# ex-project


def times(X: Array, W: Array) -> list[list[float]]:
    """Multiply each row of X by W."""
    return [
        [sum(x * W[c, k] for c, x in enumerate(row)) for k in range(W.shape[1])]
        for row in X.tolist()
    ]


def project(X: Array, W: Array, d_k: int) -> tuple[Any, ...]:
    """Give each word its query, its key and its value, by three parts of one matrix."""
    return times(X, W[:, :d_k]), times(X, W[:, d_k : 2 * d_k]), times(X, W[:, 2 * d_k :])


def _cut(P: Array, d_k: int) -> tuple[Array, ...]:
    return P[:, :d_k], P[:, d_k : 2 * d_k], P[:, 2 * d_k :]


def _draw_wide(rng: Generator) -> tuple[Any, ...]:
    n, d, d_k, d_v = distinct_sizes(rng, 4)
    return *draw_arrays(rng, (n, d), (d, 2 * d_k + d_v)), d_k


def _wide(seed: int, n: int, d: int, d_k: int, d_v: int) -> tuple[Any, ...]:
    return *_random(seed, (n, d), (d, 2 * d_k + d_v)), d_k


PROJECT = FunctionChecker(
    name="project",
    parameters=("X", "W", "d_k"),
    gives="three matrices, Q, K and V",
    right=project,
    output=parts("Q", "K", "V"),
    cases=(
        _wide(0, 2, 3, 1, 2),
        _wide(1, 2, 2, 2, 2),  # in which Xᵀ W is legal, and three equal parts are right
        _wide(2, 4, 3, 1, 2),  # in which W X is legal
        _wide(3, 4, 4, 1, 2),  # in which X * W is
    ),
    draw=_draw_wide,
    mistakes=(
        Mistake(
            "W comes first in your product. A word is a row of X, so X comes first: X @ W.",
            wrong=lambda X, W, d_k: _cut(W @ X, d_k),
        ),
        Mistake(
            "X is transposed. Its rows are the words, which is what X @ W needs.",
            wrong=lambda X, W, d_k: _cut(X.T @ W, d_k),
        ),
        Mistake(
            "the product is cut into rows, so each part has whole words. Cut columns: every word "
            "has its query, its key and its value.",
            wrong=lambda X, W, d_k: tuple(part.T for part in _cut((X @ W).T, d_k)),
        ),
        Mistake(
            "the product is cut into three equal parts. V has d_v columns, and these need not be "
            "as many as d_k: queries and keys have d_k each, V has the rest.",
            wrong=lambda X, W, d_k: tuple(split(X @ W, 3, axis=1)),
        ),
        Mistake(
            "queries and keys have changed places: first Q, then K, then V.",
            wrong=lambda X, W, d_k: tuple(_cut(X @ W, d_k)[part] for part in (1, 0, 2)),
        ),
        Mistake(
            "keys and values have changed places: first Q, then K, then V.",
            wrong=lambda X, W, d_k: tuple(_cut(X @ W, d_k)[part] for part in (0, 2, 1)),
        ),
        Mistake(
            "the values are taken for the second part of W. The keys come there, with d_k columns; "
            "the values come last.",
            wrong=lambda X, W, d_k: (
                (X @ W)[:, :d_k],
                (X @ W)[:, W.shape[1] - d_k :],
                (X @ W)[:, d_k : W.shape[1] - d_k],
            ),
        ),
        Mistake(
            "the keys do not end: they are columns d_k up to 2 * d_k, and the values follow.",
            wrong=lambda X, W, d_k: ((X @ W)[:, :d_k], (X @ W)[:, d_k:], (X @ W)[:, 2 * d_k :]),
        ),
        Mistake(
            "the values are the last d_k columns here. They are all columns after the keys, d_v of "
            "them.",
            wrong=lambda X, W, d_k: (*_cut(X @ W, d_k)[:2], (X @ W)[:, -d_k:]),
        ),
        Mistake(
            "keys and queries are the same. The keys have columns of their own in W.",
            wrong=lambda X, W, d_k: tuple(_cut(X @ W, d_k)[part] for part in (0, 0, 2)),
        ),
        Mistake(
            "W is cut into rows. Its columns are what belongs to queries, keys and values: "
            "W[:, :d_k] and so on.",
            wrong=lambda X, W, d_k: (X @ W[:d_k], X @ W[d_k : 2 * d_k], X @ W[2 * d_k :]),
        ),
        Mistake(
            "the values end too early: they are all columns from 2 * d_k on, d_v of them.",
            wrong=lambda X, W, d_k: (*_cut(X @ W, d_k)[:2], (X @ W)[:, 2 * d_k : 3 * d_k]),
        ),
        Mistake(
            "these are parts of W. Multiply X by W first, or by each part.",
            wrong=lambda X, W, d_k: _cut(W, d_k),
        ),
        Mistake(
            "* multiplies entry by entry. The product of matrices is written @.",
            wrong=lambda X, W, d_k: _cut(X * W, d_k),
        ),
    ),
    praise="one product, and every word has a query, a key and a value.",
)

# ex-nine-shapes

_RIGHT_SHAPES = {"Q": (9, 64), "weights": (9, 9), "O": (9, 32)}

_OTHER_SHAPES = {
    ("Q", (300, 64)): "that is the shape of W_q. Q = X W_q has one row for each token.",
    ("Q", (9, 300)): "that is the shape of X. The projection shortens each row to d_k numbers.",
    ("Q", (64, 9)): "rows are tokens, here as everywhere: Q has one row for each token.",
    ("weights", (64, 64)): "Q is right, but the weights come from Q Kᵀ, not from Kᵀ Q: one "
    "row for each query, one column for each key.",
    ("weights", (9, 64)): "Q is right, but the weights have one column for each key, not for "
    "each number of a key: the dot product uses up d_k.",
    ("weights", (9, 1)): "Q is right, but that is one weight per token. Each of the nine "
    "queries has a row of weights, one for each key.",
    ("weights", (9, 32)): "Q is right, but the values have not come in yet when the weights "
    "are made.",
    ("O", (9, 64)): "Q and the weights are right, but O is not n × d_k, though some texts say so: "
    "the last product is with V, so its columns are those of V.",
    ("O", (9, 300)): "Q and the weights are right, but the values are not X: they were projected "
    "by W_v, and O has their size.",
    ("O", (9, 9)): "Q and the weights are right, but O is the weights times V, one mixed value "
    "for each token.",
    ("O", (32, 9)): "Q and the weights are right. O has one row for each token.",
}


def _as_shape(given: Any) -> tuple[Any, ...] | None:
    pair = isinstance(given, tuple | list) and len(given) == 2
    return tuple(given) if pair else None


def check_nine_shapes(shapes: Any) -> Finding:
    """Judge three shapes, one after the other."""
    if not isinstance(shapes, dict) or set(_RIGHT_SHAPES) - set(shapes):
        return Finding(
            "wrong shape",
            f"shapes should have a shape for each of Q, weights and O, but is {show(shapes)}.",
        )
    shapes = {name: plain(shapes[name]) for name in _RIGHT_SHAPES}
    if any(given is ... or given is None for given in shapes.values()):
        return Finding("not started", NOT_STARTED)
    for name, right in _RIGHT_SHAPES.items():
        shape = _as_shape(shapes[name])
        if shape is None:
            return Finding(
                "wrong shape",
                f"a shape is written as in (rows, columns), but {name} has {show(shapes[name])}.",
            )
        if shape != right:
            return _name_shape(name, shape)
    return Finding("correct", "d is used up by the projections, d_k by the dot products.")


def _name_shape(name: str, shape: tuple[Any, ...]) -> Finding:
    if known := _OTHER_SHAPES.get((name, shape)):
        return Finding("known mistake", known)
    return Finding(
        "not yet", f"the shape of {name} is not {show(shape)}: write the shapes of its product."
    )


# ex-self-attention


def attend(X: Array, W_q: Array, W_k: Array, W_v: Array) -> list[Any]:
    """Let every row of X look at every row of X, in each sentence of a stack."""
    if X.ndim == 3:
        return [attend(sentence, W_q, W_k, W_v) for sentence in X]
    Q, K, V = times(X, W_q), times(X, W_k), times(X, W_v)
    return [_mix(weigh(q, K), V) for q in Q]


def weigh(q: Sequence[float], K: Sequence[Sequence[float]]) -> list[float]:
    """Give the weights of one query on all keys."""
    scores = [sum(a * b for a, b in zip(q, k, strict=True)) / sqrt(len(q)) for k in K]
    powers = [exp(score - max(scores)) for score in scores]
    return [power / sum(powers) for power in powers]


def _mix(weights: Sequence[float], V: Sequence[Sequence[float]]) -> list[float]:
    columns = zip(*V, strict=True)
    return [sum(w * v for w, v in zip(weights, column, strict=True)) for column in columns]


def _scores(X: Array, W_q: Array, W_k: Array) -> Array:
    return X @ W_q @ (X @ W_k).swapaxes(-1, -2)


def _scaled_by(scale: float, X: Array, W_q: Array, W_k: Array, W_v: Array) -> Array:
    return _softmax(_scores(X, W_q, W_k) / scale) @ (X @ W_v)


def _weights(X: Array, W_q: Array, W_k: Array, axis: int = -1) -> Array:
    return _softmax(_scores(X, W_q, W_k) / sqrt(W_q.shape[1]), axis)


def _scaled(X: Array, W_q: Array, W_k: Array) -> Array:
    return _scores(X, W_q, W_k) / sqrt(W_q.shape[1])


def _shared_by_all(scores: Array) -> Array:
    powers = exp_all(scores - scores.max())
    return powers / powers.sum()


def _lined_up(scores: Array, peak: Any = None) -> Array:
    """Forget to keep the axis of the sums, and of the largest scores unless told otherwise."""
    powers = exp_all(scores - (scores.max(axis=-1) if peak is None else peak))
    return powers / powers.sum(axis=-1)


_LINED_UP = (
    "the sums have shape (n,), and NumPy lines them up with the columns. Keep the axis with "
    "keepdims=True, so that each row is divided by its own."
)


def _all_turned(X: Array, W_q: Array, W_k: Array, W_v: Array) -> Array:
    return _softmax(X @ W_q @ (X @ W_k).T / sqrt(W_q.shape[1])) @ (X @ W_v)


def _not_transposed(X: Array, W_q: Array, W_k: Array, W_v: Array) -> Array:
    return _softmax(X @ W_q @ (X @ W_k) / sqrt(W_q.shape[1])) @ (X @ W_v)


def _wrong_way_round(X: Array, W_q: Array, W_k: Array, W_v: Array) -> Array:
    return _softmax((X @ W_k).T @ (X @ W_q) / sqrt(W_q.shape[1])) @ (X @ W_v)


def _draw_words(rng: Generator) -> tuple[Array, ...]:
    n, d, d_k, d_v = distinct_sizes(rng, 4)
    return draw_small(rng, (n, d), (d, d_k), (d, d_k), (d, d_v))


def _scaled_late(X: Array, W_q: Array, W_k: Array, W_v: Array) -> Array:
    return _softmax(_scores(X, W_q, W_k)) / sqrt(W_q.shape[1]) @ (X @ W_v)


def _roles_swapped(X: Array, W_q: Array, W_k: Array, W_v: Array) -> Array:
    return _weights(X, W_k, W_q) @ (X @ W_v)


SELF_ATTENTION = FunctionChecker(
    name="attend",
    parameters=("X", "W_q", "W_k", "W_v"),
    gives="one row of size d_v for each token",
    right=attend,
    cases=(
        _sizes(3, 2, 1, 3, 1),
        _sizes(4, 2, 3, 2, 2),
        _sizes(5, 3, 2, 5, 4),
        _sizes(6, 5, 4, 2, 3),
    ),
    draw=_draw_words,
    without=ATTENTION,
    edges=(
        (array([[60.0, 0.0], [0.0, 50.0]]), eye(2), eye(2), array([[1.0], [2.0]])),
        _random(12, (2, 3, 4), (4, 2), (4, 2), (4, 1)),
        _random(13, (5, 4, 3), (3, 2), (3, 2), (3, 6)),
    ),
    mistakes=(
        Mistake(
            "the scores are not scaled: divide them by √d_k before the softmax.",
            wrong=lambda *given: _scaled_by(1.0, *given),
        ),
        Mistake(
            "you divide by the root of d, the size of a row of X. What is multiplied are queries "
            "and keys, so it is the root of their size, d_k.",
            wrong=lambda X, *W: _scaled_by(sqrt(X.shape[-1]), X, *W),
        ),
        Mistake(
            "you divide by the root of n, the number of tokens. It is the root of d_k, the size "
            "of a query.",
            wrong=lambda X, *W: _scaled_by(sqrt(X.shape[-2]), X, *W),
        ),
        Mistake(
            "you divide by the root of 16, whatever the sizes are. d_k is the last size of Q.",
            wrong=lambda *given: _scaled_by(4.0, *given),
        ),
        Mistake(
            "you divide by the root of d_v, the size of a value. Values are not compared: it is "
            "the root of d_k.",
            wrong=lambda X, W_q, W_k, W_v: _scaled_by(sqrt(W_v.shape[1]), X, W_q, W_k, W_v),
        ),
        Mistake(
            "you divide by d_k itself. Divide by its square root.",
            wrong=lambda X, W_q, *W: _scaled_by(W_q.shape[1], X, W_q, *W),
        ),
        Mistake(
            "the weights are divided by √d_k, after the softmax, so they no longer sum to one. "
            "Divide the scores, before it.",
            wrong=_scaled_late,
        ),
        Mistake(
            "the softmax runs over the queries, so the columns sum to one. Each query shares out "
            "its weight among the keys: along the last axis.",
            wrong=lambda X, W_q, W_k, W_v: _weights(X, W_q, W_k, axis=0) @ (X @ W_v),
        ),
        Mistake(
            "K is not transposed. Q @ K is legal only when d_k happens to be n; Q @ K.T compares "
            "each query with each key.",
            wrong=_not_transposed,
        ),
        Mistake(
            "Kᵀ comes first: Kᵀ Q is d_k × d_k, and none of its rows belongs to a token. "
            "Queries are rows: Q @ K.T.",
            wrong=_wrong_way_round,
        ),
        Mistake(
            "V comes first. Each row of weights mixes the rows of V: weights @ V.",
            wrong=lambda X, W_q, W_k, W_v: X @ W_v @ _weights(X, W_q, W_k),
        ),
        Mistake(
            "the keys ask and the queries answer: this is K @ Q.T. Queries are rows: Q @ K.T.",
            wrong=_roles_swapped,
        ),
        Mistake(
            "the weights mix the rows of X. They should mix the values, X @ W_v.",
            wrong=lambda X, W_q, W_k, W_v: _weights(X, W_q, W_k) @ X,
        ),
        Mistake(
            "the weights mix the keys. They should mix the values, X @ W_v.",
            wrong=lambda X, W_q, W_k, W_v: _weights(X, W_q, W_k) @ (X @ W_k),
        ),
        Mistake(
            "the weights of all queries together sum to one. Each query shares out a whole: divide "
            "each row by its own sum.",
            wrong=lambda X, W_q, W_k, W_v: _shared_by_all(_scaled(X, W_q, W_k)) @ (X @ W_v),
        ),
        Mistake(
            _LINED_UP,
            wrong=lambda X, W_q, W_k, W_v: _lined_up(_scaled(X, W_q, W_k)) @ (X @ W_v),
        ),
        Mistake(
            _LINED_UP,
            wrong=lambda X, W_q, W_k, W_v: _lined_up(_scaled(X, W_q, W_k), 0) @ (X @ W_v),
        ),
        Mistake(
            "these are the weights. Multiply them by V.",
            wrong=lambda X, W_q, W_k, W_v: _weights(X, W_q, W_k),
        ),
        Mistake(
            "there is no softmax: the scores themselves are used as weights.",
            wrong=lambda X, W_q, W_k, W_v: _scores(X, W_q, W_k) / sqrt(W_q.shape[1]) @ (X @ W_v),
        ),
        Mistake(
            "large scores overflow in the exponential, or all of a row rounds to 0. Subtract the "
            "largest score of each row first, or use the library's softmax.",
            shows=lambda got, right: bool(isnan(got).any()),
            edge=True,
        ),
        Mistake(
            "one sentence works, but .T reverses all axes of a stack. Swap the last two only: "
            "K.swapaxes(-1, -2).",
            wrong=_all_turned,
        ),
        Mistake(
            "one sentence works, but in a stack shape[1] counts the tokens. The size of a query is "
            "the last one, Q.shape[-1].",
            wrong=lambda X, *W: _scaled_by(sqrt((X @ W[0]).shape[1]), X, *W),
        ),
        Mistake(
            "one sentence works, but in a stack axis 1 counts the queries. The keys are the last "
            "axis, -1.",
            wrong=lambda X, W_q, W_k, W_v: _weights(X, W_q, W_k, axis=1) @ (X @ W_v),
        ),
    ),
    praise="that is self-attention, for any sizes and any number of sentences.",
)

# ex-what-v-adds


WHAT_V_ADDS = ChoiceChecker(
    right="d",
    explanations={
        "a": "weights sum to one, so they cannot all double. And V does not enter them: they are "
        "made from Q and K.",
        "b": "the softmax normalises scores. V is multiplied after it, and nothing normalises the "
        "product.",
        "c": "that is what doubling W_q, and so the scores, would do. V is not part of the scores.",
        "d": "the weights say where to look, and V, behind the softmax, what is carried away.",
    },
)

# ex-causal


def causal_weights(scores: Array) -> list[list[float]]:
    """Give the weights of each token on itself and on the tokens before it."""
    rows = []
    for i, row in enumerate(scores.tolist()):
        seen = row[: i + 1]
        powers = [exp(score - max(seen)) for score in seen]
        rows.append([power / sum(powers) for power in powers] + [0.0] * (len(row) - i - 1))
    return rows


def _only(scores: Array, mask: Mask, hidden: float = -inf) -> Array:
    return _softmax(where(mask, scores, hidden))


def _past(scores: Array) -> Mask:
    return tri(len(scores), dtype=bool)


def _multiplied_late(scores: Array) -> Array:
    return _softmax(scores) * _past(scores)


def _renormalised(scores: Array) -> Array:
    kept = _multiplied_late(scores)
    return kept / kept.sum(axis=1, keepdims=True)


def _naive_causal(scores: Array) -> Array:
    powers = exp_all(scores) * _past(scores)
    return powers / powers.sum(axis=1, keepdims=True)


def _leaks(got: Array, right: Array) -> bool:
    return got.shape == right.shape and bool((got[right == 0] > 0).any())


def _hidden(scores: Array, k: int = 0) -> Array:
    return where(tri(len(scores), k=k), scores, -inf)


_FUTURE = (
    "each token looks at itself and at those after it. Queries are rows, so the past of row i is "
    "columns 0 to i: the lower triangle."
)
_NEXT = (
    "each token also sees the one after it: the diagonal above the main one belongs to the future. "
    "np.tri(n) ends at the main diagonal, np.tri(n, k=1) one further."
)
_ITSELF = (
    "a token may also look at itself: the diagonal belongs to what may be seen. Else the first row "
    "would have nothing to look at."
)


class CausalChecker(FunctionChecker):
    """Checks causal weights; the mask= of the library's softmax is not allowed."""

    def __call__(self, function: Any) -> Finding:
        """Judge the function; then see who hides the scores."""
        finding = super().__call__(function)
        if finding.status == "correct" and borrowed(function, ("softmax.mask",)):
            return Finding(
                "known mistake",
                "the weights are right, but here you should hide the scores yourself, without the "
                "mask= of softmax.",
            )
        return finding


CAUSAL = CausalChecker(
    name="causal_weights",
    parameters=("scores",),
    gives="weights in the shape of scores",
    right=causal_weights,
    cases=(
        (array([[1.0, 2.0], [0.5, 1.5]]),),
        (array([[0.0, 1.0, 2.0], [2.0, 0.5, -1.0], [1.0, -0.5, 0.3]]),),
        _random(7, (5, 5)),
    ),
    draw=lambda rng: draw_arrays(rng, (int(rng.integers(2, 8)),) * 2),
    without=("causal_mask",),
    edges=(
        (array([[1.0, 2000.0], [1500.0, 1501.0]]),),
        (array([[-3e9, 0.0], [-2e9, -2e9]]),),
        (array([[-1e30, 0.0], [-1e30, -1e30]]),),
        (array([[-1e300, 0.0], [-1e300, -1e300]]),),
    ),
    mistakes=(
        Mistake(
            "the mask comes after the softmax: hidden tokens have taken their share already, and "
            "the rows no longer sum to one. Hide the scores, before the softmax.",
            wrong=_multiplied_late,
        ),
        Mistake(
            "hidden scores are set to 0, and the exponential of 0 is 1: a hidden token still gets "
            "weight. Use -np.inf.",
            wrong=lambda s: _only(s, _past(s), 0.0),
        ),
        Mistake(_FUTURE, wrong=lambda s: _only(s, triu(ones(s.shape, dtype=bool)))),
        Mistake(_FUTURE, wrong=lambda s: _only(s, ~_past(s))),
        Mistake(_FUTURE, wrong=lambda s: nan_to_num(_only(s, ~_past(s)))),
        Mistake(_ITSELF, wrong=lambda s: _only(s, tri(len(s), k=-1, dtype=bool))),
        Mistake(_ITSELF, wrong=lambda s: nan_to_num(_only(s, tri(len(s), k=-1, dtype=bool)))),
        Mistake(_NEXT, wrong=lambda s: _softmax(_hidden(s, k=1))),
        Mistake(
            "the result is transposed: queries are rows, so row i holds the weights of token i.",
            wrong=lambda s: _softmax(_hidden(s)).T,
        ),
        Mistake(
            "the scores are transposed. They come with one row per query: mask them as they are.",
            wrong=lambda s: _softmax(_hidden(s.T)),
        ),
        Mistake(
            "the softmax runs over the queries. Every row should sum to one: use the last axis.",
            wrong=lambda s: _softmax(_hidden(s), axis=0),
        ),
        Mistake(_LINED_UP, wrong=lambda s: _lined_up(_hidden(s))),
        Mistake(_LINED_UP, wrong=lambda s: _lined_up(_hidden(s), 0)),
        Mistake(
            "these are the hidden scores, with -inf in them. The softmax is still to come.",
            wrong=_hidden,
        ),
        Mistake("nothing is hidden: this is the softmax of all scores.", wrong=_softmax),
        Mistake(
            "where the future has by far the largest score, the softmax leaves nothing for the "
            "past, and 0/0 is NaN. Hide the scores before the softmax, not the weights after it.",
            wrong=_renormalised,
        ),
        Mistake(
            "large scores overflow in the exponential. Subtract the largest score that may be "
            "seen, or use the library's softmax.",
            wrong=_naive_causal,
        ),
        Mistake(
            "a hidden token got weight: a large negative number hides only as long as every real "
            "score is larger. -np.inf always hides.",
            shows=_leaks,
            edge=True,
        ),
        Mistake(
            "a token gives weight to a later one. Which triangle is the past, and which diagonal "
            "is the last that may be seen? Print your mask for three tokens.",
            shows=_leaks,
        ),
        Mistake(
            "large scores overflow, and the result is NaN. Subtract the largest score that may be "
            "seen, or use the library's softmax.",
            shows=lambda got, right: bool(isnan(got).any()),
            edge=True,
        ),
        Mistake(
            "the result has NaN in it: 0 · inf is NaN, and so is a row of nothing but -inf, "
            "divided by its sum. Choose with np.where instead of multiplying.",
            shows=lambda got, right: bool(isnan(got).any()),
        ),
    ),
    praise="no token sees the future, and every row still sums to one.",
)

# ex-late-mask


def padded_attention(Q: Array, K: Array, V: Array, length: int) -> list[Any]:
    """Let every query look at the first keys only."""
    return [_mix(weigh(q, K[:length].tolist()), V[:length].tolist()) for q in Q.tolist()]


def _dots(Q: Array, K: Array) -> Array:
    return Q @ K.T / sqrt(K.shape[1])


def _padded(Q: Array, K: Array, length: int, hidden: float = -inf) -> Array:
    """Return the scores, with this number in place of those of padding."""
    return where(arange(len(K)) < length, _dots(Q, K), hidden)


def _late(weights: Array, length: int) -> Array:
    return weights * (arange(weights.shape[1]) < length)


def _divided_again(Q: Array, K: Array, V: Array, length: int) -> Array:
    kept = _late(_softmax(_dots(Q, K)), length)
    return kept / kept.sum(axis=1, keepdims=True) @ V


def _rows_hidden(Q: Array, K: Array, length: int) -> Array:
    return where(arange(len(Q))[:, None] < length, _dots(Q, K), -inf)


def _blind(says: str, weigh: Callable[[Array, Array, int], Array]) -> tuple[Mistake, Mistake]:
    """Return a mistake that leaves some softmax nothing to look at.

    A softmax that the reader wrote gives NaN there, the library's gives 0.
    """
    return (
        Mistake(says, wrong=lambda Q, K, V, length: weigh(Q, K, length) @ V),
        Mistake(says, wrong=lambda Q, K, V, length: nan_to_num(weigh(Q, K, length)) @ V),
    )


def _draw_padded(rng: Generator) -> tuple[Any, ...]:
    n, m, d_k, d_v = distinct_sizes(rng, 4)
    return *draw_small(rng, (n, d_k), (m, d_k), (m, d_v)), int(rng.integers(1, m))


def _padded_case(seed: int, n: int, m: int, d_k: int, d_v: int, length: int) -> tuple[Any, ...]:
    return *_random(seed, (n, d_k), (m, d_k), (m, d_v)), length


_TOO_LATE = (
    "the padding is hidden after the softmax, when it has taken its share already, so rows no "
    "longer sum to one. Hide the scores, before the softmax."
)

LATE_MASK = FunctionChecker(
    name="padded_attention",
    parameters=("Q", "K", "V", "length"),
    gives="one row of size d_v for each query",
    right=padded_attention,
    cases=(
        _padded_case(20, 2, 2, 1, 1, 1),
        _padded_case(21, 3, 3, 2, 1, 2),
        _padded_case(22, 3, 4, 2, 3, 2),
        _padded_case(23, 4, 4, 3, 2, 4),
    ),
    draw=_draw_padded,
    without=ATTENTION,
    edges=(
        (array([[40.0], [30.0]]), array([[30.0], [31.0]]), array([[1.0], [2.0]]), 2),
        (array([[1.0], [2.0]]), array([[1.0], [900.0]]), array([[1.0], [2.0]]), 1),
        (array([[-1e15]]), array([[1.0], [0.0]]), array([[1.0], [2.0]]), 1),
    ),
    mistakes=(
        Mistake(
            "this is the broken version still: the padding is hidden after the softmax, and the "
            "sums lose their axis.",
            wrong=lambda Q, K, V, length: _late(_lined_up(_dots(Q, K), 0), length) @ V,
        ),
        Mistake(
            f"the rows are divided rightly now, but {_TOO_LATE}",
            wrong=lambda Q, K, V, length: _late(_softmax(_dots(Q, K)), length) @ V,
        ),
        Mistake(
            f"the padding is hidden in time now, but {_LINED_UP}",
            wrong=lambda Q, K, V, length: _lined_up(_padded(Q, K, length), 0) @ V,
        ),
        Mistake(
            f"the padding is hidden in time now, but {_LINED_UP}",
            wrong=lambda Q, K, V, length: _lined_up(_padded(Q, K, length)) @ V,
        ),
        Mistake(
            "hidden scores are set to 0, and the exponential of 0 is 1: padding still gets "
            "weight. Use -np.inf.",
            wrong=lambda Q, K, V, length: _softmax(_padded(Q, K, length, 0.0)) @ V,
        ),
        *_blind(
            "the mask is upside down: the first keys are words, and those from place length on "
            "are padding.",
            lambda Q, K, length: _softmax(where(arange(len(K)) < length, -inf, _dots(Q, K))),
        ),
        Mistake(
            "one key too many is seen: the places 0 to length - 1 are words, so place length is "
            "padding already.",
            wrong=lambda Q, K, V, length: _softmax(_padded(Q, K, length + 1)) @ V,
        ),
        *_blind(
            "the last word is hidden, too: the places 0 to length - 1 are words.",
            lambda Q, K, length: _softmax(_padded(Q, K, length - 1)),
        ),
        *_blind(
            "rows are hidden. Padding is among the keys, which are columns: scores[:, length:].",
            lambda Q, K, length: _softmax(_rows_hidden(Q, K, length)),
        ),
        Mistake(
            "nothing is hidden: padding gets weight. Give its scores -np.inf, before the softmax.",
            wrong=lambda Q, K, V, length: _softmax(_dots(Q, K)) @ V,
        ),
        Mistake(
            "the scores are not scaled any more: divide them by √d_k.",
            wrong=lambda Q, K, V, length: _softmax(_padded(Q * sqrt(K.shape[1]), K, length)) @ V,
        ),
        *_blind(
            "the softmax runs over the queries. Each query shares out its weight among the keys: "
            "along the last axis.",
            lambda Q, K, length: _softmax(_padded(Q, K, length), axis=0),
        ),
        Mistake(
            "these are the weights. Multiply them by V.",
            wrong=lambda Q, K, V, length: _softmax(_padded(Q, K, length)),
        ),
        Mistake(
            "where padding has by far the largest score, the softmax leaves nothing for the "
            "words, and 0/0 is NaN. Hide the scores before the softmax, not the weights after it.",
            wrong=_divided_again,
        ),
        Mistake(
            "large scores overflow in the exponential. Subtract the largest score of the words in "
            "each row, or use the library's softmax.",
            shows=lambda got, right: bool(isnan(got).any()),
            edge=True,
        ),
        Mistake(
            "padding got weight where every word has a very low score: a large negative number "
            "hides only as long as every real score is larger. -np.inf always hides.",
            wrong=lambda Q, K, V, length: _softmax(_padded(Q, K, length, -1e9)) @ V,
        ),
        Mistake(
            "the result has NaN in it: 0 · inf is NaN. Choose with np.where, or write -np.inf into "
            "the columns of the padding, instead of multiplying.",
            shows=lambda got, right: bool(isnan(got).any()),
        ),
    ),
    praise="the padding is hidden before the softmax, and every row is divided by its own sum.",
)

# ex-packed

_LOOPS = (map, filter, starmap, vectorize, frompyfunc, apply_along_axis)
_TRIANGLES = {  # known by their code, as a reader may give them any name
    unwrap(function).__code__: function.__name__
    for function in (
        tri,
        tril,
        triu,
        tril_indices,
        triu_indices,
        tril_indices_from,
        triu_indices_from,
        mask_indices,
    )
}


def packed_mask(sentence: Array) -> list[list[bool]]:
    """Let each token look at itself and at earlier tokens of its sentence."""
    n = range(len(sentence))
    return [[bool(sentence[i] == sentence[j]) and j <= i for j in n] for i in n]


def _alike(sentence: Array) -> Mask:
    same: Mask = sentence[:, None] == sentence
    return same


def _draw_packed(rng: Generator) -> tuple[Any, ...]:
    lengths = rng.integers(1, 4, size=int(rng.integers(2, 4))).tolist()
    return (arange(len(lengths)).repeat(lengths),)


@dataclass
class _Watched:
    """What was seen of an answer in a call."""

    space: Any  # the variables of the notebook, by which the reader's code is known
    entered: int = 0  # how often the reader's code was entered
    loops: bool = False
    triangle: str = ""  # the function of NumPy that made one

    def note(self, frame: FrameType, event: str, argument: Any) -> None:
        """Note that a function is entered or left."""
        if event == "call":
            self.triangle = self.triangle or _TRIANGLES.get(frame.f_code, "")
        if frame.f_globals is self.space:
            self.entered += event == "call"
            self.loops = self.loops or (event == "return" and _loops(frame))


def _watch(function: Any, sentence: Array) -> _Watched:
    """Run an answer and watch it."""
    watched = _Watched(_space(function))
    before = getprofile()
    setprofile(watched.note)
    try:
        run(function, (sentence,), read_array)
    finally:
        setprofile(before)
    return watched


def _space(function: Any) -> Any:
    """Return the global variables of a function, or of the one inside a partial or an object."""
    inner = unwrap(function)
    while isinstance(inner, partial):
        inner = unwrap(inner.func)
    if not hasattr(inner, "__globals__"):
        inner = unwrap(type(inner).__call__)
    return getattr(inner, "__globals__", None)


def _loops(frame: FrameType) -> bool:
    """Return whether code that has run is a loop, or fetches a function that is one."""
    value = None
    for step in get_instructions(frame.f_code):
        value = _fetched(step, frame, value)
        if _goes_back(step.opname) or any(value is loop for loop in _LOOPS):
            return True
    return False


def _fetched(step: Instruction, frame: FrameType, before: Any) -> Any:
    """Return what a step of the machine fetches: a variable, or a part of the module before it."""
    name = step.argval
    if step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
        return getattr(before, name, None) if isinstance(before, ModuleType) else None
    local = step.opname.startswith(("LOAD_FAST", "LOAD_DEREF", "LOAD_NAME"))
    if local and name in frame.f_locals:
        return frame.f_locals[name]
    if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
        return frame.f_globals.get(name, frame.f_builtins.get(name))
    return None


def _goes_back(step: str) -> bool:
    """Return whether a step of the machine belongs to a loop."""
    return step == "FOR_ITER" or "JUMP_BACKWARD" in step


class PackedChecker(FunctionChecker):
    """Checks the mask; then whether the rules of the puzzle were kept."""

    def __call__(self, function: Any) -> Finding:
        """Judge the function, then how it was written."""
        finding = super().__call__(function)
        if finding.status != "correct":
            return finding
        short = _watch(function, array([0, 0, 1, 1]))
        longer = _watch(function, array([0, 0, 1, 1, 1, 2]))
        if short.loops or longer.loops or longer.entered > short.entered:
            return Finding(
                "known mistake",
                "the mask is right, but the puzzle is to do without a loop: compare "
                "sentence[:, None] with sentence, which gives all pairs at once.",
            )
        if used := short.triangle or longer.triangle:
            return Finding(
                "known mistake",
                f"the mask is right, but the puzzle is to do without np.{used}: a place is later "
                "if its number is larger, and np.arange has the numbers.",
            )
        return finding


_ALL_EARLIER = (
    "earlier sentences are seen, too: both tokens must belong to the same sentence, and "
    "sentence[:, None] == sentence compares all pairs."
)

PACKED = PackedChecker(
    name="packed_mask",
    parameters=("sentence",),
    gives="one row for each token and one column for each",
    right=packed_mask,
    cases=(
        (array([0, 0, 1]),),
        (array([0, 0, 0, 1, 1]),),
        (array([3, 3, 7, 7, 7, 8]),),
        (array([2, 2, 0, 0]),),
    ),
    draw=_draw_packed,
    without=("causal_mask", "padding_mask", "local_mask"),
    mistakes=(
        Mistake(
            "a token sees later tokens of its sentence: the place of the key must not be after "
            "that of the query.",
            wrong=_alike,
        ),
        Mistake(_ALL_EARLIER, wrong=lambda s: tri(len(s), dtype=bool)),
        Mistake(_ALL_EARLIER, wrong=lambda s: (s[:, None] >= s) & tri(len(s), dtype=bool)),
        Mistake(
            "this is the future of each token. Queries are rows, so place[:, None] belongs to the "
            "query and place to the key.",
            wrong=lambda s: _alike(s) & tri(len(s), dtype=bool).T,
        ),
        Mistake(
            "a token may also look at itself: the places may be equal.",
            wrong=lambda s: _alike(s) & tri(len(s), k=-1, dtype=bool),
        ),
        Mistake(
            "each token also sees the next one: the place of the key must not be larger than that "
            "of the query.",
            wrong=lambda s: _alike(s) & tri(len(s), k=1, dtype=bool),
        ),
        Mistake(
            "one of the two conditions is enough here, but both must hold: & instead of |.",
            wrong=lambda s: _alike(s) | tri(len(s), dtype=bool),
        ),
        Mistake(
            "the mask is upside down: True means may look.",
            wrong=lambda s: ~(_alike(s) & tri(len(s), dtype=bool)),
        ),
    ),
    praise="a triangle for each sentence, and no loop.",
)

# ex-permutation


def permutation_matrix(order: Sequence[int]) -> list[list[float]]:
    """Put, in row i, a one at place order[i]."""
    return [[float(j == place) for j in range(len(order))] for place in order]


PERMUTATION = FunctionChecker(
    name="permutation_matrix",
    parameters=("order",),
    gives="a square matrix of zeros and ones",
    right=permutation_matrix,
    cases=(([1, 2, 0],), ([0, 1],), ([3, 4, 2, 0, 1],), ([2, 0, 3, 1],)),
    draw=lambda rng: (rng.permutation(int(rng.integers(2, 8))).tolist(),),
    mistakes=(
        Mistake(
            "this is the transpose: it undoes the reordering. Row i of the matrix should pick row "
            "order[i], so its one is in column order[i].",
            wrong=lambda order: array(permutation_matrix(order)).T,
        ),
        Mistake(
            "this is the identity, which leaves every row where it is.",
            wrong=lambda order: eye(len(order)),
        ),
        Mistake(
            "this is the order itself. The matrix has one row for each place, with a single one.",
            wrong=asarray,
        ),
    ),
    praise="reordering is a matrix product, and you have compared your proof with every point.",
)

RUBRIC = (
    "It says that the queries, keys and values of ΠX are ΠQ, ΠK and ΠV.",
    "It says that the scores become Π QKᵀ Πᵀ: rows and columns reordered alike.",
    "It says why a row-wise softmax lets Π pass: each row is treated alone, and the sum in it does "
    "not depend on the order.",
    "It says that ΠᵀΠ, the identity, cancels between the weights and the values.",
    "It says that a causal mask does not move with the words, so the scores it hides are not "
    "reordered alike.",
)

# ex-real-head


def head_attention(
    X: Array,
    W_q: Array,
    W_k: Array,
    W_v: Array,
    b_q: Array,
    b_k: Array,
    b_v: Array,
    mask: Mask,
) -> tuple[list[Any], list[Any]]:
    """Give the output and the weights of masked self-attention with biases, row by row."""
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    weights, output = [], []
    for q, may_look in zip(Q, mask, strict=True):
        seen = [j for j, allowed in enumerate(may_look) if allowed]
        row = [0.0] * len(K)
        for j, weight in zip(
            seen, weigh(q.tolist(), K[seen].tolist()) if seen else [], strict=True
        ):
            row[j] = weight
        weights.append(row)
        output.append(_mix(row, V.tolist()))
    return output, weights


def _parts(X: Array, *W_and_b: Array) -> tuple[Array, ...]:
    return tuple(X @ W + b for W, b in zip(W_and_b[:3], W_and_b[3:], strict=True))


def _wrong_head(
    *given: Any,
    scale: Callable[[Array, Array], float] = lambda X, K: sqrt(K.shape[1]),
    biases: str = "qkv",
    axis: int = -1,
    late: bool = False,
    upside_down: bool = False,
    ignored: bool = False,
    undefined: bool = False,
    turned: bool = False,
    hidden: float = -inf,
) -> tuple[Array, Array]:
    """Make the head with one thing wrong."""
    *arrays, mask = given
    mask = mask.T if turned else mask
    named = zip("qkv", arrays[4:], strict=True)
    arrays = [*arrays[:4], *(b * (name in biases) for name, b in named)]
    Q, K, V = _parts(*arrays)
    may_look = ~mask if upside_down else mask | late | ignored
    scores = Q @ K.T / scale(arrays[0], K)
    weights = _softmax(where(may_look, scores, hidden), axis)
    weights = weights * mask if late else weights
    weights = weights if undefined else nan_to_num(weights)
    return weights @ V, weights


def _added_mask(*given: Any) -> tuple[Array, Array]:
    """Add the mask to the scores, as if True were much and False nothing."""
    Q, K, V = _parts(*given[:-1])
    weights = _softmax(Q @ K.T / sqrt(K.shape[1]) + given[-1])
    return weights @ V, weights


def _even_rows(got: tuple[Array, Array], right: tuple[Array, Array]) -> bool:
    """Return whether only rows that may look at nothing have weight where they should not."""
    if got[1].shape != right[1].shape:
        return False
    leaking = ((got[1] > 0) & (right[1] == 0)).any(axis=1)
    return bool(leaking.any() and not right[1][leaking].any())


def _draw_head(rng: Generator) -> tuple[Any, ...]:
    n, d, d_k, d_v = distinct_sizes(rng, 4)
    shapes = (n, d), (d, d_k), (d, d_k), (d, d_v), (d_k,), (d_k,), (d_v,)
    mask = (rng.random((n, n)) < 0.6) | (rng.permutation(n)[:, None] == arange(n))
    return *draw_small(rng, *shapes), mask


def _named(says: str, **wrong: Any) -> Mistake:
    return Mistake(says, wrong=lambda *given: _wrong_head(*given, **wrong))


def _case(seed: int, n: int, d: int, d_k: int, d_v: int, mask: Mask) -> tuple[Any, ...]:
    b = _random(seed + 50, (d_k,), (d_k,), (d_v,))
    return (*_sizes(seed, n, d, d_k, d_v), *b, mask)


def _of_the_dog_sentence() -> tuple[Any, ...]:
    layer = load_minilm_layer()
    sentence = layer.sentences[0]
    head = (layer.W_q, layer.W_k, layer.W_v, layer.b_q, layer.b_k, layer.b_v)
    words = array([token[0] != "[" for token in sentence.tokens])
    mask = ones((len(words), 1), dtype=bool) & words
    return (sentence.X.astype(float), *(part[1].astype(float) for part in head), mask)


_HEAD_NAN = (
    "a row that may look at nothing gives 0/0, which is NaN. Its weights and its output should be "
    "zero; the mask= of the library's softmax does that."
)


BOTH = parts("the output", "the weights")


def _same_head(got: tuple[Array, ...], right: tuple[Array, ...]) -> bool:
    """Compare two results; those of the real head, sums of 384 products, less strictly."""
    return BOTH.same(got, right) or (len(right[1]) > 9 and nearly(got, right))


class RealHeadChecker:
    """Checks masked self-attention; the real head is read from its file at the first check."""

    answer = "head_attention"  # what the starter passes

    @cached_property
    def code(self) -> FunctionChecker:
        """The checker of the function."""
        nothing = tri(3, k=-1, dtype=bool)  # the first row may look at nothing
        return FunctionChecker(
            name="head_attention",
            parameters=("X", "W_q", "W_k", "W_v", "b_q", "b_k", "b_v", "mask"),
            gives="two things, the output and the weights",
            right=head_attention,
            output=replace(BOTH, same=_same_head),
            draw=_draw_head,
            without=ATTENTION,
            cases=(
                _case(8, 3, 1, 2, 1, array([[1, 1, 0], [1, 0, 0], [0, 1, 1]]) == 1),
                _case(9, 3, 2, 4, 2, tri(3, dtype=bool)),
                _case(10, 4, 3, 2, 2, zeros((4, 4), dtype=bool) | [True, False, True, True]),
            ),
            edges=(_case(11, 3, 2, 2, 2, nothing), _of_the_dog_sentence()),
            mistakes=(
                _named("the biases are left out: Q = X W_q + b_q, and so for K and V.", biases=""),
                _named("the weights are right, but b_v is missing in the values.", biases="qk"),
                _named("b_q is missing in the queries.", biases="kv"),
                _named("the scores are not scaled: divide them by √d_k.", scale=lambda X, K: 1.0),
                _named(
                    "you divide by the root of d, the size of a token. It is the root of d_k, the "
                    "size of a key.",
                    scale=lambda X, K: sqrt(X.shape[1]),
                ),
                _named(
                    "you divide by d_k itself. Divide by its square root.",
                    scale=lambda X, K: K.shape[1],
                ),
                _named(
                    "you divide by the root of 32, whatever the sizes are. That was d_k above; "
                    "here it is K.shape[1].",
                    scale=lambda X, K: sqrt(32),
                ),
                _named("the mask is not used: hide scores where it is False.", ignored=True),
                _named(
                    "the mask is upside down: True means may look, so hide where it is False.",
                    upside_down=True,
                ),
                _named(
                    "the mask comes after the softmax, so rows no longer sum to one. Hide the "
                    "scores, before it.",
                    late=True,
                ),
                _named(
                    "the softmax runs over the queries. Each row of weights should sum to one: "
                    "use the last axis.",
                    axis=0,
                ),
                _named(
                    "the mask is transposed: its rows are queries, as those of the scores.",
                    turned=True,
                ),
                _named(
                    "hidden scores become 0, and the exponential of 0 is 1: a hidden token still "
                    "gets weight. Put -np.inf in their place.",
                    hidden=0.0,
                ),
                Mistake(
                    "the mask is added to the scores, which shifts them by 0 or 1 and hides "
                    "nothing. Put -np.inf where it is False.",
                    wrong=_added_mask,
                ),
                Mistake(
                    "the weights come first. Return the output, then the weights.",
                    wrong=lambda *given: head_attention(*given)[::-1],
                ),
                _named(_HEAD_NAN, undefined=True),
                Mistake(
                    _HEAD_NAN,
                    shows=lambda got, right: bool(isnan(got[1]).any()),
                    edge=True,
                ),
                Mistake(
                    "the weights have NaN in them: 0 · inf is NaN. Choose with np.where instead of "
                    "multiplying by the mask.",
                    shows=lambda got, right: bool(isnan(got[1]).any()),
                ),
                Mistake(
                    "a row that may look at nothing became even weights. It should stay zero, and "
                    "so should its output; use -np.inf, and treat such rows separately.",
                    shows=_even_rows,
                ),
                Mistake(
                    "a query gives weight to a key that it may not look at: mask[i, j] is False, "
                    "but weights[i, j] is not zero. Hide the scores where the mask is False.",
                    shows=lambda got, right: _leaks(got[1], right[1]),
                ),
            ),
            praise="you have recomputed a head of a real model: in the dog sentence, without the "
            "marks, happy looks at owner, tail and dog.",
        )

    def __call__(self, function: Any) -> Finding:
        """Judge the function."""
        return self.code(function)


EXERCISES = (
    Exercise("ex-project", PROJECT),
    Exercise("ex-nine-shapes", check_nine_shapes),
    Exercise("ex-self-attention", SELF_ATTENTION),
    Exercise("ex-what-v-adds", WHAT_V_ADDS),
    Exercise("ex-causal", CAUSAL),
    Exercise("ex-late-mask", LATE_MASK),
    Exercise("ex-packed", PACKED),
    Exercise("ex-permutation", DesignChecker(PERMUTATION, RUBRIC)),
    Exercise("ex-real-head", RealHeadChecker()),
)
