"""Exercises of the chapter "Making it fast"."""

from collections.abc import Callable, Iterable
from functools import wraps
from math import exp, inf, isfinite, sqrt
from typing import Any

from numpy import array, asarray, isnan, tri, where, zeros
from numpy import exp as exp_all

from attention_lib._shapes import Array, Mask
from attention_lib.exercises import _answers_making_it_fast as answers
from attention_lib.exercises._ladder import (
    NOT_STARTED,
    ChoiceChecker,
    FunctionChecker,
    Mistake,
    Trial,
    not_a_number,
    unfinished,
)
from attention_lib.exercises._outputs import PAIR, Output, array_misfit, close, read_array
from attention_lib.exercises._run import UnreadableError
from attention_lib.exercises._table import Exercise, Finding
from attention_lib.exercises._words import show

CHAPTER = "making_it_fast"

# ex-weights-memory

_BYTES = 4 * 32 * 16_384**2  # of the whole matrix
_BLOCK_BYTES = 4 * 256 * 16_384

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


def check_memory(whole: Any, block: Any) -> Finding:
    """Judge the memory of all weights, in GiB, then that of a block, in MiB."""
    if unfinished(whole) or unfinished(block):
        return Finding("not started", NOT_STARTED)
    for name, answer in (("whole", whole), ("block", block)):
        if found := not_a_number(answer, name + " is one number, but yours is {}."):
            return found
    return (
        _judge("whole", float(whole), _BYTES / 2**30, _OTHER_WHOLE)
        or _judge("block", float(block), _BLOCK_BYTES / 2**20, _OTHER_BLOCK)
        or Finding("correct", "32 GiB for the whole matrix, 16 MiB for a block of its rows.")
    )


def _judge(
    name: str, number: float, right: float, others: Iterable[tuple[float, str]]
) -> Finding | None:
    """Return what is wrong with a number, if anything is."""
    if isfinite(number) and abs(number - right) < 1e-3 * right:
        return None
    for other, says in others:
        if isfinite(number) and abs(number - other) < 1e-3 * other:
            return Finding("known mistake", f"{name}: {says}")
    return Finding(
        "not yet", f"{name} is not {show(number)}. Count the numbers first, then their bytes."
    )


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
    stream: Stream, start: float = -inf, shrink_sum: bool = True, shrink_output: bool = True
) -> Array:
    """Make one of the usual mistakes of an online softmax."""
    mu, Z, o = start, 0.0, zeros(len(stream[0][1]))
    for score, value in stream:
        new = max(mu, score)
        shrink, power = exp(mu - new), exp(score - new)
        Z = (Z * shrink if shrink_sum else Z) + power
        o = (o * shrink if shrink_output else o) + power * asarray(value)
        mu = new
    return o / array(Z)


def _overflowing(stream: Stream) -> Array:
    powers = exp_all([score for score, _ in stream])
    return powers @ array([value for _, value in stream]) / powers.sum()


def _undivided(stream: Stream) -> Array:
    return asarray(read_stream(stream)) * sum(
        exp(score - max(a for a, _ in stream)) for score, _ in stream
    )


def _stream(scores: Iterable[float], *values: list[float]) -> tuple[Stream]:
    return (list(zip(scores, map(array, values), strict=True)),)


class StreamChecker(FunctionChecker):
    """Checks a function that is handed its list as a stream, which can be read only once."""

    def _try(self, function: Callable[..., Any]) -> list[Trial]:
        @wraps(function)  # so that the line of an error is looked for in the reader's file
        def read_once(pairs: Stream) -> Any:
            return function(iter(pairs))

        return super()._try(read_once)


_TWICE = (
    "the stream can be read only once: after the first loop it is empty. Keep what you need while "
    "you read."
)

ONLINE = StreamChecker(
    name="read_stream",
    parameters=("stream",),
    gives="one vector of size d_v",
    right=read_stream,
    cases=(
        _stream([1.0], [3.0, 5.0]),
        _stream([2.0, 1.0], [1.0, 0.0], [0.0, 1.0]),
        _stream([1.0, 2.0], [8.0], [4.0]),
        _stream(
            [0.5, 2.0, -1.0, 3.0, 3.0], [1.0, 2.0], [3.0, 1.0], [0.0, 4.0], [2.0, 2.0], [5.0, 1.0]
        ),
    ),
    edges=(
        _stream([1000.0, 1001.0], [1.0], [2.0]),
        _stream([-1000.0, -1001.0], [1.0], [2.0]),
        _stream([-2000.0, 1000.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]),
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
        Mistake(
            "the maximum starts at 0, so scores far below it all round to 0, and 0/0 is no number. "
            "Start from minus infinity.",
            wrong=lambda stream: _stepwise(stream, start=0.0),
        ),
        Mistake(
            "the maximum starts at 0, so scores far below it all round to 0, and 0/0 is no number. "
            "Start from minus infinity.",
            raises="ZeroDivisionError: float division",
        ),
        Mistake(_TWICE, raises="max() arg is an empty sequence"),
        Mistake(_TWICE, raises="max() iterable argument is empty"),
        Mistake(_TWICE, raises="has no len()"),
        Mistake(_TWICE, raises="object is not subscriptable"),
        Mistake(_TWICE, shows=lambda got, right: got.shape == () and bool(isnan(got))),
    ),
    praise="one pass, three things kept, and the same output as with all scores at hand.",
)

