"""Exercises of the chapter "Queries, keys and values"."""

from typing import Any

from bookwork.exercises import (
    EXACT,
    Checkers,
    ChoiceChecker,
    FunctionChecker,
    Shows,
    between,
    distinct_sizes,
    draw_arrays,
    parts,
    random_case,
)
from numpy import array
from numpy.linalg import norm
from numpy.random import Generator

EXERCISES: Checkers = {}


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
    right="""
        def invert(keys, values):
            swapped = {}
            for key, value in zip(keys, values):
                swapped.setdefault(value, []).append(key)
            return swapped
        """,
    cases=(
        (["Ada"], ["physics"]),
        (["Cy", "Ada"], ["art", "art"]),
        (["Ada", "Cy", "Bo"], ["art", "physics", "art"]),
        (["Dee", "Ada", "Cy", "Bo"], ["history", "art", "art", "history"]),
    ),
    edges=(([], []), (["Sam", "Sam"], ["art", "physics"]), (["Sam", "Sam"], ["art", "art"])),
    output=EXACT,
    wrong={
        "return swapped => return {value: found[-1] for value, found in swapped.items()}": "under "
        "each value there is a single key. Values repeat, so each needs a list of keys, even if "
        "the list has only one.",
        "return swapped => return {value: found[-1:] for value, found in swapped.items()}": (
            _LOST_KEYS.format("the last")
        ),
        "return swapped => return {value: found[:1] for value, found in swapped.items()}": (
            _LOST_KEYS.format("the first")
        ),
        "return swapped => "
        "return {value: list(dict.fromkeys(found)) for value, found in swapped.items()}": "a "
        "key that comes twice under one value is kept once. Two students may have the same name: "
        "keep every key.",
        "zip(keys, values) => zip(values, keys)": "this still looks up by key. Swap the two: the "
        "values are what you now ask with.",
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

EXERCISES["ex-cosine"] = FunctionChecker(
    gives="an array of the shape of X",
    right="""
        def unit_rows(X):
            norms = np.sqrt((X**2).sum(axis=1, keepdims=True))
            return X / np.where(norms == 0, 1, norms)
        """,
    cases=(
        (array([[3.0, -4.0]]),),
        (array([[1.0, -2.0, 2.0], [2.0, 3.0, 6.0]]),),
        (array([[3.0, 4.0], [-5.0, 12.0]]),),
        (array([[1.0, 1.0], [0.5, 0.0], [2.0, -1.0]]),),
    ),
    edges=((array([[0.0, 0.0], [3.0, 4.0]]),), (array([[3e-9, 4e-9]]),)),
    wrong={
        "np.where(norms == 0, 1, norms) => X.sum(axis=1, keepdims=True)": "you divide each row by "
        "the sum of its entries, and then the entries sum to one. A cosine needs rows of length "
        "one: divide by the norm.",
        "np.where(norms == 0, 1, norms) => abs(X).sum(axis=1, keepdims=True)": "you divide each "
        "row by the sum of its absolute entries. The norm squares the entries, adds them up and "
        "takes the root.",
        "np.where(norms == 0, 1, norms) => norms**2": "you divide by the sum of the squares: the "
        "square root is missing.",
        "np.where(norms == 0, 1, norms) => np.sqrt((X**2).sum(axis=0))": "the columns have length "
        "one now, not the rows: each vector is a row, so the norms are taken along the last axis.",
        "np.where(norms == 0, 1, norms) => np.sqrt((X**2).sum())": "you divide by one norm for the "
        "whole matrix. Every row needs its own.",
        "axis=1, keepdims=True => axis=1 ;; np.where(norms == 0, 1, norms) => norms": "the norms "
        "have shape (n,), so NumPy lines them up with the columns. keepdims=True gives them the "
        "shape (n, 1), one for each row.",
        "np.where(norms == 0, 1, norms) => norms": "a row of zeros has norm 0, and 0/0 is NaN. "
        "Such a row should stay zero.",
        Shows(lambda got, right: bool(norm(got) < 1e-6 < norm(right)), edge=True): "a short row is "
        "left too short: a small norm is taken for zero. Only the norm 0 itself needs care.",
        Shows(lambda got, right: bool(0 < norm(got) < norm(right)), edge=True): "a small number is "
        "added to the norm, or stands in for it, to avoid 0/0, but it makes short rows too short. "
        "Treat the norm 0 separately instead.",
    },
    draw=random_case(lambda n, d: ((n, d),)),
    praise="all rows have length one (a row of zeros stays), so their dot products are cosines.",
)

EXERCISES["ex-soft-rows"] = FunctionChecker(
    gives="one row per query and one column per key",
    right="""
        def soft_rows(Q, K, T):
            powers = np.exp(Q @ K.T / T)
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights
        """,
    cases=(
        (array([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]]), array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]), 0.5),
        (array([[0.6, 0.8]]), array([[1.0, 0.0], [0.6, 0.8], [0.0, -1.0]]), 2.0),
    ),
    wrong={
        "/ T => * T ;; axis=1, keepdims=True => axis=1": "the scores are still multiplied by T, "
        "and each column is divided by the sum of a row. Divide the scores by T, and keep the "
        "dimension of the sums.",
        "/ T => * T": "the scores are multiplied by T. Divide by it, so that a low temperature "
        "makes the match harder.",
        "axis=1, keepdims=True => axis=1": "the sums have shape (n,), so NumPy divides column j by "
        "the sum of row j. keepdims=True gives them the shape (n, 1), one for each row.",
        "axis=1 => axis=0": "the columns sum to one, not the rows: each query shares out its own "
        "weight.",
        "axis=1, keepdims=True =>": "all weights together sum to one. Every query needs a row that "
        "does.",
        "/ T =>": "the temperature has no effect: divide the scores by T before the exponential.",
        "return weights => return weights.T": "rows are queries and columns are keys; yours are "
        "the other way round.",
        "return weights => return powers": "these are the powers. Divide each row by its sum.",
    },
    draw=random_case(lambda n, m, d_k: ((n, d_k), (m, d_k), between(0.3, 2))),
    praise="each query shares out a weight of one among the keys.",
)


