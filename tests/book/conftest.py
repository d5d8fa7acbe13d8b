"""Let failed assertions inside book/chapters.py show their values."""

import pytest

pytest.register_assert_rewrite("book.chapters")
