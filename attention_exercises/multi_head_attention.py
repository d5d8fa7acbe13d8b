"""Exercises of the chapter "Multi-head attention"."""

from dataclasses import replace
from typing import Any

from bookwork.exercises import (
    Array,
    Checkers,
    ChoiceChecker,
    FunctionChecker,
    Shows,
    Value,
    Values,
    parts,
    random_case,
)
from numpy import arange, array

from attention_exercises._rules import begin, nearly, numbers
from attention_lib.models import load_minilm_layer

EXERCISES: Checkers = {}


EXERCISES["ex-one-row"] = ChoiceChecker(
    right="a",
    explanations={
        "a": "each question would need weights of its own, and there is one row. A second head has "
        "a second row.",
        "b": "the matrices of one head can be as large as you like. With both questions in them "
        "the scores are larger, but they are still added up to one score for each word.",
        "c": "a softmax can give two words almost half each. The trouble is that the sum of their "
        "values does not tell which of the two answers which question.",
        "d": "positions tell where a word stands. Even with them, one row has one weight for each "
        "word.",
    },
)

# ex-count-heads
_OTHER_COUNTS = {
    3 * 512 * 512: "W_o is missing: it holds as many numbers as the W_q of all heads together.",
    3 * 512 * 64: "these are W_q, W_k and W_v of one head. There are eight heads, and W_o.",
    4 * 512 * 64: "this counts one head only, with W_o as if it belonged to that head. There are "
    "eight heads, and W_o has 8 · 64 rows.",
    8 * 4 * 512 * 512: "this gives every head matrices of 512 × 512. Their projections are short: "
    "512 × 64.",
    8 * 3 * 512 * 512 + 512 * 512: "this gives every head matrices of 512 × 512. Their projections "
    "are short: 512 × 64.",
    8 * 3 * 64 * 64 + 512 * 512: "this counts W_o and one head only, or matrices of 64 × 64, as if "
    "each head saw a piece of the word. Each of the eight heads projects the whole word, so its "
    "matrices are 512 × 64.",
    8 * 3 * 512 * 64 + 64 * 512: "W_o has too few rows: it gets the outputs of all eight heads "
    "laid end to end, 8 · 64 numbers for each word.",
    4 * 512 * 512 + 4 * 512: "that is with the biases. Count the matrices only.",
}

_OTHER_SHAPES = {
    (8, 10, 64): "this is the shape of the heads before they are laid end to end.",
    (10, 8, 64): "here every word still has eight separate rows. Laid end to end they make one.",
    (80, 64): "this puts the heads one below the other. Laid end to end they make the rows longer; "
    "there is one row for each word.",
    (10, 64): "this is the shape of one head.",
    (512, 10): "words are rows: the other way round.",
}


EXERCISES["ex-count-heads"] = Values(
    (
        Value(
            "numbers",
            4 * 512 * 512,
            _OTHER_COUNTS,
            "the matrices do not hold {} numbers: add up three matrices for each head, then W_o.",
            tolerance=1e-9,
        ),
        Value(
            "shape",
            (10, 512),
            begin("the count is right, but ", _OTHER_SHAPES),
            "the count is right, but the shape is not {}: how many words, and how many numbers for "
            "each?",
        ),
    ),
    praise="four times 512 squared, and one row of 512 for each of the ten words.",
)


