"""Exercises of the chapter "How attention learns"."""

from collections.abc import Sequence
from math import exp, sqrt
from typing import Any

from numpy import array, asarray, eye, isfinite, mean, ndarray
from numpy import exp as exp_all
from numpy.random import default_rng

from attention_lib._shapes import Array
from attention_lib.exercises import _answers_how_attention_learns as answers
from attention_lib.exercises._ladder import ChoiceChecker, FunctionChecker, Mistake, not_a_number
from attention_lib.exercises._rubric import DesignChecker
from attention_lib.exercises._table import Exercise, Finding
from attention_lib.exercises._words import show
from attention_lib.training import LookUp

CHAPTER = "how_attention_learns"

# ex-jacobian

_OTHER_ENTRIES = (
    (
        0.14,
        "the size is right. But weights sum to one: if the first gains, must the second not lose?",
    ),
    (0.21, "this is J₁₁, how the first weight changes with its own score."),
    (0.16, "this is J₂₂, how the second weight changes with its own score."),
    (-0.07, "this entry belongs to the first and the third key."),
    (-0.02, "this entry belongs to the second and the third key."),
)


def check_jacobian(entry: Any) -> Finding:
    """Judge an entry of the Jacobian for the weights 0.7, 0.2 and 0.1."""
    if found := not_a_number(entry, "the answer is one number, not {}."):
        return found
    entry = float(entry)
    if abs(entry + 0.14) < 1e-4:
        return Finding(
            "correct", "minus the product of the two weights: what one key gains, the others lose."
        )
    for other, says in _OTHER_ENTRIES:
        if abs(entry - other) < 1e-4:
            return Finding("known mistake", says)
    return Finding(
        "not yet",
        f"for two different keys the entry is minus the product of their weights, and that is not "
        f"{show(entry)}.",
    )


# ex-saturated

SATURATED_CHOICES = {
    "a": "A large loss has a small gradient.",
    "b": "The gradient must pass the Jacobian of the softmax, and all its entries are almost zero "
    "here.",
    "c": "The values, too, receive almost no gradient, so nothing in the head can move.",
    "d": "The exponential of such a large score overflows.",
}

SATURATED = ChoiceChecker(
    right="b",
    explanations={
        "a": "the size of a loss says nothing about its slope, and here the output does receive a "
        "large gradient. It is lost further back.",
        "b": "every entry of the Jacobian is a product with a factor near zero, so the scores, and "
        "with them the queries and keys, hear almost nothing.",
        "c": "the values do receive a gradient: it is multiplied by the weights, one of which is "
        "almost one. It does not pass the softmax.",
        "d": "the largest score is subtracted first, so nothing overflows. Saturation is a matter "
        "of differences between scores.",
    },
)

# ex-softmax-backward


def back_through_softmax(weights: Array, d_weights: Array) -> list[list[float]]:
    """Add up, for each score, its effect on every weight, row by row."""
    rows = []
    for w, d in zip(weights.tolist(), d_weights.tolist(), strict=True):
        keys = range(len(w))
        rows.append([sum(d[j] * w[j] * ((j == i) - w[i]) for j in keys) for i in keys])
    return rows


def _row_means(weights: Array, d_weights: Array) -> Array:
    return (weights * d_weights).sum(axis=1, keepdims=True)  # (n, 1)


