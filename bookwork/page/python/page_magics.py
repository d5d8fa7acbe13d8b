"""The lines of a notebook that are not Python: magics, commands of a shell, and `name?`.

They become calls of the shell, as in IPython. In a page they do what they do in a notebook, or
nothing; those that mean something which a page cannot do are refused. The build reads this file
too: a cell with such a line gets no Run.
"""

from __future__ import annotations

import ast
import re
import statistics
import timeit
from collections.abc import Callable
from time import perf_counter
from typing import Any

LINE = re.compile(r"^(?P<indent>\s*)(?P<target>[\w., ]+=\s*)?(?P<mark>[%!])(?P<text>[^%\s].*)$")
HELP = re.compile(r"^(\s*)\?{0,2}([A-Za-z_][\w.]*)\?{0,2}\s*$")
OPTION = re.compile(r"^-(?:([nr])\s*(\d+)|\w+)\s*")
BARE = re.compile(r"^(\s*)(?=(?:pip|conda) \w)")  # which a notebook reads as %pip and %conda
INSTALLS = re.compile(r"^(?:\S+ -m )?(?:pip|pip3|conda|mamba)\b")
NOTHING = {"matplotlib", "config", "pip", "conda", "autoreload", "autosave", "precision", "xmode"}
LINES = {"time", "timeit", *NOTHING}  # what runs after one % …
CELLS = {"time", "timeit", "capture", "file", "writefile"}  # … and after two
REFUSED = "{}: this page runs plain Python"
INSTALLED = "Nothing is installed in a page: what its Python has can be imported."


def plain(code: str) -> str:
    """Return a cell as Python, line for line; one that is Python already is not touched."""
    if is_python(code):
        return code
    if code.lstrip().startswith("%%"):
        return "get_ipython().run_cell_magic({!r}, {!r}, {!r})".format(*parts(code))
    return "\n".join(map(plain_line, code.split("\n")))


def is_python(code: str) -> bool:
    """Return whether a cell can be parsed; a text of several lines may have any line in it."""
    if not any(sign in code for sign in ("%", "!", "?", "pip ", "conda ")):
        return True
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def parts(code: str) -> tuple[str, str, str]:
    """Return the name of a cell's magic, the rest of its line, and the lines below."""
    first, _, body = code.lstrip().partition("\n")
    name, _, line = first[2:].strip().partition(" ")
    return name, line.strip(), body


def magic_in(line: str) -> re.Match[str] | None:
    """Return the parts of a line with a magic or a command, or None."""
    return LINE.match(BARE.sub(r"\1%", line))


def plain_line(line: str) -> str:
    """Return a line as Python."""
    if asked := HELP.match(line) if "?" in line else None:
        return f"{asked[1]}help({asked[2]})"
    match = magic_in(line)
    if not match:
        return line
    before = match["indent"] + (match["target"] or "")
    if match["mark"] == "!":
        return f"{before}get_ipython().system({match['text']!r})"
    name, _, rest = match["text"].partition(" ")
    return f"{before}get_ipython().run_line_magic({name!r}, {rest.strip()!r})"


def readable(code: str) -> str:
    """Return the Python in a cell, line for line: what it imports and names can be read there."""
    if is_python(code):
        return code
    if code.lstrip().startswith("%%"):
        name, _, body = parts(code)
        return "" if name in {"file", "writefile"} or name not in CELLS else f"\n{body}"
    return "\n".join(map(readable_line, code.split("\n")))


def readable_line(line: str) -> str:
    """Return the Python in a line, such as the statement after %time."""
    match = magic_in(line)
    if not match:
        return plain_line(line)
    name, _, rest = match["text"].partition(" ")
    is_timed = match["mark"] == "%" and name in {"time", "timeit"} and not rest.startswith("-")
    return match["indent"] + ((match["target"] or "") + rest.strip() if is_timed else "pass")


def refused_in(code: str) -> str:
    """Return the first magic or command in a cell that a page refuses, or an empty text."""
    if is_python(code):
        return ""
    if code.lstrip().startswith("%%"):
        name = parts(code)[0]
        return "" if name in CELLS else f"%%{name}"
    found = (match for line in code.split("\n") if (match := magic_in(line)))
    return next((text for match in found if (text := refused(match["mark"], match["text"]))), "")


def refused(mark: str, text: str) -> str:
    """Return a magic or a command if a page refuses it, or an empty text."""
    name, _, rest = text.partition(" ")
    if mark == "!":
        return "" if INSTALLS.match(text) else f"!{name}"
    is_known = name in LINES or (name in {"load_ext", "reload_ext"} and rest == "autoreload")
    return "" if is_known else f"%{name}"


def needs(text: str) -> str:
    """Return what a refused magic or command needs, in a few words."""
    return f"{text} {'needs a shell' if text.startswith('!') else 'works in Jupyter only'}"


class Magics:
    """What a notebook's magics do here."""

    evaluate: Callable[[str], Any]  # runs code among the reader's variables, returns its value
    user_ns: dict[str, Any]

    def run_line_magic(self, name: str, line: str = "") -> Any:
        """Do what %name does in a notebook, or nothing."""
        if text := refused("%", f"{name} {line}".strip()):
            raise NotImplementedError(REFUSED.format(needs(text)))
        if name in {"pip", "conda"}:
            print(INSTALLED)
        return self.measure(name, line, line) if name in {"time", "timeit"} else None

    def run_cell_magic(self, name: str, line: str, body: str) -> Any:
        """Do what %%name does in a notebook, or run the lines below it."""
        if name not in CELLS:
            raise NotImplementedError(REFUSED.format(needs(f"%%{name}")))
        if name in {"file", "writefile"}:
            with open(line, "w", encoding="utf-8") as file:
                file.write(body)
            return None
        return self.measure(name, line, f"\n{body}")  # the lines keep their numbers

    def system(self, command: str) -> None:
        """Install nothing, and refuse every other command of a shell."""
        if text := refused("!", command):
            raise NotImplementedError(REFUSED.format(needs(text)))
        print(INSTALLED)

    def measure(self, name: str, line: str, code: str) -> Any:
        """Run code, and print how long it took; `timeit` runs it many times."""
        if name == "timeit":
            return self.time_often(*options_in(code if code == line else line + code))
        began = perf_counter()
        value = self.evaluate(code)
        if name == "time":
            print(f"Wall time: {duration(perf_counter() - began)}")
        return value

    def time_often(self, code: str, number: int, runs: int) -> None:
        """Print the mean time of some code."""
        timer = timeit.Timer(code.strip(), globals=self.user_ns)
        number = number or timer.autorange()[0]
        times = [total / number for total in timer.repeat(runs, number)]
        mean, spread = duration(statistics.mean(times)), duration(statistics.pstdev(times))
        many = f"{runs} runs, {number:,} loops each"
        print(f"{mean} ± {spread} per loop (mean ± std. dev. of {many})")


def options_in(text: str) -> tuple[str, int, int]:
    """Return what %timeit measures without its options, how often in a run, and in how many."""
    found = {"n": 0, "r": 3}
    while option := OPTION.match(text):
        found |= {option[1]: int(option[2])} if option[1] else {}
        text = text[option.end() :]
    return text, found["n"], max(found["r"], 1)


def duration(seconds: float) -> str:
    """Return a time in a unit that suits it.

    >>> duration(0.00123), duration(12), duration(0)
    ('1.23 ms', '12 s', '0 ns')
    """
    units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")]
    size, unit = next(((size, unit) for size, unit in units if seconds >= size), (1e-9, "ns"))
    return f"{seconds / size:.3g} {unit}"
