"""Right and wrong answers to the exercises of the chapter "Making it fast"."""

from answers import Answers, WrongAnswer

ANSWERS = {}


def _memory(numbers: str, says: str) -> WrongAnswer:
    return WrongAnswer(f"whole, block, times = {numbers}\n", says)


ANSWERS["ex-weights-memory"] = Answers(
    right=("whole, block, times = np.float64(32.0), 16.0, np.int64(4)\n",),
    wrong=(
        _memory("1, 16, 4", "that is one head"),
        _memory("8, 16, 4", "Each takes four bytes"),
        _memory("64, 16, 4", "eight bytes a number"),
        _memory("34.36, 16, 4", "in GB"),
        _memory("32_768, 16, 4", "whole: that is in MiB"),
        _memory("4 * 32 * 16_384**2, 16, 4", "whole: that is in bytes"),
        _memory("32, 4, 4", "block: that counts numbers"),
        _memory("32, 512, 4", "all 32 heads"),
        _memory("32, 32, 4", "block: that is float64"),
        _memory("32, 0.25, 4", "256 × 256"),
        _memory("32, 1 / 64, 4", "block: that is in GiB"),
        _memory("32, 2**24, 4", "block: that is in bytes"),
        _memory("32, 16.777, 4", "in MB"),
        _memory("32, 16, 1 / 4", "projections over pairs"),
        _memory("32, 16, 8", "that is n / d"),
        _memory("32, 16, 2", "leaves out a product"),
        _memory("32, 16, 16_384 / (2 * 64)", "32 times too much"),
        _memory("32, 16, 1 / 8", "the work of one head"),
        _memory("32, 16, 2 * 16_384**2 * 2048", "work of the pairs"),
        _memory("32, 16, 4 * 16_384 * 2048**2", "The pairs' is"),
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
    right=(
        """\
from itertools import islice

def read_stream(stream):
    m, Z, o = -np.inf, 0.0, 0.0
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
    ),
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


def _merge(one: str, two: str, o: str = "one * first[2] + two * second[2]") -> str:
    return f"""\
def merge(first, second):
    mu = max(first[0], second[0])
    one, two = {one}, {two}
    Z = one * first[1] + two * second[1]
    return mu, Z, {o}
"""


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
            _merge("np.exp(mu - first[0])", "np.exp(mu - second[0])"), "has the wrong sign"
        ),
        WrongAnswer(_merge("np.exp(first[0] - mu)", "1"), "only one half is multiplied"),
        WrongAnswer(_merge("np.exp(first[0])", "np.exp(second[0])"), "they overflow"),
        WrongAnswer(
            _merge(
                "np.exp(first[0] - mu)",
                "np.exp(second[0] - mu)",
                "(one * first[2] + two * second[2]) / Z",
            ),
            "Leave that to the very end",
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
        _causal(tile="(q[:, None] * K[None, j : j + block]).sum(-1)"),
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
    scores = np.where(np.tri(len(Q)), Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    return softmax(scores) @ V, b * (b + 1) // 2
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
        WrongAnswer(_causal(hidden="False"), "show their queries later keys"),
        WrongAnswer(_causal(stop="len(K)", hidden="False"), "nothing is hidden and nothing skip"),
        WrongAnswer(_causal(root=""), "not divided by the square root"),
        WrongAnswer(_causal(root=" / Q.shape[1]"), "Take its square root"),
        WrongAnswer(_causal(shrink="1"), "must shrink"),
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


_OF_BLOCK = "(alpha * d_alpha).sum(axis=1, keepdims=True)"

ANSWERS["ex-recompute"] = Answers(
    right=(
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
        _back(mean='np.einsum("nv,nv->n", output, d_output)[:, None]'),
    ),
    wrong=(
        WrongAnswer(
            """\
from attention_lib import attention_backward

def back(Q, K, V, output, L, d_output):
    return attention_backward(Q, K, V, d_output)
""",
            "library's own attention_backward",
        ),
        WrongAnswer(_back("softmax(scores)"), "a softmax over this block alone. Among all keys"),
        WrongAnswer(_back("softmax(scores)", _OF_BLOCK), "block alone, and so is the average"),
        WrongAnswer(_back(mean=_OF_BLOCK), "runs over this block alone"),
        WrongAnswer(_back("np.exp(scores - L)"), "L[:, None]"),
        WrongAnswer(_back("np.exp(scores) / np.exp(L)[:, None]"), "infinity over infinity"),
        WrongAnswer(_back(after=""), "d_Q and d_K are too large"),
    ),
)

_CACHE = """\
def attend_next(x, keys, values, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    {}
"""
_GROWN = "keys, values = np.vstack([keys, k]), np.vstack([values, v])\n    "

ANSWERS["ex-cache"] = Answers(
    right=(
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
            _CACHE.format(
                _GROWN + "return softmax(keys @ q / np.sqrt(len(keys))) @ values, keys, values"
            ),
            "the root of the number of keys",
        ),
    ),
)


def _grouped(scores: str) -> str:
    return f"""\
def grouped_scores(Q, K):
    (h, n, d_k), (g, m, _) = Q.shape, K.shape
    return {scores} / np.sqrt(d_k)
"""


_COPIED = "as many numbers at once as a copy of the keys"
_NEIGHBOURS = "neighbouring heads of queries get different keys"

ANSWERS["ex-grouped"] = Answers(
    right=(
        _grouped('np.einsum("gsnd,gmd->gsnm", Q.reshape(g, h // g, n, d_k), K).reshape(h, n, m)'),
        _grouped("np.stack([Q[r] @ K[r // (h // g)].T for r in range(h)])"),
        _grouped("(Q.reshape(g, -1, d_k) @ K.transpose(0, 2, 1)).reshape(h, -1, m)"),
    ),
    wrong=(
        WrongAnswer(_grouped("Q @ np.repeat(K, h // g, axis=0).transpose(0, 2, 1)"), _COPIED),
        WrongAnswer(
            _grouped(
                "(Q.reshape(g, h // g, n, 1, d_k) * K[:, None, None]).sum(-1).reshape(h, n, m)"
            ),
            _COPIED,
        ),
        WrongAnswer(_grouped("Q @ np.tile(K, (h // g, 1, 1)).transpose(0, 2, 1)"), _NEIGHBOURS),
        WrongAnswer(
            _grouped("(Q.reshape(h // g, g, n, d_k) @ K.swapaxes(-1, -2)).reshape(h, n, m)"),
            _NEIGHBOURS,
        ),
        WrongAnswer(_grouped("Q @ K[0].T"), "the first head of keys"),
    ),
)
