"""The verdict ladder: not started, wrong shape, a known mistake, not yet, correct.

A checker is an object that is called with the reader's answer and returns a `Finding`. It compares
with a plain loop on small cases first, so that the case shown to the reader is the smallest that
fails. NumPy's functions are bound by name at import: nothing a reader redefines later reaches them.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

from numpy import asarray

from attention_lib.exercises import _run
from attention_lib.exercises._outputs import ARRAY, Output
from attention_lib.exercises._run import Outcome, run
from attention_lib.exercises._table import Finding
from attention_lib.exercises._words import name_all, show, show_apart

Arguments = tuple[Any, ...]

NOT_STARTED = "put your answer in place of the dots, then run the cell."


@dataclass(frozen=True)
class Mistake:
    """A mistake that readers make, and one way to tell it from others.

    Parameters
    ----------
    says : str
        The message.
    wrong : callable, optional
        A function that makes the mistake: it gives the same results, wrong and right.
    raises : str, optional
        Words of the error that the mistake raises.
    shows : callable, optional
        Tells it from the result of the smallest case that fails, and from the right result.
    edge : bool
        Whether `shows` looks at edges only: where an ordinary case fails, it is another mistake.
    """

    says: str
    wrong: Callable[..., Any] | None = None
    raises: str = ""
    shows: Callable[[Any, Any], bool] | None = None
    edge: bool = False


ANYWHERE = (
    Mistake(
        "if, max and min look at one number, but are given a whole array here. np.where, "
        "np.maximum and np.minimum look at each number of an array.",
        raises="truth value of an array",
    ),
)


def unfinished(answer: object) -> bool:
    """Tell whether dots, or nothing, stand where the answer should be."""
    if isinstance(answer, tuple | list):
        return any(part is ... for part in answer)
    return answer is ... or answer is None or answer is NotImplemented


def not_a_number(answer: Any, says: str) -> Finding | None:
    """Return what to say of an answer that is no number, `says` with the answer for its {}."""
    try:
        number = asarray(answer).item() if asarray(answer).shape == () else None
    except ValueError:  # rows of different lengths
        number = None
    if not isinstance(number, Real):
        return Finding("wrong shape", says.format(show(answer)))
    try:
        float(number)
    except OverflowError:
        return Finding("not yet", "this number cannot be right: it has more than 308 digits.")
    return None


def is_shape(answer: Any) -> bool:
    """Tell whether an answer is written as a shape: numbers in brackets."""
    return isinstance(answer, tuple | list) and all(isinstance(size, Real) for size in answer)


@dataclass(frozen=True)
class Trial:
    """One case and what the reader's function made of it."""

    arguments: Arguments
    edge: bool
    right: Any
    outcome: Outcome

    def wrong(self, output: Output) -> bool:
        """Tell whether anything but the right result came back."""
        return not (self.outcome.returned and output.same(self.outcome.value, self.right))


