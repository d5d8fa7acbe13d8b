"""Small data: word vectors, parts of real Transformers, models that write and translate, names.

Every loader reads its file at the first call and then returns the same object again. The arrays are
read-only; copy one (``array.copy()``) to change it. Layers and heads are counted from 0.
``attention_lib/data/PROVENANCE.md`` says where each file comes from and under which licence.
"""

from __future__ import annotations

import csv
import difflib
import functools
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from attention_lib._arguments import as_count
from attention_lib.tokens import BytePairs

__all__ = [
    "Block",
    "BookTitles",
    "CausalHeads",
    "DatasetError",
    "Digits",
    "Head",
    "LawSchools",
    "Layer",
    "LookBack",
    "Measures",
    "NamesModel",
    "Sentence",
    "Snapshot",
    "Translator",
    "Vocabulary",
    "WeightedSentence",
    "WordVectors",
    "Writer",
    "load_book_titles",
    "load_digits",
    "load_first_names",
    "load_law_schools",
    "load_look_back",
    "load_measures",
    "load_minilm_attention",
    "load_minilm_block",
    "load_minilm_heads",
    "load_minilm_layer",
    "load_minilm_vocabulary",
    "load_names_model",
    "load_smollm2_heads",
    "load_translator",
    "load_word_vectors",
    "load_writer",
]

Floats = NDArray[np.float32]
Integers = NDArray[np.int32]
Number = TypeVar("Number", np.float32, np.float64, np.int32)

_FOLDER = Path(__file__).parent / "data"
_LAYERS, _HEADS, _D, _D_K, _D_H = 6, 12, 384, 32, 1536  # of MiniLM
_WRITER = {  # the shapes of its parameters: 1,024 tokens, 128 places, 4 blocks of 4 heads
    "E": (1024, 128),
    "P": (128, 128),
    **dict.fromkeys(("W_q", "W_k", "W_v"), (4, 4, 128, 32)),
    "W_o": (4, 128, 128),
    "W_1": (4, 128, 512),
    "W_2": (4, 512, 128),
    **dict.fromkeys(("gain_1", "gain_2"), (4, 128)),
    "gain": (128,),
    "U": (128, 1024),
}
_TOY_BLOCK = {  # a block of the translator
    **dict.fromkeys(("W_q", "W_k", "W_v"), (2, 32, 16)),
    "W_o": (32, 32),
    "W_1": (32, 128),
    "W_2": (128, 32),
    **dict.fromkeys(("gain_1", "gain_2"), (32,)),
}
_TRANSLATOR = {  # and all of it: 24 English and 32 French words, at 10 places
    "source": {"E": (24, 32), "P": (10, 32), "gain": (32,)},
    "encoder": _TOY_BLOCK,
    "target": {"E": (32, 32), "P": (10, 32), "gain": (32,), "U": (32, 32)},
    "decoder": _TOY_BLOCK,
    "cross": {**dict.fromkeys(("W_q", "W_k", "W_v"), (1, 32, 32)), "W_o": (32, 32), "gain": (32,)},
}
_NAMES_MODEL = {  # 27 letters, 12 places, one block of 4 heads
    "E": (27, 32),
    "P": (12, 32),
    **dict.fromkeys(("W_q", "W_k", "W_v"), (1, 4, 32, 8)),
    "W_o": (1, 32, 32),
    "W_1": (1, 32, 128),
    "b_1": (1, 128),
    "W_2": (1, 128, 32),
    "b_2": (1, 32),
    **dict.fromkeys(("gain_1", "gain_2"), (1, 32)),
    "gain": (32,),
    "U": (32, 27),
}
_DIGITS = {  # a model of one block of 4 heads, for 16 patches of 4 pixels
    "W_e": (4, 32),
    "P": (16, 32),
    **dict.fromkeys(("W_q", "W_k", "W_v"), (4, 32, 8)),
    "W_o": (32, 32),
    "W_1": (32, 64),
    "b_1": (64,),
    "W_2": (64, 32),
    "b_2": (32,),
    **dict.fromkeys(("gain_1", "gain_2", "gain"), (32,)),
    "U": (32, 10),
}
_SPLIT_WORDS = {"wagged": ("wa", "##gged")}  # the one word of the vocabulary that has two pieces


class DatasetError(RuntimeError):
    """A data file is missing or damaged; the message says which, and how to get it back."""


