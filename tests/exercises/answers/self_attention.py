"""Right and wrong answers to the exercises of the chapter on self-attention."""

from answers import Answers, WrongAnswer

ANSWERS = {}


ANSWERS["ex-project"] = Answers(
    right=(
        """\
def project(X, W, d_k):
    P = np.einsum("ic,ck->ik", np.float32(X), np.float32(W))
    d_v = W.shape[1] - 2 * d_k
    return P[:, :d_k], P[:, d_k:-d_v], P[:, -d_v:]
""",
    ),
)

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
        WrongAnswer(_SHAPES.format((9, 65), (9, 9), (9, 32)), "Q is not (9, 65)", "not yet"),
        WrongAnswer(_SHAPES.format(576, (9, 9), (9, 32)), "but Q has 576", "wrong shape"),
        WrongAnswer("shapes = (9, 9)\n", "for each of Q, weights and O", "wrong shape"),
    ),
)


ANSWERS["ex-self-attention"] = Answers(
    right=(
        """\
def attend(X, W_q, W_k, W_v):
    if X.ndim == 3:
        return np.array([attend(sentence, W_q, W_k, W_v) for sentence in X])
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    output = np.zeros((len(X), W_v.shape[1]))
    for i, q in enumerate(Q):
        scores = np.array([q @ k for k in K]) / len(q) ** 0.5
        weights = np.exp(scores - scores.max())
        weights = weights / weights.sum()
        for weight, v in zip(weights, V):
            output[i] += weight * v
    return output
""",
    ),
    wrong=(
        WrongAnswer(
            """\
from attention_lib import attention as look

def attend(X, W_q, W_k, W_v):
    return look(X @ W_q, X @ W_k, X @ W_v)[0]
""",
            "library's own attention",
        ),
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
def causal_weights(scores):
    weights = np.zeros(scores.shape)
    for i in range(len(scores)):
        weights[i, : i + 1] = softmax(scores[i, : i + 1])
    return weights
""",
    ),
    wrong=(
        WrongAnswer(
            _causal("softmax(scores, mask=np.tri(n, dtype=bool))"), "without the mask= of softmax"
        ),
        WrongAnswer(
            """\
from attention_lib import causal_mask

def causal_weights(scores):
    return softmax(np.where(causal_mask(len(scores)), scores, -np.inf))
""",
            "library's own causal_mask",
        ),
        WrongAnswer(_causal("softmax(scores - np.inf * (1 - np.tri(n)))"), "0 · inf is NaN"),
        WrongAnswer(
            _causal("softmax(np.where(np.tri(n, k=2) > 0, scores, -np.inf))"),
            "gives weight to a later one",
        ),
        *(
            WrongAnswer(
                _causal(f"softmax(np.where(np.tri(n) > 0, scores, {lowest}))"),
                "a hidden token got weight",
            )
            for lowest in ("-1e9", "-1e10", "np.finfo(np.float32).min")
        ),
        WrongAnswer(
            _causal("softmax(np.where(np.tri(n).T > 0, scores, -np.inf))"),
            "looks at itself and at those after it",
        ),
        WrongAnswer(_causal("softmax(scores) * np.tri(n)"), "the mask comes after the softmax"),
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
    right=(
        """\
def padded_attention(Q, K, V, length):
    K, V = K[:length], V[:length]
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V
""",
    ),
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
        WrongAnswer(
            """\
def padded_attention(Q, K, V, length):
    from attention_lib import attention, padding_mask
    return attention(Q, K, V, mask=padding_mask(length, m=len(K)))[0]
""",
            "library's own attention",
        ),
    ),
)

_PERMUTE = "def permutation_matrix(order):\n    return {}\n\n\ndone = {}\n"
_ALL_FIVE = [True] * 5

ANSWERS["ex-permutation"] = Answers(
    right=(_PERMUTE.format("np.equal.outer(order, range(len(order)))", _ALL_FIVE),),
    wrong=(
        WrongAnswer(
            _PERMUTE.format("np.eye(len(order))[order]", [True, True, False, True, True]),
            "point 3 is still open",
            "not yet",
        ),
        WrongAnswer(
            _PERMUTE.format("np.eye(len(order))[order]", True),
            "done should have 5 entries",
            "wrong shape",
        ),
    ),
)


def _head(weights: str, result: str = "weights @ V, weights") -> str:
    return f"""\
def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = {weights}
    return {result}
"""


ANSWERS["ex-real-head"] = Answers(
    right=(_head("softmax(scores, mask=mask)"),),
    wrong=(
        WrongAnswer(
            """\
from attention_lib import attention

def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    return attention(X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v, mask=mask)
""",
            "library's own attention",
        ),
        WrongAnswer(_head("softmax(scores - np.inf * (1 - mask))"), "0 · inf is NaN"),
        WrongAnswer(_head("softmax(np.where(mask, scores, -1.0))"), "that it may not look at"),
        WrongAnswer(_head("softmax(np.where(mask, scores, -1e9))"), "became even weights"),
    ),
)
