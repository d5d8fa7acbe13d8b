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
    kept = np.where(p > least, p, 0)
    kept[p.argmax()] = p.max()
    return kept / kept.sum()
""",
            "for logits = [1, 1, 0] and least = 1 it should return [0.5, 0.5, 0]",
            "not yet",
        ),
        WrongAnswer(
            """\
import math

def min_p(logits, least):
    kept = np.where(logits >= logits.max() + math.log(least), np.exp(logits - logits.max()), 0)
    return kept / kept.sum()
""",
            "math domain error",
            "not yet",
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
    least = w.min(axis=1, keepdims=True)
    scale = np.ptp(w, axis=1, keepdims=True) / (2**count - 1)
    codes = np.rint((w - least) / np.where(scale == 0, 1, scale)).astype("int8")
    return codes * scale + least
""",
            "int8 holds -128 to 127",
        ),
        WrongAnswer(
            """\
def few_bits(w, count):
    least = w.min(axis=1, keepdims=True)
    scale = np.ptp(w, axis=1, keepdims=True) / (2**count - 1)
    return np.rint((w - least) / np.where(scale == 0, 1, scale)), scale, least
""",
            "should return the rounded numbers, shaped like w, but returned",
            "wrong shape",
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
    ),
)

ANSWERS["ex-chat-template"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def chat_ids(turns, encode):
    return "".join(text for role, text in turns)
""",
            "but returned 'Hi'",
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
        WrongAnswer(
            """\
def chat_ids(turns, encode):
    ids = []
    for role, text in turns:
        ids += encode(f"<|im_start|>{role}\\n", True) + encode(text) + encode("<|im_end|>\\n", True)
    return ids + encode("<|im_start|>assistant\\n", True)
""",
            "special is an argument that encode takes by its name",
        ),
    ),
)
