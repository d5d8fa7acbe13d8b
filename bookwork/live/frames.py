"""Evaluate a function on every combination of control values, and pack the results.

The result for one combination is a *frame*: a dictionary of named arrays. All frames go into one
buffer of 16-bit numbers, each array against its own range, so the largest error is half a step:
(high − low) / 131070. Where that would change the digits a view prints, 32 bits are used. An array
that does not depend on a control is stored once along that axis.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bookwork.live.controls import Axis

STEPS, FINE_STEPS = 2**16 - 1, 2**32 - 1
Frame = dict[str, NDArray[Any]]
ALONE = "result"  # the name of the array when a function returns just one


@dataclass(frozen=True)
class Packed:
    """One named array for all combinations: integers from 0 to `steps`, and what they stand for."""

    name: str
    codes: NDArray[Any]  # (one axis per control, of length 1 if it does not matter) + shape
    shape: tuple[int, ...]
    low: float
    high: float
    steps: int


def evaluate(
    function: Callable[..., Any],
    axes: Sequence[Axis],
    start: Frame,
    tell: Callable[[float], None] | None = None,
) -> Frame:
    """Return every named array with one leading axis per control; `start` is the first frame.

    The function is tried on the whole grid of numeric controls at once. If that does not give what
    single calls give, wherever `_probes` looks, it is called for each combination.
    """
    found = _evaluate_at_once(function, axes, start)
    return found if found is not None else _evaluate_each(function, axes, start, tell)


def evaluate_parts(
    function: Callable[..., Any],
    axes: Sequence[Axis],
    start: Frame,
    steady: Mapping[str, tuple[str, ...]],
    tell: Callable[[float], None] | None = None,
) -> Frame:
    """Evaluate, but arrays that are `steady` under some controls at one value of each only."""
    frames: Frame = {}
    for still in {steady.get(name, ()) for name in start}:
        names = [name for name in start if steady.get(name, ()) == still]
        moving = [axis for axis in axes if axis.name not in still]
        fixed = {axis.name: axis.values[axis.start] for axis in axes if axis.name in still}
        part = _only(function, names, fixed) if steady else function
        found = evaluate(part, moving, {name: start[name] for name in names}, tell)
        places = [k for k, axis in enumerate(axes) if axis.name in still]
        frames |= {name: np.expand_dims(array, places) for name, array in found.items()}
    return {name: frames[name] for name in start}


def _only(
    function: Callable[..., Any], names: Sequence[str], fixed: Mapping[str, Any]
) -> Callable[..., Frame]:
    """Return a function of the other arguments that gives these arrays only."""

    def part(**given: Any) -> Frame:
        result = function(**fixed, **given)
        named = result if isinstance(result, Mapping) else {ALONE: result}
        return {str(name): array for name, array in named.items() if str(name) in names}

    return part


def check_steady(
    function: Callable[..., Any],
    axes: Sequence[Axis],
    start: Frame,
    steady: Mapping[str, tuple[str, ...]],
) -> None:
    """Require that arrays which should not depend on a control are the same at both of its ends."""
    for k, axis in enumerate(axes):
        for name in [name for name, still in steady.items() if axis.name in still]:
            for end in (0, len(axis.values) - 1):
                places = [end if i == k else other.start for i, other in enumerate(axes)]
                if not np.array_equal(call(function, axes, places)[name], start[name]):
                    raise ValueError(
                        f"{name!r} is a map that {axis.name} moves on, so it must not depend on "
                        f"{axis.name}, but it does"
                    )


def call(function: Callable[..., Any], axes: Sequence[Axis], places: Sequence[int]) -> Frame:
    """Call the function at one combination and read its frame."""
    arguments = {axis.name: axis.values[i] for axis, i in zip(axes, places, strict=True)}
    return read_frame(function(**arguments), say_position(axes, places))


def say_position(axes: Sequence[Axis], places: Sequence[int]) -> str:
    """Say where the controls stand: ``t = 2, kind = soft``."""
    said = [f"{a.name} = {a.values[i]}" for a, i in zip(axes, places, strict=False)]
    return ", ".join(said) or "no controls"


def read_frame(result: Any, at: str) -> Frame:
    """Read one result as named arrays of finite numbers, or say where it is not."""
    named = result if isinstance(result, Mapping) else {ALONE: result}
    return {str(name): _read_array(str(name), array, at) for name, array in named.items()}


def _read_array(name: str, given: Any, at: str) -> NDArray[Any]:
    if isinstance(given, tuple) and any(np.ndim(part) for part in given):
        raise TypeError(
            f"{name} must be one array, but at {at} it is a tuple of {len(given)}: "
            "return a dictionary with a name for each"
        )
    try:
        array = np.asarray(given)
    except ValueError:  # lists of different lengths
        raise TypeError(
            f"{name} must be one array, but at {at} its rows differ in length"
        ) from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold numbers, but at {at} its dtype is {array.dtype}")
    if np.ma.is_masked(given) or not np.isfinite(array).all():
        what = "masked entries" if np.ma.is_masked(given) else "NaN or infinity"
        raise ValueError(f"{name} holds {what} at {at}, which cannot be drawn")
    return array.astype(float)


def _evaluate_at_once(
    function: Callable[..., Any], axes: Sequence[Axis], start: Frame
) -> Frame | None:
    """Evaluate whole grids of the numeric controls, or return None if the function cannot."""
    ranks = {array.ndim for array in start.values()}
    numeric = [axis for axis in axes if axis.numeric]
    if len(ranks) != 1 or not numeric or 2 * len(_probes(axes)) > count_positions(axes):
        return None
    grids = _grids(numeric, ranks.pop())
    others = [axis for axis in axes if not axis.numeric]
    parts = []
    try:
        with np.errstate(all="ignore"):
            for values in itertools.product(*(axis.values for axis in others)):
                fixed = {axis.name: value for axis, value in zip(others, values, strict=True)}
                parts.append(read_frame(function(**fixed, **grids), "the whole grid"))
        if any(part.keys() != start.keys() for part in parts):
            return None  # single calls will say where
        stacked = {name: _stack(parts, name, axes, start[name].shape) for name in start}
    except Exception:  # any failure means: not vectorised, so ask for one combination at a time
        return None
    return stacked if _agrees(function, axes, stacked) else None


def _grids(numeric: Sequence[Axis], rank: int) -> dict[str, NDArray[Any]]:
    """Return each control's values along an axis of its own, before `rank` axes of the frame."""
    grids = {}
    for place, axis in enumerate(numeric):
        shape = [1] * (len(numeric) + rank)
        shape[place] = len(axis.values)
        grids[axis.name] = np.array(axis.values, float).reshape(shape)
        grids[axis.name].flags.writeable = False
    return grids


