"""One exercise for each kind of checker, for the page "Checkers"."""

from bookwork.exercises import (
    Checkers,
    ChoiceChecker,
    Finding,
    FunctionChecker,
    Value,
    Values,
)
from numpy import array

EXERCISES: Checkers = {}


# a function
EXERCISES["ex-loaves"] = FunctionChecker(
    gives="a number of loaves for each baker",
    right="""
        def my_loaves(flour):
            return flour // 0.5
        """,
    cases=((array([1.0]),), (array([1.2, 3.4]),)),
    draw=lambda rng: (rng.uniform(0.5, 9, size=rng.integers(2, 6)),),
    wrong={
        "// 0.5 => / 0.5": "this has parts of loaves; only whole ones can be sold.",
        (
            "// 0.5 => // 1",
            "// 0.5 => * 0.5 // 1",
        ): "a loaf takes half a kilogram, not a whole one.",
    },
    praise="nothing is left but crumbs.",
)

# a choice
EXERCISES["ex-more-flour"] = ChoiceChecker(
    "b",
    {
        "a": "she gives as much as before, but of a larger sum.",
        "b": "what she gives stays, and the sum grows.",
        "c": "only if nobody else gave anything.",
    },
)

# a number
EXERCISES["ex-whole-percent"] = Value(
    "total",
    1,
    {10: "that is how many bags they gave."},
    praise="rounding aside, they always do.",
)

# a shape
EXERCISES["ex-table"] = Value(
    "shape",
    (3, 7),
    {(7, 3): "a row for each baker, a column for each day."},
    praise="three rows of seven numbers.",
)

# several in one answer
EXERCISES["ex-week"] = Values(
    (
        Value("shape", (3,), {(7,): "the days were added up, the bakers remain."}),
        Value("total", 42, {21: "that is what was asked for one loaf per day and baker."}),
    ),
    praise="add along the days, then along the bakers.",
)


# a function of your own
def check_divisor(divisor):
    """Accept any divisor of 12 but 1 and 12."""
    if divisor in (1, 12):
        return Finding("known mistake", "every number has this divisor: find another.")
    if isinstance(divisor, int) and divisor > 0 and 12 % divisor == 0:
        return Finding("correct", f"12 loaves fill {12 // divisor} baskets.")
    return Finding("not yet", "some loaves are left over, or no basket is full.")


EXERCISES["ex-baskets"] = check_divisor
