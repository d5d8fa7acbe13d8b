"""Exercises of the chapter "What came after"."""

from dataclasses import replace
from math import exp, log, log2, log10, sqrt

from bookwork.exercises import (
    Array,
    Checkers,
    ChoiceChecker,
    FunctionChecker,
    Shows,
    Value,
    between,
    close,
    distinct_sizes,
    draw_arrays,
    random_case,
)
from bookwork.exercises.outputs import ARRAY
from numpy import arange, array, inf
from numpy import exp as exp_all
from numpy.random import Generator

from attention_exercises._rules import numbers

EXERCISES: Checkers = {}


# ex-running-sums
def _draw_features(rng: Generator) -> tuple[Array, ...]:
    n, d_f, d_v = distinct_sizes(rng, 3)
    Q, K, V = draw_arrays(rng, (n, d_f), (n, d_f), (n, d_v))
    return exp_all(Q), exp_all(K), V


EXERCISES["ex-running-sums"] = FunctionChecker(
    gives="one row per token",
    right="""
        def read_on(Q, K, V):
            weights = np.tril(Q @ K.T)
            return weights @ V / weights.sum(axis=1)[:, None]
        """,
    cases=(
        (array([[2.0]]), array([[1.0]]), array([[3.0, 5.0]])),
        (array([[1.0], [2.0]]), array([[1.0], [3.0]]), array([[4.0], [8.0]])),
        (*map(exp_all, numbers(1, (3, 2), (3, 2))), *numbers(2, (3, 4))),
    ),
    draw=_draw_features,
    wrong={
        "np.tril(Q @ K.T) => Q @ K.T": "every token sees all others here, later ones too. Read "
        "after each token is written, not at the end.",
        "K.T) => K.T, -1)": "each token is read before it is written. It may look at itself, so "
        "add its key and value to the sums first.",
        "/ weights.sum(axis=1)[:, None] =>": "the sums are not divided: the output is q @ S / (q @ "
        "z).",
        "weights.sum(axis=1) => np.cumsum(K, axis=0).sum(axis=1)": "the sum is divided by that of "
        "all numbers in z. The query takes part below the line as well: q @ z.",
        "weights.sum(axis=1) => np.arange(1, len(K) + 1)": "the sum is divided by the number of "
        "tokens. Divide by the sum of their weights, q @ z.",
        "Q @ K.T => np.exp(Q @ K.T)": "this is attention with a softmax, which no running sum can "
        "give. The weight of a pair is the plain product of its features.",
        "weights @ V / weights.sum(axis=1)[:, None] => V": "S and z start anew with each token, so "
        "each sees only itself. Set them to zero once, before the loop.",
    },
    praise="S and z are all of the past that it needs, after one token as after a million.",
)

# ex-correct
_HALF = (
    "beta belongs to the whole difference. Here it multiplies only the value, or only what is held."
)


EXERCISES["ex-correct"] = FunctionChecker(
    gives="the new state, shaped like S",
    right="""
        def correct(S, k, v, beta):
            return S + np.outer(k, beta * (v - k @ S))
        """,
    cases=(
        (array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]), array([0.6, 0.8]), array([4.0, 0.0, 1.0]), 0.5),
        (*numbers(3, (3, 2)), array([0.6, 0.0, 0.8]), array([1.0, 2.0]), 1.0),
    ),
    edges=((*numbers(4, (2, 3)), array([0.6, 0.8]), array([1.0, 2.0, 3.0]), 0.0),),
    draw=random_case(lambda d_k, d_v: ((d_k, d_v), (d_k,), (d_v,), between(0.2, 0.8))),
    wrong={
        "beta * (v - k @ S) => beta * v": "this adds the value as it is, as the plain sum does. "
        "Subtract what the memory already holds under the key, k @ S.",
        (
            "beta * (v - k @ S) => beta * v - k @ S",
            "beta * (v - k @ S) => v - beta * (k @ S)",
        ): _HALF,
        "beta * =>": "beta is missing: it says how much of the difference is written.",
        "v - k @ S => k @ S - v": "the sign of the difference is wrong: write what is missing, v - "
        "k @ S.",
        "return S + => return": "this is only what is written. Add it to S.",
        "k @ S => S @ v": "what the memory holds under a key is k @ S, of shape (d_v,). S @ v "
        "multiplies by the value.",
    },
    praise="a rate of 1 replaces what was there, and a rate of 0 leaves it.",
)


# ex-fade
def _closed(got: Array, right: Array) -> bool:
    """Return whether nothing is left behind a gate that is closed."""
    return not got[right == 0].any()


