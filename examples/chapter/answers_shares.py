"""More right and wrong answers to the exercises of "Shares", as readers write them."""

from answers import Answers, WrongAnswer

ANSWERS = {
    "ex-shares": Answers(
        right=(
            "def shares(x):\n    return [number / sum(x) for number in x]\n",
            "shares = lambda x: np.divide(x, np.sum(x))\n",
        ),
        wrong=(  # an answer, a part of its message, the verdict
            WrongAnswer("def shares(x):\n    return x.sum()\n", "one share", "wrong shape"),
            WrongAnswer("def shares(x):\n    return x / 8\n", "it should return [1]", "not yet"),
        ),
    ),
}