@dataclass(frozen=True, eq=False)
class WordVectors:
    """GloVe vectors of a few hundred English words in lower case; see `load_word_vectors`."""

    words: tuple[str, ...]
    vectors: Floats  #: (words, d): ``vectors[i]`` belongs to ``words[i]``
    rank: Integers  #: (words,): place in the list it was taken from, 0 for the most frequent word
    mean: Floats  #: (d,): mean vector of the 20,000 most frequent words
    components: Floats  #: (16, d): principal components of these 20,000, the strongest first

    def vector(self, word: str) -> Floats:
        """Return the vector of `word`, in upper or lower case, of shape (d,)."""
        return self.vectors[_find(word.lower(), self.words)]

    def matrix(self, words: str | Iterable[str]) -> Floats:
        """Return one row per word, of shape (n, d); a string is split at its spaces.

        >>> load_word_vectors(50).matrix("the dog was happy").shape
        (4, 50)
        """
        listed = words.split() if isinstance(words, str) else words
        return self.vectors[[_find(word.lower(), self.words) for word in listed]]

    def nearest(self, word: str, k: int = 5) -> list[tuple[str, float]]:
        """Return the `k` other words whose vectors have the largest cosine with that of `word`.

        >>> [neighbour for neighbour, cosine in load_word_vectors(100).nearest("dog", k=3)]
        ['cat', 'dogs', 'pet']
        """
        k = as_count("k", k)
        i = _find(word.lower(), self.words)
        units = self.vectors / np.linalg.norm(self.vectors, axis=1, keepdims=True)  # (words, d)
        cosines = units @ units[i]  # (words,)
        order = [int(j) for j in np.argsort(-cosines, kind="stable") if j != i]
        return [(self.words[j], float(cosines[j])) for j in order[:k]]


@dataclass(frozen=True, eq=False)
class BookTitles:
    """Books, queries that a reader might type, and their vectors of length 1."""

    titles: tuple[str, ...]
    authors: tuple[str, ...]
    years: Integers  #: (48,): when each was first published
    title_vectors: Floats  #: (48, 384)
    title_author_vectors: Floats  #: (48, 384): of the text "title by author"
    queries: tuple[str, ...]
    query_vectors: Floats  #: (13, 384)


@dataclass(frozen=True, eq=False)
class LawSchools:
    """US law schools: every number is a median of one school, not of one person."""

    gpa: NDArray[np.float64]  #: (142,): college grade of the students, 4.0 is best
    salary: NDArray[np.float64]  #: (142,): starting salary in dollars
    lsat: Integers  #: (142,): score in the admission test
    rank: Integers  #: (142,): place of the school in a ranking, 1 is best


