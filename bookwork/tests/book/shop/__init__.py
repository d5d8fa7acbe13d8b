"""A small shop: the library of the book that the tests of bookwork are run on."""

from pathlib import Path

import numpy as np

__version__ = "0.1.0"
DATA = Path(__file__).parent / "data"


def price_of(order, breads, prices):
    """Return the price of the one bread that has this name."""
    found = [price for bread, price in zip(breads, prices, strict=True) if bread == order]
    if len(found) != 1:
        raise ValueError(f"{len(found)} breads are called {order!r}, and it should be one")
    return found[0]


def shares(given):
    """Return each number divided by the sum of all."""
    given = np.asarray(given, float)  # (m,)
    return given / given.sum()


def old_prices():
    """Return the prices of all years, in a page from a file that is fetched when it is read."""
    path = DATA / "prices.npy"
    return np.load(path) if path.is_file() else all_prices()


def all_prices():
    """Compute what that file holds."""
    return np.arange(50_000.0) / 100


def recipes():
    """Return all recipes, in a page from a file that it fetches if its reader agrees."""
    path = DATA / "recipes.txt"
    return path.read_text(encoding="utf-8") if path.is_file() else all_recipes()


def all_recipes():
    """Return what that file holds."""
    return "take flour and water and wait " * 100
