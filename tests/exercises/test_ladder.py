"""What a checker does with answers that misbehave: none raises, hangs, or spoils anything."""

import builtins
import contextlib
import dataclasses
import functools
import itertools
import math
import signal
import sys
import threading
import time
import warnings

import numpy as np
import pytest
from given import right_answers

import attention_lib
from attention_exercises import EXERCISES, check
from attention_lib import datasets
from bookwork.exercises import running
from bookwork.exercises.checkers import FunctionChecker, Mistake
from bookwork.exercises.words import LONGEST, show, show_apart


def solution(label, name):
    namespace = {"np": np, "softmax": attention_lib.softmax}
    exec(right_answers(label)[0], namespace)
    return namespace[name]


WITH_A_FUNCTION = [label for label in EXERCISES if "def " in right_answers(label)[0]]
stable_softmax = solution("ex-softmax", "stable_softmax")


def judge(function):
    return check("ex-softmax", function)


DOUBLE = FunctionChecker(
    name="double",
    parameters=("x",),
    gives="twice x",
    right=lambda x: 2 * x,
    cases=((np.array([1.0]),), (np.array([3.0, 4.0]),)),
    edges=((np.array([0.0, -1.0]),),),
    mistakes=(
        Mistake("you halve.", wrong=lambda x: x / 2),
        Mistake("you square.", wrong=lambda x: x**2),
        Mistake("you forget the sign.", wrong=lambda x: 2 * abs(x)),
    ),
    praise="twice.",
)

# errors


def test_an_error_is_told_with_its_line_and_the_input():
    def divide(scores):
        zero = 0
        return 1 / zero

    verdict = judge(divide)
    line = divide.__code__.co_firstlineno + 2
    assert verdict.status == "not yet"
    assert verdict.message == (
        f"stable_softmax raised ZeroDivisionError: division by zero in line {line}, "
        "for scores = [0, 1]."
    )


def test_the_line_told_is_the_readers_own_and_not_numpys():
    def clash(scores):
        return np.linalg.inv(scores)  # raises in a file of NumPy

    line = clash.__code__.co_firstlineno + 1
    assert f"in line {line}, for" in judge(clash).message


def clash(*arguments):
    return np.linalg.inv(len(arguments))


def decorated(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)

    return wrapper


@pytest.mark.parametrize("label", ["ex-online", "ex-merge", "ex-softmax"])
@pytest.mark.parametrize("function", [clash, decorated(clash)], ids=["plain", "decorated"])
def test_the_line_told_is_the_readers_own_and_not_the_checkers(label, function):
    line = clash.__code__.co_firstlineno + 1
    assert f"in line {line}, for" in check(label, function).message


@pytest.mark.parametrize("label", WITH_A_FUNCTION)
def test_no_function_that_raises_makes_check_raise(label):
    def raising(*arguments):
        raise RuntimeError("no")

    verdict = check(label, raising)
    assert verdict.status == "not yet"
    assert "raised RuntimeError: no" in verdict.message


def test_exit_is_an_error_like_any_other():
    verdict = judge(lambda scores: sys.exit())
    assert verdict.status == "not yet"
    assert "raised SystemExit" in verdict.message


def test_endless_recursion_is_an_error_like_any_other():
    def deeper(scores):
        return deeper(scores)

    assert "raised RecursionError" in judge(deeper).message


def test_an_error_without_words_or_with_broken_words_is_told_by_its_name():
    class BrokenError(Exception):
        def __str__(self):
            raise ValueError

    def broken(scores):
        raise BrokenError

    def silent(scores):
        raise KeyError

    assert "raised BrokenError in line" in judge(broken).message
    assert "raised KeyError in line" in judge(silent).message


def test_stop_stops():
    def stopped(scores):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge(stopped)


def test_an_error_on_a_later_case_only_is_told_with_that_case():
    def picky(scores):
        if scores.ndim > 1:
            raise ValueError("rows only")
        return stable_softmax(scores)

    assert "for scores = [[0, 1, 3], [2, -1, 0.5]]" in judge(picky).message