@dataclass(frozen=True, eq=False)
class WeightedSentence:
    """A sentence of n tokens and where they look."""

    text: str
    tokens: tuple[str, ...]
    weights: Floats  #: (6, 12, n, n): layer, head, query, key; (8, n, n) in `CausalHeads`


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence of n tokens as a layer of MiniLM receives it."""

    text: str
    tokens: tuple[str, ...]
    X: Floats  #: (n, 384)


@dataclass(frozen=True, eq=False)
class _Projections:
    W_q: Floats  #: (384, 32) in a `Head`, (12, 384, 32) in a `Layer`
    W_k: Floats
    W_v: Floats
    b_q: Floats  #: (32,) in a `Head`, (12, 32) in a `Layer`
    b_k: Floats
    b_v: Floats

    def project(self, X: Floats) -> tuple[Floats, Floats, Floats]:
        """Return queries ``X @ W_q + b_q``, keys and values, of shape (n, 32) or (12, n, 32)."""
        pairs = (self.W_q, self.b_q), (self.W_k, self.b_k), (self.W_v, self.b_v)
        Q, K, V = (X @ W + b[..., None, :] for W, b in pairs)
        return Q, K, V


@dataclass(frozen=True, eq=False)
class Head(_Projections):
    """One attention head of MiniLM: W_q, W_k, W_v of shape (384, 32), b_q, b_k, b_v of (32,)."""

    layer: int
    number: int
    label: str  #: what it was seen to do
    sentences: tuple[Sentence, ...]  #: as they enter its layer; none in a `Vocabulary`


@dataclass(frozen=True, eq=False)
class Layer(_Projections):
    """Twelve heads of MiniLM: W_q, W_k, W_v of shape (12, 384, 32), b_q, b_k, b_v of (12, 32)."""

    W_o: Floats  #: (384, 384): output projection of the merged heads
    b_o: Floats  #: (384,): added after it
    norm_gain: Floats  #: (384,): of the layer normalisation of ``X + merged @ W_o + b_o``
    norm_bias: Floats  #: (384,)
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, eq=False)
class Block:
    """One whole block of MiniLM, attention, feed-forward network and norms."""

    parameters: Mapping[str, Floats]  #: for `transformer_block`, whose norms stand after
    sentences: tuple[Sentence, ...]  #: as they enter it
    outputs: tuple[Floats, ...]  #: (n, 384) each: what MiniLM itself makes of them


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The embedding layer of MiniLM: tokens and positions become the input of layer 0."""

    tokens: tuple[str, ...]  #: 397; one that begins with ``##`` continues a word
    embeddings: Floats  #: (397, 384): one row per token
    positions: Floats  #: (32, 384): added to the first, second, … token of a sentence
    norm_gain: Floats  #: (384,): of the layer normalisation of that sum
    norm_bias: Floats  #: (384,)
    heads: tuple[Head, ...]  #: heads 1, 2, 8 and 10 of layer 0

    def tokenize(self, sentence: str) -> tuple[str, ...]:
        """Return the tokens of `sentence`, at most 32, with ``[CLS]`` before and ``[SEP]`` after.

        >>> load_minilm_vocabulary().tokenize("The dog wagged his tail.")
        ('[CLS]', 'the', 'dog', 'wa', '##gged', 'his', 'tail', '.', '[SEP]')
        """
        words = re.findall(r"\w+|[^\w\s]", sentence.lower())
        pieces = (piece for word in words for piece in _SPLIT_WORDS.get(word, (word,)))
        tokens = ("[CLS]", *(self.tokens[_find(piece, self.tokens)] for piece in pieces), "[SEP]")
        if len(tokens) > len(self.positions):
            raise ValueError(
                f"a sentence may have {len(self.positions)} tokens, including [CLS] and [SEP], "
                f"but this one has {len(tokens)}"
            )
        return tokens

    def embed(self, sentence: str) -> Sentence:
        """Return `sentence` with its tokens and the input ``X`` of layer 0.

        >>> load_minilm_vocabulary().embed("The cat drank coffee").X.shape
        (6, 384)
        """
        tokens = self.tokenize(sentence)
        rows = [self.tokens.index(token) for token in tokens]
        X = self.embeddings[rows] + self.positions[: len(rows)]  # (n, d)
        X = X - X.mean(axis=-1, keepdims=True)
        X = X / np.sqrt((X**2).mean(axis=-1, keepdims=True))
        return Sentence(sentence, tokens, X * self.norm_gain + self.norm_bias)


@dataclass(frozen=True, eq=False)
class CausalHeads:
    """Eight heads of the causal language model SmolLM2."""

    heads: tuple[tuple[int, int], ...]  #: layer and number; ``weights[i]`` are of ``heads[i]``
    texts: Mapping[str, WeightedSentence]  #: by a short name; ``_`` begins a token after a space


@dataclass(frozen=True, eq=False)
class Digits:
    """Handwritten digits, and a Transformer of one block that names them; see `load_digits`."""

    images: Integers  #: (297, 8, 8): ink, from 0 to 16
    labels: Integers  #: (297,): which digit it is
    parameters: Mapping[str, Floats]  #: W_e and P make tokens of patches, then a block; gain, U
    right: float  #: the share of these digits that the model names
    right_alone: float  #: the same of a model whose heads are silent


