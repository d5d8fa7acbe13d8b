"""Answers to the exercises of "A model that writes": right ones, and wrong ones readers give."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-two-ahead"] = Answers(
    right=(
        """\
def two_ahead(shares):
    c = len(shares)
    return [
        [sum(shares[i][m] * shares[m][j] for m in range(c)) for j in range(c)] for i in range(c)
    ]
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def two_ahead(shares):
    return (shares @ shares)[0]
""",
            "should have shape",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def two_ahead(shares):
    return 2 * shares
""",
            "for shares = [",
            "not yet",
        ),
    ),
)

ANSWERS["ex-cross-entropy"] = Answers(
    right=(
        """\
def mean_bits(weights, answers):
    found = [np.log2(1 / row[j]) for row, j in zip(weights, answers) if j >= 0]
    return sum(found) / len(found)
""",
    ),
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
        WrongAnswer(
            """\
def mean_bits(weights, answers):
    kept = answers >= 0
    return -np.log2(weights[kept, answers[kept]])
""",
            "should have shape",
            "wrong shape",
        ),
    ),
)

ANSWERS["ex-targets"] = Answers(
    right=(
        """\
def example(numbers, places):
    rest = places - len(numbers) - 1
    return [0, *numbers, *[0] * rest], [*numbers, 0, *[-1] * rest]
""",
    ),
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
        WrongAnswer(
            """\
def example(numbers, places):
    X = np.zeros(places, int)
    X[1 : len(numbers) + 1] = numbers
    return X
""",
            "",
            "wrong shape",
        ),
    ),
)

ANSWERS["ex-sampler"] = Answers(
    right=(
        """\
def choose(logits, T, k, u):
    kept = np.where(logits < np.sort(logits)[-k], -np.inf, logits)
    return np.searchsorted(softmax(kept / T).cumsum(), u, side="right")
""",
    ),
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
    kept = np.where(logits >= np.sort(logits)[-k], logits, -np.inf)
    return softmax(kept / T)
""",
            "should have shape",
            "wrong shape",
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
        WrongAnswer(
            """\
from attention_lib.generation import next_token_weights
def choose(logits, T, k, u):
    return int((next_token_weights(logits, T, k).cumsum() <= u).sum())
""",
            "the library's own",
        ),
    ),
)

PIECES = """\
def norm(X, gain):
    return X / np.sqrt((X**2).mean(axis=-1, keepdims=True) + 1e-5) * gain

"""

ANSWERS["ex-own-writer"] = Answers(
    right=(
        PIECES
        + """\
def next_logits(tokens, p):
    n = len(tokens)
    X = np.stack([p["E"][token] for token in tokens]) + p["P"][:n]
    A = norm(X, p["gain_1"])
    Q, K, V = (A @ p[name] for name in ("W_q", "W_k", "W_v"))  # (h, n, d_k)
    scores = Q @ K.swapaxes(1, 2) / Q.shape[-1] ** 0.5
    weights = softmax(scores, mask=np.tri(n, dtype=bool))
    H = X + (weights @ V).swapaxes(0, 1).reshape(n, -1) @ p["W_o"]
    B = norm(H, p["gain_2"]) @ p["W_1"] + p["b_1"]
    return norm(H + B * (B > 0) @ p["W_2"] + p["b_2"], p["gain"]) @ p["U"]
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def next_logits(tokens, p):
    return p["E"][tokens[-1]] @ p["U"]
""",
            "should have shape",
            "wrong shape",
        ),
        WrongAnswer(
            """\
from attention_lib import decoder_logits
def next_logits(tokens, p):
    alone = ("E", "P", "gain", "U")
    p = {name: W if name in alone else W[None] for name, W in p.items()}
    return decoder_logits(tokens, p)
""",
            "the library's own decoder_logits",
        ),
        WrongAnswer(
            """\
def next_logits(tokens, p):
    return p["E"][list(tokens)] @ p["U"]
""",
            "",
            "not yet",
        ),
    ),
)
