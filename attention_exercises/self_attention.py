"""Exercises of the chapter "Self-attention"."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf, sqrt
from typing import Any

from numpy import arange, array, asarray, eye, isnan, nan_to_num, ones, split, tri, where, zeros
from numpy import exp as exp_all
from numpy.random import Generator

from attention_exercises._formulas import softmax
from attention_exercises._rules import ATTENTION, nearly, right_but, short_numbers
from attention_lib._arguments import Array, Mask
from attention_lib.models import load_minilm_layer
from bookwork.exercises import (
    Checkers,
    ChoiceChecker,
    DesignChecker,
    Finding,
    FunctionChecker,
    Mistake,
    SeveralChecker,
    ShapeChecker,
    borrowed,
    distinct_sizes,
    draw_arrays,
    parts,
    plain,
    random_case,
    show,
    whole,
)

EXERCISES: Checkers = {}


def _sizes(seed: int, n: int, d: int, d_k: int, d_v: int) -> tuple[Array, ...]:
    return short_numbers(seed, (n, d), (d, d_k), (d, d_k), (d, d_v))


def _shares(scores: Array, fault: str) -> Array:
    """Turn scores into weights, with a faulty softmax if the fault is one of those."""
    if fault == "no_softmax":
        return scores
    if fault == "all_together":
        powers = exp_all(scores - scores.max())
        return powers / powers.sum()
    if fault in ("lined_up", "lined_up_unsafe"):  # the axis of the sums is not kept
        powers = exp_all(scores - (scores.max(axis=-1) if fault == "lined_up" else 0))
        return powers / powers.sum(axis=-1)
    return softmax(scores, {"over_queries": 0, "over_axis_1": 1}.get(fault, -1))


def _has_nan(got: Array, right: Array) -> bool:
    return bool(isnan(got).any())


# ex-project


def project(X: Array, W: Array, d_k: int) -> tuple[Any, ...]:
    """Give each word its query, its key and its value, by three parts of one matrix."""
    return _cut(X @ W, d_k)


def _cut(P: Array, d_k: int) -> tuple[Array, ...]:
    return P[:, :d_k], P[:, d_k : 2 * d_k], P[:, 2 * d_k :]


_OTHER_PRODUCTS: dict[str, Callable[[Array, Array], Array]] = {
    "W_first": lambda X, W: W @ X,
    "X_turned": lambda X, W: X.T @ W,
    "parts_of_W": lambda X, W: W,
    "entrywise": lambda X, W: X * W,
}


def _wrong_project(X: Array, W: Array, d_k: int, fault: str) -> tuple[Array, ...]:
    if fault in _OTHER_PRODUCTS:
        return _cut(_OTHER_PRODUCTS[fault](X, W), d_k)
    if fault == "W_rows":
        return X @ W[:d_k], X @ W[d_k : 2 * d_k], X @ W[2 * d_k :]
    P = X @ W
    if fault == "rows":
        return tuple(part.T for part in _cut(P.T, d_k))
    if fault == "thirds":
        return tuple(split(P, 3, axis=1))
    Q, K, V = _cut(P, d_k)
    return {
        "Q_and_K": (K, Q, V),
        "K_and_V": (Q, V, K),
        "V_second": (Q, P[:, -d_k:], P[:, d_k:-d_k]),
        "K_endless": (Q, P[:, d_k:], V),
        "V_last": (Q, K, P[:, -d_k:]),
        "K_is_Q": (Q, Q, V),
        "V_early": (Q, K, V[:, :d_k]),
    }[fault]


def _wide(seed: int, n: int, d: int, d_k: int, d_v: int) -> tuple[Any, ...]:
    return *short_numbers(seed, (n, d), (d, 2 * d_k + d_v)), d_k


EXERCISES["ex-project"] = FunctionChecker(
    gives="three matrices, Q, K and V",
    right=project,
    output=parts("Q", "K", "V"),
    cases=(
        _wide(0, 2, 3, 1, 2),
        _wide(1, 2, 2, 2, 2),  # in which Xᵀ W is legal, and three equal parts are right
        _wide(2, 4, 3, 1, 2),  # in which W X is legal
        _wide(3, 4, 4, 1, 2),  # in which X * W is
    ),
    draw=random_case(lambda n, d, d_k, d_v: ((n, d), (d, 2 * d_k + d_v), d_k)),
    mistakes={
        "W comes first in your product. A word is a row of X, so X comes first: X @ W.": "W_first",
        "X is transposed. Its rows are the words, which is what X @ W needs.": "X_turned",
        "the product is cut into rows, so each part has whole words. Cut columns: every word has "
        "its query, its key and its value.": "rows",
        "the product is cut into three equal parts. V has d_v columns, and these need not be as "
        "many as d_k: queries and keys have d_k each, V has the rest.": "thirds",
        "queries and keys have changed places: first Q, then K, then V.": "Q_and_K",
        "keys and values have changed places: first Q, then K, then V.": "K_and_V",
        "the values are taken for the second part of W. The keys come there, with d_k columns; the "
        "values come last.": "V_second",
        "the keys do not end: they are columns d_k up to 2 * d_k, and the values follow.": ""
        "K_endless",
        "the values are the last d_k columns here. They are all columns after the keys, d_v of "
        "them.": "V_last",
        "keys and queries are the same. The keys have columns of their own in W.": "K_is_Q",
        "W is cut into rows. Its columns are what belongs to queries, keys and values: W[:, :d_k] "
        "and so on.": "W_rows",
        "the values end too early: they are all columns from 2 * d_k on, d_v of them.": "V_early",
        "these are parts of W. Multiply X by W first, or by each part.": "parts_of_W",
        "* multiplies entry by entry. The product of matrices is written @.": "entrywise",
    },
    model=_wrong_project,
    praise="one product, and every word has a query, a key and a value.",
)

# ex-nine-shapes


def _shape(name: str, right: tuple[int, int], others: dict[tuple[int, ...], str]) -> ShapeChecker:
    return ShapeChecker(
        name,
        right,
        others,
        advice=f"the shape of {name} is not {{}}: write the shapes of its product.",
        asks=f"a shape is written as in (rows, columns), but {name} has {{}}.",
        axes=2,
    )


_NINE = SeveralChecker(
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
    names = [part.name for part in _NINE.parts]
    if not isinstance(shapes, dict) or set(names) - set(shapes):
        return Finding(
            "wrong shape",
            f"shapes should have a shape for each of Q, weights and O, but is {show(shapes)}.",
        )
    return _NINE(*(plain(shapes[name]) for name in names))


EXERCISES["ex-nine-shapes"] = check_nine_shapes


# ex-self-attention


def attend(X: Array, W_q: Array, W_k: Array, W_v: Array, fault: str = "") -> Array:
    """Let every row of X look at every row of X, in each sentence of a stack."""
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    turned = {"not_transposed": K, "all_turned": K.T, "keys_first": Q}
    turned["keys_ask"] = Q.swapaxes(-1, -2)
    first = {"keys_ask": K, "keys_first": K.T}.get(fault, Q)
    second = turned.get(fault, K.swapaxes(-1, -2))
    d_k = W_q.shape[1]
    divisors = {
        "unscaled": 1,
        "root_of_d": sqrt(X.shape[-1]),
        "root_of_n": sqrt(X.shape[-2]),
        "root_of_16": 4,
        "root_of_d_v": sqrt(W_v.shape[1]),
        "no_root": d_k,
        "late": 1,
        "root_of_shape_1": sqrt(Q.shape[1]),
    }
    weights = _shares(first @ second / divisors.get(fault, sqrt(d_k)), fault)
    if fault == "late":
        weights = weights / sqrt(d_k)
    if fault in ("weights", "values_first"):
        return weights if fault == "weights" else V @ weights
    return weights @ {"rows_mixed": X, "keys_mixed": K}.get(fault, V)


_LINED_UP = (
    "the sums have shape (n,), and NumPy lines them up with the columns. Keep the axis with "
    "keepdims=True, so that each row is divided by its own."
)

EXERCISES["ex-self-attention"] = FunctionChecker(
    gives="one row of size d_v for each token",
    right=attend,
    cases=(
        _sizes(3, 2, 1, 3, 1),
        _sizes(4, 2, 3, 2, 2),
        _sizes(5, 3, 2, 5, 4),
        _sizes(6, 5, 4, 2, 3),
    ),
    draw=random_case(lambda n, d, d_k, d_v: ((n, d), (d, d_k), (d, d_k), (d, d_v)), scale=0.5),
    without=ATTENTION,
    edges=(
        (array([[60.0, 0.0], [0.0, 50.0]]), eye(2), eye(2), array([[1.0], [2.0]])),
        short_numbers(12, (2, 3, 4), (4, 2), (4, 2), (4, 1)),
        short_numbers(13, (5, 4, 3), (3, 2), (3, 2), (3, 6)),
    ),
    mistakes={
        "the scores are not scaled: divide them by √d_k before the softmax.": "unscaled",
        "you divide by the root of d, the size of a row of X. What is multiplied are queries and "
        "keys, so it is the root of their size, d_k.": "root_of_d",
        "you divide by the root of n, the number of tokens. It is the root of d_k, the size of a "
        "query.": "root_of_n",
        "you divide by the root of 16, whatever the sizes are. d_k is the last size of "
        "Q.": "root_of_16",
        "you divide by the root of d_v, the size of a value. Values are not compared: it is the "
        "root of d_k.": "root_of_d_v",
        "you divide by d_k itself. Divide by its square root.": "no_root",
        "the weights are divided by √d_k, after the softmax, so they no longer sum to one. Divide "
        "the scores, before it.": "late",
        "the softmax runs over the queries, so the columns sum to one. Each query shares out its "
        "weight among the keys: along the last axis.": "over_queries",
        "K is not transposed. Q @ K is legal only when d_k happens to be n; Q @ K.T compares each "
        "query with each key.": "not_transposed",
        "Kᵀ comes first: Kᵀ Q is d_k × d_k, and none of its rows belongs to a token. Queries are "
        "rows: Q @ K.T.": "keys_first",
        "V comes first. Each row of weights mixes the rows of V: weights @ V.": "values_first",
        "the keys ask and the queries answer: this is K @ Q.T. Queries are rows: Q @ "
        "K.T.": "keys_ask",
        "the weights mix the rows of X. They should mix the values, X @ W_v.": "rows_mixed",
        "the weights mix the keys. They should mix the values, X @ W_v.": "keys_mixed",
        "the weights of all queries together sum to one. Each query shares out a whole: divide "
        "each row by its own sum.": "all_together",
        _LINED_UP: ["lined_up", "lined_up_unsafe"],
        "these are the weights. Multiply them by V.": "weights",
        "there is no softmax: the scores themselves are used as weights.": "no_softmax",
        "one sentence works, but .T reverses all axes of a stack. Swap the last two only: "
        "K.swapaxes(-1, -2).": "all_turned",
        "one sentence works, but in a stack shape[1] counts the tokens. The size of a query is the "
        "last one, Q.shape[-1].": "root_of_shape_1",
        "one sentence works, but in a stack axis 1 counts the queries. The keys are the last axis, "
        "-1.": "over_axis_1",
        "large scores overflow in the exponential, or all of a row rounds to 0. Subtract the "
        "largest score of each row first, or use the library's "
        "softmax.": Mistake(shows=_has_nan, edge=True),
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


def causal_weights(scores: Array, fault: str = "") -> Array:
    """Give the weights of each token on itself and on the tokens before it."""
    past = tri(len(scores), k={"blind": -1, "blind_0": -1, "next": 1}.get(fault, 0), dtype=bool)
    seen = {"future": past.T, "after": ~past, "after_0": ~past}.get(fault, past)
    if fault == "overflow":
        powers = exp_all(scores) * past
        return powers / powers.sum(axis=1, keepdims=True)
    seen = seen | (fault in ("late", "divided_again", "nothing_hidden"))
    scores = scores.T if fault == "scores_turned" else scores
    weights = _shares(where(seen, scores, 0.0 if fault == "zero" else -inf), fault)
    if fault in ("late", "divided_again"):
        weights = weights * past
    if fault == "divided_again":
        weights = weights / weights.sum(axis=1, keepdims=True)
    if fault.endswith("_0"):  # as the library's softmax does for a row that sees nothing
        weights = nan_to_num(weights)
    return weights.T if fault == "turned" else weights


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
    right=causal_weights,
    cases=(
        (array([[1.0, 2.0], [0.5, 1.5]]),),
        (array([[0.0, 1.0, 2.0], [2.0, 0.5, -1.0], [1.0, -0.5, 0.3]]),),
        short_numbers(7, (5, 5)),
    ),
    draw=lambda rng: draw_arrays(rng, (int(rng.integers(2, 8)),) * 2),
    without=("causal_mask",),
    again=right_but(
        lambda function: borrowed(function, ("softmax.mask",)),
        "the weights are right, but here you should hide the scores yourself, without the mask= of "
        "softmax.",
    ),
    edges=(
        (array([[1.0, 2000.0], [1500.0, 1501.0]]),),
        (array([[-3e9, 0.0], [-2e9, -2e9]]),),
        (array([[-1e30, 0.0], [-1e30, -1e30]]),),
        (array([[-1e300, 0.0], [-1e300, -1e300]]),),
    ),
    mistakes={
        "the mask comes after the softmax: hidden tokens have taken their share already, and the "
        "rows no longer sum to one. Hide the scores, before the softmax.": "late",
        "hidden scores are set to 0, and the exponential of 0 is 1: a hidden token still gets "
        "weight. Use -np.inf.": "zero",
        _FUTURE: ["future", "after", "after_0"],
        _ITSELF: ["blind", "blind_0"],
        _NEXT: "next",
        "the result is transposed: queries are rows, so row i holds the weights of token "
        "i.": "turned",
        "the scores are transposed. They come with one row per query: mask them as they "
        "are.": "scores_turned",
        "the softmax runs over the queries. Every row should sum to one: use the last "
        "axis.": "over_queries",
        _LINED_UP: ["lined_up", "lined_up_unsafe"],
        "these are the hidden scores, with -inf in them. The softmax is still to "
        "come.": "no_softmax",
        "nothing is hidden: this is the softmax of all scores.": "nothing_hidden",
        "where the future has by far the largest score, the softmax leaves nothing for the past, "
        "and 0/0 is NaN. Hide the scores before the softmax, not the weights after "
        "it.": "divided_again",
        "large scores overflow in the exponential. Subtract the largest score that may be seen, or "
        "use the library's softmax.": "overflow",
        "a hidden token got weight: a large negative number hides only as long as every real score "
        "is larger. -np.inf always hides.": Mistake(shows=_leaks, edge=True),
        "a token gives weight to a later one. Which triangle is the past, and which diagonal is "
        "the last that may be seen? Print your mask for three tokens.": Mistake(shows=_leaks),
        "large scores overflow, and the result is NaN. Subtract the largest score that may be "
        "seen, or use the library's softmax.": Mistake(shows=_has_nan, edge=True),
        "the result has NaN in it: 0 · inf is NaN, and so is a row of nothing but -inf, divided by "
        "its sum. Choose with np.where instead of multiplying.": Mistake(shows=_has_nan),
    },
    praise="no token sees the future, and every row still sums to one.",
)

# ex-late-mask


def padded_attention(
    Q: Array, K: Array, V: Array, length: int, fault: str = "", defined: bool = False
) -> Array:
    """Let every query look at the first keys only."""
    words = arange(len(K)) < length + {"one_more": 1, "one_less": -1}.get(fault, 0)
    seen = {"upside_down": ~words, "rows": (arange(len(Q)) < length)[:, None]}.get(fault, words)
    seen = seen | (fault in ("broken", "late", "divided_again", "nothing_hidden"))
    scores = Q @ K.T / K.shape[1] ** {"unscaled": 0, "no_root": 1}.get(fault, 0.5)
    hidden = where(seen, scores, {"zero": 0.0, "large": -1e9}.get(fault, -inf))
    weights = _shares(hidden, "lined_up_unsafe" if fault == "broken" else fault)
    if fault in ("broken", "late", "divided_again"):
        weights = weights * words
    if fault == "divided_again":
        weights = weights / weights.sum(axis=1, keepdims=True)
    weights = nan_to_num(weights) if defined else weights
    return weights if fault == "weights" else weights @ V


def _blind(fault: str) -> list[Any]:
    """Return a fault that may leave a softmax nothing to look at: NaN, or 0 by the library's."""
    return [fault, {"fault": fault, "defined": True}]


