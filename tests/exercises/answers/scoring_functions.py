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
    right=("variance, divisor = 100, 10\n",),
    wrong=(
        WrongAnswer("variance, divisor = [100], 10\n", "variance is one number", "wrong shape"),
        WrongAnswer('variance, divisor = 100, "10"\n', "divisor is one number", "wrong shape"),
        WrongAnswer("variance, divisor = 90, 10\n", "the variance is not 90", "not yet"),
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
    right=("full, thin = 80000, 30000.0\n",),
    wrong=(
        WrongAnswer("full, thin = (400, 200), 30000\n", "full is one number", "wrong shape"),
        WrongAnswer("full, thin = 80000, [20000, 10000]\n", "thin is one number", "wrong shape"),
        WrongAnswer("full, thin = 1, 30000\n", "full is not 1.", "not yet"),
        WrongAnswer("full, thin = 80000, 1\n", "thin is not 1.", "not yet"),
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
