"""What the chapter "The whole Transformer" says is what its cells and figures give."""

import ast
import re

import numpy as np
import pytest
from chapters.claims import Claims
from chapters.page import ROOT

from attention_lib import causal_mask, transformer_block
from attention_lib.models import load_smollm2_block


def stack(c, depth, part):
    """Return the spread and the magnitude of the stream after some layers."""
    Y = c["X"]
    for p in c["layers"][:depth]:
        Y = part(Y, p)
    return c["spread"](Y), c["magnitude"](Y)


def alone(c):
    return c["heads"]


def added(c):
    return lambda Y, p: Y + c["heads"](Y, p)


def normed(c):
    return lambda Y, p: Y + c["heads"](c["rms_norm"](Y), p)


BATCHES = (1, 16, 128)  # of the cell on experts


def needed(tokens):
    """Return the share of 160 experts that these tokens need, if each chooses six at random."""
    return 1 - (1 - 6 / 160) ** tokens


def first_word(c, part):
    """Return how likely the translator finds "le", with one of its parts silenced."""
    return c["align"](part)["sure"][0]


def added_by(c, number):
    """Return what a block adds, as a share of the stream that it reads."""
    before, after = c["streams"][number - 1 : number + 1]
    return c["magnitude"](after - before) / c["magnitude"](before)


def parameters_of_smollm2(c):
    """Return the parameters of the model, with 30 blocks and a last gain, and its embeddings."""
    d, of_block = 576, sum(W.size for W in c["smollm2"].parameters.values())
    return [49_152 * d + 30 * of_block + d, 49_152 * d]


GIVEN = {
    "as published": "236",
    "sizes of the models": "160 576",
}
CLAIMS = Claims(
    (
        "At first the words keep more of their spread, but their magnitude explodes",
        lambda c: stack(c, 4, added(c))[0] > 0.1 and stack(c, 24, added(c))[1] > 1000,
    ),
    (
        "after all {} layers its magnitude is {}",
        lambda c: [len(c["layers"]), stack(c, 24, normed(c))[1]],
    ),
    ("about half of the keys fit a word", lambda c: 0.45 < (c["fit"] > 0).mean() < 0.55),
    (
        "On average about a fifth of the keys fit a token",
        lambda c: 0.18 < (c["fits"] > 0).mean() < 0.22,
    ),
    ("we stack {} such blocks", lambda c: len(c["layers"])),
    (
        "After all of them the words still differ",
        lambda c: stack(c, 24, c["block"])[0] > 0.1,
    ),
    ("so the last ones change it little", lambda c: added_by(c, 1) > 1 and added_by(c, 24) < 0.2),
    (
        "W_q, nine times {} by 64, … W_1, 576 by {}",
        lambda c: c["smollm2"].parameters["W_1"].shape,
    ),
    ("has {} parameters, {} of them in $E$", parameters_of_smollm2),
    (
        "One expert gets ten times as many tokens as another",
        lambda c: c["load"](0).max() > 10 * c["load"](0).min(),
    ),
    ("Another has made the second printed line even", lambda c: np.ptp(c["load"](c["shift"])) < 10),
    (
        "But a batch of {} texts needs nearly half",
        lambda c: [next(b for b in BATCHES if needed(b) > 0.4)],
    ),
    ("one of {} needs nearly all", lambda c: [next(b for b in BATCHES if needed(b) > 0.99)]),
    (
        "and the weights cross over",
        lambda c: c["weights"][c["french"].index("noir"), 2] > 0.95,
    ),
    (
        "chooses le, it looks at the, not at dog",
        lambda c: c["weights"][0, 0] > 0.9,
    ),
    (
        "Without the encoder's heads, la takes the place of le",
        lambda c: first_word(c, "") > 0.99 and first_word(c, "encoder") < 0.05,
    ),
)


@CLAIMS.says("Layers of attention alone average what was averaged before")
def without_additions_four_layers_leave_one_vector_and_magnitudes_stay(c):
    assert stack(c, 4, alone(c))[0] < 1e-9
    for depth in range(5):
        assert stack(c, depth, alone(c))[1] == pytest.approx(1, abs=0.2)


