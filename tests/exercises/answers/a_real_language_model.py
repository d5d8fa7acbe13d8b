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

ANSWERS["ex-copying-score"] = Answers(
    right=(
        """\
def copying_score(weights, added):
    raised = []
    for row, scores in zip(weights, added):
        j = list(row).index(max(row))
        if j > 0:
            raised.append(scores[j] - sum(scores) / len(scores))
    return sum(raised) / len(raised) if raised else 0
""",
    ),
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
    return np.trace(added) / len(added)
""",
            "it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-chat-template"] = Answers(
    right=(
        """\
def chat_ids(turns, encode):
    ids = []
    for role, text in [*turns, ("assistant", None)]:
        ids += [*encode("<|im_start|>", special=True), *encode(role), *encode("\\n")]
        if text is not None:
            ids += [*encode(text), *encode("<|im_end|>", special=True), *encode("\\n")]
    return ids
""",
    ),
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
    right=(
        """\
def read_on(Q, K, V, keys, values):
    from attention_lib import rotary, softmax
    n, m = len(Q), len(keys)
    Q = rotary(np.vstack([np.zeros((m, Q.shape[1])), Q]))[m:]
    K = rotary(np.vstack([np.zeros((m, K.shape[1])), K]))[m:]
    keys, values = np.vstack([keys, K]), np.vstack([values, V])
    output = [
        softmax(keys[: m + i + 1] @ Q[i] / np.sqrt(Q.shape[1])) @ values[: m + i + 1]
        for i in range(n)
    ]
    return np.array(output), keys, values
""",
    ),
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