@dataclass(frozen=True, eq=False)
class LookBack:
    """How well small models name the letter three places before, by how they see places."""

    schemes: tuple[str, ...]  #: none, waves, learned, rotary, alibi
    right: Floats  #: (5, 5, 60): the share of right answers, by scheme, seed and place
    rotary_looks: Floats  #: (5, 61): weights of the last letter in layer 1, by distance from 0 on


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The writer as it was after some steps of its training."""

    step: int
    bits: float  #: a character, on texts that were held out
    sample: str  #: what it wrote


@dataclass(frozen=True, eq=False)
class NamesModel:
    """A decoder that learned to spell from `load_first_names`; see `load_names_model`."""

    parameters: Mapping[str, Floats]  #: for `decoder_logits`, `generate` and `Spelling.write`
    history: tuple[Snapshot, ...]  #: from before the first step to after the last


@dataclass(frozen=True, eq=False)
class Measures:
    """What was measured with the plays that the writer learned from; see `load_measures`."""

    counted: tuple[float, ...]  #: bits a character of counting 1, 2, … letters, on held-out plays
    known: Mapping[str, tuple[float, ...]]  #: shares of runs of 1, 2, … words that it had read
    longest: Mapping[str, str]  #: the longest passage that stands in the plays it had read
    written: str  #: what the writer wrote for this, as long as the held-out text beside it


@dataclass(frozen=True, eq=False)
class Writer:
    """A decoder that learned to write from Shakespeare's plays; see `load_writer`."""

    pairs: BytePairs  #: from text to its 1,024 tokens and back
    parameters: Mapping[str, Floats]  #: for `decoder_logits` and `generate`
    history: tuple[Snapshot, ...]  #: from before the first step to after the last
    held_out: str  #: the first scenes of The Tempest, which it never read


@dataclass(frozen=True, eq=False)
class Translator:
    """An encoder and a decoder of one block each, for a toy grammar; see `load_translator`.

    The norms stand before each part and are `rms_norm`; nothing has a bias.
    """

    english: tuple[str, ...]  #: 24 words; the first, "end", marks the end
    french: tuple[str, ...]  #: 32 words; "end" begins and ends a sentence
    source: Mapping[str, Floats]  #: ``E`` and ``P`` of the English words, ``gain`` of the last norm
    encoder: Mapping[str, Floats]  #: for `transformer_block`
    target: Mapping[str, Floats]  #: ``E``, ``P``, ``gain``, and ``U``, from a vector to scores
    decoder: Mapping[str, Floats]  #: of its own heads and network, named as the encoder's
    cross: Mapping[
        str, Floats
    ]  #: of one head whose keys and values are the encoder's, and ``gain``


def load_word_vectors(dimension: int = 100) -> WordVectors:
    """Load GloVe word vectors, trained by others on Wikipedia and news.

    Parameters
    ----------
    dimension : 50 or 100
        Length d of a vector. The words "i" and "a" exist only at 50, and ranks are of the list
        that each length was taken from: 400,000 words at 50, of them 341,479 at 100.

    Examples
    --------
    >>> glove = load_word_vectors(50)
    >>> glove.vectors.shape, glove.vector("dog").shape
    ((389, 50), (50,))
    """
    dimension = as_count("dimension", dimension)
    if dimension not in (50, 100):
        raise ValueError(f"word vectors come with dimension 50 or 100, not {dimension}")
    return _read_word_vectors(dimension)


@functools.cache
def _read_word_vectors(dimension: int) -> WordVectors:
    file = _File(f"glove6b_{dimension}d_subset.npz")
    words = file.strings("words")
    return WordVectors(
        words,
        vectors=file.floats("vectors", len(words), dimension),
        rank=file.integers("rank", len(words)),
        mean=file.floats("mean", dimension),
        components=file.floats("pcs", 16, dimension),
    )


@functools.cache
def load_book_titles() -> BookTitles:
    """Load 48 books, 13 queries, and the vectors that MiniLM gives their titles.

    Examples
    --------
    >>> books = load_book_titles()
    >>> i = books.queries.index("vampires")
    >>> books.titles[(books.title_vectors @ books.query_vectors[i]).argmax()]
    'Dracula'
    """
    titles, authors, years = _read_csv("book_titles.csv", 48, "title", "author", "year")
    file = _File("minilm_book_titles.npz")
    queries = file.strings("queries")
    if file.strings("titles") != titles:
        raise _damaged(file.name, "its titles are not those of book_titles.csv")
    return BookTitles(
        titles,
        authors,
        years=_numbers("book_titles.csv", years, np.int32),
        title_vectors=file.floats("title_vec", len(titles), _D),
        title_author_vectors=file.floats("title_author_vec", len(titles), _D),
        queries=queries,
        query_vectors=file.floats("query_vec", len(queries), _D),
    )


