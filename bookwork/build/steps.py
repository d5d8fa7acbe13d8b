"""Build steps that run only when their inputs have changed.

python -m bookwork.build.steps [module] …  runs steps one after the other, until one fails
"""

import hashlib
import subprocess
import sys

from bookwork.book.files import PACKAGE, files_below, find_root


def do_once(stamp, inputs, step, makes=None):
    """Run a step, unless it last succeeded with the same inputs, as recorded in `stamp`.

    A folder that the step `makes` must also be unchanged since then, because others may change it.
    """
    wanted = fingerprint(inputs)
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted + state_of(makes):
        return
    stamp.unlink(missing_ok=True)
    step()
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(wanted + state_of(makes), encoding="utf-8")


def state_of(folder):
    """Return a digest of a folder's contents, or nothing if no folder is given."""
    return "" if folder is None else fingerprint(files_below(folder))


def fingerprint(inputs):
    """Return a digest of files, by their contents and places in the repository, and of texts."""
    texts = [text.encode() for text in inputs if isinstance(text, str)]
    files = {place(path): path.read_bytes() for path in inputs if not isinstance(path, str)}
    named = [name.encode() + b"\0" + data for name, data in sorted(files.items())]
    return hashlib.sha256(b"\0".join([*texts, *named])).hexdigest()


def place(path):
    """Return a file's path relative to the book or to bookwork; of files elsewhere, the name."""
    home = PACKAGE.parent if path.is_relative_to(PACKAGE) else find_root(path.parent)
    return path.relative_to(home).as_posix()


if __name__ == "__main__":
    codes = (subprocess.call([sys.executable, "-m", step]) for step in sys.argv[1:])
    sys.exit(next(filter(None, codes), 0))
