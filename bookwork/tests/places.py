"""Where the tests of bookwork find what they test."""

from pathlib import Path

from bookwork.book.files import PACKAGE as SOURCES
from bookwork.book.files import WEB

__all__ = ["BOOK", "BOOKWORK", "BUILT", "CACHE", "PROJECT", "REPOSITORY", "SOURCES", "TESTS", "WEB"]

TESTS = Path(__file__).parent
PROJECT = TESTS.parent  # bookwork, with its documentation and its examples
REPOSITORY = PROJECT.parent
BOOKWORK = SOURCES.parent  # from which it can be imported
BOOK = TESTS / "book"
BUILT = TESTS / "_build" / "book"
CACHE = REPOSITORY / ".cache" / "python"
