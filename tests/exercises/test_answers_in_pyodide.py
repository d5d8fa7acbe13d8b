"""The first right answer and the first wrong one of each exercise, judged by the page's Python.

All run in one Node, each in a namespace of its own. NumPy counts and warns differently there.
"""

import json

from built_book import FOLDER
from given import cell_of, right_answers, wrong_answers
from node_python import run_session

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


def answers():
    """Yield the label of each answer, its cell, the status it should get, a part of its message."""
    for label in EXERCISES:
        for source in right_answers(label)[:1]:
            yield label, cell_of(label, source), "correct", ""
        for wrong in wrong_answers(label)[:1]:
            yield label, cell_of(label, wrong.source), wrong.status, wrong.says


def test_answers_are_judged_in_the_pages_python_as_here(tmp_path):
    expected = list(answers())
    cells = json.dumps([cell for _, cell, _, _ in expected])
    (tmp_path / "session.py").write_text(f"CELLS = {cells!r}\n{SESSION}")
    judged = run_session(FOLDER.parent, tmp_path / "session.py", "attention-lib", "bookwork")
    wrong = [
        f"{cell}\n{found}"
        for (label, cell, status, says), found in zip(expected, judged, strict=True)
        if found[:2] != [label, status] or says not in found[2]
    ]
    assert wrong == []