SOFTMAX_BACKWARD = FunctionChecker(
    name="back_through_softmax",
    parameters=("weights", "d_weights"),
    gives="one number for each score",
    right=back_through_softmax,
    cases=(
        (array([[0.25, 0.75]]), array([[1.0, 0.0]])),
        (array([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3]]), array([[1.0, -2.0, 0.5], [0.0, 3.0, 1.0]])),
        (array([[0.2, 0.8], [0.6, 0.4]]), array([[2.0, 1.0], [-1.0, 3.0]])),
    ),
    edges=((array([[1.0, 0.0], [0.5, 0.5]]), array([[-5.0, 7.0], [1.0, 2.0]])),),
    mistakes=(
        Mistake(
            "this uses the diagonal of the Jacobian alone. A score also changes the weights of all "
            "other keys: subtract the weighted average of the row.",
            wrong=lambda w, d: w * (1 - w) * d,
        ),
        Mistake(
            "the bracket is right. It still has to be multiplied by the weights: a key without "
            "weight hears nothing.",
            wrong=lambda w, d: d - _row_means(w, d),
        ),
        Mistake(
            "nothing is subtracted. The weighted average of the row is missing.",
            wrong=lambda w, d: w * d,
        ),
        Mistake(
            "you subtract the plain average of d_weights. It must be weighted: the sum of "
            "weights * d_weights along a row.",
            wrong=lambda w, d: w * (d - d.mean(axis=1, keepdims=True)),
        ),
        Mistake(
            "the average runs over the queries. Each query has its own softmax, so add up along "
            "the keys, the last axis.",
            wrong=lambda w, d: w * (d - (w * d).sum(axis=0, keepdims=True)),
        ),
        Mistake(
            "one average is subtracted from all rows. Each query has its own: sum along the last "
            "axis, with keepdims=True.",
            wrong=lambda w, d: w * (d - (w * d).sum()),
        ),
        Mistake(
            "the averages have shape (n,), and NumPy lines them up with the columns. Keep the axis "
            "with keepdims=True, so that each row meets its own.",
            wrong=lambda w, d: w * (d - (w * d).sum(axis=1)),
        ),
        Mistake(
            "the sign is turned round: a score whose weight should grow gets a gradient of the "
            "wrong sign.",
            wrong=lambda w, d: w * (_row_means(w, d) - d),
        ),
    ),
    praise="that is the whole Jacobian, without ever building it. Every row sums to zero.",
)

# ex-covariance


def _weigh(scores: list[float]) -> list[float]:
    powers = [exp(score) for score in scores]
    return [power / sum(powers) for power in powers]


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(one, other, strict=True))


def slope(q: Array, K: Array, V: Array) -> list[list[float]]:
    """Add up weight times (value minus mean) times (key minus mean), over the root of d_k."""
    root = sqrt(len(q))
    w = _weigh([_dot(q.tolist(), key) / root for key in K.tolist()])
    keys, values = K.T.tolist(), V.T.tolist()  # one list per entry
    mean_k, mean_v = [_dot(w, k) for k in keys], [_dot(w, v) for v in values]
    return [
        [
            sum(a * (y - my) * (x - mx) for a, y, x in zip(w, v, k, strict=True)) / root
            for k, mx in zip(keys, mean_k, strict=True)
        ]
        for v, my in zip(values, mean_v, strict=True)
    ]


def _softmax(scores: Array) -> Array:
    powers = exp_all(scores)
    return powers / powers.sum()


def _cov(w: Array, K: Array, V: Array) -> Array:
    return (V - w @ V).T * w @ (K - w @ K)  # (d_v, d_k)


def _alpha(q: Array, K: Array) -> Array:
    return _softmax(K @ q / sqrt(len(q)))


def _even(K: Array) -> Array:
    return _softmax(0 * K[:, 0])


def _small(seed: int, *shapes: tuple[int, ...]) -> tuple[Array, ...]:
    rng = default_rng(seed)
    return tuple(rng.integers(-4, 5, size=shape) / 2 for shape in shapes)


COVARIANCE = FunctionChecker(
    name="slope",
    parameters=("q", "K", "V"),
    gives="one row per entry of the output and one column per entry of the query",
    right=slope,
    cases=(
        (array([1.0, 0.5]), array([[1.0, 0.0], [0.0, 2.0]]), array([[1.0], [3.0]])),
        _small(0, (2,), (4, 2), (4, 2)),
        _small(1, (4,), (5, 4), (5, 3)),
        _small(2, (3,), (6, 3), (6, 3)),
    ),
    mistakes=(
        Mistake(
            "the covariance is right, but one division is missing: the scores are divided by the "
            "root of d_k, so their slope is too.",
            wrong=lambda q, K, V: _cov(_alpha(q, K), K, V),
        ),
        Mistake(
            "the scores are not scaled: divide K @ q by the root of d_k, and the result as well.",
            wrong=lambda q, K, V: _cov(_softmax(K @ q), K, V),
        ),
        Mistake(
            "the scores are not scaled: divide K @ q by the root of d_k before the softmax.",
            wrong=lambda q, K, V: _cov(_softmax(K @ q), K, V) / sqrt(len(q)),
        ),
        Mistake(
            "rows and columns are swapped: one row per entry of the output, one column per entry "
            "of the query.",
            wrong=lambda q, K, V: _cov(_alpha(q, K), K, V).T / sqrt(len(q)),
        ),
        Mistake(
            "nothing is centred. Subtract the weighted mean from the keys, or from the values, or "
            "from both.",
            wrong=lambda q, K, V: V.T * _alpha(q, K) @ K / sqrt(len(q)),
        ),
        Mistake(
            "the means are plain averages. Keys and values are drawn with the weights, so their "
            "means are weights @ K and weights @ V.",
            wrong=lambda q, K, V: (
                (V - V.mean(axis=0)).T * _alpha(q, K) @ (K - K.mean(axis=0)) / sqrt(len(q))
            ),
        ),
        Mistake(
            "every key counts the same here. It should count by its weight, in the means and in "
            "the sum.",
            wrong=lambda q, K, V: _cov(_even(K), K, V) / sqrt(len(q)),
        ),
        Mistake(
            "this is the covariance of the keys alone. That is the slope when the values are the "
            "keys; in general one of the two factors is a value.",
            wrong=lambda q, K, V: _cov(_alpha(q, K), K, K) / sqrt(len(q)),
        ),
    ),
    praise="the output follows the query by the covariance of values and keys under the weights.",
)

