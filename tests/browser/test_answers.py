"""Every cell of every chapter runs in its page.

This is rare: tests/book/test_cells_in_pyodide.py runs the cells of the chapters in the same Python.
"""

import pytest
from book.printed import PRINTED
from browser.axe import check_accessible

pytestmark = pytest.mark.rare
CHAPTERS = ["welcome", *dict.fromkeys(each.chapter for each in PRINTED)]
RUN_ALL = """async () => {
  const told = [];
  for (const cell of bookCells.cells) {
    const find = (selector) => [...(cell.element?.querySelectorAll(selector) ?? [])];
    const texts = (selector) => find(selector).map((element) => element.textContent);
    const built = texts(".output.text_plain pre, .output.stream pre");
    const { ok, error, verdict } = await bookCells.run(cell);
    const own = texts(".book-stdout, .book-stderr, .book-value");
    told.push({ name: cell.name, ok, error, verdict, built, own });
  }
  return told;
}"""


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_cells_print_in_the_page_what_the_book_prints(page, server, chapter):
    page.goto(f"{server}/chapters/{chapter}.html")
    page.evaluate("() => window.bookWidgets.ready")
    for cell in page.evaluate(RUN_ALL):
        assert cell["ok"], f"{cell['name']}: {cell['error']}"
        if cell["name"].startswith("ex-"):
            assert cell["verdict"]["status"] == "not started", cell["name"]
        else:
            assert words(cell["own"]) == words(cell["built"]), cell["name"]
    assert page.locator(".book-own .book-widget-error").count() == 0
    check_accessible(page)


def words(texts):
    return "\n".join(texts).split()