# time


@pytest.fixture
def hurry(monkeypatch):
    monkeypatch.setattr(running, "TIME_LIMIT", 0.2)


def loop(*arguments):
    for _ in itertools.count():
        pass


@pytest.mark.usefixtures("hurry")
@pytest.mark.parametrize("label", WITH_A_FUNCTION)
def test_an_answer_that_does_not_return_is_stopped_once_and_told(label):
    calls = []
    verdict = check(label, lambda *arguments: calls.append(1) or time.sleep(60))
    assert len(calls) == 1
    assert verdict.status == "not yet"
    assert "took too long: it had not returned after 0.2 seconds for" in verdict.message


@pytest.mark.usefixtures("hurry")
def test_an_endless_loop_that_catches_exceptions_is_stopped():
    def stubborn(scores):
        while True:
            with contextlib.suppress(Exception):
                loop()

    assert "never ends" in judge(stubborn).message


@pytest.mark.usefixtures("hurry")
def test_an_endless_result_is_stopped():
    class Endless:
        def __array__(self, dtype=None, copy=None):
            loop()

    assert "never ends" in judge(lambda scores: Endless()).message


@pytest.mark.parametrize(("clock", "status"), [(0, "correct"), (1000, "not yet")])
def test_who_computes_on_a_busy_machine_gets_more_time_but_not_for_ever(
    hurry, monkeypatch, clock, status
):
    """Each time that it is asked for, the processor has spent 0.02 seconds more on the answer."""
    asked, clocks = [], itertools.count(step=clock)

    def spent():
        asked.append(1)
        return 0.02 * len(asked)

    def slow(scores):
        while len(asked) < 3:  # at the start, and when the time is up once and twice
            pass
        return stable_softmax(scores)

    monkeypatch.setattr(running, "process_time", spent)
    monkeypatch.setattr(running, "monotonic", lambda: next(clocks))
    assert judge(slow).status == status


def test_a_sleeping_function_is_woken(hurry):
    assert "had not returned" in judge(lambda scores: time.sleep(60)).message


def test_the_timer_of_others_is_given_back():
    rang = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rang.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 60)
        assert judge(stable_softmax).status == "correct"
        left, _ = signal.getitimer(signal.ITIMER_REAL)
        assert 0 < left <= 60
        signal.raise_signal(signal.SIGALRM)
        assert rang
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_no_timer_is_left_running():
    judge(stable_softmax)
    judge(lambda scores: 1 / 0)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_checks_work_in_another_thread_and_where_there_is_no_timer(monkeypatch):
    verdicts = []
    thread = threading.Thread(target=lambda: verdicts.append(judge(stable_softmax)))
    thread.start()
    thread.join()
    monkeypatch.delattr(signal, "setitimer")
    verdicts.append(judge(stable_softmax))
    assert [verdict.status for verdict in verdicts] == ["correct"] * 2


# arguments and results


def test_a_function_that_changes_its_input_is_told_so_and_spoils_nothing():
    def in_place(scores):
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        return scores

    for _ in range(2):
        verdict = judge(in_place)
        assert verdict.status == "known mistake"
        assert "changed its input scores" in verdict.message
    assert judge(stable_softmax).status == "correct"


def test_a_list_that_is_changed_is_noticed():
    def emptying(keys, values):
        swapped = {}
        while keys:
            swapped.setdefault(values.pop(0), []).append(keys.pop(0))
        return swapped

    verdict = check("ex-swap", emptying)
    assert verdict.status == "known mistake"
    assert "changed its inputs keys and values, which belong to" in verdict.message


def doubling(stream):
    pairs = list(stream)
    right = attention_lib.softmax([score for score, _ in pairs]) @ [value for _, value in pairs]
    pairs[0][1][:] *= 2
    return right


def emptied(first, second):
    right = solution("ex-merge", "merge")(first, second)
    second[2][:] = 0
    return right


