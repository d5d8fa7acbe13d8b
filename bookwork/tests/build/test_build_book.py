"""The build tells each fault of a chapter in one sentence, with its file and line, and no more.

The small book here has chapters with many faults at once. It is built twice: the second time, one
of them is mended, and the others, whose files have not changed, are told again.
"""

import re

from places import BOOK
from small_books import HEAD, run, write

SHARED = ["_config.yml", "references.bib", "shop"]
TOC = """format: jb-book
root: chapters/start
chapters:
  - file: chapters/figures
  - file: chapters/warnings
  - file: chapters/ends
"""
START = """# A small book

Its chapters are {ref}`sec-figures` and {ref}`the second <sec-warnings>`. Both {numref}`fig-later`
and {numref}`fig-wide` come to nothing, since their chapter fails before them.

There is no {numref}`fig-latter`, though, no {eq}`eq-nothing`,
no {cite}`crumb1905`, and no

```{directive}
```

(words)=
{ref}`sec-figurs` and {ref}`words` lead nowhere, but {ref}`these words <words>` do.

Neither $a$ nor
$\\unheard{b}$ is $\\frac{1}$, and

$$
c \\\\
\\begin{pmatrix} d
$$

:::{guess} A guess without an answer
:name: guess-open
What is lacking?
:::
"""
SHOWN = "\n![A picture](gone.png)\n"
MOVING = "\n(sec-moves)=\n## A section that moves\n"
FIGURES = f"""{HEAD}(sec-figures)=
# Figures

See {{numref}}`fig-later`.

```{{code-cell}} ipython3
---
mystnb:
  figure:
    caption: Too many numbers
    name: fig-wide
tags: [remove-input]
---
import numpy as np
from bookwork.live import bars, live, slider

names = [str(k) for k in range(1000)]


def wide(a, b):
    return np.linspace(a, b, 1000)


live(
    wide,
    bars(names),
    name="Wide",
    a=slider(0, 40, 1, name="a"),
    b=slider(0, 50, 1, name="b"),
)
```

```{{code-cell}} ipython3
---
mystnb:
  figure: {{caption: "Not reached", name: fig-later}}
---
live(lambda a: np.ones(1), bars(["x"]), name="x", a=slider(0, 1, 1, name="a"))
```
"""
WARNINGS = f"""{HEAD}(sec-warnings)=
# Warnings

```{{code-cell}} ipython3
import sys
import warnings
from shop import price_of

warnings.warn("this is old")
```

```{{code-cell}} ipython3
print("a hint", file=sys.stderr)
```

```{{code-cell}} ipython3
:tags: [remove-input]

def look(bread):
    return price_of(
        bread, [], []
    )


look("rye")
```
"""
ENDS = f"""{HEAD}# Ends

```{{code-cell}} ipython3
import os

os.write(2, b"the kernel's own words, such as a traceback\\n"), os._exit(1)
```
"""
NOT_DRAWN = "is not there: its cell failed, was not run, or drew nothing"
FIGURES_TOLD = [
    f"chapters/figures.md:12: the figure fig-later {NOT_DRAWN}",
    "chapters/figures.md:32: the figure fig-wide fails: ValueError: ",
]
START_TOLD = [
    f"chapters/start.md:3: the figure fig-later {NOT_DRAWN}",
    f"chapters/start.md:4: the figure fig-wide {NOT_DRAWN}",
    'chapters/start.md:6: could not find bibtex key "crumb1905"',
    "chapters/start.md:6: there is no label eq-nothing",
    "chapters/start.md:6: there is no label fig-latter; did you mean fig-later?",
    "chapters/start.md:9: Unknown directive type: 'directive'",
    "chapters/start.md:13: there is no label sec-figurs; did you mean sec-figures?",
    "chapters/start.md:13: what the label words marks has no title: say what to call it, "
    "as in {ref}`words <words>`",
    r"chapters/start.md:15: the formula \frac{1} cannot be set: "
    "Unexpected end of input in a macro argument, expected '}'",
    r"chapters/start.md:15: the formula \unheard{b} cannot be set: KaTeX does not know \unheard",
    r"chapters/start.md:18: the formula c \\ \begin{pmatrix} d cannot be set: "
    r"Mismatch: \begin{pmatrix} matched by \end{split}",
    "chapters/start.md:23: a guess ends with its answer, in a {dropdown}",
]
SHOWN_TOLD = "chapters/start.md:31: image file not readable: chapters/gone.png"
WARNINGS_TOLD = [
    "chapters/warnings.md:17: the cell warns: UserWarning: this is old",
    "chapters/warnings.md:21: the cell writes to stderr: a hint",
    "chapters/warnings.md:28: the cell fails: ValueError: 0 breads are called 'rye', "
    "and it should be one",
]
FAULTY = {
    "_toc.yml": TOC,
    "chapters/start.md": START + MOVING + SHOWN,
    "chapters/figures.md": FIGURES,
    "chapters/warnings.md": WARNINGS,
    "chapters/ends.md": ENDS,
}
ENDS_TOLD = "chapters/ends.md:12: the cell fails: DeadKernelError: Kernel died"