# ex-split-heads
def _words_shared_out(got: Array, right: Array) -> bool:
    h, n, width = right.shape
    return got.shape == (h, n // h, h * width)


EXERCISES["ex-split-heads"] = FunctionChecker(
    gives="one matrix for each head",
    right="""
        def split(X, h):
            return X.reshape(len(X), h, -1).swapaxes(0, 1)
        """,
    cases=(
        (array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]), 2),
        (arange(18.0).reshape(3, 6), 2),
        (arange(24.0).reshape(2, 12), 3),
        (arange(10.0).reshape(5, 2), 1),
    ),
    draw=random_case(lambda n, h, width: ((n, h * width), h)),
    wrong={
        "X.reshape(len(X), h, -1).swapaxes(0, 1) => X.reshape(h, len(X), -1)": "the shape is right "
        "and the numbers are not: a single reshape to (h, n, d // h) gives whole words to each "
        "head and cuts them up. Reshape to (n, h, d // h), then swap the first two axes.",
        ".swapaxes(0, 1) =>": "the pieces are right, but words come first: the shape is (n, h, d "
        "// h). Swap the first two axes.",
        "h, -1).swapaxes(0, 1) => -1, h).transpose(2, 0, 1)": "head r gets every h-th number of a "
        "row. It should get one piece of neighbours: reshape to (n, h, d // h), not to (n, d // h, "
        "h).",
        "X.reshape(len(X), h, -1).swapaxes(0, 1) => X.T.reshape(h, -1, len(X))": "each head holds "
        "its pieces as columns. Words are rows: do not transpose within a head.",
        ".swapaxes(0, 1) => .T": ".T reverses all three axes. Swap the first two only, heads and "
        "words.",
        "X.reshape(len(X), h, -1).swapaxes(0, 1) => X.T.reshape(h, len(X), -1)": "the shape is "
        "right and the numbers are not: X.T mixes words and numbers before the reshape. Reshape X "
        "itself to (n, h, d // h), then swap the first two axes.",
        Shows(_words_shared_out): "the words are shared out among the heads. Every head gets all "
        "words, and a piece of each.",
    },
    praise="every head gets its piece of every word, and the words keep their order.",
)


# ex-real-heads
def _layer_shapes(n: int, h: int, d_k: int, d_v: int, d: int, d_out: int) -> tuple[Any, ...]:
    keys, values = h * d_k, h * d_v
    wide = [(n, d), (keys, d), (keys, d), (values, d), (keys,), (keys,), (values,)]
    return *wide, (d_out, values), (d_out,), h


def _small_layer(seed: int, **sizes: int) -> tuple[Any, ...]:
    """Return words and matrices of a layer of any size."""
    *shapes, h = _layer_shapes(**sizes)
    return *numbers(seed, *shapes), h


def _real_layer(sentence: int) -> tuple[Any, ...]:
    """Return a sentence and layer 3 of MiniLM, as in its checkpoint."""
    layer = load_minilm_layer()
    wide = [W.swapaxes(1, 2).reshape(-1, W.shape[1]) for W in (layer.W_q, layer.W_k, layer.W_v)]
    biases = [b.ravel() for b in (layer.b_q, layer.b_k, layer.b_v)]
    given = (layer.sentences[sentence].X, *wide, *biases, layer.W_o.T, layer.b_o)
    return *(array(part, dtype=float) for part in given), len(layer.W_q)


BOTH = parts("the output", "the weights")


def _same_layer(got: tuple[Array, ...], right: tuple[Array, ...]) -> bool:
    """Compare two results; those of MiniLM, sums of 384 products, less strictly."""
    return BOTH.same(got, right) or (len(right[0]) > 9 and nearly(got, right))


