"""The command ``report``: who solved what, and where a class is stuck."""

import argparse
import io
import sys
from collections.abc import Sequence
from glob import glob
from pathlib import Path

from bookwork.exercises.class_tables import exercises_table, write_csv
from bookwork.exercises.outline import NoOutlineError, Outline, read_outline
from bookwork.exercises.report import Report, plain, report

MEANING = """\
solved, tried: how many students; stuck: began it in any way and have not solved it;
hints: how many were opened in all; seen: how many students opened the solution"""
INSTALL = "Install the wheel that the book's site offers, or work in the book's repository."


def run(arguments: Sequence[str] | None, folder: Path, title: str, program: str) -> int:
    """Run ``program report …`` for the book with its checkers in a folder; return the exit code."""
    options = read_command(arguments, program)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a name that the terminal cannot show
    try:
        outline = read_outline(folder)
    except NoOutlineError as reason:
        print(f"There is no report: {reason}. {INSTALL}", file=sys.stderr)
        return 1
    return print_report(options, outline, title)


def print_report(options: argparse.Namespace, outline: Outline, title: str) -> int:
    """Print the tables, then a sentence on each file that needs one; return the exit code."""
    paths = [path for name in options.files for path in expand(name)]
    made = report(paths, outline, title)
    stuck = exercises_table(made.students, outline, options.hardest)
    said = filter(None, [made.table, stuck, MEANING, where(paths)])
    print(*said, sep="\n\n", flush=True)
    unsaved = save(options.csv, paths, made, outline) if options.csv else ""
    for sentence in filter(None, [*made.sentences, unsaved]):
        print(sentence, file=sys.stderr)
    return 1 if made.refused or unsaved else 0


def read_command(arguments: Sequence[str] | None, program: str) -> argparse.Namespace:
    """Return the files and the options of the command."""
    parser = argparse.ArgumentParser(prog=program)
    commands = parser.add_subparsers(required=True, metavar="command")
    add_options(commands.add_parser("report", help="print who solved what, from progress files"))
    return parser.parse_args(arguments)


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the files and the options of a report to a command."""
    files = "progress files that readers have saved, or folders that contain them"
    command.add_argument("files", nargs="+", help=files)
    command.add_argument("--hardest", action="store_true", help="the hardest exercises first")
    rows = "also write a row for each student and exercise into this file"
    command.add_argument("--csv", type=Path, metavar="FILE", help=rows)


def expand(name: str) -> list[Path]:
    """Return the files in a folder or matching a pattern, which not every shell expands."""
    path = Path(name)
    found = sorted(path.rglob("*.json")) if path.is_dir() else []
    if not path.exists():
        found = [Path(file) for file in sorted(glob(name))]
    return found or [path]


def where(paths: Sequence[Path]) -> str:
    """Return a sentence with the folders of the files; nothing if there are none."""
    folders = sorted({str(path.resolve().parent) for path in paths if path.is_file()})
    return plain(f"The files are in {', '.join(folders)}.") if folders else ""


def save(path: Path, paths: Sequence[Path], made: Report, outline: Outline) -> str:
    """Write the CSV file; return a sentence if that fails."""
    if path.suffix == ".json" or path.absolute() in [read.absolute() for read in paths]:
        return f"{plain(str(path))} is not written: --csv needs a file that ends in .csv."
    try:
        write_csv(path, made.students, outline)
    except (OSError, ValueError) as error:  # ValueError: no file can have such a name
        why = getattr(error, "strerror", None) or str(error)
        return f"{plain(str(path))} cannot be written ({why})."
    return ""
