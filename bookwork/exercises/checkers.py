"""The verdict ladder: not started, wrong shape, a known mistake, not yet, correct.

A checker is an object that is called with the reader's answer and returns a `Finding`. It compares
with a plain loop on small cases first, so that the case shown to the reader is the smallest that
fails. NumPy's functions are imported by name, so nothing that a reader redefines affects them.
"""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from typing import Any, NamedTuple

from numpy import array_equal, errstate, generic, ndarray
from numpy.random import Generator

from bookwork.exercises.cases import draw_cases
from bookwork.exercises.names import borrowed, variables_read
from bookwork.exercises.outputs import ARRAY, Output
from bookwork.exercises.patches import function_in, patched
from bookwork.exercises.running import Outcome, run, too_late
from bookwork.exercises.verdicts import Finding
from bookwork.exercises.words import count, join, name_all, show, with_case

Arguments = tuple[Any, ...]
Cases = tuple[Arguments, ...] | Callable[[], tuple[Arguments, ...]]

NOT_STARTED = "put your answer in place of the dots, then run the cell."


@dataclass(frozen=True)
class Mistake:
    """A mistake that readers make, and one way to recognise it.

    Parameters
    ----------
    says : str
        The message; `FunctionChecker` fills it in where a mapping has it.
    wrong : callable, optional
        A function that makes the mistake: the answer gives the same results in every case.
    raises : str, optional
        Part of the message of the error that the mistake raises.
    shows : callable, optional
        Recognises it by the result of the smallest case that fails, and by the right result.
    edge : bool
        Whether `shows` applies only to edges: if an ordinary case fails, it is another mistake.
    """

    says: str = ""
    wrong: Callable[..., Any] | None = None
    raises: str = ""
    shows: Callable[[Any, Any], bool] | None = None
    edge: bool = False


class Shows(NamedTuple):
    """A mistake that is recognised by the result of the smallest case that fails, and the right."""

    test: Callable[[Any, Any], bool]
    edge: bool = False  # only if no ordinary case fails


class Raises(NamedTuple):
    """A mistake that is recognised by a part of the message of its error."""

    error: str


def declared(source: Any, wrong: Mapping[Any, str]) -> tuple[Mistake, ...]:
    """Return the mistakes that are declared with a model answer, by ways to make them."""
    return tuple(
        _way(source, way, says)
        for ways, says in wrong.items()
        for way in (ways if type(ways) is tuple else (ways,))
    )


def _way(source: Any, way: Any, says: str) -> Mistake:
    if isinstance(way, Shows):
        return Mistake(says, shows=way.test, edge=way.edge)
    if isinstance(way, Raises):
        return Mistake(says, raises=way.error)
    return Mistake(says, wrong=patched(source, way) if isinstance(way, str) else way)


def faulty(model: Callable[..., Any], says: str, **options: Any) -> Mistake:
    """Return a mistake that is a variant of one model answer, called with options.

    Examples
    --------
    >>> def mean(x, count=len):
    ...     return sum(x) / count(x)
    >>> faulty(mean, "divide by the number of entries.", count=lambda x: 1).wrong([2, 4])
    6.0
    """
    return Mistake(says, wrong=functools.partial(model, **options))


def mistakes_of(model: Callable[..., Any], ways: Mapping[str, Any]) -> tuple[Mistake, ...]:
    """Return a mistake for each message: a model answer's options, or another way to make it.

    The way is a mapping of options, the name that the model's option `fault` gives it, a function
    of its own, or a `Mistake` without a message; a list has several of these.

    Examples
    --------
    >>> def mean(x, count=len, fault=""):
    ...     return sum(x) / (1 if fault == "undivided" else count(x))
    >>> ways = {"divide.": "undivided", "count all.": {"count": lambda x: 1}, "extreme": [max, min]}
    >>> [mistake.wrong([2, 4]) for mistake in mistakes_of(mean, ways)]
    [6.0, 6.0, 4, 2]
    """
    return tuple(
        _mistake(model, says, way)
        for says, one_or_more in ways.items()
        for way in (one_or_more if isinstance(one_or_more, list) else [one_or_more])
    )


