"""Answers that are numbers or shapes: of any kind, in any order, odd ones too."""

import math

import pytest
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
SHAPE = Value("shape", (10, 512), {(512, 10): "turn it."}, "no {}.")
BOTH = Values((PLACE, SHAPE), "both.")


@pytest.mark.parametrize(
    ("answer", "status", "message"),
    [
        (12, "correct", "yes."),
        (12.01, "correct", "yes."),
        (12.1, "not yet", "place 12.1 is not it."),
        (24.2, "known mistake", "twice that."),
        (0.255, "known mistake", "a quarter."),
        (math.nan, "wrong shape", "place is one number, but yours is nan."),
        (-math.inf, "wrong shape", "place is one number, but yours is -inf."),
        ("12", "wrong shape", "place is one number, but yours is '12'."),
        ([1, [2]], "wrong shape", "place is one number, but yours is [1, [2]]."),
        (10**99, "not yet", f"place {10**99} is not it."),
        (None, "not started", "put your answer in place of the dots, then run the cell."),
    ],
)
def test_a_number_is_judged_by_what_is_near(answer, status, message):
    assert PLACE(answer) == (status, message)


@pytest.mark.parametrize(
    ("answer", "status", "message"),
    [
        ([10, 512.0], "correct", "that is right."),
        ((512, 10), "known mistake", "turn it."),
        ((10, 512.5), "not yet", "no (10, 512.5)."),
        (5120, "wrong shape", "shape is a shape, as in (rows, columns), but yours is 5120."),
    ],
)
def test_a_shape_is_compared_as_it_is_and_not_rounded(answer, status, message):
    assert SHAPE(answer) == (status, message)


def test_the_first_answer_that_is_wrong_counts():
    assert BOTH(12, (10, 512)) == ("correct", "both.")
    assert BOTH(24, (512, 10)).message == "twice that."
    assert BOTH(12, (512, 10)).message == "turn it."
    assert BOTH(12, ...).status == "not started"


def test_numbers_too_small_and_too_large_may_get_advice_of_their_own():
    half = Value("n", -0.5, {2: "two."}, advice=("{} is small.", "{} is large."))
    said = {-1: "-1 is small.", 2: "two.", 3: "3 is large.", -0.5: "that is right."}
    assert {number: half(number).message for number in said} == said
