"""Train the decoder that writes like Shakespeare, and pack it for the book.

    python -m pip install -r provenance/data/requirements.txt torch==2.13.0 .
    python provenance/data/train_writer.py      # about a minute and a half on a large GPU

This is not part of `rebuild.py`: another machine adds in another order, and after 8,000 steps the
weights are others, though they write as well. Without a GPU, expect a day.
"""

import math

import numpy as np
import torch
import writer_files
from archives import options_of
from torch.nn import functional

from attention_lib import BytePairs, learn_pairs, start_decoder

TOKENS, PLACES, D, HEADS, BLOCKS = 1024, 128, 128, 4, 4
STEPS, SIZE, RATE, DROPPED = 8000, 256, 2e-3, 0.15
TOLD = (0, 100, 300, 1000, 3000, STEPS)


def forward(p, tokens, dropped):
    """Score the next tokens as `attention_lib.decoder_logits` does, with a part left out."""

    def rms_norm(X, gain):
        return functional.rms_norm(X, (D,), gain, eps=1e-5)

    X = functional.dropout(p["E"][tokens] + p["P"][: tokens.shape[-1]], dropped)
    for i in range(BLOCKS):
        A = rms_norm(X, p["gain_1"][i])[:, None]  # (size, 1, n, d)
        Q, K, V = (A @ p[name][i] for name in ("W_q", "W_k", "W_v"))
        heads = functional.scaled_dot_product_attention(Q, K, V, is_causal=True, dropout_p=dropped)
        X = X + functional.dropout(heads.transpose(1, 2).flatten(-2) @ p["W_o"][i], dropped)
        hidden = functional.relu(rms_norm(X, p["gain_2"][i]) @ p["W_1"][i])
        X = X + functional.dropout(hidden @ p["W_2"][i], dropped)
    return rms_norm(X, p["gain"]) @ p["U"]


def start(device):
    """Return the parameters of a decoder without biases, near 0 at first."""
    p = start_decoder(np.random.default_rng(0), TOKENS, PLACES, D, HEADS, BLOCKS)
    for name, array in p.items():
        if not name.startswith("gain"):
            narrow = math.sqrt(2 * BLOCKS) if name in ("W_o", "W_2") else 1
            array[:] *= 0.02 / narrow / array.std().clip(1e-9)
    kept = {name: array for name, array in p.items() if name not in ("b_1", "b_2")}
    return {name: torch.tensor(a, device=device, requires_grad=True) for name, a in kept.items()}


def rate_at(step: int) -> float:
    """Return a rate that rises for 200 steps and then falls along a cosine to a fiftieth."""
    falling = 0.5 * (1 + math.cos(math.pi * step / STEPS))
    return RATE * min(1, step / 200) * (0.98 * falling + 0.02)


def windows(ids, device, size):
    """Draw `size` places in the text; return the tokens there and those that come next."""
    i = torch.randint(len(ids) - PLACES - 1, (size, 1), device=device)
    i = i + torch.arange(PLACES, device=device)
    return ids[i], ids[i + 1]


def held_out_bits(p, ids, characters: int) -> float:
    """Return bits a character on the held-out plays, cut into windows that do not overlap."""
    n, total = (len(ids) - 1) // PLACES, 0.0
    X, answers = (ids[i : n * PLACES + i].view(n, PLACES) for i in (0, 1))
    with torch.no_grad():
        for i in range(0, n, SIZE):
            logits = forward(p, X[i : i + SIZE], dropped=0.0)
            right = answers[i : i + SIZE].flatten()
            total += functional.cross_entropy(logits.flatten(0, 1), right, reduction="sum").item()
    return total / (n * PLACES) / math.log(2) * len(ids) / characters


def sample(p, pairs: BytePairs, count: int = 200, temperature: float = 0.8) -> str:
    """Write `count` tokens after a line end."""
    generator = torch.Generator(p["E"].device).manual_seed(0)
    ids = torch.tensor([pairs.encode("\n")], device=p["E"].device)
    with torch.no_grad():
        for _ in range(count):
            logits = forward(p, ids[:, -PLACES:], dropped=0.0)[:, -1] / temperature
            drawn = torch.multinomial(logits.softmax(-1), 1, generator=generator)
            ids = torch.cat([ids, drawn], dim=1)
    return pairs.decode(ids[0].tolist())


def train(learned: str, held_out: str, pairs: BytePairs, device: str):
    """Take 8,000 steps of AdamW; return the parameters and what was told on the way."""
    torch.manual_seed(0)
    ids, test = (torch.tensor(pairs.encode(t), device=device) for t in (learned, held_out))
    p, history = start(device), []
    adam = torch.optim.AdamW(p.values(), RATE, betas=(0.9, 0.98), weight_decay=0.05)
    for step in range(STEPS + 1):
        if step in TOLD:
            found = round(held_out_bits(p, test, len(held_out)), 3)
            history.append({"step": step, "bits": found, "sample": sample(p, pairs)})
            print(f"step {step}: {found} bits a character", flush=True)
        adam.param_groups[0]["lr"] = rate_at(step)
        X, answers = windows(ids, device, SIZE)
        with torch.autocast(device, torch.bfloat16):
            logits = forward(p, X, DROPPED)
        adam.zero_grad(set_to_none=True)
        functional.cross_entropy(logits.flatten(0, 1).float(), answers.flatten()).backward()
        torch.nn.utils.clip_grad_norm_(p.values(), 1.0)
        adam.step()
    return {name: part.detach().cpu().numpy() for name, part in p.items()}, history


def main() -> None:
    parser = options_of(__doc__)
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    learned, held_out = writer_files.texts(options.cache)
    pairs = learn_pairs(learned, TOKENS)
    p, history = train(learned, held_out, pairs, options.device)
    passage = writer_files.passage_of(held_out)
    writer_files.write(options.into, p, pairs.tokens, pairs.merges, history, passage)


if __name__ == "__main__":
    main()
