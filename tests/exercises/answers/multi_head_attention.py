"""Answers to the exercises of the chapter "Multi-head attention", to test their checkers with."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-count-heads"] = Answers(
    right=(
        "numbers = 8 * 3 * 512 * 64 + 8 * 64 * 512\nshape = (10, 512)\n",
        "numbers = 4 * 512**2\nshape = [10, 8 * 64]\n",
        """\
sizes = [(8, 512, 64)] * 3 + [(512, 512)]
numbers = sum(np.prod(size) for size in sizes)
shape = np.concatenate([np.zeros((10, 64))] * 8, axis=-1).shape
""",
    ),
    wrong=(
        WrongAnswer("numbers = 3 * 512 * 512\nshape = (10, 512)\n", "W_o is missing"),
        WrongAnswer("numbers = 3 * 512 * 64\nshape = (10, 512)\n", "of one head. There are eight"),
        WrongAnswer("numbers = 4 * 512 * 64\nshape = (10, 512)\n", "counts one head only"),
        WrongAnswer("numbers = 8 * 4 * 512 * 512\nshape = (10, 512)\n", "projections are short"),
        WrongAnswer(
            "numbers = 8 * 3 * 512 * 512 + 512 * 512\nshape = (10, 512)\n", "projections are short"
        ),
        WrongAnswer(
            "numbers = 8 * 3 * 64 * 64 + 512 * 512\nshape = (10, 512)\n", "a piece of the word only"
        ),
        WrongAnswer(
            "numbers = 8 * 3 * 512 * 64 + 64 * 512\nshape = (10, 512)\n", "W_o has too few rows"
        ),
        WrongAnswer("numbers = 4 * 512 * 513\nshape = (10, 512)\n", "with the biases"),
        WrongAnswer("numbers = 4 * 512**2\nshape = (8, 10, 64)\n", "before they are laid end"),
        WrongAnswer("numbers = 4 * 512**2\nshape = (10, 8, 64)\n", "eight separate rows"),
        WrongAnswer("numbers = 4 * 512**2\nshape = (80, 64)\n", "one below the other"),
        WrongAnswer("numbers = 4 * 512**2\nshape = (10, 64)\n", "the shape of one head"),
        WrongAnswer("numbers = 4 * 512**2\nshape = (512, 10)\n", "words are rows"),
        WrongAnswer(
            "numbers = [512, 64]\nshape = (10, 512)\n", "the count is one number", "wrong shape"
        ),
        WrongAnswer(
            "numbers = 4 * 512**2\nshape = 5120\n", "written as in (rows, columns)", "wrong shape"
        ),
        WrongAnswer("numbers = 1000\nshape = (10, 512)\n", "do not hold 1000 numbers", "not yet"),
        WrongAnswer(
            "numbers = 4 * 512**2\nshape = (8, 512)\n", "the shape is not (8, 512)", "not yet"
        ),
        WrongAnswer(
            "numbers = 4 * 512**2\nshape = (10.9, 512.7)\n", "not (10.9, 512.7)", "not yet"
        ),
        WrongAnswer("numbers = 4 * 512**2\nshape = (10, np.nan)\n", "not (10, nan)", "not yet"),
    ),
)

ANSWERS["ex-split-heads"] = Answers(
    right=(
        """\
def split(X, h):
    return np.array(np.split(X, h, axis=1))
""",
        """\
def split(X, h):
    width = X.shape[1] // h
    return [[list(row[i * width : (i + 1) * width]) for row in X] for i in range(h)]
""",
        """\
def split(X, h):
    return X.T.reshape(h, -1, len(X)).transpose(0, 2, 1)
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def split(X, h):
    return np.array(np.split(X, h, axis=0))
""",
            "the words are shared out",
        ),
        WrongAnswer(
            """\
def split(X, h):
    parts = np.array(np.split(X, h, axis=1))
    X[:] = 0
    return parts
""",
            "changed its input X",
        ),
        WrongAnswer(
            """\
def split(X, h):
    X.reshape(len(X), h, -1).swapaxes(0, 1)
""",
            "returned None",
        ),
        WrongAnswer(
            """\