@pytest.mark.parametrize(
    ("label", "function", "name"),
    [("ex-online", doubling, "stream"), ("ex-merge", emptied, "second")],
)
def test_an_array_inside_an_argument_that_is_changed_is_noticed(label, function, name):
    verdict = check(label, function)
    assert verdict.status == "known mistake"
    assert f"the result is right, but {EXERCISES[label].checker.name} changed" in verdict.message
    assert f"changed its input {name}, which belongs to the caller" in verdict.message


def replaced(rows):
    rows[0] = 1.0


def lengthened(rows):
    rows.append(2)


def typed(rows):
    rows[0] = rows[0].astype(int)


@pytest.mark.parametrize("change", [replaced, lengthened, typed])
def test_a_list_of_arrays_is_compared_array_by_array(change):
    rows = [np.array([1.0, np.nan]), np.array([2.0]), np.nan]
    assert running.run(len, (rows,), read=int).changed == ()
    assert running.run(change, (rows,), read=str).changed == (0,)


@pytest.mark.parametrize(
    "change",
    [
        lambda p: p["W"].__setitem__(0, 7.0),
        lambda p: p.pop("b"),
        lambda p: p.update(new=1),
        lambda p: p.update(W=p["W"][:1]),
    ],
)
def test_an_array_in_a_dictionary_that_is_changed_is_noticed(change):
    p = {"W": np.array([1.0, np.nan]), "b": np.zeros((2, 3))}
    assert running.run(len, (p,), read=int).changed == ()
    assert running.run(change, (p,), read=str).changed == (0,)


def test_an_argument_that_was_only_reshaped_is_noticed():
    def reshaping(u):
        right = 0.75 * np.maximum(0, 1 - u**2)
        u.resize(u.size, refcheck=False)
        return right

    assert "changed its input u" in check("ex-kernel", reshaping).message


def test_something_odd_left_in_a_list_is_noticed():
    class Odd:
        def __eq__(self, other):
            raise ValueError

        __hash__ = None

    def leaving(queries, keys):
        rows = [[query == key for key in keys] for query in queries]
        queries[0] = Odd()
        return rows

    assert "changed its input queries" in check("ex-one-hot", leaving).message
    assert running.run(len, ([Odd()],), read=int).changed == (0,)  # a copy that cannot be compared


def test_the_data_sets_stay_as_they_are():
    gpa = datasets.load_law_schools().gpa
    before = gpa.copy()

    def spoiling(queries, keys, values, width):
        right = solution("ex-nadaraya-watson", "predict")(queries, keys, values, width)
        keys[:] = 0
        return right

    assert "changed its input keys" in check("ex-nadaraya-watson", spoiling).message
    assert (gpa == before).all()


@pytest.mark.parametrize("label", WITH_A_FUNCTION)
def test_a_function_that_returns_nothing_is_told_so(label):
    def forgetful(*arguments):
        result = len(arguments)
        print(end="" if result else "?")

    verdict = check(label, forgetful)
    assert verdict.status == "known mistake"
    assert "returned None, that is nothing, for" in verdict.message
    assert "End it with return" in verdict.message


def test_a_branch_that_returns_nothing_is_told_with_its_case():
    def half(scores):
        if scores.ndim == 1:
            return stable_softmax(scores)

    assert "returned None" in judge(half).message
    assert "for scores = [[0, 1, 3]" in judge(half).message


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("text", "but returned text"),
        ([[1.0], [1.0, 2.0]], "but returned rows of different lengths, [[1], [1, 2]]"),
        ({"a": 1}, "but returned a dict"),
        (np.exp, "but returned a function"),
        (np.array([1j]), "but returned complex numbers"),
        ([{}, 2], "but returned non-numeric objects"),
        (np.zeros((3, 1)), "should have shape (2,), but has shape (3, 1)"),
        (0.5, "should have shape (2,), but has shape ()"),
        ((x for x in [1.0]), "but returned a generator"),
        (np.array(["2020-01-01"], dtype="datetime64[D]"), "an array of dtype datetime64[D]"),
    ],
)
def test_wrong_types_and_shapes_are_named(result, said):
    verdict = judge(lambda scores: result)
    assert verdict.status == "wrong shape"
    assert said in verdict.message


