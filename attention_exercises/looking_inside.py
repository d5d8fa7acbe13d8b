"""Exercises of the chapter "Looking inside"."""

from typing import Any

from bookwork.exercises import (
    Array,
    Checkers,
    ChoiceChecker,
    Finding,
    FunctionChecker,
    Raises,
    Shows,
    distinct_sizes,
    draw_arrays,
    random_case,
    read_array,
    run,
    whole,
)
from numpy import array, isnan, where
from numpy.random import Generator

from attention_exercises._rules import numbers
from attention_lib import softmax

EXERCISES: Checkers = {}


EXERCISES["ex-head-picture"] = ChoiceChecker(
    right="d",
    explanations={
        "a": "that is a rule, and one sentence cannot show a rule. Of the two heads in the figure "
        "that give this picture, one stays with the dog when the nouns are swapped.",
        "b": "a picture does not show what the model would do without the head. For that it has to "
        "be removed, and other heads may do its work.",
        "c": "weights come from dot products, and a long key can win without being similar. Also, "
        "the row of his compares one query with all keys, not all queries.",
        "d": "a weight says with which factor one value enters one output. Everything beyond that "
        "has to be tested.",
    },
)


# ex-value-shares
def _draw_head(rng: Generator) -> tuple[Array, ...]:
    n, m, d_v, d_out = distinct_sizes(rng, 4)
    V, W_o = draw_arrays(rng, (m, d_v), (d_v, d_out))
    return softmax(rng.normal(size=(n, m))), V, W_o


EXERCISES["ex-value-shares"] = FunctionChecker(
    gives="one row of shares for each query",
    right="""
        def value_shares(weights, V, W_o):
            lengths = np.sqrt(((V @ W_o) ** 2).sum(axis=1))
            added = weights * lengths
            total = added.sum(axis=1, keepdims=True)
            return added / np.where(total == 0, 1, total)
        """,
    cases=(
        (array([[0.5, 0.5]]), array([[3.0, 4.0], [0.0, 5.0]]), array([[1.0, 0.0], [0.0, 2.0]])),
        (softmax(numbers(1, (3, 4))[0]), *numbers(2, (4, 2), (2, 5))),
    ),
    edges=(
        (array([[1.0, 0.0], [0.5, 0.5]]), array([[0.0, 0.0], [1.0, 2.0]]), array([[1.0], [1.0]])),
        (array([[0.25, 0.75]]), array([[1e-9], [3e-9]]), array([[1.0, 0.0]])),
    ),
    draw=_draw_head,
    wrong={
        "V @ W_o => V": "these are the lengths of the values themselves. What is added to the "
        "output is V @ W_o: take the lengths of its rows.",
        "/ np.where(total == 0, 1, total) =>": "the lengths are right, but the rows do not sum to "
        "one: divide each row by its sum.",
        "added.sum(axis=1 => added.sum(axis=0": "the columns sum to one here. Shares are taken "
        "within a row: sum along the last axis.",
        "np.sqrt(((V @ W_o) ** 2).sum(axis=1)) => ((V @ W_o) ** 2).sum(axis=1)": "these are "
        "squares of lengths. Take the square root of the sum of squares.",
        "np.sqrt(((V @ W_o) ** 2).sum(axis=1)) => (V @ W_o).sum(axis=1)": "this adds up the "
        "numbers of each vector, which can cancel. Its length is the square root of the sum of "
        "their squares.",
        "return added / np.where(total == 0, 1, total) => return weights": "these are the weights "
        "as they were. Multiply each by the length of what its token adds, then divide by the sum "
        "of the row.",
        "np.where(total == 0, 1, total) => added.sum()": "all is divided by one sum. Each row has "
        "its own: sum along the last axis, with keepdims=True.",
        Shows(lambda got, right: bool(isnan(got).any()), edge=True): "where a row adds nothing, 0 "
        "is divided by 0. Its shares are 0.",
        Shows(lambda got, right: bool(right.all() and got.sum() < 0.999), edge=True): "where "
        "little is added, the shares do not sum to one: a small number is added to the sum, or a "
        "small sum is taken for 0. Only the sum 0 itself needs care.",
    },
    praise="a large weight on a short value adds little.",
)


