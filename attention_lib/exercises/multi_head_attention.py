"""Exercises of the chapter "Multi-head attention"."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp
from typing import Any

from numpy import (
    arange,
    argmax,
    array,
    asarray,
    concatenate,
    isfinite,
    sin,
    sqrt,
    where,
    zeros,
)
from numpy import exp as exp_all
from numpy.random import Generator

from attention_lib.datasets import load_minilm_layer
from attention_lib.exercises._rules import ALL_BUT_SOFTMAX, draw_small, nearly, worth_a_probe
from attention_lib.exercises.engine import (
    NOT_STARTED,
    Array,
    ChoiceChecker,
    DesignChecker,
    Exercise,
    Finding,
    FunctionChecker,
    Mistake,
    distinct_sizes,
    draw_arrays,
    is_shape,
    not_a_number,
    parts,
    read_array,
    run,
    show,
    too_late,
    unfinished,
)


def _numbers(*shape: int, start: int = 0) -> Array:
    """Return numbers that repeat nowhere, the same on every machine."""
    size = 1
    for length in shape:
        size *= length
    return sin(arange(start, start + size) * 1.7 + 0.3).reshape(shape).round(2)


def _rows(scores: Array, axis: int = -1) -> Array:
    powers = exp_all(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


# ex-count-heads

_COUNT = 4 * 512 * 512
_SHAPE = (10, 512)

_OTHER_COUNTS = {
    3 * 512 * 512: "W_o is missing: it holds as many numbers as the W_q of all heads together.",
    3 * 512 * 64: "these are W_q, W_k and W_v of one head. There are eight heads, and W_o.",
    4 * 512 * 64: "this counts one head only, with W_o as if it belonged to that head. There are "
    "eight heads, and W_o has 8 · 64 rows.",
    8 * 4 * 512 * 512: "this gives every head matrices of 512 × 512. Their projections are short: "
    "512 × 64.",
    8 * 3 * 512 * 512 + 512 * 512: "this gives every head matrices of 512 × 512. Their projections "
    "are short: 512 × 64.",
    8 * 3 * 64 * 64 + 512 * 512: "this lets each head see a piece of the word only. Every head "
    "projects the whole word, so its matrices are 512 × 64.",
    8 * 3 * 512 * 64 + 64 * 512: "W_o has too few rows: it gets the outputs of all eight heads "
    "laid end to end, 8 · 64 numbers for each word.",
    4 * 512 * 512 + 4 * 512: "that is with the biases. Count the matrices only.",
}

_OTHER_SHAPES = {
    (8, 10, 64): "the count is right, but this is the shape of the heads before they are laid end "
    "to end.",
    (10, 8, 64): "the count is right, but here every word still has eight separate rows. Laid end "
    "to end they make one.",
    (80, 64): "the count is right, but this puts the heads one below the other. Laid end to end "
    "they make the rows longer; there is one row for each word.",
    (10, 64): "the count is right, but this is the shape of one head.",
    (512, 10): "the count is right, but words are rows: the other way round.",
}


def check_count(numbers: Any, shape: Any) -> Finding:
    """Judge the count of numbers, then the shape of the merged heads."""
    if unfinished(numbers) or unfinished(shape):
        return Finding("not started", NOT_STARTED)
    if found := not_a_number(numbers, "the count is one number, but yours is {}."):
        return found
    if not isfinite(float(numbers)) or float(numbers) != _COUNT:
        says = (
            f"the matrices do not hold {show(numbers)} numbers: add up three matrices for each "
            "head, then W_o."
        )
        known = _OTHER_COUNTS.get(asarray(numbers).item())
        return Finding("known mistake", known) if known else Finding("not yet", says)
    return _judge_shape(shape)


def _judge_shape(shape: Any) -> Finding:
    if not is_shape(shape):
        return Finding(
            "wrong shape",
            f"a shape is written as in (rows, columns), but yours is {show(shape)}.",
        )
    given = tuple(shape)
    if given != _SHAPE:
        says = (
            f"the count is right, but the shape is not {show(given)}: how many words, and how "
            "many numbers for each?"
        )
        known = _OTHER_SHAPES.get(given)
        return Finding("known mistake", known) if known else Finding("not yet", says)
    return Finding(
        "correct", "four times 512 squared, and one row of 512 for each of the ten words."
    )


# ex-split-heads


def split(X: Array, h: int) -> list[list[list[float]]]:
    """Give piece r of every row to head r."""
    width = X.shape[1] // h
    rows = X.tolist()
    return [[row[i * width : (i + 1) * width] for row in rows] for i in range(h)]


def _interleaved(X: Array, h: int) -> Array:
    return X.reshape(len(X), -1, h).transpose(2, 0, 1)


def _shared_out(h: int, n: int, width: int) -> tuple[int, ...]:
    return h, n // h, h * width


def _draw_split(rng: Generator) -> tuple[Any, ...]:
    n, h, width = distinct_sizes(rng, 3)
    return *draw_arrays(rng, (n, h * width)), h


SPLIT = FunctionChecker(
    name="split",
    parameters=("X", "h"),
    gives="one matrix for each head",
    right=split,
    cases=(
        (array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]), 2),
        (arange(18.0).reshape(3, 6), 2),
        (arange(24.0).reshape(2, 12), 3),
        (arange(10.0).reshape(5, 2), 1),
    ),
    draw=_draw_split,
    without=ALL_BUT_SOFTMAX,
    mistakes=(
        Mistake(
            "the shape is right and the numbers are not: a single reshape to (h, n, d // h) gives "
            "whole words to each head and cuts them up. Reshape to (n, h, d // h), then swap the "
            "first two axes.",
            wrong=lambda X, h: X.reshape(h, len(X), -1),
        ),
        Mistake(
            "the pieces are right, but words come first: the shape is (n, h, d // h). Swap the "
            "first two axes.",
            wrong=lambda X, h: X.reshape(len(X), h, -1),
        ),
        Mistake(
            "head r gets every h-th number of a row. It should get one piece of neighbours: "
            "reshape to (n, h, d // h), not to (n, d // h, h).",
            wrong=_interleaved,
        ),
        Mistake(
            "the words are shared out among the heads. Every head gets all words, and a piece of "
            "each.",
            shows=lambda got, right: got.shape == _shared_out(*right.shape),
        ),
        Mistake(
            "each head holds its pieces as columns. Words are rows: do not transpose within a "
            "head.",
            wrong=lambda X, h: X.T.reshape(h, -1, len(X)),
        ),
        Mistake(
            ".T reverses all three axes. Swap the first two only, heads and words.",
            wrong=lambda X, h: X.reshape(len(X), h, -1).T,
        ),
        Mistake(
            "the shape is right and the numbers are not: X.T mixes words and numbers before the "
            "reshape. Reshape X itself to (n, h, d // h), then swap the first two axes.",
            wrong=lambda X, h: X.T.reshape(h, len(X), -1),
        ),
    ),
    praise="every head gets its piece of every word, and the words keep their order.",
)

# ex-head-picture


PICTURE = ChoiceChecker(
    right="c",
    explanations={
        "a": "that is a rule, and one sentence cannot show a rule. Two of the three heads in the "
        "figure give the same picture and stay with the dog when the nouns are swapped.",
        "b": "a picture does not show what the model would do without the head. For that it has to "
        "be removed, and other heads may do its work.",
        "c": "a weight says how much one value counts in one output. Everything beyond that has to "
        "be tested.",
        "d": "weights come from dot products, and a long key can win without being similar. Also, "
        "the row of his compares one query with all keys, not all queries.",
    },
)

# ex-subject-test


def hit_rate(rows: Array, subjects: Array) -> float:
    """Give the share of rows whose largest weight between first and last is on the subject."""
    hits = 0
    for row, subject in zip(rows.tolist(), asarray(subjects).tolist(), strict=True):
        inside = range(1, len(row) - 1)
        hits += max(inside, key=lambda j: row[j]) == subject
    return hits / len(rows)


def _share(found: Array, subjects: Array) -> float:
    return float((found == asarray(subjects)).mean())


def _on_subject(rows: Array, subjects: Array) -> Array:
    return rows[arange(len(rows)), asarray(subjects)]


def _draw_rows(rng: Generator) -> tuple[Array, Array]:
    """Draw rows of weights; about half of the subjects are ahead of all other words."""
    n, m = int(rng.integers(3, 8)), int(rng.integers(5, 10))
    rows = _rows(2 * rng.normal(size=(n, m)))
    ahead = rows[:, 1:-1].argmax(axis=1) + 1
    return rows, where(rng.random(n) < 0.5, ahead, rng.integers(1, m - 1, size=n))


HIT_RATE = FunctionChecker(
    name="hit_rate",
    parameters=("rows", "subjects"),
    gives="one number",
    right=hit_rate,
    cases=(
        (array([[0.5, 0.1, 0.3, 0.1]]), array([2])),
        (
            array([[0.6, 0.3, 0.05, 0.05, 0.0], [0.1, 0.2, 0.5, 0.1, 0.1]]),
            array([1, 3]),
        ),
        (
            array(
                [
                    [0.1, 0.6, 0.1, 0.1, 0.1, 0.0],
                    [0.4, 0.1, 0.2, 0.1, 0.1, 0.1],
                    [0.0, 0.1, 0.1, 0.2, 0.1, 0.5],
                    [0.1, 0.1, 0.1, 0.2, 0.4, 0.1],
                    [0.1, 0.4, 0.1, 0.2, 0.1, 0.1],
                ]
            ),
            array([1, 2, 3, 4, 3]),
        ),
    ),
    draw=_draw_rows,
    mistakes=(
        Mistake(
            "[CLS] and [SEP] count in yours. Many heads rest there whatever they find: leave out "
            "the first and the last column before you look for the largest weight.",
            wrong=lambda rows, subjects: _share(rows.argmax(axis=1), subjects),
        ),
        Mistake(
            "the places have shifted: column 0 of rows[:, 1:-1] is column 1 of rows. Add one to "
            "what argmax finds.",
            wrong=lambda rows, subjects: _share(rows[:, 1:-1].argmax(axis=1), subjects),
        ),
        Mistake(
            "[SEP] counts in yours: leave out the last column too.",
            wrong=lambda rows, subjects: _share(rows[:, 1:].argmax(axis=1) + 1, subjects),
        ),
        Mistake(
            "[CLS] counts in yours: leave out the first column too.",
            wrong=lambda rows, subjects: _share(rows[:, :-1].argmax(axis=1), subjects),
        ),
        Mistake(
            "this is the share of misses. Count the rows in which the two are equal.",
            wrong=lambda rows, subjects: 1 - hit_rate(rows, subjects),
        ),
        Mistake(
            "this is a percentage. A share is a number from 0 to 1.",
            wrong=lambda rows, subjects: 100 * hit_rate(rows, subjects),
        ),
        Mistake(
            "this is the average weight on the subject. Count the rows in which the subject is "
            "ahead of all other words, and divide by the number of rows.",
            wrong=lambda rows, subjects: float(_on_subject(rows, subjects).mean()),
        ),
        Mistake(
            "this is the number of hits. Divide it by the number of rows.",
            wrong=lambda rows, subjects: hit_rate(rows, subjects) * len(rows),
        ),
        Mistake(
            "a hit is not the same as a weight above a half. Among many words the largest weight "
            "may be small.",
            wrong=lambda rows, subjects: float((_on_subject(rows, subjects) > 0.5).mean()),
        ),
    ),
    praise="your score counts what it should, and you have compared your design with all points of "
    "the rubric.",
)

SUBJECT_RUBRIC = (
    "It names sentences chosen before looking, swapped nouns among them, and a result that would "
    "refute the idea.",
    "It names simpler rules, such as the nearest or the first noun, and sentences that tell them "
    "apart.",
    "It compares with other heads and simple rules, and does not test the head on the sentences it "
    "was chosen on.",
    "It says that weights do not show use, and how to test that: remove or change the head and "
    "measure what the model predicts.",
)

# ex-remove-head


def without(heads: Array, W_o: Array, i: int) -> list[list[float]]:
    """Add up the terms of all heads but one."""
    h, n, d_v = heads.shape
    output = [[0.0] * W_o.shape[1] for _ in range(n)]
    for j in range(h):
        if j == i:
            continue
        for word in range(n):
            for v in range(d_v):
                for k in range(W_o.shape[1]):
                    output[word][k] += float(heads[j, word, v]) * float(W_o[j * d_v + v, k])
    return output


def _merged(heads: Array) -> Array:
    return concatenate(list(heads), axis=-1)  # (n, h * d_v)


def _silenced(heads: Array, i: int) -> Array:
    return heads * (arange(len(heads)) != i)[:, None, None]


def _cut_off(heads: Array, W_o: Array, i: int) -> Array:
    rest = _merged(heads[arange(len(heads)) != i])
    return rest @ W_o[: rest.shape[1]]


def _silent_word(heads: Array, W_o: Array, i: int) -> Array:
    return _merged(heads * (arange(heads.shape[1]) != i)[None, :, None]) @ W_o


def _one_row(heads: Array, W_o: Array, i: int) -> Array:
    return _merged(heads) @ (W_o * (arange(len(W_o)) != i)[:, None])


def _unswapped(heads: Array, W_o: Array, i: int) -> Array:
    return _silenced(heads, i).reshape(heads.shape[1], -1) @ W_o


def _draw_heads(rng: Generator) -> tuple[Any, ...]:
    h, n, d_v, d_out = distinct_sizes(rng, 4)
    return *draw_arrays(rng, (h, n, d_v), (h * d_v, d_out)), int(rng.integers(min(h, n)))


class RemoveChecker(FunctionChecker):
    """Checks the output without a head; tells apart two ways in which the shapes do not fit."""

    def __call__(self, function: Any) -> Finding:
        """Judge the function; if shapes clash, see whether each head meets the whole of W_o."""
        finding = super().__call__(function)
        if worth_a_probe(finding) and callable(function) and _meets_all_of_it(function):
            return Finding("known mistake", _END_TO_END)
        return finding


def _meets_all_of_it(function: Any) -> bool:
    """Return whether a product is legal only with a W_o that has as many rows as one head needs."""
    heads, W_o = _numbers(3, 2, 4), _numbers(12, 5)
    whole, short = (run(function, (heads, rows, 0), read_array) for rows in (W_o, W_o[:4]))
    return whole.error.startswith("ValueError") and short.returned


_END_TO_END = (
    "each head meets the whole of W_o here, which has h * d_v rows. Lay the heads end to end "
    "first, one row of h * d_v numbers for each word, or give each head its own rows of W_o."
)

REMOVE = RemoveChecker(
    name="without",
    parameters=("heads", "W_o", "r"),
    gives="one row for each word",
    right=without,
    cases=(
        (
            array([[[1.0, 2.0], [3.0, 1.0]], [[2.0, 0.5], [1.0, 4.0]]]),
            array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [1.0, 1.0]]),
            0,
        ),
        (_numbers(3, 4, 2), _numbers(6, 5, start=50), 1),
        (_numbers(4, 5, 3, start=9), _numbers(12, 2, start=80), 3),
    ),
    draw=_draw_heads,
    mistakes=(
        Mistake(
            "no head is missing: this is the output of the whole layer.",
            wrong=lambda heads, W_o, i: _merged(heads) @ W_o,
        ),
        Mistake(
            "this is what head r alone contributes. The output without it is the sum of all the "
            "other terms.",
            wrong=lambda heads, W_o, i: _merged(heads - _silenced(heads, i)) @ W_o,
        ),
        Mistake(
            "the head is gone but its rows of W_o are not, so later heads meet rows that belong to "
            "their neighbours. Remove both, or put zeros in place of the head.",
            wrong=_cut_off,
        ),
        Mistake(
            "the head is gone but its rows of W_o are not, so the shapes no longer fit. Remove "
            "both, or put zeros in place of the head.",
            wrong=lambda heads, W_o, i: _merged(heads[arange(len(heads)) != i]) @ W_o,
        ),
        Mistake(
            "word r is silenced instead of head r. The first axis of heads counts the heads.",
            wrong=_silent_word,
        ),
        Mistake(
            "only row r of W_o is left out. Head r has d_v rows there, from r * d_v on.",
            wrong=_one_row,
        ),
        Mistake(
            "only row r of W_o is left out. Head r has d_v rows there, from r * d_v on.",
            wrong=lambda heads, W_o, i: _merged(heads) @ W_o[arange(len(W_o)) != i],
        ),
        Mistake(
            "column r of every head is silenced instead of head r. The first axis of heads counts "
            "the heads.",
            wrong=lambda heads, W_o, i: _merged(heads * (arange(heads.shape[2]) != i)) @ W_o,
        ),
        Mistake(
            "the heads are reshaped without swapping axes first, so words and heads are mixed up. "
            "Lay them end to end with np.concatenate, along the last axis.",
            wrong=_unswapped,
        ),
        Mistake(
            "you divide by the number of heads. The heads are added up, not averaged.",
            wrong=lambda heads, W_o, i: _merged(_silenced(heads, i)) @ W_o / (len(heads) - 1),
        ),
    ),
    praise="the other heads contribute what they did, and head r nothing.",
)

# ex-real-heads


def my_layer(
    X: Array,
    W_q: Array,
    W_k: Array,
    W_v: Array,
    b_q: Array,
    b_k: Array,
    b_v: Array,
    W_o: Array,
    b_o: Array,
) -> tuple[Array, Array]:
    """Run the heads one by one, row by row, and add up what each contributes."""
    h, _, d_v = W_v.shape
    output = zeros((len(X), W_o.shape[1])) + b_o
    weights = zeros((h, len(X), len(X)))
    for i in range(h):
        K, V = X @ W_k[i] + b_k[i], X @ W_v[i] + b_v[i]
        for row, x in enumerate(X):
            scores = K @ (x @ W_q[i] + b_q[i]) / K.shape[1] ** 0.5
            powers = array([exp(score - max(scores)) for score in scores.tolist()])
            weights[i, row] = powers / powers.sum()
            output[row] += weights[i, row] @ V @ W_o[i * d_v : (i + 1) * d_v]
    return output, weights


def _variant(
    *,
    width: Callable[[Array, Array], float] = lambda X, K: K.shape[-1],
    axis: int = -1,
    biases: str = "qkv",
    lined_up: bool = False,
    last: Callable[[int], int] = lambda h: 1,
    mix: bool = True,
    merge: Callable[[Array], Array] = _merged,
) -> Callable[..., tuple[Array, Array]]:
    """Return a layer that makes one mistake."""

    def layer(X: Array, *matrices: Array) -> tuple[Array, Array]:
        W_q, W_k, W_v, b_q, b_k, b_v, W_o, b_o = matrices
        named = zip("qkv", (W_q, W_k, W_v), (b_q, b_k, b_v), strict=True)
        Q, K, V = (
            X @ W + (name in biases) * (b if lined_up else b[:, None]) for name, W, b in named
        )  # (h, n, ...)
        weights = _rows(Q @ K.swapaxes(-1, -2) / sqrt(width(X, K)), axis)
        merged = merge(weights @ V)
        return (merged @ W_o if mix else merged) + last(len(W_q)) * b_o, weights

    return layer


def _raw_scores(X: Array, *matrices: Array) -> tuple[Array, Array]:
    W_q, W_k, _, b_q, b_k, *_ = matrices
    Q, K = X @ W_q + b_q[:, None], X @ W_k + b_k[:, None]
    scores = Q @ K.swapaxes(-1, -2) / sqrt(K.shape[-1])
    return my_layer(X, *matrices)[0], scores


def _layer_shapes(n: int, h: int, d_k: int, d_v: int, d: int, d_out: int) -> list[tuple[int, ...]]:
    shapes = [(n, d), (h, d, d_k), (h, d, d_k), (h, d, d_v), (h, d_k), (h, d_k), (h, d_v)]
    return [*shapes, (h * d_v, d_out), (d_out,)]


def _small_layer(start: int, **sizes: int) -> tuple[Array, ...]:
    """Return words and matrices of a layer of any size."""
    shapes = _layer_shapes(**sizes)
    return tuple(_numbers(*shape, start=start + 41 * k) for k, shape in enumerate(shapes))


def _draw_layer(rng: Generator) -> tuple[Array, ...]:
    return draw_small(rng, *_layer_shapes(*distinct_sizes(rng, 6)))


BOTH = parts("the output", "the weights")

REAL_HEADS = FunctionChecker(
    name="my_layer",
    parameters=("X", "W_q", "W_k", "W_v", "b_q", "b_k", "b_v", "W_o", "b_o"),
    gives="two things, the output and the weights of all heads",
    right=my_layer,
    output=BOTH,
    cases=(
        _small_layer(n=3, h=1, d_k=2, d_v=3, d=2, d_out=3, start=3),
        _small_layer(n=3, h=3, d_k=1, d_v=1, d=2, d_out=3, start=11),
        _small_layer(n=4, h=3, d_k=4, d_v=2, d=6, d_out=5, start=29),
    ),
    draw=_draw_layer,
    without=ALL_BUT_SOFTMAX,
    mistakes=(
        Mistake(
            "the scores are not divided by the square root of d_k.",
            wrong=_variant(width=lambda X, K: 1.0),
        ),
        Mistake(
            "the scores are divided by the square root of d, the size of a word. It should be "
            "d_k, the size of a key.",
            wrong=_variant(width=lambda X, K: X.shape[-1]),
        ),
        Mistake(
            "the scores are divided by d_k itself. Take its square root.",
            wrong=_variant(width=lambda X, K: K.shape[-1] ** 2),
        ),
        Mistake(
            "the softmax runs over the queries. Each query shares out its weight among the keys, "
            "along the last axis.",
            wrong=_variant(axis=-2),
        ),
        Mistake(
            "the biases of queries, keys and values are missing.",
            wrong=_variant(biases=""),
        ),
        Mistake(
            "the weights are right, but b_v is missing in the values.", wrong=_variant(biases="qk")
        ),
        Mistake("b_q is missing in the queries.", wrong=_variant(biases="kv")),
        Mistake(
            "each bias has one row per head, of shape (h, d_k), and NumPy lines its rows up with "
            "words. Give it an axis for the words: b_q[:, None].",
            wrong=_variant(lined_up=True),
        ),
        Mistake(
            "the scores are divided by the square root of 32, whatever the sizes are. It is the "
            "last size of W_k.",
            wrong=_variant(width=lambda X, K: 32),
        ),
        Mistake(
            "the weights are right, but the heads are stacked or added up before W_o. Lay them end "
            "to end, with np.concatenate along the last axis: h * d_v numbers for each word.",
            wrong=_variant(merge=lambda heads: concatenate(list(heads), axis=0)),
        ),
        Mistake(
            "all biases are missing: b_q, b_k and b_v are added to queries, keys and values, and "
            "b_o after W_o.",
            wrong=_variant(biases="", last=lambda h: 0),
        ),
        Mistake(
            "b_o is added for each head. It is added once, after the heads are mixed.",
            wrong=_variant(last=lambda h: h),
        ),
        Mistake(
            "the weights are right, but b_o is missing: it is added once, after W_o.",
            wrong=_variant(last=lambda h: 0),
        ),
        Mistake(
            "the weights are right, but W_o is missing: the heads, laid end to end, are multiplied "
            "by it.",
            wrong=_variant(mix=False),
        ),
        Mistake(
            "the weights are right, but the heads are reshaped without swapping axes first, so "
            "that words and heads are mixed up. Lay them end to end with np.concatenate, along the "
            "last axis.",
            wrong=_variant(merge=lambda heads: heads.reshape(heads.shape[1], -1)),
        ),
        Mistake(
            "the output is right, but these are the scores. Return the weights: after the softmax.",
            wrong=_raw_scores,
        ),
        Mistake(
            "the output comes first and the weights second.",
            wrong=lambda *arguments: my_layer(*arguments)[::-1],
        ),
    ),
    praise="your layer agrees with plain loops, head by head.",
)

_HIS = {0: 16, 1: 15}  # sentence: place of its last "his"


@dataclass(frozen=True)
class RealHeadsChecker:
    """Checks a layer on small cases, then on layer 3 of MiniLM."""

    code: FunctionChecker
    answer = "my_layer"  # what the starter hands over

    def __call__(self, function: Any) -> Finding:
        """Judge the function; say what its heads do with the dog sentence."""
        finding = self.code(function)
        return _with_minilm(function) if finding.status == "correct" else finding


def _with_minilm(function: Any) -> Finding:
    found = []
    for number, place in _HIS.items():
        arguments = _real_head(number)
        outcome = run(function, arguments, BOTH.read)
        if outcome.late:
            return Finding("not yet", f"it is right on small layers; on MiniLM it {too_late()}.")
        if not outcome.returned or not nearly(outcome.value, my_layer(*arguments)):
            return Finding("not yet", _NOT_MINILM)
        row = outcome.value[1][0, place]
        token = load_minilm_layer().sentences[number].tokens[int(argmax(row))]
        found.append(f"{token} {row.max():.2f}")
    return Finding(
        "correct",
        f"and here is a real head: with the numbers of MiniLM, the last his gives {found[0]} of "
        f"its weight, and {found[1]} when the nouns are swapped.",
    )


_NOT_MINILM = (
    "it is right on small layers but not on layer 3 of MiniLM, whose words have 384 numbers. Is "
    "there a size in your code that should come from a shape, or a step that overflows?"
)


def _real_head(sentence: int) -> tuple[Array, ...]:
    """Return a sentence and head 1 of the layer: with twelve heads, plain loops would take long."""
    layer, d_v = load_minilm_layer(), load_minilm_layer().W_v.shape[2]
    heads = (layer.W_q, layer.W_k, layer.W_v, layer.b_q, layer.b_k, layer.b_v)
    rows = layer.W_o[d_v : 2 * d_v]
    given = (layer.sentences[sentence].X, *(part[1:2] for part in heads), rows, layer.b_o)
    return tuple(array(part, dtype=float) for part in given)


EXERCISES = (
    Exercise("ex-count-heads", check_count),
    Exercise("ex-split-heads", SPLIT),
    Exercise("ex-head-picture", PICTURE),
    Exercise("ex-subject-test", DesignChecker(HIT_RATE, SUBJECT_RUBRIC)),
    Exercise("ex-remove-head", REMOVE),
    Exercise("ex-real-heads", RealHeadsChecker(REAL_HEADS)),
)