def _padded_case(seed: int, n: int, m: int, d_k: int, d_v: int, length: int) -> tuple[Any, ...]:
    return *short_numbers(seed, (n, d_k), (m, d_k), (m, d_v)), length


_TOO_LATE = (
    "the padding is hidden after the softmax, when it has taken its share already, so rows no "
    "longer sum to one. Hide the scores, before the softmax."
)

EXERCISES["ex-late-mask"] = FunctionChecker(
    gives="one row of size d_v for each query",
    right=padded_attention,
    cases=(
        _padded_case(20, 2, 2, 1, 1, 1),
        _padded_case(21, 3, 3, 2, 1, 2),
        _padded_case(22, 3, 4, 2, 3, 2),
        _padded_case(23, 4, 4, 3, 2, 4),
    ),
    draw=random_case(lambda n, m, d_k, d_v: ((n, d_k), (m, d_k), (m, d_v), whole(1, m)), scale=0.5),
    without=ATTENTION,
    edges=(
        (array([[40.0], [30.0]]), array([[30.0], [31.0]]), array([[1.0], [2.0]]), 2),
        (array([[1.0], [2.0]]), array([[1.0], [900.0]]), array([[1.0], [2.0]]), 1),
        (array([[-1e15]]), array([[1.0], [0.0]]), array([[1.0], [2.0]]), 1),
    ),
    mistakes={
        "this is the broken version still: the padding is hidden after the softmax, and the sums "
        "lose their axis.": "broken",
        f"the rows are divided rightly now, but {_TOO_LATE}": "late",
        f"the padding is hidden in time now, but {_LINED_UP}": ["lined_up_unsafe", "lined_up"],
        "hidden scores are set to 0, and the exponential of 0 is 1: padding still gets weight. Use "
        "-np.inf.": "zero",
        "one key too many is seen: the places 0 to length - 1 are words, so place length is "
        "padding already.": "one_more",
        "nothing is hidden: padding gets weight. Give its scores -np.inf, before the "
        "softmax.": "nothing_hidden",
        "the scores are not scaled any more: divide them by √d_k.": "unscaled",
        "the scores are divided by d_k itself. Divide by its square root.": "no_root",
        "these are the weights. Multiply them by V.": "weights",
        "where padding has by far the largest score, the softmax leaves nothing for the words, and "
        "0/0 is NaN. Hide the scores before the softmax, not the weights after "
        "it.": "divided_again",
        "padding got weight where every word has a very low score: a large negative number hides "
        "only as long as every real score is larger. -np.inf always hides.": "large",
        "the mask is upside down: the first keys are words, and those from place length on are "
        "padding.": _blind("upside_down"),
        "the last word is hidden, too: the places 0 to length - 1 are words.": _blind("one_less"),
        "rows are hidden. Padding is among the keys, which are columns: scores[:, "
        "length:].": _blind("rows"),
        "the softmax runs over the queries. Each query shares out its weight among the keys: along "
        "the last axis.": _blind("over_queries"),
        "large scores overflow in the exponential. Subtract the largest score of the words in each "
        "row, or use the library's softmax.": Mistake(shows=_has_nan, edge=True),
        "the result has NaN in it: 0 · inf is NaN. Choose with np.where, or write -np.inf into the "
        "columns of the padding, instead of multiplying.": Mistake(shows=_has_nan),
    },
    praise="the padding is hidden before the softmax, and every row is divided by its own sum.",
)

