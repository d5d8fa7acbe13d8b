"""What the chapter "Making it fast" says is what its cells, its figures and the benchmark give."""

import csv
import re
from inspect import signature

import numpy as np
import pytest
from book.chapters import FOLDER, by_definition, find, printed, words_of

from attention_lib import blockwise, softmax

ROOT = FOLDER.parent
TABLE = ROOT / "benchmarks" / "attention.csv"
MACHINE = ROOT / "benchmarks" / "attention.txt"
SMOLLM2 = 49_152 * 576 + 30 * (2 * 576 * 12 * 64 + 3 * 576 * 1536 + 2 * 576) + 576  # parameters
WAYS = ("NumPy, blockwise", "NumPy, whole matrix", "PyTorch, whole matrix")
PAGE = ROOT / "_build" / "html" / "chapters" / "making_it_fast.html"


def measured(column):
    """Return the numbers of one column of the benchmark."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [float(row[column]) for row in csv.DictReader(file)]


def of_gpu(c, name, tokens=32_768):
    """Return what was measured on the GPU for so many tokens at once."""
    times = c["gpu"].attention
    return times[name][times["tokens"].tolist().index(tokens)]


def new_token(c, texts=64, cached=32_768):
    return c["new_token"](cached, texts)


def report(c):
    """Return the length of the report, the largest of the sizes that are printed."""
    return 32_768


CLAIMS = [
    (
        r"(\d+) with the cache, one row for each token: 1 \+ 2 \+ … \+ (8)\. Without it (\d+), "
        r".*? again: (1) \+ (3) \+ (6) \+ … \+ (\d+)\. A guess of (\d+) fills the square, .*? a "
        r"guess of (\d+) for both",
        lambda c: [
            *(c["write_on"](8)["sum kept"], 8, c["write_on"](8)["sum again"]),
            *(c["write_on"](n)["all"].sum() for n in (1, 2, 3, 8)),
            *(c["write_on"](8)["all"].size, c["write_on"](8)["sum kept"]),
        ],
    ),
    (
        r"take for 128 tokens as for one\? \(1 means as long, 2 .*? The answer (\S+) times, so "
        r"hardly any longer\. The arithmetic is 128 times as much, and whoever guesses 128 has",
        lambda c: [c["ms"][c["tokens"] == 128][0] / c["ms"][0]],
    ),
    (r"a long report of (\S+) tokens and", lambda c: [report(c)]),
    (
        r"with (\d+) tokens and (\w+) heads",
        lambda c: [c["output"].shape[-2], c["output"].shape[0]],
    ),
    (
        r"the weights (\w+) times as much, although",
        lambda c: [c["weights"].nbytes / c["output"].nbytes],
    ),
    (
        r"with (16) heads, the report takes (\d+) GiB",
        lambda c: [16, c["gibibytes"](report(c), 16)],
    ),
    (
        r"Eight times the tokens take (\d+) times the memory",
        lambda c: [c["gibibytes"](32_768, 16) / c["gibibytes"](4096, 16)],
    ),
    (r"and a `float32` takes four bytes", by_definition),
    (
        r"A layer of width \$d = 2\{,\}048\$ has 32 heads and reads 16,384 tokens, in `float32`",
        by_definition,
    ),
    (r"in `float32`\. The yardstick", by_definition),
    (r"141 GB against a quarter .*? of its 132 cores", by_definition),  # as published
    (r"report has (\S+) scores, or (\d+) KiB", lambda c: [report(c), 4 * report(c) / 2**10]),
    (r"We timed 32 heads of size 64, .*? slow memory of 141 GB:", by_definition),
    (
        r"With (\d+) tokens both ways .*? For the (\S+) tokens of our report the fused function "
        r"takes (\d+) ms and (\d+) MiB, of which (\d+) are the output\. The whole matrix takes "
        r"(\d+) ms and (\d+) GiB, because scores and weights take (\d+) GiB each",
        lambda c: [
            *(c["READ"][0], report(c), of_gpu(c, "fused_ms"), of_gpu(c, "fused_mib")),
            32 * report(c) * 64 * 2 / 2**20,
            *(of_gpu(c, "whole_ms"), of_gpu(c, "whole_mib") / 2**10),
            32 * report(c) ** 2 * 2 / 2**30,
        ],
    ),
    (
        r"from (\d+) ms down to (\d+)\. .*? (\d+) ms instead of (\d+) for (16,384) tokens",
        lambda c: [
            *(of_gpu(c, "fused_ms"), of_gpu(c, "fused_causal_ms")),
            *(of_gpu(c, name, 16_384) for name in ("whole_causal_ms", "whole_ms")),
            16_384,
        ],
    ),
    (r"8,192 × 8,192 numbers of two bytes, .*? of 1 to (\S+) tokens", lambda c: [c["FED"][-1]]),
    (r"One matrix of 8,192 × 8,192 parameters .*? of 1 to 4,096 tokens", by_definition),
    (
        r"One token takes (\S+) ms and (128) take (\S+), .*? the matrix, (\d+) MB",
        lambda c: [c["ms"][0], 128, c["many_tokens"](128)["time now"], 8192**2 * 2 / 10**6],
    ),
    (r"A billion parameters take (\d) GB in 16 bits, and half a GB in 4\.", lambda c: [16 / 8]),
    (
        r"In DeepSeek-V2 that is 512 numbers .*? 64 of a rotary key .*? 128 heads of size 128",
        by_definition,
    ),
    (r"32 heads of queries with as many heads of keys and values, or with 8\.", by_definition),
    (
        r"For (64) texts of (32,768) tokens, one layer fetches (\S+) GB .*? in (\S+) ms, which is "
        r"(\S+) TB a second",
        lambda c: [64, 32_768, *(new_token(c)[name] for name in ("read", "all now", "rate"))],
    ),
    (r"as for one text of 1,024 tokens, nothing is gained", by_definition),  # tested below
    (r"A model of 8 billion parameters has 32 layers with 8 heads .*? size 128", by_definition),
    (r"are in 16 bits, and the memory delivers 4\.5 TB", by_definition),
    (r"Each text has 8,192 tokens in its cache", by_definition),
    (r"for each of 64 texts\? Count", by_definition),
    (r"All 64 texts use the same parameters", by_definition),
    (
        r"about (\d+) tokens a second for one reader, and (\S+) for (64) of them",
        lambda c: [round(1000 / 3.79, -1), round(64_000 / 18.83, -2), 64],
    ),
    (r"Without the caches, 64 readers", by_definition),
    (r":header-rows: 1", by_definition),
    (r"if it holds only 256 rows of one head", by_definition),
    (r"so 256 rows are 256 times 16,384 numbers\.", by_definition),
    (
        r"(\d+) GiB against (\d+) MiB: two thousand times less",
        lambda c: [c["gibibytes"](16_384, 32), 4 * 256 * 16_384 / 2**20],
    ),
    (
        r"the maximum jumps from (\d) to (\d), so the sum (\S+) shrinks",
        lambda c: [c["a"][0], c["mu"], np.exp(c["a"][:2] - 2).sum()],
    ),
    (r"before 1 is added\.", by_definition),
    (r"and can it ever drop below 1\?", by_definition),
    (r"but does not drop below 1 - it", by_definition),
    (r"but it never drops below 1\. A maximum", by_definition),
    (r"then move the score of key 7\.", by_definition),
    (r"have bars of height 0\.", by_definition),
    (
        r"Read key 7, and move its score: only a new maximum brings a factor below 1\.",
        by_definition,
    ),
    (r"It never drops below 1, because", by_definition),
    (r"there is never a division by 0\. No", by_definition),
    (r"vector starts at 0 and shrinks", by_definition),
    (r"so its factor is 0\)", by_definition),
    (
        r"Take (256) of them, .*? for the next (256)\.",
        lambda c: [signature(blockwise.blockwise_attention).parameters["block"].default] * 2,
    ),
    (r"one such block: (\d+) MiB for our", lambda c: [4 * 256 * report(c) / 2**20]),
    (r"of one head, (\d+) GiB for our", lambda c: [c["gibibytes"](report(c), 1)]),
    (r"look only at the 256 keys nearest", by_definition),
    (r"Take 256 queries at a time, and all", by_definition),
    (r"A causal mask has a 1 on its diagonal\.", by_definition),
    (
        r"layer\. SmolLM2 .*? has (30) layers with (9) heads of .*? reads up to (\S+) tokens:",
        lambda c: [30, 9, 8192],  # as published; provenance/data/smollm2.py reads the file
    ),
    (
        r"the cache would take (\d+) MiB, twice as much as the model's (\d+) million parameters",
        lambda c: [c["cache_mebibytes"](8192, 9), SMOLLM2 / 10**6],
    ),
    (r"called `bfloat16`: .*? as far as `float32`, but have only 8 significant", by_definition),
    (r"take one byte \(\*FP8\*\)", by_definition),
    (
        r"`float16` has (11) bits, but ends at (\S+): .*? entries, all equal to 40, overflows",
        lambda c: [np.finfo("float16").nmant + 1, np.finfo("float16").max],
    ),
    (
        r"After (\S+) the next `float16` is (\S+), so adding 1 changes .*? at 256",
        lambda c: [c["Z"], np.nextafter(c["Z"], np.float16(np.inf))],
    ),
    (r"accumulate scores, .*? in `float32`, while", by_definition),
    (
        r"these numbers .*? are the (\d) MiB beside the output",
        lambda c: [4 * 32 * report(c) / 2**20],  # one float32 for each query and head
    ),
    (r"how FlashAttention-2 goes back", by_definition),  # its name
    (r"Sums are kept in `float32`\.", by_definition),
    (r"holding the (\d+) GiB of its", lambda c: [c["gibibytes"](report(c), 16)]),
]


# what is said in words


def test_the_output_takes_about_a_million_bytes(chapter):
    assert round(chapter.namespace["output"].nbytes, -5) == 1_000_000


def test_the_bytes_counted_are_those_that_numpy_holds(chapter):
    c = chapter.namespace
    h, n, _ = c["weights"].shape
    assert c["gibibytes"](n, h) * 2**30 == c["weights"].nbytes


@pytest.mark.parametrize("heads", [1, 4, 16])
def test_the_multiplications_counted_are_those_of_the_products_for_any_number_of_heads(
    chapter, heads
):
    n, d = 48, 32
    d_k = d // heads
    each = heads * (n * n * d_k + n * n * d_k)  # scores, weighted sums
    assert chapter.namespace["multiplications"](n, d) == (3 * n * d * d + n * d * d, each)


def test_up_to_twice_the_width_the_projections_cost_more_and_then_the_pairs(chapter):
    for n in (512, 1023, 1024, 1025, 4096):
        projections, pairs = chapter.namespace["multiplications"](n, 512)
        assert np.sign(pairs - projections) == np.sign(n - 2 * 512)


def test_with_the_feed_forward_network_the_pairs_catch_up_at_six_times_the_width(chapter):
    for d in (32, 512):
        projections, pairs = chapter.namespace["multiplications"](6 * d, d)
        feed_forward = 6 * d * (d * 4 * d + 4 * d * d)  # into the hidden layer, and out
        assert pairs == projections + feed_forward


def test_a_score_less_the_log_sum_exp_is_the_logarithm_of_its_weight(chapter):
    cell = find(chapter, "log_sum_exp")
    assert cell.value is True


def test_the_sum_shrinks_only_when_the_maximum_moves_and_stays_at_least_one(chapter):
    lines = [line.split() for line in printed(chapter, "a = np.array")]
    peaks = [float(line[3]) for line in lines]
    sums = [float(line[5]) for line in lines]
    falls = np.diff(sums) < 0
    assert falls.tolist() == (np.diff(peaks) > 0).tolist() == [False, True, False]
    assert min(sums) >= 1


def test_the_running_numbers_end_as_those_of_the_whole_row(chapter):
    mine, whole = printed(chapter, "print((np.exp(a")
    assert mine == whole


def test_every_way_in_blocks_is_exact(chapter):
    for start in ("one_head", "blocks ="):
        assert "False" not in " ".join(printed(chapter, start))
        assert "True" in " ".join(printed(chapter, start))


def test_exact_holds_with_room_to_spare(chapter):
    c = chapter.namespace
    assert np.abs(c["blocks"] - c["output"]).max() < 5e-6


def test_the_whole_block_and_its_part_are_printed_in_mebibytes(chapter):
    last = printed(chapter, "blocks =")[-1]
    assert last == "32768 32.0 MiB, not 65536.0"


# what the figures show


def test_only_a_new_maximum_brings_a_factor_below_one(chapter):
    figure = chapter.figure("fig-online")
    scores = np.where(np.arange(10) == 6, 5.5, chapter.namespace["STREAM"])
    for read in range(1, 11):
        frame = figure.frame(read=read, seventh=5.5)
        new = read == 1 or scores[read - 1] > scores[: read - 1].max()
        assert (frame["factor"][0] < 1) == new
        assert frame["kept"][0] == scores[:read].max()
        assert frame["kept"][1] >= 1
        np.testing.assert_allclose(frame["weights"][:read], softmax(scores[:read]))


def test_the_figure_and_the_update_rule_give_the_same_sum(chapter):
    figure = chapter.figure("fig-online")
    for read in range(2, 11):
        before, now = figure.frame(read=read - 1), figure.frame(read=read)
        mu, Z = now["kept"]
        score = now["scores"][read - 1]
        np.testing.assert_allclose(Z, before["kept"][1] * now["factor"][0] + np.exp(score - mu))


def test_no_score_of_the_stream_looks_like_one_not_yet_read(chapter):
    assert chapter.namespace["STREAM"].all()


def test_the_cache_gives_the_same_rows(chapter):
    assert printed(chapter, "X = rng.normal(size=(10, 6))")[0].startswith("True")


def test_without_the_cache_every_step_computes_a_triangle_and_with_it_a_row(chapter):
    figure = chapter.figure("fig-cache")
    for written in range(1, 9):
        frame = figure.frame(written=written)
        assert frame["all"].sum() == written * (written + 1) / 2
        assert (frame["row"] == 1).sum() == written
        assert frame["sum kept"] == written * (written + 1) / 2
        triangles = [t * (t + 1) / 2 for t in range(1, written + 1)]
        assert frame["sum again"] == sum(triangles)


def test_nine_key_heads_would_take_twice_the_memory_of_the_parameters(chapter):
    nine = chapter.namespace["cache_mebibytes"](8192, 9)
    assert nine / (2 * SMOLLM2 / 2**20) == pytest.approx(2, abs=0.15)


def test_a_dot_product_overflows_in_half_precision_unless_the_query_is_divided(chapter):
    big = np.full(64, 40, dtype="float16")
    with np.errstate(over="ignore"):
        assert np.isinf(big @ big)
    assert (big / 8) @ big == 12_800
    assert printed(chapter, "Z = np.float16") == ["2048.0"]


# what was measured


def test_short_texts_gain_nothing_and_long_ones_more_and_more(chapter):
    times = chapter.namespace["gpu"].attention
    gain = times["whole_ms"] / times["fused_ms"]
    assert gain[0] == pytest.approx(1, abs=0.05)
    assert (gain[2:] > 3.5).all()
    assert len(times["whole_causal_ms"]) == len(times["tokens"]) - 1  # the last did not fit
    assert (times["whole_causal_ms"] > times["whole_ms"][:-1]).all()


def test_up_to_128_tokens_a_product_takes_as_long_and_then_longer(chapter):
    tokens, ms = (chapter.namespace["gpu"].matrix[name] for name in ("tokens", "ms"))
    assert np.ptp(ms[tokens <= 128]) < 0.1 * ms[0]
    assert (ms[tokens >= 512] > 2 * ms[0]).all()
    each = ms[-2:] / tokens[-2:]
    assert each[0] == pytest.approx(each[1], rel=0.1)  # now the time grows with the tokens


def test_a_quarter_of_the_key_heads_takes_a_quarter_of_the_time_if_caches_are_long(chapter):
    long, short = (new_token(chapter.namespace, *case) for case in ((64, 32_768), (1, 1024)))
    assert long["few now"] / long["all now"] == pytest.approx(1 / 4, abs=0.01)
    assert short["few now"] >= short["all now"]


def test_blocks_are_faster_than_the_whole_matrix_every_time_also_in_pytorch():
    blocks, whole, torch = map(measured, WAYS)
    assert all(b < w for b, w in zip(blocks, whole, strict=True))
    assert all(b < t for b, t in zip(blocks, torch, strict=True))


def test_the_whole_matrix_takes_three_times_the_bytes_of_the_weights():
    heads, peaks = 8, measured("MiB, whole matrix")
    counted = [4 * heads * n**2 / 2**20 for n in measured("tokens")]
    np.testing.assert_allclose(peaks, 3 * np.array(counted), rtol=0.05)


def test_the_table_of_the_page_is_the_file_of_the_benchmark():
    with TABLE.open(encoding="utf-8", newline="") as file:
        written = list(csv.reader(file))
    shown = re.search(r'<table[^>]* id="tab-fast".*?</table>', PAGE.read_text("utf-8"), re.S)[0]
    rows = [re.findall(r"<t[dh].*?</t[dh]>", row, re.S) for row in shown.split("<tr")[1:]]
    assert [[words_of(cell) for cell in row] for row in rows] == written


def test_the_page_says_what_it_was_measured_on():
    text = " ".join(re.sub(r"<[^>]*>", "", PAGE.read_text(encoding="utf-8")).split())
    assert MACHINE.read_text(encoding="utf-8").strip() in text
