"""Train a Transformer of one block to name handwritten digits; keep it, and the held-out digits.

    python tools/data/train_digits.py --into attention_lib/data    # about a minute

The digits (1,797 images of 8 × 8 pixels) come from PyPI scikit-learn. Each image is cut into 16
patches of 2 × 2, which are the tokens. A second model, whose heads are silent, is trained in the
same way, to see what attention adds.
"""

import gzip
import io
import math
from pathlib import Path

import numpy as np
from archives import Archive, options_of

from attention_lib.training import Adam, cross_entropy
from attention_lib.transformer import rms_norm, transformer_block
from attention_lib.transformer_gradients import rms_norm_backward, transformer_block_backward

ARCHIVE = Archive(
    "scikit_learn-1.7.2-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
    "89877e19a80c7b11a2891a27c21c4894fb18e2c2e077815bcade10d34287b20d",
)
D, HEADS, D_H = 32, 4, 64
STEPS, BATCH, RATE, HELD_OUT = 1500, 64, 0.003, 297
BLOCK = ("W_q", "W_k", "W_v", "W_o", "W_1", "b_1", "W_2", "b_2", "gain_1", "gain_2")


def read_digits(cache: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return images (1797, 8, 8) of whole numbers from 0 to 16, and which digit each is."""
    packed = ARCHIVE.read(cache, "sklearn/datasets/data/digits.csv.gz")
    table = np.loadtxt(io.BytesIO(gzip.decompress(packed)), delimiter=",", dtype=np.uint8)
    return table[:, :64].reshape(-1, 8, 8), table[:, 64]


def patches(images: np.ndarray) -> np.ndarray:
    """Cut images of 8 × 8 into 16 patches of 2 × 2, row by row, each a vector of 4 numbers."""
    cut = images.reshape(-1, 4, 2, 4, 2).swapaxes(2, 3)  # (images, 4, 4, 2, 2)
    return cut.reshape(-1, 16, 4) / np.float32(16)


def start(rng: np.random.Generator) -> dict[str, np.ndarray]:
    d_k = D // HEADS
    shapes = dict.fromkeys(("W_q", "W_k", "W_v"), (HEADS, D, d_k))
    shapes |= {"W_o": (D, D), "W_1": (D, D_H), "W_2": (D_H, D), "W_e": (4, D), "U": (D, 10)}
    drawn = {name: rng.normal(size=s) / math.sqrt(s[-2]) for name, s in shapes.items()}
    drawn |= {"b_1": np.zeros(D_H), "b_2": np.zeros(D), "P": 0.5 * rng.normal(size=(16, D))}
    drawn |= dict.fromkeys(("gain_1", "gain_2", "gain"), np.ones(D))
    return {name: array.astype(np.float32) for name, array in drawn.items()}


def forward(p: dict[str, np.ndarray], X: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return what enters the block, what leaves it, and one score per digit."""
    into = X @ p["W_e"] + p["P"]  # (..., 16, D)
    out = transformer_block(into, {name: p[name] for name in BLOCK})
    return into, out, rms_norm(out.mean(axis=-2), p["gain"]) @ p["U"]


def gradients(
    p: dict[str, np.ndarray], X: np.ndarray, answers: np.ndarray
) -> dict[str, np.ndarray]:
    into, out, logits = forward(p, X)
    _, d_logits = cross_entropy(logits, answers)
    mean = out.mean(axis=-2)  # (batch, D)
    d_mean, d_gain = rms_norm_backward(mean, d_logits @ p["U"].T, p["gain"])
    d_out = np.broadcast_to(d_mean[:, None] / 16, out.shape)
    block = {name: p[name] for name in BLOCK}
    d_into, found = transformer_block_backward(into, block, d_out)
    found |= {"gain": d_gain, "U": rms_norm(mean, p["gain"]).T @ d_logits}
    return found | {"P": d_into.sum(axis=0), "W_e": np.einsum("bnc,bnd->cd", X, d_into)}


def train(X: np.ndarray, answers: np.ndarray, silent: bool) -> dict[str, np.ndarray]:
    """Train one model; if `silent`, what its heads find is never added."""
    rng = np.random.default_rng(0)
    p = start(rng)
    if silent:
        p["W_o"] = np.zeros_like(p["W_o"])
    adam = Adam(p, rate=RATE)
    for step in range(STEPS):
        chosen = rng.integers(len(X), size=BATCH)
        found = gradients(p, X[chosen], answers[chosen])
        if silent:
            found["W_o"] = np.zeros_like(found["W_o"])
        adam.rate = RATE * (1 - step / STEPS)
        adam.step(found)
    return p


def right(p: dict[str, np.ndarray], X: np.ndarray, answers: np.ndarray) -> float:
    return float((forward(p, X)[-1].argmax(axis=-1) == answers).mean())


def main() -> None:
    options = options_of(__doc__).parse_args()
    images, labels = read_digits(options.cache)
    X = patches(images)
    known, new = slice(None, -HELD_OUT), slice(-HELD_OUT, None)
    whole, silent = (train(X[known], labels[known], silent) for silent in (False, True))
    rounded = {name: array.astype(np.float16) for name, array in whole.items()}
    shares = [right(p, X[new], labels[new]) for p in (rounded, silent)]
    print("right:", shares, sum(array.size for array in whole.values()), "parameters")
    options.into.mkdir(parents=True, exist_ok=True)
    held = {"images": images[new].astype(np.int8), "labels": labels[new].astype(np.int8)}
    held["right"] = np.float32(shares)
    np.savez_compressed(options.into / "digits.npz", **held, **rounded)


if __name__ == "__main__":
    main()
