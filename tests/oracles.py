"""What each public function should return, in plain Python loops on lists of floats.

Slow on purpose and independent of the library: no vectorised NumPy, no clever algebra. An oracle
knows one matrix (or one row); `batched` repeats it over the leading axes.
"""

import math

import numpy as np


def batched(oracle, *arrays, **options):
    """Broadcast all axes but the last two and ask the oracle for each index of them."""
    lead = np.broadcast_shapes(*(array.shape[:-2] for array in arrays))
    arrays = [np.broadcast_to(array, lead + array.shape[-2:]) for array in arrays]
    answers = [
        oracle(*(array[i].tolist() for array in arrays), **options) for i in np.ndindex(lead)
    ]
    if isinstance(answers[0], tuple):
        return tuple(stack(part, lead) for part in zip(*answers, strict=True))
    return stack(answers, lead)


def stack(answers, lead):
    answers = np.array(answers)
    return answers.reshape(lead + answers.shape[1:])


def transpose(A):
    return [list(column) for column in zip(*A, strict=True)]


def matmul(A, B):
    return [[dot(row, column) for column in transpose(B)] for row in A]


# scores of one query q and one key k; `pairs` makes the table


def pairs(Q, K, similarity, *parameters):
    return [[similarity(q, k, *parameters) for k in K] for q in Q]


def dot(q, k):
    return sum(a * b for a, b in zip(q, k, strict=True))


def scaled_dot(q, k):
    return dot(q, k) / math.sqrt(len(q))


def additive(q, k, W_q, W_k, w_v, b):
    total = 0.0
    for c in range(len(w_v)):
        inside = b[c]
        inside += sum(q[a] * W_q[a][c] for a in range(len(q)))
        inside += sum(k[a] * W_k[a][c] for a in range(len(k)))
        total += w_v[c] * math.tanh(inside)
    return total


def multiplicative(q, k, W):
    return sum(q[a] * W[a][b] * k[b] for a in range(len(q)) for b in range(len(k)))


def gated(q, k, w_g, b_g):
    gate = 1 / (1 + math.exp(-(dot(q + k, w_g) + b_g)))
    return gate * dot(q, k)


def distance(q, k):
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(q, k, strict=True)))


def gaussian(q, k, width):
    return math.exp(-((distance(q, k) / width) ** 2) / 2)


def boxcar(q, k, width):
    return 1.0 if distance(q, k) <= width else 0.0


def triangular(q, k, width):
    return max(0.0, 1 - distance(q, k) / width)


def epanechnikov(q, k, width):
    return 0.75 * max(0.0, 1 - (distance(q, k) / width) ** 2)


# weights


def softmax(row, allowed, temperature=1.0):
    top = max((s for s, may in zip(row, allowed, strict=True) if may), default=-math.inf)
    if top == -math.inf:
        return [0.0] * len(row)
    powers = [
        math.exp((s - top) / temperature) if may else 0.0
        for s, may in zip(row, allowed, strict=True)
    ]
    return [power / sum(powers) for power in powers]


def causal_mask(n, m, align="start"):
    ahead = m - n if align == "end" else 0
    return [[j <= i + ahead for j in range(m)] for i in range(n)]


def padding_mask(length, m):
    return [[j < length for j in range(m)]]


def local_mask(n, m, window):
    return [[-window < i - j < window for j in range(m)] for i in range(n)]


def strided_mask(n, m, stride):
    return [[abs(i - j) % stride == 0 for j in range(m)] for i in range(n)]


def top_k_mask(scores, k):
    best = [sorted(range(len(row)), key=lambda j, row=row: (-row[j], j))[:k] for row in scores]
    return [
        [j in chosen for j in range(len(row))] for row, chosen in zip(scores, best, strict=True)
    ]


# pooling


def average(weights, values):
    """Sum the values with these weights; a value of weight zero is not even looked at."""
    return [
        [
            sum(w * v[c] for w, v in zip(row, values, strict=True) if w)
            for c in range(len(values[0]))
        ]
        for row in weights
    ]


