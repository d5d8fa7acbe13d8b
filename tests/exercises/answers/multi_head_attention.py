"""Answers to the exercises of the chapter "Multi-head attention", to test their checkers with."""

from answers import Answers, WrongAnswer

ANSWERS = {}


ANSWERS["ex-own-heads"] = Answers(
    wrong=(
        WrongAnswer(
            """\
from attention_lib import multi_head_attention

def multi_head(X, W_q, W_k, W_v, W_o):
    return multi_head_attention(X, W_q, W_k, W_v, W_o)[0]
""",
            "multi_head_attention",
        ),
    ),
)


def _counted(numbers: str, shape: str = "(10, 512)") -> str:
    return f"numbers = {numbers}\nshape = {shape}\n"


ANSWERS["ex-count-heads"] = Answers(
    right=(_counted("4 * 512**2", "[10, 8 * 64]"),),
    wrong=(
        WrongAnswer(_counted("[512, 64]"), "the count is one number", "wrong shape"),
        WrongAnswer(_counted("4 * 512**2", "5120"), "written as in (rows, columns)", "wrong shape"),
        WrongAnswer(_counted("1000"), "do not hold 1000 numbers", "not yet"),
        WrongAnswer(_counted("4 * 512**2", "(8, 512)"), "the shape is not (8, 512)", "not yet"),
        WrongAnswer(_counted("4 * 512**2", "(10.9, 512.7)"), "not (10.9, 512.7)", "not yet"),
        WrongAnswer(_counted("4 * 512**2", "(10, np.nan)"), "not (10, nan)", "not yet"),
    ),
)

ANSWERS["ex-split-heads"] = Answers(
    wrong=(
        WrongAnswer(
            "def split(X, h):\n    return np.array(np.split(X, h, axis=0))\n",
            "the words are shared out",
        ),
    ),
)

_SIGNATURE = "def my_layer(X, W_q, W_k, W_v, b_q, b_k, b_v, W_o, b_o, h):\n"

_PROJECT = """\
    wide = X @ W_q.T + b_q, X @ W_k.T + b_k, X @ W_v.T + b_v
    Q, K, V = (A.reshape(len(X), h, -1).swapaxes(0, 1) for A in wide)  # (h, n, d_k)
"""

_SCORE = "    scores = Q @ K.swapaxes(1, 2) / np.sqrt(K.shape[-1])\n"
_WEIGH = "    weights = softmax(scores)\n"
_MERGE = "    merged = np.concatenate(list(weights @ V), axis=-1)\n"
_RETURN = "    return merged @ W_o.T + b_o, weights\n"

_PLAIN_LOOPS = """\
    n, d, d_k, d_v, d_out = *X.shape, len(W_q) // h, len(W_v) // h, len(W_o)
    X, W_q, W_k, W_v, W_o = (A.tolist() for A in (X, W_q, W_k, W_v, W_o))
    output, weights = np.zeros((n, d_out)), np.zeros((h, n, n))
    for i in range(h):
        Q, K, V = np.zeros((n, d_k)), np.zeros((n, d_k)), np.zeros((n, d_v))
        for t in range(n):
            for k in range(d_k):
                row = i * d_k + k
                Q[t, k] = b_q[row] + sum(X[t][c] * W_q[row][c] for c in range(d))
                K[t, k] = b_k[row] + sum(X[t][c] * W_k[row][c] for c in range(d))
            for k in range(d_v):
                row = i * d_v + k
                V[t, k] = b_v[row] + sum(X[t][c] * W_v[row][c] for c in range(d))
        for t in range(n):
            scores = np.array([sum(Q[t] * K[j]) / d_k**0.5 for j in range(n)])
            powers = np.exp(scores - max(scores))
            weights[i, t] = powers / sum(powers)
            head = sum(weights[i, t, j] * V[j] for j in range(n)).tolist()
            for o in range(d_out):
                output[t, o] += sum(head[v] * W_o[o][i * d_v + v] for v in range(d_v))
    return output + b_o, weights
"""

ANSWERS["ex-real-heads"] = Answers(
    wrong=(
        WrongAnswer(
            _SIGNATURE
            + _PROJECT
            + _SCORE
            + _WEIGH
            + _MERGE
            + "    return (merged @ W_o.T + b_o).round(3), weights\n",
            "the weights are right, but the output is not",
            "not yet",
        ),
        WrongAnswer(
            _SIGNATURE
            + "    X, W_k = X[:, :99], W_k[:, :99]\n"
            + "    W_q, W_v = W_q[:, :99], W_v[:, :99]\n"
            + _PROJECT
            + _SCORE
            + _WEIGH
            + _MERGE
            + _RETURN,
            "right on small layers but not on layer 3 of MiniLM",
        ),
    ),
)
