"""Exercises of the chapter "How attention learns"."""

from dataclasses import replace
from math import sqrt
from typing import Any

from bookwork.exercises import (
    Array,
    Checkers,
    ChoiceChecker,
    Finding,
    FunctionChecker,
    Raises,
    Value,
    between,
    distinct_sizes,
    draw_arrays,
    parts,
    random_case,
    read_array,
    run,
    show,
)
from numpy import allclose, array, asarray, eye, isfinite, mean, ndarray
from numpy.random import Generator, default_rng

from attention_exercises._rules import not_yet_repaired, numbers
from attention_lib import LookUp, softmax

EXERCISES: Checkers = {}


EXERCISES["ex-jacobian"] = Value(
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
def _draw_weights(rng: Generator) -> tuple[Array, Array, float]:
    n, m = distinct_sizes(rng, 2)
    scores, d_weights = draw_arrays(rng, (n, m), (n, m))
    return softmax(scores), d_weights, float(rng.uniform(0.3, 3))


EXERCISES["ex-softmax-backward"] = FunctionChecker(
    gives="one number for each score",
    right="""
        def back_through_softmax(weights, d_weights, T):
            mean = (weights * d_weights).sum(axis=1, keepdims=True)
            return weights * (d_weights - mean) / T
        """,
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
    wrong={
        "/ T =>": "the temperature has no effect. The scores are divided by T before the softmax, "
        "so their gradient is divided by it too.",
        "/ T => * T": "you multiply by T. A high temperature makes the weights less sensitive: "
        "divide.",
        (
            "(d_weights - mean) => (1 - weights) * d_weights",
            "(d_weights - mean) => (1 - weights) * d_weights ;; / T =>",
        ): "this uses the diagonal of the Jacobian alone. A score also changes the weights of all "
        "other keys: subtract the weighted average of the row.",
        (
            "weights * (d_weights - mean) => (d_weights - mean)",
            "weights * (d_weights - mean) => (d_weights - mean) ;; / T =>",
        ): "the bracket is right. It still has to be multiplied by the weights: a key without "
        "weight has no effect.",
        (
            "- mean =>",
            "- mean => ;; / T =>",
        ): "nothing is subtracted. The weighted average of the row is missing.",
        (
            "(weights * d_weights).sum => d_weights.mean",
            "(weights * d_weights).sum => d_weights.mean ;; / T =>",
        ): "you subtract the plain average of d_weights. It must be weighted: the sum of weights * "
        "d_weights along a row.",
        (
            ").sum( => ).mean(",
            ").sum( => ).mean( ;; / T =>",
        ): "the mean of weights * d_weights is subtracted. The weights already sum to one, so the "
        "weighted average is their sum.",
        (
            "axis=1 => axis=0",
            "axis=1 => axis=0 ;; / T =>",
        ): "the average runs over the queries. Each query has its own softmax, so add up along the "
        "keys, the last axis.",
        (
            "axis=1 => axis=None",
            "axis=1 => axis=None ;; / T =>",
        ): "one average is subtracted from all rows. Each query has its own: sum along the last "
        "axis, with keepdims=True.",
        (
            "axis=1, keepdims=True => axis=1",
            "axis=1, keepdims=True => axis=1 ;; / T =>",
        ): "the averages have shape (n,), and NumPy lines them up with the columns. Keep the axis "
        "with keepdims=True, so that each row meets its own.",
        (
            "(d_weights - mean) => (mean - d_weights)",
            "(d_weights - mean) => (mean - d_weights) ;; / T =>",
        ): "the sign is reversed: a score whose weight should grow gets a gradient of the wrong "
        "sign.",
    },
    praise="that is the whole Jacobian, without ever building it. Every row sums to zero.",
)


EXERCISES["ex-covariance"] = FunctionChecker(
    gives="one row per entry of the output and one column per entry of the query",
    right="""
        def slope(q, K, V):
            root = np.sqrt(len(q))
            scores = K @ q / root
            powers = np.exp(scores - scores.max())
            w = powers / powers.sum()
            moved = (V - w @ V).T * w @ (K - w @ K)
            return moved / root
        """,
    cases=(
        (array([1.0, 0.5]), array([[1.0, 0.0], [0.0, 2.0]]), array([[1.0], [3.0]])),
        numbers(0, (2,), (4, 2), (4, 2)),
        numbers(1, (4,), (5, 4), (5, 3)),
        numbers(2, (3,), (6, 3), (6, 3)),
    ),
    draw=random_case(lambda d_k, m, d_v: ((d_k,), (m, d_k), (m, d_v))),
    wrong={
        "return moved / root => return moved": "the covariance is right, but one division is "
        "missing: the scores are divided by the root of d_k, so their slope is too.",
        "root = np.sqrt(len(q)) => root = 1": "the scores are not scaled: divide K @ q by the root "
        "of d_k, and the result as well.",
        "K @ q / root => K @ q": "the scores are not scaled: divide K @ q by the root of d_k "
        "before the softmax.",
        "return moved / root => return moved.T / root": "rows and columns are swapped: one row per "
        "entry of the output, one column per entry of the query.",
        "V - w @ V => V ;; K - w @ K => K": "nothing is centred. Subtract the weighted mean from "
        "the keys, or from the values, or from both.",
        "V - w @ V => V - V.mean(axis=0) ;; K - w @ K => K - K.mean(axis=0)": "the means are plain "
        "averages. Keys and values are drawn with the weights, so their means are weights @ K and "
        "weights @ V.",
        "powers / powers.sum() => np.full(len(K), 1 / len(K))": "every key counts the same here. "
        "It should count by its weight, in the means and in the sum.",
        "V - w @ V => K - w @ K": "this is the covariance of the keys alone. That is the slope "
        "when the values are the keys; in general one of the two factors is a value.",
        "return moved / root => return moved / len(q)": "the result is divided by d_k. The root "
        "appears once in the slope: divide by its root.",
        ".T * w @ => .T @": "the weights are missing in the sum: each key counts by its weight "
        "there too, not only in the means.",
    },
    praise="the output follows the query by the covariance of values and keys under the weights. "
    "Now compare your proof with the solution, step by step.",
)


# ex-train-step
_UNTRANSPOSED = (
    "X is not transposed. From Q = X W_q follows d_W_q = X.T @ d_Q; the other product exists only "
    "because there are as many tokens as entries."
)


def _same_matrices(got: Any, right: Any) -> bool:
    """Compare as closely as single precision can: gradients are differences of larger numbers."""
    pairs = zip(got, right, strict=True)
    return all(a.shape == b.shape and allclose(a, b, rtol=1e-5, atol=1e-5) for a, b in pairs)


EXERCISES["ex-train-step"] = FunctionChecker(
    gives="the new W_q, W_k and W_v",
    right="""
        def train_step(X, W_q, W_k, W_v, target, rate):
            Q, K, V = X @ W_q, X @ W_k, X @ W_v
            root = np.sqrt(Q.shape[1])
            scores = Q @ K.T / root
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            alpha = powers / powers.sum(axis=1, keepdims=True)
            error = alpha @ V - target
            d_alpha = error @ V.T
            mean = (alpha * d_alpha).sum(axis=1, keepdims=True)
            d_scores = alpha * (d_alpha - mean) / root
            d_Q, d_K, d_V = d_scores @ K, d_scores.T @ Q, alpha.T @ error
            return tuple(W - rate * X.T @ d for W, d in ((W_q, d_Q), (W_k, d_K), (W_v, d_V)))
        """,
    cases=(
        (*numbers(5, (2, 2), (2, 2), (2, 2), (2, 2), (2, 2)), 0.1),
        (*numbers(6, (3, 3), (3, 3), (3, 3), (3, 3), (3, 3)), 0.1),
        (*numbers(7, (3, 2), (2, 4), (2, 4), (2, 1), (3, 1)), 0.1),
    ),
    draw=random_case(
        lambda n, d, d_k, d_v: ((n, d), (d, d_k), (d, d_k), (d, d_v), (n, d_v), between(0.05, 0.2)),
        scale=0.5,
    ),
    wrong={
        **not_yet_repaired(
            {
                "X.T => X": _UNTRANSPOSED,
                "W - rate => W + rate": "the loss grows: the gradient of the loss is output minus "
                "target, and the step is subtracted.",
                "(W_v, d_V) => (W_v, d_K)": "W_v takes the step of W_k. Its own gradient is X.T @ "
                "d_V.",
            }
        ),
        "rate * X.T => X.T": "the rate has no effect: multiply the gradients by it.",
        "W - rate * X.T @ d => X.T @ d": "these are the gradients. Return the matrices after the "
        "step.",
        "W - rate * X.T @ d => W": "nothing has moved: subtract from each matrix the rate times "
        "its gradient.",
        "rate * X.T => 2 * rate * X.T": "the step is twice as long as it should be: the loss has a "
        "half in front.",
        ("X.T => X", Raises("matmul: Input operand 1 has a mismatch")): _UNTRANSPOSED,
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
