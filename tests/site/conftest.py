"""The built book in Chromium: the fixtures are those of bookwork's own tests, on this site."""

import pytest
from bookwork.testing.pages import browser, page, patience, server, window  # noqa: F401  fixtures
from built_book import SITE


@pytest.fixture(scope="session")
def site():
    if not (SITE / "searchindex.js").is_file():
        pytest.fail("the book is not built: run make book first")
    return SITE
