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
    ),
    wrong=(
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
    ),
    wrong=(
        WrongAnswer("gap = np.log10(9999)\n", "base ten"),
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
        WrongAnswer('answer = "the place"\n', "answer with one of", "wrong shape"),
    ),
)
