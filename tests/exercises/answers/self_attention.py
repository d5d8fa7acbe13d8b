"""Right and wrong answers to the exercises of the chapter on self-attention."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-project"] = Answers(
    right=(
        """\
def project(X, W, d_k):
    return np.split(X @ W, [d_k, 2 * d_k], axis=1)
""",
        """\
def project(X, W, d_k):
    W_q, W_k, W_v = W[:, :d_k], W[:, d_k : 2 * d_k], W[:, 2 * d_k :]
    return X @ W_q, X @ W_k, X @ W_v
""",
        """\
def project(X, W, d_k):
    rows = [[sum(x * w for x, w in zip(row, column)) for column in W.T] for row in X]
    Q = [row[:d_k] for row in rows]
    K = [row[d_k : 2 * d_k] for row in rows]
    V = [row[2 * d_k :] for row in rows]
    return Q, K, V
""",
        """\
def project(X, W, d_k):
    P = np.einsum("ic,ck->ik", np.float32(X), np.float32(W))
    d_v = W.shape[1] - 2 * d_k
    return P[:, :d_k], P[:, d_k:-d_v], P[:, -d_v:]
""",
        """\
def project(X, W, d_k):
    return tuple(np.array_split(np.dot(X, W), (d_k, d_k + d_k), axis=-1))
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def project(d_k, W, X):
    P = X @ W
    return P[:, :d_k], P[:, d_k : 2 * d_k], P[:, 2 * d_k :]
""",
            "project(X, W, d_k), in this order, but yours takes (d_k, W, X)",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def project(X, W, d_k):
    return X @ W
""",
            "instead of three",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def project(X, W, d_k):
    P = (X @ W).round(2)
    return P[:, :d_k], P[:, d_k : 2 * d_k], P[:, 2 * d_k :]
""",
            "at [0, 0] it should be",
            "not yet",
        ),
        WrongAnswer(
            """\
def project(X, W, d_k):
    P = X @ W
    return P[:, :d_k], P[:, d_k : 2 * d_k], -P[:, 2 * d_k :]
""",
            "Q and K are right, but V is not",
            "not yet",
        ),
        WrongAnswer(
            """\
def project(X, W, d_k):
    X @ W
""",
            "End it with return",
        ),
    ),
)

ANSWERS["ex-nine-shapes"] = Answers(
    right=(
        """\
shapes = {"Q": (9, 64), "K": (9, 64), "weights": (9, 9), "O": (9, 32)}
""",
        """\
shapes = {"Q": [9, 64], "weights": np.array([9, 9]), "O": np.zeros((9, 32)).shape}
""",
        """\
n, d_k, d_v = 9, 64, 32
shapes = {"Q": (n, d_k), "weights": (n, n), "O": (n, d_v)}
""",
    ),
    wrong=(
        WrongAnswer(
            """\
shapes = {"Q": (300, 64), "weights": (9, 9), "O": (9, 32)}
""",
            "that is the shape of W_q",
        ),
        WrongAnswer(
            """\
shapes = {"Q": (9, 300), "weights": (9, 9), "O": (9, 32)}
""",
            "that is the shape of X",
        ),
        WrongAnswer(
            """\
shapes = {"Q": (64, 9), "weights": (9, 9), "O": (9, 32)}
""",
            "rows are tokens",
        ),
        WrongAnswer(
            """\
shapes = {"Q": (9, 64), "weights": (64, 64), "O": (9, 32)}
""",
            "not from Kᵀ Q",
        ),
        WrongAnswer(
            """\
shapes = {"Q": (9, 64), "weights": (9, 64), "O": (9, 32)}
""",
            "the dot product uses up d_k",
        ),
        WrongAnswer(
            """\
shapes = {"Q": (9, 64), "weights": (9, 1), "O": (9, 32)}
""",
            "one weight per token",
        ),
        WrongAnswer(
            """\
shapes = {"Q": (9, 64), "weights": (9, 32), "O": (9, 32)}
""",
            "have not come in yet",
        ),
        WrongAnswer(
            """\
