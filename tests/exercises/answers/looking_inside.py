"""Answers to the exercises of the chapter "Looking inside", to test their checkers with."""

from answers import Answers, WrongAnswer

ANSWERS = {}

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
