"""The built book in Chromium: the fixtures are those that bookwork has for tests of any book."""

from bookwork.testing.pages import (  # noqa: F401  fixtures
    browser,
    desk,
    page,
    patience,
    server,
    table,
    window,
)
