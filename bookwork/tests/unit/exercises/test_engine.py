"""What every checker does: values that mean the same, the notebook's variables, short verdicts,
and rounds of random cases."""

import dataclasses

import numpy as np
import pytest
from bookwork.exercises import FunctionChecker
from bookwork.exercises.cases import ROUNDS, distinct_sizes, draw_arrays
from bookwork.exercises.outputs import close, parts
from checks import assert_found


def draw(rng):
    n, m, d = distinct_sizes(rng, 3)
    return draw_arrays(rng, (n, m), (m, d))


MIX = FunctionChecker(
    gives="one row for each row of W",
    right="def mix(W, X): return W @ X",
    cases=((np.array([[0.25, 0.75]]), np.array([[1.5], [3.25]])),),
    wrong={"W @ X => X": "W is left out."},
    praise="mixed.",
    draw=draw,
)

# how near is near enough


def test_numbers_are_compared_as_closely_as_single_precision_allows():
    right = np.random.default_rng(1).normal(size=(50, 4))
    single = right.astype(np.float32).sum(axis=0).astype(float)
    assert close(single, right.sum(axis=0))
    assert close(right * (1 + 1e-9), right)
    assert close(right * (1 + 3e-6), right)  # a step in single precision on the way
    assert not close(right * (1 + 1e-4), right)


def test_a_small_row_is_not_hidden_and_what_is_not_finite_must_be_so_in_both():
    right = np.array([[1e9, 2e9], [3e-9, 4e-9]])
    assert not close(right * [[1.0], [0.0]], right)
    some = np.array([np.nan, np.inf, -np.inf, 1 / 3])
    assert close(some, some)
    assert not close(np.nan_to_num(some), some)
    assert not close(some, np.nan_to_num(some))


# variables of the notebook


def from_notebook(source, checker=MIX, **more):
    space = {"np": np, "X": np.ones((3, 3)), "W": np.eye(3), **more}
    exec(source, space)
    return checker(space[checker.name])


@pytest.mark.parametrize(
    ("source", "names", "own"),
    [
        ("def mix(W, words): return W @ X", "X", "(W, words)"),
        ("def mix(a, b): return W @ X", "W and X", "(a, b)"),
        ("def mix(W, V): return [[w @ x for x in X.T] for w in W]", "X", "(W, V)"),
    ],
)
def test_a_variable_of_the_notebook_instead_of_an_argument_is_told(source, names, own):
    called = "whatever mix is called with"
    said = f"your function uses the notebook's {names}, {called}. Use its own arguments, {own}."
    assert from_notebook(source) == ("known mistake", said)


def test_another_variable_of_the_notebook_or_a_function_is_no_mistake():
    assert from_notebook("def mix(W, X): return W @ X * one", one=1.0).status == "correct"
    assert from_notebook("def mix(W, X): return X + 0 * one", one=1.0).message == "W is left out."
    source = "def X(rows): return rows\ndef mix(W, rows): return X(rows)"
    assert from_notebook(source).message == "W is left out."


# how many things, and which of them

BOTH = dataclasses.replace(
    MIX,
    right="def mix(W, X): return W @ X, W",
    output=parts("the output", "the weights"),
    gives="two things, an output and weights",
    wrong=None,
)
SHAPE, MISTAKE, NOT_YET = "wrong shape", "known mistake", "not yet"
TOLD = [
    (MIX, lambda W, X: (W @ X).T, MISTAKE, "rows and columns are exchanged"),
    (BOTH, lambda W, X: 1.0, SHAPE, "returned one thing, 1, instead of 2"),
    (BOTH, lambda W, X: (W @ X, W, X), SHAPE, "returned 3 things instead of 2"),
    (BOTH, lambda W, X: (W @ X, W.T), SHAPE, "shape (1, 2), but has shape (2, 1), in the weights"),
    (BOTH, lambda W, X: np.ravel([W @ X, W @ X]), SHAPE, "one thing, [2.812, 2.812], for W = "),
    (BOTH, lambda W, X: (W @ X + 1, W), NOT_YET, "the weights are right, but the output is not"),
    (BOTH, lambda W, X: (W @ X, W + 1), NOT_YET, "the output is right, but the weights are not"),
    (BOTH, lambda W, X: (W @ X + 1, W + 1), NOT_YET, "the output is not right: it should return"),
    (BOTH, lambda W, X: (W, W @ X), MISTAKE, "wrong order: first the output and then the weights."),
]


