"""Exercises of the chapter "Scoring functions"."""

from collections.abc import Callable
from math import nan, sqrt
from operator import add, and_, or_
from typing import Any

from numpy import abs as absolute
from numpy import arange, array, inf, isnan, maximum, where
from numpy import exp as exp_all
from numpy import tanh as tanh_all

from attention_exercises._formulas import softmax
from attention_exercises._rules import short_numbers
from attention_lib._arguments import Array, Mask
from bookwork.exercises import (
    Checkers,
    ChoiceChecker,
    DesignChecker,
    FunctionChecker,
    Mistake,
    NumberChecker,
    SeveralChecker,
    parts,
    random_case,
    whole,
)

EXERCISES: Checkers = {}


EXERCISES["ex-longer-key"] = ChoiceChecker(
    right="c",
    explanations={
        "a": "the softmax sees scores, and no keys. A longer key may score higher or lower.",
        "b": "the other keys did not change, and so their scores did not. If all scores doubled, "
        "the largest weight would grow.",
        "c": "doubled, a negative score is lower still: this key points away from the query.",
        "d": "if all weights fell they would no longer sum to one. What one loses, others gain.",
    },
)

# ex-scaled-score


def scaled_scores(
    Q: Array,
    K: Array,
    divisor: Callable[[Array, Array], float] = lambda Q, K: sqrt(K.shape[1]),
    product: Callable[[Array, Array], Array] = lambda Q, K: Q @ K.T,
) -> Array:
    """Divide the dot product of each pair by the root of the size of a key."""
    return product(Q, K) / divisor(Q, K)  # (n, m)


_WEIGHTS = (
    "these are weights: you applied the softmax already. The exercise asks for the scores, which "
    "come before it."
)


EXERCISES["ex-scaled-score"] = FunctionChecker(
    gives="one score per query and key",
    right=scaled_scores,
    cases=(
        (array([[2.0, 0.0, 1.0, 3.0]]), array([[1.0, 5.0, 0.0, 2.0], [3.0, 1.0, 4.0, 0.0]])),
        (array([[1.0, 2.0], [0.5, -1.0], [3.0, 1.0]]), array([[2.0, 3.0]])),
        (
            array([[1.0, 2.0, 0.0], [0.0, 1.0, 5.0], [2.0, 2.0, 1.0]]),
            array([[1.0, 0.0, 3.0], [2.0, 1.0, 0.0], [4.0, 1.0, 1.0]]),
        ),
    ),
    mistakes={
        "the dot products are not divided: this is the plain dot product. Divide by the root of "
        "d_k.": {"divisor": lambda Q, K: 1.0},
        "you divide by d_k itself. The standard deviation of the dot product is its root.": {
            "divisor": lambda Q, K: K.shape[1]
        },
        "you divide by the root of m, the number of keys. It should be d_k, how many numbers one "
        "key holds: K.shape[1].": {"divisor": lambda Q, K: sqrt(len(K))},
        "you divide by the root of n, the number of queries. It should be d_k, how many numbers "
        "one query holds: Q.shape[1].": {"divisor": lambda Q, K: sqrt(len(Q))},
        "you multiply by the root of d_k. The more numbers a vector holds, the larger its dot "
        "products: divide.": {"divisor": lambda Q, K: 1 / sqrt(K.shape[1])},
        "queries should be rows and keys columns, but yours are the other way round: Q comes first "
        "in the product.": {"product": lambda Q, K: K @ Q.T},
        "Q is transposed as well. Its rows are the queries already: Q @ K.T.": {
            "product": lambda Q, K: Q.T @ K.T
        },
        "Q is transposed instead of K. The last axis of both is d_k: Q @ K.T.": {
            "product": lambda Q, K: Q.T @ K
        },
        "K is not transposed. The last axis of Q and the first of the second matrix must both be "
        "d_k: Q @ K.T.": {"product": lambda Q, K: Q @ K},
        "this multiplies entry by entry and adds nothing up. The dot products of all pairs are a "
        "matrix product: Q @ K.T.": {"product": lambda Q, K: Q * K},
        _WEIGHTS: lambda Q, K: softmax(scaled_scores(Q, K)),
    },
    draw=random_case(lambda n, m, d_k: ((n, d_k), (m, d_k))),
    praise="every query meets every key, and the root of d_k keeps the scores small.",
)

