"""The packages that cells import: found, fetched, locked by digest; what cannot be had is told."""

import hashlib
import io
import json
import zipfile

import pytest

from bookwork.book.book import Book
from bookwork.build import build_python, packages, wheels

HEAD = """---
jupytext:
  text_representation:
    format_name: myst
kernelspec:
  name: python3
---
"""
CONFIG = "title: A book\nsphinx:\n  config:\n    bookwork_packages: [{}]\n"


def wheel(name, *needs, version="1.0"):
    """Return a wheel of pure Python."""
    made, info = io.BytesIO(), f"{name}-{version}.dist-info/METADATA"
    lines = [f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {each}" for each in needs)]
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(f"{name}/__init__.py", "")
        archive.writestr(info, "\n".join(lines))
    return made.getvalue()


TOY = wheel("toy")
ENTRY = wheels.package_entry("toy", "toy-1.0-cp314-none-wasm32.whl", "1.0", ["numpy"], ["toy"])
PYPI = {
    "small": wheel("small", "smaller>=1", "numpy", "far; extra == 'all'"),
    "smaller": wheel("smaller"),
    "strict": wheel("strict", "smaller<1"),
    "late": wheel("late", "toy"),
    "heavy": wheel("heavy", "compiled"),
}


@pytest.fixture(autouse=True)
def world(monkeypatch):
    """Pyodide has one more package, toy, and PyPI those above; return what was asked of it."""
    asked, kept = [], [packages.pyodide_packages, packages.base, packages.of_import]
    known = kept[0]() | {"toy": ENTRY | {"sha256": hashlib.sha256(TOY).hexdigest()}}

    def pip(requirement):
        asked.append(requirement)
        name = packages.Requirement(requirement).name
        if name not in PYPI:
            raise wheels.BuildError(f"pip could not fetch {name}")
        return {f"{name}-1.0-py3-none-any.whl": PYPI[name]}

    monkeypatch.setattr(packages, "pyodide_packages", lambda: known)
    monkeypatch.setattr(wheels, "download", lambda address: TOY)
    monkeypatch.setattr(wheels, "from_pip", pip)
    for function in kept[1:]:
        function.cache_clear()
    yield asked
    for function in kept[1:]:
        function.cache_clear()


@pytest.fixture
def book(tmp_path):
    """Return a function that writes a book with these cells, and settings; it is prepared."""

    def write(*codes, asked="", **files):
        (tmp_path / "_config.yml").write_text(CONFIG.format(asked))
        (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: page\nchapters: [{file: note}]")
        cells = "\n".join(f"```{{code-cell}} ipython3\n{code}\n```\n" for code in codes)
        (tmp_path / "page.md").write_text(f"{HEAD}# A page\n\n{cells}")
        note = {"cells": [{"cell_type": "code", "source": [files.get("note", "1")]}]}
        (tmp_path / "note.ipynb").write_text(json.dumps(note))
        return [str(fault) for fault in packages.prepare(Book(tmp_path))]

    return write


def found(root):
    return sorted(packages.result_of(root)["packages"])


def test_what_cells_import_is_found_in_pages_and_notebooks_and_fetched(book, tmp_path):
    assert book("import numpy, os", "%matplotlib inline\nimport toy.part") == []
    assert found(tmp_path) == ["toy"]
    assert (tmp_path / ".cache/python" / ENTRY["file_name"]).read_bytes() == TOY
    assert book("1", note="from toy import x") == []
    assert found(tmp_path) == ["toy"]
    assert book("1") == []
    assert found(tmp_path) == []
    assert not (tmp_path / packages.LOCK).exists()


def test_what_a_page_cannot_have_is_told_in_one_line_at_the_first_of_its_cells(book):
    assert book("x = 1\nimport torch", "import torch.nn", note="import tkinter, requests") == [
        "page.md:12: Python in a page does not have torch, tkinter, requests: "
        "no Run at cells with such imports"
    ]


def test_without_a_network_a_sentence_is_told_and_cells_are_marked(book, tmp_path, monkeypatch):
    def no_answer(address):
        raise OSError("no route to host")

    monkeypatch.setattr(wheels, "download", no_answer)
    (told,) = book("import toy")
    silent = "toy could not be fetched: Pyodide's server did not respond, and"
    assert told == f"page.md:11: {silent} pip could not fetch open-webui"
    assert found(tmp_path) == []
    lacks = packages.lacking(Book(tmp_path).settings, tmp_path)
    assert lacks("toy.part") == "toy, which Python in a page does not have"
    assert lacks("numpy.linalg") == lacks("sqlite3") == lacks("IPython.display") == ""


def test_a_package_of_a_silent_server_is_not_said_to_be_missing_there(book, monkeypatch):
    monkeypatch.setattr(wheels, "found_at_pyodide", lambda *_: {})  # nor has PyPI's wheel it
    (told,) = book("import toy")
    silent = "toy could not be fetched: Pyodide's server did not respond, and PyPI's"
    assert told == f"page.md:11: {silent} {wheels.CARRIER} does not have it"


def test_what_a_package_from_pypi_needs_of_pyodide_is_fetched(book, tmp_path, capsys):
    assert book("import late", asked="late") == []
    assert found(tmp_path) == ["late", "toy"]
    assert "Fetching 1 wheel for" in capsys.readouterr().out


def test_pure_python_comes_from_pypi_with_what_it_needs_and_is_locked(book, tmp_path, world):
    assert book("import small", asked="small") == []
    lock = (tmp_path / packages.LOCK).read_text()
    digest = hashlib.sha256(PYPI["smaller"]).hexdigest()
    assert f"\nsmaller==1.0 --hash=sha256:{digest}\n" in lock
    assert found(tmp_path) == ["small", "smaller"]
    assert world == ["small", "smaller>=1"]
    assert book("import small", asked="small") == []
    assert world == ["small", "smaller>=1"]  # nothing is fetched twice


def test_a_wheel_with_another_digest_than_the_lock_is_not_used(book, tmp_path):
    (tmp_path / packages.LOCK).write_text(f"small==1.0 --hash=sha256:{'0' * 64}\n")
    (told,) = book("1", asked="small")
    assert told.startswith("_config.yml:4: small-1.0-py3-none-any.whl has the SHA-256")
    assert found(tmp_path) == []


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            "small==1.0, small==2.0",
            "bookwork_packages asks for two versions: small==1.0 and small==2.0",
        ),
        ("toy==2.0", "toy==2.0 is asked for, but readers' Python can have only 1.0"),
        (
            "small, strict",
            "strict needs more: smaller<1 is asked for, but readers' Python can have only 1.0",
        ),
        (
            "heavy",
            "heavy needs more: no wheel of compiled in pure Python was fetched: "
            "pip could not fetch compiled",
        ),
        ("'small or not'", "bookwork_packages: small or not names no package"),
    ],
)
def test_what_cannot_be_had_is_told_with_the_line_of_the_setting(book, asked, told):
    assert book("1", asked=asked) == [f"_config.yml:4: {told}"]


def test_a_package_that_is_named_in_vain_is_told_once(book):
    (told,) = book("import heavy", asked="heavy")
    assert told.startswith("_config.yml:4: heavy needs more: ")


def test_the_pages_python_has_them_and_knows_which_import_needs_which(tmp_path, book):
    book("import small", asked="small")
    entries = packages.result_of(tmp_path)["packages"] | packages.base()
    needed = build_python.packages_by_import(entries, ())
    assert needed["small"] == ["numpy", "smaller", "small"]
    assert "small" not in needed["numpy"]
