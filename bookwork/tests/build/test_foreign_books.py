"""Books that others wrote before they heard of bookwork: three lines in their settings suffice.

They have pages in their root and in nested folders, names with spaces, the same name twice,
formulas with macros of their own, magics, exercises that nobody checks, and one that is checked as
its author wrote it.
"""

import re
from pathlib import Path

import pytest
from bookwork.site import serve
from places import REPOSITORY
from small_books import run, write

HEAD = "---\nfile_format: mystnb\nkernelspec:\n  name: {}\n---\n"
CONFIG = """title: 'Old "waves" & new'
bibtex_bibfiles: [papers.bib]
execute:
  execute_notebooks: auto
parse:
  myst_enable_extensions: [colon_fence, dollarmath, amsmath]
sphinx:
  extra_extensions: [bookwork]
  config:
    bookwork_math: katex
    html_css_files: [own.css]
    html_static_path: [_static]
    templates_path: [_own]
    mathjax3_config:
      tex:
        macros:
          R: '\\mathbb{R}'
"""
TOC = """format: jb-book
root: index
parts:
  - caption: One
    chapters:
      - file: one/intro.md
        sections:
          - file: one/deep/intro
      - file: Große Wellen
  - caption: Two
    chapters:
      - file: papers
      - url: https://example.org
        title: Elsewhere
"""
LIVE = """```{code-cell} python
---
mystnb:
  figure:
    caption: Powers
    name: fig-NAME
---
import math
from dataclasses import dataclass

import matplotlib
import numpy as np
from bookwork.live import bars, live, slider

live(lambda p: np.array([1.0, 2.0]) ** p, bars(["a", "b"]), name="NAME", p=slider(1, 3, 1))
```
"""
PAGES = {
    "index.md": "# Waves\n\nSee {numref}`fig-one`, {eq}`wave` and {cite}`ada`.\n"
    "\n$$\n\\mbox{x} \\in \\R\n$$ (wave)\n"
    "\n$\\newcommand{\\half}{\\tfrac12} \\half \\half$ and $\\half$\n"
    "\n\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}\n",
    "one/intro.md": HEAD.format("conda-env-of-somebody-py") + "# One $\\chi^2$\n\n" + LIVE,
    "one/deep/intro.md": HEAD.format("python3") + "# Deep\n\n" + LIVE,
    "Große Wellen.md": HEAD.format("python3") + "# Große Wellen\n\n"
    "```{exercise} Nobody checks it\n:label: plain\nThink.\n```\n\n"
    "```{solution} plain\nThought.\n```\n\n" + LIVE,
    "papers.md": "# Papers\n\n```{bibliography}\n```\n",
    "papers.bib": "@misc{ada,\n  author = {Ada Lovelace},\n  title = {Notes},\n  "
    "year = {1843}\n}\n",
    "_static/own.css": "p { color: inherit }\n",
    "_own/copyright.html": "<p>Our own foot</p>\n",
    "venv/pyvenv.cfg": "home = elsewhere\n",
    "venv/lib/README.md": "not a page\n",
}


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    """Return the folder of an old Jupyter Book, in a place that has the name of a built part."""
    folder = tmp_path_factory.mktemp("notebooks") / "notebooks"
    pages = {path: text.replace("NAME", name_of(path)) for path, text in PAGES.items()}
    write(folder, pages | {"_config.yml": CONFIG, "_toc.yml": TOC})
    return folder


def name_of(path):
    """Name the figure of a page: those called intro by their folders."""
    return Path(path).parent.name if "intro" in path else Path(path).stem[:2]


pytestmark = [pytest.mark.rare, pytest.mark.xdist_group("foreign books")]


def build(folder):
    """Build the pages of a book; return the exit code and what is told of them."""
    if not (folder / ".cache").exists():
        (folder / ".cache").symlink_to(REPOSITORY / ".cache")  # what was fetched for this book
    code, words = run(folder, "-m", "bookwork.site.build")
    return code, re.sub(r"^Fetching .*\n", "", words, flags=re.M)


@pytest.fixture(scope="module")
def built(old):
    """Return the site of the old book."""
    assert build(old) == (0, "")
    return old / "_build" / "html"


def read(site, name):
    return (site / f"{name}.html").read_text(encoding="utf-8")


def test_pages_keep_their_templates_and_files_and_gain_their_figures(old, built):
    assert "<p>Our own foot</p>" in read(built, "index")
    for name in ("one/intro", "one/deep/intro", "Große Wellen"):
        page = read(built, name)
        assert f'"name": "{name_of(name)}"' in page, name
        assert re.search(r'src="[./]*_static/book/book\.js\?v=\w{8}"', page)
        assert "/_static/own.css?v=" in page.replace('="_static', '="/_static')
    assert "minutes to read" not in read(built, "Große Wellen")  # which has an unchecked exercise
    names = {path.relative_to(old).as_posix() for path in serve.look(old)}
    assert {"index.md", "papers.bib", "_static/own.css"} <= names
    assert not [name for name in names if name.startswith(("venv", "_build"))]


SPOKEN = re.compile("<annotation.*?</annotation>|<[^>]*>", re.S)


def test_formulas_are_set_with_the_macros_of_the_book_and_the_page_and_numbered_as_ever(built):
    page = read(built, "index")
    formulas = re.findall("<math.*?</math>", page, re.S)  # as screen readers read them
    title = "χ2"  # of the next page, in the contents and below
    said = [SPOKEN.sub("", each) for each in formulas]
    assert said == [title, "x∈R", "1212", "12", "a=bc=d", title]
    assert page.count('mathvariant="double-struck">R') == 1
    numbers = re.findall(r'eqno">(\(\d\))<a class="headerlink" href="#(equation-\w+)', page)
    assert [number for number, _ in numbers] == ["(1)", "(2)"]
    assert 'href="#equation-wave">(1)</a>' in page
    assert "mathjax" not in page.lower().replace("mathjax_ignore", "")
    assert "<title>One χ^2 " in read(built, "one/intro")
