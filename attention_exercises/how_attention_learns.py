"""Exercises of the chapter "How attention learns"."""

from collections.abc import Callable
from dataclasses import replace
from math import sqrt
from typing import Any

from numpy import allclose, array, asarray, eye, full, isfinite, mean, ndarray
from numpy.random import Generator, default_rng

from attention_exercises._formulas import softmax
from attention_exercises._rules import holds_more, not_yet_repaired, right_but
from attention_lib.training import LookUp
from bookwork.exercises import (
    Array,
    Checkers,
    ChoiceChecker,
    DesignChecker,
    Finding,
    FunctionChecker,
    Mistake,
    NumberChecker,
    between,
    decimals_lost,
    distinct_sizes,
    draw_arrays,
    parts,
    random_case,
    read_array,
    run,
    show,
)

EXERCISES: Checkers = {}


EXERCISES["ex-jacobian"] = NumberChecker(
    "change",
    -0.16,
    {
        0.16: "the size is right. But weights sum to one: if the others gain, must the second not "
        "lose?",
        -0.14: "this is what the first score does, J₂₁. The third one rises too.",
        -0.02: "this is what the third score does, J₂₃. The first one rises too.",
        -0.12: "both nudges take weight from the second key, so their effects are added.",
        -0.07: "this entry belongs to the first and the third key, J₁₃.",
        0.0028: "effects of two nudges are added, not multiplied.",
        0.14: "J₁₁ and J₁₃ are those of the first weight. The exercise asks for the second.",
        0.02: "J₃₁ and J₃₃ are those of the third weight. The exercise asks for the second.",
        0.21: "this is J₁₁, how the first weight changes with its own score.",
        0.09: "this is J₃₃, how the third weight changes with its own score.",
        0.0: "that is with all three scores rising. The second one stays.",
    },
    advice="it is not {}. Take the two entries of the Jacobian that say how the second weight "
    "changes, one for each score that rises, and add them.",
    praise="two entries of a row, added: what the others gain, the second loses.",
    tolerance=1e-4,
)

EXERCISES["ex-saturated"] = ChoiceChecker(
    right="a",
    explanations={
        "a": "the weights are no longer near 0 and 1, so the entries of the Jacobian grow a "
        "thousandfold, and the division itself costs only a factor of ten.",
        "b": "ten times almost nothing is still almost nothing: the gradient is lost in the "
        "Jacobian, whose entries are about a ten-thousandth.",
        "c": "this asks somewhat more of the weights. Almost all of it is lost on the way to the "
        "scores, in the Jacobian.",
        "d": "this changes no weight, and so no entry of the Jacobian. Saturation is a matter of "
        "differences between scores.",
    },
)

# ex-softmax-backward


def back_through_softmax(
    weights: Array, d_weights: Array, T: float, fault: str = "", scaled: bool = True
) -> Array:
    """Return what the scores get from what the weights got, row by row."""
    w, d = weights, d_weights
    product = w * d
    if fault == "lined_up":
        mean = product.sum(axis=1)
    else:
        axis = {"over_queries": 0, "one_mean": None}.get(fault, 1)
        mean = product.sum(axis=axis, keepdims=True)
    if fault in ("plain_mean", "mean_of_products"):
        mean = (d if fault == "plain_mean" else product).mean(axis=1, keepdims=True)
    result = w * (d - mean * (fault != "nothing_subtracted"))
    if fault == "diagonal_only":
        result = w * (1 - w) * d
    if fault == "unweighted":
        result = d - mean
    result = -result if fault == "sign" else result
    return result * T if fault == "times_T" else result / T if scaled else result


def _with_or_without(fault: str) -> list[dict[str, Any]]:
    """Return a fault in two forms: with and without the temperature."""
    return [{"fault": fault, "scaled": scaled} for scaled in (True, False)]


def _draw_weights(rng: Generator) -> tuple[Array, Array, float]:
    n, m = distinct_sizes(rng, 2)
    scores, d_weights = draw_arrays(rng, (n, m), (n, m))
    return softmax(scores), d_weights, float(rng.uniform(0.3, 3))


def _many_keys(m: int = 400) -> tuple[Array, Array, float]:
    return full((1, m), 1 / m), full((1, m), 1 / m), 1.0