@functools.cache
def load_law_schools() -> LawSchools:
    """Load grades and starting salaries of 142 US law schools, sorted by grade.

    Examples
    --------
    >>> schools = load_law_schools()
    >>> print(schools.gpa[0], schools.salary[0])
    2.73 27000.0
    """
    name = "lawsch85_gpa_salary.csv"
    header = "median_gpa", "median_start_salary_usd", "median_lsat", "rank"
    gpa, salary, lsat, rank = _read_csv(name, 142, *header)
    return LawSchools(
        _numbers(name, gpa, np.float64),
        _numbers(name, salary, np.float64),
        _numbers(name, lsat, np.int32),
        _numbers(name, rank, np.int32),
    )


@functools.cache
def load_minilm_attention() -> tuple[WeightedSentence, ...]:
    """Load eight sentences with the attention weights of all 6 × 12 heads of MiniLM.

    Examples
    --------
    Head 1 of layer 3 takes the "his" of "his tail" to "dog":

    >>> dog = load_minilm_attention()[0]
    >>> row = dog.weights[3, 1, dog.tokens.index("tail") - 1]
    >>> dog.tokens[row.argmax()], round(float(row.max()), 2)
    ('dog', 0.59)
    """
    file = _File("minilm_attention.npz")
    sentences = []
    for i, text in enumerate(file.strings("sentences")):
        tokens = file.strings(f"tokens{i}")
        weights = file.floats(f"attn{i}", _LAYERS, _HEADS, len(tokens), len(tokens))
        sentences.append(WeightedSentence(text, tokens, weights))
    return tuple(sentences)


@functools.cache
def load_minilm_layer() -> Layer:
    """Load layer 3 of MiniLM, all twelve heads, with eight sentences as they enter it.

    The weights are stored as 8-bit numbers, so results differ from the original's by about 0.01.

    Examples
    --------
    >>> layer = load_minilm_layer()
    >>> Q, K, V = layer.project(layer.sentences[0].X)
    >>> Q.shape
    (12, 19, 32)
    """
    file = _File("minilm_layer3_int8.npz")
    W = {key: file.integers(f"W{key}", _D, _D) * file.floats(f"s{key}", _D) for key in "qkvo"}
    b = {key: file.floats(f"b{key}", _D).reshape(_HEADS, _D_K) for key in "qkv"}
    heads = {key: W[key].reshape(_D, _HEADS, _D_K).swapaxes(0, 1) for key in "qkv"}  # (h, d, d_k)
    return Layer(
        **{f"W_{key}": _frozen(heads[key], np.float32) for key in "qkv"},
        **{f"b_{key}": b[key] for key in "qkv"},
        W_o=_frozen(W["o"], np.float32),
        b_o=file.floats("bo", _D),
        norm_gain=file.floats("ln_g", _D),
        norm_bias=file.floats("ln_b", _D),
        sentences=file.inputs(),
    )


@functools.cache
def load_minilm_block() -> Block:
    """Load all of layer 3 of MiniLM: a block with biases, layer norms after, and `gelu`.

    The weights are stored as 8-bit numbers, so a vector differs from the original's by about 1 % of
    its length.

    Examples
    --------
    >>> from attention_lib import transformer_block
    >>> block = load_minilm_block()
    >>> X, W = block.sentences[0].X, block.parameters
    >>> output = transformer_block(X, W, norm="after", activation="gelu")
    >>> away = np.linalg.norm(output - block.outputs[0]) / np.linalg.norm(output)
    >>> print(output.shape, away.round(3))
    (19, 384) 0.012
    """
    layer, file = load_minilm_layer(), _File("minilm_feed_forward3_int8.npz")
    parameters = {
        f"{kind}_{key}": getattr(layer, f"{kind}_{key}") for kind in "Wb" for key in "qkvo"
    }
    parameters |= {"gain_1": layer.norm_gain, "bias_1": layer.norm_bias}
    for key, rows, columns in (("1", _D, _D_H), ("2", _D_H, _D)):
        W = file.integers(f"W{key}", rows, columns) * file.floats(f"s{key}", columns)
        parameters[f"W_{key}"] = _frozen(W, np.float32)
        parameters[f"b_{key}"] = file.floats(f"b{key}", columns)
    parameters |= {"gain_2": file.floats("ln_g", _D), "bias_2": file.floats("ln_b", _D)}
    outputs = (file.floats(f"y{i}", len(s.tokens), _D) for i, s in enumerate(layer.sentences))
    return Block(MappingProxyType(parameters), layer.sentences, tuple(outputs))


