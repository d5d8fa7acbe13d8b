"""The verdict ladder: not started, wrong shape, a known mistake, not yet, correct.

A `FunctionChecker` is called with the reader's function and returns a `Finding`. It compares with
the model answer on small cases first, so that the case shown to the reader is the smallest that
fails. What it uses of NumPy is imported by name, so nothing that a reader redefines affects it.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from numpy import ndarray
from numpy.random import Generator

from bookwork.exercises.cases import draw_cases
from bookwork.exercises.outputs import ARRAY, Output
from bookwork.exercises.patches import function_in, patched
from bookwork.exercises.running import Outcome, run
from bookwork.exercises.verdicts import NOT_STARTED, Finding, unfinished
from bookwork.exercises.words import join, name_all, show, with_case

Arguments = tuple[Any, ...]
Cases = tuple[Arguments, ...] | Callable[[], tuple[Arguments, ...]]
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
    right : str or callable
        The model answer: the text of a function, in which NumPy is ``np``, or a function. Its name
        and those of its arguments that have no default are what the reader's should have.
    cases, edges : tuple of tuple, or callable
        Arguments to try, the smallest first; `edges` are those that only careful answers get right.
        A function that returns them is called at the first check: it may read data.
    praise : str
        The message if everything is right.
    wrong : mapping to str
        The message for each mistake that readers make, by the change of the model answer's text
        that makes it, as in ``"X.std => X.var"`` (see `patched`), or by a function that makes it,
        `Shows` or `Raises`; a tuple has several of these.
    output : Output
        The kind of result.
    draw : callable, optional
        Draws one more case from a random generator, with sizes that all differ; the function is
        compared with `right` on a fixed number of such cases.
    again : callable, optional
        Looks at the function once more, unless it is not started, with what was found; returns that
        finding or a better one.
    """

    gives: str
    right: Any
    cases: Cases
    praise: str
    edges: Cases = ()
    wrong: Mapping[Any, str] | None = None
    output: Output = ARRAY
    draw: Callable[[Generator], Arguments] | None = None
    again: Callable[[Function, Finding], Finding] | None = None

    @cached_property
    def model(self) -> Function:
        """The model answer, as a function."""
        function: Function = function_in(self.right) if isinstance(self.right, str) else self.right
        return function

    @property
    def name(self) -> str:
        """What the chapter calls the function."""
        return self.model.__name__

    @property
    def answer(self) -> str:
        """What the starter passes to `check`."""
        return self.name

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
        return (*_listed(self.cases), *(draw_cases(self.draw) if self.draw else ()))

    @cached_property
    def all_cases(self) -> tuple[Arguments, ...]:
        """All cases, edges last."""
        return (*self.ordinary, *_listed(self.edges))

    @cached_property
    def known(self) -> dict[tuple[int, int], Outcome]:
        """What the model answer and each mistake give in each case: run once, as it is slow."""
        return {}

    def __call__(self, function: Any) -> Finding:
        """Judge the reader's function, step by step."""
        if found := self._before_running(function):
            return found
        finding = self._judge(function, list(self._try(function)))
        if self.again is None or finding.status == "not started":
            return finding
        return self.again(function, finding)

    def _judge(self, function: Any, trials: list[Trial]) -> Finding:
        if all(_dots(trial.outcome) for trial in trials) or _is_stub(function, trials):
            return Finding("not started", NOT_STARTED)
        failing = [trial for trial in trials if trial.fails]
        if failing:
            return (
                self._from_notebook(function)
                or self._named(failing, trials)
                or self._rearranged(trials)
                or self._problem(failing[0])
            )
        return self._changed(trials) or Finding("correct", self.praise)

    def _before_running(self, function: Any) -> Finding | None:
        if not callable(function):
            return Finding(
                "wrong shape",
                f"the answer is the function {self.name} itself, without parentheses, "
                f"but this is {show(function)}.",
            )
        try:
            inspect.signature(function).bind(*self.parameters)
        except TypeError:
            called = f"it is called as {self.name}({', '.join(self.parameters)})"
            return Finding("wrong shape", f"{called}, but yours takes {_signature(function)}.")
        except ValueError:  # some functions written in C do not say
            pass
        return None

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
        key = id(function), id(arguments)  # both kept alive by the checker
        if key not in self.known:
            self.known[key] = run(function, arguments, self.output.read)
        return self.known[key]

    def _rearranged(self, trials: list[Trial]) -> Finding | None:
        """Say that the numbers are right: the parts in another order, or rows as columns."""
        names = self.output.names
        for order in list(permutations(range(len(names))))[1:]:
            if self._right_if(lambda parts, order=order: tuple(parts[k] for k in order), trials):
                parts = join([*names[:-1], f"then {names[-1]}"])
                says = f"the parts are right, but in the wrong order: first {parts}."
                return Finding("known mistake", says)
        if self.output is ARRAY and self._right_if(_turned, trials):
            says = "the numbers are right, but rows and columns are exchanged: transpose them."
            return Finding("known mistake", says)
        return None

    def _right_if(self, change: Function, trials: list[Trial]) -> bool:
        """Return whether all results are right once they are changed."""
        return all(
            trial.outcome.returned and self.output.same(change(trial.outcome.value), trial.right)
            for trial in trials
        )

    def _from_notebook(self, function: Any) -> Finding | None:
        """Say that a variable of the notebook is read where an argument should be."""
        read = variables_read(function, self.parameters)
        if not read:
            return None
        own = dict(zip(self.parameters, inspect.signature(function).parameters, strict=False))
        arguments = (
            f"its argument{'s' if len(read) > 1 else ''} {join([own.get(n, n) for n in read])}"
        )
        return Finding(
            "known mistake",
            f"your function uses the notebook's {join(read)}, whatever {self.name} is called "
            f"with. Use {arguments}.",
        )

    def _named(self, failing: list[Trial], trials: list[Trial]) -> Finding | None:
        """Return the finding for the mistake that gives the same results, if there is one."""
        alike = [trial for trial in trials if failing[0].edge or not trial.edge]
        for way, says in self.ways:
            if callable(way) and self._made(way, alike, to_the_letter=True):
                return Finding("known mistake", says)
        for way, says in (*self.ways, ONE_NUMBER):
            if self._made(way, alike) if callable(way) else _seen(way, failing[0]):
                return Finding("known mistake", says)
        return None

    def _made(self, wrong: Function, alike: list[Trial], to_the_letter: bool = False) -> bool:
        """Return whether a mistake gives the same results and the same errors.

        Errors that read differently count as the same only beside a wrong result that is the same.
        """
        alone = not to_the_letter  # errors, and no result that tells one mistake from another
        for trial in alike:
            outcome = self._known(wrong, trial.arguments)
            if not self._agree(outcome, trial.outcome, to_the_letter):
                return False
            alone = alone and not (trial.outcome.returned and trial.fails)
        return not alone

    def _agree(self, one: Outcome, other: Outcome, to_the_letter: bool) -> bool:
        if one.returned and other.returned:
            return self.output.same(other.value, one.value)
        if to_the_letter:
            return bool(one.error) and one.error == other.error
        return bool(one.error) and one.error.split(":")[0] == other.error.split(":")[0]

    def _problem(self, trial: Trial) -> Finding:
        """Say what is wrong with the smallest case that fails."""
        given, outcome = name_all(self.parameters, trial.arguments), trial.outcome
        if outcome.error:
            line = f" in line {outcome.line}" if outcome.line else ""
            says = f"{self.name} raised {outcome.error}{line}, for "
            return Finding("not yet", with_case(says, given))
        if outcome.raw is None:
            says = f"{self.name} returned None, that is nothing, for {given}. End it with return."
            return Finding("known mistake", says)
        problem = f", but returned {outcome.unreadable}" if outcome.unreadable else ""
        if not problem and (misfit := self.output.misfit(outcome.value, trial.right)):
            one = self.output.names and isinstance(outcome.raw, ndarray)
            thing = f", but returned one thing, {show(outcome.raw)}"
            problem = thing if one else f": its result {misfit}"
        if problem:
            says = f"{self.name} should return {self.gives}{problem}, for "
            return Finding("wrong shape", with_case(says, given))
        differs = self.output.differs(outcome.value, trial.right)
        return Finding("not yet", with_case("for ", given, f" {differs}."))

    def _changed(self, trials: list[Trial]) -> Finding | None:
        changed = next((t.outcome.changed for t in trials if t.outcome.changed), ())
        names = [self.parameters[place] for place in changed]
        if not names:
            return None
        inputs = f"input {names[0]}, which belongs"
        if len(names) > 1:
            inputs = f"inputs {join(names)}, which belong"
        return Finding(
            "known mistake",
            f"the result is right, but {self.name} changed its {inputs} to the caller. Work on a "
            "copy, or make a new array. (It was tried on copies: your own data is unchanged.)",
        )


