"""Chapters as notebooks: their directives, and the copies of the reader."""

import ast
import base64
import copy
import re

import nbformat
import pytest

from tools import notebooks
from tools.notebook_book import Book
from tools.notebook_text import convert

RAW = re.compile(r"^ *:::|^ *`{3,}\{|\{[\w:]+\}`|^\([\w-]+\)=$", re.M)


@pytest.fixture(scope="module")
def book():
    return Book()


@pytest.fixture(scope="module")
def made():
    return notebooks.all_notebooks()


# directives and roles


def test_hints_and_solutions_are_folded(book):
    text = ":::{dropdown} Hint <1>\n:class-container: book-hint\n\nTry *this*.\n:::\nAfter."
    assert convert(text, book) == (
        "<details>\n<summary>Hint &lt;1&gt;</summary>\n\nTry *this*.\n\n</details>\n\nAfter."
    )


def test_a_solution_within_a_dropdown_keeps_its_code_and_loses_its_marks(book):
    code = "```python\nx = 1\n\n\ny = 2\n```"
    text = f"::::{{dropdown}} Solution\n:::{{solution}} ex-pool\n\n{code}\n:::\n::::"
    assert f"</summary>\n\n{code}\n\n</details>" in convert(text, book)


def test_an_exercise_has_the_heading_and_the_number_of_the_page(book):
    text = ":::{exercise} In one line\n:label: ex-pool\n\nWrite it. (4 min, easy)\n:::"
    number = book.text_of("ex-pool")
    assert convert(text, book) == f"### {number}: In one line\n\n*4 min, easy*\n\nWrite it."


def test_a_box_is_a_quotation_with_its_title(book):
    text = ":::{admonition} Predict\n:class: tip\nWhat\n\nnow?\n:::"
    assert convert(text, book) == "> **Predict**\n> \n> What\n> \n> now?"
    assert convert(":::{note}\nMind.\n:::", book).startswith("> **Note**")


def test_a_formula_keeps_its_number_and_its_lines(book):
    number = book.text_of("eq-pooling").strip("()")
    text = "```{math}\n:label: eq-pooling\na \\\\\n b\n```"
    assert convert(text, book) == (
        f"$$\n\\begin{{split}}a \\\\\n b\\end{{split}} \\tag{{{number}}}\n$$"
    )


def test_roles_become_words_numbers_and_links(book):
    text = "{numref}`fig-pooling`, {eq}`eq-pooling`, {ref}`sec-pooling`, "
    text += "{cite:t}`boyd2004`, {cite}`bridle1990`"
    said = convert(text, book)
    assert re.match(r"Fig\. 3\.\d+, \(3\.\d+\), \[The general formula: attention pooling\]", said)
    assert "(attention_pooling.ipynb)" in said
    assert "[Boyd and Vandenberghe (2004)](https://web.stanford.edu/~boyd/cvxbook/)" in said
    assert said.endswith("Bridle, 1990)") or "[Bridle, 1990](" in said


def test_an_unknown_directive_or_role_leaves_no_marks(book):
    assert convert(":::{card} A *title*\n:width: 3\nText {abbr}`HTML`.\n:::", book) == (
        "**A *title***\n\nText HTML."
    )


def test_code_that_looks_like_a_directive_is_left_alone(book):
    text = "````markdown\n:::{note}\n{eq}`eq-pooling`\n:::\n````"
    assert convert(text, book) == text


