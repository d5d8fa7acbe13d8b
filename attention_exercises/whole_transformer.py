"""Exercises of the chapter "The whole Transformer"."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any, TypeAlias

from bookwork.exercises import (
    Checkers,
    ChoiceChecker,
    Finding,
    FunctionChecker,
    Raises,
    Values,
    distinct_sizes,
    draw_arrays,
    read_array,
    run,
    show,
    unfinished,
)
from bookwork.exercises.verdicts import NOT_STARTED
from numpy import allclose, array, asarray, maximum, tanh
from numpy.random import Generator, default_rng

from attention_exercises._rules import named_number
from attention_lib._arguments import Array
from attention_lib.models import load_minilm_block

EXERCISES: Checkers = {}


Parameters: TypeAlias = Mapping[str, Array]


# ex-norm
def _norm_case(*rows: list[float]) -> tuple[Array, Array, Array]:
    d = len(rows[0])
    return array(rows), array([1.0, 2.0, 0.5, -1.0][:d]), array([0.0, 1.0, -2.0, 3.0][:d])


def _draw_norm(rng: Generator) -> tuple[Array, ...]:
    n, d = distinct_sizes(rng, 2, smallest=3)
    return draw_arrays(rng, (n, d), (d,), (d,))


_SMALL = (
    "a small number is added to the deviation. That is wise in a real model, but here the exercise "
    "leaves it out."
)

EXERCISES["ex-norm"] = FunctionChecker(
    gives="one row per word",
    right="""
        def my_norm(X, gain, bias):
            mean = X.mean(axis=-1, keepdims=True)
            spread = X.std(axis=-1, keepdims=True)
            return (X - mean) / spread * gain + bias
        """,
    cases=(
        _norm_case([1.0, 3.0, 5.0]),
        _norm_case([1.0, 2.0, 6.0], [4.0, 0.0, -1.0]),
        _norm_case([2.0, 0.0, 1.0, 7.0], [1.0, -1.0, 3.0, 3.0], [5.0, 1.0, 0.0, 2.0]),
    ),
    draw=_draw_norm,
    wrong={
        "X.mean(axis=-1 => X.mean(axis=0 ;; X.std(axis=-1 => X.std(axis=0": "mean and deviation "
        "are taken down the columns, over the words. Each word is normed alone: axis=-1.",
        "X.mean(axis=-1, keepdims=True) => X.mean() ;; X.std(axis=-1, keepdims=True) => X.std()": (
            "mean and deviation are taken over all numbers of the matrix. Each word has its own: "
            "axis=-1, keepdims=True."
        ),
        "X.std => X.var": "this divides by the variance. Take its square root.",
        "X.std(axis=-1 => X.std(ddof=1, axis=-1": "the sum of squares is divided by d - 1. Here it "
        "is divided by d, as np.std does.",
        "(X - mean) => X": "the mean of the row is not subtracted.",
        "(X - mean) => X ;; X.std(axis=-1, keepdims=True) => "
        "(X**2).mean(axis=-1, keepdims=True) ** 0.5": "this is the RMS norm, which leaves "
        "the mean alone. A layer norm subtracts it first.",
        "* gain + bias =>": "the gain and the bias are missing: multiply by the one, then add the "
        "other.",
        "+ bias =>": "the bias is missing.",
        "* gain =>": "the gain is missing.",
        "(X - mean) / spread * gain + bias => ((X - mean) / spread + bias) * gain": "the bias is "
        "added before the gain multiplies, so it is multiplied as well.",
        "X.mean(axis=-1, keepdims=True) => X.mean(axis=-1)": "the mean or the deviation of each "
        "row lost its axis, so NumPy lines it up with the columns. Add keepdims=True.",
        (
            "X.std(axis=-1, keepdims=True) => (X.var(axis=-1, keepdims=True) + 1e-5) ** 0.5",
            "/ spread => / (spread + 1e-5)",
        ): _SMALL,
    },
    praise="every word has mean 0 and variance 1, and then what gain and bias make of it.",
)


# ex-keep-stream
@dataclass(frozen=True, eq=False)
class Heads:
    """A function from (n, d) to (n, d), as heads are: it mixes rows and columns."""

    rows: Array
    columns: Array

    def __call__(self, A: Any) -> Array:
        """Return what these heads find."""
        return asarray(self.rows @ tanh(asarray(A)) @ self.columns)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Heads":
        """Return these heads: nobody can change them."""
        return self

    def __repr__(self) -> str:
        return f"heads of {len(self.columns)} numbers"


def _draw_half(rng: Generator) -> tuple[Array, Heads]:
    n, d = distinct_sizes(rng, 2)
    X, rows, columns = draw_arrays(rng, (n, d), (n, n), (d, d))
    return 3 * X, Heads(rows, columns)


_HALF = (
    (array([[3.0, 4.0]]), Heads(array([[1.0]]), array([[1.0, 0.0], [0.0, 1.0]]))),
    (
        array([[1.0, 2.0], [3.0, -1.0], [0.0, 2.0]]),
        Heads(
            array([[1.0, 0.0, 1.0], [0.0, 2.0, 1.0], [1.0, 1.0, 0.0]]),
            array([[0.0, 1.0], [2.0, 1.0]]),
        ),
    ),
)


EXERCISES["ex-keep-stream"] = FunctionChecker(
    gives="the new stream, one row per word",
    right="""
        def half_block(X, heads):
            def norm(A):
                return A / np.sqrt((A**2).mean(axis=-1, keepdims=True) + 1e-5)

            return X + heads(norm(X))
        """,
    cases=_HALF,
    draw=_draw_half,
    wrong={
        "X + heads(norm(X)) => norm(X) + heads(norm(X))": "the norm still replaces the stream, so "
        "the old vector is divided in every block. Add to X as it came in.",
        "X + heads(norm(X)) => norm(X + heads(X))": "the norm stands after the addition here: "
        "norm(X + heads(X)). It belongs into the branch, before the heads.",
        "X + heads(norm(X)) => X + norm(heads(X))": "what the heads found is normed, after them. "
        "The norm belongs before the heads: it is what they read.",
        "X + heads(norm(X)) => X + heads(X)": "nothing is normed: the heads read the stream "
        "itself.",
        "X + heads(norm(X)) => heads(norm(X))": "the stream is not added: this is only what the "
        "heads found.",
        "X + heads(norm(X)) => norm(X + heads(norm(X)))": "the sum is normed once more at the end. "
        "With the norm before, nothing on the stream is divided.",
    },
    praise="the heads read the norm, and the stream keeps every number it had.",
)


# ex-absolute
def check_absolute(W_1: Any, W_2: Any) -> Finding:
    """Judge a network that, added to a word, gives absolute values."""
    if unfinished(W_1) or unfinished(W_2):
        return Finding("not started", NOT_STARTED)
    matrices = []
    for name, given in (("W_1", W_1), ("W_2", W_2)):
        outcome = run(lambda given=given: given, (), read_array)
        if not outcome.returned or outcome.value.ndim != 2:
            seen = outcome.unreadable or show(given)
            return Finding("wrong shape", f"{name} should be a matrix, but is {seen}.")
        matrices.append(outcome.value)
    first, second = matrices
    if first.shape[0] != 3 or second.shape[1] != 3 or first.shape[1] != second.shape[0]:
        return Finding(
            "wrong shape",
            "a word has three numbers, so W_1 needs 3 rows, W_2 needs 3 columns, and W_2 as many "
            f"rows as W_1 has columns; yours have shapes {first.shape} and {second.shape}.",
        )
    return _judge_absolute(first, second)


_WORDS = array([[5.0, 1, 2], [-5, 1, 2], [-5, 3, -2], [4, -1, -7], [-0.5, -2, -0.25], [0, 0, 0]])
_OTHER_NETWORKS: tuple[tuple[Callable[[Array], Array], str], ...] = (
    (
        lambda x: x + abs(x),
        "the network itself gives |x|, but its output is added to x. Positive numbers are doubled, "
        "and negative ones become 0. What is missing from x to |x|?",
    ),
    (lambda x: maximum(0, x), "negative numbers become 0: their size is added once. Add it twice."),
    (lambda x: x, "nothing is added: no key fits, or its value is 0."),
    (
        lambda x: x + 2 * maximum(0, x),
        "the keys fit positive numbers, which then become three times as large. They should fit "
        "negative ones: W_1 needs a minus.",
    ),
    (
        lambda x: x - 2 * maximum(0, x),
        "every number becomes negative: two signs are the wrong way round.",
    ),
    (
        lambda x: x - 2 * maximum(0, -x),
        "the keys fit negative numbers, but their values make them more negative. W_2 should be "
        "positive.",
    ),
    (lambda x: 2 * x, "this doubles every number: the network gives x itself."),
)


def _judge_absolute(W_1: Array, W_2: Array) -> Finding:
    """Say what the network makes of some words."""
    results = _WORDS + maximum(0, _WORDS @ W_1) @ W_2
    if allclose(results, abs(_WORDS), atol=1e-6):
        return Finding("correct", "a key for each number, which fits when that number is negative.")
    for other, says in _OTHER_NETWORKS:
        if allclose(results, other(_WORDS), atol=1e-6):
            return Finding("known mistake", says)
    x, got = next((x, y) for x, y in zip(_WORDS, results, strict=True) if not allclose(y, abs(x)))
    return Finding("not yet", f"the word {show(x)} becomes {show(got)}, not {show(abs(x))}.")


EXERCISES["ex-absolute"] = check_absolute


# ex-block-parameters
_D, _HIDDEN = 576, 1536
_HEADS_PART, _NETWORK_PART, _NORMS = 2 * _D**2 + 2 * _D * 192, 3 * _D * _HIDDEN, 2 * _D
_ALL = _HEADS_PART + _NETWORK_PART + _NORMS

_PARAMETERS = named_number(
    "parameters",
    _ALL,
    {
        _ALL - _NORMS: "that counts the matrices only. Each of the two norms has a gain of 576.",
        _ALL - _D: "that is one gain. A block has two norms.",
        _HEADS_PART: "that is the attention alone. Add the network and the norms.",
        _NETWORK_PART: "that is the network alone. Add the attention and the norms.",
        _ALL + 2 * _D * 384: "that gives keys and values nine heads. They have three: three "
        "matrices of 576 × 64 for W_k, and three for W_v.",
        _ALL - _D**2: "a matrix of 576 × 576 is missing: W_q of all heads and W_o have that size.",
        _ALL - _D * _HIDDEN: "the network has three matrices: W_g, W_1 and W_2.",
        _ALL + 3 * _D * (4 * _D - _HIDDEN): "that takes 4 × 576 hidden numbers. They are 1,536.",
        30 * _ALL: "that is all 30 blocks. Count one.",
    },
    "Count each matrix with its rows and columns.",
    tolerance=0.5 / _ALL,
)
_SHARE = named_number(
    "share",
    _NETWORK_PART / _ALL,
    {
        1 - _NETWORK_PART / _ALL: "that is the share of all the rest.",
        _NETWORK_PART / _HEADS_PART: "that is the network over the attention. Divide by all "
        "parameters of the block.",
        _NETWORK_PART: "that is the number of its parameters. Divide it by that of the block.",
        100 * _NETWORK_PART / _ALL: "that is the share in percent. Divide it by 100.",
    },
    "Divide the parameters of the network by all of the block.",
    tolerance=5e-3,  # it may be rounded to a hundredth
)
EXERCISES["ex-block-parameters"] = Values(
    (_PARAMETERS, _SHARE),
    praise=f"{_ALL:,} numbers in one block, three quarters of them in the network.",
)


# ex-block
def _block_shapes(
    n: int, h: int, d_k: int, d_v: int, d: int, d_h: int
) -> dict[str, tuple[int, ...]]:
    shapes = {"W_q": (h, d, d_k), "W_k": (h, d, d_k), "W_v": (h, d, d_v), "W_o": (h * d_v, d)}
    biases = {"b_q": (h, d_k), "b_k": (h, d_k), "b_v": (h, d_v), "b_o": (d,)}
    network = {"W_1": (d, d_h), "b_1": (d_h,), "W_2": (d_h, d), "b_2": (d,)}
    norms = dict.fromkeys(("gain_1", "bias_1", "gain_2", "bias_2"), (d,))
    return {"X": (n, d), **shapes, **biases, **network, **norms}


def _draw_parts(rng: Generator, shapes: dict[str, tuple[int, ...]]) -> dict[str, Array]:
    return dict(zip(shapes, draw_arrays(rng, *shapes.values()), strict=True))


_SCALES = {  # words are large, scores are not: no norm feels the small number in its root
    **dict.fromkeys(("X", "b_v", "b_o", "gain_1", "bias_1", "W_2", "b_2"), 1e3),
    **dict.fromkeys(("W_q", "W_k", "W_1"), 1e-3),
}


def _large(parts: dict[str, Array]) -> tuple[Array, dict[str, Array]]:
    scaled = {name: part * _SCALES.get(name, 1.0) for name, part in parts.items()}
    return scaled.pop("X"), scaled


def _draw_block(rng: Generator) -> tuple[Array, dict[str, Array]]:
    n, h, d_k, d_v, d, d_h = distinct_sizes(rng, 6)
    parts = _draw_parts(rng, _block_shapes(n, h, d_k, d_v, max(d, 3), d_h))
    return _large(parts)


def _small_block(seed: int, *sizes: int) -> tuple[Array, dict[str, Array]]:
    parts = _draw_parts(default_rng(seed), _block_shapes(*sizes))
    return _large(parts)


def _alike(got: Array, right: Array) -> bool:
    """Return whether two results agree, with norms that add a small number or without."""
    return got.shape == right.shape and allclose(got, right, rtol=2e-3, atol=2e-3)


_NOT_MINILM = (
    "it is right on small blocks but not on layer 3 of MiniLM, whose words have 384 numbers. Is "
    "there a size in your code that should come from a shape?"
)


class BlockChecker(FunctionChecker):
    """Checks a function, and lets a block that is right be a layer of MiniLM."""

    def __call__(self, function: Any) -> Finding:
        """Judge the reader's function."""
        finding = super().__call__(function)
        if finding.status != "correct":
            return finding
        real = load_minilm_block()
        p = {name: part.astype(float) for name, part in real.parameters.items()}
        X = real.sentences[0].X.astype(float)
        outcome = run(function, (X, p), read_array)
        if not outcome.returned or not _alike(outcome.value, self.model(X, p)):
            return Finding("not yet", _NOT_MINILM)
        misses = ((outcome.value - real.outputs[0]) ** 2).sum() / (real.outputs[0] ** 2).sum()
        return Finding(
            "correct",
            "your block is layer 3 of MiniLM: of the dog sentence it makes what the model makes, "
            f"but for {sqrt(misses):.1%} of the length, which the rounding of the stored weights "
            "costs.",
        )


