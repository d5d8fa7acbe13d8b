"""Right and wrong answers to the exercises of the chapter on scoring functions."""

from answers import Answers, WrongAnswer

ANSWERS = {}


ANSWERS["ex-variance"] = Answers(
    right=("variance, divisor = 100, 10\n",),
    wrong=(
        WrongAnswer("variance, divisor = [100], 10\n", "variance is one number", "wrong shape"),
        WrongAnswer('variance, divisor = 100, "10"\n', "divisor is one number", "wrong shape"),
        WrongAnswer("variance, divisor = 90, 10\n", "the variance is not 90", "not yet"),
        WrongAnswer("variance, divisor = 100, 12\n", "with 12 the score", "not yet"),
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
    wrong=(
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
