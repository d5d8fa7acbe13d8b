"""Count the lines of the library, and write them into the table of the README.

Run it as ``python -m tools.count_lines``. A test fails when a number is more than a tenth off.
"""

import re

from tools import ROOT

README = ROOT / "README.md"
ROW = re.compile(r"^(\| `([\w./]+)`[^|]*\| )([\d,]+)(?= \|)", re.M)


def main():
    text = README.read_text(encoding="utf-8")
    README.write_text(ROW.sub(lambda row: f"{row[1]}{round(count(row[2]), -1):,}", text), "utf-8")


def stated():
    """Return the numbers in the table, by the names of the files."""
    rows = ROW.findall(README.read_text(encoding="utf-8"))
    return {name: int(number.replace(",", "")) for _, name, number in rows}


def count(name):
    """Return the number of lines of a module of the library, or of a folder beside it."""
    files = (ROOT / name).rglob("*.py") if name[-1] == "/" else [ROOT / "attention_lib" / name]
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


if __name__ == "__main__":
    main()
