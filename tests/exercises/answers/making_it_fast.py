"""Right and wrong answers to the exercises of the chapter "Making it fast"."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-weights-memory"] = Answers(
    right=(
        "whole, block, times = 32, 16, 4\n",
        "whole, block, times = np.float64(32.0), 16.0, np.int64(4)\n",
    ),
    wrong=(
        WrongAnswer("whole, block, times = 1, 16, 4\n", "that is one head"),
        WrongAnswer("whole, block, times = 8, 16, 4\n", "Each takes four bytes"),
        WrongAnswer("whole, block, times = 64, 16, 4\n", "eight bytes a number"),
        WrongAnswer("whole, block, times = 34.36, 16, 4\n", "in GB"),
        WrongAnswer("whole, block, times = 32_768, 16, 4\n", "whole: that is in MiB"),
        WrongAnswer("whole, block, times = 4 * 32 * 16_384**2, 16, 4\n", "whole: that is in bytes"),
        WrongAnswer("whole, block, times = 32, 4, 4\n", "block: that counts numbers"),
        WrongAnswer("whole, block, times = 32, 512, 4\n", "all 32 heads"),
        WrongAnswer("whole, block, times = 32, 32, 4\n", "block: that is float64"),
        WrongAnswer("whole, block, times = 32, 0.25, 4\n", "256 × 256"),
        WrongAnswer("whole, block, times = 32, 1 / 64, 4\n", "block: that is in GiB"),
        WrongAnswer("whole, block, times = 32, 2**24, 4\n", "block: that is in bytes"),
        WrongAnswer("whole, block, times = 32, 16.777, 4\n", "in MB"),
        WrongAnswer("whole, block, times = 32, 16, 1 / 4\n", "projections over pairs"),
        WrongAnswer("whole, block, times = 32, 16, 8\n", "that is n / d"),
        WrongAnswer("whole, block, times = 32, 16, 2\n", "leaves out a product"),
        WrongAnswer("whole, block, times = 32, 16, 128\n", "vectors of size d"),
        WrongAnswer("whole, block, times = 32, 16, 1 / 8\n", "the work of one head"),
        WrongAnswer("whole, block, times = 32, 16, 2 * 16_384**2 * 2048\n", "work of the pairs"),
        WrongAnswer("whole, block, times = 32, 16, 4 * 16_384 * 2048**2\n", "The pairs' is"),
        WrongAnswer("whole, block, times = 32, 16, 5\n", "times is not 5", "not yet"),
        WrongAnswer("whole, block, times = 31, 16, 4\n", "whole is not 31", "not yet"),
        WrongAnswer("whole, block, times = 32, float('nan'), 4\n", "block is not nan", "not yet"),
        WrongAnswer(
            "whole, block, times = '32 GiB', 16, 4\n", "whole is one number", "wrong shape"
        ),
    ),
)

ANSWERS["ex-online"] = Answers(
    right=(
        """\
from itertools import islice

def read_stream(stream):
    m, Z, o = -np.inf, 0.0, 0.0
    stream = iter(stream)
    while chunk := list(islice(stream, 8)):
        a, values = np.array([s for s, _ in chunk]), np.array([v for _, v in chunk])
        new = max(m, a.max())
        w = np.exp(a - new)
        Z, o = Z * np.exp(m - new) + w.sum(), o * np.exp(m - new) + w @ values
        m = new
    return o / Z
""",
        """\
def read_stream(stream):
    mu, Z, o = None, None, None
    for score, value in stream:
        if mu is None:
            mu, Z, o = score, 1.0, value
        elif score <= mu:
            Z, o = Z + np.exp(score - mu), o + np.exp(score - mu) * value
        else:
            Z, o, mu = Z * np.exp(mu - score) + 1, o * np.exp(mu - score) + value, score
    return o / Z
""",
        """\
def read_stream(stream):
    mu, value = next(stream)
    Z, o = 1.0, [float(v) for v in value]
    for score, value in stream:
        new = max(mu, score)
        shrink, power = np.exp(mu - new), np.exp(score - new)
        Z = Z * shrink + power
        o = [x * shrink + power * v for x, v in zip(o, value)]
        mu = new
    return [x / Z for x in o]
""",
        """\
def read_stream(stream):
    log_Z, output = -np.inf, 0.0
    for score, value in stream:
        log_Z = np.logaddexp(log_Z, score)
        weight = np.exp(score - log_Z)
        output = (1 - weight) * output + weight * value
    return output
""",
        """\
import math
from functools import reduce

def step(state, pair):
    (mu, Z, o), (score, value) = state, pair
    new = max(mu, score)
    shrink, power = math.exp(mu - new), math.exp(score - new)
    values = value.tolist()
    o = [x * shrink + power * v for x, v in zip(o or [0.0] * len(values), values)]
    return new, Z * shrink + power, o

