"""How arguments are read and checked, once, before a formula sees them.

`takes` declares the arrays of a function, in one line above its formula::

    @takes("Q: ... n d_k, K: ... m d_k, V: ... m d_v")
    def attention(Q, K, V, *, mask=None): ...

Inside, these are floating arrays of one dtype, in which every letter stands for one length. Lists
are read, and what does not fit is refused with the reason first and then the shapes. The other
functions here read everything else: masks, counts, flags, functions. A check that only one function
needs stands beside that function.
"""

from __future__ import annotations

import inspect
import operator
import re
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from typing import Any, NamedTuple, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[np.floating[Any]]
Integers: TypeAlias = NDArray[np.integer[Any]]
Mask: TypeAlias = NDArray[np.bool_]
Numbers: TypeAlias = Any  # an array, or lists of numbers, of which `takes` makes one
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

LENGTHS = {  # letters that mean the same in every formula: why two arrays need the same length
    "d_k": "queries and keys are compared, so both need the same length d_k",
    "d_h": "these meet in one hidden layer, so all need the same length d_h",
    "m": "each key needs one value, so K and V need the same number of rows",
}
MASK_HINTS = dict.fromkeys("iu", "; if 1 means 'may look', pass mask == 1") | {
    "f": "; if it was made to be added to scores (0 keeps, -inf hides), pass mask == 0"
}


# a decorator: NaN, infinity and overflow give no warning where a mask may hide them
ignore_overflow = np.errstate(over="ignore", invalid="ignore")


# arrays, by their shapes


class Declared(NamedTuple):
    """What a function says about one of its arrays."""

    axes: tuple[str, ...]  # their letters, perhaps with "..." in front
    optional: bool  # whether it may be left out

    @property
    def shape(self) -> str:
        """The shape in words: ``(..., n, d)`` or ``(d,)``."""
        return f"({self.axes[0]},)" if len(self.axes) == 1 else f"({', '.join(self.axes)})"


@cache
def declare(text: str) -> Mapping[str, Declared]:
    """Read a declaration: in ``"X: ... d, bias?: d"`` the second array may be left out."""
    parts = (part.split(": ") for part in text.split(", "))
    return {
        name.rstrip("?"): Declared(tuple(axes.split()), name.endswith("?")) for name, axes in parts
    }


