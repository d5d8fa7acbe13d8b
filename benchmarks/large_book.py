"""What a large book costs: a generated one, built cold, built again, and after one sentence.

    python -m benchmarks.large_book 25 50 100

Each page has five live figures, of the size that figures of a textbook have, and some text. The
memory is the most that one process of the build used. Python in the page is left out: it costs the
same in every book.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.report import ROOT, print_table, save

FIGURES = 5  # on a page
HEAD = "---\nfile_format: mystnb\nkernelspec:\n  name: python3\n---\n\n"
CONFIG = """title: A large book
only_build_toc_files: true
execute:
  execute_notebooks: cache
  timeout: 600
sphinx:
  extra_extensions: [bookwork]
"""
FIRST = """```{code-cell} python
import numpy as np
from bookwork.live import bars, curve, heatmap, live, slider

x = np.linspace(0, 6, 61)
```

"""
FIGURE = """```{{code-cell}} python
---
mystnb:
  figure:
    caption: Figure {figure} of page {page}
    name: fig-{page}-{figure}
tags: [remove-input]
---
live(
    lambda a, b: {function},
    {view},
    name="Figure {figure} of page {page}",
    a=slider(1, 20, 1),
    b=slider(0, 1, 0.25),
)
```

"""
KINDS = (
    ("np.sin(a * x / 4 + b)", "curve(x)"),
    ("np.cos(np.outer(x[:12], x[:12]) * a * b)", "heatmap(range(12), range(12), limits=(-1, 1))"),
    ("np.abs(np.sin(a + b + x[:8]))", "bars(range(8))"),
)
SENTENCE = "Each figure of this page shows how a and b change what one sees. "


def main(arguments=None):
    """Build books of the sizes that are asked for; print a table and the slope."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", type=int, nargs="*", default=[25, 50])
    rows = []
    for pages in parser.parse_args(arguments).pages:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(measure(Path(folder), pages))
            print(rows[-1], flush=True)
    head = ["pages", "figures", "build, s", "again, s", "one sentence, s", "page, kB", "memory, MB"]
    print_table(head, rows)
    slopes = [np.polyfit([r[0] for r in rows], [r[k] for r in rows], 1)[0] for k in (2, 3, 4)]
    if len(rows) > 1:
        print("\nFor each further page: {:.2f} s, {:.2f} s, {:.2f} s".format(*slopes))
    print(f"{os.cpu_count()} cores; load afterwards {os.getloadavg()[0]:.1f}")
    save("large_book", {"head": head, "rows": rows})


def measure(folder, pages):
    """Return a row of the table."""
    write_book(folder, pages)
    times = [build(folder), build(folder)]
    page = folder / "part-0" / "page-1.md"
    page.write_text(page.read_text() + "\nOne more sentence.\n")
    times.append(build(folder))
    made = folder / "_build" / "html" / "part-0" / "page-1.html"
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    seconds = [round(taken, 1) for taken in times]
    return (pages, pages * FIGURES, *seconds, made.stat().st_size // 1000, round(most))


def write_book(folder, pages):
    """Write a book of so many pages, ten in each folder."""
    names = [f"part-{k // 10}/page-{k}" for k in range(pages)]
    contents = "".join(f"  - file: {name}\n" for name in names)
    (folder / "_config.yml").write_text(CONFIG)
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: index\nchapters:\n{contents}")
    (folder / "index.md").write_text("# A large book\n")
    (folder / "_build").mkdir()
    (folder / "_build" / "web").symlink_to(ROOT / "_build" / "web")  # what every page loads
    for page, name in enumerate(names):
        path = folder / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(page_of(page))


def page_of(page):
    """Return the text of a page: like all others, but for its number."""
    figures = []
    for figure in range(FIGURES):
        function, view = KINDS[(page + figure) % len(KINDS)]
        figures.append(FIGURE.format(page=page, figure=figure, function=function, view=view))
    text = f"Look at {{numref}}`fig-{page}-0`. {SENTENCE * 12}\n\n"
    return f"{HEAD}# Page {page}\n\n{FIRST}{text}{text.join(figures)}"


def build(folder):
    """Build the book as its author does; return the seconds it took."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "bookwork", "build"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PAGE_PYTHON": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"the book was not built:\n{done.stdout}{done.stderr}")
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
