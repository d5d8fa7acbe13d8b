"""Set-up shared by all tests: one BLAS thread, hypothesis, and which tests go first."""

import os
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read once, when NumPy is imported

import numpy as np
import pytest
from bookwork.exercises import running
from hypothesis import settings

pytest.register_assert_rewrite("checks", "chapters")
running.TIME_LIMIT = 600.0  # an answer may take its time on a busy machine
settings.register_profile("default", max_examples=30, derandomize=True, deadline=None)
settings.load_profile("default")

# What takes longest begins first, so that no worker is left with it while the others have nothing.
LONGEST = ["tests/site/test_cells_in", "tests/site/", "tests/exercises/test_answers"]
CHAPTERS = {path.stem for path in Path(__file__).parent.parent.glob("chapters/*.md")}


@pytest.hookimpl(tryfirst=True)  # before xdist looks which tests belong together
def pytest_collection_modifyitems(items):
    """Sort tests; those of a chapter or a file share a worker, which makes what they need once."""
    items.sort(key=lambda item: [not item.nodeid.startswith(place) for place in LONGEST])
    for item in items:
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(chapter_of(item) or item.nodeid.split("::")[0]))


def chapter_of(item):
    """Return the name of the chapter that a test of the book is about, or None."""
    if item.path.parent.name not in ("chapters", "site"):
        return None
    given = item.callspec.params.values() if hasattr(item, "callspec") else ()
    names = [getattr(each, "chapter", getattr(each, "name", each)) for each in given]
    stems = [Path(name).stem for name in names if isinstance(name, str)]
    return next((stem for stem in stems if stem in CHAPTERS), None)


@pytest.fixture
def rng():
    return np.random.default_rng(0)
