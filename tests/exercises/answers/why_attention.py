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
