"""The files of a book and of bookwork."""

from pathlib import Path

from bookwork import web_folder

PACKAGE = Path(__file__).resolve().parent.parent  # bookwork itself
WEB = web_folder()  # its scripts and styles, and the Python of pages
CONFIGURATIONS = ("_config.yml", "conf.py")
COMPILED = "__pycache__"
INSTALLED = (COMPILED, "node_modules", "site-packages")  # folders of packages


def find_root(start):
    """Return the folder of the book that a folder belongs to, or that folder if there is none."""
    folders = [start, *start.parents]
    return next((f for f in folders if any((f / n).is_file() for n in CONFIGURATIONS)), start)


def own_files(folder):
    """Return the files of a book: not what was built, hidden or installed in its folder."""
    found = [path for path in folder.iterdir() if not path.name.startswith((".", "_build"))]
    yield from (path for path in found if path.is_file())
    for path in found:
        if path.is_dir() and not is_installed(path):
            yield from own_files(path)


def packages_below(folder):
    """Return the folders in a book that hold packages, at the top or one level deeper.

    Those of compiled Python, which come and go, hold no pages, and are left out.
    """
    found = [path for pattern in ("*", "*/*") for path in folder.glob(pattern)]
    return [path for path in found if is_installed(path) and path.name != COMPILED]


def is_installed(folder):
    """Return whether a folder holds packages, such as an environment of Python."""
    return folder.name in INSTALLED or (folder / "pyvenv.cfg").is_file()


def files_below(folder):
    """Return the files of a folder and its subfolders, without compiled Python."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path for path in files if COMPILED not in path.parts]
