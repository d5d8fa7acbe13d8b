"""Exercises of the chapter "What came after"."""

from dataclasses import replace
from math import exp, isfinite, log, log2, log10, sqrt
from typing import Any

from numpy import (
    arange,
    array,
    concatenate,
    cumprod,
    cumsum,
    full,
    inf,
    maximum,
    nan,
    outer,
    stack,
    tri,
    where,
    zeros,
)
from numpy import exp as exp_all
from numpy.random import Generator

from attention_exercises._rules import PRODUCTS, rows_of, same_numbers, trace
from bookwork.exercises import (
    ARRAY,
    NOT_STARTED,
    Array,
    ChoiceChecker,
    Exercise,
    Finding,
    FunctionChecker,
    Mistake,
    close,
    distinct_sizes,
    draw_arrays,
    not_a_number,
    read_array,
    run,
    show,
    unfinished,
)

# ex-running-sums

LINEAR = ("linear_attention", "linear_attention_recurrent", "delta_rule")


def read_on(Q: Array, K: Array, V: Array) -> list[list[float]]:
    """Weigh every earlier token for every query, one pair at a time."""
    rows = []
    for i, q in enumerate(Q.tolist()):
        weights = [_dot(q, k) for k in K[: i + 1].tolist()]
        columns = V[: i + 1].T.tolist()
        rows.append([_dot(weights, column) / sum(weights) for column in columns])
    return rows


def _dot(one: list[float], other: list[float]) -> float:
    return sum(x * y for x, y in zip(one, other, strict=True))


def _sums(Q: Array, K: Array, V: Array) -> tuple[Array, Array]:
    """Return what the queries read from the state, and what it is to be divided by."""
    products = cumsum(K[:, :, None] * V[:, None, :], axis=0)  # (n, d_f, d_v)
    return (Q[:, :, None] * products).sum(axis=1), (Q * cumsum(K, axis=0)).sum(axis=1)


def _whole(Q: Array, K: Array, V: Array) -> Array:
    weights = Q @ K.T
    return weights @ V / weights.sum(axis=1, keepdims=True)


def _read_first(Q: Array, K: Array, V: Array) -> Array:
    sums, total = _sums(Q[1:], K[:-1], V[:-1])
    first = full((1, V.shape[1]), nan)  # 0 / 0
    return concatenate([first, sums / total[:, None]])


def _by_keys(Q: Array, K: Array, V: Array) -> Array:
    sums, _ = _sums(Q, K, V)
    return sums / cumsum(K, axis=0).sum(axis=1, keepdims=True)


def _by_count(Q: Array, K: Array, V: Array) -> Array:
    return _sums(Q, K, V)[0] / arange(1, len(Q) + 1)[:, None]


def _softmaxed(Q: Array, K: Array, V: Array) -> Array:
    weights = where(tri(len(Q)) > 0, exp_all(Q @ K.T), 0)
    return weights @ V / weights.sum(axis=1, keepdims=True)


def _draw_features(rng: Generator) -> tuple[Array, ...]:
    n, d_f, d_v = distinct_sizes(rng, 3)
    Q, K, V = draw_arrays(rng, (n, d_f), (n, d_f), (n, d_v))
    return exp_all(Q), exp_all(K), V


_TOGETHER = (*PRODUCTS, "multiply", "reduce", "accumulate", "sum", "cumsum")


def _looks_back(function: Any) -> bool:
    """Return whether keys or values are read again later, or those of several tokens at once."""
    Q, K, V = exp_all(same_numbers(5, 2)), exp_all(same_numbers(5, 2, start=9)), same_numbers(5, 3)
    traced_K, traced_V, told = trace(K, V)
    run(lambda: function(Q, traced_K, traced_V), (), read_array)
    latest = 0
    for name, parts in told:
        for rows in (rows_of(part, whole) for part in parts for whole in (K, V)):
            if len(rows) > 1 and name in _TOGETHER:
                return True
            starts = name == "add" and list(rows) == [0]  # a sum that began with the first row
            if len(rows) == 1 and rows[0] < latest and not starts:
                return True
            latest = rows[0] if len(rows) == 1 else latest
    return False