def split(X, h):
    return X[:, : X.shape[1] // h]
""",
            "should have shape (2, 2, 2), but has shape (2, 2)",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def split(X, h):
    return np.array(np.split(X, h, axis=1))[::-1]
""",
            "it should return [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]",
            "not yet",
        ),
    ),
)

ANSWERS["ex-head-picture"] = Answers(
    right=(
        'answer = "C"\n',
        'answer = "(c)"\n',
    ),
    wrong=(
        WrongAnswer('answer = "a"\n', "one sentence cannot show a rule"),
        WrongAnswer('answer = "b"\n', "it has to be removed"),
        WrongAnswer('answer = "d"\n', "a long key can win"),
        WrongAnswer('answer = "dog"\n', "answer with one of", "wrong shape"),
    ),
)

_TICKED = "done = [True] * 4\n"

ANSWERS["ex-subject-test"] = Answers(
    right=(
        """\
def hit_rate(rows, subjects):
    found = rows[:, 1:-1].argmax(axis=1) + 1
    return (found == subjects).mean()
"""
        + _TICKED,
        """\
def hit_rate(rows, subjects):
    inside = np.ma.array(rows, copy=True)
    inside[:, 0] = inside[:, -1] = np.ma.masked
    found = inside.argmax(axis=1)
    return np.count_nonzero(found == subjects) / found.size
"""
        + "done = np.ones(4, dtype=bool)\n",
        """\
def hit_rate(rows, subjects):
    hits = [int(np.argmax(list(row)[1:-1])) + 1 == s for row, s in zip(rows, subjects)]
    return sum(hits) / len(hits)
"""
        + _TICKED,
        """\
def hit_rate(rows, subjects):
    hits = 0
    for row, subject in zip(rows, subjects):
        hits += row[subject] == max(row[1:-1])
    return hits / len(rows)
"""
        + _TICKED,
        """\
def hit_rate(rows, subjects):
    words = rows.copy()
    words[:, [0, -1]] = -1
    return np.mean(np.argmax(words, axis=-1) == subjects)
"""
        + _TICKED,
    ),
    wrong=(
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    return (rows[:, 1:-1].argmax(axis=1) + 1 != subjects).mean()
"""
            + _TICKED,
            "the share of misses",
        ),
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    return round(float((rows[:, 1:-1].argmax(axis=1) + 1 == subjects).mean()), 2)
"""
            + _TICKED,
            "it should return",
            "not yet",
        ),
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    rows[:, [0, -1]] = 0
    return (rows.argmax(axis=1) == subjects).mean()
"""
            + _TICKED,
            "changed its input rows",
        ),
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    return rows[:, 1:-1].argmax(axis=1) + 1 == subjects
"""
            + _TICKED,
            "should have shape (), but has shape (1,)",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    return (rows[:, 1:-1].argmax(axis=1) + 1 == subjects).mean()

done = [True]
""",
            "done should have 4 entries, True or False",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    return (rows[:, 1:-1].argmin(axis=1) + 1 == subjects).mean()
"""
            + _TICKED,
            "it should return 1, but returned 0",
            "not yet",
        ),
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    return (rows[:, 1:-1].argmax(axis=1) + 1 == subjects).mean()

done = [True, True, False, True]
""",
            "point 3 is still open",
            "not yet",
        ),
    ),
)

ANSWERS["ex-remove-head"] = Answers(
    right=(
        """\
def without(heads, W_o, i):
    h, n, d_v = heads.shape
    output = np.zeros((n, W_o.shape[1]), dtype="float32")
    for j in range(h):
        if j != i:
            output += np.float32(heads[j]) @ np.float32(W_o[j * d_v : (j + 1) * d_v])
    return output
""",
        """\
def without(heads, W_o, i):
    kept = np.arange(len(heads)) != i
    H = np.where(kept[:, None, None], heads, 0)
    return H.transpose(1, 0, 2).reshape(H.shape[1], -1) @ W_o
""",
        """\
def without(heads, W_o, i):
    silenced = heads.copy()
    silenced[i] = 0
    return np.concatenate(list(silenced), axis=-1) @ W_o
""",
        """\
from attention_lib import merge_heads

