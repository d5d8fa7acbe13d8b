"""Exercises of the chapter "Where am I? Positions"."""

from collections.abc import Callable
from itertools import combinations
from math import cos, exp, sin, sqrt
from typing import Any

from numpy import (
    arange,
    array,
    asarray,
    concatenate,
    eye,
    full,
    inf,
    isnan,
    moveaxis,
    stack,
    tri,
    where,
    zeros,
)
from numpy import cos as cos_all
from numpy import exp as exp_all
from numpy import sin as sin_all
from numpy.random import Generator, default_rng

from bookwork.exercises import (
    Array,
    ChoiceChecker,
    Exercise,
    Finding,
    FunctionChecker,
    Mistake,
    draw_arrays,
    not_a_number,
    show,
)


def _random(seed: int, *shapes: tuple[int, ...]) -> tuple[Array, ...]:
    """Return arrays of one decimal, so that a case can be read."""
    rng = default_rng(seed)
    return tuple(rng.normal(scale=0.7, size=shape).round(1) for shape in shapes)


def _speeds(d: int) -> Array:
    """Return the angle by which each pair turns per place."""
    return 10000.0 ** (-arange(0, d, 2) / d)


def _even(rng: Generator, most: int = 5) -> int:
    return 2 * int(rng.integers(1, most))


# ex-clock-hands

_OTHER_PLACES = (
    (24, "this is 6 · 4. Both are back then, but they were back once before."),
    (10, "the places of the two hands are not added. Where is the second hand at place 10?"),
    (6, "the first hand is back at place 6, but the second has turned one and a half times."),
    (4, "the second hand is back at place 4, but the first has turned two thirds of a circle."),
    (2, "2 divides both 6 and 4. You need a number that both of them divide."),
    (5, "this is between the two: neither hand is back at place 5."),
    (0, "at place 0 they start. Which place is the next one that looks the same?"),
)


def check_clock_hands(place: Any) -> Finding:
    """Judge the first place after 0 at which two hands stand as they did at place 0."""
    if found := not_a_number(place, "the answer is one number, a place, not {}."):
        return found
    place = float(place)
    if abs(place - 12) < 1e-9:
        return Finding(
            "correct",
            "the smallest number that 6 and 4 both divide. One hand repeats after 6 places or 4; "
            "together they tell 12 apart.",
        )
    for other, says in _OTHER_PLACES:
        if abs(place - other) < 1e-9:
            return Finding("known mistake", says)
    return Finding(
        "not yet",
        f"at place {show(place)} the two hands do not stand as at 0 for the first time. When is "
        "the first hand back, and when the second?",
    )


# ex-waves


