"""What the chapter "The whole Transformer" says is what its cells and figures give."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest
from book.chapters import by_definition, find

from attention_lib import causal_mask, softmax, transformer_block
from attention_lib.models import load_smollm2_block

ROOT = Path(__file__).parents[2]


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


def first_word(c, part):
    """Return how likely the translator finds "le", with one of its parts silenced."""
    return c["align"](part)["sure"][0]


def feminine(c):
    """Return how likely the translator finds "la" at first, without the encoder's heads."""
    t = c["silenced"]("encoder")
    scores, _ = c["decode"](t, [0], c["encode"](t, c["english"]))
    return softmax(scores)[0, t.french.index("la")]


def queen_and_she(c, parameters):
    """Return how alike the layer of MiniLM makes two words, with a memory or without."""
    Y = transformer_block(c["king"].X, c[parameters], norm="after", activation="gelu")
    places = [c["king"].tokens.index(word) for word in ("queen", "she")]
    return c["cosine"](*Y[places])


def added_by(c, number):
    """Return what a block adds, as a share of the stream that it reads."""
    before, after = c["streams"][number - 1 : number + 1]
    return c["magnitude"](after - before) / c["magnitude"](before)


def parameters_of_smollm2(c):
    """Return the parameters of the model, with 30 blocks and a last gain, and its embeddings."""
    d, of_block = 576, sum(W.size for W in c["smollm2"].parameters.values())
    return [49_152 * d + 30 * of_block + d, 49_152 * d]


CLAIMS = [
    (
        r"takes the spread from (\S+) to (\S+), and the next",
        lambda c: [c["spread"](c["X"]), stack(c, 1, alone(c))[0]],
    ),
    (r"The spread is 0 if all words have the same vector", by_definition),
    (
        r"have a spread of (\S+), whereas before they had almost none",
        lambda c: [stack(c, 4, added(c))[0]],
    ),
    (
        r"grows by a factor in each layer, to (\S+) after (\d+)\. What",
        lambda c: [stack(c, 24, added(c))[1], len(c["layers"])],
    ),
    (r"Now we run all (24) layers:", lambda c: [len(c["layers"])]),
    (r"avoids a division by 0\. This is", by_definition),
    (
        r"The magnitude after (\d+) layers is (\S+), down from (\S+)\. Each",
        lambda c: [24, stack(c, 24, normed(c))[1], stack(c, 24, added(c))[1]],
    ),
    (
        r"about half of the (\d+) keys fit a word",
        lambda c: [c["layers"][0]["W_1"].shape[1]],
    ),
    (
        r"MiniLM has (\S+) such memories in each layer",
        lambda c: [c["memories"](c["king"].X).shape[1]],
    ),
    (r"The next cell runs its layer 3 up to", by_definition),
    (r"a row of (\d+) numbers for each token\. For one", lambda c: [c["king"].X.shape[1]]),
    (r"the tokens that key 146, which we picked, fits best", by_definition),
    (
        r"On average only (\S+) of the keys fit a token\.",
        lambda c: [(c["fits"] > 0).mean()],
    ),
    (r"Key 146 fits \*she\*, \*her\* and \*queen\*, and none of the others", by_definition),
    (
        r"\*queen\* and \*she\* more alike, (\S+) instead of (\S+)\. We",
        lambda c: [queen_and_she(c, "full"), queen_and_she(c, "without")],
    ),
    (
        r"for most of the (\S+) one cannot see",
        lambda c: [c["full"]["W_1"].shape[1]],
    ),
    (r"What must be added to 5 to get", by_definition),
    (r"train, stays between 0\.3 and 1 here\.", by_definition),  # tested below
    (r"of a negative number, and 0 for others", by_definition),
    (
        r"we stack (\d+) such blocks: After all 24 the words still differ: their spread is (\S+)\.",
        lambda c: [24, stack(c, 24, c["block"])[0]],
    ),
    (r"24 blocks with random matrices, and what goes wrong", by_definition),
    (
        r"the magnitude, which was (\S+) with heads alone, now",
        lambda c: [stack(c, 24, added(c))[1]],
    ),
    (
        r"the magnitude is 1 at every depth, but the spread falls to less than 0\.001\. In",
        by_definition,  # tested below
    ),
    (
        r"block adds (\S+) times the magnitude of the stream that enters it, the last (\S+) times",
        lambda c: [added_by(c, 1), added_by(c, 24)],
    ),
    (
        r"the cosine between input and output is only (\S+)\. ",
        lambda c: [c["cosine"](c["X"], c["streams"][24])],
    ),
    (r"block is close to that of 2017\. What has changed since\? SmolLM2 ", by_definition),
    (r"with the sizes of SmolLM2:", by_definition),
    (r"as \*\*gates\*\*: near 0 they stop", by_definition),
    (
        r"becomes a row of E, (49,152) by (576), .*? W_q, nine times 576 by (64), .*? W_1, 576 by "
        r"(1,536); .*? a score for each token\.",  # the sizes of the matrices are tested below
        lambda c: [49_152, *c["smollm2"].parameters["W_q"].shape[1:], 1536],
    ),
    (r"every matrix of SmolLM2, its size", by_definition),
    (r"one block of SmolLM2 \(", by_definition),
    (r"and SmolLM2 are \*decoder-only\*", by_definition),
    (r"(nine) heads of queries share (three) of", lambda c: [9, 3]),
    (r"has stored layer 10 of SmolLM2 \(.*? what enters", by_definition),  # tested below
    (
        r"The outputs reach (\S+), and no number differs by as much as 0\.0001; the difference",
        lambda c: [np.abs(c["output"]).max()],
    ),
    (
        r"has (134,515,008) parameters, (28,311,552) of them in \$E\$\.",
        parameters_of_smollm2,
    ),
    (
        r"two vectors of (64) numbers each have length (8), so their dot product is at most (64), "
        r"and the score lies between \$-8\$ and (8)\. A",
        lambda c: [64, np.sqrt(64), np.sqrt(64) ** 2, 64 / np.sqrt(64)],
    ),
    (r"have \$9 \\cdot 576 \\cdot 64\$ numbers\. .*? A gain has 576 numbers", by_definition),
    (r"second norm are `gain_2` and `bias_2`\.", by_definition),
    (r"and `W_1`, `W_2` for the network of .*? \(no biases", by_definition),
    (r"then layer 3 of MiniLM\.", by_definition),
    (r"The decoder starts from \*end\* \(number 0\), as", by_definition),
    (
        r"chooses \*noir\*, it gives \*black\* (\S+) of its weight",
        lambda c: [c["weights"][c["french"].index("noir"), 2]],
    ),
    (
        r"chooses \*le\*, \*the\* gets (\S+) of the weight",
        lambda c: [c["weights"][0, 0]],
    ),
    (
        r"probability of \*le\* falls from (\S+) to (\S+), although "
        r".*? the feminine \*la\*, which is what \*the\* alone gives here, gets (\S+)\. So",
        lambda c: [first_word(c, ""), first_word(c, "encoder"), feminine(c)],
    ),
    (r"so that French word 1 looks at English word 1 only", by_definition),
    (r"while the magnitude stays near 1\.", by_definition),  # tested below
]


