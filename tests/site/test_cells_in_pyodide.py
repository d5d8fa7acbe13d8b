"""Every cell of every chapter, run by the page's Python in Node, prints what the book prints.

The cells and what they should print are those of the built pages; each chapter has variables of its
own. Of each live figure only the first frame is computed here. The chapters that compute longest
take longer than all others together: make test-all runs them.
"""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from bookwork.book.files import WEB
from bookwork.book.names import all_imported
from bookwork.exercises.verdicts import MIME as VERDICT
from bookwork.testing.pages import page_names
from built_book import FOLDER, SITE, built
from node_python import run_session

ROOT = FOLDER.parent
EXERCISES = "attention_exercises"

LONG = {"a_model_that_writes", "looking_inside", "what_came_after"}
LONG |= {"how_attention_learns", "making_it_fast"}
CELLS = re.compile(r'<script type="application/json" id="book-cells">(.*?)</script>', re.S)
NAMES = f"EXERCISES, VERDICT = {EXERCISES!r}, {VERDICT!r}"
SESSION = """
import json, pathlib, sys
import numpy as np

folder = pathlib.Path("/lib/book")
folder.mkdir()
for name, text in SOURCES.items():
    (folder / name).write_text(text)
sys.path.append(str(folder))
import runtime

sent = []
runtime.connect(lambda text: sent.append(json.loads(text)))
import attention_lib
from bookwork.live import figure

def first_frame(function, axes, start, kept):
    return {name: start[name][(None,) * len(axes)] for name in kept}

figure.evaluate = first_frame
AT_FIRST = dict(runtime.NAMESPACE)

def texts():
    for message in sent:
        yield message.get("text", "")
        bundle = message.get("bundle", {})
        if set(bundle) == {"text/plain"}:  # all other forms are drawn, not printed
            yield "\\n" + bundle["text/plain"] + "\\n"

def run(cell):
    sent.clear()
    checkers = EXERCISES if cell["exercise"] else None
    result = json.loads(runtime.run(f"cell {cell['index']}", cell["code"], checkers))
    verdicts = [message.get("bundle", {}).get(VERDICT) for message in sent]
    verdict = next(filter(None, reversed(verdicts)), {})
    return {"error": result["error"], "status": verdict.get("status"), "own": [*texts()]}

def run_chapter(cells):
    runtime.NAMESPACE.clear()
    runtime.NAMESPACE.update(AT_FIRST)
    with np.printoptions():
        return [run(cell) for cell in cells]

json.dumps({name: run_chapter(cells) for name, cells in json.loads(CELLS).items()})
"""


class Printed(HTMLParser):
    """Collects what the cells of a built page print, by the number of the cell."""

    def __init__(self, html):
        super().__init__()
        self.texts, self.around, self.in_pre = {}, [], False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag == "div":
            self.around.append((dict(attrs).get("class") or "").split())
        self.in_pre |= tag == "pre"

    def handle_endtag(self, tag):
        if tag == "div":
            self.around.pop()
        self.in_pre &= tag != "pre"

    def handle_data(self, data):
        classes = [name for names in self.around for name in names]
        if self.in_pre and "output" in classes and {"text_plain", "stream"} & set(classes):
            (number,) = [int(n.rpartition("-")[2]) for n in classes if n.startswith("book-cell-")]
            self.texts[number] = self.texts.get(number, "") + data


def cells_in(html):
    """Return the cells of a built page, or an empty list."""
    found = CELLS.search(html)
    return json.loads(found[1]) if found else []


def packages_for(chapters):
    """Return the packages that a page loads for what these cells import."""
    codes = [cell["code"] for cells in chapters.values() for cell in cells]
    names = {EXERCISES}.union(*map(all_imported, codes))
    known = json.loads(built("_pyodide/index.json"))["packages"]
    needed = [p for top, p in known.items() if any(f"{n}.".startswith(f"{top}.") for n in names)]
    return sorted({package for packages in needed for package in packages})


@pytest.mark.parametrize(
    "long", [pytest.param(False, id="short"), pytest.param(True, id="long", marks=pytest.mark.rare)]
)
def test_every_cell_prints_in_the_pages_python_what_the_book_prints(tmp_path, long):
    names = [name for name in page_names(SITE) if (Path(name).stem in LONG) == long]
    pages = {name: (SITE / name).read_text(encoding="utf-8") for name in names}
    chapters = {name: cells for name, html in pages.items() if (cells := cells_in(html))}
    assert len(chapters) >= (5 if long else 10)
    sources = {
        path.name: path.read_text(encoding="utf-8") for path in (WEB / "python").glob("*.py")
    }
    lines = [f"SOURCES = {sources!r}", f"CELLS = {json.dumps(chapters)!r}", NAMES, SESSION]
    (tmp_path / "session.py").write_text("\n".join(lines), encoding="utf-8")
    told = run_session(ROOT, tmp_path / "session.py", *packages_for(chapters))
    texts = {name: Printed(pages[name]).texts for name in chapters}
    faults = [
        f"{name}, {cell['code']}\n{fault}"
        for name, cells in chapters.items()
        for cell, found in zip(cells, told[name], strict=True)
        if (fault := fault_in(cell, found, texts[name]))
    ]
    assert not faults, "\n\n".join(faults)


def fault_in(cell, found, texts):
    """Say what is wrong with what a cell gave, or nothing."""
    if found["error"]:
        return found["error"]
    if cell["exercise"]:
        return "" if found["status"] == "not started" else found["status"] or "no verdict"
    own, expected = "".join(found["own"]).split(), texts.get(cell["index"], "").split()
    return "" if own == expected else f"expected {expected}, found {own}"
