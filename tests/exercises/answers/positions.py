"""Answers to the exercises of the chapter "Where am I? Positions", to test their checkers with."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-clock-hands"] = Answers(
    right=("place = 12\n",),
    wrong=(
        WrongAnswer("place = 36\n", "at place 36 the two hands do not", "not yet"),
        WrongAnswer("place = [6, 4]\n", "the answer is one number, a place", "wrong shape"),
        WrongAnswer("place = 'twelve'\n", "the answer is one number, a place", "wrong shape"),
    ),
)

ANSWERS["ex-waves"] = Answers(
    right=(
        """\
def waves(n, d):
    P = np.empty((n, d))
    for i in range(n):
        for c in range(d // 2):
            P[i, 2 * c] = np.sin(i / 10000 ** (2 * c / d))
            P[i, 2 * c + 1] = np.cos(i / 10000 ** (2 * c / d))
    return P
""",
    ),
    wrong=(
        WrongAnswer(
            """\
from attention_lib import sinusoidal_positions
def waves(n, d):
    return sinusoidal_positions(n, d)
""",
            "the library's own sinusoidal_positions",
        ),
        WrongAnswer(
            "def waves(n, d):\n    return np.zeros((n, d + 1))\n",
            "should have shape",
            "wrong shape",
        ),
        WrongAnswer(
            "def waves(n, d):\n    return np.zeros((n, d))\n", "it should return", "not yet"
        ),
    ),
)

ANSWERS["ex-shift"] = Answers(
    right=(
        """\
from attention_lib import sinusoidal_positions
def shift(k, d):
    P = sinusoidal_positions(300, d)
    here = P[50:200]
    return np.linalg.lstsq(here, P[50 + k : 200 + k], rcond=None)[0]
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def shift(k, d):
    return np.array([[np.cos(k), -np.sin(k)], [np.sin(k), np.cos(k)]])
""",
            "should have shape (4, 4), but has shape (2, 2)",
            "wrong shape",
        ),
        WrongAnswer("def shift(k, d):\n    return np.eye(d, k=k)\n", "it should return", "not yet"),
    ),
)

ANSWERS["ex-turn"] = Answers(
    right=(
        """\
def turn(X, places):
    n, d = X.shape
    hands = X[:, 0::2] + 1j * X[:, 1::2]
    hands = hands * np.exp(1j * places[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d))
    return np.stack([hands.real, hands.imag], axis=-1).reshape(n, d)
""",
    ),
    wrong=(
        WrongAnswer(
            """\
from attention_lib import rotary
def turn(X, places):
    return rotary(X, places)
""",
            "the library's own rotary",
        ),
        WrongAnswer(
            """\
def turn(X, places):
    d = X.shape[1]
    a = places[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    x, y = X[:, 0::2], X[:, 1::2]
    X[:, 0::2], X[:, 1::2] = x * np.cos(a) - y * np.sin(a), x * np.sin(a) + y * np.cos(a)
    return X
""",
            "changed its input X",
        ),
        WrongAnswer(
            """\
def turn(X, places):
    d = X.shape[1]
    a = places[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    return X[:, 0::2] * np.cos(a) - X[:, 1::2] * np.sin(a)
""",
            "should have shape",
            "wrong shape",
        ),
        WrongAnswer("def turn(X, places):\n    return -X\n", "it should return", "not yet"),
    ),
)

ANSWERS["ex-new-word"] = Answers(
    right=(
        """\
from attention_lib import rotary
def new_word(q, K, V):
    m = len(K)
    Q = rotary(np.vstack([np.zeros((m - 1, len(q))), q]))[-1]
    return softmax(rotary(K) @ Q / np.sqrt(len(q))) @ V
""",
    ),
    wrong=(
        WrongAnswer(
            """\
from attention_lib import rotary
def new_word(q, K, V):
    Q, K = rotary(q[None], [len(K) - 1]), rotary(K)
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V
""",
            "should have shape",
            "wrong shape",
        ),
        WrongAnswer(
            """\
from attention_lib import rotary
def new_word(q, K, V):
    Q, K = rotary(q[None], [len(K) - 1]), rotary(K)
    return softmax(Q @ K.T / np.sqrt(K.shape[1]))[0]
""",
            "should have shape",
            "wrong shape",
        ),
        WrongAnswer("def new_word(q, K, V):\n    return V.sum(axis=0)\n", "it should", "not yet"),
    ),
)

ANSWERS["ex-slower"] = Answers(
    right=(
        """\
def slower(d_k, trained, factor):
    speeds = [10000 ** (-2 * c / d_k) for c in range(d_k // 2)]
    return [w if trained * w / (2 * np.pi) >= 1 else w / factor for w in speeds]
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def slower(d_k, trained, factor):
    speeds = 10000.0 ** (-np.arange(d_k) / d_k)
    return np.where(trained * speeds >= 2 * np.pi, speeds, speeds / factor)
""",
            "should have shape",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def slower(d_k, trained, factor):
    return 10000.0 ** (-np.arange(0, d_k, 2) / d_k) - factor
""",
            "it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-no-positions"] = Answers(
    right=('answer = "C"\n',),
    wrong=(WrongAnswer('answer = "today"\n', "not 'today'", "wrong shape"),),
)
