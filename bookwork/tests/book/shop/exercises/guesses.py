"""Checks for the exercises of the chapter "Guesses"."""

from bookwork.exercises import Checkers, ChoiceChecker, FunctionChecker, Value, Values
from numpy import arange

EXERCISES: Checkers = {}

EXERCISES["ex-one-oven"] = ChoiceChecker(
    "a",
    {
        "a": "two breads that want other heats need two ovens, or twice the time.",
        "b": "the oven can be as large as you like: it still has one heat.",
        "c": "both can be baked at 230 degrees. But one of them will not be good.",
    },
)

EXERCISES["ex-trays"] = Values(
    (
        Value(
            "loaves",
            1_048_576,
            {1_024: "this is one tray. There are as many trays as loaves on one."},
        ),
        Value(
            "shape",
            (10, 512),
            {(10, 64): "this is the shape of one tray.", (512, 10): "trays are rows."},
            "the count is right, but the shape is not {}.",
        ),
    ),
    praise="two to the twentieth.",
)

EXERCISES["ex-split"] = FunctionChecker(
    gives="one table for each tray",
    right="""
        def split(loaves, trays):
            return loaves.reshape(trays, -1)
        """,
    cases=((arange(4.0), 2), (arange(6.0), 3)),
    draw=lambda rng: (rng.normal(size=12), int(rng.choice([2, 3, 4, 6]))),
    wrong={"(trays, -1) => (-1, trays)": "this has as many columns as trays. Trays are rows."},
    praise="the first tray has the first loaves.",
)
