"""Evaluate a function on every combination of control values, and pack the results.

The result for one combination is a *frame*: a dictionary of named arrays. All frames go into one
buffer of 16-bit numbers, each array against its own range, so the largest error is half a step:
(high − low) / 131070. Where that would change the digits a view prints, 32 bits are used. Numbers
that a function has rounded to those digits or fewer are kept as they are, in 8 bits if that is
enough. An array that does not depend on a control is stored once along that axis.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bookwork.live.controls import Axis
from bookwork.live.options import numbers_of

FEW_STEPS, STEPS, FINE_STEPS = 2**8 - 1, 2**16 - 1, 2**32 - 1
BUDGET = 2_000_000  # bytes of frames in one figure
Frame = dict[str, NDArray[Any]]
ALONE = "result"  # the name of the array when a function returns just one


def evaluate(
    function: Callable[..., Any], axes: Sequence[Axis], start: Frame, kept: Iterable[str]
) -> Frame:
    """Call the function at each combination; return arrays with one leading axis per control.

    `start` is the frame that the others must be like, `kept` names the arrays to return. An axis
    along which an array does not change has length 1. So an array grows only where it is seen to
    change, and is refused as soon as all together are over the budget.
    """
    counts = tuple(len(axis.values) for axis in axes)
    check_budget(2 * math.prod(counts), axes)
    frames: Frame = {}
    for places in np.ndindex(counts):
        frame = call(function, axes, places)
        _check_same_frame(frame, start, axes, places)
        if not frames:
            frames = {
                name: frame[name].reshape(len(axes) * (1,) + frame[name].shape) for name in kept
            }
        for name, known in frames.items():
            if not np.array_equal(known[_places_in(known, places)], frame[name]):
                grown = _grown(known, counts, places)
                grown[_places_in(grown, places)] = frame[name]
                frames[name] = grown
                check_budget(2 * sum(array.size for array in frames.values()), axes)
    return frames


Parts = list[tuple[Callable[..., Any], list[int]]]  # functions, each with the controls it takes


def parts_of(function: Any, axes: Sequence[Axis]) -> Parts:
    """Return one function, which takes all controls, or several, which take those that they name.

    >>> parts_of([lambda b: b], [Axis("a", "a", (1,), ("1",), 0, "value")])[0][1]
    []
    """
    if callable(function):
        return [(function, [*range(len(axes))])]
    taken = [inspect.signature(each).parameters for each in function]
    named = [[k for k, axis in enumerate(axes) if axis.name in names] for names in taken]
    return list(zip(function, named, strict=True))


def call_parts(parts: Parts, axes: Sequence[Axis], places: Sequence[int]) -> list[Frame]:
    """Call functions at one combination."""
    return [
        call(function, [axes[k] for k in own], [places[k] for k in own]) for function, own in parts
    ]


def evaluate_parts(
    parts: Parts, axes: Sequence[Axis], starts: Sequence[Frame], kept: Iterable[str]
) -> Frame:
    """Evaluate each function over the controls that it takes, as `evaluate` does."""
    frames: Frame = {}
    for (function, own), start in zip(parts, starts, strict=True):
        names = [name for name in kept if name in start]
        for name, array in evaluate(function, [axes[k] for k in own], start, names).items():
            counts = np.ones(len(axes), int)
            counts[own] = array.shape[: len(own)]
            frames[name] = array.reshape((*counts, *array.shape[len(own) :]))
    return frames


def _places_in(array: NDArray[Any], places: Sequence[int]) -> tuple[int, ...]:
    """Return where an array has the numbers of a combination."""
    return tuple(at if count > 1 else 0 for at, count in zip(places, array.shape, strict=False))


def _grown(array: NDArray[Any], counts: Sequence[int], places: Sequence[int]) -> NDArray[Any]:
    """Return an array that may differ along the controls which have left their first value."""
    for axis, (at, count) in enumerate(zip(places, counts, strict=True)):
        if at > 0 and array.shape[axis] == 1:
            array = np.repeat(array, count, axis=axis)
    return array


def call(function: Callable[..., Any], axes: Sequence[Axis], places: Sequence[int]) -> Frame:
    """Call the function at one combination and read its frame, or say where it fails."""
    arguments = {axis.name: axis.values[i] for axis, i in zip(axes, places, strict=True)}
    at = say_position(axes, places)
    try:
        result = function(**arguments)
    except MemoryError:
        raise
    except Exception as error:
        said = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise ValueError(f"the function fails at {at}: {said}") from error
    return _read_frame(result, at)


def say_position(axes: Sequence[Axis], places: Sequence[int]) -> str:
    """Say where the controls stand: ``t = 2, kind = soft``."""
    said = [f"{a.name} = {a.values[i]}" for a, i in zip(axes, places, strict=False)]
    return ", ".join(said) or "its only position"


def _read_frame(result: Any, at: str) -> Frame:
    """Read one result as named arrays of finite numbers, or say where it is not."""
    named = result if isinstance(result, Mapping) else {ALONE: result}
    return {str(name): numbers_of(name, array, f"at {at} it") for name, array in named.items()}


def _check_same_frame(
    frame: Frame, start: Frame, axes: Sequence[Axis], places: Sequence[int]
) -> None:
    shapes = {name: array.shape for name, array in frame.items()}
    wanted = {name: array.shape for name, array in start.items()}
    if shapes != wanted:
        raise ValueError(
            "a live figure needs the same arrays at every position of its controls, but it gave "
            f"{wanted} at the start and {shapes} at {say_position(axes, places)}"
        )


def pack(frames: Frame, controls: int, digits: int) -> tuple[list[dict[str, Any]], bytes]:
    """Return where each array, with one axis per control, begins in a buffer, and the buffer.

    The error must not exceed a hundredth of the last of the digits printed.
    """
    layout, buffer = [], b""
    for name, array in frames.items():
        low, high = (float(array.min()), float(array.max())) if array.size else (0.0, 0.0)
        if not math.isfinite(high - low):
            raise ValueError(f"{name} reaches from {low:g} to {high:g}, too far to be drawn")
        fine = (high - low) / STEPS / 2 > 10.0**-digits / 100
        steps, kind = (FINE_STEPS, "<u4") if fine else (STEPS, "<u2")
        if power := next((p for p in 10.0 ** np.arange(digits + 1) if _are_whole(array * p)), 0):
            for few, short in ((FEW_STEPS, "<u1"), (STEPS, "<u2")):
                if (high - low) * power < few + 0.5:
                    steps, kind, high = few, short, low + few / power
                    break
        told = {"name": name, "begin": len(buffer), "low": low, "high": high, "steps": steps}
        layout.append(told | {"counts": array.shape[:controls], "shape": array.shape[controls:]})
        buffer += np.rint((array - low) / ((high - low) / steps or 1.0)).astype(kind).tobytes()
    return layout, buffer


def _are_whole(numbers: NDArray[Any]) -> bool:
    return bool((np.abs(numbers - np.rint(numbers)) < 1e-6).all())


def check_budget(size: int, axes: Sequence[Axis]) -> None:
    """Refuse frames over the budget, and name the control, if any, that would help most."""
    if size <= BUDGET:
        return
    says = f"this figure would need {size:,} bytes of frames, more than the budget of {BUDGET:,}"
    if axes:
        finest = max(axes, key=lambda axis: len(axis.values))
        says += f"; {finest.name} has {len(finest.values)} steps: give it fewer"
    raise ValueError(says)