def _draw_search(rng: Generator) -> tuple[Any, ...]:
    m, d_k = distinct_sizes(rng, 2)
    query_vec, K = draw_arrays(rng, (d_k,), (m, d_k))
    return query_vec, K, int(rng.integers(m)), float(rng.uniform(0.3, 2))


EXERCISES["ex-search-engine"] = FunctionChecker(
    gives="two things, the weights of all documents and a mark",
    right="""
        def search(query_vec, K, clicked, T):
            scores = K @ query_vec / T
            powers = np.exp(scores - scores.max())
            weights = powers / powers.sum()
            return weights, np.log(weights[clicked])
        """,
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
    wrong={
        Shows(lambda got, right: bool(((got[0] == 0) | (got[0] == 1)).all())): "the best document "
        "takes all. Nudge the query and nothing moves, or everything jumps: no small change leads "
        "to a better mark. Use soft weights.",
        "/ T =>": "the temperature has no effect: divide the scores by T before the softmax.",
        "/ T => * T": "the scores are multiplied by T. Divide by it, so that a low temperature "
        "makes the search harder.",
        (
            "np.log => np.log2",
            "np.log => np.log10",
        ): "the weights are right, but this logarithm has another base. np.log is the natural one.",
        "np.log => -np.log": "the weights are right, but the mark has the wrong sign: it should "
        "grow, towards 0, as the clicked document gains weight.",
        "np.log(weights[clicked]) => weights[clicked]": "the weights are right, but the mark is "
        "the weight of the clicked document. Take its logarithm, which tells a weight of 0.001 "
        "from one of 0.0001.",
        "weights[clicked] => weights.max()": "the weights are right, but the mark looks at the "
        "document with the largest weight. It should judge the one the reader clicked.",
        (
            "np.log(weights[clicked]) => K[clicked] @ query_vec",
            "np.log(weights[clicked]) => K[clicked] @ query_vec / T",
        ): "the weights are right, but the mark compares the query with the clicked document "
        "alone. Through the logarithm of its weight the other documents count as well.",
    },
    draw=_draw_search,
    praise="your search engine has soft weights and a mark that can be followed uphill. Now "
    "compare your design with the solution, point by point.",
)