def _mistake(model: Callable[..., Any], says: str, way: Any) -> Mistake:
    if isinstance(way, Mistake):
        return replace(way, says=says)
    if callable(way):
        return Mistake(says, wrong=way)
    return faulty(model, says, **(way if isinstance(way, Mapping) else {"fault": way}))


ONE_NUMBER = Mistake(
    "if, and, or, not, max and min look at one number, but are given a whole array here. np.where, "
    "np.maximum and np.minimum look at each number of an array; so do &, | and ~, with "
    "parentheses: (x > 0) & (x < 1).",
    raises="truth value of an array",
)


def unfinished(answer: object) -> bool:
    """Return whether the answer is still dots, or None."""
    if isinstance(answer, tuple | list):
        return any(part is ... for part in answer)
    return answer is ... or answer is None or answer is NotImplemented


def plain(answer: Any) -> Any:
    """Return an answer without NumPy: an array as a list, a NumPy scalar as a Python one.

    Examples
    --------
    >>> import numpy as np
    >>> plain(np.ones(2, bool)), plain((np.int64(5), 8)), plain(np.array("b"))
    ([True, True], (5, 8), 'b')
    """
    if isinstance(answer, ndarray | generic) and answer.dtype.kind in "biufU":
        return answer.tolist()
    if type(answer) in (tuple, list):
        return type(answer)(plain(part) for part in answer)
    return answer


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
    """Checks a function against a plain loop.

    Parameters
    ----------
    name : str, optional
        What the chapter calls the function; the name of `right` if it is left out.
    parameters : tuple of str, optional
        Its arguments; those of `right` that have no default if they are left out.
    gives : str
        The result in words, as in "one row per query".
    right : callable
        What is right: a plain loop, or a model answer whose options make the mistakes.
    cases, edges : tuple of tuple, or callable
        Arguments to try, the smallest first; `edges` are those that only careful answers get right.
        A function that returns them is called at the first check: it may read data.
    mistakes : mapping of str to way, or tuple of Mistake
        The mistakes that readers make: for each message how it is made, as options of the model,
        as a function or as a `Mistake`; see `mistakes_of`.
    model : callable, optional
        The answer whose options make the mistakes; `right` if it is left out.
    praise : str
        The message if everything is right.
    output : Output
        The kind of result.
    draw : callable, optional
        Draws one more case from a random generator, with sizes that all differ; the function is
        compared with `right` on a fixed number of such cases.
    without : tuple of str
        Functions of the library that the answer must not use; ``"mean.axis"`` rules out one
        argument.
    again : callable, optional
        Looks at the function once more, unless it is not started or too slow, with what was found;
        returns that finding or a better one.
    """

    gives: str
    right: Any  # in the end, a function
    cases: Cases
    praise: str
    name: str = ""
    parameters: tuple[str, ...] = ()
    edges: Cases = ()
    mistakes: Any = ()  # in the end, a tuple of Mistake
    wrong: Mapping[Any, str] | None = None
    model: Callable[..., Any] | None = None
    output: Output = ARRAY
    draw: Callable[[Generator], Arguments] | None = None
    without: tuple[str, ...] = ()
    again: Callable[[Callable[..., Any], Finding], Finding] | None = None

    def __post_init__(self) -> None:
        source: Any = self.right
        if isinstance(source, str):
            object.__setattr__(self, "right", function_in(source))
        if self.wrong:
            object.__setattr__(self, "mistakes", declared(source, self.wrong))
        object.__setattr__(self, "name", self.name or self.right.__name__)
        object.__setattr__(self, "parameters", self.parameters or _needed(self.right))
        if isinstance(self.mistakes, Mapping):
            known = mistakes_of(self.model or self.right, self.mistakes)
            object.__setattr__(self, "mistakes", known)

    @property
    def answer(self) -> str:
        """What the starter passes to `check`."""
        return self.name

    @cached_property
    def ordinary(self) -> tuple[Arguments, ...]:
        """The cases that are no edges: the chosen ones, then random ones, always the same."""
        return (*_listed(self.cases), *(draw_cases(self.draw) if self.draw else ()))

    @cached_property
    def all_cases(self) -> tuple[Arguments, ...]:
        """All cases, edges last."""
        return (*self.ordinary, *_listed(self.edges))

    @cached_property
    def known(self) -> dict[Any, Any]:
        """What is right in each case and what each mistake gives: computed once, as it is slow."""
        return {}

    def __call__(self, function: Any) -> Finding:
        """Judge the reader's function, step by step."""
        if found := self._before_running(function):
            return found
        trials = list(self._try(function))
        finding = self._judge(function, trials)
        if self.again is None or trials[-1].outcome.late or finding.status == "not started":
            return finding
        return self.again(function, finding)

    def _judge(self, function: Any, trials: list[Trial]) -> Finding:
        if all(_dots(trial.outcome) for trial in trials) or _is_stub(function, trials):
            return Finding("not started", NOT_STARTED)
        if found := self._borrowed(function):
            return found
        failing = [trial for trial in trials if trial.fails]
        if failing:
            return (
                self._too_many(failing[0])
                or self._misplaced(function)
                or self._from_notebook(function)
                or self._named(failing, trials)
                or self._rearranged(trials)
                or self._problem(failing[0], self._rounded(trials))
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
            return Finding(
                "wrong shape", f"{self._called()}, but yours takes {inspect.signature(function)}."
            )
        except ValueError:  # some functions written in C do not say
            pass
        return None

    def _called(self) -> str:
        return f"it is called as {self.name}({', '.join(self.parameters)})"

    def _try(self, function: Callable[..., Any]) -> Iterator[Trial]:
        """Run all cases, the smallest first; stop after one that takes too long."""
        for number, arguments in enumerate(self.all_cases):
            right, outcome = self._right(arguments), run(function, arguments, self.output.read)
            fails = not (outcome.returned and self.output.same(outcome.value, right))
            yield Trial(arguments, number >= len(self.ordinary), right, outcome, fails)
            if outcome.late:
                break

    def _right(self, arguments: Arguments) -> Any:
        key = id(arguments)  # kept alive by the checker
        if key not in self.known:
            with errstate(all="ignore"):  # whatever the reader has set for NumPy
                self.known[key] = self.output.read(self.right(*arguments))
        return self.known[key]

    def _borrowed(self, function: Any) -> Finding | None:
        """Say that a function of the library does what the reader should write."""
        called = borrowed(function, self.without)
        says = f"this exercise asks you to write {self.name} yourself, but your answer calls the "
        return Finding("known mistake", f"{says}library's own {called}.") if called else None

    def _too_many(self, trial: Trial) -> Finding | None:
        """Say that several things were returned where one is expected."""
        raw, outcome = trial.outcome.raw, trial.outcome
        if self.output is not ARRAY or not isinstance(raw, tuple) or len(raw) < 2:
            return None
        if outcome.returned and not self.output.misfit(outcome.value, trial.right):
            return None
        if not (getattr(trial.right, "ndim", 1) == 0 or any(map(_is_many, raw))):
            return None
        fine = [i for i, part in enumerate(raw, start=1) if self._fits(part, trial.right)]
        hint = f" Number {fine[0]} of them is right: return it alone." if fine else ""
        return Finding(
            "wrong shape",
            f"{self.name} should return {self.gives} and nothing else, but returned "
            f"{count(len(raw))} things.{hint}",
        )

    def _fits(self, part: Any, right: Any) -> bool:
        outcome = run(lambda: part, (), self.output.read)
        return outcome.returned and self.output.same(outcome.value, right)

    def _rearranged(self, trials: list[Trial]) -> Finding | None:
        """Say that the numbers are right: the parts in another order, or rows as columns."""
        names = self.output.names
        for order in list(permutations(range(len(names))))[1:]:
            if self._right_if(functools.partial(_reordered, order=order), trials):
                parts = join([*names[:-1], f"then {names[-1]}"])
                says = f"the parts are right, but in the wrong order: first {parts}."
                return Finding("known mistake", says)
        if self.output is ARRAY and self._right_if(_turned, trials):
            says = "the numbers are right, but rows and columns are exchanged: transpose them."
            return Finding("known mistake", says)
        return None

    def _right_if(self, change: Callable[[Any], Any], trials: list[Trial]) -> bool:
        """Return whether all results are right once they are changed."""
        return all(
            trial.outcome.returned and self.output.same(change(trial.outcome.value), trial.right)
            for trial in trials
        )

    def _misplaced(self, function: Any) -> Finding | None:
        """Say that the parameters are those of the exercise, but in another order."""
        own, asked = self._own_names(function), self.parameters
        if own == asked or not {*own} & {*asked}:
            return None
        others = iter([name for name in asked if name not in own])  # which have a name of their own
        order = [asked.index(name if name in asked else next(others)) for name in own]
        trials = self._try(lambda *given: function(*_reordered(given, order)))
        if order == sorted(order) or ({*own} != {*asked} and any(t.fails for t in trials)):
            return None
        says = f"{self._called()}, in this order, but yours takes {inspect.signature(function)}."
        return Finding("wrong shape", says)

    def _own_names(self, function: Any) -> tuple[str, ...]:
        """Return what the reader calls the parameters."""
        try:
            own = tuple(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            return self.parameters
        return own if len(own) == len(self.parameters) else self.parameters

    def _from_notebook(self, function: Any) -> Finding | None:
        """Say that a variable of the notebook is read where an argument should be."""
        read = variables_read(function, self.parameters)
        own = dict(zip(self.parameters, self._own_names(function), strict=True))
        if not read:
            return None
        arguments = f"its argument{'s' if len(read) > 1 else ''} {join([own[n] for n in read])}"
        return Finding(
            "known mistake",
            f"your function uses the notebook's {join(read)}, whatever {self.name} is called "
            f"with. Use {arguments}.",
        )

    def _named(self, failing: list[Trial], trials: list[Trial]) -> Finding | None:
        """Return the finding for the mistake that gives the same results, if there is one."""
        alike = [trial for trial in trials if failing[0].edge or not trial.edge]
        for mistake in self.mistakes:
            if self._made(mistake, alike, to_the_letter=True):
                return Finding("known mistake", mistake.says)
        for mistake in (*self.mistakes, ONE_NUMBER):
            if _seen(mistake, failing[0]) or self._made(mistake, alike):
                return Finding("known mistake", mistake.says)
        return None

    def _made(self, mistake: Mistake, alike: list[Trial], to_the_letter: bool = False) -> bool:
        """Return whether a mistake gives the same results and the same errors.

        Errors that read differently count as the same only beside a wrong result that is the same.
        """
        if mistake.wrong is None:
            return False
        alone = not to_the_letter  # errors, and no result that tells one mistake from another
        for trial in alike:
            outcome = self._mistaken(mistake.wrong, trial.arguments)
            if not self._agree(outcome, trial.outcome, to_the_letter):
                return False
            alone = alone and not (trial.outcome.returned and trial.fails)
        return not alone

    def _mistaken(self, wrong: Callable[..., Any], arguments: Arguments) -> Outcome:
        key = id(wrong), id(arguments)  # both kept alive by the checker
        outcome: Outcome = self.known.get(key) or run(wrong, arguments, self.output.read)
        if not outcome.late:  # a machine that is busy now may be free the next time
            self.known[key] = outcome
        return outcome

    def _agree(self, one: Outcome, other: Outcome, to_the_letter: bool) -> bool:
        if one.returned and other.returned:
            return self.output.same(other.value, one.value)
        if to_the_letter:
            return bool(one.error) and one.error == other.error
        return bool(one.error) and one.error.split(":")[0] == other.error.split(":")[0]

    def _rounded(self, trials: list[Trial]) -> bool:
        """Return whether all results are right but for the same number of decimals."""
        return any(
            all(t.outcome.returned and _is_round(t.outcome.value, t.right, digits) for t in trials)
            for digits in range(1, 7)
        )

    def _problem(self, trial: Trial, rounded: bool) -> Finding:
        """Say what is wrong with the smallest case that fails."""
        given, outcome = name_all(self.parameters, trial.arguments), trial.outcome
        if found := failure(self.name, outcome, given):
            return found
        problem = f", but returned {outcome.unreadable}" if outcome.unreadable else ""
        if not problem and (misfit := self.output.misfit(outcome.value, trial.right)):
            one = self.output.names and isinstance(outcome.raw, ndarray)
            thing = f", but returned one thing, {show(outcome.raw)}"
            problem = thing if one else f": its result {misfit}"
        if problem:
            says = f"{self.name} should return {self.gives}{problem}, for "
            return Finding("wrong shape", with_case(says, given))
        differs = self.output.differs(outcome.value, trial.right)
        hint = " It is rounded: return it as it is." if rounded else ""
        return Finding("not yet", with_case("for ", given, f" {differs}.{hint}"))

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


def _is_round(got: Any, right: Any, digits: int) -> bool:
    """Return whether a result is the right one, rounded; of several parts, each may be."""
    if isinstance(right, tuple):
        return all(_is_round(*pair, digits) for pair in zip(got, right, strict=True))
    return isinstance(right, ndarray) and (
        array_equal(got, right.round(digits)) or array_equal(got, right)
    )


def _reordered(parts: Arguments, order: Sequence[int]) -> tuple[Any, ...]:
    return tuple(parts[place] for place in order)


def _turned(array: Any) -> Any:
    return array.swapaxes(-1, -2) if array.ndim > 1 else array


def _listed(cases: Cases) -> tuple[Arguments, ...]:
    return cases() if callable(cases) else cases


def _needed(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the arguments that a function cannot do without."""
    given = inspect.signature(function).parameters.values()
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return tuple(each.name for each in given if each.default is each.empty and each.kind == kind)


def failure(name: str, outcome: Outcome, given: str) -> Finding | None:
    """Say why a call has no result: it took too long, raised an error, or returned None."""
    if outcome.late:
        says = with_case(f"{name} {too_late()} for ", given, ". Is there a loop that never ends?")
        return Finding("not yet", says)
    if outcome.error:
        line = f" in line {outcome.line}" if outcome.line else ""
        return Finding("not yet", with_case(f"{name} raised {outcome.error}{line}, for ", given))
    if outcome.raw is None:
        says = f"{name} returned None, that is nothing, for {given}. End it with return."
        return Finding("known mistake", says)
    return None


def _is_many(part: Any) -> bool:
    """Return whether a part of a result is more than one number."""
    return isinstance(part, list | tuple | ndarray) and getattr(part, "shape", None) != ()


def _seen(mistake: Mistake, smallest: Trial) -> bool:
    """Recognise a mistake by its error, or by the smallest case that fails."""
    if mistake.raises:
        return mistake.raises in smallest.outcome.error
    if mistake.shows and smallest.outcome.returned and (smallest.edge or not mistake.edge):
        return mistake.shows(smallest.outcome.value, smallest.right)
    return False


def _dots(outcome: Outcome) -> bool:
    not_implemented = outcome.error.startswith("NotImplementedError")
    return not_implemented or (outcome.raw is not None and unfinished(outcome.raw))


def _stub() -> None: ...


def _is_stub(function: Callable[..., Any], trials: list[Trial]) -> bool:
    """Return whether a function returned None because there is nothing in it yet."""
    code = getattr(function, "__code__", None)
    empty = code is not None and len(code.co_code) <= len(_stub.__code__.co_code)
    return empty and all(t.outcome.raw is None and not t.outcome.error for t in trials)


@dataclass(frozen=True)
class ChoiceChecker:
    """Checks a letter; every wrong one has its explanation.

    The choices themselves are in the chapter. The build checks that the letters there are those
    that are explained here.

    Parameters
    ----------
    right : str
        The right letter.
    explanations : mapping of str to str
        The message for each letter, including the right one.

    Examples
    --------
    >>> says = {"a": "you count the keys, not the queries.", "b": "one row for each query."}
    >>> ChoiceChecker("b", says)("a")
    Finding(status='known mistake', message='you count the keys, not the queries.')
    """

    right: str
    explanations: Mapping[str, str]
    answer = "answer"  # what the starter passes

    def __post_init__(self) -> None:
        if self.right not in self.explanations:
            letters = ", ".join(self.explanations)
            raise ValueError(f"the right letter is {self.right}, but {letters} are explained")

    def __call__(self, letter: Any) -> Finding:
        """Judge the letter."""
        chosen = letter.strip(" .:()*'\"").lower() if isinstance(letter, str) else ""
        if chosen not in self.explanations:
            letters = ", ".join(f'"{choice}"' for choice in self.explanations)
            says = f"answer with one of {letters}, including the quotes, not {show(letter)}."
            return Finding("wrong shape", says)
        explanation = self.explanations[chosen]
        right = chosen == self.right
        return Finding("correct" if right else "known mistake", explanation)
