"""Time the steps of two language models on a GPU: reading prompts, and writing for many texts.

    python -m pip install torch
    python provenance/data/measure_serving.py --into attention_lib/data    # needs CUDA; 5 minutes

The models have the shapes of SmolLM2-135M and of an 8 B Llama 3, and random weights. Kernels are
recorded once in a CUDA graph and replayed, unless a row says otherwise. Each time is the median of
20 replays after 5 that do not count.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median

import torch
import triton
import triton.language as tl
from archives import options_of, save_json
from torch.nn.functional import rms_norm, scaled_dot_product_attention, silu

ABOUT = (
    "Times in ms, medians of 20 after 5, bfloat16 unless said otherwise, kernels replayed "
    "from a CUDA graph. copy: a tensor of so many bytes to another, each read and written "
    "once. matrix: so many tokens times eight matrices of 8192 x 8192 in turn, for one of "
    "them. prefill: causal attention of 32 query heads and 8 key heads of size 128, one text "
    "of so many tokens. attention: of one new token in each of so many texts, the same heads,"
    " with a cache of so many tokens each; torch: PyTorch's scaled_dot_product_attention; "
    "bits_16 and bits_8: one Triton function of this script, with its cache in bfloat16 and "
    "in float8 (e4m3). step: a whole model (embedding, layers, last matrix) writes one token "
    "for each of so many texts with a cache of so many tokens each; eager: launched one by "
    "one. prompt: the same models read one prompt of so many tokens, whose last one gets "
    "scores. mixed: the larger model writes one token for 32 texts with 1,024 tokens each and"
    " reads so many tokens of another prompt (its first ones) in the same step."
)


@dataclass(frozen=True)
class Shape:
    """The sizes of a decoder, as its config.json has them."""

    layers: int
    d: int
    heads: int
    key_heads: int
    d_k: int
    hidden: int
    vocabulary: int


SHAPES = {
    "SmolLM2-135M": Shape(30, 576, 9, 3, 64, 1536, 49_152),
    "8B": Shape(32, 4096, 32, 8, 128, 14_336, 128_256),
}


def draw(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, device="cuda", dtype=torch.bfloat16)


def time(run: Callable[[], object]) -> float:
    """Return the median of 20 runs, in milliseconds."""
    for _ in range(5):
        run()
    times = []
    for _ in range(20):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        run()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return round(median(times), 4)


def replay(run: Callable[[], object]) -> Callable[[], object]:
    """Return the kernels of `run`, recorded in a graph."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        run()
    return graph.replay


