"""What a checker does with answers that misbehave: none raises, or spoils anything."""

import builtins
import dataclasses
import functools
import math
import sys
import warnings

import numpy as np
import pytest
from bookwork.exercises import FunctionChecker, Shows, running
from bookwork.exercises.words import LONGEST, show, show_apart
from checks import assert_found
from shop.exercises import check


def my_shares(x):
    return x / x.sum()


def judge(function):
    return check("ex-share", function)


DOUBLE = FunctionChecker(
    gives="twice x",
    right="def double(x): return 2 * x",
    cases=((np.array([1.0]),), (np.array([3.0, 4.0]),)),
    edges=((np.array([0.0, -1.0]),),),
    wrong={
        "2 * x => x / 2": "you halve.",
        "2 * x => x**2": "you square.",
        "2 * x => 2 * abs(x)": "you forget the sign.",
    },
    praise="twice.",
)

# errors


def test_an_error_is_told_with_its_line_and_the_input():
    def divide(x):
        zero = 0
        return 1 / zero

    error = "my_shares raised ZeroDivisionError: division by zero"
    where = f"in line {divide.__code__.co_firstlineno + 2}, for x = [2]."
    assert judge(divide).message == f"{error} {where}"


def clash(*arguments):
    return np.linalg.inv(len(arguments))  # raises in a file of NumPy


def decorated(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)

    return wrapper


@pytest.mark.parametrize("function", [clash, decorated(clash)], ids=["plain", "decorated"])
def test_the_line_told_is_the_readers_own(function):
    line = clash.__code__.co_firstlineno + 1
    assert f"in line {line}, for" in judge(function).message


def fail(*arguments, error=KeyError):
    raise error


def deeper(x):
    return deeper(x)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda x: sys.exit(), "raised SystemExit"),
        (deeper, "raised RecursionError"),
        (fail, "raised KeyError in line"),  # which has no words
    ],
)
def test_exit_and_endless_recursion_are_errors_like_any_other(function, said):
    assert_found(judge(function), "not yet", said)


def test_stop_stops():
    with pytest.raises(KeyboardInterrupt):
        judge(lambda x: fail(error=KeyboardInterrupt))


def test_an_error_on_a_later_case_only_is_told_with_that_case():
    def picky(x):
        if x.size > 1:
            raise ValueError("one only")
        return my_shares(x)

    assert "for x = [1, 3]" in judge(picky).message


# arguments and results


def test_a_function_that_changes_what_it_is_given_is_told_so_and_spoils_nothing():
    def emptying(breads, prices):
        found = {}
        while breads:
            found.setdefault(prices.pop(0), []).append(breads.pop(0))
        return found

    said = "changed breads and prices, which it was given"
    for _ in range(2):
        assert_found(check("ex-swap", emptying), "known mistake", said)


class Odd:
    def __eq__(self, other):
        raise ValueError

    __hash__ = None


@pytest.mark.parametrize(
    ("given", "change"),
    [
        ([np.array([1.0, np.nan]), np.nan], lambda rows: rows.__setitem__(0, 1.0)),
        ([np.array([1.0])], lambda rows: rows.append(2)),
        ([np.array([1.0])], lambda rows: rows.__setitem__(0, rows[0].astype(int))),
        ([(0.5, np.array([1.0]))], lambda pairs: pairs[0][1].fill(0)),
        ({"W": np.array([1.0, np.nan])}, lambda p: p["W"].__setitem__(0, 7.0)),
        ({"W": np.ones(2), "b": 1}, lambda p: p.pop("b")),
        (np.ones((2, 3)), lambda u: u.resize(u.size, refcheck=False)),
        (["a"], lambda words: words.__setitem__(0, Odd())),
    ],
)
def test_an_argument_that_is_changed_in_any_way_is_noticed(given, change):
    assert running.run(len, (given,), read=int).changed == ()
    assert running.run(change, (given,), read=str).changed == (0,)


@pytest.mark.parametrize("label", ["ex-share", "ex-swap", "ex-total"])
def test_a_function_that_returns_nothing_is_told_so(label):
    said = "returned None, that is nothing, for", "End it with return"
    assert_found(check(label, lambda *given: None), "known mistake", *said)


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("text", "but returned 'text'"),
        ([[1.0], [1.0, 2.0]], "but returned rows of different lengths, [[1], [1, 2]]"),
        ({"a": 1}, "but returned a dict"),
        (np.exp, "but returned a function"),
        (np.array([1j]), "but returned [1j]"),
        ([{}, 2], "but returned [{}, 2]"),
        (np.zeros((3, 1)), "should have shape (1,), but has shape (3, 1)"),
        (0.5, "should have shape (1,), but has shape ()"),
        ((x for x in [1.0]), "but returned a generator"),
    ],
)
def test_wrong_types_and_shapes_are_named(result, said):
    assert_found(judge(lambda x: result), "wrong shape", said)


@pytest.mark.parametrize("answer", [0.5, "shares", np.zeros(3), [1, 2]], ids=str)
def test_a_value_instead_of_the_function_is_told(answer):
    said = "the function my_shares itself, without parentheses"
    assert_found(judge(answer), "wrong shape", said)


@pytest.mark.parametrize("function", [lambda: 1, lambda x, y: x, lambda *, x: x])
def test_other_parameters_than_asked_for_are_told(function):
    said = "it is called as my_shares(x), but yours takes ("
    assert_found(judge(function), "wrong shape", said)


def test_parameters_may_have_other_names_and_defaults():
    assert judge(lambda x, power=np.exp: my_shares(x)).status == "correct"
    assert DOUBLE(np.vectorize(lambda u: 2 * u)).status == "correct"