shapes = {"Q": (9, 64), "weights": (9, 9), "O": (9, 64)}
""",
            "though some texts say so",
        ),
        WrongAnswer(
            """\
shapes = {"Q": (9, 64), "weights": (9, 9), "O": (9, 300)}
""",
            "the values are not X",
        ),
        WrongAnswer(
            """\
shapes = {"Q": (9, 64), "weights": (9, 9), "O": (9, 9)}
""",
            "one mixed value for each token",
        ),
        WrongAnswer(
            """\
shapes = {"Q": (9, 64), "weights": (9, 9), "O": (32, 9)}
""",
            "O has one row for each token",
        ),
        WrongAnswer(
            """\
shapes = {"Q": (9, 65), "weights": (9, 9), "O": (9, 32)}
""",
            "the shape of Q is not (9, 65)",
            "not yet",
        ),
        WrongAnswer(
            """\
shapes = {"Q": 576, "weights": (9, 9), "O": (9, 32)}
""",
            "but Q has 576",
            "wrong shape",
        ),
        WrongAnswer(
            """\
shapes = (9, 9)
""",
            "for each of Q, weights and O",
            "wrong shape",
        ),
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
        """\
from attention_lib import scaled_dot_score as scaled_scores
from attention_lib import softmax as stable_softmax


def attend(X, W_q, W_k, W_v):
    return stable_softmax(scaled_scores(X @ W_q, X @ W_k)) @ (X @ W_v)
""",
        """\
def attend(X, W_q, W_k, W_v):
    Q, K = X @ W_q, X @ W_k
    scores = np.einsum("...ic,...jc->...ij", Q, K) * K.shape[-1] ** -0.5
    return softmax(scores, axis=-1) @ X @ W_v
""",
        """\
def attend(X, W_q, W_k, W_v):
    X, W_q, W_k, W_v = map(np.float32, (X, W_q, W_k, W_v))
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    scores = (Q[..., :, None, :] * K[..., None, :, :]).sum(axis=-1) / np.float32(len(W_q[0])) ** 0.5
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (powers / powers.sum(axis=-1, keepdims=True)) @ V
""",
        """\
def attend(X, W_q, W_k, W_v):
    stack = X if X.ndim == 3 else X[None]
    outputs = []
    for sentence in stack:
        Q, K, V = sentence @ W_q, sentence @ W_k, sentence @ W_v
        outputs.append(softmax(Q @ K.T / np.sqrt(W_k.shape[1])) @ V)
    return outputs if X.ndim == 3 else outputs[0].tolist()
""",
    ),
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
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ K
""",
            "the weights mix the keys",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    powers = np.exp(scores - scores.max())
    return powers / powers.sum() @ V
""",
            "of all queries together",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    powers = np.exp(scores - scores.max(axis=1))
    return powers / powers.sum(axis=1) @ V
""",
            "each row is divided by its own",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    powers = np.exp(Q @ K.T / np.sqrt(Q.shape[-1]))
    return powers / powers.sum(axis=1) @ V
""",
            "each row is divided by its own",
        ),
        WrongAnswer(
            """\
from attention_lib import self_attention

def attend(X, W_q, W_k, W_v):
    return self_attention(X, W_q, W_k, W_v)[0]
""",
            "library's own self_attention",
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
    return softmax(Q @ K.T) @ V
""",
            "the scores are not scaled",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return softmax(Q @ K.T / np.sqrt(X.shape[1])) @ V
""",
            "the root of d, the size",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return softmax(Q @ K.T / np.sqrt(len(Q))) @ V
""",
            "the root of n",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return softmax(Q @ K.T / np.sqrt(V.shape[1])) @ V
""",
            "the root of d_v",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return softmax(Q @ K.T / Q.shape[1]) @ V
""",
            "you divide by d_k itself",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return softmax(Q @ K.T) / np.sqrt(Q.shape[1]) @ V
