"""Find out whether a function reads variables of the notebook instead of its arguments."""

import dis
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations, product
from numbers import Number
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from numpy import ndarray

from bookwork.exercises.running import soon
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
        for name in globals_of(code) if code not in seen else ():
            value = inner.__globals__.get(name)
            if isinstance(value, FunctionType) and value.__globals__ is inner.__globals__:
                todo.append(value.__code__)
            elif value is not None and not is_code(value) and not name.startswith("__"):
                found.append(name)
        seen.add(code)
    return tuple(dict.fromkeys(found))


def globals_of(code: CodeType) -> list[str]:
    """Return the names outside a function that it reads or sets, also in functions inside it."""
    steps = ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL")
    names = [step.argval for step in dis.get_instructions(code) if step.opname in steps]
    inside = (part for part in code.co_consts if isinstance(part, CodeType))
    return [*names, *(name for part in inside for name in globals_of(part))]


def is_code(value: Any) -> bool:
    """Return whether a value is a function, a class or a module."""
    return callable(value) or isinstance(value, ModuleType)


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
    space = inspect.unwrap(function).__globals__
    parts = {name: list(_parts(space[name], own, example)) for name in read}
    for name in read:
        for part in parts[name]:
            yield Reading({name: part.read}, _in_words([part]))
    for one, other in combinations(read, 2):
        for first, second in product(parts[one], parts[other]):
            yield Reading({one: first.read, other: second.read}, _in_words([first, second]))


class _Part(NamedTuple):
    """A part of the arguments: one of them, or one of its sizes."""

    code: str  # as the reader would write it
    read: Read
    is_size: bool


def _parts(value: Any, own: Sequence[str], example: tuple[Any, ...]) -> Iterator[_Part]:
    """Yield the parts of the arguments that are of the same kind as a value."""
    for place, (words, given) in enumerate(zip(own, example, strict=True)):
        if _kind(given) == _kind(value):
            yield _Part(words, _argument(place), False)
        if isinstance(value, Number) and isinstance(given, ndarray):
            for axis in range(given.ndim):
                yield _Part(f"{words}.shape[{axis}]", _size(place, axis), True)
        elif isinstance(value, Number) and hasattr(given, "__len__"):
            yield _Part(f"len({words})", _length(place), True)


def _kind(value: Any) -> Any:
    kinds = (Number, str, ndarray | list | tuple)
    return next((kind for kind in kinds if isinstance(value, kind)), type(value))


def _in_words(parts: Sequence[_Part]) -> str:
    names = list(dict.fromkeys(part.code for part in parts))
    if not any(part.is_size for part in parts):
        return its_arguments(names)
    one = "the size of its argument: " if len(parts) == 1 else ""
    return one + join(names)


def _argument(place: int) -> Read:
    return lambda arguments: deepcopy(arguments[place])  # the function may change what it reads


def _size(place: int, axis: int) -> Read:
    return lambda arguments: arguments[place].shape[axis]


def _length(place: int) -> Read:
    return lambda arguments: len(arguments[place])


def replaced(function: Any, reading: Reading) -> Callable[..., Any]:
    """Return the function as it would be if it read its arguments instead; it must be quick."""

    @functools.wraps(function)
    def instead(*arguments: Any) -> Any:
        values = {name: read(arguments) for name, read in reading.variables.items()}
        with _variables(function, values), soon():
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
