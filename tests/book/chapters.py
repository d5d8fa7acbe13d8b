"""What the tests of chapters need: a chapter that was run, and its claims held against it."""

import html
import itertools
import re
from functools import cache
from pathlib import Path

import pytest
from book.reading import Page, read_page
from book.run_chapter import run_page

FOLDER = Path(__file__).parents[2] / "chapters"
SITE = FOLDER.parent / "_build" / "html"


def built(name):
    """Return a page of the site as it was built."""
    if not (SITE / name).is_file():
        pytest.fail("the book is not built: run make book first")
    return (SITE / name).read_text(encoding="utf-8")


def words_of(page):
    """Return the words of a page, or of a part of it."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", page)).split())


@cache
def run_chapter(name):
    """Run the cells of a chapter, once for all tests of a process."""
    return run_page(read_page(FOLDER.parent, f"chapters/{name}.md"))


def run_text(name, text):
    """Run the text of a chapter."""
    return run_page(Page(f"chapters/{name}.md", text))


def fail_with(faults):
    """Fail with the sentences of the faults, if there are any, and nothing around them."""
    faults = list(faults)
    if faults:
        pytest.fail("\n".join(map(str, faults)), pytrace=False)


def by_definition(c):
    """Compute nothing: the claim says what a symbol means, or what a cell beside it is given."""
    return []


def find(chapter, start):
    """Return the visible cell that has a line with this beginning, and is no exercise."""
    cells = [cell for cell in chapter.cells if cell.visible and not cell.starter]
    (found,) = [cell for cell in cells if f"\n{start}" in f"\n{cell.code}"]
    return found


def printed(chapter, start):
    """Return what such a cell printed, line by line."""
    return find(chapter, start).printed.splitlines()


def grid(figure, *names):
    """Return every combination of the values of some controls of a figure, by their names."""
    axes = {axis.name: axis.values for axis in figure.axes}
    every = itertools.product(*(axes[name] for name in names))
    return (dict(zip(names, values, strict=True)) for values in every)
