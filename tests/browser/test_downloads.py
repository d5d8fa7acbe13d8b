"""A large file that a cell needs: offered, fetched when asked for, and taken up again.

A small model stands in for SmolLM2, and a server that is sometimes at fault for one that is.
"""

import base64
import functools
import hashlib
import json

import pytest
from bookwork.site.serve import Handler
from browser.conftest import ROOT, serving
from playwright.sync_api import expect
from test_language_model import CONTENT

from attention_lib.models.smollm2 import NAME

CHAPTER = "chapters/a_real_language_model.html"
NEEDS = "This needs SmolLM2 itself: 0 MB, which your browser fetches once."
FAULTS = ["the server responds with 503", "it arrived damaged"]
LARGE = (
    "Huge needs 3000 MB of memory, more than this page can have now. "
    "Press Restart Python, close other tabs, or run the chapter in JupyterLab."
)


class Faulty(Handler):
    """Serve the book with a small model, at the third request: first not at all, then damaged."""

    def __init__(self, *parts, asked, **options):
        self.asked = asked
        super().__init__(*parts, **options)

    def do_GET(self):
        if self.path.endswith("/small.bin"):
            self.answer_file()
        elif self.path.endswith("_pyodide/index.json"):
            self.answer(json.dumps(offering()).encode(), "application/json")
        else:
            super().do_GET()

    def answer_file(self):
        self.asked.append(self.path)
        if len(self.asked) == 1:
            self.send_error(503)
        else:
            content = b"?" * len(CONTENT) if len(self.asked) == 2 else CONTENT
            self.answer(content, "application/octet-stream")


def offering():
    """Return what the worker reads about Python, with a small SmolLM2 and one that is too large."""
    index = json.loads((ROOT / "_build" / "html" / "_pyodide" / "index.json").read_text())
    data = next(iter(index["lazy"].values())).rpartition("/")[0]
    integrity = f"sha256-{base64.b64encode(hashlib.sha256(CONTENT).digest()).decode()}"
    small = {"title": "SmolLM2", "path": f"{data}/{NAME}", "size": len(CONTENT), "memory": 1}
    huge = {"title": "Huge", "path": f"{data}/huge", "size": 1, "memory": 3000}
    same = {"name": "small.bin", "integrity": integrity}
    return index | {"downloads": [small | same, huge | same]}


@pytest.fixture
def asked():
    return []


@pytest.fixture
def page(window, site, asked):
    """The chapter, on a server that keeps a list of when it was asked for the file."""
    with serving(functools.partial(Faulty, directory=site, asked=asked)) as address:
        page = window().new_page()
        page.goto(f"{address}/{CHAPTER}")
        yield page


def test_a_file_is_fetched_when_asked_for_and_kept(page, asked):
    field = page.get_by_role("textbox", name="beginning")
    cell = page.locator("div.cell", has=field)
    status, fetch = cell.locator(".book-status").last, cell.get_by_role("button", name="Fetch")
    field.fill("ab ab")
    field.press("Enter")
    expect(status).to_contain_text(NEEDS)
    assert asked == []
    expect(cell.locator(".book-stale")).to_have_text("Computed before your change.")
    for fault in FAULTS:
        fetch.press("Enter")
        expect(status).to_contain_text(f"SmolLM2 could not be fetched: {fault}. Try again.")
    fetch.press("Enter")
    expect(status).to_contain_text("Done")
    assert len(cell.locator(".book-own .book-stdout").inner_text()) > 20
    expect(cell.locator(".book-stale")).to_have_count(0)
    field.fill("a b")  # the model is there
    field.press("Enter")
    expect(status).to_contain_text("Done")
    check_it_is_there_after_a_reload(page)
    assert len(asked) == 3


OPENED = """import os, pathlib
path = pathlib.Path({!r})
sizes = [len(path.read_bytes()), len(path.read_bytes())]
with path.open("rb") as one, path.open("rb") as two:
    os.close(os.dup(one.fileno()))
    sizes += [len(one.read()), len(two.read())]
display(sizes)"""
TWICE = """async ([small, huge, code]) => {
  const python = bookCells.makePython({});
  await python.download({ path: small, title: "SmolLM2" });
  let shown = null;
  const result = await python.run("a test", code, { onOutput: ({ bundle }) => (shown = bundle) });
  const refused = await python.download({ path: huge, title: "Huge" });
  return [result.error?.message ?? null, shown?.["text/plain"], refused.error.message];
}"""


def check_it_is_there_after_a_reload(page):
    """And it can be opened again, and twice at once. One that is too large is not even fetched."""
    page.reload()
    small, huge = (each["path"] for each in offering()["downloads"])
    found = page.evaluate(TWICE, [small, huge, OPENED.format(small)])
    assert found == [None, str([len(CONTENT)] * 4), LARGE]
