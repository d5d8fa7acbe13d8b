"""Read a GGUF file: little-endian header, key–value pairs, list of tensors, aligned tensor data."""

import struct
from typing import Any

import numpy as np

SCALARS = dict(zip(range(13), "BbHhIif?saQqd", strict=True))  # struct codes; s string, a array
STRING, ARRAY = 8, 9
F32, Q4_1, Q8_0 = 0, 3, 8  # the tensor types read here
BLOCK = 32  # numbers that share one scale in Q4_1 and Q8_0


class Gguf:
    """The metadata and the tensors, each dequantised to float32 when asked for."""

    def __init__(self, content: bytes) -> None:
        self.content, self.offset = content, 0
        magic, _, tensors, pairs = self._take("<4sIQQ")
        if magic != b"GGUF":
            raise SystemExit("the model is not a GGUF file")
        self.metadata = {self._string(): self._value(self._take("<I")[0]) for _ in range(pairs)}
        self.tensors = dict(self._tensor_entry() for _ in range(tensors))
        alignment = self.metadata.get("general.alignment", 32)
        self.start = -(-self.offset // alignment) * alignment

    def _take(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from(layout, self.content, self.offset)
        self.offset += struct.calcsize(layout)
        return values

    def _string(self) -> str:
        (length,) = self._take("<Q")
        return self._take(f"<{length}s")[0].decode()

    def _value(self, kind: int) -> Any:
        if kind == STRING:
            return self._string()
        if kind == ARRAY:
            kind, length = self._take("<IQ")
            return [self._value(kind) for _ in range(length)]
        return self._take("<" + SCALARS[kind])[0]

    def _tensor_entry(self) -> tuple[str, tuple[tuple[int, ...], int, int]]:
        name = self._string()
        (rank,) = self._take("<I")
        shape = self._take(f"<{rank}Q")[::-1]  # GGUF names the fastest axis first
        kind, offset = self._take("<IQ")
        return name, (shape, kind, offset)

    def tensor(self, name: str) -> np.ndarray:
        shape, kind, offset = self.tensors[name]
        size = int(np.prod(shape))
        read = {F32: read_f32, Q4_1: read_q4_1, Q8_0: read_q8_0}[kind]
        return read(self.content, self.start + offset, size).reshape(shape)


def read_f32(content: bytes, offset: int, size: int) -> np.ndarray:
    return np.frombuffer(content, "<f4", size, offset)


def read_q4_1(content: bytes, offset: int, size: int) -> np.ndarray:
    """Return ``scale * q + minimum``; the low halves of the 16 bytes come before the high."""
    layout = np.dtype([("scale", "<f2"), ("minimum", "<f2"), ("q", "u1", BLOCK // 2)])
    blocks = np.frombuffer(content, layout, size // BLOCK, offset)
    q = np.concatenate([blocks["q"] & 15, blocks["q"] >> 4], axis=1)  # (blocks, 32)
    scale, minimum = (blocks[key].astype(np.float32)[:, None] for key in ("scale", "minimum"))
    return scale * q + minimum


def read_q8_0(content: bytes, offset: int, size: int) -> np.ndarray:
    layout = np.dtype([("scale", "<f2"), ("q", "i1", BLOCK)])
    blocks = np.frombuffer(content, layout, size // BLOCK, offset)
    return blocks["scale"].astype(np.float32)[:, None] * blocks["q"]
