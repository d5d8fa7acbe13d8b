"""Right and wrong answers to the exercises of the chapter on scoring functions."""

from answers import Answers, WrongAnswer

ANSWERS = {}


ANSWERS["ex-scaled-score"] = Answers(
    right=(
        """\
from math import sqrt

def scaled_scores(Q, K):
    rows = []
    for q in Q:
        rows.append([sum(q * k) / sqrt(len(k)) for k in K])
    return rows
""",
        """\
from attention_lib import scaled_dot_score

def scaled_scores(Q, K):
    return scaled_dot_score(Q, K)
""",
    ),
    wrong=(
        WrongAnswer(
            "def scaled_scores(Q, K):\n    return np.abs(Q @ K.T) / np.sqrt(K.shape[1])\n",
            "for Q = [[1, 2], [0.5, -1], [3, 1]]",
            "not yet",
        ),
    ),
)

ANSWERS["ex-variance"] = Answers(
    right=(
        "variance, divisor = 100, 10\n",
        "variance = sum(1 * 4 for _ in range(25))\ndivisor = np.sqrt(25) * np.std([2.0, -2.0])\n",
    ),
    wrong=(
        WrongAnswer("variance, divisor = 25, 5\n", "if the entries of the key had variance one"),
        WrongAnswer("variance, divisor = 50, 50**0.5\n", "variances multiply"),
        WrongAnswer("variance, divisor = 125, 125**0.5\n", "not added"),
        WrongAnswer("variance, divisor = 4, 2\n", "the variance of one product"),
        WrongAnswer("variance, divisor = 10, 10\n", "that is the standard deviation"),
        WrongAnswer("variance, divisor = 400, 20\n", "not squared"),
        WrongAnswer("variance, divisor = 2500, 50\n", "25 times, not 25 squared"),
        WrongAnswer("variance, divisor = 100, 5\n", "leaves a variance of four"),
        WrongAnswer("variance, divisor = 100, 100\n", "divides its variance by c squared"),
        WrongAnswer("variance, divisor = 100, 0.1\n", "what to divide by"),
        WrongAnswer("variance, divisor = 100, 25\n", "25 is d_k"),
        WrongAnswer("variance, divisor = [100], 10\n", "variance is one number", "wrong shape"),
        WrongAnswer('variance, divisor = 100, "10"\n', "divisor is one number", "wrong shape"),
        WrongAnswer("variance, divisor = 90, 10\n", "the variance is not 90", "not yet"),
        WrongAnswer("variance, divisor = 100, -10\n", "Take the positive root"),
        WrongAnswer("variance, divisor = 100, 12\n", "with 12 the score", "not yet"),
    ),
)

ANSWERS["ex-additive-score"] = Answers(
    right=(
        """\
def additive_scores(Q, K, W_q, W_k, w_v, b):
    scores = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            scores[i, j] = w_v @ np.tanh(W_q.T @ q + W_k.T @ k + b)
    return scores
""",
        """\
def additive_scores(Q, K, W_q, W_k, w_v, b):
    return [list((w_v * np.tanh(q @ W_q + K @ W_k + b)).sum(axis=1)) for q in Q]
""",
    ),
    wrong=(
        WrongAnswer(
            """\
from attention_lib import additive_score

def additive_scores(Q, K, W_q, W_k, w_v, b):
    return additive_score(Q, K, W_q, W_k, w_v, b)
""",
            "calls the library's own additive_score",
        ),
        WrongAnswer(
            """\
def additive_scores(Q, K, W_q, W_k, w_v, b):
    return np.maximum(0, (Q @ W_q)[:, None] + K @ W_k + b) @ w_v
""",
            "for Q = [[1]]",
            "not yet",
        ),
    ),
)

ANSWERS["ex-thin"] = Answers(
    right=(
        "full, thin = 80000, 30000.0\n",
        """\
full = np.ones((400, 200)).size
thin = np.ones((400, 50)).size + np.ones((200, 50)).size
""",
    ),
    wrong=(
        WrongAnswer("full, thin = 600, 30000\n", "multiply the two sizes"),
        WrongAnswer("full, thin = 400**2, 30000\n", "it is not square here"),
        WrongAnswer("full, thin = 200**2, 30000\n", "it is not square here"),
        WrongAnswer("full, thin = 80000, 400 * 50\n", "W_k is left out"),
        WrongAnswer("full, thin = 80000, 200 * 50\n", "W_q is left out"),
        WrongAnswer("full, thin = 80000, 80000\n", "the size of the product"),
        WrongAnswer("full, thin = 80000, 400 * 200 * 50\n", "multiplies all three"),
        WrongAnswer("full, thin = 80000, 400 * 50 * 200 * 50\n", "multiplies the two matrices'"),
        WrongAnswer("full, thin = 80000, 650\n", "adds up the sizes"),
        WrongAnswer("full, thin = (400, 200), 30000\n", "full is one number", "wrong shape"),
        WrongAnswer("full, thin = 80000, [20000, 10000]\n", "thin is one number", "wrong shape"),
        WrongAnswer("full, thin = 1, 30000\n", "full is not 1.", "not yet"),
        WrongAnswer("full, thin = 80000, 1\n", "thin is not 1.", "not yet"),
    ),
)

