"""Exercises of the chapter "Queries, keys and values"."""

from collections.abc import Callable, Sequence
from math import log, log2, log10, sqrt
from typing import Any

from numpy import abs as absolute
from numpy import array
from numpy import exp as exp_all
from numpy.linalg import norm
from numpy.random import Generator

from attention_exercises._formulas import softmax
from bookwork.exercises import (
    LISTS,
    Array,
    Checkers,
    ChoiceChecker,
    DesignChecker,
    FunctionChecker,
    Mistake,
    between,
    distinct_sizes,
    draw_arrays,
    parts,
    random_case,
)

EXERCISES: Checkers = {}


def _row_sums(x: Array) -> Array:
    return array(x.sum(axis=1, keepdims=True))  # (n, 1)


EXERCISES["ex-row-sums"] = ChoiceChecker(
    right="b",
    explanations={
        "a": "a query asked twice makes two rows, each with its own sum. This is one row.",
        "b": "then exactly one key equals the query, and its row has a single 1.",
        "c": "then the row sums to one, but it has two halves. A one-hot row has a single 1.",
        "d": "weights come from the query and the keys alone; the values have no say in them.",
    },
)

# ex-swap


def invert(
    keys: Sequence[Any], values: Sequence[Any], keep: Callable[[list[Any]], Any] = list
) -> dict[Any, Any]:
    """Collect under each value the keys that it was stored under."""
    swapped: dict[Any, list[Any]] = {}
    for key, value in zip(keys, values, strict=True):
        swapped.setdefault(value, []).append(key)
    return {value: keep(found) for value, found in swapped.items()}


_LOST_KEYS = (
    "majors repeat: where several students have one major, yours keeps only {} of them. Collect "
    "all of them in a list."
)


def _draw_pairs(rng: Generator) -> tuple[Any, ...]:
    count, kinds = distinct_sizes(rng, 2, smallest=3)
    keys = [f"key {j}" for j in rng.permutation(20)[:count]]
    return keys, rng.integers(kinds, size=count).tolist()


EXERCISES["ex-swap"] = FunctionChecker(
    gives="a dictionary with a list of keys under each value",
    right=invert,
    cases=(
        (["Ada"], ["physics"]),
        (["Cy", "Ada"], ["art", "art"]),
        (["Ada", "Cy", "Bo"], ["art", "physics", "art"]),
        (["Dee", "Ada", "Cy", "Bo"], ["history", "art", "art", "history"]),
    ),
    edges=(([], []), (["Sam", "Sam"], ["art", "physics"]), (["Sam", "Sam"], ["art", "art"])),
    output=LISTS,
    mistakes={
        "under each value there is a single key. Values repeat, so each needs a list of keys, even "
        "if the list has only one.": {"keep": lambda found: found[-1]},
        _LOST_KEYS.format("the last"): {"keep": lambda found: found[-1:]},
        _LOST_KEYS.format("the first"): {"keep": lambda found: found[:1]},
        "a key that comes twice under one value is kept once. Two students may have the same name: "
        "keep every key.": {"keep": lambda found: list(dict.fromkeys(found))},
        "this still looks up by key. Swap the two: the values are what you now ask "
        "with.": lambda keys, values: invert(values, keys),
    },
    draw=_draw_pairs,
    praise="the swapped database answers by value, and keeps every key.",
)

EXERCISES["ex-roles"] = ChoiceChecker(
    right="d",
    explanations={
        "a": "that is the look-up of somebody who wants to call. Here the name is what comes out, "
        "so it is not the query.",
        "b": "the address book is the database. The query is what you ask it with.",
        "c": "a query is compared with the keys, and no name equals a number.",
        "d": "the number that calls is compared with the stored ones, and a name is handed out.",
    },
)

# ex-cosine


def unit_rows(X: Array) -> list[list[float]]:
    """Divide each row by its norm; a row of zeros stays."""
    rows = []
    for row in X.tolist():
        length = sqrt(sum(x * x for x in row))
        rows.append([x / length if length else 0.0 for x in row])
    return rows


def _divided(X: Array, by: Callable[[Array], Any]) -> Array:
    return X / by(X)


