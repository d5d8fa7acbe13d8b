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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from attention_lib.tokens import BytePairs

Floats = NDArray[np.float32]
Integers = NDArray[np.int32]

FOLDER = Path(__file__).parents[1] / "data"  # that of attention_lib


class DatasetError(RuntimeError):
    """A data file is missing or damaged; the message says which, and how to get it back."""


@dataclass(frozen=True, eq=False)
class WordVectors:
    """GloVe vectors of a few hundred English words in lower case; see `load_word_vectors`."""

    words: tuple[str, ...]
    vectors: Floats  #: (words, d): ``vectors[i]`` belongs to ``words[i]``
    rank: Integers  #: (words,): place in the list it was taken from, 0 for the most frequent word
    mean: Floats  #: (d,): mean vector of the 20,000 most frequent words

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


@dataclass(frozen=True, eq=False)
class WeightedSentence:
    """A sentence of n tokens and where they look."""

    text: str
    tokens: tuple[str, ...]
    weights: Floats  #: (6, 12, n, n): layer, head, query, key; (8, n, n) in `CausalHeads`


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence of n tokens as a layer of a real model receives it."""

    text: str
    tokens: tuple[str, ...]
    X: Floats  #: (n, d)


@dataclass(frozen=True, eq=False)
class Layer:
    """Twelve heads of MiniLM, what mixes their outputs, and sentences as they enter the layer."""

    W_q: Floats  #: (12, 384, 32), as W_k and W_v
    W_k: Floats
    W_v: Floats
    b_q: Floats  #: (12, 32), as b_k and b_v
    b_k: Floats
    b_v: Floats
    W_o: Floats  #: (384, 384): output projection of the merged heads
    b_o: Floats  #: (384,): added after it
    sentences: tuple[Sentence, ...]

    def project(self, X: Floats) -> tuple[Floats, Floats, Floats]:
        """Return queries ``X @ W_q + b_q``, keys and values, of shape (12, n, 32)."""
        pairs = (self.W_q, self.b_q), (self.W_k, self.b_k), (self.W_v, self.b_v)
        Q, K, V = (X @ W + b[..., None, :] for W, b in pairs)
        return Q, K, V


@dataclass(frozen=True, eq=False)
class Block:
    """One whole block of a real model, attention, feed-forward network and norms."""

    parameters: Mapping[str, Floats]  #: for `transformer_block`
    sentences: tuple[Sentence, ...]  #: as they enter it
    outputs: tuple[Floats, ...]  #: (n, d) each: what the model itself makes of them


@dataclass(frozen=True, eq=False)
class CausalHeads:
    """Eight heads of the causal language model SmolLM2."""

    heads: tuple[tuple[int, int], ...]  #: layer and number; ``weights[i]`` are of ``heads[i]``
    texts: Mapping[str, WeightedSentence]  #: by a short name; ``_`` begins a token after a space


@dataclass(frozen=True, eq=False)
class GpuTimes:
    """What attention takes on a graphics processor; see `load_gpu_times`."""

    machine: str  #: where
    attention: Mapping[str, Floats]  #: by tokens: times and memory, fused and as a whole matrix
    decode: Mapping[str, Floats]  #: by texts and cache: times of one new token for each text
    matrix: Mapping[str, Floats]  #: by tokens: times of a product with one matrix


@dataclass(frozen=True, eq=False)
class ServingTimes:
    """What the steps of two language models take on a graphics processor; see the data's file."""

    machine: str  #: where
    copy: Mapping[str, Floats]  #: by bytes: times of a copy
    matrix: Mapping[str, Floats]  #: by tokens: times of one product, in 16 and in 8 bits
    prefill: Mapping[str, Floats]  #: by tokens: times of causal attention
    attention: Mapping[str, Floats]  #: by texts and cache: of one new token, in 16 and in 8 bits
    step: Mapping[str, Floats]  #: by model, texts and cache: of one new token for each text
    prompt: Mapping[str, Floats]  #: by model and tokens: of reading a prompt
    mixed: Mapping[str, Floats]  #: by tokens of a prompt that is read in the same step


