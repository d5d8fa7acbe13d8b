"""Who solved what, where a class is stuck: ``python -m attention_lib.exercises report *.json``."""

import argparse
import io
import signal
import sys
from collections.abc import Sequence
from glob import glob
from pathlib import Path

from bookwork.exercises.class_tables import exercises_table, write_csv
from bookwork.exercises.outline import NoOutlineError, Outline, read_outline
from bookwork.exercises.report import Report, plain, report

HERE = Path(__file__).parent
MEANING = """\
solved, tried: how many students; stuck: began it in any way and have not solved it;
hints: how many were opened in all; seen: how many students opened the solution"""
INSTALL = "Install the wheel that the book's site offers, or work in the book's repository."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    options = read_command(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a name that the terminal cannot show
    try:
        outline = read_outline(HERE)
    except NoOutlineError as reason:
        print(f"There is no report: {reason}. {INSTALL}", file=sys.stderr)
        return 1
    return print_report(options, outline)


def print_report(options: argparse.Namespace, outline: Outline) -> int:
    """Print the tables, then a sentence on each file that needs one; return the exit code."""
    paths = [path for name in options.files for path in expand(name)]
    made = report(paths, outline)
    stuck = exercises_table(made.students, outline, options.hardest)
    print(made.table, stuck, MEANING, where(paths), sep="\n\n", flush=True)
    unsaved = save(options.csv, paths, made, outline) if options.csv else ""
    for sentence in filter(None, [*made.sentences, unsaved]):
        print(sentence, file=sys.stderr)
    return 1 if made.refused or unsaved else 0


def read_command(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the files and the options of the command."""
    parser = argparse.ArgumentParser(prog="python -m attention_lib.exercises")
    commands = parser.add_subparsers(required=True, metavar="command")
    command = commands.add_parser("report", help="print who solved what, from progress files")
    files = "progress files that readers have saved, or folders that contain them"
    command.add_argument("files", nargs="+", help=files)
    command.add_argument("--hardest", action="store_true", help="the hardest exercises first")
    rows = "also write a row for each student and exercise into this file"
    command.add_argument("--csv", type=Path, metavar="FILE", help=rows)
    return parser.parse_args(arguments)


def expand(name: str) -> list[Path]:
    """Return the files in a folder or matching a pattern, which not every shell expands."""
    path = Path(name)
    found = sorted(path.rglob("*.json")) if path.is_dir() else []
    if not path.exists():
        found = [Path(file) for file in sorted(glob(name))]
    return found or [path]


def where(paths: Sequence[Path]) -> str:
    """Return a sentence with the folders of the files."""
    folders = sorted({str(path.absolute().parent) for path in paths})
    return plain(f"The files are in {', '.join(folders)}.")


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


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # so that `report … | head` ends quietly
    sys.exit(main())
