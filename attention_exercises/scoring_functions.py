"""Exercises of the chapter "Scoring functions"."""

from collections.abc import Callable
from math import exp, sqrt, tanh
from typing import Any

from numpy import abs as absolute
from numpy import arange, array, inf, isnan, maximum, nan, roll, where
from numpy import exp as exp_all
from numpy import tanh as tanh_all
from numpy.random import Generator

from attention_lib._arguments import Array, Mask
from bookwork.exercises import (
    NOT_STARTED,
    ChoiceChecker,
    DesignChecker,
    Exercise,
    Finding,
    FunctionChecker,
    Mistake,
    distinct_sizes,
    draw_arrays,
    not_a_number,
    parts,
    show,
    unfinished,
)


def _softmax(scores: Array, axis: int = -1) -> Array:
    powers = exp_all(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


# ex-longer-key


LONGER = ChoiceChecker(
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


def scaled_scores(Q: Array, K: Array) -> list[list[float]]:
    """Divide the dot product of each pair by the root of the size of a key."""
    root = sqrt(K.shape[1])
    return [
        [sum(x * y for x, y in zip(q, k, strict=True)) / root for k in K.tolist()]
        for q in Q.tolist()
    ]


def _dots(Q: Array, K: Array) -> Array:
    return Q @ K.T  # (n, m)


_WEIGHTS = (
    "these are weights: you applied the softmax already. The exercise asks for the scores, which "
    "come before it."
)


def _draw_vectors(rng: Generator) -> tuple[Any, ...]:
    n, m, d_k = distinct_sizes(rng, 3)
    return draw_arrays(rng, (n, d_k), (m, d_k))


SCALED = FunctionChecker(
    name="scaled_scores",
    parameters=("Q", "K"),
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
    mistakes=(
        Mistake(
            "the dot products are not divided: this is the plain dot product. Divide by the root "
            "of d_k.",
            wrong=_dots,
        ),
        Mistake(
            "you divide by d_k itself. The standard deviation of the dot product is its root.",
            wrong=lambda Q, K: _dots(Q, K) / K.shape[1],
        ),
        Mistake(
            "you divide by the root of m, the number of keys. It should be d_k, how many numbers "
            "one key holds: K.shape[1].",
            wrong=lambda Q, K: _dots(Q, K) / sqrt(len(K)),
        ),
        Mistake(
            "you divide by the root of n, the number of queries. It should be d_k, how many "
            "numbers one query holds: Q.shape[1].",
            wrong=lambda Q, K: _dots(Q, K) / sqrt(len(Q)),
        ),
        Mistake(
            "you multiply by the root of d_k. The more numbers a vector holds, the larger its dot "
            "products: divide.",
            wrong=lambda Q, K: _dots(Q, K) * sqrt(K.shape[1]),
        ),
        Mistake(
            "queries should be rows and keys columns, but yours are the other way round: Q comes "
            "first in the product.",
            wrong=lambda Q, K: (_dots(Q, K) / sqrt(K.shape[1])).T,
        ),
        Mistake(
            "Q is transposed as well. Its rows are the queries already: Q @ K.T.",
            wrong=lambda Q, K: Q.T @ K.T / sqrt(K.shape[1]),
        ),
        Mistake(
            "Q is transposed instead of K. The last axis of both is d_k: Q @ K.T.",
            wrong=lambda Q, K: Q.T @ K / sqrt(K.shape[1]),
        ),
        Mistake(
            "K is not transposed. The last axis of Q and the first of the second matrix must both "
            "be d_k: Q @ K.T.",
            wrong=lambda Q, K: Q @ K / sqrt(K.shape[1]),
        ),
        Mistake(
            "this multiplies entry by entry and adds nothing up. The dot products of all pairs are "
            "a matrix product: Q @ K.T.",
            wrong=lambda Q, K: Q * K / sqrt(K.shape[1]),
        ),
        Mistake(_WEIGHTS, wrong=lambda Q, K: _softmax(_dots(Q, K) / sqrt(K.shape[1]))),
    ),
    draw=_draw_vectors,
    praise="every query meets every key, and the root of d_k keeps the scores small.",
)

# ex-variance

_VARIANCE = 100.0
_DIVISOR = 10.0

_OTHER_VARIANCES = {
    25.0: "25 would be right if the entries of the key had variance one. They have variance four.",
    50.0: "the standard deviation of the key's entries is two, but variances multiply: one times "
    "four for each product.",
    125.0: "the variances of the two factors are multiplied, not added: one times four for each "
    "product.",
    4.0: "that is the variance of one product. The dot product adds up 25 of them.",
    10.0: "that is the standard deviation. The variance is its square.",
    400.0: "four is a variance already, so it is not squared.",
    2500.0: "the products are independent, so their variances add up: 25 times, not 25 squared.",
}

_OTHER_DIVISORS = {
    5.0: "the variance is right, but 5 is the root of d_k, which is right for entries of variance "
    "one only. It leaves a variance of four.",
    100.0: "the variance is right, but dividing a score by c divides its variance by c squared. "
    "With 100 it would be a hundredth.",
    0.1: "the variance is right, but this multiplies: you were asked for what to divide by.",
    -10.0: "the variance is right, and the score's would be one, but divided by -10 a good match "
    "gets a low score. Take the positive root.",
    25.0: "the variance is right, but 25 is d_k. What is needed is the root of the variance.",
}


def check_variance(variance: Any, divisor: Any) -> Finding:
    """Judge the variance of the dot product, then what brings it to one."""
    if unfinished(variance) or unfinished(divisor):
        return Finding("not started", NOT_STARTED)
    for name, given in (("variance", variance), ("divisor", divisor)):
        if found := not_a_number(given, name + " is one number, but yours is {}."):
            return found
    says = f"the variance is not {show(variance)}. What is the variance of one product?"
    if found := _judge_number(float(variance), _VARIANCE, _OTHER_VARIANCES, says):
        return found
    says = f"the variance is right, but with {show(divisor)} the score's variance is not one."
    if found := _judge_number(float(divisor), _DIVISOR, _OTHER_DIVISORS, says):
        return found
    return Finding("correct", "25 products of variance four add up to 100, and its root is 10.")


def _judge_number(
    number: float, right: float, others: dict[float, str], says: str
) -> Finding | None:
    """Compare one number with the right one and with those that known mistakes give."""
    if abs(number - right) < 1e-6 * right:
        return None
    for other, mistake in others.items():
        if abs(number - other) < 1e-6 * abs(other):
            return Finding("known mistake", mistake)
    return Finding("not yet", says)


# ex-additive-score


def additive_scores(
    Q: Array, K: Array, W_q: Array, W_k: Array, w_v: Array, b: Array
) -> list[list[float]]:
    """Run the network for each pair."""
    return [[_network(q, k, W_q, W_k, w_v, b) for k in K] for q in Q]


def _network(q: Array, k: Array, W_q: Array, W_k: Array, w_v: Array, b: Array) -> float:
    total = 0.0
    for unit, out in enumerate(w_v.tolist()):
        inside = float(b[unit])
        inside += sum(float(x) * float(w) for x, w in zip(q, W_q[:, unit], strict=True))
        inside += sum(float(x) * float(w) for x, w in zip(k, W_k[:, unit], strict=True))
        total += out * tanh(inside)
    return total


def _sums(Q: Array, K: Array, W_q: Array, W_k: Array) -> Array:
    return (Q @ W_q)[:, None, :] + (K @ W_k)[None, :, :]  # (n, m, d_h)


def _additive(Q: Array, K: Array, W_q: Array, W_k: Array, w_v: Array, b: Array) -> Array:
    return tanh_all(_sums(Q, K, W_q, W_k) + b) @ w_v


_D_H = array([0.5, -0.25]), array([0.75, 1.5, -1.0])
_PAIR_BY_PAIR = (
    "queries and keys are added row by row, so query i meets key i only. Every query should meet "
    "every key: give each an axis of its own, [:, None, :] and [None, :, :]."
)


def _draw_network(rng: Generator) -> tuple[Any, ...]:
    n, m, d_q, d_k, d_h = distinct_sizes(rng, 5)
    return draw_arrays(rng, (n, d_q), (m, d_k), (d_q, d_h), (d_k, d_h), (d_h,), (d_h,))


ADDITIVE = FunctionChecker(
    name="additive_scores",
    parameters=("Q", "K", "W_q", "W_k", "w_v", "b"),
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
        (
            array([[1.0, 0.5], [-0.5, 2.0]]),
            array([[0.5, 1.0, -1.0], [2.0, 0.0, 0.5]]),
            array([[0.5, 1.0], [-1.0, 0.25]]),
            array([[1.0, 0.0], [0.5, -0.5], [0.25, 2.0]]),
            array([1.0, -2.0]),
            _D_H[0],
        ),
        (
            array([[0.5, -1.0], [1.5, 0.25], [0.0, 1.0]]),
            array([[1.0], [-0.75]]),
            array([[1.0, 0.5, -0.25], [0.5, -1.0, 2.0]]),
            array([[0.75, -0.5, 1.0]]),
            array([2.0, 0.5, -1.0]),
            _D_H[1],
        ),
    ),
    mistakes=(
        Mistake(
            "the tanh is missing. Without it the network is linear, and the query drops out of the "
            "softmax: it adds the same to every key.",
            wrong=lambda Q, K, W_q, W_k, w_v, b: (_sums(Q, K, W_q, W_k) + b) @ w_v,
        ),
        Mistake(
            "the tanh comes last in your score. It bends the hidden layer; w_v is applied after "
            "it.",
            wrong=lambda Q, K, W_q, W_k, w_v, b: tanh_all((_sums(Q, K, W_q, W_k) + b) @ w_v),
        ),
        Mistake(
            "the bias is missing: add b inside the tanh.",
            wrong=lambda Q, K, W_q, W_k, w_v, b: _additive(Q, K, W_q, W_k, w_v, 0 * b),
        ),
        Mistake(
            "the bias is outside the tanh. Add it to the two projections, before the tanh.",
            wrong=lambda Q, K, W_q, W_k, w_v, b: (tanh_all(_sums(Q, K, W_q, W_k)) + b) @ w_v,
        ),
        Mistake(
            "the bias comes after w_v. Add it to the two projections, before the tanh.",
            wrong=lambda Q, K, W_q, W_k, w_v, b: _additive(Q, K, W_q, W_k, w_v, 0 * b) + b,
        ),
        Mistake(
            "the hidden layer is added up without w_v. Multiply by it: @ w_v.",
            wrong=lambda Q, K, W_q, W_k, w_v, b: _additive(Q, K, W_q, W_k, 0 * w_v + 1, b),
        ),
        Mistake(
            "W_q and W_k have changed places: W_q belongs to the queries.",
            wrong=lambda Q, K, W_q, W_k, w_v, b: _additive(Q, K, W_k, W_q, w_v, b),
        ),
        Mistake(
            "these are the hidden layers of all pairs, bent and weighted but not added up. One "
            "pair should give one number: a product with w_v.",
            wrong=lambda Q, K, W_q, W_k, w_v, b: tanh_all(_sums(Q, K, W_q, W_k) + b) * w_v,
        ),
        Mistake(
            "queries should be rows and keys columns, but yours are the other way round.",
            wrong=lambda Q, K, W_q, W_k, w_v, b: _additive(Q, K, W_q, W_k, w_v, b).T,
        ),
        Mistake(
            _PAIR_BY_PAIR,
            wrong=lambda Q, K, W_q, W_k, w_v, b: tanh_all(Q @ W_q + K @ W_k + b) @ w_v,
        ),
        Mistake(
            _WEIGHTS,
            wrong=lambda Q, K, W_q, W_k, w_v, b: _softmax(_additive(Q, K, W_q, W_k, w_v, b)),
        ),
    ),
    draw=_draw_network,
    without=("additive_score",),
    praise="one small network per pair, and queries and keys may differ in size.",
)

# ex-thin

_FULL = 80_000.0
_THIN = 30_000.0

_NOT_SQUARE = (
    "W has one row for each entry of the query and one column for each entry of the key, so it is "
    "not square here."
)

_OTHER_FULLS = {
    600.0: "W has a number for each entry of the query and each entry of the key: multiply the two "
    "sizes.",
    160_000.0: _NOT_SQUARE,
    40_000.0: _NOT_SQUARE,
}

_OTHER_THINS = {
    20_000.0: "full is right, but thin counts one matrix only, and there are two: W_k is left out.",
    10_000.0: "full is right, but thin counts one matrix only, and there are two: W_q is left out.",
    80_000.0: "full is right, but thin is the size of the product of the two. Only the two thin "
    "matrices are stored.",
    4_000_000.0: "full is right, but thin multiplies all three sizes. Count each of the two "
    "matrices and add.",
    200_000_000.0: "full is right, but thin multiplies the two matrices' sizes. Both are stored: "
    "add them.",
    650.0: "full is right, but thin adds up the sizes. A matrix holds rows times columns.",
}


def check_thin(full: Any, thin: Any) -> Finding:
    """Judge how many numbers one matrix holds, then how many two thin ones do."""
    if unfinished(full) or unfinished(thin):
        return Finding("not started", NOT_STARTED)
    for name, given in (("full", full), ("thin", thin)):
        if found := not_a_number(given, name + " is one number, but yours is {}."):
            return found
    ask = "How many rows and columns does a matrix have here?"
    if found := _judge_number(float(full), _FULL, _OTHER_FULLS, f"full is not {show(full)}. {ask}"):
        return found
    says = f"full is right, but thin is not {show(thin)}. {ask}"
    if found := _judge_number(float(thin), _THIN, _OTHER_THINS, says):
        return found
    return Finding("correct", "400 · 200 numbers in one matrix, (400 + 200) · 50 in two thin ones.")


# ex-gated-score


def gated_scores(Q: Array, K: Array, w_g: Array, b_g: float) -> list[list[float]]:
    """Multiply the dot product of each pair by its gate."""
    return [[_gated(q, k, w_g.tolist(), b_g) for k in K.tolist()] for q in Q.tolist()]


def _gated(q: list[float], k: list[float], w_g: list[float], b_g: float) -> float:
    inside = b_g + sum(w * x for w, x in zip(w_g, [*q, *k], strict=True))
    return sum(x * y for x, y in zip(q, k, strict=True)) / (1 + exp(-inside))


def _inside(Q: Array, K: Array, w_g: Array, b_g: float) -> Array:
    d_q = Q.shape[1]
    return (Q @ w_g[:d_q])[:, None] + K @ w_g[d_q:] + b_g  # (n, m)


def _draw_gate(rng: Generator) -> tuple[Any, ...]:
    n, m, d_k = distinct_sizes(rng, 3)
    return *draw_arrays(rng, (n, d_k), (m, d_k), (2 * d_k,)), float(rng.normal())


GATED = FunctionChecker(
    name="gated_scores",
    parameters=("Q", "K", "w_g", "b_g"),
    gives="one score per query and key",
    right=gated_scores,
    cases=(
        (array([[2.0]]), array([[0.5], [-1.5]]), array([0.25, 1.0]), 0.5),
        (
            array([[1.0, 0.5], [-0.5, 2.0], [1.5, 1.0]]),
            array([[0.5, 1.0], [2.0, -1.0]]),
            array([0.5, -1.0, 0.25, 2.0]),
            -0.75,
        ),
    ),
    mistakes=(
        Mistake(
            "there is no gate: this is the plain dot product. Multiply it by the sigmoid.",
            wrong=lambda Q, K, w_g, b_g: _dots(Q, K),
        ),
        Mistake(
            "these are the gates. Multiply each by the dot product of its pair.",
            wrong=lambda Q, K, w_g, b_g: _sigmoid(_inside(Q, K, w_g, b_g)),
        ),
        Mistake(
            "the sigmoid is missing: a gate lies between 0 and 1.",
            wrong=lambda Q, K, w_g, b_g: _inside(Q, K, w_g, b_g) * _dots(Q, K),
        ),
        Mistake(
            "the bias is missing: add b_g inside the sigmoid.",
            wrong=lambda Q, K, w_g, b_g: gated_scores(Q, K, w_g, 0.0),
        ),
        Mistake(
            "the bias is outside the sigmoid. Add it before.",
            wrong=lambda Q, K, w_g, b_g: (_sigmoid(_inside(Q, K, w_g, 0)) + b_g) * _dots(Q, K),
        ),
        Mistake(
            "the two halves of w_g have changed places: its first numbers belong to the query.",
            wrong=lambda Q, K, w_g, b_g: (
                _sigmoid(_inside(Q, K, roll(w_g, K.shape[1]), b_g)) * _dots(Q, K)
            ),
        ),
        Mistake(
            "the sign in the sigmoid is reversed, so that gates shut where they should open.",
            wrong=lambda Q, K, w_g, b_g: _sigmoid(-_inside(Q, K, w_g, b_g)) * _dots(Q, K),
        ),
        Mistake(
            "the gate is added to the dot product. Multiply by it.",
            wrong=lambda Q, K, w_g, b_g: _sigmoid(_inside(Q, K, w_g, b_g)) + _dots(Q, K),
        ),
        Mistake(
            "the dot product is divided by the root of d_k. This score is gated, not scaled.",
            wrong=lambda Q, K, w_g, b_g: array(gated_scores(Q, K, w_g, b_g)) / sqrt(K.shape[1]),
        ),
        Mistake(
            "queries should be rows and keys columns, but yours are the other way round.",
            wrong=lambda Q, K, w_g, b_g: array(gated_scores(Q, K, w_g, b_g)).T,
        ),
        Mistake(
            _WEIGHTS, wrong=lambda Q, K, w_g, b_g: _softmax(array(gated_scores(Q, K, w_g, b_g)))
        ),
    ),
    draw=_draw_gate,
    without=("gated_score",),
    praise="every pair has a gate of its own, made from its query and its key.",
)

# ex-squeeze-excite


def squeeze_excite(X: Array, W_1: Array, W_2: Array) -> list[list[float]]:
    """Multiply each channel by a gate made from the averages of all channels."""
    rows = X.tolist()
    averages = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    hidden = [max(0.0, value) for value in _through(averages, W_1)]
    gates = [1 / (1 + exp(-value)) for value in _through(hidden, W_2)]
    return [[x * g for x, g in zip(row, gates, strict=True)] for row in rows]


def _through(vector: list[float], W: Array) -> list[float]:
    columns = zip(*W.tolist(), strict=True)
    return [sum(x * w for x, w in zip(vector, column, strict=True)) for column in columns]


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + exp_all(-x))


