"""Right and wrong answers to the exercises of "Why attention?", as readers write them."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-fit"] = Answers(
    right=(
        """\
def fit(X, slots):
    rows = [X[i] if i < len(X) else np.zeros(X.shape[1]) for i in range(slots)]
    return np.array(rows)
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def fit(X, slots):
    kept = X[:slots]
    filled = np.ones((slots, X.shape[1]))
    filled[: len(kept)] = kept
    return filled
""",
            "for X = [[1, 2]] and slots = 3 it should return [[1, 2], [0, 0], [0, 0]]",
            "not yet",
        ),
    ),
)

ANSWERS["ex-write"] = Answers(
    right=(
        """\
def summarise(X, keep):
    n = len(X)
    return sum(keep ** (n - 1 - t) * np.roll(X[t], n - 1 - t) for t in range(n))
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def summarise(X, keep):
    c = np.zeros(X.shape[1])
    for x in X:
        c = (keep * np.roll(c, 1) + x) / 2
    return c
""",
            "it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-reread"] = Answers(
    right=(
        """\
def reread(c, rows, E):
    rows, n = list(rows), len(rows)
    for t in range(n):
        others = sum(np.roll(E[rows[s]], n - 1 - s) for s in range(n) if s != t)
        rows[t] = int(np.argmax(E @ np.roll(c - others, t + 1 - n)))
    return rows
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def reread(c, rows, E):
    n = len(rows)
    rows = np.array(rows)
    for t in range(n):
        others = sum(np.roll(E[rows[s]], n - 1 - s) for s in range(n) if s != t)
        rows[t] = np.argmax(E @ np.roll(c - others, t + 1 - n))
        return rows
""",
            "it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-bits"] = Answers(
    right=("most = 372\n",),
    wrong=(
        WrongAnswer("most = 387**100\n", "that many need far more than 3200 bits", "not yet"),
        WrongAnswer("most = 3200 / np.log2(387)\n", "but this is 372.3"),
        WrongAnswer("most = float('inf')\n", "a whole number of words"),
        WrongAnswer('most = "372"\n', "not '372'", "wrong shape"),
        WrongAnswer("most = [372, 373]\n", "not [372, 373]", "wrong shape"),
        WrongAnswer("most = 400\n", "these do not fit", "not yet"),
        WrongAnswer("most = 200\n", "leave room for more", "not yet"),
    ),
)


_BY_CHAPTER = """\
def recall(c, t, n, E):
    return np.argmax(E @ np.roll(c, t - (n - 1)))
"""


def _memory(kept: str, found: str) -> str:
    return f"""\
def store(X, E):
    return {kept}

def recall(c, t, n, E):
    return {found}
"""


_ROWS = "np.argmax(X @ E.T, axis=1)"

ANSWERS["ex-own-memory"] = Answers(
    right=(
        """\
from collections import deque

def store(X, E):
    return deque(np.argmax(X @ E.T, axis=1).tolist()[:100])

def recall(c, t, n, E):
    return c[t] if t < len(c) else 0
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def store(X, E):
    c = 0
    for x in X:
        c = 387 * c + int(np.argmax(E @ x))
    return int(c) << 70

def recall(c, t, n, E):
    return (c >> 70) // 387 ** (n - 1 - t) % 387
""",
            "returned a whole number of more than 64 bits",
            "wrong shape",
        ),
        WrongAnswer(
            """\
kept = []

def store(X, E):
    kept.append(X)
    return [len(kept) - 1]

def recall(c, t, n, E):
    return np.argmax(E @ kept[c[0]][t])
""",
            "a different c when the same sentence comes again",
        ),
        WrongAnswer(_memory("X", "np.argmax(E @ c[t])"), "store keeps 200 numbers"),
        WrongAnswer(_memory("X.sum(axis=0)", "np.argmax(E @ c)"), "the same word for every place"),
        WrongAnswer(_memory(_ROWS, "c[n - 1 - t]"), "in reverse order"),
        WrongAnswer(_memory(_ROWS, "c[t - 1]"), "its neighbour's word"),
        WrongAnswer(
            """\
def store(X, E):
    c = np.zeros(100)
    for x in X:
        c = 0.3 * np.roll(c, 1) + x
    return c

"""
            + _BY_CHAPTER,
            "only place 9 is remembered",
        ),
        WrongAnswer(
            """\
def store(X, E):
    X -= X.mean(axis=0)
    return X[0]

"""
            + _BY_CHAPTER,
            "store changed its input",
        ),
        WrongAnswer(
            _memory(_ROWS, "E[c[t]]"),
            "recall should return a row of E, one whole number, but returned an array",
            "wrong shape",
        ),
        WrongAnswer(
            _memory("X.sum(axis=0)", "(E @ c).max() / 2"), "which is not whole", "wrong shape"
        ),
        WrongAnswer(
            'def store(X, E):\n    return "the whole sentence"\n\n' + _BY_CHAPTER,
            "store should return at most 100 numbers, but returned text",
            "wrong shape",
        ),
        WrongAnswer(
            "store = 100\n\n" + _BY_CHAPTER, "pass the function store itself", "wrong shape"
        ),
        WrongAnswer(
            """\
def store(X, E):
    c = np.zeros(100)
    for x in X:
        c = np.roll(c, 1) + x
    return c

"""
            + _BY_CHAPTER,
            "Bring the share of 10 words to 60 %",
            "not yet",
        ),
    ),
)