def read_stream(stream):
    mu, Z, o = reduce(step, stream, (-math.inf, 0.0, []))
    return [x / Z for x in o]
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def read_stream(stream):
    mu, Z, o = -np.inf, 0.0, 0.0
    for score, value in stream:
        new = max(mu, score)
        grow, power = np.exp(new - mu), np.exp(score - new)
        Z, o, mu = Z * grow + power, o * grow + power * value, new
    return o / Z
""",
            "has the wrong sign",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    mu, Z, o = -np.inf, 0.0, 0.0
    for score, value in stream:
        new = max(mu, score)
        shrink, power = np.exp(mu - new), np.exp(score - new)
        Z, o = Z * shrink + power, o * shrink + power * value
    return o / Z
""",
            "the maximum is never kept",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    mu, Z, o = -np.inf, 0.0, 0.0
    for score, value in stream:
        new = max(mu, score)
        shrink, power = np.exp(mu - new), np.exp(score - new)
        Z, o, mu = Z * shrink + power, o * shrink + power * value, new
    return mu, Z, o
""",
            "returned three things.",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    scores, values = zip(*stream)
    return softmax(np.array(scores)) @ np.array(values)
""",
            "you hold the whole stream",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    pairs = []
    for s, v in stream:
        pairs.append((s, v))
    a, V = (np.array([pair[part] for pair in pairs]) for part in (0, 1))
    w = np.exp(a - a.max())
    return w @ V / w.sum()
""",
            "you hold the whole stream",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    pairs = []
    for s, v in stream:
        pairs.append((float(s), v.copy()))
    a, V = (np.array([pair[part] for pair in pairs]) for part in (0, 1))
    w = np.exp(a - a.max())
    return w @ V / w.sum()
""",
            "you hold the whole stream",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    pairs = [(float(s), v.tolist()) for s, v in stream]
    a, V = (np.array([pair[part] for pair in pairs]) for part in (0, 1))
    w = np.exp(a - a.max())
    return w @ V / w.sum()
""",
            "you hold the whole stream",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    d = {}
    for i, (s, v) in enumerate(stream):
        d[i] = (float(s), v.copy())
    pairs = list(d.values())
    a, V = (np.array([pair[part] for pair in pairs]) for part in (0, 1))
    w = np.exp(a - a.max())
    return w @ V / w.sum()
""",
            "you hold the whole stream",
        ),
        WrongAnswer(
            """\
from collections import deque

def read_stream(stream):
    pairs = deque((float(s), v.copy()) for s, v in stream)
    a, V = (np.array([pair[part] for pair in pairs]) for part in (0, 1))
    w = np.exp(a - a.max())
    return w @ V / w.sum()
""",
            "you hold the whole stream",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    rows = np.array([np.r_[s, v] for s, v in stream])
    w = np.exp(rows[:, 0] - rows[:, 0].max())
    return w @ rows[:, 1:] / w.sum()
""",
            "you hold the whole stream",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    scores, mu, Z, o = {}, -np.inf, 0.0, 0.0
    for place, (score, value) in enumerate(stream):
        scores[place] = float(score)
        new = max(scores.values())
        Z, o = Z * np.exp(mu - new), o * np.exp(mu - new)
        Z, o, mu = Z + np.exp(score - new), o + np.exp(score - new) * value, new
    return o / Z
""",
            "you hold the whole stream",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    scores, values = np.zeros(0), None
    for score, value in stream:
        scores = np.append(scores, score)
        values = value[None] if values is None else np.vstack([values, value])
    return softmax(scores) @ values
""",
            "you hold the whole stream",
        ),
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
            "can be read only once",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    mu, Z, o = -1e9, 0.0, 0.0
    for score, value in stream:
        new = max(mu, score)
        Z = Z * np.exp(mu - new) + np.exp(score - new)
        o = o * np.exp(mu - new) + np.exp(score - new) * value
        mu = new
    return o / Z
""",
            "starts at a finite number",
        ),
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
""",
            "the maximum starts at 0",
        ),
        WrongAnswer(
            """\
import math

def read_stream(stream):
    mu, Z, o = -1e9, 0.0, [0.0] * 99
    for score, value in stream:
        new = max(mu, score)
        shrink, power = math.exp(mu - new), math.exp(score - new)
        Z, mu = Z * shrink + power, new
        o = [x * shrink + power * float(v) for x, v in zip(o, value)]
    return [x / Z for x in o]
""",
            "starts at a finite number",
        ),
        WrongAnswer(
            """\
import math

def read_stream(stream):
    mu, Z, o = -math.inf, 0.0, [0.0] * 99
    for score, value in stream:
        new = max(mu, score)
        shrink, power = math.exp(mu - new), math.exp(score - new)
        o, mu = [x * shrink + power * float(v) for x, v in zip(o, value)], new
    return [x / Z for x in o]
