"""Exercises of the chapter "Making it fast"."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial, wraps
from math import inf, nan, sqrt
from typing import Any

from bookwork.exercises import (
    Checkers,
    Finding,
    FunctionChecker,
    Raises,
    Shows,
    Values,
    distinct_sizes,
    draw_arrays,
    parts,
    random_case,
)
from bookwork.exercises.function import Trial
from numpy import array, asarray, isnan
from numpy import exp as exp_all
from numpy import log as log_all
from numpy.random import Generator

from attention_exercises._rules import named_number, not_yet_repaired
from attention_lib._arguments import Array

EXERCISES: Checkers = {}


# ex-weights-memory
_BYTES = 4 * 32 * 16_384**2  # of the whole matrix
_BLOCK_BYTES = 4 * 256 * 16_384
_TIMES = 16_384 / (2 * 2048)  # 2 n² d over 4 n d²
_number = partial(named_number, tolerance=1e-3, rough=5e-3)
_COUNT = "Count the numbers first, then their bytes."

_WHOLE = _number(
    "whole",
    _BYTES / 2**30,
    {
        _BYTES / 2**30 / 32: "that is one head. Each of the 32 has a matrix of its own.",
        _BYTES / 2**30 / 4: "that counts numbers, in units of 2^30. Each takes four bytes.",
        _BYTES / 2**30 * 2: "that is float64, eight bytes a number. float32 takes four.",
        _BYTES / 10**9: "that is in GB, of 10^9 bytes. A GiB has 2^30, which is a little more.",
        _BYTES / 2**20: "that is in MiB. Divide by 2^30 bytes, not by 2^20.",
        _BYTES: "that is in bytes. Divide by 2^30.",
    },
    _COUNT,
)
_BLOCK = _number(
    "block",
    _BLOCK_BYTES / 2**20,
    {
        _BLOCK_BYTES / 2**20 / 4: "that counts numbers, in units of 2^20. Each takes four bytes.",
        _BLOCK_BYTES / 2**20 * 32: "that is a block of all 32 heads. Only one is held at a time.",
        _BLOCK_BYTES / 2**20 * 2: "that is float64, eight bytes a number. float32 takes four.",
        4 * 256**2 / 2**20: "that is 256 × 256. A row has a number for each of the 16,384 keys.",
        _BLOCK_BYTES / 2**30: "that is in GiB. Divide by 2^20 bytes, not by 2^30.",
        _BLOCK_BYTES: "that is in bytes. Divide by 2^20.",
    },
    _COUNT,
)
_RATIO = _number(
    "times",
    _TIMES,
    {
        1 / _TIMES: "that is projections over pairs. Invert it.",
        2 * _TIMES: "that is n / d. There are four projections, but only two products of pairs.",
        _TIMES / 2: "that leaves out a product of pairs: scores and weighted sums take n² d each.",
        _TIMES * 32: "that is 32 times too much. The vectors of all heads together have size d, in "
        "the pairs as in the projections, so the number of heads cancels.",
        2 * 16_384**2 * 2048: "that is the work of the pairs. Divide it by that of the "
        "projections.",
    },
    "Write both parts of the cost with n and d, and cancel what they share.",
)
EXERCISES["ex-weights-memory"] = Values(
    (_WHOLE, _BLOCK, _RATIO),
    praise="32 GiB for the whole matrix, 16 MiB for a block of its rows, and the pairs take four "
    "times the work of the projections.",
)

# ex-online
Stream = list[tuple[float, Array | list[float]]]


def _stream(scores: Iterable[float], *values: list[float]) -> tuple[Stream]:
    return (list(zip(scores, map(array, values), strict=True)),)


def _draw_stream(rng: Generator) -> tuple[Stream]:
    m, d_v = distinct_sizes(rng, 2)
    scores, values = draw_arrays(rng, (m,), (m, d_v))
    return _stream((3 * scores).tolist(), *values.tolist())


class StreamChecker(FunctionChecker):
    """Checks a function that gets its list as a stream, which can be read only once."""

    def __call__(self, function: Any) -> Finding:
        """Judge the reader's function, and see whether a wrong answer reads the stream twice."""
        finding = super().__call__(function)
        twice = finding.status not in {"correct", "not started"} and self.reads_twice(function)
        return Finding("known mistake", _TWICE) if twice else finding

    def _try(self, function: Callable[..., Any]) -> Iterator[Trial]:
        @wraps(function)  # so that the line of an error is looked for in the reader's file
        def read_once(pairs: Stream) -> Any:
            return function(iter(pairs))

        return super()._try(read_once)

    def reads_twice(self, function: Callable[..., Any]) -> bool:
        """Return whether a wrong answer is right if it gets a list."""
        streamed, listed = self._try(function), super()._try(function)
        return any(trial.fails for trial in streamed) and not any(trial.fails for trial in listed)


