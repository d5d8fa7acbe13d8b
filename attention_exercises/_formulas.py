"""Formulas that several chapters' checkers need: on arrays, and as plain loops over lists."""

from collections.abc import Iterable, Sequence
from math import exp

from numpy import concatenate
from numpy import exp as exp_all

from bookwork.exercises import Array


def softmax(scores: Array, axis: int = -1) -> Array:
    """Return weights that sum to one along an axis."""
    powers = exp_all(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def weigh(scores: Sequence[float]) -> list[float]:
    """Return the weights of a list of scores."""
    powers = [exp(score - max(scores)) for score in scores]
    return [power / sum(powers) for power in powers]


def dot(one: Iterable[float], other: Iterable[float]) -> float:
    """Add up the products of two lists, entry by entry."""
    return sum(x * y for x, y in zip(one, other, strict=True))


def end_to_end(heads: Array) -> Array:
    """Lay the outputs of all heads end to end, one row for each word."""
    return concatenate(list(heads), axis=-1)  # (n, h * d_v)
