"""Numbers and other values in words, short enough for one sentence."""

from collections.abc import Sequence
from typing import Any

from numpy import asarray, generic, ndarray

LONGEST = 100  # characters of one value in a sentence
ROOM = 140  # characters for all arguments of a call
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
    except Exception:  # the reader's own repr may do anything
        text = a_thing(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def a_thing(value: object) -> str:
    """Say of what type a value is: "an int", "a dict"."""
    name = "function" if callable(value) else type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


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
        items = ", ".join(_text(item, digits) for item in value)
        if type(value) is list:
            return f"[{items}]"
        return f"({items},)" if len(value) == 1 else f"({items})"
    return "..." if value is ... else repr(value)


def show_apart(one: object, other: object) -> tuple[str, str]:
    """Show two values with enough digits to tell them apart."""
    for digits in (4, 8, 17):
        texts = show(one, digits), show(other, digits)
        if texts[0] != texts[1]:
            break
    return texts


def name_all(names: Sequence[str], values: Sequence[object]) -> str:
    """Return the arguments of a call in words, with shapes where there is no room for values.

    Examples
    --------
    >>> import numpy as np
    >>> name_all(("T", "K"), (0.5, np.array([[1, 2]])))
    'T = 0.5 and K = [[1, 2]]'
    >>> name_all(("T", "K"), (0.5, np.ones((5, 6)) / 3))
    'T = 0.5 and K of shape (5, 6)'
    >>> name_all(("p",), ({"W_1": np.ones((2, 3)), "W_2": np.ones((3, 2))},))
    'p with its 2 arrays'
    """
    pairs = list(zip(names, values, strict=True))
    for most in (MOST, 0):
        text = join([_name(name, value, most) for name, value in pairs])
        if len(text) <= ROOM:
            return text
    return text[: ROOM - 1] + "…"


def _name(name: str, value: object, most: int) -> str:
    """Say what an argument is; an array of more than `most` numbers by its shape."""
    if isinstance(value, ndarray) and value.ndim and value.size > most:
        return f"{name} of shape {value.shape}"
    if type(value) is dict and any(isinstance(part, ndarray) for part in value.values()):
        return f"{name} with its {len(value)} arrays"
    return f"{name} = {show(value)}"


def join(parts: Sequence[str]) -> str:
    """Join parts of a sentence: one, two and three."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def as_lists(value: Any) -> Any:
    """Return a value without NumPy: lists in place of arrays and tuples, also inside.

    Examples
    --------
    >>> import numpy as np
    >>> as_lists({"a": np.ones(2, bool)}), as_lists((np.int64(5), 8)), as_lists(np.array("b"))
    ({'a': [True, True]}, [5, 8], 'b')
    """
    if isinstance(value, ndarray | generic):
        return value.tolist()
    if type(value) is dict:
        return {key: as_lists(item) for key, item in value.items()}
    return list(map(as_lists, value)) if type(value) in (list, tuple) else value
