"""Make a notebook of every chapter: for the site's downloads, or for the reader to work in.

    python -m tools.notebooks       _build/notebooks: each chapter as .ipynb and .py, two wheels
    python -m tools.notebooks mine  my-notebooks: copies to work in, refreshed where unchanged

A reader's work is never overwritten: my-notebooks/.written has a digest of what was written, and a
copy whose cells differ from it belongs to the reader. If its chapter changes, the new version is
put beside it. Opening, running and saving a notebook changes no cell: such a copy is updated. When
a chapter gets another number, its copy is renamed with the reader's work.
"""

import argparse
import hashlib
import json
import re
from itertools import chain, count, groupby
from pathlib import Path

import jupytext
import nbformat

from bookwork.book.book import Book
from bookwork.book.cell_tags import HIDING
from bookwork.book.files import PACKAGE
from bookwork.book.notebook_text import anchor, caption, convert_blocks
from bookwork.book.pages import is_cell
from bookwork.book.references import References
from bookwork.build.steps import do_once
from tools import ROOT, wheels

SITE = ROOT / "_build" / "notebooks"
MINE = ROOT / "my-notebooks"
RECORD = ".written"
NO_PICTURE = re.compile(r"!\[(?P<alt>[^]]*)\]\(data:[^)]*\)")
LINK = re.compile(r"\[(?P<text>[^]]*)\]\((#|\d\d-)[^)]*\)")  # links to a place in a notebook
ANCHOR = re.compile(r'<a id="[^"]*"></a>\n*')
COPY = re.compile(r"(\d\d-)?(?P<chapter>.*?)(?P<beside> \(new version[ \d]*\))?\.ipynb")
START = """> **To begin, choose *Run › Run All Cells* in the menu.** Every cell then shows its
> result, and the live figures appear. To run one cell, click into it and press Shift+Enter. Change
> what you like: this notebook is your own copy of a chapter of the book *Paying Attention*."""
NEEDS = """> **It needs the book's library.** Put the files `{}` and `{}`, which the book's
> site offers beside this notebook, into the same folder. The next cell installs them."""
INSTALL = '%pip install --quiet "{}[figures]" "{}"'
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["site", "mine"], nargs="?", default="site")
    parser.add_argument("folder", type=Path, nargs="?")
    options = parser.parse_args(arguments)
    if options.what == "mine":
        refresh(options.folder or MINE, all_notebooks())
    else:
        folder = options.folder or SITE
        do_once(folder / "built-for", inputs(), lambda: write_site(folder))


# a chapter as a notebook


def all_notebooks(wheels=()):
    """Return the notebook of every page of the book, by the name of its file without ending."""
    book = References(Book(ROOT))
    files = book.notebooks
    return {files[name]: notebook(book, name, wheels) for name in book.chapters}


def notebook(book, name, wheels=()):
    """Return a chapter as a notebook without outputs; the ids of its cells never change."""
    seen, cells = book.within(name), []
    for are_cells, blocks in groupby(book.chapters[name].blocks, is_cell):
        if are_cells:
            for block in blocks:
                place_above(cells, block.figure_name)
                cells += code_cells(seen, block)
        elif text := convert_blocks(blocks, seen):
            cells.append(nbformat.v4.new_markdown_cell(text))
    set_number(cells[0], book.numbers[name])
    if any(cell["cell_type"] == "code" for cell in cells):
        cells = [*first_cells(wheels), *cells]
    for k, cell in enumerate(cells):
        cell["id"] = f"{name.replace('_', '-')}-{k}"[-64:]
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": dict(KERNEL)})


def set_number(cell, number):
    """Put the number of a chapter before its title, as on the page."""
    if number:
        cell["source"] = re.sub(r"^# +", f"# {number}. ", cell["source"], count=1, flags=re.M)


def first_cells(wheels):
    """Return the first cells: what to press and, if the library is missing, how to install it."""
    yield nbformat.v4.new_markdown_cell(START)
    if wheels:
        yield nbformat.v4.new_markdown_cell(NEEDS.format(*wheels))
        yield nbformat.v4.new_code_cell(INSTALL.format(*wheels))


def place_above(cells, label):
    """Point links to a figure above it, at the end of the text, not at the caption below."""
    if label and cells and cells[-1]["cell_type"] == "markdown":
        cells[-1]["source"] += f"\n\n{anchor(label)}"
    elif label:
        cells.append(nbformat.v4.new_markdown_cell(anchor(label)))


