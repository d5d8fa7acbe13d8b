"""Exercises of the chapter "What came after"."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import exp, log, log2, log10, sqrt
from typing import Any

from numpy import (
    arange,
    array,
    asarray,
    cumprod,
    cumsum,
    inf,
    maximum,
    ones,
    outer,
    tri,
    tril,
    where,
    zeros,
)
from numpy import exp as exp_all
from numpy.lib.stride_tricks import sliding_window_view
from numpy.random import Generator

from attention_exercises._formulas import softmax, weigh
from attention_exercises._rules import same_numbers
from bookwork.exercises import (
    ARRAY,
    Array,
    Checkers,
    ChoiceChecker,
    FunctionChecker,
    Mistake,
    NumberChecker,
    between,
    close,
    distinct_sizes,
    draw_arrays,
    random_case,
)

EXERCISES: Checkers = {}


# ex-running-sums

LINEAR = ("linear_attention", "linear_attention_recurrent", "delta_rule")


def read_on(
    Q: Array,
    K: Array,
    V: Array,
    weights: Callable[[Array, Array], Array] = lambda Q, K: Q @ K.T,
    seen: Callable[[Array], Array] = tril,
    below: Callable[[Array, Array], Array] = lambda weights, K: weights.sum(axis=1),
) -> Array:
    """Weigh every earlier token for every query."""
    shares = seen(weights(Q, K))  # (n, n)
    return shares @ V / below(shares, K)[:, None]


def _draw_features(rng: Generator) -> tuple[Array, ...]:
    n, d_f, d_v = distinct_sizes(rng, 3)
    Q, K, V = draw_arrays(rng, (n, d_f), (n, d_f), (n, d_v))
    return exp_all(Q), exp_all(K), V


EXERCISES["ex-running-sums"] = FunctionChecker(
    gives="one row per token",
    right=read_on,
    cases=(
        (array([[2.0]]), array([[1.0]]), array([[3.0, 5.0]])),
        (array([[1.0], [2.0]]), array([[1.0], [3.0]]), array([[4.0], [8.0]])),
        (exp_all(same_numbers(3, 2)), exp_all(same_numbers(3, 2, start=7)), same_numbers(3, 4)),
    ),
    draw=_draw_features,
    mistakes={
        "every token sees all others here, later ones too. Read after each token is written, not "
        "at the end.": {"seen": asarray},
        "each token is read before it is written. It may look at itself, so add its key and value "
        "to the sums first.": {"seen": lambda weights: tril(weights, -1)},
        "the sums are not divided: the output is q @ S / (q @ z).": {
            "below": lambda weights, K: ones(len(K))
        },
        "the sum is divided by that of all numbers in z. The query takes part below the line as "
        "well: q @ z.": {"below": lambda weights, K: cumsum(K, axis=0).sum(axis=1)},
        "the sum is divided by the number of tokens. Divide by the sum of their weights, q @ z.": {
            "below": lambda weights, K: arange(1, len(K) + 1)
        },
        "this is attention with a softmax, which no running sum can give. The weight of a pair is "
        "the plain product of its features.": {"weights": lambda Q, K: exp_all(Q @ K.T)},
        "S and z start anew with each token, so each sees only itself. Set them to zero once, "
        "before the loop.": lambda Q, K, V: V + 0.0,
    },
    without=LINEAR,
    praise="S and z are all of the past that it needs, after one token as after a million.",
)

# ex-correct


def correct(
    S: Array,
    k: Array,
    v: Array,
    beta: float,
    written: Callable[[Array, Array, float], Array] = lambda v, held, beta: beta * (v - held),
    start: int = 1,
) -> Array:
    """Write what is missing between what is held and what should be."""
    return start * S + outer(k, written(v, k @ S, beta))


_HALF = (
    "beta belongs to the whole difference. Here it multiplies only the value, or only what is held."
)


EXERCISES["ex-correct"] = FunctionChecker(
    gives="the new state, shaped like S",
    right=correct,
    cases=(
        (array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]), array([0.6, 0.8]), array([4.0, 0.0, 1.0]), 0.5),
        (same_numbers(3, 2), array([0.6, 0.0, 0.8]), array([1.0, 2.0]), 1.0),
    ),
    edges=((same_numbers(2, 3), array([0.6, 0.8]), array([1.0, 2.0, 3.0]), 0.0),),
    draw=random_case(lambda d_k, d_v: ((d_k, d_v), (d_k,), (d_v,), between(0.2, 0.8))),
    mistakes={
        "this adds the value as it is, as the plain sum does. Subtract what the memory already "
        "holds under the key, k @ S.": {"written": lambda v, held, beta: beta * v},
        _HALF: [
            {"written": lambda v, held, beta: beta * v - held},
            {"written": lambda v, held, beta: v - beta * held},
        ],
        "beta is missing: it says how much of the difference is written.": {
            "written": lambda v, held, beta: v - held
        },
        "the sign of the difference is wrong: write what is missing, v - k @ S.": {
            "written": lambda v, held, beta: beta * (held - v)
        },
        "this is only what is written. Add it to S.": {"start": 0},
        "what the memory holds under a key is k @ S, of shape (d_v,). S @ v multiplies by the "
        "value.": lambda S, k, v, beta: S + beta * outer(k, v - S @ v),
    },
    without=LINEAR,
    praise="a rate of 1 replaces what was there, and a rate of 0 leaves it.",
)

# ex-fade


def fade(gates: Array, first: int = 1, last: int = 1, upper: bool = False) -> Array:
    """Multiply the gates after token j up to token i, for every pair."""
    n = len(gates)
    D = zeros((n, n))
    for i in range(n):
        for j in range(n if upper else i + 1):
            D[i, j] = gates[j + first : i + last].prod()
    return D


def _powers(gates: Array) -> Array:
    distance = arange(len(gates))[:, None] - arange(len(gates))
    return where(distance >= 0, gates[:, None] ** maximum(distance, 0), 0)


def _ratios(gates: Array) -> Array:
    products = cumprod(gates)
    return where(tri(len(gates)) > 0, products[:, None] / products, 0)


def _closed(got: Array, right: Array) -> bool:
    """Return whether nothing is left behind a gate that is closed."""
    return not got[right == 0].any()


EXERCISES["ex-fade"] = FunctionChecker(
    gives="one row per token, one column per earlier token",
    right=fade,
    cases=((array([0.5, 0.25]),), (array([0.5, 0.25, 0.8]),), (array([0.9, 0.5, 0.2, 0.7]),)),
    edges=((array([0.5, 0.0, 0.5, 0.25]),), (array([0.0, 0.5]),)),
    output=replace(ARRAY, same=lambda got, right: close(got, right) and _closed(got, right)),
    draw=lambda rng: (rng.uniform(0.2, 0.9, size=rng.integers(3, 8)),),
    mistakes={
        "a token fades itself here: the product must begin with the gate after j, so that the "
        "diagonal is 1.": {"first": 0},
        "the product stops one gate too early: token i fades the state before it is written, so "
        "its own gate counts for all earlier ones.": {"last": 0},
        "token j's gate is counted and token i's is not. It is the other way round: from j + 1 to "
        "i.": {"first": 0, "last": 0},
        "later tokens are not hidden: where j > i the entry is 0, not an empty product.": {
            "upper": True
        },
        "rows and columns are exchanged: row i sees columns j up to i.": lambda gates: (
            fade(gates).T
        ),
        "this takes one gate to the power of the distance, which is right only if all gates are "
        "equal. Multiply the gates in between.": _powers,
        "a ratio of cumulative products divides 0 by 0 where a gate is closed. Build each row from "
        "the one above.": _ratios,
        "a gate of 0 is closed: nothing of what came before it is left, not even very little. Take "
        "the gates as they are, and build each row from the one "
        "above.": Mistake(shows=close, edge=True),
    },
    praise="with this matrix in the place of the causal mask, a gated state has a parallel form.",
)

# ex-nowhere


def with_sink(a: Array, s: float) -> list[float]:
    """Take the softmax of the scores and the sink, and drop the last weight."""
    return weigh([*map(float, a), float(s)])[:-1]


def _with_sink(
    a: Array, s: float, peak: Callable[[Array], float] = max, sink: Callable[..., Any] = exp_all
) -> Array:
    """Divide by another sum."""
    powers = exp_all(a - peak(a))
    return powers / (powers.sum() + sink(s))


EXERCISES["ex-nowhere"] = FunctionChecker(
    gives="one weight per score",
    right=with_sink,
    cases=((array([1.0]), 0.0), (array([1.0, 2.0]), 3.0), (array([0.5, -1.0, 2.0]), 1.0)),
    edges=(
        (array([1000.0, 999.0]), 1000.0),
        (array([0.0, 1.0]), 1000.0),
        (array([-1000.0, -1001.0]), 0.0),
        (array([-1000.0, -1001.0]), -1000.0),
        (array([1.0, 2.0]), -inf),
    ),
    draw=lambda rng: (2 * rng.normal(size=rng.integers(2, 7)), float(rng.normal())),
    without=("softmax.sink",),
    mistakes={
        "these weights sum to one, so the sink takes nothing. Add its exponential to the "
        "denominator.": {"sink": lambda s: 0},
        "the weight of the sink is among the results. It has no value, so leave it "
        "out.": lambda a, s: softmax(array([*a, s])),
        "s itself is added to the denominator. It is a score, so its exponential belongs there.": {
            "peak": lambda a: 0.0,
            "sink": lambda s: s,
        },
        "the maximum is subtracted from the scores, but not from the sink. Both stand in the same "
        "fraction, so both need it.": {},
        "large scores overflow. Subtract the largest of all, the sink included, before the "
        "exponential.": partial(_with_sink, peak=lambda a: 0.0),
    },
    model=_with_sink,
    praise="what the sink takes goes nowhere, and the rest keeps its proportions.",
)

# ex-needle

_OTHERS = 9_999
_GAP = log(_OTHERS)


EXERCISES["ex-needle"] = NumberChecker(
    "gap",
    _GAP,
    {
        log10(_OTHERS): "that is the logarithm to base ten. The softmax counts in powers of e.",
        log2(_OTHERS): "that is the logarithm to base two. The softmax counts in powers of e.",
        _OTHERS: "the exponential of the gap is as large as that. Take its logarithm.",
        log(2 * _OTHERS): "that gives the needle two thirds of the weight. Half means as much as "
        "all others together.",
        log(_OTHERS / 2): "that gives the needle a third of the weight. Half means as much as all "
        "others together.",
        sqrt(_OTHERS): "the weight grows with the exponential of the gap, not with its square.",
        -_GAP: "the sign is wrong: the needle scores more than the others.",
        exp(0.5): "that is e to the power of one half. Half of the weight means that e^g equals "
        "the sum of all other terms.",
    },
    advice=(
        "with a gap of {} the needle keeps less than half of the weight.",
        "with a gap of {} the needle keeps more than half of the weight.",
    ),
    praise="e^9.2102 is 9,999, so the needle weighs as much as all others together.",
    asks="the gap is one number, but yours is {}.",
    tolerance=2e-3,  # it may be rounded to a tenth
    rough=5e-3,
)

# ex-patches


def patches(
    image: Array, size: int, swap: tuple[int, int] = (0, 0), kept: Callable[..., Any] = lambda P: ()
) -> Array:
    """Cut all patches, line by line; exchange two more axes or keep some if asked."""
    height, width = image.shape
    cut = image.reshape(height // size, size, width // size, size).swapaxes(1, 2).swapaxes(*swap)
    return cut.reshape(*(kept(cut.shape) or (-1, size * size)))


def _windows(image: Array, size: int) -> Array:
    return sliding_window_view(image, (size, size)).reshape(-1, size * size)


def _draw_image(rng: Generator) -> tuple[Array, int]:
    size = int(rng.integers(2, 4))
    rows, columns = distinct_sizes(rng, 2)
    return rng.normal(size=(rows * size, columns * size)), size


EXERCISES["ex-patches"] = FunctionChecker(
    gives="one row per patch",
    right=patches,
    cases=(
        (arange(8.0).reshape(2, 4), 2),
        (arange(24.0).reshape(4, 6), 2),
        (arange(54.0).reshape(9, 6), 3),
    ),
    edges=((arange(6.0).reshape(2, 3), 1),),
    draw=_draw_image,
    mistakes={
        "a reshape alone takes neighbours in one line of the image for a patch. A patch is a "
        "square: cut height and width first, then exchange two "
        "axes.": lambda image, size: image.reshape(-1, size * size),
        "the patches go down the columns here. They should go from left to right, then down.": {
            "swap": (0, 1)
        },
        "the pixels of each patch go down its columns. They should go from left to right, then "
        "down.": {"swap": (2, 3)},
        "the image is transposed: patches and their pixels both go down before they go "
        "right.": lambda image, size: patches(image.T, size),
        "these are all windows that overlap. Patches lie side by side: step by size.": _windows,
        "the patches are still squares. Lay the pixels of each end to end, as one row.": {
            "kept": lambda shape: (-1, *shape[2:])
        },
        "the patches still lie in a grid. Count them in one axis, row by row.": {
            "kept": lambda shape: (*shape[:2], -1)
        },
    },
    praise="each row is a token now, and attention takes it from here.",
)

EXERCISES["ex-who-answers"] = ChoiceChecker(
    right="b",
    explanations={
        "a": "here the words would ask, and the places answer. What is painted needs to know what "
        "to paint, so the picture asks.",
        "b": "each of the 4,096 places asks the 77 words, and its weights sum to one over them.",
        "c": "every place is a token of its own, not every line: 64 times 64 of them.",
        "d": "that is self-attention of the picture, in which the words take no part.",
    },
)
