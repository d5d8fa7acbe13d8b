"""From text to numbers and back: letters, pairs of letters that come often, and pieces of words.

A model knows a fixed list of tokens, and a token is a number to it. With letters as tokens a text
is long; byte-pair encoding joins two tokens that often stand side by side into a new one, again and
again, so that a frequent word becomes one token and a rare one a few. Word pieces are cut the other
way round: from each word the longest piece that is in the list, then from what is left.

Models that must read any text join bytes instead of letters (`ByteLevelPairs`).
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check

PIECES = re.compile(r" ?[A-Za-z']+|\n| ?[^A-Za-z'\n ]+| ")  # no token reaches from one to the next


class BytePairs:
    """Tokens made of letters by joining pairs, in the order in which the joins were learned.

    A text is cut into words, each with the space before it, and each word into letters. Then, as
    long as two neighbours are in the list of `merges`, those that come first in the list are
    joined. Among the `tokens`, whose numbers are their places, must be all single letters.

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
        self._numbers = _numbered("token", self.tokens)
        self._ranks = {pair: i for i, pair in enumerate(self.merges)}
        for left, right in self.merges:
            for token in (left, right, left + right):
                if token not in self._numbers:
                    raise ValueError(
                        f"{left!r} and {right!r} are joined, but {token!r} is not among the tokens"
                    )

    def encode(self, text: str) -> list[int]:
        """Return the numbers of the tokens of a text."""
        for letter in _as_text(text):
            if letter not in self._numbers:
                known = "".join(sorted(token for token in self.tokens if len(token) == 1))
                raise ValueError(f"the letter {letter!r} is not one of those known: {known!r}")
        pieces = (_joined([*piece], self._ranks) for piece in PIECES.findall(text))
        return [self._numbers[token] for piece in pieces for token in piece]

    def decode(self, ids: ArrayLike) -> str:
        """Return the text of the tokens with these numbers."""
        numbers = check.as_integers("ids", ids)
        check.require(numbers.ndim == 1, "ids are one text, shape (n,)", ids=numbers)
        check.within("ids", numbers, 0, len(self.tokens) - 1)
        return "".join(self.tokens[i] for i in numbers)


def _as_text(text: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"text must be a string, but is a {type(text).__name__}")
    return text


def _numbered(kind: str, names: Sequence[str]) -> dict[str, int]:
    """Return the number of each token or piece: its place."""
    twice, times = Counter(names).most_common(1)[0] if names else ("", 0)
    if times > 1:
        raise ValueError(f"each {kind} has one number, but {twice!r} is there twice")
    return {name: i for i, name in enumerate(names)}


def _joined(piece: list[str], ranks: Mapping[tuple[str, str], int]) -> list[str]:
    """Join neighbours of a word, those of the lowest rank first, until no two can be joined."""
    never = len(ranks)
    while ranks and len(piece) > 1:
        found = [ranks.get(pair, never) for pair in pairwise(piece)]
        if (first := min(found)) == never:
            break
        i = found.index(first)
        piece[i : i + 2] = [piece[i] + piece[i + 1]]
    return piece


_WORDS = re.compile(r"'(?:[stmd]|re|ve|ll)| ?[A-Za-z]+|0| ?[^\sA-Za-z0]+|\s+(?![^\s0])|\s+")
_VISIBLE = [*range(33, 127), *range(161, 173), *range(174, 256)]  # bytes that stand for themselves
_OTHERS = [byte for byte in range(256) if byte not in _VISIBLE]  # a space, the 33rd, becomes Ġ
_BYTES = {chr(byte): byte for byte in _VISIBLE} | {chr(256 + i): b for i, b in enumerate(_OTHERS)}
_LETTERS = {byte: letter for letter, byte in _BYTES.items()}


class ByteLevelPairs(BytePairs):
    """Byte pairs of any text: what is joined are the bytes of its UTF-8, not its letters.

    In the names of tokens each byte is written as one letter, a space as ``Ġ``. Digits stay alone.
    A byte that is no token is left out, as SmolLM2's own tokenizer does it: give all 256, and any
    text comes back. Into the `special` tokens, marks of where something begins or ends, no text is
    turned unless it is asked for.

    Examples
    --------
    >>> pairs = ByteLevelPairs(["<end>", "Ġ", "h", "i", "hi"], [("h", "i")], special=["<end>"])
    >>> pairs.encode("hi hi<end>", special=True)
    [4, 1, 4, 0]
    >>> pairs.decode([4, 1, 4, 0])
    'hi hi<end>'
    """

    def __init__(
        self,
        tokens: Sequence[str],
        merges: Iterable[tuple[str, str]] = (),
        special: Sequence[str] = (),
    ) -> None:
        super().__init__(tokens, merges)
        self.special = tuple(special)
        for mark in self.special:
            if mark not in self._numbers:
                raise ValueError(f"the mark {mark!r} is not among the tokens")

    def encode(self, text: str, *, special: bool = False) -> list[int]:
        """Return the numbers of the tokens of a text; with `special`, its marks are tokens too."""
        check.flag("special", special)
        marks = "|".join(map(re.escape, sorted(self.special, key=len, reverse=True)))
        parts = re.split(f"({marks})", _as_text(text)) if special and marks else [_as_text(text)]
        return [number for part in parts for number in self._encode(part, special)]

    def _encode(self, part: str, special: bool) -> Iterable[int]:
        if special and part in self.special:
            return [self._numbers[part]]
        found: list[str] = []
        for place in _WORDS.finditer("".join(map(_kind, part))):
            word = part[slice(*place.span())].encode(errors="surrogatepass")
            found += _joined([_LETTERS[byte] for byte in word], self._ranks)
        return [self._numbers[token] for token in found if token in self._numbers]

    def decode(self, ids: ArrayLike) -> str:
        """Return the text of the tokens with these numbers; half a letter becomes �."""
        super().decode(ids)  # says which number is none
        pieces = (self.tokens[i] for i in np.asarray(ids, int))
        return b"".join(map(self._bytes, pieces)).decode(errors="replace")

    def pieces(self, ids: Iterable[int]) -> Iterator[str]:
        """Yield the text of each token as it comes; half a letter waits for its other half.

        If that never comes, a � is yielded after the last token: all pieces together are what
        `decode` returns.
        """
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        for i in ids:
            check.within("ids", check.as_integers("ids", i), 0, len(self.tokens) - 1)
            yield decoder.decode(self._bytes(self.tokens[i]))
        if half := decoder.decode(b"", final=True):
            yield half

    def _bytes(self, token: str) -> bytes:
        return token.encode() if token in self.special else bytes(_BYTES[c] for c in token)