EXERCISES["ex-block"] = BlockChecker(
    gives="one row per word",
    right="""
        from math import erf, sqrt

        def my_block(X, p):
            gelu = np.vectorize(lambda z: z * (1 + erf(z / sqrt(2))) / 2, otypes=[float])

            def norm(X, gain, bias):
                spread = X.std(axis=-1, keepdims=True)
                return (X - X.mean(axis=-1, keepdims=True)) / spread * gain + bias

            Q = X @ p['W_q'] + p['b_q'][:, None]  # one matrix for each head
            K = X @ p['W_k'] + p['b_k'][:, None]
            V = X @ p['W_v'] + p['b_v'][:, None]
            scores = Q @ K.swapaxes(-1, -2) / sqrt(K.shape[-1])
            powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
            heads = powers / powers.sum(axis=-1, keepdims=True) @ V
            found = np.concatenate(heads, axis=-1) @ p['W_o'] + p['b_o']
            H = norm(X + found, p['gain_1'], p['bias_1'])
            hidden = gelu(H @ p['W_1'] + p['b_1'])
            T = norm(H + hidden @ p['W_2'] + p['b_2'], p['gain_2'], p['bias_2'])
            return T
        """,
    cases=(_small_block(1, 2, 1, 2, 2, 3, 4), _small_block(2, 3, 2, 2, 3, 4, 5)),
    draw=_draw_block,
    wrong={
        "Q = X @ => stream = X; X = norm(X, p['gain_1'], p['bias_1']); Q = X @ ;; "
        "norm(X + found, p['gain_1'], p['bias_1']) => stream + found ;; gelu(H @ => "
        "gelu(norm(H, p['gain_2'], p['bias_2']) @ ;; "
        "norm(H + hidden @ p['W_2'] + p['b_2'], p['gain_2'], p['bias_2']) => "
        "H + hidden @ p['W_2'] + p['b_2']": "the norms stand before the parts here. In "
        "this block they stand after the additions.",
        "gelu(H @ p['W_1'] + p['b_1']) => np.maximum(0, H @ p['W_1'] + p['b_1'])": "max(0, x) "
        "stands between the two matrices of the network. MiniLM has gelu there.",
        "erf(z / sqrt(2)) => np.tanh(sqrt(2 / np.pi) * (z + 0.044715 * z**3))": "your gelu is the "
        "approximation by tanh, which other models have. MiniLM has x Φ(x) itself, with the error "
        "function; the library's gelu computes it.",
        "gelu(H => (H": "nothing stands between the two matrices of the network. Apply gelu to "
        "what W_1 gives.",
        "X + found => found": "X is not added to what the heads found.",
        "H + hidden => hidden": "H is not added to what the network returned.",
        "X + found => found ;; H + hidden => hidden": "nothing is added: each part replaces what "
        "came in.",
        "H + hidden => X + hidden": "the second addition adds X, the block's input. The stream is "
        "now H, what the first norm returned.",
        "norm(X + found, p['gain_1'], p['bias_1']) => X + found": "the first norm is missing: the "
        "network reads X plus what the heads found, as it is.",
        "/ sqrt(K.shape[-1]) =>": "the scores are not divided by the square root of d_k.",
        "found, p['gain_1'], p['bias_1'] => found, p['gain_2'], p['bias_2'] ;; "
        "p['b_2'], p['gain_2'], p['bias_2'] => p['b_2'], p['gain_1'], p['bias_1']": "the "
        "gains and biases of the two norms are swapped.",
        "+ p['b_q'][:, None] => ;; + p['b_k'][:, None] => ;; + p['b_v'][:, None] => ;; "
        "+ p['b_o'] =>": "the biases of the heads are missing: b_q, b_v and b_o. (b_k "
        "changes nothing: it shifts all scores of a query alike.)",
        "+ p['b_q'][:, None] =>": "b_q is missing in the queries.",
        "+ p['b_v'][:, None] =>": "b_v is missing in the values.",
        "+ p['b_o'] =>": "b_o is missing: it is added after W_o.",
        "+ p['b_1'] =>": "b_1 is missing: it is added before gelu.",
        "+ p['b_2'] =>": "b_2 is missing: it is added after W_2.",
        "+ p['b_1'] => ;; + p['b_2'] =>": "b_1 and b_2 of the network are missing.",
        "gain + bias => gain": "the biases of the norms are missing.",
        "* gain + bias =>": "the gains and biases of the norms are missing.",
    },
    praise="your block agrees with plain loops.",
)