def _hidden(X: Array, W_1: Array) -> Array:
    return maximum(0, X.mean(axis=0) @ W_1)  # (d_h,)


def _draw_image(rng: Generator) -> tuple[Any, ...]:
    n, d, d_h = distinct_sizes(rng, 3)
    return draw_arrays(rng, (n, d), (d, d_h), (d_h, d))


SQUEEZE = FunctionChecker(
    name="squeeze_excite",
    parameters=("X", "W_1", "W_2"),
    gives="an array of the shape of X",
    right=squeeze_excite,
    cases=(
        (array([[1.0, 2.0], [3.0, -6.0]]), array([[1.0], [0.5]]), array([[2.0, -1.0]])),
        (
            array([[1.0, 0.0, 2.0], [0.5, 1.0, -1.0]]),
            array([[1.0, -1.0], [0.5, 1.0], [2.0, -0.5]]),
            array([[0.5, 1.0, -2.0], [1.0, -0.5, 0.25]]),
        ),
        (
            array([[0.0, 1.0], [2.0, 1.0], [1.0, 4.0]]),
            array([[1.0, -1.0], [-0.5, 2.0]]),
            array([[1.0, -0.5], [-2.0, 0.75]]),
        ),
    ),
    mistakes=(
        Mistake(
            "these are the gates. Multiply each channel of X by its gate.",
            wrong=lambda X, W_1, W_2: _sigmoid(_hidden(X, W_1) @ W_2),
        ),
        Mistake(
            "the squeeze is missing: every position makes gates of its own. Average over the "
            "positions first, axis 0.",
            wrong=lambda X, W_1, W_2: X * _sigmoid(maximum(0, X @ W_1) @ W_2),
        ),
        Mistake(
            "this cuts nothing off between the two matrices: the maximum with 0 is missing.",
            wrong=lambda X, W_1, W_2: X * _sigmoid(X.mean(axis=0) @ W_1 @ W_2),
        ),
        Mistake(
            "the gates go through a softmax, so that they compete and sum to one. Here each gate "
            "is a sigmoid of its own.",
            wrong=lambda X, W_1, W_2: X * _softmax(_hidden(X, W_1) @ W_2),
        ),
        Mistake(
            "the sigmoid is missing: a gate lies between 0 and 1.",
            wrong=lambda X, W_1, W_2: X * (_hidden(X, W_1) @ W_2),
        ),
        Mistake(
            "you add up the positions instead of averaging them. The squeeze should not depend on "
            "how many positions an image has.",
            wrong=lambda X, W_1, W_2: squeeze_excite(X, W_1 * len(X), W_2),
        ),
        Mistake(
            "the average is taken over the channels, axis 1. The squeeze averages over the "
            "positions, axis 0, and keeps the channels.",
            wrong=lambda X, W_1, W_2: X * _sigmoid(maximum(0, X.mean(axis=1) @ W_1) @ W_2),
        ),
    ),
    draw=_draw_image,
    praise="each channel passes through a gate of its own, and you have compared your reading with "
    "all points of the rubric.",
)

