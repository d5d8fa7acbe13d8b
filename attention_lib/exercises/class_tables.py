"""Tables for a teacher: who solved what, where a class is stuck, and both as rows of a CSV file."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, TypeAlias

from attention_lib.exercises import CHAPTERS, EXERCISES

COLUMNS = ("solved", "tried", "stuck", "hints", "seen")
CSV_COLUMNS = ("student", "chapter", "exercise", "title", *COLUMNS)
FORMULA_MARKS = ("=", "+", "-", "@", "\t", "\r")  # with which a spreadsheet begins a formula


class Entry(NamedTuple):
    """What a file says of one exercise."""

    tried: bool = False
    solved: bool = False
    hints: int = 0
    seen: bool = False  # the solution

    @property
    def stuck(self) -> bool:
        """Whether the exercise was begun, in any way, and is not solved."""
        return not self.solved and (self.tried or self.hints > 0 or self.seen)


class Progress(NamedTuple):
    """What a file says: its entries by label, and which of its labels the book lacks."""

    entries: Mapping[str, Entry]
    unknown: tuple[str, ...] = ()

    def of(self, label: str) -> Entry:
        """Return what is said of an exercise."""
        return self.entries.get(label, Entry())


Students: TypeAlias = Sequence[tuple[str, Progress]]


def students_table(students: Students) -> str:
    """Return one line for each student and one column for each chapter; below, the chapters.

    The last columns count exercises that were begun and not solved (stuck), hints that were opened
    and solutions that were seen.

    Examples
    --------
    >>> table = students_table([("ada", Progress({"ex-swap": Entry(tried=True, solved=True)}))])
    >>> table.splitlines()[1].split()[:3]
    ['ada', '0/5', '1/7']
    """
    chapters, numbers = labels_by_chapter(), numbers_of_chapters()
    everything = list(EXERCISES)
    lines = [["", *(str(numbers[chapter]) for chapter in chapters), "all", *COLUMNS[2:]]]
    for name, progress in students:
        shares = [share(labels, progress) for labels in (*chapters.values(), everything)]
        entries = [progress.of(label) for label in everything]
        sums = [sum(getattr(entry, column) for entry in entries) for column in COLUMNS[2:]]
        lines.append([name, *shares, *map(str, sums)])
    legend = [f"{numbers[chapter]:>2}  {chapter}" for chapter in chapters]
    return "\n".join([*aligned(lines), "", *legend])


def exercises_table(students: Students, hardest: bool = False) -> str:
    """Return one line for each exercise, in the order of the book or the hardest first.

    Solved, tried, stuck and seen count students; hints counts the hints that all of them opened.

    Examples
    --------
    >>> table = exercises_table([("bo", Progress({"ex-swap": Entry(tried=True)}))], hardest=True)
    >>> table.splitlines()[1].split()[:2]
    ['2', 'ex-swap']
    """
    labels = list(EXERCISES)
    if hardest:
        labels.sort(key=lambda label: hardness(students, label))
    numbers, width = numbers_of_chapters(), max(map(len, labels))
    lines = [["", *COLUMNS]]
    for label in labels:
        exercise = EXERCISES[label]
        name = f"{numbers[exercise.chapter]:>2}  {label:<{width}}  {exercise.title}"
        lines.append([name, *map(str, counts(students, label).values())])
    return "\n".join(aligned(lines))


def counts(students: Students, label: str) -> dict[str, int]:
    """Return how many students solved an exercise, tried it, are stuck …; and how many hints."""
    entries = [progress.of(label) for _, progress in students]
    return {column: sum(getattr(entry, column) for entry in entries) for column in COLUMNS}


def hardness(students: Students, label: str) -> tuple[int, ...]:
    """Return what to sort by: most stuck first, then most solutions seen, most hints opened."""
    count = counts(students, label)
    return (-count["stuck"], -count["seen"], -count["hints"], -count["tried"])


def write_csv(path: Path, students: Students) -> None:
    """Write one row for each student and exercise, with 1 for yes and 0 for no."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(CSV_COLUMNS)
        writer.writerows(csv_rows(students))


def csv_rows(students: Students) -> Iterator[tuple[str | int, ...]]:
    """Yield the rows of the CSV file; no name in them is taken for a formula.

    Examples
    --------
    >>> next(csv_rows([("=1+1", Progress({}))]))[:2]
    ("'=1+1", 1)
    """
    numbers = numbers_of_chapters()
    for name, progress in students:
        student = f"'{name}" if name.startswith(FORMULA_MARKS) else name
        for label, exercise in EXERCISES.items():
            entry = progress.of(label)
            about = (student, numbers[exercise.chapter], label, exercise.title)
            yield *about, *(int(getattr(entry, column)) for column in COLUMNS)


def labels_by_chapter() -> Mapping[str, list[str]]:
    """Return the labels of each chapter that has exercises, in the order of the book."""
    groups = groupby(EXERCISES.values(), key=lambda exercise: exercise.chapter)
    return {chapter: [exercise.label for exercise in group] for chapter, group in groups}


def numbers_of_chapters() -> Mapping[str, int]:
    """Return the place of each chapter in the book, counted from 1."""
    names = (chapter.__name__.rpartition(".")[2] for chapter in CHAPTERS)
    return {name: number for number, name in enumerate(names, 1)}


def share(labels: Sequence[str], progress: Progress) -> str:
    """Return how many of these exercises are solved, as ``"2/6"``."""
    return f"{sum(progress.of(label).solved for label in labels)}/{len(labels)}"


def aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    """Return lines whose columns stand below each other: names to the left, shares to the right.

    Examples
    --------
    >>> aligned([["", "1"], ["ada", "2/6"]])
    ['       1', 'ada  2/6']
    """
    first, *others = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = [
        [name.ljust(first), *(cell.rjust(w) for cell, w in zip(cells, others, strict=True))]
        for name, *cells in lines
    ]
    return ["  ".join(cells) for cells in padded]