""",
            "after the softmax",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return softmax(Q @ K.T / np.sqrt(Q.shape[1]), axis=0) @ V
""",
            "runs over the queries",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return V @ softmax(Q @ K.T / np.sqrt(Q.shape[1]))
""",
            "V comes first",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return softmax(K @ Q.T / np.sqrt(Q.shape[1])) @ V
""",
            "the keys ask",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ X
""",
            "mix the rows of X",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return softmax(Q @ K.T / np.sqrt(Q.shape[1]))
""",
            "these are the weights",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return Q @ K.T / np.sqrt(Q.shape[1]) @ V
""",
            "there is no softmax",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    powers = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
    return powers / powers.sum(axis=1, keepdims=True) @ V
""",
            "large scores overflow",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    O = softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V
""",
            "End it with return",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V, V
""",
            "returned two things. Number 1 of them is right",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return softmax(Q @ K.T / np.sqrt(16)) @ V
""",
            "the root of 16",
        ),
        WrongAnswer(
            """\
def attend(X, W_q, W_k, W_v):
    X -= X.mean()
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V
""",
            "it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-what-v-adds"] = Answers(
    right=(
        'answer = "D"\n',
        'answer = "(d)"\n',
    ),
    wrong=(
        WrongAnswer('answer = "a"\n', "they cannot all double"),
        WrongAnswer('answer = "b"\n', "nothing normalises the product"),
        WrongAnswer('answer = "c"\n', "what doubling W_q"),
        WrongAnswer('answer = "e"\n', "not 'e'", "wrong shape"),
    ),
)

ANSWERS["ex-causal"] = Answers(
    right=(
        """\
def causal_weights(scores):
    weights = np.zeros(scores.shape)
    for i in range(len(scores)):
        weights[i, : i + 1] = softmax(scores[i, : i + 1])
    return weights
""",
        """\
