"""Numbers and other values in words, short enough for one sentence."""

from collections.abc import Sequence
from typing import Any

from numpy import asarray, generic, ndarray

LONGEST = 160  # characters of one value in a sentence
MOST = 24  # numbers of an array that are spelled out


def show(value: object, digits: int = 4) -> str:
    """Return `value` as text on one line, rounded to `digits` and cut when it is long.

    Examples
    --------
    >>> import numpy as np
    >>> show(np.array([[1, 1 / 3], [0, np.nan]]))
    '[[1, 0.3333], [0, nan]]'
    >>> show(np.zeros((50, 2)))
    'an array of shape (50, 2)'
    """
    try:
        text = " ".join(_text(value, digits).split())
    except Exception:  # a repr of the reader's own may do anything
        text = f"a {type(value).__name__}"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _text(value: Any, digits: int) -> str:
    if isinstance(value, ndarray | generic):
        many = asarray(value).size > MOST
        return f"an array of shape {value.shape}" if many else _text(value.tolist(), digits)
    if isinstance(value, float):
        return f"{value:.{digits}g}"
    if type(value) is dict:
        inside = (f"{_text(k, digits)}: {_text(v, digits)}" for k, v in value.items())
        return "{" + ", ".join(inside) + "}"
    if type(value) in (list, tuple) and len(value) <= MOST:
        inside = (_text(item, digits) for item in value)
        return ("[{}]" if type(value) is list else "({})").format(", ".join(inside))
    return "..." if value is ... else repr(value)


def show_apart(one: object, other: object) -> tuple[str, str]:
    """Show two values with as many digits as it takes to tell them apart."""
    for digits in (4, 8, 17):
        texts = show(one, digits), show(other, digits)
        if texts[0] != texts[1]:
            break
    return texts


def name_all(names: Sequence[str], values: Sequence[object]) -> str:
    """Say which arguments a function was given: ``T = 0.5 and K = [[1, 2]]``."""
    parts = [f"{name} = {show(value)}" for name, value in zip(names, values, strict=True)]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