def code_cells(book, cell):
    """Return a code cell of the chapter as one of the notebook, and its caption below it."""
    tags = cell.tags
    code = nbformat.v4.new_code_cell(cell.body, metadata={"tags": tags} if tags else {})
    if HIDING & set(tags):
        code["metadata"]["jupyter"] = {"source_hidden": True}
    if not cell.figure:
        return [code]
    below = caption(cell.figure_name, cell.figure["caption"], book)
    return [code, nbformat.v4.new_markdown_cell(below)]


def as_text(made):
    """Return a notebook as the text of its file."""
    return nbformat.writes(made) + "\n"


def as_script(made):
    """Return a notebook as a plain Python file: text without links, drawings in words."""
    for cell in made["cells"]:
        if cell["cell_type"] == "markdown":
            text = NO_PICTURE.sub(r"[Figure: \g<alt>]", ANCHOR.sub("", cell["source"]))
            cell["source"] = LINK.sub(r"\g<text>", text)
        cell["metadata"] = {}
    made["metadata"] = {"jupytext": {"notebook_metadata_filter": "-all"}}
    return jupytext.writes(made, fmt="py:percent")


# the site's downloads


def inputs():
    """Return the files that the downloads are made of, and what the wheels are built from."""
    book = [ROOT / name for name in ("_toc.yml", "references.bib")]
    book += [*(ROOT / "chapters").iterdir(), *(ROOT / "images").iterdir()]
    book += [path for path in (ROOT / "benchmarks").iterdir() if path.suffix in (".csv", ".txt")]
    return [Path(__file__), *(PACKAGE / "book").glob("*.py"), *book, *wheels.inputs()]


def write_site(folder):
    """Write every notebook, as .ipynb and .py, and the wheels that they need."""
    print("Writing the chapters as notebooks into _build/notebooks", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    files = wheels.build_wheels()
    for name, made in all_notebooks(tuple(files)).items():
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
    """Update the copies, except those that the reader changed; say what was done."""
    folder.mkdir(exist_ok=True)
    record_path = folder / RECORD
    written = json.loads(record_path.read_text()) if record_path.is_file() else {}
    for name, made in notebooks.items():
        renamed = rename(folder, name, written)
        for sentence in [*renamed, *refresh_one(folder, f"{name}.ipynb", as_text(made), written)]:
            print(sentence, flush=True)
    record_path.write_text(json.dumps(written, indent=1) + "\n")


def rename(folder, name, written):
    """Rename copies to their chapter's number; yield a sentence for each that was changed."""
    for old in [copy for copy in written if chapter_of(copy) == chapter_of(f"{name}.ipynb")]:
        new = f"{name}{COPY.fullmatch(old)['beside'] or ''}.ipynb"
        if new == old or not (folder / old).is_file() or (folder / new).exists():
            continue
        if not is_ours(folder / old, written):
            yield f"Your copy {old} is now called {new}."
        (folder / old).rename(folder / new)
        written[new] = written.pop(old)


def chapter_of(name):
    """Return the chapter of a copy, whatever its number.

    >>> {chapter_of("why_attention.ipynb"), chapter_of("01-why-attention (new version 2).ipynb")}
    {'why-attention'}
    """
    return COPY.fullmatch(name)["chapter"].replace("_", "-")


def refresh_one(folder, name, text, written):
    """Update one copy; yield a sentence if the reader has to know."""
    path, new = folder / name, digest(text)
    if is_ours(path, written):
        if not path.is_file() or digest(read(path)) != new:
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
    """Return whether a copy is missing or unchanged."""
    return not path.is_file() or written.get(path.name) == digest(read(path))


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def place_beside(path, written):
    """Return a free path for a new version beside the reader's copy."""
    numbers = chain([""], map(" {}".format, count(2)))
    names = (f"{path.stem} (new version{number}).ipynb" for number in numbers)
    return next(place for name in names if is_ours(place := path.with_name(name), written))


def digest(text):
    """Return a digest of a notebook's cells, without their outputs."""
    try:
        cells = json.loads(text)["cells"]
        text = json.dumps([(cell["cell_type"], "".join(cell["source"])) for cell in cells])
    except (ValueError, KeyError, TypeError):
        pass  # no longer a notebook
    return hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    main()
