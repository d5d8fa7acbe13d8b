"""Waves that add up to corners and jumps: the library of the book "Sums of Waves"."""

import numpy as np

__version__ = "0.1.0"
SHAPES = ("square", "triangle", "saw")


def square(x):
    """Return a wave that is 1 for half a turn and -1 for the other half."""
    return np.where(np.mod(x, 2 * np.pi) < np.pi, 1.0, -1.0)


def amplitudes(shape, count):
    r"""Return how strong the waves $\sin kx$, for k from 1 to `count`, are in a shape."""
    k = np.arange(1, count + 1)
    if shape == "saw":
        return 2 / (np.pi * k)
    odd = k % 2
    if shape == "square":
        return 4 / (np.pi * k) * odd
    if shape == "triangle":
        return 8 / (np.pi * k) ** 2 * odd * np.where(k % 4 == 1, 1, -1)
    raise ValueError(f"the shape is {shape!r}, but should be one of {', '.join(SHAPES)}")


def add_waves(x, strengths):
    """Return the sum of sin(x), sin(2x), sin(3x) …, each times its strength, at each x."""
    k = np.arange(1, len(strengths) + 1)  # (n,)
    return np.sin(np.multiply.outer(x, k)) @ np.asarray(strengths)  # (p,)


def arms(angle, strengths):
    """Return the joints of arms that turn on each other: the height of the last is the sum."""
    k = np.arange(1, len(strengths) + 1)  # (n,)
    steps = np.stack([np.cos(k * angle), np.sin(k * angle)], axis=-1) * np.c_[strengths]  # (n, 2)
    return np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])  # (n + 1, 2)
