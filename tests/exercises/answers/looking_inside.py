"""Answers to the exercises of the chapter "Looking inside", to test their checkers with."""

from answers import Answers, WrongAnswer

ANSWERS = {}


_TICKED = "done = [True] * 4\n"

ANSWERS["ex-subject-test"] = Answers(
    right=(
        """\
def hit_rate(rows, subjects):
    inside = np.ma.array(rows, copy=True)
    inside[:, 0] = inside[:, -1] = np.ma.masked
    found = inside.argmax(axis=1)
    return np.count_nonzero(found == subjects) / found.size
"""
        + "done = np.ones(4, dtype=bool)\n",
    ),
    wrong=(
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    return round(float((rows[:, 1:-1].argmax(axis=1) + 1 == subjects).mean()), 2)
"""
            + _TICKED,
            "it should return",
            "not yet",
        ),
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    return (rows[:, 1:-1].argmin(axis=1) + 1 == subjects).mean()
"""
            + _TICKED,
            "it should return 1, but returned 0",
            "not yet",
        ),
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
    right=(
        """\
def without(heads, W_o, i):
    h, n, d_v = heads.shape
    output = np.zeros((n, W_o.shape[1]), dtype="float32")
    for j in range(h):
        if j != i:
            output += np.float32(heads[j]) @ np.float32(W_o[j * d_v : (j + 1) * d_v])
    return output
""",
    ),
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
    right=(
        """\
def value_shares(weights, V, W_o):
    added = weights[:, :, None] * (V @ W_o)  # (n, m, d_out)
    sizes = np.sqrt((added**2).sum(axis=-1))
    total = sizes.sum(axis=1, keepdims=True)
    return np.divide(sizes, total, out=np.zeros_like(sizes), where=total > 0)
""",
    ),
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
    right=(
        """\
def induction_score(weights, tokens):
    scores = []
    for i in range(1, len(tokens)):
        earlier = [j for j in range(i) if tokens[j] == tokens[i]]
        if earlier:
            scores.append(weights[i, np.array(earlier) + 1].sum())
    return np.mean(scores) if scores else 0
""",
    ),
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
        WrongAnswer(
            "def induction_score(weights, tokens):\n    return weights.mean()\n",
            "it should return 0.6",
            "not yet",
        ),
    ),
)

ANSWERS["ex-free-weights"] = Answers(
    right=(
        """\
def free(V):
    A = np.hstack([V, np.ones((len(V), 1))])
    return A.shape[0] - int((np.linalg.svd(A, compute_uv=False) > 1e-4).sum())
""",
    ),
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
