"""GGUF, the format in which language models are passed round.

A file holds what a model says about itself, then its tensors, most of them with four bits a number.
All numbers are little-endian.
"""

from __future__ import annotations

import math
import struct
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from attention_lib._arguments import Array
from attention_lib.models.data import DatasetError, from_groups

_SCALARS = "BbHhIif?saQqd"  # struct's letters for the kinds of values; s is a text, a is a list
_TEXT, _LIST = 8, 9
_STORED = {  # how tensors are stored: plain, or 32 numbers together, which share a scale
    0: np.dtype("<f4"),
    3: np.dtype([("scale", "<f2"), ("least", "<f2"), ("codes", "u1", 16)]),  # Q4_1: 4 bits each
    8: np.dtype([("scale", "<f2"), ("codes", "i1", 32)]),  # Q8_0: 8 bits each
}


class ModelFile:
    """A GGUF file, open: its head is read from front to back, its tensors when asked for."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        if file.read(4) != b"GGUF" or self._take("I")[0] not in (2, 3):
            raise DatasetError("it is no GGUF file of version 2 or 3")
        tensors, values = self._take("QQ")
        self.told = {self._text(): self._value(*self._take("I")) for _ in range(values)}
        self.entries = dict(self._entry() for _ in range(tensors))
        unit = self.told.get("general.alignment", 32)
        self._start = -(-file.tell() // unit) * unit

    def _take(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack("<" + layout, self._file.read(struct.calcsize("<" + layout)))

    def _text(self) -> str:
        (length,) = self._take("Q")
        return bytes(self._take(f"{length}s")[0]).decode()

    def _value(self, kind: int) -> Any:
        if kind == _TEXT:
            return self._text()
        if kind == _LIST:
            kind, length = self._take("IQ")
            return [self._value(kind) for _ in range(length)]
        return self._take(_SCALARS[kind])[0]

    def _entry(self) -> tuple[str, tuple[tuple[int, ...], int, int]]:
        name, (rank,) = self._text(), self._take("I")
        shape = self._take(f"{rank}Q")[::-1]  # the file names the fastest axis first
        return name, (shape, *self._take("IQ"))

    def stored(self, name: str) -> NDArray[Any]:
        """Return a tensor as it is stored: numbers, or groups of 32 codes with their scale."""
        shape, kind, offset = self.entries[name]
        if kind not in _STORED:
            raise DatasetError(
                f"the numbers of {name} are stored in a way (type {kind}) that is not read here"
            )
        layout, width = _STORED[kind], 1 if kind == 0 else 32
        count = math.prod(shape) // width
        self._file.seek(self._start + offset)
        stored = np.frombuffer(self._file.read(count * layout.itemsize), layout, count)
        return stored.reshape(*shape[:-1], shape[-1] // width)

    def tensor(self, name: str) -> Array:
        """Return a tensor as float32."""
        stored = self.stored(name)
        if stored.dtype.names is None:
            return stored.astype(np.float32)
        least = stored["least"] if "least" in stored.dtype.names else None
        return from_groups(stored["codes"], stored["scale"], least)
