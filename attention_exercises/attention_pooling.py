"""Exercises of the chapter "The general formula: attention pooling"."""

from math import log
from typing import Any

from bookwork.exercises import (
    Checkers,
    ChoiceChecker,
    FunctionChecker,
    Raises,
    Shows,
    Value,
    Values,
    between,
    distinct_sizes,
    draw_arrays,
    random_case,
)
from numpy import array, isnan
from numpy.random import Generator

from attention_lib.models import load_law_schools

EXERCISES: Checkers = {}


EXERCISES["ex-pool"] = FunctionChecker(
    gives="one value of size d_v",
    right="""
        def pool(weights, V):
            return weights @ V
        """,
    cases=(
        (array([0.25, 0.75]), array([[8.0], [4.0]])),
        (array([0.5, 2.0]), array([[1.0, 3.0], [2.0, 5.0]])),
        (array([0.5, -0.5, 1.0]), array([[3.0, 1.0], [1.0, 3.0], [1.0, 2.0]])),
    ),
    wrong={
        "@ V => @ V / len(V)": "the products are averaged: you divide by m as well. Only add them "
        "up; the weights already say how much each value counts.",
        "weights @ V => V @ weights": "the weights meet the columns of V: V comes first in your "
        "product, or is transposed. There is one weight for each row of V: weights @ V.",
        "@ V => @ V / weights.sum()": "you divide by the sum of the weights. The formula takes the "
        "weights as they are, whatever they sum to.",
        "weights @ V => V.sum(axis=0)": "the values are added up without their weights.",
        "weights @ V => weights[:, None] * V": "these are the weighted values, one row for each "
        "key. Add the rows up.",
        "weights @ V => weights * V.sum(axis=1)": "each weighted value is added up within itself. "
        "Add along the keys, axis 0, so that a vector of size d_v remains.",
    },
    draw=random_case(lambda m, d_v: ((m,), (m, d_v))),
    praise="that is attention pooling: every value, times its weight, added up.",
)

EXERCISES["ex-cone-or-hull"] = ChoiceChecker(
    right="c",
    explanations={
        "a": "that takes one-hot weights, one 1 and the rest 0.",
        "b": "the hull needs weights that sum to one. These sum to 1.25 and can carry the output "
        "past every value, like the salary that was more than anyone earns.",
        "c": "nonnegative weights stay in the cone, and only a sum of one keeps them in the hull.",
        "d": "that takes a negative weight. Nonnegative ones cannot leave the wedge of rays from 0 "
        "that the values span.",
    },
)

EXERCISES["ex-normalise"] = FunctionChecker(
    gives="an array of the shape of similarities",
    right="""
        def to_weights(similarities):
            total = similarities.sum(axis=-1, keepdims=True)
            return similarities / np.where(total == 0, 1, total)
        """,
    cases=(
        (array([[1.0, 3.0]]),),
        (array([[1.0, 3.0, 4.0], [0.0, 2.0, 0.5]]),),
        (array([[1.0, 3.0], [2.0, 0.5]]),),
        (array([[0.5, 1.0], [1.0, 0.25], [0.0, 0.125]]),),
    ),
    edges=(
        (array([[0.0, 0.0], [1.0, 3.0]]),),
        (array([[0.0, 0.0, 0.0]]),),
        (array([[1e-9, 3e-9]]),),
    ),
    wrong={
        "np.where(total == 0, 1, total) => similarities.sum(axis=0)": "the columns sum to one, not "
        "the rows. A row holds the weights of one query, so add up along the last axis.",
        "np.where(total == 0, 1, total) => similarities.sum()": "all entries together sum to one. "
        "Every row needs a sum of its own.",
        "np.where(total == 0, 1, total) => similarities.sum(axis=1)": "the sums have shape (n,), "
        "so NumPy lines them up with the columns. keepdims=True gives them the shape (n, 1), one "
        "for each row.",
        "total = sim => similarities = np.exp(similarities); total = sim": "this is the softmax. "
        "Similarities are nonnegative already: divide them by their sum.",
        "np.where(total == 0, 1, total) => similarities.max(axis=1, keepdims=True)": "you divide "
        "by the largest entry of a row, so that this one becomes 1. Divide by the sum.",
        "np.where(total == 0, 1, total) => total": "a row of zeros gives 0/0, which is NaN. Such a "
        "query found nothing: its weights stay zero.",
        "similarities / np.where(total == 0, 1, total) => "
        "np.where(total == 0, 1 / similarities.shape[1], similarities / total)": "a row of zeros "
        "became even weights. A query that found nothing should get nothing: its weights stay "
        "zero.",
        Shows(lambda got, right: bool(right.all() and got.sum() < 1e-6), edge=True): "a row of "
        "small similarities does not sum to one: its small sum is taken for zero. Only the sum 0 "
        "itself needs care.",
        Shows(lambda got, right: bool(right.all() and 0 < got.sum() < right.sum()), edge=True): "a "
        "small number is added to the sum, or stands in for it, to avoid 0/0, but then rows of "
        "small similarities no longer sum to one. Treat the sum 0 separately instead.",
    },
    draw=random_case(lambda n, m: (lambda rng: rng.uniform(0.01, 3, size=(n, m)),)),
    praise="every row that found something sums to one, and the others stay zero.",
)

