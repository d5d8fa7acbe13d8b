"""Exercises of the chapter "Where am I? Positions"."""

from typing import Any

from bookwork.exercises import Array, Checkers, ChoiceChecker, FunctionChecker, Value, draw_arrays
from numpy import array
from numpy.random import Generator

from attention_exercises._rules import not_yet_repaired, numbers

EXERCISES: Checkers = {}


def _even(rng: Generator, most: int = 5) -> int:
    return 2 * int(rng.integers(1, most))


EXERCISES["ex-clock-hands"] = Value(
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
    tolerance=1e-9,
)

EXERCISES["ex-waves"] = FunctionChecker(
    gives="a matrix with a row for each place",
    right="""
        def waves(n, d):
            angles = np.arange(n)[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)
            return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)
        """,
    cases=((2, 2), (3, 4), (5, 6), (1, 8)),
    draw=lambda rng: (int(rng.integers(2, 9)), _even(rng, 6)),
    wrong={
        "np.stack => np.concatenate": "the sines come first and the cosines after them. A pair "
        "should stand side by side: sine, cosine, sine, cosine and so on.",
        "np.sin(angles), np.cos(angles) => np.cos(angles), np.sin(angles)": "sine and cosine have "
        "changed places: the even columns, 0, 2, …, hold the sines.",
        "np.arange(n) => np.arange(1, n + 1)": "the places are counted from 1. The first place is "
        "0, where every angle is 0.",
        "-2 * => -1 *": "the exponent is c/d. It should be 2c/d: with c from 0 to d/2 - 1 it then "
        "runs from 0 to nearly 1.",
        "-2 * np.arange(d // 2) / d => -np.arange(d) / d ;; "
        "np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d) => "
        "np.where(np.arange(d) % 2, np.cos(angles), np.sin(angles))": "the two columns of "
        "a pair turn at different speeds, because the exponent counts columns. It counts pairs: "
        "columns 2c and 2c + 1 share 2c/d.",
        "-2 * => 2 *": "the place is multiplied by 10000^(2c/d). Divide by it: later pairs should "
        "be slower.",
        "-2 * => 0 *": "all pairs turn at the same speed. Divide the place by 10000^(2c/d), with "
        "another c for each pair.",
        ".reshape(n, d) => .reshape(n, d).T": "this is the transpose: places are rows, columns are "
        "waves.",
        "[np.sin(angles), np.cos(angles)] => [angles, angles]": "these are the angles. Take the "
        "sine and the cosine of each.",
        "np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d) => "
        "np.sin(angles)": "only the sines are there. Each angle gives two columns, a sine and a "
        "cosine.",
    },
    praise="every place has its own pattern of hands, fast ones and slow ones.",
)

EXERCISES["ex-shift"] = FunctionChecker(
    gives="a matrix of shape (d, d)",
    right="""
        def shift(t, d):
            R = np.zeros((d, d))
            for c in range(d // 2):
                b = t / 10000 ** (2 * c / d)
                pair = slice(2 * c, 2 * c + 2)
                R[pair, pair] = [[np.cos(b), -np.sin(b)], [np.sin(b), np.cos(b)]]
            return R
        """,
    cases=((1, 2), (2, 4), (3, 6), (-1, 2), (0, 4)),
    draw=lambda rng: (int(rng.integers(-9, 10)), _even(rng)),
    wrong={
        "return R => return R.T": "this moves every place back instead of on, by t. Rows stand on "
        "the left here: P[i] @ R, so R is the transpose of what you would write for R @ P[i].",
        "b = t / => b = 1 /": "this is the shift by one place, whatever t is.",
        "(2 * c / d) => 0": "all pairs turn by the same angle. Pair c turns by t / 10000^(2c/d).",
        "(2 * c / d) => (c / d)": "the exponent is c/d. It should be 2c/d, as in the waves "
        "themselves.",
        "return R => return np.eye(d)": "this is the identity, which moves nothing.",
        "return R => return np.eye(d) + t": "this adds t to the numbers of a place. A matrix that "
        "fits every place must turn them.",
    },
    praise="one matrix for all places: to go on by t is to turn every hand by its own angle.",
)


# ex-turn
def _draw_turn(rng: Generator) -> tuple[Any, ...]:
    d = _even(rng)
    n = d + int(rng.integers(1, 4))
    return *draw_arrays(rng, (n, d)), rng.integers(0, 30, size=n)


EXERCISES["ex-turn"] = FunctionChecker(
    gives="a matrix in the shape of X",
    right="""
        def turn(X, places):
            d = X.shape[1]
            a = places[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)
            x, y = X[:, 0::2], X[:, 1::2]
            pairs = x * np.cos(a) - y * np.sin(a), x * np.sin(a) + y * np.cos(a)
            return np.stack(pairs, axis=-1).reshape(X.shape)
        """,
    cases=(
        (array([[1.0, 0.0]]), array([1])),
        (array([[1.0, 2.0], [3.0, 4.0]]), array([0, 2])),
        (*numbers(3, (3, 4)), array([5, 0, 7])),
        (*numbers(4, (2, 6)), array([1, 10])),
    ),
    draw=_draw_turn,
    wrong={
        "a = places => a = -places": "the vectors turn the other way round. The new pair is (x cos "
        "a - y sin a, x sin a + y cos a).",
        "X[:, 0::2], X[:, 1::2] => X[:, : d // 2], X[:, d // 2 :] ;; np.stack => np.concatenate": (
            "you pair each number with the one half a vector further on. Some programs do, but "
            "here neighbours are a pair: columns 0 and 1, columns 2 and 3."
        ),
        "-2 * => 0 *": "all pairs turn by the same angle. Pair c turns by i / 10000^(2c/d_k): the "
        "first pair fast, later ones more slowly.",
        "-2 * => -1 *": "the exponent is c/d_k. It should be 2c/d_k, as in the waves.",
        "places[:, None] => np.arange(len(X))[:, None]": "the places that are handed in are not "
        "used: row i need not stand at place i.",
        "pairs = x * np.cos(a) - y * np.sin(a), => "
        "x = x * np.cos(a) - y * np.sin(a); pairs = x,": "the second number of a pair is "
        "computed from the new first one. Keep the old pair until both new numbers are there.",
        "return np.stack(pairs, axis=-1).reshape(X.shape) => "
        "return X + np.stack([np.sin(a), np.cos(a)], axis=-1).reshape(X.shape)": "the "
        "waves are added to the vectors. Rotary positions turn a vector and add nothing.",
        "return np.stack(pairs, axis=-1).reshape(X.shape) => return X": "nothing has turned: these "
        "are the vectors as they came.",
    },
    praise="every pair is a hand of a clock, and the place says how far it has turned.",
)


