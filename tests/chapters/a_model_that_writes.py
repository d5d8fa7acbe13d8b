"""What the chapter "A model that writes" says is what its cells, its data and its figures give."""

import itertools

import numpy as np
import pytest
from chapters.claims import Claims

from attention_lib import Spelling, bits, measure
from attention_lib.models import load_measures, load_names_model


def with_interpolation(c, strength=15):
    """Return bits per held-out letter of tables of 1, 2, … letters, mixed with shorter ones."""
    return [
        -np.mean([np.log2(c["interpolated"](run, strength)) for run in c["runs"](c["held_out"], n)])
        for n in c["TABLES"]
    ]


PARTS = {  # of the table: the names of the matrices, and how many numbers GPT-2 has in its own
    "$E$, a vector for each token": (["E"], 50_257 * 768),
    "$P$, a vector for each position": (["P"], 1_024 * 768),
    "$W_q$, $W_k$, $W_v$": (["W_q", "W_k", "W_v"], 12 * 3 * 768**2),
    "$W_o$": (["W_o"], 12 * 768**2),
    "feed-forward": (["W_1", "W_2"], 12 * 2 * 768 * 3_072),
    "gains and biases": (
        ["gain_1", "gain_2", "gain", "b_1", "b_2"],
        25 * 2 * 768 + 12 * 9 * 768,  # GPT-2 has biases everywhere
    ),
    "$U$, a score for each token": (["U"], 0),
}


def numbers_of(c, names):
    return sum(c["parameters"][name].size for name in names)


GIVEN = {
    "as published": "50,257 768 1,024 3,072",
    "how the writer was trained": "128 256",
    "256 times 128 tokens in each of 8,000 steps, from 1.97 million": "130",
}
CLAIMS = Claims(
    *(
        (
            f"| {part} | … | {{}} | … | {{}} |",
            lambda c, names=names, gpt=gpt: [numbers_of(c, names), gpt / 1e6],
        )
        for part, (names, gpt) in PARTS.items()
    ),
    (
        "| all | | {} | | {} |",
        lambda c: [numbers_of(c, c["parameters"]), sum(gpt for _, gpt in PARTS.values()) / 1e6],
    ),
    (
        "The answer {}, as in a model that knows nothing",
        lambda c: c["counted"](c["NAME"].index("t"), 6)["bits"],
    ),
    (
        "the table of pairs pays {} bits a letter",
        lambda c: c["held_out_bits"].mean(),
    ),
    (
        "bits a letter, and the model that knows nothing {}",
        lambda c: np.log2(len(c["LETTERS"])),
    ),
    (
        "in both the feed-forward networks hold the most numbers",
        lambda c: (
            max(PARTS, key=lambda part: PARTS[part][1])
            == max(PARTS, key=lambda part: numbers_of(c, PARTS[part][0]))
            == "feed-forward"
        ),
    ),
    (
        "It needs fewer bits than the best of these tables",
        lambda c: c["writer"].history[-1].bits < min(c["measures"].interpolated),
    ),
    (
        "tables still win on names ({} bits a letter against {})",
        lambda c: [min(with_interpolation(c)), load_names_model().history[-1].bits],
    ),
    ("By {} steps of Adam", lambda c: c["writer"].history[-1].step),
    ("here until there are {}", lambda c: len(c["writer"].pairs.tokens)),
)


@CLAIMS.says("Let them play a guessing game on held-out names")
def the_names_that_are_held_out_are_those_that_training_holds_out(c):
    task = Spelling(c["names"])
    held_out = task.examples(list(c["held_out"]))
    np.testing.assert_array_equal(task.hold_out(np.random.default_rng(0)).X, held_out.X)


@CLAIMS.says(
    "Runs of five fit the counted names better still, but from there on new names cost more"
)
def counting_gets_better_up_to_four_letters_and_then_only_on_its_own_names(c):
    new, own = (
        [c["bits_of_counting"](n, c[w]) for n in range(1, 7)] for w in ("held_out", "known")
    )
    assert int(np.argmin(new)) == 3
    assert new[3] < new[4] < new[5]
    assert own[:5] == sorted(own[:5], reverse=True)


@CLAIMS.says("Now longer runs do little harm")
def with_interpolation_longer_runs_do_little_harm_and_beat_the_decoder(c):
    bits_of = with_interpolation(c)
    assert bits_of[5] - min(bits_of) < 0.01
    assert min(bits_of) < load_names_model().history[-1].bits - 0.1
    others = [min(with_interpolation(c, strength)) for strength in (10, 15, 20, 25)]
    assert np.ptp(others) < 0.01


