"""Answers to the exercises of "A model that writes": right ones, and wrong ones readers give."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-cross-entropy"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def mean_bits(weights, answers):
    asked = answers >= 0
    return -np.log2(weights[asked, answers[asked]] + 1e-9).mean()
""",
            "a small number is added",
        ),
    ),
)

ANSWERS["ex-sampler"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def choose(logits, T, k, u):
    powers = np.exp(logits / T)
    powers[logits < np.sort(logits)[-k]] = 0
    return int((np.cumsum(powers / powers.sum()) <= u).sum())
""",
            "the exponentials overflow",
        ),
    ),
)

ANSWERS["ex-own-writer"] = Answers(
    right=(
        """\
from attention_lib import causal_mask, rms_norm, softmax

def next_logits(tokens, p):
    X = p["E"][tokens] + p["P"][: len(tokens)]
    A = rms_norm(X, p["gain_1"])
    Q, K, V = (A @ p["W_" + name] for name in "qkv")  # (h, n, d_k)
    scores = Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])  # (h, n, n)
    found = softmax(np.where(causal_mask(len(X)), scores, -np.inf)) @ V  # (h, n, d_k)
    H = X + found.swapaxes(0, 1).reshape(len(X), -1) @ p["W_o"]
    hidden = np.maximum(0, rms_norm(H, p["gain_2"]) @ p["W_1"] + p["b_1"])
    return rms_norm(H + hidden @ p["W_2"] + p["b_2"], p["gain"]) @ p["U"]
""",
    ),
    wrong=(
        WrongAnswer(
            """\
from attention_lib import causal_mask, rms_norm, softmax

def next_logits(tokens, p):
    if len(tokens) > 6:
        raise ValueError("too long")
    X = p["E"][tokens] + p["P"][: len(tokens)]
    A = rms_norm(X, p["gain_1"])
    Q, K, V = (A @ p["W_" + name] for name in "qkv")
    scores = Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])
    found = softmax(np.where(causal_mask(len(X)), scores, -np.inf)) @ V
    H = X + found.swapaxes(0, 1).reshape(len(X), -1) @ p["W_o"]
    hidden = np.maximum(0, rms_norm(H, p["gain_2"]) @ p["W_1"] + p["b_1"])
    return rms_norm(H + hidden @ p["W_2"] + p["b_2"], p["gain"]) @ p["U"]
""",
            "it is right on small models but not on the trained one",
            "not yet",
        ),
    ),
)