# ex-permutation


def permutation_matrix(order: Sequence[int]) -> list[list[float]]:
    """Put, in row i, a one at place order[i]."""
    return [[float(j == place) for j in range(len(order))] for place in order]


PERMUTATION = FunctionChecker(
    gives="a square matrix of zeros and ones",
    right=permutation_matrix,
    cases=(([1, 2, 0],), ([0, 1],), ([3, 4, 2, 0, 1],), ([2, 0, 3, 1],)),
    draw=lambda rng: (rng.permutation(int(rng.integers(2, 8))).tolist(),),
    mistakes={
        "this is the transpose: it undoes the reordering. Row i of the matrix should pick row "
        "order[i], so its one is in column "
        "order[i].": lambda order: array(permutation_matrix(order)).T,
        "this is the identity, which leaves every row where it is.": lambda order: eye(len(order)),
        "this is the order itself. The matrix has one row for each place, with a single "
        "one.": asarray,
    },
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

EXERCISES["ex-permutation"] = DesignChecker(PERMUTATION, RUBRIC)

# ex-real-head


def head_attention(*given: Any, fault: str = "") -> tuple[Array, Array]:
    """Give the output and the weights of masked self-attention with biases."""
    X, mask = given[0], given[-1]
    missing = {"no_biases": "qkv", "no_b_v": "v", "no_b_q": "q"}.get(fault, "")
    named = zip("qkv", given[1:4], given[4:7], strict=True)
    Q, K, V = (X @ W + b * (name not in missing) for name, W, b in named)
    d_k = K.shape[1]
    divisors = {
        "unscaled": 1,
        "root_of_d": sqrt(X.shape[1]),
        "no_root": d_k,
        "root_of_32": sqrt(32),
    }
    scores = Q @ K.T / divisors.get(fault, sqrt(d_k)) + (mask if fault == "added" else 0)
    seen = {"upside_down": ~mask, "turned": mask.T}.get(fault, mask)
    seen = seen | (fault in ("ignored", "late", "added"))
    weights = _shares(where(seen, scores, 0.0 if fault == "zero" else -inf), fault)
    weights = weights * mask if fault == "late" else weights
    weights = weights if fault == "undefined" else nan_to_num(weights)
    return (weights, weights @ V) if fault == "weights_first" else (weights @ V, weights)


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
    b = short_numbers(seed + 50, (d_k,), (d_k,), (d_v,))
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
    edges=_head_edges,
    mistakes={
        "the biases are left out: Q = X W_q + b_q, and so for K and V.": "no_biases",
        "the weights are right, but b_v is missing in the values.": "no_b_v",
        "b_q is missing in the queries.": "no_b_q",
        "the scores are not scaled: divide them by √d_k.": "unscaled",
        "you divide by the root of d, the size of a token. It is the root of d_k, the size of a "
        "key.": "root_of_d",
        "you divide by d_k itself. Divide by its square root.": "no_root",
        "you divide by the root of 32, whatever the sizes are. That was d_k above; here it is "
        "K.shape[1].": "root_of_32",
        "the mask is not used: hide scores where it is False.": "ignored",
        "the mask is upside down: True means may look, so hide where it is False.": "upside_down",
        "the mask comes after the softmax, so rows no longer sum to one. Hide the scores, before "
        "it.": "late",
        "the softmax runs over the queries. Each row of weights should sum to one: use the last "
        "axis.": "over_queries",
        "the mask is transposed: its rows are queries, as those of the scores.": "turned",
        "hidden scores become 0, and the exponential of 0 is 1: a hidden token still gets weight. "
        "Put -np.inf in their place.": "zero",
        "the mask is added to the scores, which shifts them by 0 or 1 and hides nothing. Put "
        "-np.inf where it is False.": "added",
        "the weights come first. Return the output, then the weights.": "weights_first",
        _HEAD_NAN: [
            "undefined",
            Mistake(shows=lambda got, right: _has_nan(got[1], right[1]), edge=True),
        ],
        "the weights have NaN in them: 0 · inf is NaN. Choose with np.where instead of multiplying "
        "by the mask.": Mistake(shows=lambda got, right: _has_nan(got[1], right[1])),
        "a row that may look at nothing became even weights. It should stay zero, and so should "
        "its output; use -np.inf, and treat such rows separately.": Mistake(shows=_even_rows),
        "a query gives weight to a key that it may not look at: mask[i, j] is False, but "
        "weights[i, j] is not zero. Hide the scores where the mask is "
        "False.": Mistake(shows=lambda got, right: _leaks(got[1], right[1])),
    },
    praise="you have recomputed a head of a real model: in the dog sentence, without the marks, "
    "happy looks at owner, tail and dog.",
)
