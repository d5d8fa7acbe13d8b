"""Exercises of the chapter "Shares"."""

from numpy import array

from attention_lib._shapes import Array
from attention_lib.exercises._ladder import FunctionChecker, Mistake
from attention_lib.exercises._table import Answers, Exercise, WrongAnswer

# ex-shares


def shares(x: Array) -> list[float]:
    """Divide each number by the sum of all, as a plain loop."""
    total = sum(x.tolist())
    return [number / total for number in x.tolist()]


SHARES = FunctionChecker(
    name="shares",
    parameters=("x",),
    gives="one share for each number",
    right=shares,
    cases=(  # the smallest first: it is the one that a reader is shown
        (array([2.0]),),
        (array([1.0, 3.0]),),
        (array([1.0, 2.0, 5.0]),),
    ),
    draw=lambda rng: (rng.uniform(0.5, 5, size=rng.integers(2, 7)),),  # numbers that are not round
    mistakes=(
        Mistake(
            "the largest share is 1, so you divide by the largest number. Divide by the sum.",
            wrong=lambda x: x / x.max(),
        ),
    ),
    praise="whatever the numbers are, their shares sum to one.",
)

SHARES_ANSWERS = Answers(
    solution="def shares(x):\n    return x / x.sum()\n",
    others=(
        "def shares(x):\n    return [number / sum(x) for number in x]\n",
        "shares = lambda x: np.divide(x, np.sum(x))\n",
    ),
    wrong=(  # an answer, a part of what its reader is told, the verdict if it is no known mistake
        WrongAnswer("def shares(x):\n    return x / x.max()\n", "the largest share is 1"),
        WrongAnswer("def shares(x):\n    return x.sum()\n", "one share for each", "wrong shape"),
        WrongAnswer("def shares(x):\n    return x / 8\n", "it should return [1]", "not yet"),
    ),
)

EXERCISES: tuple[Exercise, ...] = (
    Exercise(
        label="ex-shares",
        chapter="shares",
        title="Shares of anything",
        minutes=3,
        difficulty="easy",
        kind="code",
        call='check("ex-shares", shares)',
        checker=SHARES,
        answers=SHARES_ANSWERS,
    ),
)
