"""Answers to the exercises of the chapter "Looking inside", to test their checkers with."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-head-picture"] = Answers(
    right=(
        'answer = "D"\n',
        'answer = "(d)"\n',
    ),
    wrong=(
        WrongAnswer('answer = "a"\n', "one sentence cannot show a rule"),
        WrongAnswer('answer = "b"\n', "it has to be removed"),
        WrongAnswer('answer = "c"\n', "a long key can win"),
        WrongAnswer('answer = "dog"\n', "answer with one of", "wrong shape"),
    ),
)

_TICKED = "done = [True] * 4\n"

ANSWERS["ex-subject-test"] = Answers(
    right=(
        """\
def hit_rate(rows, subjects):
    found = rows[:, 1:-1].argmax(axis=1) + 1
    return (found == subjects).mean()
"""
        + _TICKED,
        """\
def hit_rate(rows, subjects):
    inside = np.ma.array(rows, copy=True)
    inside[:, 0] = inside[:, -1] = np.ma.masked
    found = inside.argmax(axis=1)
    return np.count_nonzero(found == subjects) / found.size
"""
        + "done = np.ones(4, dtype=bool)\n",
        """\
def hit_rate(rows, subjects):
    hits = [int(np.argmax(list(row)[1:-1])) + 1 == s for row, s in zip(rows, subjects)]
    return sum(hits) / len(hits)
"""
        + _TICKED,
        """\
def hit_rate(rows, subjects):
    hits = 0
    for row, subject in zip(rows, subjects):
        hits += row[subject] == max(row[1:-1])
    return hits / len(rows)
"""
        + _TICKED,
        """\
def hit_rate(rows, subjects):
    words = rows.copy()
    words[:, [0, -1]] = -1
    return np.mean(np.argmax(words, axis=-1) == subjects)
"""
        + _TICKED,
    ),
    wrong=(
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    return (rows[:, 1:-1].argmax(axis=1) + 1 != subjects).mean()
"""
            + _TICKED,
            "the share of misses",
        ),
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    return round(float((rows[:, 1:-1].argmax(axis=1) + 1 == subjects).mean()), 2)
"""
            + _TICKED,
            "it should return",
            "not yet",
        ),
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    rows[:, [0, -1]] = 0
    return (rows.argmax(axis=1) == subjects).mean()
"""
            + _TICKED,
            "changed its input rows",
        ),
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    return rows[:, 1:-1].argmax(axis=1) + 1 == subjects
"""
            + _TICKED,
            "should have shape (), but has shape (1,)",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    return (rows[:, 1:-1].argmax(axis=1) + 1 == subjects).mean()

done = [True]
""",
            "done should have 4 entries, True or False",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    return (rows[:, 1:-1].argmin(axis=1) + 1 == subjects).mean()
"""
            + _TICKED,
            "it should return 1, but returned 0",
            "not yet",
        ),
        WrongAnswer(
            """\
def hit_rate(rows, subjects):
    return (rows[:, 1:-1].argmax(axis=1) + 1 == subjects).mean()

done = [True, True, False, True]
""",
            "point 3 is still open",
            "not yet",
        ),
    ),
)

ANSWERS["ex-remove-head"] = Answers(
    right=(
        """\
def without(heads, W_o, i):
    h, n, d_v = heads.shape
    output = np.zeros((n, W_o.shape[1]), dtype="float32")
    for j in range(h):
        if j != i:
            output += np.float32(heads[j]) @ np.float32(W_o[j * d_v : (j + 1) * d_v])
    return output
""",
        """\
def without(heads, W_o, i):
    kept = np.arange(len(heads)) != i
    H = np.where(kept[:, None, None], heads, 0)
    return H.transpose(1, 0, 2).reshape(H.shape[1], -1) @ W_o
""",
        """\
def without(heads, W_o, i):
    silenced = heads.copy()
    silenced[i] = 0
    return np.concatenate(list(silenced), axis=-1) @ W_o
""",
        """\
from attention_lib import merge_heads

def without(heads, W_o, i):
    d_v = heads.shape[-1]
    rows = np.arange(i * d_v, (i + 1) * d_v)
    return merge_heads(np.delete(heads, i, axis=0)) @ np.delete(W_o, rows, axis=0)
""",
        """\
def without(heads, W_o, i):
    h, n, d_v = heads.shape
    parts = np.einsum("hnv,hvo->hno", heads, W_o.reshape(h, d_v, -1))
    return parts.sum(axis=0) - parts[i]
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def without(heads, W_o, r):
    raise ValueError("shapes do not match")
""",
            "raised ValueError: shapes do not match",
            "not yet",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    silenced = heads.copy()
    silenced[i] = 0
    return silenced @ W_o
""",
            "Lay the heads end to end first",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    silenced = heads.copy()
    silenced[i] = 0
    return np.concatenate(silenced) @ W_o