class Decoder:
    """A decoder of today with random weights, and caches that are full."""

    def __init__(self, shape: Shape) -> None:
        s = self.shape = shape
        sizes = {
            "qkv": (s.d, (s.heads + 2 * s.key_heads) * s.d_k),
            "o": (s.heads * s.d_k, s.d),
            "up": (s.d, 2 * s.hidden),
            "down": (s.hidden, s.d),
        }
        self.layers = [
            {name: draw(*size) / size[0] ** 0.5 for name, size in sizes.items()}
            for _ in range(s.layers)
        ]
        self.gains = [torch.ones(s.d, device="cuda", dtype=torch.bfloat16)] * 2
        self.E = draw(s.vocabulary, s.d)
        self.angles = torch.rand(1, s.d_k // 2, device="cuda", dtype=torch.bfloat16)
        self.cos, self.sin = self.angles.cos(), self.angles.sin()

    def weights(self) -> int:
        return 2 * (self.E.numel() + sum(W.numel() for p in self.layers for W in p.values()))

    def caches(self, texts: int, length: int) -> list[torch.Tensor]:
        s = self.shape
        return [draw(2, texts, s.key_heads, length, s.d_k) for _ in range(s.layers)]

    def turned(self, X: torch.Tensor) -> torch.Tensor:
        left, right = X.chunk(2, -1)
        cos, sin = self.cos, self.sin
        return torch.cat([left * cos - right * sin, right * cos + left * sin], -1)

    def run(
        self, tokens: torch.Tensor, texts: int, caches: list[torch.Tensor] | None
    ) -> torch.Tensor:
        """Let the first `texts` tokens each continue a cached text; the others are one prompt."""
        s = self.shape
        X = self.E[tokens]  # (tokens, d)
        for layer, p in enumerate(self.layers):
            heads = (rms_norm(X, (s.d,), self.gains[0]) @ p["qkv"]).view(len(X), -1, s.d_k)
            Q, K, V = heads.split([s.heads, s.key_heads, s.key_heads], 1)
            Q, K = self.turned(Q), self.turned(K)
            found = []
            if texts:
                cache = caches[layer]
                cache[0, :, :, -1], cache[1, :, :, -1] = K[:texts], V[:texts]
                one = Q[:texts, :, None]  # (texts, heads, 1, d_k)
                looked = scaled_dot_product_attention(one, cache[0], cache[1], enable_gqa=True)
                found.append(looked.reshape(texts, -1))
            if texts < len(X):
                whole = [A[texts:].transpose(0, 1)[None] for A in (Q, K, V)]
                looked = scaled_dot_product_attention(*whole, is_causal=True, enable_gqa=True)
                found.append(looked[0].transpose(0, 1).reshape(len(X) - texts, -1))
            X = X + torch.cat(found) @ p["o"]
            gate, up = (rms_norm(X, (s.d,), self.gains[1]) @ p["up"]).chunk(2, -1)
            X = X + (silu(gate) * up) @ p["down"]
        last = X if texts == len(X) else torch.cat([X[:texts], X[-1:]])
        return rms_norm(last, (s.d,), self.gains[0]) @ self.E.T


@triton.jit
def look(
    Q, K, V, part, top, total, n, slice_of, scale,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Let a group of query heads look at one slice of the keys of one key head of one text."""
    pair, cut = tl.program_id(0), tl.program_id(1)
    rows, columns, keys = tl.arange(0, 16), tl.arange(0, D), tl.arange(0, BLOCK)
    own = rows < GROUP
    q = tl.load(Q + (pair * GROUP + rows[:, None]) * D + columns, mask=own[:, None], other=0.0)
    peak = tl.full([16], -1e30, tl.float32)
    norm = tl.zeros([16], tl.float32)
    out = tl.zeros([16, D], tl.float32)
    for at in range(cut * slice_of, tl.minimum(cut * slice_of + slice_of, n), BLOCK):
        where = (pair.to(tl.int64) * n + at + keys[:, None]) * D + columns
        k = tl.load(K + where).to(tl.bfloat16)
        scores = tl.dot(q, k.T) * scale
        higher = tl.maximum(peak, tl.max(scores, 1))
        shrink, share = tl.exp(peak - higher), tl.exp(scores - higher[:, None])
        v = tl.load(V + where).to(tl.bfloat16)
        out = out * shrink[:, None] + tl.dot(share.to(tl.bfloat16), v)
        norm = norm * shrink + tl.sum(share, 1)
        peak = higher
    at = (pair * tl.num_programs(1) + cut) * 16 + rows
    tl.store(part + at[:, None] * D + columns, out)
    tl.store(top + at, peak)
    tl.store(total + at, norm)


def look_up(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """Return the attention of one token per text; K and V in 16 or in 8 bits, n a power of two."""
    texts, key_heads, n, d_k = K.shape
    pairs, group = texts * key_heads, Q.shape[1] // key_heads
    cuts = max(1, min(n // 256, 1024 // pairs))
    part = torch.empty(pairs, cuts, 16, d_k, device="cuda")
    top, total = torch.empty(2, pairs, cuts, 16, device="cuda")
    look[(pairs, cuts)](
        Q, K, V, part, top, total, n, n // cuts, d_k**-0.5, GROUP=group, D=d_k, BLOCK=64,
        num_warps=4, num_stages=4,
    )  # fmt: skip
    share = torch.exp(top - top.amax(1, keepdim=True))
    out = (part * share[..., None]).sum(1) / (total * share).sum(1)[..., None]
    return out[:, :group].reshape(texts, -1, 1, d_k).bfloat16()


def rows_of(*names: str, rows: list[tuple]) -> dict[str, list]:
    return {name: [row[column] for row in rows] for column, name in enumerate(names)}


def copy_times() -> dict[str, list]:
    rows = []
    for size in (2**28, 2**30, 2**32):
        source = torch.empty(size, dtype=torch.uint8, device="cuda")
        target = torch.empty_like(source)
        rows.append((size, time(lambda a=source, b=target: b.copy_(a))))
    return rows_of("bytes", "ms", rows=rows)


def matrix_times() -> dict[str, list]:
    matrices = [draw(8192, 8192) / 90 for _ in range(8)]
    narrow = [
        W.T.contiguous().to(torch.float8_e4m3fn).T for W in matrices
    ]  # stored column by column
    one = torch.ones((), device="cuda")
    rows = []
    for count in [2**k for k in range(14)]:
        X = draw(count, 8192)
        X_8 = X.to(torch.float8_e4m3fn)
        wide = replay(lambda X=X: [X @ W for W in matrices])
        short = replay(
            lambda X=X_8: [
                torch._scaled_mm(X, W, scale_a=one, scale_b=one, out_dtype=torch.bfloat16)
                for W in narrow
            ]
        )
        rows.append((count, *(round(time(run) / len(matrices), 5) for run in (wide, short))))
    return rows_of("tokens", "ms", "bits_8_ms", rows=rows)


def prefill_times() -> dict[str, list]:
    rows = []
    for n in [2**k for k in range(7, 16)]:
        Q, K, V = draw(1, 32, n, 128), draw(1, 8, n, 128), draw(1, 8, n, 128)
        rows.append((n, time(replay(lambda a=(Q, K, V): scaled_dot_product_attention(
            *a, is_causal=True, enable_gqa=True)))))  # fmt: skip
    return rows_of("tokens", "ms", rows=rows)


def attention_times() -> dict[str, list]:
    rows = []
    for texts in (1, 8, 32, 128):
        for cache in (1024, 8192, 32_768):
            Q, K, V = draw(texts, 32, 1, 128), *(draw(texts, 8, cache, 128) for _ in "KV")
            narrow = [A.to(torch.float8_e4m3fn) for A in (K, V)]
            right = scaled_dot_product_attention(Q, K, V, enable_gqa=True)
            for K_, V_, most in ((K, V, 0.02), (*narrow, 0.1)):
                off = float((look_up(Q, K_, V_) - right).float().norm() / right.float().norm())
                if off > most:
                    raise SystemExit(f"{texts} texts of {cache} tokens: {off:.3f} off")
            rows.append((
                texts,
                cache,
                time(replay(lambda a=(Q, K, V): scaled_dot_product_attention(*a, enable_gqa=True))),
                time(replay(lambda a=(Q, K, V): look_up(*a))),
                time(replay(lambda a=(Q, *narrow): look_up(*a))),
            ))  # fmt: skip
            print(rows[-1], flush=True)
            del K, V, narrow, right
    return rows_of("texts", "cache", "torch_ms", "bits_16_ms", "bits_8_ms", rows=rows)


def tokens_of(count: int) -> torch.Tensor:
    return torch.randint(40_000, (count,), device="cuda")


def step_times(name: str, model: Decoder) -> list[tuple]:
    rows = []
    for cache, most in ((1024, 256), (8192, 64)):
        for texts in [2**k for k in range(most.bit_length())]:
            caches = model.caches(texts, cache)
            run = partial(model.run, tokens_of(texts), texts, caches)
            held = sum(A.numel() for A in caches) * 2
            rows.append((name, texts, cache, time(replay(run)), time(run), model.weights(), held))
            print(rows[-1], flush=True)
            del run, caches
            torch.cuda.empty_cache()
    return rows


def prompt_times(name: str, model: Decoder) -> list[tuple]:
    counts = [2**k for k in range(5, 14)]
    return [(name, n, time(replay(partial(model.run, tokens_of(n), 0, [])))) for n in counts]


def mixed_times(model: Decoder) -> list[tuple]:
    texts, caches = 32, model.caches(32, 1024)
    return [
        (n, time(replay(partial(model.run, tokens_of(texts + n), texts, caches))))
        for n in (0, 128, 256, 512, 1024, 2048)
    ]


def model_times() -> dict[str, dict[str, list]]:
    steps, prompts, mixed = [], [], []
    for name, shape in SHAPES.items():
        model = Decoder(shape)
        steps += step_times(name, model)
        prompts += prompt_times(name, model)
        mixed = mixed_times(model)  # of the last, which is the larger
        print(prompts, mixed, flush=True)
        del model
        torch.cuda.empty_cache()
    columns = ("model", "texts", "cache", "ms", "eager_ms", "weight_bytes", "cache_bytes")
    return {
        "step": rows_of(*columns, rows=steps),
        "prompt": rows_of("model", "tokens", "ms", rows=prompts),
        "mixed": rows_of("prompt_tokens", "ms", rows=mixed),
    }


def main() -> None:
    options = options_of(__doc__).parse_args()
    versions = f"PyTorch {torch.__version__}, Triton {triton.__version__}"
    with torch.inference_mode():
        told = {
            "about": ABOUT,
            "machine": f"{torch.cuda.get_device_name()}, {versions}",
            "copy": copy_times(),
            "matrix": matrix_times(),
            "prefill": prefill_times(),
            "attention": attention_times(),
            **model_times(),
        }
    save_json(options.into / "gpu_serving.json", told)


if __name__ == "__main__":
    main()
