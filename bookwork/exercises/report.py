"""Who solved what, and where a class is stuck: read from the progress files that readers save.

A reader presses *Your progress*, then *Save to a file*, and hands the file in. Such a file proves
nothing: anyone can write one, and the answers in it are never run here. All that can be checked is
whether it has the form that page/exercises/progress.js writes; any other file is refused with a
sentence, and the tables show the others (`class_tables` makes them).
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bookwork.exercises.class_tables import Entry, Progress, numbered, students_table
from bookwork.exercises.outline import Outline
from bookwork.exercises.words import show

FORMAT = "{title}: progress"  # as in page/exercises/progress.js
VERSION = 1
MOST_BYTES = 5_000_000
MOST_HINTS = 9


class RefusedError(ValueError):
    """Raised for a file that is not a progress file; the message says why."""


class Report(NamedTuple):
    """A table of who solved what, sentences on the files, and how many of them were refused."""

    table: str
    sentences: tuple[str, ...]
    refused: int
    students: tuple[tuple[str, Progress], ...] = ()


def report(
    paths: Sequence[Path], outline: Outline, title: str, shown: Outline | None = None
) -> Report:
    """Read progress files of a book and return their table; a refused file has no row.

    The table has all chapters of the outline, or those that are `shown`.
    """
    rows: list[tuple[str, Progress]] = []
    sentences: list[str] = []
    for path, name in zip(paths, names_of(paths), strict=True):
        try:
            rows.append((name, read(path, outline, title)))
        except RefusedError as reason:
            sentences.append(f"{plain(str(path))} is left out: {reason}.")
        else:
            sentences += [f"{plain(str(path))} {note}." for note in notes_on(rows[-1][1])]
    table = students_table(rows, outline if shown is None else shown)
    return Report(table, tuple(sentences), len(paths) - len(rows), tuple(rows))


def names_of(paths: Sequence[Path]) -> list[str]:
    """Return the name of each file in the table: without ending, if all then differ.

    Examples
    --------
    >>> names_of([Path("ada.json"), Path("bo.json")])
    ['ada', 'bo']
    >>> names_of([Path("ada/progress.json"), Path("bo/progress.json")])
    ['ada/progress.json', 'bo/progress.json']
    """
    short = [path.stem for path in paths]
    same = len(set(short)) < len(short)
    return [plain(path.as_posix() if same else path.stem) for path in paths]


def plain(name: str) -> str:
    """Return a file's name without anything that a terminal would act on."""
    return "".join(character if character.isprintable() else "?" for character in name)


def notes_on(progress: Progress) -> list[str]:
    """Return what a teacher should know about a file that was accepted."""
    if not progress.unknown:
        return []
    number = len(progress.unknown)
    which = "an exercise" if number == 1 else f"{number} exercises"
    example = show(progress.unknown[0])
    return [f"names {which} that this edition of the book does not have, such as {example}"]


# reading a file


def read(path: Path, outline: Outline, title: str) -> Progress:
    """Return the contents of a file, or raise `RefusedError` with the reason."""
    data = parse(read_text(path))
    if not isinstance(data, dict) or data.get("format") != FORMAT.format(title=title):
        raise RefusedError("it is not a progress file for this book")
    if type(data.get("version")) is not int or data["version"] != VERSION:
        raise RefusedError("it was made by another edition of the book")
    return progress_of(data.get("exercises"), outline)


def read_text(path: Path) -> str:
    """Return the text of a file, unless it is larger than a progress file may be."""
    if path.is_dir():
        raise RefusedError("it is a folder, and no file in it ends in .json")
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: no file can have such a name
        why = getattr(error, "strerror", None) or str(error)
        raise RefusedError(f"it cannot be read ({why})") from None
    if len(content) > MOST_BYTES:
        raise RefusedError(f"it is larger than {MOST_BYTES // 1_000_000} MB")
    try:
        return content.decode(json.detect_encoding(content))  # editors may have saved it anew
    except UnicodeDecodeError:
        raise RefusedError("it is not text") from None


def parse(text: str) -> Any:
    """Return the value of a JSON text."""
    if not text.strip():
        raise RefusedError("it is empty")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise RefusedError(f"it is not JSON, or damaged (line {error.lineno})") from None
    except (ValueError, RecursionError):  # a number of 5000 digits, a list 5000 lists deep
        raise RefusedError("it is not JSON that the book writes") from None


def progress_of(exercises: Any, outline: Outline) -> Progress:
    """Return the entries of a file, if each has the form that the page writes."""
    if not isinstance(exercises, dict):
        raise RefusedError("it has no list of exercises")
    for label, entry in exercises.items():
        if not is_entry(entry):
            raise RefusedError(f"its entry for {show(label)} is not valid")
    entries = {
        label: Entry(*(entry[key] for key in Entry._fields)) for label, entry in exercises.items()
    }
    known = numbered(outline)
    tried = [label for label, entry in entries.items() if entry.tried]  # a guess never is
    return Progress(entries, tuple(label for label in tried if label not in known))


def is_entry(entry: Any) -> bool:
    """Return whether it is as in ``{"tried": true, "solved": true, "hints": 2, "seen": false}``."""
    return (
        isinstance(entry, dict)
        and all(isinstance(entry.get(flag), bool) for flag in ("tried", "solved", "seen"))
        and type(entry.get("hints")) is int
        and 0 <= entry["hints"] <= MOST_HINTS
    )
