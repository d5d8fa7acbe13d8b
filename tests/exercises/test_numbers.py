"""Answers that are numbers or shapes: of any kind, in any order, odd ones too."""

import math

import numpy as np
import pytest

from attention_exercises import check
from bookwork.exercises import Value, Values

PLACE = Value(
    "place",
    12,
    {24: "twice that.", 0.25: "a quarter."},
    advice="place {} is not it.",
    praise="yes.",
    tolerance=1e-3,
    rough=1e-2,
)
SHAPE = Value("shape", (10, 512), {(512, 10): "turn it."}, "no {}.", before="shape: ")
BOTH = Values((PLACE, SHAPE), "both.")


@pytest.mark.parametrize(
    ("answer", "status", "message"),
    [
        (12, "correct", "yes."),
        (np.float32(12.01), "correct", "yes."),
        (np.array(12), "correct", "yes."),
        (12.1, "not yet", "place 12.1 is not it."),
        (24.2, "known mistake", "twice that."),
        (0.255, "known mistake", "a quarter."),
        (math.nan, "wrong shape", "the answer is one number, not nan."),
        (math.inf, "not yet", "place inf is not it."),
        ("12", "wrong shape", "the answer is one number, not '12'."),
        ([1, [2]], "wrong shape", "the answer is one number, not [1, [2]]."),
        (10**400, "not yet", "this number cannot be right: it has more than 308 digits."),
        (None, "not started", "put your answer in place of the dots, then run the cell."),
    ],
)
def test_a_number_is_judged_by_what_is_near(answer, status, message):
    assert PLACE(answer) == (status, message)


@pytest.mark.parametrize(
    ("answer", "status", "message"),
    [
        ([10, 512.0], "correct", "that is right."),
        ((512, 10), "known mistake", "shape: turn it."),
        ((10, 512.5), "not yet", "no (10, 512.5)."),
        ((10, math.nan), "not yet", "no (10, nan)."),
        (5120, "wrong shape", "a shape is written as in (rows, columns), but yours is 5120."),
    ],
)
def test_a_shape_is_compared_as_it_is_and_not_rounded(answer, status, message):
    assert SHAPE(answer) == (status, message)


def test_the_first_answer_that_is_wrong_counts():
    assert BOTH(12, (10, 512)) == ("correct", "both.")
    assert BOTH(24, (512, 10)).message == "twice that."
    assert BOTH(12, (512, 10)).message == "shape: turn it."
    assert BOTH(12, ...).status == "not started"


def test_answers_may_be_named_and_none_may_be_missing():
    assert check("ex-shapes-on-the-way", (10, 16)).message == (
        'pass the answer as in check("ex-shapes-on-the-way", queries, weights, end_to_end, output).'
    )
    assert check("ex-clock-hands", place=12).status == "correct"


def test_numbers_too_small_and_too_large_may_get_advice_of_their_own():
    half = Value("n", -0.5, {2: "two."}, advice=("{} is small.", "{} is large."))
    said = {-1: "-1 is small.", 2: "two.", 3: "3 is large.", -0.5: "that is right."}
    assert {number: half(number).message for number in said} == said
