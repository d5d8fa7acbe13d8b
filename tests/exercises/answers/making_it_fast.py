"""Right and wrong answers to the exercises of the chapter "Making it fast"."""

from answers import Answers, WrongAnswer

ANSWERS = {}


def _online(
    start: str = "-np.inf",
    shrink: str = "np.exp(mu - new)",
    step: str = "Z, o, mu = Z * shrink + power, o * shrink + power * value, new",
    result: str = "o / Z",
) -> str:
    """Return the solution with one of its parts replaced."""
    return f"""\
def read_stream(stream):
    mu, Z, o = {start}, 0.0, 0.0
    for score, value in stream:
        new = max(mu, score)
        shrink, power = {shrink}, np.exp(score - new)
        {step}
    return {result}
"""


_TWICE = "can be read only once"

ANSWERS["ex-online"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def read_stream(stream):
    mu = -np.inf
    for score, value in stream:
        mu = max(mu, score)
    Z, o = 0.0, 0.0
    for score, value in stream:
        Z, o = Z + np.exp(score - mu), o + np.exp(score - mu) * value
    return o / Z
""",
            _TWICE,
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    mu = max(score for score, _ in stream)
    Z = sum(np.exp(score - mu) for score, _ in stream)
    return sum(np.exp(score - mu) * value for score, value in stream) / np.float64(Z)
""",
            _TWICE,
        ),
        WrongAnswer(_online(shrink="np.exp(new - mu)"), "has the wrong sign"),
        WrongAnswer(
            _online(step="Z, o = Z * shrink + power, o * shrink + power * value"), "is never kept"
        ),
        WrongAnswer(_online(shrink="1"), "neither sum is multiplied"),
        WrongAnswer(
            _online(step="Z, o, mu = Z * shrink + power, o + power * value, new"),
            "Z shrinks when the maximum moves, but o does not",
        ),
        WrongAnswer(
            _online(step="Z, o, mu = Z + power, o * shrink + power * value, new"),
            "o shrinks when the maximum moves, but Z does not",
        ),
        WrongAnswer(_online(result="o"), "o / Z"),
        WrongAnswer(_online(start="0.0"), "Start from minus infinity"),
        WrongAnswer(_online(start="-1e9"), "starts at a finite number"),
        WrongAnswer(
            """\
import math

def read_stream(stream):
    mu, Z, o = 0.0, 0.0, [0.0] * 99
    for score, value in stream:
        new = max(mu, score)
        shrink, power = math.exp(mu - new), math.exp(score - new)
        Z, mu = Z * shrink + power, new
        o = [x * shrink + power * float(v) for x, v in zip(o, value)]
    return [x / Z for x in o]
""",  # in plain Python, without NumPy's division by zero
            "the maximum starts at 0",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    Z, o = 0.0, 0.0
    for score, value in stream:
        Z, o = Z + np.exp(score), o + np.exp(score) * value
    return o / Z
""",
            "large scores overflow",
        ),
        WrongAnswer(
            "def read_stream(stream):\n    return np.mean([v for _, v in stream], axis=0)\n",
            "plain average",
        ),
    ),
)

ANSWERS["ex-causal-blocks"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def causal_attention(Q, K, V, block):
    output, count = [], 0
    for i in range(0, len(Q), block):
        q, Z, o = Q[i : i + block], 0.0, 0.0
        for j in range(0, i + 1, block):
            powers = np.exp(q @ K[j : j + block].T / Q.shape[1] ** 0.5)
            if i == j:
                powers = powers * np.tri(len(q))
            Z = Z + powers.sum(axis=1, keepdims=True)
            o = o + powers @ V[j : j + block]
            count += 1
        output.append(o / Z)
    return np.concatenate(output), count
""",
            "large scores overflow",
        ),
        WrongAnswer(
            """\
def causal_attention(Q, K, V, block):
    b = -(-len(Q) // block)
    scores = np.where(np.tri(len(Q)), Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    return softmax(scores) @ V, b * (b + 1) // 2
""",
            "you do compute tiles",
        ),
    ),
)

ANSWERS["ex-recompute"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def back(Q, K, V, output, L, d_output):
    root = np.sqrt(Q.shape[1])
    alpha, d_alpha = np.exp(Q @ K.T / root - L), d_output @ V.T
    d_A = alpha * (d_alpha - (output * d_output).sum(axis=1, keepdims=True)) / root
    return d_A @ K, d_A.T @ Q, alpha.T @ d_output
""",
            "L[:, None]",
        ),
    ),
)

ANSWERS["ex-bandwidth"] = Answers(
    right=("alone, together = 3.79, 18.83\n",),
)