def test_tables_and_texts_in_files_are_brought_in(book, tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text('way,"time, in s"\nloop,3\n')
    (tmp_path / "t.txt").write_text("See {eq}`eq-pooling`.")
    monkeypatch.setattr(book, "file", tmp_path.joinpath)
    table = "| way | time, in s |\n|---|---|\n| loop | 3 |"
    assert convert("```{csv-table} Times.\n:file: t.csv\n```", book) == f"Times.\n\n{table}"
    text = f"See {book.text_of('eq-pooling')}."
    assert convert("```{include} t.txt\n```", book) == text


def test_a_directive_in_a_list_stays_in_it(book):
    assert convert("- one\n\n  ```{math}\n  x\n  ```", book) == "- one\n\n  $$\n  x\n  $$"


def test_what_stands_in_a_box_is_numbered_too(tmp_path):
    (tmp_path / "_toc.yml").write_text("root: one")
    (tmp_path / "references.bib").write_text("")
    first, second = (f"```{{math}}\n:label: eq-{name}\nx\n```\n" for name in "ab")
    (tmp_path / "one.md").write_text(f"# One\n\n:::{{note}}\n{first}:::\n{second}")
    numbers = Book(tmp_path)
    assert [numbers.text_of("eq-a"), numbers.text_of("eq-b")] == ["(1)", "(2)"]


# whole chapters


def test_no_notebook_shows_raw_marks(made):
    for name, notebook in made.items():
        nbformat.validate(notebook)
        text = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
        assert not RAW.findall("\n".join(text)), name


def test_every_notebook_has_all_the_code_of_its_chapter_and_hides_that_of_figures(book, made):
    for name, cells in book.chapters.items():
        code = [cell for cell in made[name]["cells"] if cell["cell_type"] == "code"]
        assert [c["source"] for c in code] == [
            c["source"] for c in cells if c["cell_type"] == "code"
        ]
        for cell in code:
            hidden = cell["metadata"].get("jupyter", {}).get("source_hidden", False)
            assert hidden == any(tag.startswith("remove-") for tag in tags_of(cell))


def tags_of(cell):
    return cell["metadata"].get("tags", [])


def test_drawings_travel_with_the_notebook(made):
    text = "".join(cell["source"] for notebook in made.values() for cell in notebook["cells"])
    drawings = re.findall(r"!\[[^]]+\]\(([^)]*)\)", text)
    assert drawings
    for address in drawings:
        kind, _, data = address.partition(";base64,")
        assert kind == "data:image/svg+xml"
        assert b"<svg" in base64.b64decode(data)


def test_two_runs_write_the_same_bytes(book, made):
    for name in ("welcome", "attention_pooling", "summary"):
        again = notebooks.notebook(book, name)
        assert notebooks.as_text(made[name]) == notebooks.as_text(again)


def test_the_python_files_are_python_with_the_cells_in_order(made):
    for notebook in copy.deepcopy(made).values():
        cells = [c["source"] for c in notebook["cells"] if c["cell_type"] == "code"]
        script = notebooks.as_script(notebook)
        ast.parse(script)
        places = [script.index(source) for source in cells]
        assert places == sorted(places)
        assert "base64" not in script


# the reader's copies


def notebook_saying(text):
    cell = nbformat.v4.new_markdown_cell(text, id="a")
    return {"one": nbformat.v4.new_notebook(cells=[cell])}


def text_of(path):
    return nbformat.read(path, 4)["cells"][0]["source"]


def test_an_unchanged_copy_is_refreshed_without_a_word(tmp_path, capsys):
    notebooks.refresh(tmp_path, notebook_saying("first"))
    notebooks.refresh(tmp_path, notebook_saying("second"))
    assert text_of(tmp_path / "one.ipynb") == "second"
    assert not capsys.readouterr().out
    assert [path.name for path in tmp_path.glob("*.ipynb")] == ["one.ipynb"]


def change(path):
    path.write_text(path.read_text().replace("first", "mine"))


def test_a_changed_copy_is_kept_and_the_new_version_put_beside_it(tmp_path, capsys):
    notebooks.refresh(tmp_path, notebook_saying("first"))
    change(tmp_path / "one.ipynb")
    notebooks.refresh(tmp_path, notebook_saying("second"))
    assert text_of(tmp_path / "one.ipynb") == "mine"
    assert text_of(tmp_path / "one (new version).ipynb") == "second"
    assert "yours is kept, the new one is beside it" in capsys.readouterr().out


def test_a_changed_copy_of_an_unchanged_chapter_is_left_alone(tmp_path, capsys):
    notebooks.refresh(tmp_path, notebook_saying("first"))
    change(tmp_path / "one.ipynb")
    for _ in range(2):
        notebooks.refresh(tmp_path, notebook_saying("first"))
    assert text_of(tmp_path / "one.ipynb") == "mine"
    assert not capsys.readouterr().out
    assert not (tmp_path / "one (new version).ipynb").exists()


def test_the_new_version_is_announced_once_and_a_changed_one_is_kept_too(tmp_path, capsys):
    notebooks.refresh(tmp_path, notebook_saying("first"))
    change(tmp_path / "one.ipynb")
    for _ in range(2):
        notebooks.refresh(tmp_path, notebook_saying("second"))
    assert capsys.readouterr().out.count("The book has a new version") == 1
    beside = tmp_path / "one (new version).ipynb"
    notebooks.refresh(tmp_path, notebook_saying("second again"))
    assert text_of(beside) == "second again"
    beside.write_text(beside.read_text().replace("second again", "mine too"))
    notebooks.refresh(tmp_path, notebook_saying("third"))
    assert text_of(beside) == "mine too"
    assert text_of(tmp_path / "one (new version 2).ipynb") == "third"


def test_a_copy_of_the_readers_own_is_not_taken_for_ours(tmp_path):
    (tmp_path / "one.ipynb").write_text(notebooks.as_text(notebook_saying("mine")["one"]))
    notebooks.refresh(tmp_path, notebook_saying("first"))
    assert text_of(tmp_path / "one.ipynb") == "mine"


def test_a_removed_copy_comes_back(tmp_path):
    notebooks.refresh(tmp_path, notebook_saying("first"))
    (tmp_path / "one.ipynb").unlink()
    notebooks.refresh(tmp_path, notebook_saying("first"))
    assert text_of(tmp_path / "one.ipynb") == "first"
