"""Exercises of the chapter "Self-attention"."""

from dataclasses import replace
from typing import Any

from bookwork.exercises import (
    Checkers,
    ChoiceChecker,
    Finding,
    FunctionChecker,
    Shows,
    Value,
    Values,
    as_lists,
    distinct_sizes,
    draw_arrays,
    parts,
    random_case,
    show,
    whole,
)
from numpy import arange, array, eye, isnan, ones, tri, zeros
from numpy.random import Generator

from attention_exercises._rules import nearly, numbers
from attention_lib._arguments import Array, Mask
from attention_lib.models import load_minilm_layer

EXERCISES: Checkers = {}


def _sizes(seed: int, n: int, d: int, d_k: int, d_v: int) -> tuple[Array, ...]:
    return numbers(seed, (n, d), (d, d_k), (d, d_k), (d, d_v))


def _has_nan(got: Array, right: Array) -> bool:
    return bool(isnan(got).any())


# ex-project
def _wide(seed: int, n: int, d: int, d_k: int, d_v: int) -> tuple[Any, ...]:
    return *numbers(seed, (n, d), (d, 2 * d_k + d_v)), d_k


EXERCISES["ex-project"] = FunctionChecker(
    gives="three matrices, Q, K and V",
    right="""
        def project(X, W, d_k):
            P = X @ W
            Q, K, V = P[:, :d_k], P[:, d_k : 2 * d_k], P[:, 2 * d_k :]
            return Q, K, V
        """,
    output=parts("Q", "K", "V"),
    cases=(
        _wide(0, 2, 3, 1, 2),
        _wide(1, 2, 2, 2, 2),  # in which Xᵀ W is legal, and three equal parts are right
        _wide(2, 4, 3, 1, 2),  # in which W X is legal
        _wide(3, 4, 4, 1, 2),  # in which X * W is
    ),
    draw=random_case(lambda n, d, d_k, d_v: ((n, d), (d, 2 * d_k + d_v), d_k)),
    wrong={
        "X @ W => W @ X": "W comes first in your product. A word is a row of X, so X comes first: "
        "X @ W.",
        "X @ W => X.T @ W": "X is transposed. Its rows are the words, which is what X @ W needs.",
        "return Q, K, V => return P[:d_k], P[d_k : 2 * d_k], P[2 * d_k :]": "the product is cut "
        "into rows, so each part has whole words. Cut columns: every word has its query, its key "
        "and its value.",
        "return Q, K, V => return np.split(P, 3, axis=1)": "the product is cut into three equal "
        "parts. V has d_v columns, and these need not be as many as d_k: queries and keys have d_k "
        "each, V has the rest.",
        "return Q, K, V => return K, Q, V": "queries and keys have changed places: first Q, then "
        "K, then V.",
        "return Q, K, V => return Q, V, K": "keys and values have changed places: first Q, then K, "
        "then V.",
        "return Q, K, V => return Q, P[:, -d_k:], P[:, d_k:-d_k]": "the values are taken for the "
        "second part of W. The keys come there, with d_k columns; the values come last.",
        "d_k : 2 * d_k => d_k :": "the keys do not end: they are columns d_k up to 2 * d_k, and "
        "the values follow.",
        "2 * d_k :] => -d_k:]": "the values are the last d_k columns here. They are all columns "
        "after the keys, d_v of them.",
        "return Q, K, V => return Q, Q, V": "keys and queries are the same. The keys have columns "
        "of their own in W.",
        "return Q, K, V => return X @ W[:d_k], X @ W[d_k : 2 * d_k], X @ W[2 * d_k :]": "W is cut "
        "into rows. Its columns are what belongs to queries, keys and values: W[:, :d_k] and so "
        "on.",
        "return Q, K, V => return Q, K, V[:, :d_k]": "the values end too early: they are all "
        "columns from 2 * d_k on, d_v of them.",
        "X @ W => W": "these are parts of W. Multiply X by W first, or by each part.",
        "X @ W => X * W": "* multiplies entry by entry. The product of matrices is written @.",
    },
    praise="one product, and every word has a query, a key and a value.",
)


# ex-nine-shapes
def _shape(name: str, right: tuple[int, int], others: dict[tuple[int, ...], str]) -> Value:
    return Value(
        name,
        right,
        others,
        advice=f"the shape of {name} is not {{}}: write the shapes of its product.",
    )


