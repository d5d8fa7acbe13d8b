"""SmolLM2 in PyTorch: the block of "The whole Transformer", as you would write it at work.

    pip install torch==2.13.0 . && python -m attention_lib.models.fetch
    python examples/pytorch/block_of_today.py    # compares; --record keeps what it prints

X is (b, n, d): b texts of n tokens each. The weights come from SmolLM2's file, unpacked by
`attention_lib`; in the directory of a Hugging Face model, `safetensors.torch.load_file` reads them.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from torch.nn.attention.bias import causal_lower_right

from attention_lib.models import LanguageModel, ModelFile, model_path


@dataclass
class Config:
    """The sizes: hidden_size, num_attention_heads, num_key_value_heads, … of a config.json."""

    d: int = 576
    heads: int = 9
    key_heads: int = 3
    d_k: int = 64
    hidden: int = 1536
    layers: int = 30
    vocabulary: int = 49_152
    base: float = 100_000.0
    length: int = 8192


class Rotary(nn.Module):
    """Turn entry i of each head together with entry i + d_k / 2, as models on Hugging Face do."""

    def __init__(self, c: Config) -> None:
        super().__init__()
        angles = torch.outer(
            torch.arange(c.length).float(), c.base ** (-torch.arange(0, c.d_k, 2) / c.d_k)
        ).repeat(1, 2)  # (length, d_k), in float32 whatever the model's dtype
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:  # (b, h, n, d_k), (n,)
        left, right = x.float().chunk(2, dim=-1)
        turned = torch.cat([-right, left], dim=-1)
        return (x * self.cos[positions] + turned * self.sin[positions]).to(x.dtype)


class Cache:
    """Keys, already turned, and values of one layer, in memory that is allocated once."""

    def __init__(self, c: Config, texts: int, dtype: torch.dtype) -> None:
        self.kv = torch.zeros(2, texts, c.key_heads, c.length, c.d_k, dtype=dtype)
        self.n = 0

    def extend(self, K: Tensor, V: Tensor) -> tuple[Tensor, Tensor]:
        start, self.n = self.n, self.n + K.shape[2]
        self.kv[0, :, :, start : self.n], self.kv[1, :, :, start : self.n] = K, V
        return self.kv[0, :, :, : self.n], self.kv[1, :, :, : self.n]


class Attention(nn.Module):
    """Grouped heads, whose queries, keys and values come from one product."""

    def __init__(self, c: Config) -> None:
        super().__init__()
        self.sizes = [c.heads, c.key_heads, c.key_heads]
        self.d_k = c.d_k
        self.qkv = nn.Linear(c.d, sum(self.sizes) * c.d_k, bias=False)
        self.o = nn.Linear(c.heads * c.d_k, c.d, bias=False)

    def forward(self, X: Tensor, rotary: Rotary, cache: Cache) -> Tensor:
        b, n, _ = X.shape
        heads = self.qkv(X).view(b, n, -1, self.d_k).transpose(1, 2)  # (b, h + 2g, n, d_k)
        Q, K, V = heads.split(self.sizes, dim=1)
        positions = torch.arange(cache.n, cache.n + n)  # not 0 for a token after a cache
        K, V = cache.extend(rotary(K, positions), V)  # (b, g, m, d_k)
        Q = rotary(Q, positions)
        mask = causal_lower_right(n, K.shape[2]) if n > 1 else None  # one token sees everything
        O = F.scaled_dot_product_attention(Q, K, V, attn_mask=mask, enable_gqa=True)  # noqa: E741
        return self.o(O.transpose(1, 2).reshape(b, n, -1))  # heads side by side, then W_o


class Network(nn.Module):
    """The gated network, SwiGLU."""

    def __init__(self, c: Config) -> None:
        super().__init__()
        self.gate = nn.Linear(c.d, c.hidden, bias=False)
        self.up = nn.Linear(c.d, c.hidden, bias=False)
        self.down = nn.Linear(c.hidden, c.d, bias=False)

    def forward(self, X: Tensor) -> Tensor:
        return self.down(F.silu(self.gate(X)) * self.up(X))


class Block(nn.Module):
    """What each half returns is added; the norms stand before the halves."""

    def __init__(self, c: Config) -> None:
        super().__init__()
        self.norm_1, self.attention = nn.RMSNorm(c.d, eps=1e-5), Attention(c)
        self.norm_2, self.network = nn.RMSNorm(c.d, eps=1e-5), Network(c)

    def forward(self, X: Tensor, rotary: Rotary, cache: Cache) -> Tensor:
        X = X + self.attention(self.norm_1(X), rotary, cache)
        return X + self.network(self.norm_2(X))


class Decoder(nn.Module):
    """Embeddings, blocks, a last norm, and the embeddings again: they are tied."""

    def __init__(self, c: Config) -> None:
        super().__init__()
        self.config, self.rotary = c, Rotary(c)
        self.embed = nn.Embedding(c.vocabulary, c.d)
        self.blocks = nn.ModuleList(Block(c) for _ in range(c.layers))
        self.norm = nn.RMSNorm(c.d, eps=1e-5)

    def caches(self, texts: int = 1) -> list[Cache]:
        return [Cache(self.config, texts, self.embed.weight.dtype) for _ in self.blocks]

    def forward(self, tokens: Tensor, caches: list[Cache]) -> Tensor:
        X = self.embed(tokens)  # (b, n, d)
        for block, cache in zip(self.blocks, caches, strict=True):
            X = block(X, self.rotary, cache)
        return self.norm(X) @ self.embed.weight.T  # (b, n, vocabulary): tied


def halves(rows: np.ndarray, d_k: int) -> np.ndarray:
    """Reorder a projection from pairs of neighbours, as the file has them, to pairs of halves."""
    h = len(rows) // d_k
    return rows.reshape(h, d_k // 2, 2, -1).swapaxes(1, 2).reshape(len(rows), -1)


def load(model: Decoder, file: ModelFile) -> Decoder:
    """Copy the numbers of a GGUF file into the model; every parameter gets its own, or it fails."""
    c, read = model.config, file.tensor
    found = {"embed.weight": read("token_embd.weight"), "norm.weight": read("output_norm.weight")}
    for i in range(c.layers):
        of = lambda name, i=i: read(f"blk.{i}.{name}.weight")  # noqa: E731
        q, k = (halves(of(f"attn_{name}"), c.d_k) for name in "qk")
        found |= {
            f"blocks.{i}.norm_1.weight": of("attn_norm"),
            f"blocks.{i}.attention.qkv.weight": np.concatenate([q, k, of("attn_v")]),
            f"blocks.{i}.attention.o.weight": of("attn_output"),
            f"blocks.{i}.norm_2.weight": of("ffn_norm"),
            f"blocks.{i}.network.gate.weight": of("ffn_gate"),
            f"blocks.{i}.network.up.weight": of("ffn_up"),
            f"blocks.{i}.network.down.weight": of("ffn_down"),
        }
    model.load_state_dict({name: torch.from_numpy(array) for name, array in found.items()})
    return model.eval()


@torch.inference_mode()
def differences() -> dict[str, float]:
    """Return how far the model's logits are from those of others, and of itself."""
    golden = np.load(Path(__file__).parents[2] / "tests" / "golden" / "transformers_smollm2.npz")
    with model_path().open("rb") as file:
        model = load(Decoder(Config()), ModelFile(file))
    tokens = torch.from_numpy(golden["ids0"])[None]  # (1, n)

    def logits(*parts: Tensor) -> np.ndarray:
        caches = model.caches()
        return torch.cat([model(part, caches) for part in parts], dim=1)[0].float().numpy()

    def far(these: np.ndarray, those: np.ndarray) -> float:
        return float(np.abs(these - those).max())

    whole = logits(tokens)  # (n, vocabulary)
    best = np.take_along_axis(whole, golden["best0"].astype(int), axis=1)
    library = LanguageModel.read(model_path()).logits(golden["ids0"])
    found = {
        "transformers (its 20 best for each token)": far(best, golden["logits0"]),
        "attention_lib": far(whole, library),
        "itself, one token at a time": far(logits(*tokens.split(1, dim=1)), whole),
        "itself, five tokens at a time": far(logits(*tokens.split(5, dim=1)), whole),
    }
    model.bfloat16().rotary = Rotary(model.config)  # whose tables stay in float32
    found["itself, in bfloat16"] = far(logits(tokens), whole)
    return found


if __name__ == "__main__":
    told = "".join(f"{name:44}{most:.2g}\n" for name, most in differences().items())
    print(told, end="")
    if "--record" in sys.argv:
        Path(__file__).with_suffix(".txt").write_text(told, encoding="utf-8")
