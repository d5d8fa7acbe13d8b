"""Set-up shared by all tests: one BLAS thread, hypothesis, and which tests go first."""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read once, when NumPy is imported

import numpy as np
import pytest
from hypothesis import Phase, settings

pytest.register_assert_rewrite("checks")
settings.register_profile("default", max_examples=30, derandomize=True, deadline=None)
settings.register_profile(
    "mutation",
    settings.get_profile("default"),
    max_examples=8,
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# What takes longest begins first, so that no worker is left with it while the others have nothing.
LONGEST = ["tests/lab/", "tests/book/test_downloads", "tests/book/test_add_a", "tests/browser/"]
LONGEST += ["tests/book/test_cells_in", "tests/test_build_", "tests/test_dist"]
LONGEST += ["tests/exercises/test_answers_in"]


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: [not item.nodeid.startswith(place) for place in LONGEST])


@pytest.fixture
def rng():
    return np.random.default_rng(0)
