"""The kinds of result that an exercise may require: how to read and compare them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, TypeAlias

from numpy import absolute, array, asarray, floating, isclose, isfinite, ndarray, ndindex, where
from numpy.typing import NDArray

from bookwork.exercises.running import UnreadableError
from bookwork.exercises.words import a_thing, join, show, show_apart

Array: TypeAlias = NDArray[floating[Any]]
RTOL, SHARE, LEAST = 3e-5, 1e-5, 1e-7  # of a number, of the largest in its row, of anything
TINIEST = 1.2e-38  # in single precision, what is smaller may become 0
SHORT = 90  # characters of two results that are both shown in full


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
    names: tuple[str, ...] = ()  # of its parts, if it has several


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
    usual = numbers.dtype.kind in "biuf"
    if usual or (numbers.dtype.kind == "O" and numbers.size and all(map(_is_number, numbers.flat))):
        return array(numbers, dtype=float)
    raise UnreadableError(_kind(value, numbers))


def _is_number(item: Any) -> bool:
    return isinstance(item, Real) and not (isinstance(item, int) and abs(item) >= 2**63)


def _kind(value: Any, read: ndarray[Any, Any]) -> str:
    if callable(value):
        return "a function"
    if read.dtype.kind == "O" and read.size and all(isinstance(item, int) for item in read.flat):
        return "a whole number of more than 64 bits"
    if read.dtype.kind == "O" and not isinstance(value, ndarray | list | tuple):
        return a_thing(value)
    names = {"U": "text", "S": "bytes", "c": "complex numbers", "O": "non-numeric objects"}
    return names.get(read.dtype.kind, f"an array of dtype {read.dtype}")


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
    >>> close(array(third, dtype="float32").astype(float), third)
    True
    >>> close(array([0.0]), array([1e-50]))
    True
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
    wanted, mine = show_apart(right, got)
    if len(wanted) + len(mine) <= SHORT and "array of shape" not in wanted + mine:
        return f"it should return {wanted}, but returned {mine}"
    place = next(place for place in ndindex(right.shape) if not close(got[place], right[place]))
    wanted, mine = show_apart(right[place], got[place])
    return f"at {list(place)} it should be {wanted}, but is {mine}"


ARRAY = Output(read_array, array_misfit, close, array_differs)


def as_lists(value: Any) -> Any:
    """Return a result with lists in place of tuples and arrays."""
    if isinstance(value, dict):
        return {key: as_lists(item) for key, item in value.items()}
    if isinstance(value, ndarray):
        return value.tolist()
    return list(map(as_lists, value)) if isinstance(value, tuple | list) else value


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
    number = len(names)

    def read(value: Any) -> tuple[Array, ...]:
        if not isinstance(value, tuple | list | ndarray) or _length(value) != number:
            raise UnreadableError(_things(value, number))
        return tuple(read_array(part) for part in value)

    def misfit(got: tuple[Array, ...], right: tuple[Array, ...]) -> str:
        for name, mine, wanted in zip(names, got, right, strict=True):
            if problem := array_misfit(mine, wanted):
                return f"{problem}, in {name}"
        return ""

    def same(got: tuple[Array, ...], right: tuple[Array, ...]) -> bool:
        return all(close(mine, wanted) for mine, wanted in zip(got, right, strict=True))

    def differ(got: tuple[Array, ...], right: tuple[Array, ...]) -> str:
        fine = [close(mine, wanted) for mine, wanted in zip(got, right, strict=True)]
        wrong = fine.index(False)
        where_ = array_differs(got[wrong], right[wrong])
        good = [name for name, well in zip(names, fine, strict=True) if well]
        before = f"{join(good)} {_be(good)} right, but " if good else ""
        after = "" if good else " right"
        return f"{before}{names[wrong]} {_be(names[wrong : wrong + 1])} not{after}: {where_}"

    return Output(read, misfit, same, differ, names)


def _be(names: Sequence[str]) -> str:
    return "are" if len(names) > 1 or names[0].endswith("s") else "is"


def _length(value: Any) -> int:
    return 0 if isinstance(value, ndarray) and not value.ndim else len(value)


def _things(value: Any, number: int) -> str:
    """Say how many things were returned where `number` are expected."""
    if isinstance(value, tuple):
        return f"{len(value)} things instead of {number}"
    return f"one thing, {show(value)}, instead of {number}"