def gathered(gather):
    swap = solution("ex-swap", "invert")
    return lambda *pairs: {key: gather(found) for key, found in swap(*pairs).items()}


@pytest.mark.parametrize("gather", [tuple, np.array, list])
def test_tuples_and_arrays_mean_the_same_as_lists_in_a_dictionary(gather):
    assert check("ex-swap", gathered(gather)).status == "correct"


@pytest.mark.parametrize(
    ("gather", "said"),
    [
        (set, "its result has {'Ada'}, which is not a list, under 'physics', for keys = ['Ada']"),
        (", ".join, "its result has 'Ada', which is not a list, under 'physics', for keys"),
    ],
)
def test_a_dictionary_of_something_else_than_lists_is_told_so(gather, said):
    verdict = check("ex-swap", gathered(gather))
    assert verdict.status == "wrong shape"
    assert said in verdict.message


def test_lists_whose_entries_cannot_be_compared_are_not_the_right_ones():
    verdict = check("ex-swap", lambda keys, values: {v: [np.zeros(2)] for v in values})
    assert verdict.status == "not yet"
    assert verdict.message.endswith(
        "it should return {'physics': ['Ada']}, but returned {'physics': [[0, 0]]}."
    )


@pytest.mark.parametrize("answer", [0.5, "softmax", np.zeros(3), [1, 2]], ids=str)
def test_a_value_instead_of_the_function_is_told(answer):
    verdict = judge(answer)
    assert verdict.status == "wrong shape"
    assert "the function stable_softmax itself, without parentheses" in verdict.message


@pytest.mark.parametrize("function", [lambda: 1, lambda x, y: x, lambda *, scores: scores])
def test_other_parameters_than_asked_for_are_told(function):
    verdict = judge(function)
    assert verdict.status == "wrong shape"
    assert "it is called as stable_softmax(scores), but yours takes (" in verdict.message


def test_parameters_may_have_other_names_and_defaults():
    assert judge(lambda x, power=np.exp: stable_softmax(x)).status == "correct"
    assert check("ex-kernel", np.vectorize(lambda u: max(0, 0.75 - 0.75 * u * u))).status == (
        "correct"
    )


POWER = FunctionChecker(
    name="power",
    parameters=("base", "exponent"),
    gives="one number",
    right=lambda base, exponent: base**exponent,
    cases=((2.0, 3.0), (3.0, 2.0), (5.0, 1.0)),
    praise="right.",
)


def test_parameters_in_another_order_are_told():
    status, message = POWER(lambda exponent, base: base**exponent)
    assert status == "wrong shape"
    assert "called as power(base, exponent), in this order, but yours takes (" in message


def test_the_order_of_parameters_is_not_blamed_for_another_mistake():
    assert "in this order" not in POWER(lambda base, exponent: exponent**base).message
    assert "in this order" not in POWER(lambda x, base: x + base).message
    assert POWER(lambda exponent, base: exponent**base).status == "correct"


def test_functions_written_in_c_are_judged_like_others():
    assert judge(np.exp).status == "known mistake"
    assert "do not sum to one" in judge(np.exp).message
    assert "has shape ()" in judge(max).message  # it does not tell its parameters


@pytest.mark.parametrize(
    "number", [0.436, np.float64(0.436), np.float32(0.436), np.array(0.436)], ids=repr
)
def test_numbers_may_be_of_any_kind(number):
    assert check("ex-temperature", number).status == "correct"


NUMBERS = [  # label, the numbers before the one that is tried, what is said of [1, [2]]
    ("ex-temperature", (), "the answer is one number, the temperature, not [1, [2]]."),
    ("ex-bits", (), "the answer is one number of words, not [1, [2]]."),
    ("ex-jacobian", (), "the answer is one number, not [1, [2]]."),
    ("ex-rows-sum", ((5, 8),), "the sum is one number, but yours is [1, [2]]."),
    ("ex-weights-memory", (32, 16), "times is one number, but yours is [1, [2]]."),
    ("ex-variance", (100,), "divisor is one number, but yours is [1, [2]]."),
    ("ex-thin", (80_000,), "thin is one number, but yours is [1, [2]]."),
]


