"""What the exercises on whole layers share: rules, cases, tolerances."""

import tracemalloc
from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

from numpy import allclose, arange, sin
from numpy.random import default_rng

import attention_lib
from bookwork.exercises import (
    Array,
    Finding,
    NumberChecker,
    read_array,
    run,
)

ALL_BUT_SOFTMAX = tuple(name for name in attention_lib.__all__ if name != "softmax")
ATTENTION = ("attention", "self_attention", "blockwise_attention")


def nearly(got: Any, right: Any) -> bool:
    """Return whether all parts of two results agree as far as single precision can for MiniLM."""
    return all(
        mine.shape == wanted.shape and allclose(mine, wanted, rtol=1e-3, atol=1e-4)
        for mine, wanted in zip(got, right, strict=True)
    )


def right_but(
    test: Callable[[Callable[..., Any]], Any], says: str
) -> Callable[[Callable[..., Any], Finding], Finding]:
    """Return a second look, which refuses right answers for which the test holds."""

    def look(function: Callable[..., Any], finding: Finding) -> Finding:
        refused = finding.status == "correct" and test(function)
        return Finding("known mistake", says) if refused else finding

    return look


def holds_more(
    numbers: float, make: Callable[[], tuple[Any, ...]]
) -> Callable[[Callable[..., Any]], bool]:
    """Return a test of whether a function holds more numbers at once, given what `make` makes."""
    return lambda function: _most_memory(lambda: function(*make())) > 8 * numbers


def _most_memory(function: Callable[[], Any]) -> int:
    """Return how many bytes a function holds at once."""
    started = tracemalloc.is_tracing()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        run(function, (), read_array)
        _, most = tracemalloc.get_traced_memory()
    finally:
        if not started:
            tracemalloc.stop()
    return most - before


def not_yet_repaired(faults: Mapping[str, str]) -> dict[tuple[str, ...], str]:
    """Return what to say while some of a program's faults are left, which are patches."""
    ways: dict[str, list[str]] = {}
    for count in range(len(faults), 0, -1):
        more = f" (Of the {len(faults)} faults {count} are left.)" if count > 1 else ""
        for left in combinations(faults, count):
            ways.setdefault(faults[left[0]] + more, []).append(" ;; ".join(left))
    return {tuple(patches): says for says, patches in ways.items()}


def same_numbers(*shape: int, start: int = 0) -> Array:
    """Return numbers that repeat nowhere, the same on every machine."""
    size = 1
    for length in shape:
        size *= length
    return sin(arange(start, start + size) * 1.7 + 0.3).reshape(shape).round(2)


def short_numbers(seed: int, *shapes: tuple[int, ...]) -> tuple[Array, ...]:
    """Return arrays of one decimal, so that a case can be read."""
    rng = default_rng(seed)
    return tuple(rng.normal(scale=0.7, size=shape).round(1) for shape in shapes)


def named_number(
    name: str, right: float, others: dict[float, str], advice: str, **more: Any
) -> NumberChecker:
    """Return a checker of one number among several: its messages begin with its name."""
    return NumberChecker(
        name,
        right,
        others,
        advice=f"{name} is not {{}}. {advice}",
        asks=f"{name} is one number, but yours is {{}}.",
        before=f"{name}: ",
        **more,
    )
