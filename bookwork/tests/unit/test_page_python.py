"""What a page is given to run its cells: their sources, in order; and what pages note."""

import json
from types import SimpleNamespace

import pytest
from bookwork.site import packages
from bookwork.sphinx import page_python, pages

WHY = "it imports far, which Python in a page does not have"


def cell(source, *tags):
    return {"cell_type": "code", "source": source, "metadata": {"tags": list(tags)}}


def described(cells, **metadata):
    """Return what is noted of cells, whose code begins on line 0."""
    return page_python.describe({"cells": cells, "metadata": metadata}, [0] * len(cells))


def test_cells_are_listed_in_order_with_hidden_ones_and_exercises():
    cells = [
        {"cell_type": "markdown", "source": "# A title", "metadata": {}},
        cell("x = 1"),
        cell("figure()", "remove-input"),
        cell('check("ex-one", ...)', "exercise", "independent"),
    ]
    plain = {"visible": True, "exercise": None, "anew": False, "run": True, "tags": [], "line": 0}
    assert described(cells) == [
        plain | {"index": 1, "code": "x = 1"},
        plain | {"index": 2, "code": "figure()", "visible": False, "tags": ["remove-input"]},
        plain
        | {"index": 3, "code": 'check("ex-one", ...)', "exercise": "ex-one", "anew": True}
        | {"tags": ["exercise", "independent"]},
    ]
    assert page_python.exercise_of(cell('check("ex-one", 1)')) is None


def run_of(cells, **metadata):
    """Return for each cell whether the page runs it."""
    judged = page_python.judged("page", described(cells, **metadata), lambda name: "")
    return ["rest" not in each for each in judged]


def test_a_page_or_a_cell_may_say_that_it_is_not_run():
    plain, tagged = cell("1"), cell("2", "no-run")
    assert run_of([plain, tagged]) == [True, False]
    assert run_of([plain], bookwork_run=True) == [True]
    assert run_of([plain], bookwork_run=False) == run_of([tagged]) == [False]
    # nor is another language
    assert run_of([cell("x <- 1")], kernelspec={"name": "ir", "language": "R"}) == [False]
    assert run_of([cell("x = 1")], kernelspec={"name": "conda-old"}) == [True]


def test_a_cell_that_cannot_run_says_why_and_an_exercise_always_can():
    cells = [cell("import far\nimport os"), cell('import far\ncheck("ex-one", 1)', "exercise")]
    noted = described(cells)
    lacks = {"far": "far"}
    first, second = page_python.judged("page", noted, lambda name: lacks.get(name, ""))
    assert (first["why"], first["rest"]) == (WHY, "import os")
    own = {key: noted[1][key] for key in ("index", "visible", "code", "exercise")}
    assert second == own | {"key": second["key"]}


@pytest.fixture
def look(tmp_path, monkeypatch):
    """Return what looks at the packages of a book whose pages have these cells."""
    monkeypatch.setattr(page_python, "prepare", lambda root, names: [])
    lacking = {"far": "far", "off.shore": "off"}
    monkeypatch.setattr(page_python, "lacking", lambda root: lambda name: lacking.get(name, ""))
    (tmp_path / "_build").mkdir()
    (tmp_path / packages.RESULT).write_text("{}")
    app = SimpleNamespace(srcdir=tmp_path, builder=SimpleNamespace(format="html"))
    app.connect = lambda *_: None

    def look(*cells):
        pages = {f"page{k}": {page_python.CELLS: [cell]} for k, cell in enumerate(cells)}
        page_python.look_at_packages(app, SimpleNamespace(metadata=pages))
        return (tmp_path / packages.RESULT).is_file()

    return look


def test_what_a_book_lacks_is_told_in_one_line(look, capsys):
    codes = ("import far, math", "import far", "import off.shore", "x = 1")
    assert look(*({"run": True, "code": code} for code in codes))
    says = "Python in a page does not have far, off: no Run at cells that import that\n"
    assert capsys.readouterr().out == says


def test_a_book_whose_cells_do_not_run_builds_no_python_and_is_told_nothing(look, capsys):
    assert not look({"run": False, "code": "import far"})
    assert capsys.readouterr().out == ""


def test_the_page_gets_what_each_cell_needs_by_its_place_in_the_list():
    cells = [cell("import far\nx = 1"), cell("x = 2"), cell("x"), cell("x = 3\nx"), cell("x")]
    noted = described(cells)
    noted[3]["solution"] = "solution 0"  # nobody else needs it
    found = page_python.judged("page", noted, lambda name: name == "far" and "far")
    orders = [(each.get("needs", []), each.get("undoes", [])) for each in found]
    assert orders == [([], [1]), ([], []), ([1], []), ([], []), ([1], [])]
    assert not {"anew", "run", "solution"} & found[3].keys()


def test_a_readers_text_is_kept_by_the_whole_name_of_the_page_and_the_code_of_the_cell():
    """Or pages of one name, in two folders, would take each other's."""
    cells = [cell("x = 1"), cell("x = 2"), cell("x = 1")]
    first, second = (keys(f"{part}/index", cells) for part in ("one", "two"))
    assert len({*first, *second}) == 6
    assert keys("one/index", cells[1:]) == [first[1], first[0]]


def keys(page, cells):
    return [each["key"] for each in page_python.judged(page, described(cells), lambda name: "")]


def test_code_cannot_end_the_element_that_holds_it():
    code = 'print("</script><script>alert(1)</script><!--")'
    data = pages.as_data([{"code": code}])
    assert "<" not in data
    assert json.loads(data) == [{"code": code}]
