"""Pages as notebooks: what becomes of their directives, and the copies of the reader."""

import ast
import json
import os
import re

import nbformat
import pytest
from checks import run_python

from tools import ROOT, my_notebooks, notebooks, require_book
from tools.my_notebooks import BESIDE, refresh
from tools.notebooks import INSTALLS

HEAD = "---\njupytext: {text_representation: {format_name: myst}}\n"
HEAD += "kernelspec: {name: python3}\n---\n\n"
RAW = re.compile(r"^ *:::|^ *`{3,}\{|\{[\w:]+\}`|^\([\w-]+\)=$|<script|thebe", re.M)
CONFIG = """project = "Small"
extensions = ["bookwork", "myst_nb", "sphinx_design", "sphinx_exercise", "tools.notebooks"]
exclude_patterns = ["_build"]
html_theme = "sphinx_book_theme"
myst_enable_extensions = ["colon_fence", "dollarmath"]
nb_execution_mode = "off"
numfig = True
bookwork_house_style = True
"""
START = "# Start\n\n```{toctree}\n:numbered: 1\n\none_more\ntwo\n```\n"
TWO = "(sec-two)=\n# Two\n\n```{math}\n:label: eq-two\nx\n```\n"
CODE = "```{code-cell}\nx = 1\n```\n\n```{code-cell}\n:tags: [remove-cell]\ny = 2\n```\n"
SHOWN = {  # what a page says, and what its notebook
    ":::{dropdown} Say <1> or $k$\nTry *this*.\n:::": (
        "<details>\n<summary>Say &lt;1&gt; or $k$</summary>\n\nTry *this*.\n\n</details>"
    ),
    ":::{exercise} In one\n:label: ex-one\n\nWrite *it*.\n:::": (
        '<a id="ex-one"></a>\n\n### Exercise 1.1: In one\n\n> Write *it*.'
    ),
    ":::{admonition} Predict\n:class: tip\nWhat\n\nnow?\n:::": (
        "> **Predict**\n> \n> What\n> \n> now?"
    ),
    # a formula in a quotation holds no marks of it
    ":::{note}\nHere $a\nb$.\n:::": "> **Note**\n> \n> Here $a b$.",
    # what only the page has gives way to words for notebooks
    "Before.\n\n:::{only} html\nPress *Edit*.\n:::\n:::{only} notebook\nClick.\n:::": (
        "Before.\n\nClick."
    ),
    "```{math}\n:label: eq-one\na \\\\\n b\n```": (
        '<a id="equation-eq-one"></a>\n\n$$\n\\begin{split}a \\\\\n b\\end{split} \\tag{1.1}\n$$'
    ),
    # what looks like Markdown is text, or code that is left alone
    r"A \*star\*, \$5 and \<b\>, a_b.": r"A \*star\*, \$5 and \<b>, a_b.",
    "````markdown\n:::{note}\n{eq}`eq-one`\n:::\n````": (
        "```markdown\n:::{note}\n{eq}`eq-one`\n:::\n```"
    ),
    "- one\n- two\n\n  3. three\n  4. four": "- one\n\n- two\n\n  3. three\n  4. four",
    '```{csv-table} Times.\n:name: tab-times\n\nway,"time, in s"\nloop,3\n```': (
        '<a id="tab-times"></a>\n\n**Table 1.1.** Times.\n\n'
        "| way | time, in s |\n| --- | --- |\n| loop | 3 |"
    ),
    "```{figure} dot.svg\n:name: fig-dot\n:alt: A dot\n\nA dot.\n```": (
        '<a id="fig-dot"></a>\n\n![A dot](data:image/svg+xml;base64,PHN2Zy8+)\n\n'
        "**Figure 1.1.** A dot."
    ),
    "As {eq}`eq-one` and {eq}`eq-two`.": (
        "As [(1.1)](#equation-eq-one) and [(2.1)](02-two.ipynb#equation-eq-two)."
    ),
    "See {ref}`sec-two` or {doc}`two <two>`.": (
        "See [chapter 2](02-two.ipynb#sec-two) or [two](02-two.ipynb)."
    ),
    "On [the web](https://example.org).": "On [the web](https://example.org).",
}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return the folder of a small book whose page shows everything, built."""
    folder = tmp_path_factory.mktemp("small")
    page = HEAD + "# One\n\n" + "\n\n".join([*SHOWN, CODE])
    pages = {"index.md": START, "one_more.md": page, "two.md": TWO, "dot.svg": "<svg/>"}
    for name, text in (pages | {"conf.py": CONFIG}).items():
        (folder / name).write_text(text, encoding="utf-8")
    return build(folder)


def build(folder):
    options = "-m sphinx -q -b html . _build/pages"
    done = run_python(*options.split(), cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    return folder


def text_of(notebook):
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    return "\n\n".join(cell["source"] for cell in cells)


@pytest.mark.parametrize("text", SHOWN)
def test_a_notebook_shows_directives_and_roles_in_plain_markdown(small, text):
    made = nbformat.read(small / "_build/pages/notebooks/01-one-more.ipynb", 4)
    assert f"\n\n{SHOWN[text]}\n\n" in f"{text_of(made)}\n\n"


def test_a_notebook_has_what_the_page_removes_folded_and_installs_what_it_needs(small):
    made = nbformat.read(small / "_build/pages/notebooks/01-one-more.ipynb", 4)
    code = [cell for cell in made["cells"] if cell["cell_type"] == "code"]
    assert [cell["source"] for cell in code[1:]] == ["x = 1", "y = 2"]
    assert [cell["metadata"].get("jupyter") for cell in code[1:]] == [None, {"source_hidden": True}]
    assert code[0]["source"].startswith("%pip install --quiet ")
    assert code[0]["metadata"] == {"tags": [INSTALLS]}
    assert made["cells"][0]["source"] == notebooks.START
    assert "# %pip install" in (small / "_build/pages/notebooks/01-one-more.py").read_text()
    page = (small / "_build/pages/one_more.html").read_text()
    assert ("<em>Edit</em>" in page, "Click." in page) == (True, False)
    assert 'href="notebooks/01-one-more.ipynb"' in page


def test_chapters_that_get_other_numbers_have_no_notebooks_of_the_old_ones(small):
    (small / "index.md").write_text(START.replace("one_more\ntwo", "two\none_more"))
    build(small)
    names = [path.name for path in (small / "_build/pages/notebooks").glob("*.ipynb")]
    assert sorted(names) == ["00-index.ipynb", "01-two.ipynb", "02-one-more.ipynb"]


@pytest.fixture(scope="module")
def made():
    require_book()
    folder = ROOT / "_build" / "html" / "notebooks"
    return {path.stem: nbformat.read(path, 4) for path in sorted(folder.glob("*.ipynb"))}


def test_no_notebook_shows_raw_marks_or_speaks_of_the_buttons_of_the_page(made):
    buttons = r"\*(?:Run|Edit|Run & check|Your progress|Redraw[^*]*|Next hint)\*"
    for name, notebook in made.items():
        nbformat.validate(notebook)
        assert not RAW.findall(text_of(notebook)), name
        assert name.endswith("-teaching") or not re.findall(buttons, text_of(notebook)), name


def test_a_link_to_a_figure_leads_above_it_and_a_caption_stands_below(made):
    cells = made["02-queries-keys-values"]["cells"]
    sources = [cell["source"] for cell in cells]
    (place,) = [k for k, text in enumerate(sources) if text.endswith('<a id="fig-shelf"></a>')]
    kinds = [cell["cell_type"] for cell in cells[place : place + 3]]
    assert kinds == ["markdown", "code", "markdown"]
    assert sources[place + 2].startswith("**Figure 2.")
    assert cells[place + 1]["metadata"]["jupyter"] == {"source_hidden": True}


def test_every_link_between_notebooks_leads_to_a_place(made):
    texts = {name: text_of(notebook) for name, notebook in made.items()}
    places = {
        (n, p) for n, text in texts.items() for p in re.findall(r'<a id="([^"]+)"></a>', text)
    }
    for name, text in texts.items():
        links = re.findall(r"\]\(([\w-]*?)(?:\.ipynb)?#([^)]+)\)", text)
        assert {(file or name, place) for file, place in links} <= places, name
        assert set(re.findall(r"\]\(([\w-]+)\.ipynb\)", text)) <= made.keys(), name
    assert len(places) > 100


def test_the_python_files_are_python_with_the_cells_in_order(made):
    for name, notebook in made.items():
        cells = [c for c in notebook["cells"] if c["cell_type"] == "code"]
        script = (ROOT / "_build/html/notebooks" / f"{name}.py").read_text()
        ast.parse(script)
        own = [c["source"] for c in cells if INSTALLS not in c["metadata"].get("tags", ())]
        at = 0
        for source in own:  # a ValueError if one is missing, or comes too early
            at = script.index(source, at) + len(source)
        assert not re.search(r"base64|<a id=|\]\(#|\]\(\d\d-", script)


def test_a_copy_to_work_in_installs_nothing(made, tmp_path):
    my_notebooks.main(tmp_path / "mine")
    copies = {path.stem: nbformat.read(path, 4) for path in (tmp_path / "mine").glob("*.ipynb")}
    assert copies.keys() == made.keys()
    for name, notebook in copies.items():
        assert "%pip" not in str(notebook["cells"]), name
        assert len(made[name]["cells"]) - len(notebook["cells"]) in (0, 2)


def update(folder, text, name="one"):
    """Bring the reader's copies up to date with a book whose only chapter says this."""
    cell = nbformat.v4.new_markdown_cell(text, id="a")
    refresh(folder, {f"{name}.ipynb": nbformat.writes(nbformat.v4.new_notebook(cells=[cell]))})