@pytest.mark.parametrize(("label", "before", "said"), NUMBERS)
def test_rows_of_different_lengths_are_no_number(label, before, said):
    verdict = check(label, *before, [1, [2]])
    assert (verdict.status, verdict.message) == ("wrong shape", said)


@pytest.mark.parametrize("number", [10**400, -(10**400), 10**5000], ids=["large", "low", "vast"])
@pytest.mark.parametrize(("label", "before", "said"), NUMBERS)
def test_a_number_beyond_all_floats_is_told_so(label, before, said, number):
    verdict = check(label, *before, number)
    assert verdict.status == "not yet"
    assert verdict.message == "this number cannot be right: it has more than 308 digits."


def test_a_count_beyond_all_floats_is_told_so():
    assert "more than 308 digits" in check("ex-count-heads", 10**400, (10, 512)).message
    assert "yours is [1, [2]]" in check("ex-count-heads", [1, [2]], (10, 512)).message


def test_a_sum_that_is_no_number_is_not_the_sum():
    verdict = check("ex-rows-sum", (5, 8), float("nan"))
    assert verdict.status == "not yet"
    assert verdict.message == "the shape is right, but the sum is not nan: what is one row's?"


@pytest.mark.parametrize("shape", [(10.9, 512.7), (10, 512.5), (10, math.nan), (math.inf, 512)])
def test_a_shape_is_compared_as_it_is_and_not_rounded(shape):
    verdict = check("ex-count-heads", 4 * 512 * 512, shape)
    assert verdict.status == "not yet"
    assert f"the count is right, but the shape is not {show(shape)}" in verdict.message


def test_an_answer_that_no_rung_expects_is_still_a_verdict():
    class Odd:
        def __array__(self, dtype=None, copy=None):
            raise RuntimeError

    verdict = check("ex-temperature", Odd())
    assert verdict.status == "not yet"
    assert (
        verdict.message == "this answer could not be judged: the checker failed with RuntimeError."
    )


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
        (lambda x: 2 * x * 1.00002, "not yet", "should return [2], but returned [2.00004]"),
    ],
)
def test_a_mistake_is_named_only_when_it_explains_all_results(function, status, said):
    finding = DOUBLE(function)
    assert (finding.status, said in finding.message) == (status, True)


def test_a_mistake_of_the_edge_is_not_named_when_an_ordinary_case_fails():
    careless = Mistake("you forget 0.", shows=lambda got, right: got.sum() > right.sum(), edge=True)
    checker = dataclasses.replace(DOUBLE, mistakes=(careless,))
    assert checker(lambda x: 2 * x + (x.min() <= 0)).message == "you forget 0."
    assert checker(lambda x: 3 * x).status == "not yet"
    assert "for x = [1] it should return [2]" in checker(lambda x: 3 * x).message


def test_small_scores_that_give_nan_did_not_overflow():
    verdict = judge(lambda scores: scores * np.nan)
    assert verdict.status == "not yet"
    assert "for scores = [0, 1] it should return" in verdict.message


def test_errors_alone_do_not_make_a_known_mistake():
    def raising(X):
        raise ValueError("something else")

    assert check("ex-cosine", raising).status == "not yet"


def refuse(x, why):
    raise ValueError(why)


def test_an_error_is_a_known_mistake_only_if_it_reads_the_same():
    """Beside a wrong result that is the same, the kind of error is enough."""
    given = (Mistake("it refuses.", wrong=lambda x: refuse(x, "no")),)
    refusing = dataclasses.replace(DOUBLE, mistakes=given)
    assert refusing(lambda x: refuse(x, "no")).message == "it refuses."
    assert "raised ValueError: never" in refusing(lambda x: refuse(x, "never")).message
    halved = (Mistake("it halves one.", wrong=lambda x: x / 2 if x.size < 2 else refuse(x, "no")),)
    halving = dataclasses.replace(DOUBLE, mistakes=halved)
    assert (
        halving(lambda x: x / 2 if x.size < 2 else refuse(x, "never")).message == "it halves one."
    )


