"""Find out what functions keep from one call to the next, and call them as if they had not."""

import functools
import inspect
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from types import FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple, Self

from numpy import ndarray
from numpy.random import Generator

from bookwork.exercises.notebook import globals_of, is_code
from bookwork.exercises.running import unchanged

_MISSING = object()


class _Place(NamedTuple):
    """A place outside a call where a function can keep something."""

    name: str
    get: Callable[[], Any]
    put: Callable[[Any], None]


@dataclass(frozen=True)
class Forgetting:
    """What some functions had kept at one time, to call a function in that state.

    Examples
    --------
    >>> def count(x, seen=[]):
    ...     seen.append(x)
    ...     return len(seen)
    >>> forget = Forgetting.before(count)
    >>> count(7), count(7), forget.around(count)(7), forget.changed()
    (1, 2, 1, ['seen'])
    """

    places: list[_Place]
    values: list[Any]

    @classmethod
    def before(cls, *functions: Any) -> Self:
        """Remember all that the functions can reach outside of a call, as it is now."""
        places = _places(functions)
        return cls(places, _copied([place.get() for place in places]))

    def changed(self) -> list[str]:
        """Return the names of what is no longer as it was."""
        pairs = zip(self.places, self.values, strict=True)
        found = [p.name for p, before in pairs if not _same(before, p.get())]
        return list(dict.fromkeys(found))

    def around(self, function: Any) -> Callable[..., Any]:
        """Return the function as it was, whatever it has kept since."""

        @functools.wraps(function)
        def forgetful(*arguments: Any) -> Any:
            now = [place.get() for place in self.places]
            self._put(_copied(self.values))
            try:
                return function(*arguments)
            finally:
                self._put(now)

        return forgetful

    def _put(self, values: list[Any]) -> None:
        for place, value in zip(self.places, values, strict=True):
            place.put(value)


def _same(before: Any, now: Any) -> bool:
    """Return whether nothing was kept; that a generator has drawn numbers does not count."""
    return before is now or isinstance(now, Generator) or unchanged(before, now)


def _places(functions: Any) -> list[_Place]:
    """Return the places that functions can reach, through functions and classes of the reader."""
    found: list[_Place] = []
    todo, seen = list(functions), set()
    spaces = [getattr(inspect.unwrap(function), "__globals__", {}) for function in functions]
    while todo:
        each = todo.pop()
        for place in _of(each) if id(each) not in seen else ():
            value = place.get()
            if _written_in(spaces, value):
                todo.append(value)
            if not is_code(value):
                found.append(place)
        seen.add(id(each))
    return found


def _written_in(spaces: list[dict[str, Any]], value: Any) -> bool:
    """Return whether a value is a function or a class that was written there."""
    if type(value) is type:
        return value.__module__ in [space.get("__name__", "builtins") for space in spaces]
    own = getattr(inspect.unwrap(value), "__globals__", None) if callable(value) else None
    return any(own is space for space in spaces)


def _of(function: Any) -> Iterator[_Place]:
    inner = inspect.unwrap(function)
    if isinstance(inner, MethodType):
        yield from _attributes(inner.__self__)
        inner = inner.__func__
    if isinstance(inner, functools.partial):
        yield _together(" or ".join(inner.keywords), inner.keywords)
        yield from _of(inner.func)
    yield from _attributes(inner)
    if not isinstance(inner, FunctionType):
        return
    space = inner.__globals__
    for name in dict.fromkeys(globals_of(inner.__code__)):
        value = space.get(name)
        yield _data_of(value) if isinstance(value, ModuleType) else _variable(name, space)
    for name, cell in zip(inner.__code__.co_freevars, inner.__closure__ or (), strict=True):
        yield _Place(name, functools.partial(_content, cell), functools.partial(_fill, cell))
    if inner.__defaults__ or inner.__kwdefaults__:
        yield from _defaults(inner)


def _attributes(owner: Any) -> Iterator[_Place]:
    """Yield the attributes of a function or an object together, those of a class one by one."""
    own = getattr(owner, "__dict__", None)
    if isinstance(owner, type):
        for name in [name for name in vars(owner) if not name.startswith("__")]:
            get = functools.partial(vars(owner).get, name, _MISSING)
            yield _Place(name, get, functools.partial(setattr, owner, name))
    if isinstance(own, dict):
        yield _together(getattr(owner, "__name__", "self"), own)


def _together(name: str, kept: dict[str, Any]) -> _Place:
    def put(values: dict[str, Any]) -> None:
        kept.clear()
        kept.update(values)

    return _Place(name, lambda: dict(kept), put)


def _data_of(module: ModuleType) -> _Place:
    """Return the collections in a module, among which a reader may have put one."""

    def get() -> dict[str, Any]:
        return {n: v for n, v in vars(module).items() if type(v) in (dict, list, set, ndarray)}

    def put(values: dict[str, Any]) -> None:
        for name in get().keys() - values.keys():
            delattr(module, name)
        vars(module).update(values)

    return _Place(module.__name__, get, put)


def _variable(name: str, space: dict[str, Any]) -> _Place:
    def put(value: Any) -> None:
        if value is _MISSING:
            space.pop(name, None)
        else:
            space[name] = value

    return _Place(name, lambda: space.get(name, _MISSING), put)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not set yet
        return _MISSING


def _fill(cell: Any, value: Any) -> None:
    if value is _MISSING:
        del cell.cell_contents
    else:
        cell.cell_contents = value


def _defaults(function: FunctionType) -> Iterator[_Place]:
    names = list(inspect.signature(function).parameters.values())
    kept = [parameter.name for parameter in names if parameter.default is not parameter.empty]

    def put(values: tuple[Any, Any]) -> None:
        function.__defaults__, function.__kwdefaults__ = values

    yield _Place(" or ".join(kept), lambda: (function.__defaults__, function.__kwdefaults__), put)


def _copied(values: list[Any]) -> list[Any]:
    """Return copies; what cannot be copied stays as it is."""
    memo: dict[int, Any] = {id(_MISSING): _MISSING}  # what two places share stays shared
    copies = []
    for value in values:
        try:
            copies.append(deepcopy(value, memo))
        except Exception:  # the reader's own class, which may do anything
            copies.append(value)
    return copies