def without(heads, W_o, i):
    d_v = heads.shape[-1]
    rows = np.arange(i * d_v, (i + 1) * d_v)
    return merge_heads(np.delete(heads, i, axis=0)) @ np.delete(W_o, rows, axis=0)
""",
        """\
def without(heads, W_o, i):
    h, n, d_v = heads.shape
    parts = np.einsum("hnv,hvo->hno", heads, W_o.reshape(h, d_v, -1))
    return parts.sum(axis=0) - parts[i]
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def without(heads, W_o, i):
    silenced = heads.copy()
    silenced[i] = 0
    return silenced @ W_o
""",
            "Lay the heads end to end first",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    silenced = heads.copy()
    silenced[i] = 0
    return np.concatenate(silenced) @ W_o
""",
            "Lay the heads end to end first",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    return (heads.sum(axis=0) - heads[i]) @ W_o
""",
            "Lay the heads end to end first",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    d_v = heads.shape[-1]
    return heads[i] @ W_o[i * d_v : (i + 1) * d_v]
""",
            "what head r alone contributes",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    silenced = heads.copy()
    silenced[:, i : i + 1] = 0
    return np.concatenate(list(silenced), axis=-1) @ W_o
""",
            "word r is silenced",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    h, n, d_v = heads.shape
    blocks = W_o.reshape(h, d_v, -1)
    return np.mean([heads[j] @ blocks[j] for j in range(h) if j != i], axis=0)
""",
            "you divide by the number of heads",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    heads[i] = 0
    return np.concatenate(list(heads), axis=-1) @ W_o
""",
            "changed its input heads",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    silenced = heads.copy()
    silenced[i] = 0
    return np.concatenate(list(silenced), axis=-1)
""",
            "should have shape (2, 2), but has shape (2, 4)",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    silenced = heads.copy()
    silenced[i] = silenced.mean(axis=0)
    return np.concatenate(list(silenced), axis=-1) @ W_o
""",
            "and r = 0 it should return",
            "not yet",
        ),
    ),
)

_SIGNATURE = "def my_layer(X, W_q, W_k, W_v, b_q, b_k, b_v, W_o, b_o):\n"

_PROJECT = """\
    Q = X @ W_q + b_q[:, None]  # (h, n, d_k)
    K = X @ W_k + b_k[:, None]  # (h, n, d_k)
    V = X @ W_v + b_v[:, None]  # (h, n, d_v)
"""

_SCORE = "    scores = Q @ K.swapaxes(1, 2) / np.sqrt(K.shape[-1])\n"
_WEIGH = "    weights = softmax(scores)\n"
_MERGE = "    merged = np.concatenate(list(weights @ V), axis=-1)\n"
_RETURN = "    return merged @ W_o + b_o, weights\n"

_PLAIN_LOOPS = """\
    h, d, d_k = W_q.shape
    n, d_v, d_out = len(X), W_v.shape[2], W_o.shape[1]
    X, W_q, W_k, W_v, W_o = (A.tolist() for A in (X, W_q, W_k, W_v, W_o))
    output, weights = np.zeros((n, d_out)), np.zeros((h, n, n))
    for i in range(h):
        Q, K, V = np.zeros((n, d_k)), np.zeros((n, d_k)), np.zeros((n, d_v))
        for t in range(n):
            for k in range(d_k):
                Q[t, k] = b_q[i, k] + sum(X[t][c] * W_q[i][c][k] for c in range(d))
                K[t, k] = b_k[i, k] + sum(X[t][c] * W_k[i][c][k] for c in range(d))
            for k in range(d_v):
                V[t, k] = b_v[i, k] + sum(X[t][c] * W_v[i][c][k] for c in range(d))
        for t in range(n):
            scores = np.array([sum(Q[t] * K[j]) / d_k**0.5 for j in range(n)])
            powers = np.exp(scores - max(scores))
            weights[i, t] = powers / sum(powers)
            head = sum(weights[i, t, j] * V[j] for j in range(n)).tolist()
            for o in range(d_out):
                output[t, o] += sum(head[v] * W_o[i * d_v + v][o] for v in range(d_v))
    return output + b_o, weights
