"""SmolLM2, a language model that people use: read from its file, run with the parts of this book.

Its block is that of the chapter "The whole Transformer": RMS norm, rotary positions, grouped heads,
a gated network. What is new is only where the numbers come from; see the chapter "A real language
model". `attention_lib.models.fetch` fetches the file.
"""

from __future__ import annotations

import os
import re
import struct
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Integers, Mask
from attention_lib.inside import _silenced
from attention_lib.models.data import FOLDER, DatasetError
from attention_lib.models.gguf import ModelFile
from attention_lib.multi_head import _product
from attention_lib.tokens import ByteLevelPairs
from attention_lib.transformer import Kind, Steps, _rms_norm, _transformer_block
from attention_lib.weights import causal_mask

NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
FETCH = "python -m attention_lib.models.fetch"
_PART = 32  # so many tokens are read at once: more take memory, and Stop in a page would be late
_SILENCE = 3  # seconds after which a long text says how far it has been read
_NAMES = {"W_o": "attn_output", "W_g": "ffn_gate", "W_1": "ffn_up", "W_2": "ffn_down"}
_UNUSED = r"output\.|rope_f|.*\.bias$|llama\.rope\.scaling"  # what other Llama models may have
_TORN = (ArithmeticError, AttributeError, IndexError, MemoryError, TypeError, ValueError)


def model_path() -> Path:
    """Return where the file is, or would be: in a page of the book, with the library's data."""
    if (in_page := FOLDER / NAME).is_file():
        return in_page
    folder = os.environ.get("ATTENTION_LIB_CACHE")
    return (Path(folder) if folder else Path.home() / ".cache" / "attention_lib") / NAME


class Kept(NamedTuple):
    """What a cache keeps of one block."""

    K: Array  #: (g, m, d_k)
    V: Array  #: (g, m, d_v)


