"""Every exercise starts as "not started", and its solution is right in its place."""

import ast

import pytest
from chapters.page import run_chapter
from chapters.printed import PRINTED

from attention_exercises import Verdict

each_exercise = pytest.mark.parametrize("printed", PRINTED, ids=lambda printed: printed.label)


@each_exercise
def test_the_starter_is_not_started(printed):
    (cell,) = [cell for cell in run_chapter(printed.chapter).cells if cell.code == printed.starter]
    assert isinstance(cell.value, Verdict)
    assert (cell.value.label, cell.value.status) == (printed.label, "not started")
    assert cell.printed == ""


@each_exercise
def test_the_solution_is_correct_in_place_of_the_starter(printed):
    verdict = run(printed.code, dict(run_chapter(printed.chapter)))
    assert (verdict.label, verdict.status) == (printed.label, "correct"), verdict.message


def run(code, namespace):
    """Run code; return the value of its last line."""
    tree = ast.parse(code)
    last = tree.body.pop()
    exec(compile(tree, "<solution>", "exec"), namespace)
    return eval(compile(ast.Expression(last.value), "<solution>", "eval"), namespace)
