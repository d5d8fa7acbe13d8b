"""Which names outside an answer its code mentions: a library's functions, the notebook's data.

This reads the code, so it can be got round; it is a hint for those who did not mean to.
"""

import functools
import inspect
import sys
from collections.abc import Collection, Iterator
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

EMPTY = CellType()  # a variable of an outer function that has no value yet


def borrowed(answer: Any, names: Collection[str]) -> str:
    """Return the function of a library that an answer calls although it is among `names`, or "".

    A library's function that itself calls one of these counts, too. The name ``mean.axis`` stands
    for calls of ``mean`` with the argument ``axis=``.

    Examples
    --------
    >>> from statistics import fmean as average
    >>> borrowed(lambda x: average(x), ["fmean"]), borrowed(lambda x: sum(x), ["fmean"])
    ('fmean', '')
    """
    function = _inner(answer)
    if not isinstance(function, FunctionType) or not names:
        return ""
    own, known = [function], {function}
    if _is_library(function) and _name(function) in names:
        return _name(function)
    for each in own:
        keywords = set(_mentioned(each.__code__, keywords=True))
        for used in _functions(each):
            if used.__globals__ is not function.__globals__:
                if found := _ruled_out(used, keywords, names):
                    return found
            elif used not in known:
                own.append(used)
                known.add(used)
    return ""


def variables_read(answer: Any, names: Collection[str]) -> list[str]:
    """Return those variables of the notebook, among `names`, that an answer reads.

    Examples
    --------
    >>> space = {"K": [1.0]}
    >>> exec("def count(X): return [len(K) for _ in X]", space)
    >>> variables_read(space["count"], ("X", "K"))
    ['K']
    """
    function = _inner(answer)
    if not isinstance(function, FunctionType):
        return []
    mentioned = {*_mentioned(function.__code__)} - {*function.__code__.co_varnames}
    values = {name: function.__globals__.get(name) for name in names if name in mentioned}
    return [name for name, value in values.items() if value is not None and not callable(value)]


def _inner(value: Any) -> Any:
    """Return the function inside decorators and partial calls, or the value itself."""
    while isinstance(value, functools.partial):
        value = value.func
    return inspect.unwrap(value) if isinstance(value, FunctionType) else value


def _mentioned(code: CodeType, keywords: bool = False) -> Iterator[str]:
    """Yield the names in a function and the functions inside it, or its keywords ``mask=``."""
    yield from () if keywords else code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _mentioned(part, keywords)
        elif keywords and isinstance(part, tuple):
            yield from (name for name in part if isinstance(name, str))


def _functions(function: FunctionType) -> Iterator[FunctionType]:
    """Yield the functions that a function mentions, by their names or as parts of modules."""
    names = dict.fromkeys(_mentioned(function.__code__))
    found = [function.__globals__.get(name, sys.modules.get(name)) for name in names]
    inside = [c.cell_contents for c in function.__closure__ or () if c != EMPTY]
    modules = [value for value in found if isinstance(value, ModuleType)]
    of_modules = [vars(module).get(name) for module in modules for name in names]
    for value in map(_inner, (*found, *inside, *of_modules)):
        if isinstance(value, FunctionType):
            yield value


def _ruled_out(used: FunctionType, keywords: set[str], names: Collection[str]) -> str:
    """Return how the answer calls a function that is ruled out, or that calls such a one."""
    name = _name(used)
    if name in names:
        return name
    for keyword in keywords:
        if f"{name}.{keyword}" in names:
            return f"{name} with {keyword}="
    return name if any(_name(inner) in names for inner in _inside(used)) else ""


def _inside(function: FunctionType) -> list[FunctionType]:
    """Return all functions of a library's function's own package that it may call."""
    found = [function]
    for each in found:
        own = [used for used in _functions(each) if _package(used) == _package(function)]
        found += [used for used in dict.fromkeys(own) if used not in found]
    return found


def _package(function: FunctionType) -> str:
    return str(function.__module__).partition(".")[0]


def _is_library(function: FunctionType) -> bool:
    return getattr(sys.modules.get(function.__module__), "__spec__", None) is not None


def _name(function: FunctionType) -> str:
    return function.__name__.removeprefix("_")  # `_mean` may be the formula of `mean`
