"""Exercises of the chapter "Summary"."""

from typing import Any

from numpy import array, exp, ones, sqrt, zeros
from numpy.random import default_rng

from attention_lib._shapes import Array
from attention_lib.exercises import _answers_summary as answers
from attention_lib.exercises._ladder import (
    NOT_STARTED,
    ChoiceChecker,
    FunctionChecker,
    Mistake,
    is_shape,
    unfinished,
)
from attention_lib.exercises._outputs import PAIR
from attention_lib.exercises._rubric import RubricChecker
from attention_lib.exercises._table import Exercise, Finding
from attention_lib.exercises._words import show

CHAPTER = "summary"

# ex-tell-the-path

RUBRIC = (
    "It says what is compared with what, and what is handed out.",
    "It says what turns scores into weights, and what the weights of one query sum to.",
    "It says where queries, keys and values come from in self-attention.",
    "It says why there are several heads, and what happens to their outputs.",
    "It says why all of this can be learned, while an exact match cannot.",
)

TELL_THE_PATH = RubricChecker(
    RUBRIC, "your text makes all five points. Who can explain it has understood it."
)

# ex-shapes-on-the-way

_SHAPES = {
    "queries": (10, 16),
    "weights": (8, 10, 10),
    "end_to_end": (10, 96),
    "output": (10, 64),
}

_OTHER_SHAPES: dict[str, dict[tuple[Any, ...], str]] = {
    "queries": {
        (10, 8): "64 / 8 is a common choice for the size of a query, but here d_k is given: 16.",
        (8, 10, 16): "those are the queries of all heads; one head has 10 rows of size 16.",
        (10, 64): "that is X. The head multiplies it by its W_q, of shape (64, 16).",
        (16, 10): "there is one row for each token, so it is the other way round.",
    },
    "weights": {
        (10, 10): "that is one head. There are 8 of them, and heads come first.",
        (10, 10, 8): "heads come first: (heads, queries, keys).",
        (8, 10, 16): "those are the queries. A weight belongs to a head, a query and a key.",
        (8, 10, 12): "those are the heads' outputs. A weight belongs to a head, a query and a key.",
    },
    "end_to_end": {
        (10, 128): "8 × 16 would be the queries side by side. What is laid end to end are "
        "averages of values, of size 12 each.",
        (10, 12): "that is the output of one head; 8 of them stand side by side.",
        (80, 12): "the heads stand side by side, so the rows stay one for each token.",
        (10, 64): "64 comes only after W_o. Before it, 8 outputs of size 12 stand side by side.",
    },
    "output": {
        (10, 96): "that is before W_o, which brings the vectors back to size 64.",
        (8, 10, 64): "the heads were laid end to end before W_o: no axis of heads is left.",
    },
}


def check_shapes(queries: Any, weights: Any, end_to_end: Any, output: Any) -> Finding:
    """Judge the four shapes, in the order of the way."""
    given = dict(zip(_SHAPES, (queries, weights, end_to_end, output), strict=True))
    if any(unfinished(shape) for shape in given.values()):
        return Finding("not started", NOT_STARTED)
    for name, shape in given.items():
        if found := _judge_shape(name, shape):
            return found
    return Finding("correct", "10 tokens go in and 10 come out; only the sizes change.")


def _judge_shape(name: str, shape: Any) -> Finding | None:
    if not is_shape(shape):
        return Finding(
            "wrong shape", f"{name} should be a shape such as (3, 4), not {show(shape)}."
        )
    if tuple(shape) == _SHAPES[name]:
        return None
    if known := _OTHER_SHAPES[name].get(tuple(shape)):
        return Finding("known mistake", f"{name}: {known}")
    return Finding("not yet", f"{name} has no shape {show(tuple(shape))}: count rows and columns.")


# ex-cross-attention

Result = tuple[Array, Array]


def cross_attention(X: Array, C: Array, W_q: Array, W_k: Array, W_v: Array, length: int) -> Result:
    """Let each row of X look at the first `length` rows of C, pair by pair."""
    n, m = len(X), len(C)
    weights, output = zeros((n, m)), zeros((n, W_v.shape[1]))
    for i in range(n):
        scores = [float((X[i] @ W_q) @ (C[j] @ W_k)) / sqrt(W_k.shape[1]) for j in range(length)]
        powers = [exp(score - max(scores)) for score in scores]
        for j in range(length):
            weights[i, j] = powers[j] / sum(powers)
            output[i] += weights[i, j] * (C[j] @ W_v)
    return output, weights


def _pool(scores: Array, V: Array) -> Result:
    powers = exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights @ V, weights


def _scores(X: Array, C: Array, W_q: Array, W_k: Array, d: int) -> Array:
    return (X @ W_q) @ (C @ W_k).T / sqrt(d)


def _no_mask(X: Array, C: Array, W_q: Array, W_k: Array, W_v: Array, length: int) -> Result:
    return _pool(_scores(X, C, W_q, W_k, W_k.shape[1]), C @ W_v)


def _no_scaling(X: Array, C: Array, W_q: Array, W_k: Array, W_v: Array, length: int) -> Result:
    return cross_attention(X, C, W_q * sqrt(W_k.shape[1]), W_k, W_v, length)


def _other_length(X: Array, C: Array, W_q: Array, W_k: Array, W_v: Array, length: int) -> Result:
    return cross_attention(X, C, W_q * sqrt(W_k.shape[1] / X.shape[1]), W_k, W_v, length)


