"""Checks for the exercises of the chapter "Shares"."""

from bookwork.exercises import Checkers, FunctionChecker
from numpy import array

EXERCISES: Checkers = {}

EXERCISES["ex-shares"] = FunctionChecker(
    gives="one share for each number",
    right="""
        def shares(x):
            return x / x.sum()
        """,
    cases=(  # the smallest first: readers are shown the smallest that fails
        (array([2.0]),),
        (array([1.0, 3.0]),),
        (array([1.0, 2.0, 5.0]),),
    ),
    draw=lambda rng: (rng.uniform(0.5, 5, size=rng.integers(2, 7)),),  # numbers that are not round
    wrong={  # what a reader changes in the right answer, and what to say then
        "x.sum() => x.max()": "the largest share is 1, so you divide by the largest number. "
        "Divide by the sum.",
    },
    praise="whatever the numbers are, their shares sum to one.",
)
