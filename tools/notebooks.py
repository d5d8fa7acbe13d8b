"""Make a notebook of every chapter: for the site's downloads, or for the reader to work in.

    python -m tools.notebooks site    _build/notebooks: each chapter as .ipynb and .py, one wheel
    python -m tools.notebooks mine    my-notebooks: copies to work in, refreshed where unchanged
    python -m tools.notebooks lite x  the folder x: the notebooks for JupyterLite

A reader's work is never overwritten: my-notebooks/.written remembers a digest of what was written,
and a copy that no longer has it is the reader's. If its chapter changes, the new version is put
beside it. Opening a notebook, running it and saving it is work too.
"""

import argparse
import hashlib
import json
import re
from itertools import chain, count
from pathlib import Path

import jupytext
import nbformat

from tools.make_dist import build_wheel
from tools.notebook_book import ROOT, Book
from tools.notebook_text import caption, convert

SITE = ROOT / "_build" / "notebooks"
MINE = ROOT / "my-notebooks"
RECORD = ".written"
HIDING = {"remove-input", "hide-input", "remove-cell"}
NO_PICTURE = re.compile(r"!\[(?P<alt>[^]]*)\]\(data:[^)]*\)")
NEEDS = """*A chapter of the book* Paying Attention. *To run it, install the book's library, from
the file that the book's site offers beside this notebook:* `pip install "{wheel}[figures]"`"""
LITE_KERNEL = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["site", "mine", "lite"])
    parser.add_argument("folder", type=Path, nargs="?")
    options = parser.parse_args(arguments)
    if options.what == "site":
        write_site(options.folder or SITE)
    elif options.what == "mine":
        refresh(options.folder or MINE, all_notebooks())
    else:
        for name, made in all_notebooks(kernel=LITE_KERNEL).items():
            (options.folder / f"{name}.ipynb").write_text(as_text(made), encoding="utf-8")


# a chapter as a notebook


def all_notebooks(note="", kernel=KERNEL):
    """Return the notebook of every page of the book, by its name."""
    book = Book()
    return {name: notebook(book, name, note, kernel) for name in book.chapters}


def notebook(book, name, note="", kernel=KERNEL):
    """Return a chapter as a notebook without outputs; its cells have ids that stay the same."""
    cells = [made for cell in book.chapters[name] for made in convert_cell(book, cell)]
    if note:
        cells.insert(1, nbformat.v4.new_markdown_cell(note))
    for k, cell in enumerate(cells):
        cell["id"] = f"{name.replace('_', '-')}-{k}"[-64:]
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": dict(kernel)})


def convert_cell(book, cell):
    """Return what stands in the notebook for one cell of the chapter."""
    if cell["cell_type"] == "markdown":
        text = convert(cell["source"], book)
        return [nbformat.v4.new_markdown_cell(text)] if text else []
    tags = cell["metadata"].get("tags", [])
    code = nbformat.v4.new_code_cell(cell["source"], metadata={"tags": tags} if tags else {})
    if HIDING & set(tags):
        code["metadata"]["jupyter"] = {"source_hidden": True}
    figure = cell["metadata"].get("mystnb", {}).get("figure")
    if not figure:
        return [code]
    below = caption(figure.get("name", ""), figure["caption"], book)
    return [code, nbformat.v4.new_markdown_cell(below)]


def as_text(made):
    """Return a notebook as the text of its file."""
    return nbformat.writes(made) + "\n"


def as_script(made):
    """Return a notebook as a plain Python file; drawings are told by their descriptions."""
    for cell in made["cells"]:
        cell["source"] = NO_PICTURE.sub(r"[Figure: \g<alt>]", cell["source"])
        cell["metadata"] = {}
    made["metadata"] = {"jupytext": {"notebook_metadata_filter": "-all"}}
    return jupytext.writes(made, fmt="py:percent")


# the site's downloads


def write_site(folder):
    """Write every notebook, as .ipynb and .py, and the wheel that they need."""
    wheel, data = build_wheel()
    folder.mkdir(parents=True, exist_ok=True)
    files = {wheel: data}
    for name, made in all_notebooks(NEEDS.format(wheel=wheel)).items():
        files[f"{name}.ipynb"] = as_text(made).encode()
        files[f"{name}.py"] = as_script(made).encode()
    for path in folder.iterdir():
        if path.name not in {*files, "built-for"}:
            path.unlink()
    for name, content in files.items():
        write_if_new(folder / name, content)


def write_if_new(path, content):
    if not path.is_file() or path.read_bytes() != content:
        path.write_bytes(content)


# the reader's copies


def refresh(folder, notebooks):
    """Bring the copies up to date, except those that the reader changed; say what was done."""
    folder.mkdir(exist_ok=True)
    record_path = folder / RECORD
    written = json.loads(record_path.read_text()) if record_path.is_file() else {}
    for name, made in notebooks.items():
        for sentence in refresh_one(folder, f"{name}.ipynb", as_text(made), written):
            print(sentence, flush=True)
    record_path.write_text(json.dumps(written, indent=1) + "\n")


def refresh_one(folder, name, text, written):
    """Bring one copy up to date; yield a sentence if the reader has to know."""
    path, new = folder / name, digest(text)
    if is_ours(path, written):
        path.write_text(text, encoding="utf-8")
    elif name in written and new != written[name]:
        beside = place_beside(path, written)
        beside.write_text(text, encoding="utf-8")
        written[beside.name] = new
        yield (
            f"The book has a new version of {name}, which you have changed: yours is kept, "
            f'the new one is beside it as "{beside.name}".'
        )
    written[name] = new


def is_ours(path, written):
    """Tell whether a copy is missing, or still as it was written."""
    return not path.is_file() or digest(path.read_text(encoding="utf-8")) == written.get(path.name)


def place_beside(path, written):
    """Return where a new version goes: beside the reader's copy, over no other of the reader's."""
    numbers = chain([""], map(" {}".format, count(2)))
    names = (f"{path.stem} (new version{number}).ipynb" for number in numbers)
    return next(place for name in names if is_ours(place := path.with_name(name), written))


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    main()
