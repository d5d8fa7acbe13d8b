"""The kinds of result a function may be asked for: how to read, fit and compare them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy import allclose, array, asarray, ndarray

from attention_lib._shapes import Array
from attention_lib.exercises._run import UnreadableError
from attention_lib.exercises._words import show


@dataclass(frozen=True)
class Output:
    """One kind of result."""

    read: Callable[[Any], Any]  # raises UnreadableError
    misfit: Callable[[Any, Any], str]  # how the shape differs from the right one, or ""
    same: Callable[[Any, Any], bool]


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
    if numbers.dtype.kind not in "biuf":
        raise UnreadableError(_kind(value, numbers))
    return array(numbers, dtype=float)


def _kind(value: Any, read: ndarray[Any, Any]) -> str:
    if callable(value):
        return "a function"
    if read.dtype.kind == "O" and not isinstance(value, ndarray | list | tuple):
        return f"a {type(value).__name__}"
    names = {"U": "text", "S": "bytes", "c": "complex numbers", "O": "objects that are no numbers"}
    return names.get(read.dtype.kind, f"an array of dtype {read.dtype}")


def array_misfit(got: Array, right: Array) -> str:
    """Say both shapes if they differ."""
    if got.shape == right.shape:
        return ""
    return f"should have shape {right.shape}, but has shape {got.shape}"


def close(got: Array, right: Array) -> bool:
    """Tell whether two arrays agree up to rounding, float32 included; NaN equals NaN."""
    return bool(
        got.shape == right.shape and allclose(got, right, rtol=1e-5, atol=1e-12, equal_nan=True)
    )


ARRAY = Output(read_array, array_misfit, close)


def read_dictionary(value: Any) -> dict[Any, Any]:
    """Return a result as a dictionary, or say what it is instead."""
    if not isinstance(value, dict):
        raise UnreadableError(f"a {type(value).__name__}")
    return dict(value)


def lists_misfit(got: dict[Any, Any], right: dict[Any, Any]) -> str:
    """Say which entry of a dictionary is no list."""
    for key, item in got.items():
        if not isinstance(item, list):
            what = "an array" if isinstance(item, ndarray) else show(item)
            return f"has {what}, which is no list, under {show(key)}"
    return ""


def same_lists(got: dict[Any, Any], right: dict[Any, Any]) -> bool:
    """Tell whether two dictionaries agree."""
    try:
        return bool(got == right)
    except Exception:  # an array, or something of the reader's own, is among the entries
        return False


LISTS = Output(read_dictionary, lists_misfit, same_lists)


def read_pair(value: Any) -> tuple[Array, Array]:
    """Return a result as two arrays, or say what it is instead."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise UnreadableError(f"one thing, {show(value)}")
    first, second = value
    return read_array(first), read_array(second)


def pair_misfit(got: tuple[Array, Array], right: tuple[Array, Array]) -> str:
    """Say which of two arrays has another shape than it should have."""
    for which, mine, wanted in zip(("first", "second"), got, right, strict=True):
        if problem := array_misfit(mine, wanted):
            return f"{problem} in its {which} part"
    return ""


def same_pair(got: tuple[Array, Array], right: tuple[Array, Array]) -> bool:
    """Tell whether both arrays agree."""
    return all(close(mine, wanted) for mine, wanted in zip(got, right, strict=True))


PAIR = Output(read_pair, pair_misfit, same_pair)
