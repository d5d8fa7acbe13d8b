"""`check` and its verdicts: what they say, how they are shown, and what they import."""

import json
import os

import numpy as np
import pytest
from checks import refuses, run_python
from places import BOOK, BOOKWORK
from shop.exercises import EXERCISES, check

MIME = "application/vnd.book.verdict+json"


def test_a_verdict_is_shown_as_text_as_markdown_and_as_data():
    bundle = check("ex-twice", "a")._repr_mimebundle_()
    message = "the row of a single order for rye already sums to two."
    assert bundle["text/plain"] == f"Known mistake: {message}"
    assert bundle["text/markdown"] == f"**Known mistake:** {message}"
    assert bundle[MIME] == {"label": "ex-twice", "status": "known mistake", "message": message}
    assert json.loads(json.dumps(bundle)) == bundle


@pytest.mark.parametrize(
    ("answer", "mark", "colour"),
    [(..., "…", "#8a8a8a"), ("a", "✗", "#c9702b"), ("b", "✓", "#2e8b57")],
)
def test_a_notebook_shows_a_verdict_in_colour_and_says_in_words_what_it_means(answer, mark, colour):
    verdict = check("ex-twice", answer)
    shown = verdict._repr_mimebundle_()["text/html"]
    assert f"border-left: 4px solid {colour};" in shown
    assert f"<strong>{mark} {verdict.status.capitalize()}:</strong> {verdict.message}<" in shown


def test_words_of_the_reader_are_no_markup():
    wrong = check("ex-twice", "<img onerror=alert(1)> & $e$")._repr_mimebundle_()["text/html"]
    assert "&lt;img onerror=alert(1)&gt; &amp; $e$" in wrong
    assert "mathjax_ignore" in wrong
    shown = check("ex-twice", "<img onerror=alert(1)> *b* [c](javascript:d) $e$ `f` _g_")
    text = shown._repr_mimebundle_()["text/markdown"].removeprefix("**Wrong shape:** ")
    for mark in "<>*[]$`_":
        assert mark in text
        assert text.count(mark) == text.count("\\" + mark)


@pytest.mark.parametrize("label", ["ex-shaer", ["ex-total"]])
def test_an_unknown_label_is_refused(label):
    with refuses(ValueError, f"there is no exercise {label!r}"):
        check(label, 1)


@pytest.mark.parametrize("label", EXERCISES)
def test_too_many_answers_are_told_how_to_hand_one_over(label):
    verdict = check(label, 1, 2, 3, 4, 5)
    assert verdict.status == "wrong shape"
    assert verdict.message == f"pass the answer as in {EXERCISES[label].call}."


@pytest.mark.parametrize(
    ("named", "status"),
    [
        ({"answer": "a"}, "known mistake"),
        ({"answer": ...}, "not started"),
        ({"answer": None}, "not started"),
        ({"answr": "a"}, "wrong shape"),
    ],
)
def test_an_answer_may_be_handed_over_by_its_name_and_no_other(named, status):
    verdict = check("ex-twice", **named)
    assert check("ex-trays", shape=(10, 512), loaves=2**20).status == "correct"
    assert verdict.status == status
    assert ("pass the answer as in" in verdict.message) == (status == "wrong shape")


def test_the_exercises_import_numpy_and_the_core_only():
    code = "import sys, shop.exercises; print(*{n.split('.')[0] for n in sys.modules})"
    env = os.environ | {"PYTHONPATH": str(BOOKWORK)}
    loaded = set(run_python("-c", code, cwd=BOOK, env=env).stdout.split())
    assert {"shop", "numpy"} <= loaded
    assert not {"matplotlib", "ipywidgets", "anywidget", "IPython"} & loaded


ODD_ANSWERS = [
    *([5], 8, -1, True, "x", b"a", {1: 2}, set(), object(), range(3), int),
    *(([5], 8), [[1], [1, 2]], (1, (2,)), [None], (None, None)),
    *(float("inf"), 10**400, complex(1, 2), np.float16(1), np.array([1, np.nan]), np.array("a")),
    *(lambda: 0, lambda *given: given),
]


@pytest.mark.parametrize("label", EXERCISES)
def test_whatever_is_handed_over_can_be_judged(label):
    for answer in ODD_ANSWERS:
        for count in range(1, 5):
            verdict = check(label, *[answer] * count)
            assert "could not be judged" not in verdict.message, (answer, count)
