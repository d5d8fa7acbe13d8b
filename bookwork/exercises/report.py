"""The command ``report``: who solved what, where a class is stuck, and what it gets wrong.

A reader presses *Your progress*, then *Save to a file*, and hands the file in. Such a file proves
nothing: anyone can write one, and the answers in it are never run here. All that can be checked is
whether it has the form that page/exercises/progress.js writes; any other file is refused with a
sentence.
"""

import argparse
import csv
import io
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from glob import glob
from pathlib import Path
from typing import Any, NamedTuple

from bookwork.exercises.words import show

FORMAT = "{title}: progress"  # as in page/exercises/progress.js
VERSION = 1
MOST_BYTES = 5_000_000
COLUMNS = ("solved", "tried", "stuck", "hints", "seen")
MEANING = """\
solved, tried: how many students; stuck: began it in any way and have not solved it;
hints: how many were opened in all; seen: how many students opened the solution;
below an exercise: the known mistakes, and how many students met them"""
Outline = Mapping[str, Mapping[str, str]]  # chapter -> label -> title, in order
OUTLINE = "outline.json"  # which each build of the book writes beside its pages


class RefusedError(ValueError):
    """Raised for a file that is not a progress file; the message says why."""


class Row(NamedTuple):
    """What a student's file says about one exercise."""

    student: str
    chapter: int
    exercise: str
    title: str
    solved: int = 0  # 1 for yes
    tried: int = 0
    stuck: int = 0  # begun in any way, but not solved
    hints: int = 0
    seen: int = 0  # the solution
    met: tuple[str, ...] = ()  # the messages of known mistakes


def run(arguments: Sequence[str] | None, folder: Path, title: str, program: str) -> int:
    """Run ``program report …`` for the book with its checkers in a folder; return the exit code."""
    parser = argparse.ArgumentParser(prog=program)
    commands = parser.add_subparsers(required=True, metavar="command")
    add_options(commands.add_parser("report", help="print who solved what, from progress files"))
    options = parser.parse_args(arguments)
    roots = [root for root in folder.parents[:2] if (root / "_toc.yml").is_file()]
    try:
        if not roots:
            raise ValueError("this copy of the library has no chapters")
        outline = outline_of(roots[0])
    except ValueError as reason:
        print(f"There is no report: {reason}. Run it in the book's repository.", file=sys.stderr)
        return 1
    return print_report(options, outline, title)


def outline_of(root: Path) -> Outline:
    """Return which exercises a book has, as its last build wrote it."""
    if not (root / "_build" / OUTLINE).is_file():
        raise ValueError("the book is not built yet, which lists its exercises: bookwork build")
    outline: Outline = json.loads((root / "_build" / OUTLINE).read_text(encoding="utf-8"))
    return outline


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the files and the options of a report to a command."""
    files = "progress files that readers have saved, or folders that contain them"
    command.add_argument("files", nargs="+", help=files)
    rows = "also write a row for each student and exercise into this file"
    command.add_argument("--csv", type=Path, metavar="FILE", help=rows)


def print_report(options: argparse.Namespace, outline: Outline, title: str) -> int:
    """Print the table, then a sentence on each file that needs one; return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a name that the terminal cannot show
    paths = [path for name in options.files for path in expand(name)]
    rows: list[Row] = []
    said: list[str] = []
    for path, student in zip(paths, names_of(paths), strict=True):
        try:
            entries = read(path, title)
        except RefusedError as reason:
            said.append(f"{path} is left out: {reason}.")
            continue
        rows += [row_of(student, *about, entries) for about in exercises(outline)]
        known = {row.exercise for row in rows}
        if others := [label for label in entries if entries[label]["tried"] and label not in known]:
            lacks = "that this edition of the book does not have"
            said.append(f"{path} names exercises {lacks}, such as {show(others[0])}.")
    if rows:
        print(*map(printable, table(rows)), "", MEANING, sep="\n", flush=True)
        said += save(options.csv, rows) if options.csv else []
    else:
        said.append("There is no report: none of these is a progress file.")
    for sentence in said:
        print(printable(sentence), file=sys.stderr)
    return 1 if said else 0


