"""Choices, numbers and shapes are read and judged by the page as Python does it."""

import functools
import json
import math
import re
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from bookwork.exercises import ChoiceChecker, Exercise, Verdict
from bookwork.exercises.value import Declared
from bookwork.site.build_web import NODE
from bookwork.sphinx.exercises import LABEL
from checks import run
from places import WEB
from shop.exercises import EXERCISES, check

DECLARED = [label for label, each in EXERCISES.items() if each.key]
ANY = [0, 7, -3, 0.1, 1 / 3, 2e-5, 1.5e-9, 123456.789, 123456789.5, 3e15, 1e300]
SHAPES = [(3,), (7, 9), (7, 9, 2), (1, 2, 3, 4)]
VALUES = {  # what a text means; None where the page asks for something else
    "1,048,576": 2**20,
    "1 048 576": 2**20,
    "2**20": 2**20,
    "2^20": 2**20,
    "4 · 512 × 512": 2**20,
    "75%": 0.75,
    "1/3 %": 1 / 300,
    "1e6": 1e6,
    "-.5E-2": -0.005,
    "−0.16": -0.16,
    "-2**2": -4,
    "2**-1": 0.5,
    "4/2 * 2^19": 2**20,
    "": "takes a number",
    "noon": "takes a number",
    "np.log(3)": "takes a number",
    "7 - 2": "takes a number",
    "0,5": "with a point",
    "12,34,567": "with a point",
    "1/0": "divides by zero",
    "9**999": "more than 308 digits",
}
SIZES = {
    "10, 512": (10, 512),
    "(10, 8*64)": (10, 512),
    "10 × 512": (10, 512),
    "10 512": (10, 512),
    "(5,)": (5,),
    "5": (5,),
    "": "takes a shape",
    "ten": "takes a shape",
}


def page(**asked):
    script = Path(__file__).with_name("judge.mjs")
    answer = run(NODE, script, input=json.dumps(asked))
    assert not answer.stderr
    return json.loads(answer.stdout)


def test_what_people_type_is_read():
    asked = [("number", text) for text in VALUES] + [("shape", text) for text in SIZES]
    for (_, text), read in zip(asked, page(texts=asked)["texts"], strict=True):
        meant = {**VALUES, **SIZES}[text] if text else "takes a"
        if isinstance(meant, str):
            assert meant in read["sentence"], text
        elif isinstance(meant, tuple):
            assert tuple(read["value"]) == meant
        else:
            assert math.isclose(read["value"], meant), text


def numbers_to_try(value):
    """Return numbers near those that are declared, inside and outside of the tolerance, and any."""
    for number in [value.right, *value.known]:
        for tolerance in (value.tolerance, value.rough):
            within = tolerance * max(1, abs(number))
            yield from (number + share * within for share in (0, 0.5, -0.9, 1.1, -1.4))
    yield from ANY


def answers_to(checker):
    """Return answers to an exercise: one of them is tried, while the others are right."""
    if isinstance(checker, ChoiceChecker):
        return [[letter] for letter in checker.explanations]
    values = checker.values
    answers = []
    for place, value in enumerate(values):
        tried = [value.right, *value.known, *SHAPES] if value.is_shape else numbers_to_try(value)
        others = [other.right for other in values]
        answers += [[*others[:place], answer, *others[place + 1 :]] for answer in tried]
    return answers


@functools.cache
def judged():
    """Return what the page says of all answers to all exercises, in one run of Node."""
    asked = [(label, a) for label in DECLARED for a in answers_to(EXERCISES[label].checker)]
    keys = {label: EXERCISES[label].key for label in DECLARED}
    said = page(answers=[(keys[label], answer) for label, answer in asked])["answers"]
    return [(*each, finding) for each, finding in zip(asked, said, strict=True)]


@pytest.mark.parametrize("label", DECLARED)
def test_the_page_says_what_python_says(label):
    for answer, finding in [said[1:] for said in judged() if said[0] == label]:
        verdict = check(label, *answer)
        assert finding == {"status": verdict.status, "message": verdict.message}, answer


def test_every_declared_exercise_has_a_key():
    kinds = ChoiceChecker | Declared
    assert [label for label, e in EXERCISES.items() if isinstance(e.checker, kinds)] == DECLARED


def test_what_an_author_computes_is_left_to_python():
    assert Exercise("ex-a", len).key is None


def test_the_page_knows_the_statuses_of_a_verdict_and_the_form_of_a_label():
    script = (WEB / "exercises" / "verdict.js").read_text()
    listed = re.search(r"STATUSES = \{(.*?)\};", script, re.S)[1]
    statuses = re.findall(r'^ *"?([a-z ]+)"?: "(?:idle|wrong|right)",$', listed, re.M)
    assert statuses == list(get_args(get_type_hints(Verdict)["status"]))
    assert f"/^{LABEL.pattern}$/" in script
