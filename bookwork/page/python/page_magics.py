"""The lines of a notebook that are not Python: magics, commands of a shell, and `name?`.

A page skips them and says so (runtime.py); the build reads cells in the same way (runnable.py).
"""

import ast
import re

LINE = re.compile(r"^(\s*)((?:[\w., ]+=\s*)?)([%!][^%\s].*|(?:pip|conda) \w.*)$")
HELP = re.compile(r"^(\s*)\?{0,2}([A-Za-z_][\w.]*)\?{0,2}\s*$")
TIMED = re.compile(r"%time(?:it)? +(?!-)(?=\S)")  # what follows is Python
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
    return "\n".join("" if line.startswith(WRAPPERS) else plain_line(line) for line in lines)


def is_python(code: str) -> bool:
    """Return whether a cell can be parsed; a text of several lines may have any line in it."""
    if not any(sign in code for sign in ("%", "!", "?", "pip ", "conda ")):
        return True
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def plain_line(line: str) -> str:
    """Return a line as Python: what is timed runs, what is asked for is told."""
    if asked := HELP.match(line) if "?" in line else None:
        return f"{asked[1]}help({asked[2]})"
    if not (match := LINE.match(line)):
        return line
    timed = TIMED.match(match[3])
    return match[1] + (match[2] + match[3][timed.end() :] if timed else "pass")


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
