"""Time attention on a GPU: as a whole matrix, fused, and one new token with a cache.

    python -m pip install torch
    python provenance/data/measure_gpu.py --into attention_lib/data    # needs CUDA; a minute

Each time is the median of 20 runs after 5 that do not count. Memory is the peak beyond the inputs.
"""

from collections.abc import Callable
from statistics import median

import torch
from archives import options_of, save_json
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

HEADS, KEY_HEADS, D_K, SIZE = 32, 8, 64, 8192
ABOUT = (
    f"Times in ms and memory in MiB of {HEADS} heads of size {D_K} in bfloat16, medians of 20. "
    "attention: of so many tokens at once, fused and as a whole matrix, without and with a causal "
    "mask; the whole matrix with a mask was not measured for the last. decode: of one new token "
    "for each of so many texts, with a cache of so many tokens each; grouped: the same with "
    f"{KEY_HEADS} heads. matrix: so many tokens times a matrix of {SIZE} x {SIZE}."
)


def draw(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, device="cuda", dtype=torch.bfloat16)


def time(run: Callable[..., object], *inputs: object, **options: bool) -> float:
    """Return the median of 20 runs, in milliseconds."""
    for _ in range(5):
        run(*inputs, **options)
    times = []
    for _ in range(20):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        run(*inputs, **options)
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return round(median(times), 4)


def memory(run: Callable[..., object], *inputs: object) -> float:
    """Return the peak beyond what is held before, in MiB."""
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    run(*inputs)
    torch.cuda.synchronize()
    return round((torch.cuda.max_memory_allocated() - before) / 2**20, 2)


def fused(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, causal: bool) -> torch.Tensor:
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        return scaled_dot_product_attention(Q, K, V, is_causal=causal)


def whole(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, causal: bool) -> torch.Tensor:
    scores = Q @ K.mT / D_K**0.5  # (1, heads, n, n)
    if causal:
        later = torch.ones(scores.shape[-2:], dtype=torch.bool, device="cuda").triu(1)
        scores = scores.masked_fill(later, float("-inf"))
    return scores.softmax(-1) @ V


def attention_times(lengths: list[int]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {"tokens": [*lengths]}
    for n in lengths:
        inputs = [draw(1, HEADS, n, D_K) for _ in range(3)]
        for name, way in (("fused", fused), ("whole", whole)):
            for mask in ("", "_causal"):
                try:
                    ms = time(way, *inputs, bool(mask))
                    mib = memory(way, *inputs, bool(mask))
                except torch.cuda.OutOfMemoryError:
                    continue
                found.setdefault(f"{name}{mask}_ms", []).append(ms)
                found.setdefault(f"{name}{mask}_mib", []).append(mib)
    return found


def decode_times() -> dict[str, list[float]]:
    rows = []
    for texts in (1, 4, 16, 64):
        for cache in (1024, 8192, 32_768):
            Q, K, V = draw(texts, HEADS, 1, D_K), *(draw(texts, HEADS, cache, D_K) for _ in "KV")
            few_K, few_V = K[:, :KEY_HEADS], V[:, :KEY_HEADS]
            ms = time(scaled_dot_product_attention, Q, K, V)
            grouped = time(scaled_dot_product_attention, Q, few_K, few_V, enable_gqa=True)
            rows.append({"texts": texts, "cache": cache, "ms": ms, "grouped_ms": grouped})
    return {name: [row[name] for row in rows] for name in rows[0]}


def matrix_times(counts: list[int]) -> dict[str, list[float]]:
    W = draw(SIZE, SIZE)
    inputs = [draw(count, SIZE) for count in counts]
    return {"tokens": [*counts], "ms": [time(torch.matmul, X, W) for X in inputs]}


def main() -> None:
    options = options_of(__doc__).parse_args()
    told = {
        "about": ABOUT,
        "machine": f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}",
        "attention": attention_times([2**k for k in range(9, 16)]),
        "decode": decode_times(),
        "matrix": matrix_times([*(2**k for k in range(11)), 4096]),
    }
    save_json(options.into / "gpu_attention.json", told)


if __name__ == "__main__":
    main()
