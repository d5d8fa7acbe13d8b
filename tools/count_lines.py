"""Count the lines of the library, and write them into the table of the README.

Run it as ``python -m tools.count_lines``. A test fails when a number is more than a tenth off.
"""

import re
from pathlib import Path

from tools import ROOT

README = ROOT / "README.md"
LIBRARY = ROOT / "attention_lib"
ROW = re.compile(r"^(\| `([\w./]+)`[^|]*\| )([\d,]+)( \|)", re.M)
CODE = {".py", ".js", ".css"}


def main():
    """Write the numbers."""
    text = README.read_text(encoding="utf-8")
    README.write_text(ROW.sub(with_count, text), encoding="utf-8")


def with_count(row):
    """Return the beginning of a row with the number of lines that its file has now."""
    before, name, _, after = row.groups()
    return f"{before}{round(count(place_of(name)), -1):,}{after}"


def stated(text):
    """Return the numbers in the table, by the names of the files.

    >>> stated("| `scores.py` | 1,240 | scores and kernels |")
    {'scores.py': 1240}
    """
    return {name: int(number.replace(",", "")) for _, name, number, _ in ROW.findall(text)}


def place_of(name):
    """Return the file or folder of a row: the checkers are beside the library."""
    return ROOT / name if name.endswith("/") else LIBRARY / name


def count(path: Path):
    """Return the number of lines of a file, or of all code in a folder."""
    files = [path] if path.is_file() else path.rglob("*.*")
    return sum(lines_of(file) for file in files if file.suffix in CODE)


def lines_of(file):
    return len(file.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    main()