ANSWERS["ex-gated-score"] = Answers(
    right=(
        """\
def gated_scores(Q, K, w_g, b_g):
    scores = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            gate = 1 / (1 + np.exp(-(w_g @ np.concatenate([q, k]) + b_g)))
            scores[i, j] = gate * (q @ k)
    return scores
""",
        """\
import math

def gated_scores(Q, K, w_g, b_g):
    def score(q, k):
        inside = b_g + sum(w * x for w, x in zip(w_g, [*q, *k]))
        return sum(x * y for x, y in zip(q, k)) * (1 + math.tanh(inside / 2)) / 2
    return [[score(q, k) for k in K] for q in Q]
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def gated_scores(Q, K, w_g, b_g):
    d = Q.shape[1]
    from attention_lib import gated_score

    return gated_score(Q, K, w_g, b_g)
""",
            "the library's own gated_score",
        ),
        WrongAnswer(
            """\
def gated_scores(Q, K, w_g, b_g):
    d = Q.shape[1]
    return np.tanh((Q @ w_g[:d])[:, None] + K @ w_g[d:] + b_g) * (Q @ K.T)
""",
            "it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-squeeze-excite"] = Answers(
    right=(
        """\
from math import exp

def squeeze_excite(X, W_1, W_2):
    n, d = X.shape
    z = [sum(X[:, c]) / n for c in range(d)]
    h = [max(0, sum(z[c] * W_1[c, u] for c in range(d))) for u in range(W_1.shape[1])]
    g = [1 / (1 + exp(-sum(h[u] * W_2[u, c] for u in range(len(h))))) for c in range(d)]
    return [[X[i, c] * g[c] for c in range(d)] for i in range(n)]
done = (True, True, True)
""",
        """\
def squeeze_excite(X, W_1, W_2):
    uniform = np.full(len(X), 1 / len(X))
    hidden = np.clip(W_1.T @ (uniform @ X), 0, None)
    gates = 0.5 * (1 + np.tanh(W_2.T @ hidden / 2))
    return X @ np.diag(gates)
done = [True] * 3
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def squeeze_excite(X, W_1, W_2):
    return X * (0.5 * (1 + np.tanh(np.maximum(0, X.mean(axis=0) @ W_1) @ W_2)))
done = [True, True, True]
""",
            "for X = [[1, 2], [3, -6]]",
            "not yet",
        ),
        WrongAnswer(
            """\
def squeeze_excite(X, W_1, W_2):
    return X / (1 + np.exp(-np.maximum(0, X.mean(axis=0) @ W_1) @ W_2))
done = [True, False, True]
""",
            "point 2 is still open",
            "not yet",
        ),
    ),
)


_START = """\
def sparse_attention(Q, K, V, window, stride):
    apart = np.arange(len(Q))[:, None] - np.arange(len(K))
    local, strided = np.abs(apart) < window, apart % stride == 0
    scores = Q @ K.T / np.sqrt(K.shape[1])
"""

ANSWERS["ex-sparse-attention"] = Answers(
    right=(
        """\
def sparse_attention(Q, K, V, window, stride):
    rows, pairs = [], 0
    for i, q in enumerate(Q):
        seen = [j for j in range(len(K)) if abs(i - j) < window or (i - j) % stride == 0]
        pairs += len(seen)
        rows.append(softmax(K[seen] @ q / np.sqrt(len(q))) @ V[seen])
    return np.array(rows), pairs / (len(Q) * len(K))
""",
        """\
from attention_lib import attention

def sparse_attention(Q, K, V, window, stride):
    i, j = np.indices((len(Q), len(K)))
    mask = np.logical_or(abs(i - j) < window, (i - j) % stride == 0)
    output, weights = attention(Q, K, V, mask=mask)
    return output, np.count_nonzero(mask) / mask.size
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def sparse_attention(Q, K, V, window, stride):
    apart = np.arange(len(Q))[:, None] - np.arange(len(K))
    mask = (np.abs(apart) < window) or (apart % stride == 0)
    return softmax(Q @ K.T / np.sqrt(K.shape[1]), mask=mask) @ V, mask.mean()
""",
            "so do &, | and ~, with parentheses",
        ),
        WrongAnswer(
            """\
from attention_lib import local_mask as near, strided_mask as far

def sparse_attention(Q, K, V, window, stride):
    mask = near(len(Q), len(K), window) | far(len(Q), len(K), stride)
    return softmax(Q @ K.T / np.sqrt(K.shape[1]), mask=mask) @ V, mask.mean()
""",
            "calls the library's own local_mask",
        ),
        WrongAnswer(
            _START
            + """\
    mask = local | strided
    powers = np.exp(scores) * mask
    return powers @ V / powers.sum(axis=1, keepdims=True), mask.mean()
""",
            "large scores overflow",
        ),
        WrongAnswer(
            _START
            + """\
    mask = local | strided
    return softmax(scores / 2, mask=mask) @ V, mask.mean()
""",
            "the share is right, but the output is not: at [0, 0] it should be",
            "not yet",
        ),
    ),
)
