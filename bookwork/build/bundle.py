"""Write into a copy of bookwork's sources what a released wheel carries besides.

    python -m bookwork.build.bundle FOLDER

So whoever installs the wheel needs no Node, fetches nothing from other hosts, compiles nothing.
"""

import shutil
import sys
from pathlib import Path

from bookwork.book.book import Book
from bookwork.build import build_python, build_web


def main(folder):
    """Bundle, if need be, and copy; then write what every page's Python has."""
    build_web.main()
    shutil.copytree(build_web.BUNDLE.parent, folder / "page" / "static")
    build_python.carry(folder / "page" / "pyodide", build_python.cache_of(Book().root))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
