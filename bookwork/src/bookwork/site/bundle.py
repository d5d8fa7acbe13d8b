"""Write into a copy of bookwork's sources what a released wheel carries besides.

    python -m bookwork.site.bundle FOLDER

So whoever builds a book with it fetches nothing from npm or Pyodide's server.
"""

import shutil
import sys
from pathlib import Path

from bookwork.book.book import Book
from bookwork.site import build_python, build_web, packages, wheels


def main(folder):
    """Bundle, if need be, and copy; then copy what every page's Python is made of."""
    project = folder / "pyproject.toml"
    text = project.read_text(encoding="utf-8").replace(', "/web/static", "/web/pyodide"', "")
    project.write_text(text, encoding="utf-8")
    build_web.main()
    shutil.copytree(build_web.BUNDLE.parent, folder / "web" / "static")
    pyodide, cache = folder / "web" / "pyodide", packages.cache_of(Book().root)
    pyodide.mkdir()
    for name in (*build_python.CORE_FILES, wheels.LOCK, "package.json"):
        shutil.copy(wheels.CORE / name, pyodide)
    for package in build_python.base(cache)[0].packages.values():
        shutil.copy(wheels.place_of(package.file_name, cache), pyodide)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
