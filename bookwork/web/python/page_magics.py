"""The lines of a notebook that are not Python: magics, commands of a shell, questions such as f?.

A page skips them and says so (runtime.py); the build reads cells in the same way (names.py).
"""

import ast
import re

ASKED = r"[\w.]+\?{1,2}|\?{1,2}[\w.]+"
LINE = re.compile(rf"^(\s*)(?:[\w., ]+=\s*)?(?:[%!][^%\s].*|(?:pip|conda) \w.*|{ASKED})\s*$")
QUIET = re.compile(r"%(?:matplotlib|config|autoreload|load_ext autoreload)\b")  # nobody misses them
WRAPPERS = ("%%time", "%%timeit", "%%capture")  # the lines below them are Python
SKIPPED = "A page runs plain Python, so this was skipped: {}"


def plain(code: str) -> str:
    """Return a cell as Python, line for line; one that is Python already is not touched."""
    if is_python(code):
        return code
    if foreign(code):
        return ""
    lines = code.split("\n")
    kept = ("" if line.startswith(WRAPPERS) else LINE.sub(r"\1pass", line) for line in lines)
    return "\n".join(kept)


def is_python(code: str) -> bool:
    """Return whether a cell can be parsed; a text of several lines may have any line in it."""
    if not any(sign in code for sign in ("%", "!", "?", "pip ", "conda ")):
        return True
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def foreign(code: str) -> str:
    """Say which magic makes a whole cell something other than Python, or return an empty text."""
    first = code.split(maxsplit=1)[0] if code.strip() else ""
    is_foreign = first.startswith("%%") and first not in WRAPPERS
    return f"{first} works in Jupyter only" if is_foreign else ""


def note_on(code: str) -> str | None:
    """Say which lines of a cell were skipped, unless nobody misses them."""
    if is_python(code):
        return None
    lines = code.strip().split("\n")[: 1 if foreign(code) else None]
    found = (line.strip() for line in lines if line.startswith("%%") or LINE.match(line))
    missed = [line for line in found if not QUIET.match(line)]
    return SKIPPED.format("; ".join(missed)) if missed else None
