"""Answers to the exercises of "A model that writes": right ones, and wrong ones readers give."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-cross-entropy"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def mean_bits(weights, answers):
    asked = answers >= 0
    return -np.log2(weights[asked, answers[asked]] + 1e-9).mean()
""",
            "a small number is added",
        ),
    ),
)

ANSWERS["ex-sampler"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def choose(logits, T, k, u):
    powers = np.exp(logits / T)
    powers[logits < np.sort(logits)[-k]] = 0
    return int((np.cumsum(powers / powers.sum()) <= u).sum())
""",
            "the exponentials overflow",
        ),
    ),
)