_TWICE = (
    "the stream can be read only once: after the first loop it is empty. Keep what you need while "
    "you read."
)


_FROM_A_NUMBER = (
    "the maximum starts at {}, so scores far below it all round to 0, and 0/0 is not a number. "
    "Start from minus infinity."
)

EXERCISES["ex-online"] = StreamChecker(
    gives="one vector of size d_v",
    right="""
        def read_stream(stream):
            mu, Z, o = -np.inf, 0.0, 0.0
            for score, value in stream:
                new = max(mu, score)
                shrink, power = np.exp(mu - new), np.exp(score - new)
                Z = Z * shrink + power
                o = o * shrink + power * value
                mu = new
            return o / Z
        """,
    cases=(
        _stream([2.0, 1.0], [1.0, 0.0], [0.0, 1.0]),
        _stream([1.0], [3.0, 5.0]),
        _stream([1.0, 2.0], [8.0], [4.0]),
        _stream(
            [0.5, 2.0, -1.0, 3.0, 3.0], [1.0, 2.0], [3.0, 1.0], [0.0, 4.0], [2.0, 2.0], [5.0, 1.0]
        ),
    ),
    draw=_draw_stream,
    edges=(
        _stream([1000.0, 1001.0], [1.0], [2.0]),
        _stream([-1000.0, -1001.0], [1.0], [2.0]),
        _stream([-2000.0, 1000.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]),
        _stream([-1e30], [1.0, 4.0]),
    ),
    wrong={
        "return o / Z => return o": "the weighted sum of the values is not divided by the sum of "
        "the exponentials at the end: o / Z.",
        "Z * shrink => Z ;; o * shrink => o": "when the maximum moves, neither sum is multiplied "
        "by exp(mu - new). The old terms still count from the old maximum.",
        "o * shrink => o": "Z shrinks when the maximum moves, but o does not. Both count from the "
        "maximum, so both need the factor.",
        "Z * shrink => Z": "o shrinks when the maximum moves, but Z does not. Both count from the "
        "maximum, so both need the factor.",
        "np.exp(mu - new) => np.exp(new - mu)": "the exponent of the factor has the wrong sign, so "
        "the old sums grow instead of shrinking: it is exp(mu - new), at most 1.",
        "mu = new => pass": "the maximum is never kept: set mu to new at the end of each step, or "
        "every step starts from minus infinity again.",
        "np.exp(mu - new), np.exp(score - new) => 1.0, 1.0": "this is the plain average of the "
        "values: the scores have no effect.",
        (
            "np.exp(mu - new), np.exp(score - new) => 1.0, np.exp(score)",
            Raises("OverflowError"),
        ): "large scores overflow: the exponential of 1000 is infinite. Subtract the running "
        "maximum from every score.",
        (
            "-np.inf => 0.0",
            "-np.inf => 0.0 ;; return o / Z => return [x / float(Z) for x in o.tolist()]",
        ): _FROM_A_NUMBER.format("0"),
        (
            "-np.inf => -1e9",
            "-np.inf => -1e9 ;; return o / Z => return [x / float(Z) for x in o.tolist()]",
        ): _FROM_A_NUMBER.format("a finite number"),
        (
            Raises("object of type 'list_iterator' has no len()"),
            Raises("'list_iterator' object is not subscriptable"),
            Raises("max() "),
        ): _TWICE,
    },
    praise="one pass, three things kept, and the same output as with all scores at hand.",
)