def _draw_rows(rng: Generator) -> tuple[Array, Array]:
    """Draw rows of weights; about half of the subjects are ahead of all other words."""
    n, m = int(rng.integers(3, 8)), int(rng.integers(5, 10))
    rows = softmax(2 * rng.normal(size=(n, m)))
    ahead = rows[:, 1:-1].argmax(axis=1) + 1
    return rows, where(rng.random(n) < 0.5, ahead, rng.integers(1, m - 1, size=n))


EXERCISES["ex-subject-test"] = FunctionChecker(
    gives="one number",
    right="""
        def hit_rate(rows, subjects):
            found = rows[:, 1:-1].argmax(axis=1) + 1
            return (found == subjects).mean()
        """,
    cases=(
        (array([[0.5, 0.1, 0.3, 0.1]]), array([2])),
        (array([[0.6, 0.3, 0.05, 0.05, 0.0], [0.1, 0.2, 0.5, 0.1, 0.1]]), array([1, 3])),
        (
            array(
                [
                    [0.1, 0.6, 0.1, 0.1, 0.1, 0.0],
                    [0.4, 0.1, 0.2, 0.1, 0.1, 0.1],
                    [0.0, 0.1, 0.1, 0.2, 0.1, 0.5],
                    [0.1, 0.1, 0.1, 0.2, 0.4, 0.1],
                    [0.1, 0.4, 0.1, 0.2, 0.1, 0.1],
                ]
            ),
            array([1, 2, 3, 4, 3]),
        ),
    ),
    draw=_draw_rows,
    wrong={
        "rows[:, 1:-1].argmax(axis=1) + 1 => rows.argmax(axis=1)": "[CLS] and [SEP] count in "
        "yours. Many heads rest there whatever they find: leave out the first and the last column "
        "before you look for the largest weight.",
        "+ 1 =>": "the places have shifted: column 0 of rows[:, 1:-1] is column 1 of rows. Add one "
        "to what argmax finds.",
        "1:-1 => 1:": "[SEP] counts in yours: leave out the last column too.",
        "rows[:, 1:-1].argmax(axis=1) + 1 => rows[:, :-1].argmax(axis=1)": "[CLS] counts in yours: "
        "leave out the first column too.",
        "found == => found !=": "this is the share of misses. Count the rows in which the two are "
        "equal.",
        "return => return 100 *": "this is a percentage. A share is a number from 0 to 1.",
        "(found == subjects) => rows[np.arange(len(rows)), subjects]": "this is the average weight "
        "on the subject. Count the rows in which the subject is ahead of all other words, and "
        "divide by the number of rows.",
        ".mean() => .sum()": "this is the number of hits. Divide it by the number of rows.",
        "(found == subjects) => (rows[np.arange(len(rows)), subjects] > 0.5)": "a hit is not the "
        "same as a weight above a half. Among many words the largest weight may be small.",
    },
    praise="your score counts what it should. Now compare your design with the solution, point by "
    "point.",
)


# ex-induction-score
_NOTHING_FOUND = (
    "without a repetition nothing is found, and the average divides by 0. The score is 0 then."
)