# ex-softmax
_OVERFLOW = (
    "large scores overflow: the exponential of 1000 is infinite. Subtract the largest score of "
    "each row first; that changes no weight."
)


def _draw_scores(rng: Generator) -> tuple[Any, ...]:
    return draw_arrays(rng, tuple(distinct_sizes(rng, int(rng.integers(1, 5)))))


EXERCISES["ex-softmax"] = FunctionChecker(
    gives="weights in the shape of scores",
    right="""
        def stable_softmax(scores):
            powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
            return powers / powers.sum(axis=-1, keepdims=True)
        """,
    cases=(
        (array([0.0, 1.0]),),
        (array([2.0, 0.5, -1.0]),),
        (array([[0.0, 1.0, 3.0], [2.0, -1.0, 0.5]]),),
        (array([[0.0, 1.0], [3.0, 1.5]]),),
        (array([[[0.0, 1.0, 2.0], [1.0, -1.0, 0.0]], [[0.5, 0.0, 1.0], [2.0, 3.0, 1.0]]]),),
    ),
    edges=(
        (array([1000.0, 1001.0]),),
        (array([-1000.0, -1001.0]),),
        (array([0.0, 2000.0]),),
        (array([[0.0, 1.0], [2000.0, 2001.0]]),),
    ),
    wrong={
        "- scores.max(axis=-1, keepdims=True) => ;; "
        "powers.sum(axis=-1, keepdims=True) => powers.sum(axis=0)": "the weights sum to "
        "one along the first axis: a softmax over the queries. Each query shares out its weight "
        "among the keys, along the last axis.",
        "- scores.max(axis=-1, keepdims=True) => ;; "
        "powers.sum(axis=-1, keepdims=True) => powers.sum()": "all weights together sum to "
        "one. Every row of scores needs a sum of its own: add up along the last axis.",
        (
            "- scores.max(axis=-1, keepdims=True) => ;; / powers.sum(axis=-1, keepdims=True) =>",
            "/ powers.sum(axis=-1, keepdims=True) =>",
        ): "the weights are positive, but they do not sum to one: divide them by their sum.",
        "np.exp(scores - scores.max(axis=-1, keepdims=True)) => scores": "the scores are divided "
        "by their sum as they are. Take the exponential first, which makes them positive.",
        (
            "powers.sum(axis=-1, keepdims=True) => powers.sum(axis=-1)",
            "scores.max(axis=-1, keepdims=True) => scores.max(axis=-1)",
            "scores.max(axis=-1, keepdims=True) => scores.max(axis=-1) ;; "
            "powers.sum(axis=-1, keepdims=True) => powers.sum(axis=-1)",
            "- scores.max(axis=-1, keepdims=True) => ;; "
            "powers.sum(axis=-1, keepdims=True) => powers.sum(axis=-1)",
        ): "the largest score or the sum of each row has lost its axis, so NumPy lines it up with "
        "the columns. Pass keepdims=True.",
        (
            "- scores.max(axis=-1, keepdims=True) =>",
            Shows(lambda got, right: got.ndim == 1 and bool(isnan(got).any()), edge=True),
            Raises("OverflowError"),
        ): _OVERFLOW,
        "scores.max(axis=-1, keepdims=True) => scores.max()": "you subtract one maximum from all "
        "rows, and a row far below it vanishes: 0/0 is NaN. Subtract from each row its own "
        "maximum.",
        Raises("axis 1 is out of bounds"): "axis=1 is the last axis of a matrix only. axis=-1 is "
        "the last axis of any array, and scores may be a single row.",
    },
    draw=_draw_scores,
    praise="the weights are positive and sum to one along the last axis, however large the scores.",
)

# ex-temperature
_RIGHT_T = 1 / log(2 / ((1 + 4 / 9) ** 0.5 - 1))  # e^(-1/T) solves x + x² = 1/9

