"""What an author gives a view: labels, points, decimals; checked once, for all views."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int | None, ...]


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


def common(title: str, digits: int, **texts: str) -> dict[str, Any]:
    """Return the options that all views have, fit to be sent to the page."""
    if not isinstance(digits, Integral) or not 0 <= digits <= 20:
        raise ValueError(f"digits is a whole number from 0 to 20, but is {digits!r}")
    texts = {name: str(text) for name, text in texts.items()}
    return {"title": str(title or ""), "digits": int(digits), **texts}


def table(array: str, rows: Any, columns: Any, title: str = "", **digits: int) -> dict[str, Any]:
    """Say how an array reads as a table, under which title and with how many decimals.

    `rows` and `columns` are labels, or name the option of the view that holds them; numbers stand
    for labels that are not there.
    """
    titled = {"title": title} if title else {}
    return {"array": str(array), "rows": rows, "columns": columns, **titled, **digits}


def texts_of(name: str, given: Any) -> list[str]:
    """Return labels as texts."""
    labels = as_list(name, given)
    for label in labels:
        if np.ndim(label):
            raise TypeError(f"{name} is a list of labels, but one of them is {label!r}")
    return list(map(str, labels))


def labels_of(name: str, given: Any) -> list[str]:
    """Return labels as texts, at least one."""
    labels = texts_of(name, given)
    if not labels:
        raise ValueError(f"{name} needs at least one label, but has none")
    return labels


def labels_by(name: str, given: Iterable[Any], by: Any) -> tuple[dict[str, Any], int]:
    """Return labels as options of a view, a list for each value of the control `by`, if any."""
    if by is None:
        labels = labels_of(name, given)
        return {name: labels}, len(labels)
    lists = [labels_of(name, each) for each in as_list(name, given, "lists")]
    counts = {f"list {k}": each for k, each in enumerate(lists, 1)}
    return {name: lists, "by": by}, as_many(**counts) or 0


def as_many(**given: Any) -> int | None:
    """Return how many there are of each; what is empty, or the name of an array, is not counted."""
    known = {name: len(each) for name, each in given.items() if each and not isinstance(each, str)}
    if len(set(known.values())) > 1:
        said = ", ".join(f"{count} in {name}" for name, count in known.items())
        raise ValueError(f"as many are needed of each, but there are {said}")
    return next(iter(known.values()), None)


def one_of(name: str, given: Any, known: Iterable[Any]) -> None:
    """Require that something is one of those that are known."""
    if given not in known:
        listed = ", ".join(repr(each) for each in known if each)
        raise ValueError(f"{name} is one of {listed}, but is {given!r}")


def belong(**given: tuple[Any, str, Any]) -> None:
    """Require for each option that is given the one that it belongs to, which is named."""
    for name, (option, other, there) in given.items():
        if option and there is None:
            raise ValueError(f"{name} belongs to {other}, which is not given")


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


def fixed(name: str, given: Any, shape: Shape) -> Any:
    """Return finite numbers of a shape as a list."""
    array = numbers_of(name, given)
    if not fits(array.shape, shape):
        raise ValueError(f"{name} must have shape {say_shape(shape)}, but has shape {array.shape}")
    return array.tolist()


def fits(actual: tuple[int, ...], wanted: Shape) -> bool:
    """Tell whether an array has a shape, in which None is any size."""
    return len(actual) == len(wanted) and all(
        want in (None, size) for want, size in zip(wanted, actual, strict=True)
    )


def say_shape(shape: Shape) -> str:
    """Write a shape; m stands for any size."""
    return str(tuple("m" if size is None else size for size in shape)).replace("'", "")
