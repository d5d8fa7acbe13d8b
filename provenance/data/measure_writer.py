"""Measure the writer with the plays that it learned from, which the book does not ship.

    python -m pip install .
    python provenance/data/measure_writer.py      # a few minutes

Counts letters, as in the chapter "A model that writes": how many bits a character do tables of 1 to
8 letters need on the held-out plays, without interpolation and with it? And looks for copies: how
long is the longest passage of what the writer writes that stands in its plays, and which share of
its runs of words? The beginning of The Tempest, by the author of the plays, is measured beside it.
"""

import numpy as np
import writer_files
from archives import options_of, save_json

from attention_lib import generate
from attention_lib.models import load_writer

ADDED = 0.1  # to every count, so that nothing is impossible
STRENGTH = 15  # or as much in all, shared as the table of the next shorter runs says
TEXTS, TOKENS, TEMPERATURE = 20, 190, 0.8


def counted_bits(learned: np.ndarray, held_out: np.ndarray, letters: int, most: int = 8):
    """Return bits a character of tables of 1, 2, … letters, alone and mixed with shorter ones."""
    plain, mixed, p = [], [], np.full(len(held_out), 1 / letters)
    for n in range(1, most + 1):
        runs, contexts = (
            count_of(numbered(learned, letters, n, k))(numbered(held_out, letters, n, k))
            for k in (n, n - 1)
        )
        p = (runs + STRENGTH * p[-len(runs) :]) / (contexts + STRENGTH)
        plain.append(bits((runs + ADDED) / (contexts + ADDED * letters)))
        mixed.append(bits(p))
    return plain, mixed


def bits(p: np.ndarray) -> float:
    """Return the mean surprise."""
    return round(float(-np.log2(p).mean()), 3)


def numbered(text: np.ndarray, letters: int, n: int, length: int) -> np.ndarray:
    """Return a number for the first `length` of each run of `n` letters."""
    count = len(text) - n + 1
    numbers = np.zeros(count, np.int64)
    for i in range(length):
        numbers = numbers * letters + text[i : count + i]
    return numbers


def count_of(numbers: np.ndarray):
    """Return a function that says how often numbers occur among these."""
    found, counts = np.unique(numbers, return_counts=True)

    def count(asked: np.ndarray) -> np.ndarray:
        i = np.minimum(np.searchsorted(found, asked), len(found) - 1)
        return np.where(found[i] == asked, counts[i], 0)

    return count


def longest_copy(text: str, source: str) -> str:
    """Return the longest passage of a text that stands in the source."""
    best = ""
    for i in range(len(text)):
        while i + len(best) < len(text) and text[i : i + len(best) + 1] in source:
            best = text[i : i + len(best) + 1]
    return best


def known_shares(text: str, source: str, most: int = 7) -> list[float]:
    """Return which share of the runs of 1, 2, … words of a text stand in the source."""
    shares = []
    for n in range(1, most + 1):
        known, runs = set(runs_of(source, n)), runs_of(text, n)
        shares.append(round(sum(run in known for run in runs) / len(runs), 3))
    return shares


def runs_of(text: str, n: int) -> list[str]:
    words = text.split()
    return [" ".join(words[i : i + n]) for i in range(len(words) - n + 1)]


def main() -> None:
    options = options_of(__doc__).parse_args()
    learned, held_out = writer_files.texts(options.cache)
    writer = load_writer()
    begin = [writer.pairs.encode("\n")] * TEXTS
    rows = generate(writer.parameters, begin, TOKENS, TEMPERATURE, rng=0)
    written = "\n".join(writer.pairs.decode(row).strip() for row in rows)
    written = written[: len(writer.held_out)]  # as long as the passage beside it
    letters = sorted({*learned, *held_out})
    a, b = (np.array([letters.index(letter) for letter in text]) for text in (learned, held_out))
    texts = {"writer": written, "held out": writer.held_out}
    counted, interpolated = counted_bits(a, b, len(letters))
    told = {
        "counted": counted,
        "interpolated": interpolated,
        "known": {who: known_shares(text, learned) for who, text in texts.items()},
        "longest": {who: longest_copy(text, learned) for who, text in texts.items()},
        "written": written,
    }
    save_json(options.into / "writer_measures.json", told)


if __name__ == "__main__":
    main()
