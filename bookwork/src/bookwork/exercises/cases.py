"""Random cases for checkers: all sizes differ, and no number is round."""

from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any, TypeAlias

from numpy.random import Generator, default_rng

from bookwork.exercises.outputs import Array

ROUNDS = 16  # random cases for each exercise
_SEED = 20

Draw: TypeAlias = Callable[[Generator], tuple[Any, ...]]


def distinct_sizes(rng: Generator, count: int, smallest: int = 2) -> list[int]:
    """Return `count` sizes that all differ."""
    sizes: list[int] = rng.permutation(range(smallest, smallest + count + 2))[:count].tolist()
    return sizes


def draw_arrays(rng: Generator, *shapes: tuple[int, ...]) -> tuple[Array, ...]:
    """Return an array of normal numbers for each shape."""
    return tuple(rng.normal(size=shape) for shape in shapes)


def random_case(parts: Callable[..., Iterable[Any]], scale: float = 1.0) -> Draw:
    """Return what draws a case whose sizes all differ.

    Parameters
    ----------
    parts : callable
        Takes one size for each of its arguments and returns the parts of the case: a tuple is the
        shape of an array of normal numbers, a function gets the generator, the rest stays.
    scale : float
        What the normal numbers are multiplied by.

    Examples
    --------
    >>> draw = random_case(lambda n, d: ((n, d), (d,), n, between(0.5, 2)))
    >>> X, b, n, rate = draw(default_rng(0))
    >>> X.shape == (n, len(b)), 0.5 < rate < 2
    (True, True)
    """
    count = len(signature(parts).parameters)
    return lambda rng: tuple(_draw(rng, part, scale) for part in parts(*distinct_sizes(rng, count)))


def _draw(rng: Generator, part: Any, scale: float) -> Any:
    if isinstance(part, tuple):
        return rng.normal(size=part) * scale
    return part(rng) if callable(part) else part


def between(low: float, high: float) -> Callable[[Generator], float]:
    """Return what draws a number, for `random_case`."""
    return lambda rng: float(rng.uniform(low, high))


def whole(low: int, high: int) -> Callable[[Generator], int]:
    """Return what draws a whole number from `low` to less than `high`, for `random_case`."""
    return lambda rng: int(rng.integers(low, high))


def draw_cases(draw: Draw) -> tuple[tuple[Any, ...], ...]:
    """Return the same random cases at each call, the smallest first."""
    rng = default_rng(_SEED)
    return tuple(sorted((draw(rng) for _ in range(ROUNDS)), key=_size))


def _size(case: tuple[Any, ...]) -> int:
    """Count the numbers, or the items, of all arguments."""
    return sum(getattr(part, "size", len(part) if hasattr(part, "__len__") else 1) for part in case)