def build(folder):
    """Build a book as `make book` does; return its faults, but for how large a figure is."""
    done, words = run(folder, "-m", "bookwork.site.build", BOOKWORK_PYTHON="0")
    assert done == 1, words
    lines = [line for line in words.splitlines() if line.startswith("chapters/")]
    return [re.sub(r"this figure would need .* fewer$", "", line) for line in lines]


def test_each_fault_is_one_sentence_until_it_is_mended_and_a_label_may_move(tmp_path):
    """All else than the chapters is that of the fixture book."""
    for name in SHARED:
        (tmp_path / name).symlink_to(BOOK / name)
    write(tmp_path, FAULTY)
    told = [ENDS_TOLD, *FIGURES_TOLD, *START_TOLD]
    assert build(tmp_path) == [*told, SHOWN_TOLD, *WARNINGS_TOLD]
    mended = f"{HEAD}(sec-warnings)=\n# None\n{MOVING}"
    start = f"{START}\nSee {{ref}}`sec-moves`.\n"
    write(tmp_path, {"chapters/warnings.md": mended, "chapters/start.md": start})
    assert build(tmp_path) == told


def test_the_last_good_site_is_untouched_until_a_strict_book_has_no_fault(tmp_path):
    conf = 'extensions = ["myst_nb", "bookwork"]\nbookwork_strict = True\n'
    fetched = {".cache/python/shop/README.md": "of a package, and no page\n"}
    write(tmp_path, {"conf.py": conf} | fetched)
    page = tmp_path / "_build" / "html" / "index.html"
    for text, code, shown in [
        ("# Good\n", 0, "Good"),
        ("# Bad\n\n{ref}`gone`\n", 1, "Good"),
        ("# Better\n", 0, "Better"),
    ]:
        write(tmp_path, {"index.md": text})
        done = run(tmp_path, "-m", "bookwork.site.build", BOOKWORK_PYTHON="0")
        assert done[0] == code, done
        assert f"<h1>{shown}<" in page.read_text()


JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"
SMALL = {
    "_config.yml": """title: A book
sphinx:
  extra_extensions: [bookwork]
  config:
    bookwork_pre_steps: [own_step]
""",
    "_toc.yml": "format: jb-book\nroot: start\n",
    "start.md": "# Start\n\n$x$\n",
    "own_step.py": """
from pathlib import Path
Path("_build/made").touch()
""",
}


def test_jupyter_book_itself_builds_what_stands_beside_the_pages_too(tmp_path):
    write(tmp_path, SMALL)
    code, said = run(tmp_path, "-c", JUPYTER_BOOK, "build", ".", BOOKWORK_PYTHON="0")
    assert code == 0, said
    assert (tmp_path / "_build/made").is_file()
    assert r"\(x\)" in (tmp_path / "_build/html/start.html").read_text()  # for MathJax, as before
    write(tmp_path, {"own_step.py": "raise SystemExit('no network')\n"})
    code, said = run(tmp_path, "-c", JUPYTER_BOOK, "build", ".", BOOKWORK_PYTHON="0")
    assert (code, "what belongs beside the pages could not be made" in said) == (1, True), said
