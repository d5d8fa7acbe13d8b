"""Right and wrong answers to the exercises of the chapter on attention pooling."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-normalise"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def to_weights(similarities):
    weights = np.zeros_like(similarities)
    for i, row in enumerate(similarities):
        if row.sum() == 0:
            return weights
        weights[i] = row / row.sum()
    return weights
""",
            "it should return [[0, 0], [0.25, 0.75]], but returned [[0, 0], [0, 0]]",
            "not yet",
        ),
        WrongAnswer(
            """\
def to_weights(similarities):
    sums = similarities.sum(axis=1, keepdims=True)
    return similarities / np.where(sums < 1e-6, 1, sums)
""",
            "its small sum is taken for zero",
        ),
        WrongAnswer(
            """\
def to_weights(similarities):
    return similarities / (similarities.sum(axis=1, keepdims=True) + 1e-10)
""",
            "a small number is added",
        ),
    ),
)

ANSWERS["ex-softmax"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def stable_softmax(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
""",
            "axis=-1 is the last axis",
        ),
    ),
)

ANSWERS["ex-temperature"] = Answers(
    wrong=(
        WrongAnswer("T = -0.436\n", "a temperature is a positive number"),
        WrongAnswer("T = 1\n", "is below 0.9. Try a lower temperature", "not yet"),
        WrongAnswer("T = 0.45\n", "is below 0.9. Try a lower temperature", "not yet"),
    ),
)
