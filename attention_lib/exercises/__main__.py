"""Print who solved what: ``python -m attention_lib.exercises report *.json``."""

import argparse
import io
import sys
from collections.abc import Sequence
from glob import glob
from pathlib import Path

from attention_lib.exercises.report import report


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, then a sentence on each file that needs one; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m attention_lib.exercises")
    commands = parser.add_subparsers(required=True, metavar="command")
    command = commands.add_parser("report", help="print who solved what, from progress files")
    command.add_argument("files", nargs="+", help="progress files that readers have saved")
    options = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a name that the terminal cannot show
    made = report([path for name in options.files for path in expand(name)])
    print(made.table, flush=True)
    for sentence in made.sentences:
        print(sentence, file=sys.stderr)
    return 1 if made.refused else 0


def expand(name: str) -> list[Path]:
    """Return the files that a pattern stands for: not every shell does so for us."""
    found = [] if Path(name).exists() else sorted(glob(name))
    return [Path(path) for path in found or [name]]


if __name__ == "__main__":
    sys.exit(main())