@functools.cache
def load_minilm_heads() -> tuple[Head, ...]:
    """Load six heads of other layers of MiniLM, each with eight sentences as they enter its layer.

    Examples
    --------
    >>> [(head.layer, head.number, head.label) for head in load_minilm_heads()][1]
    (1, 8, 'next token')
    """
    file = _File("minilm_heads.npz")
    labels = file.strings("labels")
    return tuple(
        file.head(f"_L{layer}H{number}", layer, number, label, file.inputs(f"_L{layer}"))
        for (layer, number), label in zip(
            file.integers("heads", len(labels), 2).tolist(), labels, strict=True
        )
    )


@functools.cache
def load_minilm_vocabulary() -> Vocabulary:
    """Load the embedding layer of MiniLM, so that four heads of layer 0 work on any sentence.

    Examples
    --------
    Head 2 looks at the previous token:

    >>> vocabulary = load_minilm_vocabulary()
    >>> head, sentence = vocabulary.heads[1], vocabulary.embed("The king met the queen.")
    >>> Q, K, V = head.project(sentence.X)
    >>> sentence.tokens[(Q @ K.T)[sentence.tokens.index("queen")].argmax()]
    'the'
    """
    file = _File("minilm_layer0_live.npz")
    tokens = file.strings("vocab")
    labels = {1: "related words", 2: "previous token"}
    return Vocabulary(
        tokens,
        embeddings=file.floats("emb", len(tokens), _D),
        positions=file.floats("pos", 32, _D),
        norm_gain=file.floats("ln_g", _D),
        norm_bias=file.floats("ln_b", _D),
        heads=tuple(
            file.head(f"_H{number}", 0, number, labels.get(number, ""), ())
            for number in file.integers("heads", 4).tolist()
        ),
    )


@functools.cache
def load_smollm2_heads() -> CausalHeads:
    """Load six texts with the weights of eight heads of SmolLM2, a causal language model.

    Examples
    --------
    Head 4 of layer 17 goes to what followed the same word last time:

    >>> smollm2 = load_smollm2_heads()
    >>> text = smollm2.texts["induction"]
    >>> row = text.weights[smollm2.heads.index((17, 4)), 7]
    >>> text.tokens[7], text.tokens[row.argmax()]
    ('_seven', '_lamp')
    """
    file = _File("smollm2_causal_heads.npz")
    heads = tuple((layer, number) for layer, number in file.integers("heads", 8, 2).tolist())
    texts = {}
    for name in ("dog", "swap", "nlp", "animal_tired", "animal_wide", "induction"):
        tokens = file.strings(f"{name}_tokens")
        weights = file.floats(f"{name}_attn", len(heads), len(tokens), len(tokens))
        texts[name] = WeightedSentence("".join(tokens).replace("_", " "), tokens, weights)
    return CausalHeads(heads, MappingProxyType(texts))


@functools.cache
def load_digits() -> Digits:
    """Load 297 handwritten digits, and a model that learned from 1,500 others.

    Examples
    --------
    >>> digits = load_digits()
    >>> digits.images.shape, digits.labels[:5].tolist()
    ((297, 8, 8), [1, 7, 4, 6, 3])
    """
    file = _File("digits.npz")
    parameters = {name: file.floats(name, *shape) for name, shape in _DIGITS.items()}
    right = file.floats("right", 2).tolist()
    images, labels = file.integers("images", 297, 8, 8), file.integers("labels", 297)
    return Digits(images, labels, MappingProxyType(parameters), *right)


@functools.cache
def load_first_names() -> tuple[str, ...]:
    """Load 8,398 English first names, in lower case and sorted.

    Examples
    --------
    >>> names = load_first_names()
    >>> len(names), names[0], names[-1]
    (8398, 'aaren', 'zuzana')
    """
    name = "first_names.txt"
    lines = _read_text(name).split("\n")
    names = tuple(lines[:-1])
    if len(names) != 8398 or lines[-1] or not all(re.fullmatch("[a-z]{2,11}", n) for n in names):
        raise _damaged(name, "it should have 8398 names, a line each")
    return names


