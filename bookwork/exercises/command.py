"""The command ``report``: who solved what, and where a class is stuck."""

import argparse
import io
import re
import sys
from collections.abc import Sequence
from glob import glob
from pathlib import Path

from bookwork.exercises.class_tables import exercises_table, numbers_of_chapters, write_csv
from bookwork.exercises.outline import NoOutlineError, Outline, read_outline
from bookwork.exercises.report import Report, plain, report

MEANING = """\
solved, tried: how many students; stuck: began it in any way and have not solved it;
hints: how many were opened in all; seen: how many students opened the solution"""
ELSEWHERE = "Run it in the book's repository."


def run(arguments: Sequence[str] | None, folder: Path, title: str, program: str) -> int:
    """Run ``program report …`` for the book with its checkers in a folder; return the exit code."""
    options = read_command(arguments, program)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a name that the terminal cannot show
    try:
        outline = read_outline(folder)
    except NoOutlineError as reason:
        print(f"There is no report: {reason}. {ELSEWHERE}", file=sys.stderr)
        return 1
    return print_report(options, outline, title)


def print_report(options: argparse.Namespace, outline: Outline, title: str) -> int:
    """Print the tables, then a sentence on each file that needs one; return the exit code."""
    paths = [path for name in options.files for path in expand(name)]
    shown = only(outline, options.chapters)
    if not any(shown.values()):
        print(f"There is no report: {no_exercises(outline)}", file=sys.stderr)
        return 1
    made = report(paths, outline, title, shown)
    if made.students:
        stuck = exercises_table(made.students, shown, options.hardest)
        said = filter(None, [made.table, stuck, MEANING, where(paths)])
        print(*said, sep="\n\n", flush=True)
    unsaved = save(options.csv, paths, made, shown) if options.csv and made.students else ""
    nothing = "" if made.students else "There is no report: none of these is a progress file."
    for sentence in filter(None, [*made.sentences, unsaved, nothing]):
        print(sentence, file=sys.stderr)
    return 1 if made.refused or unsaved else 0


def only(outline: Outline, chapters: frozenset[int] | None) -> Outline:
    """Return an outline without the exercises of other chapters, which keep their numbers."""
    if chapters is None:
        return outline
    numbers = numbers_of_chapters(outline)
    return {name: each if numbers[name] in chapters else {} for name, each in outline.items()}


def no_exercises(outline: Outline) -> str:
    """Return which chapters could have been asked for."""
    numbers = numbers_of_chapters(outline)
    those = ", ".join(str(numbers[name]) for name, titles in outline.items() if titles)
    return f"these chapters have no exercises. Those that have: {those or 'none'}."


def chapter_numbers(text: str) -> frozenset[int]:
    """Return the numbers of chapters in a text.

    Examples
    --------
    >>> sorted(chapter_numbers("2-4,7"))
    [2, 3, 4, 7]
    """
    found: set[int] = set()
    for part in text.split(","):
        ends = re.fullmatch(r"\s*(\d{1,4})\s*(?:[-\u2013]\s*(\d{1,4})\s*)?", part)
        if not ends:
            wanted = "numbers of chapters are written as in 2-4 or 2,5-7"
            raise argparse.ArgumentTypeError(f"{wanted}, not {text!r}")
        first, last = int(ends[1]), int(ends[2] or ends[1])
        if last < first:
            raise argparse.ArgumentTypeError(f"{part.strip()} ends before it begins")
        found |= set(range(first, last + 1))
    return frozenset(found)


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
    some = "only these chapters, such as 2-4 or 2,5-7"
    command.add_argument("--chapters", type=chapter_numbers, metavar="NUMBERS", help=some)
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
