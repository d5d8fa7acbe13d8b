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
        WrongAnswer(
            """\
def mean_bits(weights, answers):
    kept = answers > 0
    return -np.log2(weights[kept, answers[kept]]).mean()
""",
            "it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-targets"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def example(numbers, places):
    n = len(numbers)
    X, answers = np.zeros(places, int), np.full(places, -1)
    X[:n] = numbers
    answers[:n], answers[n] = numbers, 0
    return X, answers
""",
            "the letters",
            "not yet",
        ),
        WrongAnswer(
            """\
def example(numbers, places):
    X, answers = np.zeros(places, int), np.full(places, -1)
    X[1 : len(numbers) + 1] = numbers
    answers[: len(numbers)] = numbers
    answers[len(numbers)] = 0
    return answers, X
""",
            "in the wrong order",
        ),
    ),
)

ANSWERS["ex-sampler"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def choose(logits, T, k, u):
    best = np.sort(np.argsort(-logits)[:k])
    weights = softmax(logits[best] / T)
    return int(best[(weights.cumsum() < u).sum()])
""",
            "it should return 1, but returned 0",
            "not yet",
        ),
        WrongAnswer(
            """\
rng = np.random.default_rng(0)
def choose(logits, T, k, u):
    kept = np.where(logits < np.sort(logits)[-k], -np.inf, logits)
    return rng.choice(len(logits), p=softmax(kept / T))
""",
            "for logits = [0, 1], T = 1, k = 2 and u = 0.1 it should return 0, but returned 1",
            "not yet",
        ),
        WrongAnswer(
            """\
def choose(logits, T, k, u):
    powers = np.exp(logits / T)
    powers[logits < np.sort(logits)[-k]] = 0
    return int((np.cumsum(powers / powers.sum()) <= u).sum())
""",
            "the exponentials overflow",
        ),
        WrongAnswer(
            """\
def choose(logits, T, k, u):
    kept = np.where(logits >= np.sort(logits)[-k], logits, 0)
    return int((softmax(kept / T).cumsum() <= u).sum())
""",
            "",
            "not yet",
        ),
    ),
)

PIECES = """\
def norm(X, gain):
    return X / np.sqrt((X**2).mean(axis=-1, keepdims=True) + 1e-5) * gain

"""