EXERCISES["ex-variance"] = SeveralChecker(
    (
        NumberChecker(
            "variance",
            100,
            {
                25: "25 would be right if the entries of the key had variance one. They have "
                "variance four.",
                50: "the standard deviation of the key's entries is two, but variances multiply: "
                "one times four for each product.",
                125: "the variances of the two factors are multiplied, not added: one times four "
                "for each product.",
                4: "that is the variance of one product. The dot product adds up 25 of them.",
                10: "that is the standard deviation. The variance is its square.",
                400: "four is a variance already, so it is not squared.",
                2500: "the products are independent, so their variances add up: 25 times, not 25 "
                "squared.",
            },
            advice="the variance is not {}. What is the variance of one product?",
            asks="variance is one number, but yours is {}.",
        ),
        NumberChecker(
            "divisor",
            10,
            {
                5: "but 5 is the root of d_k, which is right only for entries of variance one. It "
                "leaves a variance of four.",
                100: "but dividing a score by c divides its variance by c squared. With 100 it "
                "would be a hundredth.",
                0.1: "but this multiplies: you were asked for what to divide by.",
                25: "but 25 is d_k. What is needed is the root of the variance.",
                -10: "and the score's would be one, but divided by -10 a good match gets a low "
                "score. Take the positive root.",
            },
            before="the variance is right, ",
            advice="the variance is right, but with {} the score's variance is not one.",
            asks="divisor is one number, but yours is {}.",
        ),
    ),
    praise="25 products of variance four add up to 100, and its root is 10.",
)
# ex-additive-score


def additive_scores(
    Q: Array,
    K: Array,
    W_q: Array,
    W_k: Array,
    w_v: Array,
    b: Array,
    meet: Callable[[Array, Array], Array] = lambda q, k: q[:, None, :] + k[None, :, :],
    inside: int = 1,
    bend: Callable[[Array], Array] = tanh_all,
    end: Callable[[Array, Array, Array], Array] = lambda hidden, w_v, b: hidden @ w_v,
) -> Array:
    """Run the network for each pair."""
    pairs = meet(Q @ W_q, K @ W_k)  # (n, m, d_h)
    return end(bend(pairs + inside * b), w_v, b)


def _straight(x: Array) -> Array:
    return x


def _network(n: int, m: int, d_q: int, d_k: int, d_h: int) -> list[tuple[int, ...]]:
    return [(n, d_q), (m, d_k), (d_q, d_h), (d_k, d_h), (d_h,), (d_h,)]


EXERCISES["ex-additive-score"] = FunctionChecker(
    gives="one score per query and key",
    right=additive_scores,
    cases=(
        (
            array([[1.0]]),
            array([[0.5], [-2.0]]),
            array([[0.5]]),
            array([[1.0]]),
            array([2.0]),
            array([0.25]),
        ),
        short_numbers(1, *_network(n=2, m=2, d_q=2, d_k=3, d_h=2)),
        short_numbers(2, *_network(n=3, m=2, d_q=2, d_k=1, d_h=3)),
    ),
    mistakes={
        "the tanh is missing. Without it the network is linear, and the query drops out of the "
        "softmax: it adds the same to every key.": {"bend": _straight},
        "the tanh comes last in your score. It bends the hidden layer; w_v is applied after it.": {
            "bend": _straight,
            "end": lambda hidden, w_v, b: tanh_all(hidden @ w_v),
        },
        "the bias is missing: add b inside the tanh.": {"inside": 0},
        "the bias is outside the tanh. Add it to the two projections, before the tanh.": {
            "inside": 0,
            "end": lambda hidden, w_v, b: (hidden + b) @ w_v,
        },
        "the bias comes after w_v. Add it to the two projections, before the tanh.": {
            "inside": 0,
            "end": lambda hidden, w_v, b: hidden @ w_v + b,
        },
        "the hidden layer is added up without w_v. Multiply by it: @ w_v.": {
            "end": lambda hidden, w_v, b: hidden.sum(axis=-1)
        },
        "W_q and W_k have changed places: W_q belongs to the "
        "queries.": lambda Q, K, W_q, W_k, *given: additive_scores(Q, K, W_k, W_q, *given),
        "these are the hidden layers of all pairs, bent and weighted but not added up. One pair "
        "should give one number: a product with w_v.": {"end": lambda hidden, w_v, b: hidden * w_v},
        "queries should be rows and keys columns, but yours are the other way "
        "round.": lambda *given: additive_scores(*given).T,
        "queries and keys are added row by row, so query i meets key i only. Every query should "
        "meet every key: give each an axis of its own, [:, None, :] and [None, :, "
        ":].": {"meet": add},
        _WEIGHTS: lambda *given: softmax(additive_scores(*given)),
    },
    draw=random_case(_network),
    without=("additive_score",),
    praise="one small network per pair, and queries and keys may differ in size.",
)

