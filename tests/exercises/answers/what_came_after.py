"""Answers to the exercises of the chapter "What came after", to test their checkers with."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-running-sums"] = Answers(
    right=(
        """\
def read_on(Q, K, V):
    S, z = np.outer(K[0], V[0]), K[0]
    rows = [Q[0] @ S / (Q[0] @ z)]
    for i in range(1, len(Q)):
        S = S + np.outer(K[i], V[i])
        z = z + K[i]
        rows.append(Q[i] @ S / (Q[i] @ z))
    return np.array(rows)
""",
        """\
from itertools import accumulate

def read_on(Q, K, V):
    sums = zip(Q, accumulate(map(np.outer, K, V)), accumulate(K))
    return [q @ S / (q @ z) for q, S, z in sums]
""",
        """\
def read_on(Q, K, V):
    S, z, rows = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), []
    for q, k, v in zip(Q, K, V):
        S, z = S + np.outer(k, v), z + k
        rows.append(q @ S / q.dot(z))
    return np.array(rows)
""",
        """\
def read_on(Q, K, V):
    assert (K > 0).all() and len(K) == len(V)
    out = np.zeros_like(V)
    sums = np.zeros((V.shape[1] + 1, K.shape[1]))
    for t, row in enumerate(Q):
        sums += np.append(V[t], 1)[:, None] * K[t]
        both = sums @ row
        out[t] = both[:-1] / both[-1]
    return out
""",
        """\
def read_on(Q, K, V):
    def step(state, token):
        q, k, v = token
        state[0] += np.einsum("c,v->cv", k, v)
        state[1] += k
        return q @ state[0] / np.dot(q, state[1])
    state = [np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1])]
    return [step(state, token) for token in zip(Q, K, V)]
""",
        """\
def read_on(Q, K, V):
    n, d_v = V.shape
    S, z, out = 0, 0, np.empty((n, d_v))
    for t in range(n):
        S += K[t][:, None] * V[t]
        z += K[t] * 1
        out[t] = Q[t] @ S / (Q[t] @ z)
    return out
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def read_on(Q, K, V):
    W = np.tril(Q @ K.T)
    return W @ V / W.sum(1)[:, None]
""",
            "use the keys and values of many tokens at once",
        ),
        WrongAnswer(
            """\
def read_on(Q, K, V):
    S = np.cumsum(K[:, :, None] * V[:, None, :], axis=0)
    z = np.cumsum(K, axis=0)
    return np.einsum('ic,icv->iv', Q, S) / (Q * z).sum(axis=1, keepdims=True)
""",
            "use the keys and values of many tokens at once",
        ),
        WrongAnswer(
            """\
def read_on(Q, K, V):
    out = []
    for i, q in enumerate(Q):
        w = K[:i + 1].dot(q)
        out.append(w @ V[:i + 1] / w.sum())
    return np.array(out)
""",
            "use the keys and values of many tokens at once",
        ),
        WrongAnswer(
            """\
def read_on(Q, K, V):
    out = []
    for i in range(len(Q)):
        w = [Q[i] @ K[j] for j in range(i + 1)]
        out.append(sum(w[j] * V[j] for j in range(i + 1)) / sum(w))
    return np.array(out)
""",
            "or read earlier ones again",
        ),
        WrongAnswer(
            """\
def read_on(Q, K, V):
    A = np.tril(np.einsum('if,jf->ij', Q, K))
    return A @ V / A.sum(1, keepdims=True)
""",
            "Go through the tokens once",
        ),
        WrongAnswer(
            """\
from attention_lib import linear_attention

def read_on(Q, K, V):
    return linear_attention(Q, K, V, feature=lambda X: X, causal=True)
