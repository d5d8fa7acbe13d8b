"""What an author gives: lists, labels, numbers, shapes; checked once, for all views."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int | str, ...]  # a size that has a name is the same wherever the name stands


def as_list(name: str, given: Any, of: str = "labels") -> list[Any]:
    """Return what was given as a list; a text is not taken apart, and a set has no order.

    Examples
    --------
    >>> as_list("labels", range(3))
    [0, 1, 2]
    """
    if not isinstance(given, (str, bytes, set, frozenset)):
        try:
            return list(given)
        except TypeError:  # it cannot be gone through
            pass
    hint = f": write {given.split()!r}" if isinstance(given, str) else ""
    raise TypeError(f"{name} is a list of {of}, but is {given!r}{hint}")


def texts_of(name: str, given: Any, least: int = 1) -> list[str]:
    """Return labels as texts."""
    labels = as_list(name, given)
    for label in labels:
        if np.ndim(label):
            raise TypeError(f"{name} is a list of labels, but one of them is {label!r}")
    if len(labels) < least:
        raise ValueError(f"{name} needs at least one label, but has none")
    return list(map(str, labels))


def one_of(name: str, given: Any, known: Iterable[Any]) -> None:
    """Require that something is one of those that are known."""
    if given not in known:
        listed = ", ".join(repr(each) for each in known if each) or "none"
        raise ValueError(f"{name} is one of {listed}, but is {given!r}")


def numbers_of(name: str, given: Any, where: str = "it") -> NDArray[Any]:
    """Return finite numbers in one array, or say what there is in its place."""
    try:
        array = np.asarray(given)
    except ValueError:  # rows of different lengths
        array = np.asarray(None)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be an array of numbers, but {where} is {reprlib.repr(given)}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, but {where} holds NaN or infinity")
    return array.astype(float)


def known_shape(shape: Shape, sizes: Mapping[Any, int]) -> Shape:
    """Return a shape with the sizes that are known."""
    return tuple(sizes.get(size, size) for size in shape)


def agree(name: str, actual: tuple[int, ...], shape: Shape, sizes: dict[Any, int]) -> None:
    """Require that something has a shape, and learn the sizes in it that have a name."""
    known = [f"{size} = {sizes[size]}" if size in sizes else str(size) for size in shape]
    for size, wanted in zip(actual, shape, strict=False):
        if isinstance(wanted, str):
            sizes.setdefault(wanted, size)
    if known_shape(shape, sizes) != actual:
        said = ", ".join(known) + ("," if len(known) == 1 else "")
        raise ValueError(f"{name} must have shape ({said}), but has shape {actual}")
