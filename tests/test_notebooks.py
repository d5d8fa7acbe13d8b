"""Chapters as notebooks: their directives, and the copies of the reader."""

import ast
import base64
import copy
import json
import re

import nbformat
import pytest

from bookwork.book.book import Book
from bookwork.book.notebook_text import convert
from bookwork.book.references import References
from tools import ROOT, notebooks

RAW = re.compile(r"^ *:::|^ *`{3,}\{|\{[\w:]+\}`|^\([\w-]+\)=$", re.M)


@pytest.fixture(scope="module")
def book():
    return References(Book(ROOT))


@pytest.fixture(scope="module")
def made():
    return notebooks.all_notebooks()


# directives and roles


SHOWN = {
    ":::{dropdown} Hint <1>\n:class-container: book-hint\n\nTry *this*.\n:::\nAfter.": (
        "<details>\n<summary>Hint &lt;1&gt;</summary>\n\nTry *this*.\n\n</details>\n\nAfter."
    ),
    "::::{dropdown} So\n:::{solution} ex-pool\n\n```python\nx = 1\n\n\ny = 2\n```\n:::\n::::": (
        "<details>\n<summary>So</summary>\n\n```python\nx = 1\n\n\ny = 2\n```\n\n</details>"
    ),
    ":::{exercise} In one line\n:label: ex-pool\n\nWrite it. (4 min, easy)\n:::": (
        '<a id="ex-pool"></a>\n\n### EX: In one line\n\n> *4 min, easy*\n> \n> Write it.'
    ),
    ":::{admonition} Predict\n:class: tip\nWhat\n\nnow?\n:::": (
        "> **Predict**\n> \n> What\n> \n> now?"
    ),
    # a formula in a quotation holds no marks of it
    ":::{note}\nHere $a\n+ b$ and\n\n```{math}\nc\n+ d\n```\n:::": (
        "> **Note**\n> \n> Here $a + b$ and\n> \n> $$ c + d $$"
    ),
    # what only the page has gives way to words for notebooks
    "Before.\n\n:::{only} html\nPress *Edit*.\n:::\n:::{only} notebook\nClick.\n:::": (
        "Before.\n\nClick."
    ),
    "```{math}\n:label: eq-pooling\na \\\\\n b\n```": (
        '<a id="eq-pooling"></a>\n\n$$\n\\begin{split}a \\\\\n b\\end{split} \\tag{EQ}\n$$'
    ),
    # an unknown directive or role leaves no marks, and code that looks like one is left alone
    ":::{card} A *title*\n:width: 3\nText {abbr}`HTML`.\n:::": "**A *title***\n\nText HTML.",
    "````markdown\n:::{note}\n{eq}`eq-pooling`\n:::\n````": (
        "````markdown\n:::{note}\n{eq}`eq-pooling`\n:::\n````"
    ),
    "- one\n\n  ```{math}\n  x\n  ```": "- one\n\n  $$\n  x\n  $$",
    "```{csv-table} Times.\n:file: t.csv\n```": (
        "Times.\n\n| way | time, in s |\n|---|---|\n| loop | 3 |"
    ),
    "```{include} t.txt\n```": "See [(EQ)](03-attention-pooling.ipynb#eq-pooling).",
    "{doc}`chapters/summary`": "[Summary](15-summary.ipynb)",
    "{ref}`sec-pooling`": (
        "[The general formula: attention pooling](03-attention-pooling.ipynb#sec-pooling)"
    ),
    "{cite:t}`boyd2004`": "[Boyd and Vandenberghe (2004)](https://web.stanford.edu/~boyd/cvxbook/)",
}


@pytest.mark.parametrize("text", SHOWN)
def test_a_notebook_shows_directives_and_roles_in_plain_markdown(book, tmp_path, monkeypatch, text):
    (tmp_path / "t.csv").write_text('way,"time, in s"\nloop,3\n')
    (tmp_path / "t.txt").write_text("See {eq}`eq-pooling`.")
    monkeypatch.setattr(References, "file", lambda _, name: tmp_path / name)
    shown = SHOWN[text].replace("EQ", book.text_of("eq-pooling").strip("()"))
    assert convert(text, book) == shown.replace("EX", book.text_of("ex-pool"))


def test_a_link_within_a_chapter_names_no_file(book):
    said = convert("{numref}`fig-pooling`", book.within("attention_pooling"))
    assert re.fullmatch(r"\[Figure 3\.\d+\]\(#fig-pooling\)", said)


