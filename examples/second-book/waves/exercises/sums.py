"""Checks for the exercises of the chapter "Sums of waves"."""

from bookwork.exercises import Checkers, ChoiceChecker, FunctionChecker
from numpy import array

EXERCISES: Checkers = {}

EXERCISES["ex-even"] = ChoiceChecker(
    "b",
    {
        "a": "half a turn later, the square is upside down; an even wave is as before.",
        "b": "the square is the same when it is turned by half a turn; even waves are not.",
    },
)

EXERCISES["ex-add-up"] = FunctionChecker(
    gives="one height for each place",
    right="""
        def add_up(x, strengths):
            k = np.arange(1, len(strengths) + 1)
            return np.sin(x[:, None] * k) @ strengths
        """,
    cases=(
        (array([0.5]), array([1.0])),
        (array([0.5, 1.0]), array([1.0, 2.0, 0.5])),
    ),
    draw=lambda rng: (rng.normal(size=rng.integers(4, 7)), rng.normal(size=rng.integers(1, 4))),
    wrong={
        "np.arange(1, len(strengths) + 1) => np.arange(len(strengths))": "the first wave is "
        "sin(x), so k begins with 1, not with 0.",
        "np.arange(1, len(strengths) + 1) => np.ones(len(strengths))": "every wave here is sin(x): "
        "the k-th goes up and down k times, sin(kx).",
    },
    praise="a few numbers say what the whole curve looks like.",
)
