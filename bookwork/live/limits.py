"""Between which numbers a view draws: all of them, and as far as the given limits reach."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Pair = tuple[float, float]
Fit = Callable[[float, float], Pair]  # from the lowest and the highest number drawn to the limits
Limits = Pair | Literal["auto"] | None  # as a view is given them
SLACK = 1e-6  # of the room between limits: what rounding may add, far less than a pixel


def read_limits(limits: Any, fit: Fit, auto: Fit | None = None) -> Fit:
    """Return how to find the limits: those given, if no number lies beyond, or as `fit` says.

    If they are "auto", they are 0 and 1, unless some numbers lie beyond, or as `auto` says.
    """
    if limits is None:
        return fit
    if isinstance(limits, str) and limits == "auto":
        return auto or _unit_or(fit)
    try:
        low, high = map(float, limits)
    except (TypeError, ValueError):
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError(f"limits are two numbers, the lower one first, but are {limits!r}")
    return _widen(low, high)


def fit_limits(fit: Fit, arrays: Iterable[NDArray[Any]]) -> Pair:
    """Find limits for all numbers of the arrays."""
    filled = [array for array in arrays if array.size] or [np.zeros(1)]
    low = min(float(array.min()) for array in filled)
    return fit(low, max(float(array.max()) for array in filled))


def _widen(lowest: float, highest: float) -> Fit:
    """Return a rule: the given limits, or as far beyond them as the numbers reach."""
    room = SLACK * (highest - lowest)
    return lambda low, high: (
        low if low < lowest - room else lowest,
        high if high > highest + room else highest,
    )


def _unit_or(fit: Fit) -> Fit:
    """Return a rule: 0 and 1 for what lies between, `fit` for all else."""
    return lambda low, high: (0.0, 1.0) if low >= -SLACK and high <= 1 + SLACK else fit(low, high)


def from_zero(low: float, high: float) -> Pair:
    """Reach from 0 as far as the numbers do."""
    return (min(low, 0.0), max(high, 0.0)) if low or high else (0.0, 1.0)


def around_zero(low: float, high: float) -> Pair:
    """Reach as far below 0 as above it, if any number is negative."""
    return both_sides(low, high) if low < 0 else from_zero(low, high)


def both_sides(low: float, high: float) -> Pair:
    """Reach as far below 0 as above it."""
    reach = max(abs(low), abs(high)) or 1.0
    return -reach, reach


def to_three(low: float, high: float) -> Pair:
    """Reach from -3 to 3, or further to a whole number."""
    return both_sides(-3.0, float(math.ceil(max(3.0, -low, high))))


def padded(low: float, high: float) -> Pair:
    """Leave a little room below and above."""
    room = 0.04 * (high - low or 1.0)
    return low - room, high + room


def by_factors(low: float, high: float) -> Pair:
    """Leave a little room below and above, on an axis that grows by factors."""
    room = (high / low) ** 0.04 if high > low else 1.1
    return low / room, high * room


def above_zero(fit: Fit) -> Fit:
    """Return the same rule for an axis that grows by factors: no number may be 0 or below."""

    def fit_above(low: float, high: float) -> Pair:
        if low <= 0:
            raise ValueError(f"log needs numbers above 0, but the lowest drawn is {low:.4g}")
        return fit(low, high)

    return fit_above
