"""Answers to the exercises of the chapter "What came after", to test their checkers with."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-fade"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def fade(gates):
    p = np.cumprod(np.maximum(gates, 1e-6))
    return np.tril(p[:, None] / p)
""",
            "a gate of 0 is closed",
        ),
        WrongAnswer(
            """\
def fade(gates):
    logs = np.cumsum(np.log(gates))
    return np.tril(np.exp(logs[:, None] - logs))
""",
            "a difference of their logarithms",
        ),
    ),
)

ANSWERS["ex-needle"] = Answers(
    wrong=(WrongAnswer("gap = 5\n", "with a gap of 5 the needle keeps less than half", "not yet"),),
)