# ex-thin

_NOT_SQUARE = (
    "W has one row for each entry of the query and one column for each entry of the key, so it is "
    "not square here."
)
_ROWS_AND_COLUMNS = "How many rows and columns does a matrix have here?"

EXERCISES["ex-thin"] = SeveralChecker(
    (
        NumberChecker(
            "full",
            80_000,
            {
                600: "W has a number for each entry of the query and each entry of the key: "
                "multiply the two sizes.",
                160_000: _NOT_SQUARE,
                40_000: _NOT_SQUARE,
            },
            advice="full is not {}. " + _ROWS_AND_COLUMNS,
            asks="full is one number, but yours is {}.",
        ),
        NumberChecker(
            "thin",
            30_000,
            {
                20_000: "thin counts one matrix only, and there are two: W_k is left out.",
                10_000: "thin counts one matrix only, and there are two: W_q is left out.",
                80_000: "thin is the size of the product of the two. Only the two thin matrices "
                "are stored.",
                4_000_000: "thin multiplies all three sizes. Count each of the two matrices and "
                "add.",
                200_000_000: "thin multiplies the two matrices' sizes. Both are stored: add them.",
                650: "thin adds up the sizes. A matrix holds rows times columns.",
            },
            before="full is right, but ",
            advice="full is right, but thin is not {}. " + _ROWS_AND_COLUMNS,
            asks="thin is one number, but yours is {}.",
        ),
    ),
    praise="400 · 200 numbers in one matrix, (400 + 200) · 50 in two thin ones.",
)

# ex-squeeze-excite


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + exp_all(-x))


def squeeze_excite(
    X: Array,
    W_1: Array,
    W_2: Array,
    squeeze: Callable[[Array], Array] = lambda X: X.mean(axis=0),
    cut: Callable[[Array], Array] = lambda hidden: maximum(0, hidden),
    gate: Callable[[Array], Array] = _sigmoid,
) -> Array:
    """Multiply each channel by a gate made from the averages of all channels."""
    return X * gate(cut(squeeze(X) @ W_1) @ W_2)