EXERCISES["ex-cosine"] = FunctionChecker(
    gives="an array of the shape of X",
    right=unit_rows,
    cases=(
        (array([[3.0, -4.0]]),),
        (array([[1.0, -2.0, 2.0], [2.0, 3.0, 6.0]]),),
        (array([[3.0, 4.0], [-5.0, 12.0]]),),
        (array([[1.0, 1.0], [0.5, 0.0], [2.0, -1.0]]),),
    ),
    edges=((array([[0.0, 0.0], [3.0, 4.0]]),), (array([[3e-9, 4e-9]]),)),
    mistakes={
        "you divide each row by the sum of its entries, and then the entries sum to one. A cosine "
        "needs rows of length one: divide by the norm.": {"by": _row_sums},
        "you divide each row by the sum of its absolute entries. The norm squares the entries, "
        "adds them up and takes the root.": {"by": lambda X: _row_sums(absolute(X))},
        "you divide by the sum of the squares: the square root is missing.": {
            "by": lambda X: _row_sums(X * X)
        },
        "the columns have length one now, not the rows: each vector is a row, so the norms are "
        "taken along the last axis.": {"by": lambda X: norm(X, axis=0)},
        "you divide by one norm for the whole matrix. Every row needs its own.": {"by": norm},
        "the norms have shape (n,), so NumPy lines them up with the columns. keepdims=True gives "
        "them the shape (n, 1), one for each row.": {"by": lambda X: norm(X, axis=1)},
        "a row of zeros has norm 0, and 0/0 is NaN. Such a row should stay zero.": {
            "by": lambda X: norm(X, axis=1, keepdims=True)
        },
        "a short row is left too short: a small norm is taken for zero. Only the norm 0 itself "
        "needs care.": Mistake(
            shows=lambda got, right: bool(norm(got) < 1e-6 < norm(right)), edge=True
        ),
        "a small number is added to the norm, or stands in for it, to avoid 0/0, but it makes "
        "short rows too short. Treat the norm 0 separately instead.": Mistake(
            shows=lambda got, right: bool(0 < norm(got) < norm(right)), edge=True
        ),
    },
    model=_divided,
    draw=random_case(lambda n, d: ((n, d),)),
    praise="all rows have length one (a row of zeros stays), so their dot products are cosines.",
)

# ex-soft-rows


def soft_rows(
    Q: Array,
    K: Array,
    T: float,
    temper: Callable[[float], float] = float,
    by: Callable[[Array], Any] = _row_sums,
) -> Array:
    """Give the soft weights of each query, one row after the other."""
    powers = exp_all(Q @ K.T / temper(T))  # (n, m)
    return powers / by(powers)


def _lost_axis(powers: Array) -> Any:
    return powers.sum(axis=1)  # fits only if there are as many queries as keys


EXERCISES["ex-soft-rows"] = FunctionChecker(
    gives="one row per query and one column per key",
    right=soft_rows,
    cases=(
        (array([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]]), array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]), 0.5),
        (array([[0.6, 0.8]]), array([[1.0, 0.0], [0.6, 0.8], [0.0, -1.0]]), 2.0),
    ),
    mistakes={
        "the scores are still multiplied by T, and each column is divided by the sum of a row. "
        "Divide the scores by T, and keep the dimension of the "
        "sums.": {"temper": lambda T: 1 / T, "by": _lost_axis},
        "the scores are multiplied by T. Divide by it, so that a low temperature makes the match "
        "harder.": {"temper": lambda T: 1 / T},
        "the sums have shape (n,), so NumPy divides column j by the sum of row j. keepdims=True "
        "gives them the shape (n, 1), one for each row.": {"by": _lost_axis},
        "the columns sum to one, not the rows: each query shares out its own weight.": {
            "by": lambda powers: powers.sum(axis=0)
        },
        "all weights together sum to one. Every query needs a row that does.": {
            "by": lambda powers: powers.sum()
        },
        "the temperature has no effect: divide the scores by T before the exponential.": {
            "temper": lambda T: 1.0
        },
        "rows are queries and columns are keys; yours are the other way round.": lambda Q, K, T: (
            soft_rows(Q, K, T).T
        ),
        "these are the powers. Divide each row by its sum.": {"by": lambda powers: 1.0},
    },
    draw=random_case(lambda n, m, d_k: ((n, d_k), (m, d_k), between(0.3, 2))),
    praise="each query shares out a weight of one among the keys.",
)