_NINE = Values(
    (
        _shape(
            "Q",
            (9, 64),
            {
                (300, 64): "that is the shape of W_q. Q = X W_q has one row for each token.",
                (9, 300): "that is the shape of X. The projection shortens each row to d_k "
                "numbers.",
                (64, 9): "rows are tokens, here as everywhere: Q has one row for each token.",
            },
        ),
        _shape(
            "weights",
            (9, 9),
            {
                (64, 64): "Q is right, but the weights come from Q Kᵀ, not from Kᵀ Q: one row for "
                "each query, one column for each key.",
                (9, 64): "Q is right, but the weights have one column for each key, not for each "
                "number of a key: the dot product uses up d_k.",
                (9, 1): "Q is right, but that is one weight per token. Each of the nine queries "
                "has a row of weights, one for each key.",
                (9, 32): "Q is right, but the values have not come in yet when the weights are "
                "made.",
            },
        ),
        _shape(
            "O",
            (9, 32),
            {
                (9, 64): "Q and the weights are right, but O is not n × d_k, though some texts say "
                "so: the last product is with V, so its columns are those of V.",
                (9, 300): "Q and the weights are right, but the values are not X: they were "
                "projected by W_v, and O has their size.",
                (9, 9): "Q and the weights are right, but O is the weights times V, one mixed "
                "value for each token.",
                (32, 9): "Q and the weights are right. O has one row for each token.",
            },
        ),
    ),
    praise="d is used up by the projections, d_k by the dot products.",
)


def check_nine_shapes(shapes: Any) -> Finding:
    """Judge three shapes, one after the other."""
    names = [value.name for value in _NINE.values]
    if not isinstance(shapes, dict) or set(names) - set(shapes):
        return Finding(
            "wrong shape",
            f"shapes should have a shape for each of Q, weights and O, but is {show(shapes)}.",
        )
    return _NINE(*(as_lists(shapes[name]) for name in names))


EXERCISES["ex-nine-shapes"] = check_nine_shapes


# ex-self-attention
_LINED_UP = (
    "the sums have shape (n,), and NumPy lines them up with the columns. Keep the axis with "
    "keepdims=True, so that each row is divided by its own."
)