PROOF = (
    "the slope of a score is its key, over the root of d_k.",
    "by the Jacobian, the slope of a weight is the weight times its key minus the mean key.",
    "values do not move, so the slope of the output is the sum of value times slope of weight.",
    "the centred keys, weighted, sum to zero, so the values may be centred too: a covariance, and "
    "that of the keys if keys and values are the same and the score is not scaled.",
)


# ex-one-step


def step(Q: Array, K: Array, V: Array, target: Array, rate: float) -> list[list[float]]:
    """Move each query against its gradient, which is the slope's transpose times the error."""
    rows = []
    for q, wanted in zip(Q.tolist(), target.tolist(), strict=True):
        w = _weigh([_dot(q, key) / sqrt(len(q)) for key in K.tolist()])
        errors = [_dot(w, v) - y for v, y in zip(V.T.tolist(), wanted, strict=True)]
        columns = zip(*slope(array(q), K, V), strict=True)
        rows.append([x - rate * _dot(c, errors) for x, c in zip(q, columns, strict=True)])
    return rows


def _d_queries(Q: Array, K: Array, V: Array, target: Array, rate: float = 1.0) -> Array:
    return Q - asarray(step(Q, K, V, target, rate))


def _with_target(Q: Array, K: Array, V: Array, target: Array, rate: float) -> Any:
    """Take the output itself for the gradient, as if the target were zero."""
    return step(Q, K, V, 0 * target, rate)


ONE_STEP = FunctionChecker(
    name="step",
    parameters=("Q", "K", "V", "target", "rate"),
    gives="one row per query",
    right=step,
    cases=(
        (
            array([[0.0, 1.0]]),
            array([[1.0, 0.0], [0.0, 1.0]]),
            array([[1.0], [3.0]]),
            array([[1.0]]),
            0.5,
        ),
        (*_small(3, (2, 2), (3, 2), (3, 3), (2, 3)), 0.1),
        (*_small(4, (3, 4), (5, 4), (5, 2), (3, 2)), 0.01),
    ),
    mistakes=(
        Mistake(
            "this goes uphill, and the loss grows. Look at both signs: d_output is output minus "
            "target, and the step is subtracted.",
            wrong=lambda Q, K, V, target, rate: Q + _d_queries(Q, K, V, target, rate),
        ),
        Mistake(
            "the rate has no effect: multiply the gradient by it.",
            wrong=lambda Q, K, V, target, rate: Q - _d_queries(Q, K, V, target),
        ),
        Mistake(
            "this is the gradient. Return the queries after the step.",
            wrong=lambda Q, K, V, target, rate: _d_queries(Q, K, V, target),
        ),
        Mistake(
            "this is the step alone. Add it to the queries and return those.",
            wrong=lambda Q, K, V, target, rate: -_d_queries(Q, K, V, target, rate),
        ),
        Mistake(
            "the target has no effect. The gradient of this loss is output minus target.",
            wrong=_with_target,
        ),
    ),
    praise="a step against the gradient, and for these small rates the loss is lower after it.",
)

# ex-small-head

TASK = LookUp(d_k=2)
SHAPES = {"W_q": (12, 2), "W_k": (24, 2), "W_v": (24, 12)}