def _draw_text(rng: Generator) -> tuple[Array, list[str]]:
    n = int(rng.integers(6, 11))
    tokens = [str(token) for token in rng.choice(list("uvwxyz")[: n // 2], size=n)]
    return softmax(rng.normal(size=(n, n))), tokens


EXERCISES["ex-induction-score"] = FunctionChecker(
    gives="one number",
    right="""
        def induction_score(weights, tokens):
            found = []
            for i, token in enumerate(tokens):
                copies = [j for j in range(i) if tokens[j] == token]
                if copies:
                    found.append(sum(weights[i, j + 1] for j in copies))
            return sum(found) / max(len(found), 1)
        """,
    cases=(
        (array([[1.0, 0.0, 0.0], [0.3, 0.7, 0.0], [0.1, 0.6, 0.3]]), ["a", "b", "a"]),
        (softmax(numbers(3, (5, 5))[0]), ["a", "b", "c", "a", "b"]),
        (softmax(numbers(4, (6, 6))[0]), ["a", "b", "a", "c", "a", "d"]),
    ),
    edges=((softmax(numbers(5, (3, 3))[0]), ["a", "b", "c"]),),
    draw=_draw_text,
    wrong={
        "weights[i, j + 1] => weights[j + 1, i]": "row and column are still exchanged: the token "
        "that asks is the row, so it is weights[i, j + 1].",
        "weights[i, j + 1] => weights[j + 1, i] ;; max(len(found), 1) => len(tokens)": "row and "
        "column are still exchanged, and the sum is divided by all tokens. The token that asks is "
        "the row, and only tokens with an earlier copy count.",
        "max(len(found), 1) => len(tokens)": "the sum is divided by the number of all tokens. "
        "Divide by the number of tokens that have an earlier copy.",
        "j + 1 => j": "this is the weight on the earlier copy itself. An induction head looks at "
        "the token after it: j + 1.",
        "append(sum( => extend((": "a token with several earlier copies counts once for each of "
        "them. Add up what it gives to all that followed, and average over the tokens.",
        "in copies)) => in copies[-1:]))": "only the last earlier copy counts here. Add up the "
        "weights after all of them.",
        (
            Shows(lambda got, right: bool(isnan(got).any()), edge=True),
            Raises("division by zero"),
        ): _NOTHING_FOUND,
    },
    praise="it finds the head that looks for what followed, without any picture.",
)


# ex-remove-head
class HeadsChecker(FunctionChecker):
    """Checks a function, and if shapes clash, sees whether each head meets the whole of W_o."""

    def __call__(self, function: Any) -> Finding:
        """Judge the reader's function."""
        finding = super().__call__(function)
        clashes = finding.status != "correct" and _meets_all_of_it(function)
        return Finding("known mistake", _END_TO_END) if clashes else finding


def _meets_all_of_it(function: Any) -> bool:
    """Return whether a product is legal only with a W_o that has as many rows as one head needs."""
    heads, W_o = numbers(6, (3, 2, 4), (12, 5))
    whole, short = (run(function, (heads, rows, 0), read_array) for rows in (W_o, W_o[:4]))
    return whole.error.startswith("ValueError") and short.returned


_END_TO_END = (
    "each head meets the whole of W_o here, which has h * d_v rows. Lay the heads end to end "
    "first, one row of h * d_v numbers for each word, or give each head its own rows of W_o."
)

EXERCISES["ex-remove-head"] = HeadsChecker(
    gives="one row for each word",
    right="""
        def without(heads, W_o, r):
            kept = heads * (np.arange(len(heads)) != r)[:, None, None]
            return np.concatenate(kept, axis=-1) @ W_o
        """,
    cases=(
        (
            array([[[1.0, 2.0], [3.0, 1.0]], [[2.0, 0.5], [1.0, 4.0]]]),
            array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [1.0, 1.0]]),
            0,
        ),
        (*numbers(7, (3, 4, 2), (6, 5)), 1),
        (*numbers(8, (4, 5, 3), (12, 2)), 3),
    ),
    draw=random_case(lambda h, n, d_v, d_out: ((h, n, d_v), (h * d_v, d_out), whole(0, min(h, n)))),
    wrong={
        "heads * (np.arange(len(heads)) != r)[:, None, None] => heads": "no head is missing: this "
        "is the output of the whole layer.",
        "!= r => == r": "this is what head r alone contributes. The output without it is the sum "
        "of all the other terms.",
        "heads * (np.arange(len(heads)) != r)[:, None, None] => np.delete(heads, r, axis=0) ;; "
        "@ W_o => @ W_o[: -heads.shape[2]]": "the head is gone but its rows of W_o are "
        "not, so later heads meet rows that belong to their neighbours. Remove both, or put zeros "
        "in place of the head.",
        "heads * (np.arange(len(heads)) != r)[:, None, None] => np.delete(heads, r, axis=0)": "the "
        "head is gone but its rows of W_o are not, so the shapes no longer fit. Remove both, or "
        "put zeros in place of the head.",
        "len(heads)) != r)[:, None, None] => heads.shape[1]) != r)[:, None]": "word r is silenced "
        "instead of head r. The first axis of heads counts the heads.",
        (
            "heads * (np.arange(len(heads)) != r)[:, None, None] => heads ;; "
            "@ W_o => @ (W_o * (np.arange(len(W_o)) != r)[:, None])",
            "heads * (np.arange(len(heads)) != r)[:, None, None] => heads ;; "
            "@ W_o => @ np.delete(W_o, r, axis=0)",
        ): "only row r of W_o is left out. Head r has d_v rows there, from r * d_v on.",
        "len(heads)) != r)[:, None, None] => heads.shape[2]) != r)": "column r of every head is "
        "silenced instead of head r. The first axis of heads counts the heads.",
        "np.concatenate(kept, axis=-1) => kept.reshape(heads.shape[1], -1)": "the heads are "
        "reshaped without swapping axes first, so words and heads are mixed up. Lay them end to "
        "end with np.concatenate, along the last axis.",
        "@ W_o => @ W_o / (len(heads) - 1)": "you divide by the number of heads. The heads are "
        "added up, not averaged.",
    },
    praise="the other heads contribute what they did, and head r nothing.",
)


# ex-free-weights
def _draw_values(rng: Generator) -> tuple[Array]:
    """Draw values; about half of the time some tokens have equal ones."""
    m, d_v = distinct_sizes(rng, 2)
    (V,) = draw_arrays(rng, (m, d_v))
    return ((V[rng.integers(m, size=m)] if rng.random() < 0.5 else V) / 20,)


EXERCISES["ex-free-weights"] = FunctionChecker(
    gives="one whole number",
    right="""
        def free(V):
            A = np.column_stack([V, np.ones(len(V))])
            rank = np.linalg.matrix_rank(A)
            return len(V) - rank
        """,
    cases=(
        (array([[1.0], [2.0], [4.0]]),),
        (array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]),),
        numbers(9, (6, 3)),
        numbers(10, (3, 5)),
    ),
    draw=_draw_values,
    wrong={
        "matrix_rank(A) => matrix_rank(V)": "the sum of the weights is an equation, too: put a "
        "column of ones beside V.",
        "len(V) - rank => len(V) - V.shape[1] - 1": "this counts d_v + 1 equations, but they need "
        "not be independent, and there cannot be more of them than weights. Count the independent "
        "ones with np.linalg.matrix_rank.",
        "len(V) - rank => max(0, len(V) - V.shape[1] - 1)": "this counts d_v + 1 equations as if "
        "all were independent. If two tokens have the same value, weight can be moved between "
        "them: use np.linalg.matrix_rank.",
        "len(V) - rank => rank": "this counts the equations. What is free is the number of weights "
        "less that.",
        "matrix_rank(A) => matrix_rank(V) + 1": "one is taken off, as if the sum were always an "
        "independent equation. With a column of ones beside V, the rank counts it only if it is.",
        "len(V) - rank => V.shape[1] + 1 - rank": "this is how many independent equations are "
        "missing, not how many weights are free: subtract the rank from m, the number of weights, "
        "not from d_v.",
    },
    praise="as soon as a text has more tokens than that, its rows are not the only ones.",
)