SQUEEZE = FunctionChecker(
    gives="an array of the shape of X",
    right=squeeze_excite,
    cases=(
        (array([[1.0, 2.0], [3.0, -6.0]]), array([[1.0], [0.5]]), array([[2.0, -1.0]])),
        short_numbers(4, (2, 3), (3, 2), (2, 3)),
        short_numbers(5, (3, 2), (2, 2), (2, 2)),
    ),
    mistakes={
        "these are the gates. Multiply each channel of X by its gate.": lambda X, W_1, W_2: (
            _sigmoid(maximum(0, X.mean(axis=0) @ W_1) @ W_2)
        ),
        "the squeeze is missing: every position makes gates of its own. Average over the positions "
        "first, axis 0.": {"squeeze": _straight},
        "this cuts nothing off between the two matrices: the maximum with 0 is missing.": {
            "cut": _straight
        },
        "the gates go through a softmax, so that they compete and sum to one. Here each gate is a "
        "sigmoid of its own.": {"gate": softmax},
        "the sigmoid is missing: a gate lies between 0 and 1.": {"gate": _straight},
        "you add up the positions instead of averaging them. The squeeze should not depend on how "
        "many positions an image has.": {"squeeze": lambda X: X.sum(axis=0)},
        "the average is taken over the channels, axis 1. The squeeze averages over the positions, "
        "axis 0, and keeps the channels.": {"squeeze": lambda X: X.mean(axis=1)},
    },
    draw=random_case(lambda n, d, d_h: ((n, d), (d, d_h), (d_h, d))),
    praise="each channel passes through a gate of its own, and you have compared your reading with "
    "all points of the rubric.",
)

RUBRIC = (
    "It says that the squeeze has uniform weights: average pooling over the positions.",
    "It finds the dot products of the hidden vector, the query, with the columns of the second "
    "matrix, one learned key per channel, and takes the channels as values.",
    "It says that gates are positive but need not sum to one, so that they do not compete, and "
    "that they rescale the channels where softmax weights add values up.",
)

EXERCISES["ex-squeeze-excite"] = DesignChecker(SQUEEZE, RUBRIC)

EXERCISES["ex-choose-score"] = ChoiceChecker(
    right="d",
    explanations={
        "a": "a dot product needs two vectors of the same size, and these have 512 and 300 "
        "numbers.",
        "b": "scaling changes how large the scores are, not which vectors can be compared: 512 and "
        "300 numbers have no dot product.",
        "c": "it can compare the two, and learn how, but it runs a tanh layer for each of millions "
        "of pairs. Another one fits as well and is a single matrix product.",
        "d": "a learned matrix stands between the two sizes, and all pairs are one matrix product.",
    },
)

# ex-sparse-attention


def _hidden(scores: Array, mask: Mask, axis: int = -1, empty: float = 0.0) -> Array:
    """Give the weights of scores that are hidden; those of a query that sees nothing are empty."""
    weights = softmax(where(mask, scores, -inf), axis)
    return where(isnan(weights), empty, weights)


def _undefined(scores: Array, mask: Mask, axis: int = -1) -> Array:
    """Do it by hand, so that a query that sees nothing gets 0/0."""
    return _hidden(scores, mask, axis, empty=nan)


def _divided_late(scores: Array, mask: Mask) -> Array:
    weights = softmax(scores) * mask
    return weights / weights.sum(axis=1, keepdims=True)


def sparse_attention(
    Q: Array,
    K: Array,
    V: Array,
    window: int,
    stride: int,
    near: Callable[[Any, int], Mask] = lambda apart, window: absolute(apart) < window,
    may: Callable[[Mask, Mask], Mask] = or_,
    scale: Callable[[int], float] = sqrt,
    weights: Callable[[Array, Mask], Array] = _hidden,
    share: Callable[[Mask, Mask, Mask], Any] = lambda mask, local, strided: mask.mean(),
) -> tuple[Array, float]:
    """Let each query look at near keys and at every so many places."""
    apart = arange(len(Q))[:, None] - arange(len(K))  # (n, m)
    local, strided = near(apart, window), apart % stride == 0
    mask = may(local, strided)
    output = weights(Q @ K.T / scale(K.shape[1]), mask) @ V
    return output, float(share(mask, local, strided))


def _first(local: Mask, strided: Mask) -> Mask:
    return local