""",
            "Lay the heads end to end first",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    return (heads.sum(axis=0) - heads[i]) @ W_o
""",
            "Lay the heads end to end first",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    d_v = heads.shape[-1]
    return heads[i] @ W_o[i * d_v : (i + 1) * d_v]
""",
            "what head r alone contributes",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    silenced = heads.copy()
    silenced[:, i : i + 1] = 0
    return np.concatenate(list(silenced), axis=-1) @ W_o
""",
            "word r is silenced",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    h, n, d_v = heads.shape
    blocks = W_o.reshape(h, d_v, -1)
    return np.mean([heads[j] @ blocks[j] for j in range(h) if j != i], axis=0)
""",
            "you divide by the number of heads",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    heads[i] = 0
    return np.concatenate(list(heads), axis=-1) @ W_o
""",
            "changed its input heads",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    silenced = heads.copy()
    silenced[i] = 0
    return np.concatenate(list(silenced), axis=-1)
""",
            "should have shape (2, 2), but has shape (2, 4)",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def without(heads, W_o, i):
    silenced = heads.copy()
    silenced[i] = silenced.mean(axis=0)
    return np.concatenate(list(silenced), axis=-1) @ W_o
""",
            "and r = 0 it should return",
            "not yet",
        ),
    ),
)

ANSWERS["ex-value-shares"] = Answers(
    right=(
        """\
def value_shares(weights, V, W_o):
    added = weights[:, :, None] * (V @ W_o)  # (n, m, d_out)
    sizes = np.sqrt((added**2).sum(axis=-1))
    total = sizes.sum(axis=1, keepdims=True)
    return np.divide(sizes, total, out=np.zeros_like(sizes), where=total > 0)
""",
        """\
def value_shares(weights, V, W_o):
    sizes = [np.linalg.norm(v @ W_o) for v in V]
    rows = []
    for row in weights:
        added = [w * size for w, size in zip(row, sizes)]
        rows.append([a / sum(added) if sum(added) else 0.0 for a in added])
    return rows
""",
        """\
def value_shares(weights, V, W_o):
    added = weights @ np.diag(np.linalg.norm(V @ W_o, axis=-1))
    return np.nan_to_num(added / added.sum(-1)[:, None])
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def value_shares(weights, V, W_o):
    added = weights * np.linalg.norm(V @ W_o, axis=1)
    return added / (added.sum(axis=1, keepdims=True) + 1e-9)
""",
            "a small number is added to the sum",
        ),
        WrongAnswer(
            """\
def value_shares(weights, V, W_o):
    added = weights * np.linalg.norm(V, axis=1)
    return np.nan_to_num(added / added.sum(axis=1, keepdims=True))
""",
            "the lengths of the values themselves",
        ),
        WrongAnswer(
            """\
def value_shares(weights, V, W_o):
    return weights * np.linalg.norm(V @ W_o, axis=1)
""",
            "the rows do not sum to one",
        ),
        WrongAnswer(
            """\
def value_shares(weights, V, W_o):
    added = weights * np.linalg.norm(V @ W_o, axis=1)
    return np.nan_to_num(added / added.sum(axis=0))
""",
            "the columns sum to one here",
        ),
        WrongAnswer(
            """\
def value_shares(weights, V, W_o):
    added = weights * np.linalg.norm(V @ W_o, axis=1)
    return added / added.sum()
""",
            "all is divided by one sum",
        ),
        WrongAnswer(
            """\
def value_shares(weights, V, W_o):
    added = weights * ((V @ W_o) ** 2).sum(axis=1)
    return np.nan_to_num(added / added.sum(axis=1, keepdims=True))
""",
            "squares of lengths",
        ),
        WrongAnswer(
            """\
def value_shares(weights, V, W_o):
    added = weights * np.linalg.norm(V @ W_o, axis=1)
    return added / added.sum(axis=1, keepdims=True)
""",
            "0 is divided by 0",
        ),
        WrongAnswer(
            """\
def value_shares(weights, V, W_o):
    return weights
""",
            "the weights as they were",
        ),
        WrongAnswer(
            """\
def value_shares(weights, V, W_o):
    weights *= np.linalg.norm(V @ W_o, axis=1)
    total = weights.sum(axis=1, keepdims=True)
    return weights / np.where(total == 0, 1, total)
""",
            "changed its input weights",
        ),
        WrongAnswer(
            """\
def value_shares(weights, V, W_o):
    added = weights * np.abs(V @ W_o).max(axis=1)
    total = added.sum(axis=1, keepdims=True)
    return added / np.where(total == 0, 1, total)
""",
            "it should return",
            "not yet",
        ),
        WrongAnswer(
            """\
def value_shares(weights, V, W_o):
    return np.linalg.norm(weights @ V @ W_o, axis=1)
""",
            "should have shape (1, 2), but has shape (1,)",
            "wrong shape",
        ),
    ),
)