@CLAIMS.says("fits she, her and queen, and none of the others")
def one_memory_fits_three_words_and_no_other(c):
    fits = c["memories"](c["king"].X)[:, 146]
    words = {c["king"].tokens[i] for i in np.flatnonzero(fits > 0.1)}
    assert words == {"she", "her", "queen"}
    assert (c["memories"](c["minilm"].sentences[0].X)[:, 146] < 0.1).all()


@CLAIMS.says("that is the one thing a norm controls, but it cannot keep apart")
def taking_out_a_part_does_what_the_text_says(c):
    deep = c["deep"]
    whole, no_norm = deep(True, "before", True), deep(True, "none", True)
    after = deep(True, "after", True)
    assert no_norm["first gradient"] > 1e6 * whole["first gradient"]
    np.testing.assert_allclose(after["magnitude"], 1, rtol=1e-3)
    assert 1e5 < no_norm["last magnitude"] < 1e6
    assert 0.3 < after["gradient"].min() < after["gradient"].max() < 1
    assert after["last spread"] < 0.001 < whole["last spread"]
    assert deep(False, "before", True)["last spread"] < 1e-9


@CLAIMS.says("if the stream changes a little at some depth, how much does what comes out")
def the_gradients_of_the_figure_are_those_that_nudging_measures(c):
    p, X = c["layers"][0], c["X"][:3]
    d_Y, step = np.random.default_rng(2).normal(size=(2, *X.shape)), 1e-5
    for norm in ("before", "after", "none"):
        for part, back in ((c["heads"], c["heads_back"]), (c["network"], c["network_back"])):
            slope = (c["backward"](part, back, X, p, d_Y[0], True, norm) * d_Y[1]).sum()
            up, down = (c["forward"](part, X + s * d_Y[1], p, True, norm) for s in (step, -step))
            measured = ((up - down) * d_Y[0]).sum() / (2 * step)
            assert slope == pytest.approx(measured, rel=1e-4)


@CLAIMS.says("an average that is about as large as the stream")
def with_post_norm_the_heads_add_averages_as_large_as_the_stream(c):
    Y = c["X"]
    for p in c["layers"]:
        found = c["heads"](Y, p)
        assert 0.7 < c["magnitude"](found) / c["magnitude"](Y) < 1.4
        H = c["rms_norm"](Y + found)
        Y = c["rms_norm"](H + c["network"](H, p))


@CLAIMS.says("Most French colour adjectives follow their noun, so black dog became chien noir")
def the_translation_is_right_and_every_word_looks_at_the_one_it_translates(c):
    assert " ".join(c["french"]) == "le petit chien noir voit une voiture rouge end"
    weights = c["align"]("")["weights"]
    looked = [[*c["english"].split(), "end"][j] for j in weights.argmax(axis=1)]
    assert looked == ["the", "small", "dog", "black", "sees", "a", "car", "red", "end"]
    without = c["align"]("encoder")["weights"]
    assert without[0].argmax() == 0
    assert c["align"]("encoder")["la"] > 0.9
    elsewhere = c["align"]("decoder")
    assert elsewhere["sure"][0] < 0.01
    assert c["english"].split()[elsewhere["weights"][0].argmax()] == "a"


@CLAIMS.says("The pair black dog was not among the examples in training")
def the_sentence_has_a_pair_that_the_translator_never_learned_from(c):
    trainer = (ROOT / "provenance" / "data" / "train_translator.py").read_text(encoding="utf-8")
    held_out = ast.literal_eval(re.search(r"^HELD_OUT = (.*)$", trainer, re.MULTILINE)[1])
    assert ("black", "dog") in held_out
    assert " black dog " in c["english"]


@CLAIMS.says("The outputs are equal up to rounding")
def the_block_of_today(c):
    assert c["largest"] < 5e-5
    block = load_smollm2_block()
    X, mask = block.sentences[0].X, causal_mask(len(c["output"]))
    today = {"activation": "silu", "rotary_base": 100_000}
    library = transformer_block(X, block.parameters, mask, **today)
    np.testing.assert_allclose(c["output"], library, atol=5e-5)
