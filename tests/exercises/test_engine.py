"""What every checker does: values that mean the same, rules in words, variables of the notebook,
short verdicts, and rounds of random cases."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest
from given import right_answers

import attention_lib
from attention_exercises import EXERCISES, check
from attention_lib import softmax
from bookwork.exercises import running
from bookwork.exercises.cases import ROUNDS, distinct_sizes, draw_arrays
from bookwork.exercises.checkers import FunctionChecker, Mistake
from bookwork.exercises.outputs import PAIR, close, parts
from bookwork.exercises.words import show


def mean_rows(W, X):
    rows = []
    for weights in W.tolist():
        pairs = list(zip(weights, X.tolist(), strict=True))
        rows.append([sum(w * x[j] for w, x in pairs) for j in range(X.shape[1])])
    return rows


def draw(rng):
    n, m, d = distinct_sizes(rng, 3)
    return draw_arrays(rng, (n, m), (m, d))


MIX = FunctionChecker(
    name="mix",
    parameters=("W", "X"),
    gives="one row for each row of W",
    right=mean_rows,
    cases=((np.array([[0.25, 0.75]]), np.array([[1.5], [3.25]])),),
    mistakes=(Mistake("W is left out.", wrong=lambda W, X: X),),
    praise="mixed.",
    draw=draw,
)

# values that mean the same

RUBRICS = [label for label, e in EXERCISES.items() if e.rubric]


@pytest.mark.parametrize("label", RUBRICS)
@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_ticks_may_come_as_an_array(label, kind):
    exercise = EXERCISES[label]
    namespace = {"np": np, "softmax": softmax, "check": check}
    exec(right_answers(label)[0], namespace)
    for count, status in ((len(exercise.rubric), "correct"), (1, "wrong shape")):
        namespace["done"] = kind([True] * count)
        assert eval(exercise.call, namespace).status == status


@pytest.mark.parametrize(
    ("shape", "total"),
    [
        (np.array([5, 8]), 5),
        ([np.int64(5), 8.0], np.array(5)),
        (np.zeros((5, 8)).shape, np.float32(5)),
    ],
)
def test_a_shape_may_come_as_an_array(shape, total):
    assert check("ex-rows-sum", shape, total).status == "correct"


def test_numbers_may_come_as_objects_and_nothing_else_may():
    for objects in (lambda Y: Y.astype(object), lambda Y: [list(map(Fraction, y)) for y in Y]):
        assert MIX(lambda W, X, objects=objects: objects(W @ X)).status == "correct"
    told = MIX(lambda W, X: np.full((len(W), X.shape[1]), "1", dtype=object)).message
    assert "returned non-numeric objects" in told


def test_a_letter_may_come_from_an_array():
    assert check("ex-row-sums", np.array("a")) == check("ex-row-sums", "a")


# how near is near enough


@pytest.mark.parametrize("digits", [2, 3, 4, 5])
def test_rounded_results_are_not_the_same(digits):
    right = np.random.default_rng(0).normal(size=(3, 4))
    assert not close(right.round(digits), right)


def test_single_precision_is_compared_as_such_and_double_more_closely():
    right = np.random.default_rng(1).normal(size=(50, 4))
    single = right.astype(np.float32).sum(axis=0).astype(float)
    assert close(single, right.sum(axis=0))
    assert close(right * (1 + 1e-9), right)
    assert close(right * (1 + 3e-6), right)  # a step in single precision on the way
    assert not close(right * (1 + 3e-5), right)


def test_a_small_row_is_not_hidden_by_a_large_one():
    right = np.array([[1e9, 2e9], [3e-9, 4e-9]])
    assert not close(right * [[1.0], [0.0]], right)


def test_what_is_not_finite_must_be_so_in_both():
    some = np.array([np.nan, np.inf, -np.inf, 1 / 3])
    assert close(some, some)
    assert not close(np.nan_to_num(some), some)
    assert not close(some, np.nan_to_num(some))


# rules in words

BORROWING = FunctionChecker(
    name="weigh",
    parameters=("x",),
    gives="one weight for each number",
    right=lambda x: np.exp(x) / np.exp(x).sum(),
    cases=((np.array([0.5, 1.25]),),),
    praise="weighed.",
    without=("softmax",),
)


@pytest.mark.parametrize(
    ("answer", "called"),
    [
        (softmax, "softmax"),
        (lambda x: np.array(attention_lib.softmax(x)), "softmax"),
        (lambda x: attention_lib.weights.softmax(x[None])[0], "softmax"),
        (lambda x: attention_lib.attention([[1.0]], x[:, None], np.eye(len(x)))[0][0], "attention"),
        (attention_lib.weights._softmax, "softmax"),
    ],
)
def test_a_function_of_the_library_is_noticed_by_any_name(answer, called):
    finding = BORROWING(answer)
    assert finding.status == "known mistake"
    assert finding.message == (
        f"this exercise asks you to write weigh yourself, but your answer calls the library's own "
        f"{called}."
    )


def test_a_function_of_the_readers_own_may_have_the_same_name():
    space = {"np": np}
    exec("def softmax(x):\n    return np.exp(x) / np.exp(x).sum()", space)
    assert BORROWING(space["softmax"]).status == "correct"
    assert dataclasses.replace(BORROWING, without=())(softmax).status == "correct"


# variables of the notebook

NOTEBOOK = {"np": np, "X": np.ones((3, 3)), "W": np.eye(3), "sentence": np.ones((3, 3)), "d": 3}


def from_notebook(source, checker=MIX, **more):
    space = NOTEBOOK | more
    exec(source, space)
    kept = dict(space)
    finding = checker(space[checker.name])
    assert space.keys() == kept.keys()
    assert all(space[name] is kept[name] for name in kept)
    return finding


@pytest.mark.parametrize(
    ("source", "names", "instead"),
    [
        ("def mix(W, words): return W @ X", "X", "its argument words"),
        ("def mix(W, X): return W @ sentence", "sentence", "its argument X"),
        ("def mix(a, b): return W @ X", "W and X", "its arguments a and b"),
        (
            "def mix(W, X): return np.reshape(W @ X, (-1, d))",
            "d",
            "the size of its argument: X.shape[1]",
        ),
        ("def help(A): return A @ X\ndef mix(W, V): return help(W)", "X", "its argument V"),
        (
            "rows, columns = 3, 3\ndef mix(W, X): return np.reshape(W @ X, (rows, columns))",
            "rows and columns",
            "W.shape[0] and X.shape[1]",
        ),
    ],
)
def test_a_variable_of_the_notebook_instead_of_an_argument_is_told(source, names, instead):
    finding = from_notebook(source)
    assert finding.status == "known mistake"
    assert finding.message == (
        f"your function uses the notebook's {names}, whatever mix is called with. Use {instead}."
    )


def test_a_variable_of_the_notebook_that_is_no_argument_is_no_mistake():
    assert from_notebook("def mix(W, X): return W @ X * one", one=1.0).status == "correct"
    assert from_notebook("def mix(W, X): return X + 0 * one", one=1.0).message == "W is left out."


def test_a_variable_instead_of_an_argument_that_is_never_used_is_told():
    finding = from_notebook("def mix(W, V): return W @ sentence + 1")
    assert finding.message == (
        "your function never uses its argument V, but it does use the notebook's sentence."
    )


def test_a_variable_that_may_or_may_not_stand_for_an_unused_argument_is_told_beside_it():
    source = "def count_in(words, places): return len([w for w in places if rng.random()])"
    told = from_notebook(source, COUNT, rng=np.random.default_rng(0)).message
    assert (
        told == "your function never uses its argument words, but it does use the notebook's rng."
    )


def test_an_argument_that_is_also_a_variable_of_the_notebook_is_told_though_more_is_wrong():
    finding = from_notebook("def mix(W, V): return 2 * W @ X")
    assert finding.message.startswith("your function uses the notebook's X")


COUNT = FunctionChecker(
    name="count_in",
    parameters=("words", "places"),
    gives="how many words have a place",
    right=lambda words, places: sum(word in places for word in words),
    cases=((["a"], {"b": 1}), (["b", "b", "c"], {"b": 1, "d": 0}), (["a"] * 4, {"a": 2})),
    praise="counted.",
)


@pytest.mark.parametrize(
    ("source", "names", "instead"),
    [
        ("return sum(w in table for w in words)", "table", "its argument places"),
        ("return sum(w in places for w in text)", "text", "its argument words"),
        ("return sum(words[i] in places for i in range(n))", "n", "the size of its argument: "),
    ],
)
def test_a_variable_of_any_type_instead_of_an_argument_is_told(source, names, instead):
    space = {"table": {"b": 5}, "text": ("b",), "n": 2, "rng": np.random.default_rng(0)}
    source = f"def count_in(words, places): {source}"
    message = from_notebook(source, COUNT, **space).message
    assert (
        f"uses the notebook's {names}, whatever count_in is called with. Use {instead}" in message
    )


def test_a_text_of_the_notebook_instead_of_an_argument_is_told():
    source = "def longest_copy(text, source): return max((j - i for i in range(len(text)) for j in"
    source += " range(i, len(text) + 1) if text[i:j] in book), default=0)"
    finding = from_notebook(source, EXERCISES["ex-copied"].checker, book="to be or not to be")
    assert "uses the notebook's book, whatever longest_copy is called with" in finding.message


# what is kept between calls

KEEPERS = {
    "out": """