# ex-new-word
def _draw_word(rng: Generator) -> tuple[Array, ...]:
    d, d_v = 2 * rng.permutation([1, 2, 3])[:2]
    m = max(d, d_v) + int(rng.integers(1, 4))
    return draw_arrays(rng, (d,), (m, d), (m, d_v))


EXERCISES["ex-new-word"] = FunctionChecker(
    gives="one vector as long as a value",
    right="""
        from attention_lib import rotary

        def new_word(q, K, V):
            m = len(K)
            turned, keys = rotary(q[None], [m - 1])[0], rotary(K, np.arange(m))
            scores = keys @ turned / np.sqrt(K.shape[1])
            powers = np.exp(scores - scores.max())
            return powers / powers.sum() @ V
        """,
    cases=(
        (array([1.0, 0.0]), array([[1.0, 0.0]]), array([[1.0, 2.0, 3.0, 4.0]])),
        numbers(5, (2,), (3, 2), (3, 4)),
        numbers(6, (4,), (5, 4), (5, 2)),
    ),
    draw=_draw_word,
    wrong={
        **not_yet_repaired(
            {
                "[m - 1] => [0]": "the new word stands at place 0, far from the key that is its "
                "own. It is the last of the m words, at place m - 1.",
                "@ V => @ rotary(V, np.arange(m))": "the values are turned. Only what is compared "
                "is turned, queries and keys.",
                "K.shape[1] => m": "the scores are divided by the root of m, the number of keys. "
                "It is the root of d_k, the length of a key.",
            }
        ),
        "[m - 1] => [m]": "the new word stands at place m. Places count from 0, so the last of m "
        "is m - 1.",
        "rotary(K, np.arange(m)) => K": "the keys are not turned any more. Queries and keys must "
        "both be turned, or the score depends on where the query stands.",
        "/ np.sqrt(K.shape[1]) =>": "the scores are not divided by √d_k any more.",
    },
    praise="the new word knows its place, and only what is compared is turned.",
)

EXERCISES["ex-slower"] = FunctionChecker(
    gives="one speed for each hand",
    right="""
        def slower(d_k, trained, factor):
            speeds = 10000.0 ** (-2 * np.arange(d_k // 2) / d_k)
            came_round = trained * speeds >= 2 * np.pi
            return np.where(came_round, speeds, speeds / factor)
        """,
    cases=((8, 20, 3.0), (2, 4, 2.0), (4, 1000, 2.0), (6, 50, 4.0)),
    draw=lambda rng: (_even(rng, 9), int(rng.integers(3, 5000)), float(rng.uniform(1.5, 9))),
    wrong={
        "np.where(came_round, speeds, speeds / factor) => speeds / factor": "all hands are slowed "
        "down, which is interpolation. A hand that came round keeps its speed.",
        "np.where(came_round, speeds, speeds / factor) => speeds": "no hand is slowed down.",
        "speeds, speeds / factor => speeds / factor, speeds": "it is the other way round: a hand "
        "that came round keeps its speed, and the others are slowed down.",
        "2 * np.pi => 1": "a full turn is the angle 2π, not 1.",
        "2 * np.pi => np.pi": "a full turn is the angle 2π; π is half a turn.",
        "speeds / factor => speeds * factor": "the slow hands became faster. Divide their speed by "
        "the factor.",
        "-2 * => -1 *": "the exponent is c/d_k. It should be 2c/d_k, as in the waves.",
        "np.where(came_round, speeds, speeds / factor) => came_round": "these tell which hands "
        "came round. Return the speeds.",
    },
    praise="fast hands keep telling neighbours apart, and slow ones no longer turn too far.",
)

EXERCISES["ex-permutation"] = FunctionChecker(
    gives="a square matrix of zeros and ones",
    right="""
        def permutation_matrix(order):
            return np.eye(len(order))[order]
        """,
    cases=(([1, 2, 0],), ([0, 1],), ([3, 4, 2, 0, 1],), ([2, 0, 3, 1],)),
    draw=lambda rng: (rng.permutation(int(rng.integers(2, 8))).tolist(),),
    wrong={
        "[order] => [order].T": "this is the transpose: it undoes the reordering. Row i of the "
        "matrix should pick row order[i], so its one is in column order[i].",
        "[order] =>": "this is the identity, which leaves every row where it is.",
        "np.eye(len(order))[order] => order": "this is the order itself. The matrix has one row "
        "for each place, with a single one.",
    },
    praise="reordering is a matrix product. Now compare your proof with the solution, point by "
    "point.",
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