def _mask_after(X: Array, C: Array, W_q: Array, W_k: Array, W_v: Array, length: int) -> Result:
    _, weights = _no_mask(X, C, W_q, W_k, W_v, length)
    weights[:, length:] = 0
    return weights @ (C @ W_v), weights


def _zero_scores(X: Array, C: Array, W_q: Array, W_k: Array, W_v: Array, length: int) -> Result:
    scores = _scores(X, C, W_q, W_k, W_k.shape[1])
    scores[:, length:] = 0
    return _pool(scores, C @ W_v)


def _turned(X: Array, C: Array, W_q: Array, W_k: Array, W_v: Array, length: int) -> Result:
    output, weights = cross_attention(X, C, W_q, W_k, W_v, length)
    return weights, output


def _case(
    seed: int, n: int, m: int, d: int, d_k: int, d_v: int, length: int
) -> tuple[Array | int, ...]:
    """Draw short numbers; no seed below gives an entry near 0, which float32 would miss."""
    rng = default_rng(seed)
    shapes = (n, d), (m, d), (d, d_k), (d, d_k), (d, d_v)
    return *(rng.normal(size=shape).round(1) for shape in shapes), length


CROSS_ATTENTION = FunctionChecker(
    name="cross_attention",
    parameters=("X", "C", "W_q", "W_k", "W_v", "length"),
    gives="the output and the weights",
    right=cross_attention,
    cases=(
        _case(0, n=1, m=2, d=2, d_k=2, d_v=1, length=2),
        _case(1, n=2, m=3, d=3, d_k=2, d_v=2, length=2),
        _case(2, n=4, m=6, d=5, d_k=3, d_v=2, length=4),
    ),
    edges=(
        (ones((2, 2)), 30 * ones((3, 2)), *(10 * array([[1.0, 0], [0, 1]]),) * 2, ones((2, 1)), 2),
        (ones((2, 2)), ones((3, 2)), ones((2, 1)), ones((2, 1)), ones((2, 2)), 0),
    ),
    output=PAIR,
    mistakes=(
        Mistake(
            "the padding is looked at too. Only the first length tokens of C are real.",
            wrong=_no_mask,
        ),
        Mistake(
            "the weights of the padding are set to zero after the softmax, so the rows no longer "
            "sum to one. Mask the scores, before it.",
            wrong=_mask_after,
        ),
        Mistake(
            "a score of zero is not no score: exp(0) is 1, so the padding still counts. Give it "
            "minus infinity, or hand softmax a mask.",
            wrong=_zero_scores,
        ),
        Mistake("the scores are not divided by the square root of d_k.", wrong=_no_scaling),
        Mistake(
            "the scores are divided by the square root of d, the size of a token. Divide by that "
            "of d_k, the size of a query.",
            wrong=_other_length,
        ),
        Mistake("the output comes first, then the weights.", wrong=_turned),
    ),
    praise="the translation looks at the source, and never at its padding.",
)

# ex-spot-the-error

SPOT_CHOICES = {
    "a": r"Dividing the scores by $\sqrt{d_k}$ keeps the softmax from overflowing.",
    "b": "Setting the masked weights to zero after the softmax is the same as masking the scores "
    "before it.",
    "c": "In self-attention without mask and positions, permuting the words permutes the outputs "
    "and changes nothing else.",
    "d": "If a head looks from *his* to *dog*, the model has understood whom *his* means.",
}

SPOT_THE_ERROR = ChoiceChecker(
    right="c",
    explanations={
        "a": "large scores are still large after that. What prevents overflow is subtracting the "
        "largest score; the division keeps the scores' spread near one.",
        "b": "zeroed weights leave a row that no longer sums to one. A mask on the scores lets the "
        "softmax share the whole weight among the rest.",
        "c": "every output is a weighted sum over the words, and a sum does not care for the order "
        "of its terms.",
        "d": "a picture of weights does not prove that: the same head may look there for another "
        "reason, such as a habit of looking at nouns.",
    },
)

EXERCISES: tuple[Exercise, ...] = (
    Exercise(
        label="ex-tell-the-path",
        chapter=CHAPTER,
        title="Tell the path",
        minutes=15,
        difficulty="medium",
        kind="self-check",
        call='check("ex-tell-the-path", done)',
        checker=TELL_THE_PATH,
        answers=answers.TELL_THE_PATH,
        rubric=RUBRIC,
    ),
    Exercise(
        label="ex-shapes-on-the-way",
        chapter=CHAPTER,
        title="Shapes on the way",
        minutes=4,
        difficulty="easy",
        kind="number",
        call='check("ex-shapes-on-the-way", queries, weights, end_to_end, output)',
        checker=check_shapes,
        answers=answers.SHAPES,
    ),
    Exercise(
        label="ex-spot-the-error",
        chapter=CHAPTER,
        title="Spot the error",
        minutes=3,
        difficulty="medium",
        kind="choose",
        call='check("ex-spot-the-error", answer)',
        checker=SPOT_THE_ERROR,
        answers=answers.SPOT_THE_ERROR,
        choices=SPOT_CHOICES,
    ),
    Exercise(
        label="ex-cross-attention",
        chapter=CHAPTER,
        title="A translator's glance",
        minutes=20,
        difficulty="hard",
        kind="code",
        call='check("ex-cross-attention", cross_attention)',
        checker=CROSS_ATTENTION,
        answers=answers.CROSS_ATTENTION,
    ),
)
