"""Lists that an author gives: of labels, of options, of names."""

from __future__ import annotations

from typing import Any


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
