"""What the tests of chapters need: a chapter that was run, and its claims held against it."""

import pytest

from bookwork.book.check_numbers import wrong_numbers
from bookwork.book.run_chapter import FOLDER, run_chapter, run_text

__all__ = ["FOLDER", "assert_claims", "fail_with", "run_chapter", "run_text"]


def fail_with(faults):
    """Fail with the sentences of the faults, if there are any, and nothing around them."""
    faults = list(faults)
    if faults:
        pytest.fail("\n".join(map(str, faults)), pytrace=False)


def assert_claims(chapter, claims):
    """Require that each claim stands once in the prose, and that its numbers are those computed."""
    fail_with(wrong_numbers(chapter, claims))
