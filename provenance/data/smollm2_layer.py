"""Cut layer 10 out of SmolLM2-135M-Instruct: smollm2_layer10_q4.npz, for the chapter on blocks.

    python -m pip install torch transformers gguf accelerate
    python provenance/data/smollm2_layer.py --into attention_lib/data

The matrices keep the 4 bits a weight that they have in the GGUF file, number for number. What
enters the layer and what leaves it is computed by transformers on the same file, in float32.
"""

from pathlib import Path

import numpy as np
import torch
from archives import options_of
from smollm2 import TEXTS
from transformers import AutoModelForCausalLM, AutoTokenizer

from attention_lib.models import ModelFile
from attention_lib.models.fetch import fetch_model

LAYER = 10
NAMES = {"W_q": "attn_q", "W_k": "attn_k", "W_v": "attn_v", "W_o": "attn_output"}
NAMES |= {"W_g": "ffn_gate", "W_1": "ffn_up", "W_2": "ffn_down"}
GAINS = {"gain_1": "attn_norm", "gain_2": "ffn_norm"}


def weights(file: ModelFile) -> dict[str, np.ndarray]:
    """Return the gains, and the matrices as stored, (out, in / 32): scale, least, 32 codes."""
    arrays = {gain: file.tensor(f"blk.{LAYER}.{name}.weight") for gain, name in GAINS.items()}
    for matrix, name in NAMES.items():
        groups = file.stored(f"blk.{LAYER}.{name}.weight")
        arrays |= {f"{matrix}_{part}": groups[part].copy() for part in ("scale", "least", "codes")}
    return arrays


def states(path: Path, text: str) -> dict[str, np.ndarray]:
    """Return the tokens of a text, and their vectors before and after the layer."""
    read = {"gguf_file": path.name, "local_files_only": True}
    tokenizer = AutoTokenizer.from_pretrained(path.parent, **read)
    options = {"dtype": torch.float32, "attn_implementation": "eager"}
    model = AutoModelForCausalLM.from_pretrained(path.parent, **read, **options)
    ids = tokenizer(text, return_tensors="pt").input_ids
    with torch.no_grad():
        seen = model(ids, output_hidden_states=True).hidden_states
    tokens = [token.replace("Ġ", "_") for token in tokenizer.convert_ids_to_tokens(ids[0])]
    X, Y = (seen[layer][0].numpy() for layer in (LAYER, LAYER + 1))  # (n, 576)
    return {"text": np.array([text]), "tokens": np.array(tokens), "X": X, "Y": Y}


def main() -> None:
    options = options_of(__doc__).parse_args()
    path = fetch_model()
    with path.open("rb") as file:
        arrays = weights(ModelFile(file)) | states(path, TEXTS["dog"])
    options.into.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(options.into / f"smollm2_layer{LAYER}_q4.npz", **arrays)


if __name__ == "__main__":
    main()
