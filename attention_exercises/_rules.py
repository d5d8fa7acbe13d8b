"""What the exercises on whole layers share: rules, cases, tolerances."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from bookwork.exercises import Array, Value
from numpy import allclose
from numpy.random import default_rng


def nearly(got: Any, right: Any) -> bool:
    """Return whether all parts of two results agree as far as single precision can for MiniLM."""
    return all(
        mine.shape == wanted.shape and allclose(mine, wanted, rtol=1e-3, atol=1e-4)
        for mine, wanted in zip(got, right, strict=True)
    )


def not_yet_repaired(faults: Mapping[str, str]) -> dict[tuple[str, ...], str]:
    """Return what to say while some of a program's faults are left, which are patches."""
    ways: dict[str, list[str]] = {}
    for count in range(len(faults), 0, -1):
        more = f" (Of the {len(faults)} faults {count} are left.)" if count > 1 else ""
        for left in combinations(faults, count):
            ways.setdefault(faults[left[0]] + more, []).append(" ;; ".join(left))
    return {tuple(patches): says for says, patches in ways.items()}


def numbers(seed: int, *shapes: tuple[int, ...]) -> tuple[Array, ...]:
    """Return arrays of one decimal for a case, which can then be read."""
    rng = default_rng(seed)
    return tuple(rng.normal(scale=0.7, size=shape).round(1) for shape in shapes)


def begin(before: str, others: Mapping[Any, str]) -> dict[Any, str]:
    """Return what to say of other answers, with the same words before each."""
    return {answer: before + says for answer, says in others.items()}


def named_number(
    name: str, right: float, others: dict[float, str], advice: str, **more: Any
) -> Value:
    """Return a checker of one number among several: its messages begin with its name."""
    return Value(
        name,
        right,
        begin(f"{name}: ", others),
        advice=f"{name} is not {{}}. {advice}",
        **more,
    )