# ex-merge
Half = tuple[float, float, Array]


_ONE_SIDED = (
    "only one half is multiplied by its factor. Either half may have the smaller maximum, so give "
    "each its own factor; the larger one's is 1."
)


def _draw_halves(rng: Generator) -> tuple[Half, Half]:
    d_v = int(rng.integers(2, 6))
    mu, Z, o = draw_arrays(rng, (2,), (2,), (2, d_v))
    first, second = zip((3 * mu).tolist(), exp_all(Z).tolist(), o, strict=True)
    return first, second


EXERCISES["ex-merge"] = FunctionChecker(
    gives="the three parts mu, Z and o",
    right="""
        def merge(first, second):
            (mu_1, Z_1, o_1), (mu_2, Z_2, o_2) = first, second
            mu = max(mu_1, mu_2)
            one, two = np.exp(mu_1 - mu), np.exp(mu_2 - mu)
            Z, o = one * Z_1 + two * Z_2, one * o_1 + two * o_2
            return mu, Z, o
        """,
    cases=(
        ((1.0, 1.0, array([3.0])), (1.0, 1.0, array([5.0]))),
        ((3.0, 1.5, array([1.0, 2.0])), (1.0, 2.0, array([4.0, 0.5]))),
        ((-1.0, 1.0, array([1.0, 0.0, 2.0])), (2.0, 3.0, array([0.5, 1.0, 4.0]))),
    ),
    draw=_draw_halves,
    edges=(
        ((900.0, 2.0, array([1.0])), (1000.0, 1.0, array([2.0]))),
        ((-inf, 0.0, array([0.0, 0.0])), (2.0, 1.5, array([1.0, 3.0]))),
    ),
    wrong={
        "np.exp(mu_1 - mu), np.exp(mu_2 - mu) => 1, 1": "the sums are added as they are, but each "
        "half counts from its own maximum. Multiply each by exp(its maximum - the new one) first.",
        "np.exp(mu_1 - mu), np.exp(mu_2 - mu) => np.exp(mu - mu_1), np.exp(mu - mu_2)": "the "
        "exponent has the wrong sign, so the half with the smaller maximum grows. The factor is "
        "exp(its maximum - the new one), at most 1.",
        ("np.exp(mu_2 - mu) => 1", "np.exp(mu_1 - mu) => 1"): _ONE_SIDED,
        "one * o_1 + two * o_2 => o_1 + o_2": "Z is merged, but o is added without the factors. It "
        "needs the same.",
        "return mu, Z, o => return mu, Z, o / Z": "o is divided by Z. Leave that to the very end: "
        "what you return may be merged again.",
        "np.exp(mu_1 - mu), np.exp(mu_2 - mu) => np.exp(mu_1), np.exp(mu_2)": "your factors are "
        "exp(mu), counted from 0: they do not fit the new maximum, and for large scores they "
        "overflow. Subtract the new maximum in the exponent.",
    },
    praise="both halves count from one maximum now, so they can be merged again and again.",
    output=parts("mu", "Z", "o"),
)


# ex-causal-blocks
def _case(n: int, d_k: int, d_v: int, block: int) -> tuple[Array, Array, Array, int]:
    """Make small numbers without a generator, so that messages can show them."""
    Q = array([[((3 * i + 5 * c) % 7 - 3) / 2 for c in range(d_k)] for i in range(n)])
    K = array([[((5 * i + 2 * c) % 9 - 4) / 2 for c in range(d_k)] for i in range(n)])
    V = array([[float((4 * i + 3 * c) % 11) for c in range(d_v)] for i in range(n)])
    return Q, K, V, block


