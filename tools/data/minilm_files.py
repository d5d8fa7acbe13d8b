"""The MiniLM files: which sentences, which layers, which number format."""

import csv
import functools
from pathlib import Path

import numpy as np
from minilm import LAYERS, MiniLM

SENTENCES = (
    "When he saw his owner, the dog was happy, so he wagged his tail",
    "When he saw his dog, the owner was happy, so he waved his hand",
    "The dog was happy when he saw his owner, so he wagged his tail",
    "The owner was happy when he saw his dog, so he waved his hand",
    "I like Natural Language Processing, a lot!",
    "The animal did not cross the street because it was too tired.",
    "The animal did not cross the street because it was too wide.",
    "The king met the queen in the garden and she lost her keys.",
)
POSITIONS = 32
TITLES = Path(__file__).parents[2] / "attention_lib" / "data" / "book_titles.csv"
QUERIES = (
    "The Alchemist",
    "alchemist",
    "the alchymist",
    "turning lead into gold",
    "a shepherd boy travels to Egypt to find treasure",
    "Paulo Coelho",
    "whale hunting",
    "a murder on a train",
    "a novel about a dog",
    "dystopia",
    "vampires",
    "physics of the universe",
    "the theory of time travel",
)
SELF_ATTENTION = {"q": "self.query", "k": "self.key", "v": "self.value"}

Arrays = dict[str, np.ndarray]
model = functools.cache(MiniLM)  # one model for all files


def build_attention(cache: Path) -> Arrays:
    """Return the arrays of ``minilm_attention.npz``."""
    arrays = {"sentences": np.array(SENTENCES)}
    for i, sentence in enumerate(SENTENCES):
        tokens = model(cache).tokenize(sentence)
        arrays[f"tokens{i}"] = np.array(tokens)
        arrays[f"attn{i}"] = model(cache).run(tokens)[1].astype(np.float16)  # (6, 12, n, n)
    return arrays


def build_layer_3(cache: Path) -> Arrays:
    """Return the arrays of ``minilm_layer3_int8.npz``."""
    arrays = inputs(cache, 3)
    block = "encoder.layer.3.attention."
    for letter, part in {**SELF_ATTENTION, "o": "output.dense"}.items():
        arrays |= in_8_bits(cache, block + part, letter)
    return arrays | layer_norm(cache, block + "output.LayerNorm")


def build_feed_forward_3(cache: Path) -> Arrays:
    """Return the arrays of ``minilm_feed_forward3_int8.npz``; ``y{i}`` is what leaves layer 3."""
    block = "encoder.layer.3."
    arrays = in_8_bits(cache, block + "intermediate.dense", "1")
    arrays |= in_8_bits(cache, block + "output.dense", "2")
    for i, sentence in enumerate(SENTENCES):
        states = model(cache).run(model(cache).tokenize(sentence))[0]
        arrays[f"y{i}"] = states[4].astype(np.float16)  # (n, d)
    return arrays | layer_norm(cache, block + "output.LayerNorm")


PLACES = 64  # as many tokens as are read at most
NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "o": "attention.output.dense",
    "1": "intermediate.dense",
    "2": "output.dense",
}


def build_whole(cache: Path) -> Arrays:
    """Return the arrays of ``minilm_whole_int8.npz``: the whole model for up to 64 tokens."""
    arrays = embeddings(cache)
    for number in range(LAYERS):
        block = f"encoder.layer.{number}."
        for letter, name in NAMES.items():
            codes = in_8_bits(cache, block + name, letter)
            arrays[f"{number}_W_{letter}"] = codes[f"W{letter}"]
            arrays[f"{number}_W_{letter}_scale"] = codes[f"s{letter}"]
            arrays[f"{number}_b_{letter}"] = codes[f"b{letter}"]
        for which, name in (("1", "attention.output.LayerNorm"), ("2", "output.LayerNorm")):
            norm = layer_norm(cache, block + name)
            arrays |= {
                f"{number}_gain_{which}": norm["ln_g"],
                f"{number}_bias_{which}": norm["ln_b"],
            }
    return arrays


def embeddings(cache: Path) -> Arrays:
    """Return the word pieces, and their vectors as 8-bit codes times a scale per piece."""
    words, places, segments = (
        model(cache).weight(f"embeddings.{table}_embeddings.weight")
        for table in ("word", "position", "token_type")
    )
    scale = np.abs(words).max(axis=1) / 127  # (30522,)
    norm = layer_norm(cache, "embeddings.LayerNorm")
    return {
        "pieces": np.frombuffer("\n".join(model(cache).index).encode(), np.uint8),
        "E": np.round(words / scale[:, None]).astype(np.int8),
        "E_scale": scale.astype(np.float32),
        "P": (places[:PLACES] + segments[0]).astype(np.float32),
        "gain": norm["ln_g"],
        "bias": norm["ln_b"],
    }


def in_8_bits(cache: Path, name: str, letter: str) -> Arrays:
    """Return the bias of a linear layer, and its matrix as 8-bit codes times a scale per column."""
    W, b = model(cache).linear(name)  # (d, columns), (columns,)
    scale = np.abs(W).max(axis=0) / 127  # (columns,)
    return {
        f"b{letter}": b.astype(np.float32),
        f"W{letter}": np.round(W / scale).astype(np.int8),
        f"s{letter}": scale.astype(np.float32),
    }


def build_positions(cache: Path) -> Arrays:
    """Return ``minilm_positions.npz``: what is added to places, with the one segment vector."""
    positions, segments = (
        model(cache).tensors[f"embeddings.{table}_embeddings.weight"]
        for table in ("position", "token_type")
    )
    return {"positions": (positions[:POSITIONS] + segments[0]).astype(np.float16)}


def build_book_titles(cache: Path) -> Arrays:
    """Return the arrays of ``minilm_book_titles.npz``."""
    with TITLES.open(encoding="utf-8", newline="") as file:
        books = list(csv.DictReader(file))
    titles = [book["title"] for book in books]
    both = [f"{book['title']} by {book['author']}" for book in books]
    vectors = [sentence_vectors(cache, texts) for texts in (titles, both, QUERIES)]
    return {
        "titles": np.array(titles),
        "title_vec": vectors[0],
        "title_author_vec": vectors[1],
        "queries": np.array(QUERIES),
        "query_vec": vectors[2],
    }


def inputs(cache: Path, layer: int) -> Arrays:
    """Return sentences, tokens ``tokens{i}``, and what enters a layer, ``x{i}``."""
    arrays = {"sentences": np.array(SENTENCES)}
    for i, sentence in enumerate(SENTENCES):
        tokens = model(cache).tokenize(sentence)
        arrays[f"tokens{i}"] = np.array(tokens)
        arrays[f"x{i}"] = model(cache).run(tokens)[0][layer].astype(np.float16)  # (n, d)
    return arrays


def layer_norm(cache: Path, name: str) -> Arrays:
    gain, bias = (model(cache).weight(f"{name}.{part}") for part in ("weight", "bias"))
    return {"ln_g": gain.astype(np.float32), "ln_b": bias.astype(np.float32)}


def sentence_vectors(cache: Path, texts: list[str] | tuple[str, ...]) -> np.ndarray:
    return np.array([model(cache).sentence_vector(text) for text in texts], dtype=np.float16)