def test_functions_written_in_c_are_judged_like_others():
    assert judge(np.exp).status == "not yet"
    assert "has shape ()" in judge(max).message  # it does not tell its parameters


def test_an_answer_that_no_rung_expects_is_still_a_verdict():
    class Odd:
        @property
        def __class__(self):
            raise RuntimeError

    said = "this answer could not be judged: the checker failed with RuntimeError."
    assert_found(check("ex-trays", Odd(), (10, 512)), "not yet", said)


# the smallest case, and names for mistakes


@pytest.mark.parametrize(
    ("function", "status", "said"),
    [
        (lambda x: x + x, "correct", "twice."),
        (lambda x: 0.5 * x, "known mistake", "you halve."),
        (lambda x: x * x, "known mistake", "you square."),
        (lambda x: np.abs(x) + np.abs(x), "known mistake", "you forget the sign."),
        (lambda x: x + 1, "not yet", "for x = [3, 4] it should return [6, 8], but returned [4, 5]"),
        (lambda x: 2 * x + (x.min() < 0), "not yet", "for x = [0, -1] it should return [0, -2]"),
        (lambda x: x / 2 if x.size == 1 else x, "not yet", "for x = [1]"),
        (lambda x: 2 * x * 1.001, "not yet", "should return [2], but returned [2.002]"),
        (lambda x: 2 * x * 1.0002, "not yet", "should return [2], but returned [2.0004]"),
    ],
)
def test_a_mistake_is_named_only_when_it_explains_all_results(function, status, said):
    finding = DOUBLE(function)
    assert (finding.status, said in finding.message) == (status, True)


def test_a_mistake_of_the_edge_is_not_named_when_an_ordinary_case_fails():
    careless = {Shows(lambda got, right: got.sum() > right.sum(), edge=True): "you forget 0."}
    checker = dataclasses.replace(DOUBLE, wrong=careless)
    assert checker(lambda x: 2 * x + (x.min() <= 0)).message == "you forget 0."
    assert checker(lambda x: 3 * x).status == "not yet"
    assert "for x = [1] it should return [2]" in checker(lambda x: 3 * x).message


def refuse(x, why):
    raise ValueError(why)


def test_an_error_is_a_known_mistake_only_if_it_reads_the_same():
    """Beside a wrong result that is the same, the kind of error is enough."""
    cases = (np.array([2.0, 3.0]),), (np.array([4.0]),)
    wrong = {"2 * x => x.reshape(9)": "it reshapes.", "2 * x => x.reshape(1)": "it takes one."}
    refusing = dataclasses.replace(DOUBLE, cases=cases, edges=(), wrong=wrong)
    assert refusing(lambda x: x.reshape(9)).message == "it reshapes."
    assert "raised ValueError: never" in refusing(lambda x: refuse(x, "never")).message
    half = refusing(lambda x: x if x.size < 2 else refuse(x, "never"))
    assert half.message == "it takes one."


def test_a_warning_of_the_readers_code_neither_shows_nor_stops_it():
    def warning(x):
        warnings.warn("careful", stacklevel=1)
        np.log(np.zeros(2))
        return my_shares(x)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert judge(warning).status == "correct"


def test_a_strict_numpy_changes_no_verdict():
    """Neither by what the reader computes on the way nor by what the model answer does."""

    def divide(x):
        return np.nan_to_num(np.r_[x, 0] / np.r_[np.full(x.shape, x.sum()), 0])[:-1]  # 0/0

    right = "def double(x): return 2 * x + np.exp([-1e9])"
    with np.errstate(all="raise"):
        assert judge(divide).status == "correct"
        assert dataclasses.replace(DOUBLE, right=right, wrong=None)(lambda x: x + x).status == (
            "correct"
        )


# names that the reader redefines


def test_functions_that_the_reader_replaces_in_their_modules_change_nothing(monkeypatch):
    for label in ("ex-total", "ex-share"):
        check(label, lambda *given: 0)  # which draws its cases
    for name in ("allclose", "asarray", "array", "exp", "isnan", "where", "maximum", "errstate"):
        monkeypatch.setattr(np, name, lambda *arguments, **named: True)
    monkeypatch.setattr(np.linalg, "norm", lambda *arguments, **named: 0)
    monkeypatch.setattr(math, "exp", lambda x: 1.0)
    monkeypatch.setattr(builtins, "print", lambda *arguments, **named: None)
    assert check("ex-total", lambda counts, prices: counts @ prices).status == "correct"
    said = check("ex-total", lambda counts, prices: counts.sum() * prices.sum()).message
    assert said == "each count has its own price."
    assert judge(lambda x: x).status == "not yet"
    assert check("ex-trays", 2**20, (10, 512)).status == "correct"


# words


def test_values_are_shown_on_one_short_line():
    class Loud:
        def __repr__(self):
            raise RuntimeError

    assert show(Loud()) == "a Loud"
    assert show({"a": [1.0, None]}) == "{'a': [1, None]}"
    assert show((1 / 3, "two")) == "(0.3333, 'two')"
    assert show("line\nline") == r"'line\nline'"
    assert len(show("x" * 1000)) == LONGEST
    assert show(list(range(100))).startswith("[0, 1, 2")
    assert show(np.arange(100.0)) == "an array of shape (100,)"
    assert show(np.float32(0.5)) == "0.5"


def test_two_values_are_shown_with_enough_digits_to_tell_them_apart():
    assert show_apart(1.0, 1.00001) == ("1", "1.00001")
    assert show_apart(1.0, 2.0) == ("1", "2")
    assert show_apart(0.1, 0.1 + 1e-15) == ("0.10000000000000001", "0.100000000000001")
