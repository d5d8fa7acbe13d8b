"""What the site offers as files: notebooks that run elsewhere, with the numbers of the pages."""

import os
import re
import shutil
import sys
import venv
from pathlib import Path

import nbformat
import pytest
from built_book import SITE, built
from chapters.page import all_pages
from checks import run

from tools import ROOT

OFFERED = SITE / "notebooks"
RUN = """
import sys, nbformat
from nbclient import NotebookClient
for file in sys.argv[1:]:
    notebook = nbformat.read(file, 4)
    where = nbformat.v4.new_code_cell("import attention_lib; print(attention_lib.__file__)")
    notebook.cells.append(where)
    patience = dict.fromkeys(("timeout", "startup_timeout", "iopub_timeout"), 600)
    NotebookClient(notebook, kernel_name="python3", **patience).execute()
    print(notebook.cells[-1].outputs[0].text.strip())
"""
SCRIPT = """
import runpy, sys, attention_lib
from bookwork.live.figure import Drawing
runpy.run_path(sys.argv[1])
print("function makeChart" in str(Drawing._esm), attention_lib.__file__)
"""
FRESH = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def notebooks():
    """Return the names of the notebooks, each with the page that it is made of."""
    pages = [page.name for page in all_pages(ROOT)]
    first = pages.index("why_attention")
    numbers = ["00", "00a", "00b"][:first] + [f"{k:02d}" for k in range(1, len(pages))]
    return {f"{k}-{page.replace('_', '-')}": page for k, page in zip(numbers, pages, strict=False)}


def test_numbers_are_those_of_the_built_pages():
    """Figures, exercises and equations have one number, in the page and in the notebook."""
    for name, chapter in notebooks().items():
        page = built(f"chapters/{chapter}.html")
        shown = re.findall(r'caption-number">((?:Figure|Exercise|Table) \d[\d.]*)', page)
        shown += re.findall(r'eqno">\(([\d.]+)\)', page)
        cells = nbformat.read(OFFERED / f"{name}.ipynb", 4)["cells"]
        text = "\n".join(cell["source"] for cell in cells)
        own = re.findall(r"^(?:\*\*|### )((?:Figure|Exercise|Table) [\d.]*\d)[.:]", text, re.M)
        assert sorted(shown) == sorted(own + re.findall(r"\\tag\{([\d.]+)\}", text))


def test_every_page_offers_its_own_notebook_and_the_wheels():
    for name, chapter in notebooks().items():
        page = built(f"chapters/{chapter}.html")
        offered = re.findall(r'href="\.\./(notebooks/[^"]+)"', page)
        assert [Path(file).name for file in offered[:2]] == [f"{name}.ipynb", f"{name}.py"]
        assert [Path(file).suffix for file in offered[2:4]] == [".whl"] * 2
        assert all((SITE / file).is_file() for file in offered)


def copy_offered(folder):
    """Copy the notebooks and the wheel that the site offers."""
    if not OFFERED.is_dir():
        pytest.fail("the notebooks of the site are not built: run make book first")
    shutil.copytree(OFFERED, folder, dirs_exist_ok=True)


def test_a_downloaded_script_runs_with_the_wheel(tmp_path):
    """In a folder that knows nothing of this repository, with the files that the site offers."""
    copy_offered(tmp_path)
    install = ["-m", "uv", "pip", "install", "--quiet", "--no-deps", "--target"]
    printed(sys.executable, *install, tmp_path / "site", *tmp_path.glob("*.whl"), folder=tmp_path)
    files = sorted(tmp_path.glob("*.py"))
    assert [file.stem for file in files] == list(notebooks())
    script = tmp_path / "03-attention-pooling.py"
    said = printed(sys.executable, "-c", SCRIPT, script, folder=tmp_path / "site")
    assert "51.2" in said
    assert said.splitlines()[-1].startswith(f"True {tmp_path}")  # not that of this repository


@pytest.mark.rare  # fetches half of an environment, and starts a kernel for each chapter
def test_every_downloaded_notebook_runs_with_the_wheel_and_nothing_else(tmp_path):
    """In a new environment, from the files that the site offers."""
    copy_offered(tmp_path)
    venv.create(tmp_path / "venv", with_pip=True)  # the notebooks install the wheel themselves
    python = tmp_path / "venv" / "bin" / "python"
    install = ["-m", "pip", "install", "--quiet", "--no-compile"]
    printed(python, *install, "nbclient", "ipykernel", folder=tmp_path)
    files = sorted(tmp_path.glob("*.ipynb"))
    places = printed(python, "-W", "ignore", "-c", RUN, *files, folder=tmp_path).splitlines()
    assert len(places) == len(files)
    assert all(str(tmp_path) in place for place in places)  # not the library of this repository
    assert "51.2" in printed(python, tmp_path / "03-attention-pooling.py", folder=tmp_path)


def printed(*command, folder):
    """Return what a command prints in an environment that knows nothing of this repository."""
    done = run(*command, cwd=folder, env=FRESH)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
