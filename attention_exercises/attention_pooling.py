"""Exercises of the chapter "The general formula: attention pooling"."""

from math import exp, log
from typing import Any

from numpy import array, full, isfinite, isnan, maximum, where
from numpy import exp as exp_all
from numpy.random import Generator

from attention_lib.datasets import load_law_schools
from bookwork.exercises import (
    Array,
    ChoiceChecker,
    Exercise,
    FunctionChecker,
    Mistake,
    NumberChecker,
    SeveralChecker,
    ShapeChecker,
    distinct_sizes,
    draw_arrays,
    show,
)

# ex-pool


def pool(weights: Array, V: Array) -> list[float]:
    """Add up the values, each times its weight."""
    output = [0.0] * V.shape[1]
    for weight, value in zip(weights.tolist(), V.tolist(), strict=True):
        output = [total + weight * number for total, number in zip(output, value, strict=True)]
    return output


def _weighted(weights: Array, V: Array) -> Array:
    return weights[:, None] * V  # (m, d_v)


def _draw_pool(rng: Generator) -> tuple[Any, ...]:
    m, d_v = distinct_sizes(rng, 2)
    return draw_arrays(rng, (m,), (m, d_v))


POOL = FunctionChecker(
    name="pool",
    parameters=("weights", "V"),
    gives="one value of size d_v",
    right=pool,
    cases=(
        (array([0.25, 0.75]), array([[8.0], [4.0]])),
        (array([0.5, 2.0]), array([[1.0, 3.0], [2.0, 5.0]])),
        (array([0.5, -0.5, 1.0]), array([[3.0, 1.0], [1.0, 3.0], [1.0, 2.0]])),
    ),
    mistakes=(
        Mistake(
            "the products are averaged: you divide by m as well. Only add them up; the weights "
            "already say how much each value counts.",
            wrong=lambda weights, V: _weighted(weights, V).mean(axis=0),
        ),
        Mistake(
            "the weights meet the columns of V: V comes first in your product, or is transposed. "
            "There is one weight for each row of V: weights @ V.",
            wrong=lambda weights, V: V @ weights,
        ),
        Mistake(
            "you divide by the sum of the weights. The formula takes the weights as they are, "
            "whatever they sum to.",
            wrong=lambda weights, V: weights @ V / weights.sum(),
        ),
        Mistake(
            "the values are added up without their weights.",
            wrong=lambda weights, V: V.sum(axis=0),
        ),
        Mistake(
            "these are the weighted values, one row for each key. Add the rows up.",
            wrong=_weighted,
        ),
        Mistake(
            "each weighted value is added up within itself. Add along the keys, axis 0, so that a "
            "vector of size d_v remains.",
            wrong=lambda weights, V: _weighted(weights, V).sum(axis=1),
        ),
    ),
    draw=_draw_pool,
    praise="that is attention pooling: every value, times its weight, added up.",
)

# ex-cone-or-hull


