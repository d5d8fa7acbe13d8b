"""What the chapter "Making it fast" says is what its cells, its figures and the benchmark give."""

import csv
import re
from html.parser import HTMLParser
from inspect import signature

import numpy as np
import pytest
from book.chapters import FOLDER, by_definition, find, printed

from attention_lib import blockwise, softmax

ROOT = FOLDER.parent
TABLE = ROOT / "benchmarks" / "attention.csv"
MACHINE = ROOT / "benchmarks" / "attention.txt"
WAYS = ("NumPy, blockwise", "NumPy, whole matrix", "PyTorch, whole matrix")
PAGE = ROOT / "_build" / "html" / "chapters" / "making_it_fast.html"


def measured(column):
    """Return the numbers of one column of the benchmark."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [float(row[column]) for row in csv.DictReader(file)]


def report(c):
    """Return the length of the report, the largest of the sizes that are printed."""
    return 32_768


CLAIMS = [
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
    (r"Can it ever drop below 1\?", by_definition),
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
    (r"with blocks of 100 keys, or of a single key", by_definition),
    (r"The error of an output falls to 0 with the last tile of its row, and not", by_definition),
    (
        r"so take (256) of them, .*? for the next (256)\.",
        lambda c: [signature(blockwise.blockwise_attention).parameters["block"].default] * 2,
    ),
    (r"the report needs only (\d+) MiB for each", lambda c: [4 * 256 * report(c) / 2**20]),
    (r"of one head, (\d+) GiB for our", lambda c: [c["gibibytes"](report(c), 1)]),
    (r"next number lies (\S+) bytes further on\.", lambda c: [c["W"].strides[0]]),
    (r"fetches (64) neighbouring .*? one number in (\d+);", lambda c: [64, 64 / c["W"].itemsize]),
    (r"look only at the 256 keys nearest", by_definition),
    (r"Take 256 queries at a time, and all", by_definition),
    (r"With (8) tiles on a side, (\S+) of the scores", lambda c: [8, 36 / 64]),
    (
        r"Full colour \(1\): needed\. Weak colour \((\S+)\): .*? No colour \(0\): skipped",
        lambda c: [c["skip"](12)["pairs"][0, 1]],
    ),
    (
        r"At (\S+) tokens the whole matrix needs (\d+) MiB, .*? three arrays of (\d+) MiB "
        r".*? Blocks need (\d+) MiB: (\d+) for each core and (\d+) for the output\.",
        lambda c: [
            max(measured("tokens")),
            max(measured("MiB, whole matrix")),
            1024 * c["gibibytes"](2048, 8),
            max(measured("MiB, blockwise")),
            4 * 256 * 2048 / 2**20,
            4 * 8 * 2048 * 64 / 2**20,
        ],
    ),
    (r"Full colour \(1\): computed in this step", by_definition),
    (
        r"Weak colour \((\S+)\): computed in an earlier",
        lambda c: [c["write_on"](5)["row"][0, 0]],
    ),
    (
        r"Eight tokens take (\d+) scores with the cache and (\d+) without\. ",
        lambda c: [c["write_on"](8)["sum kept"], c["write_on"](8)["sum again"]],
    ),
    (r"A causal mask has a 1 on its diagonal\.", by_definition),
    (
        r"layer\. SmolLM2 .*? has (30) layers with (9) heads of .*? reads up to (\S+) tokens:",
        lambda c: [30, 9, c["TOKENS"][-1]],  # as published; tools/data/smollm2.py reads the file
    ),
    (
        r"the cache would take (\d+) MiB\. This is twice as much as the model's (\d+) million "
        r"parameters take",
        lambda c: [c["cache_mebibytes"](8192, 9), c["PARAMETERS"] / 10**6],
    ),
    (r"of SmolLM2 \(30 layers, heads of size 64\), with as many", by_definition),
    (
        r"`float16`, has (11) significant bits .*? its largest number is (\S+)\. A dot",
        lambda c: [np.finfo("float16").nmant + 1, np.finfo("float16").max],
    ),
    (r"a query and a key of 64 entries, all of them 40\.", by_definition),
    (r"as a sum of 4,096 ones shows:", by_definition),
    (r"The dot product, (\S+), becomes", lambda c: [64 * 40 * 40]),
    (r"for scores above .*? 65\{,\}504 .*? (\S+)\$, but", lambda c: [np.log(65_504)]),
    (
        r"After (\S+) the next `float16` is (\S+), so adding 1 changes",
        lambda c: [c["Z"], np.nextafter(c["Z"], np.float16(np.inf))],
    ),
    (r"before the product, .*? we get (\S+), which fits", lambda c: [64 * 40 * 40 / 8]),
    (r"accumulate scores, .*? in `float32`, while", by_definition),
    (r"how FlashAttention-2 goes back", by_definition),  # its name
    (r"two bytes, `bfloat16`, .*? as `float32` does, but with only 8 significant", by_definition),
    (r"runs in `float16`\. Entries of queries and keys reach 40, and", by_definition),
    (r"Keep the sum of the exponentials in `float32`\.", by_definition),
    (r"Replace infinite scores by (\S+)\.", lambda c: [np.finfo("float16").max]),
    (r"The products reach (\S+) before", lambda c: [64 * 40 * 40]),
    (r"accumulate both in `float32`\. If .*? stay in `float16`, divide", by_definition),
    (
        r"the report with (\d+) MiB of scores .*? instead of (\d+) GiB",
        lambda c: [4 * 256 * report(c) / 2**20, c["gibibytes"](report(c), 16)],
    ),
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


def test_with_more_blocks_the_work_nears_one_half(chapter):
    shares = [float(line.split()[-1]) for line in printed(chapter, "for b in")]
    assert shares == sorted(shares, reverse=True)
    assert 0.5 < shares[-1] < 0.505
    assert "8 36 of 64 0.5625" in printed(chapter, "for b in")


def test_without_blocks_almost_half_of_the_scores_are_computed_to_be_hidden():
    assert 0.49 < 1 - np.tri(512).mean() < 0.5


# what the figures show


def test_the_width_moves_the_work_heads_the_memory_and_tokens_both(chapter):
    figure = chapter.figure("fig-cost")
    start = figure.frame()
    wide, many, long = (
        figure.frame(**change) for change in ({"d": 1024}, {"heads": 16}, {"tokens": 16_384})
    )

    def moved(frame):
        names = ("work here", "memory here")
        return [not np.isclose(frame[name], start[name]) for name in names]

    assert [moved(frame) for frame in (wide, many, long)] == [
        [True, False],
        [False, True],
        [True, True],
    ]
    np.testing.assert_allclose(long["memory here"], 4 * start["memory here"])


def test_the_curves_of_cost_pass_through_what_is_read(chapter):
    figure = chapter.figure("fig-cost")
    for place, tokens in enumerate(chapter.namespace["LENGTHS"].tolist()):
        frame = figure.frame(tokens=tokens)
        np.testing.assert_allclose(frame["work"][place], frame["work here"])
        np.testing.assert_allclose(frame["memory"][place], frame["memory here"])


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


def test_an_output_is_finished_with_the_last_tile_of_its_row_and_not_before(chapter):
    figure = chapter.figure("fig-blocks")
    for tiles in range(1, 13):
        frame = figure.frame(tiles=tiles)
        rows = tiles // 4 * 4  # four queries for every four tiles
        assert frame["error"][:rows].max(initial=0) < 1e-12
        assert frame["error"][rows:].min(initial=1) > 0.001
        assert frame["error"].max() < 2.5
        assert frame["finished"] == rows


def test_each_tile_takes_weight_from_those_before_and_most_where_the_maximum_rises(chapter):
    figure, scores = chapter.figure("fig-blocks"), chapter.namespace["few_scores"]
    for tiles in (t for t in range(1, 12) if t % 4):  # the next tile is in the same row
        rows, keys = slice(tiles // 4 * 4, tiles // 4 * 4 + 4), tiles % 4 * 3
        now = figure.frame(tiles=tiles + 1)["weights"][rows]
        lost = now[:, keys : keys + 3].sum(axis=1)
        rises = scores[rows, keys : keys + 3].max(axis=1) > scores[rows, :keys].max(axis=1)
        assert lost.min() > 0
        if rises.any() and not rises.all():
            assert lost[rises].min() > lost[~rises].max()


def test_smaller_blocks_compute_less_that_is_hidden(chapter):
    figure = chapter.figure("fig-causal")
    shares = [figure.frame(block=block)["share"] for block in (1, 2, 3, 4, 6, 12)]
    computed = [share[0] for share in shares]
    assert computed == sorted(computed)
    assert computed[0] == shares[0][1]
    assert computed[-1] == 1


def test_the_cache_gives_the_same_rows_and_the_same_text(chapter):
    assert printed(chapter, "X = rng.normal(size=(10, 6))")[0].startswith("True")
    cell = find(chapter, "again = generate")
    assert cell.value is True


def test_without_the_cache_every_step_computes_a_triangle_and_with_it_a_row(chapter):
    figure = chapter.figure("fig-cache")
    for written in range(1, 9):
        frame = figure.frame(written=written)
        assert frame["all"].sum() == written * (written + 1) / 2
        assert (frame["row"] == 1).sum() == written
        assert frame["sum kept"] == written * (written + 1) / 2
        triangles = [t * (t + 1) / 2 for t in range(1, written + 1)]
        assert frame["sum again"] == sum(triangles)


def test_the_parameters_of_smollm2_are_those_of_its_matrices(chapter):
    d, hidden, d_k = 576, 1536, 64
    attention_matrices = 2 * d * 9 * d_k + 2 * d * 3 * d_k  # W_q and W_o, W_k and W_v
    layer = attention_matrices + 3 * d * hidden + 2 * d  # a gated feed-forward network, two norms
    assert chapter.namespace["PARAMETERS"] == 49_152 * d + 30 * layer + d


def test_nine_key_heads_would_take_twice_the_memory_of_the_parameters(chapter):
    frame = chapter.figure("fig-cache-memory").frame(tokens=8192, size=2)
    assert frame["nine now"] / frame["model"][0] == pytest.approx(2, abs=0.15)
    assert frame["three now"] == frame["nine now"] / 3
    assert frame["nine"][-1] == frame["nine now"]


def test_the_dot_product_overflows_in_half_precision_and_the_divided_query_does_not(chapter):
    assert printed(chapter, "big =") == ["inf 12800.0 inf"]
    assert printed(chapter, "Z = np.float16") == ["2048.0"]


# what was measured


def test_blocks_are_faster_than_the_whole_matrix_every_time_also_in_pytorch():
    blocks, whole, torch = map(measured, WAYS)
    assert all(b < w for b, w in zip(blocks, whole, strict=True))
    assert all(b < t for b, t in zip(blocks, torch, strict=True))


def test_the_table_of_the_page_is_the_file_of_the_benchmark():
    with TABLE.open(encoding="utf-8", newline="") as file:
        written = list(csv.reader(file))
    assert shown_table(PAGE.read_text(encoding="utf-8")) == written


def test_the_page_says_what_it_was_measured_on():
    text = " ".join(re.sub(r"<[^>]*>", "", PAGE.read_text(encoding="utf-8")).split())
    assert MACHINE.read_text(encoding="utf-8").strip() in text


def shown_table(html):
    """Return the cells of the table ``tab-fast``, row by row."""
    reader = TableReader()
    reader.feed(html)
    return reader.rows


class TableReader(HTMLParser):
    """Reads the cells of one table."""

    def __init__(self):
        super().__init__()
        self.rows, self.inside, self.in_cell = [], False, False

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.inside = dict(attributes).get("id") == "tab-fast"
        elif self.inside and tag == "tr":
            self.rows.append([])
        elif self.inside and tag in ("td", "th"):
            self.rows[-1].append("")
            self.in_cell = True

    def handle_endtag(self, tag):
        if tag == "table":
            self.inside = False
        elif tag in ("td", "th"):
            self.in_cell = False

    def handle_data(self, data):
        if self.inside and self.in_cell:
            self.rows[-1][-1] = (self.rows[-1][-1] + data).strip()
