"""Right and wrong answers to the exercises of the chapter on self-attention."""

from answers import Answers, WrongAnswer

ANSWERS = {}


def _project(parts: str, product: str = "X @ W") -> str:
    return f"def project(X, W, d_k):\n    P = {product}\n    return {parts}\n"


ANSWERS["ex-project"] = Answers(
    right=(
        """\
def project(X, W, d_k):
    P = np.einsum("ic,ck->ik", np.float32(X), np.float32(W))
    d_v = W.shape[1] - 2 * d_k
    return P[:, :d_k], P[:, d_k:-d_v], P[:, -d_v:]
""",
        "def project(X, W, d_k):\n    return np.split(X @ W, [d_k, 2 * d_k], axis=1)\n",
    ),
    wrong=(
        WrongAnswer(_project("np.split(P, 3, axis=1)"), "three equal parts"),
        WrongAnswer(
            _project("P[:, :d_k], P[:, d_k : 2 * d_k], P[:, 2 * d_k :]", "W @ X"), "W comes first"
        ),
    ),
)

_SHAPES = 'shapes = {{"Q": {}, "weights": {}, "O": {}}}\n'

ANSWERS["ex-nine-shapes"] = Answers(
    right=(
        'shapes = {"Q": [9, 64], "weights": np.array([9, 9]), "O": np.zeros((9, 32)).shape}\n',
        'shapes = {"Q": (9, 64), "K": (9, 64), "weights": (9, 9), "O": (9, 32)}\n',
    ),
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


def _attend(result: str, scores: str = "Q @ K.T / np.sqrt(Q.shape[-1])") -> str:
    return f"""\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    scores = {scores}
    return {result}
"""


_BY_SUM = "powers / powers.sum({}) @ V"

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
        """\
def attend(X, W_q, W_k, W_v):
    X, W_q, W_k, W_v = map(np.float32, (X, W_q, W_k, W_v))
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    scores = (Q[..., :, None, :] * K[..., None, :, :]).sum(axis=-1) / np.float32(len(W_q[0])) ** 0.5
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (powers / powers.sum(axis=-1, keepdims=True)) @ V
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def stable_softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def scaled_scores(Q, K):
    return Q @ K.T / np.sqrt(K.shape[1])


def attend(X, W_q, W_k, W_v):
    return stable_softmax(scaled_scores(X @ W_q, X @ W_k)) @ (X @ W_v)
""",
            "one sentence works",
        ),
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
        WrongAnswer(_attend("softmax(scores) @ V", "Q @ K.T"), "the scores are not scaled"),
        WrongAnswer(
            _attend("softmax(scores) @ V", "Q @ K.T / X.shape[1] ** 0.5"), "root of d, the"
        ),
        WrongAnswer(_attend("softmax(scores) @ V", "Q @ K.T / len(Q) ** 0.5"), "the root of n"),
        WrongAnswer(_attend("softmax(scores, axis=0) @ V"), "runs over the queries"),
        WrongAnswer(_attend("V @ softmax(scores)"), "V comes first"),
        WrongAnswer(_attend("softmax(scores.T) @ V"), "the keys ask"),
        WrongAnswer(_attend("softmax(scores) @ K"), "the weights mix the keys"),
        WrongAnswer(_attend("scores @ V"), "there is no softmax"),
        WrongAnswer(
            _attend("np.exp(scores) / np.exp(scores).sum(axis=1) @ V"), "is divided by its own"
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
        _causal("softmax(scores + np.log(np.tri(n)))  # adds 0 or minus infinity"),
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


def _padded(hide: str, powers: str = "np.exp(scores - scores.max(axis=1, keepdims=True))") -> str:
    return f"""\
def padded_attention(Q, K, V, length):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    {hide} = -np.inf
    powers = {powers}
    return powers / powers.sum(axis=1, keepdims=True) @ V
"""


ANSWERS["ex-late-mask"] = Answers(
    right=(
        """\
def padded_attention(Q, K, V, length):
    K, V = K[:length], V[:length]
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V
""",
        """\
def padded_attention(Q, K, V, length):
    output = np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        scores = np.array([Q[i] @ K[j] for j in range(length)]) / K.shape[1] ** 0.5
        powers = np.exp(scores - scores.max())
        for j in range(length):
            output[i] += powers[j] / powers.sum() * V[j]
    return output
""",
        """\
def padded_attention(Q, K, V, length):
    from attention_lib import padding_mask, scaled_dot_score
    return softmax(scaled_dot_score(Q, K), mask=padding_mask(length, m=len(K))) @ V
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def padded_attention(Q, K, V, length):
    powers = np.exp(Q @ K.T / np.sqrt(K.shape[1]))
    weights = powers / powers.sum(axis=1)
    weights[:, length:] = 0
    return weights @ V
""",
            "the broken version still",
        ),
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
        WrongAnswer(_padded("scores[length:]"), "rows are hidden"),
        WrongAnswer(_padded("scores[length:]", "np.exp(scores)"), "rows are hidden"),
        WrongAnswer(_padded("scores[:, :length]"), "the mask is upside down"),
        WrongAnswer(_padded("scores[:, length - 1 :]"), "the last word is hidden, too"),
        WrongAnswer(
            _padded("scores[:, length:]").replace("axis=1", "axis=0"), "runs over the queries"
        ),
    ),
)