RUBRIC = (
    "It says that the squeeze has uniform weights: average pooling over the positions.",
    "It finds the dot products of the hidden vector, the query, with the columns of the second "
    "matrix, one learned key per channel, and takes the channels as values.",
    "It says that gates do not compete and need not sum to one, and that they rescale the channels "
    "where softmax weights add values up.",
)

# ex-choose-score


CHOOSE = ChoiceChecker(
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


def sparse_attention(
    Q: Array, K: Array, V: Array, window: int, stride: int
) -> tuple[list[list[float]], float]:
    """Let each query look at near keys and at every so many places, one query at a time."""
    scores, values = scaled_scores(Q, K), V.tolist()
    output, allowed = [], 0
    for i, row in enumerate(scores):
        seen = [j for j in range(len(K)) if abs(i - j) < window or (i - j) % stride == 0]
        allowed += len(seen)
        powers = {j: exp(row[j] - max(row[l] for l in seen)) for j in seen}  # noqa: E741
        total = sum(powers.values())
        columns = range(V.shape[1])
        output.append([sum(powers[j] * values[j][c] for j in seen) / total for c in columns])
    return output, allowed / (len(Q) * len(K))


def _masks(Q: Array, K: Array, window: int, stride: int) -> tuple[Mask, Mask]:
    apart = arange(len(Q))[:, None] - arange(len(K))  # (n, m)
    return absolute(apart) < window, apart % stride == 0


def _scaled(Q: Array, K: Array) -> Array:
    return Q @ K.T / sqrt(K.shape[1])


def _masked(
    scores: Array, mask: Mask, V: Array, axis: int = -1, empty: float = 0.0
) -> tuple[Array, float]:
    weights = _softmax(where(mask, scores, -inf), axis)
    return where(isnan(weights), empty, weights) @ V, float(mask.mean())


def _with_mask(Q: Array, K: Array, V: Array, mask: Mask) -> tuple[Array, float]:
    return _masked(_scaled(Q, K), mask, V)


def _half_masked(says: str, choose: Callable[[Mask, Mask], Mask], axis: int = -1) -> list[Mistake]:
    """Return a mistake with the mask, for those who hide scores by hand (0/0) and by softmax."""

    def masked(empty: float) -> Callable[..., tuple[Array, float]]:
        return lambda Q, K, V, window, stride: _masked(
            _scaled(Q, K), choose(*_masks(Q, K, window, stride)), V, axis, empty
        )

    return [Mistake(says, wrong=masked(empty)) for empty in (0.0, nan)]


def _either(Q: Array, K: Array, window: int, stride: int) -> Mask:
    local, strided = _masks(Q, K, window, stride)
    return local | strided


def _one_sided(Q: Array, K: Array, V: Array, window: int, stride: int) -> tuple[Array, float]:
    apart = arange(len(Q))[:, None] - arange(len(K))  # (n, m)
    return _with_mask(Q, K, V, (apart < window) | (apart % stride == 0))


def _late(Q: Array, K: Array, V: Array, window: int, stride: int) -> tuple[Array, float]:
    mask = _either(Q, K, window, stride)
    return (_softmax(_scaled(Q, K)) * mask) @ V, float(mask.mean())


def _late_and_divided(
    Q: Array, K: Array, V: Array, window: int, stride: int
) -> tuple[Array, float]:
    mask = _either(Q, K, window, stride)
    weights = _softmax(_scaled(Q, K)) * mask
    return weights / weights.sum(axis=1, keepdims=True) @ V, float(mask.mean())


def _far_below(Q: Array, K: Array, V: Array, window: int, stride: int) -> tuple[Array, float]:
    mask = _either(Q, K, window, stride)
    return _softmax(where(mask, _scaled(Q, K), -1e9)) @ V, float(mask.mean())


def _zero_scores(Q: Array, K: Array, V: Array, window: int, stride: int) -> tuple[Array, float]:
    mask = _either(Q, K, window, stride)
    return _softmax(_scaled(Q, K) * mask) @ V, float(mask.mean())


def _unscaled(Q: Array, K: Array, V: Array, window: int, stride: int) -> tuple[Array, float]:
    return _masked(Q @ K.T, _either(Q, K, window, stride), V)


def _shared(how: Any) -> Any:
    """Give the right output with another share, made from the two masks."""

    def wrong(Q: Array, K: Array, V: Array, window: int, stride: int) -> tuple[Any, float]:
        local, strided = _masks(Q, K, window, stride)
        return sparse_attention(Q, K, V, window, stride)[0], float(how(local, strided))

    return wrong


def _everything(Q: Array, K: Array, V: Array, window: int, stride: int) -> tuple[Array, float]:
    return _softmax(_scaled(Q, K)) @ V, float(_either(Q, K, window, stride).mean())


_CASES = (
    (
        array([[1.0, 0.0, 2.0, 1.0]] * 2),
        array([[2.0, 1.0, 0.0, 1.0], [0.0, 3.0, 1.0, 2.0]]),
        array([[10.0], [20.0]]),
        1,
        2,
    ),
    (
        array([[1.0, 0.5], [0.0, 2.0], [1.5, -1.0], [0.5, 0.5], [-1.0, 1.0]]),
        array([[0.5, 1.0], [2.0, 0.0], [-1.0, 1.0], [1.0, 1.5], [0.0, -2.0]]),
        array([[1.0, 5.0], [2.0, 0.0], [4.0, 3.0], [8.0, 1.0], [16.0, 2.0]]),
        2,
        3,
    ),
    (
        array([[0.5, 1.0, -0.5], [2.0, 0.0, 1.0], [1.0, 1.0, 0.5], [-1.0, 0.5, 2.0]]),
        array([[1.0, 0.0, 1.0], [0.5, 2.0, 0.0], [-1.0, 1.0, 1.0], [1.5, 0.5, -1.0]] * 2),
        array([[float(2**j)] for j in range(8)]),
        2,
        4,
    ),
)


def _draw_sparse(rng: Generator) -> tuple[Any, ...]:
    n, m, d_k, d_v = distinct_sizes(rng, 4)
    window, stride = int(rng.integers(1, 6)), int(rng.integers(2, m + 1))  # each sees some key
    return *draw_arrays(rng, (n, d_k), (m, d_k), (m, d_v)), window, stride


SPARSE = FunctionChecker(
    name="sparse_attention",
    parameters=("Q", "K", "V", "window", "stride"),
    gives="two things, an output of one row per query and a share",
    right=sparse_attention,
    cases=_CASES,
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
    mistakes=(
        Mistake(
            "the mask comes after the softmax, so the weights that are left no longer sum to one. "
            "Hide the scores, then take the softmax.",
            wrong=_late,
        ),
        Mistake(
            "where a hidden pair has by far the largest score, the softmax leaves nothing for the "
            "others, and 0/0 is NaN. Hide the scores before the softmax, not the weights after it.",
            wrong=_late_and_divided,
        ),
        Mistake(
            "a hidden pair got weight, because a score that counts was still lower than the number "
            "in its place. Only -np.inf always hides.",
            wrong=_far_below,
        ),
        Mistake(
            "hidden scores are set to 0, but a score of 0 still gets a weight. Set them to "
            "-np.inf, or pass the mask to softmax.",
            wrong=_zero_scores,
        ),
        Mistake(
            "the share is right, but the mask has no effect: every query looks at every key.",
            wrong=_everything,
        ),
        Mistake(
            "the scores are not divided by the root of d_k: this is the plain dot product.",
            wrong=_unscaled,
        ),
        *_half_masked(
            "the softmax runs over the queries. Every query shares out its weight among the keys, "
            "along the last axis.",
            lambda local, strided: local | strided,
            axis=0,
        ),
        *_half_masked(
            "a pair must be in both of your patterns. It may look if it is in the window or on the "
            "stride: combine the two masks with |.",
            lambda local, strided: local & strided,
        ),
        *_half_masked(
            "this is the window alone. A query may also look at places a multiple of stride away.",
            lambda local, strided: local,
        ),
        Mistake(
            "this is the stride alone. A query may also look at places fewer than window away.",
            wrong=lambda Q, K, V, window, stride: _with_mask(
                Q, K, V, _masks(Q, K, window, stride)[1]
            ),
        ),
        Mistake(
            "your window is one place too wide: fewer than window places away, not up to window.",
            wrong=lambda Q, K, V, window, stride: _with_mask(
                Q, K, V, _either(Q, K, window + 1, stride)
            ),
        ),
        Mistake(
            "your window has no end on one side: take the distance, np.abs(i - j).",
            wrong=_one_sided,
        ),
        Mistake(
            "your window reaches half as far as it should: fewer than window places away, on "
            "either side.",
            wrong=lambda Q, K, V, window, stride: _with_mask(
                Q, K, V, _either(Q, K, window // 2 + 1, stride)
            ),
        ),
        Mistake(
            "your window reaches half as far as it should: fewer than window places away, on "
            "either side.",
            wrong=lambda Q, K, V, window, stride: _with_mask(
                Q, K, V, _either(Q, K, max(1, window // 2), stride)
            ),
        ),
        Mistake(
            "the output is right, but the share is that of the hidden pairs. The exercise asks "
            "for the share that may look.",
            wrong=_shared(lambda local, strided: 1 - (local | strided).mean()),
        ),
        Mistake(
            "the output is right, but the share adds up both patterns, and pairs that are in both "
            "count twice. Take the mean of the joint mask.",
            wrong=_shared(lambda local, strided: local.mean() + strided.mean()),
        ),
        Mistake(
            "the output is right, but this is how many pairs may look. Divide by the number of all "
            "pairs.",
            wrong=_shared(lambda local, strided: (local | strided).sum()),
        ),
        Mistake(
            "large scores overflow. Subtract the largest score of each row before the exponential, "
            "or use softmax.",
            shows=lambda got, right: bool(isnan(got[0]).any()),
            edge=True,
        ),
    ),
    draw=_draw_sparse,
    without=("local_mask", "strided_mask"),
    praise="every query looks near, and now and then far, at the pairs that your share counts.",
)


EXERCISES = (
    Exercise("ex-longer-key", LONGER),
    Exercise("ex-scaled-score", SCALED),
    Exercise("ex-variance", check_variance),
    Exercise("ex-additive-score", ADDITIVE),
    Exercise("ex-thin", check_thin),
    Exercise("ex-gated-score", GATED),
    Exercise("ex-squeeze-excite", DesignChecker(SQUEEZE, RUBRIC)),
    Exercise("ex-choose-score", CHOOSE),
    Exercise("ex-sparse-attention", SPARSE),
)