# ex-merge

Triple = tuple[Array, Array, Array]
TRIPLE_NAMES = ("mu", "Z", "o")


def read_triple(value: Any) -> Triple:
    """Return a result as mu, Z and o, or say what it is instead."""
    if not isinstance(value, tuple | list) or len(value) != 3:
        raise UnreadableError(f"{show(value)}")
    mu, Z, o = (read_array(part) for part in value)
    return mu, Z, o


def triple_misfit(got: Triple, right: Triple) -> str:
    """Say which of the three has another shape than it should have."""
    for name, mine, wanted in zip(TRIPLE_NAMES, got, right, strict=True):
        if problem := array_misfit(mine, wanted):
            return f"{problem} in {name}"
    return ""


def same_triple(got: Triple, right: Triple) -> bool:
    """Tell whether all three agree."""
    return all(close(mine, wanted) for mine, wanted in zip(got, right, strict=True))


TRIPLE = Output(read_triple, triple_misfit, same_triple)
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
    output=TRIPLE,
)

# ex-exact

EXACT_CHOICES = {
    "a": "Read the keys in blocks, with an online softmax.",
    "b": "Let each query look only at the 256 keys nearest to it in the text.",
    "c": "Take 256 queries at a time, and all keys for each.",
    "d": "Divide by the sum after the weighted sum of the values, not before.",
}

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


CAUSAL = FunctionChecker(
    name="causal_attention",
    parameters=("Q", "K", "V", "block"),
    gives="the output and the number of blocks",
    right=causal_attention,
    cases=(
        _case(1, 1, 1, 1),
        _case(2, 1, 1, 2),
        _case(2, 1, 1, 1),
        _case(4, 2, 1, 2),
        _case(6, 4, 3, 2),
        _case(6, 4, 3, 3),
    ),
    edges=(_case(5, 2, 2, 2), _case(7, 3, 2, 3), _case(4, 2, 2, 9), _large(6, 2)),
    mistakes=(
        Mistake(
            "the output is right, but you count all blocks. Those above the diagonal need not be "
            "computed: let the inner loop stop at the diagonal.",
            wrong=lambda Q, K, V, block: (
                _weighed(Q, K, V, _tri(Q)),
                (-(-len(Q) // block)) ** 2,
            ),
        ),
        Mistake(
            "the output is right, but the count is that of pairs. Count blocks.",
            wrong=lambda Q, K, V, block: (_weighed(Q, K, V, _tri(Q)), int(tri(len(Q)).sum())),
        ),
        Mistake(
            "the blocks on the diagonal show their queries later keys. Hide those: put minus "
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
            "each block has a softmax of its own, and the results are added. The weights of a "
            "query should sum to one over all its blocks: divide once, at the end.",
            wrong=lambda Q, K, V, block: (_separately(Q, K, V, block), _count(Q, block)),
        ),
        Mistake(
            "when a later block has a larger maximum, what was summed before must shrink by "
            "exp(mu - new).",
            wrong=lambda Q, K, V, block: (_unshrunk(Q, K, V, block), _count(Q, block)),
        ),
    ),
    praise="the same output as with the whole matrix, and nothing computed above the diagonal "
    "that could be skipped.",
    output=PAIR,
)

EXERCISES: tuple[Exercise, ...] = (
    Exercise(
        label="ex-weights-memory",
        chapter=CHAPTER,
        title="How much does it take?",
        minutes=4,
        difficulty="easy",
        kind="number",
        call='check("ex-weights-memory", whole, block)',
        checker=check_memory,
        answers=answers.MEMORY,
    ),
    Exercise(
        label="ex-online",
        chapter=CHAPTER,
        title="Attention over a stream",
        minutes=10,
        difficulty="medium",
        kind="code",
        call='check("ex-online", read_stream)',
        checker=ONLINE,
        answers=answers.ONLINE,
    ),
    Exercise(
        label="ex-merge",
        chapter=CHAPTER,
        title="Merge two halves",
        minutes=8,
        difficulty="medium",
        kind="code",
        call='check("ex-merge", merge)',
        checker=MERGE,
        answers=answers.MERGE,
    ),
    Exercise(
        label="ex-exact",
        chapter=CHAPTER,
        title="Which one changes the output?",
        minutes=3,
        difficulty="easy",
        kind="choose",
        call='check("ex-exact", answer)',
        checker=EXACT,
        answers=answers.EXACT,
        choices=EXACT_CHOICES,
    ),
    Exercise(
        label="ex-causal-blocks",
        chapter=CHAPTER,
        title="Causal attention that skips",
        minutes=25,
        difficulty="hard",
        kind="code",
        call='check("ex-causal-blocks", causal_attention)',
        checker=CAUSAL,
        answers=answers.CAUSAL,
    ),
)