ANSWERS["ex-packed"] = Answers(
    right=(
        """\
def packed_mask(sentence):
    place = np.arange(len(sentence))
    return np.equal.outer(sentence, sentence) & np.greater_equal.outer(place, place)
""",
        """\
class Packed:
    def __call__(self, sentence):
        place = np.arange(len(sentence))
        self.map, self.tril = sentence[:, None] == sentence, place[:, None] >= place
        return self.map & self.tril
packed_mask = Packed()
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def packed_mask(sentence):
    from attention_lib import causal_mask
    return (sentence[:, None] == sentence) & causal_mask(len(sentence))
""",
            "library's own causal_mask",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    place = np.arange(len(sentence))
    return (sentence == sentence) & (place[:, None] >= place)
""",
            "earlier sentences are seen, too",
        ),
        *(
            WrongAnswer(
                f"""\
def packed_mask(sentence):
    place = np.arange(len(sentence))
    return {mask}
""",
                "put each comparison in parentheses",
            )
            for mask in (
                "sentence[:, None] == sentence & place[:, None] >= place",
                "(sentence[:, None] == sentence) and (place[:, None] >= place)",
            )
        ),
    ),
)

_PERMUTE = "def permutation_matrix(order):\n    return {}\n\n\ndone = {}\n"
_ALL_FIVE = [True] * 5

ANSWERS["ex-permutation"] = Answers(
    right=(
        _PERMUTE.format("np.equal.outer(order, range(len(order)))", _ALL_FIVE),
        _PERMUTE.format("np.eye(len(order))[:, np.argsort(order)]", _ALL_FIVE),
    ),
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
    right=(
        _head("softmax(scores, mask=mask)"),
        _head("np.nan_to_num(softmax(np.where(mask, np.float32(scores), -np.inf)))"),
        """\
def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    scores = Q @ K.T / np.sqrt(K.shape[1])
    powers = np.zeros(scores.shape)
    for i, may_look in enumerate(mask):
        if may_look.any():
            powers[i, may_look] = np.exp(scores[i, may_look] - scores[i, may_look].max())
    sums = powers.sum(axis=1, keepdims=True)
    weights = powers / np.where(sums == 0, 1, sums)
    return weights @ V, weights
""",
    ),
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
        WrongAnswer(
            _head("np.exp(scores) * mask / (np.exp(scores) * mask).sum(axis=1, keepdims=True)"),
            "gives 0/0, which is NaN",
        ),
    ),
)
