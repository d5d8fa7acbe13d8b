"""What the examples of these pages share: three bakers, their flour and their bread."""

import numpy as np

__version__ = "0.1.0"
BAKERS = ["Ada", "Bo", "Cy"]
PLACES = np.array([[-1.5, -1.0], [1.0, 1.5], [2.0, -1.5]])  # (m, 2), in kilometres


def shares(flour):
    """Return positive numbers, each divided by the sum of all."""
    flour = np.asarray(flour, dtype=float)
    return flour / flour.sum()