EXERCISES["ex-self-attention"] = FunctionChecker(
    gives="one row of size d_v for each token",
    right="""
        def attend(X, W_q, W_k, W_v):
            Q, K, V = X @ W_q, X @ W_k, X @ W_v
            scores = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
            powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
            weights = powers / powers.sum(axis=-1, keepdims=True)
            return weights @ V
        """,
    cases=(
        _sizes(3, 2, 1, 3, 1),
        _sizes(4, 2, 3, 2, 2),
        _sizes(5, 3, 2, 5, 4),
        _sizes(6, 5, 4, 2, 3),
    ),
    draw=random_case(lambda n, d, d_k, d_v: ((n, d), (d, d_k), (d, d_k), (d, d_v)), scale=0.5),
    edges=(
        (array([[60.0, 0.0], [0.0, 50.0]]), eye(2), eye(2), array([[1.0], [2.0]])),
        numbers(12, (2, 3, 4), (4, 2), (4, 2), (4, 1)),
        numbers(13, (5, 4, 3), (3, 2), (3, 2), (3, 6)),
    ),
    wrong={
        "/ np.sqrt(K.shape[-1]) =>": "the scores are not scaled: divide them by √d_k before the "
        "softmax.",
        "K.shape[-1] => X.shape[-1]": "you divide by the root of d, the size of a row of X. What "
        "is multiplied are queries and keys, so it is the root of their size, d_k.",
        "K.shape[-1] => X.shape[-2]": "you divide by the root of n, the number of tokens. It is "
        "the root of d_k, the size of a query.",
        "np.sqrt(K.shape[-1]) => 4": "you divide by the root of 16, whatever the sizes are. d_k is "
        "the last size of Q.",
        "K.shape[-1] => V.shape[-1]": "you divide by the root of d_v, the size of a value. Values "
        "are not compared: it is the root of d_k.",
        "np.sqrt(K.shape[-1]) => K.shape[-1]": "you divide by d_k itself. Divide by its square "
        "root.",
        "/ np.sqrt(K.shape[-1]) => ;; weights @ V => weights / np.sqrt(K.shape[-1]) @ V": "the "
        "weights are divided by √d_k, after the softmax, so they no longer sum to one. Divide the "
        "scores, before it.",
        "scores.max(axis=-1 => scores.max(axis=0 ;; powers.sum(axis=-1 => powers.sum(axis=0": "the "
        "softmax runs over the queries, so the columns sum to one. Each query shares out its "
        "weight among the keys: along the last axis.",
        "K.swapaxes(-1, -2) => K": "K is not transposed. Q @ K is legal only when d_k happens to "
        "be n; Q @ K.T compares each query with each key.",
        "Q @ K.swapaxes(-1, -2) => K.T @ Q": "Kᵀ comes first: Kᵀ Q is d_k × d_k, and none of its "
        "rows belongs to a token. Queries are rows: Q @ K.T.",
        "weights @ V => V @ weights": "V comes first. Each row of weights mixes the rows of V: "
        "weights @ V.",
        "Q @ K.swapaxes(-1, -2) => K @ Q.swapaxes(-1, -2)": "the keys ask and the queries answer: "
        "this is K @ Q.T. Queries are rows: Q @ K.T.",
        "weights @ V => weights @ X": "the weights mix the rows of X. They should mix the values, "
        "X @ W_v.",
        "weights @ V => weights @ K": "the weights mix the keys. They should mix the values, X @ "
        "W_v.",
        "scores.max(axis=-1, keepdims=True) => scores.max() ;; "
        "powers.sum(axis=-1, keepdims=True) => powers.sum()": "the weights of all queries "
        "together sum to one. Each query shares out a whole: divide each row by its own sum.",
        (
            "scores.max(axis=-1, keepdims=True) => scores.max(axis=-1) ;; "
            "powers.sum(axis=-1, keepdims=True) => powers.sum(axis=-1)",
            "- scores.max(axis=-1, keepdims=True) => ;; "
            "powers.sum(axis=-1, keepdims=True) => powers.sum(axis=-1)",
        ): _LINED_UP,
        "return weights @ V => return weights": "these are the weights. Multiply them by V.",
        "weights @ V => scores @ V": "there is no softmax: the scores themselves are used as "
        "weights.",
        "K.swapaxes(-1, -2) => K.T": "one sentence works, but .T reverses all axes of a stack. "
        "Swap the last two only: K.swapaxes(-1, -2).",
        "K.shape[-1] => Q.shape[1]": "one sentence works, but in a stack shape[1] counts the "
        "tokens. The size of a query is the last one, Q.shape[-1].",
        "scores.max(axis=-1 => scores.max(axis=1 ;; powers.sum(axis=-1 => powers.sum(axis=1": "one "
        "sentence works, but in a stack axis 1 counts the queries. The keys are the last axis, -1.",
        Shows(_has_nan, edge=True): "large scores overflow in the exponential, or all of a row "
        "rounds to 0. Subtract the largest score of each row first, or use the library's softmax.",
    },
    praise="that is self-attention, for any sizes and any number of sentences.",
)

