"""Build bookwork as a wheel, into dist/: its code, and all that runs in a page, already built.

    python -m tools.make_bookwork [folder]

An author who installs it needs no Node, fetches nothing from other hosts, and compiles nothing.
"""

import argparse
import shutil
import tempfile
from pathlib import Path

from bookwork.book.book import Book
from bookwork.book.files import PACKAGE
from bookwork.build import build_python, build_web
from tools import ROOT
from tools.make_dist import DATE, run

CODE = ("book", "build", "commands", "exercises", "live", "sphinx")
FILES = ("__init__.py", "__main__.py", "py.typed", "pyproject.toml", "setup.py")
FILES += ("README.md", "CHANGELOG.md", "THIRD_PARTY.md")
IGNORED = shutil.ignore_patterns("__pycache__", "js", "node_modules")


def main(arguments=None):
    """Build the wheel; print its name and size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "dist")
    folder = parser.parse_args(arguments).folder.resolve()
    path = build(folder)
    print(f"{path.name}  {path.stat().st_size / 1e6:.1f} MB", flush=True)


def build(folder):
    """Build the wheel into a folder, in place of an earlier one; return its path."""
    build_web.main(Book(ROOT))
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("bookwork-*.whl"):
        old.unlink()
    with tempfile.TemporaryDirectory() as work:
        gather(Path(work))
        options = ["--wheel", "--no-isolation", f"--outdir={folder}", work]
        run("build", *options, SOURCE_DATE_EPOCH=DATE)
    (path,) = folder.glob("bookwork-*.whl")
    return path


def gather(copy):
    """Put together what the wheel is built from: code, and what the page loads."""
    for name in CODE:
        shutil.copytree(PACKAGE / name, copy / name, ignore=IGNORED)
    for name in FILES:
        shutil.copy(PACKAGE / name, copy)
    shutil.copy(ROOT / "LICENSE", copy)
    (copy / "page" / "python").mkdir(parents=True)
    shutil.copy(PACKAGE / "page" / "package.json", copy / "page")
    shutil.copy(PACKAGE / "page" / "python" / "page_magics.py", copy / "page" / "python")
    shutil.copytree(Book(ROOT).web.parent, copy / "page" / "static")
    build_python.carry(copy / "page" / "pyodide", build_python.cache_of(ROOT))


if __name__ == "__main__":
    main()