def _stack(
    parts: list[Frame], name: str, axes: Sequence[Axis], shape: tuple[int, ...]
) -> NDArray[Any]:
    """Join the grids of the numeric controls, one per combination of the others, in axis order."""
    numeric = tuple(len(axis.values) for axis in axes if axis.numeric)
    others = tuple(len(axis.values) for axis in axes if not axis.numeric)
    joined = np.stack([np.broadcast_to(part[name], numeric + shape) for part in parts])
    joined = joined.reshape(others + numeric + shape)
    order = [axis for axis in axes if not axis.numeric] + [axis for axis in axes if axis.numeric]
    places = [order.index(axis) for axis in axes]
    return joined.transpose(*places, *range(len(axes), joined.ndim))


def _agrees(function: Callable[..., Any], axes: Sequence[Axis], stacked: Frame) -> bool:
    """Tell whether single calls give the same wherever `_probes` looks."""
    for places in _probes(axes):
        single = call(function, axes, places)
        if {name: array.shape for name, array in single.items()} != {
            name: array[places].shape for name, array in stacked.items()
        }:
            return False
        for name, array in single.items():
            tiny = 1e-9 * np.abs(stacked[name]).max(initial=0.0)
            if not np.allclose(stacked[name][places], array, rtol=1e-6, atol=tiny):
                return False
    return True


def _probes(axes: Sequence[Axis]) -> set[tuple[int, ...]]:
    """Return combinations with every corner of the grid and every value of every control."""
    counts = [len(axis.values) for axis in axes]
    corners = set(itertools.product(*({0, count - 1} for count in counts)))
    steps = range(max(counts))
    return corners | {tuple((k + 3 * i) % count for i, count in enumerate(counts)) for k in steps}


def _evaluate_each(
    function: Callable[..., Any],
    axes: Sequence[Axis],
    start: Frame,
    tell: Callable[[float], None] | None,
) -> Frame:
    counts = tuple(len(axis.values) for axis in axes)
    frames = {name: np.empty(counts + array.shape) for name, array in start.items()}
    total, began = count_positions(axes), time.monotonic()
    for done, places in enumerate(np.ndindex(counts)):
        frame = call(function, axes, places)
        _check_same_frame(frame, start, axes, places)
        for name, array in frame.items():
            frames[name][places] = array
        if tell is not None and time.monotonic() - began > 1:
            tell(done / total)
    if tell is not None:
        tell(1.0)
    return frames


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


def pack(name: str, array: NDArray[Any], controls: int, digits: int = 0) -> Packed:
    """Turn an array with one axis per control into codes; drop axes that do not matter.

    The error must not exceed one of the last digit printed.
    """
    for axis in range(controls):
        first = array.take([0], axis=axis)
        if (array == first).all():
            array = first
    low, high = (float(array.min()), float(array.max())) if array.size else (0.0, 0.0)
    if not math.isfinite(high - low):
        raise ValueError(f"{name} reaches from {low:g} to {high:g}, too far to be drawn")
    fine = (high - low) / STEPS / 2 > 10.0**-digits
    steps, kind = (FINE_STEPS, "<u4") if fine else (STEPS, "<u2")
    scale = (high - low) / steps or 1.0
    codes = np.rint((array - low) / scale).astype(kind)
    return Packed(name, codes, array.shape[controls:], low, high, steps)


def count_positions(axes: Sequence[Axis]) -> int:
    """Return the number of combinations of control values."""
    return math.prod(len(axis.values) for axis in axes)


def check_budget(size: int, axes: Sequence[Axis], budget: int) -> None:
    """Refuse frames over `budget` bytes, and name the control, if any, that would help most."""
    if size <= budget:
        return
    says = f"this figure would need {size:,} bytes of frames, more than its budget of {budget:,}"
    if axes:
        finest = max(axes, key=lambda axis: len(axis.values))
        says += f"; {finest.name} has {len(finest.values)} steps: give it fewer"
    raise ValueError(says)
