"""Stored answers: given for the same question and the same code, and such as the model gives."""

import linecache

import numpy as np
import pytest
from chapters.page import run_chapter
from checks import refuses
from test_language_model import MODEL, one_process, real

from attention_lib.models import DatasetError, Model, answers, stored
from attention_lib.models.answers import save

CODE = """\
@stored
def double(x, asked=CALLS):
    asked.append(x)
    return [x, (2 * x, "text")], np.full(n, x, np.float32), np.float64(x)
"""
FLOW = """\
@stored
def double(x, asked=CALLS):
    for times in (1, 2):
        asked.append(times)
        yield times * x
"""


@pytest.fixture(autouse=True)
def fresh(tmp_path, monkeypatch):
    """Keep answers in a folder of the test, and no model on this machine."""
    monkeypatch.setenv("ATTENTION_LIB_CACHE", str(tmp_path / "none"))
    yield monkeypatch.setattr(answers, "FILE", tmp_path / "answers.npz")
    answers._answers.cache_clear()


def run(code, n=3, file="<test>"):
    """Run code as a cell; return its function, and the questions that it is asked itself."""
    names = {"stored": stored, "np": np, "n": n, "CALLS": []}
    linecache.cache["<test>"] = (len(code), None, code.splitlines(keepends=True), "<test>")
    exec(compile(code, file, "exec"), names)
    answers._answers.cache_clear()
    return names["double"], names["CALLS"]


def record(monkeypatch, n=3, code=CODE):
    monkeypatch.setattr(answers, "RECORD", {})
    run(code, n)[0](4)
    save(answers.RECORD, answers.FILE)
    monkeypatch.setattr(answers, "RECORD", None)


@pytest.mark.parametrize("n", [3, 5000])
def test_a_stored_answer_is_the_one_that_was_given_and_who_changes_it_changes_only_that(
    monkeypatch, n
):
    record(monkeypatch, n)
    double, asked = run(CODE)
    ways = (lambda f: f(4), lambda f: f(x=4), lambda f: f(np.int64(4)), lambda f: f(np.array(4)))
    for ask in ways:
        lists, array, number = ask(double)
        assert (lists, number, asked) == ([4, [8, "text"]], 4.0, [])
        assert array.dtype == np.float32
        assert array.tolist() == [4.0] * n
        lists[0] = array[:] = 0


def test_another_question_or_code_that_has_changed_or_is_not_known_is_run(monkeypatch):
    record(monkeypatch)
    double, asked = run(CODE)
    assert (double(5)[0], asked) == ([5, [10, "text"]], [5])
    double, asked = run(CODE.replace("2 * x", "3 * x"))
    assert (double(4)[0], asked) == ([4, [12, "text"]], [4])
    double, asked = run(CODE, file="<nowhere>")
    assert (double(4)[0], asked) == ([4, [8, "text"]], [4])


def test_a_function_that_it_calls_belongs_to_its_code(monkeypatch):
    code = "def times(x):\n    return 2 * x\n\n" + CODE.replace("2 * x", "times(x)")
    record(monkeypatch, code=code)
    assert run(code)[0](4)[0] == [4, [8, "text"]]
    double, asked = run(code.replace("2 * x", "5 * x"))
    assert double(4)[0] == [4, [20, "text"]]
    assert asked == [4]


def test_a_changed_model_is_asked(monkeypatch):
    code = '@stored\ndef double(x):\n    return getattr(n, "places", x)\n'
    record(monkeypatch, code=code)
    assert run(code, Model())[0](4) == 4
    assert run(code, MODEL.without(layers=[0]))[0](4) == MODEL.places


def test_what_a_generator_yields_is_stored_and_otherwise_comes_one_by_one(monkeypatch):
    record(monkeypatch, code=FLOW)
    double, asked = run(FLOW)
    assert ([*double(4)], asked) == ([4, 8], [])
    flow = double(5)
    assert (next(flow), asked) == (5, [1])


HERE = "is not on this machine: python -m attention_lib.models.fetch fetches it (93 MB)"
PAGE = "cannot be fetched here: ask it in the chapter's page of a book that has SmolLM2, "


@pytest.mark.parametrize(
    ("platform", "end"), [("linux", HERE), ("emscripten", f"{PAGE}or in JupyterLab")]
)
def test_without_the_model_a_new_question_gets_a_sentence(monkeypatch, platform, end):
    monkeypatch.setattr("sys.platform", platform)
    answers._read.cache_clear()
    with refuses(DatasetError, f"this question has no stored answer, and SmolLM2 {end}"):
        Model().encode("a")
    with refuses(AttributeError, "base cannot be set: model.without(…) gives another model"):
        Model().base = 500.0


@real
@one_process
def test_the_model_still_gives_the_answers_of_the_chapter(monkeypatch):
    monkeypatch.undo()
    answers._read.cache_clear()
    c = run_chapter("a_real_language_model")
    questions = {"bets": ["The capital of France is"], "largest_difference": [c["dog"]]}
    for name, arguments in (questions | {"lens": [c["PROMPTS"]["France"], 6]}).items():
        given, new = c[name](*arguments), answers._plain(c[name].__wrapped__(*arguments))
        if name == "lens":
            assert given[0] == new[0]
            given, new = given[1], new[1]
        if name == "bets":
            assert given == new
        else:
            np.testing.assert_allclose(new, given, atol=1e-3)