EXERCISES["ex-sparse-attention"] = FunctionChecker(
    gives="two things, an output of one row per query and a share",
    right=sparse_attention,
    cases=(
        (
            array([[1.0, 0.0, 2.0, 1.0]] * 2),
            array([[2.0, 1.0, 0.0, 1.0], [0.0, 3.0, 1.0, 2.0]]),
            array([[10.0], [20.0]]),
            1,
            2,
        ),
        (*short_numbers(6, (5, 2), (5, 2), (5, 2)), 2, 3),
        (*short_numbers(7, (4, 3), (8, 3), (8, 1)), 2, 4),
    ),
    edges=(
        (
            array([[1000.0, 0.0], [0.0, 1000.0], [500.0, 500.0]]),
            array([[2.0, 1.0], [1.0, 2.0], [-2.0, -1.0]]),
            array([[1.0], [2.0], [3.0]]),
            1,
            2,
        ),
        (array([[1.0], [2.0]]), array([[1.0], [2000.0]]), array([[1.0], [2.0]]), 1, 2),
        (array([[-1e15], [1.0]]), array([[1.0], [0.0]]), array([[1.0], [2.0]]), 1, 2),
    ),
    output=parts("the output", "the share"),
    mistakes={
        "the mask comes after the softmax, so the weights that are left no longer sum to one. Hide "
        "the scores, then take the "
        "softmax.": {"weights": lambda scores, mask: softmax(scores) * mask},
        "where a hidden pair has by far the largest score, the softmax leaves nothing for the "
        "others, and 0/0 is NaN. Hide the scores before the softmax, not the weights after "
        "it.": {"weights": _divided_late},
        "a hidden pair got weight, because a score that counts was still lower than the number in "
        "its place. Only -np.inf always "
        "hides.": {"weights": lambda scores, mask: softmax(where(mask, scores, -1e9))},
        "hidden scores are set to 0, but a score of 0 still gets a weight. Set them to -np.inf, or "
        "pass the mask to softmax.": {"weights": lambda scores, mask: softmax(scores * mask)},
        "the share is right, but the mask has no effect: every query looks at every key.": {
            "weights": lambda scores, mask: softmax(scores)
        },
        "the scores are not divided by the root of d_k: this is the plain dot product.": {
            "scale": lambda d_k: 1.0
        },
        "the softmax runs over the queries. Every query shares out its weight among the keys, "
        "along the last axis.": [
            {"weights": lambda scores, mask: _hidden(scores, mask, axis=0)},
            {"weights": lambda scores, mask: _undefined(scores, mask, axis=0)},
        ],
        "a pair must be in both of your patterns. It may look if it is in the window or on the "
        "stride: combine the two masks with "
        "|.": [{"may": and_}, {"may": and_, "weights": _undefined}],
        "this is the window alone. A query may also look at places a multiple of stride away.": [
            {"may": _first},
            {"may": _first, "weights": _undefined},
        ],
        "this is the stride alone. A query may also look at places fewer than window away.": {
            "may": lambda local, strided: strided
        },
        "your window is one place too wide: fewer than window places away, not up to window.": {
            "near": lambda apart, window: absolute(apart) <= window
        },
        "your window has no end on one side: take the distance, np.abs(i - j).": {
            "near": lambda apart, window: apart < window
        },
        "your window reaches half as far as it should: fewer than window places away, on either "
        "side.": [
            {"near": lambda apart, window: absolute(apart) <= window // 2},
            {"near": lambda apart, window: absolute(apart) < max(1, window // 2)},
        ],
        "the output is right, but the share is that of the hidden pairs. The exercise asks for the "
        "share that may look.": {"share": lambda mask, local, strided: 1 - mask.mean()},
        "the output is right, but the share adds up both patterns, and pairs that are in both "
        "count twice. Take the mean of the joint "
        "mask.": {"share": lambda mask, local, strided: local.mean() + strided.mean()},
        "the output is right, but this is how many pairs may look. Divide by the number of all "
        "pairs.": {"share": lambda mask, local, strided: mask.sum()},
        "large scores overflow. Subtract the largest score of each row before the exponential, or "
        "use softmax.": Mistake(shows=lambda got, right: bool(isnan(got[0]).any()), edge=True),
    },
    draw=random_case(
        lambda n, m, d_k, d_v: ((n, d_k), (m, d_k), (m, d_v), whole(1, 6), whole(2, m + 1))
    ),
    without=("local_mask", "strided_mask"),
    praise="every query looks near, and now and then far, at the pairs that your share counts.",
)