@functools.cache
def load_look_back() -> LookBack:
    """Load how well small models name the letter three places before each letter of a text.

    They differ in how they see places, learned from texts of 20 letters, and were then asked about
    500 texts of 60. Nothing is asked about the first three letters: there the share is 0.

    Examples
    --------
    >>> runs = load_look_back()
    >>> runs.schemes.index("rotary"), runs.right.shape
    (3, (5, 5, 60))
    """
    file = _File("look_back.npz")
    right, looks = file.floats("right", 5, 5, 60), file.floats("rotary_looks", 5, 61)
    return LookBack(file.strings("schemes"), right, looks)


@functools.cache
def load_names_model() -> NamesModel:
    """Load a decoder of 14,656 parameters after 1,500 steps of training on first names.

    Examples
    --------
    >>> from attention_lib.next_token import Spelling
    >>> names = Spelling(load_first_names()).write(load_names_model().parameters, 3)
    >>> [name.isalpha() for name in names]
    [True, True, True]
    """
    file, told = _File("names_model.npz"), _read_json("names_model.json")
    parameters = {name: file.floats(name, *shape) for name, shape in _NAMES_MODEL.items()}
    try:
        history = tuple(Snapshot(**snapshot) for snapshot in told["history"])
    except (KeyError, TypeError):
        raise _damaged("names_model.json", "something in it is missing") from None
    return NamesModel(MappingProxyType(parameters), history)


@functools.cache
def load_measures() -> Measures:
    """Load what was measured with the 4.7 million characters of the plays, which are not shipped.

    Examples
    --------
    >>> measures = load_measures()
    >>> measures.longest["writer"] in measures.written
    True
    """
    told = _read_json("writer_measures.json")
    try:
        known = {who: tuple(shares) for who, shares in told["known"].items()}
        longest = MappingProxyType(told["longest"])
        measures = Measures(tuple(told["counted"]), known, longest, told["written"])
    except (AttributeError, KeyError, TypeError):
        raise _damaged("writer_measures.json", "something in it is missing") from None
    return measures


@functools.cache
def load_writer() -> Writer:
    r"""Load a decoder of 1,066,112 parameters that writes like Shakespeare's plays.

    It was trained for this book on 35 plays and the sonnets; The Tempest and Twelfth Night were
    held out. The weights are stored as 8-bit numbers.

    Examples
    --------
    >>> from attention_lib import generate
    >>> writer = load_writer()
    >>> tokens = generate(writer.parameters, writer.pairs.encode("ROMEO.\n"), 8, top_k=1)
    >>> print(writer.pairs.decode(tokens))
    ROMEO.
    I am glad to see you.
    """
    file, told = _File("writer_shakespeare.npz"), _read_json("writer_shakespeare.json")
    parameters = {name: file.parameter(name, *shape) for name, shape in _WRITER.items()}
    try:
        pairs = BytePairs(told["tokens"], told["merges"])
        snapshots = tuple(Snapshot(**snapshot) for snapshot in told["history"])
        writer = Writer(pairs, MappingProxyType(parameters), snapshots, told["held_out"])
    except (KeyError, TypeError, ValueError):
        raise _damaged("writer_shakespeare.json", "something in it is missing") from None
    if len(pairs.tokens) != len(parameters["E"]):
        raise _damaged("writer_shakespeare.json", "its tokens are not those of the weights")
    return writer


@functools.cache
def load_translator() -> Translator:
    """Load 32,352 parameters that translate small English sentences into French.

    They were trained for this book on sentences such as "the small black dog sees a red car".

    Examples
    --------
    >>> translator = load_translator()
    >>> translator.english[:3], translator.french[:5]
    (('end', 'the', 'a'), ('end', 'le', 'la', 'un', 'une'))
    """
    file = _File("translator.npz")
    parts = {
        part: MappingProxyType(
            {name: file.floats(f"{part}_{name}", *shapes[name]) for name in shapes}
        )
        for part, shapes in _TRANSLATOR.items()
    }
    english, french = file.strings("english"), file.strings("french")
    if (len(english), len(french)) != (len(parts["source"]["E"]), len(parts["target"]["E"])):
        raise _damaged(file.name, "its words are not those of the weights")
    return Translator(english, french, **parts)


