"""Checks for the exercise of the lecture "Who pays a tax on bread?"."""

from bookwork.exercises import Checkers, FunctionChecker

EXERCISES: Checkers = {}


def buyers_share(e_d: float, e_s: float) -> float:
    """Walk to the new price in small steps: too many loaves lower it, too few raise it."""
    share = 0.5
    for _ in range(1000):
        too_few = e_s * (1 - share) - e_d * share  # percent of the loaves, per percent of tax
        share += 0.1 * too_few
    return share


EXERCISES["who_pays_ex1"] = FunctionChecker(
    name="buyers_share",
    parameters=("e_d", "e_s"),
    gives="one number",
    right=buyers_share,
    cases=((1.0, 1.0), (0.5, 1.0), (2.0, 0.5)),
    draw=lambda rng: tuple(rng.uniform(0.2, 3, size=2).tolist()),
    mistakes={
        "this is the share of the bakers. Who gives way less pays more: which of the two "
        "elasticities, if it grows, makes the buyers pay more?": lambda e_d, e_s: e_d / (e_d + e_s),
        "this is how many times as much the buyers pay as the bakers. A share is a part of the "
        "whole tax.": lambda e_d, e_s: e_s / e_d,
    },
    praise="where bakers cannot give way at all, it is 0; where buyers cannot, it is 1.",
)