CONE = ChoiceChecker(
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

# ex-normalise


def to_weights(similarities: Array) -> list[list[float]]:
    """Divide each row by its sum; a row of zeros stays."""
    rows = []
    for row in similarities.tolist():
        total = sum(row)
        rows.append([s / total if total else 0.0 for s in row])
    return rows


def _divided(S: Array) -> Array:
    return S / S.sum(axis=1, keepdims=True)


def _softmax_rows(S: Array) -> Array:
    return _divided(exp_all(S))


def _even_zeros(S: Array) -> Array:
    weights = _divided(S)
    return where(isnan(weights), 1 / S.shape[1], weights)


def _draw_similarities(rng: Generator) -> tuple[Any, ...]:
    n, m = distinct_sizes(rng, 2)
    return (rng.uniform(0.01, 3, size=(n, m)),)


NORMALISE = FunctionChecker(
    name="to_weights",
    parameters=("similarities",),
    gives="an array of the shape of similarities",
    right=to_weights,
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
    mistakes=(
        Mistake(
            "the columns sum to one, not the rows. A row holds the weights of one query, so add "
            "up along the last axis.",
            wrong=lambda S: S / S.sum(axis=0),
        ),
        Mistake(
            "all entries together sum to one. Every row needs a sum of its own.",
            wrong=lambda S: S / S.sum(),
        ),
        Mistake(
            "the sums have shape (n,), so NumPy lines them up with the columns. keepdims=True "
            "gives them the shape (n, 1), one for each row.",
            wrong=lambda S: S / S.sum(axis=1),
        ),
        Mistake(
            "this is the softmax. Similarities are nonnegative already: divide them by their sum.",
            wrong=_softmax_rows,
        ),
        Mistake(
            "you divide by the largest entry of a row, so that this one becomes 1. Divide by the "
            "sum.",
            wrong=lambda S: S / S.max(axis=1, keepdims=True),
        ),
        Mistake(
            "a row of zeros gives 0/0, which is NaN. Such a query found nothing: its weights stay "
            "zero.",
            wrong=_divided,
        ),
        Mistake(
            "a row of zeros became even weights. A query that found nothing should get nothing: "
            "its weights stay zero.",
            wrong=_even_zeros,
        ),
        Mistake(
            "a row of small similarities does not sum to one: its small sum is taken for zero. "
            "Only the sum 0 itself needs care.",
            shows=lambda got, right: bool(right.all() and got.sum() < 1e-6),
            edge=True,
        ),
        Mistake(
            "a small number is added to the sum, or stands in for it, to avoid 0/0, but then rows "
            "of small similarities no longer sum to one. Treat the sum 0 separately instead.",
            shows=lambda got, right: bool(right.all() and 0 < got.sum() < right.sum()),
            edge=True,
        ),
    ),
    draw=_draw_similarities,
    praise="every row that found something sums to one, and the others stay zero.",
)

# ex-softmax


def stable_softmax(scores: Array) -> Any:
    """Make weights of the scores along the last axis, whatever their size."""
    if scores.ndim > 1:
        return [stable_softmax(part) for part in scores]
    numbers = scores.tolist()
    powers = [exp(number - max(numbers)) for number in numbers]
    return [power / sum(powers) for power in powers]


def _without_keepdims(x: Array) -> Array:
    powers = exp_all(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1)


def _sums(x: Array) -> Array:
    return array(exp_all(x).sum(axis=-1))  # without its axis


def _naive_softmax(x: Array) -> Array:
    return exp_all(x) / exp_all(x).sum(axis=-1, keepdims=True)


def _one_maximum(x: Array) -> Array:
    return _naive_softmax(x - x.max())


_OVERFLOW = (
    "large scores overflow: the exponential of 1000 is infinite. Subtract the largest score of "
    "each row first; that changes no weight."
)

_NOT_ONE = "the weights are positive, but they do not sum to one: divide them by their sum."

_KEEPDIMS = (
    "the largest score or the sum of each row has lost its axis, so NumPy lines it up with the "
    "columns. Pass keepdims=True."
)


def _draw_scores(rng: Generator) -> tuple[Any, ...]:
    return draw_arrays(rng, tuple(distinct_sizes(rng, int(rng.integers(1, 5)))))


SOFTMAX = FunctionChecker(
    name="stable_softmax",
    parameters=("scores",),
    gives="weights in the shape of scores",
    right=stable_softmax,
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
    mistakes=(
        Mistake(
            "the weights sum to one along the first axis: a softmax over the queries. Each query "
            "shares out its weight among the keys, along the last axis.",
            wrong=lambda x: exp_all(x) / exp_all(x).sum(axis=0),
        ),
        Mistake(
            "all weights together sum to one. Every row of scores needs a sum of its own: add up "
            "along the last axis.",
            wrong=lambda x: exp_all(x) / exp_all(x).sum(),
        ),
        Mistake(
            "axis=1 is the last axis of a matrix only. axis=-1 is the last axis of any array, and "
            "scores may be a single row.",
            raises="axis 1 is out of bounds",
        ),
        Mistake(_NOT_ONE, wrong=exp_all),
        Mistake(_NOT_ONE, wrong=lambda x: exp_all(x - x.max(axis=-1, keepdims=True))),
        Mistake(
            "the scores are divided by their sum as they are. Take the exponential first, which "
            "makes them positive.",
            wrong=lambda x: x / x.sum(axis=-1, keepdims=True),
        ),
        Mistake(_KEEPDIMS, wrong=_without_keepdims),
        Mistake(_KEEPDIMS, wrong=lambda x: _naive_softmax(x - x.max(axis=-1))),
        Mistake(_KEEPDIMS, wrong=lambda x: exp_all(x - x.max(axis=-1)) / _sums(x - x.max(axis=-1))),
        Mistake(_KEEPDIMS, wrong=lambda x: exp_all(x) / _sums(x)),
        Mistake(_OVERFLOW, wrong=_naive_softmax),
        Mistake(
            _OVERFLOW, shows=lambda got, right: got.ndim == 1 and bool(isnan(got).any()), edge=True
        ),
        Mistake(_OVERFLOW, raises="OverflowError"),
        Mistake(
            "you subtract one maximum from all rows, and a row far below it vanishes: 0/0 is NaN. "
            "Subtract from each row its own maximum.",
            wrong=_one_maximum,
        ),
    ),
    draw=_draw_scores,
    without=("softmax",),
    praise="the weights are positive and sum to one along the last axis, however large the scores.",
)

# ex-temperature


def _largest_weight(T: float) -> float:
    """Give the largest weight of the scores 2, 1 and 0."""
    return 1 / (1 + exp(-1 / T) + exp(-2 / T)) if T > 1e-3 else 1.0


_RIGHT_T = 1 / log(2 / ((1 + 4 / 9) ** 0.5 - 1))  # e^(-1/T) solves x + x² = 1/9


def _compared(T: float) -> str:
    weight = _largest_weight(T)
    side, way = ("below", "lower") if weight < 0.9 else ("above", "higher")
    says = f"at T = {show(T)} the largest weight is {weight:.3f}, {side} 0.9."
    return f"{says} Try a {way} temperature."


def _impossible(T: float) -> str:
    possible = isfinite(T) and T > 0
    return "" if possible else f"a temperature is a positive number, but T is {show(T)}."


TEMPERATURE = NumberChecker(
    "T",
    lambda T: abs(_largest_weight(T) - 0.9) <= 0.005,
    {
        1 / _RIGHT_T: "this is 1/T: the scores are divided by the temperature, not multiplied by "
        "it.",
        1 / log(9): "the score 0 is left out: with the scores 2 and 1 alone this T would do. All "
        "three keys share the weight.",
    },
    advice=_compared,
    praise=lambda T: (
        f"at T = {show(T)} the largest weight is {_largest_weight(T):.3f}, that is 0.90."
    ),
    asks="the answer is one number, the temperature, not {}.",
    tolerance=6e-3,
    odd=_impossible,
)

# ex-kernel


def epanechnikov(u: Array) -> Any:
    """Give three quarters of 1 - u², cut off at 0."""
    if u.ndim:
        return [epanechnikov(part) for part in u]
    return 0.75 * (1 - float(u) ** 2) if u <= 1 else 0.0


_TRIANGLE = (
    "1 - u makes a triangular kernel, which some texts print under this name. Epanechnikov's is a "
    "parabola: u is squared."
)

_POWER = "u ^ 2 is not a power in Python, but an operation on bits. Write u**2."
_MAXIMUM = (
    "np.max looks for the largest entry of one array, and its second argument is an axis. "
    "np.maximum compares two, entry by entry."
)


def _draw_distances(rng: Generator) -> tuple[Any, ...]:
    u = rng.uniform(0, 1.8, size=tuple(distinct_sizes(rng, int(rng.integers(1, 4)))))
    u.flat[0] /= 2  # np.vectorize takes the type of all results from the first
    return (u,)


KERNEL = FunctionChecker(
    name="epanechnikov",
    parameters=("u",),
    gives="similarities in the shape of u",
    right=epanechnikov,
    cases=(
        (array([0.5]),),
        (array([0.0, 0.25, 1.0]),),
        (array([[0.1, 0.9], [0.6, 0.3], [0.0, 0.8]]),),
    ),
    edges=((array([2.0]),), (array([0.5, 1.5, 3.0]),)),
    mistakes=(
        Mistake(_TRIANGLE, wrong=lambda u: maximum(0, 1 - u)),
        Mistake(_TRIANGLE, wrong=lambda u: 0.75 * maximum(0, 1 - u)),
        Mistake(
            "the factor 3/4 is missing. It cancels when the weights are normalised, but the kernel "
            "has it.",
            wrong=lambda u: maximum(0, 1 - u**2),
        ),
        Mistake(
            "this is the Gaussian kernel. Epanechnikov's is a parabola that reaches 0 at u = 1.",
            wrong=lambda u: exp_all(-(u**2) / 2),
        ),
        Mistake(
            "this is the boxcar. Epanechnikov's falls from 3/4 at u = 0 to 0 at u = 1.",
            wrong=lambda u: (u <= 1) * 1.0,
        ),
        Mistake(
            "beyond u = 1 the parabola goes below 0. A similarity is never negative: cut it off "
            "at 0.",
            wrong=lambda u: 0.75 * (1 - u**2),
        ),
        Mistake(_POWER, raises="bitwise_xor"),
        Mistake(_MAXIMUM, raises="cannot be interpreted as an integer"),
        Mistake(_MAXIMUM, raises="only integer scalar arrays"),
        Mistake(
            "beyond u = 1 the parabola is turned upwards, so far keys count more. Cut it off at 0.",
            wrong=lambda u: 0.75 * abs(1 - u**2),
        ),
    ),
    draw=_draw_distances,
    praise="a parabola from 3/4 down to 0 at one width, and 0 beyond.",
)

# ex-nadaraya-watson


def predict(queries: Array, keys: Array, values: Array, width: float) -> list[float]:
    """Average the values by a Gaussian of the distance between query and key."""
    predictions = []
    for query in queries.tolist():
        kernel = [exp(-(((query - key) / width) ** 2) / 2) for key in keys.tolist()]
        products = (s * value for s, value in zip(kernel, values.tolist(), strict=True))
        predictions.append(sum(products) / sum(kernel))
    return predictions


def _distances(queries: Array, keys: Array) -> Array:
    return queries[:, None] - keys  # (n, m)


def _gaussian(queries: Array, keys: Array, width: float) -> Array:
    return exp_all(-((_distances(queries, keys) / width) ** 2) / 2)  # (n, m)


def _pooled(similarities: Array, values: Array) -> Array:
    return similarities @ values / similarities.sum(axis=1)  # (n,)


def _nearest(queries: Array, keys: Array, values: Array, width: float) -> Array:
    return values[abs(_distances(queries, keys)).argmin(axis=1)]


def _over_queries(queries: Array, keys: Array, values: Array, width: float) -> Array:
    kernel = _gaussian(queries, keys, width)
    return kernel / kernel.sum(axis=0) @ values


def _unsquared_width(queries: Array, keys: Array, values: Array, width: float) -> Array:
    return _pooled(exp_all(-(_distances(queries, keys) ** 2) / (2 * width)), values)


def _exponential(queries: Array, keys: Array, values: Array, width: float) -> Array:
    return _pooled(exp_all(-abs(_distances(queries, keys)) / width), values)


_UNSQUARED = "the exponent has the distance itself. The Gaussian squares it."


def _on_law_schools() -> tuple[Any, ...]:
    schools = load_law_schools()
    return array([3.5, 3.0]), schools.gpa, schools.salary, 0.07


def _draw_regression(rng: Generator) -> tuple[Any, ...]:
    n, m = distinct_sizes(rng, 2)
    return *draw_arrays(rng, (n,), (m,), (m,)), float(rng.uniform(0.4, 2))


NADARAYA_WATSON = FunctionChecker(
    name="predict",
    parameters=("queries", "keys", "values", "width"),
    gives="one number per query",
    right=predict,
    cases=(
        (array([1.0]), array([0.0, 3.0]), array([10.0, 20.0]), 2.0),
        (array([0.5, 2.0]), array([0.0, 1.0, 3.0]), array([10.0, 40.0, 20.0]), 0.5),
        (array([1.0, 0.0, 2.5]), array([2.0, 0.5, 3.0]), array([3.0, 1.0, 2.0]), 1.5),
    ),
    edges=(_on_law_schools(),),
    mistakes=(
        Mistake(
            "the similarities are not normalised: divide them by their sum over the keys.",
            wrong=lambda q, k, v, width: _gaussian(q, k, width) @ v,
        ),
        Mistake(
            "the weights are normalised over the queries. For every query they should sum to one "
            "over the keys.",
            wrong=_over_queries,
        ),
        Mistake(
            "the similarities of all queries together are divided by one sum. Every query needs a "
            "sum of its own, over the keys.",
            wrong=lambda q, k, v, width: _gaussian(q, k, width) @ v / _gaussian(q, k, width).sum(),
        ),
        Mistake(
            "the width is not squared: u is the distance divided by the width, and then squared.",
            wrong=_unsquared_width,
        ),
        Mistake(
            "the width multiplies the distance. Distances are counted in widths: divide.",
            wrong=lambda q, k, v, width: predict(q, k, v, 1 / width),
        ),
        Mistake(
            "the width has no effect: divide the distances by it.",
            wrong=lambda q, k, v, width: predict(q, k, v, 1.0),
        ),
        Mistake(
            "the factor 1/2 in the exponent of the Gaussian is missing.",
            wrong=lambda q, k, v, width: predict(q, k, v, width / 2**0.5),
        ),
        Mistake(
            "the minus sign in the exponent is missing, so the farthest keys count most.",
            wrong=lambda q, k, v, width: _pooled(1 / _gaussian(q, k, width), v),
        ),
        Mistake(_UNSQUARED, wrong=lambda q, k, v, width: _exponential(q, k, v, 2 * width)),
        Mistake(_UNSQUARED, wrong=_exponential),
        Mistake(
            "only the nearest key counts. The kernel lets every key count, the nearer the more.",
            wrong=_nearest,
        ),
        Mistake(
            "this is the plain average of all values, the same for every query.",
            wrong=lambda q, k, v, width: full(len(q), v.mean()),
        ),
        Mistake(
            "these are the weights. Multiply them by the values and add up.",
            wrong=lambda q, k, v, width: (
                _gaussian(q, k, width) / _gaussian(q, k, width).sum(axis=1, keepdims=True)
            ),
        ),
    ),
    draw=_draw_regression,
    without=("kernel_regression",),
    praise="that is the Nadaraya–Watson estimator, also on the 142 law schools.",
)

# ex-rows-sum

_ONE_EACH = "The weights have one number for each query and key."

ROWS_SUM = SeveralChecker(
    (
        ShapeChecker(
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
            asks="a shape is written as in (rows, columns), two numbers, but yours is {}.",
            axes=2,
        ),
        NumberChecker(
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
            asks="the sum is one number, but yours is {}.",
        ),
    ),
    praise="5 rows, one for each query, and every row sums to one.",
)


# ex-wrong-heatmap


HEATMAP = ChoiceChecker(
    right="a",
    explanations={
        "a": "rows belong to queries, and the weights of a query sum to one. Here the softmax ran "
        "along the wrong axis.",
        "b": "a pale row still sums to one: its query likes many keys about equally.",
        "c": "that can be: all queries want the same key. Every row still sums to one.",
        "d": "that can be: two equal queries have equal weights.",
    },
)


EXERCISES = (
    Exercise("ex-pool", POOL),
    Exercise("ex-cone-or-hull", CONE),
    Exercise("ex-normalise", NORMALISE),
    Exercise("ex-softmax", SOFTMAX),
    Exercise("ex-temperature", TEMPERATURE),
    Exercise("ex-kernel", KERNEL),
    Exercise("ex-rows-sum", ROWS_SUM),
    Exercise("ex-wrong-heatmap", HEATMAP),
    Exercise("ex-nadaraya-watson", NADARAYA_WATSON),
)
