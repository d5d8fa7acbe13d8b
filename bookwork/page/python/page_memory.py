"""Reserves memory, so that the book's code still runs when the reader's has used up the rest.

WebAssembly's memory grows up to a limit (see python-limits.js) and never shrinks. So some blocks
of it are held while the reader's code runs, and released afterwards.
"""

import sys
from collections import Counter, deque
from collections.abc import Collection
from contextlib import suppress
from itertools import islice
from typing import Any

from numpy import empty, ndarray

BLOCK = 2**20  # bytes; many small blocks can be allocated again where one large one could not
BLOCKS = 96
CONTAINERS = list, tuple, set, frozenset, deque
SAMPLE = 100  # items of a container that are measured
LARGE = 10_000_000  # bytes; smaller variables are not named
TOTAL = 2**30
FULL = "Python in a page has 1 GB of memory, and your code needed more. Your variables are kept."


class Reserve:
    """Memory that code inside `with` cannot have."""

    def __init__(self) -> None:
        self.blocks: list[Any] = []

    def __enter__(self) -> None:
        """Hold the blocks or, if that is less, half of what is left: other code needs some."""
        with suppress(MemoryError):
            while len(self.blocks) < 2 * BLOCKS:
                self.blocks.append(empty(BLOCK, "u1"))  # not touched, so it costs no real memory
        del self.blocks[len(self.blocks) // 2 :]

    def __exit__(self, *_error: object) -> None:
        """Give the blocks back."""
        self.blocks.clear()


def advice(namespace: dict[str, Any]) -> str:
    """Say that the memory is used up and which variables take most of it."""
    variables = largest(namespace)
    if not variables:
        return FULL
    named = ", ".join(f"{name} (about {size / 1e6:.0f} MB)" for name, size in variables)
    return f"{FULL} The largest: {named}. Delete what you no longer need: del {variables[0][0]}"


def largest(namespace: dict[str, Any]) -> list[tuple[str, float]]:
    """Return up to three large variables with their sizes, the largest first."""
    sizes = {}
    for name, value in namespace.items():
        with suppress(Exception):  # a reader's class may define its own __sizeof__
            sizes[name] = min(size_of(value), TOTAL)
    large = [(name, size) for name, size in sizes.items() if size >= LARGE]
    return sorted(large, key=lambda pair: -pair[1])[:3]


def size_of(value: Any, depth: int = 3) -> float:
    """Estimate how many bytes a value takes, including its contents."""
    if isinstance(value, ndarray):
        return value.nbytes
    size = sys.getsizeof(value, 0)
    if isinstance(value, type | type(sys)) or not depth:
        return size
    if isinstance(value, dict):
        return size + size_of_items(value.values(), depth) + size_of_items(value, depth)
    if isinstance(value, CONTAINERS):
        return size + size_of_items(value, depth)
    return size + size_of(vars(value), depth - 1) if hasattr(value, "__dict__") else size


def size_of_items(items: Collection[Any], depth: int) -> float:
    """Estimate the size of the items from the first ones; repeated ones are counted once."""
    sample = list(islice(items, SAMPLE))
    times = Counter(map(id, sample))
    return sum(
        size_of(item, depth - 1) * (len(items) / len(sample) if times[id(item)] == 1 else 1)
        for item in {id(item): item for item in sample}.values()
    )