@pytest.mark.parametrize(("checker", "answer", "status", "said"), TOLD)
def test_what_is_returned_beside_instead_of_or_in_another_form_than_asked_is_told(
    checker, answer, status, said
):
    assert_found(checker(answer), status, said)


@pytest.mark.parametrize(
    "given", [tuple, np.matrix, np.ndarray.tolist, lambda X: X.astype(object), np.float32]
)
def test_numbers_may_come_in_any_container(given):
    assert MIX(lambda W, X: given(W @ X)).status == "correct"
    assert BOTH(lambda W, X: [given(W @ X), given(W)]).status == "correct"


# one number where there are many


@pytest.mark.parametrize("source", ["(W > 0) and (W < 1)", "not W", "0 < W < 1", "max(0, W)"])
def test_a_question_to_a_whole_array_is_told(source):
    many = dataclasses.replace(MIX, cases=(draw(np.random.default_rng(3)),))
    finding = from_notebook(f"def mix(W, X): return {source}", many)
    assert finding.status == "known mistake"
    assert finding.message.startswith("if, and, or, not, max and min look at one number")


# short verdicts


@pytest.mark.parametrize(
    "answer",
    [
        lambda W, X: (W @ X) * 1.01,
        lambda W, X: W @ X + 1e9,
        lambda W, X: [[0] * 1000],
        lambda W, X: "x" * 1000,
        lambda W, X: np.linalg.inv(W),
        lambda W, X: {"a" * 1000: 1},
        lambda W, X: {}["{" + "x" * 300 + "}"],
    ],
)
def test_verdicts_on_large_arrays_are_short(answer):
    W, X = draw_arrays(np.random.default_rng(0), (20, 30), (30, 40))
    message = dataclasses.replace(MIX, cases=((W, X),))(answer).message
    assert len(message) <= 400
    assert "W of shape (20, 30) and X of shape (30, 40)" in message


def test_an_error_of_numpy_is_told_in_full_and_a_long_one_is_cut_between_words():
    def join(W, X):
        return np.concatenate([W, X[:1]], axis=0)

    def complain(W, X):
        raise ValueError("protracted " * 100)

    assert "has size 2 and the array at index 1 has size 1" in MIX(join).message
    assert "protracted protracted … " in MIX(complain).message


def test_the_first_place_that_differs_is_told():
    W, X = np.ones((2, 30)), np.arange(120.0).reshape(30, 4)

    def slip(W, X):
        result = W @ X
        result[1, 2] = 0.5
        return result

    finding = dataclasses.replace(MIX, cases=((W, X),), draw=None)(slip)
    assert finding.message.endswith("at [1, 2] it should be 1800, but is 0.5.")


# rounds of random cases


def test_random_cases_find_what_the_chosen_ones_miss():
    finding = MIX(lambda W, X: W @ X if len(W) < 4 else W @ X + 1)
    assert finding.status == "not yet"
    assert finding.message.startswith("for W of shape (5, 4) and X of shape (4, 2) ")
    assert dataclasses.replace(MIX, draw=None)(lambda W, X: W @ X + (len(W) > 3)).status == (
        "correct"
    )


def test_random_cases_are_the_same_each_time_and_the_smallest_comes_first():
    shapes = []
    for _ in range(2):
        MIX(lambda W, X: shapes.append((W.shape, X.shape)) or W @ X)
    first, again = shapes[: len(shapes) // 2], shapes[len(shapes) // 2 :]
    assert first == again
    assert len(first) == 1 + ROUNDS
    sizes = [W[0] * W[1] + X[0] * X[1] for W, X in first]
    assert sizes == sorted(sizes)
    assert all(len({*W, *X}) == 3 for W, X in first[1:])


def test_a_checker_takes_name_and_arguments_from_what_is_right():
    right = "def twice(x, by=2): return by * x"
    checker = FunctionChecker(gives="twice x", right=right, cases=((1.0,),), praise="right.")
    assert (checker.name, checker.parameters) == ("twice", ("x",))
    assert "called as twice(x), but yours takes ()" in checker(lambda: 1).message
