"""From text to numbers and back: letters, and the pairs of letters that come often.

A model that writes knows a fixed list of tokens, and a token is a number to it. With letters as
tokens a text is long; byte-pair encoding joins two tokens that often stand side by side into a new
one, again and again, so that a frequent word becomes one token and a rare one a few.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _shapes as door

PIECES = re.compile(r" ?[A-Za-z']+|\n| ?[^A-Za-z'\n ]+| ")  # no token reaches from one to the next


class BytePairs:
    """Tokens made of letters by joining pairs, in the order in which the joins were learned.

    A text is cut into words, each with the space before it, and each word into letters. Then, as
    long as two neighbours are in the list of merges, those that come first in the list are joined.

    Parameters
    ----------
    tokens : sequence of str
        Every token; its number is its place. Single letters must be among them.
    merges : sequence of pairs of str
        Which two tokens to join, the first learned first. None: each letter is a token.

    Examples
    --------
    >>> pairs = BytePairs(["a", "b", "n", "an", "ban"], [("a", "n"), ("b", "an")])
    >>> pairs.encode("banana")
    [4, 3, 0]
    >>> pairs.decode([4, 3, 0])
    'banana'
    """

    def __init__(self, tokens: Sequence[str], merges: Iterable[tuple[str, str]] = ()) -> None:
        self.tokens = tuple(tokens)
        self.merges = tuple((left, right) for left, right in merges)
        self._numbers = {token: i for i, token in enumerate(self.tokens)}
        self._ranks = {pair: i for i, pair in enumerate(self.merges)}
        if len(self._numbers) < len(self.tokens):
            twice, _ = Counter(self.tokens).most_common(1)[0]
            raise ValueError(f"each token has one number, but {twice!r} is there twice")
        for left, right in self.merges:
            for token in (left, right, left + right):
                if token not in self._numbers:
                    raise ValueError(
                        f"{left!r} and {right!r} are joined, but {token!r} is not among the tokens"
                    )

    def encode(self, text: str) -> list[int]:
        """Return the numbers of the tokens of a text."""
        if not isinstance(text, str):
            raise TypeError(f"text must be a string, but is a {type(text).__name__}")
        for letter in text:
            if letter not in self._numbers:
                known = "".join(sorted(token for token in self.tokens if len(token) == 1))
                raise ValueError(f"the letter {letter!r} is not one of those known: {known!r}")
        pieces = (self._join([*piece]) for piece in PIECES.findall(text))
        return [self._numbers[token] for piece in pieces for token in piece]

    def _join(self, piece: list[str]) -> list[str]:
        """Join neighbours of a word, the first learned first, until no two can be joined."""
        never = len(self._ranks)
        while len(piece) > 1:
            ranks = [self._ranks.get(pair, never) for pair in pairwise(piece)]
            if (first := min(ranks)) == never:
                break
            i = ranks.index(first)
            piece[i : i + 2] = [piece[i] + piece[i + 1]]
        return piece

    def decode(self, ids: ArrayLike) -> str:
        """Return the text of the tokens with these numbers."""
        numbers = door.as_integers("ids", ids)
        door.require(numbers.ndim == 1, "ids are one text, shape (n,)", ids=numbers)
        if np.any((numbers < 0) | (numbers >= len(self.tokens))):
            raise ValueError(
                f"ids must lie between 0 and {len(self.tokens) - 1}, "
                f"but go from {numbers.min()} to {numbers.max()}"
            )
        return "".join(self.tokens[i] for i in numbers)


def learn_pairs(text: str, size: int) -> BytePairs:
    """Learn which neighbours to join: again and again the pair that comes most often.

    Parameters
    ----------
    text : str
        What to learn from; all its letters become tokens.
    size : int
        How many tokens there should be. There may be fewer if no pair comes twice.

    Returns
    -------
    BytePairs
        The letters of the text in order, then the joined tokens as they were learned.

    Examples
    --------
    >>> learn_pairs("low lower lowest", size=10).merges
    (('l', 'o'), ('lo', 'w'))
    """
    size = door.as_count("size", size)
    words = Counter(tuple(piece) for piece in PIECES.findall(text))
    tokens, merges = sorted(set(text)), []
    while len(tokens) < size:
        pairs = Counter[tuple[str, str]]()
        for word, times in words.items():
            for pair in pairwise(word):
                pairs[pair] += times
        (left, right), most = pairs.most_common(1)[0] if pairs else (("", ""), 0)
        if most < 2:
            break
        merges.append((left, right))
        tokens.append(left + right)
        words = Counter(_joined(words, left, right))
    return BytePairs(tokens, merges)


def _joined(words: Counter[tuple[str, ...]], left: str, right: str) -> dict[tuple[str, ...], int]:
    """Return the words with every `left` that stands before a `right` joined to it."""
    joined = {}
    for word, times in words.items():
        new: list[str] = []
        for token in word:
            if new and new[-1] == left and token == right:
                new[-1] = left + right
            else:
                new.append(token)
        joined[tuple(new)] = times
    return joined
