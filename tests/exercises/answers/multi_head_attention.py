"""Answers to the exercises of the chapter "Multi-head attention", to test their checkers with."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-split-heads"] = Answers(
    wrong=(
        WrongAnswer(
            "def split(X, h):\n    return np.array(np.split(X, h, axis=0))\n",
            "the words are shared out",
        ),
    ),
)

ANSWERS["ex-real-heads"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def my_layer(X, W_q, W_k, W_v, b_q, b_k, b_v, W_o, b_o, h):
    X, W_q, W_k, W_v = X[:, :99], W_q[:, :99], W_k[:, :99], W_v[:, :99]
    wide = X @ W_q.T + b_q, X @ W_k.T + b_k, X @ W_v.T + b_v
    Q, K, V = (A.reshape(len(X), h, -1).swapaxes(0, 1) for A in wide)  # (h, n, d_k)
    weights = softmax(Q @ K.swapaxes(1, 2) / np.sqrt(K.shape[-1]))
    merged = np.concatenate(list(weights @ V), axis=-1)
    return merged @ W_o.T + b_o, weights
""",
            "right on small layers but not on layer 3 of MiniLM",
        ),
    ),
)