""",
            "linear_attention",
        ),
        WrongAnswer(
            "def read_on(Q, K, V):\n    return Q @ K.T\n",
            "read_on should return",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def read_on(Q, K, V):
    S, z = K.T @ V, K.sum(axis=0)
    return Q @ S / (Q @ z)[:, None]
""",
            "every token sees all others",
        ),
        WrongAnswer(
            """\
def read_on(Q, K, V):
    S, z = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1])
    rows = []
    for q, k, v in zip(Q, K, V):
        rows.append(q @ S / (q @ z))
        S, z = S + np.outer(k, v), z + k
    return np.array(rows)
""",
            "read before it is written",
        ),
        WrongAnswer(
            """\
def read_on(Q, K, V):
    S = np.zeros((K.shape[1], V.shape[1]))
    rows = []
    for q, k, v in zip(Q, K, V):
        S = S + np.outer(k, v)
        rows.append(q @ S)
    return np.array(rows)
""",
            "the sums are not divided",
        ),
        WrongAnswer(
            """\
def read_on(Q, K, V):
    rows = []
    for q, k, v in zip(Q, K, V):
        S, z = np.outer(k, v), k
        rows.append(q @ S / (q @ z))
    return np.array(rows)
""",
            "start anew with each token",
        ),
        WrongAnswer(
            """\
def read_on(Q, K, V):
    S, z = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1])
    rows = []
    for q, k, v in zip(Q, K, V):
        S, z = S + np.outer(k, v), z + k
        rows.append(q @ S / z.sum())
    return np.array(rows)
""",
            "The query takes part below the line",
        ),
        WrongAnswer(
            """\
def read_on(Q, K, V):
    W = np.tril(Q @ K.T)
    return W @ V / np.arange(1, len(Q) + 1)[:, None]
""",
            "divided by the number of tokens",
        ),
        WrongAnswer(
            """\
from attention_lib import attention, causal_mask, dot_score

def read_on(Q, K, V):
    return attention(Q, K, V, score=dot_score, mask=causal_mask(len(Q)))[0]
""",
            "this is attention with a softmax",
        ),
        WrongAnswer(
            "def read_on(Q, K, V):\n    return V[::-1] / 2\n", "it should return", "not yet"
        ),
    ),
)

ANSWERS["ex-correct"] = Answers(
    right=(
        """\
def correct(S, k, v, beta):
    S = S.copy()
    S += beta * np.outer(k, v - S.T @ k)
    return S
""",
        """\
def correct(S, k, v, beta):
    return (np.eye(len(k)) - beta * np.outer(k, k)) @ S + beta * k[:, None] * v
""",
        """\
def correct(S, k, v, beta):
    new = [[S[a, b] + beta * k[a] * (v[b] - sum(k * S[:, b])) for b in range(len(v))]
           for a in range(len(k))]
    return new
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def correct(S, k, v, beta):
    return S + beta * np.outer(v - k @ S, k)
""",
            "raised ValueError",
            "not yet",
        ),
        WrongAnswer(
            """\
def correct(S, k, v, beta):
    S += beta * np.outer(k, v - k @ S)
    return S
""",
            "changed its input",
        ),
        WrongAnswer(
            """\
def correct(S, k, v, beta):
    held = S @ v
    return S + beta * np.outer(k, v - held)
""",
            "what the memory holds under a key is k @ S",
        ),
        WrongAnswer(
            "def correct(S, k, v, beta):\n    return S + beta * np.outer(k, v)\n",
            "this adds the value as it is",
        ),
        WrongAnswer(
            "def correct(S, k, v, beta):\n    return S + np.outer(k, v - k @ S)\n",
            "beta is missing",
        ),
        WrongAnswer(
            "def correct(S, k, v, beta):\n    return S + np.outer(k, beta * v - k @ S)\n",
            "beta belongs to the whole difference",
        ),
        WrongAnswer(
            "def correct(S, k, v, beta):\n    return S - beta * np.outer(k, v - k @ S)\n",
            "the sign of the difference is wrong",
        ),
        WrongAnswer(
            "def correct(S, k, v, beta):\n    return beta * np.outer(k, v - k @ S)\n",
            "only what is written",
        ),
        WrongAnswer(
            "def correct(S, k, v, beta):\n    return (1 - beta) * S\n",
            "it should return",
            "not yet",
        ),
        WrongAnswer(
            "def correct(S, k, v, beta):\n    return k @ S\n", "should return", "wrong shape"
        ),
    ),
)

