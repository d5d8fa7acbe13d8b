"""A large file that a cell needs: offered, fetched when asked for, and taken up again.

A small model stands in for SmolLM2, and a server that is sometimes at fault for one that is.
"""

import functools
import hashlib
import json

import pytest
from browser.conftest import ROOT, serving
from playwright.sync_api import expect
from test_language_model import CONTENT

from attention_lib.fetch_model import NAME
from bookwork.commands.serve import Handler

CHAPTER = "chapters/a_real_language_model.html"
PIECE = 2048
PIECES = {
    f"{hashlib.sha256(piece).hexdigest()[:32]}.bin": piece
    for piece in (CONTENT[at : at + PIECE] for at in range(0, len(CONTENT), PIECE))
}
NEEDS = "This needs SmolLM2 itself: 0 MB, which your browser fetches once."
BROKEN = (
    "SmolLM2 could not be fetched: the server responds with 503. "
    "What has arrived is kept, so try again."
)
LARGE = (
    "Huge needs 3000 MB of memory, more than this page can have now. "
    "Press Restart Python, close other tabs, or run the chapter in JupyterLab."
)


class Faulty(Handler):
    """Serve the book with small pieces: first a damaged third one, and twice no last one."""

    def __init__(self, *parts, asked, **options):
        self.asked = asked
        super().__init__(*parts, **options)

    def do_GET(self):
        name = self.path.rpartition("/")[2].partition("?")[0]
        if name in PIECES:
            self.answer_piece(name)
        elif self.path.endswith("_pyodide/index.json"):
            self.answer(json.dumps(offering()).encode(), "application/json")
        else:
            super().do_GET()

    def answer_piece(self, name):
        number = [*PIECES].index(name) + 1
        self.asked.append(number)
        times = self.asked.count(number)
        if number == len(PIECES) and times < 3:
            self.send_error(503)
        else:
            is_damaged = number == 3 and times == 1
            self.answer(b"?" * PIECE if is_damaged else PIECES[name], "application/octet-stream")


def offering():
    """Return what the worker reads about Python, with a small SmolLM2 and one that is too large."""
    index = json.loads((ROOT / "_build" / "html" / "_pyodide" / "index.json").read_text())
    data = next(iter(index["lazy"].values())).rpartition("/")[0]
    small = {"title": "SmolLM2", "path": f"{data}/{NAME}", "size": len(CONTENT), "memory": 1}
    huge = {"title": "Huge", "path": f"{data}/huge", "size": 1, "memory": 3000}
    return index | {
        "downloads": [each | {"piece": PIECE, "pieces": [*PIECES]} for each in (small, huge)]
    }


@pytest.fixture
def asked():
    return []


@pytest.fixture
def page(window, site, asked):
    """The chapter, on a server that keeps a list of the pieces that it is asked for."""
    with serving(functools.partial(Faulty, directory=site, asked=asked)) as address:
        page = window().new_page()
        page.goto(f"{address}/{CHAPTER}")
        yield page


def test_a_file_is_fetched_when_asked_for_and_a_break_costs_only_what_is_missing(page, asked):
    field = page.get_by_role("textbox", name="beginning")
    cell = page.locator("div.cell", has=field)
    status, fetch = cell.locator(".book-status").last, cell.get_by_role("button", name="Fetch")
    field.fill("ab ab")
    field.press("Enter")
    expect(status).to_have_text(NEEDS)
    assert asked == []
    expect(cell.locator(".book-stale")).to_have_text("Computed before your change.")
    fetch.press("Enter")
    expect(status).to_have_text(BROKEN)
    count = len(PIECES)
    assert asked == [1, 2, 3, 3, *range(4, count + 1), count]  # a damaged piece comes again
    fetch.press("Enter")
    expect(status).to_contain_text("Done")
    assert asked[count + 2 :] == [count]
    assert len(cell.locator(".book-own .book-stdout").inner_text()) > 20
    expect(cell.locator(".book-stale")).to_have_count(0)
    field.fill("a b")  # the model is there
    field.press("Enter")
    expect(status).to_contain_text("Done")
    assert len(asked) == count + 3
    path = offering()["downloads"][1]["path"]
    result = page.evaluate("(path) => bookCells.python.download({ path, title: 'Huge' })", path)
    assert result["error"]["message"] == LARGE


OPENED = """import pathlib
path = pathlib.Path({!r})
sizes = [len(path.read_bytes()), len(path.read_bytes())]
with path.open("rb") as one, path.open("rb") as two:
    sizes += [len(one.read()), len(two.read())]
display(sizes)"""
TWICE = """async ([path, code]) => {
  const python = bookCells.makePython({});
  const fetched = [];
  for (let i = 0; i < 3; i++) fetched.push(await python.download({ path, title: "SmolLM2" }));
  let shown = null;
  const result = await python.run("a test", code, { onOutput: ({ bundle }) => (shown = bundle) });
  return [result.error?.message ?? null, shown?.["text/plain"]];
}"""


def test_a_file_can_be_opened_again_and_twice_at_once(page):
    path = offering()["downloads"][0]["path"]
    sizes = str([len(CONTENT)] * 4)
    assert page.evaluate(TWICE, [path, OPENED.format(path)]) == [None, sizes]