def test_a_second_hint_is_offered_in_the_first_and_the_solution_apart(book):
    hint = ":::{{dropdown}} Hint {}\n:class-container: book-hint\n\nTry {}.\n:::\n\n"
    solution = ":::{dropdown} Solution\n:class-container: book-solution\n\nSo.\n:::"
    said = convert("".join(hint.format(k, "abc"[k]) for k in range(3)) + solution, book)
    folds = re.findall(r"</?details>|Try \w|So\.", said)
    opened = ["<details>", "Try a", "<details>", "Try b", "<details>", "Try c"]
    assert folds == [*opened, *["</details>"] * 3, "<details>", "So.", "</details>"]
    apart = convert(hint.format(1, "a") + "Words.\n\n" + hint.format(2, "b"), book)
    assert apart.index("</details>") < apart.index("Words.") < apart.index("Try b")


def test_what_stands_in_a_box_is_numbered_too(tmp_path):
    (tmp_path / "_toc.yml").write_text("root: one")
    (tmp_path / "references.bib").write_text("")
    first, second = (f"```{{math}}\n:label: eq-{name}\nx\n```\n" for name in "ab")
    (tmp_path / "one.md").write_text(f"# One\n\n:::{{note}}\n{first}:::\n{second}")
    numbers = References(Book(tmp_path))
    assert [numbers.text_of("eq-a"), numbers.text_of("eq-b")] == ["(1)", "(2)"]


# whole chapters


def test_no_notebook_shows_raw_marks(made):
    for name, notebook in made.items():
        nbformat.validate(notebook)
        text = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
        assert not RAW.findall("\n".join(text)), name


def test_every_notebook_has_all_the_code_of_its_chapter_and_hides_that_of_figures(book, made):
    for name, page in book.chapters.items():
        notebook = made[book.notebooks[name]]
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        assert [cell["source"] for cell in code] == [cell.body for cell in page.cells]
        for cell in code:
            hidden = cell["metadata"].get("jupyter", {}).get("source_hidden", False)
            assert hidden == any(tag.startswith("remove-") for tag in tags_of(cell))


def test_the_files_in_the_order_of_their_names_are_the_chapters_in_theirs(book, made):
    assert sorted(made) == list(made)
    assert [name[3:].replace("-", "_") for name in made] == list(book.chapters)
    assert list(made)[:2] == ["00-welcome", "01-why-attention"]


def test_a_notebook_begins_with_what_to_press_and_one_without_code_does_not(made):
    for name, notebook in made.items():
        has_code = any(cell["cell_type"] == "code" for cell in notebook["cells"])
        assert notebook["cells"][0]["source"].startswith(notebooks.START) == has_code, name
    assert "*Run › Run All Cells*" in notebooks.START


def test_only_a_notebook_that_is_taken_away_installs_what_it_needs(book, made):
    taken = notebooks.notebook(book, "why_attention", wheels=("x-1.whl", "y-1.whl"))
    kinds = [(cell["cell_type"], cell["source"]) for cell in taken["cells"]]
    assert kinds[2] == ("code", '%pip install --quiet "x-1.whl[figures]" "y-1.whl"')
    assert "`x-1.whl`" in kinds[1][1]
    assert "%pip" not in "".join(cell["source"] for cell in made["01-why-attention"]["cells"])
    assert "# %pip install" in notebooks.as_script(taken)
    assert all(
        cell["cell_type"] == "markdown"
        for cell in notebooks.notebook(book, "notation", wheels=("x-1.whl", "y-1.whl"))["cells"]
    )


def test_no_notebook_speaks_of_the_buttons_of_the_page(made):
    buttons = r"\*(?:Run|Edit|Run & check|Your progress|Redraw[^*]*|Next hint)\*"
    for name, notebook in made.items():
        text = "".join(c["source"] for c in notebook["cells"] if c["cell_type"] == "markdown")
        assert name.endswith("-teaching") or not re.findall(buttons, text), name


def test_a_link_to_a_figure_leads_above_it_and_a_caption_stands_below(made):
    cells = made["02-queries-keys-values"]["cells"]
    sources = [cell["source"] for cell in cells]
    (place,) = [k for k, text in enumerate(sources) if text.endswith('<a id="fig-shelf"></a>')]
    assert [cell["cell_type"] for cell in cells[place : place + 3]] == [
        "markdown",
        "code",
        "markdown",
    ]
    assert sources[place + 2].startswith("**Figure ")


def test_every_link_between_notebooks_leads_to_a_place(made):
    places = {
        (name, place)
        for name, notebook in made.items()
        for cell in notebook["cells"]
        for place in re.findall(r'<a id="([^"]+)"></a>', cell["source"])
    }
    for name, notebook in made.items():
        text = "".join(c["source"] for c in notebook["cells"] if c["cell_type"] == "markdown")
        links = re.findall(r"\]\(([\w-]*?)(?:\.ipynb)?#([\w-]+)\)", text)
        assert {(file or name, place) for file, place in links} <= places, name
    assert len(places) > 100


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


