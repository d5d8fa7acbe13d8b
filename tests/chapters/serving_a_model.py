"""What the chapter "Serving a model" says is what its cells, its figures and a GPU's times give."""

import numpy as np
from chapters.claims import Claims
from chapters.page import run_chapter


def parameters(c, name):
    return c["parameters"](c["models"][name])


def cache(c, name):
    return c["cache_per_token"](c["models"][name])


def step(c, texts, cached, model="8B"):
    """Return what a step of a model took: its times, and the bytes that it fetches."""
    rows = c["served"].step
    (row,) = np.flatnonzero(
        (rows["model"] == model) & (rows["texts"] == texts) & (rows["cache"] == cached)
    )
    return {name: column[row] for name, column in rows.items()}


def mixed(c, tokens):
    rows = c["served"].mixed
    return rows["ms"][rows["prompt_tokens"] == tokens][0]


def prompt_alone(c, tokens):
    rows = c["served"].prompt
    return rows["ms"][(rows["model"] == "8B") & (rows["tokens"] == tokens)][0]


def given_head(c):
    """Return the bytes of cache per token of ex-token-bytes."""
    names = "num_hidden_layers hidden_size num_attention_heads num_key_value_heads head_dim"
    return c["cache_per_token"](dict(zip(names.split(), (36, 2560, 32, 8, 128), strict=True)))


def least_ms(c, rows):
    """Return how long a step takes at least, in milliseconds, by its bytes."""
    return (rows["weight_bytes"] + rows["cache_bytes"]) / c["B"] * 1000


def steps_of(c, policy):
    return c["serve"](c["requests"], 20, *c["policies"][policy])