EXERCISES["ex-what-v-adds"] = ChoiceChecker(
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
def _leaks(got: Array, right: Array) -> bool:
    return got.shape == right.shape and bool((got[right == 0] > 0).any())


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


EXERCISES["ex-causal"] = FunctionChecker(
    gives="weights in the shape of scores",
    right="""
        def causal_weights(scores):
            seen = np.tri(len(scores), dtype=bool)
            hidden = np.where(seen, scores, -np.inf)
            powers = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
            weights = powers / powers.sum(axis=-1, keepdims=True)
            return weights
        """,
    cases=(
        (array([[1.0, 2.0], [0.5, 1.5]]),),
        (array([[0.0, 1.0, 2.0], [2.0, 0.5, -1.0], [1.0, -0.5, 0.3]]),),
        numbers(7, (5, 5)),
    ),
    draw=lambda rng: draw_arrays(rng, (int(rng.integers(2, 8)),) * 2),
    edges=(
        (array([[1.0, 2000.0], [1500.0, 1501.0]]),),
        (array([[-3e9, 0.0], [-2e9, -2e9]]),),
        (array([[-1e30, 0.0], [-1e30, -1e30]]),),
        (array([[-1e300, 0.0], [-1e300, -1e300]]),),
    ),
    wrong={
        "np.where(seen, scores, -np.inf) => scores ;; return weights => return weights * seen": (
            "the mask comes after the softmax: hidden tokens have taken their share already, and "
            "the rows no longer sum to one. Hide the scores, before the softmax."
        ),
        "-np.inf => 0": "hidden scores are set to 0, and the exponential of 0 is 1: a hidden token "
        "still gets weight. Use -np.inf.",
        (
            "seen, scores => seen.T, scores",
            "seen, scores => ~seen, scores",
            "seen, scores => ~seen, scores ;; return weights => return np.nan_to_num(weights)",
        ): _FUTURE,
        (
            "len(scores), => len(scores), k=-1,",
            "len(scores), => len(scores), k=-1, ;; return weights => return np.nan_to_num(weights)",
        ): _ITSELF,
        "len(scores), => len(scores), k=1,": _NEXT,
        "return weights => return weights.T": "the result is transposed: queries are rows, so row "
        "i holds the weights of token i.",
        "seen, scores => seen, scores.T": "the scores are transposed. They come with one row per "
        "query: mask them as they are.",
        "hidden.max(axis=-1 => hidden.max(axis=0 ;; powers.sum(axis=-1 => powers.sum(axis=0": "the "
        "softmax runs over the queries. Every row should sum to one: use the last axis.",
        (
            "hidden.max(axis=-1, keepdims=True) => hidden.max(axis=-1) ;; "
            "powers.sum(axis=-1, keepdims=True) => powers.sum(axis=-1)",
            "- hidden.max(axis=-1, keepdims=True) => ;; "
            "powers.sum(axis=-1, keepdims=True) => powers.sum(axis=-1)",
        ): _LINED_UP,
        "return weights => return hidden": "these are the hidden scores, with -inf in them. The "
        "softmax is still to come.",
        "np.where(seen, scores, -np.inf) => scores": "nothing is hidden: this is the softmax of "
        "all scores.",
        "np.where(seen, scores, -np.inf) => scores ;; "
        "return weights => weights *= seen; return weights / weights.sum(axis=1, keepdims=True)": (
            "where the future has by far the largest score, the softmax leaves nothing for the "
            "past, and 0/0 is NaN. Hide the scores before the softmax, not the weights after it."
        ),
        "np.exp(hidden - hidden.max(axis=-1, keepdims=True)) => np.exp(scores) * seen": "large "
        "scores overflow in the exponential. Subtract the largest score that may be seen, or use "
        "the library's softmax.",
        Shows(_leaks, edge=True): "a hidden token got weight: a large negative number hides only "
        "as long as every real score is larger. -np.inf always hides.",
        Shows(_leaks): "a token gives weight to a later one. Which triangle is the past, and which "
        "diagonal is the last that may be seen? Print your mask for three tokens.",
        Shows(_has_nan, edge=True): "large scores overflow, and the result is NaN. Subtract the "
        "largest score that may be seen, or use the library's softmax.",
        Shows(_has_nan): "the result has NaN in it: 0 · inf is NaN, and so is a row of nothing but "
        "-inf, divided by its sum. Choose with np.where instead of multiplying.",
    },
    praise="no token sees the future, and every row still sums to one.",
)


# ex-late-mask
def _padded_case(seed: int, n: int, m: int, d_k: int, d_v: int, length: int) -> tuple[Any, ...]:
    return *numbers(seed, (n, d_k), (m, d_k), (m, d_v)), length


_TOO_LATE = (
    "the padding is hidden after the softmax, when it has taken its share already, so rows no "
    "longer sum to one. Hide the scores, before the softmax."
)

EXERCISES["ex-late-mask"] = FunctionChecker(
    gives="one row of size d_v for each query",
    right="""
        def padded_attention(Q, K, V, length):
            seen = np.arange(len(K)) < length
            scores = Q @ K.T / np.sqrt(K.shape[1])
            hidden = np.where(seen, scores, -np.inf)
            powers = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
            weights = powers / powers.sum(axis=-1, keepdims=True)
            return weights @ V
        """,
    cases=(
        _padded_case(20, 2, 2, 1, 1, 1),
        _padded_case(21, 3, 3, 2, 1, 2),
        _padded_case(22, 3, 4, 2, 3, 2),
        _padded_case(23, 4, 4, 3, 2, 4),
    ),
    draw=random_case(lambda n, m, d_k, d_v: ((n, d_k), (m, d_k), (m, d_v), whole(1, m)), scale=0.5),
    edges=(
        (array([[40.0], [30.0]]), array([[30.0], [31.0]]), array([[1.0], [2.0]]), 2),
        (array([[1.0], [2.0]]), array([[1.0], [900.0]]), array([[1.0], [2.0]]), 1),
        (array([[-1e15]]), array([[1.0], [0.0]]), array([[1.0], [2.0]]), 1),
    ),
    wrong={
        "np.where(seen, scores, -np.inf) => scores ;; "
        "- hidden.max(axis=-1, keepdims=True) => ;; "
        "powers.sum(axis=-1, keepdims=True) => powers.sum(axis=-1) ;; "
        "weights @ V => weights * seen @ V": "this is the broken version still: the "
        "padding is hidden after the softmax, and the sums lose their axis.",
        "np.where(seen, scores, -np.inf) => scores ;; weights @ V => weights * seen @ V": (
            f"the rows are divided rightly now, but {_TOO_LATE}"
        ),
        (
            "- hidden.max(axis=-1, keepdims=True) => ;; "
            "powers.sum(axis=-1, keepdims=True) => powers.sum(axis=-1)",
            "hidden.max(axis=-1, keepdims=True) => hidden.max(axis=-1) ;; "
            "powers.sum(axis=-1, keepdims=True) => powers.sum(axis=-1)",
        ): f"the padding is hidden in time now, but {_LINED_UP}",
        "-np.inf => 0": "hidden scores are set to 0, and the exponential of 0 is 1: padding still "
        "gets weight. Use -np.inf.",
        "< length => <= length": "one key too many is seen: the places 0 to length - 1 are words, "
        "so place length is padding already.",
        "np.where(seen, scores, -np.inf) => scores": "nothing is hidden: padding gets weight. Give "
        "its scores -np.inf, before the softmax.",
        "/ np.sqrt(K.shape[1]) =>": "the scores are not scaled any more: divide them by √d_k.",
        "np.sqrt(K.shape[1]) => K.shape[1]": "the scores are divided by d_k itself. Divide by its "
        "square root.",
        "return weights @ V => return weights": "these are the weights. Multiply them by V.",
        "np.where(seen, scores, -np.inf) => scores ;; "
        "return weights => weights *= seen; return weights / weights.sum(axis=1, keepdims=True)": (
            "where padding has by far the largest score, the softmax leaves nothing for the words, "
            "and 0/0 is NaN. Hide the scores before the softmax, not the weights after it."
        ),
        "-np.inf => -1e9": "padding got weight where every word has a very low score: a large "
        "negative number hides only as long as every real score is larger. -np.inf always hides.",
        (
            "seen, scores => ~seen, scores",
            "seen, scores => ~seen, scores ;; return weights => return np.nan_to_num(weights)",
        ): "the mask is upside down: the first keys are words, and those from place length on are "
        "padding.",
        (
            "< length => < length - 1",
            "< length => < length - 1 ;; return weights => return np.nan_to_num(weights)",
        ): "the last word is hidden, too: the places 0 to length - 1 are words.",
        (
            "np.arange(len(K)) < length => (np.arange(len(Q)) < length)[:, None]",
            "np.arange(len(K)) < length => (np.arange(len(Q)) < length)[:, None] ;; "
            "return weights => return np.nan_to_num(weights)",
        ): "rows are hidden. Padding is among the keys, which are columns: scores[:, length:].",
        (
            "hidden.max(axis=-1 => hidden.max(axis=0 ;; powers.sum(axis=-1 => powers.sum(axis=0",
            "hidden.max(axis=-1 => hidden.max(axis=0 ;; "
            "powers.sum(axis=-1 => powers.sum(axis=0 ;; "
            "return weights => return np.nan_to_num(weights)",
        ): "the softmax runs over the queries. Each query shares out its weight among the keys: "
        "along the last axis.",
        Shows(_has_nan, edge=True): "large scores overflow in the exponential. Subtract the "
        "largest score of the words in each row, or use the library's softmax.",
        Shows(_has_nan): "the result has NaN in it: 0 · inf is NaN. Choose with np.where, or write "
        "-np.inf into the columns of the padding, instead of multiplying.",
    },
    praise="the padding is hidden before the softmax, and every row is divided by its own sum.",
)


# ex-real-head
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
    return *(part / 2 for part in draw_arrays(rng, *shapes)), mask


def _case(seed: int, n: int, d: int, d_k: int, d_v: int, mask: Mask) -> tuple[Any, ...]:
    b = numbers(seed + 50, (d_k,), (d_k,), (d_v,))
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


def _head_edges() -> tuple[tuple[Any, ...], ...]:
    """Return a case whose first row may look at nothing, and the real head, read from its file."""
    return _case(11, 3, 2, 2, 2, tri(3, k=-1, dtype=bool)), _of_the_dog_sentence()


EXERCISES["ex-real-head"] = FunctionChecker(
    gives="two things, the output and the weights",
    right="""
        def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
            Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
            scores = Q @ K.T / np.sqrt(K.shape[1])
            hidden = np.where(mask, scores, -np.inf)
            powers = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
            weights = np.nan_to_num(powers / powers.sum(axis=-1, keepdims=True))
            return weights @ V, weights
        """,
    output=replace(BOTH, same=_same_head),
    draw=_draw_head,
    cases=(
        _case(8, 3, 1, 2, 1, array([[1, 1, 0], [1, 0, 0], [0, 1, 1]]) == 1),
        _case(9, 3, 2, 4, 2, tri(3, dtype=bool)),
        _case(10, 4, 3, 2, 2, zeros((4, 4), dtype=bool) | [True, False, True, True]),
    ),
    edges=_head_edges,
    wrong={
        "+ b_q => ;; + b_k => ;; + b_v =>": "the biases are left out: Q = X W_q + b_q, and so for "
        "K and V.",
        "+ b_v =>": "the weights are right, but b_v is missing in the values.",
        "+ b_q =>": "b_q is missing in the queries.",
        "/ np.sqrt(K.shape[1]) =>": "the scores are not scaled: divide them by √d_k.",
        "K.shape[1] => X.shape[1]": "you divide by the root of d, the size of a token. It is the "
        "root of d_k, the size of a key.",
        "np.sqrt(K.shape[1]) => K.shape[1]": "you divide by d_k itself. Divide by its square root.",
        "K.shape[1] => 32": "you divide by the root of 32, whatever the sizes are. That was d_k "
        "above; here it is K.shape[1].",
        "np.where(mask, scores, -np.inf) => scores": "the mask is not used: hide scores where it "
        "is False.",
        "np.where(mask => np.where(~mask": "the mask is upside down: True means may look, so hide "
        "where it is False.",
        "np.where(mask, scores, -np.inf) => scores ;; "
        "weights @ V, weights => weights * mask @ V, weights * mask": "the mask comes "
        "after the softmax, so rows no longer sum to one. Hide the scores, before it.",
        "hidden.max(axis=-1 => hidden.max(axis=0 ;; powers.sum(axis=-1 => powers.sum(axis=0": "the "
        "softmax runs over the queries. Each row of weights should sum to one: use the last axis.",
        "np.where(mask => np.where(mask.T": "the mask is transposed: its rows are queries, as "
        "those of the scores.",
        "-np.inf => 0": "hidden scores become 0, and the exponential of 0 is 1: a hidden token "
        "still gets weight. Put -np.inf in their place.",
        "np.where(mask, scores, -np.inf) => scores + mask": "the mask is added to the scores, "
        "which shifts them by 0 or 1 and hides nothing. Put -np.inf where it is False.",
        "weights @ V, weights => weights, weights @ V": "the weights come first. Return the "
        "output, then the weights.",
        (
            "np.nan_to_num( => (",
            Shows(lambda got, right: _has_nan(got[1], right[1]), edge=True),
        ): _HEAD_NAN,
        Shows(lambda got, right: _has_nan(got[1], right[1])): "the weights have NaN in them: 0 · "
        "inf is NaN. Choose with np.where instead of multiplying by the mask.",
        Shows(_even_rows): "a row that may look at nothing became even weights. It should stay "
        "zero, and so should its output; use -np.inf, and treat such rows separately.",
        Shows(lambda got, right: _leaks(got[1], right[1])): "a query gives weight to a key that it "
        "may not look at: mask[i, j] is False, but weights[i, j] is not zero. Hide the scores "
        "where the mask is False.",
    },
    praise="you have recomputed a head of a real model: in the dog sentence, without the marks, "
    "happy looks at owner, tail and dog.",
)
