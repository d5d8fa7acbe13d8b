"""Reserves memory, so that the book's code still runs when the reader's has used up the rest.

WebAssembly's memory grows up to a limit (see confine.js) and never shrinks. So some blocks of it
are held while the reader's code runs, and released afterwards.
"""

from contextlib import suppress
from sys import getsizeof
from typing import Any

from numpy import empty

BLOCK = 2**20  # bytes; many small blocks can be allocated again where one large one could not
BLOCKS = 96
LARGE = 10_000_000  # bytes; smaller variables are not named
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
    """Say that the memory is used up, and which variable takes most of it."""
    name = max(namespace, key=lambda each: size_of(namespace[each]), default="")
    size = size_of(namespace.get(name))
    if size < LARGE:
        return FULL
    largest = f"The largest: {name} (about {size / 1e6:.0f} MB)."
    return f"{FULL} {largest} Delete what you no longer need: del {name}"


def size_of(value: Any) -> int:
    """Return about how many bytes a value takes; of a list or a dictionary, also its items."""
    items = value.values() if type(value) is dict else value if type(value) is list else ()
    with suppress(Exception):  # a reader's class may define its own __sizeof__
        own = int(getattr(value, "nbytes", 0)) or getsizeof(value)
        return own + sum(map(getsizeof, items))
    return 0
