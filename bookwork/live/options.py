"""What an author gives a view: labels, points, sentences, decimals; checked once, for all views."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np

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


def texts_of(name: str, given: Any, hint: str = "", of: str = "labels") -> list[str]:
    """Return labels as texts."""
    labels = as_list(name, given, of)
    for label in labels:
        if isinstance(label, list) or (isinstance(label, np.ndarray) and label.ndim):
            raise TypeError(f"{name} is a list of {of}, but one of them is {label!r}{hint}")
    return list(map(str, labels))


def labels_of(name: str, given: Any, hint: str = "") -> list[str]:
    """Return labels as texts, at least one."""
    labels = texts_of(name, given, hint)
    if not labels:
        raise ValueError(f"{name} needs at least one label, but has none")
    return labels


def labels_by(name: str, given: Iterable[Any], by: Any) -> tuple[dict[str, Any], int]:
    """Return labels as options of a view, a list for each value of the control `by`, if any."""
    if by is None:
        labels = labels_of(name, given, "; lists for the values of a control need `by`, its name")
        return {name: labels}, len(labels)
    lists = [labels_of(name, each) for each in as_list(name, given, "lists")]
    if len({len(each) for each in lists}) != 1:
        counts = ", ".join(str(len(each)) for each in lists) or "none"
        raise ValueError(f"{name} needs lists of one length, but their lengths are: {counts}")
    return {name: lists, "by": by}, len(lists[0])


def fixed(name: str, given: Any, shape: Shape) -> Any:
    """Return finite numbers of a shape as a list."""
    try:
        array = np.asarray(given, float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must hold numbers, of shape {say_shape(shape)}") from None
    if array.ndim != len(shape) or shape[-1] not in (None, array.shape[-1]):
        raise ValueError(f"{name} must have shape {say_shape(shape)}, but has shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinity, which cannot be drawn")
    return array.tolist()


def check_each(
    what: str, one: str, given: Sequence[Any] | None, points: Sequence[Any], named: str
) -> None:
    """Require one of something for each point, or none at all."""
    if given and len(given) != len(points):
        raise ValueError(
            f"{what} needs one {one} for each point; there are {len(points)} {named}, "
            f"but {len(given)} {one}s"
        )


def say_shape(shape: Shape) -> str:
    """Write a shape; m stands for any size."""
    return str(tuple("m" if size is None else size for size in shape)).replace("'", "")