EXERCISES["ex-softmax-backward"] = FunctionChecker(
    gives="one number for each score",
    right=back_through_softmax,
    cases=(
        (array([[0.25, 0.75]]), array([[1.0, 0.0]]), 1.0),
        (
            array([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3]]),
            array([[1.0, -2.0, 0.5], [0.0, 3.0, 1.0]]),
            2.0,
        ),
        (array([[0.2, 0.8], [0.6, 0.4]]), array([[2.0, 1.0], [-1.0, 3.0]]), 0.5),
    ),
    edges=((array([[1.0, 0.0], [0.5, 0.5]]), array([[-5.0, 7.0], [1.0, 2.0]]), 4.0),),
    draw=_draw_weights,
    again=right_but(
        holds_more(400**2 / 2, _many_keys),
        "the result is right, but a whole Jacobian is built on the way, m × m numbers for each "
        "query. Leave it unbuilt: subtract the average of the row, then multiply.",
    ),
    without=("softmax_backward", "attention_backward", "numeric_gradient"),
    mistakes={
        "the temperature has no effect. The scores are divided by T before the softmax, so their "
        "gradient is divided by it too.": {"fault": "no_T", "scaled": False},
        "you multiply by T. A high temperature makes the weights less sensitive: "
        "divide.": "times_T",
        "this uses the diagonal of the Jacobian alone. A score also changes the weights of all "
        "other keys: subtract the weighted average of the row.": _with_or_without("diagonal_only"),
        "the bracket is right. It still has to be multiplied by the weights: a key without weight "
        "has no effect.": _with_or_without("unweighted"),
        "nothing is subtracted. The weighted average of the row is missing.": _with_or_without(
            "nothing_subtracted"
        ),
        "you subtract the plain average of d_weights. It must be weighted: the sum of weights * "
        "d_weights along a row.": _with_or_without("plain_mean"),
        "the mean of weights * d_weights is subtracted. The weights already sum to one, so the "
        "weighted average is their sum.": _with_or_without("mean_of_products"),
        "the average runs over the queries. Each query has its own softmax, so add up along the "
        "keys, the last axis.": _with_or_without("over_queries"),
        "one average is subtracted from all rows. Each query has its own: sum along the last axis, "
        "with keepdims=True.": _with_or_without("one_mean"),
        "the averages have shape (n,), and NumPy lines them up with the columns. Keep the axis "
        "with keepdims=True, so that each row meets its own.": _with_or_without("lined_up"),
        "the sign is reversed: a score whose weight should grow gets a gradient of the wrong "
        "sign.": _with_or_without("sign"),
    },
    praise="that is the whole Jacobian, without ever building it. Every row sums to zero.",
)

# ex-covariance


def slope(q: Array, K: Array, V: Array, fault: str = "") -> Array:
    """Add up weight times (value minus mean) times (key minus mean), over the root of d_k."""
    root = sqrt(len(q))
    w = softmax(K @ q / (1 if fault.startswith("unscaled") else root))
    w = 0 * w + 1 / len(K) if fault == "even" else w
    values = K if fault == "keys_only" else V
    means = full(len(K), 1 / len(K)) if fault == "plain_means" else w * (fault != "uncentred")
    counts = 1 if fault == "unweighted" else w
    moved = (values - means @ values).T * counts @ (K - means @ K)  # (d_v, d_k)
    divisors = {"undivided": 1, "unscaled_throughout": 1, "no_root": len(q)}
    return (moved.T if fault == "turned" else moved) / divisors.get(fault, root)


def _small(seed: int, *shapes: tuple[int, ...]) -> tuple[Array, ...]:
    rng = default_rng(seed)
    return tuple(rng.integers(-4, 5, size=shape) / 2 for shape in shapes)


def _is_rough(function: Callable[..., Any]) -> bool:
    """Return whether a slope is only as exact as one that is measured with small nudges."""
    q, K, V = draw_arrays(default_rng(3), (3,), (5, 3), (5, 2))
    got, right = run(function, (q, K, V), read_array), asarray(slope(q, K, V))
    if not got.returned or asarray(got.raw).dtype != float:  # single precision is as rough
        return False
    return bool(abs(got.value - right).max() > 1e-12 * abs(right).max())