EXERCISES["ex-who-asks"] = ChoiceChecker(
    "a",
    {
        "a": "the words being written ask, and everything that was read may answer.",
        "b": "that would be English words that ask. Rows are queries, and those who want to know "
        "something are the French words.",
        "c": "the English sentence is known in full before the first French word is written, so "
        "nothing has to be hidden. And words change places in a translation.",
        "d": "queries and keys need the same size d_k, but may come from different sentences. That "
        "is what cross-attention is.",
    },
)


# ex-mixture
def _draw_mixture(rng: Generator) -> tuple[Any, ...]:
    n, d, d_h, experts = distinct_sizes(rng, 4, smallest=3)
    return (*_mixture_case(rng, n, d, d_h, experts), int(rng.integers(2, experts)))


def _mixture_case(rng: Generator, n: int, d: int, d_h: int, experts: int) -> tuple[Array, ...]:
    return draw_arrays(rng, (n, d), (d, experts), (experts, d, d_h), (experts, d_h, d))


EXERCISES["ex-mixture"] = FunctionChecker(
    gives="one row per token",
    right="""
        def mixture(X, W_r, W_1, W_2, k):
            scores = X @ W_r
            rows = []
            for x, row in zip(X, scores):
                best = np.argsort(-row)[:k]
                powers = np.exp(row[best] - row[best].max())
                gates = powers / powers.sum()
                found = [np.maximum(0, x @ W_1[e]) @ W_2[e] for e in best]
                rows.append(sum(gate * part for gate, part in zip(gates, found)))
            return np.array(rows)
        """,
    cases=(
        (*_mixture_case(default_rng(1), 1, 2, 3, 3), 1),
        (*_mixture_case(default_rng(2), 2, 3, 2, 4), 2),
    ),
    draw=_draw_mixture,
    wrong={
        "-row)[:k] => row)[:k]": "the experts with the lowest scores are run. np.argsort puts the "
        "smallest first: sort -scores.",
        "-row)[:k] => -row)": "every expert is run. Keep the k best of each token.",
        "np.argsort(-row) => np.argsort(-scores.sum(axis=0))": "all tokens share the same experts. "
        "Each chooses its own.",
        "powers / powers.sum() => np.exp(row[best] - row.max()) / np.exp(row - row.max()).sum()": (
            "the softmax is over all experts, so the weights of those that are run do not sum to "
            "one. Take it of their k scores only."
        ),
        "powers / powers.sum() => row[best]": "the scores themselves are the weights. Take their "
        "softmax.",
        "powers / powers.sum() => np.ones(k)": "what the experts return is added without weights.",
        "powers / powers.sum() => np.ones(k) / k": "this is the plain average of the k experts. "
        "Weight them by the softmax of their scores.",
        "for e in best] => for e in np.sort(best)]": "the experts and their weights are in "
        "different orders, so weights go to the wrong experts.",
        "for e in best] => for e in range(k)]": "the first k experts are run, with the weights of "
        "the best. Use the numbers of the best as indices.",
        "np.maximum(0, x @ W_1[e]) => (x @ W_1[e])": "max(0, …) between the two matrices of an "
        "expert is missing.",
    },
    praise="each token runs its own k experts, and no other.",
)


