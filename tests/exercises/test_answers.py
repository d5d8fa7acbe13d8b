"""Every exercise: unfinished, wrong and right answers get the verdicts they should.

An answer is run as the reader would run it: as a cell of its own, whose last line is the verdict.
"""

import numpy as np
import pytest
from bookwork.exercises import run
from bookwork.exercises.cases import ROUNDS
from chapters.printed import BY_LABEL
from given import WRITTEN, cell_of, function_checker, right_answers, wrong_answers

from attention_exercises import EXERCISES, check


def run_cell(code):
    """Run a cell and return the value of its last line, as a notebook does."""
    *lines, last = code.split("\n")
    return eval(last, run_lines(lines))


def run_lines(lines):
    """Run lines of code; return the variables that they make."""
    namespace = {}
    exec(compile("\n".join(lines), "<cell>", "exec"), namespace)
    return namespace


def function_of(label, source):
    """Return the function that an answer defines, which is not judged yet."""
    lines = cell_of(label, source).split("\n")[:-1]
    return run_lines(lines)[FUNCTIONS[label].name]


FUNCTIONS = {e.label: c for e in EXERCISES.values() if (c := function_checker(e))}


def all_right_answers():
    for label in EXERCISES:
        for number, source in enumerate(right_answers(label)):
            yield pytest.param(label, source, id=f"{label}-{number}")


# the table


def test_the_table_has_every_exercise_of_the_book_and_no_other():
    assert set(EXERCISES) == set(BY_LABEL)
    assert all(exercise.label == label for label, exercise in EXERCISES.items())


# unfinished answers


@pytest.mark.parametrize("label", EXERCISES)
def test_dots_instead_of_an_answer_are_not_started(label):
    for value in (..., None, NotImplemented):
        assert check(label, value).status == "not started"


@pytest.mark.parametrize("label", FUNCTIONS)
@pytest.mark.parametrize("body", ["return ...", "return [..., 1.0]"])
def test_a_function_without_an_answer_in_it_is_not_started(label, body):
    checker = FUNCTIONS[label]
    start = f"def {checker.name}({', '.join(checker.parameters)}):\n    {body}"
    verdict = run_cell(cell_of(label, start))
    assert verdict.status == "not started"
    assert "in place of the dots" in verdict.message


# right answers


def test_every_answer_belongs_to_an_exercise():
    assert set(WRITTEN) - set(EXERCISES) == set()


@pytest.mark.parametrize(("label", "source"), list(all_right_answers()))
def test_right_answers_are_correct(label, source):
    verdict = run_cell(cell_of(label, source))
    assert verdict.status == "correct", str(verdict)
    assert verdict.label == label
    assert_whole_sentences(verdict.message)


# wrong answers


@pytest.mark.parametrize("label", EXERCISES)
def test_wrong_answers_get_a_message_of_their_own(label):
    """Each is judged once; together they make every mistake that the checker knows."""
    said = set()
    for wrong in wrong_answers(label):
        verdict = run_cell(cell_of(label, wrong.source))
        assert wrong.says in verdict.message, wrong.source
        assert verdict.status == wrong.status, wrong.source
        assert_whole_sentences(verdict.message)
        said.add(verdict.message)
    if label in FUNCTIONS:
        assert {says for _, says in FUNCTIONS[label].ways} <= said


@pytest.mark.parametrize("label", FUNCTIONS)
def test_a_known_mistake_applies_in_one_place_and_changes_a_result(label):
    checker = FUNCTIONS[label]
    rights = list(map(checker.right_in, checker.all_cases))
    for way, says in checker.ways:
        if callable(way):
            found = [run(way, case, checker.output.read) for case in checker.all_cases]
            pairs = zip(found, rights, strict=True)
            same = [one.returned and checker.output.same(one.value, right) for one, right in pairs]
            assert not all(same), says


def assert_whole_sentences(message):
    assert message.endswith((".", "?", ")"))
    assert "\n" not in message
    assert len(message) <= 400


@pytest.mark.parametrize("label", FUNCTIONS)
def test_lists_and_single_precision_are_right_as_well(label):
    checker, answer = FUNCTIONS[label], function_of(label, right_answers(label)[0])

    def rounded(*arguments):
        result = answer(*arguments)
        return np.float32(result) if isinstance(result, np.ndarray) else result

    def listed(*arguments):
        result = answer(*arguments)
        return result.tolist() if isinstance(result, np.ndarray) else result

    assert checker(rounded).status == "correct"
    assert checker(listed).status == "correct"


@pytest.mark.parametrize("label", [label for label in FUNCTIONS if label != "ex-causal"])
def test_who_computes_in_single_precision_is_right_as_well(label):
    """But for ex-causal, whose largest scores single precision cannot hold."""
    checker = FUNCTIONS[label]

    def shortened(part):
        if isinstance(part, dict):
            return {name: shortened(inner) for name, inner in part.items()}
        is_long = isinstance(part, np.ndarray) and part.dtype == float
        return part.astype(np.float32) if is_long else part

    finding = checker(lambda *arguments: checker.model(*map(shortened, arguments)))
    assert finding.status == "correct", finding.message


# rounds of random cases

EXACT = {"ex-swap", "ex-permutation"}  # nothing to round
EXACT |= {"ex-targets", "ex-sampler", "ex-free-weights", "ex-chat-template"}  # whole numbers
NO_ARRAYS = {"ex-online", "ex-merge", "ex-waves", "ex-shift"}  # arguments whose sizes are no shapes
NO_ARRAYS |= {"ex-slower", "ex-own-writer"}  # a dictionary
NO_ARRAYS |= {"ex-pages", "ex-prefix", "ex-scheduler", "ex-speculate"}  # lists, numbers
SQUARE = {"ex-causal", "ex-real-head", "ex-subject-test", "ex-causal-blocks"}
SQUARE |= {"ex-induction-score", "ex-copying-score"}  # words by words


@pytest.mark.parametrize("label", FUNCTIONS)
def test_random_cases_have_sizes_that_differ_and_are_not_the_chosen_ones(label):
    drawn = FUNCTIONS[label].ordinary[-ROUNDS:]
    shapes = [[part.shape for part in case if isinstance(part, np.ndarray)] for case in drawn]
    sizes = {frozenset(size for shape in case for size in shape) for case in shapes}
    assert len(sizes) > 1 or label in EXACT | NO_ARRAYS
    squares = [shape for case in shapes for shape in case if len(set(shape)) < len(shape)]
    assert squares == [] or label in SQUARE
