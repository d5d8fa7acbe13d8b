"""Store what others make of SmolLM2's file, for tests/test_language_model.py.

    golden-env/bin/pip install transformers==5.23.0 torch==2.15.0 gguf==0.19.0 accelerate==1.15.0
    python -m attention_lib.models.fetch
    golden-env/bin/python provenance/golden/make_language_model.py  # tests/golden/*smollm2.npz

The model is that of transformers, in float32, with attention computed step by step ("eager"). It
reads the tokens of the file, but not that digits stand alone ("smollm", as the file says), so that
rule of tokenizers is put before the others, as in the tokenizer that the model was published with.
"""

import json
import random
from pathlib import Path

import numpy as np
import torch
from make_minilm import GOLDEN, as_bytes, strings
from tokenizers import pre_tokenizers
from transformers import AutoModelForCausalLM, AutoTokenizer

FILE = Path.home() / ".cache" / "attention_lib" / "SmolLM2-135M-Instruct.Q4_1.gguf"
TEXTS = {
    "english": "When he saw his owner, the dog was happy, so he wagged his tail",
    "french": "Le chien était heureux de revoir son maître, et il remuait la queue.",
    "code": "def mean_of(values):\n    total = 0\n"
    "    for value in values:\n        total += value\n",
    "sums": "12 + 7 = 19\n30 + 45 = 75\n8 + 16 = ",
    "emoji": "I love my dog 🐶❤️ and 👩‍👩‍👧",
    "right to left": "الكلب سعيد لأنه رأى صاحبه. שלום עולם",
}
LAYERS = (0, 3, 10, 17, 29)  # whose weights are stored


def tokenizer():
    own = AutoTokenizer.from_pretrained(FILE.parent, gguf_file=FILE.name)
    digits, letters = pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)
    own.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, letters])
    return own


def answers(own):
    """Return strings and the numbers of their tokens: as text, then with marks as tokens."""
    texts = [
        *strings(random.Random(0)),
        *TEXTS.values(),
        "<|im_start|>user\nHi<|im_end|>\n",
        "a  1",
    ]
    return [[text, own.encode(text, split_special_tokens=True), own.encode(text)] for text in texts]


def readings(own):
    """Return a few of the numbers that each text leaves in the model."""
    model = AutoModelForCausalLM.from_pretrained(
        FILE.parent, gguf_file=FILE.name, dtype=torch.float32, attn_implementation="eager"
    ).eval()
    arrays = {"texts": np.array([*TEXTS.values()]), "layers": np.array(LAYERS)}
    for number, text in enumerate(TEXTS.values()):
        ids = torch.tensor([own.encode(text)])
        with torch.no_grad():
            told = model(ids, output_hidden_states=True, output_attentions=True)
        logits = told.logits[0]  # (n, c)
        best = logits.topk(20)
        states = torch.stack(told.hidden_states)[:-1, 0, :, ::24]  # (30, n, 24): enter the blocks
        arrays |= {
            f"ids{number}": ids[0].numpy(),
            f"best{number}": best.indices.numpy().astype(np.int32),  # (n, 20)
            f"logits{number}": best.values.numpy(),  # (n, 20)
            f"total{number}": logits.logsumexp(dim=-1).numpy(),  # (n,)
            f"states{number}": states[:, -1].numpy(),  # (30, 24)
            f"weights{number}": torch.stack([told.attentions[i][0, :, -1] for i in LAYERS]).numpy(),
        }
    return arrays


def main():
    own = tokenizer()
    told = as_bytes(json.dumps(answers(own)))
    np.savez_compressed(GOLDEN / "tokenizers_smollm2.npz", answers=told)
    np.savez_compressed(GOLDEN / "transformers_smollm2.npz", **readings(own))


if __name__ == "__main__":
    main()
