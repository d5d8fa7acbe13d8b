"""A wrong answer as a change of the right one: ``"X.std => X.var"``, as a reader would type it."""

from collections.abc import Callable
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import numpy

NUMPY = SimpleNamespace(**vars(numpy))  # as it is now, whatever a reader may change in NumPy later


def function_in(source: str) -> Callable[..., Any]:
    """Return the function that a text defines, the last one if it has several; NumPy is ``np``.

    Examples
    --------
    >>> function_in("def mean(x): return np.sum(x) / len(x)")([2, 4])
    np.float64(3.0)
    """
    names: dict[str, Any] = {"np": NUMPY}
    exec(dedent(source), names)
    function: Callable[..., Any] = list(names.values())[-1]
    return function


def patched(source: str, patch: str) -> Callable[..., Any]:
    """Return the function that a text defines once it is changed in one place, or in several.

    The text before each arrow must occur once, the text after it takes its place; ``;;`` stands
    between the changes of several places.

    Examples
    --------
    >>> mean = "def mean(x): return np.sum(x) / len(x)"
    >>> patched(mean, "/ len(x) =>")([2, 4]), patched(mean, "sum => max ;; len(x) => 2")([2, 4])
    (np.int64(6), np.float64(2.0))
    >>> patched(mean, "median => mode")
    Traceback (most recent call last):
      ...
    ValueError: 'median' occurs 0 times in the model answer
    """
    for change in patch.split(" ;; "):
        old, _, new = change.partition(" =>")
        if source.count(old) != 1:
            raise ValueError(f"{old!r} occurs {source.count(old)} times in the model answer")
        source = source.replace(old, new.removeprefix(" "))
    return function_in(source)