@dataclass(frozen=True, eq=False)
class LookBack:
    """How well small models name the letter three places before, by how they see places."""

    schemes: tuple[str, ...]  #: none, waves, learned, rotary, alibi
    right: Floats  #: (5, 3, 60): the share of right answers, by scheme, seed and place
    hands: tuple[str, ...]  #: as trained, interpolated, larger base, by parts
    longer: Floats  #: (4, 3, 3, 60): by hands, seed, 0, 20 or 200 further steps, and place
    terms: Floats  #: (4, 3, 61, 4): by hands, seed, distance from 0 on and hand: added to a score


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
    interpolated: tuple[float, ...]  #: the same, each table mixed with that of shorter runs
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
    cross: Mapping[str, Floats]  #: of a head with the encoder's keys and values, and ``gain``


def load_word_vectors(dimension: int = 100) -> WordVectors:
    """Load GloVe word vectors, trained by others on Wikipedia and news.

    Vectors have 50 or 100 numbers. The words "i" and "a" exist only at 50; ranks are of the list
    that each length was taken from: 400,000 words at 50, of them 341,479 at 100.

    Examples
    --------
    >>> glove = load_word_vectors(50)
    >>> glove.vectors.shape, glove.vector("dog").shape
    ((389, 50), (50,))
    """
    if dimension not in (50, 100):
        raise ValueError(f"word vectors come with dimension 50 or 100, not {dimension!r}")
    return _read_word_vectors(int(dimension))


@functools.cache
def _read_word_vectors(dimension: int) -> WordVectors:
    file = _File(f"glove6b_{dimension}d_subset.npz")
    return WordVectors(file["words"], file["vectors"], file["rank"], file["mean"])


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

    def columns(stream: BinaryIO) -> tuple[Any, ...]:
        titles, authors, years = zip(*csv.reader(_lines(stream, 49)[1:]), strict=True)
        return titles, authors, _frozen(np.array(years).astype(int), np.int32)

    titles, authors, years = _read("book_titles.csv", columns)
    file = _File("minilm_book_titles.npz")
    vectors = file["title_vec"], file["title_author_vec"]
    return BookTitles(titles, authors, years, *vectors, file["queries"], file["query_vec"])


@functools.cache
def load_law_schools() -> LawSchools:
    """Load grades and starting salaries of 142 US law schools, sorted by grade."""

    def table(stream: BinaryIO) -> NDArray[np.float64]:
        return np.loadtxt(_lines(stream, 143)[1:], delimiter=",")

    return LawSchools(*_frozen(_read("lawsch85_gpa_salary.csv", table).T[:2], np.float64))


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
    return tuple(
        WeightedSentence(text, file[f"tokens{i}"], file[f"attn{i}"])
        for i, text in enumerate(file["sentences"])
    )


@functools.cache
def load_minilm_layer() -> Layer:
    """Load layer 3 of MiniLM, all twelve heads, with eight sentences as they enter it.

    The weights are stored as 8-bit numbers, so results differ from the original's by about 0.01.
    """
    file = _File("minilm_layer3_int8.npz")
    W = {key: from_8_bits(file[f"W{key}"], file[f"s{key}"]) for key in "qkvo"}  # (384, 384) each
    heads = {key: W[key].reshape(384, 12, 32).swapaxes(0, 1) for key in "qkv"}  # (h, d, d_k)
    return Layer(
        **{f"W_{key}": _frozen(heads[key]) for key in "qkv"},
        **{f"b_{key}": file[f"b{key}"].reshape(12, 32) for key in "qkv"},
        W_o=_frozen(W["o"]),
        b_o=file["bo"],
        sentences=tuple(
            Sentence(text, file[f"tokens{i}"], file[f"x{i}"])
            for i, text in enumerate(file["sentences"])
        ),
    )


@functools.cache
def load_minilm_block() -> Block:
    """Load all of layer 3 of MiniLM: a block with biases, layer norms after, and `gelu`.

    The weights are stored as 8-bit numbers, so a vector differs from the original's by about 1 % of
    its length.
    """
    layer, norm = load_minilm_layer(), _File("minilm_layer3_int8.npz")
    file = _File("minilm_feed_forward3_int8.npz")
    names = [f"{kind}_{key}" for kind in "Wb" for key in "qkvo"]
    parameters = {name: getattr(layer, name) for name in names}
    for key in "12":
        parameters[f"W_{key}"] = _frozen(from_8_bits(file[f"W{key}"], file[f"s{key}"]))
        parameters[f"b_{key}"] = file[f"b{key}"]
    parameters |= {"gain_1": norm["ln_g"], "bias_1": norm["ln_b"]}
    parameters |= {"gain_2": file["ln_g"], "bias_2": file["ln_b"]}
    outputs = tuple(file[f"y{i}"] for i in range(len(layer.sentences)))
    return Block(MappingProxyType(parameters), layer.sentences, outputs)


