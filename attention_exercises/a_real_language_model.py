"""Exercises of the chapter "A real language model"."""

from collections.abc import Callable

from numpy import array, isnan, log, maximum, rint, where
from numpy.random import Generator

from attention_exercises._formulas import softmax
from attention_exercises._rules import same_numbers
from bookwork.exercises import (
    Array,
    Checkers,
    ChoiceChecker,
    FunctionChecker,
    Mistake,
    draw_arrays,
)

EXERCISES: Checkers = {}

# ex-min-p


def min_p(
    logits: Array,
    least: float,
    keep: Callable[[Array, float], Array] = lambda p, least: p >= least * p.max(),
    divide: Callable[[Array], Array] = lambda kept: kept / kept.sum(),
) -> Array:
    """Keep what is at least a share as likely as the likeliest, and divide by the sum."""
    p = softmax(logits)
    return divide(where(keep(p, least), p, 0))


def _draw_logits(rng: Generator) -> tuple[Array, float]:
    return rng.normal(scale=2, size=int(rng.integers(4, 12))), float(rng.uniform(0.05, 0.6))


EXERCISES["ex-min-p"] = FunctionChecker(
    gives="one probability for each token",
    right=min_p,
    cases=(
        (log(array([0.5, 0.3, 0.15, 0.05])), 0.2),
        (array([3.0, 1.0, 2.5, -1.0, 2.0]), 0.5),
        (array([1.0, 1.0, 1.0]), 0.9),
    ),
    edges=((array([1000.0, 999.0, 0.0]), 0.1),),
    draw=_draw_logits,
    mistakes={
        "tokens are kept if p is at least least. Compare with least times the largest p: the rule "
        "follows how sure the model is.": {"keep": lambda p, least: p >= least},
        "the right tokens are kept, but the rest is missing in the sum: divide by the sum of what "
        "is kept.": {"divide": lambda kept: kept},
        "nothing is left out: this is the softmax of all logits.": {
            "keep": lambda p, least: p >= 0
        },
        "the unlikely tokens are kept and the likely ones left out: turn the comparison round.": {
            "keep": lambda p, least: p <= least * p.max()
        },
        "the shares are compared as logits. Take the softmax first: a logit can be negative, and "
        "half of it means nothing.": lambda logits, least: min_p(
            logits, least, keep=lambda p, least: logits >= least * logits.max()
        ),
        "large logits overflow here. Subtract the largest before exp: the softmax stays the "
        "same.": Mistake(shows=lambda got, right: bool(isnan(got).any()), edge=True),
    },
    praise="a sure model keeps few tokens, an unsure one many.",
)

# ex-which-ablation

EXERCISES["ex-which-ablation"] = ChoiceChecker(
    right="b",
    explanations={
        "a": "it matches prefixes well, but it adds nothing to the score of the token that comes "
        "next, and the model copies as well without it. Where a head looks is not what it does.",
        "b": "it is the only one of the three without which copying gets worse, from 1.7 to 3.9 "
        "bits, and that only taking it away could show: its direct effect on the score is small.",
        "c": "it lowers the score of the token that it looks at, and without it copying gets a "
        "little better. It matches, and works against the others.",
    },
)

# ex-few-bits


def few_bits(
    w: Array,
    count: int,
    steps: Callable[[int], int] = lambda count: 2**count - 1,
    nearest: Callable[[Array], Array] = rint,
    back: Callable[[Array, Array, Array], Array] = lambda codes, scale, least: (
        codes * scale + least
    ),
) -> Array:
    """Round each row to evenly spaced numbers between its smallest and its largest."""
    least, most = w.min(axis=1, keepdims=True), w.max(axis=1, keepdims=True)
    scale = (most - least) / steps(count)
    return back(nearest((w - least) / maximum(scale, 1e-300)), scale, least)


def _uneven(w: Array) -> Array:
    """Move numbers a little, so that none lies halfway between two levels."""
    return w + 0.017 * w**2 + 0.003 * w**3


def _draw_groups(rng: Generator) -> tuple[Array, int]:
    (w,) = draw_arrays(rng, (int(rng.integers(2, 5)), 8))
    return _uneven(w), int(rng.integers(1, 5))


EXERCISES["ex-few-bits"] = FunctionChecker(
    gives="the rounded numbers, shaped like w",
    right=few_bits,
    cases=(
        (array([[0.0, 1.0, 2.2, 3.0]]), 2),
        (_uneven(same_numbers(3, 8)), 3),
        (_uneven(same_numbers(2, 6, start=9)) - 4, 4),
    ),
    edges=((array([[2.0, 2.0, 2.0], [0.0, 0.4, 1.0]]), 1),),
    draw=_draw_groups,
    mistakes={
        "there are 2**count codes, from 0 to 2**count - 1, so the scale is the range divided by "
        "2**count - 1: here the largest number gets a code that is not there.": {
            "steps": lambda count: 2**count
        },
        "the codes are cut off instead of rounded: take the nearest, with np.rint.": {
            "nearest": lambda x: x // 1
        },
        "these are the codes. Turn them back into numbers: code times scale, plus the least.": {
            "back": lambda codes, scale, least: codes
        },
        "the least number is missing: code times scale starts at 0, not at the least.": {
            "back": lambda codes, scale, least: codes * scale
        },
        "all rows share one scale. Each row is a group with its own least number and scale: use "
        "axis=1 and keepdims=True.": lambda w, count: few_bits(w.reshape(1, -1), count).reshape(
            w.shape
        ),
        "nothing is rounded.": lambda w, count: w,
        "a row of equal numbers has scale 0, and 0 is divided by 0. Its numbers stay as they "
        "are.": Mistake(shows=lambda got, right: bool(isnan(got).any()), edge=True),
    },
    praise="that is how the file stores its matrices, 32 numbers in a group.",
)