COVARIANCE = FunctionChecker(
    gives="one row per entry of the output and one column per entry of the query",
    right=slope,
    cases=(
        (array([1.0, 0.5]), array([[1.0, 0.0], [0.0, 2.0]]), array([[1.0], [3.0]])),
        _small(0, (2,), (4, 2), (4, 2)),
        _small(1, (4,), (5, 4), (5, 3)),
        _small(2, (3,), (6, 3), (6, 3)),
    ),
    draw=random_case(lambda d_k, m, d_v: ((d_k,), (m, d_k), (m, d_v))),
    again=right_but(
        _is_rough,
        "the numbers are right, but you nudge the query and watch the output. The exercise asks "
        "for the formula: weights, means, and a weighted sum over the keys.",
    ),
    without=("numeric_gradient",),
    mistakes={
        "the covariance is right, but one division is missing: the scores are divided by the root "
        "of d_k, so their slope is too.": "undivided",
        "the scores are not scaled: divide K @ q by the root of d_k, and the result as "
        "well.": "unscaled_throughout",
        "the scores are not scaled: divide K @ q by the root of d_k before the "
        "softmax.": "unscaled",
        "rows and columns are swapped: one row per entry of the output, one column per entry of "
        "the query.": "turned",
        "nothing is centred. Subtract the weighted mean from the keys, or from the values, or from "
        "both.": "uncentred",
        "the means are plain averages. Keys and values are drawn with the weights, so their means "
        "are weights @ K and weights @ V.": "plain_means",
        "every key counts the same here. It should count by its weight, in the means and in the "
        "sum.": "even",
        "this is the covariance of the keys alone. That is the slope when the values are the keys; "
        "in general one of the two factors is a value.": "keys_only",
        "the result is divided by d_k. The root appears once in the slope: divide by its "
        "root.": "no_root",
        "the weights are missing in the sum: each key counts by its weight there too, not only in "
        "the means.": "unweighted",
    },
    praise="the output follows the query by the covariance of values and keys under the weights.",
)

PROOF = (
    "the slope of a score is its key, over the root of d_k.",
    "by the Jacobian, the slope of a weight is the weight times its key minus the mean key.",
    "values do not move, so the slope of the output is the sum of value times slope of weight.",
    "the centred keys, weighted, sum to zero, so the values may be centred too: a covariance, and "
    "that of the keys if keys and values are the same and the score is not scaled.",
)

EXERCISES["ex-covariance"] = DesignChecker(COVARIANCE, PROOF)


# ex-train-step


def _gradients(Q: Array, K: Array, V: Array, target: Array) -> tuple[Array, Array, Array]:
    """Go back from the error to the queries, the keys and the values."""
    alpha = softmax(Q @ K.T / sqrt(Q.shape[1]))
    error = alpha @ V - target
    d_alpha = error @ V.T
    mean = (alpha * d_alpha).sum(axis=1, keepdims=True)
    d_A = alpha * (d_alpha - mean) / sqrt(Q.shape[1])
    return d_A @ K, d_A.T @ Q, alpha.T @ error


def train_step(
    X: Array,
    W_q: Array,
    W_k: Array,
    W_v: Array,
    target: Array,
    rate: float,
    fault: str | tuple[str, ...] = "",
) -> tuple[Array, ...]:
    """Move the three matrices against their gradients."""
    matrices = (W_q, W_k, W_v)
    d_Q, d_K, d_V = _gradients(X @ W_q, X @ W_k, X @ W_v, target)
    parts = (d_Q, d_K, d_K if "keys_for_values" in fault else d_V)
    left = X if "untransposed" in fault else X.T
    if fault == "gradients":
        return tuple(left @ d for d in parts)
    rate = {"no_rate": 1.0, "twice": 2 * rate, "unmoved": 0.0}.get(str(fault), rate)
    rate = -rate if "uphill" in fault else rate
    return tuple(W - rate * left @ d for W, d in zip(matrices, parts, strict=True))


_UNTRANSPOSED = (
    "X is not transposed. From Q = X W_q follows d_W_q = X.T @ d_Q; the other product exists only "
    "because there are as many tokens as entries."
)


def _same_matrices(got: Any, right: Any) -> bool:
    """Compare as closely as single precision can: gradients are differences of larger numbers."""
    return all(
        mine.shape == wanted.shape
        and allclose(mine, wanted, rtol=1e-5, atol=1e-5)
        and not decimals_lost(mine, wanted)
        for mine, wanted in zip(got, right, strict=True)
    )