# ex-decoder-block
def _draw_decoder(rng: Generator) -> tuple[Array, Array, dict[str, Array]]:
    n, m, h, d_k, d_v, d, d_h = distinct_sizes(rng, 7)
    return _decoder_case(rng, n, m, h, d_k, d_v, d, d_h)


def _decoder_case(
    rng: Generator, n: int, m: int, h: int, d_k: int, d_v: int, d: int, d_h: int
) -> tuple[Array, Array, dict[str, Array]]:
    shapes: dict[str, tuple[int, ...]] = {"Y": (n, d), "encoded": (m, d)}
    for kind in "WC":
        shapes |= {f"{kind}_q": (h, d, d_k), f"{kind}_k": (h, d, d_k), f"{kind}_v": (h, d, d_v)}
        shapes[f"{kind}_o"] = (h * d_v, d)
    parts = _draw_parts(rng, shapes | {"W_1": (d, d_h), "W_2": (d_h, d)})
    return parts.pop("Y"), parts.pop("encoded"), parts


def _small_decoder(seed: int, *sizes: int) -> tuple[Array, Array, dict[str, Array]]:
    return _decoder_case(default_rng(seed), *sizes)


EXERCISES["ex-decoder-block"] = FunctionChecker(
    gives="one row per word that is written",
    right="""
        def decoder_block(Y, encoded, p):
            def norm(A):
                return A / np.sqrt((A**2).mean(axis=-1, keepdims=True) + 1e-5)

            def look(A, context, W, causal):
                Q, K, V = A @ p[W + '_q'], context @ p[W + '_k'], context @ p[W + '_v']
                scores = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
                if causal:
                    scores = np.where(np.tri(*scores.shape[1:]) == 1, scores, -np.inf)
                powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
                heads = powers / powers.sum(axis=-1, keepdims=True) @ V
                return np.concatenate(heads, axis=-1) @ p[W + '_o']

            Y = Y + look(norm(Y), norm(Y), 'W', causal=True)
            Y = Y + look(norm(Y), encoded, 'C', causal=False)
            return Y + np.maximum(0, norm(Y) @ p['W_1']) @ p['W_2']
        """,
    cases=(_small_decoder(3, 2, 3, 1, 2, 2, 2, 3), _small_decoder(4, 4, 3, 2, 3, 2, 5, 6)),
    draw=_draw_decoder,
    wrong={
        "causal=True => causal=False": "a word sees the words after it. Give its own heads a "
        "causal mask.",
        "causal=False => causal=True": "the cross-attention has a causal mask. What was read is "
        "known in full: drop it.",
        "'W', causal=True => 'W', causal=False ;; 'C', causal=False => 'C', causal=True": "a word "
        "sees the words after it, and the mask hides what was read: it belongs to the first part, "
        "not to the second.",
        "encoded, 'C' => norm(Y), 'C'": "encoded is not used: the keys and values of the "
        "cross-attention come from Y. Pass context=encoded.",
        "Y = Y + look(norm(Y), encoded, 'C', causal=False) => pass": "the cross-attention is "
        "missing.",
        "return Y + np.maximum(0, norm(Y) @ p['W_1']) @ p['W_2'] => return Y": "the network is "
        "missing.",
        "Y = Y + look(norm(Y), norm(Y), 'W', causal=True) => pass": "the block's own heads are "
        "missing.",
        "Y = Y + look(norm(Y), encoded, 'C', causal=False) => pass ;; "
        "Y = Y + look(norm(Y), norm(Y), 'W', causal=True) => "
        "Y = Y + look(norm(Y), encoded, 'C', causal=False); "
        "Y = Y + look(norm(Y), norm(Y), 'W', causal=True)": "the cross-attention comes before the "
        "block's own heads. The words look at themselves first.",
        "Y + look(norm(Y), norm(Y) => look(norm(Y), norm(Y) ;; Y + look(norm(Y), encoded => "
        "look(norm(Y), encoded ;; return Y + => return": "nothing is added to the stream: "
        "each part replaces it.",
        "Y + look(norm(Y), norm(Y) => look(norm(Y), norm(Y)": "what the own heads found replaces "
        "Y. Add it.",
        "Y + look(norm(Y), encoded => look(norm(Y), encoded": "what the cross-attention found "
        "replaces the stream. Add it.",
        "return Y + => return": "what the network returned replaces the stream. Add it.",
        "look(norm(Y), norm(Y) => look(Y, Y ;; look(norm(Y), encoded => look(Y, encoded ;; "
        "norm(Y) @ => Y @": "there are no norms: each part reads rms_norm of the stream.",
        "look(norm(Y), encoded => look(Y, encoded": "the norm before the cross-attention is "
        "missing.",
        "norm(Y) @ => Y @": "the norm before the network is missing.",
        "look(norm(Y), norm(Y) => look(Y, Y": "the norm before the own heads is missing.",
        "encoded, 'C' => norm(encoded), 'C'": "encoded is normed once more. Here it is read as it "
        "is.",
        "Y = Y + look(norm(Y), norm(Y) => A = norm(Y); Y = Y + look(A, A ;; "
        "look(norm(Y), encoded => look(A, encoded ;; norm(Y) @ => A @": "all three parts "
        "read the norm of the first Y. The stream has changed: take its norm anew before each "
        "part.",
        "Y = Y + look(norm(Y), norm(Y) => Y = norm(Y) + look(norm(Y), norm(Y) ;; "
        "Y = Y + look(norm(Y), encoded => Y = norm(Y) + look(norm(Y), encoded ;; return Y + => "
        "return norm(Y) +": "the norms replace the stream. Give what a part reads a name "
        "of its own, and add to Y as it was.",
        (
            Raises("unsupported operand type(s) for +: 'float' and 'tuple'"),
            Raises("inhomogeneous shape"),
        ): "multi_head_attention returns two things, the output and the weights: take the first.",
    },
    praise="it looks back, looks across and thinks, and the stream keeps everything.",
)
