"""The pages of the book as they were built."""

import html
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "chapters"
SITE = FOLDER.parent / "_build" / "html"


def built(name):
    """Return a page of the site as it was built."""
    if not (SITE / name).is_file():
        pytest.fail("the book is not built: run make book first")
    return (SITE / name).read_text(encoding="utf-8")


def words_of(page):
    """Return the words of a page, or of a part of it."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", page)).split())
