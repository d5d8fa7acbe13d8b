"""What an author needs to check an exercise, independent of any particular book.

A module of checkers, one for each chapter, has ``EXERCISES``: a dictionary of the checkers that
judge the answers, by label. The example of a chapter is complete.

- `FunctionChecker` compares the reader's function with a model answer, on ``cases`` that you choose
  and on random ones (`random_case`). It knows the mistakes that readers make, by changes of the
  model answer's text. `parts` and `EXACT` are for results that are not one array.
- `Value` explains the wrong numbers and shapes that readers give; `Values` has several of them.
- `ChoiceChecker` explains every letter of a choice.
- Any other function that takes the answer and returns a `Finding` works, too. `unfinished`,
  `read_array`, `close`, `show` and `run` help.
"""

from bookwork.exercises.cases import between, distinct_sizes, draw_arrays, random_case, whole
from bookwork.exercises.function import FunctionChecker, Raises, Shows
from bookwork.exercises.outputs import EXACT, Array, close, parts, read_array
from bookwork.exercises.patches import patched
from bookwork.exercises.running import run
from bookwork.exercises.table import Checkers, Exercise, Exercises
from bookwork.exercises.value import ChoiceChecker, Value, Values
from bookwork.exercises.verdicts import Finding, Status, Verdict, unfinished
from bookwork.exercises.words import as_lists, show

__all__ = ["between", "distinct_sizes", "draw_arrays", "random_case", "whole"]
__all__ += ["FunctionChecker", "Raises", "Shows"]
__all__ += ["EXACT", "Array", "close", "parts", "patched", "read_array", "run"]
__all__ += ["Checkers", "ChoiceChecker", "Exercise", "Exercises", "Value", "Values"]
__all__ += ["Finding", "Status", "Verdict", "as_lists", "show", "unfinished"]