GIVEN = {
    "sizes of the examples": "128 192 256 1,024 2,560 4,096 8,192 32,768",
    "as published": "3.1 132 140 141 236 512",
}
CLAIMS = Claims(
    (
        "the parameters that … counted in the file, and the gain of the last norm",
        lambda c: (
            parameters(c, "SmolLM2") - 576 == sum(run_chapter("a_real_language_model")["sizes"])
        ),
    ),
    (
        "The 70B model has nearly nine times the parameters",
        lambda c: 8.7 < parameters(c, "70B") / parameters(c, "8B") < 9,
    ),
    ("The answer {} times. Both have eight", lambda c: cache(c, "70B") / cache(c, "8B")),
    (
        "Its cache is about half as large as that of the 8B model",
        lambda c: 0.5 < 60 * (512 + 64) * 2 / cache(c, "8B") < 0.55,
    ),
    (
        "{} KiB and {} GiB",
        lambda c: [given_head(c) / 2**10, 32_768 * given_head(c) / 2**30],
    ),
    (
        "leaves room for {} conversations of 8,192 tokens",
        lambda c: c["fit"](c["llama_8b"], 8192),
    ),
    (
        "they leave room for {}",
        lambda c: c["fit"](c["llama_70b"], 8192, 0.5),
    ),
    (
        "The weights of the 70B model alone are more than the nine tenths",
        lambda c: 2 * parameters(c, "70B") > 0.9 * 140 * 2**30,
    ),
    ("in one byte per parameter ({} parameters)", lambda c: parameters(c, "8B")),
    ("With fewer than {} tokens, products", lambda c: 300 / 2),
    (
        "which is {} for the 8B model, however many texts",
        lambda c: c["new_tokens"][:, 0].mean(),
    ),
    (
        "The answer {} times. If you guessed 64",
        lambda c: 64 * step(c, 1, 1024)["ms"] / step(c, 64, 1024)["ms"],
    ),
    (
        "a step for 64 texts takes {} times as long as for one",
        lambda c: step(c, 64, 1024)["ms"] / step(c, 1, 1024)["ms"],
    ),
    (
        "16 texts already have more bytes of caches than the model has weights",
        lambda c: step(c, 16, 8192)["cache_bytes"] > step(c, 16, 8192)["weight_bytes"],
    ),
    ("The answers fill little more than half of the room", lambda c: 60 < c["answer"].sum() < 70),
    (
        "may take twice as many steps with another policy",
        lambda c: (
            2
            < steps_of(c, "batch after batch").shape[1] / steps_of(c, "continuous, paged").shape[1]
            < 2.5
        ),
    ),
    (
        "makes the step {} ms longer; a step of its own takes {} ms",
        lambda c: [mixed(c, 128) - mixed(c, 0), prompt_alone(c, 128)],
    ),
    (
        "takes {} ms to write one token … and {} ms if Python",
        lambda c: [step(c, 1, 1024, "SmolLM2-135M")[name] for name in ("ms", "eager_ms")],
    ),
    (
        "By … it would be {} ms",
        lambda c: least_ms(c, step(c, 1, 1024, "SmolLM2-135M")),
    ),
    (
        "With the 8B shape and 256 texts the difference nearly vanishes",
        lambda c: step(c, 256, 1024)["eager_ms"] < 1.1 * step(c, 256, 1024)["ms"],
    ),
    (
        "even the larger GPU holds only {} conversations of this length",
        lambda c: c["fit"](c["llama_8b"], 4096),
    ),
    (
        "DeepSeek-V2's lies right of the ridge",
        lambda c: c["P"] / c["B"] < 2 * 128 * (512 + 64 + 512) / (2 * (512 + 64)),
    ),
    (
        "By the bytes it would be {}",
        lambda c: 64 * least_ms(c, step(c, 1, 1024)) / least_ms(c, step(c, 64, 1024)),
    ),
    (
        "and each gets at most {} tokens a second",
        lambda c: c["tokens_a_second"](c["llama_8b"], 100, 8192) / 100,
    ),
    (
        "A hundred such conversations fit",
        lambda c: c["fit"](c["llama_8b"], 8192) >= 100,
    ),
    (
        "so the weights take {} GiB",
        lambda c: step(c, 1, 1024)["weight_bytes"] / 2**30,
    ),
    (
        "The measured steps took up to {} times as long as",
        lambda c: (c["served"].step["ms"] / least_ms(c, c["served"].step))[
            c["served"].step["model"] == "8B"
        ].max(),
    ),
    ("while one of 1,024 tokens is read ({} ms)", lambda c: prompt_alone(c, 1024)),
    (
        "could get two hundred tokens",
        lambda c: 195 < prompt_alone(c, 1024) / step(c, 64, 1024)["ms"] * 64 < 210,
    ),
    ("so 8,192 tokens take {} ms", lambda c: prompt_alone(c, 8192)),
    (
        "for the largest cache our function, which is not tuned, needs only a sixth less",
        lambda c: abs(1 - c["rows"]["bits_8_ms"][-1] / c["rows"]["bits_16_ms"][-1] - 1 / 6) < 0.01,
    ),
    (
        "in 8 bits they took a little more than half the time",
        lambda c: np.ptp(c["served"].matrix["bits_8_ms"] / c["served"].matrix["ms"] - 0.5) < 0.13,
    ),
)


@CLAIMS.says("Up to 128 tokens the blue points climb just below the slope")
def products_follow_the_slope_and_then_stay_below_the_roof(c):
    across, up = c["products"].T
    roof = np.minimum(c["P"], across * c["B"]) / 1e12
    assert (up < roof).all()
    assert (up[c["FED"] <= 128] > 0.7 * roof[c["FED"] <= 128]).all()
    assert (across[c["FED"] <= 128] < c["P"] / c["B"]).all()
    shares = (up / roof)[c["FED"] >= 256]
    assert abs(shares.mean() - 0.7) < 0.05
    assert np.ptp(shares) < 0.15


@CLAIMS.says("with many long caches it nearly reaches the slope")
def attention_of_new_tokens_stays_on_an_upright_line(c):
    across, up = c["new_tokens"].T
    np.testing.assert_allclose(across, 4)
    assert 0.9 < up.max() / (4 * c["B"] / 1e12) < 1
    assert up.argmax() in (8, 11)


