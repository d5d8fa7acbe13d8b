"""Checks for the exercises of the chapter "Shares"."""

from numpy import array

from bookwork.exercises import Array, Checkers, FunctionChecker

EXERCISES: Checkers = {}


def shares(x: Array) -> list[float]:
    """Divide each number by the sum of all, as a plain loop."""
    total = sum(x.tolist())
    return [number / total for number in x.tolist()]


EXERCISES["ex-shares"] = FunctionChecker(
    gives="one share for each number",
    right=shares,
    cases=(  # the smallest first: readers are shown the smallest that fails
        (array([2.0]),),
        (array([1.0, 3.0]),),
        (array([1.0, 2.0, 5.0]),),
    ),
    draw=lambda rng: (rng.uniform(0.5, 5, size=rng.integers(2, 7)),),  # numbers that are not round
    mistakes={
        "the largest share is 1, so you divide by the largest number. Divide by the "
        "sum.": lambda x: x / x.max(),
    },
    praise="whatever the numbers are, their shares sum to one.",
)