ANSWERS["ex-fade"] = Answers(
    right=(
        """\
def fade(gates):
    n = len(gates)
    return [[np.prod(gates[j + 1 : i + 1]) if j <= i else 0 for j in range(n)] for i in range(n)]
""",
        """\
def fade(gates):
    D = np.zeros((len(gates), len(gates)))
    row = np.zeros(len(gates))
    for i, gate in enumerate(gates):
        row = row * gate
        row[i] = 1
        D[i] = row
    return D
""",
        """\
def fade(gates):
    n = len(gates)
    between = np.where(np.tri(n, k=-1, dtype=bool), gates[:, None], 1.0)
    return np.tril(np.cumprod(between, axis=0))
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def fade(gates):
    p = np.cumprod(np.maximum(gates, 1e-6))
    return np.tril(p[:, None] / p)
""",
            "a gate of 0 is closed",
        ),
        WrongAnswer(
            """\
def fade(gates):
    n = len(gates)
    return [[gates[j : i + 1].prod() if j <= i else 0 for j in range(n)] for i in range(n)]
""",
            "a token fades itself",
        ),
        WrongAnswer(
            """\
def fade(gates):
    n = len(gates)
    return [[gates[j + 1 : i].prod() if j <= i else 0 for j in range(n)] for i in range(n)]
""",
            "stops one gate too early",
        ),
        WrongAnswer(
            """\
def fade(gates):
    n = len(gates)
    return [[gates[j:i].prod() if j <= i else 0 for j in range(n)] for i in range(n)]
""",
            "from j + 1 to i",
        ),
        WrongAnswer(
            """\
def fade(gates):
    n = len(gates)
    return np.array([[gates[j + 1 : i + 1].prod() for j in range(n)] for i in range(n)])
""",
            "later tokens are not hidden",
        ),
        WrongAnswer(
            """\
def fade(gates):
    p = np.cumprod(gates)
    return np.tril(p[:, None] / p)
""",
            "divides 0 by 0",
        ),
        WrongAnswer(
            """\
def fade(gates):
    n = len(gates)
    i, j = np.indices((n, n))
    return np.tril(gates[:, None] ** abs(i - j))
""",
            "one gate to the power of the distance",
        ),
        WrongAnswer(
            """\
def fade(gates):
    D = np.tri(len(gates))
    for i in range(1, len(gates)):
        D[i, :i] = D[i - 1, :i] * gates[i]
    return D.T
""",
            "rows and columns are exchanged",
        ),
        WrongAnswer(
            "def fade(gates):\n    return np.tri(len(gates))\n", "it should return", "not yet"
        ),
        WrongAnswer(
            "def fade(gates):\n    return np.cumprod(gates)\n", "should return", "wrong shape"
        ),
    ),
)

ANSWERS["ex-nowhere"] = Answers(
    right=(
        "def with_sink(a, s):\n    return softmax(np.append(a, s))[:-1]\n",
        """\
def with_sink(a, s):
    return 1 / np.exp(np.subtract.outer([*a, s], a)).sum(axis=0)
""",
        """\
def with_sink(a, s):
    top = max([s, *a])
    e = [np.exp(x - top) for x in a]
    return [x / (sum(e) + np.exp(s - top)) for x in e]
""",
        """\
def with_sink(a, s):
    e = np.exp(a - a.max())
    return e / (e.sum() + np.exp(s - a.max()))
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def with_sink(a, s):
    return softmax(a, sink=s)
""",
            "library's own softmax with sink=.",
        ),
        WrongAnswer("def with_sink(a, s):\n    return softmax(a)\n", "the sink takes nothing"),
        WrongAnswer(
            "def with_sink(a, s):\n    return softmax(np.append(a, s))\n",
            "the weight of the sink is among the results",
        ),
        WrongAnswer(
            "def with_sink(a, s):\n    return np.exp(a) / (s + np.exp(a).sum())\n",
            "s itself is added",
        ),
        WrongAnswer(
            "def with_sink(a, s):\n    return np.exp(a) / (np.exp(s) + np.exp(a).sum())\n",
            "large scores overflow",
        ),
        WrongAnswer(
            """\
def with_sink(a, s):
    e = np.exp(a - a.max())
    return e / (e.sum() + np.exp(s))
""",
            "but not from the sink",
        ),
        WrongAnswer(
            "def with_sink(a, s):\n    return softmax(a) / 2\n", "it should return", "not yet"
        ),
        WrongAnswer(
            "def with_sink(a, s):\n    return softmax(a).sum()\n", "should return", "wrong shape"
        ),
    ),
)