# ex-search-engine


def soft_weights(query_vec: Array, K: Array, T: float) -> Array:
    """Give the softmax of the scores of one query, as in the chapter."""
    return softmax(K @ query_vec / T)


def search(
    query_vec: Array,
    K: Array,
    clicked: int,
    T: float,
    mark: Callable[[Array, int], float] = lambda weights, clicked: log(weights[clicked]),
) -> tuple[Array, float]:
    """Give the weights of all documents, and the logarithm of the weight of the clicked one."""
    weights = soft_weights(query_vec, K, T)
    return weights, mark(weights, clicked)


def _draw_search(rng: Generator) -> tuple[Any, ...]:
    m, d_k = distinct_sizes(rng, 2)
    query_vec, K = draw_arrays(rng, (d_k,), (m, d_k))
    return query_vec, K, int(rng.integers(m)), float(rng.uniform(0.3, 2))


SEARCH = FunctionChecker(
    gives="two things, the weights of all documents and a mark",
    right=search,
    output=parts("the weights", "the mark"),
    cases=(
        (array([1.0, 0.0]), array([[1.0, 0.0], [0.6, 0.8]]), 1, 0.5),
        (array([0.6, 0.8]), array([[1.0, 0.0], [0.6, 0.8], [0.0, -1.0]]), 0, 2.0),
        (
            array([0.48, 0.6, 0.64]),
            array([[1.0, 0.0, 0.0], [0.0, 0.6, 0.8], [-0.6, 0.0, 0.8], [0.0, 1.0, 0.0]]),
            3,
            0.05,
        ),
    ),
    mistakes={
        "the best document takes all. Nudge the query and nothing moves, or everything jumps: no "
        "small change leads to a better mark. Use soft weights.": Mistake(
            shows=lambda got, right: bool(((got[0] == 0) | (got[0] == 1)).all())
        ),
        "the temperature has no effect: divide the scores by T before the "
        "softmax.": lambda query_vec, K, clicked, T: search(query_vec, K, clicked, 1.0),
        "the scores are multiplied by T. Divide by it, so that a low temperature makes the search "
        "harder.": lambda query_vec, K, clicked, T: search(query_vec, K, clicked, 1 / T),
        "the weights are right, but this logarithm has another base. np.log is the natural one.": [
            {"mark": lambda weights, clicked: log2(weights[clicked])},
            {"mark": lambda weights, clicked: log10(weights[clicked])},
        ],
        "the weights are right, but the mark has the wrong sign: it should grow, towards 0, as the "
        "clicked document gains weight.": {"mark": lambda weights, clicked: -log(weights[clicked])},
        "the weights are right, but the mark is the weight of the clicked document. Take its "
        "logarithm, which tells a weight of 0.001 from one of "
        "0.0001.": {"mark": lambda weights, clicked: weights[clicked]},
        "the weights are right, but the mark looks at the document with the largest weight. It "
        "should judge the one the reader "
        "clicked.": {"mark": lambda weights, clicked: log(max(weights))},
        "the weights are right, but the mark compares the query with the clicked document alone. "
        "Through the logarithm of its weight the other documents count as well.": [
            lambda q, K, clicked, T: (soft_weights(q, K, T), K[clicked] @ q),
            lambda query_vec, K, clicked, T: (
                soft_weights(query_vec, K, T),
                K[clicked] @ query_vec / T,
            ),
        ],
    },
    draw=_draw_search,
    praise="your search engine has soft weights and a mark that can be followed uphill, and you "
    "have compared your design with all points of the rubric.",
)

RUBRIC = (
    "It says what the query, the keys and the values are, and what turns texts into vectors.",
    "It says why the weights are soft: what a small nudge of the query does to the weights and to "
    "the mark.",
    "It says which numbers are learned, and from which data, so that the mark grows.",
    "It says what to do with a million documents, and which part of the search is then no longer "
    "differentiable.",
)

EXERCISES["ex-search-engine"] = DesignChecker(SEARCH, RUBRIC)