EXERCISES["ex-real-heads"] = FunctionChecker(
    gives="two things, the output and the weights of all heads",
    right="""
        def my_layer(X, W_q, W_k, W_v, b_q, b_k, b_v, W_o, b_o, h):
            def cut(Y):
                return Y.reshape(len(Y), h, -1).swapaxes(0, 1)

            Q, K, V = cut(X @ W_q.T + b_q), cut(X @ W_k.T + b_k), cut(X @ W_v.T + b_v)
            scores = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
            powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
            weights = powers / powers.sum(axis=-1, keepdims=True)
            heads = weights @ V
            output = np.concatenate(heads, axis=-1) @ W_o.T + b_o
            return output, weights
        """,
    output=replace(BOTH, same=_same_layer),
    cases=(
        _small_layer(n=3, h=2, d_k=2, d_v=2, d=4, d_out=4, seed=4),
        _small_layer(n=3, h=1, d_k=2, d_v=3, d=2, d_out=3, seed=5),
        _small_layer(n=4, h=3, d_k=4, d_v=2, d=6, d_out=5, seed=6),
    ),
    draw=random_case(_layer_shapes, scale=0.5),
    edges=lambda: (_real_layer(0), _real_layer(1)),
    wrong={
        "/ np.sqrt(K.shape[-1]) =>": "the scores are not divided by the square root of d_k.",
        "K.shape[-1] => X.shape[-1]": "the scores are divided by the square root of d, the size of "
        "a word. It should be d_k, the size of a key.",
        "np.sqrt(K.shape[-1]) => K.shape[-1]": "the scores are divided by d_k itself. Take its "
        "square root.",
        "scores.max(axis=-1 => scores.max(axis=-2 ;; powers.sum(axis=-1 => powers.sum(axis=-2": (
            "the softmax runs over the queries. Each query shares out its weight among the keys, "
            "along the last axis."
        ),
        "+ b_q => ;; + b_k => ;; + b_v =>": "the biases of queries, keys and values are missing.",
        "+ b_v =>": "the weights are right, but b_v is missing in the values.",
        "+ b_q =>": "b_q is missing in the queries.",
        "W_q.T => W_q ;; W_k.T => W_k ;; W_v.T => W_v ;; W_o.T => W_o": "the matrices of a "
        "checkpoint are transposed, so queries are X @ W_q.T + b_q, and the last product is one "
        "with W_o.T.",
        (
            "Y.reshape(len(Y), h, -1).swapaxes(0, 1) => Y.reshape(h, len(Y), -1)",
            "Y.reshape(len(Y), h, -1).swapaxes(0, 1) => Y.reshape(h, len(Y), -1) ;; "
            "np.concatenate(heads, axis=-1) => heads.reshape(len(X), -1)",
        ): "the wide products are cut by a single reshape, which gives whole words to each head. "
        "Reshape to (n, h, -1), then swap the first two axes.",
        "K.shape[-1] => 32": "the scores are divided by the square root of 32, whatever the sizes "
        "are. It is the last size of the keys of one head.",
        "K.shape[-1] => h * K.shape[-1]": "the scores are divided by the square root of the width "
        "of all heads together. It should be that of a key in one head.",
        "heads, axis=-1 => heads": "the weights are right, but the heads are stacked or added up "
        "before W_o. Lay them end to end: h * d_v numbers for each word.",
        "+ b_q => ;; + b_k => ;; + b_v => ;; + b_o =>": "all biases are missing: b_q, b_k and b_v "
        "are added to queries, keys and values, and b_o after W_o.",
        "+ b_o => + h * b_o": "b_o is added for each head. It is added once, after the heads are "
        "mixed.",
        "+ b_o =>": "the weights are right, but b_o is missing: it is added once, after W_o.",
        "@ W_o.T =>": "the weights are right, but W_o is missing: the heads, laid end to end, are "
        "multiplied by it.",
        "np.concatenate(heads, axis=-1) => heads.reshape(len(X), -1)": "the weights are right, but "
        "the heads are reshaped without swapping axes first, so that words and heads are mixed up. "
        "Swap the first two axes, then reshape.",
        "return output, weights => return output, scores": "the output is right, but these are the "
        "scores. Return the weights: after the softmax.",
        "return output, weights => return weights, output": "the output comes first and the "
        "weights second.",
        Shows(lambda got, right: True, edge=True): "it is right on small layers but not on layer 3 "
        "of MiniLM, whose words have 384 numbers. Is there a size in your code that should come "
        "from a shape, or a step that overflows?",
    },
    praise="and here is a real head: with the numbers of MiniLM, the last his gives dog 0.59 of "
    "its weight, and owner 0.56 when the nouns are swapped.",
)