class _File:
    """The arrays of one .npz file, each checked and made read-only as it is taken out."""

    def __init__(self, name: str) -> None:
        self.name = name
        try:
            with (_FOLDER / name).open("rb") as stream, np.load(stream) as file:
                self._arrays = dict(file)
        except FileNotFoundError:
            raise _damaged(name, "it is missing") from None
        except Exception:  # whatever zip, zlib and NumPy raise, the cause is the same
            raise _damaged(name, "it is damaged") from None

    def strings(self, key: str) -> tuple[str, ...]:
        return tuple(self._take(key, "U", None).tolist())

    def floats(self, key: str, *shape: int) -> Floats:
        return _frozen(self._take(key, "f", shape), np.float32)

    def integers(self, key: str, *shape: int) -> Integers:
        return _frozen(self._take(key, "i", shape), np.int32)

    def parameter(self, key: str, *shape: int) -> Floats:
        """Return a vector as it is, or a matrix of 8-bit numbers times the scale of each column."""
        if key.startswith("gain"):
            return self.floats(key, *shape)
        scale = self.floats(f"{key}_scale", *shape[:-2], shape[-1])
        return _frozen(self.integers(key, *shape) * scale[..., None, :], np.float32)

    def _take(self, key: str, kind: str, shape: tuple[int, ...] | None) -> NDArray[Any]:
        if key not in self._arrays:
            raise _damaged(self.name, f"it has no array {key}")
        array = self._arrays[key]
        fits = array.ndim == 1 if shape is None else array.shape == shape
        if not fits or array.dtype.kind != kind:
            raise _damaged(self.name, f"its array {key} is {array.dtype} of shape {array.shape}")
        return array

    def inputs(self, suffix: str = "") -> tuple[Sentence, ...]:
        sentences = []
        for i, text in enumerate(self.strings("sentences")):
            tokens = self.strings(f"tokens{i}")
            sentences.append(Sentence(text, tokens, self.floats(f"x{i}{suffix}", len(tokens), _D)))
        return tuple(sentences)

    def head(
        self, suffix: str, layer: int, number: int, label: str, sentences: tuple[Sentence, ...]
    ) -> Head:
        W = {f"W_{key}": self.floats(f"W{key}{suffix}", _D, _D_K) for key in "qkv"}
        b = {f"b_{key}": self.floats(f"b{key}{suffix}", _D_K) for key in "qkv"}
        return Head(**W, **b, layer=layer, number=number, label=label, sentences=sentences)


def _read_text(name: str) -> str:
    try:
        return (_FOLDER / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise _damaged(name, "it is missing") from None
    except (OSError, ValueError):
        raise _damaged(name, "it is damaged") from None


def _read_json(name: str) -> dict[str, Any]:
    try:
        told = json.loads(_read_text(name))
    except ValueError:
        raise _damaged(name, "it is damaged") from None
    if not isinstance(told, dict):
        raise _damaged(name, "something in it is missing")
    return told


def _read_csv(name: str, rows: int, *header: str) -> list[tuple[str, ...]]:
    """Return the columns of a CSV file that must have this many rows below this header."""
    text = _read_text(name)
    try:
        table = list(csv.reader(text.splitlines()))
    except csv.Error:
        raise _damaged(name, "it is damaged") from None
    complete = len(table) == rows + 1 and text.endswith("\n")
    if not complete or table[0] != [*header] or {len(row) for row in table} != {len(header)}:
        raise _damaged(name, f"it should have {rows} rows of {', '.join(header)}")
    return list(zip(*table[1:], strict=True))


def _numbers(name: str, column: tuple[str, ...], dtype: type[Number]) -> NDArray[Number]:
    try:
        return _frozen(np.array(column).astype(dtype), dtype)
    except ValueError:
        raise _damaged(name, "a number in it cannot be read") from None


def _frozen(array: NDArray[Any], dtype: type[Number]) -> NDArray[Number]:
    """Return a read-only copy with this dtype."""
    copy = np.array(array, dtype=dtype, order="C")
    copy.setflags(write=False)
    return copy


def _damaged(name: str, reason: str) -> DatasetError:
    return DatasetError(
        f"attention_lib/data/{name} cannot be used: {reason}. Install attention_lib again, or, "
        "in a clone of the book, run `git checkout attention_lib/data`."
    )


def _find(word: str, words: tuple[str, ...]) -> int:
    if word in words:
        return words.index(word)
    close = difflib.get_close_matches(word, words, n=3)
    hint = f"; similar words that are: {', '.join(close)}" if close else ""
    raise ValueError(f"{word!r} is not among the {len(words)} words of this data set{hint}")
