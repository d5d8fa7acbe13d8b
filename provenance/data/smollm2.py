"""Heads of a causal language model, SmolLM2-135M-Instruct with 4-bit weights."""

from pathlib import Path

import numpy as np

from attention_lib.models import LanguageModel
from attention_lib.models.fetch import fetch_model

KEPT = ((1, 2), (16, 0), (4, 1), (13, 8), (14, 3), (17, 4), (22, 0), (23, 4))  # (layer, head)
TEXTS = {
    "dog": "When he saw his owner, the dog was happy, so he wagged his tail",
    "swap": "When he saw his dog, the owner was happy, so he waved his hand",
    "nlp": "I like Natural Language Processing, a lot!",
    "animal_tired": "The animal didn't cross the street because it was too tired",
    "animal_wide": "The animal didn't cross the street because it was too wide",
    "induction": "blue seven lamp river stone candle blue seven lamp river stone candle",
}


def build(_cache: Path) -> dict[str, np.ndarray]:
    """Return the arrays of ``smollm2_causal_heads.npz``."""
    model = LanguageModel.read(fetch_model())
    layers, heads = np.array(KEPT).T
    arrays = {"heads": np.array(KEPT, dtype=np.int64)}
    for name, text in TEXTS.items():
        ids = model.encode(text)
        arrays[f"{name}_tokens"] = np.array([model.decode([i]).replace(" ", "_") for i in ids])
        arrays[f"{name}_attn"] = model.attention(ids)[layers, heads].astype(np.float16)  # (8, n, n)
    return arrays
