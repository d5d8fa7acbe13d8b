"""A step of a build runs only when its inputs have changed."""

import hashlib

from bookwork.book.files import PACKAGE, WEB, find_root


def do_once(stamp, inputs, step):
    """Run a step, unless it last succeeded with the same inputs, as recorded in `stamp`."""
    wanted = fingerprint(inputs)
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    stamp.unlink(missing_ok=True)
    step()
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(wanted, encoding="utf-8")


def fingerprint(inputs):
    """Return a digest of files, by their contents and places in the repository, and of texts."""
    texts = [text.encode() for text in inputs if isinstance(text, str)]
    files = {place(path): path.read_bytes() for path in inputs if not isinstance(path, str)}
    named = [name.encode() + b"\0" + data for name, data in sorted(files.items())]
    return hashlib.sha256(b"\0".join([*texts, *named])).hexdigest()


def place(path):
    """Return a file's path relative to the book, or to bookwork, in a wheel as in a clone."""
    ours = [folder.parent for folder in (WEB, PACKAGE) if path.is_relative_to(folder)]
    home = ours[0] if ours else find_root(path.parent)
    return path.relative_to(home).as_posix()