out = []
def mix(W, X):
    for row in W @ X:
        out.append(row)
    return out
""",
    "cache": """
cache = {}
def mix(W, X):
    if "kept" not in cache:
        cache["kept"] = W @ X
    return cache["kept"]
""",
    "total": """
total = 0
def mix(W, X):
    global total
    for row in range(W.shape[1]):
        total = total + W[:, row, None] * X[row]
    return total
""",
    "rows": """
def mix(W, X, rows=[]):
    for row in W @ X:
        rows.append(row)
    return rows
""",
    "sums": """
def build():
    sums = []
    def mix(W, X):
        sums.extend(W @ X)
        return sums
    return mix
mix = build()
""",
    "left": """
left = []
def keep(row): left.append(row)
def mix(W, X):
    for row in W @ X: keep(row)
    return left
""",
}


@pytest.mark.parametrize("name", KEEPERS)
def test_what_is_kept_from_one_call_to_the_next_is_told(name):
    space = dict(NOTEBOOK)
    exec(KEEPERS[name], space)
    for _ in range(1 if name == "cache" else 2):  # again, with what the first check left behind
        finding = MIX(space["mix"])
        assert finding.status == "known mistake"
        assert finding.message == (
            f"your function keeps something from one call to the next, in {name}, so that a call "
            "changes the result of later ones. Begin anew in each call of mix."
        )


def test_what_is_kept_without_harm_is_no_mistake():
    counted = "calls = []\ndef mix(W, X):\n    calls.append(1)\n    return {}"
    for result, message in (("W @ X", "mixed."), ("X", "W is left out.")):
        space = dict(NOTEBOOK)
        exec(counted.format(result), space)
        assert MIX(space["mix"]).message == message


def test_a_dictionary_is_judged_as_it_was_returned():
    source = "d = {}\ndef invert(keys, values):\n    for k, v in zip(keys, values): "
    source += "d.setdefault(v, []).append(k)\n    return d"
    space = {}
    exec(source, space)
    verdict = check("ex-swap", space["invert"])
    assert "keeps something from one call to the next, in d, " in verdict.message


def test_a_list_of_the_notebook_that_grows_while_it_is_read_ends(monkeypatch):
    """Trying the argument in its place must not make it grow for ever."""
    source = "def count_in(words, places):\n    for w in words: found.append(w)\n"
    source += "    return len(places) + 7"
    monkeypatch.setattr(running, "_has_timer", lambda: False)
    assert from_notebook(source, COUNT, found=[]).status == "not yet"


def test_a_try_that_does_not_end_is_given_up_where_there_is_no_timer(monkeypatch):
    source = "def mix(W, X):\n    i = 9\n    while i % size: i += size\n    return X"
    monkeypatch.setattr(running, "_has_timer", lambda: False)
    monkeypatch.setattr(running, "TIME_LIMIT", 0.5)
    assert from_notebook(source, size=9).message == "W is left out."


# how many things


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda W, X: (W @ X, W), "returned two things. Number 1 of them is right: return it"),
        (lambda W, X: (W, X, W @ X), "returned three things. Number 3 of them is right: return"),
        (lambda W, X: (W, X), "one row for each row of W and nothing else, but returned two"),
    ],
)
def test_more_things_than_asked_for_are_told(answer, said):
    finding = MIX(answer)
    assert finding.status == "wrong shape"
    assert said in finding.message


def test_a_tuple_of_rows_is_a_matrix():
    assert MIX(lambda W, X: tuple(map(tuple, W @ X))).status == "correct"


BOTH = dataclasses.replace(
    MIX,
    right=lambda W, X: (mean_rows(W, X), W),
    output=parts("the output", "the weights"),
    gives="two things, an output and weights",
    mistakes=(),
)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda W, X: 1.0, "returned one thing, 1, instead of two"),
        (lambda W, X: (W @ X, W, X), "returned three things instead of two"),
        (lambda W, X: (W @ X, W.T), "should have shape (1, 2), but has shape (2, 1), in the weig"),
    ],
)
def test_fewer_or_other_things_than_asked_for_are_told(answer, said):
    finding = BOTH(answer)
    assert finding.status == "wrong shape"
    assert said in finding.message


def test_the_part_that_is_right_is_told():
    one, other = BOTH(lambda W, X: (W @ X + 1, W)), BOTH(lambda W, X: (W @ X, W + 1))
    assert "the weights are right, but the output is not: it should return [[2.812]]" in one.message
    assert "the output is right, but the weights are not: it should" in other.message
    assert PAIR.differs(PAIR.read((1, 2)), PAIR.read((3, 4))).startswith(
        "the first part is not right: "
    )


def test_parts_in_another_order_are_told():
    finding = BOTH(lambda W, X: (W, W @ X))
    assert finding.status == "known mistake"
    assert finding.message == (
        "the parts are right, but in the wrong order: first the output and then the weights."
    )


def test_one_array_where_two_things_are_asked_for_is_told():
    finding = BOTH(lambda W, X: np.array([W @ X, W @ X]).ravel())
    assert finding.status == "wrong shape"
    assert "and weights, but returned one thing, [2.812, 2.812], for W = " in finding.message


# and, or, not


@pytest.mark.parametrize(
    "source",
    [
        "(W > 0) and (W < 1)",
        "(W > 0) or (W < 1)",
        "not W",
        "0 < W < 1",
        "np.where((W > 0) and (W < 1), W, 0)",
    ],
)
def test_and_or_and_not_between_arrays_are_told(source):
    many = dataclasses.replace(MIX, cases=(draw(np.random.default_rng(3)),))
    finding = from_notebook(f"def mix(W, X): return {source}", many)
    assert finding.status == "known mistake"
    assert "Use &, | and ~, with parentheses" in finding.message


@pytest.mark.parametrize(
    "source", ["W if W > 0 else X", "max(W, W.copy())", "max(0, W)", "[0 for _ in W if W > 0]"]
)
def test_other_questions_to_a_whole_array_are_told_apart_from_and(source):
    many = dataclasses.replace(MIX, cases=(draw(np.random.default_rng(3)),))
    finding = from_notebook(f"def mix(W, X): return {source}", many)
    assert "np.where, np.maximum and np.minimum" in finding.message


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
    assert len(message) <= 300
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


def test_a_tuple_of_one_is_shown_with_its_comma():
    assert show(("Ada",)) == "('Ada',)"
    assert show(()) == "()"


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


def test_a_mistake_is_named_by_random_cases_as_well():
    one = np.array([[1.0]])
    checker = dataclasses.replace(MIX, cases=((one, np.array([[2.5]])),))
    assert checker(lambda W, X: X).message == "W is left out."


def test_what_is_right_is_computed_once_for_each_case():
    asked = []

    def right(W, X):
        asked.append(id(W))
        return mean_rows(W, X)

    checker = dataclasses.replace(MIX, right=right)
    for answer, status in ((np.matmul, "correct"), (lambda W, X: X, "known mistake")):
        assert checker(answer).status == status
    assert len(asked) == len(set(asked)) == 1 + ROUNDS


def test_what_is_right_does_not_depend_on_what_the_reader_has_set_for_numpy():
    tiny = (np.array([[1e-100]]), np.array([[0.75, 0.5]]))
    checker = dataclasses.replace(MIX, cases=(tiny,), right=lambda W, X: W @ X + np.exp([-1e9]))
    with np.errstate(all="raise"):
        assert checker(np.matmul).status == "correct"


def test_a_part_that_is_not_there_yet_is_told_with_its_case():
    def mix(W, X):
        if len(W) > 1:
            raise NotImplementedError
        return W @ X

    finding = MIX(mix)
    assert finding.status == "not yet"
    assert finding.message.startswith("mix raised NotImplementedError")


def test_a_constant_of_the_notebook_is_not_said_to_stand_for_an_argument():
    space = {"EPS": 1e-12}
    exec("def mix(W, X): return X + EPS", space)
    told = dataclasses.replace(MIX, mistakes=())(space["mix"]).message
    assert told == "your function never uses its argument W, but it does use the notebook's EPS."