def attention(Q, K, V, allowed, score=scaled_dot):
    weights = []
    for q, row in zip(Q, allowed, strict=True):
        scores = [score(q, k) if may else 0.0 for k, may in zip(K, row, strict=True)]
        weights.append(softmax(scores, row))
    return average(weights, V), weights


def kernel_regression(x, keys, values, kernel, width):
    weights = []
    for row in pairs(x, keys, kernel, width):
        total = sum(row)
        weights.append([similarity / total if total else 0.0 for similarity in row])
    return average(weights, values), weights


# one head, many heads


def self_attention(X, allowed, W_q, W_k, W_v):
    return attention(matmul(X, W_q), matmul(X, W_k), matmul(X, W_v), allowed)


def sinusoidal_positions(n, d):
    angle = [[pos / 10000 ** ((c - c % 2) / d) for c in range(d)] for pos in range(n)]
    return [[math.cos(a) if c % 2 else math.sin(a) for c, a in enumerate(row)] for row in angle]


def rotary(X, positions, base):
    turned = []
    for row, (position,) in zip(X, positions, strict=True):
        new = list(row)
        for c in range(0, len(row), 2):
            angle = position * base ** (-c / len(row))
            new[c] = row[c] * math.cos(angle) - row[c + 1] * math.sin(angle)
            new[c + 1] = row[c] * math.sin(angle) + row[c + 1] * math.cos(angle)
        turned.append(new)
    return turned


def alibi(slope, n, m):
    return [[-slope * (i + m - n - j) for j in range(m)] for i in range(n)]


def attention_with_bias(Q, K, V, bias, allowed):
    scores = [
        [scaled_dot(q, k) + b for k, b in zip(K, row, strict=True)]
        for q, row in zip(Q, bias, strict=True)
    ]
    weights = [softmax(row, may) for row, may in zip(scores, allowed, strict=True)]
    return average(weights, V), weights


def split_heads(X, heads):
    size = len(X[0]) // heads
    return [[row[i * size : (i + 1) * size] for row in X] for i in range(heads)]


def merge_heads(X):
    return [[entry for head in X for entry in head[i]] for i in range(len(X[0]))]


def multi_head_attention(
    X, context, allowed, W_q, W_k, W_v, W_o, b_q=(), b_k=(), b_v=(), base=None
):
    outputs, weights = [], []
    g, h = len(W_k), len(W_q)
    for i in range(h):
        j = i * g // h
        Q = shifted(matmul(X, W_q[i]), b_q[i] if b_q else None)
        K = shifted(matmul(context, W_k[j]), b_k[j] if b_k else None)
        V = shifted(matmul(context, W_v[j]), b_v[j] if b_v else None)
        if base is not None:
            Q, K = (rotary(A, [[place] for place in range(len(A))], base) for A in (Q, K))
        output, weight = attention(Q, K, V, allowed)
        outputs.append(output)
        weights.append(weight)
    return matmul(merge_heads(outputs), W_o), weights


def shifted(X, b):
    return X if b is None else [[x + c for x, c in zip(row, b, strict=True)] for row in X]


def relu(x):
    return max(0.0, x)


def gelu(x):
    return x * 0.5 * (1 + math.erf(x / math.sqrt(2)))


def silu(x):
    return x / (1 + math.exp(-x))


def feed_forward(X, W_1, b_1, W_2, b_2, activation=relu, W_g=None):
    up = shifted(matmul(X, W_1), b_1)
    hidden = [[activation(x) for x in row] for row in (up if W_g is None else matmul(X, W_g))]
    if W_g is not None:
        rows = zip(hidden, up, strict=True)
        hidden = [[x * y for x, y in zip(*pair, strict=True)] for pair in rows]
    return shifted(matmul(hidden, W_2), b_2)


# the whole Transformer


def layer_norm(X, gain, bias, eps=1e-5):
    rows = []
    for row in X:
        mean = sum(row) / len(row)
        variance = sum((x - mean) ** 2 for x in row) / len(row)
        scaled = [(x - mean) / math.sqrt(variance + eps) for x in row]
        rows.append([x * g + b for x, g, b in zip(scaled, gain, bias, strict=True)])
    return rows


