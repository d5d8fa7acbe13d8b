"""Find out whether a function reads variables of the notebook instead of its arguments."""

import dis
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from numbers import Number
from types import CodeType, FunctionType, ModuleType
from typing import Any, Self

from numpy import ndarray

from bookwork.exercises.words import join

Read = Callable[[tuple[Any, ...]], Any]  # a value computed from the arguments of a call


@dataclass(frozen=True)
class Reading:
    """Which variable of the notebook to replace with which part of the arguments."""

    variables: Mapping[str, Read]
    instead: str  # in words


def variables_read(function: Any) -> tuple[str, ...]:
    """Return the variables outside a function that it reads: data, not functions or modules.

    Examples
    --------
    >>> space = {"K": [1.0], "len": len}
    >>> exec("def count(X): return len(K)", space)
    >>> variables_read(space["count"])
    ('K',)
    """
    inner = inspect.unwrap(function)
    if not isinstance(inner, FunctionType):
        return ()
    found, todo, seen = [], [inner.__code__], set()
    while todo:
        code = todo.pop()
        for name in _globals_of(code) if code not in seen else ():
            value = inner.__globals__.get(name)
            if isinstance(value, FunctionType) and value.__globals__ is inner.__globals__:
                todo.append(value.__code__)
            elif isinstance(value, ndarray | list | tuple | Number):
                found.append(name)
        seen.add(code)
        todo += [part for part in code.co_consts if isinstance(part, CodeType)]
    return tuple(dict.fromkeys(found))


def _globals_of(code: CodeType, setting: bool = False) -> list[str]:
    steps = ("LOAD_GLOBAL", "LOAD_NAME", *(("STORE_GLOBAL",) if setting else ()))
    return [step.argval for step in dis.get_instructions(code) if step.opname in steps]


def unused(function: Any) -> list[str]:
    """Return the parameters of a function that it never reads.

    Examples
    --------
    >>> unused(lambda x, y: [x for _ in range(3)])
    ['y']
    """
    inner = inspect.unwrap(function)
    if not isinstance(inner, FunctionType):
        return []
    code = inner.__code__
    steps = [s for s in dis.get_instructions(code) if s.opname.startswith("LOAD_")]
    read = {n for s in steps for n in (s.argval if isinstance(s.argval, tuple) else [s.argval])}
    return [name for name in code.co_varnames[: code.co_argcount] if name not in read]


def its_arguments(names: Sequence[str]) -> str:
    """Say which arguments should be used."""
    return f"its argument{'s' if len(names) > 1 else ''} {join(names)}"


def own_names(function: Any, parameters: tuple[str, ...]) -> tuple[str, ...]:
    """Return what the reader calls the parameters."""
    try:
        own = tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return parameters
    return own if len(own) == len(parameters) else parameters


def readings(
    function: Any, parameters: tuple[str, ...], example: tuple[Any, ...]
) -> Iterator[Reading]:
    """Yield the arguments that each notebook variable might stand for, the likeliest first."""
    read, own = variables_read(function), own_names(function, parameters)
    same = [name for name in read if name in parameters]
    if same:
        places = {name: parameters.index(name) for name in same}
        instead = its_arguments([own[place] for place in places.values()])
        yield Reading({name: _argument(place) for name, place in places.items()}, instead)
    for name in read:
        for place, words in enumerate(own):
            yield Reading({name: _argument(place)}, its_arguments([words]))
            for axis in range(getattr(example[place], "ndim", 0)):
                instead = f"the size of its argument: {words}.shape[{axis}]"
                yield Reading({name: _size(place, axis)}, instead)


def _argument(place: int) -> Read:
    return lambda arguments: arguments[place]


def _size(place: int, axis: int) -> Read:
    return lambda arguments: arguments[place].shape[axis]


def replaced(function: Any, reading: Reading) -> Callable[..., Any]:
    """Return the function as it would be if it read its arguments instead."""

    @functools.wraps(function)
    def instead(*arguments: Any) -> Any:
        with _variables(function, {n: read(arguments) for n, read in reading.variables.items()}):
            return function(*arguments)

    return instead


@contextmanager
def _variables(function: Any, values: dict[str, Any]) -> Iterator[None]:
    """Give variables of the notebook other values, for one call."""
    space = inspect.unwrap(function).__globals__
    before = {name: space[name] for name in values}
    space.update(values)
    try:
        yield
    finally:
        space.update(before)


_MISSING = object()


@dataclass(frozen=True)
class Forgetting:
    """The variables outside some functions at one time, to call a function in that state."""

    space: dict[str, Any]
    values: dict[str, Any]
    attributes: list[tuple[dict[str, Any], dict[str, Any]]]  # of functions: now, and before

    @classmethod
    def before(cls, *functions: Any) -> Self:
        """Remember all variables outside the functions that they read or set, as they are now."""
        found = [inner for f in functions if isinstance(inner := inspect.unwrap(f), FunctionType)]
        space = found[0].__globals__ if found else {}
        names = {name for f in found for name in _globals_of(f.__code__, setting=True)}
        values = {name: space.get(name, _MISSING) for name in names}
        kept = {name: _copied(v) for name, v in values.items() if not _is_code(v)}
        return cls(space, kept, [(vars(f), dict(vars(f))) for f in found])

    def around(self, function: Any) -> Callable[..., Any]:
        """Return the function with those variables as they were."""

        @functools.wraps(function)
        def forgetful(*arguments: Any) -> Any:
            now = {name: self.space.get(name, _MISSING) for name in self.values}
            attributes = [(own, dict(own)) for own, _ in self.attributes]
            self._set({name: _copied(v) for name, v in self.values.items()}, self.attributes)
            try:
                return function(*arguments)
            finally:
                self._set(now, attributes)

        return forgetful

    def _set(self, values: dict[str, Any], attributes: list[Any]) -> None:
        for own, wanted in attributes:
            own.clear()
            own.update(wanted)
        for name, value in values.items():
            if value is _MISSING:
                self.space.pop(name, None)
            else:
                self.space[name] = value


def _is_code(value: Any) -> bool:
    return callable(value) or isinstance(value, ModuleType)


def _copied(value: Any) -> Any:
    """Return a copy, or the value itself if it cannot be copied."""
    try:
        return value if value is _MISSING else deepcopy(value)
    except Exception:  # the reader's own class, which may do anything
        return value
