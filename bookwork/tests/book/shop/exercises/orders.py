"""Checks for the exercises of the chapter "Orders"."""

from bookwork.exercises import EXACT, Checkers, ChoiceChecker, FunctionChecker, random_case
from numpy import array

EXERCISES: Checkers = {}

EXERCISES["ex-twice"] = ChoiceChecker(
    "b",
    {
        "a": "the row of a single order for rye already sums to two.",
        "b": "a number that no other bread has is equal to one order only.",
        "c": "two halves sum to one, but they are a mixture of two loaves.",
    },
)

EXERCISES["ex-swap"] = FunctionChecker(
    gives="a dictionary with a list of breads under each price",
    right="""
        def invert(breads, prices):
            found = {}
            for bread, price in zip(breads, prices):
                found.setdefault(price, []).append(bread)
            return found
        """,
    cases=((["rye"], [3]), (["rye", "spelt"], [4, 4]), (["rye", "spelt", "bagel"], [3, 4, 3])),
    edges=(([], []),),
    output=EXACT,
    draw=lambda rng: (
        [f"bread {k}" for k in rng.permutation(9)[:5]],
        rng.integers(3, size=5).tolist(),
    ),
    wrong={
        "return found => return {price: each[-1] for price, each in found.items()}": "under each "
        "price there is a single bread. Prices repeat, so each needs a list.",
        "zip(breads, prices) => zip(prices, breads)": "this still looks up by name. Swap the two.",
    },
    praise="who has four coins in the hand can now ask what to buy.",
)

EXERCISES["ex-roles"] = ChoiceChecker(
    "b",
    {
        "a": "the price comes out, so nobody asks with it.",
        "b": "the name is compared with all names, and a price is handed out.",
    },
)

EXERCISES["ex-share"] = FunctionChecker(
    gives="one share for each number",
    right="""
        def my_shares(x):
            return x / x.sum()
        """,
    cases=((array([2.0]),), (array([1.0, 3.0]),), (array([1.0, 2.0, 5.0]),)),
    draw=random_case(lambda m: ((m,),)),
    wrong={"x.sum() => x.max()": "the largest share is 1. Divide by the sum."},
    praise="whatever the numbers are, their shares sum to one.",
)

EXERCISES["ex-total"] = FunctionChecker(
    gives="one number",
    right="""
        def total(counts, prices):
            return counts @ prices
        """,
    cases=((array([2.0]), array([3.0])), (array([1.0, 2.0]), array([3.0, 5.0]))),
    draw=random_case(lambda m: ((m,), (m,))),
    wrong={"counts @ prices => counts.sum() * prices.sum()": "each count has its own price."},
    praise="a sum of products is what a bill is.",
)

EXERCISES["ex-cheapest"] = FunctionChecker(
    gives="the position of one bread",
    right="""
        def cheapest(prices):
            return prices.argmin()
        """,
    cases=((array([2.0]),), (array([3.0, 1.0]),), (array([3.0, 1.0, 2.0]),)),
    draw=random_case(lambda m: ((m,),)),
    wrong={"prices.argmin() => prices.argmax()": "this is the dearest."},
    praise="only the order of the prices counts.",
)