@dataclass(eq=False)
class LanguageModel:
    """A decoder of the Llama family, such as SmolLM2, with its tokens; see `LanguageModel.read`.

    Examples
    --------
    ::

        from attention_lib.models.fetch import fetch_model

        model = LanguageModel.read(fetch_model())
        ids = model.encode("The dog was happy, so he")
        model.decode([model.logits(ids)[-1].argmax()])
        model.decode(generate(model, ids, count=20, top_k=1))
    """

    pairs: ByteLevelPairs  #: its tokens
    E: Array  #: (c, d): a vector for each token; its transpose turns vectors into scores
    blocks: Sequence[dict[str, Array]]  #: parameters for `transformer_block`
    gain: Array  #: (d,): of the last norm
    base: float  #: of the rotary positions
    places: int  #: how many tokens a text may have: as many as those that it was trained on
    hidden: tuple[int, ...] = ()  #: places at which later tokens may not look

    @classmethod
    def read(cls, path: str | Path) -> LanguageModel:
        """Read a GGUF file of the Llama family, with 32-bit, 8-bit or 4-bit (Q4_1) numbers."""
        if not Path(path).is_file():
            raise DatasetError(f"there is no file {path}: {FETCH} fetches SmolLM2")
        try:
            with Path(path).open("rb") as file:
                return cls._of(ModelFile(file))
        except (DatasetError, KeyError) as error:  # a key is that of something missing
            raise DatasetError(f"{path} cannot be read: {error}") from None
        except (struct.error, *_TORN):
            raise DatasetError(
                f"{path} is damaged or cut short: if it was fetched, delete it and fetch it again"
            ) from None

    @classmethod
    def _of(cls, file: ModelFile) -> LanguageModel:
        told = file.told
        if told["general.architecture"] != "llama":
            raise DatasetError(f"its model is a {told['general.architecture']!r}, not a llama")
        if told["tokenizer.ggml.pre"] != "smollm":
            raise DatasetError("it cuts texts into tokens in another way than SmolLM2")
        if unused := [name for name in (*file.entries, *told) if re.match(_UNUSED, name)]:
            raise DatasetError(f"it has {unused[0]}, which is not used here and SmolLM2 has not")
        tokens, kinds = told["tokenizer.ggml.tokens"], told["tokenizer.ggml.token_type"]
        merges = [tuple(merge.split(" ")) for merge in told["tokenizer.ggml.merges"]]
        special = [token for token, kind in zip(tokens, kinds, strict=True) if kind == 3]
        return cls(
            ByteLevelPairs(tokens, merges, special),
            file.tensor("token_embd.weight"),
            tuple(_block(file, f"blk.{i}.") for i in range(told["llama.block_count"])),
            file.tensor("output_norm.weight"),
            told["llama.rope.freq_base"],
            told["llama.context_length"],
        )

    def encode(self, text: str, *, special: bool = False) -> list[int]:
        """Return the numbers of the tokens of a text; with `special`, marks of a chat count too."""
        return self.pairs.encode(text, special=special)

    def decode(self, ids: ArrayLike) -> str:
        """Return the text of some tokens."""
        return self.pairs.decode(ids)

    def pieces(self, ids: Iterable[int]) -> Iterator[str]:
        """Yield the text of each token as it comes: of `write`, say."""
        return self.pairs.pieces(ids)

    def logits(self, ids: ArrayLike, cache: list[Kept] | None = None) -> Array:
        """Score every token that might come next, after each token of a text: (n, vocabulary).

        `ids` are the text, or what comes after the tokens in the `cache`: at first an empty list,
        ``[]``, in which the keys and values of what was read are kept.
        """
        numbers, start = self.as_ids(ids, cache), 0
        scores = np.empty((len(numbers), len(self.E)), self.E.dtype)  # once: they take much memory
        for X in self._outputs(numbers, cache):
            scores[start : start + len(X)] = self.read_off(X)
            start += len(X)
        return scores

    def next_logits(self, ids: ArrayLike, cache: list[Kept] | None = None) -> Array:
        """Return the last row of `logits`, (vocabulary,), without computing the others."""
        *_, X = self._outputs(ids, cache)
        return self.read_off(X[-1])

    def attention(self, ids: ArrayLike) -> Array:
        """Return where each token looks, in every head: (layers, heads, n, n)."""
        return np.stack([steps.weights for steps in self.steps(ids)])

    def read_off(self, X: Array) -> Array:
        """Turn vectors between blocks, (..., d), into scores of the next token: norm(X) Eᵀ."""
        return _product(_rms_norm(X, self.gain), self.E.T)

    def steps(self, ids: ArrayLike, cache: list[Kept] | None = None) -> Iterator[Steps]:
        """Yield everything that a block computes, block after block, as `decoder_steps` does."""
        numbers, kept = self.as_ids(ids, cache), []
        pasts: list[Any] = cache or [None] * len(self.blocks)
        mask = self._mask(len(numbers), cache[0].K.shape[-2] if cache else 0)
        kind = Kind(activation="silu", gated=True, base=self.base)
        X = self.E[numbers]  # (n, d)
        for past, block in zip(pasts, self.blocks, strict=True):
            steps = _transformer_block(X, block, mask, kind, past)
            kept.append(Kept(steps.K, steps.V))
            yield steps
            X = steps.output
        if cache is not None:
            cache[:] = kept  # at the end: what stops in between leaves the cache as it was

    def _outputs(self, ids: ArrayLike, cache: list[Kept] | None) -> Iterator[Array]:
        """Yield what leaves the last block, part by part; the cache takes all at the end."""
        numbers, kept, began = self.as_ids(ids, cache), list(cache or []), perf_counter()
        n = len(numbers)
        for start in range(0, n, _PART):
            for steps in self.steps(numbers[start : start + _PART], kept):
                X = steps.output  # nothing else is kept: all blocks together take much memory
            if n > _PART and perf_counter() - began > _SILENCE:
                told = f"\r{min(start + _PART, n)} of {n} tokens read"
                print(told, end="" if start + _PART < n else None, file=sys.stderr, flush=True)
            yield X
        if cache is not None:
            cache[:] = kept

    def as_ids(self, ids: ArrayLike, cache: list[Kept] | None = None) -> Integers:
        """Read a text that is not empty and, with what is in the cache, not too long."""
        if isinstance(ids, str):
            raise TypeError("ids must be whole numbers, but are a text: encode it first")
        numbers = check.as_integers("ids", ids)
        check.require(numbers.ndim == 1, "ids are one text, shape (n,)", ids=numbers)
        if len(numbers) == 0:
            raise ValueError("the text is empty: a model needs one token or more to go on from")
        check.within("ids", numbers, 0, len(self.E) - 1)
        if cache:
            g, _, d_k = self.blocks[0]["W_k"].shape
            if (len(cache), *cache[0].K.shape[::2]) != (len(self.blocks), g, d_k):
                raise ValueError("the cache is that of another model: begin with an empty one, []")
        total = len(numbers) + (cache[0].K.shape[-2] if cache else 0)
        if total > self.places:
            raise ValueError(
                f"the model takes texts of up to {self.places} tokens, "
                f"but this one has {total}: shorten it"
            )
        return numbers

    def _mask(self, n: int, start: int) -> Mask:
        """Return who may look where, (n, start + n): back, and never at what is hidden."""
        mask = causal_mask(n, start + n, align="end")
        mask[:, [place for place in self.hidden if place < start + n]] = False
        mask[np.arange(n), start + np.arange(n)] = True
        return mask

    def without(
        self, heads: Iterable[tuple[int, int]] = (), layers: ArrayLike = (), places: ArrayLike = ()
    ) -> LanguageModel:
        """Return the model in which some heads or whole layers add nothing, or tokens are hidden.

        `heads` are pairs (layer, head), whose rows of ``W_o`` become 0; the heads and the network
        of `layers` add nothing; at `places` no later token may look. All count from 0. The other
        parameters are shared, not copied.
        """
        blocks = _silenced(self.blocks, heads)
        for layer in self._as_layers(layers):
            blocks[layer] |= {key: np.zeros_like(blocks[layer][key]) for key in ("W_o", "W_2")}
        hidden = (check.as_count("a place", place, least=0) for place in np.ravel(places).tolist())
        return replace(self, blocks=tuple(blocks), hidden=(*self.hidden, *hidden))

    def with_matrices(
        self, change: Callable[[Array], Array], layers: ArrayLike | None = None
    ) -> LanguageModel:
        """Return the model whose blocks have other matrices, (..., in, out): rounded ones, say.

        Only those of some layers, if they are given. A block is changed whenever it is used, and
        not kept: Python in a page has no memory for two whole models.
        """
        chosen = range(len(self.blocks)) if layers is None else self._as_layers(layers)
        return replace(self, blocks=_Changed(self.blocks, change, chosen))

    def _as_layers(self, layers: ArrayLike) -> list[int]:
        numbers = [check.as_count("a layer", layer, least=0) for layer in np.ravel(layers).tolist()]
        if (most := max(numbers, default=0)) > (last := len(self.blocks) - 1):
            raise ValueError(f"there is no layer {most}: layers count from 0 to {last}")
        return numbers


