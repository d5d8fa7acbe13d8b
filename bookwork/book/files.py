"""The files of a book and of bookwork, and what is made of a file until it changes."""

import functools
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from bookwork.book.settings import packages_of

PACKAGE = Path(__file__).resolve().parent.parent  # bookwork itself
CONFIGURATIONS = ("_config.yml", "conf.py")
INSTANT = 10**8  # nanoseconds; the clock of a file system is coarser than others
COMPILED = "__pycache__"
INSTALLED = (COMPILED, "node_modules", "site-packages")  # folders of packages


def find_root(start):
    """Return the folder of the book that a folder belongs to, or that folder if there is none."""
    folders = [start, *start.parents]
    return next((f for f in folders if any((f / n).is_file() for n in CONFIGURATIONS)), start)


def cache_until_changed(make):
    """Keep what a function makes of a file, whose path comes first, until the file changes.

    What it makes of one that has just changed is not kept: it may change again in the same instant.
    """
    known = {}

    @functools.wraps(make)
    def keeping(path, *others):
        status = path.stat()
        state = status.st_mtime_ns, status.st_size
        before, made = known.get((path, *others), (None, None))
        if before == state:
            return made
        made = make(path, *others)
        if time.time_ns() - status.st_mtime_ns > INSTANT:
            known[path, *others] = state, made
        return made

    return keeping


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


@contextmanager
def importing_from(book, *folders):
    """Import from a book and folders of it meanwhile, also if it shares names with another."""
    names = packages_of(book.settings)
    others = {} if all(is_from(name, book.root) for name in names) else loaded(names)
    forget(others)
    before = sys.path.copy()
    sys.path[:0] = [str(book.root / folder) for folder in ("", *folders)]
    try:
        yield
    finally:
        sys.path[:] = before
        if others:
            forget(loaded(names))
            sys.modules.update(others)


def loaded(names):
    """Return the modules of packages that were imported."""
    return {name: m for name, m in sys.modules.items() if name.partition(".")[0] in names}


def is_from(name, root):
    """Return whether a package that was imported is one of this book; True if none was."""
    folders = [Path(folder).resolve() for folder in getattr(sys.modules.get(name), "__path__", ())]
    return all(folder.is_relative_to(root.resolve()) for folder in folders)


def forget(modules):
    """Forget modules that were imported: their files may have changed since."""
    for name in list(modules):
        sys.modules.pop(name, None)