def _kind(letter: str) -> str:
    """Return what stands for a letter when a text is cut: itself, or A, 0, a new line or a dot."""
    if letter in " '" or (letter.isascii() and letter.isalpha()):
        return letter
    if letter.isspace() and not "\x1c" <= letter <= "\x1f":  # marks that only Python calls white
        return "\n"
    return {"L": "A", "N": "0"}.get(unicodedata.category(letter)[0], ".")


def learn_pairs(text: str, size: int) -> BytePairs:
    """Learn which neighbours to join: again and again the pair that comes most often.

    The letters of the text, in order, become tokens; then those that are joined, until there are
    `size` of them or no pair comes twice.

    Examples
    --------
    >>> learn_pairs("low lower lowest", size=10).merges
    (('l', 'o'), ('lo', 'w'))
    """
    size = check.as_count("size", size)
    words = Counter(tuple(piece) for piece in PIECES.findall(_as_text(text)))
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
        rank = {(left, right): 0}
        joined = (_joined([*word], rank) if left in word else word for word in words)
        words = Counter(dict(zip(map(tuple, joined), words.values(), strict=True)))
    return BytePairs(tokens, merges)


_CHINESE = re.compile(
    "([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf"
    "\U0002f800-\U0002fa1f])"
)  # signs that are words by themselves
_ASCII = set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_LONGEST = 100  # letters: no piece is looked for in a word that is longer


class WordPieces:
    """Cut a text into words and each word into pieces, as BERT and its relatives do.

    Letters become small and lose their accents; every sign of punctuation is a word of its own. The
    longest piece that a word begins with comes first, then the longest of what is left, whose name
    begins with ``##``. A word that cannot be cut into known pieces becomes ``[UNK]``. The number of
    a piece is its place.

    Examples
    --------
    >>> pieces = WordPieces(["[UNK]", "[CLS]", "[SEP]", "he", "wa", "##gged", "!"])
    >>> pieces.split("He wagged!")
    ['[CLS]', 'he', 'wa', '##gged', '!', '[SEP]']
    >>> pieces.encode("He wagged!")
    [1, 3, 4, 5, 6, 2]
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        self.pieces = tuple(pieces)
        self._numbers = _numbered("piece", self.pieces)
        for needed in ("[CLS]", "[SEP]", "[UNK]"):
            if needed not in self._numbers:
                raise ValueError(f"{needed} must be among the pieces")

    def split(self, text: str) -> list[str]:
        """Return the pieces of a text, between ``[CLS]`` and ``[SEP]``."""
        words = _words(_as_text(text))
        return ["[CLS]", *(piece for word in words for piece in self._cut(word)), "[SEP]"]

    def encode(self, text: str) -> list[int]:
        """Return the numbers of the pieces of a text."""
        return [self._numbers[piece] for piece in self.split(text)]

    def number(self, piece: str) -> int:
        """Return the number of a piece."""
        return self._numbers[piece]

    def _cut(self, word: str) -> list[str]:
        """Cut one word, the longest known piece first."""
        pieces: list[str] = []
        rest = word if len(word) <= _LONGEST else ""
        while rest:
            prefix = "##" if pieces else ""
            ends = range(len(rest), 0, -1)
            end = next((end for end in ends if prefix + rest[:end] in self._numbers), None)
            if end is None:
                return ["[UNK]"]
            pieces.append(prefix + rest[:end])
            rest = rest[end:]
        return pieces or ["[UNK]"]


def _words(text: str) -> list[str]:
    """Return the words and signs of a text, in small letters without accents."""
    seen = "".join(map(_visible, text))
    plain = unicodedata.normalize("NFD", _CHINESE.sub(r" \1 ", seen))
    plain = "".join(c.lower() for c in plain if unicodedata.category(c) != "Mn")  # σ, also at ends
    signs = {c for c in plain if c in _ASCII or unicodedata.category(c).startswith("P")}
    return "".join(f" {c} " if c in signs else c for c in plain).split()


def _visible(letter: str) -> str:
    """Return a letter, a space for all that is white, and nothing for what cannot be seen."""
    if letter in "\t\n\r":
        return " "
    if letter == "\ufffd" or unicodedata.category(letter).startswith("C"):
        return ""
    return " " if letter.isspace() else letter
