"""What `make watch` does after a change: what depends on it, and nothing else.

A small book of plain Sphinx is changed in one way after another. Each time, the loop says which
pages it wrote and which chapters it ran.
"""

import json

import pytest
from book.small_books import BUNDLE, HEAD, run, write

CELL = "```{{code-cell}} ipython3\nfrom shop import {0}\n\n{0}()\n```\n"
BOOK = {
    "conf.py": 'extensions = ["myst_nb", "bookwork"]\nhtml_theme = "alabaster"\n'
    'bookwork_package = "shop"\nnb_execution_mode = "cache"\nexclude_patterns = ["_build"]\n',
    "index.md": "# A shop\n\n```{toctree}\na\nb\nnotes\n```\n",
    "a.md": f"{HEAD}# A\n\n{CELL.format('price')}",
    "b.md": f"{HEAD}# B\n\n{CELL.format('weight')}",
    "notes.md": "(sec-notes)=\n# Notes\n",
    "shop/__init__.py": "from shop.goods import price, weight\n",
    "shop/goods.py": "def price():\n    return 1100 + 11\n\ndef weight():\n    return 2200 + 22\n",
}
CHANGES = {  # in order: file, what is replaced, by what
    "a sentence": ("a.md", "# A\n", "# A\n\nCheap.\n"),
    "it again": ("a.md", "Cheap.", "Dear."),
    "a cell": ("b.md", "weight()", "weight() + 3"),
    "a function": ("shop/goods.py", "1100 + 11", "1100 + 33"),
    "a comment": ("shop/goods.py", "def weight", "# by hand\ndef weight"),
    "a fault": ("notes.md", "# Notes\n", "# Notes\n\n{ref}`sec-nots`\n"),
    "its mending": ("notes.md", "sec-nots", "sec-notes"),
    "a setting": ("conf.py", "bookwork_package", 'html_title = "A stall"\nbookwork_package'),
    "a page": ("c.md", "", "# C\n\nJust written.\n"),
    "the contents": ("index.md", "notes\n", "notes\nc\n"),
}
SCRIPT = """
import json, sys, time
from pathlib import Path
from bookwork.book.book import Book
from bookwork.build import build_book
from bookwork.commands import watch

def times(folder, pattern):
    return {path: path.stat().st_mtime_ns for path in Path("_build", folder).rglob(pattern)}

def changed(before, after):
    paths = [path for path in after if after[path] != before.get(path)]
    return sorted({path.stem.split("-")[0] for path in paths} - ALWAYS)

def settle(loop):
    loop.since = 0.0  # a page that is open has been loaded
    loop.follow_up()
    while loop.beside:
        time.sleep(0.05)
        loop.follow_up()

ALWAYS = {"genindex", "search", "index"}  # written anew in every build; the last has the contents
assert build_book.main() == 0
book = Book()
loop, known = watch.Loop(book, Path("_build/shown")), watch.look(book)
settle(loop)
for path, old, new in json.loads(sys.argv[1]):
    pages, outputs = times("html", "*.html"), times("outputs", "*.ipynb")
    loop.stamp.unlink(missing_ok=True)
    path = Path(path)
    path.write_text(path.read_text().replace(old, new) if path.is_file() else new)
    before, known = known, watch.look(book)
    loop.show(*watch.difference(book, before, known))
    wrote = changed(pages, times("html", "*.html"))
    ran = changed(outputs, times("outputs", "*.ipynb"))
    texts = {page: Path(f"_build/html/{page}.html").read_text() for page in wrote}
    settle(loop)
    print(json.dumps([loop.stamp.is_file(), wrote, ran, texts]), flush=True)
loop.drop_next()
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """Return what each change led to: shown or not, pages written, chapters run, texts, words."""
    folder = tmp_path_factory.mktemp("shop")
    write(folder, BOOK | BUNDLE)
    changes = json.dumps(list(CHANGES.values()))
    environment = {"PAGE_PYTHON": "0", "PYTHONDONTWRITEBYTECODE": ""}
    code, words = run(folder, "-c", SCRIPT, changes, **environment)
    assert code == 0, words
    said, results = [], []
    for line in words.splitlines():
        if line.startswith("["):
            results.append((*json.loads(line), said))
            said = []
        else:
            said.append(line)
    return dict(zip(CHANGES, results, strict=True))


pytestmark = pytest.mark.xdist_group("author's loop")


@pytest.mark.parametrize(
    ("change", "wrote", "ran", "shows"),
    [
        ("a sentence", ["a"], [], "Cheap."),
        ("it again", ["a"], [], "Dear."),
        ("a cell", ["b"], ["b"], "2225"),
        ("a function", ["a"], ["a"], "1133"),
        ("a comment", [], [], ""),
        ("its mending", ["notes"], [], "Notes"),
        ("a setting", ["a", "b", "notes"], [], "A stall"),
        ("the contents", ["c"], [], "Just written."),
    ],
)
def test_a_change_writes_the_pages_and_runs_the_chapters_that_depend_on_it(
    seen, change, wrote, ran, shows
):
    assert seen[change][:3] == (True, wrote, ran)
    assert all(shows in seen[change][3][page] for page in wrote)


def test_a_fault_is_told_in_one_sentence_and_the_page_is_shown(seen):
    shown, _, ran, _, said = seen["a fault"]
    assert (shown, ran) == (True, [])
    sentence = "notes.md:4: there is no label sec-nots; did you mean sec-notes?"
    assert said[:2] == ["notes.md changed", sentence]
