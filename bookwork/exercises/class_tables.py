"""Tables for a teacher: who solved what, where a class is stuck, and both as rows of a CSV file."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from bookwork.exercises.outline import Outline

COLUMNS = ("solved", "tried", "stuck", "hints", "seen")
CSV_COLUMNS = ("student", "chapter", "exercise", "title", *COLUMNS)
FORMULA_MARKS = ("=", "+", "-", "@", "\t", "\r")  # which begin a formula in a spreadsheet


class Entry(NamedTuple):
    """What a file says about one exercise."""

    tried: bool = False
    solved: bool = False
    hints: int = 0
    seen: bool = False  # the solution

    @property
    def stuck(self) -> bool:
        """Whether the exercise was begun in any way, but not solved."""
        return not self.solved and (self.tried or self.hints > 0 or self.seen)


class Progress(NamedTuple):
    """The contents of a file: its entries by label, and its labels that the book lacks."""

    entries: Mapping[str, Entry]
    unknown: tuple[str, ...] = ()

    def of(self, label: str) -> Entry:
        """Return the entry of an exercise."""
        return self.entries.get(label, Entry())


Students: TypeAlias = Sequence[tuple[str, Progress]]


def students_table(students: Students, outline: Outline) -> str:
    """Return one line for each student and one column for each chapter; below, the chapters.

    The last columns count exercises that were begun and not solved (stuck), hints that were opened
    and solutions that were seen.

    Examples
    --------
    >>> outline = {"why": {"ex-fit": "Cut or fill"}, "what": {"ex-swap": "Swap", "ex-two": "Two"}}
    >>> ada = Progress({"ex-swap": Entry(tried=True, solved=True)})
    >>> students_table([("ada", ada)], outline).splitlines()[1].split()[:3]
    ['ada', '0/1', '1/2']
    """
    numbers, everything = numbers_of_chapters(outline), numbered(outline)
    chapters = {chapter: list(titles) for chapter, titles in outline.items() if titles}
    lines = [["", *(str(numbers[chapter]) for chapter in chapters), "all", *COLUMNS[2:]]]
    for name, progress in students:
        shares = [share(labels, progress) for labels in (*chapters.values(), list(everything))]
        entries = [progress.of(label) for label in everything]
        sums = [sum(getattr(entry, column) for entry in entries) for column in COLUMNS[2:]]
        lines.append([name, *shares, *map(str, sums)])
    legend = [f"{numbers[chapter]:>2}  {chapter}" for chapter in chapters]
    return "\n".join([*aligned(lines), "", *legend])


def exercises_table(students: Students, outline: Outline, hardest: bool = False) -> str:
    """Return one line for each exercise, in the order of the book or the hardest first.

    Solved, tried, stuck and seen count students; hints counts the hints that all of them opened.

    Examples
    --------
    >>> outline = {"why": {"ex-fit": "Cut or fill"}, "what": {"ex-swap": "Swap"}}
    >>> bo = Progress({"ex-swap": Entry(tried=True)})
    >>> exercises_table([("bo", bo)], outline, hardest=True).splitlines()[1].split()[:2]
    ['2', 'ex-swap']
    """
    exercises = numbered(outline)
    labels = list(exercises)
    if hardest:
        labels.sort(key=lambda label: hardness(students, label))
    width = max(map(len, labels), default=0)
    lines = [["", *COLUMNS]]
    for label in labels:
        number, title = exercises[label]
        name = f"{number:>2}  {label:<{width}}  {title}"
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


def write_csv(path: Path, students: Students, outline: Outline) -> None:
    """Write one row for each student and exercise, with 1 for yes and 0 for no."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(CSV_COLUMNS)
        writer.writerows(csv_rows(students, outline))


def csv_rows(students: Students, outline: Outline) -> Iterator[tuple[str | int, ...]]:
    """Yield the rows of the CSV file; no name in them can be read as a formula.

    Examples
    --------
    >>> next(csv_rows([("=1+1", Progress({}))], {"why": {"ex-fit": "Cut or fill"}}))[:4]
    ("'=1+1", 1, 'ex-fit', 'Cut or fill')
    """
    for name, progress in students:
        student = f"'{name}" if name.startswith(FORMULA_MARKS) else name
        for label, (number, title) in numbered(outline).items():
            entry, about = progress.of(label), (student, number, label, title)
            yield *about, *(int(getattr(entry, column)) for column in COLUMNS)


def numbered(outline: Outline) -> Mapping[str, tuple[int, str]]:
    """Return all exercises in the order of the book: the chapter's number and the title."""
    numbers = numbers_of_chapters(outline)
    pairs = [(chapter, each) for chapter, titles in outline.items() for each in titles.items()]
    return {label: (numbers[chapter], title) for chapter, (label, title) in pairs}


def numbers_of_chapters(outline: Outline) -> Mapping[str, int]:
    """Return the place of each chapter in the book, counted from 1."""
    return {name: number for number, name in enumerate(outline, 1)}


def share(labels: Sequence[str], progress: Progress) -> str:
    """Return how many of these exercises are solved, as ``"2/6"``."""
    return f"{sum(progress.of(label).solved for label in labels)}/{len(labels)}"


def aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    """Return lines with aligned columns: names to the left, shares to the right.

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
