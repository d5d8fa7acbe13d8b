"""What the exercises on whole layers share: rules, cases, tolerances."""

import tracemalloc
from collections.abc import Callable
from typing import Any

from numpy import allclose
from numpy.random import Generator

import attention_lib
from attention_lib.exercises.engine import Array, Finding, draw_arrays, read_array, run, too_late

ALL_BUT_SOFTMAX = tuple(name for name in attention_lib.__all__ if name != "softmax")
ATTENTION = ("attention", "self_attention", "blockwise_attention")


def draw_small(rng: Generator, *shapes: tuple[int, ...]) -> tuple[Array, ...]:
    """Draw numbers so small that single precision differs only by rounding."""
    return tuple(numbers / 2 for numbers in draw_arrays(rng, *shapes))


def nearly(got: Any, right: Any) -> bool:
    """Return whether all parts of two results agree as far as single precision can for MiniLM."""
    return all(
        mine.shape == wanted.shape and allclose(mine, wanted, rtol=1e-3, atol=1e-4)
        for mine, wanted in zip(got, right, strict=True)
    )


def worth_a_probe(finding: Finding) -> bool:
    """Return whether a wrong answer may be run again, to find out what it does."""
    return finding.status not in ("correct", "not started") and too_late() not in finding.message


def most_memory(function: Callable[..., Any], *arguments: Any) -> int:
    """Return how many bytes a function holds at once, beside its arguments."""
    started = tracemalloc.is_tracing()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        run(function, arguments, read_array)
        _, most = tracemalloc.get_traced_memory()
    finally:
        if not started:
            tracemalloc.stop()
    return most - before
