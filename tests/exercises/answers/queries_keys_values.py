"""Right and wrong answers to the exercises of the chapter "Queries, keys and values"."""

from answers import Answers, WrongAnswer

ANSWERS = {}


ANSWERS["ex-swap"] = Answers(
    right=(
        """\
def invert(keys, values):
    return {value: [k for k, v in zip(keys, values) if v == value] for value in values}
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def invert(keys, values):
    return {value: sorted(k for k, v in zip(keys, values) if v == value) for value in values}
""",
            "it should return {'art': ['Cy', 'Ada']}, but returned {'art': ['Ada', 'Cy']}",
            "not yet",
        ),
    ),
)


ANSWERS["ex-cosine"] = Answers(
    right=(
        """\
def unit_rows(X):
    rows = []
    for x in X:
        length = (x @ x) ** 0.5
        rows.append(x / length if length > 0 else x)
    return np.array(rows)
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def unit_rows(X):
    return X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-8)
""",
            "stands in for it",
        ),
        WrongAnswer(
            """\
def unit_rows(X):
    norms = np.linalg.norm(X, axis=1, keepdims=True)
    return X / np.where(norms < 1e-8, 1, norms)
""",
            "a small norm is taken for zero",
        ),
        WrongAnswer(
            """\
def unit_rows(X):
    norms = np.linalg.norm(X, axis=1, keepdims=True)
    return abs(X) / np.where(norms == 0, 1, norms)
""",
            "for X = [[3, -4]] it should return [[0.6, -0.8]], but returned [[0.6, 0.8]]",
            "not yet",
        ),
        WrongAnswer(
            "def unit_rows(X):\n    return X**2 / np.linalg.norm(X, axis=1, keepdims=True) ** 2\n",
            "for X = [[3, -4]] it should return [[0.6, -0.8]], but returned [[0.36, 0.64]]",
            "not yet",
        ),
    ),
)

ANSWERS["ex-soft-rows"] = Answers(
    right=("def soft_rows(Q, K, T):\n    return softmax(Q @ K.T, temperature=T)\n",),
    wrong=(
        WrongAnswer(
            """\
def soft_rows(Q, K, T):
    powers = np.exp(Q @ K.T / T)
    return powers / np.linalg.norm(powers, axis=1, keepdims=True)
""",
            "it should return",
            "not yet",
        ),
    ),
)

_TICKED = "\ndone = [True, True, True, True]\n"

ANSWERS["ex-search-engine"] = Answers(
    right=(
        """\
def search(query_vec, K, clicked, T):
    scores = K @ query_vec / T
    logs = scores - scores.max()
    logs = logs - np.log(np.exp(logs).sum())
    return np.exp(logs), logs[clicked]
"""
        + _TICKED,
    ),
    wrong=(
        WrongAnswer(
            """\
def search(query_vec, K, clicked, T):
    weights = softmax(K @ query_vec, temperature=T)
    return weights, np.log(weights[clicked]) / 2

done = [True, True, True, True]
""",
            "the weights are right, but the mark is not: it should return",
            "not yet",
        ),
        WrongAnswer(
            """\
def search(query_vec, K, clicked, T):
    weights = softmax(K @ query_vec, temperature=T)
    return np.log(weights[clicked]), weights

done = [True, True, True, True]
""",
            "in the wrong order: first the weights and then the mark",
        ),
        WrongAnswer(
            """\
def search(query_vec, K, clicked, T):
    weights = np.eye(len(K))[np.argmax(K @ query_vec)]
    return weights, weights[clicked]
"""
            + _TICKED,
            "the best document takes all",
        ),
        WrongAnswer(
            """\
def search(query_vec, K, clicked, T):
    weights = softmax(K @ query_vec, temperature=T)
    return weights, np.log(weights[clicked])

done = [True, False, True, True]
""",
            "point 2 is still open: It says why the weights are soft",
            "not yet",
        ),
    ),
)
