"""Answers, judged by the page's Python as they are by this one.

All run in one Node, each in a namespace of its own; tests/browser/test_answers.py gives some of
them to the page itself. make test judges there, of each exercise, the first right answer and the
first wrong one: what is said to an answer is the same Python's sentence.
"""

import json

import pytest
from given import cell_of, right_answers, wrong_answers
from node_python import built, run_session

from attention_exercises import EXERCISES

SESSION = """
import json

def judge(code):
    *lines, last = code.split("\\n")
    namespace = {}
    try:
        exec("\\n".join(lines), namespace)
        verdict = eval(last, namespace)
        return [verdict.label, verdict.status, verdict.message]
    except BaseException as error:
        return ["", type(error).__name__, str(error)]

json.dumps([judge(code) for code in json.loads(CELLS)])
"""


def answers(rest):
    """Yield the label of each answer, its cell, the status it should get, a part of its message.

    These are the first right one and the first wrong one or, with `rest`, all others.
    """
    for label in EXERCISES:
        given = [(source, "correct", "") for source in right_answers(label)]
        given += [(wrong.source, wrong.status, wrong.says) for wrong in wrong_answers(label)]
        seen = set()
        for source, status, says in given:
            is_right = status == "correct"
            if (is_right in seen) == rest:
                yield label, cell_of(label, source), status, says
            seen.add(is_right)


@pytest.mark.parametrize(
    "rest", [pytest.param(False, id="first"), pytest.param(True, id="rest", marks=pytest.mark.rare)]
)
def test_answers_are_judged_in_the_pages_python_as_here(tmp_path, rest):
    expected = list(answers(rest))
    cells = json.dumps([cell for _, cell, _, _ in expected])
    (tmp_path / "session.py").write_text(f"CELLS = {cells!r}\n{SESSION}")
    judged = run_session(built(), tmp_path / "session.py", "attention-lib", "bookwork")
    wrong = [
        f"{cell}\n{found}"
        for (label, cell, status, says), found in zip(expected, judged, strict=True)
        if found[:2] != [label, status] or says not in found[2]
    ]
    assert wrong == []
