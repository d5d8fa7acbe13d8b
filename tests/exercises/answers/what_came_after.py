"""Answers to the exercises of the chapter "What came after", to test their checkers with."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-running-sums"] = Answers(
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
    ),
)

ANSWERS["ex-correct"] = Answers(
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
            "def correct(S, k, v, beta):\n    return k @ S\n", "should return", "wrong shape"
        ),
    ),
)

ANSWERS["ex-fade"] = Answers(
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
            "def fade(gates):\n    return np.cumprod(gates)\n", "should return", "wrong shape"
        ),
    ),
)

ANSWERS["ex-nowhere"] = Answers(
    wrong=(
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
    wrong=(
        WrongAnswer(
            "def patches(image, size):\n    return image.ravel()\n", "should return", "wrong shape"
        ),
    ),
)

ANSWERS["ex-who-answers"] = Answers(
    right=('answer = "B"\n',),
    wrong=(WrongAnswer('answer = "the place"\n', "answer with one of", "wrong shape"),),
)
