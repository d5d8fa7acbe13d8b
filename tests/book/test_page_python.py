"""What a page is given to run its cells: their sources, in order."""

import importlib
import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def load_extension():
    return importlib.import_module("bookwork.sphinx.page_python")


page_python = load_extension()


def cell(source, *tags):
    return {"cell_type": "code", "source": source, "metadata": {"tags": list(tags)}}


def test_cells_are_listed_in_order_with_hidden_ones_and_exercises():
    cells = [
        {"cell_type": "markdown", "source": "# A title", "metadata": {}},
        cell("x = 1"),
        cell("figure()", "remove-input"),
        cell('a = ...\ncheck("ex-one", a)', "exercise", "independent"),
    ]
    assert page_python.describe({"cells": cells}) == [
        {"index": 1, "visible": True, "code": "x = 1", "exercise": None, "anew": False},
        {"index": 2, "visible": False, "code": "figure()", "exercise": None, "anew": False},
        {
            "index": 3,
            "visible": True,
            "code": 'a = ...\ncheck("ex-one", a)',
            "exercise": "ex-one",
            "anew": True,
        },
    ]


def test_only_a_cell_tagged_exercise_is_one():
    assert page_python.exercise_of(cell('check("ex-one", 1)')) is None
    assert page_python.exercise_of(cell("check(\n    'ex-one', 1)", "exercise")) == "ex-one"


def test_code_cannot_end_the_element_that_holds_it():
    code = 'print("</script><script>alert(1)</script><!--")'
    script = page_python.as_script([{"code": code}])
    inside = re.fullmatch(r"\s*<script [^>]*>(.*)</script>\s*", script)[1]
    assert "<" not in inside
    assert json.loads(inside) == [{"code": code}]