def test_the_python_files_are_python_with_the_cells_in_order(made):
    for notebook in copy.deepcopy(made).values():
        cells = [c["source"] for c in notebook["cells"] if c["cell_type"] == "code"]
        script = notebooks.as_script(notebook)
        ast.parse(script)
        places = [script.index(source) for source in cells]
        assert places == sorted(places)
        assert not re.search(r"base64|<a id=|\]\(#|\]\(\d\d-", script)


# the reader's copies


class Copies:
    """A folder with the reader's copies of a chapter."""

    def __init__(self, folder):
        self.folder = folder

    def refresh(self, text, name="one"):
        """Bring the copies up to date with a book whose only chapter says this."""
        cell = nbformat.v4.new_markdown_cell(text, id="a")
        notebooks.refresh(self.folder, {name: nbformat.v4.new_notebook(cells=[cell])})

    def write(self, text, name="one"):
        (self.folder / f"{name}.ipynb").write_text(text)

    def change(self, old, new, name="one"):
        """Change a copy as the reader does."""
        self.write((self.folder / f"{name}.ipynb").read_text().replace(old, new), name)

    @property
    def texts(self):
        """What the copies say, by their names."""
        paths = self.folder.glob("*.ipynb")
        return {path.stem: nbformat.read(path, 4)["cells"][0]["source"] for path in paths}


@pytest.fixture
def copies(tmp_path):
    """Return a folder with a copy that nobody has changed."""
    copies = Copies(tmp_path)
    copies.refresh("first\nof all")
    return copies


def test_an_unchanged_copy_is_refreshed_without_a_word_and_a_removed_one_comes_back(copies, capsys):
    copies.refresh("second")
    assert copies.texts == {"one": "second"}
    (copies.folder / "one.ipynb").unlink()
    copies.refresh("second")
    assert copies.texts == {"one": "second"}
    assert not capsys.readouterr().out


def test_a_changed_copy_is_kept_and_every_new_version_is_put_beside_it_once(copies, capsys):
    copies.change("first", "mine,")
    copies.refresh("first\nof all")
    assert not capsys.readouterr().out
    for _ in range(2):
        copies.refresh("second")
    said = capsys.readouterr().out
    assert said.count("yours is kept, the new one is beside it") == 1
    copies.refresh("second again")
    mine = {"one": "mine,\nof all"}
    assert copies.texts == mine | {"one (new version)": "second again"}
    copies.change("second again", "mine too", "one (new version)")
    copies.refresh("third")
    both = {"one (new version)": "mine too", "one (new version 2)": "third"}
    assert copies.texts == mine | both


def test_a_copy_of_the_readers_own_is_not_taken_for_ours(copies):
    (copies.folder / ".written").unlink()
    copies.change("first", "mine,")
    copies.refresh("second")
    assert copies.texts == {"one": "mine,\nof all"}


def test_a_copy_that_was_opened_run_and_saved_follows_the_book(copies, capsys):
    path = copies.folder / "one.ipynb"
    made = json.loads(path.read_text())
    made["metadata"]["language_info"] = {"name": "python", "version": "3.13.1"}
    for cell in made["cells"]:
        cell["source"] = "".join(cell["source"])
        cell["metadata"]["trusted"] = True
    saved = json.dumps(made, indent=4)
    copies.write(saved)
    copies.refresh("first\nof all")
    assert path.read_text() == saved  # its results are not thrown away for nothing
    copies.refresh("second")
    assert copies.texts == {"one": "second"}
    assert not capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "{", "[]", '{"cells": 3}', '{"cells": [{}]}'])
def test_a_copy_that_is_no_notebook_any_more_is_the_readers(copies, text):
    copies.write(text)
    copies.refresh("second")
    assert (copies.folder / "one.ipynb").read_text() == text
    assert (copies.folder / "one (new version).ipynb").is_file()


def test_a_copy_follows_its_chapter_to_another_number_with_the_readers_work(copies, capsys):
    copies.refresh("second", "02-one")
    assert copies.texts == {"02-one": "second"}
    assert not capsys.readouterr().out
    copies.change("second", "mine", "02-one")
    copies.refresh("third", "05-one")
    assert copies.texts == {"05-one": "mine", "05-one (new version)": "third"}
    assert "Your copy 02-one.ipynb is now called 05-one.ipynb.\n" in capsys.readouterr().out


def test_no_copy_takes_the_place_of_another(copies):
    copies.change("first", "mine,")
    copies.write((copies.folder / "one.ipynb").read_text(), "01-one")
    copies.refresh("second", "01-one")
    assert copies.texts == {"one": "mine,\nof all", "01-one": "mine,\nof all"}