def test_without_additions_four_layers_leave_one_vector_and_magnitudes_stay(chapter):
    c = chapter.namespace
    assert stack(c, 4, alone(c))[0] < 1e-9
    for depth in range(5):
        assert stack(c, depth, alone(c))[1] == pytest.approx(1, abs=0.2)


def test_after_many_additions_all_words_choose_the_same_word(chapter):
    c = chapter.namespace
    Y, p = c["X"], c["layers"][-1]
    for earlier in c["layers"][:-1]:
        Y = added(c)(Y, earlier)
    _, weights = c["look"](Y, p)  # (h, n, n)
    assert weights.max(axis=-1).min() > 0.99
    assert all(len(set(head.argmax(axis=-1))) == 1 for head in weights)


def test_the_network_is_a_sum_over_its_memories(chapter):
    cell = find(chapter, "def network")
    assert cell.printed.startswith("True 0.4")


def test_in_a_trained_network_far_fewer_keys_fit(chapter):
    c = chapter.namespace
    fits = np.concatenate([c["memories"](s.X) > 0 for s in c["minilm"].sentences])
    assert fits.mean() < 0.25


def test_one_memory_fits_three_words_and_no_other(chapter):
    c = chapter.namespace
    fits = c["memories"](c["king"].X)[:, 146]
    words = {c["king"].tokens[i] for i in np.flatnonzero(fits > 0.1)}
    assert words == {"she", "her", "queen"}
    assert (c["memories"](c["minilm"].sentences[0].X)[:, 146] < 0.1).all()


