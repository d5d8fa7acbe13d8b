"""Exercises of the chapter "Where am I? Positions"."""

from collections.abc import Callable
from itertools import combinations
from math import cos, pi, sin, sqrt
from typing import Any

from numpy import (
    arange,
    array,
    asarray,
    concatenate,
    eye,
    stack,
    where,
    zeros,
)
from numpy import cos as cos_all
from numpy import sin as sin_all
from numpy.random import Generator

from attention_exercises._formulas import softmax
from attention_exercises._rules import short_numbers
from bookwork.exercises import (
    Array,
    Checkers,
    ChoiceChecker,
    FunctionChecker,
    NumberChecker,
    draw_arrays,
)

EXERCISES: Checkers = {}


def _even(rng: Generator, most: int = 5) -> int:
    return 2 * int(rng.integers(1, most))


EXERCISES["ex-clock-hands"] = NumberChecker(
    "place",
    12,
    {
        24: "this is 6 · 4. Both are back then, but they were back once before.",
        10: "the places of the two hands are not added. Where is the second hand at place 10?",
        6: "the first hand is back at place 6, but the second has turned one and a half times.",
        4: "the second hand is back at place 4, but the first has turned two thirds of a circle.",
        2: "2 divides both 6 and 4. You need a number that both of them divide.",
        5: "this is between the two: neither hand is back at place 5.",
        0: "at place 0 they start. Which place is the next one that looks the same?",
    },
    advice="at place {} the two hands do not stand as at 0 for the first time. When is the first "
    "hand back, and when the second?",
    praise="the smallest number that 6 and 4 both divide. One hand repeats after 6 places or 4; "
    "together they tell 12 apart.",
    asks="the answer is one number, a place, not {}.",
    tolerance=1e-9,
)

# ex-waves


def _in_turn(one: Array, other: Array) -> Array:
    """Put two matrices together, column by column in turn."""
    return stack([one, other], axis=-1).reshape(len(one), -1)


def _columns(angles: Array) -> Array:
    return _in_turn(sin_all(angles), cos_all(angles))


