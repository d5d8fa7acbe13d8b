"""The page of the library has every public name, with the first sentence of its docstring."""

import inspect
import re

import pytest
from built_book import built, words_of

import attention_lib


@pytest.mark.parametrize("name", attention_lib.__all__)
def test_every_public_name_is_described_with_its_example_and_leads_to_its_code(name):
    made, page = getattr(attention_lib, name), built("chapters/library.html")
    described = page.partition(f'id="{made.__module__}.{name}"')[2].partition('<dt class="sig')[0]
    assert f"#{made.__module__}.{name}" in described
    first = re.match(r"(\w+ ?)+", inspect.getdoc(made))[0]  # words, up to a formula
    assert first in words_of(described)
    assert "&gt;&gt;&gt;" in described
    assert "_modules/" in described
