"""Right and wrong answers to the exercises of the chapter "Queries, keys and values"."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-swap"] = Answers(
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
    ),
)

ANSWERS["ex-search-engine"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def search(query_vec, K, clicked, T):
    weights = softmax(K @ query_vec, temperature=T)
    return np.log(weights[clicked]), weights
""",
            "in the wrong order: first the weights and then the mark",
        ),
        WrongAnswer(
            """\
def search(query_vec, K, clicked, T):
    weights = np.eye(len(K))[np.argmax(K @ query_vec)]
    return weights, weights[clicked]
""",
            "the best document takes all",
        ),
    ),
)