def _large(n: int, block: int) -> tuple[Array, Array, Array, int]:
    Q, K, V, block = _case(n, 2, 2, block)
    return 40 * Q, 40 * K, V, block


def _poisoned(n: int, block: int, first: int) -> tuple[Array, Array, Array, int]:
    """Put NaN into keys and values from a block on: the rows before it must not notice."""
    Q, K, V, block = _case(n, 2, 3, block)
    K[first * block :], V[first * block :] = nan, nan
    return Q, K, V, block


OUTPUT_AND_COUNT = parts("the output", "the count")


def _same_where_seen(got: tuple[Array, Array], right: tuple[Array, Array]) -> bool:
    """Compare the rows that have seen no poison."""
    if got[0].shape != right[0].shape:
        return False
    clean = ~isnan(right[0]).any(axis=1)
    return OUTPUT_AND_COUNT.same((got[0][clean], got[1]), (right[0][clean], right[1]))


def _caught_it(got: tuple[Array, Array], right: tuple[Array, Array]) -> bool:
    """Return whether a row is NaN that should not have met a NaN."""
    spoiled = isnan(right[0]).any(axis=1)
    return bool(spoiled.any() and isnan(got[0][~spoiled]).any())


def _overflowed(got: tuple[Array, Array], right: tuple[Array, Array]) -> bool:
    """Return whether a row is NaN although nothing was."""
    return bool(isnan(got[0]).any() and not isnan(right[0]).any())


EXERCISES["ex-causal-blocks"] = FunctionChecker(
    gives="the output and the number of tiles",
    right="""
        def causal_attention(Q, K, V, block):
            n, rows, count = len(Q), [], 0
            for first in range(0, n, block):
                q = Q[first : first + block]
                mu, Z, o = -np.inf, 0.0, 0.0
                for start in range(0, first + block, block):
                    k, v = K[start : start + block], V[start : start + block]
                    scores = q @ k.T / np.sqrt(q.shape[1])
                    seen = first + np.arange(len(q))[:, None] >= start + np.arange(len(k))
                    hidden = np.where(seen, scores, -np.inf)
                    new = np.maximum(mu, hidden.max(axis=1, keepdims=True))
                    shrink, powers = np.exp(mu - new), np.exp(hidden - new)
                    Z = Z * shrink + powers.sum(axis=1, keepdims=True)
                    o = o * shrink + powers @ v
                    mu = new
                    count += 1
                rows.append(o / Z)
            return np.concatenate(rows), count
        """,
    cases=(
        _case(1, 1, 1, 1),
        _case(2, 1, 1, 2),
        _case(2, 1, 1, 1),
        _case(4, 2, 1, 2),
        _case(6, 4, 3, 2),
        _case(6, 4, 3, 3),
    ),
    draw=random_case(
        lambda block, d_k, d_v, more: (*((block + more, size) for size in (d_k, d_k, d_v)), block)
    ),
    edges=(
        _case(5, 2, 2, 2),
        _case(7, 3, 2, 3),
        _case(4, 2, 2, 9),
        _large(6, 2),
        _poisoned(4, block=2, first=1),
        _poisoned(7, block=2, first=3),
        _poisoned(7, block=2, first=1),
    ),
    wrong={
        "return np.concatenate(rows), count => "
        "return np.concatenate(rows), (-(-n // block)) ** 2": "the output is right, but "
        "you count all tiles. Those above the diagonal need not be computed: let the inner loop "
        "stop at the diagonal.",
        "(rows), count => (rows), n * (n + 1) // 2": "the output is right, but the count is "
        "that of pairs. Count tiles.",
        "np.where(seen, scores, -np.inf) => scores": "the tiles on the diagonal show their queries "
        "later keys. Hide those: put minus infinity in place of their scores.",
        "range(0, first + block, block) => range(0, n, block) ;; "
        "np.where(seen, scores, -np.inf) => scores ;; count += 1 => count += start <= first": (
            "nothing is hidden: the queries see all keys, later ones included."
        ),
        "range(0, first + block, block) => range(0, n, block) ;; "
        "np.where(seen, scores, -np.inf) => scores": "nothing is hidden and nothing "
        "skipped: the queries see all keys, later ones included.",
        "/ np.sqrt(q.shape[1]) =>": "the scores are not divided by the square root of d_k.",
        "np.sqrt(q.shape[1]) => q.shape[1]": "the scores are divided by d_k itself. Take its "
        "square root.",
        "return np.concatenate(rows), count => "
        "return np.concatenate(rows), (n // block) * (n // block + 1) // 2": "the output "
        "is right, but a shorter last block is left out of the count: n / block is rounded up.",
        "np.maximum(mu, hidden.max(axis=1, keepdims=True)) => "
        "hidden.max(axis=1, keepdims=True) ;; "
        "Z = Z * shrink + powers.sum(axis=1, keepdims=True) => "
        "Z = 1; powers /= powers.sum(axis=1, keepdims=True) ;; o * shrink => o": "each "
        "tile has a softmax of its own, and the results are added. The weights of a query should "
        "sum to one over all its tiles: divide once, at the end.",
        "Z * shrink => Z ;; o * shrink => o": "when a later tile has a larger maximum, what was "
        "summed before must shrink by exp(mu - new).",
        Shows(_caught_it, edge=True): "output and count are right, but you do compute tiles in "
        "which every pair is hidden: NaN in the last keys and values reached the queries before "
        "them. A weight of zero is not enough, since 0 · NaN is NaN. Leave such a tile out of the "
        "loop.",
        Shows(_overflowed, edge=True): "large scores overflow in the exponential, or all of a row "
        "rounds to 0. Subtract the largest score of each row first, and let it grow from tile to "
        "tile.",
    },
    praise="the same output as with the whole matrix, and nothing above the diagonal reached it.",
    output=replace(OUTPUT_AND_COUNT, same=_same_where_seen),
)