ANSWERS["ex-induction-score"] = Answers(
    right=(
        """\
def induction_score(weights, tokens):
    scores = []
    for i in range(1, len(tokens)):
        earlier = [j for j in range(i) if tokens[j] == tokens[i]]
        if earlier:
            scores.append(weights[i, np.array(earlier) + 1].sum())
    return np.mean(scores) if scores else 0
""",
        """\
def induction_score(weights, tokens):
    tokens = np.array(tokens)
    same = np.tril(tokens[:, None] == tokens, -1)  # (n, n): an earlier copy
    after = np.roll(same, 1, axis=1)
    asks = same.any(axis=1)
    return (weights * after).sum() / max(1, asks.sum())
""",
        """\
def induction_score(weights, tokens):
    total, asking = 0, set()
    for i in range(len(tokens)):
        for j in range(i):
            if tokens[j] == tokens[i]:
                total += weights[i, j + 1]
                asking.add(i)
    return total / (len(asking) or 1)
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def induction_score(weights, tokens):
    total = 0
    for i in range(len(tokens)):
        for j in range(i):
            if tokens[j] == tokens[i]:
                total += weights[j + 1, i]
    return total / len(tokens)
""",
            "row and column are still exchanged, and the sum",
        ),
        WrongAnswer(
            """\
def induction_score(weights, tokens):
    total = 0
    for i in range(len(tokens)):
        for j in range(i):
            if tokens[j] == tokens[i]:
                total += weights[i, j + 1]
    return total / len(tokens)
""",
            "divided by the number of all tokens",
        ),
        WrongAnswer(
            """\
def induction_score(weights, tokens):
    found = [weights[i, j] for i in range(len(tokens)) for j in range(i) if tokens[j] == tokens[i]]
    return sum(found) / len({i for i in range(len(tokens)) if tokens[i] in tokens[:i]} or {0})
""",
            "on the earlier copy itself",
        ),
        WrongAnswer(
            """\
def induction_score(weights, tokens):
    found = []
    for i in range(len(tokens)):
        for j in range(i):
            if tokens[j] == tokens[i]:
                found.append(weights[i, j + 1])
    return np.mean(found) if found else 0
""",
            "counts once for each of them",
        ),
        WrongAnswer(
            """\
def induction_score(weights, tokens):
    found = []
    for i, token in enumerate(tokens):
        after = [j + 1 for j in range(i) if tokens[j] == token]
        if after:
            found.append(sum(weights[i, j] for j in after))
    return sum(found) / len(found)
""",
            "the average divides by 0",
        ),
        WrongAnswer(
            """\
def induction_score(weights, tokens):
    found = []
    for i, token in enumerate(tokens):
        after = [j + 1 for j in range(i) if tokens[j] == token]
        if after:
            found.append(sum(weights[i, j] for j in after))
    return np.mean(found)
""",
            "the average divides by 0",
        ),
        WrongAnswer(
            """\
def induction_score(weights, tokens):
    return [sum(weights[i, j + 1] for j in range(i) if tokens[j] == tokens[i]) for i in range(3)]
""",
            "should have shape (), but has shape (3,)",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def induction_score(weights, tokens):
    return weights.mean()
""",
            "it should return 0.6",
            "not yet",
        ),
    ),
)

ANSWERS["ex-free-weights"] = Answers(
    right=(
        """\
def free(V):
    differences = V[1:] - V[0]
    return len(V) - 1 - np.linalg.matrix_rank(differences)
""",
        """\
def free(V):
    A = np.hstack([V, np.ones((len(V), 1))])
    return A.shape[0] - int((np.linalg.svd(A, compute_uv=False) > 1e-4).sum())
""",
        """\
def free(V):
    centred = V - V.mean(axis=0)
    return len(V) - np.linalg.matrix_rank(centred, tol=1e-4) - 1
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def free(V):
    return len(V) - 1 - np.linalg.matrix_rank(np.round(V - V[0]))
""",
            "it should return",
            "not yet",
        ),
        WrongAnswer(
            """\
def free(V):
    return len(V) - np.linalg.matrix_rank(V)
""",
            "put a column of ones beside V",
        ),
        WrongAnswer(
            """\
def free(V):
    m, d_v = V.shape
    return m - d_v - 1
""",
            "there cannot be more of them than weights",
        ),
        WrongAnswer(
            """\
def free(V):
    m, d_v = V.shape
    return max(0, m - d_v - 1)
""",
            "as if all were independent",
        ),
        WrongAnswer(
            """\
def free(V):
    return np.linalg.matrix_rank(np.c_[V, np.ones(len(V))])
""",
            "this counts the equations",
        ),
        WrongAnswer(
            """\
def free(V):
    return len(V) - 1 - np.linalg.matrix_rank(V)
""",
            "one is taken off",
        ),
        WrongAnswer(
            """\
def free(V):
    return V - V.mean(axis=0)
""",
            "should have shape ()",
            "wrong shape",
        ),
        WrongAnswer(
            """\
def free(V):
    return 1
""",
            "it should return",
            "not yet",
        ),
    ),
)