def test_taking_out_a_part_does_what_the_text_says(chapter):
    deep = chapter.namespace["deep"]
    whole, no_norm = deep(True, "before", True), deep(True, "none", True)
    after = deep(True, "after", True)
    assert no_norm["first gradient"] > 1e6 * whole["first gradient"]
    np.testing.assert_allclose(after["magnitude"], 1, rtol=1e-3)
    assert 1e5 < no_norm["last magnitude"] < 1e6
    assert 0.3 < after["gradient"].min() < after["gradient"].max() < 1
    assert after["last spread"] < 0.001 < whole["last spread"]
    assert deep(False, "before", True)["last spread"] < 1e-9


def test_the_gradients_of_the_figure_are_those_that_nudging_measures(chapter):
    c = chapter.namespace
    p, X = c["layers"][0], c["X"][:3]
    d_Y, step = np.random.default_rng(2).normal(size=(2, *X.shape)), 1e-5
    for norm in ("before", "after", "none"):
        for part, back in ((c["heads"], c["heads_back"]), (c["network"], c["network_back"])):
            slope = (c["backward"](part, back, X, p, d_Y[0], True, norm) * d_Y[1]).sum()
            up, down = (c["forward"](part, X + s * d_Y[1], p, True, norm) for s in (step, -step))
            measured = ((up - down) * d_Y[0]).sum() / (2 * step)
            assert slope == pytest.approx(measured, rel=1e-4)


def test_with_post_norm_the_heads_add_averages_as_large_as_the_stream(chapter):
    c = chapter.namespace
    Y = c["X"]
    for p in c["layers"]:
        found = c["heads"](Y, p)
        assert 0.7 < c["magnitude"](found) / c["magnitude"](Y) < 1.4
        H = c["rms_norm"](Y + found)
        Y = c["rms_norm"](H + c["network"](H, p))


def test_the_block_of_today_is_the_layer_of_smollm2_and_the_library_s(chapter):
    c = chapter.namespace
    block = load_smollm2_block()
    assert c["largest"] < 5e-5
    assert c["smollm2"].sentences[0].text in chapter.prose
    X, mask = block.sentences[0].X, causal_mask(len(block.sentences[0].X))
    today = {"activation": "silu", "rotary_base": 100_000}
    library = transformer_block(X, block.parameters, mask, **today)
    np.testing.assert_allclose(c["output"], library, atol=5e-5)
    sizes = {name: W.shape for name, W in block.parameters.items()}
    assert sizes["W_q"] == (9, 576, 64)
    assert sizes["W_k"] == sizes["W_v"] == (3, 576, 64)
    assert sizes["W_g"] == sizes["W_1"] == (576, 1536) == (576, 8 * 576 // 3)
    network = sum(block.parameters[name].size for name in ("W_g", "W_1", "W_2"))
    assert network / sum(W.size for W in block.parameters.values()) == pytest.approx(0.75, abs=1e-3)


def test_the_translation_is_right_and_every_word_looks_at_the_one_it_translates(chapter):
    c = chapter.namespace
    assert " ".join(c["french"]) == "le petit chien noir voit une voiture rouge end"
    weights = c["align"]("")["weights"]
    looked = [[*c["english"].split(), "end"][j] for j in weights.argmax(axis=1)]
    assert looked == ["the", "small", "dog", "black", "sees", "a", "car", "red", "end"]
    without = c["align"]("encoder")["weights"]
    assert without[0].argmax() == 0
    elsewhere = c["align"]("decoder")
    assert elsewhere["sure"][0] < 0.01
    assert c["english"].split()[elsewhere["weights"][0].argmax()] == "a"


def test_the_sentence_has_a_pair_that_the_translator_never_learned_from(chapter):
    trainer = (ROOT / "provenance" / "data" / "train_translator.py").read_text(encoding="utf-8")
    held_out = ast.literal_eval(re.search(r"^HELD_OUT = (.*)$", trainer, re.MULTILINE)[1])
    assert ("black", "dog") in held_out
    assert " black dog " in chapter.namespace["english"]


def test_without_the_encoder_s_heads_the_alone_gives_the_feminine_article(chapter):
    c = chapter.namespace
    t = c["silenced"]("encoder")
    for rest in (" dog sees", " book sees", " house sees", " red car sees", ""):
        scores, _ = c["decode"](t, [0], c["encode"](t, f"the{rest}"))
        assert softmax(scores)[0, t.french.index("la")] == pytest.approx(feminine(c), abs=0.01)


def test_in_the_encoder_the_article_looks_most_at_its_noun(chapter):
    c = chapter.namespace
    assert [c["english"].split()[j] for j in c["of_the"].argmax(axis=1)] == ["dog", "dog"]