@functools.cache
def load_minilm_positions() -> Floats:
    """Load the vectors that MiniLM adds to the first 32 tokens of a sentence, (32, 384)."""
    positions: Floats = _File("minilm_positions.npz")["positions"]
    return positions


@functools.cache
def load_smollm2_heads() -> CausalHeads:
    """Load six texts with the weights of eight heads of SmolLM2, a causal language model."""
    file = _File("smollm2_causal_heads.npz")
    texts = {}
    for name in (key.removesuffix("_tokens") for key in file if key.endswith("_tokens")):
        tokens = file[f"{name}_tokens"]
        text = "".join(tokens).replace("_", " ")
        texts[name] = WeightedSentence(text, tokens, file[f"{name}_attn"])
    return CausalHeads(tuple(map(tuple, file["heads"].tolist())), MappingProxyType(texts))


@functools.cache
def load_smollm2_block() -> Block:
    """Load all of layer 10 of SmolLM2: a block of today, in which 9 query heads share 3 key heads.

    The weights are the 4-bit numbers of the file that was run; the output is that of the package
    transformers on the same file.
    """
    file = _File("smollm2_layer10_q4.npz")
    parameters = {gain: file[gain] for gain in ("gain_1", "gain_2")}
    for name in (f"W_{key}" for key in "qkvog12"):
        W = from_groups(*(file[f"{name}_{part}"] for part in ("codes", "scale", "least")))
        heads = W.reshape(-1, 64, 576) if name[-1] in "qkv" else W  # (heads, d_k, d), (out, in)
        parameters[name] = _frozen(heads.mT)
    sentence = Sentence(file["text"][0], file["tokens"], file["X"])
    return Block(MappingProxyType(parameters), (sentence,), (file["Y"],))


@functools.cache
def load_gpu_times() -> GpuTimes:
    """Load times, in milliseconds, and memory, in MiB, that were measured on a GPU."""
    return GpuTimes(**_tables(_File("gpu_attention.json"), "attention decode matrix"))


@functools.cache
def load_serving_times() -> ServingTimes:
    """Load times, in milliseconds, of models that read prompts and write on a GPU."""
    parts = "copy matrix prefill attention step prompt mixed"
    return ServingTimes(**_tables(_File("gpu_serving.json"), parts))


def _tables(file: _File, names: str) -> dict[str, Any]:
    """Return the machine of a measurement, and its tables with an array for each column."""
    tables = {
        name: MappingProxyType({column: _column(rows) for column, rows in file[name].items()})
        for name in names.split()
    }
    return {"machine": file["machine"], **tables}


def _column(rows: list[Any]) -> NDArray[Any]:
    return _frozen(np.array(rows), np.str_ if isinstance(rows[0], str) else np.float32)


@functools.cache
def load_first_names() -> tuple[str, ...]:
    """Load 8,398 English first names, in lower case and sorted."""
    return _read("first_names.txt", lambda stream: tuple(_lines(stream, 8398)))


@functools.cache
def load_look_back() -> LookBack:
    """Load how well small models name the letter three places before each letter of a text.

    They differ in how they see places, learned from texts of 20 letters, and were then asked about
    500 texts of 60. Nothing is asked about the first three letters: there the share is 0.
    """
    return LookBack(**_File("look_back.npz"))


@functools.cache
def load_names_model() -> NamesModel:
    """Load a decoder of 14,656 parameters after 1,500 steps of training on first names."""
    history = tuple(Snapshot(**moment) for moment in _File("names_model.json")["history"])
    return NamesModel(MappingProxyType(dict(_File("names_model.npz"))), history)


