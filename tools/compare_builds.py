"""List the files that differ between two builds of the same book, in two folders:

python -m tools.compare_builds one/_build/html another/_build/html
"""

import argparse
import sys
from pathlib import Path

from bookwork.book.files import files_below


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    options = parser.parse_args(arguments)
    found = differences(options.first, options.second)
    for name in found:
        print(name)
    print(f"{len(found)} files differ")
    return min(len(found), 1)


def differences(first, second):
    """Return the files that only one folder has, or whose bytes differ."""
    one, other = contents(first), contents(second)
    return sorted(name for name in one.keys() | other if one.get(name) != other.get(name))


def contents(folder):
    """Return the bytes of the files in a folder, by their relative paths."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files_below(folder)}


if __name__ == "__main__":
    sys.exit(main())
