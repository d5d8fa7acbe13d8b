"""The MiniLM files: which sentences, which layers, which number format.

Run as a script, it makes .cache/models/minilm_whole_int8.npz, which is too large for the
repository. Without that file the book works, but for the cells in which a reader's own sentence is
read, and these say so.
"""

import csv
import functools
from pathlib import Path

import numpy as np
from archives import ROOT, SHIPPED
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
PLACES = 64  # as many tokens as are read at most
WHOLE = ROOT / ".cache" / "models" / "minilm_whole_int8.npz"
TITLES = SHIPPED / "book_titles.csv"
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
NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "o": "attention.output.dense",
    "1": "intermediate.dense",
    "2": "output.dense",
}

Arrays = dict[str, np.ndarray]
model = functools.cache(MiniLM)  # one model for all files


def build_attention(cache: Path) -> Arrays:
    """Return the arrays of ``minilm_attention.npz``."""
    arrays = {"sentences": np.array(SENTENCES)}
    for i, (tokens, _, weights) in enumerate(readings(cache)):
        arrays[f"tokens{i}"], arrays[f"attn{i}"] = tokens, weights.astype(np.float16)
    return arrays


@functools.cache
def readings(cache: Path) -> list[tuple[np.ndarray, list[np.ndarray], np.ndarray]]:
    """Return the tokens of each sentence, its states and its weights (6, 12, n, n)."""
    split = [model(cache).pieces.split(sentence) for sentence in SENTENCES]
    return [(np.array(tokens), *model(cache).run(tokens)) for tokens in split]


def build_layer_3(cache: Path) -> Arrays:
    """Return the arrays of ``minilm_layer3_int8.npz``."""
    arrays = {"sentences": np.array(SENTENCES)}
    for i, (tokens, states, _) in enumerate(readings(cache)):
        arrays[f"tokens{i}"], arrays[f"x{i}"] = tokens, states[3].astype(np.float16)  # (n, d)
    for letter in "qkvo":
        arrays |= in_8_bits(cache, 3, letter)
    return arrays | layer_norm(cache, "encoder.layer.3.attention.output.LayerNorm")


def build_feed_forward_3(cache: Path) -> Arrays:
    """Return the arrays of ``minilm_feed_forward3_int8.npz``; ``y{i}`` is what leaves layer 3."""
    arrays = in_8_bits(cache, 3, "1") | in_8_bits(cache, 3, "2")
    for i, (_, states, _) in enumerate(readings(cache)):
        arrays[f"y{i}"] = states[4].astype(np.float16)  # (n, d)
    return arrays | layer_norm(cache, "encoder.layer.3.output.LayerNorm")


def build_whole(cache: Path) -> Arrays:
    """Return the arrays of ``minilm_whole_int8.npz``: the whole model for up to 64 tokens."""
    arrays = embeddings(cache)
    for number in range(LAYERS):
        for letter in NAMES:
            names = {"W": f"W_{letter}", "s": f"W_{letter}_scale", "b": f"b_{letter}"}
            codes = in_8_bits(cache, number, letter)
            arrays |= {f"{number}_{names[name[0]]}": array for name, array in codes.items()}
        for which, part in (("1", "attention.output"), ("2", "output")):
            norm = layer_norm(cache, f"encoder.layer.{number}.{part}.LayerNorm")
            arrays[f"{number}_gain_{which}"] = norm["ln_g"]
            arrays[f"{number}_bias_{which}"] = norm["ln_b"]
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
        "pieces": np.frombuffer("\n".join(model(cache).pieces.pieces).encode(), np.uint8),
        "E": np.round(words / scale[:, None]).astype(np.int8),
        "E_scale": scale.astype(np.float32),
        "P": (places[:PLACES] + segments[0]).astype(np.float32),
        "gain": norm["ln_g"],
        "bias": norm["ln_b"],
    }


def in_8_bits(cache: Path, number: int, letter: str) -> Arrays:
    """Return the bias of a linear layer, and its matrix as 8-bit codes times a scale per column."""
    W, b = model(cache).linear(f"encoder.layer.{number}.{NAMES[letter]}")  # (d, columns)
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


def layer_norm(cache: Path, name: str) -> Arrays:
    gain, bias = (model(cache).weight(f"{name}.{part}") for part in ("weight", "bias"))
    return {"ln_g": gain.astype(np.float32), "ln_b": bias.astype(np.float32)}


def sentence_vectors(cache: Path, texts: list[str] | tuple[str, ...]) -> np.ndarray:
    return np.array([model(cache).sentence_vector(text) for text in texts], dtype=np.float16)


def main() -> None:
    part = WHOLE.with_name("part.npz")
    np.savez_compressed(part, **build_whole(WHOLE.parent))
    part.replace(WHOLE)  # so that no half of it is ever there


if __name__ == "__main__":
    main()