@CLAIMS.says("While $n$ is much smaller than $d$, the vectors hardly count")
def the_intensity_is_nearly_the_number_of_tokens(c):
    assert abs(c["intensity"](64) / 64 - 1) < 0.02


@CLAIMS.says("those that find no room must wait")
def weights_and_caches_are_never_more_than_what_is_free(c):
    figure = c.figure("fig-gpu-memory")
    crowd = figure.frame(model="8B", bits=16, tokens=8192, asking=200)
    assert crowd["held"] + crowd["waiting"] == 200
    assert crowd["held"] == c["fit"](c["llama_8b"], 8192)
    assert crowd["weights"] + crowd["caches"] < 126
    assert figure.frame(model="70B", bits=16, tokens=8192, asking=10)["held"] == 0


@CLAIMS.says("So only the last page of each text has empty room")
def every_page_but_the_last_of_each_text_is_full(c):
    figure = c.figure("fig-pages")
    for size in (4, 8, 16, 64):
        for sharing in (False, True):
            frame = figure.frame(size=size, count=6, sharing=sharing, who=0)
            tables, shared = c["grow"](size, 6, sharing)
            own = [page for table in tables for page in table[shared:]]
            assert len(own) == len(set(own))
            assert shared == sharing * (12 // size)
            assert frame["taken"] == (len(own) + shared) * size
            empty = sum(len(t) * size - n for t, n in zip(tables, c["LENGTHS"], strict=False))
            assert (frame["slots"] < 0).sum() == empty
            assert empty < len(tables) * size


@CLAIMS.says("with 64, a page has room for the longest")
def with_large_pages_three_conversations_wait(c):
    frame = c.figure("fig-pages").frame(size=64, count=6, sharing=False, who=0)
    assert (frame["held"], frame["waiting"]) == (3, 3)


@CLAIMS.says("a row that turns pale again was preempted")
def only_pages_that_are_not_reserved_are_given_back(c):
    again = {name: steps_of(c, name) for name in c["policies"]}
    pale = {name: ((s[:, :-1] == 2) & (s[:, 1:] == 1)).sum() for name, s in again.items()}
    assert [*map(bool, pale.values())] == [False, False, True]
    written = {(s == 2).sum() for s in again.values()}
    assert written == {c["answer"].sum()}


@CLAIMS.says("does them at a little more than half of $P$")
def prompts_are_read_at_a_little_more_than_half_of_the_operations(c):
    weights = step(c, 1, 1024)["weight_bytes"] / 2 - 128_256 * 4096  # E: for the last token alone
    for n in (1024, 2048, 4096, 8192):
        operations = 2 * n * weights + 32 * 2 * n**2 * 32 * 128  # of 32 layers, causal
        assert 0.5 < operations / prompt_alone(c, n) * 1000 / c["P"] < 0.6


@CLAIMS.says("Long caches move this limit up")
def with_long_caches_a_guess_pays_at_256_texts(c):
    """Compare a step with one guess and a step without, from the products' times and the bytes."""
    layers = step(c, 1, 1024)["weight_bytes"] / 2 / 8192**2
    for cached, pays in ((0, False), (2048, True)):
        ms = layers * np.interp([256, 512], c["FED"], c["served"].matrix["ms"])
        ms = ms + 256 * cached * cache(c, "8B") / c["B"] * 1000
        assert (1.8 * ms[0] / (ms[1] + 0.05 * ms[0]) > 1) == pays


@CLAIMS.says("At few texts it pays well; at 256, even when four of five guesses are kept")
def guesses_pay_for_few_texts(c):
    figure = c.figure("fig-speculate")
    assert figure.frame(alpha=0.8, texts=4)["best"] > 3
    assert figure.frame(alpha=0.8, texts=256)["best"] < 1
