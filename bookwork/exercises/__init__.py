"""What an author needs to check an exercise, independent of any particular book.

A module of checkers, one for each chapter, has ``EXERCISES``: a dictionary of the checkers that
judge the answers, by label (or a tuple of `Exercise`). The example of a chapter is complete.

- `FunctionChecker` compares the reader's function with what is right, a plain loop for example, on
  ``cases`` that you choose and on random ones (`random_case`). It knows the mistakes that readers
  make, by the message that they get: options of a model answer, functions, a `Mistake`; `faulty`
  makes a single one. `parts` and `LISTS` are for results that are not one array.
- `NumberChecker` and `ShapeChecker` explain the wrong numbers and shapes that readers give;
  `SeveralChecker` judges several of them in one answer.
- `ChoiceChecker` explains every letter of a choice, `RubricChecker` and `DesignChecker` ask the
  reader to compare a text with the points of a rubric.
- Any other function that takes the answer and returns a `Finding` works, too. `unfinished`,
  `failure`, `read_array`, `close`, `decimals_lost`, `show`, `borrowed` and `run` help.
"""

from bookwork.exercises.cases import between, distinct_sizes, draw_arrays, random_case, whole
from bookwork.exercises.checkers import (
    NOT_STARTED,
    ChoiceChecker,
    FunctionChecker,
    Mistake,
    Raises,
    Shows,
    Trial,
    failure,
    faulty,
    mistakes_of,
    plain,
    unfinished,
)
from bookwork.exercises.names import borrowed
from bookwork.exercises.numbers import NumberChecker, SeveralChecker, ShapeChecker
from bookwork.exercises.outputs import (
    ARRAY,
    LISTS,
    Array,
    close,
    decimals_lost,
    parts,
    read_array,
)
from bookwork.exercises.rubrics import DesignChecker, RubricChecker
from bookwork.exercises.running import Outcome, UnreadableError, run, too_late
from bookwork.exercises.table import Checkers, Exercise, Exercises
from bookwork.exercises.verdicts import STATUSES, Finding, Status, Verdict
from bookwork.exercises.words import show

__all__ = [
    "ARRAY",
    "LISTS",
    "NOT_STARTED",
    "STATUSES",
    "Array",
    "Checkers",
    "ChoiceChecker",
    "DesignChecker",
    "Exercise",
    "Exercises",
    "Finding",
    "FunctionChecker",
    "Mistake",
    "NumberChecker",
    "Outcome",
    "Raises",
    "RubricChecker",
    "SeveralChecker",
    "ShapeChecker",
    "Shows",
    "Status",
    "Trial",
    "UnreadableError",
    "Verdict",
    "between",
    "borrowed",
    "close",
    "decimals_lost",
    "distinct_sizes",
    "draw_arrays",
    "failure",
    "faulty",
    "mistakes_of",
    "parts",
    "plain",
    "random_case",
    "read_array",
    "run",
    "show",
    "too_late",
    "unfinished",
    "whole",
]