class RunningChecker(FunctionChecker):
    """Checks running sums; then whether anything else of the past is looked at."""

    def __call__(self, function: Any) -> Finding:
        """Judge the function; then see which tokens it reads, and when."""
        finding = super().__call__(function)
        if finding.status == "correct" and _looks_back(function):
            return Finding(
                "known mistake",
                "the output is right, but you use the keys and values of many tokens at once, or "
                "read earlier ones again. Go through the tokens once: add each to S and z, and "
                "answer its query from them.",
            )
        return finding


RUNNING_SUMS = RunningChecker(
    name="read_on",
    parameters=("Q", "K", "V"),
    gives="one row per token",
    right=read_on,
    cases=(
        (array([[2.0]]), array([[1.0]]), array([[3.0, 5.0]])),
        (array([[1.0], [2.0]]), array([[1.0], [3.0]]), array([[4.0], [8.0]])),
        (exp_all(same_numbers(3, 2)), exp_all(same_numbers(3, 2, start=7)), same_numbers(3, 4)),
    ),
    draw=_draw_features,
    mistakes=(
        Mistake(
            "every token sees all others here, later ones too. Read after each token is written, "
            "not at the end.",
            wrong=_whole,
        ),
        Mistake(
            "each token is read before it is written. It may look at itself, so add its key and "
            "value to the sums first.",
            wrong=_read_first,
        ),
        Mistake(
            "the sums are not divided: the output is q @ S / (q @ z).",
            wrong=lambda Q, K, V: _sums(Q, K, V)[0],
        ),
        Mistake(
            "the sum is divided by that of all numbers in z. The query takes part below the line "
            "as well: q @ z.",
            wrong=_by_keys,
        ),
        Mistake(
            "the sum is divided by the number of tokens. Divide by the sum of their weights, "
            "q @ z.",
            wrong=_by_count,
        ),
        Mistake(
            "this is attention with a softmax, which no running sum can give. The weight of a "
            "pair is the plain product of its features.",
            wrong=_softmaxed,
        ),
        Mistake(
            "S and z start anew with each token, so each sees only itself. Set them to zero once, "
            "before the loop.",
            wrong=lambda Q, K, V: V + 0.0,
        ),
    ),
    without=LINEAR,
    praise="the memory has the same size after one token and after a million.",
)

# ex-correct


def correct(S: Array, k: Array, v: Array, beta: float) -> list[list[float]]:
    """Compare what is held with what should be, entry by entry."""
    held = [_dot(k.tolist(), column) for column in S.T.tolist()]
    missing = [x - y for x, y in zip(v.tolist(), held, strict=True)]
    return [
        [x + beta * a * b for x, b in zip(row, missing, strict=True)]
        for row, a in zip(S.tolist(), k.tolist(), strict=True)
    ]


def _draw_step(rng: Generator) -> tuple[Array, Array, Array, float]:
    d_k, d_v = distinct_sizes(rng, 2)
    S, k, v = draw_arrays(rng, (d_k, d_v), (d_k,), (d_v,))
    return S, k, v, float(rng.uniform(0.2, 0.8))


CORRECT = FunctionChecker(
    name="correct",
    parameters=("S", "k", "v", "beta"),
    gives="the new state, shaped like S",
    right=correct,
    cases=(
        (array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]), array([0.6, 0.8]), array([4.0, 0.0, 1.0]), 0.5),
        (same_numbers(3, 2), array([0.6, 0.0, 0.8]), array([1.0, 2.0]), 1.0),
    ),
    edges=((same_numbers(2, 3), array([0.6, 0.8]), array([1.0, 2.0, 3.0]), 0.0),),
    draw=_draw_step,
    mistakes=(
        Mistake(
            "this adds the value as it is, as the plain sum does. Subtract what the memory "
            "already holds under the key, k @ S.",
            wrong=lambda S, k, v, beta: S + beta * outer(k, v),
        ),
        Mistake(
            "beta belongs to the whole difference. Here it multiplies only the value, or only "
            "what is held.",
            wrong=lambda S, k, v, beta: S + outer(k, beta * v - k @ S),
        ),
        Mistake(
            "beta belongs to the whole difference. Here it multiplies only the value, or only "
            "what is held.",
            wrong=lambda S, k, v, beta: S + outer(k, v - beta * (k @ S)),
        ),
        Mistake(
            "beta is missing: it says how much of the difference is written.",
            wrong=lambda S, k, v, beta: S + outer(k, v - k @ S),
        ),
        Mistake(
            "the sign of the difference is wrong: write what is missing, v - k @ S.",
            wrong=lambda S, k, v, beta: S + beta * outer(k, k @ S - v),
        ),
        Mistake(
            "this is only what is written. Add it to S.",
            wrong=lambda S, k, v, beta: beta * outer(k, v - k @ S),
        ),
        Mistake(
            "what the memory holds under a key is k @ S, of shape (d_v,). S @ v multiplies by the "
            "value.",
            wrong=lambda S, k, v, beta: S + beta * outer(k, v - S @ v),
        ),
    ),
    without=LINEAR,
    praise="a rate of 1 replaces what was there, and a rate of 0 leaves it.",
)

