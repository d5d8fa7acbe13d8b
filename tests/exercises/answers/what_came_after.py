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
    products = gates.cumprod()
    return np.tril(products[:, None] / products)
""",
            "divides 0 by 0 where a gate is closed",
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
    right=("def with_sink(a, s):\n    return softmax(np.append(a, s))[:-1]\n",),
    wrong=(
        WrongAnswer(
            """\
def with_sink(a, s):
    return softmax(a, sink=s)
""",
            "library's own softmax with sink=.",
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
    right=("gap = np.log(9999)\n",),
    wrong=(
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
    ),
    wrong=(
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
    right=('answer = "B"\n',),
    wrong=(WrongAnswer('answer = "the place"\n', "answer with one of", "wrong shape"),),
)
