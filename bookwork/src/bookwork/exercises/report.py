"""The command ``report``: who solved what, where a class is stuck, and what it gets wrong.

A reader presses *Your progress*, then *Save to a file*, and hands the file in. Such a file proves
nothing: anyone can write one, and the answers in it are never run here. Whatever has not the form
that page/exercises/progress.js writes is left out with a sentence.
"""

import argparse
import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

FORMAT = "{title}: progress"  # as in page/exercises/progress.js
VERSION = 1
COLUMNS = ("solved", "tried", "stuck", "hints", "seen")
FIELDS = ("student", "chapter", "exercise", "title", *COLUMNS, "met")
Row = dict[str, Any]  # what a student's file says about an exercise, by field
NOTHING = {"solved": False, "tried": False, "hints": 0, "seen": False}  # of an exercise
Outline = Mapping[str, Mapping[str, str]]  # number or name of a chapter -> label -> title
OUTLINE = "outline.json"  # which each build of the book writes beside its pages


class RefusedError(ValueError):
    """Raised for a file that is not a progress file; the message says why."""


def outline_of(root: Path) -> Outline:
    """Return which exercises a book has, as its last build wrote it."""
    if not (root / "_build" / OUTLINE).is_file():
        raise ValueError("the book is not built yet, which lists its exercises: bookwork build")
    return dict(json.loads((root / "_build" / OUTLINE).read_text(encoding="utf-8")))


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the files and the options of a report to a command."""
    files = "progress files that readers have saved, or folders that contain them"
    command.add_argument("files", nargs="+", type=Path, help=files)
    rows = "also write a row for each student and exercise into this file"
    command.add_argument("--csv", type=Path, metavar="FILE", help=rows)


def print_report(options: argparse.Namespace, outline: Outline, title: str) -> int:
    """Print the table, then a sentence on each file that needs one; return the exit code."""
    paths: list[Path] = []
    for path in options.files:
        paths += sorted(path.rglob("*.json")) if path.is_dir() else [path]
    rows: list[Row] = []
    said: list[str] = []
    for path, student in zip(paths, names_of(paths), strict=True):
        try:
            entries = read(path, title)
        except RefusedError as reason:
            said.append(f"{path} is left out: {reason}.")
        else:
            rows += rows_of(student, outline, entries)
    if rows:
        print(*map(printable, table(rows)), sep="\n", flush=True)
        said += save(options.csv, rows) if options.csv else []
    else:
        said.append("There is no report: none of these is a progress file.")
    for sentence in said:
        print(printable(sentence), file=sys.stderr)
    return 1 if said else 0


def names_of(paths: Sequence[Path]) -> list[str]:
    """Return the students' names: those of the files, without folders if all then differ."""
    short = [path.stem for path in paths]
    return short if len(set(short)) == len(short) else [path.as_posix() for path in paths]


def printable(text: str) -> str:
    """Return a text without anything that a terminal would act on."""
    return "".join(character if character.isprintable() else "?" for character in text)


def read(path: Path, title: str) -> dict[str, Any]:
    """Return the entries of a file by label, or raise `RefusedError` with the reason."""
    try:
        data = json.loads(path.read_bytes())  # in any encoding that an editor may have saved it in
    except OSError as error:
        raise RefusedError(f"it cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError):
        raise RefusedError("it is not JSON, or damaged") from None
    kind = FORMAT.format(title=title), VERSION
    if not isinstance(data, dict) or (data.get("format"), data.get("version")) != kind:
        raise RefusedError("it is not a progress file for this edition of the book")
    entries = data.get("exercises")
    if not isinstance(entries, dict) or not all(map(is_entry, entries.values())):
        raise RefusedError("its list of exercises is not valid")
    return entries


def is_entry(entry: Any) -> bool:
    """Return whether an entry has the form that the page writes."""
    return (
        isinstance(entry, dict)
        and all(type(entry.get(name)) is type(none) for name, none in NOTHING.items())
        and isinstance(met := entry.get("met", []), list)
        and all(isinstance(says, str) for says in met)
    )


def rows_of(student: str, outline: Outline, entries: dict[str, Any]) -> Iterator[Row]:
    """Yield what a student's entries say about each exercise, in the order of the book."""
    for chapter, titles in outline.items():
        for label, title in titles.items():
            entry = NOTHING | entries.get(label, {})
            about = {"student": student, "chapter": chapter, "exercise": label, "title": title}
            counts = {name: int(entry[name]) for name in NOTHING}
            stuck = int(not entry["solved"] and any(counts.values()))
            yield about | counts | {"stuck": stuck, "met": "\n".join(entry.get("met", ()))}


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a line for each exercise that was begun, and below it the mistakes that were met."""
    begun = {row["exercise"]: row["chapter"] for row in rows if row["solved"] or row["stuck"]}
    width, left = [max(map(len, each), default=0) for each in (begun, begun.values())]
    yield " " * (width + left + 3) + "".join(column.rjust(8) for column in COLUMNS)
    for label, chapter in begun.items():
        own = [row for row in rows if row["exercise"] == label]
        sums = "".join(f"{sum(row[column] for row in own):8}" for column in COLUMNS)
        yield f" {chapter:>{left}}  {label:<{width}}{sums}"
        met = Counter(says for row in own for says in row["met"].splitlines())
        yield from (f"      {count} × {says}" for says, count in met.most_common())


def save(path: Path, rows: Sequence[Row]) -> list[str]:
    """Write all rows into a CSV file; return a sentence if that fails."""
    if path.suffix != ".csv":  # no progress file is overwritten
        return [f"{path} is not written: --csv needs a file that ends in .csv."]
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            writer.writerows({name: cell(part) for name, part in row.items()} for row in rows)
    except OSError as error:
        return [f"{path} cannot be written ({error.strerror})."]
    return []


def cell(part: str | int) -> str:
    """Return what stands in a cell, in which no spreadsheet sees a formula."""
    return f"'{part}" if str(part).startswith(("=", "+", "-", "@")) else str(part)
