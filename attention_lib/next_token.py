"""A decoder that learns to spell: after each letter of a word, name the next.

`Spelling` is a task for `Training`. The model is a whole Transformer, small enough to be
trained while you wait; what it has learned shows when it writes words of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention_lib._arguments import Array, as_count
from attention_lib.generation import generate
from attention_lib.tokens import BytePairs
from attention_lib.training import Batch, Parameters
from attention_lib.transformer import DECODER, _decoder
from attention_lib.transformer_gradients import _decoder_gradients

END = "."  # stands before and after every word


def start_decoder(
    rng: np.random.Generator, tokens: int, places: int, d: int = 32, heads: int = 4, blocks: int = 1
) -> Parameters:
    """Draw random parameters for `decoder_logits` to start from, in float32.

    Parameters
    ----------
    rng : Generator
        Where the random numbers come from.
    tokens, places : int
        How many tokens there are, and how many of them the model sees at once.
    d, heads, blocks : int
        Length of a vector, number of heads, which divides it, and number of blocks. The hidden
        layer of each feed-forward network has 4 d numbers.

    Returns
    -------
    dict of ndarray
        E, P, W_q, W_k, W_v, W_o, W_1, b_1, W_2, b_2, gain_1, gain_2, gain and U.

    Examples
    --------
    >>> parameters = start_decoder(np.random.default_rng(0), tokens=27, places=12)
    >>> sum(array.size for array in parameters.values())
    14656
    """
    sizes = {"tokens": tokens, "places": places, "d": d, "heads": heads, "blocks": blocks}
    c, n, d, h, many = (as_count(name, size) for name, size in sizes.items())
    if d % h != 0:
        raise ValueError(f"vectors of length {d} cannot be cut into {h} equal heads")
    inwards: dict[str, tuple[int, ...]] = {
        name: (many, h, d, d // h) for name in ("W_q", "W_k", "W_v")
    }
    inwards |= {"W_o": (many, d, d), "W_1": (many, d, 4 * d), "W_2": (many, 4 * d, d), "U": (d, c)}
    scales = dict.fromkeys(inwards, 1.0) | {"W_o": 0.3, "W_2": 0.3}  # what is added begins small
    drawn = {"E": 0.1 * rng.normal(size=(c, d)), "P": 0.1 * rng.normal(size=(n, d))}
    for name, shape in inwards.items():
        drawn[name] = scales[name] / math.sqrt(shape[-2]) * rng.normal(size=shape)
    drawn |= {"b_1": np.zeros((many, 4 * d)), "b_2": np.zeros((many, d)), "gain": np.ones(d)}
    drawn |= {"gain_1": np.ones((many, d)), "gain_2": np.ones((many, d))}
    return {name: drawn[name].astype(np.float32) for name in DECODER if name in drawn}


@dataclass(frozen=True)
class Spelling:
    """Words, letter by letter: after each letter, name the next, or the end of the word.

    Parameters
    ----------
    words : sequence of str
        What to learn from, such as names. The first tenth of them, in an order drawn once and for
        all, is held out.
    d, heads, blocks : int
        The size of the model; see `start_decoder`.

    Examples
    --------
    >>> task = Spelling(["anna", "hannah", "ann", "nan", "han"])
    >>> task.letters.tokens, task.places
    (('.', 'a', 'h', 'n'), 7)
    >>> task.examples(["ann"])  # after each letter its answer; -1 where none is asked
    Batch(X=array([[0, 1, 3, 3, 0, 0, 0]]), answers=array([[ 1,  3,  3,  0, -1, -1, -1]]))
    """

    words: Sequence[str]
    d: int = 32
    heads: int = 4
    blocks: int = 1

    def __post_init__(self) -> None:
        words = self.words
        if isinstance(words, str) or not isinstance(words, Sequence):
            raise TypeError(f"words must be a list of strings, but are a {type(words).__name__}")
        if len(words) == 0:
            raise ValueError("there must be at least one word to learn from, but there is none")
        for word in words:
            if not isinstance(word, str) or not word or END in word:
                raise ValueError(
                    f"a word is a string of letters without {END!r}, which marks its end, "
                    f"but one is {word!r}"
                )

    @cached_property
    def letters(self) -> BytePairs:
        """The letters of the words as tokens; number 0 is the end of a word."""
        return BytePairs([END, *sorted(set("".join(self.words)))])

    @cached_property
    def places(self) -> int:
        """Number of letters that the model sees at once: the longest word and the end before it."""
        return 1 + max(map(len, self.words))

    @cached_property
    def _order(self) -> NDArray[np.integer[Any]]:
        return np.random.default_rng(0).permutation(len(self.words))

    @cached_property
    def _known(self) -> Batch:
        return self.examples([self.words[i] for i in self._order[len(self.words) // 10 :]])

    def examples(self, words: Sequence[str]) -> Batch:
        """Return letters X (words, places), the end first, and what comes after each."""
        X = np.zeros((len(words), self.places), int)
        answers = np.full_like(X, -1)
        for i, word in enumerate(words):
            numbers = self.letters.encode(word)
            if len(numbers) >= self.places:
                raise ValueError(
                    f"this model has room for {self.places - 1} letters, "
                    f"but {word!r} has {len(numbers)}"
                )
            X[i, 1 : len(numbers) + 1] = numbers
            answers[i, : len(numbers) + 1] = [*numbers, 0]
        return Batch(X, answers)

    def start(self, rng: np.random.Generator) -> Parameters:
        """Draw the parameters of a small decoder."""
        c = len(self.letters.tokens)
        return start_decoder(rng, c, self.places, self.d, self.heads, self.blocks)

    def draw(self, rng: np.random.Generator, size: int) -> Batch:
        """Draw `size` of the words that are not held out."""
        i = rng.integers(len(self._known.X), size=size)
        return Batch(self._known.X[i], self._known.answers[i])

    def hold_out(self, rng: np.random.Generator) -> Batch:
        """Return the words that are held out, or all if there are fewer than ten."""
        held_out = self._order[: len(self.words) // 10]
        return self.examples([self.words[i] for i in held_out]) if len(held_out) else self._known

    def predict(self, parameters: Parameters, X: NDArray[Any]) -> tuple[Array, Array]:
        """Return logits (size, places, letters) and weights (blocks, size, h, places, places)."""
        logits, steps = _decoder(X, parameters)
        return logits, np.array([step.weights for step in steps])

    def gradients(self, parameters: Parameters, batch: Batch) -> tuple[float, Parameters]:
        """Return the loss, and how it changes with each parameter."""
        end = 1 + np.nonzero(batch.answers >= 0)[1].max(initial=-1)  # nothing is asked from here on
        return _decoder_gradients(batch.X[:, :end], parameters, batch.answers[:, :end])

    def write(
        self,
        parameters: Parameters,
        count: int,
        temperature: float = 0.8,
        rng: int | np.random.Generator | None = None,
    ) -> list[str]:
        """Write `count` words of the model's own; one that finds no end is cut off."""
        starts = np.zeros((as_count("count", count), 1), int)
        rows = generate(parameters, starts, self.places - 1, temperature, rng=rng)[:, 1:]
        return [self.letters.decode(row).split(END)[0] for row in rows]