""",
            "raised ZeroDivisionError",
            "not yet",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    mu, Z, o = -np.inf, 0.0, 0.0
    for score, value in stream:
        new = max(mu, score)
        shrink, power = np.exp(mu - new), np.exp(score - new)
        Z, o, mu = Z * shrink + power, o * shrink + power * value, new
    return o
""",
            "o / Z",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    mu, Z, o = -np.inf, 0.0, 0.0
    for score, value in stream:
        mu = max(mu, score)
        Z += np.exp(score - mu)
        o = o + np.exp(score - mu) * value
    return o / Z
""",
            "neither sum is multiplied",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    mu, Z, o = -np.inf, 0.0, 0.0
    for score, value in stream:
        new = max(mu, score)
        Z = Z * np.exp(mu - new) + np.exp(score - new)
        o = o + np.exp(score - new) * value
        mu = new
    return o / Z
""",
            "Z shrinks when the maximum moves, but o does not",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    mu, Z, o = -np.inf, 0.0, 0.0
    for score, value in stream:
        new = max(mu, score)
        Z = Z + np.exp(score - new)
        o = o * np.exp(mu - new) + np.exp(score - new) * value
        mu = new
    return o / Z
""",
            "o shrinks when the maximum moves, but Z does not",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    return np.mean([value for _, value in stream], axis=0)
""",
            "plain average",
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
            """\
import math

def read_stream(stream):
    Z, o = 0.0, 0.0
    for score, value in stream:
        Z, o = Z + math.exp(score), o + math.exp(score) * value
    return o / Z
""",
            "large scores overflow",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    mu, Z, o = 0.0, 0.0, 0.0
    for score, value in stream:
        new = max(mu, score)
        Z = Z * np.exp(mu - new) + np.exp(score - new)
        o = o * np.exp(mu - new) + np.exp(score - new) * value
        mu = new
    return o / Z
""",
            "Start from minus infinity",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    scores = [score for score, _ in stream]
    mu = max(score for score, _ in stream)
    return mu
""",
            "can be read only once",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    mu = max(score for score, _ in stream)
    Z = sum(np.exp(score - mu) for score, _ in stream)
    return sum(np.exp(score - mu) * value for score, value in stream) / np.float64(Z)
""",
            "can be read only once",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    Z, o = 0.0, 0.0
    for score, value in stream:
        Z, o = Z + np.exp(score[0]), o + np.exp(score[0]) * value
    return o / Z
""",
            "'float' object is not subscriptable",
            "not yet",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    return [len(score) * value for score, value in stream]
""",
            "object of type 'float' has no len()",
            "not yet",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    return [stream[j][1] for j in range(2)]
""",
            "can be read only once",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    scores = np.array([stream[j][0] for j in range(len(stream))])
    return softmax(scores) @ np.array([pair[1] for pair in stream])
""",
            "can be read only once",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    mu, Z, o = -np.inf, 0.0, 0.0
    for score, value in stream:
        new = max(mu, score)
        shrink, power = np.exp(mu - new), np.exp(score - new)
        value *= power
        Z, o, mu = Z * shrink + power, o * shrink + value, new
    return o / Z
""",
            "changed its input stream",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    return softmax(np.array([score for score, value in stream]))
""",
            "should have shape (2,), but has shape (1,)",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def read_stream(stream):
    best, output = -np.inf, 0.0
    for score, value in stream:
        if score > best:
            best, output = score, value
    return output
""",
            "for stream = [(2, [1, 0]), (1, [0, 1])] it should return [0.7311, 0.2689]",
            "not yet",
        ),
    ),
)

