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
    return eval(code.split("\n")[-1], variables_of(code))


def variables_of(code):
    """Return the variables that all lines but the last make."""
    namespace = {}
    exec(compile(code.rpartition("\n")[0], "<cell>", "exec"), namespace)
    return namespace


FUNCTIONS = {e.label: c for e in EXERCISES.values() if (c := function_checker(e))}


def test_the_table_has_every_exercise_of_the_book_and_no_other():
    assert set(WRITTEN) <= set(EXERCISES) == set(BY_LABEL)
    assert all(exercise.label == label for label, exercise in EXERCISES.items())


@pytest.mark.parametrize("label", EXERCISES)
def test_dots_instead_of_an_answer_are_not_started(label):
    for value in (..., None, NotImplemented):
        assert check(label, value).status == "not started"
    for body in ("...", "[..., 1.0]") if label in FUNCTIONS else ():
        checker = FUNCTIONS[label]
        start = f"def {checker.name}({', '.join(checker.parameters)}):\n    return {body}"
        verdict = run_cell(cell_of(label, start))
        assert verdict.status == "not started"
        assert "in place of the dots" in verdict.message


@pytest.mark.parametrize("label", EXERCISES)
def test_right_answers_are_correct(label):
    assert right_answers(label)
    for source in right_answers(label):
        verdict = run_cell(cell_of(label, source))
        assert (verdict.status, verdict.label) == ("correct", label), f"{source}{verdict}"
        assert_whole_sentences(verdict.message)


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
    checker = FUNCTIONS[label]
    answer = variables_of(cell_of(label, right_answers(label)[0]))[checker.name]

    def returning(change):
        return lambda *given: change(r) if isinstance(r := answer(*given), np.ndarray) else r

    assert checker(returning(np.float32)).status == "correct"
    assert checker(returning(np.ndarray.tolist)).status == "correct"
    if label != "ex-causal":  # whose largest scores single precision cannot hold
        finding = checker(lambda *arguments: checker.model(*map(shortened, arguments)))
        assert finding.status == "correct", finding.message


def shortened(part):
    if isinstance(part, dict):
        return {name: shortened(inner) for name, inner in part.items()}
    is_long = isinstance(part, np.ndarray) and part.dtype == float
    return part.astype(np.float32) if is_long else part


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