def waves(
    n: int, d: int, first: int = 0, power: float = 2.0, columns: Callable[[Array], Array] = _columns
) -> Array:
    """Write a sine and a cosine for each pair of columns."""
    angles = arange(first, n + first)[:, None] * 10000.0 ** (-power * arange(d // 2) / d)
    return columns(angles)


def _by_column(n: int, d: int) -> Array:
    """Take the number of the column for that of the pair, so that the two of a pair differ."""
    angles = arange(n)[:, None] * 10000.0 ** (-arange(d) / d)  # (n, d)
    return where(arange(d) % 2, cos_all(angles), sin_all(angles))


EXERCISES["ex-waves"] = FunctionChecker(
    gives="a matrix with a row for each place",
    right=waves,
    cases=((2, 2), (3, 4), (5, 6), (1, 8)),
    draw=lambda rng: (int(rng.integers(2, 9)), _even(rng, 6)),
    without=("sinusoidal_positions",),
    mistakes={
        "the sines come first and the cosines after them. A pair should stand side by side: sine, "
        "cosine, sine, cosine and so on.": {
            "columns": lambda angles: concatenate([sin_all(angles), cos_all(angles)], axis=1)
        },
        "sine and cosine have changed places: the even columns, 0, 2, …, hold the sines.": {
            "columns": lambda angles: _in_turn(cos_all(angles), sin_all(angles))
        },
        "the places are counted from 1. The first place is 0, where every angle is 0.": {
            "first": 1
        },
        "the exponent is c/d. It should be 2c/d: with c from 0 to d/2 - 1 it then runs from 0 to "
        "nearly 1.": {"power": 1.0},
        "the two columns of a pair turn at different speeds, because the exponent counts columns. "
        "It counts pairs: columns 2c and 2c + 1 share 2c/d.": _by_column,
        "the place is multiplied by 10000^(2c/d). Divide by it: later pairs should be slower.": {
            "power": -2.0
        },
        "all pairs turn at the same speed. Divide the place by 10000^(2c/d), with another c for "
        "each pair.": {"power": 0.0},
        "this is the transpose: places are rows, columns are waves.": {
            "columns": lambda angles: _columns(angles).T
        },
        "these are the angles. Take the sine and the cosine of each.": {
            "columns": lambda angles: _in_turn(angles, angles)
        },
        "only the sines are there. Each angle gives two columns, a sine and a cosine.": {
            "columns": sin_all
        },
    },
    praise="every place has its own pattern of hands, fast ones and slow ones.",
)

# ex-shift


def shift(t: int, d: int, power: float = 2.0) -> Array:
    """Turn pair c by t / 10000^(2c/d): (sin a, cos a) becomes (sin (a + b), cos (a + b))."""
    R = zeros((d, d))
    for c in range(d // 2):
        b = t / 10000 ** (power * c / d)
        R[2 * c : 2 * c + 2, 2 * c : 2 * c + 2] = [[cos(b), -sin(b)], [sin(b), cos(b)]]
    return R


EXERCISES["ex-shift"] = FunctionChecker(
    gives="a matrix of shape (d, d)",
    right=shift,
    cases=((1, 2), (2, 4), (3, 6), (-1, 2), (0, 4)),
    draw=lambda rng: (int(rng.integers(-9, 10)), _even(rng)),
    mistakes={
        "this moves every place back instead of on, by t. Rows stand on the left here: P[i] @ R, "
        "so R is the transpose of what you would write for R @ P[i].": lambda t, d: shift(t, d).T,
        "this is the shift by one place, whatever t is.": lambda t, d: shift(1, d),
        "all pairs turn by the same angle. Pair c turns by t / 10000^(2c/d).": {"power": 0.0},
        "the exponent is c/d. It should be 2c/d, as in the waves themselves.": {"power": 1.0},
        "this is the identity, which moves nothing.": lambda t, d: eye(d),
        "this adds t to the numbers of a place. A matrix that fits every place must turn "
        "them.": lambda t, d: eye(d) + t,
    },
    praise="one matrix for all places: to go on by t is to turn every hand by its own angle.",
)

# ex-turn


def _pairs_turned(x: Array, y: Array, a: Array) -> tuple[Array, Array]:
    return x * cos_all(a) - y * sin_all(a), x * sin_all(a) + y * cos_all(a)


def turn(
    X: Array, places: Any, power: float = 2.0, way: int = 1, used: Callable[[Any], Any] = asarray
) -> Array:
    """Turn each pair of each row by its angle."""
    d = X.shape[1]
    angles = way * used(places)[:, None] * 10000.0 ** (-power * arange(d // 2) / d)
    return _in_turn(*_pairs_turned(X[:, 0::2], X[:, 1::2], angles))


def _angles(X: Array, places: Any) -> Array:
    return asarray(places)[:, None] * 10000.0 ** (-arange(0, X.shape[1], 2) / X.shape[1])


def _in_halves(X: Array, places: Any) -> Array:
    """Pair each number with the one half a vector further on, as some programs do."""
    half = X.shape[1] // 2
    turned = _pairs_turned(X[:, :half], X[:, half:], _angles(X, places))
    return concatenate(turned, axis=1)


def _one_by_one(X: Array, places: Any) -> Array:
    """Overwrite x before y is computed from it."""
    x, y, a = X[:, 0::2], X[:, 1::2], _angles(X, places)
    x, _ = _pairs_turned(x, y, a)
    return _in_turn(x, _pairs_turned(x, y, a)[1])


def _draw_turn(rng: Generator) -> tuple[Any, ...]:
    d = _even(rng)
    n = d + int(rng.integers(1, 4))
    return *draw_arrays(rng, (n, d)), rng.integers(0, 30, size=n)


EXERCISES["ex-turn"] = FunctionChecker(
    gives="a matrix in the shape of X",
    right=turn,
    cases=(
        (array([[1.0, 0.0]]), array([1])),
        (array([[1.0, 2.0], [3.0, 4.0]]), array([0, 2])),
        (*short_numbers(3, (3, 4)), array([5, 0, 7])),
        (*short_numbers(4, (2, 6)), array([1, 10])),
    ),
    draw=_draw_turn,
    without=("rotary",),
    mistakes={
        "the vectors turn the other way round. The new pair is (x cos a - y sin a, x sin a + y cos "
        "a).": {"way": -1},
        "you pair each number with the one half a vector further on. Some programs do, but here "
        "neighbours are a pair: columns 0 and 1, columns 2 and 3.": _in_halves,
        "all pairs turn by the same angle. Pair c turns by i / 10000^(2c/d_k): the first pair "
        "fast, later ones more slowly.": {"power": 0.0},
        "the exponent is c/d_k. It should be 2c/d_k, as in the waves.": {"power": 1.0},
        "the places that are handed in are not used: row i need not stand at place i.": {
            "used": lambda places: arange(len(places))
        },
        "the second number of a pair is computed from the new first one. Keep the old pair until "
        "both new numbers are there.": _one_by_one,
        "the waves are added to the vectors. Rotary positions turn a vector and add "
        "nothing.": lambda X, places: X + _columns(_angles(X, places)),
        "nothing has turned: these are the vectors as they came.": lambda X, places: X,
    },
    praise="every pair is a hand of a clock, and the place says how far it has turned.",
)

# ex-new-word


def new_word(
    q: Array,
    K: Array,
    V: Array,
    place: Callable[[int], int] = lambda m: m - 1,
    turn_values: bool = False,
    scale: Callable[[Array], float] = lambda K: sqrt(K.shape[1]),
    turn_keys: bool = True,
) -> Array:
    """Score a query at the last place with every key, both turned, and add up the values."""
    Q = turn(q[None], [place(len(K))])
    keys = turn(K, arange(len(K))) if turn_keys else K
    values = turn(V, arange(len(V))) if turn_values else V
    return (softmax(Q @ keys.T / scale(K)) @ values)[0]


_FAULTS: dict[str, dict[str, Any]] = {
    "the new word stands at place 0, far from the key that is its own. It is the last of the m "
    "words, at place m - 1": {"place": lambda m: 0},
    "the values are turned. Only what is compared is turned, queries and keys": {
        "turn_values": True
    },
    "the scores are divided by the root of m, the number of keys. It is the root of d_k, the "
    "length of a key": {"scale": lambda K: sqrt(len(K))},
}


def _left_in() -> dict[str, list[dict[str, Any]]]:
    """Return one, two or all of the faults that may be left in the program, by messages."""
    ways: dict[str, list[dict[str, Any]]] = {}
    for count, more in enumerate(("", " One more fault is left.", " All three faults are left.")):
        for names in combinations(_FAULTS, count + 1):
            kept = {key: wrong for name in names for key, wrong in _FAULTS[name].items()}
            ways.setdefault(f"{names[0]}.{more}", []).append(kept)
    return ways


def _draw_word(rng: Generator) -> tuple[Array, ...]:
    d, d_v = 2 * rng.permutation([1, 2, 3])[:2]
    m = max(d, d_v) + int(rng.integers(1, 4))
    return draw_arrays(rng, (d,), (m, d), (m, d_v))


EXERCISES["ex-new-word"] = FunctionChecker(
    gives="one vector as long as a value",
    right=new_word,
    cases=(
        (array([1.0, 0.0]), array([[1.0, 0.0]]), array([[1.0, 2.0, 3.0, 4.0]])),
        short_numbers(5, (2,), (3, 2), (3, 4)),
        short_numbers(6, (4,), (5, 4), (5, 2)),
    ),
    draw=_draw_word,
    mistakes={
        **_left_in(),
        "the new word stands at place m. Places count from 0, so the last of m is m - 1.": {
            "place": lambda m: m
        },
        "the keys are not turned any more. Queries and keys must both be turned, or the score "
        "depends on where the query stands.": {"turn_keys": False},
        "the scores are not divided by √d_k any more.": {"scale": lambda K: 1.0},
    },
    praise="the new word knows its place, and only what is compared is turned.",
)

# ex-slower


def slower(
    d_k: int,
    trained: int,
    factor: float,
    power: float = 2.0,
    turn: float = 2 * pi,
    by_parts: Callable[[Any, Array, Array], Array] = where,
) -> Array:
    """Divide the speed of each hand that does not come round by the factor."""
    speeds = 10000.0 ** (-power * arange(d_k // 2) / d_k)
    return by_parts(trained * speeds >= turn, speeds, speeds / factor)


EXERCISES["ex-slower"] = FunctionChecker(
    gives="one speed for each hand",
    right=slower,
    cases=((8, 20, 3.0), (2, 4, 2.0), (4, 1000, 2.0), (6, 50, 4.0)),
    draw=lambda rng: (_even(rng, 9), int(rng.integers(3, 5000)), float(rng.uniform(1.5, 9))),
    mistakes={
        "all hands are slowed down, which is interpolation. A hand that came round keeps its "
        "speed.": {"by_parts": lambda round_, kept, divided: divided},
        "no hand is slowed down.": {"by_parts": lambda round_, kept, divided: kept},
        "it is the other way round: a hand that came round keeps its speed, and the others are "
        "slowed down.": {"by_parts": lambda round_, kept, divided: where(round_, divided, kept)},
        "a full turn is the angle 2π, not 1.": {"turn": 1.0},
        "a full turn is the angle 2π; π is half a turn.": {"turn": pi},
        "the slow hands became faster. Divide their speed by the factor.": {
            "by_parts": lambda round_, kept, divided: where(round_, kept, kept * kept / divided)
        },
        "the exponent is c/d_k. It should be 2c/d_k, as in the waves.": {"power": 1.0},
        "these tell which hands came round. Return the speeds.": {
            "by_parts": lambda round_, kept, divided: round_
        },
    },
    praise="fast hands keep telling neighbours apart, and slow ones no longer turn too far.",
)

EXERCISES["ex-no-positions"] = ChoiceChecker(
    right="c",
    explanations={
        "a": "without a mask all four outputs would only move along. But here *bites* sees *dog* "
        "in one text and *man* in the other, and so its output changes.",
        "b": "the mask hides what comes later. It tells a word which others came before it, but "
        "not in which order, so at least one output stays the same.",
        "c": "*today* sees the same four words in both texts, and a sum has no order. A second "
        "layer could tell them apart, because the outputs of the words before it differ.",
        "d": "*bites* stands in the same place, but it sees another word before it: *dog* in one "
        "text, *man* in the other.",
    },
)