EXERCISES["ex-temperature"] = Value(
    "T",
    _RIGHT_T,
    {
        1 / _RIGHT_T: "this is 1/T: the scores are divided by the temperature, not multiplied by "
        "it.",
        1 / log(9): "the score 0 is left out: with the scores 2 and 1 alone this T would do. All "
        "three keys share the weight.",
        -_RIGHT_T: "a temperature is a positive number.",
    },
    advice=(
        "T = {} is too low: a temperature is positive, and at any below the right one the largest "
        "weight is above 0.9. Try a higher temperature.",
        "T = {} is too high: the largest weight is below 0.9. Try a lower temperature.",
    ),
    praise="with this temperature the largest weight is 0.90.",
    tolerance=9.6e-3,  # where the largest weight rounds to 0.90
    rough=5e-3,  # who closes in on what is right is not told of the score 0
)


# ex-nadaraya-watson
def _on_law_schools() -> tuple[tuple[Any, ...], ...]:
    schools = load_law_schools()
    return ((array([3.5, 3.0]), schools.gpa, schools.salary, 0.07),)


EXERCISES["ex-nadaraya-watson"] = FunctionChecker(
    gives="one number per query",
    right="""
        def predict(queries, keys, values, width):
            apart = queries[:, None] - keys
            S = np.exp(-((apart / width) ** 2) / 2)
            return S @ values / S.sum(axis=1)
        """,
    cases=(
        (array([1.0]), array([0.0, 3.0]), array([10.0, 20.0]), 2.0),
        (array([0.5, 2.0]), array([0.0, 1.0, 3.0]), array([10.0, 40.0, 20.0]), 0.5),
        (array([1.0, 0.0, 2.5]), array([2.0, 0.5, 3.0]), array([3.0, 1.0, 2.0]), 1.5),
    ),
    edges=_on_law_schools,
    wrong={
        "/ S.sum(axis=1) =>": "the similarities are not normalised: divide them by their sum over "
        "the keys.",
        "S @ values / S.sum(axis=1) => S / S.sum(axis=0) @ values": "the weights are normalised "
        "over the queries. For every query they should sum to one over the keys.",
        "S.sum(axis=1) => S.sum()": "the similarities of all queries together are divided by one "
        "sum. Every query needs a sum of its own, over the keys.",
        "apart / width => apart / width**0.5": "the width is not squared: u is the distance "
        "divided by the width, and then squared.",
        "apart / width => apart * width": "the width multiplies the distance. Distances are "
        "counted in widths: divide.",
        "apart / width => apart": "the width has no effect: divide the distances by it.",
        "** 2) / 2 => ** 2)": "the factor 1/2 in the exponent of the Gaussian is missing.",
        "np.exp(-( => np.exp((": "the minus sign in the exponent is missing, so the farthest keys "
        "count most.",
        (
            "-((apart / width) ** 2) / 2 => -abs(apart / width) / 2",
            "-((apart / width) ** 2) / 2 => -abs(apart / width)",
        ): "the exponent has the distance itself. The Gaussian squares it.",
        "S @ values / S.sum(axis=1) => values[abs(apart).argmin(axis=1)]": "only the nearest key "
        "counts. The kernel lets every key count, the nearer the more.",
        "S @ values / S.sum(axis=1) => np.full(len(S), values.mean())": "this is the plain average "
        "of all values, the same for every query.",
        "S @ values / S.sum(axis=1) => S / S.sum(axis=1, keepdims=True)": "these are the weights. "
        "Multiply them by the values and add up.",
    },
    draw=random_case(lambda n, m: ((n,), (m,), (m,), between(0.4, 2))),
    praise="that is the Nadaraya–Watson estimator, also on the 142 law schools.",
)

# ex-rows-sum
_ONE_EACH = "The weights have one number for each query and key."

EXERCISES["ex-rows-sum"] = Values(
    (
        Value(
            "shape",
            (5, 8),
            {
                (8, 5): "rows are queries and columns are keys, so 5 queries and 8 keys make 5 "
                "rows of 8.",
                (5, 3): "that is the shape of the output, one value of size 3 per query. "
                + _ONE_EACH,
                (5, 4): "that is the shape of the queries. " + _ONE_EACH,
                (8, 4): "that is the shape of the keys. " + _ONE_EACH,
                (8, 3): "that is the shape of the values. " + _ONE_EACH,
                (5, 5): "each query is compared with the 8 keys, not with the other queries.",
                (8, 8): "the keys are not compared with each other: 5 queries are compared with 8 "
                "keys.",
            },
            advice="the weights have no shape {}: count the queries and the keys.",
        ),
        Value(
            "total",
            5,
            {
                8: "the shape is right, but 8 would be the sum if every column summed to one. The "
                "softmax runs over the keys, so every row does.",
                1: "the shape is right, but 1 is the sum of one row. There is one row for each "
                "query.",
                40: "the shape is right, but 40 is how many weights there are, not what they sum "
                "to.",
            },
            advice="the shape is right, but the sum is not {}: what is one row's?",
        ),
    ),
    praise="5 rows, one for each query, and every row sums to one.",
)
