"""Checks for the exercise of the lecture "Who pays a tax on bread?"."""

from bookwork.exercises import Checkers, FunctionChecker

EXERCISES: Checkers = {}

EXERCISES["who_pays_ex1"] = FunctionChecker(
    gives="one number",
    right="""
        def buyers_share(e_d, e_s):
            return e_s / (e_d + e_s)
        """,
    cases=((1.0, 1.0), (0.5, 1.0), (2.0, 0.5)),
    draw=lambda rng: tuple(rng.uniform(0.2, 3, size=2).tolist()),
    wrong={
        "e_s / (e_d + e_s) => e_d / (e_d + e_s)": "this is the share of the bakers. Who gives way "
        "less pays more: which of the two elasticities, if it grows, makes the buyers pay more?",
        "(e_d + e_s) => e_d": "this is how many times as much the buyers pay as the bakers. A "
        "share is a part of the whole tax.",
    },
    praise="where bakers cannot give way at all, it is 0; where buyers cannot, it is 1.",
)
