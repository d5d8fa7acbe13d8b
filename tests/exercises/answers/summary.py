"""Right and wrong answers to the exercises of the chapter "Summary"."""

from answers import Answers, WrongAnswer

ANSWERS = {}


def _cross(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def cross_attention(X, C, W_q, W_k, W_v, length):\n{body}"


_PROJECT = "Q, K, V = X @ W_q, C @ W_k, C @ W_v"
_SCALE = "scores = Q @ K.T / np.sqrt(K.shape[1])"
_REAL = "real = np.arange(len(C)) < length"
_RETURN = "return weights @ V, weights"

ANSWERS["ex-cross-attention"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def cross_attention(X, C, W_q, W_k, W_v, length):
    scores = X @ W_q @ (C @ W_k).T / np.sqrt(W_k.shape[1])
    scores[:, length:] = -1e9
    weights = softmax(scores) if length else np.zeros(scores.shape)
    return weights @ (C @ W_v), weights
""",
            "Only -np.inf always hides",
        ),
        WrongAnswer(
            """\
def cross_attention(X, C, W_q, W_k, W_v, length):
    weights = softmax(X @ W_q @ (C @ W_k).T / np.sqrt(W_k.shape[1]))
    weights[:, length:] = 0
    sums = weights.sum(axis=1, keepdims=True)
    weights = weights / np.where(sums == 0, 1, sums)
    return weights @ (C @ W_v), weights
""",
            "leaves nothing for the real tokens",
        ),
        WrongAnswer(
            _cross(
                "Q, K, V = C @ W_q, X @ W_k, X @ W_v",
                _SCALE,
                _REAL,
                "weights = softmax(scores, mask=real[None])",
                _RETURN,
            ),
            "the roles are swapped",
        ),
        WrongAnswer(
            _cross(
                _PROJECT,
                _SCALE,
                "scores[:, length:] = -np.inf",
                "powers = np.exp(scores - scores.max(axis=1, keepdims=True))",
                "weights = powers / powers.sum(axis=1, keepdims=True)",
                _RETURN,
            ),
            "gives 0/0, which is NaN",
        ),
        WrongAnswer(
            _cross(
                _PROJECT,
                _SCALE,
                "scores[:, length:] = -1e9",
                "weights = softmax(scores)",
                _RETURN,
            ),
            "but the weights are not zero",
        ),
        WrongAnswer(
            _cross(
                _PROJECT,
                _SCALE,
                _REAL,
                "powers = np.exp(scores) * real",
                "weights = powers / np.maximum(powers.sum(axis=1, keepdims=True), 1e-300)",
                _RETURN,
            ),
            "large scores overflow",
        ),
    ),
)