def variables_read(answer: Any, names: tuple[str, ...]) -> list[str]:
    """Return those variables of the notebook, among `names`, that an answer reads.

    Examples
    --------
    >>> space = {"K": [1.0]}
    >>> exec("def count(X): return [len(K) for _ in X]", space)
    >>> variables_read(space["count"], ("X", "K"))
    ['K']
    """
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


def _signature(function: Function) -> str:
    return str(inspect.signature(function))


def _turned(array: Any) -> Any:
    return array.swapaxes(-1, -2) if array.ndim > 1 else array


def _listed(cases: Cases) -> tuple[Arguments, ...]:
    return cases() if callable(cases) else cases


def _seen(way: Shows | Raises, smallest: Trial) -> bool:
    """Recognise a mistake by its error, or by the smallest case that fails."""
    if isinstance(way, Raises):
        return way.error in smallest.outcome.error
    fits = smallest.outcome.returned and (smallest.edge or not way.edge)
    return fits and way.test(smallest.outcome.value, smallest.right)


def _dots(outcome: Outcome) -> bool:
    not_implemented = outcome.error.startswith("NotImplementedError")
    return not_implemented or (outcome.raw is not None and unfinished(outcome.raw))


def _stub() -> None: ...


def _is_stub(function: Function, trials: list[Trial]) -> bool:
    """Return whether a function returned None because there is nothing in it yet."""
    code = getattr(function, "__code__", None)
    empty = code is not None and len(code.co_code) <= len(_stub.__code__.co_code)
    return empty and all(t.outcome.raw is None and not t.outcome.error for t in trials)
