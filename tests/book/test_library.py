"""The page with the reference of the library: every definition has its place and its docstring."""

import importlib.util
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools.reference_text import definitions

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "_build" / "html" / "chapters" / "library.html"
SOURCE = (ROOT / "chapters" / "library.md").read_text(encoding="utf-8")


@pytest.fixture
def extension():
    spec = importlib.util.spec_from_file_location("library", ROOT / "_ext" / "library.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_definition_has_its_place_and_its_first_sentence():
    if not PAGE.is_file():
        pytest.fail("the book is not built: run make book first")
    page = PAGE.read_text(encoding="utf-8")
    text = " ".join(re.sub(r"<[^>]*>", "", page).split())
    for module in re.findall(r"^```\{library\} (\S+)$", SOURCE, re.M):
        for made in definitions(module):
            assert f'id="{made.name}"' in page
            assert re.split(r"[`'\"<>:]", made.summary)[0] in text


def read(extension, text, warned):
    """Return what becomes of a text, and the files that it depends on."""
    files, source = [], [text]
    extension.logger = SimpleNamespace(warning=lambda words, *values, **_: warned(words % values))
    env = SimpleNamespace(note_dependency=lambda path: files.append(path.name))
    extension.write_reference(SimpleNamespace(srcdir=ROOT, env=env), "chapters/library", source)
    return source[0], files


def test_a_module_becomes_its_definitions_and_a_change_of_its_file_is_noticed(extension):
    text, files = read(extension, "Before.\n\n```{library} weights\n```\n", pytest.fail)
    assert ".. py:function:: attention_lib.softmax(x, axis=-1, temperature=1.0, mask=None)" in text
    assert text.startswith("Before.\n\n```{eval-rst}\n")
    assert files == ["weights.py", "__init__.py"]


def test_a_module_that_is_not_there_gets_a_sentence(extension):
    said = []
    read(extension, "```{library} masks\n```\n", said.append)
    assert said == ["the library has no module masks"]