def check_small_head(parameters: Any) -> Finding:
    """Judge a trained head by its answers about new tables."""
    if problem := _misfit(parameters):
        return Finding("wrong shape", problem)
    matrices = {name: asarray(parameters[name], float) for name in SHAPES}
    if not all(isfinite(W).all() for W in matrices.values()):
        return Finding(
            "known mistake",
            "some numbers are infinite or not numbers at all: the steps were too long and the "
            "training flew apart. Take a lower rate.",
        )
    return _judge_answers(matrices)


def _misfit(parameters: Any) -> str:
    """Say what is wrong with the dictionary and the shapes in it, or nothing."""
    names = "W_q, W_k and W_v"
    if not isinstance(parameters, dict) or not SHAPES.keys() <= parameters.keys():
        return f"hand over a dictionary with the matrices {names}, such as run.parameters[-1]."
    for name, shape in SHAPES.items():
        W = parameters[name]
        if not isinstance(W, ndarray | list) or asarray(W).dtype.kind not in "iuf":
            return f"{name} should be an array of numbers, but is {show(W)}."
        if asarray(W).shape != shape:
            return (
                f"{name} should have shape {shape}, for queries and keys of size two, but has "
                f"shape {asarray(W).shape}."
            )
    return ""


def _judge_answers(parameters: dict[str, Array]) -> Finding:
    X, right = TASK.draw(default_rng(2026), 200)
    logits, weights = TASK.predict(parameters, X)
    accuracy = float(mean(logits.argmax(axis=-1) == right))
    found = float(mean((weights * eye(6)).sum(axis=-1)))
    said = f"{100 * accuracy:.0f} of 100 answers about new tables are right"
    if accuracy >= 0.95:
        return Finding("correct", f"{said}, with two numbers per key.")
    if found > 0.9:
        return Finding(
            "known mistake",
            f"{said}, though every query looks at its own record: W_q and W_k are fine. W_v hands "
            "out the wrong thing.",
        )
    if accuracy < 0.15:
        return Finding(
            "known mistake",
            f"{said}, as many as guesses would be. Has anything been learned? run.parameters[0] is "
            "the start of a run, run.parameters[-1] its end, and steps must go downhill.",
        )
    return Finding("not yet", f"{said}; 95 are asked for. Take more steps, or longer ones.")


EXERCISES: tuple[Exercise, ...] = (
    Exercise(
        label="ex-jacobian",
        chapter=CHAPTER,
        title="One entry of the Jacobian",
        minutes=3,
        difficulty="easy",
        kind="number",
        call='check("ex-jacobian", entry)',
        checker=check_jacobian,
        answers=answers.JACOBIAN,
    ),
    Exercise(
        label="ex-saturated",
        chapter=CHAPTER,
        title="A head that is sure and wrong",
        minutes=3,
        difficulty="medium",
        kind="choose",
        call='check("ex-saturated", answer)',
        checker=SATURATED,
        answers=answers.SATURATED,
        choices=SATURATED_CHOICES,
    ),
    Exercise(
        label="ex-softmax-backward",
        chapter=CHAPTER,
        title="Back through the softmax",
        minutes=8,
        difficulty="medium",
        kind="code",
        call='check("ex-softmax-backward", back_through_softmax)',
        checker=SOFTMAX_BACKWARD,
        answers=answers.SOFTMAX_BACKWARD,
    ),
    Exercise(
        label="ex-covariance",
        chapter=CHAPTER,
        title="The covariance theorem",
        minutes=25,
        difficulty="hard",
        kind="self-check",
        call='check("ex-covariance", slope, done=done)',
        checker=DesignChecker(COVARIANCE, PROOF),
        answers=answers.COVARIANCE,
        rubric=PROOF,
    ),
    Exercise(
        label="ex-one-step",
        chapter=CHAPTER,
        title="One step downhill",
        minutes=10,
        difficulty="medium",
        kind="code",
        call='check("ex-one-step", step)',
        checker=ONE_STEP,
        answers=answers.ONE_STEP,
    ),
    Exercise(
        label="ex-small-head",
        chapter=CHAPTER,
        title="The smallest head that looks up",
        minutes=25,
        difficulty="hard",
        kind="code",
        call='check("ex-small-head", small)',
        checker=check_small_head,
        answers=answers.SMALL_HEAD,
    ),
)
