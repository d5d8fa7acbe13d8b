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


class Entry(NamedTuple):
    """What a file says about one exercise."""

    tried: bool = False
    solved: bool = False
    hints: int = 0
    seen: bool = False  # the solution
    met: tuple[str, ...] = ()  # the messages of known mistakes

    @property
    def stuck(self) -> bool:
        """Whether the exercise was begun in any way, but not solved."""
        return not self.solved and (self.tried or self.hints > 0 or self.seen)

    @property
    def counts(self) -> list[int]:
        """What the columns say."""
        return [int(getattr(self, column)) for column in COLUMNS]


Student = tuple[str, dict[str, Entry]]  # a name, and entries by label


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
    students, said = read_all([p for name in options.files for p in expand(name)], outline, title)
    if students:
        print(*table(students, outline), "", MEANING, sep="\n", flush=True)
        if options.csv:
            said += save(options.csv, students, outline)
    else:
        said.append("There is no report: none of these is a progress file.")
    for sentence in said:
        print(sentence, file=sys.stderr)
    return 1 if said else 0


def expand(name: str) -> list[Path]:
    """Return the files in a folder or matching a pattern, which not every shell expands."""
    path = Path(name)
    found = sorted(path.rglob("*.json")) if path.is_dir() else []
    return found or [Path(file) for file in sorted(glob(name))] or [path]


def read_all(
    paths: Sequence[Path], outline: Outline, title: str
) -> tuple[list[Student], list[str]]:
    """Return what the files of all students say, and a sentence on each that is left out."""
    students: list[Student] = []
    said: list[str] = []
    same = len({path.stem for path in paths}) < len(paths)
    known = {label for titles in outline.values() for label in titles}
    for path in paths:
        try:
            entries = read(path, title)
        except RefusedError as reason:
            said.append(printable(f"{path} is left out: {reason}."))
            continue
        students.append((printable(path.as_posix() if same else path.stem), entries))
        if others := [label for label in entries if entries[label].tried and label not in known]:
            lacks = "that this edition of the book does not have"
            said.append(printable(f"{path} names exercises {lacks}, such as {show(others[0])}."))
    return students, said


def printable(text: str) -> str:
    """Return a text without anything that a terminal would act on."""
    return "".join(character if character.isprintable() else "?" for character in text)


def read(path: Path, title: str) -> dict[str, Entry]:
    """Return the entries of a file, or raise `RefusedError` with the reason."""
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
    try:
        return {label: entry_of(entry) for label, entry in data["exercises"].items()}
    except (AttributeError, KeyError, TypeError):
        raise RefusedError("its list of exercises is not valid") from None


def entry_of(data: dict[str, Any]) -> Entry:
    """Return an entry; raise an error if it has not the form that the page writes."""
    tried, solved, seen = (data[flag] for flag in ("tried", "solved", "seen"))
    hints, met = data["hints"], data.get("met", [])
    flags = all(isinstance(flag, bool) for flag in (tried, solved, seen))
    if not (flags and type(hints) is int and all(isinstance(says, str) for says in met)):
        raise TypeError
    return Entry(tried, solved, hints, seen, tuple(map(printable, met)))


def table(students: Sequence[Student], outline: Outline) -> Iterator[str]:
    """Yield a line for each exercise that was begun, and below it the mistakes that were met.

    Examples
    --------
    >>> bo = {"ex-swap": Entry(tried=True, met=("take X.",))}
    >>> lines = table([("bo", bo)], {"why": {"ex-fit": "Cut"}, "what": {"ex-swap": "Swap"}})
    >>> [line.split()[:3] for line in lines][1:]
    [['2', 'ex-swap', '0'], ['1', '×', 'take']]
    """
    begun = {label for _, entries in students for label, entry in entries.items() if any(entry)}
    labels = [(n, label) for n, label, _ in exercises(outline) if label in begun]
    width = max((len(label) for _, label in labels), default=0)
    yield " " * (width + 4) + "".join(column.rjust(8) for column in COLUMNS)
    for number, label in labels:
        found = [entries.get(label, Entry()) for _, entries in students]
        sums = (
            str(sum(column)).rjust(8) for column in zip(*(e.counts for e in found), strict=True)
        )
        yield f"{number:>2}  {label:<{width}}{''.join(sums)}"
        met = Counter(says for entry in found for says in entry.met)
        yield from (f"      {count} × {says}" for says, count in met.most_common())


def exercises(outline: Outline) -> Iterator[tuple[int, str, str]]:
    """Yield all exercises in the order of the book: the chapter's number, label and title."""
    for number, titles in enumerate(outline.values(), start=1):
        yield from ((number, label, title) for label, title in titles.items())


def save(path: Path, students: Sequence[Student], outline: Outline) -> list[str]:
    """Write a row for each student and exercise; return a sentence if that fails."""
    if path.suffix != ".csv":  # no progress file is overwritten
        return [f"{printable(str(path))} is not written: --csv needs a file that ends in .csv."]
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("student", "chapter", "exercise", "title", *COLUMNS, "met"))
            for student, entries in students:
                for about in exercises(outline):
                    entry = entries.get(about[1], Entry())
                    writer.writerow((cell(student), *about, *entry.counts, cell(*entry.met)))
    except (OSError, ValueError) as error:  # ValueError: no file can have such a name
        why = getattr(error, "strerror", None) or str(error)
        return [f"{printable(str(path))} cannot be written ({why})."]
    return []


def cell(*texts: str) -> str:
    """Return texts for one cell, in which no spreadsheet sees a formula.

    Examples
    --------
    >>> cell("=1+1")
    "'=1+1"
    """
    text = " | ".join(texts)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