@functools.cache
def load_measures() -> Measures:
    """Load what was measured with the 4.7 million characters of the plays; they are not shipped."""
    file = _File("writer_measures.json")
    known = {who: tuple(shares) for who, shares in file["known"].items()}
    counted = tuple(file["counted"]), tuple(file["interpolated"])
    return Measures(*counted, known, MappingProxyType(file["longest"]), file["written"])


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
    file, told = _File("writer_shakespeare.npz"), _File("writer_shakespeare.json")
    parameters = {name: array for name, array in file.items() if not name.endswith("_scale")}
    for name in (name for name in parameters if not name.startswith("gain")):
        W, scale = parameters[name], file[f"{name}_scale"]
        rows = name in "EP"  # which are looked up, and not multiplied
        parameters[name] = _frozen(W * scale[None, :] if rows else from_8_bits(W, scale))
    return Writer(
        BytePairs(told["tokens"], told["merges"]),
        MappingProxyType(parameters),
        tuple(Snapshot(**moment) for moment in told["history"]),
        told["held_out"],
    )


@functools.cache
def load_translator() -> Translator:
    """Load 32,352 parameters that translate small English sentences into French.

    They were trained for this book on sentences such as "the small black dog sees a red car".
    """
    file = _File("translator.npz")
    parts: dict[str, dict[str, Floats]] = {}
    for name in file:
        part, joint, inside = name.partition("_")  # such as encoder_W_q
        if joint:
            parts.setdefault(part, {})[inside] = file[name]
    proxies = {part: MappingProxyType(arrays) for part, arrays in parts.items()}
    return Translator(file["english"], file["french"], **proxies)


class _File(dict[str, Any]):
    """What one .npz or .json file holds, by name; a name that it lacks is told in a sentence."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(_read(name, _read_arrays if name.endswith(".npz") else json.load))

    def __missing__(self, key: str) -> Any:
        raise _damaged(self.name, f"it has no {key}")


def _read_arrays(stream: BinaryIO) -> dict[str, Any]:
    """Return lists of words as tuples, and numbers as float32 or int32."""
    kinds: dict[str, type[np.generic]] = {"f": np.float32, "i": np.int32, "u": np.uint8}
    with np.load(stream) as file:
        return {
            name: tuple(array.tolist())
            if array.dtype.kind == "U"
            else _frozen(array, kinds[array.dtype.kind])
            for name, array in file.items()
        }


def _lines(stream: BinaryIO, count: int) -> list[str]:
    """Return the lines of a text file; one that was cut short has fewer, or ends within one."""
    *lines, rest = stream.read().decode().split("\n")
    if len(lines) != count or rest:
        raise ValueError("cut short")
    return lines


def _read(name: str, read: Callable[[BinaryIO], Any]) -> Any:
    try:
        with (FOLDER / name).open("rb") as stream:
            return read(stream)
    except FileNotFoundError:
        raise _damaged(name, "it is missing") from None
    except Exception:  # whatever zip, zlib, NumPy and JSON raise, the cause is the same
        raise _damaged(name, "it is damaged") from None


def _frozen(array: NDArray[Any], dtype: type[np.generic] = np.float32) -> NDArray[Any]:
    """Return a read-only copy with this dtype, laid out as it was."""
    copy = np.array(array, dtype=dtype)
    copy.setflags(write=False)
    return copy


def from_8_bits(codes: NDArray[Any], scale: NDArray[Any]) -> NDArray[Any]:
    """Return matrices (..., in, out) of codes that share one scale for each column.

    They lie column by column, as `X @ W` reads them: Python in a page has no library to do it.
    """
    return np.ascontiguousarray((codes * scale[..., None, :]).mT).mT


def from_groups(
    codes: NDArray[Any], scale: NDArray[Any], least: NDArray[Any] | None = None
) -> Floats:
    """Return rows of numbers of which 32 together share a scale and, perhaps, their least number.

    Codes of four bits come two in a byte: first all of the low halves, then all of the high ones.
    """
    if codes.dtype == np.uint8:  # (..., groups, 16)
        codes = np.concatenate([codes & 15, codes >> 4], axis=-1)
    numbers: Floats = scale.astype(np.float32)[..., None] * codes  # (..., groups, 32)
    if least is not None:
        numbers += least.astype(np.float32)[..., None]
    return numbers.reshape(*codes.shape[:-2], -1)


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
