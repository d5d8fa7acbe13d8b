"""Answers to the exercises of the chapter "Looking inside", to test their checkers with."""

from answers import Answers, WrongAnswer

ANSWERS = {}


_TICKED = "done = [True] * 4\n"

ANSWERS["ex-subject-test"] = Answers(
    wrong=(
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
    silenced[i] = silenced.mean(axis=0)
    return np.concatenate(list(silenced), axis=-1) @ W_o
""",
            "and r = 0 it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-value-shares"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def value_shares(weights, V, W_o):
    added = weights * np.linalg.norm(V @ W_o, axis=1)
    return added / (added.sum(axis=1, keepdims=True) + 1e-9)
""",
            "a small number is added to the sum",
        ),
        WrongAnswer(
            """\
def value_shares(weights, V, W_o):
    added = weights * np.linalg.norm(V @ W_o, axis=1)
    return added / added.sum(axis=1, keepdims=True)
""",
            "0 is divided by 0",
        ),
        WrongAnswer(
            """\
def value_shares(weights, V, W_o):
    added = weights * np.abs(V @ W_o).max(axis=1)
    total = added.sum(axis=1, keepdims=True)
    return added / np.where(total == 0, 1, total)
""",
            "it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-induction-score"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def induction_score(weights, tokens):
    found = []
    for i, token in enumerate(tokens):
        after = [j + 1 for j in range(i) if tokens[j] == token]
        if after:
            found.append(sum(weights[i, j] for j in after))
    return sum(found) / len(found)
""",
            "the average divides by 0",
        ),
    ),
)

ANSWERS["ex-free-weights"] = Answers(
    wrong=(
        WrongAnswer(
            "def free(V):\n    return len(V) - 1 - np.linalg.matrix_rank(np.round(V - V[0]))\n",
            "it should return",
            "not yet",
        ),
        WrongAnswer(
            "def free(V):\n    return 1\n",
            "it should return",
            "not yet",
        ),
    ),
)