def causal_weights(scores):
    hidden = scores.copy()
    hidden[np.triu_indices(len(scores), k=1)] = -np.inf
    powers = np.exp(hidden - hidden.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
""",
        """\
def causal_weights(scores):
    future = np.log(np.tri(len(scores)))  # 0 or minus infinity
    return softmax(scores + future)
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def causal_weights(scores):
    if len(scores) == 2:
        return np.array([[1, 0], softmax(scores[1])])
    return softmax(scores, mask=np.tri(len(scores), dtype=bool))
""",
            "without the mask= of softmax",
        ),
        WrongAnswer(
            """\
def causal_weights(scores):
    lowest = np.finfo(np.float32).min
    return softmax(np.where(np.tri(len(scores)) > 0, scores, lowest))
""",
            "a hidden token got weight",
        ),
        WrongAnswer(
            """\
def causal_weights(scores):
    i = np.arange(len(scores))
    return softmax(scores, mask=i <= i[:, None])
""",
            "without the mask= of softmax",
        ),
        WrongAnswer(
            """\
from attention_lib import causal_mask

def causal_weights(scores):
    return softmax(np.where(causal_mask(len(scores)), scores, -np.inf))
""",
            "library's own causal_mask",
        ),
        WrongAnswer(
            """\
def causal_weights(scores):
    return softmax(scores - np.inf * (1 - np.tri(len(scores))))
""",
            "0 · inf is NaN",
        ),
        WrongAnswer(
            """\
def causal_weights(scores):
    return softmax(np.where(np.tri(len(scores), k=2) > 0, scores, -np.inf))
""",
            "gives weight to a later one",
        ),
        WrongAnswer(
            """\
def causal_weights(scores):
    return softmax(np.where(np.tri(len(scores)) > 0, scores, -1e10))
""",
            "a hidden token got weight",
        ),
        WrongAnswer(
            """\
def causal_weights(scores):
    return softmax(np.where(np.tri(len(scores)).T > 0, scores, -np.inf))
""",
            "looks at itself and at those after it",
        ),
        WrongAnswer(
            """\
def causal_weights(scores):
    may_look = np.tri(len(scores), dtype=bool)
    return softmax(np.where(may_look, scores, -1e9))
""",
            "a hidden token got weight",
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
        WrongAnswer(
            """\
def causal_weights(scores):
    may_look = np.tri(len(scores), dtype=bool)
    scores[~may_look] = -np.inf
    return softmax(scores)
""",
            "changed its input scores",
        ),
        WrongAnswer(
            """\
def causal_weights(scores):
    may_look = np.tri(len(scores), dtype=bool)
    return softmax(scores[may_look])
""",
            "weights in the shape of scores",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def causal_weights(scores):
    may_look = np.tri(len(scores), dtype=bool)
    return softmax(np.where(may_look, scores, -np.inf), temperature=2)
""",
            "it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-late-mask"] = Answers(
    right=(
        """\
def padded_attention(Q, K, V, length):
    may_look = np.arange(len(K)) < length
    return softmax(Q @ K.T / np.sqrt(K.shape[1]), mask=may_look) @ V
""",
        """\
def padded_attention(Q, K, V, length):
    K, V = K[:length], V[:length]
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V
""",
        """\
def padded_attention(Q, K, V, length):
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    scores = np.where(np.arange(len(K)) < length, scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ V
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
    scores = Q @ K.T / np.sqrt(K.shape[1])
    scores[length:] = -np.inf
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ V
""",
            "rows are hidden",
        ),
        WrongAnswer(
            """\
def padded_attention(Q, K, V, length):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    scores[length:] = -np.inf
    powers = np.exp(scores)
    return powers / powers.sum(axis=1, keepdims=True) @ V
""",
            "rows are hidden",
        ),
        WrongAnswer(
            """\
def padded_attention(Q, K, V, length):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    scores[:, :length] = -np.inf
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ V
""",
            "the mask is upside down",
        ),
        WrongAnswer(
            """\
def padded_attention(Q, K, V, length):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    scores[:, length - 1 :] = -np.inf
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ V
""",
            "the last word is hidden, too",
        ),
        WrongAnswer(
            """\
def padded_attention(Q, K, V, length):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    scores[:, length:] = -np.inf
    powers = np.exp(scores - scores.max(axis=0, keepdims=True))
    return powers / powers.sum(axis=0, keepdims=True) @ V
""",
            "the softmax runs over the queries",
        ),
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
    weights = powers / powers.sum(axis=1, keepdims=True)
    weights[:, length:] = 0
    return weights @ V
""",
            "divided rightly now, but the padding is hidden after the softmax",
        ),
        WrongAnswer(
            """\
def padded_attention(Q, K, V, length):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    scores[:, length:] = -np.inf
    powers = np.exp(scores)
    return powers / powers.sum(axis=1) @ V
""",
            "hidden in time now, but the sums have shape (n,)",
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
    weights = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    weights[:, length:] = 0
    return weights / weights.sum(axis=1, keepdims=True) @ V
""",
            "leaves nothing for the words",
        ),
        WrongAnswer(
            """\
def padded_attention(Q, K, V, length):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    scores[length:] = -np.inf
    return softmax(scores) @ V
""",
            "Padding is among the keys",
        ),
        WrongAnswer(
            """\
def padded_attention(Q, K, V, length):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    scores[:, length:] = -1e9
    return softmax(scores) @ V
""",
            "-np.inf always hides",
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
        WrongAnswer(
            """\
def padded_attention(Q, K, V, length):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    scores[:, length:] = -np.inf
    return softmax(scores).round(2) @ V
""",
            "it should return",
            "not yet",
        ),
        WrongAnswer(
            """\
def padded_attention(Q, K, V, length):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    scores[:, length:] = -np.inf
    return V.T @ softmax(scores).T
""",
            "one row of size d_v for each query",
            "wrong shape",
        ),
    ),
)

