"""What a build does after a change: what depends on it, and nothing else.

A small book of plain Sphinx is changed in one way after another, and built each time.
"""

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
ALWAYS = {"genindex", "search", "index"}  # written in every build; the last has the contents


def times(folder, pattern):
    """Return when each file was written."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob(pattern)}


def changed(before, after):
    """Return the names of the files that were written in between."""
    paths = [path for path in after if after[path] != before.get(path)]
    return sorted({path.stem.split("-")[0] for path in paths} - ALWAYS)


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """Return what each change led to: exit code, pages written, chapters run, texts, words."""
    folder, results = tmp_path_factory.mktemp("shop"), []
    site, outputs = folder / "_build" / "html", folder / "_build" / "outputs"
    write(folder, BOOK | BUNDLE)
    for name, old, new in [("index.md", "", ""), *CHANGES.values()]:
        pages, cells = times(site, "*.html"), times(outputs, "*.ipynb")
        path = folder / name
        path.write_text(path.read_text().replace(old, new) if path.is_file() else new)
        code, words = run(folder, "-m", "bookwork.build.build_book", PAGE_PYTHON="0")
        wrote = changed(pages, times(site, "*.html"))
        ran = changed(cells, times(outputs, "*.ipynb"))
        texts = {page: (site / f"{page}.html").read_text() for page in wrote}
        results.append((code, wrote, ran, texts, words))
    return dict(zip(CHANGES, results[1:], strict=True))


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
    assert seen[change][:3] == (0, wrote, ran)
    assert all(shows in seen[change][3][page] for page in wrote)


def test_a_fault_is_told_in_one_sentence_and_the_page_is_shown(seen):
    code, wrote, ran, _, words = seen["a fault"]
    assert (code, wrote, ran) == (0, ["notes"], [])
    assert words == "notes.md:4: there is no label sec-nots; did you mean sec-notes?\n"