# ex-recompute
def _rows(array: Array) -> Array:
    return asarray(array.sum(axis=1, keepdims=True))


def _tile(Q: Array, K: Array, V: Array, d_output: Array, keys: slice) -> tuple[Array, ...]:
    """Return a block of keys and what the way forward leaves for the way back."""
    scores = Q @ K.T / sqrt(Q.shape[1])
    peak = scores.max(axis=1, keepdims=True)
    powers = exp_all(scores - peak)
    L = peak[:, 0] + log_all(powers.sum(axis=1))
    return Q, K[keys], V[keys], powers @ V / _rows(powers), L, d_output


def _small_tile(n: int, m: int, d_k: int, d_v: int, keys: slice, larger: int = 1) -> Any:
    Q, K, V, _ = _case(max(n, m), d_k, d_v, 1)
    d_output = array([[((2 * i + 3 * c) % 5 - 2) / 2 for c in range(d_v)] for i in range(n)])
    return _tile(larger * Q[:n], larger * K[:m], V[:m], d_output, keys)


def _draw_tile(rng: Generator) -> tuple[Array, ...]:
    n, k, d_k, d_v, more = distinct_sizes(rng, 5)
    m = k + more
    Q, K, V, d_output = draw_arrays(rng, (n, d_k), (m, d_k), (m, d_v), (n, d_v))
    return _tile(Q, K, V, d_output, slice(more, m))