@dataclass(frozen=True)
class FunctionChecker:
    """Checks a function against a plain loop.

    Parameters
    ----------
    name : str
        What the chapter calls the function.
    parameters : tuple of str
        Its arguments.
    gives : str
        The result in words, as in "one row per query".
    right : callable
        The specification, in plain loops.
    cases, edges : tuple of tuple
        Arguments to try, the smallest first; `edges` are those that only careful answers survive.
    mistakes : tuple of Mistake
        What readers do instead.
    praise : str
        What to say when everything is right.
    output : Output
        The kind of result.
    """

    name: str
    parameters: tuple[str, ...]
    gives: str
    right: Callable[..., Any]
    cases: tuple[Arguments, ...]
    praise: str
    edges: tuple[Arguments, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    output: Output = ARRAY

    def __call__(self, function: Any) -> Finding:
        """Climb the ladder with the reader's function."""
        if found := self._before_running(function):
            return found
        trials = self._try(function)
        if any(_dots(trial.outcome) for trial in trials) or _is_stub(function, trials):
            return Finding("not started", NOT_STARTED)
        failing = [trial for trial in trials if trial.wrong(self.output)]
        if failing:
            return self._named(failing, trials) or self._problem(failing[0])
        return self._changed(trials) or Finding("correct", self.praise)

    def _before_running(self, function: Any) -> Finding | None:
        if not callable(function):
            return Finding(
                "wrong shape",
                f"the answer is the function {self.name} itself, without brackets behind it, "
                f"but this is {show(function)}.",
            )
        if not _accepts(function, len(self.parameters)):
            return Finding(
                "wrong shape",
                f"it is called as {self.name}({', '.join(self.parameters)}), but yours takes "
                f"{inspect.signature(function)}.",
            )
        return None

    def _try(self, function: Callable[..., Any]) -> list[Trial]:
        """Run all cases, smallest first; after one that never ends, no more."""
        trials: list[Trial] = []
        for number, arguments in enumerate((*self.cases, *self.edges)):
            right = self.output.read(self.right(*arguments))
            outcome = run(function, arguments, self.output.read)
            trials.append(Trial(arguments, number >= len(self.cases), right, outcome))
            if outcome.late:
                break
        return trials

    def _named(self, failing: list[Trial], trials: list[Trial]) -> Finding | None:
        """Name the mistake that gives the same results, wrong and right, if there is one."""
        alike = [trial for trial in trials if failing[0].edge or not trial.edge]
        for mistake in (*self.mistakes, *ANYWHERE):
            if _seen(mistake, failing[0]) or self._made(mistake, alike):
                return Finding("known mistake", mistake.says)
        return None

    def _made(self, mistake: Mistake, alike: list[Trial]) -> bool:
        if mistake.wrong is None:
            return False
        outcomes = [run(mistake.wrong, trial.arguments, self.output.read) for trial in alike]
        pairs = zip(outcomes, alike, strict=True)
        return all(self._agree(outcome, trial.outcome) for outcome, trial in pairs)

    def _agree(self, one: Outcome, other: Outcome) -> bool:
        if one.returned and other.returned:
            return self.output.same(one.value, other.value)
        return bool(one.error) and one.error.split(":")[0] == other.error.split(":")[0]

    def _problem(self, trial: Trial) -> Finding:
        """Say what is wrong with the smallest case that fails."""
        outcome, given = trial.outcome, name_all(self.parameters, trial.arguments)
        if outcome.late:
            return Finding(
                "not yet",
                f"{self.name} had not returned after {_run.TIME_LIMIT:g} seconds for {given}. "
                "Is there a loop that never ends?",
            )
        if outcome.error:
            line = f" in line {outcome.line}" if outcome.line else ""
            return Finding("not yet", f"{self.name} raised {outcome.error}{line}, for {given}.")
        if outcome.raw is None:
            return Finding(
                "known mistake",
                f"{self.name} returned None, that is nothing, for {given}. End it with return.",
            )
        return self._misfit(trial, given) or self._not_yet(trial, given)

    def _misfit(self, trial: Trial, given: str) -> Finding | None:
        outcome = trial.outcome
        if outcome.unreadable:
            problem = f"should return {self.gives}, but returned {outcome.unreadable}"
        elif misfit := self.output.misfit(outcome.value, trial.right):
            problem = f"should return {self.gives}: its result {misfit}"
        else:
            return None
        return Finding("wrong shape", f"{self.name} {problem}, for {given}.")

    def _not_yet(self, trial: Trial, given: str) -> Finding:
        right, got = show_apart(trial.right, trial.outcome.value)
        return Finding("not yet", f"for {given} it should return {right}, but returned {got}.")

    def _changed(self, trials: list[Trial]) -> Finding | None:
        for trial in trials:
            if trial.outcome.changed:
                names = " and ".join(self.parameters[i] for i in trial.outcome.changed)
                return Finding(
                    "known mistake",
                    f"the result is right, but {self.name} changed its input {names}, which is the "
                    "caller's. Work on a copy, or make a new array. (It was tried on copies: your "
                    "own data are as they were.)",
                )
        return None


def _seen(mistake: Mistake, smallest: Trial) -> bool:
    """Tell a mistake by its error, or by what shows in the smallest case that fails."""
    if mistake.raises:
        return mistake.raises in smallest.outcome.error
    if mistake.shows and smallest.outcome.returned and (smallest.edge or not mistake.edge):
        return mistake.shows(smallest.outcome.value, smallest.right)
    return False


def _accepts(function: Callable[..., Any], count: int) -> bool:
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # some functions written in C do not tell
        return True
    return True


def _dots(outcome: Outcome) -> bool:
    not_implemented = outcome.error.startswith("NotImplementedError")
    return not_implemented or (outcome.raw is not None and unfinished(outcome.raw))


def _stub() -> None: ...


def _is_stub(function: Callable[..., Any], trials: list[Trial]) -> bool:
    """Tell whether a function returned None because there is nothing in it yet."""
    code = getattr(function, "__code__", None)
    empty = code is not None and len(code.co_code) <= len(_stub.__code__.co_code)
    return empty and all(t.outcome.raw is None and not t.outcome.error for t in trials)


@dataclass(frozen=True)
class ChoiceChecker:
    """Checks a letter; every wrong one has its explanation."""

    right: str
    explanations: Mapping[str, str]

    def __call__(self, letter: Any) -> Finding:
        """Judge the letter."""
        chosen = letter.strip(" .()").lower() if isinstance(letter, str) else ""
        if chosen not in self.explanations:
            letters = ", ".join(f'"{choice}"' for choice in self.explanations)
            return Finding(
                "wrong shape", f"answer with one of {letters}, quotes included, not {show(letter)}."
            )
        explanation = self.explanations[chosen]
        right = chosen == self.right
        return Finding("correct" if right else "known mistake", explanation)