EXERCISES["ex-train-step"] = FunctionChecker(
    gives="the new W_q, W_k and W_v",
    right=train_step,
    cases=(
        (*_small(5, (2, 2), (2, 2), (2, 2), (2, 2), (2, 2)), 0.1),
        (*_small(6, (3, 3), (3, 3), (3, 3), (3, 3), (3, 3)), 0.1),
        (*_small(7, (3, 2), (2, 4), (2, 4), (2, 1), (3, 1)), 0.1),
    ),
    draw=random_case(
        lambda n, d, d_k, d_v: ((n, d), (d, d_k), (d, d_k), (d, d_v), (n, d_v), between(0.05, 0.2)),
        scale=0.5,
    ),
    mistakes={
        **not_yet_repaired(
            untransposed=_UNTRANSPOSED,
            uphill="the loss grows: the gradient of the loss is output minus target, and the step "
            "is subtracted.",
            keys_for_values="W_v takes the step of W_k. Its own gradient is X.T @ d_V.",
        ),
        "the rate has no effect: multiply the gradients by it.": "no_rate",
        "these are the gradients. Return the matrices after the step.": "gradients",
        "nothing has moved: subtract from each matrix the rate times its gradient.": "unmoved",
        "the step is twice as long as it should be: the loss has a half in front.": "twice",
        _UNTRANSPOSED: ["untransposed", Mistake(raises="matmul: Input operand 1 has a mismatch")],
    },
    praise="all three matrices take their step, and the loss falls.",
    output=replace(parts("W_q", "W_k", "W_v"), same=_same_matrices),
)

# ex-small-head

TASK = LookUp(d_k=2)
SHAPES = {"W_q": (12, 2), "W_k": (24, 2), "W_v": (24, 12)}


def check_small_head(small: Any) -> Finding:
    """Judge a trained head by its answers about new tables."""
    if problem := _misfit(small):
        return Finding("wrong shape", problem)
    matrices = {name: asarray(small[name], float) for name in SHAPES}
    if not all(isfinite(W).all() for W in matrices.values()):
        return Finding(
            "known mistake",
            "some numbers are infinite or not numbers at all: the steps were too long and the "
            "training diverged. Take a lower rate.",
        )
    return _judge_answers(matrices)


def _misfit(parameters: Any) -> str:
    """Say what is wrong with the dictionary and the shapes in it, or nothing."""
    names = "W_q, W_k and W_v"
    if not isinstance(parameters, dict) or not SHAPES.keys() <= parameters.keys():
        return f"pass a dictionary with the matrices {names}, such as run.parameters[-1]."
    for name, shape in SHAPES.items():
        W = parameters[name]
        if not isinstance(W, ndarray | list) or not run(lambda W=W: W, (), read_array).returned:
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
        return _judge_rows(said, found)
    if found > 0.9:
        return Finding(
            "known mistake",
            f"{said}, though every query looks at its own record: W_q and W_k are fine. W_v hands "
            "out the wrong thing.",
        )
    scores = abs(parameters["W_q"] @ parameters["W_k"].T).max() / sqrt(2)
    if scores > _LONG:
        return Finding(
            "known mistake",
            f"{said}, and scores reach {scores:.0f}: the rows are sure of the wrong records. The "
            "steps were too long, or went uphill. Take a lower rate, and look at the sign.",
        )
    if accuracy < 0.15:
        return Finding(
            "known mistake",
            f"{said}, as many as guesses would be. Has anything been learned? run.parameters[0] is "
            "the start of a run, run.parameters[-1] its end, and steps must go downhill.",
        )
    return Finding(
        "not yet", f"{said}; 95 are needed. If you train it, take more steps, or longer ones."
    )


_LONG = 150  # no head that has learned to look up needs scores beyond this


def _judge_rows(said: str, found: float) -> Finding:
    """Judge how sharp the rows are of a head that answers well."""
    if found >= 0.98:
        return Finding("correct", f"{said}, with two numbers per key and nearly one-hot rows.")
    return Finding(
        "not yet",
        f"{said}, but the rows are blurred: a query gives its own record {found:.2f} of its weight "
        "on average, and 0.98 is needed. What makes a softmax sharper and leaves its largest "
        "weight where it is?",
    )


EXERCISES["ex-small-head"] = check_small_head
