"""Checks of what comes in, and the sentences a reader gets when it does not fit.

Every message gives the reason first and then the shapes or numbers that clashed.
"""

from __future__ import annotations

import operator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[np.floating[Any]]
Mask: TypeAlias = NDArray[np.bool_]

_ONES = "; if 1 means 'may look', pass mask == 1"
MASK_HINTS = {
    "i": _ONES,
    "u": _ONES,
    "f": "; if it was made to be added to scores (0 keeps, -inf hides), pass mask == 0",
}


def as_floats(**arrays: ArrayLike) -> tuple[Array, ...]:
    """Read named inputs as floating arrays of one dtype: float32 stays, integers become float.

    A number of Python's, such as 3.5, has no dtype of its own and follows the others.
    """
    read = {name: _as_numbers(name, value) for name, value in arrays.items()}
    own = [array for name, array in read.items() if type(arrays[name]) is not float]
    floating = [array.dtype for array in own if array.dtype.kind == "f"]
    dtype = np.result_type(*floating) if floating else np.float64
    return tuple(np.asarray(array, dtype) for array in read.values())


def _as_numbers(name: str, value: ArrayLike) -> NDArray[Any]:
    array = _as_array(name, value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold real numbers, but its dtype is {array.dtype}")
    return array


def _as_array(name: str, value: ArrayLike) -> NDArray[Any]:
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{name} is a masked array, whose gaps would be read as numbers: fill them first"
        )
    try:
        return np.asarray(value)
    except ValueError:
        reason = f"{name} must be a rectangular array, but its rows differ in length"
        if isinstance(value, tuple) and all(isinstance(part, np.ndarray) for part in value):
            shapes = " and ".join(str(part.shape) for part in value)
            reason = (
                f"{name} must be one array, but is a tuple of arrays of shapes {shapes}: "
                "an output and its weights?"
            )
        raise ValueError(reason) from None


def as_integers(name: str, value: ArrayLike) -> NDArray[np.integer[Any]]:
    """Read lengths or numbers of places: whole numbers, or an empty list."""
    array = _as_array(name, value)
    if array.size > 0 and array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers, but their dtype is {array.dtype}")
    return array if array.size > 0 else array.astype(np.int64)


def as_positive(name: str, value: ArrayLike, dtype: np.dtype[Any]) -> Array:
    """Read a temperature or width: above zero, and never rounded to zero or infinity by `dtype`."""
    numbers = np.asarray(_as_numbers(name, value), np.float64)
    if not np.all((numbers > 0) & np.isfinite(numbers)):
        raise ValueError(f"{name} must be a positive number, but is {value!r}")
    limits = np.finfo(dtype)
    return numbers.clip(float(limits.tiny), float(limits.max)).astype(dtype)


def as_count(name: str, value: int, least: int = 1) -> int:
    """Read a whole number that is at least `least`."""
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, but is {value!r}") from None
    if count < least:
        raise ValueError(f"{name} must be at least {least}, but is {count}")
    return count


def as_mask(mask: ArrayLike, shape: tuple[int, ...]) -> Mask:
    """Read a boolean mask for scores of `shape`: True where a query may look at a key."""
    array = as_booleans(mask)
    check_per_pair("mask", array, shape)
    return array


def as_booleans(mask: ArrayLike) -> Mask:
    """Read a mask of any shape."""
    array = _as_array("mask", mask)
    if array.size == 0:  # an empty list has no dtype of its own
        array = array.astype(bool)
    if array.dtype.kind != "b":
        raise TypeError(
            "mask must be boolean, True where a query may look at a key, "
            f"but its dtype is {array.dtype}{MASK_HINTS.get(array.dtype.kind, '')}"
        )
    return array


def check_per_pair(name: str, array: NDArray[Any], shape: tuple[int, ...], hint: str = "") -> None:
    """Require that `array` holds one entry per score of `shape`, or broadcasts to that."""
    pair = shape[-2:]
    try:
        fits = np.broadcast_shapes(array.shape, shape)[-len(pair) :] == pair
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"{name} must have one entry per query and key, or broadcast to that, "
            f"but {name} has shape {array.shape} and the scores have shape {shape}{hint}"
        )


def shapes_of(**arrays: NDArray[Any]) -> str:
    """Say the shapes: ``Q has shape (3, 4) and K has shape (5, 8)``."""
    return " and ".join(f"{name} has shape {array.shape}" for name, array in arrays.items())


def check_rows(**arrays: Array) -> None:
    """Require one vector per row: at least two axes."""
    for name, array in arrays.items():
        if array.ndim < 2:
            raise ValueError(
                f"{name} needs one vector per row, shape (..., rows, length), "
                f"but has shape {array.shape}; a single vector x goes in as [x]"
            )


def check_axes(axes: str, **arrays: Array) -> None:
    """Require the axes that are named, and no others: ``check_axes("(h, d, d_k)", W_q=W_q)``."""
    wanted = len(axes.strip("(,)").split(","))
    for name, array in arrays.items():
        if array.ndim != wanted:
            raise ValueError(f"{name} must have shape {axes}, but has shape {array.shape}")


def check_same_length(Q: Array, K: Array) -> None:
    """Require queries and keys that can be compared."""
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError(
            "queries and keys are compared, so both need the same length d_k, "
            f"but {shapes_of(Q=Q, K=K)}"
        )
    if Q.shape[-1] == 0:
        raise ValueError(f"queries and keys need at least one number, but {shapes_of(Q=Q, K=K)}")


def check_keys_match_values(K: Array, V: Array) -> None:
    """Require one value per key."""
    if K.shape[-2] != V.shape[-2]:
        raise ValueError(
            "each key needs one value, so K and V need the same number of rows, "
            f"but {shapes_of(K=K, V=V)}"
        )


def check_product(**arrays: Array) -> None:
    """Require that the first array times the second is a legal matrix product."""
    (left, A), (right, B) = arrays.items()
    if A.shape[-1] != B.shape[-2]:
        raise ValueError(
            f"each row of {left} is multiplied by {right}, so {right} needs {A.shape[-1]} rows, "
            f"but {shapes_of(**arrays)}"
        )


def check_leading(**arrays: NDArray[Any]) -> tuple[int, ...]:
    """Return the shape that the axes before the last two broadcast to, or say which clash."""
    try:
        return np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))
    except ValueError:
        raise ValueError(
            "the axes before the last two must be equal or 1 to go together, "
            f"but {shapes_of(**arrays)}"
        ) from None
