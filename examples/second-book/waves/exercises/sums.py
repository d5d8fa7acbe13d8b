"""Checks for the exercises of the chapter "Sums of waves"."""

from math import sin

from numpy import arange, array, zeros_like
from numpy import sin as waves_at

from bookwork.exercises import Array, ChoiceChecker, Exercise, FunctionChecker, Mistake

SAME = ChoiceChecker(
    "b",
    {
        "a": "half a turn later, the square is upside down; an even wave is as before.",
        "b": "the square is the same when it is turned by half a turn; even waves are not.",
    },
)


def add_up(x: Array, strengths: Array) -> list[float]:
    """Add the waves one by one, as a plain loop."""
    pairs = list(enumerate(strengths.tolist(), start=1))
    return [sum(a * sin(k * place) for k, a in pairs) for place in x.tolist()]


ADD_UP = FunctionChecker(
    name="add_up",
    parameters=("x", "strengths"),
    gives="one height for each place",
    right=add_up,
    cases=(
        (array([0.5]), array([1.0])),
        (array([0.5, 1.0]), array([1.0, 2.0, 0.5])),
    ),
    draw=lambda rng: (rng.normal(size=rng.integers(4, 7)), rng.normal(size=rng.integers(1, 4))),
    without=("add_waves",),
    mistakes=(
        Mistake(
            "the first wave is sin(x), so k begins with 1, not with 0.",
            wrong=lambda x, strengths: waves_at(x[:, None] * arange(len(strengths))) @ strengths,
        ),
        Mistake(
            "every wave here is sin(x): the k-th goes up and down k times, sin(kx).",
            wrong=lambda x, strengths: (zeros_like(x) + waves_at(x)) * strengths.sum(),
        ),
    ),
    praise="a few numbers say what the whole curve looks like.",
)

EXERCISES = (Exercise("ex-even", SAME), Exercise("ex-add-up", ADD_UP))
