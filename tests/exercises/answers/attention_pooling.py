"""Right and wrong answers to the exercises of the chapter on attention pooling."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-pool"] = Answers(
    wrong=(
        WrongAnswer(
            "def pool(weights, V):\n    return np.abs(weights) @ V\n",
            "for weights = [0.5, -0.5, 1]",
            "not yet",
        ),
    ),
)


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
        WrongAnswer(
            """\
def stable_softmax(scores):
    powers = 2.0 ** (scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
""",
            "for scores = [0, 1] it should return [0.2689, 0.7311], but returned [0.3333, 0.6667]",
            "not yet",
        ),
    ),
)

ANSWERS["ex-temperature"] = Answers(
    right=("T = 0.436\n",),
    wrong=(
        WrongAnswer("T = -0.436\n", "a temperature is a positive number"),
        WrongAnswer("T = 0\n", "a temperature is a positive number"),
        WrongAnswer("T = float('nan')\n", "a temperature is a positive number"),
        WrongAnswer("T = softmax([2, 1, 0])\n", "the answer is one number", "wrong shape"),
        WrongAnswer('T = "0.436"\n', "not '0.436'", "wrong shape"),
        WrongAnswer("T = 1\n", "0.665, below 0.9. Try a lower temperature", "not yet"),
        WrongAnswer("T = 0.4\n", "0.918, above 0.9. Try a higher temperature", "not yet"),
        WrongAnswer("T = 1e-9\n", "1.000, above 0.9. Try a higher temperature", "not yet"),
    ),
)

ANSWERS["ex-nadaraya-watson"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def predict(queries, keys, values, width):
    u = np.abs(queries[:, None] - keys) / width
    kernel = 0.75 * np.maximum(1e-9, 1 - u**2)
    return kernel @ values / kernel.sum(axis=1)
""",
            "for queries = [1], keys = [0, 3], values = [10, 20] and width = 2",
            "not yet",
        ),
        WrongAnswer(
            """\
def predict(queries, keys, values, width):
    u = np.abs(queries[:, None] - keys) / np.round(width, 1)
    return softmax(-(u**2) / 2) @ values
""",
            "and width = 0.8148 it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-rows-sum"] = Answers(
    right=("shape = softmax(np.zeros((5, 8))).shape\ntotal = softmax(np.zeros((5, 8))).sum()\n",),
    wrong=(
        WrongAnswer("shape = 40\ntotal = 5\n", "but yours is 40", "wrong shape"),
        WrongAnswer("shape = (5, 8)\ntotal = [1] * 5\n", "the sum is one number", "wrong shape"),
        WrongAnswer("shape = (4, 8)\ntotal = 5\n", "no shape (4, 8)", "not yet"),
        WrongAnswer("shape = (5, 8)\ntotal = 6\n", "the sum is not 6", "not yet"),
        WrongAnswer("shape = (5, 8)\ntotal = np.nan\n", "the sum is not nan", "not yet"),
    ),
)
