"""The verdict ladder: not started, wrong shape, a known mistake, not yet, correct.

A `FunctionChecker` is called with the reader's function and returns a `Finding`. It compares with
the model answer on small cases first, so that the case shown to the reader is the smallest that
fails. What it uses of NumPy is imported by name, so nothing that a reader redefines affects it.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from numpy import ndarray
from numpy.random import Generator

from bookwork.exercises.cases import draw_cases
from bookwork.exercises.outputs import ARRAY, Output
from bookwork.exercises.patches import function_in, patched
from bookwork.exercises.running import Outcome, run
from bookwork.exercises.verdicts import NOT_STARTED, Finding, unfinished
from bookwork.exercises.words import join, name_all, show

Arguments = tuple[Any, ...]
Function = Callable[..., Any]


class Shows(NamedTuple):
    """A mistake that the smallest case that fails shows: by its result, and the right one."""

    test: Callable[[Any, Any], bool]
    edge: bool = False  # only where all ordinary cases are right


class Raises(NamedTuple):
    """A mistake that an error shows: by a part of its message."""

    error: str


ONE_NUMBER = (
    Raises("truth value of an array"),
    "if, and, or, not, max and min look at one number, but are given a whole array here. np.where, "
    "np.maximum and np.minimum look at each number of an array; so do &, | and ~, with "
    "parentheses: (x > 0) & (x < 1).",
)


@dataclass(frozen=True)
class Trial:
    """One case, what is right in it, and the outcome of the reader's function."""

    arguments: Arguments
    edge: bool
    right: Any
    outcome: Outcome
    fails: bool  # whether the result is anything but right