ANSWERS["ex-needle"] = Answers(
    right=(
        "gap = np.log(9999)\n",
        "gap = 9.21\n",
        "import math\ngap = math.log(10_000 - 1)\n",
    ),
    wrong=(
        WrongAnswer("gap = np.log10(9999)\n", "base ten"),
        WrongAnswer("gap = np.log2(9999)\n", "base two"),
        WrongAnswer("gap = 9999\n", "Take its logarithm"),
        WrongAnswer("gap = 10_000\n", "Take its logarithm"),
        WrongAnswer("gap = np.log(2 * 9999)\n", "two thirds"),
        WrongAnswer("gap = np.log(9999 / 2)\n", "a third of the weight"),
        WrongAnswer("gap = -np.log(9999)\n", "the sign is wrong"),
        WrongAnswer("gap = 5\n", "the needle has 0.0146 of the weight", "not yet"),
        WrongAnswer("gap = np.inf\n", "the needle has 1 of the weight", "not yet"),
        WrongAnswer('gap = "nine"\n', "the gap is one number", "wrong shape"),
        WrongAnswer("gap = [9.21]\n", "the gap is one number", "wrong shape"),
    ),
)

ANSWERS["ex-patches"] = Answers(
    right=(
        """\
def patches(image, size):
    rows = []
    for y in range(0, len(image), size):
        for x in range(0, image.shape[1], size):
            rows.append(image[y : y + size, x : x + size].ravel())
    return np.array(rows)
""",
        """\
def patches(image, size):
    h, w = image.shape
    cut = image.reshape(h // size, size, w // size, size)
    return np.einsum("aibj->abij", cut).reshape(-1, size ** 2)
""",
        """\
def patches(image, size):
    bands = np.split(image, len(image) // size)
    return np.array([p.flatten() for b in bands for p in np.split(b, b.shape[1] // size, axis=1)])
""",
    ),
    wrong=(
        WrongAnswer(
            "def patches(image, size):\n    return image.reshape(-1, size * size)\n",
            "a reshape alone",
        ),
        WrongAnswer(
            """\
def patches(image, size):
    h, w = image.shape
    return np.array([image[y : y + size, x : x + size].ravel()
                     for x in range(0, w, size) for y in range(0, h, size)])
""",
            "the patches go down the columns",
        ),
        WrongAnswer(
            """\
def patches(image, size):
    h, w = image.shape
    return np.array([image[y : y + size, x : x + size].T.ravel()
                     for y in range(0, h, size) for x in range(0, w, size)])
""",
            "the pixels of each patch go down",
        ),
        WrongAnswer(
            """\
def patches(image, size):
    h, w = image.shape
    return np.array([image[y : y + size, x : x + size].ravel()
                     for y in range(h - size + 1) for x in range(w - size + 1)])
""",
            "windows that overlap",
        ),
        WrongAnswer(
            """\
def patches(image, size):
    h, w = image.shape
    return np.array([image[y : y + size, x : x + size]
                     for y in range(0, h, size) for x in range(0, w, size)])
""",
            "still squares",
        ),
        WrongAnswer(
            """\
def patches(image, size):
    h, w = image.shape
    cut = image.reshape(h // size, size, w // size, size).swapaxes(1, 2)
    return cut.reshape(h // size, w // size, size * size)
""",
            "still lie in a grid",
        ),
        WrongAnswer(
            """\
def patches(image, size):
    h, w = image.shape
    return np.array([image[y : y + size, x : x + size].ravel()[::-1]
                     for y in range(0, h, size) for x in range(0, w, size)])
""",
            "it should return",
            "not yet",
        ),
        WrongAnswer(
            "def patches(image, size):\n    return image.ravel()\n", "should return", "wrong shape"
        ),
    ),
)

ANSWERS["ex-who-answers"] = Answers(
    right=('answer = "B"\n', 'answer = "(b)"\n'),
    wrong=(
        WrongAnswer('answer = "a"\n', "the words would ask"),
        WrongAnswer('answer = "c"\n', "not every line"),
        WrongAnswer('answer = "d"\n', "self-attention of the picture"),
        WrongAnswer('answer = "the place"\n', "answer with one of", "wrong shape"),
    ),
)