@pytest.mark.parametrize("tick", ["yes", 1, 0])
def test_a_tick_is_true_or_false_and_nothing_like_it(tick):
    done = [True, tick, True, True]
    verdict = check("ex-search-engine", solution("ex-search-engine", "search"), done=done)
    assert verdict.status == "known mistake"
    assert verdict.message == f"point 2 of done is {tick!r}: write True or False."


@pytest.mark.parametrize("done", [[False, True, True, True], [..., True, True, True], ..., None])
def test_only_true_ticks_off_a_point_of_a_rubric(done):
    verdict = check("ex-search-engine", solution("ex-search-engine", "search"), done=done)
    assert verdict.status == "not yet"
    assert "point 1 is still open" in verdict.message


def test_the_point_that_still_has_dots_is_the_open_one():
    search = solution("ex-search-engine", "search")
    verdict = check("ex-search-engine", search, done=[True, True, True, ...])
    assert verdict.status == "not yet"
    assert "the code is right" in verdict.message
    assert "point 4 is still open" in verdict.message


def test_a_list_of_dots_that_is_too_short_is_shown_as_it_was_written():
    verdict = check("ex-search-engine", solution("ex-search-engine", "search"), done=[True, ...])
    assert verdict.status == "wrong shape"
    assert verdict.message.endswith("one for each point of the rubric, but is [True, ...].")


def test_ticks_that_numpy_computed_are_ticks():
    search = solution("ex-search-engine", "search")
    ticks = [True, True, True, np.True_]
    assert check("ex-search-engine", search, done=ticks).status == "correct"
    verdict = check("ex-search-engine", search, done=[*ticks[:3], np.False_])
    assert "point 4 is still open" in verdict.message


def test_a_warning_of_the_readers_code_neither_shows_nor_stops_it():
    def warning(scores):
        warnings.warn("careful", stacklevel=1)
        np.log(np.zeros(2))
        return stable_softmax(scores)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert judge(warning).status == "correct"


def test_a_strict_numpy_changes_no_verdict():
    def divide_first(similarities):
        return np.nan_to_num(similarities / similarities.sum(axis=1, keepdims=True))  # 0/0

    with np.errstate(all="raise"):
        assert check("ex-normalise", divide_first).status == "correct"


# names that the reader redefines

PLAIN = [
    (label, source)
    for label in EXERCISES
    for source in right_answers(label)
    if "np." not in source and "softmax(" not in source
]


@pytest.mark.parametrize(("label", "source"), PLAIN)
def test_names_that_the_reader_redefines_change_nothing(label, source):
    namespace = {}
    exec("np = softmax = print = check = Verdict = EXERCISES = None\n" + source, namespace)
    namespace["check"] = check  # the call at the end of the cell, by the real one
    verdict = eval(EXERCISES[label].call, namespace)
    assert verdict.status == "correct", verdict.message


def test_functions_that_the_reader_replaces_in_their_modules_change_nothing(monkeypatch):
    for name in ("allclose", "asarray", "array", "exp", "isnan", "where", "maximum", "errstate"):
        monkeypatch.setattr(np, name, lambda *arguments, **named: True)
    monkeypatch.setattr(np.linalg, "norm", lambda *arguments, **named: 0)
    monkeypatch.setattr(math, "exp", lambda x: 1.0)
    monkeypatch.setattr(attention_lib, "softmax", lambda *arguments, **named: 1.0)
    monkeypatch.setattr(builtins, "print", lambda *arguments, **named: None)
    assert check("ex-pool", lambda weights, V: weights @ V).status == "correct"
    assert "V comes first" in check("ex-pool", lambda weights, V: V @ weights).message
    assert judge(lambda scores: scores).status == "not yet"
    assert check("ex-temperature", 0.436).status == "correct"


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
