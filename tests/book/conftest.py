"""A chapter that has run; and an answer may take its time on a busy machine."""

import pytest
from book.chapters import run_chapter

from bookwork.exercises import running

running.TIME_LIMIT = 600.0


@pytest.fixture(scope="module")
def chapter(request):
    """Return the chapter whose numbers a file is about, after its cells have run."""
    return run_chapter(request.path.stem.removeprefix("test_numbers_"))
