"""Set-up shared by all tests: one BLAS thread, and how many examples hypothesis draws."""

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


@pytest.fixture
def rng():
    return np.random.default_rng(0)