ANSWERS["ex-merge"] = Answers(
    right=(
        """\
def merge(first, second):
    if first[0] < second[0]:
        first, second = second, first
    factor = np.exp(second[0] - first[0])
    return first[0], first[1] + factor * second[1], first[2] + factor * second[2]
""",
        """\
def merge(first, second):
    peaks, sums = np.array([first[0], second[0]]), np.array([first[1], second[1]])
    factors = np.exp(peaks - peaks.max())
    return [peaks.max(), factors @ sums, factors @ np.stack([first[2], second[2]])]
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def merge(first, second):
    mu = max(first[0], second[0])
    one, two = np.exp(mu - first[0]), np.exp(mu - second[0])
    return mu, one * first[1] + two * second[1], one * first[2] + two * second[2]
""",
            "the exponent has the wrong sign",
        ),
        WrongAnswer(
            """\
def merge(first, second):
    mu = max(first[0], second[0])
    one = np.exp(first[0] - mu)
    return mu, one * first[1] + second[1], one * first[2] + second[2]
""",
            "only one half is multiplied",
        ),
        WrongAnswer(
            """\
def merge(first, second):
    mu = max(first[0], second[0])
    two = np.exp(second[0] - mu)
    return mu, first[1] + two * second[1], first[2] + two * second[2]
""",
            "only one half is multiplied",
        ),
        WrongAnswer(
            """\
def merge(first, second):
    mu = max(first[0], second[0])
    one, two = np.exp(first[0] - mu), np.exp(second[0] - mu)
    Z = one * first[1] + two * second[1]
    return mu, Z, (one * first[2] + two * second[2]) / Z
""",
            "Leave that to the very end",
        ),
        WrongAnswer(
            """\
def merge(first, second):
    one, two = np.exp(first[0]), np.exp(second[0])
    mu = max(first[0], second[0])
    return mu, one * first[1] + two * second[1], one * first[2] + two * second[2]
""",
            "they overflow",
        ),
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
        WrongAnswer(
            """\
def merge(first, second):
    mu = max(first[0], second[0])
    return mu, np.exp(first[0] - mu) * first[1] + np.exp(second[0] - mu) * second[1]
""",
            "should return the three parts mu, Z and o",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def merge(first, second):
    mu = min(first[0], second[0])
    one, two = np.exp(first[0] - mu), np.exp(second[0] - mu)
    return mu, one * first[1] + two * second[1], one * first[2] + two * second[2]
""",
            "it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-exact"] = Answers(
    right=(
        'answer = "B"\n',
        'answer = "(b)"\n',
    ),
    wrong=(
        WrongAnswer('answer = "a"\n', "the rescaling is exact"),
        WrongAnswer('answer = "c"\n', "No row depends on another"),
        WrongAnswer('answer = "d"\n', "the same divisor"),
        WrongAnswer('answer = "e"\n', "not 'e'", "wrong shape"),
    ),
)


def _causal(
    stop: str = "i + 1",
    hidden: str = "i == j",
    root: str = " / Q.shape[1] ** 0.5",
    shrink: str = "np.exp(mu - new)",
    counted: str = "count + 1",
    tile: str = "q @ K[j : j + block].T",
) -> str:
    """Return the solution with one of its parts replaced."""
    return f"""\
def causal_attention(Q, K, V, block):
    output, count = [], 0
    for i in range(0, len(Q), block):
        q = Q[i : i + block]
        mu, Z, o = np.full((len(q), 1), -np.inf), 0.0, 0.0
        for j in range(0, {stop}, block):
            scores = {tile}{root}
            if {hidden}:
                places = np.arange(j, j + scores.shape[1])
                scores[np.arange(i, i + len(q))[:, None] < places] = -np.inf
            new = np.maximum(mu, scores.max(axis=1, keepdims=True))
            shrink, powers = {shrink}, np.exp(scores - new)
            Z = Z * shrink + powers.sum(axis=1, keepdims=True)
            o = o * shrink + powers @ V[j : j + block]
            mu, count = new, {counted}
        output.append(o / Z)
    return np.concatenate(output), count
"""


ANSWERS["ex-causal-blocks"] = Answers(
    right=(
        """\
def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)

def causal_attention(Q, K, V, block):
    n, output, count = len(Q), [], 0
    for i in range(0, n, block):
        parts = []
        for j in range(0, i + 1, block):
            scores = np.dot(Q[i : i + block], K[j : j + block].T) / Q.shape[1] ** 0.5
            parts.append(np.where(np.tri(len(scores)) == 0, -np.inf, scores) if i == j else scores)
            count += 1
        output.append(softmax(np.concatenate(parts, axis=1)) @ V[: min(i + block, n)])
    return np.concatenate(output), count
""",
        _causal(),
        """\
import math

def causal_attention(Q, K, V, block):
    n, output, count = len(Q), [], 0
    for i in range(0, n, block):
        count += len(range(0, i + 1, block))
        for row in range(i, min(i + block, n)):
            scores = [sum(Q[row] * K[j]) / math.sqrt(len(Q[row])) for j in range(row + 1)]
            powers = [math.exp(score - max(scores)) for score in scores]
            mixed = sum(power * V[j] for j, power in enumerate(powers))
            output.append(mixed / sum(powers))
    return np.array(output), count
""",
        _causal(tile="np.array([[row @ key for key in K[j : j + block]] for row in q])"),
        _causal(tile="(q[:, None] * K[None, j : j + block]).sum(-1)"),
        _causal(tile="np.asarray(q) @ np.asarray(K)[j : j + block].T"),
        """\
def causal_attention(Q, K, V, block):
    n, count = len(Q), 0
    output, scores = np.zeros((n, V.shape[1])), np.full((n, n), -np.inf)
    queries, keys = Q / Q.shape[1] ** 0.25, K / Q.shape[1] ** 0.25
    for i in range(0, n, block):
        for j in range(0, i + 1, block):
            scores[i : i + block, j : j + block] = queries[i : i + block] @ keys[j : j + block].T
            count += 1
    scores[np.tri(n) == 0] = -np.inf
    for i in range(0, n, block):
        seen = min(i + block, n)
        powers = np.exp(scores[i:seen, :seen] - scores[i:seen, :seen].max(axis=1, keepdims=True))
        output[i:seen] = powers @ V[:seen] / powers.sum(axis=1, keepdims=True)
    return output, count
""",
    ),
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
    output, b = [], -(-len(Q) // block)
    for i, q in enumerate(Q):
        output.append(softmax(K[: i + 1] @ q / np.sqrt(len(q))) @ V[: i + 1])
    return np.array(output), b * (b + 1) // 2
""",
            "a query is multiplied by more than block keys at once",
        ),
        WrongAnswer(
            """\
def causal_attention(Q, K, V, block):
    output, count = np.zeros((len(Q), V.shape[1])), 0
    for i in range(0, len(Q), block):
        rows, seen = slice(i, i + block), min(i + block, len(K))
        scores = Q[rows] @ K[:seen].T / np.sqrt(Q.shape[1])
        mask = np.arange(i, i + len(scores))[:, None] >= np.arange(seen)
        output[rows] = softmax(scores, mask=mask) @ V[:seen]
        count += i // block + 1
    return output, count
""",
            "a query is multiplied by more than block keys at once",
        ),
        WrongAnswer(
            _causal(stop="len(K)").replace(
                "            if i == j:",
                "            if j > i:\n                continue\n            if i == j:",
            ),
            "compute the scores of tiles",
        ),
        WrongAnswer(
            _causal(stop="len(K)", tile="np.asarray(q) @ np.asarray(K)[j : j + block].T").replace(
                "            if i == j:",
                "            if j > i:\n                continue\n            if i == j:",
            ),
            "compute the scores of tiles",
        ),
        *(
            WrongAnswer(
                f"""\
def causal_attention(Q, K, V, block):
    output, count, A = [], 0, {scores}
    for i in range(0, len(Q), block):
        mu, Z, o = -np.inf, 0.0, 0.0
        for j in range(0, i + 1, block):
            tile = A[i : i + block, j : j + block].copy()
            if i == j:
                tile[np.tri(len(tile)) == 0] = -np.inf
            new = np.maximum(mu, tile.max(axis=1, keepdims=True))
            shrink, powers = np.exp(mu - new), np.exp(tile - new)
            Z = Z * shrink + powers.sum(axis=1, keepdims=True)
            o, mu, count = o * shrink + powers @ V[j : j + block], new, count + 1
        output.append(o / Z)
    return np.concatenate(output), count
""",
                says,
            )
            for scores, says in (
                ("Q @ K.T / Q.shape[1] ** 0.5", "more than block keys at once"),
                ("(Q[:, None] * K[None]).sum(-1) / Q.shape[1] ** 0.5", "more than block keys"),
                ("np.asarray(Q) @ np.asarray(K).T / Q.shape[1] ** 0.5", "every pair is hidden"),
                ("(Q / Q.shape[1] ** 0.25) @ (K / Q.shape[1] ** 0.25).T", "every pair is hidden"),
                ("np.array(Q) @ (K.copy() / np.sqrt(Q.shape[1])).T", "every pair is hidden"),
            )
        ),
        WrongAnswer(
            """\
def causal_attention(Q, K, V, block):
    n, count = len(Q), 0
    mu, Z, o = np.full((n, 1), -np.inf), np.zeros((n, 1)), np.zeros((n, V.shape[1]))
    for j in range(0, n, block):
        scores = Q[j:] @ K[j : j + block].T / Q.shape[1] ** 0.5
        k = scores.shape[1]
        scores[:k][np.tri(k) == 0] = -np.inf
        new = np.maximum(mu[j:], scores.max(axis=1, keepdims=True))
        shrink, powers = np.exp(mu[j:] - new), np.exp(scores - new)
        Z[j:] = Z[j:] * shrink + powers.sum(axis=1, keepdims=True)
        o[j:] = o[j:] * shrink + powers @ V[j : j + block]
        mu[j:], count = new, count + -(-(n - j) // block)
    return o / Z, count
""",
            "more than block queries are multiplied",
        ),
        WrongAnswer(_causal(root=" / Q.shape[1]"), "Take its square root"),
        WrongAnswer(
            """\
def causal_attention(Q, K, V, block):
    b = len(Q) // block
    scores = np.where(np.tri(len(Q)), Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    return softmax(scores) @ V, b * (b + 1) // 2
""",
            "n / block is rounded up",
        ),
        WrongAnswer(
            """\
def causal_attention(Q, K, V, block):
    b = -(-len(Q) // block)
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = softmax(np.where(np.tri(len(Q)), scores, -np.inf))
    return weights @ V, b * (b + 1) // 2
""",
            "you do compute tiles",
        ),
        WrongAnswer(
            """\
from attention_lib import blockwise_attention

def causal_attention(Q, K, V, block):
    b = -(-len(Q) // block)
    return blockwise_attention(Q, K, V, causal=True), b * (b + 1) // 2
""",
            "library's own blockwise_attention",
        ),
        WrongAnswer(
            _causal(stop="len(K)", hidden="j >= i", counted="count + (j <= i)"),
            "you do compute tiles",
        ),
        WrongAnswer(_causal(stop="len(K)", hidden="j >= i"), "you count all tiles"),
        WrongAnswer(_causal(counted="count + scores.size"), "it should return", "not yet"),
        WrongAnswer(
            """\
def causal_attention(Q, K, V, block):
    n = len(Q)
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    return softmax(scores, mask=np.tri(n, dtype=bool)) @ V, n * (n + 1) // 2
""",
            "the count is that of pairs",
        ),
        WrongAnswer(_causal(hidden="False"), "show their queries later keys"),
        WrongAnswer(
            _causal(stop="len(K)", hidden="False"), "nothing is hidden and nothing skipped"
        ),
        WrongAnswer(
            """\
def causal_attention(Q, K, V, block):
    b = -(-len(Q) // block)
    return softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V, b * (b + 1) // 2
""",
            "nothing is hidden: the queries see all keys",
        ),
        WrongAnswer(_causal(root=""), "not divided by the square root"),
        WrongAnswer(_causal(shrink="1"), "must shrink"),
        WrongAnswer(
            """\
def causal_attention(Q, K, V, block):
    output, count = np.zeros((len(Q), V.shape[1])), 0
    for i in range(0, len(Q), block):
        for j in range(0, i + 1, block):
            scores = Q[i : i + block] @ K[j : j + block].T / np.sqrt(Q.shape[1])
            if i == j:
                scores[np.tri(len(scores)) == 0] = -np.inf
            output[i : i + block] += softmax(scores) @ V[j : j + block]
            count += 1
    return output, count
""",
            "a softmax of its own",
        ),
        WrongAnswer(
            """\
def causal_attention(Q, K, V, block):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    return softmax(scores, mask=np.tri(len(Q), dtype=bool)) @ V
""",
            "should return the output and the number of tiles",
            "wrong shape",
        ),
    ),
)