def takes(
    declared: str, **because: str
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Declare the arrays of a function: it sees arrays that fit, and its help tells their shapes.

    `because` says, by letter, why arrays that share it need the same length there; see `LENGTHS`.
    """
    known = declare(declared)

    def decorate(formula: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        signature, quiet = inspect.signature(formula), ignore_overflow(formula)

        @wraps(formula)
        def checked(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            _check_call(formula.__name__, signature, args, kwargs)
            given = signature.bind(*args, **kwargs).arguments
            read = shapes(declared, *map(given.get, known), **because)
            return quiet(**given | dict(zip(known, read, strict=True)))  # type: ignore[call-arg]

        checked.__doc__ = _with_shapes(formula.__doc__, known)
        return checked

    return decorate


def _check_call(
    name: str, signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> None:
    """Refuse an option that is given without its name, or a name that is none."""
    named = [p.name for p in signature.parameters.values() if p.kind is p.KEYWORD_ONLY]
    first = [p for p in signature.parameters if p not in named]
    call = f"{name}({', '.join([*first, *(f'{option}=…' for option in named)])})"
    if len(args) > len(first):
        raise TypeError(
            f"{name} takes {len(first)} arrays and then options by name, {call}, "
            f"but was given {len(args)} without a name"
        )
    for option in kwargs.keys() - signature.parameters.keys():
        raise TypeError(f"{name} has no {option}: it is called as {call}")


def _with_shapes(text: str | None, known: Mapping[str, Declared]) -> str | None:
    """Put the declared shapes into a docstring, before its first section."""
    if text is None:  # Python that was started without docstrings
        return None
    listed = ", ".join(f"``{name}`` {known[name].shape}" for name in known)
    told = textwrap.fill(f"Takes {listed}.", 96, initial_indent="    ", subsequent_indent="    ")
    about, *sections = re.split(r"(\n\n    \w+\n    ---)", text.rstrip(), maxsplit=1)
    return f"{about}\n\n{told}{''.join(sections)}"


def shapes(declared: str, *arrays: ArrayLike | None, **because: str) -> tuple[Any, ...]:
    """Read arrays as floats of one dtype, with axes as declared; see `takes`."""
    known = declare(declared)
    every = dict(zip(known, arrays, strict=True))
    given = {name: every[name] for name in known if not (every[name] is None and known[name][1])}
    read = dict(zip(given, as_floats(**given), strict=True))
    fit(read, known, because)
    return tuple(map(read.get, known))


def fit(
    arrays: Mapping[str, Array], known: Mapping[str, Declared], because: Mapping[str, str]
) -> None:
    """Require arrays with axes as declared: a letter has one length, wherever it stands."""
    for name, array in arrays.items():
        _check_rank(name, array, known[name])
    leading(**{name: array for name, array in arrays.items() if "..." in known[name].axes})
    first: dict[str, tuple[str, int]] = {}
    for name, array in arrays.items():
        letters = [letter for letter in known[name].axes if letter != "..."]
        for letter, size in zip(letters, array.shape[array.ndim - len(letters) :], strict=True):
            earlier, length = first.setdefault(letter, (name, size))
            if size != length:
                said = because.get(letter) or _reason(letter, length, earlier, name, known)
                require(False, said, **{earlier: arrays[earlier], name: array})
    if first.get("d_k", ("", 1))[1] == 0:
        compared = {name: arrays[name] for name in arrays if "d_k" in known[name].axes}
        require(False, "queries and keys need at least one number", **compared)


def _check_rank(name: str, array: Array, declared: Declared) -> None:
    axes = declared.axes
    least = len(axes) - ("..." in axes)
    if array.ndim == least or (array.ndim > least and "..." in axes):
        return
    if axes[0] == "..." and least == 2:
        raise ValueError(
            f"{name} needs one vector per row, shape (..., rows, length), "
            f"but has shape {array.shape}; a single vector x goes in as [x]"
        )
    raise ValueError(f"{name} must have shape {declared.shape}, but has shape {array.shape}")


def _reason(letter: str, size: int, left: str, right: str, known: Mapping[str, Declared]) -> str:
    """Say why two arrays need the same length where this letter stands."""
    if known[left].axes[-1] == letter and known[right].axes[-2:-1] == (letter,):
        return f"each row of {left} is multiplied by {right}, so {right} needs {size} rows"
    same = f"{letter} is an axis of {left} and of {right}, so it needs the same length in both"
    return LENGTHS.get(letter, same)


def shapes_of(**arrays: NDArray[Any]) -> str:
    """Return the shapes in words: ``Q has shape (3, 4) and K has shape (5, 8)``."""
    return " and ".join(f"{name} has shape {array.shape}" for name, array in arrays.items())


def require(fits: bool, reason: str, **arrays: NDArray[Any]) -> None:
    """Refuse arrays that do not fit: the reason first, then their shapes."""
    if not fits:
        raise ValueError(f"{reason}, but {shapes_of(**arrays)}")


def joint_shape(*shapes: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the shape that all of these broadcast to, or None if they do not."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None


def leading(**arrays: NDArray[Any]) -> tuple[int, ...]:
    """Return what the axes before the last two broadcast to, or say which shapes clash."""
    joint = joint_shape(*(array.shape[:-2] for array in arrays.values()))
    reason = "the axes before the last two must be equal or 1 to go together"
    require(joint is not None, reason, **arrays)
    return joint or ()


def pairs(Q: Array, K: Array, *others: NDArray[Any]) -> tuple[int, ...]:
    """Return the shape (..., n, m) of one number per query and key, in batches of all arrays."""
    leads = (array.shape[:-2] for array in (Q, K, *others))
    return *np.broadcast_shapes(*leads), Q.shape[-2], K.shape[-2]


def per_pair(name: str, array: NDArray[Any], shape: tuple[int, ...], hint: str = "") -> None:
    """Require that `array` holds one entry per score of `shape`, or broadcasts to that."""
    pair, joint = shape[-2:], joint_shape(array.shape, shape)
    if joint is None or joint[-len(pair) :] != pair:
        raise ValueError(
            f"{name} must have one entry per query and key, or broadcast to that, "
            f"but {name} has shape {array.shape} and the scores have shape {shape}{hint}"
        )


def as_mask(mask: ArrayLike | None, shape: tuple[int, ...]) -> Mask | None:
    """Read a mask for scores of this shape."""
    if mask is None:
        return None
    array = as_booleans(mask)
    per_pair("mask", array, shape)
    return array


# arrays, by what they hold


def as_floats(**arrays: ArrayLike | None) -> tuple[Array, ...]:
    """Read named inputs as floating arrays of one dtype: float32 stays, integers become float.

    A plain Python float, such as 3.5, has no dtype of its own and follows the others.
    """
    read = {name: as_numbers(name, value) for name, value in arrays.items()}
    own = [array for name, array in read.items() if type(arrays[name]) is not float]
    floating = [array.dtype for array in own if array.dtype.kind == "f"]
    dtype = np.result_type(*floating) if floating else np.float64
    return tuple(np.asarray(array, dtype) for array in read.values())


def as_numbers(name: str, value: ArrayLike | None) -> NDArray[Any]:
    """Read real numbers of any dtype."""
    if value is None:
        raise TypeError(f"{name} must hold real numbers, but is None")
    array = _as_array(name, value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold real numbers, but its dtype is {array.dtype}")
    return array


def _as_array(name: str, value: ArrayLike) -> NDArray[Any]:
    masked = sys.modules.get("numpy.ma")  # without it nothing is masked; it is slow to import
    if masked and isinstance(value, masked.MaskedArray):
        raise TypeError(
            f"{name} is a masked array, whose gaps would be read as numbers: fill them first"
        )
    try:
        return np.asarray(value)
    except ValueError:
        reason = f"{name} must be a rectangular array, but its rows differ in length"
        if isinstance(value, tuple) and all(isinstance(part, np.ndarray) for part in value):
            parts = " and ".join(str(part.shape) for part in value)
            reason = (
                f"{name} must be one array, but is a tuple of arrays of shapes {parts}: "
                "an output and its weights?"
            )
        raise ValueError(reason) from None


def as_integers(name: str, value: ArrayLike) -> Integers:
    """Read whole numbers, such as lengths or positions, or an empty list."""
    array = _as_array(name, value)
    if array.size > 0 and array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers, but their dtype is {array.dtype}")
    return array if array.size > 0 else array.astype(np.int64)


def within(name: str, numbers: Integers, least: int, most: int) -> None:
    """Require whole numbers from `least` to `most`, such as those of tokens."""
    if np.any((numbers < least) | (numbers > most)):
        raise ValueError(
            f"{name} must lie between {least} and {most}, "
            f"but go from {numbers.min()} to {numbers.max()}"
        )


def as_booleans(mask: ArrayLike) -> Mask:
    """Read a mask: True where a query may look at a key."""
    array = _as_array("mask", mask)
    if array.ndim == 0 and array.dtype.kind == "b":
        raise TypeError(
            f"mask must have one entry per query and key, but is {mask!r}; no mask is mask=None"
        )
    if array.size == 0:  # an empty list has no dtype of its own
        array = array.astype(bool)
    if array.dtype.kind != "b":
        raise TypeError(
            "mask must be boolean, True where a query may look at a key, "
            f"but its dtype is {array.dtype}{MASK_HINTS.get(array.dtype.kind, '')}"
        )
    return array


def as_positive(name: str, value: ArrayLike, dtype: np.dtype[Any]) -> Array:
    """Read a temperature or width: above zero, and never rounded to zero or infinity by `dtype`."""
    numbers = np.asarray(as_numbers(name, value), np.float64)
    if not np.all((numbers > 0) & np.isfinite(numbers)):
        raise ValueError(f"{name} must be a positive number, but is {value!r}")
    limits = np.finfo(dtype)
    return numbers.clip(float(limits.tiny), float(limits.max)).astype(dtype)


# what is no array


def as_size(name: str, value: float) -> float:
    """Read one number above zero."""
    number = as_positive(name, value, np.dtype(np.float64))
    if number.ndim > 0:
        raise ValueError(f"{name} must be a positive number, but is {value!r}")
    return float(number)


def as_count(name: str, value: int, least: int = 1) -> int:
    """Read a whole number that is at least `least`."""
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, but is {value!r}") from None
    if count < least:
        raise ValueError(f"{name} must be at least {least}, but is {count}")
    return count


def flag(name: str, value: object, hint: str = "") -> None:
    """Require True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, but is a {type(value).__name__}{hint}")


def choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Require one of a few words."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be {' or '.join(map(repr, choices))}, but is {value!r}")


def mapping(parameters: object) -> None:
    """Require parameters that have names."""
    if not isinstance(parameters, Mapping):
        raise TypeError(
            "parameters must map names to arrays, as in {'W_q': …}, "
            f"but are a {type(parameters).__name__}"
        )


def function(name: str, function: object, takes: str, known: str) -> None:
    """Require a function that takes these arguments; otherwise name one that does."""
    listed = " and ".join(takes.rsplit(", ", 1))
    if not callable(function) or isinstance(function, type):
        raise TypeError(
            f"{name} must be a function of {listed}, such as {known}, but is {function!r}"
        )
    arguments = takes.split(", ")
    try:  # checked as it will be called: with width=…
        inspect.signature(function).bind(*arguments[:2], **dict.fromkeys(arguments[2:]))
    except ValueError:  # some functions written in C do not say what they take
        return
    except TypeError:
        wants = ", ".join(inspect.signature(function).parameters)
        own = getattr(function, "__name__", repr(function))
        raise TypeError(
            f"{name} is called with {listed}, but {own} takes {wants}: "
            f"give it the rest, as in {name}=lambda {takes}: {own}({wants})"
        ) from None