def bring(folder, text, name="one"):
    """Do so, and return what the copies say then."""
    update(folder, text, name)
    return {
        path.stem: nbformat.read(path, 4)["cells"][0]["source"] for path in folder.glob("*.ipynb")
    }


def change(path, old, new):
    path.write_text(path.read_text().replace(old, new))


@pytest.fixture
def one(tmp_path):
    """Return a copy that nobody has changed."""
    assert bring(tmp_path, "first\nof all") == {"one": "first\nof all"}
    return tmp_path / "one.ipynb"


def test_an_unchanged_copy_is_refreshed_without_a_word_and_a_removed_one_comes_back(one, capsys):
    assert bring(one.parent, "second") == {"one": "second"}
    one.unlink()
    assert bring(one.parent, "second") == {"one": "second"}
    made = json.loads(one.read_text())
    made["cells"][0] |= {"source": ["second"], "metadata": {"trusted": True}}
    one.write_text(saved := json.dumps(made, indent=4))  # opened, run and saved
    bring(one.parent, "second")
    assert one.read_text() == saved  # its results are not thrown away for nothing
    assert bring(one.parent, "third") == {"one": "third"}
    assert bring(one.parent, "third", "02-one") == {"02-one": "third"}
    assert not capsys.readouterr().out


def test_a_changed_copy_is_kept_and_every_new_version_is_put_beside_it_once(one, capsys):
    change(one, "first", "mine,")
    bring(one.parent, "first\nof all")
    assert not capsys.readouterr().out
    for _ in range(2):
        bring(one.parent, "second")
    assert capsys.readouterr().out.count("its new version is beside it") == 1
    mine = {"one": "mine,\nof all"}
    assert bring(one.parent, "second again") == mine | {f"one{BESIDE}": "second again"}
    change(one.parent / f"one{BESIDE}.ipynb", "second again", "mine too")
    mine |= {f"one{BESIDE}": "mine too"}
    assert bring(one.parent, "third") == mine | {f"one{BESIDE * 2}": "third"}
    assert bring(one.parent, "third", "05-one") == mine | {"05-one": "third"}  # another number
    (one.parent / ".written").unlink()  # now all are the reader's own
    assert bring(one.parent, "fourth", "05-one") == mine | {"05-one": "third"}


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"cells": 3}', b'{"cells": [{}]}', b"\xff"])
def test_a_copy_that_is_no_notebook_any_more_is_the_readers(one, data):
    one.write_bytes(data)
    update(one.parent, "second")
    assert one.read_bytes() == data
    assert one.with_stem(f"one{BESIDE}").is_file()