ANSWERS["ex-recompute"] = Answers(
    right=(
        """\
def back(Q, K, V, output, L, d_output):
    alpha = np.exp((Q @ K.T) / np.sqrt(K.shape[-1]) - L.reshape(-1, 1))
    D = np.einsum("nv,nv->n", output, d_output)
    d_scores = alpha * (d_output @ V.T - D[:, None]) / K.shape[-1] ** 0.5
    return d_scores @ K, d_scores.T @ Q, alpha.T @ d_output
""",
        """\
def back(Q, K, V, output, L, d_output):
    d_Q, d_K, d_V = np.zeros(Q.shape), np.zeros(K.shape), np.zeros(V.shape)
    for i in range(len(Q)):
        a = np.exp(K @ Q[i] / np.sqrt(len(Q[i])) - L[i])
        d_a = a * (V @ d_output[i] - output[i] @ d_output[i]) / np.sqrt(len(Q[i]))
        d_Q[i] = d_a @ K
        d_K += np.outer(d_a, Q[i])
        d_V += np.outer(a, d_output[i])
    return d_Q, d_K, d_V
""",
        """\
def back(Q, K, V, output, L, d_output):
    root = Q.shape[1] ** 0.5
    alpha = np.exp(Q @ K.T / root - L[:, None])
    d_A = alpha * (d_output[:, None] * (V - output[:, None])).sum(axis=-1)
    return d_A @ K / root, d_A.T @ Q / root, alpha.T @ d_output
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def back(Q, K, V, output, L, d_output):
    root = np.sqrt(Q.shape[1])
    alpha = softmax(Q @ K.T / root)
    d_alpha = d_output @ V.T
    d_A = alpha * (d_alpha - (alpha * d_alpha).sum(axis=1, keepdims=True))
    return d_A @ K / root, d_A.T @ Q / root, alpha.T @ d_output
""",
            "a softmax over this block alone, and so is the average",
        ),
        WrongAnswer(
            """\
def back(Q, K, V, output, L, d_output):
    root = np.sqrt(Q.shape[1])
    alpha = softmax(Q @ K.T / root)
    d_A = alpha * (d_output @ V.T - (output * d_output).sum(axis=1, keepdims=True))
    return d_A @ K / root, d_A.T @ Q / root, alpha.T @ d_output
""",
            "a softmax over this block alone. Among all keys",
        ),
        WrongAnswer(
            """\
def back(Q, K, V, output, L, d_output):
    root = np.sqrt(Q.shape[1])
    alpha = np.exp(Q @ K.T / root - L[:, None])
    d_alpha = d_output @ V.T
    d_A = alpha * (d_alpha - (alpha * d_alpha).sum(axis=1, keepdims=True))
    return d_A @ K / root, d_A.T @ Q / root, alpha.T @ d_output
""",
            "runs over this block alone",
        ),
        WrongAnswer(
            """\
def back(Q, K, V, output, L, d_output):
    root = np.sqrt(Q.shape[1])
    alpha = np.exp(Q @ K.T / root - L)
    d_A = alpha * (d_output @ V.T - (output * d_output).sum(axis=1, keepdims=True))
    return d_A @ K / root, d_A.T @ Q / root, alpha.T @ d_output
""",
            "L[:, None]",
        ),
        WrongAnswer(
            """\
def back(Q, K, V, output, L, d_output):
    root = np.sqrt(Q.shape[1])
    alpha = np.exp(Q @ K.T / root) / np.exp(L)[:, None]
    d_A = alpha * (d_output @ V.T - (output * d_output).sum(axis=1, keepdims=True))
    return d_A @ K / root, d_A.T @ Q / root, alpha.T @ d_output
""",
            "infinity over infinity",
        ),
        WrongAnswer(
            """\
def back(Q, K, V, output, L, d_output):
    root = np.sqrt(Q.shape[1])
    alpha = np.exp(Q @ K.T / root - L[:, None])
    d_A = alpha * (d_output @ V.T - (output * d_output).sum(axis=1, keepdims=True))
    return d_A @ K, d_A.T @ Q, alpha.T @ d_output
""",
            "d_Q and d_K are too large",
        ),
        WrongAnswer(
            """\
def back(Q, K, V, output, L, d_output):
    alpha = np.exp(Q @ K.T / np.sqrt(Q.shape[1]) - L[:, None])
    return alpha.T @ d_output
""",
            "d_Q, d_K and d_V",
            "wrong shape",
        ),
        WrongAnswer(
            """\
from attention_lib import attention_backward

def back(Q, K, V, output, L, d_output):
    return attention_backward(Q, K, V, d_output)
""",
            "attention_backward",
        ),
        WrongAnswer(
            """\
def back(Q, K, V, output, L, d_output):
    root = np.sqrt(Q.shape[1])
    alpha = np.exp(Q @ K.T / root - L[:, None])
    d_A = alpha * (d_output @ V.T)
    d_A = d_A - d_A.mean(axis=1, keepdims=True)
    return d_A @ K / root, d_A.T @ Q / root, alpha.T @ d_output
""",
            "it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-cache"] = Answers(
    right=(
        """\
def attend_next(x, keys, values, W_q, W_k, W_v):
    q = x @ W_q
    keys = np.concatenate([keys, (x @ W_k)[None]])
    values = np.concatenate([values, (x @ W_v)[None, :]], axis=0)
    scores = keys @ q / W_q.shape[1] ** 0.5
    return softmax(scores) @ values, keys, values
""",
        """\
from attention_lib import attention

def attend_next(x, keys, values, W_q, W_k, W_v):
    keys = np.append(keys, [x @ W_k], axis=0)
    values = np.append(values, [x @ W_v], axis=0)
    output, _ = attention([x @ W_q], keys, values)
    return output[0], keys, values
""",
        """\
def attend_next(x, keys, values, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    new_keys, new_values = list(keys) + [k], list(values) + [v]
    powers = [np.exp(key @ q / np.sqrt(len(q))) for key in new_keys]
    output = sum(p * value for p, value in zip(powers, new_values)) / sum(powers)
    return output, np.array(new_keys), np.array(new_values)
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def attend_next(x, keys, values, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    output = softmax(keys @ q / np.sqrt(len(keys))) @ values
    return output, np.vstack([k, keys]), np.vstack([values, v])
""",
            "Of the 3 faults 3 are left",
        ),
        WrongAnswer(
            """\
def attend_next(x, keys, values, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    output = softmax(keys @ q / np.sqrt(len(q))) @ values
    return output, np.vstack([keys, k]), np.vstack([values, v])
""",
            "the new token does not see itself",
        ),
        WrongAnswer(
            """\
def attend_next(x, keys, values, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    keys, values = np.vstack([keys, k]), np.vstack([values, v])
    return softmax(keys @ q / np.sqrt(len(keys))) @ values, keys, values
""",
            "the root of the number of keys",
        ),
        WrongAnswer(
            """\
def attend_next(x, keys, values, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    keys, values = np.vstack([k, keys]), np.vstack([values, v])
    return softmax(keys @ q / np.sqrt(len(q))) @ values, keys, values
""",
            "no longer belong together",
        ),
        WrongAnswer(
            """\
def attend_next(x, keys, values, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    keys, values = np.vstack([k, keys]), np.vstack([v, values])
    return softmax(keys @ q / np.sqrt(len(q))) @ values, keys, values
""",
            "the new rows stand in front",
        ),
        WrongAnswer(
            """\
def attend_next(x, keys, values, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    output = softmax(np.vstack([keys, k]) @ q / np.sqrt(len(q))) @ np.vstack([values, v])
    return output, keys, values
""",
            "have not grown",
        ),
        WrongAnswer(
            """\
def attend_next(x, keys, values, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    keys, values = np.vstack([keys, k]), np.vstack([values, v])
    return softmax(keys @ q) @ values, keys, values
""",
            "not divided by the root",
        ),
        WrongAnswer(
            """\
def attend_next(x, keys, values, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    keys, values = np.vstack([keys, k]), np.vstack([values, v])
    return softmax(keys @ q / np.sqrt(len(q))) @ values
""",
            "the output, the keys and the values",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def attend_next(x, keys, values, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    keys, values = np.vstack([keys, k]), np.vstack([values, v])
    return values[np.argmax(keys @ q)], keys, values
""",
            "it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-grouped"] = Answers(
    right=(
        """\
def grouped_scores(Q, K):
    (h, n, d_k), (g, m, _) = Q.shape, K.shape
    scores = np.einsum("gsnd,gmd->gsnm", Q.reshape(g, h // g, n, d_k), K)
    return scores.reshape(h, n, m) / np.sqrt(d_k)
""",
        """\
def grouped_scores(Q, K):
    share = len(Q) // len(K)
    return np.stack([Q[r] @ K[r // share].T / Q.shape[-1] ** 0.5 for r in range(len(Q))])
""",
        """\
def grouped_scores(Q, K):
    g, m, d_k = K.shape
    rows = Q.reshape(g, -1, d_k) @ K.transpose(0, 2, 1)  # a group has h/g times n queries
    return rows.reshape(len(Q), -1, m) / np.sqrt(d_k)
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def grouped_scores(Q, K):
    keys = np.repeat(K, len(Q) // len(K), axis=0)
    return Q @ keys.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
""",
            "as many numbers at once as a copy of the keys",
        ),
        WrongAnswer(
            """\
def grouped_scores(Q, K):
    (h, n, d_k), (g, m, _) = Q.shape, K.shape
    keys = np.broadcast_to(K[:, None], (g, h // g, m, d_k)).reshape(h, m, d_k)
    return Q @ keys.transpose(0, 2, 1) / np.sqrt(d_k)
""",
            "as many numbers at once as a copy of the keys",
        ),
        WrongAnswer(
            """\
def grouped_scores(Q, K):
    (h, n, d_k), (g, m, _) = Q.shape, K.shape
    products = Q.reshape(g, h // g, n, 1, d_k) * K[:, None, None]
    return products.sum(-1).reshape(h, n, m) / np.sqrt(d_k)
""",
            "as many numbers at once as a copy of the keys",
        ),
        WrongAnswer(
            """\
def grouped_scores(Q, K):
    keys = np.tile(K, (len(Q) // len(K), 1, 1))
    return Q @ keys.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
""",
            "neighbouring heads of queries get different keys",
        ),
        WrongAnswer(
            """\
def grouped_scores(Q, K):
    (h, n, d_k), (g, m, _) = Q.shape, K.shape
    scores = Q.reshape(h // g, g, n, d_k) @ K.swapaxes(-1, -2)
    return scores.reshape(h, n, m) / np.sqrt(d_k)
""",
            "neighbouring heads of queries get different keys",
        ),
        WrongAnswer(
            """\
def grouped_scores(Q, K):
    (h, n, d_k), (g, m, _) = Q.shape, K.shape
    return (Q.reshape(g, h // g, n, d_k) @ K[:, None].swapaxes(-1, -2)).reshape(h, n, m)
""",
            "not divided by the root",
        ),
        WrongAnswer(
            """\
def grouped_scores(Q, K):
    (h, n, d_k), (g, m, _) = Q.shape, K.shape
    return Q.reshape(g, h // g, n, d_k) @ K[:, None].swapaxes(-1, -2) / np.sqrt(d_k)
""",
            "should have shape (2, 1, 2), but has shape (1, 2, 1, 2)",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def grouped_scores(Q, K):
    return Q @ K[0].T / np.sqrt(Q.shape[-1])
""",
            "the first head of keys",
        ),
        WrongAnswer(
            """\
def grouped_scores(Q, K):
    share = len(Q) // len(K)
    return np.stack([Q[r] @ K[-1 - r // share].T / Q.shape[-1] ** 0.5 for r in range(len(Q))]) + 1
""",
            "it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-half"] = Answers(
    right=('answer = "B"\n', 'answer = "(b)"\n', 'answer = " b. "\n'),
    wrong=(
        WrongAnswer("answer = 'a'\n", "before there is any exponential"),
        WrongAnswer("answer = 'd'\n", "all scores beyond the limit are now equal"),
        WrongAnswer("answer = 'c'\n", "infinity minus infinity is NaN"),
        WrongAnswer("answer = 8\n", "including the quotes, not 8", "wrong shape"),
    ),
)