# ex-fade


def fade(gates: Array) -> list[list[float]]:
    """Multiply the gates after token j up to token i, for every pair."""
    n, rows = len(gates), []
    for i in range(n):
        row = [0.0] * n
        for j in range(i + 1):
            row[j] = 1.0
            for t in range(j + 1, i + 1):
                row[j] *= float(gates[t])
        rows.append(row)
    return rows


def _products(gates: Array, first: int, last: int, upper: bool = False) -> Array:
    """Multiply gates from j + first to i + last, also above the diagonal if asked."""
    n = len(gates)
    D = zeros((n, n))
    for i in range(n):
        for j in range(n if upper else i + 1):
            D[i, j] = gates[j + first : i + last].prod()
    return D


def _powers(gates: Array) -> Array:
    n = len(gates)
    distance = arange(n)[:, None] - arange(n)
    return where(distance >= 0, gates[:, None] ** maximum(distance, 0), 0)


def _ratios(gates: Array) -> Array:
    products = cumprod(gates)
    return where(tri(len(gates)) > 0, products[:, None] / products, 0)


def _closed(got: Array, right: Array) -> bool:
    """Return whether nothing is left behind a gate that is closed."""
    return not got[right == 0].any()


FADE = FunctionChecker(
    name="fade",
    parameters=("gates",),
    gives="one row per token, one column per earlier token",
    right=fade,
    cases=(
        (array([0.5, 0.25]),),
        (array([0.5, 0.25, 0.8]),),
        (array([0.9, 0.5, 0.2, 0.7]),),
    ),
    edges=((array([0.5, 0.0, 0.5, 0.25]),), (array([0.0, 0.5]),)),
    output=replace(ARRAY, same=lambda got, right: close(got, right) and _closed(got, right)),
    draw=lambda rng: (rng.uniform(0.2, 0.9, size=rng.integers(3, 8)),),
    mistakes=(
        Mistake(
            "a token fades itself here: the product must begin with the gate after j, so that the "
            "diagonal is 1.",
            wrong=lambda gates: _products(gates, 0, 1),
        ),
        Mistake(
            "the product stops one gate too early: token i fades the state before it is written, "
            "so its own gate counts for all earlier ones.",
            wrong=lambda gates: _products(gates, 1, 0),
        ),
        Mistake(
            "token j's gate is counted and token i's is not. It is the other way round: from "
            "j + 1 to i.",
            wrong=lambda gates: _products(gates, 0, 0),
        ),
        Mistake(
            "later tokens are not hidden: where j > i the entry is 0, not an empty product.",
            wrong=lambda gates: _products(gates, 1, 1, upper=True),
        ),
        Mistake(
            "rows and columns are exchanged: row i sees columns j up to i.",
            wrong=lambda gates: _products(gates, 1, 1).T,
        ),
        Mistake(
            "this takes one gate to the power of the distance, which is right only if all gates "
            "are equal. Multiply the gates in between.",
            wrong=_powers,
        ),
        Mistake(
            "a ratio of cumulative products divides 0 by 0 where a gate is closed. Build each row "
            "from the one above.",
            wrong=_ratios,
            edge=True,
        ),
        Mistake(
            "a gate of 0 is closed: nothing of what came before it is left, not even very little. "
            "Take the gates as they are, and build each row from the one above.",
            shows=close,
            edge=True,
        ),
    ),
    praise="with this matrix in the place of the causal mask, a gated state has a parallel form.",
)

