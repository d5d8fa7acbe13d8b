"""For tests of a built book: its pages in Chromium, its Python and its search in Node.

A book's own tests begin with a fixture, in `conftest.py`, and what it says of a page::

    from bookwork.testing.pages import browser, page, patience, server, window

    @pytest.fixture(scope="session")
    def site():
        return Path("_build/html")

Then ``def test_…(page, server)`` has a page that fails its test if anything was asked of another
host or any error was logged. It needs pytest and Playwright.
"""

import pytest

pytest.register_assert_rewrite(*(f"{__name__}.{name}" for name in ("pages", "shown", "looks")))