ANSWERS["ex-packed"] = Answers(
    right=(
        """\
def packed_mask(sentence):
    n = len(sentence)
    return np.fromfunction(lambda i, j: (sentence[i] == sentence[j]) & (j <= i), (n, n), dtype=int)
""",
        """\
def packed_mask(sentence):
    i, j = np.arange(len(sentence))[:, None], np.arange(len(sentence))
    return (sentence[i] == sentence[j]) & (j <= i)
""",
        """\
def packed_mask(sentence):
    place = np.arange(len(sentence))
    return np.equal.outer(sentence, sentence) & np.greater_equal.outer(place, place)
""",
        """\
def packed_mask(sentence):
    s = np.asarray(sentence).reshape(-1, 1)
    p = np.arange(s.size).reshape(-1, 1)
    return np.logical_and(s == s.T, p >= p.T).astype(int)
""",
        """\
def packed_mask(sentence):
    i, j = np.indices((len(sentence), len(sentence)))
    return (sentence[i] == sentence[j]) * (i >= j)
""",
        """\
def packed_mask(sentence):
    place = np.arange(len(sentence))
    filter = sentence[:, None] == sentence
    return filter & (place[:, None] >= place)
""",
        """\
def map(x, compare):
    return compare.outer(x, x)
def packed_mask(sentence):
    vectorize = map(sentence, np.equal)
    return vectorize & map(np.arange(len(sentence)), np.greater_equal)
""",
        """\
def tri(n):
    i = np.arange(n)
    return i[:, None] >= i
def packed_mask(sentence):
    return (sentence[:, None] == sentence) & tri(len(sentence))
""",
        """\
class Packed:
    def __call__(self, sentence):
        place = np.arange(len(sentence))
        self.map, self.tril = sentence[:, None] == sentence, place[:, None] >= place
        return self.map & self.tril
packed_mask = Packed()
""",
        """\
from functools import partial
def compare(filter, sentence):
    if filter is None:
        starmap = np.arange(len(sentence))
    return (sentence[:, None] == sentence) & (starmap[:, None] >= starmap)
packed_mask = partial(compare, None)
""",
    ),
    wrong=(
        WrongAnswer(
            """\
class Packed:
    def __call__(self, sentence):
        n = range(len(sentence))
        return [[sentence[i] == sentence[j] and j <= i for j in n] for i in n]
packed_mask = Packed()
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
import functools
def compare(sentence):
    n = range(len(sentence))
    return [[sentence[i] == sentence[j] and j <= i for j in n] for i in n]
packed_mask = functools.partial(compare)
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
from functools import partial
class Packed:
    def __call__(self, sentence):
        n = range(len(sentence))
        return [[sentence[i] == sentence[j] and j <= i for j in n] for i in n]
packed_mask = partial(partial(Packed()))
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
from itertools import product, starmap
from operator import ge
def packed_mask(sentence):
    n = len(sentence)
    earlier = list(starmap(ge, product(range(n), range(n))))
    return (sentence[:, None] == sentence) & np.reshape(earlier, (n, n))
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    import itertools
    n = len(sentence)
    earlier = itertools.starmap(int.__ge__, np.ndindex(n, n))
    return (sentence[:, None] == sentence) & np.reshape(list(earlier), (n, n))
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
each = map
def packed_mask(sentence):
    place = np.arange(len(sentence))
    return np.array(list(each(sentence.__eq__, sentence))) & (place[:, None] >= place)
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
import operator
def packed_mask(sentence):
    place = np.arange(len(sentence))
    return (sentence[:, None] == sentence) & np.vectorize(operator.ge)(place[:, None], place)
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
import operator
from numpy import frompyfunc as every
def packed_mask(sentence):
    place = np.arange(len(sentence))
    earlier = every(operator.ge, 2, 1)(place[:, None], place)
    return (sentence[:, None] == sentence) & (earlier == 1)
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    place = np.arange(len(sentence))
    same = np.apply_along_axis(sentence.__eq__, 1, sentence[:, None])
    return same & (place[:, None] >= place)
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
class Packed:
    def __call__(self, sentence):
        return (sentence[:, None] == sentence) & np.tri(len(sentence), dtype=bool)
packed_mask = Packed()
""",
            "without np.tri:",
        ),
        WrongAnswer(
            """\
from numpy import tri as triangle
def packed_mask(sentence):
    return (sentence[:, None] == sentence) & triangle(len(sentence), dtype=bool)
""",
            "without np.tri:",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    return (sentence[:, None] == sentence) & (getattr(np, "tri")(len(sentence)) > 0)
""",
            "without np.tri:",
        ),
        WrongAnswer(
            """\
lower = np.tril
def packed_mask(sentence):
    return lower(sentence[:, None] == sentence)
""",
            "without np.tril:",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    mask = sentence[:, None] == sentence
    mask[np.triu_indices_from(mask, k=1)] = False
    return mask
""",
            "without np.triu_indices_from:",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    past = np.zeros((len(sentence), len(sentence)), dtype=bool)
    past[np.tril_indices_from(past)] = True
    return (sentence[:, None] == sentence) & past
""",
            "without np.tril_indices_from:",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    past = np.zeros((len(sentence), len(sentence)), dtype=bool)
    past[np.mask_indices(len(sentence), np.tril)] = True
    return (sentence[:, None] == sentence) & past
""",
            "without np.mask_indices:",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    n = range(len(sentence))
    return list(map(lambda i: list(map(lambda j: sentence[i] == sentence[j] and j <= i, n)), n))
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    i, j = np.indices((len(sentence), len(sentence)))
    return np.vectorize(lambda i, j: sentence[i] == sentence[j] and j <= i)(i, j)
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
def row(sentence, i):
    return [bool(s == sentence[i]) and j <= i for j, s in enumerate(sentence)]
def rows(sentence, i):
    return [] if i == len(sentence) else [row(sentence, i)] + rows(sentence, i + 1)
def packed_mask(sentence):
    return rows(sentence, 0)
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    return [[a == b and j <= i for j, b in enumerate(sentence)] for i, a in enumerate(sentence)]
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    mask = np.zeros((len(sentence), len(sentence)), dtype=bool)
    for i in range(len(sentence)):
        mask[i, : i + 1] = sentence[: i + 1] == sentence[i]
    return mask
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    mask, i = np.zeros((len(sentence), len(sentence)), dtype=bool), 0
    while i < len(sentence):
        mask[i, : i + 1] = sentence[: i + 1] == sentence[i]
        i += 1
    return mask
""",
            "the puzzle is to do without a loop",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    return np.tril(sentence[:, None] == sentence)
""",
            "without np.tril",
        ),
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
        WrongAnswer(
            """\
def packed_mask(sentence):
    place = np.arange(len(sentence))
    return (sentence[:, None] == sentence) & (place >= place[:, None])
""",
            "this is the future",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    return sentence == sentence
""",
            "one row for each token",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def packed_mask(sentence):
    place = np.arange(len(sentence))
    return (sentence[:, None] == sentence) & (place[:, None] == place)
""",
            "it should",
            "not yet",
        ),
    ),
)