# ex-nowhere


def with_sink(a: Array, s: float) -> list[float]:
    """Take the softmax of the scores and the sink, and drop the last weight."""
    scores = [*map(float, a), float(s)]
    powers = [exp(score - max(scores)) for score in scores]
    return [power / sum(powers) for power in powers[:-1]]


def _softmax(a: Array) -> Array:
    powers = exp_all(a - a.max())
    return powers / powers.sum()


def _no_peak(a: Array, s: float) -> Array:
    return exp_all(a) / (exp_all(s) + exp_all(a).sum())


def _sink_unshifted(a: Array, s: float) -> Array:
    powers = exp_all(a - a.max())
    return powers / (powers.sum() + exp_all(s))


def _sink_plain(a: Array, s: float) -> Array:
    return exp_all(a) / (s + exp_all(a).sum())


NOWHERE = FunctionChecker(
    name="with_sink",
    parameters=("a", "s"),
    gives="one weight per score",
    right=with_sink,
    cases=(
        (array([1.0]), 0.0),
        (array([1.0, 2.0]), 3.0),
        (array([0.5, -1.0, 2.0]), 1.0),
    ),
    edges=(
        (array([1000.0, 999.0]), 1000.0),
        (array([0.0, 1.0]), 1000.0),
        (array([-1000.0, -1001.0]), 0.0),
        (array([-1000.0, -1001.0]), -1000.0),
        (array([1.0, 2.0]), -inf),
    ),
    draw=lambda rng: (2 * rng.normal(size=rng.integers(2, 7)), float(rng.normal())),
    without=("softmax.sink",),
    mistakes=(
        Mistake(
            "these weights sum to one, so the sink takes nothing. Add its exponential to the "
            "denominator.",
            wrong=lambda a, s: _softmax(a),
        ),
        Mistake(
            "the weight of the sink is among the results. It has no value, so leave it out.",
            wrong=lambda a, s: _softmax(array([*a, s])),
        ),
        Mistake(
            "s itself is added to the denominator. It is a score, so its exponential belongs "
            "there.",
            wrong=_sink_plain,
        ),
        Mistake(
            "the maximum is subtracted from the scores, but not from the sink. Both stand in the "
            "same fraction, so both need it.",
            wrong=_sink_unshifted,
        ),
        Mistake(
            "large scores overflow. Subtract the largest of all, the sink included, before the "
            "exponential.",
            wrong=_no_peak,
            edge=True,
        ),
    ),
    praise="what the sink takes goes nowhere, and the rest keeps its proportions.",
)

# ex-needle

_OTHERS = 9_999
_GAP = log(_OTHERS)
_OTHER_GAPS = (
    (log10(_OTHERS), "that is the logarithm to base ten. The softmax counts in powers of e."),
    (log2(_OTHERS), "that is the logarithm to base two. The softmax counts in powers of e."),
    (float(_OTHERS), "the exponential of the gap is as large as that. Take its logarithm."),
    (_OTHERS + 1.0, "the exponential of the gap is about as large as that. Take its logarithm."),
    (
        log(2 * _OTHERS),
        "that gives the needle two thirds of the weight. Half means as much as all others "
        "together.",
    ),
    (
        log(_OTHERS / 2),
        "that gives the needle a third of the weight. Half means as much as all others together.",
    ),
    (sqrt(_OTHERS), "the weight grows with the exponential of the gap, not with its square."),
    (-_GAP, "the sign is wrong: the needle scores more than the others."),
    (
        exp(0.5),
        "that is e to the power of one half. Half of the weight means that e^g equals the sum of "
        "all other terms.",
    ),
)


