"""The reference of the library: every definition has its place, its code and who uses it."""

import pickle
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from book.chapters import built, words_of
from docutils import nodes
from docutils.utils import new_document

from bookwork.book.reference_text import definitions
from bookwork.sphinx import library
from bookwork.sphinx.page_python import CELLS

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.stem for path in (ROOT / "reference").glob("*.md"))
DIRECTIVE = re.compile(r"^```\{(?:library|reference)\} (\S+)$", re.M)


def modules_in(path):
    return DIRECTIVE.findall((ROOT / path).read_text(encoding="utf-8"))


def test_the_page_of_the_library_lists_the_modules_that_have_pages():
    described = [module for page in PAGES for module in modules_in(f"reference/{page}.md")]
    assert sorted(described) == sorted(modules_in("chapters/library.md"))


@pytest.mark.parametrize("name", PAGES)
def test_every_definition_has_its_place_its_first_sentence_and_its_code(name):
    page, overview = built(f"reference/{name}.html"), built("chapters/library.html")
    text = words_of(page)
    for module in modules_in(f"reference/{name}.md"):
        for made in definitions(module, ROOT / "attention_lib"):
            assert f'id="{made.name}"' in page
            assert f'href="../reference/{name}.html#{made.name}"' in overview
            assert re.split(r"[`'\"<>:]", made.summary)[0] in text
            assert " ".join(made.code.split()) in text


def test_chapters_and_reference_lead_to_each_other():
    chapter, page = built("chapters/self_attention.html"), built("reference/projections.html")
    there = '<a class="book-api" href="../reference/projections.html#attention_lib.self_attention">'
    assert there in chapter
    used = re.search(r'id="attention_lib.self_attention".*?<p>Used in: (.*?)</p>', page, re.S)[1]
    assert 'href="../chapters/self_attention.html"' in used


def read(text, warned):
    """Return what becomes of a text, and the files that it depends on."""
    files, source = [], [text]
    library.logger = SimpleNamespace(warning=lambda words, *values, **_: warned(words % values))
    env = SimpleNamespace(note_dependency=lambda path: files.append(path.name))
    config = SimpleNamespace(bookwork_package="attention_lib")
    app = SimpleNamespace(srcdir=ROOT, config=config, env=env)
    library.write_reference(app, "chapters/library", source)
    return source[0], files


def test_a_module_becomes_its_definitions_and_a_change_of_its_file_is_noticed():
    text, files = read("Before.\n\n```{reference} weights\n```\n", pytest.fail)
    signature = "softmax(x, axis=-1, temperature=1.0, mask=None, sink=None)"
    assert f".. py:function:: attention_lib.{signature}" in text
    assert text.startswith("Before.\n\n```{eval-rst}\n")
    assert files == ["weights.py", "__init__.py"]


@pytest.mark.parametrize("what", ["library", "reference"])
def test_a_module_that_is_not_there_gets_a_sentence(what):
    said = []
    read(f"```{{{what}}} masks\n```\n", said.append)
    assert said == ["the library has no module masks"]


def test_a_page_is_written_again_when_another_chapter_uses_what_it_describes(monkeypatch):
    monkeypatch.setattr(library, "reading_order", sorted)
    monkeypatch.setattr(library, "places_in", lambda env: {"reference/weights"})
    names = {"bookwork_package": "attention_lib", "bookwork_exercises": "attention_exercises"}
    app, env = SimpleNamespace(srcdir=ROOT, config=SimpleNamespace(**names)), Environment()
    env.metadata = {"chapters/a": {CELLS: [{"code": "from attention_lib import softmax"}]}}
    assert library.find_users(app, env) == ["reference/weights"]
    assert app.book_users == {"attention_lib.softmax": ["chapters/a"]}
    assert library.find_users(app, env) == []
    env.metadata["chapters/b"] = env.metadata["chapters/a"]
    assert library.find_users(app, env) == ["reference/weights"]


class Environment(SimpleNamespace):
    """What Sphinx knows of the pages."""

    def __iter__(self):
        return iter(self.metadata)


def test_what_is_kept_of_a_page_holds_that_page_alone():
    page, other = (new_document(name) for name in ("page", "other"))
    other += nodes.paragraph("", "made by eval-rst")
    page += other.children
    other.kept = "all that was read"
    page[0].document = other
    library.gather(None, page)
    page.settings = page.reporter = None
    assert b"all that was read" not in pickle.dumps(page)


HIGHLIGHTED = """<span></span><span class="kn">from</span> <span class="nn">attention_lib</span> \
<span class="kn">import</span> <span class="n">attention</span><span class="p">,</span> \
<span class="n">unknown</span>
<span class="n">attention</span><span class="p">(</span><span class="n">Q</span>
"""


def test_names_that_code_imports_are_links_and_the_text_stays_the_same():
    known = {"attention_lib.attention": "pooling.html#attention_lib.attention"}
    made = library.linked(HIGHLIGHTED, known.get)
    assert made.count("<a ") == 1
    assert 'pooling.html#attention_lib.attention"><span class="n">attention</span></a>' in made
    assert words_of(made) == words_of(HIGHLIGHTED)