@CLAIMS.says("With longer runs the row gets sharper at first; then the context is rare")
def a_longer_run_is_sharper_and_then_empty(c):
    figure = c.figure("fig-counting")
    name = c["NAME"]
    assert name in c["held_out"]
    seen = [
        [int(figure.frame(place=i, n=n)["seen"]) for i in range(len(name))] for n in range(2, 7)
    ]
    assert min(seen[0]) > 100
    assert seen[-1][name.index("t")] == 0
    sharp = [
        np.mean([figure.frame(place=i, n=n)["row"].max() for i in range(len(name))]) for n in (2, 3)
    ]
    assert sharp[0] < sharp[1]


@CLAIMS.says("The book stores a longer run")
def the_stored_run_is_the_run_of_the_chapter(c):
    stored = {moment.step: moment.bits for moment in load_names_model().history}
    loss, _ = measure(c["task"], c["training"].parameters, c["training"].held_out)
    assert bits(loss) == pytest.approx(stored[100], abs=0.02)


@CLAIMS.says("Names grow out of noise")
def names_grow_pale_as_training_goes_on(c):
    figure = c.figure("fig-names")
    strange = [figure.frame(step=step)["strange"].mean() for step in (0, 20, 100, 1500)]
    assert strange == sorted(strange, reverse=True)
    assert strange[0] > 6
    assert strange[-1] < 3.5


@CLAIMS.says(
    "After fifty steps the model does as well as the table of pairs, and at the end as well"
)
def fifty_steps_are_as_good_as_the_table_of_pairs_and_all_as_that_of_runs_of_four(c):
    pairs, four = (c["bits_of_counting"](n, c["held_out"]) for n in (2, 4))
    bits_after = {moment.step: moment.bits for moment in load_names_model().history}
    assert bits_after[50] == pytest.approx(pairs, abs=0.05)
    assert min(bits_after.values()) < four + 0.02


@CLAIMS.says("Nearly every pair of letters here occurs in real names")
def nearly_every_pair_of_the_written_names_is_known(c):
    written = [c["from_pairs"](np.random.default_rng(seed)) for seed in range(20)]
    text, names = (".".join(["", *words, ""]) for words in (written, c["known"]))
    known = [a + b in names for a, b in itertools.pairwise(text)]
    assert np.mean(known) > 0.9


@CLAIMS.says("one letter takes nearly all the probability")
def cold_takes_all_and_rules_cut_the_tail(c):
    figure = c.figure("fig-sampling")
    cold = figure.frame(T=0.2, k=27, p=1.0)
    assert cold["weights"][0] > 0.9
    assert figure.frame(T=2.0, k=3, p=1.0)["left"] == 3
    assert figure.frame(T=1.0, k=27, p=0.5)["left"] < 10
    assert cold["choice"] < figure.frame(T=1.0, k=27, p=1.0)["choice"] < 27


@CLAIMS.says("about half of the names are in the list")
def a_low_temperature_writes_known_names_and_a_high_one_others(c):
    task, model = Spelling(c["names"]), load_names_model()
    known = [
        np.mean([name in c["names"] for name in task.write(model.parameters, 60, T, rng=2)])
        for T in (0.3, 0.8, 1.5)
    ]
    assert known[0] == pytest.approx(0.5, abs=0.1)
    assert known == sorted(known, reverse=True)


@CLAIMS.says("After the o of Romeo nearly all bets are on an exclamation mark or a comma")
def after_romeo_comes_a_mark_and_one_head_looks_at_the_token_before(c):
    tokens = c["writer"].pairs.tokens
    place = [tokens[token] for token in c["TEXT"]].index(" Rome") + 1
    assert tokens[c["TEXT"][place]] == "o"
    frame = c.figure("fig-writes").frame(place=place, block=1, head=1)
    assert {tokens[token] for token in c["FIRST"][place][:2]} == {"!", ","}
    assert frame["bets"][:2].sum() > 0.9
    assert frame["looks"][place - 1] > 0.7


@CLAIMS.says("than Shakespeare himself, but no run of six words")
def copies_are_short_and_more_frequent_than_shakespeares(c):
    measures = load_measures()
    writer, held_out = measures.known["writer"], measures.known["held out"]
    assert 3 < writer[3] / held_out[3] < 4
    assert writer[5] == held_out[5] == 0
    assert len(measures.longest["writer"]) < 40


@CLAIMS.says("The loss on these names, here to the base $e$, falls")
def one_training_step_lowers_the_loss_on_its_names(c):
    before, after = map(float, " ".join(c.printed("from attention_lib import Adam")).split())
    assert after < before


@CLAIMS.says("It knows none of these four")
def famous_lines_are_not_continued(c):
    known = (" that is the question", "kingdom", " summer", " winter of our discontent")
    assert not any(
        line in " ".join(c.printed("for start in (")).replace("\\n", " ") for line in known
    )
