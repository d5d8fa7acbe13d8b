"""The checker of the exercise on the page "Exercises"."""

from numpy import array

from bookwork.exercises import Checkers, FunctionChecker


def shares(x):
    """Divide each number by the sum of all, as a plain loop."""
    total = sum(x.tolist())
    return [number / total for number in x.tolist()]


EXERCISES: Checkers = {}

EXERCISES["ex-shares"] = FunctionChecker(
    name="my_shares",  # as the chapter calls it
    gives="one share for each number",
    right=shares,  # a plain loop says what is right
    cases=(  # the smallest first: readers are shown the smallest that fails
        (array([2.0]),),
        (array([1.0, 3.0]),),
    ),
    draw=lambda rng: (rng.uniform(0.5, 5, size=rng.integers(2, 7)),),  # and 16 random ones
    mistakes={
        "the largest share is 1, so you divide by the largest number. Divide by the "
        "sum.": lambda x: x / x.max(),
    },
    praise="whatever the numbers are, their shares sum to one.",
)
