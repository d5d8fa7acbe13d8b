"""Between which numbers a view draws: all of them, and as far as the given limits reach."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Pair = tuple[float, float]
Fit = Callable[[float, float], Pair]  # from the lowest and the highest number drawn to the limits
Limits = Pair | None  # as a view is given them
SLACK = 1e-6  # of the room between limits: what rounding may add, far less than a pixel


def read_limits(limits: Any, fit: Fit) -> Fit:
    """Return how to find the limits: those given, or further if a number lies beyond.

    If none are given, they are 0 and 1, unless some numbers lie beyond: then as `fit` says.
    """
    if limits is not None:
        return widened(limits)
    return lambda low, high: (0.0, 1.0) if low >= -SLACK and high <= 1 + SLACK else fit(low, high)


def widened(limits: Any) -> Fit:
    """Return a rule: the given limits, or as far beyond them as the numbers reach."""
    try:
        lowest, highest = map(float, limits)
    except (TypeError, ValueError):
        lowest = highest = math.nan
    if not -math.inf < lowest < highest < math.inf:
        raise ValueError(f"limits are two numbers, the lower one first, but are {limits!r}")
    room = SLACK * (highest - lowest)
    return lambda low, high: (
        low if low < lowest - room else lowest,
        high if high > highest + room else highest,
    )


def fit_limits(fit: Fit, arrays: Iterable[NDArray[Any]]) -> Pair:
    """Find limits for all numbers of the arrays."""
    filled = [array for array in arrays if array.size] or [np.zeros(1)]
    low = min(float(array.min()) for array in filled)
    return fit(low, max(float(array.max()) for array in filled))


def from_zero(low: float, high: float) -> Pair:
    """Reach from 0 as far as the numbers do."""
    return (min(low, 0.0), max(high, 0.0)) if low or high else (0.0, 1.0)


def around_zero(low: float, high: float) -> Pair:
    """Reach as far below 0 as above it, if any number is negative."""
    reach = max(-low, high)
    return (-reach, reach) if low < 0 else from_zero(low, high)


def to_three(low: float, high: float) -> Pair:
    """Reach from -3 to 3, or further to a whole number."""
    reach = float(math.ceil(max(3.0, -low, high)))
    return -reach, reach


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
        ends = fit(low, high) if low > 0 else (low, high)
        if ends[0] <= 0:
            raise ValueError(f"log needs numbers above 0, but the lowest is {ends[0]:.4g}")
        return ends

    return fit_above
