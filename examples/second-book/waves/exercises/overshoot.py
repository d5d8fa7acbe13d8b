"""Checks for the exercises of the chapter "The overshoot that stays"."""

from bookwork.exercises import Checkers, ChoiceChecker, FunctionChecker
from numpy import array

EXERCISES: Checkers = {}

EXERCISES["ex-overshoot"] = FunctionChecker(
    gives="one number",
    right="""
        def overshoot(heights):
            return heights.max() - 1  # the square wave has the height 1
        """,
    cases=((array([1.2]),), (array([0.5, 1.25, 0.75]),)),
    draw=lambda rng: (1 + rng.uniform(-0.3, 0.3, size=rng.integers(3, 8)),),
    wrong={
        "- 1 =>": "this is the highest place itself. By how much is it above 1?",
        "heights.max() - 1 => abs(heights - 1).max()": "this is how far the sum strays from 1 in "
        "either direction; only what is above counts.",
    },
    praise="with more and more waves it comes close to 0.18, nine hundredths of the jump.",
)

EXERCISES["ex-stays"] = ChoiceChecker(
    "c",
    {
        "a": "move the slider: the peak gets narrower, and no lower.",
        "b": "it does not grow, either: compare 5 waves with 40.",
        "c": "it moves towards the jump and keeps its height. This is called the Gibbs phenomenon.",
    },
)