EXERCISES["ex-recompute"] = FunctionChecker(
    gives="the three parts d_Q, d_K and d_V",
    right="""
        def back(Q, K, V, output, L, d_output):
            root = np.sqrt(Q.shape[1])
            scores = Q @ K.T / root
            alpha = np.exp(scores - L[:, None])
            d_alpha = d_output @ V.T
            mean = (output * d_output).sum(axis=1, keepdims=True)
            d_scores = alpha * (d_alpha - mean) / root
            return d_scores @ K, d_scores.T @ Q, alpha.T @ d_output
        """,
    cases=(
        _small_tile(1, 2, 1, 1, slice(0, 1)),
        _small_tile(2, 4, 2, 1, slice(1, 4)),
        _small_tile(3, 5, 2, 4, slice(0, 5)),
    ),
    draw=_draw_tile,
    edges=(_small_tile(2, 4, 2, 3, slice(0, 3), larger=40),),
    wrong={
        "L[:, None]) => L[:, None]); alpha /= alpha.sum(axis=1, keepdims=True)": "the weights are "
        "those of a softmax over this block alone. Among all keys these have less: the weight of a "
        "score is its exponential after L is subtracted.",
        "L[:, None]) => L[:, None]); alpha /= alpha.sum(axis=1, keepdims=True) ;; "
        "(output * d_output) => (alpha * d_alpha)": "the weights are those of a softmax "
        "over this block alone, and so is the average. Use L for the one, and look at the output "
        "for the other.",
        "(output * d_output) => (alpha * d_alpha)": "the weights are right, but the average that "
        "is subtracted runs over this block alone. The one over all keys is in what you were "
        "given: what is the average of the values?",
        "d_alpha - mean => d_alpha": "nothing is subtracted from d_output @ V.T. The softmax takes "
        "off the weighted average of the row.",
        ".sum(axis=1, keepdims=True) => .sum()": "one average is subtracted from all rows. Each "
        "query has its own: sum along the last axis, with keepdims=True.",
        "(d_alpha - mean) / root => (d_alpha - mean)": "d_V is right, but d_Q and d_K are too "
        "large: the scores are divided by the root of d_k, so their gradient is too.",
        "Q @ K.T / root => Q @ K.T": "the scores are not divided by the root of d_k.",
        "root = np.sqrt(Q.shape[1]) => root = 1": "the scores are divided neither before the "
        "exponentials nor on the way back: both need the root of d_k.",
        "d_alpha - mean => mean - d_alpha": "the sign of d_Q and d_K is reversed: the average is "
        "subtracted from d_output @ V.T.",
        "np.exp(scores - L[:, None]) => np.exp(scores) / np.exp(L)[:, None]": "large scores "
        "overflow: exp(score) / exp(L) is infinity over infinity. Subtract L in the exponent.",
        Raises("could not be broadcast"): "shapes do not line up. L has one number for each query, "
        "so give it an axis to stand beside the rows: L[:, None]. A sum along a row needs "
        "keepdims=True for the same reason.",
    },
    praise="the output holds the average that a block cannot see, so nothing of size n × m is "
    "kept.",
    output=parts("d_Q", "d_K", "d_V"),
)


# ex-cache
def _cached(m: int, d: int, d_k: int, d_v: int) -> tuple[Array, ...]:
    Q, K, V, _ = _case(m + d, max(d_k, d), d_v, 1)
    W = [Q[:d, :d_k], K[m:, :d_k], V[m:] / 4]
    return Q[0, :d], K[:m, :d_k], V[:m], *W


EXERCISES["ex-cache"] = FunctionChecker(
    gives="the output, the keys and the values",
    right="""
        def attend_next(x, keys, values, W_q, W_k, W_v):
            q, k, v = x @ W_q, x @ W_k, x @ W_v
            K, V = np.vstack([keys, k]), np.vstack([values, v])
            scores = K @ q
            scaled = scores / np.sqrt(len(q))
            powers = np.exp(scaled - scaled.max())
            weights = powers / powers.sum()
            return weights @ V, K, V
        """,
    cases=(_cached(1, 2, 1, 1), _cached(2, 3, 2, 1), _cached(4, 2, 3, 2)),
    draw=random_case(
        lambda m, d, d_k, d_v: ((d,), (m, d_k), (m, d_v), (d, d_k), (d, d_k), (d, d_v))
    ),
    edges=(_cached(0, 2, 3, 1),),
    wrong={
        **not_yet_repaired(
            {
                "K @ q => keys @ q ;; weights @ V => weights @ values": "the new token does not "
                "see itself: its key and value are appended after the look-up. On the diagonal a "
                "causal mask has a 1, and the first token has nothing else to look at.",
                "[keys, k] => [k, keys]": "the new key stands in front and the new value at the "
                "end, so keys and values no longer belong together. Append both at the end.",
                "np.sqrt(len(q)) => np.sqrt(len(scores))": "the scores are divided by the root of "
                "the number of keys. It is d_k, the size of a query, that counts.",
            }
        ),
        "[values, v] => [v, values]": "the new value stands in front and the new key at the end, "
        "so keys and values no longer belong together. Append both at the end.",
        "[keys, k] => [k, keys] ;; [values, v] => [v, values]": "the output is right, but the new "
        "rows stand in front. Append them at the end, so that the rows stay in the order of the "
        "text.",
        "weights @ V, K, V => weights @ V, keys, values": "the output is right, but the keys and "
        "values that you return have not grown: the next token would not see this one.",
        "/ np.sqrt(len(q)) =>": "the scores are not divided by the root of d_k.",
        "np.sqrt(len(q)) => len(q)": "the scores are divided by d_k itself. Take its square root.",
    },
    praise="one row of work for each token, and the same output as with the whole text.",
    output=parts("the output", "the keys", "the values"),
)