EXERCISES["ex-own-heads"] = FunctionChecker(
    gives="one row for each word",
    right="""
        def multi_head(X, W_q, W_k, W_v, W_o):
            Q, K, V = X @ W_q, X @ W_k, X @ W_v
            scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
            powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
            heads = powers / powers.sum(axis=-1, keepdims=True) @ V
            return np.concatenate(heads, axis=-1) @ W_o
        """,
    cases=(
        (
            array([[1.0, 0.0], [0.0, 2.0]]),
            array([[[1.0], [0.0]], [[0.0], [1.0]]]),
            array([[[0.0], [1.0]], [[1.0], [0.0]]]),
            array([[[1.0], [2.0]], [[3.0], [1.0]]]),
            array([[1.0, 0.0], [0.0, 2.0]]),
        ),
        numbers(1, (4, 3), (3, 3, 2), (3, 3, 2), (3, 3, 5), (15, 6)),
    ),
    draw=random_case(
        lambda n, h, d_k, d_v, d, d_out: (
            (n, d),
            (h, d, d_k),
            (h, d, d_k),
            (h, d, d_v),
            (h * d_v, d_out),
        ),
        scale=0.5,
    ),
    wrong={
        "/ np.sqrt(Q.shape[-1]) =>": "the scores are not divided by the square root of d_k.",
        "@ W_o =>": "W_o is missing: the heads, laid end to end, are multiplied by it.",
        "np.concatenate(heads, axis=-1) => heads.reshape(len(X), -1)": "the heads are reshaped "
        "without swapping axes first, so that words and heads are mixed up. Lay them end to end "
        "with np.concatenate, along the last axis.",
        "np.concatenate(heads, axis=-1) @ W_o => heads[0] @ W_o[: heads.shape[2]]": "only the "
        "first head is used, with the first rows of W_o. Run attend for every head.",
        "np.concatenate(heads, axis=-1) @ W_o => heads.sum(axis=0) @ W_o[: heads.shape[2]]": "each "
        "head is multiplied by the first rows of W_o. Head r has rows of its own, from r * d_v on: "
        "lay the heads end to end first.",
        "heads, axis=-1 => heads": "what you multiply by W_o is not as wide as all heads together. "
        "Lay them end to end, in longer rows, not below each other: np.concatenate with axis=-1.",
        "heads, axis=-1 => heads[::-1], axis=-1": "the heads are laid end to end in the wrong "
        "order: the first head comes first.",
        "@ W_o => @ W_o / len(heads)": "the output is averaged over the heads. The heads are laid "
        "end to end and mixed by W_o, which adds them up.",
    },
    praise="your own attention, once for each head, and W_o once.",
)

EXERCISES["ex-mend-heads"] = FunctionChecker(
    gives="one row for each word",
    right="""
        def wide_layer(X, W_q, W_k, W_v, W_o, h):
            def cut(Y):
                return Y.reshape(len(Y), h, -1).swapaxes(0, 1)

            Q, K, V = cut(X @ W_q), cut(X @ W_k), cut(X @ W_v)
            scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
            powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
            heads = powers / powers.sum(axis=-1, keepdims=True) @ V
            return np.concatenate(heads, axis=-1) @ W_o
        """,
    cases=(
        (*numbers(2, (2, 3), (3, 4), (3, 4), (3, 2), (2, 3)), 2),
        (*numbers(3, (4, 5), (5, 6), (5, 6), (5, 9), (9, 2)), 3),
    ),
    draw=random_case(
        lambda n, h, d_k, d_v, d, d_out: (
            (n, d),
            (d, h * d_k),
            (d, h * d_k),
            (d, h * d_v),
            (h * d_v, d_out),
            h,
        ),
        scale=0.5,
    ),
    wrong={
        "/ np.sqrt(Q.shape[-1]) =>": "the scores are not divided by the square root of d_k.",
        "Y.reshape(len(Y), h, -1).swapaxes(0, 1) => Y.reshape(h, len(Y), -1) ;; "
        "np.concatenate(heads, axis=-1) => heads.reshape(len(X), -1)": "this gives the "
        "same numbers as the broken version: both reshapes mix words and heads.",
        "np.concatenate(heads, axis=-1) => heads.reshape(len(X), -1)": "the heads are cut rightly "
        "now, but the last reshape still mixes words and heads. Swap the axes back before it.",
        "Y.reshape(len(Y), h, -1).swapaxes(0, 1) => Y.reshape(h, len(Y), -1)": "the heads are laid "
        "end to end rightly now, but the first reshape still gives whole words to each head. "
        "Reshape to (n, h, -1), then swap the first two axes.",
        "h, -1).swapaxes(0, 1) => -1, h).transpose(2, 0, 1)": "head r gets every h-th number of a "
        "row. It should get one piece of neighbours: reshape to (n, h, -1), not to (n, -1, h).",
        "Q.shape[-1] => h * Q.shape[-1]": "words and heads are no longer mixed, but the scores are "
        "divided by the square root of the width of all heads together. It should be that of one "
        "head.",
        "Q.shape[-1] => X.shape[1]": "words and heads are no longer mixed, but the scores are "
        "divided by the square root of the size of a word. It should be that of a key in one head.",
    },
    praise="each head has its piece of every word, and each word gets its own heads back.",
)
