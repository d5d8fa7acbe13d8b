"""Answers to the exercises of "A real language model", to test their checkers with."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-min-p"] = Answers(
    right=(
        """\
def min_p(logits, least):
    near = logits >= logits.max() + np.log(least)
    p = np.exp(logits - logits.max()) * near
    return p / p.sum()
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def min_p(logits, least):
    p = np.exp(logits - logits.max())
    p /= p.sum()
    kept = np.where(p > p.mean(), p, 0)
    return kept / kept.sum()
""",
            "it should return",
            "not yet",
        ),
        WrongAnswer(
            """\
def min_p(logits, least):
    p = np.exp(logits) / np.exp(logits).sum()
    kept = np.where(p >= least * p.max(), p, 0)
    return kept / kept.sum()
""",
            "large logits overflow here",
        ),
    ),
)

ANSWERS["ex-few-bits"] = Answers(
    right=(
        """\
def few_bits(w, count):
    rows = []
    for row in w:
        levels = np.linspace(row.min(), row.max(), 2**count)
        rows.append(levels[abs(row[:, None] - levels).argmin(axis=1)])
    return np.array(rows)
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def few_bits(w, count):
    least = w.min(axis=1, keepdims=True)
    scale = np.ptp(w, axis=1, keepdims=True) / (2**count - 1)
    return np.rint((w - least) / scale) * scale + least
""",
            "a row of equal numbers has scale 0",
        ),
        WrongAnswer(
            """\
def few_bits(w, count):
    scale = abs(w).max(axis=1, keepdims=True) / (2**count - 1)
    return np.rint(w / scale) * scale
""",
            "it should be",
            "not yet",
        ),
    ),
)