# ex-grouped
def _groups(g: int, share: int, n: int, m: int, d_k: int) -> tuple[Array, Array]:
    Q, K, _, _ = _case(g * max(share * n, m), d_k, 1, 1)
    return Q[: g * share * n].reshape(-1, n, d_k), K[: g * m].reshape(g, m, d_k)


EXERCISES["ex-grouped"] = FunctionChecker(
    gives="one matrix of scores for each head of queries",
    right="""
        def grouped_scores(Q, K):
            share = len(Q) // len(K)
            chosen = np.arange(len(Q)) // share
            return Q @ K[chosen].swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
        """,
    cases=(_groups(1, 2, 1, 2, 1), _groups(2, 2, 1, 2, 3), _groups(2, 3, 1, 4, 2)),
    draw=random_case(lambda g, share, n, m, d_k: ((g * share, n, d_k), (g, m, d_k))),
    edges=(_groups(3, 1, 2, 4, 2),),
    wrong={
        "// share => % len(K)": "neighbouring heads of queries get different keys here. The first "
        "h/g share the first head of keys, the next ones the second, and so on.",
        "// share => * 0": "all heads use the first head of keys.",
        "/ np.sqrt(Q.shape[-1]) =>": "the scores are not divided by the root of d_k.",
        "np.sqrt(Q.shape[-1]) => Q.shape[-1]": "the scores are divided by d_k itself. Take its "
        "square root.",
    },
    praise="each key serves all heads of queries that share it, and is stored once.",
)

# ex-bandwidth
_MODEL, _CACHE = 2 * 8e9 / 4.5e9, 2 * 2 * 32 * 8 * 128 * 8192 / 4.5e9  # in milliseconds
_ALL = _MODEL + 64 * _CACHE
_FETCHED = "Count the bytes that are fetched, and divide by the bytes in a millisecond."

EXERCISES["ex-bandwidth"] = Values(
    (
        _number(
            "alone",
            _MODEL + _CACHE,
            {
                _MODEL: "that is without the cache, which is fetched for every token, too.",
                _CACHE: "that is the cache alone. The parameters are fetched for every token, too.",
                _MODEL + _CACHE / 2: "the cache holds keys and values: it is twice as large.",
                (_MODEL + _CACHE) / 1000: "that is in seconds.",
            },
            _FETCHED,
            tolerance=2e-3,  # it may be rounded to a hundredth
        ),
        _number(
            "together",
            _ALL,
            {
                64 * (_MODEL + _CACHE): "the parameters are fetched once for all texts.",
                _MODEL + _CACHE: "that is one cache. Each of the 64 texts has its own.",
                _ALL / 64: "that is the share of each text. A step writes 64 tokens.",
            },
            _FETCHED,
            tolerance=2e-3,  # it may be rounded to a hundredth
        ),
    ),
    praise="the parameters are fetched once for all texts, the caches once for each.",
)
