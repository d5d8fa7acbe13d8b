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


ANSWERS["ex-turn"] = Answers(
    wrong=(
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
    ),
)

ANSWERS["ex-new-word"] = Answers(
    wrong=(
        WrongAnswer("def new_word(q, K, V):\n    return V.sum(axis=0)\n", "it should", "not yet"),
    ),
)


ANSWERS["ex-no-positions"] = Answers(
    right=('answer = "C"\n',),
    wrong=(WrongAnswer('answer = "today"\n', "not 'today'", "wrong shape"),),
)
