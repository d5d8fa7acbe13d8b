"""The kinds of result that an exercise may require: how to read and compare them."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import permutations
from typing import Any, TypeAlias

from numpy import absolute, array, asarray, floating, isclose, isfinite, ndarray, ndindex, where
from numpy.typing import NDArray

from bookwork.exercises.running import UnreadableError
from bookwork.exercises.words import a_thing, as_lists, join, show, show_apart

Array: TypeAlias = NDArray[floating[Any]]
RTOL, SHARE, LEAST = 3e-5, 1e-5, 1e-7  # of a number, of the largest in its row, of anything
TINIEST = 1.2e-38  # in single precision, what is smaller may become 0
SHORT = 122  # characters of a sentence that shows two results in full


def differs(got: Any, right: Any) -> str:
    """Say what a result should be instead."""
    wanted, mine = show_apart(right, got)
    return f"it should return {wanted}, but returned {mine}"


@dataclass(frozen=True)
class Output:
    """One kind of result."""

    read: Callable[[Any], Any]  # raises UnreadableError
    misfit: Callable[[Any, Any], str]  # how the shape differs from the right one, or ""
    same: Callable[[Any, Any], bool]
    differs: Callable[[Any, Any], str] = differs  # in words
    moves: tuple[tuple[Callable[[Any], Any], str], ...] = ()  # what makes it right, in words


def read_array(value: Any) -> Array:
    """Return a result as an array of floats, or say what it is instead.

    Examples
    --------
    >>> read_array([[1, 2], [True, False]])
    array([[1., 2.],
           [1., 0.]])
    """
    try:
        numbers = asarray(value)
    except ValueError:
        raise UnreadableError(f"rows of different lengths, {show(value)}") from None
    if numbers.dtype.kind in "biufO":
        with suppress(TypeError, ValueError, OverflowError):
            return array(numbers, dtype=float)
    is_readable = isinstance(value, str | list | tuple | ndarray)
    raise UnreadableError(show(value) if is_readable else a_thing(value))


def array_misfit(got: Array, right: Array) -> str:
    """Return a sentence with both shapes if they differ."""
    if got.shape == right.shape:
        return ""
    return f"should have shape {right.shape}, but has shape {got.shape}"


def close(got: Array, right: Array) -> bool:
    """Return whether two arrays agree up to the rounding of the numbers given; NaN equals NaN.

    Examples
    --------
    >>> third = array([1 / 3])
    >>> close(third + 1e-4, third), close(third + 1e-12, third)
    (False, True)
    """
    if got.shape != right.shape:
        return False
    atol = SHARE * _largest(right) + where(got != 0, LEAST, TINIEST)  # 0 is no rounded number
    return bool(isclose(got, right, rtol=RTOL, atol=atol, equal_nan=True).all())


def _largest(numbers: Array) -> Array:
    """Return for each entry the largest finite magnitude in its row."""
    sizes = where(isfinite(numbers), absolute(numbers), 0.0)
    return sizes.max(axis=-1, keepdims=True, initial=0.0) if sizes.ndim else sizes


def array_differs(got: Array, right: Array) -> str:
    """Say what an array should be instead, or where it first differs if it is long."""
    both = differs(got, right)
    if len(both) <= SHORT and "array of shape" not in both:
        return both
    place = next(place for place in ndindex(right.shape) if not close(got[place], right[place]))
    wanted, mine = show_apart(right[place], got[place])
    return f"at {list(place)} it should be {wanted}, but is {mine}"


def _turned(numbers: Array) -> Array:
    return numbers.swapaxes(-1, -2) if numbers.ndim > 1 else numbers


TURNED = "the numbers are right, but rows and columns are exchanged: transpose them."
ARRAY = Output(read_array, array_misfit, close, array_differs, ((_turned, TURNED),))


EXACT = Output(as_lists, lambda got, right: "", lambda got, right: bool(got == right))


def parts(*names: str) -> Output:
    """Return the kind of a result that has several parts, such as "the output", "the weights".

    Examples
    --------
    >>> both = parts("the output", "the weights")
    >>> got, right = both.read((1, [2, 3])), both.read((1, [2, 4]))
    >>> both.differs(got, right)
    'the output is right, but the weights are not: it should return [2, 4], but returned [2, 3]'
    """

    def read(value: Any) -> tuple[Array, ...]:
        several = isinstance(value, tuple | list) or (isinstance(value, ndarray) and value.ndim)
        if not several or len(value) != len(names):
            one = f"one thing, {show(value)},"
            many = f"{len(value)} things" if isinstance(value, tuple) else one
            raise UnreadableError(f"{many} instead of {len(names)}")
        return tuple(map(read_array, value))

    def misfit(got: tuple[Array, ...], right: tuple[Array, ...]) -> str:
        problems = map(array_misfit, got, right)
        found = (f"{says}, in {name}" for says, name in zip(problems, names, strict=True) if says)
        return next(found, "")

    def same(got: tuple[Array, ...], right: tuple[Array, ...]) -> bool:
        return all(map(close, got, right))

    def differ(got: tuple[Array, ...], right: tuple[Array, ...]) -> str:
        fine = list(map(close, got, right))
        wrong = fine.index(False)
        good = [name for name, well in zip(names, fine, strict=True) if well]
        before = f"{join(good)} {_be(good)} right, but " if good else ""
        after = "" if good else " right"
        place = array_differs(got[wrong], right[wrong])
        return f"{before}{names[wrong]} {_be([names[wrong]])} not{after}: {place}"

    says = "the parts are right, but in the wrong order: first "
    says += join([*names[:-1], f"then {names[-1]}"]) + "."
    orders = permutations(range(len(names)))
    moves = tuple((lambda got, k=order: tuple(got[i] for i in k), says) for order in orders)
    return Output(read, misfit, same, differ, moves)


def _be(names: list[str]) -> str:
    return "are" if len(names) > 1 or names[0].endswith("s") else "is"