@dataclass(frozen=True, kw_only=True)
class FunctionChecker:
    """Checks a function against a model answer.

    Parameters
    ----------
    gives : str
        The result in words, as in "one row per query".
    right : str
        The model answer: the text of a function, in which NumPy is ``np``. Its name and those of
        its arguments that have no default are what the reader's should have.
    cases, edges : tuple of tuple
        Arguments to try, the smallest first; `edges` are those that only careful answers get right.
        They may come from a function, which is called at the first check: it may read data.
    praise : str
        The message if everything is right.
    wrong : mapping to str
        The message for each mistake that readers make, by the change of the model answer's text
        that makes it, as in ``"X.std => X.var"`` (see `patched`), or by what `Shows` it or the
        error that it `Raises`; a tuple has several of these.
    output : Output
        The kind of result.
    draw : callable, optional
        Draws one more case from a random generator, with sizes that all differ; the function is
        compared with `right` on a fixed number of such cases.
    """

    gives: str
    right: str
    cases: tuple[Arguments, ...]
    praise: str
    edges: tuple[Arguments, ...] | Callable[[], tuple[Arguments, ...]] = ()
    wrong: Mapping[Any, str] | None = None
    output: Output = ARRAY
    draw: Callable[[Generator], Arguments] | None = None
    known: dict[tuple[int, int], Outcome] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def model(self) -> Function:
        """The model answer, as a function."""
        return function_in(self.right)

    @property
    def name(self) -> str:
        """What the chapter calls the function."""
        return self.model.__name__

    answer = name  # what the starter passes to `check`

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The arguments that the function is called with."""
        given = inspect.signature(self.model).parameters.values()
        return tuple(each.name for each in given if each.default is each.empty)

    @cached_property
    def ways(self) -> tuple[tuple[Any, str], ...]:
        """The mistakes with their messages: functions that make them, `Shows` and `Raises`."""
        return tuple(
            (patched(self.right, way) if isinstance(way, str) else way, says)
            for ways, says in (self.wrong or {}).items()
            for way in (ways if type(ways) is tuple else (ways,))
        )

    @cached_property
    def ordinary(self) -> tuple[Arguments, ...]:
        """The cases that are no edges: the chosen ones, then random ones, always the same."""
        return (*self.cases, *(draw_cases(self.draw) if self.draw else ()))

    @cached_property
    def all_cases(self) -> tuple[Arguments, ...]:
        """All cases, edges last."""
        return (*self.ordinary, *(self.edges() if callable(self.edges) else self.edges))

    def __call__(self, function: Any) -> Finding:
        """Judge the reader's function, step by step."""
        if misused := self._misused(function):
            return Finding("wrong shape", misused)
        trials = list(self._try(function))
        if all(trial.outcome.raw is not None and unfinished(trial.outcome.raw) for trial in trials):
            return Finding("not started", NOT_STARTED)
        failing = [trial for trial in trials if trial.fails]
        mistake = (
            self._from_notebook(function) or self._named(failing, trials) or self._moved(trials)
            if failing
            else self._changed(trials)
        )
        if mistake:
            return Finding("known mistake", mistake)
        return self._problem(failing[0]) if failing else Finding("correct", self.praise)

    def _misused(self, function: Any) -> str:
        """Say why the function cannot be called, or return ""."""
        if not callable(function):
            return (
                f"the answer is the function {self.name} itself, without parentheses, "
                f"but this is {show(function)}."
            )
        try:
            inspect.signature(function).bind(*self.parameters)
        except TypeError:
            called = f"{self.name}({', '.join(self.parameters)})"
            return f"it is called as {called}, but yours takes {inspect.signature(function)}."
        except ValueError:  # some functions written in C do not say
            pass
        return ""

    def _try(self, function: Function) -> Iterator[Trial]:
        """Run all cases, the smallest first."""
        for number, arguments in enumerate(self.all_cases):
            right, outcome = self.right_in(arguments), run(function, arguments, self.output.read)
            fails = not (outcome.returned and self.output.same(outcome.value, right))
            yield Trial(arguments, number >= len(self.ordinary), right, outcome, fails)

    def right_in(self, arguments: Arguments) -> Any:
        """Return what is right in a case."""
        outcome = self._known(self.model, arguments)
        if not outcome.returned:
            reason = outcome.error or outcome.unreadable
            raise ValueError(f"the model answer {self.name} fails: {reason}")
        return outcome.value

    def _known(self, function: Function, arguments: Arguments) -> Outcome:
        """Run the model answer, or a mistake, once in each case."""
        key = id(function), id(arguments)  # both kept alive by the checker
        if key not in self.known:
            self.known[key] = run(function, arguments, self.output.read)
        return self.known[key]

    def _from_notebook(self, function: Any) -> str:
        """Say that a variable of the notebook is read where an argument should be."""
        read = variables_read(function, self.parameters)
        if not read:
            return ""
        own = f"Use its own arguments, {inspect.signature(function)}."
        called = f"whatever {self.name} is called with"
        return f"your function uses the notebook's {join(read)}, {called}. {own}"

    def _named(self, failing: list[Trial], trials: list[Trial]) -> str:
        """Return the message of the mistake that gives the same results, if there is one."""
        alike = [trial for trial in trials if failing[0].edge or not trial.edge]
        for way, says in (*self.ways, ONE_NUMBER):
            if self._made(way, alike) if callable(way) else _seen(way, failing[0]):
                return says
        return ""

    def _made(self, wrong: Function, alike: list[Trial]) -> bool:
        """Return whether a mistake gives the same results, and errors of the same kinds.

        Without any wrong result that is the same, the errors must read the same, too.
        """
        pairs = [(self._known(wrong, trial.arguments), trial.outcome) for trial in alike]
        if not all(self._agree(*pair) for pair in pairs):
            return False
        shown = any(trial.fails and trial.outcome.returned for trial in alike)
        return shown or all(one.error == other.error for one, other in pairs)

    def _agree(self, one: Outcome, other: Outcome) -> bool:
        if one.returned and other.returned:
            return self.output.same(other.value, one.value)
        return bool(one.error) and one.error.split(":")[0] == other.error.split(":")[0]

    def _moved(self, trials: list[Trial]) -> str:
        """Say that the numbers are right, but stand elsewhere."""
        for move, says in self.output.moves:
            results = [(trial.outcome, trial.right) for trial in trials]
            if all(o.returned and self.output.same(move(o.value), right) for o, right in results):
                return says
        return ""

    def _problem(self, trial: Trial) -> Finding:
        """Say what is wrong with the smallest case that fails."""
        given, outcome = name_all(self.parameters, trial.arguments), trial.outcome
        if outcome.error:
            line = f" in line {outcome.line}" if outcome.line else ""
            return Finding("not yet", f"{self.name} raised {outcome.error}{line}, for {given}.")
        if outcome.raw is None:
            says = f"{self.name} returned None, that is nothing, for {given}. End it with return."
            return Finding("known mistake", says)
        if misfit := self._misfit(outcome, trial.right):
            says = f"{self.name} should return {self.gives}{misfit}, for {given}."
            return Finding("wrong shape", says)
        differs = self.output.differs(outcome.value, trial.right)
        return Finding("not yet", f"for {given} {differs}.")

    def _misfit(self, outcome: Outcome, right: Any) -> str:
        """Say that a result is not of the right kind, or return ""."""
        if outcome.unreadable:
            return f", but returned {outcome.unreadable}"
        misfit = self.output.misfit(outcome.value, right)
        if misfit and self.output is not ARRAY and isinstance(outcome.raw, ndarray):
            return f", but returned one thing, {show(outcome.raw)}"
        return f": its result {misfit}" if misfit else ""

    def _changed(self, trials: list[Trial]) -> str:
        """Say that a right function changed what belongs to its caller."""
        changed = next((t.outcome.changed for t in trials if t.outcome.changed), ())
        if not changed:
            return ""
        names = join([self.parameters[place] for place in changed])
        return (
            f"the result is right, but {self.name} changed {names}, which it was given. Work on a "
            "copy, or make a new array. (It was tried on copies: your own data is unchanged.)"
        )


def variables_read(answer: Any, names: tuple[str, ...]) -> list[str]:
    """Return those variables of the notebook, among `names`, that an answer reads."""
    function = inspect.unwrap(answer)
    if not isinstance(function, FunctionType):
        return []
    mentioned = {*_mentioned(function.__code__)} - {*function.__code__.co_varnames}
    values = {name: function.__globals__.get(name) for name in names if name in mentioned}
    return [name for name, value in values.items() if value is not None and not callable(value)]


def _mentioned(code: CodeType) -> Iterator[str]:
    """Yield the names of outside in a function and in the functions inside it."""
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _mentioned(part)


def _seen(way: Shows | Raises, smallest: Trial) -> bool:
    """Recognise a mistake by its error, or by the smallest case that fails."""
    if isinstance(way, Raises):
        return way.error in smallest.outcome.error
    fits = smallest.outcome.returned and (smallest.edge or not way.edge)
    return fits and way.test(smallest.outcome.value, smallest.right)