def check_needle(gap: Any) -> Finding:
    """Judge the gap that keeps half of the weight."""
    if unfinished(gap):
        return Finding("not started", NOT_STARTED)
    if found := not_a_number(gap, "the gap is one number, but yours is {}."):
        return found
    number = float(gap)
    if isfinite(number) and abs(number - _GAP) < 0.006:
        return Finding(
            "correct",
            "e^9.21 is 9,999, so the needle weighs as much as all others together.",
        )
    for other, says in _OTHER_GAPS:
        if isfinite(number) and abs(number - other) < 0.005 * max(1.0, abs(other)):
            return Finding("known mistake", says)
    weight = 1 / (1 + _OTHERS * exp(-min(max(number, -700.0), 700.0))) if isfinite(number) else 1.0
    return Finding(
        "not yet", f"with a gap of {show(number)} the needle has {weight:.3g} of the weight."
    )


# ex-patches


def patches(image: Array, size: int) -> list[list[float]]:
    """Walk over the corners of the patches, and over the pixels of each."""
    height, width = image.shape
    return [
        [float(image[top + y, left + x]) for y in range(size) for x in range(size)]
        for top in range(0, height, size)
        for left in range(0, width, size)
    ]


def _cut(image: Array, size: int) -> Array:
    height, width = image.shape
    return image.reshape(height // size, size, width // size, size).swapaxes(1, 2)


def _draw_image(rng: Generator) -> tuple[Array, int]:
    size = int(rng.integers(2, 4))
    rows, columns = distinct_sizes(rng, 2)
    return rng.normal(size=(rows * size, columns * size)), size


PATCHES = FunctionChecker(
    name="patches",
    parameters=("image", "size"),
    gives="one row per patch",
    right=patches,
    cases=(
        (arange(8.0).reshape(2, 4), 2),
        (arange(24.0).reshape(4, 6), 2),
        (arange(54.0).reshape(9, 6), 3),
    ),
    edges=((arange(6.0).reshape(2, 3), 1),),
    draw=_draw_image,
    mistakes=(
        Mistake(
            "a reshape alone takes neighbours in one line of the image for a patch. A patch "
            "is a square: cut height and width first, then exchange two axes.",
            wrong=lambda image, size: image.reshape(-1, size * size),
        ),
        Mistake(
            "the patches go down the columns here. They should go from left to right, then down.",
            wrong=lambda image, size: _cut(image, size).swapaxes(0, 1).reshape(-1, size * size),
        ),
        Mistake(
            "the pixels of each patch go down its columns. They should go from left to right, "
            "then down.",
            wrong=lambda image, size: _cut(image, size).swapaxes(2, 3).reshape(-1, size * size),
        ),
        Mistake(
            "the image is transposed: patches and their pixels both go down before they go right.",
            wrong=lambda image, size: _cut(image.T, size).reshape(-1, size * size),
        ),
        Mistake(
            "these are all windows that overlap. Patches lie side by side: step by size.",
            wrong=lambda image, size: stack(
                [
                    image[y : y + size, x : x + size].ravel()
                    for y in range(image.shape[0] - size + 1)
                    for x in range(image.shape[1] - size + 1)
                ]
            ),
        ),
        Mistake(
            "the patches are still squares. Lay the pixels of each end to end, as one row.",
            wrong=lambda image, size: _cut(image, size).reshape(-1, size, size),
        ),
        Mistake(
            "the patches still lie in a grid. Count them in one axis, row by row.",
            wrong=lambda image, size: _cut(image, size).reshape(
                *_cut(image, size).shape[:2], size * size
            ),
        ),
    ),
    praise="each row is a token now, and attention takes it from here.",
)

# ex-who-answers

WHO = ChoiceChecker(
    right="b",
    explanations={
        "a": "here the words would ask, and the places answer. What is painted needs to know what "
        "to paint, so the picture asks.",
        "b": "each of the 4,096 places asks the 77 words, and its weights sum to one over them.",
        "c": "every place is a token of its own, not every line: 64 times 64 of them.",
        "d": "that is self-attention of the picture, in which the words take no part.",
    },
)

EXERCISES = (
    Exercise("ex-running-sums", RUNNING_SUMS),
    Exercise("ex-correct", CORRECT),
    Exercise("ex-fade", FADE),
    Exercise("ex-nowhere", NOWHERE),
    Exercise("ex-needle", check_needle),
    Exercise("ex-patches", PATCHES),
    Exercise("ex-who-answers", WHO),
)
