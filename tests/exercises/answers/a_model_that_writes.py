"""Answers to the exercises of "A model that writes": right ones, and wrong ones readers give."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-guess-bits"] = Answers(
    right=("mean = 2\n",),
    wrong=(
        WrongAnswer("mean = 7\n", "how many halvings", "not yet"),
        WrongAnswer('mean = "2"\n', "the answer is one number", "wrong shape"),
        WrongAnswer("mean = [1, 2, 3, 3, 1]\n", "the answer is one number", "wrong shape"),
    ),
)

ANSWERS["ex-bigram"] = Answers(
    right=(
        """\
def pair_shares(words, letters):
    text = "." + ".".join(words) + "."
    rows = []
    for a in letters:
        row = [1 + sum(x + y == a + b for x, y in zip(text, text[1:])) for b in letters]
        rows.append([count / sum(row) for count in row])
    return rows
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def pair_shares(words, letters):
    C = np.ones((len(letters) - 1, len(letters) - 1))
    for word in words:
        for a, b in zip("." + word, word + "."):
            C[letters.index(a), letters.index(b)] += 1
    return C / C.sum(axis=1, keepdims=True)
""",
            "a place lies outside your table",
        ),
        WrongAnswer(
            """\
def pair_shares(words, letters):
    text = "." + ".".join(words) + "."
    C = np.array([[1 + text.count(a + b) for b in letters] for a in letters])
    return C / C.sum(axis=1, keepdims=True)
""",
            "for words = [",
            "not yet",
        ),
        WrongAnswer(
            """\
def pair_shares(words, letters):
    return np.ones(len(letters)) / len(letters)
""",
            "should have shape",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def pair_shares(words, letters):
    counts = np.ones((len(letters), len(letters)))
    for a, b in zip("." + words, words + "."):
        counts[letters.index(a), letters.index(b)] += 1
    return counts
""",
            "TypeError",
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

ANSWERS["ex-counting-fails"] = Answers(
    right=('answer = "D"\n',),
    wrong=(WrongAnswer('answer = "e"\n', "answer with one of", "wrong shape"),),
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

ANSWERS["ex-copied"] = Answers(
    right=(
        """\
def longest_copy(text, source):
    spans = [(i, j) for i in range(len(text)) for j in range(i, len(text) + 1)]
    return max((j - i for i, j in spans if text[i:j] in source), default=0)
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def longest_copy(text, source):
    best = ""
    for i in range(len(text)):
        for j in range(i, len(text) + 1):
            if text[i:j] in source and j - i > len(best):
                best = text[i:j]
    return best
""",
            "should return one number",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def longest_copy(text, source):
    return len(set(text) & set(source))
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
