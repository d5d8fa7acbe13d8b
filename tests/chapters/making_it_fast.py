"""What the chapter "Making it fast" says is what its cells, its figures and the benchmark give."""

import csv

import numpy as np
import pytest
from chapters.claims import Claims
from chapters.page import ROOT

from attention_lib import softmax

TABLE = ROOT / "provenance" / "speed" / "attention.csv"


SMOLLM2 = 49_152 * 576 + 30 * (2 * 576 * 12 * 64 + 3 * 576 * 1536 + 2 * 576) + 576  # parameters


WAYS = ("NumPy, blockwise", "NumPy, whole matrix", "PyTorch, whole matrix")


def measured(column):
    """Return the numbers of one column of the benchmark."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [float(row[column]) for row in csv.DictReader(file)]


def of_gpu(c, name, tokens=32_768):
    """Return what was measured on the GPU for so many tokens at once."""
    times = c["gpu"].attention
    return times[name][times["tokens"].tolist().index(tokens)]


def new_token(c, name, texts, cached):
    """Return how long attention of one new token took on the GPU."""
    times = c["gpu"].decode
    return times[name][(times["texts"] == texts) & (times["cache"] == cached)][0]


def flops(operations, ms):
    return operations / (ms / 1000)


def multiplications(n, d):
    """Return those of the four projections, and of scores and weighted sums."""
    return 4 * n * d**2, 2 * n**2 * d


GIVEN = {
    "sizes of the examples": "128 256 8,192 16,384 32,768",
    "of a GPU": "4.5",
}
CLAIMS = Claims(
    (
        "the whole matrix takes nearly five times as long as the fused function",
        lambda c: 4.5 < of_gpu(c, "whole_ms") / of_gpu(c, "fused_ms") < 5,
    ),
    (
        "the mask halves the time of the fused function",
        lambda c: 1.9 < of_gpu(c, "fused_ms") / of_gpu(c, "fused_causal_ms") < 2.1,
    ),
    (
        "the cache of one text would take twice as much as the model's parameters",
        lambda c: 1.9 < c["cache_mebibytes"](8192, 9) * 2**20 / (2 * SMOLLM2) < 2.2,
    ),
    (
        "The answer {} times, so hardly any longer",
        lambda c: c["ms"][c["tokens"] == 128] / c["ms"][0],
    ),
    (
        "Eight times the tokens take {} times the memory",
        lambda c: c["gibibytes"](32_768, 16) / c["gibibytes"](4096, 16),
    ),
    (
        "With the whole matrix, hiding … the time about doubles",
        lambda c: 1.8 < of_gpu(c, "whole_causal_ms", 16_384) / of_gpu(c, "whole_ms", 16_384) < 2.2,
    ),
    (
        "about {} tokens a second for one reader, and {} for 64 of them",
        lambda c: [round(1000 / 3.79, -1), round(64_000 / 18.83, -2)],
    ),
    ("but ends at {}, so that large", lambda c: np.finfo("float16").max),
    (
        "as long as the fused function, and about a thousand times the memory",
        lambda c: 950 < of_gpu(c, "whole_mib") / of_gpu(c, "fused_mib") < 1050,
    ),
    (
        "reaches four fifths of the FLOP/s that the maker states",  # 989 · 10¹²
        lambda c: 0.78 < flops(2 * 8192**2 * 4096, c["ms"][-1]) / 989e12 < 0.82,
    ),
    (
        "Fused attention of the report reaches less than half of what the product does",
        lambda c: (
            flops(4 * 32_768**2 * 32 * 64, of_gpu(c, "fused_ms"))
            < flops(2 * 8192**2 * 4096, c["ms"][-1]) / 2
        ),
    ),
    (
        "$c$ is 64 times shorter than they are together",  # 128 heads of size 128; 512
        lambda c: 2 * 128 * 128 / 512 == 64,
    ),
    (
        "the attention weights of the report take {} GiB",
        lambda c: c["gibibytes"](32_768, 16),
    ),
    (
        "The next `float16` is {}, so adding 1 changes nothing",
        lambda c: np.nextafter(c["Z"], np.float16(np.inf)),
    ),
    (
        "Attention in blocks of keys is exact",
        lambda c: np.abs(c["blocks"] - c["output"]).max() < 5e-6,
    ),
)


@CLAIMS.says("Both parts are equal at $n = 2d$")
def up_to_twice_the_width_the_projections_cost_more_and_then_the_pairs(c):
    for n in (512, 1023, 1024, 1025, 4096):
        projections, pairs = multiplications(n, 512)
        assert np.sign(pairs - projections) == np.sign(n - 2 * 512)


@CLAIMS.says("In a whole block of a Transformer this begins only at $n = 6d$")
def with_the_feed_forward_network_the_pairs_catch_up_at_six_times_the_width(c):
    for d in (32, 512):
        projections, pairs = multiplications(6 * d, d)
        feed_forward = 6 * d * (d * 4 * d + 4 * d * d)  # into the hidden layer, and out
        assert pairs == projections + feed_forward


@CLAIMS.says("At the third score the maximum jumps, and the old sum shrinks")
def the_sum_shrinks_only_when_the_maximum_moves_and_stays_at_least_one(c):
    lines = [line.split() for line in c.printed("a = np.array")]
    peaks = [float(line[3]) for line in lines]
    sums = [float(line[5]) for line in lines]
    falls = np.diff(sums) < 0
    assert falls.tolist() == (np.diff(peaks) > 0).tolist() == [False, True, False]
    assert min(sums) >= 1


@CLAIMS.says("only a new maximum brings a factor below 1")
def only_a_new_maximum_brings_a_factor_below_one(c):
    figure = c.figure("fig-online")
    scores = np.where(np.arange(10) == 6, 5.5, c["STREAM"])
    for read in range(1, 11):
        frame = figure.frame(read=read, seventh=5.5)
        new = read == 1 or scores[read - 1] > scores[: read - 1].max()
        assert (frame["factor"][0] < 1) == new
        assert frame["kept"][0] == scores[:read].max()
        assert frame["kept"][1] >= 1
        np.testing.assert_allclose(frame["weights"][:read], softmax(scores[:read]))


@CLAIMS.says("Without the cache the whole triangle is computed in every step")
def without_the_cache_every_step_computes_a_triangle_and_with_it_a_row(c):
    figure = c.figure("fig-cache")
    for written in range(1, 9):
        frame = figure.frame(written=written)
        assert frame["all"].sum() == written * (written + 1) / 2
        assert (frame["row"] == 1).sum() == written
        assert frame["sum kept"] == written * (written + 1) / 2
        triangles = [t * (t + 1) / 2 for t in range(1, written + 1)]
        assert frame["sum again"] == sum(triangles)


@CLAIMS.says("large dot products may overflow unless the query is divided")
def a_dot_product_overflows_in_half_precision_unless_the_query_is_divided(c):
    big = np.full(64, 40, dtype="float16")
    with np.errstate(over="ignore"):
        assert np.isinf(big @ big)
    assert (big / 8) @ big == 12_800


@CLAIMS.says("With few tokens both ways take the same time")
def short_texts_gain_nothing_and_long_ones_more_and_more(c):
    times = c["gpu"].attention
    gain = times["whole_ms"] / times["fused_ms"]
    assert gain[0] == pytest.approx(1, abs=0.05)
    assert (gain[2:] > 3.5).all()
    assert len(times["whole_causal_ms"]) == len(times["tokens"]) - 1  # the last was not measured
    assert (times["whole_causal_ms"] > times["whole_ms"][:-1]).all()


@CLAIMS.says("From a few hundred tokens on, the arithmetic takes longer than the fetching")
def up_to_128_tokens_a_product_takes_as_long_and_then_longer(c):
    tokens, ms = (c["gpu"].matrix[name] for name in ("tokens", "ms"))
    assert np.ptp(ms[tokens <= 128]) < 0.1 * ms[0]
    assert (ms[tokens >= 512] > 2 * ms[0]).all()
    each = ms[-2:] / tokens[-2:]
    assert each[0] == pytest.approx(each[1], rel=0.1)  # now the time grows with the tokens


@CLAIMS.says("with four times fewer key heads, our GPU took a quarter of the time")
def a_quarter_of_the_key_heads_takes_a_quarter_of_the_time_if_caches_are_long(c):
    few, all_heads = (new_token(c, name, 64, 32_768) for name in ("grouped_ms", "ms"))
    assert few / all_heads == pytest.approx(1 / 4, abs=0.01)


@CLAIMS.says("In every row, NumPy's blocks beat even PyTorch's whole matrix")
def blocks_are_faster_than_the_whole_matrix_every_time_also_in_pytorch(c):
    blocks, whole, torch = map(measured, WAYS)
    assert all(b < w for b, w in zip(blocks, whole, strict=True))
    assert all(b < t for b, t in zip(blocks, torch, strict=True))
