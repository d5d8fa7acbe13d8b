"""What a build does after a change: what depends on it, and nothing else.

A small book of plain Sphinx is changed in one way after another, and built each time.
"""

import shutil

from small_books import HEAD, run, write

ALL = ["a", "b", "notes"]
STALL = 'html_title = "A stall"\nbookwork_'
RAN = 'open("{0}.ran", "w").close()'
CELL = f"```{{{{code-cell}}}} ipython3\nfrom shop import {{0}}\n{RAN}\n{{0}}()\n```\n"
BOOK = {
    "conf.py": 'extensions = ["myst_nb", "bookwork"]\nhtml_theme = "alabaster"\n'
    'bookwork_package = "shop"\nnb_execution_mode = "cache"\nexclude_patterns = ["_build"]\n',
    "index.md": "# A shop\n\n```{toctree}\na\nb\nnotes\n```\n",
    "a.md": f"{HEAD}# A\n\n{CELL.format('price')}",
    "b.md": f"{HEAD}# B\n\n{CELL.format('weight')}",
    "notes.md": "(sec-notes)=\n# Notes\n",
    "shop/__init__.py": "from .goods import *\n",
    "shop/goods.py": "def price():\n    return 1100 + 11\n\ndef weight():\n    return 2200 + 22\n",
}
FIGURE = """
```{code-cell} ipython3
import numpy as np
from bookwork.live import bars, live, slider

live(lambda p: np.array([1.0, 2.0]) ** p, bars(["a", "b"]), name="Powers", p=slider(1, 3, 1))
```
"""
HOUSE = {  # with the frames of its figure in files
    "conf.py": BOOK["conf.py"].replace("alabaster", "sphinx_book_theme")
    + "bookwork_house_style = True\nbookwork_inline_limit = 1\n",
    "b.md": BOOK["b.md"] + FIGURE,
}
# In order: file, what is replaced, by what; then pages written, cells run, what the pages show.
CHANGES = {
    "a sentence": ("a.md", "# A\n", "# A\n\nCheap.\n", ["a"], [], "Cheap."),
    "it again": ("a.md", "Cheap.", "Dear.", ["a"], [], "Dear."),
    "a cell": ("b.md", "weight()", "weight() + 3", ["b"], ["weight"], "2225"),
    "a function": ("shop/goods.py", "1100 + 11", "1100 + 33", ["a"], ["price", "weight"], "1133"),
    "a fault": ("notes.md", "# Notes\n", "# Notes\n\n{ref}`sec-nots`\n", ["notes"], [], "sec-nots"),
    "its mending": ("notes.md", "sec-nots", "sec-notes", ["notes"], [], "Notes"),
    "a setting": ("conf.py", "bookwork_", STALL, ALL, [], "A stall"),
    "a page": ("c.md", "", "# C\n\nJust written.\n", ["c"], [], "Just written."),
    "the contents": ("index.md", "notes\n", "notes\nc\n", ["c"], [], "Just written."),
}
ALWAYS = {"genindex", "search", "index"}  # written in every build; the last has the contents


def times(folder, pattern):
    """Return when each file was written."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob(pattern)}


def changed(before, after):
    """Return the names of the files that were written in between."""
    paths = [path for path in after if after[path] != before.get(path)]
    return sorted({path.stem.split("-")[0] for path in paths} - ALWAYS)


def test_a_change_writes_the_pages_and_runs_the_chapters_that_depend_on_it(tmp_path):
    site = tmp_path / "_build" / "html"
    write(tmp_path, BOOK)
    assert build(tmp_path)[0] == 0
    for name, (file, old, new, pages, cells, shown) in CHANGES.items():
        before, runs = times(site, "*.html"), times(tmp_path, "*.ran")
        path = tmp_path / file
        path.write_text(path.read_text().replace(old, new, 1) if path.is_file() else new)
        code, words = build(tmp_path)
        assert code == 0, name
        assert changed(before, times(site, "*.html")) == pages, name
        assert changed(runs, times(tmp_path, "*.ran")) == cells, name
        assert any(shown in (site / f"{page}.html").read_text() for page in pages), name
        if name == "a fault":
            assert words == "notes.md:4: there is no label sec-nots; did you mean sec-notes?\n"


def build(folder, *arguments):
    command = ["bookwork", "build", *arguments] if arguments else ["bookwork.site.build"]
    return run(folder, "-m", *command, BOOKWORK_PYTHON="0")


def test_one_page_is_built_alone_and_the_next_build_writes_what_else_has_changed(tmp_path):
    """Also where nothing is known of the others."""
    site = tmp_path / "_build" / "html"
    write(tmp_path, BOOK | HOUSE)
    assert build(tmp_path)[0] == 0
    frames = sorted(site.glob("_static/book-frames/*/*.js"))
    for page in "ab":
        path = tmp_path / f"{page}.md"
        path.write_text(f"{path.read_text()}\nCheap.\n")
    before = times(site, "*.html")
    code, said = build(tmp_path, "a")
    assert (code, changed(before, times(site, "*.html"))) == (0, ["a"]), said
    assert build(tmp_path)[0] == 0
    assert changed(before, times(site, "*.html")) == ["a", "b"]
    shutil.rmtree(tmp_path / "_build" / ".doctrees")
    code, said = build(tmp_path, "a")
    assert code == 0, said
    assert frames
    assert sorted(site.glob("_static/book-frames/*/*.js")) == frames
    assert build(tmp_path)[0] == 0
    assert "weight" in (site / "search-index.js").read_text()


def test_a_chapter_that_is_saved_while_others_run_is_run_as_it_is_now(tmp_path):
    cell = "```{code-cell} ipython3\n3000 + 333\n```\n"
    saved = BOOK["b.md"].replace("# B\n", f"# B\n\n+++\n\n{cell}")
    saving = f"```{{code-cell}} ipython3\nopen('b.md', 'w').write({saved!r})\n```\n"
    write(tmp_path, BOOK | {"a.md": BOOK["a.md"] + saving})
    code, said = build(tmp_path)
    assert (code, said) == (0, "")
    page = (tmp_path / "_build" / "html" / "b.html").read_text()
    assert all(shown in page for shown in ("3333", "2222"))
