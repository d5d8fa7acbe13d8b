"""Right and wrong answers to the exercises of the chapter on scoring functions."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-sparse-attention"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def sparse_attention(Q, K, V, window, stride):
    apart = np.arange(len(Q))[:, None] - np.arange(len(K))
    mask = (np.abs(apart) < window) | (apart % stride == 0)
    scores = Q @ K.T / np.sqrt(K.shape[1])
    powers = np.exp(scores) * mask
    return powers @ V / powers.sum(axis=1, keepdims=True), mask.mean()
""",
            "large scores overflow",
        ),
    ),
)
