"""A large file that a cell needs: offered, fetched when asked for, and taken up again.

A server that is sometimes at fault stands for one that is.
"""

import functools
import json
import re

import pytest
from bookwork.site.serve import Handler
from bookwork.testing.pages import serving
from playwright.sync_api import expect

pytestmark = pytest.mark.python
CHAPTER = "chapters/sentences.html"
NEEDS = "This needs All recipes itself: 0 MB, which your browser fetches once."
FAULTS = ["the server responds with 503", "it arrived damaged"]
LARGE = (
    "Huge needs 3000 MB of memory, more than this page can have now. "
    "Press Restart Python, close other tabs, or run the chapter in JupyterLab."
)


class Faulty(Handler):
    """Serve the book, its large file at the third request: first not at all, then damaged."""

    def __init__(self, *parts, index, asked, **options):
        self.index, self.asked = index, asked
        super().__init__(*parts, **options)

    def do_GET(self):
        offered = self.path.endswith(self.index["downloads"][0]["name"])
        self.asked += [self.path] if offered else []
        if offered and len(self.asked) < 3:
            self.fail()
        elif self.path.endswith("_pyodide/index.json"):
            self.answer(json.dumps(self.index).encode(), "application/json")
        else:
            super().do_GET()

    def fail(self):
        if len(self.asked) == 1:
            self.send_error(503)
        else:
            self.answer(b"?" * self.index["downloads"][0]["size"], "application/octet-stream")


@pytest.fixture
def index(site):
    """Return what the worker reads about Python, with a file more, which is too large."""
    index = json.loads((site / "_pyodide" / "index.json").read_text())
    (recipes,) = index["downloads"]
    path = recipes["path"].rpartition("/")[0] + "/huge"
    huge = recipes | {"title": "Huge", "path": path, "memory": 3000}
    return index | {"downloads": [recipes, huge]}


@pytest.fixture
def asked():
    return []


@pytest.fixture
def page(window, site, index, asked):
    """The chapter, on a server that keeps a list of when it was asked for the file."""
    handler = functools.partial(Faulty, directory=site, index=index, asked=asked)
    with serving(handler) as address:
        page = window().new_page()
        page.goto(f"{address}/{CHAPTER}")
        yield page


def test_a_file_is_fetched_when_asked_for_and_kept(page, index, asked):
    field = page.get_by_role("textbox", name="beginning")
    cell = page.locator("div.cell", has=field)
    status, fetch = cell.locator(".book-status").last, cell.get_by_role("button", name="Fetch")
    field.fill("wait")
    field.press("Enter")
    expect(status).to_contain_text(NEEDS)
    assert asked == []
    expect(cell.locator(".book-stale")).to_have_text("Computed before your change.")
    for fault in FAULTS:
        fetch.press("Enter")
        told = f"All recipes could not be fetched: {fault}. Try again."
        expect(status).to_contain_text(told)
    fetch.press("Enter")
    expect(status).to_contain_text("Done")
    expect(cell.locator(".book-own .book-stdout")).to_have_text(re.compile("False"))
    expect(cell.locator(".book-stale")).to_have_count(0)
    field.fill("take flour and")  # the file is there
    field.press("Enter")
    expect(cell.locator(".book-own .book-stdout")).to_have_text(re.compile("True"))
    # it is there after a reload
    page.reload()
    recipes, huge = index["downloads"]
    code = OPENED.format(recipes["path"])
    found = page.evaluate(TWICE, [recipes["path"], huge["path"], code])
    assert found == [None, str([recipes["size"]] * 4), LARGE]
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
  await python.download({ path: small, title: "All recipes" });
  let shown = null;
  const result = await python.run("a test", code, { onOutput: ({ bundle }) => (shown = bundle) });
  const refused = await python.download({ path: huge, title: "Huge" });
  return [result.error?.message ?? null, shown?.["text/plain"], refused.error.message];
}"""
