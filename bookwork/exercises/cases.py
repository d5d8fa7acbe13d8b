"""Random cases for checkers: all sizes differ, and no number is round."""

from typing import Any

from numpy.random import Generator, default_rng

from bookwork.exercises.outputs import Array

ROUNDS = 16  # random cases for each exercise
_SEED = 20


def distinct_sizes(rng: Generator, count: int, smallest: int = 2) -> list[int]:
    """Return `count` sizes that all differ.

    Examples
    --------
    >>> sorted(distinct_sizes(default_rng(0), 3))
    [4, 5, 6]
    """
    sizes: list[int] = rng.permutation(range(smallest, smallest + count + 2))[:count].tolist()
    return sizes


def draw_arrays(rng: Generator, *shapes: tuple[int, ...]) -> tuple[Array, ...]:
    """Return an array of normal numbers for each shape."""
    return tuple(rng.normal(size=shape) for shape in shapes)


def draw_cases(draw: Any) -> tuple[tuple[Any, ...], ...]:
    """Return the same random cases at each call, the smallest first."""
    rng = default_rng(_SEED)
    return tuple(sorted((draw(rng) for _ in range(ROUNDS)), key=_size))


def _size(case: tuple[Any, ...]) -> int:
    """Count the numbers, or the items, of all arguments."""
    return sum(getattr(part, "size", len(part) if hasattr(part, "__len__") else 1) for part in case)
