"""Checks for the exercises of the chapter "The overshoot that stays"."""

from numpy import array

from bookwork.exercises import Array, ChoiceChecker, Exercise, FunctionChecker, Mistake


def overshoot(heights: Array) -> float:
    """Find the highest place in a plain loop; the square wave has the height 1."""
    highest = heights.tolist()[0]
    for height in heights.tolist():
        highest = max(highest, height)
    return highest - 1


OVERSHOOT = FunctionChecker(
    name="overshoot",
    parameters=("heights",),
    gives="one number",
    right=overshoot,
    cases=((array([1.2]),), (array([0.5, 1.25, 0.75]),)),
    draw=lambda rng: (1 + rng.uniform(-0.3, 0.3, size=rng.integers(3, 8)),),
    mistakes=(
        Mistake(
            "this is the highest place itself. By how much is it above 1?",
            wrong=lambda heights: heights.max(),
        ),
        Mistake(
            "this is how far the sum strays from 1 in either direction; only what is above counts.",
            wrong=lambda heights: abs(heights - 1).max(),
        ),
    ),
    praise="with more and more waves it comes close to 0.18, nine hundredths of the jump.",
)

STAYS = ChoiceChecker(
    "c",
    {
        "a": "move the slider: the peak gets narrower, and no lower.",
        "b": "it does not grow, either: compare 5 waves with 40.",
        "c": "it moves towards the jump and keeps its height. This is called the Gibbs phenomenon.",
    },
)

EXERCISES = (Exercise("ex-overshoot", OVERSHOOT), Exercise("ex-stays", STAYS))