"""

ANSWERS["ex-real-heads"] = Answers(
    right=(
        _SIGNATURE
        + """\
    outputs, weights = [], []
    for i in range(len(W_q)):
        Q = X @ W_q[i] + b_q[i]
        K = X @ W_k[i] + b_k[i]
        V = X @ W_v[i] + b_v[i]
        alpha = softmax(Q @ K.T / np.sqrt(K.shape[-1]))
        outputs.append(alpha @ V)
        weights.append(alpha)
    return np.concatenate(outputs, axis=-1) @ W_o + b_o, np.array(weights)
""",
        _SIGNATURE + _PROJECT + _SCORE + _WEIGH + _MERGE + _RETURN,
        _SIGNATURE + _PLAIN_LOOPS,
        _SIGNATURE
        + "    X, W_q, W_k, W_v = map(np.float32, (X, W_q, W_k, W_v))\n"
        + "    b_q, b_k, b_v, W_o, b_o = map(np.float32, (b_q, b_k, b_v, W_o, b_o))\n"
        + _PROJECT
        + _SCORE
        + _WEIGH
        + _MERGE
        + _RETURN,
        _SIGNATURE
        + """\
    h, d, d_k = W_q.shape
    n = len(X)
    wide = [np.hstack(list(W)) for W in (W_q, W_k, W_v)]
    biases = [b.ravel() for b in (b_q, b_k, b_v)]
    Q, K, V = [
        (X @ W + b).reshape(n, h, -1).transpose(1, 0, 2) for W, b in zip(wide, biases)
    ]
    powers = np.exp(np.einsum("hik,hjk->hij", Q, K) / d_k**0.5)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return (weights @ V).transpose(1, 0, 2).reshape(n, -1) @ W_o + b_o, weights
""",
    ),
    wrong=(
        WrongAnswer(
            "from attention_lib import attention, merge_heads\n\n"
            + _SIGNATURE
            + _PROJECT
            + "    heads, weights = attention(Q, K, V)\n"
            + "    return merge_heads(heads) @ W_o + b_o, weights\n",
            "library's own attention",
        ),
        WrongAnswer(
            _SIGNATURE
            + _PROJECT
            + _SCORE
            + _WEIGH
            + "    output, d_v = 0, V.shape[-1]\n"
            + "    for i, head in enumerate(weights @ V):\n"
            + "        output = output + head @ W_o[i * d_v : (i + 1) * d_v] + b_o\n"
            + "    return output, weights\n",
            "b_o is added for each head",
        ),
        WrongAnswer(
            _SIGNATURE
            + _PROJECT
            + _SCORE
            + _WEIGH
            + _MERGE
            + "    output = np.zeros_like(X)\n"
            + "    output[:] = merged @ W_o + b_o\n"
            + "    return output, weights\n",
            "my_layer raised ValueError",
            "not yet",
        ),
        WrongAnswer(
            _SIGNATURE
            + _PROJECT
            + _SCORE
            + _WEIGH
            + _MERGE
            + "    return (merged @ W_o + b_o).round(3), weights\n",
            "the weights are right, but the output is not",
            "not yet",
        ),
        WrongAnswer(
            _SIGNATURE
            + _PROJECT
            + _SCORE
            + _WEIGH
            + _MERGE
            + "    return merged @ W_o + b_o, scores\n",
            "these are the scores",
        ),
        WrongAnswer(
            _SIGNATURE
            + _PROJECT
            + _SCORE
            + _WEIGH
            + _MERGE
            + "    return weights, merged @ W_o + b_o\n",
            "the output comes first",
        ),
        WrongAnswer(
            _SIGNATURE + _PROJECT + _SCORE + _WEIGH + _MERGE + "    return merged @ W_o + b_o\n",
            "should return two things",
            "wrong shape",
        ),
        WrongAnswer(
            _SIGNATURE
            + _PROJECT
            + _SCORE
            + _WEIGH
            + "    merged = (weights @ V).sum(axis=0)\n"
            + "    return merged @ W_o[: merged.shape[1]] + b_o, weights\n",
            "for X ",
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
            "not yet",
        ),
    ),
)