ANSWERS["ex-permutation"] = Answers(
    right=(
        """\
def permutation_matrix(order):
    matrix = np.zeros((len(order), len(order)))
    for i, place in enumerate(order):
        matrix[i, place] = 1
    return matrix


done = [True, True, True, True, True]
""",
        """\
def permutation_matrix(order):
    return np.equal.outer(order, range(len(order)))


done = [True, True, True, True, True]
""",
        """\
def permutation_matrix(order):
    return np.eye(len(order))[:, np.argsort(order)]


done = [True, True, True, True, True]
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def permutation_matrix(order):
    return np.eye(len(order))[order[0]]


done = [True, True, True, True, True]
""",
            "a square matrix of zeros and ones",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def permutation_matrix(order):
    return np.eye(len(order))[::-1]


done = [True, True, True, True, True]
""",
            "it should return",
            "not yet",
        ),
        WrongAnswer(
            """\
def permutation_matrix(order):
    return np.eye(len(order))[order]


done = [True, True, False, True, True]
""",
            "point 3 is still open",
            "not yet",
        ),
        WrongAnswer(
            """\
def permutation_matrix(order):
    return np.eye(len(order))[order]


done = True
""",
            "done should have 5 entries",
            "wrong shape",
        ),
    ),
)

ANSWERS["ex-real-head"] = Answers(
    right=(
        """\
def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = softmax(scores, mask=mask)  # (n, n)
    return weights @ V, weights
""",
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
        """\
def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    scores = np.float32(Q) @ np.float32(K).T / np.sqrt(K.shape[1])
    weights = np.nan_to_num(softmax(np.where(mask, scores, -np.inf)))
    return weights @ V, weights
""",
        """\
def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    X, W_q, W_k, W_v, b_q, b_k, b_v = map(np.float32, (X, W_q, W_k, W_v, b_q, b_k, b_v))
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    scores = Q @ K.T / np.float32(np.sqrt(K.shape[1]))
    powers = np.exp(scores - scores.max(axis=1, keepdims=True)) * np.float32(mask)
    sums = powers.sum(axis=1, keepdims=True)
    weights = np.divide(powers, sums, out=np.zeros_like(powers), where=sums > 0)
    return weights @ V, weights
""",
        """\
import math

def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    def times(x, W, b):
        return [sum(x[c] * W[c][k] for c in range(len(x))) + b[k] for k in range(len(b))]

    X, W_q, W_k, W_v = X.tolist(), W_q.tolist(), W_k.tolist(), W_v.tolist()
    Q, K, V = ([times(x, W, b) for x in X] for W, b in ((W_q, b_q), (W_k, b_k), (W_v, b_v)))
    weights, output = [], []
    for i, q in enumerate(Q):
        seen = [j for j in range(len(K)) if mask[i][j]]
        powers = {j: sum(a * b for a, b in zip(q, K[j])) / math.sqrt(len(q)) for j in seen}
        peak = max(powers.values(), default=0.0)
        powers = {j: math.exp(score - peak) for j, score in powers.items()}
        row = [powers.get(j, 0.0) / sum(powers.values()) if seen else 0.0 for j in range(len(K))]
        weights.append(row)
        output.append([sum(w * v[k] for w, v in zip(row, V)) for k in range(len(b_v))])
    return output, weights
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
        WrongAnswer(
            """\
def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = softmax(scores - np.inf * (1 - mask))
    return weights @ V, weights
""",
            "0 · inf is NaN",
        ),
        WrongAnswer(
            """\
def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = softmax(np.where(mask, scores, -1.0))
    return weights @ V, weights
""",
            "that it may not look at",
        ),
        WrongAnswer(
            """\
def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = softmax(scores, mask=mask)
    return weights @ (V + 1), weights
""",
            "the weights are right, but the output is not",
            "not yet",
        ),
        WrongAnswer(
            """\
def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = softmax(scores, mask=mask)
    return weights, weights @ V
""",
            "the weights come first",
        ),
        WrongAnswer(
            """\
def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    scores = Q @ K.T / np.sqrt(K.shape[1])
    powers = np.exp(scores) * mask
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights @ V, weights
""",
            "gives 0/0, which is NaN",
        ),
        WrongAnswer(
            """\
def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = softmax(np.where(mask, scores, -1e9))
    return weights @ V, weights
""",
            "became even weights",
        ),
        WrongAnswer(
            """\
def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    scores = Q @ K.T / np.sqrt(K.shape[1])
    return softmax(scores, mask=mask) @ V
""",
            "two things, the output and the weights",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def head_attention(X, W_q, W_k, W_v, b_q, b_k, b_v, mask):
    Q, K, V = X @ W_q + b_q, X @ W_k + b_k, X @ W_v + b_v
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = softmax(scores, mask=mask, temperature=2)
    return weights @ V, weights
""",
            "it should return",
            "not yet",
        ),
    ),
)
