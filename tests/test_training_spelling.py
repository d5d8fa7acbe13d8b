"""Spelling: examples, a training that repeats, stops and goes on, and words it writes."""

import math

import numpy as np
import pytest
from checks import refusals

import attention_lib as lib

WORDS = [f"{a}{b}{c}" for a in "bcdf" for b in "aeiou" for c in ("n", "nn", "t")]


@pytest.fixture(scope="module")
def task():
    return lib.Spelling(WORDS, d=8, heads=2)


def test_examples_ask_for_every_letter_and_the_end(task):
    X, answers = task.examples(["ban", "bann"])
    assert X.tolist() == [[0, *task.letters.encode("ban"), 0], [0, *task.letters.encode("bann")]]
    assert answers[0].tolist() == [*task.letters.encode("ban"), 0, -1]
    assert answers[1].tolist() == [*task.letters.encode("bann"), 0]


def test_words_that_are_held_out_are_never_drawn(task, rng):
    held_out = {tuple(row) for row in task.hold_out(rng).X.tolist()}
    drawn = {tuple(row) for row in task.draw(rng, 2000).X.tolist()}
    assert (len(held_out), len(drawn), held_out & drawn) == (6, 54, set())
    assert len(lib.Spelling(["ab", "ba", "abba"]).hold_out(rng).X) == 3  # too few: all alike


def test_measuring_counts_only_what_is_asked(task, rng):
    p, (X, answers) = task.start(rng), task.examples(["ban"])
    loss, share = lib.measure(task, p, task.examples(["ban"]))
    found, weights = task.predict(p, X)
    assert weights.shape == (1, 1, 2, 5, 5)
    np.testing.assert_array_equal(found, lib.decoder_logits(X, p))
    asked, right = found[answers >= 0], answers[answers >= 0]
    assert loss == pytest.approx(lib.cross_entropy(asked, right)[0])
    assert share == np.mean(asked.argmax(axis=-1) == right)


def test_a_training_that_is_left_for_a_while_goes_on_as_if_it_had_not_been(task):
    straight, left = (lib.Training(task, seed=1, rate=0.01) for _ in range(2))
    assert math.isnan(straight.loss)
    for _ in range(12):
        straight.step()
    for step in range(12):
        if step == 5:
            task.write(left.parameters, 2)
            left.parameters["E"].sum()
        left.step()
    assert left.loss == straight.loss > 0
    assert task.write(left.parameters, 5) == task.write(straight.parameters, 5)


def test_it_learns_to_spell(task):
    run = lib.train(task, steps=150, rate=0.02, size=32, every=150)
    assert run.losses[0] > 2
    best = (math.log(4) + math.log(5) + math.log(3) + math.log(2) * 2 / 3) / 4.33
    assert run.losses[-1] < best + 0.15
    written = task.write(run.parameters[-1], 40, temperature=0.5, rng=1)
    assert np.mean([word in WORDS for word in written]) > 0.8
    assert len(set(written)) > 10


def test_words_end_where_the_model_says(task, rng):
    p = task.start(rng)
    p["gain"][:] = 0
    words = task.write(p, 200, rng=2)
    assert len(words) == 200
    assert {len(word) for word in words} == set(range(5))


NO_WORD = "a word is a string of letters without '.', which marks its end, but one is "
REFUSED = {
    "words must be a list of some words, but are []": lambda: lib.Spelling([]),
    "words must be a list of some words, but are 'anna'": lambda: lib.Spelling("anna"),
    f"{NO_WORD}''": lambda: lib.Spelling(["a", ""]),
    f"{NO_WORD}'a.b'": lambda: lib.Spelling(["a.b"]),
    "this model has room for 2 letters, but 'abab' has 4": lambda: lib.Spelling(["ab"]).examples(
        ["abab"]
    ),
    "the letter 'c' is not one of those known: '.ab'": lambda: lib.Spelling(["ab"]).examples(
        ["abc"]
    ),
    "vectors of length 6 cannot be cut into 4 equal heads": lambda: lib.start_decoder(
        np.random.default_rng(0), 5, 5, d=6, heads=4
    ),
    "blocks must be at least 1, but is 0": lambda: lib.Spelling(["ab"], blocks=0).start(
        np.random.default_rng(0)
    ),
}
test_what_cannot_be_learned_is_refused = refusals(REFUSED)
