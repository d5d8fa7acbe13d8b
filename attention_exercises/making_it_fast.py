"""Exercises of the chapter "Making it fast"."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import wraps
from math import cos, exp, inf, isfinite, nan, sin, sqrt
from typing import Any
from weakref import ref

from numpy import (
    array,
    asarray,
    concatenate,
    full,
    isnan,
    ndarray,
    tri,
    where,
    zeros,
)
from numpy import exp as exp_all
from numpy import log as log_all
from numpy.random import Generator

from attention_exercises._rules import (
    ALL_BUT_SOFTMAX,
    PRODUCTS,
    most_memory,
    not_yet_repaired,
    rows_of,
    trace,
    worth_a_probe,
)
from attention_lib._arguments import Array, Mask
from bookwork.exercises import (
    NOT_STARTED,
    ChoiceChecker,
    Exercise,
    Finding,
    FunctionChecker,
    Mistake,
    Trial,
    borrowed,
    distinct_sizes,
    draw_arrays,
    not_a_number,
    parts,
    read_array,
    run,
    show,
    unfinished,
)

# ex-weights-memory

_BYTES = 4 * 32 * 16_384**2  # of the whole matrix
_BLOCK_BYTES = 4 * 256 * 16_384
_TIMES = 16_384 / (2 * 2048)  # 2 n² d over 4 n d²

_OTHER_WHOLE = (
    (_BYTES / 2**30 / 32, "that is one head. Each of the 32 has a matrix of its own."),
    (
        _BYTES / 2**30 / 4,
        "that counts numbers, in units of 2^30. Each takes four bytes.",
    ),
    (_BYTES / 2**30 * 2, "that is float64, eight bytes a number. float32 takes four."),
    (_BYTES / 10**9, "that is in GB, of 10^9 bytes. A GiB has 2^30, which is a little more."),
    (_BYTES / 2**20, "that is in MiB. Divide by 2^30 bytes, not by 2^20."),
    (float(_BYTES), "that is in bytes. Divide by 2^30."),
)

_OTHER_BLOCK = (
    (_BLOCK_BYTES / 2**20 / 4, "that counts numbers, in units of 2^20. Each takes four bytes."),
    (_BLOCK_BYTES / 2**20 * 32, "that is a block of all 32 heads. Only one is held at a time."),
    (_BLOCK_BYTES / 2**20 * 2, "that is float64, eight bytes a number. float32 takes four."),
    (4 * 256 * 256 / 2**20, "that is 256 × 256. A row has a number for each of the 16,384 keys."),
    (_BLOCK_BYTES / 2**30, "that is in GiB. Divide by 2^20 bytes, not by 2^30."),
    (float(_BLOCK_BYTES), "that is in bytes. Divide by 2^20."),
    (_BLOCK_BYTES / 10**6, "that is in MB, of 10^6 bytes. A MiB has 2^20."),
)

_TIMES_ADVICE = "Write both parts of the cost with n and d, and cancel what they share."
_OTHER_TIMES = (
    (1 / _TIMES, "that is projections over pairs. Invert it."),
    (2 * _TIMES, "that is n / d. There are four projections, but only two products of pairs."),
    (_TIMES / 2, "that leaves out a product of pairs: scores and weighted sums take n² d each."),
    (
        _TIMES * 32,
        "that gives each head vectors of size d. The vectors of all heads together have size d, "
        "so the number of heads cancels.",
    ),
    (
        _TIMES / 32,
        "that is the work of one head, but the projections of all. The number of heads cancels.",
    ),
    (2 * 16_384**2 * 2048, "that is the work of the pairs. Divide it by that of the projections."),
    (4 * 16_384 * 2048**2, "that is the work of the projections. The pairs' is divided by it."),
)


def check_memory(whole: Any, block: Any, times: Any) -> Finding:
    """Judge the memory of all weights, that of a block, and how much of the work pairs make."""
    if any(unfinished(answer) for answer in (whole, block, times)):
        return Finding("not started", NOT_STARTED)
    for name, answer in (("whole", whole), ("block", block), ("times", times)):
        if found := not_a_number(answer, name + " is one number, but yours is {}."):
            return found
    return (
        _judge("whole", float(whole), _BYTES / 2**30, _OTHER_WHOLE)
        or _judge("block", float(block), _BLOCK_BYTES / 2**20, _OTHER_BLOCK)
        or _judge("times", float(times), _TIMES, _OTHER_TIMES, _TIMES_ADVICE)
        or Finding(
            "correct",
            "32 GiB for the whole matrix, 16 MiB for a block of its rows, and the pairs take four "
            "times the work of the projections.",
        )
    )


def _judge(
    name: str,
    number: float,
    right: float,
    others: Iterable[tuple[float, str]],
    advice: str = "Count the numbers first, then their bytes.",
) -> Finding | None:
    """Return what is wrong with a number, if anything is."""
    if isfinite(number) and abs(number - right) < 1e-3 * right:
        return None
    for other, says in others:
        if isfinite(number) and abs(number - other) < 5e-3 * other:
            return Finding("known mistake", f"{name}: {says}")
    return Finding("not yet", f"{name} is not {show(number)}. {advice}")


# ex-online

Stream = list[tuple[float, Array | list[float]]]


def read_stream(stream: Stream) -> list[float]:
    """Weigh all values at once, from the whole list of scores."""
    peak = max(score for score, _ in stream)
    powers = [exp(score - peak) for score, _ in stream]
    columns = zip(*(value for _, value in stream), strict=True)
    return [_dot(powers, column) / sum(powers) for column in columns]


def _dot(first: Iterable[float], second: Iterable[float]) -> float:
    return sum(x * y for x, y in zip(first, second, strict=True))


def _stepwise(
    stream: Stream,
    start: float = -inf,
    shrink_sum: bool = True,
    shrink_output: bool = True,
    sign: int = 1,
    follow: bool = True,
    python: bool = False,
) -> Any:
    """Make one of the usual mistakes of an online softmax; at the end divide an array or a list."""
    mu, Z, o = start, 0.0, zeros(len(stream[0][1]))
    for score, value in stream:
        new = max(mu, score)
        shrink, power = exp_all(sign * (mu - new)), exp(score - new)
        Z = (Z * shrink if shrink_sum else Z) + power
        o = (o * shrink if shrink_output else o) + power * asarray(value)
        mu = new if follow else mu
    return [x / float(Z) for x in o.tolist()] if python else o / array(Z)


def _overflowing(stream: Stream) -> Array:
    powers = exp_all([score for score, _ in stream])
    return powers @ array([value for _, value in stream]) / powers.sum()


def _undivided(stream: Stream) -> Array:
    return asarray(read_stream(stream)) * sum(
        exp(score - max(a for a, _ in stream)) for score, _ in stream
    )


def _stream(scores: Iterable[float], *values: list[float]) -> tuple[Stream]:
    return (list(zip(scores, map(array, values), strict=True)),)


def _draw_stream(rng: Generator) -> tuple[Stream]:
    m, d_v = distinct_sizes(rng, 2)
    scores, values = draw_arrays(rng, (m,), (m, d_v))
    return _stream((3 * scores).tolist(), *values.tolist())


class Once:
    """A stream of pairs that can be read only once; counts how often its end was met."""

    def __init__(self, pairs: Stream) -> None:
        self.pairs, self.ends = iter(pairs), 0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> tuple[float, Any]:
        try:
            return next(self.pairs)
        except StopIteration:
            self.ends += 1
            raise


class Score(float):
    """A number that shows whether anything still refers to it."""

    __slots__ = ("__weakref__",)


def watched(count: int, held: list[bool]) -> Iterator[tuple[float, Array]]:
    """Hand out pairs; at the end, note whether the reader still holds many of them."""
    scores, values = [], []
    for place in range(count):
        score, value = Score(sin(place)), array([cos(place), 1.0])
        scores.append(ref(score))
        values.append(ref(value))
        yield score, value
        del score, value
    alive = (sum(item() is not None for item in items) for items in (scores, values))
    kept = sys._getframe(1).f_locals.values()  # the variables of the function that reads
    held.append(max(*alive, *map(_numbers_in, kept), 0) > count / 2)


def _numbers_in(kept: Any) -> int:
    """Return how many numbers are in a variable: an array, or whatever holds several things."""
    if isinstance(kept, dict):
        kept = list(kept.values())
    if isinstance(kept, list | tuple | set | deque):
        return sum(map(_numbers_in, kept))
    return kept.size if isinstance(kept, ndarray) else 1


class StreamChecker(FunctionChecker):
    """Checks a function that gets its list as a stream, to be read once and not stored."""

    def __call__(self, function: Any) -> Finding:
        """Judge the function; then see how the function reads."""
        finding = super().__call__(function)
        if finding.status == "correct":
            return Finding("known mistake", _HELD) if _holds(function) else finding
        again = worth_a_probe(finding) and callable(function) and _reads_again(function)
        return Finding("known mistake", _TWICE) if again else finding

    def _try(self, function: Callable[..., Any]) -> Iterator[Trial]:
        @wraps(function)  # so that the line of an error is looked for in the reader's file
        def read_once(pairs: Stream) -> Any:
            return function(Once(pairs))

        return super()._try(read_once)


def _reads_again(function: Callable[..., Any]) -> bool:
    stream = Once([(2.0, array([1.0, 0.0])), (1.0, array([0.0, 1.0]))])
    run(lambda: function(stream), (), read_array)
    return stream.ends > 1


def _holds(function: Callable[..., Any]) -> bool:
    held: list[bool] = []
    run(lambda: function(watched(400, held)), (), read_array)
    return any(held) or _stores_values(function)


def _stores_values(function: Callable[..., Any], count: int = 200, size: int = 200) -> bool:
    """Return whether about as much memory is taken as by all values, in whatever form."""
    pairs = ((sin(place), full(size, cos(place))) for place in range(count))
    return most_memory(lambda: function(pairs)) > 8 * count * size / 3


_TWICE = (
    "the stream can be read only once: after the first loop it is empty. Keep what you need while "
    "you read."
)
_HELD = (
    "the output is right, but by the end you hold the whole stream, in a list or an array. Keep "
    "three things only, the running maximum and the two running sums."
)
_FROM_A_NUMBER = (
    "the maximum starts at {}, so scores far below it all round to 0, and 0/0 is not a number. "
    "Start from minus infinity."
)

ONLINE = StreamChecker(
    name="read_stream",
    parameters=("stream",),
    gives="one vector of size d_v",
    right=read_stream,
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
    mistakes=(
        Mistake(
            "the weighted sum of the values is not divided by the sum of the exponentials at the "
            "end: o / Z.",
            wrong=_undivided,
        ),
        Mistake(
            "when the maximum moves, neither sum is multiplied by exp(mu - new). The old terms "
            "still count from the old maximum.",
            wrong=lambda stream: _stepwise(stream, shrink_sum=False, shrink_output=False),
        ),
        Mistake(
            "Z shrinks when the maximum moves, but o does not. Both count from the maximum, so "
            "both need the factor.",
            wrong=lambda stream: _stepwise(stream, shrink_output=False),
        ),
        Mistake(
            "o shrinks when the maximum moves, but Z does not. Both count from the maximum, so "
            "both need the factor.",
            wrong=lambda stream: _stepwise(stream, shrink_sum=False),
        ),
        Mistake(
            "the exponent of the factor has the wrong sign, so the old sums grow instead of "
            "shrinking: it is exp(mu - new), at most 1.",
            wrong=lambda stream: _stepwise(stream, sign=-1),
        ),
        Mistake(
            "the maximum is never kept: set mu to new at the end of each step, or every step "
            "starts from minus infinity again.",
            wrong=lambda stream: _stepwise(stream, follow=False),
        ),
        Mistake(
            "this is the plain average of the values: the scores have no effect.",
            wrong=lambda stream: array([value for _, value in stream]).mean(axis=0),
        ),
        Mistake(
            "large scores overflow: the exponential of 1000 is infinite. Subtract the running "
            "maximum from every score.",
            wrong=_overflowing,
        ),
        Mistake(
            "large scores overflow: the exponential of 1000 is infinite. Subtract the running "
            "maximum from every score.",
            raises="OverflowError",
        ),
        Mistake(_FROM_A_NUMBER.format("0"), wrong=lambda stream: _stepwise(stream, start=0.0)),
        Mistake(
            _FROM_A_NUMBER.format("a finite number"),
            wrong=lambda stream: _stepwise(stream, start=-1e9),
        ),
        Mistake(
            _FROM_A_NUMBER.format("0"),
            wrong=lambda stream: _stepwise(stream, start=0.0, python=True),
        ),
        Mistake(
            _FROM_A_NUMBER.format("a finite number"),
            wrong=lambda stream: _stepwise(stream, start=-1e9, python=True),
        ),
        Mistake(_TWICE, raises="object of type 'Once' has no len()"),
        Mistake(_TWICE, raises="'Once' object is not subscriptable"),
    ),
    praise="one pass, three things kept, and the same output as with all scores at hand.",
)

# ex-merge

Half = tuple[float, float, Array]


def merge(first: Half, second: Half) -> tuple[float, float, list[float]]:
    """Count both halves from the larger maximum."""
    mu = max(first[0], second[0])
    factors = [exp(half[0] - mu) for half in (first, second)]
    total = sum(factor * half[1] for factor, half in zip(factors, (first, second), strict=True))
    vectors = zip(first[2], second[2], strict=True)
    return mu, total, [_dot(factors, pair) for pair in vectors]


def _joined(first: Half, second: Half, by: Callable[[float, float], tuple[float, float]]) -> Any:
    """Merge with other factors than the right ones."""
    one, two = by(first[0], second[0])
    return (
        max(first[0], second[0]),
        one * first[1] + two * second[1],
        one * first[2] + two * second[2],
    )


def _upward(one: float, two: float) -> tuple[float, float]:
    return exp(max(one, two) - one), exp(max(one, two) - two)


def _first_only(one: float, two: float) -> tuple[float, float]:
    return exp(one - max(one, two)), 1.0


def _second_only(one: float, two: float) -> tuple[float, float]:
    return 1.0, exp(two - max(one, two))


def _from_zero(one: float, two: float) -> tuple[float, float]:
    return exp(one), exp(two)


def _divided(first: Half, second: Half) -> Any:
    mu, total, o = merge(first, second)
    return mu, total, asarray(o) / total


def _Z_only(first: Half, second: Half) -> Any:
    mu, total, _ = merge(first, second)
    return mu, total, first[2] + second[2]


_ONE_SIDED = (
    "only one half is multiplied by its factor. Either half may have the smaller maximum, so give "
    "each its own factor; the larger one's is 1."
)


def _draw_halves(rng: Generator) -> tuple[Half, Half]:
    d_v = int(rng.integers(2, 6))
    mu, Z, o = draw_arrays(rng, (2,), (2,), (2, d_v))
    first, second = zip((3 * mu).tolist(), exp_all(Z).tolist(), o, strict=True)
    return first, second


MERGE = FunctionChecker(
    name="merge",
    parameters=("first", "second"),
    gives="the three parts mu, Z and o",
    right=merge,
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
    mistakes=(
        Mistake(
            "the sums are added as they are, but each half counts from its own maximum. Multiply "
            "each by exp(its maximum - the new one) first.",
            wrong=lambda first, second: _joined(first, second, lambda one, two: (1.0, 1.0)),
        ),
        Mistake(
            "the exponent has the wrong sign, so the half with the smaller maximum grows. The "
            "factor is exp(its maximum - the new one), at most 1.",
            wrong=lambda first, second: _joined(first, second, _upward),
        ),
        Mistake(_ONE_SIDED, wrong=lambda first, second: _joined(first, second, _first_only)),
        Mistake(_ONE_SIDED, wrong=lambda first, second: _joined(first, second, _second_only)),
        Mistake(
            "Z is merged, but o is added without the factors. It needs the same.", wrong=_Z_only
        ),
        Mistake(
            "o is divided by Z. Leave that to the very end: what you return may be merged again.",
            wrong=_divided,
        ),
        Mistake(
            "your factors are exp(mu), counted from 0: they do not fit the new maximum, and for "
            "large scores they overflow. Subtract the new maximum in the exponent.",
            wrong=lambda first, second: _joined(first, second, _from_zero),
        ),
    ),
    praise="both halves count from one maximum now, so they can be merged again and again.",
    output=parts("mu", "Z", "o"),
)

# ex-exact


EXACT = ChoiceChecker(
    right="b",
    explanations={
        "a": "the rescaling is exact: after the last block, maximum and sum are those of all keys. "
        "Only rounding differs.",
        "b": "keys outside the window get weight zero, and the others more than their share.",
        "c": "a row of weights needs its own query and all keys, and has both. No row depends on "
        "another.",
        "d": "every term has the same divisor, so it may be taken out of the sum. This saves "
        "divisions and changes nothing.",
    },
)

# ex-causal-blocks


def causal_attention(Q: Array, K: Array, V: Array, block: int) -> tuple[list[list[float]], int]:
    """Weigh, for each query, the values up to its place; count the blocks below the diagonal."""
    rows = []
    for i, query in enumerate(Q.tolist()):
        scores = [_dot(query, key) / sqrt(len(query)) for key in K[: i + 1].tolist()]
        rows.append(read_stream(list(zip(scores, V[: i + 1].tolist(), strict=True))))
    blocks = -(-len(Q) // block)
    return rows, blocks * (blocks + 1) // 2


def _weighed(Q: Array, K: Array, V: Array, allowed: Any, scale: float | None = None) -> Array:
    scores = Q @ K.T / (sqrt(Q.shape[1]) if scale is None else scale)
    powers = where(allowed, exp_all(scores - scores.max(axis=1, keepdims=True)), 0)
    return powers @ V / powers.sum(axis=1, keepdims=True)


def _count(Q: Array, block: int) -> int:
    blocks = -(-len(Q) // block)
    return blocks * (blocks + 1) // 2


def _separately(Q: Array, K: Array, V: Array, block: int) -> Array:
    """Give each block of keys a softmax of its own and add the results."""
    rows = []
    for i in range(len(Q)):
        parts = zeros(V.shape[1])
        for j in range(0, i + 1, block):
            keys = slice(j, min(j + block, i + 1))
            parts = parts + _weighed(Q[i : i + 1], K[keys], V[keys], tri(1))[0]
        rows.append(parts)
    return array(rows)


def _unshrunk(Q: Array, K: Array, V: Array, block: int) -> Array:
    """Forget to rescale when a later block has a larger maximum."""
    rows = []
    for i, query in enumerate(Q):
        mu, Z, o = -inf, 0.0, zeros(V.shape[1])
        for j in range(0, i + 1, block):
            keys = slice(j, min(j + block, i + 1))
            scores = K[keys] @ query / sqrt(len(query))
            mu = max(mu, scores.max())
            powers = exp_all(scores - mu)
            Z, o = Z + powers.sum(), o + powers @ V[keys]
        rows.append(o / array(Z))
    return array(rows)


def _by_blocks(Q: Array, block: int) -> Mask:
    """Allow whole blocks on and below the diagonal: the mask inside them is forgotten."""
    numbers = array([i // block for i in range(len(Q))])
    return asarray(numbers[:, None] >= numbers)


def _case(n: int, d_k: int, d_v: int, block: int) -> tuple[Array, Array, Array, int]:
    """Make small numbers without a generator, so that messages can show them."""
    Q = array([[((3 * i + 5 * c) % 7 - 3) / 2 for c in range(d_k)] for i in range(n)])
    K = array([[((5 * i + 2 * c) % 9 - 4) / 2 for c in range(d_k)] for i in range(n)])
    V = array([[float((4 * i + 3 * c) % 11) for c in range(d_v)] for i in range(n)])
    return Q, K, V, block


def _large(n: int, block: int) -> tuple[Array, Array, Array, int]:
    Q, K, V, block = _case(n, 2, 2, block)
    return 40 * Q, 40 * K, V, block


def _tri(Q: Array) -> Mask:
    return asarray(tri(len(Q)) == 1)


def _draw_case(rng: Generator) -> tuple[Any, ...]:
    """Draw a case in which all sizes differ, the number of blocks included."""
    block, d_k, d_v, more = distinct_sizes(rng, 4)
    n = block + more
    return *draw_arrays(rng, (n, d_k), (n, d_k), (n, d_v)), block


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


def _products(function: Any, block: int) -> list[tuple[range, range]]:
    """Return which queries meet which keys, one pair of ranges for each product."""
    Q, K, V, block = _case(7, 3, 2, block)
    *traced, told = trace(Q, K)
    run(lambda: function(*traced, V, block), (), OUTPUT_AND_COUNT.read)
    met = [
        (name in PRODUCTS, _rows_in(parts, Q), _rows_in(parts, K))
        for name, parts in told
        if name in (*PRODUCTS, "multiply")  # with only one of them, `multiply` scales it
    ]
    return [(queries, keys) for product, queries, keys in met if product or (queries and keys)]


def _rows_in(parts: list[Any], whole: Array) -> range:
    """Return which rows of an array are multiplied, on whichever side."""
    return next((rows for part in parts if (rows := rows_of(part, whole))), range(0))


class Number(float):
    """A number of a query or a key, which notes when the one is multiplied by the other.

    Unlike a traced array, it still does so after the arrays were copied or scaled.
    """

    place: tuple[str, int] | None = None  # ("Q", i) or ("K", j), if it still belongs to a row
    met: list[tuple[int, int]]

    def exp(self) -> float:  # np.exp calls it, for an array of objects
        """Return the exponential."""
        return _number(exp_all(float(self)), self.met)


def _number(value: Any, met: list[tuple[int, int]], place: tuple[str, int] | None = None) -> Number:
    number = Number(value)
    number.met, number.place = met, place
    return number


def _noting(name: str) -> Callable[[Number, Any], Any]:
    """Return an operation of numbers whose result is such a number again."""

    def operate(self: Number, other: Any) -> Any:
        value = getattr(float, name)(self, other)
        if value is NotImplemented:
            return value
        rows = dict(part for part in (self.place, getattr(other, "place", None)) if part)
        if len(rows) < 2:
            return _number(value, self.met, next(iter(rows.items()), None))
        if name in ("__mul__", "__rmul__"):
            self.met.append((rows["Q"], rows["K"]))
        return _number(value, self.met)

    return operate


for _operation in ("add", "sub", "mul", "truediv"):
    for _side in ("", "r"):
        setattr(Number, f"__{_side}{_operation}__", _noting(f"__{_side}{_operation}__"))


def _hidden_pairs(function: Any, block: int) -> bool:
    """Return whether a query is multiplied by a key of a later block."""
    Q, K, V, block = _case(7, 3, 2, block)
    met: list[tuple[int, int]] = []
    noting = [
        array([[_number(x, met, (name, i)) for x in row] for i, row in enumerate(part)], object)
        for name, part in (("Q", Q), ("K", K))
    ]
    run(lambda: function(*noting, V, block), (), OUTPUT_AND_COUNT.read)
    return any(j // block > i // block for i, j in met)


class CausalChecker(FunctionChecker):
    """Checks causal attention in blocks; not even the scores of a hidden block may be computed."""

    def __call__(self, function: Any) -> Finding:
        """Judge the function; then see which queries meet which keys."""
        finding = super().__call__(function)
        if finding.status != "correct":
            return finding
        if says := _not_in_tiles(function, block=2):
            return Finding("known mistake", says)
        is_borrowed = borrowed(function, ("softmax",))
        return Finding("known mistake", _LIBRARY_SOFTMAX) if is_borrowed else finding


def _not_in_tiles(function: Any, block: int) -> str:
    """Say which scores are computed that should not be, or not at once."""
    pairs = _products(function, block)
    if any(q and k and k[0] // block > q[-1] // block for q, k in pairs):
        return _HIDDEN_SCORES
    if any(len(keys) > block for _, keys in pairs):
        return _NO_TILES
    if any(len(queries) > block for queries, _ in pairs):
        return _MANY_QUERIES
    return _HIDDEN_SCORES if _hidden_pairs(function, block) else ""


_HIDDEN_SCORES = (
    "output and count are right, but you do compute the scores of tiles in which every pair is "
    "hidden, and drop them afterwards. Leave them out: compute tile by tile, up to the diagonal."
)
_LIBRARY_SOFTMAX = (
    "output and count are right, but this exercise asks you to use nothing from attention_lib, and "
    "your answer calls its softmax."
)
_NO_TILES = (
    "output and count are right, but a query is multiplied by more than block keys at once, so "
    "there are no tiles to count. Cut the keys into blocks as well."
)
_MANY_QUERIES = (
    "output and count are right, but more than block queries are multiplied by the keys at once, "
    "so there are no tiles to count. Cut the queries into blocks as well."
)


CAUSAL = CausalChecker(
    name="causal_attention",
    parameters=("Q", "K", "V", "block"),
    gives="the output and the number of tiles",
    right=causal_attention,
    cases=(
        _case(1, 1, 1, 1),
        _case(2, 1, 1, 2),
        _case(2, 1, 1, 1),
        _case(4, 2, 1, 2),
        _case(6, 4, 3, 2),
        _case(6, 4, 3, 3),
    ),
    draw=_draw_case,
    without=ALL_BUT_SOFTMAX,  # softmax is noticed last, when all else is right
    edges=(
        _case(5, 2, 2, 2),
        _case(7, 3, 2, 3),
        _case(4, 2, 2, 9),
        _large(6, 2),
        _poisoned(4, block=2, first=1),
        _poisoned(7, block=2, first=3),
        _poisoned(7, block=2, first=1),
    ),
    mistakes=(
        Mistake(
            "the output is right, but you count all tiles. Those above the diagonal need not be "
            "computed: let the inner loop stop at the diagonal.",
            wrong=lambda Q, K, V, block: (
                _weighed(Q, K, V, _tri(Q)),
                (-(-len(Q) // block)) ** 2,
            ),
        ),
        Mistake(
            "the output is right, but the count is that of pairs. Count tiles.",
            wrong=lambda Q, K, V, block: (_weighed(Q, K, V, _tri(Q)), int(tri(len(Q)).sum())),
        ),
        Mistake(
            "the tiles on the diagonal show their queries later keys. Hide those: put minus "
            "infinity in place of their scores.",
            wrong=lambda Q, K, V, block: (
                _weighed(Q, K, V, _by_blocks(Q, block)),
                _count(Q, block),
            ),
        ),
        Mistake(
            "nothing is hidden: the queries see all keys, later ones included.",
            wrong=lambda Q, K, V, block: (_weighed(Q, K, V, _tri(Q) | True), _count(Q, block)),
        ),
        Mistake(
            "nothing is hidden and nothing skipped: the queries see all keys, later ones included.",
            wrong=lambda Q, K, V, block: (
                _weighed(Q, K, V, _tri(Q) | True),
                (-(-len(Q) // block)) ** 2,
            ),
        ),
        Mistake(
            "the scores are not divided by the square root of d_k.",
            wrong=lambda Q, K, V, block: (_weighed(Q, K, V, _tri(Q), 1.0), _count(Q, block)),
        ),
        Mistake(
            "the scores are divided by d_k itself. Take its square root.",
            wrong=lambda Q, K, V, block: (
                _weighed(Q, K, V, _tri(Q), Q.shape[1]),
                _count(Q, block),
            ),
        ),
        Mistake(
            "the output is right, but a shorter last block is left out of the count: n / block is "
            "rounded up.",
            wrong=lambda Q, K, V, block: (
                _weighed(Q, K, V, _tri(Q)),
                (len(Q) // block) * (len(Q) // block + 1) // 2,
            ),
        ),
        Mistake(
            "each tile has a softmax of its own, and the results are added. The weights of a "
            "query should sum to one over all its tiles: divide once, at the end.",
            wrong=lambda Q, K, V, block: (_separately(Q, K, V, block), _count(Q, block)),
        ),
        Mistake(
            "when a later tile has a larger maximum, what was summed before must shrink by "
            "exp(mu - new).",
            wrong=lambda Q, K, V, block: (_unshrunk(Q, K, V, block), _count(Q, block)),
        ),
        Mistake(
            "output and count are right, but you do compute tiles in which every pair is hidden: "
            "NaN in the last keys and values reached the queries before them. A weight of zero is "
            "not enough, since 0 · NaN is NaN. Leave such a tile out of the loop.",
            shows=_caught_it,
            edge=True,
        ),
        Mistake(
            "large scores overflow in the exponential, or all of a row rounds to 0. Subtract the "
            "largest score of each row first, and let it grow from tile to tile.",
            shows=_overflowed,
            edge=True,
        ),
    ),
    praise="the same output as with the whole matrix, and nothing computed above the diagonal "
    "that could be skipped.",
    output=replace(OUTPUT_AND_COUNT, same=_same_where_seen),
)

# ex-recompute


def back(
    Q: Array, K: Array, V: Array, output: Array, L: Array, d_output: Array
) -> tuple[Any, Any, Any]:
    """Follow every pair of a query and one of these keys, with plain loops."""
    root = sqrt(Q.shape[1])
    d_Q, d_K, d_V = zeros(Q.shape), zeros(K.shape), zeros(V.shape)
    for i, (q, o, log_sum, d_o) in enumerate(zip(Q, output, L.tolist(), d_output, strict=True)):
        for j, (k, v) in enumerate(zip(K, V, strict=True)):
            alpha = exp(_dot(q, k) / root - log_sum)
            d_a = alpha * (_dot(d_o, v) - _dot(d_o, o)) / root
            d_Q[i], d_K[j], d_V[j] = d_Q[i] + d_a * k, d_K[j] + d_a * q, d_V[j] + alpha * d_o
    return d_Q, d_K, d_V


def _tile_back(
    *arrays: Array,
    alone: bool = False,
    mean: Callable[[Array, Array, Array, Array], Any] | None = None,
    scale: float = 0.5,
    after: float = 0.5,
    sign: int = 1,
    plain: bool = False,
) -> tuple[Array, Array, Array]:
    """Go back through a tile with one of the usual mistakes; roots are given as powers of d_k."""
    Q, K, V, output, L, d_output = arrays
    d_k = Q.shape[1]
    scores = Q @ K.T / d_k**scale
    alpha = exp_all(scores) / exp_all(L)[:, None] if plain else exp_all(scores - L[:, None])
    alpha = alpha / _rows(alpha) if alone else alpha
    d_alpha = d_output @ V.T
    average = mean(alpha, d_alpha, output, d_output) if mean else _rows(output * d_output)
    d_A = sign * alpha * (d_alpha - average) / d_k**after
    return d_A @ K, d_A.T @ Q, alpha.T @ d_output


def _of_this_block(alpha: Array, d_alpha: Array, output: Array, d_output: Array) -> Array:
    return _rows(alpha * d_alpha)


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


RECOMPUTE = FunctionChecker(
    name="back",
    parameters=("Q", "K", "V", "output", "L", "d_output"),
    gives="the three parts d_Q, d_K and d_V",
    right=back,
    cases=(
        _small_tile(1, 2, 1, 1, slice(0, 1)),
        _small_tile(2, 4, 2, 1, slice(1, 4)),
        _small_tile(3, 5, 2, 4, slice(0, 5)),
    ),
    draw=_draw_tile,
    edges=(_small_tile(2, 4, 2, 3, slice(0, 3), larger=40),),
    without=("attention_backward", "blockwise_attention_backward", "softmax_backward"),
    mistakes=(
        Mistake(
            "the weights are those of a softmax over this block alone. Among all keys these have "
            "less: the weight of a score is its exponential after L is subtracted.",
            wrong=lambda *arrays: _tile_back(*arrays, alone=True),
        ),
        Mistake(
            "the weights are those of a softmax over this block alone, and so is the average. Use "
            "L for the one, and look at the output for the other.",
            wrong=lambda *arrays: _tile_back(*arrays, alone=True, mean=_of_this_block),
        ),
        Mistake(
            "the weights are right, but the average that is subtracted runs over this block alone. "
            "The one over all keys is in what you were given: what is the average of the values?",
            wrong=lambda *arrays: _tile_back(*arrays, mean=_of_this_block),
        ),
        Mistake(
            "nothing is subtracted from d_output @ V.T. The softmax takes off the weighted average "
            "of the row.",
            wrong=lambda *arrays: _tile_back(*arrays, mean=lambda *_: 0.0),
        ),
        Mistake(
            "one average is subtracted from all rows. Each query has its own: sum along the last "
            "axis, with keepdims=True.",
            wrong=lambda *arrays: _tile_back(
                *arrays, mean=lambda alpha, d_alpha, output, d_output: (output * d_output).sum()
            ),
        ),
        Mistake(
            "d_V is right, but d_Q and d_K are too large: the scores are divided by the root of "
            "d_k, so their gradient is too.",
            wrong=lambda *arrays: _tile_back(*arrays, after=0.0),
        ),
        Mistake(
            "the scores are not divided by the root of d_k.",
            wrong=lambda *arrays: _tile_back(*arrays, scale=0.0),
        ),
        Mistake(
            "the scores are divided neither before the exponentials nor on the way back: both need "
            "the root of d_k.",
            wrong=lambda *arrays: _tile_back(*arrays, scale=0.0, after=0.0),
        ),
        Mistake(
            "the sign of d_Q and d_K is reversed: the average is subtracted from d_output @ V.T.",
            wrong=lambda *arrays: _tile_back(*arrays, sign=-1),
        ),
        Mistake(
            "large scores overflow: exp(score) / exp(L) is infinity over infinity. Subtract L in "
            "the exponent.",
            wrong=lambda *arrays: _tile_back(*arrays, plain=True),
        ),
        Mistake(
            "shapes do not line up. L has one number for each query, so give it an axis to stand "
            "beside the rows: L[:, None]. A sum along a row needs keepdims=True for the same "
            "reason.",
            raises="could not be broadcast",
        ),
    ),
    praise="the output holds the average that a block cannot see, so nothing of size n × m is "
    "kept.",
    output=parts("d_Q", "d_K", "d_V"),
)

# ex-cache


def attend_next(
    x: Array, keys: Array, values: Array, W_q: Array, W_k: Array, W_v: Array
) -> tuple[list[float], list[list[float]], list[list[float]]]:
    """Append the new key and value, then read the whole stream."""
    q, k, v = ([_dot(x, column) for column in W.T] for W in (W_q, W_k, W_v))
    new_keys, new_values = [*keys.tolist(), k], [*values.tolist(), v]
    scores = [_dot(q, key) / sqrt(len(q)) for key in new_keys]
    return read_stream(list(zip(scores, new_values, strict=True))), new_keys, new_values


def _attend(
    x: Array,
    keys: Array,
    values: Array,
    W_q: Array,
    W_k: Array,
    W_v: Array,
    *,
    late: bool = False,
    front: str = "",
    size: Callable[[Array, Array], float] = lambda q, keys: len(q),
) -> tuple[Array, Array, Array]:
    """Look up with a cache that has some of the faults; `front` names what grows at the front."""
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    grown = [
        concatenate([row[None], kept] if name in front else [kept, row[None]])
        for name, row, kept in (("keys", k, keys), ("values", v, values))
    ]
    K, V = (keys, values) if late else grown
    scores = K @ q / sqrt(size(q, K)) if len(K) else zeros(0)
    powers = exp_all(scores - scores.max(initial=-inf)) if len(K) else scores
    return powers @ V / (powers.sum() or 1), grown[0], grown[1]


def _rows_so_far(q: Array, keys: Array) -> float:
    return len(keys)


_LATE = (
    "the new token does not see itself: its key and value are appended after the look-up. On the "
    "diagonal a causal mask has a 1, and the first token has nothing else to look at."
)
_FRONT = (
    "the new key stands in front and the new value at the end, so keys and values no longer belong "
    "together. Append both at the end."
)
_ROOT = (
    "the scores are divided by the root of the number of keys. It is d_k, the size of a query, "
    "that counts."
)
_FAULTS: tuple[tuple[str, dict[str, Any]], ...] = (
    (_LATE, {"late": True}),
    (_FRONT, {"front": "keys"}),
    (_ROOT, {"size": _rows_so_far}),
)


def _cached(m: int, d: int, d_k: int, d_v: int) -> tuple[Array, ...]:
    Q, K, V, _ = _case(m + d, max(d_k, d), d_v, 1)
    W = [Q[:d, :d_k], K[m:, :d_k], V[m:] / 4]
    return Q[0, :d], K[:m, :d_k], V[:m], *W


def _draw_cached(rng: Generator) -> tuple[Array, ...]:
    m, d, d_k, d_v = distinct_sizes(rng, 4)
    shapes = ((d,), (m, d_k), (m, d_v), (d, d_k), (d, d_k), (d, d_v))
    return draw_arrays(rng, *shapes)


CACHE = FunctionChecker(
    name="attend_next",
    parameters=("x", "keys", "values", "W_q", "W_k", "W_v"),
    gives="the output, the keys and the values",
    right=attend_next,
    cases=(_cached(1, 2, 1, 1), _cached(2, 3, 2, 1), _cached(4, 2, 3, 2)),
    draw=_draw_cached,
    edges=(_cached(0, 2, 3, 1),),
    mistakes=(
        *not_yet_repaired(_FAULTS, _attend),
        Mistake(
            "the new value stands in front and the new key at the end, so keys and values no "
            "longer belong together. Append both at the end.",
            wrong=lambda *arrays: _attend(*arrays, front="values"),
        ),
        Mistake(
            "the output is right, but the new rows stand in front. Append them at the end, so that "
            "the rows stay in the order of the text.",
            wrong=lambda *arrays: _attend(*arrays, front="keys and values"),
        ),
        Mistake(
            "the output is right, but the keys and values that you return have not grown: the next "
            "token would not see this one.",
            wrong=lambda *arrays: (_attend(*arrays)[0], arrays[1], arrays[2]),
        ),
        Mistake(
            "the scores are not divided by the root of d_k.",
            wrong=lambda *arrays: _attend(*arrays, size=lambda q, keys: 1),
        ),
        Mistake(
            "the scores are divided by d_k itself. Take its square root.",
            wrong=lambda *arrays: _attend(*arrays, size=lambda q, keys: len(q) ** 2),
        ),
    ),
    praise="one row of work for each token, and the same output as with the whole text.",
    output=parts("the output", "the keys", "the values"),
)

# ex-grouped


def grouped_scores(Q: Array, K: Array) -> list[list[list[float]]]:
    """Compare each query with each key of its group, with plain loops."""
    share = len(Q) // len(K)
    return [
        [[_dot(q, k) / sqrt(len(q)) for k in K[r // share]] for q in head]
        for r, head in enumerate(Q)
    ]


def _grouped(Q: Array, K: Array, of: Callable[[int, int, int], int], root: float = 0.5) -> Array:
    """Compare head r of h with head ``of(r, h, g)`` of g."""
    chosen = [of(r, len(Q), len(K)) for r in range(len(Q))]
    return asarray(Q @ K[chosen].swapaxes(-1, -2) / Q.shape[-1] ** root)


def _own_group(r: int, h: int, g: int) -> int:
    return r * g // h


def _groups(g: int, share: int, n: int, m: int, d_k: int) -> tuple[Array, Array]:
    Q, K, _, _ = _case(g * max(share * n, m), d_k, 1, 1)
    return Q[: g * share * n].reshape(-1, n, d_k), K[: g * m].reshape(g, m, d_k)


def _draw_groups(rng: Generator) -> tuple[Array, ...]:
    g, share, n, m, d_k = distinct_sizes(rng, 5)
    return draw_arrays(rng, (g * share, n, d_k), (g, m, d_k))


class GroupedChecker(FunctionChecker):
    """Checks grouped scores; the keys may not be repeated in memory."""

    def __call__(self, function: Any) -> Finding:
        """Judge the function; then see how much memory the function takes for many keys."""
        finding = super().__call__(function)
        if finding.status == "correct" and _copies_keys(function):
            return Finding(
                "known mistake",
                "the scores are right, but you hold as many numbers at once as a copy of the keys "
                "for each head of queries would take. Give Q one axis more and K an axis of size "
                "one, and multiply with @: it uses the keys again, and keeps no products.",
            )
        return finding


def _copies_keys(function: Any, h: int = 48, m: int = 300, d_k: int = 64) -> bool:
    """Return whether about as many numbers are held as repeated keys would take."""
    Q, K = zeros((h, 1, d_k)), zeros((2, m, d_k))
    return most_memory(function, Q, K) > 8 * h * m * d_k / 2


GROUPED = GroupedChecker(
    name="grouped_scores",
    parameters=("Q", "K"),
    gives="one matrix of scores for each head of queries",
    right=grouped_scores,
    cases=(_groups(1, 2, 1, 2, 1), _groups(2, 2, 1, 2, 3), _groups(2, 3, 1, 4, 2)),
    draw=_draw_groups,
    edges=(_groups(3, 1, 2, 4, 2),),
    mistakes=(
        Mistake(
            "neighbouring heads of queries get different keys here. The first h/g share the first "
            "head of keys, the next ones the second, and so on.",
            wrong=lambda Q, K: _grouped(Q, K, lambda r, h, g: r % g),
        ),
        Mistake(
            "all heads use the first head of keys.",
            wrong=lambda Q, K: _grouped(Q, K, lambda r, h, g: 0),
        ),
        Mistake(
            "the scores are not divided by the root of d_k.",
            wrong=lambda Q, K: _grouped(Q, K, _own_group, 0.0),
        ),
        Mistake(
            "the scores are divided by d_k itself. Take its square root.",
            wrong=lambda Q, K: _grouped(Q, K, _own_group, 1.0),
        ),
    ),
    praise="every key was read several times and stored once.",
)

# ex-half


HALF = ChoiceChecker(
    right="b",
    explanations={
        "a": "this helps where many exponentials are summed. But the products are infinite before "
        "there is any exponential, and infinity minus infinity is NaN.",
        "b": "the products are then an eighth as large, 12,800 at most, and nothing overflows.",
        "c": "the largest score is infinite already, and infinity minus infinity is NaN. It has to "
        "be smaller before the product.",
        "d": "the NaN is gone, but all scores beyond the limit are now equal, and so are their "
        "weights: the output is wrong.",
    },
)

EXERCISES = (
    Exercise("ex-weights-memory", check_memory),
    Exercise("ex-online", ONLINE),
    Exercise("ex-merge", MERGE),
    Exercise("ex-exact", EXACT),
    Exercise("ex-causal-blocks", CAUSAL),
    Exercise("ex-recompute", RECOMPUTE),
    Exercise("ex-cache", CACHE),
    Exercise("ex-grouped", GROUPED),
    Exercise("ex-half", HALF),
)
