"""Right and wrong answers to the exercises of the chapter on self-attention."""

from answers import Answers, WrongAnswer

ANSWERS = {}


_SHAPES = 'shapes = {{"Q": {}, "weights": {}, "O": {}}}\n'

ANSWERS["ex-nine-shapes"] = Answers(
    right=('shapes = {"Q": [9, 64], "weights": np.array([9, 9]), "O": np.zeros((9, 32)).shape}\n',),
    wrong=(
        WrongAnswer(_SHAPES.format((300, 64), (9, 9), (9, 32)), "that is the shape of W_q"),
        WrongAnswer(_SHAPES.format((9, 300), (9, 9), (9, 32)), "that is the shape of X"),
        WrongAnswer(_SHAPES.format((64, 9), (9, 9), (9, 32)), "rows are tokens"),
        WrongAnswer(_SHAPES.format((9, 64), (64, 64), (9, 32)), "not from Kᵀ Q"),
        WrongAnswer(_SHAPES.format((9, 64), (9, 64), (9, 32)), "the dot product uses up d_k"),
        WrongAnswer(_SHAPES.format((9, 64), (9, 1), (9, 32)), "one weight per token"),
        WrongAnswer(_SHAPES.format((9, 64), (9, 32), (9, 32)), "have not come in yet"),
        WrongAnswer(_SHAPES.format((9, 64), (9, 9), (9, 64)), "though some texts say so"),
        WrongAnswer(_SHAPES.format((9, 64), (9, 9), (9, 300)), "the values are not X"),
        WrongAnswer(_SHAPES.format((9, 64), (9, 9), (9, 9)), "one mixed value for each token"),
        WrongAnswer(_SHAPES.format((9, 64), (9, 9), (32, 9)), "O has one row for each token"),
        WrongAnswer(_SHAPES.format(576, (9, 9), (9, 32)), "but yours is 576", "wrong shape"),
        WrongAnswer("shapes = (9, 9)\n", "for each of Q, weights and O", "wrong shape"),
    ),
)

ANSWERS["ex-self-attention"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    powers = np.exp(scores - scores.max())
    return powers / powers.sum(axis=-1, keepdims=True) @ V
""",
            "or all of a row rounds to 0",
        ),
    ),
)


def _causal(weights: str) -> str:
    return f"def causal_weights(scores):\n    n = len(scores)\n    return {weights}\n"


ANSWERS["ex-causal"] = Answers(
    right=(
        """\
def hide(scores, mask):
    return np.where(mask, scores, -np.inf)

def causal_weights(scores):
    return softmax(hide(scores, mask=np.tri(len(scores), dtype=bool)))
""",
    ),
    wrong=(
        WrongAnswer(_causal("softmax(scores - np.inf * (1 - np.tri(n)))"), "0 · inf is NaN"),
        WrongAnswer(
            _causal("softmax(np.where(np.tri(n, k=2) > 0, scores, -np.inf))"),
            "gives weight to a later one",
        ),
        WrongAnswer(
            _causal("softmax(np.where(np.tri(n) > 0, scores, -1e9))"), "a hidden token got weight"
        ),
        WrongAnswer(
            """\
def causal_weights(scores):
    may_look = np.tri(len(scores), dtype=bool)
    powers = np.exp(np.where(may_look, scores, -np.inf) - scores.max())
    return powers / powers.sum(axis=1, keepdims=True)
""",
            "large scores overflow, and the result is NaN",
        ),
    ),
)

ANSWERS["ex-late-mask"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def padded_attention(Q, K, V, length):
    powers = np.exp(Q @ K.T / np.sqrt(K.shape[1]))
    powers[:, length:] = 0
    return powers / powers.sum(axis=1, keepdims=True) @ V
""",
            "large scores overflow",
        ),
        WrongAnswer(
            """\
def padded_attention(Q, K, V, length):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    scores = scores * np.where(np.arange(len(K)) < length, 1, -np.inf)
    return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True) @ V
""",
            "instead of multiplying",
        ),
    ),
)


def _head(weights: str) -> str:
    return f"""\
def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = {weights}
    return weights @ V, weights
"""


ANSWERS["ex-real-head"] = Answers(
    right=(_head("softmax(scores, mask=mask)"),),
    wrong=(
        WrongAnswer(_head("softmax(scores - np.inf * (1 - mask))"), "0 · inf is NaN"),
        WrongAnswer(_head("softmax(np.where(mask, scores, -1.0))"), "that it may not look at"),
        WrongAnswer(_head("softmax(np.where(mask, scores, -1e9))"), "became even weights"),
    ),
)