def expand(name: str) -> list[Path]:
    """Return the files in a folder or matching a pattern, which not every shell expands."""
    path = Path(name)
    found = sorted(path.rglob("*.json")) if path.is_dir() else []
    return found or [Path(file) for file in sorted(glob(name))] or [path]


def names_of(paths: Sequence[Path]) -> list[str]:
    """Return the students' names: those of the files, without folders if all then differ."""
    short = [path.stem for path in paths]
    return short if len(set(short)) == len(short) else [path.as_posix() for path in paths]


def printable(text: str) -> str:
    """Return a text without anything that a terminal would act on."""
    return "".join(character if character.isprintable() else "?" for character in text)


def exercises(outline: Outline) -> Iterator[tuple[int, str, str]]:
    """Yield all exercises in the order of the book: the chapter's number, label and title."""
    for number, titles in enumerate(outline.values(), start=1):
        yield from ((number, label, title) for label, title in titles.items())


def read(path: Path, title: str) -> dict[str, Any]:
    """Return the entries of a file by label, or raise `RefusedError` with the reason."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: no file can have such a name
        why = getattr(error, "strerror", None) or str(error)
        raise RefusedError(f"it cannot be read ({why})") from None
    if len(content) > MOST_BYTES:
        raise RefusedError(f"it is larger than {MOST_BYTES // 1_000_000} MB")
    try:
        data = json.loads(content)  # in any encoding that an editor may have saved it in
    except (ValueError, RecursionError):
        raise RefusedError("it is not JSON, or damaged") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT.format(title=title):
        raise RefusedError("it is not a progress file for this book")
    if type(data.get("version")) is not int or data["version"] != VERSION:
        raise RefusedError("it was made by another edition of the book")
    entries = data.get("exercises")
    if not isinstance(entries, dict) or not all(map(is_entry, entries.values())):
        raise RefusedError("its list of exercises is not valid")
    return entries


def is_entry(entry: Any) -> bool:
    """Return whether an entry has the form that the page writes."""
    return (
        isinstance(entry, dict)
        and all(isinstance(entry.get(flag), bool) for flag in ("tried", "solved", "seen"))
        and type(entry.get("hints")) is int
        and isinstance(met := entry.get("met", []), list)
        and all(isinstance(says, str) for says in met)
    )


def row_of(student: str, chapter: int, label: str, title: str, entries: dict[str, Any]) -> Row:
    """Return what a student's entries say about one exercise."""
    if label not in entries:
        return Row(student, chapter, label, title)
    entry = entries[label]
    solved, tried, hints, seen = (entry[key] for key in ("solved", "tried", "hints", "seen"))
    stuck = not solved and (tried or hints > 0 or seen)
    met = tuple(entry.get("met", []))
    counts = int(solved), int(tried), int(stuck), hints, int(seen)
    return Row(student, chapter, label, title, *counts, met)


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a line for each exercise that was begun, and below it the mistakes that were met."""
    begun = {row.exercise: row.chapter for row in rows if row.solved or row.stuck}
    width = max(map(len, begun), default=0)
    yield " " * (width + 4) + "".join(column.rjust(8) for column in COLUMNS)
    for label, chapter in begun.items():
        own = [row for row in rows if row.exercise == label]
        sums = "".join(f"{sum(getattr(row, column) for row in own):8}" for column in COLUMNS)
        yield f"{chapter:>2}  {label:<{width}}{sums}"
        met = Counter(says for row in own for says in row.met)
        yield from (f"      {count} × {says}" for says, count in met.most_common())


def save(path: Path, rows: Sequence[Row]) -> list[str]:
    """Write all rows into a CSV file; return a sentence if that fails."""
    if path.suffix != ".csv":  # no progress file is overwritten
        return [f"{path} is not written: --csv needs a file that ends in .csv."]
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(Row._fields)
            for row in rows:
                writer.writerow((cell(row.student), *row[1:-1], cell(" | ".join(row.met))))
    except (OSError, ValueError) as error:  # ValueError: no file can have such a name
        why = getattr(error, "strerror", None) or str(error)
        return [f"{path} cannot be written ({why})."]
    return []


def cell(text: str) -> str:
    """Return a text for a cell, in which no spreadsheet sees a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