@dataclass(eq=False)
class _Changed(Sequence[dict[str, Array]]):
    """Blocks of which some have their matrices changed."""

    blocks: Sequence[dict[str, Array]]
    change: Callable[[Array], Array]
    layers: Collection[int]

    def __len__(self) -> int:
        return len(self.blocks)

    def __getitem__(self, i: Any) -> Any:
        i = range(len(self))[i]  # from the end, if it is negative
        block = self.blocks[i]
        if i not in self.layers:
            return block
        return {name: self.change(W) if name.startswith("W_") else W for name, W in block.items()}


def _block(file: ModelFile, prefix: str) -> dict[str, Array]:
    """Return the parameters of a block, for `transformer_block`.

    A matrix lies in the file as (out, in), row by row: its transpose, column by column, is what we
    multiply by, and NumPy in a page of the book is several times as fast on it.
    """
    heads = file.told["llama.attention.head_count"]
    of_keys = file.told.get("llama.attention.head_count_kv", heads)
    block = {ours: file.tensor(f"{prefix}{name}.weight").T for ours, name in _NAMES.items()}
    for key, count in (("q", heads), ("k", of_keys), ("v", of_keys)):
        rows = file.tensor(f"{prefix}attn_{key}.weight")  # (h * d_k, d)
        block[f"W_{key}"] = rows.reshape(count, -1, rows.shape[-1]).swapaxes(1, 2)  # (h, d, d_k)
    block["gain_1"] = file.tensor(f"{prefix}attn_norm.weight")
    block["gain_2"] = file.tensor(f"{prefix}ffn_norm.weight")
    return block
