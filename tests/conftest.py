"""Set-up shared by all tests: one BLAS thread, hypothesis, and which tests go first."""

import os
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read once, when NumPy is imported

import numpy as np
import pytest
from hypothesis import settings

pytest.register_assert_rewrite("checks", "chapters")
settings.register_profile("default", max_examples=30, derandomize=True, deadline=None)
settings.load_profile("default")

# What takes longest begins first, so that no worker is left with it while the others have nothing.
LONGEST = ["tests/lab/", "tests/browser/test_second", "tests/browser/"]
LONGEST += ["tests/book/test_cells_in", "tests/exercises/test_answers_in", "tests/book/test_add_a"]
LONGEST += ["tests/book/test_build", "tests/book/test_foreign", "tests/book/test_author"]
LONGEST += ["tests/exercises/test_answers"]
ALONE = {"browser", "lab"}  # folders of long tests: each goes to the next free worker
CHAPTERS = {path.stem for path in Path(__file__).parent.parent.glob("chapters/*.md")}


@pytest.hookimpl(tryfirst=True)  # before xdist looks which tests belong together
def pytest_collection_modifyitems(items):
    """Sort tests; those of a chapter or a file share a worker, which makes what they need once."""
    items.sort(key=lambda item: [not item.nodeid.startswith(place) for place in LONGEST])
    for item in items:
        if item.path.parent.name not in ALONE and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(chapter_of(item) or item.nodeid.split("::")[0]))


def chapter_of(item):
    """Return the name of the chapter that a test of the book is about, or None."""
    if item.path.parent.name not in ("book", "chapters"):
        return None
    given = item.callspec.params.values() if hasattr(item, "callspec") else ()
    names = [getattr(each, "chapter", getattr(each, "name", each)) for each in given]
    return next((name for name in names if isinstance(name, str) and name in CHAPTERS), None)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture(scope="session")
def bookwork_wheel(tmp_path_factory):
    """Return the wheel of bookwork as it is released, built once for the tests of its group."""
    from checks import run  # noqa: PLC0415 after its assertions are rewritten

    folder = tmp_path_factory.mktemp("dist")
    run("make", "--no-print-directory", "dist", f"DIST={folder}", cwd=Path(__file__).parents[1])
    (wheel,) = folder.glob("bookwork-*.whl")
    return wheel
