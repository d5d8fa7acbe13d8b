"""Right and wrong answers to the exercises of the chapter "Making it fast"."""

from answers import Answers, WrongAnswer

ANSWERS = {}


ANSWERS["ex-weights-memory"] = Answers(
    right=("whole, block, times = np.float64(32.0), 16.0, np.int64(4)\n",),
    wrong=(
        WrongAnswer("whole, block, times = 32, 16, 5\n", "times is not 5", "not yet"),
        WrongAnswer("whole, block, times = 32, float('nan'), 4\n", "block is not nan", "not yet"),
        WrongAnswer(
            "whole, block, times = '32 GiB', 16, 4\n", "whole is one number", "wrong shape"
        ),
    ),
)


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


def _listed(start: str) -> str:
    """Return an answer in plain Python, without NumPy's division by zero."""
    return f"""\
import math

def read_stream(stream):
    mu, Z, o = {start}, 0.0, [0.0] * 99
    for score, value in stream:
        new = max(mu, score)
        shrink, power = math.exp(mu - new), math.exp(score - new)
        Z, mu = Z * shrink + power, new
        o = [x * shrink + power * float(v) for x, v in zip(o, value)]
    return [x / Z for x in o]
"""


def _kept(pairs: str) -> WrongAnswer:
    """Return an answer that keeps all pairs."""
    source = f"""\
def read_stream(stream):
    pairs = {pairs}
    a, V = (np.array([pair[part] for pair in pairs]) for part in (0, 1))
    w = np.exp(a - a.max())
    return w @ V / w.sum()
"""
    return WrongAnswer(source, "you hold the whole stream")


_TWICE = "can be read only once"

ANSWERS["ex-online"] = Answers(
    wrong=(
        _kept("list(stream)"),
        _kept("list(zip(*zip(*stream)))"),
        _kept("[(float(s), v.tolist()) for s, v in stream]"),
        _kept("list({i: (float(s), v.copy()) for i, (s, v) in enumerate(stream)}.values())"),
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
        WrongAnswer(
            """\
def read_stream(stream):
    scores = [score for score, _ in stream]
    return max(score for score, _ in stream)
""",
            _TWICE,
        ),
        WrongAnswer("def read_stream(stream):\n    return stream[0][1]\n", _TWICE),
        WrongAnswer("def read_stream(stream):\n    return [0.0] * len(stream)\n", _TWICE),
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
        WrongAnswer(_listed("0.0"), "the maximum starts at 0"),
        WrongAnswer(_listed("-1e9"), "starts at a finite number"),
        *(
            WrongAnswer(
                f"""\
import math

def read_stream(stream):
    Z, o = 0.0, 0.0
    for score, value in stream:
        Z, o = Z + {exp}(score), o + {exp}(score) * value
    return o / Z
""",
                "large scores overflow",
            )
            for exp in ("np.exp", "math.exp")
        ),
        WrongAnswer(
            "def read_stream(stream):\n    return np.mean([v for _, v in stream], axis=0)\n",
            "plain average",
        ),
        WrongAnswer(
            _online(
                step="value *= power\n        "
                "Z, o, mu = Z * shrink + power, o * shrink + value, new"
            ),
            "changed its input stream",
        ),
    ),
)


ANSWERS["ex-merge"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def merge(first, second):
    mu_1, Z_1, o_1 = first
    mu_2, Z_2, o_2 = second
    mu = max(mu_1, mu_2)
    o_1 *= np.exp(mu_1 - mu)
    o_2 *= np.exp(mu_2 - mu)
    return mu, Z_1 * np.exp(mu_1 - mu) + Z_2 * np.exp(mu_2 - mu), o_1 + o_2
""",
            "changed its input second",
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
    outputs, count = [], 0
    for i in range(0, len(Q), block):
        starts = range(0, i + 1, block)
        q, count = Q[i : i + block], count + len(starts)
        scores = np.hstack([q @ K[j : j + block].T for j in starts]) / np.sqrt(Q.shape[1])
        scores[:, i:][np.tri(len(q)) == 0] = -np.inf
        weights = softmax(scores)
        outputs.append(sum(weights[:, j : j + block] @ V[j : j + block] for j in starts))
    return np.vstack(outputs), count
""",
            "use nothing from attention_lib",
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


def _back(
    alpha: str = "np.exp(scores - L[:, None])",
    mean: str = "(output * d_output).sum(axis=1, keepdims=True)",
    after: str = " / root",
) -> str:
    """Return the solution with one of its parts replaced."""
    return f"""\
def back(Q, K, V, output, L, d_output):
    root = np.sqrt(Q.shape[1])
    scores = Q @ K.T / root
    alpha, d_alpha = {alpha}, d_output @ V.T
    d_A = alpha * (d_alpha - {mean}){after}
    return d_A @ K, d_A.T @ Q, alpha.T @ d_output
"""


ANSWERS["ex-recompute"] = Answers(
    wrong=(WrongAnswer(_back("np.exp(scores - L)"), "L[:, None]"),),
)


def _grouped(scores: str) -> str:
    return f"""\
def grouped_scores(Q, K):
    (h, n, d_k), (g, m, _) = Q.shape, K.shape
    return {scores} / np.sqrt(d_k)
"""


_COPIED = "as many numbers at once as a copy of the keys"

ANSWERS["ex-grouped"] = Answers(
    wrong=(WrongAnswer(_grouped("Q @ np.repeat(K, h // g, axis=0).transpose(0, 2, 1)"), _COPIED),),
)

ANSWERS["ex-bandwidth"] = Answers(
    right=("alone, together = 3.79, 18.83\n",),
    wrong=(
        WrongAnswer("alone, together = 7, 18.83\n", "alone is not 7", "not yet"),
        WrongAnswer("alone, together = 3.79, 70\n", "together is not 70", "not yet"),
    ),
)