def waves(n: int, d: int) -> list[list[float]]:
    """Write a sine and a cosine for each pair of columns, place by place."""
    rows = []
    for i in range(n):
        row = []
        for c in range(d // 2):
            angle = i / 10000 ** (2 * c / d)
            row += [sin(angle), cos(angle)]
        rows.append(row)
    return rows


def _angles(n: int, d: int, first: int = 0, power: float = 2.0) -> Array:
    return arange(first, n + first)[:, None] * 10000.0 ** (-power * arange(d // 2) / d)


def _in_turn(one: Array, other: Array) -> Array:
    """Put two matrices together, column by column in turn."""
    return stack([one, other], axis=-1).reshape(len(one), -1)


def _made_of(angles: Array) -> Array:
    return _in_turn(sin_all(angles), cos_all(angles))


def _by_column(n: int, d: int) -> Array:
    """Take the number of the column for that of the pair, so that the two of a pair differ."""
    angles = arange(n)[:, None] * 10000.0 ** (-arange(d) / d)  # (n, d)
    return where(arange(d) % 2, cos_all(angles), sin_all(angles))


WAVES = FunctionChecker(
    name="waves",
    parameters=("n", "d"),
    gives="a matrix with a row for each place",
    right=waves,
    cases=((2, 2), (3, 4), (5, 6), (1, 8)),
    draw=lambda rng: (int(rng.integers(2, 9)), _even(rng, 6)),
    without=("sinusoidal_positions",),
    mistakes=(
        Mistake(
            "the sines come first and the cosines after them. A pair should stand side by side: "
            "sine, cosine, sine, cosine and so on.",
            wrong=lambda n, d: concatenate(
                [sin_all(_angles(n, d)), cos_all(_angles(n, d))], axis=1
            ),
        ),
        Mistake(
            "sine and cosine have changed places: the even columns, 0, 2, …, hold the sines.",
            wrong=lambda n, d: _in_turn(cos_all(_angles(n, d)), sin_all(_angles(n, d))),
        ),
        Mistake(
            "the places are counted from 1. The first place is 0, where every angle is 0.",
            wrong=lambda n, d: _made_of(_angles(n, d, first=1)),
        ),
        Mistake(
            "the exponent is c/d. It should be 2c/d: with c from 0 to d/2 - 1 it then runs from 0 "
            "to nearly 1.",
            wrong=lambda n, d: _made_of(_angles(n, d, power=1.0)),
        ),
        Mistake(
            "the two columns of a pair turn at different speeds, because the exponent counts "
            "columns. It counts pairs: columns 2c and 2c + 1 share 2c/d.",
            wrong=_by_column,
        ),
        Mistake(
            "the place is multiplied by 10000^(2c/d). Divide by it: later pairs should be slower.",
            wrong=lambda n, d: _made_of(_angles(n, d, power=-2.0)),
        ),
        Mistake(
            "all pairs turn at the same speed. Divide the place by 10000^(2c/d), with another c "
            "for each pair.",
            wrong=lambda n, d: _made_of(_angles(n, d, power=0.0)),
        ),
        Mistake(
            "this is the transpose: places are rows, columns are waves.",
            wrong=lambda n, d: _made_of(_angles(n, d)).T,
        ),
        Mistake(
            "these are the angles. Take the sine and the cosine of each.",
            wrong=lambda n, d: _in_turn(_angles(n, d), _angles(n, d)),
        ),
        Mistake(
            "only the sines are there. Each angle gives two columns, a sine and a cosine.",
            wrong=lambda n, d: sin_all(_angles(n, d)),
        ),
    ),
    praise="every place has its own pattern of hands, fast ones and slow ones.",
)

# ex-shift


def shift(t: int, d: int) -> list[list[float]]:
    """Turn pair by pair: what was (sin a, cos a) becomes (sin (a + b), cos (a + b))."""
    R = [[0.0] * d for _ in range(d)]
    for c in range(0, d, 2):
        b = t / 10000 ** (c / d)
        R[c][c], R[c + 1][c] = cos(b), sin(b)
        R[c][c + 1], R[c + 1][c + 1] = -sin(b), cos(b)
    return R


def _pairs_turned(angles: Array) -> Array:
    """Return the matrix that turns pair c by angle c."""
    R = zeros((2 * len(angles), 2 * len(angles)))
    for c, b in enumerate(angles):
        R[2 * c : 2 * c + 2, 2 * c : 2 * c + 2] = [[cos(b), -sin(b)], [sin(b), cos(b)]]
    return R


SHIFT = FunctionChecker(
    name="shift",
    parameters=("t", "d"),
    gives="a matrix of shape (d, d)",
    right=shift,
    cases=((1, 2), (2, 4), (3, 6), (-1, 2), (0, 4)),
    draw=lambda rng: (int(rng.integers(-9, 10)), _even(rng)),
    mistakes=(
        Mistake(
            "this moves every place back instead of on, by t. Rows stand on the left here: "
            "P[i] @ R, so R is the transpose of what you would write for R @ P[i].",
            wrong=lambda t, d: array(shift(t, d)).T,
        ),
        Mistake(
            "this is the shift by one place, whatever t is.",
            wrong=lambda t, d: shift(1, d),
        ),
        Mistake(
            "all pairs turn by the same angle. Pair c turns by t / 10000^(2c/d).",
            wrong=lambda t, d: _pairs_turned(full(d // 2, float(t))),
        ),
        Mistake(
            "the exponent is c/d. It should be 2c/d, as in the waves themselves.",
            wrong=lambda t, d: _pairs_turned(t * 10000.0 ** (-arange(d // 2) / d)),
        ),
        Mistake(
            "this is the identity, which moves nothing.",
            wrong=lambda t, d: eye(d),
        ),
        Mistake(
            "this adds t to the numbers of a place. A matrix that fits every place must turn them.",
            wrong=lambda t, d: eye(d) + t,
        ),
    ),
    praise="one matrix for all places: to go on by t is to turn every hand by its own angle.",
)

# ex-turn


def turn(X: Array, places: Any) -> list[list[float]]:
    """Turn each pair of each row by its angle, one after the other."""
    rows = []
    for x, i in zip(X.tolist(), asarray(places).tolist(), strict=True):
        d, row = len(x), []
        for c in range(0, d, 2):
            a = i / 10000 ** (c / d)
            row += [x[c] * cos(a) - x[c + 1] * sin(a), x[c] * sin(a) + x[c + 1] * cos(a)]
        rows.append(row)
    return rows


def _turned(X: Array, angles: Array) -> Array:
    """Turn neighbours by angles (n, d / 2)."""
    x, y = X[:, 0::2], X[:, 1::2]
    return _in_turn(
        x * cos_all(angles) - y * sin_all(angles), x * sin_all(angles) + y * cos_all(angles)
    )


def _at(X: Array, places: Any) -> Array:
    return asarray(places)[:, None] * _speeds(X.shape[1])  # (n, d / 2)


def _in_halves(X: Array, places: Any) -> Array:
    """Pair each number with the one half a vector further on, as some programs do."""
    half = X.shape[1] // 2
    x, y, a = X[:, :half], X[:, half:], _at(X, places)
    return concatenate([x * cos_all(a) - y * sin_all(a), x * sin_all(a) + y * cos_all(a)], axis=1)


def _waves_added(X: Array, places: Any) -> Array:
    return X + _made_of(_at(X, places))


def _one_by_one(X: Array, places: Any) -> Array:
    """Overwrite x before y is computed from it."""
    Y, a = X.copy(), _at(X, places)
    Y[:, 0::2] = Y[:, 0::2] * cos_all(a) - Y[:, 1::2] * sin_all(a)
    Y[:, 1::2] = Y[:, 0::2] * sin_all(a) + Y[:, 1::2] * cos_all(a)
    return Y


def _draw_turn(rng: Generator) -> tuple[Any, ...]:
    d = _even(rng)
    n = d + int(rng.integers(1, 4))
    return *draw_arrays(rng, (n, d)), rng.integers(0, 30, size=n)


TURN = FunctionChecker(
    name="turn",
    parameters=("X", "places"),
    gives="a matrix in the shape of X",
    right=turn,
    cases=(
        (array([[1.0, 0.0]]), array([1])),
        (array([[1.0, 2.0], [3.0, 4.0]]), array([0, 2])),
        (*_random(3, (3, 4)), array([5, 0, 7])),
        (*_random(4, (2, 6)), array([1, 10])),
    ),
    draw=_draw_turn,
    without=("rotary",),
    mistakes=(
        Mistake(
            "the vectors turn the other way round. The new pair is (x cos a - y sin a, "
            "x sin a + y cos a).",
            wrong=lambda X, places: _turned(X, -_at(X, places)),
        ),
        Mistake(
            "you pair each number with the one half a vector further on. Some programs do, but "
            "here neighbours are a pair: columns 0 and 1, columns 2 and 3.",
            wrong=_in_halves,
        ),
        Mistake(
            "all pairs turn by the same angle. Pair c turns by i / 10000^(2c/d): the first pair "
            "fast, later ones more slowly.",
            wrong=lambda X, places: _turned(X, 0 * _at(X, places) + asarray(places)[:, None]),
        ),
        Mistake(
            "the exponent is c/d. It should be 2c/d, as in the waves.",
            wrong=lambda X, places: _turned(
                X,
                asarray(places)[:, None] * 10000.0 ** (-arange(X.shape[1] // 2) / X.shape[1]),
            ),
        ),
        Mistake(
            "the places that are handed in are not used: row i need not stand at place i.",
            wrong=lambda X, places: _turned(X, _at(X, arange(len(X)))),
        ),
        Mistake(
            "the second number of a pair is computed from the new first one. Keep the old pair "
            "until both new numbers are there.",
            wrong=_one_by_one,
        ),
        Mistake(
            "the waves are added to the vectors. Rotary positions turn a vector and add nothing.",
            wrong=_waves_added,
        ),
        Mistake("nothing has turned: these are the vectors as they came.", wrong=lambda X, p: X),
    ),
    praise="every pair is a hand of a clock, and the place says how far it has turned.",
)

# ex-new-word


def new_word(q: Array, K: Array, V: Array) -> list[float]:
    """Score a query at the last place with every key, both turned, and add up the values."""
    m, d = K.shape
    places = arange(m)
    (turned,) = turn(q[None], array([m - 1]))
    scores = [
        sum(x * y for x, y in zip(turned, key, strict=True)) / sqrt(d) for key in turn(K, places)
    ]
    powers = [exp(score - max(scores)) for score in scores]
    columns = V.T.tolist()
    return [
        sum(p * v for p, v in zip(powers, column, strict=True)) / sum(powers) for column in columns
    ]


def _wrong_word(
    q: Array,
    K: Array,
    V: Array,
    place: Callable[[int], int] = lambda m: m - 1,
    turn_values: bool = False,
    scale: Callable[[Array], float] = lambda K: sqrt(K.shape[1]),
    turn_keys: bool = True,
) -> Array:
    """Look back from a new word with some things wrong."""
    Q = asarray(turn(q[None], [place(len(K))]), float)
    turned = asarray(turn(K, arange(len(K))), float) if turn_keys else K
    weights = exp_all(Q @ turned.T / scale(K))
    values = asarray(turn(V, arange(len(V))), float) if turn_values else V
    return ((weights / weights.sum()) @ values)[0]


_FAULTS: dict[str, dict[str, Any]] = {
    "the new word stands at place 0, far from the key that is its own. It is the last of the m "
    "words, at place m - 1": {"place": lambda m: 0},
    "the values are turned. Only what is compared is turned, queries and keys": {
        "turn_values": True
    },
    "the scores are divided by the root of m, the number of keys. It is the root of d, the length "
    "of a key": {"scale": lambda K: sqrt(len(K))},
}


def _left_in() -> tuple[Mistake, ...]:
    """Return a mistake for one, two or all of the faults that may be left in the program."""
    mistakes = []
    for count in (1, 2, 3):
        for names in combinations(_FAULTS, count):
            kept = {key: wrong for name in names for key, wrong in _FAULTS[name].items()}
            more = ("", " One more fault is left.", " All three faults are left.")[count - 1]
            mistakes.append(
                Mistake(
                    f"{names[0]}.{more}",
                    wrong=lambda q, K, V, kept=kept: _wrong_word(q, K, V, **kept),
                )
            )
    return tuple(mistakes)


def _draw_word(rng: Generator) -> tuple[Array, ...]:
    d, d_v = 2 * rng.permutation([1, 2, 3])[:2]
    m = max(d, d_v) + int(rng.integers(1, 4))
    return draw_arrays(rng, (d,), (m, d), (m, d_v))


NEW_WORD = FunctionChecker(
    name="new_word",
    parameters=("q", "K", "V"),
    gives="one vector as long as a value",
    right=new_word,
    cases=(
        (array([1.0, 0.0]), array([[1.0, 0.0]]), array([[1.0, 2.0, 3.0, 4.0]])),
        _random(5, (2,), (3, 2), (3, 4)),
        _random(6, (4,), (5, 4), (5, 2)),
    ),
    draw=_draw_word,
    mistakes=(
        *_left_in(),
        Mistake(
            "the new word stands at place m. Places count from 0, so the last of m is m - 1.",
            wrong=lambda q, K, V: _wrong_word(q, K, V, place=lambda m: m),
        ),
        Mistake(
            "the keys are not turned any more. Queries and keys must both be turned, or the score "
            "depends on where the query stands.",
            wrong=lambda q, K, V: _wrong_word(q, K, V, turn_keys=False),
        ),
        Mistake(
            "the scores are not divided by √d any more.",
            wrong=lambda q, K, V: _wrong_word(q, K, V, scale=lambda K: 1.0),
        ),
    ),
    praise="the new word knows its place, and only what is compared is turned.",
)

# ex-alibi


def alibi_weights(scores: Array, slopes: Array) -> list[list[list[float]]]:
    """Take the slope times the distance off each score of the past, then weigh."""
    heads = []
    for matrix, slope in zip(scores.tolist(), slopes.tolist(), strict=True):
        rows = []
        for i, row in enumerate(matrix):
            left = [row[j] - slope * (i - j) for j in range(i + 1)]
            powers = [exp(score - max(left)) for score in left]
            rows.append([p / sum(powers) for p in powers] + [0.0] * (len(row) - i - 1))
        heads.append(rows)
    return heads


def _apart(scores: Array) -> Array:
    """Return i - j, how far each key lies before the query."""
    places = arange(scores.shape[-1])
    return (places[:, None] - places).astype(float)


def _softmax(scores: Array, axis: int = -1) -> Array:
    powers = exp_all(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _past(scores: Array) -> Array:
    return where(tri(scores.shape[-1], dtype=bool), scores, -inf)


def _biased(scores: Array, slopes: Array, sign: float = -1.0) -> Array:
    return scores + sign * slopes[:, None, None] * _apart(scores)


def _draw_alibi(rng: Generator) -> tuple[Any, ...]:
    h = int(rng.integers(1, 4))
    n = h + int(rng.integers(1, 4))
    return *draw_arrays(rng, (h, n, n)), rng.uniform(0.1, 2, size=h)


ALIBI = FunctionChecker(
    name="alibi_weights",
    parameters=("scores", "slopes"),
    gives="weights in the shape of scores",
    right=alibi_weights,
    cases=(
        (zeros((1, 2, 2)), array([1.0])),
        (*_random(7, (2, 3, 3)), array([0.5, 0.25])),
        (*_random(8, (3, 4, 4)), array([2.0, 0.0, 0.1])),
    ),
    draw=_draw_alibi,
    edges=(
        (array([[[1.0, 2000.0], [1500.0, 1501.0]]]), array([0.5])),
        (array([[[-3e30, 0.0], [-2e30, -2.5e30]]]), array([0.5])),
    ),
    without=("alibi_bias", "causal_mask"),
    mistakes=(
        Mistake(
            "the sign is wrong: far words gain and near ones lose. Take the slope times the "
            "distance off the score.",
            wrong=lambda scores, slopes: _softmax(_past(_biased(scores, slopes, 1.0))),
        ),
        Mistake(
            "the slopes are not used: this is causal attention without positions.",
            wrong=lambda scores, slopes: _softmax(_past(scores)),
        ),
        Mistake(
            "nothing is hidden: words look at later ones, which even gain by their distance. Put "
            "-np.inf where the key stands after the query.",
            wrong=lambda scores, slopes: _softmax(_biased(scores, slopes)),
        ),
        Mistake(
            "nothing is hidden: the distance counts both ways, and words look at later ones. Put "
            "-np.inf where the key stands after the query.",
            wrong=lambda scores, slopes: _softmax(
                scores - slopes[:, None, None] * abs(_apart(scores))
            ),
        ),
        Mistake(
            "later words are hidden after the softmax, so rows no longer sum to one. Hide the "
            "scores, before it.",
            wrong=lambda scores, slopes: _softmax(_biased(scores, slopes)) * tri(scores.shape[-1]),
        ),
        Mistake(
            "every head has the slope of the first. Head r has slopes[r].",
            wrong=lambda scores, slopes: _softmax(
                _past(_biased(scores, full(len(slopes), slopes[0])))
            ),
        ),
        Mistake(
            "the softmax runs over the queries. Every row should sum to one: use the last axis.",
            wrong=lambda scores, slopes: _softmax(_past(_biased(scores, slopes)), axis=-2),
        ),
        Mistake(
            "these are the scores after the slopes. The softmax is still to come.",
            wrong=lambda scores, slopes: _past(_biased(scores, slopes)),
        ),
        Mistake(
            "the heads have moved to the last axis. The result has the shape of scores.",
            wrong=lambda scores, slopes: moveaxis(array(alibi_weights(scores, slopes)), 0, -1),
        ),
        Mistake(
            "a word gives weight to a later one. Scores can be as low as you like, so only "
            "-np.inf hides for certain.",
            shows=lambda got, right: bool(((got > 0) & (right == 0)).any()),
            edge=True,
        ),
        Mistake(
            "the result has NaN in it: large scores overflow, or 0 / 0, or 0 · inf. Hide scores "
            "with np.where, before the softmax, and use the library's softmax.",
            shows=lambda got, right: bool(isnan(got).any()),
        ),
    ),
    praise="each head forgets at its own pace.",
)


# ex-no-positions

NO_POSITIONS = ChoiceChecker(
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

# ex-beyond

BEYOND = ChoiceChecker(
    right="a",
    explanations={
        "a": "a row that no text of the training ever used is as it was drawn at the start. The "
        "model can read it, but it means nothing.",
        "b": "the table is long enough: it has a row for every place of the long texts. But which "
        "of its rows has the training changed?",
        "c": "softmax spreads over more words in a longer text, but the model with rotary "
        "positions has the same softmax and holds out far better.",
        "d": "neighbours may well have similar rows where the training saw them. Beyond, no row "
        "was trained at all.",
    },
)

EXERCISES = (
    Exercise("ex-clock-hands", check_clock_hands),
    Exercise("ex-waves", WAVES),
    Exercise("ex-shift", SHIFT),
    Exercise("ex-turn", TURN),
    Exercise("ex-new-word", NEW_WORD),
    Exercise("ex-alibi", ALIBI),
    Exercise("ex-no-positions", NO_POSITIONS),
    Exercise("ex-beyond", BEYOND),
)