EXERCISES["ex-fade"] = FunctionChecker(
    gives="one row per token, one column per earlier token",
    right="""
        def fade(gates):
            n = len(gates)
            D = np.zeros((n, n))
            for i in range(n):
                for j in range(i + 1):
                    D[i, j] = gates[j + 1 : i + 1].prod()
            return D
        """,
    cases=((array([0.5, 0.25]),), (array([0.5, 0.25, 0.8]),), (array([0.9, 0.5, 0.2, 0.7]),)),
    edges=((array([0.5, 0.0, 0.5, 0.25]),), (array([0.0, 0.5]),)),
    output=replace(ARRAY, same=lambda got, right: close(got, right) and _closed(got, right)),
    draw=lambda rng: (rng.uniform(0.2, 0.9, size=rng.integers(3, 8)),),
    wrong={
        "j + 1 : => j :": "a token fades itself here: the product must begin with the gate after "
        "j, so that the diagonal is 1.",
        ": i + 1] => : i]": "the product stops one gate too early: token i fades the state before "
        "it is written, so its own gate counts for all earlier ones.",
        "j + 1 : i + 1 => j : i": "token j's gate is counted and token i's is not. It is the other "
        "way round: from j + 1 to i.",
        "range(i + 1) => range(n)": "later tokens are not hidden: where j > i the entry is 0, not "
        "an empty product.",
        "return D => return D.T": "rows and columns are exchanged: row i sees columns j up to i.",
        "gates[j + 1 : i + 1].prod() => gates[i] ** (i - j)": "this takes one gate to the power of "
        "the distance, which is right only if all gates are equal. Multiply the gates in between.",
        "return D => P = np.cumprod(gates); return np.where(np.tri(n) == 1, P[:, None] / P, 0)": (
            "a ratio of cumulative products divides 0 by 0 where a gate is closed, and a "
            "difference of their logarithms is ∞ - ∞. Build each row from the one above."
        ),
        Shows(close, edge=True): "a gate of 0 is closed: nothing of what came before it is left, "
        "not even very little. Take the gates as they are, and build each row from the one above.",
    },
    praise="with this matrix in the place of the causal mask, a gated state has a parallel form.",
)

EXERCISES["ex-nowhere"] = FunctionChecker(
    gives="one weight per score",
    right="""
        def with_sink(a, s):
            top = max(a.max(), s)
            powers = np.exp(a - top)
            return powers / (powers.sum() + np.exp(s - top))
        """,
    cases=((array([1.0]), 0.0), (array([1.0, 2.0]), 3.0), (array([0.5, -1.0, 2.0]), 1.0)),
    edges=(
        (array([1000.0, 999.0]), 1000.0),
        (array([0.0, 1.0]), 1000.0),
        (array([-1000.0, -1001.0]), 0.0),
        (array([-1000.0, -1001.0]), -1000.0),
        (array([1.0, 2.0]), -inf),
    ),
    draw=lambda rng: (2 * rng.normal(size=rng.integers(2, 7)), float(rng.normal())),
    wrong={
        "max(a.max(), s) => a.max() ;; + np.exp(s - top) =>": "these weights sum to one, so the "
        "sink takes nothing. Add its exponential to the denominator.",
        "a - top => np.array([*a, s]) - top ;; + np.exp(s - top) =>": "the weight of the sink is "
        "among the results. It has no value, so leave it out.",
        "max(a.max(), s) => 0 ;; np.exp(s - top) => s": "s itself is added to the denominator. It "
        "is a score, so its exponential belongs there.",
        "max(a.max(), s) => a.max() ;; s - top => s": "the maximum is subtracted from the scores, "
        "but not from the sink. Both stand in the same fraction, so both need it.",
        "max(a.max(), s) => 0": "large scores overflow. Subtract the largest of all, the sink "
        "included, before the exponential.",
    },
    praise="what the sink takes goes nowhere, and the rest keeps its proportions.",
)

# ex-needle
_OTHERS = 9_999
_GAP = log(_OTHERS)


EXERCISES["ex-needle"] = Value(
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
    tolerance=2e-3,  # it may be rounded to a tenth
    rough=5e-3,
)


# ex-patches
def _draw_image(rng: Generator) -> tuple[Array, int]:
    size = int(rng.integers(2, 4))
    rows, columns = distinct_sizes(rng, 2)
    return rng.normal(size=(rows * size, columns * size)), size


EXERCISES["ex-patches"] = FunctionChecker(
    gives="one row per patch",
    right="""
        def patches(image, size):
            height, width = image.shape
            cut = image.reshape(height // size, size, width // size, size).swapaxes(1, 2)
            return cut.reshape(-1, size * size)
        """,
    cases=(
        (arange(8.0).reshape(2, 4), 2),
        (arange(24.0).reshape(4, 6), 2),
        (arange(54.0).reshape(9, 6), 3),
    ),
    edges=((arange(6.0).reshape(2, 3), 1),),
    draw=_draw_image,
    wrong={
        "cut.reshape => image.reshape": "a reshape alone takes neighbours in one line of the image "
        "for a patch. A patch is a square: cut height and width first, then exchange two axes.",
        "swapaxes(1, 2) => swapaxes(1, 2).swapaxes(0, 1)": "the patches go down the columns here. "
        "They should go from left to right, then down.",
        "swapaxes(1, 2) => swapaxes(1, 2).swapaxes(2, 3)": "the pixels of each patch go down its "
        "columns. They should go from left to right, then down.",
        "height, width => image = image.T; height, width": "the image is transposed: patches and "
        "their pixels both go down before they go right.",
        "cut.reshape(-1, size * size) => "
        "np.lib.stride_tricks.sliding_window_view(image, (size, size)).reshape(-1, size * size)": (
            "these are all windows that overlap. Patches lie side by side: step by size."
        ),
        "cut.reshape(-1, size * size) => cut.reshape(-1, size, size)": "the patches are still "
        "squares. Lay the pixels of each end to end, as one row.",
        "cut.reshape(-1, size * size) => cut.reshape(height // size, width // size, -1)": "the "
        "patches still lie in a grid. Count them in one axis, row by row.",
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
