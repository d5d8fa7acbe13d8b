"""Answers to the exercises of "A real language model", to test their checkers with."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-min-p"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def min_p(logits, least):
    p = np.exp(logits) / np.exp(logits).sum()
    kept = np.where(p >= least * p.max(), p, 0)
    return kept / kept.sum()
""",
            "large logits overflow here",
        ),
        WrongAnswer(
            """\
def min_p(logits, least):
    p = np.exp(logits - logits.max())
    kept = np.where(p > least, p, 0)
    return kept / kept.sum()
""",
            "with least = 1 not even the likeliest token is kept",
        ),
        WrongAnswer(
            """\
def min_p(logits, least):
    p = np.exp(logits - logits.max())
    p /= p.sum()
    order = np.argsort(-p)
    last = np.searchsorted(p[order].cumsum(), least)
    kept = np.zeros(len(p))
    kept[order[: last + 1]] = p[order[: last + 1]]
    return kept / kept.sum()
""",
            "this is top-p",
        ),
    ),
)

ANSWERS["ex-few-bits"] = Answers(
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

ANSWERS["ex-copying-score"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def copying_score(weights, added):
    looked = weights.argmax(axis=1)
    raised = added[np.arange(len(added)), looked] - added.mean(axis=1)
    return raised[looked > 0].mean()
""",
            "if every place rests on the first token",
        ),
        WrongAnswer(
            """\
def copying_score(weights, added):
    raised = []
    for row, scores in zip(weights, added):
        if row.argmax() > 0:
            raised.append(float(scores[row.argmax()] - scores.mean()))
    return sum(raised) / len(raised)
""",
            "if every place rests on the first token",
        ),
        WrongAnswer(
            """\
def copying_score(weights, added):
    looked = weights.argmax(axis=1)
    raised = added[np.arange(len(added)), looked] - added.mean(axis=1)
    return sum(raised[looked > 0]) / len(raised)
""",
            "the sum is divided by all n places",
        ),
        WrongAnswer(
            """\
def copying_score(weights, added):
    looked = weights.argmax(axis=1)
    raised = added[np.arange(len(added)), looked] - added.mean(axis=1)
    return raised[1:].mean()
""",
            "only the first place is left out",
        ),
    ),
)

ANSWERS["ex-chat-template"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def chat_ids(turns, encode):
    return "".join(text for role, text in turns)
""",
            "but returned text",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def chat_ids(turns, encode):
    return [[number] for role, text in turns for number in encode(text)]
""",
            "which is no list of whole numbers",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def chat_ids(turns, encode):
    return [0] + [number for role, text in turns for number in encode(text)]
""",
            "should be [START]user¶Hi[END]¶[START]assistant¶, but are",
            "not yet",
        ),
    ),
)

ANSWERS["ex-read-on"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def read_on(Q, K, V, keys, values):
    return V, np.vstack([keys, K]), np.vstack([values, V])
""",
            "the values are right, but the output is not",
            "not yet",
        ),
    ),
)