def rms_norm(X, gain, eps=1e-5):
    sizes = [math.sqrt(sum(x * x for x in row) / len(row) + eps) for row in X]
    return [
        [x / size * g for x, g in zip(row, gain, strict=True)]
        for row, size in zip(X, sizes, strict=True)
    ]


def norm_of(X, p, which):
    if f"bias{which}" in p:
        return layer_norm(X, p[f"gain{which}"], p[f"bias{which}"])
    return rms_norm(X, p[f"gain{which}"])


def add(A, B):
    return [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(A, B, strict=True)]


def transformer_block(X, allowed, p, norm, activation=relu, base=None):
    W = {name: p[name] for name in ("W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v") if name in p}
    network = {"W_1": p["W_1"], "b_1": p.get("b_1", [0.0] * len(p["W_1"][0]))}
    network |= {"W_2": p["W_2"], "b_2": p.get("b_2", [0.0] * len(X[0])), "W_g": p.get("W_g")}
    read = norm_of(X, p, "_1") if norm == "before" else X
    found, _ = multi_head_attention(read, read, allowed, **W, base=base)
    H = add(X, shifted(found, p.get("b_o")))
    if norm == "after":
        H = norm_of(H, p, "_1")
    read = norm_of(H, p, "_2") if norm == "before" else H
    output = add(H, feed_forward(read, **network, activation=activation))
    return output if norm == "before" else norm_of(output, p, "_2")


# gradients


def softmax_backward(weights, d_weights):
    """Multiply by the whole Jacobian: d w[j] / d s[k] = w[j] (1[j = k] - w[k])."""
    return [
        [sum(w[j] * ((j == k) - w[k]) * d_w[j] for j in range(len(w))) for k in range(len(w))]
        for w, d_w in zip(weights, d_weights, strict=True)
    ]


def numeric_gradient(function, x, step):
    """One difference quotient per entry of the list x, for a function of a list."""
    slopes = []
    for i in range(len(x)):
        up, down = list(x), list(x)
        up[i] += step
        down[i] -= step
        slopes.append((function(up) - function(down)) / (2 * step))
    return slopes


# a memory of fixed size


def elu_plus_one(x):
    return x + 1 if x > 0 else math.exp(x)


def linear_attention(Q, K, V, causal=False, keep=1.0):
    """Weigh each pair on its own, and forget the distance `keep` by `keep`."""
    features = [[[elu_plus_one(x) for x in row] for row in X] for X in (Q, K)]
    rows = []
    for i, q in enumerate(features[0]):
        seen = range(min(i + 1, len(K))) if causal else range(len(K))
        weights = [dot(q, features[1][j]) * keep ** (i - j if causal else 0) for j in seen]
        sums = [
            sum(w * V[j][c] for j, w in zip(seen, weights, strict=True)) for c in range(len(V[0]))
        ]
        rows.append([x / sum(weights) for x in sums])
    return rows


def delta_rule(Q, K, V, rate=1.0, keep=1.0):
    S = [[0.0] * len(V[0]) for _ in K[0]]
    rows = []
    for q, k, v in zip(Q, K, V, strict=True):
        S = [[keep * x for x in row] for row in S]
        held = [dot(k, column) for column in transpose(S)]
        missing = [rate * (x - y) for x, y in zip(v, held, strict=True)]
        S = add(S, [[a * b for b in missing] for a in k])
        rows.append([dot(q, column) for column in transpose(S)])
    return rows, S


# looking inside


def value_weighted(weights, V, W_o):
    lengths = [math.sqrt(dot(v, v)) for v in matmul(V, W_o)]
    return [[w * length for w, length in zip(row, lengths, strict=True)] for row in weights]


def induction_score(weights, tokens):
    found = []
    for i in range(len(tokens)):
        earlier = [j for j in range(i) if tokens[j] == tokens[i]]
        if earlier:
            found.append(sum(weights[i][j + 1] for j in earlier))
    return sum(found) / len(found) if found else 0.0
