"""What the chapter "A model that writes" says is what its cells, its data and its figures give."""

import itertools

import numpy as np
import pytest
from book.chapters import by_definition, find

from attention_lib import Spelling, bits, decoder_logits, measure, softmax
from attention_lib.models import load_measures, load_names_model, load_writer


@pytest.fixture(scope="module")
def c(chapter):
    return chapter.namespace


def steps_like(c, n):
    """Return the first stored step at which the model is about as good as runs of n letters."""
    table = c["bits_of_counting"](n, c["held_out"])
    return [next(m.step for m in load_names_model().history if m.bits < table + 0.02)]


def with_interpolation(c, strength=15):
    """Return bits per held-out letter of tables of 1, 2, … letters, mixed with shorter ones."""
    return [
        -np.mean([np.log2(c["interpolated"](run, strength)) for run in c["runs"](c["held_out"], n)])
        for n in c["TABLES"]
    ]


def characters_per_token(writer):
    """Return how many characters of a play one token of the writer stands for."""
    return len(writer.held_out) / len(writer.pairs.encode(writer.held_out))


def kept_places(c):
    """Return the places of the writer, and how many are taken and free after it forgets."""
    places = len(c["writer"].parameters["P"])
    return [places, places // 2, places - places // 2]


CLAIMS = [
    (
        r"No counted name has \*eopat\*\. .*? The answer (\S+), which is .*? of the row only the "
        r".*? after \*atr\*, seen (\d+) times .*? the last \*a\* costs (\S+) bits\.",
        lambda c: [  # tested below
            c["counted"](c["NAME"].index("t"), 6)["bits"],
            *(c["counted"](c["NAME"].index("r"), 4)[name] for name in ("seen", "bits")),
        ],
    ),
    (
        r"\*celine\* is there after (\d+), while after (ten) .*? of \*(\w+)\* and \*(\w+)\*\.",
        lambda c: [
            next(m.step for m in c["model"].history if "celine" in m.sample.split()),
            *(10, *next(m.sample.split()[:2] for m in c["model"].history if m.step == 10)),
        ],
    ),
    (r"Where `answers\[i\]` is -1, nothing is asked \(such", by_definition),
    (r"An answer of -1 is also a valid index", by_definition),
    (r"to the base \$e\$ instead of 2\.", by_definition),
    (r"a perplexity of 8 is as surprised as if it guessed among 8 equally likely", by_definition),
    (
        r"a letter costs the table of pairs (\S+) bits, and a model that knows nothing (\S+)\.",
        lambda c: [c["held_out_bits"].mean(), np.log2(len(c["LETTERS"]))],
    ),
    (r"dot, which makes (\d+) tokens", lambda c: [len(c["LETTERS"])]),
    (r"gives each of the (\d+) tokens the same probability", lambda c: [len(c["LETTERS"])]),
    (r"up to (\d+) times as many rows", lambda c: [len(c["LETTERS"])]),
    (r"turns the result into (\d+) scores", lambda c: [len(c["LETTERS"])]),
    (r"The dot has the index 0\. .*? filled up with 0 .*? -1 says", by_definition),
    (r"with the numbers 1, 3 the letters are 0, 1, 3 and the answers 1, 3, 0\.", by_definition),
    (
        r"table of pairs, after (\S+) as well as that of runs of three",
        lambda c: steps_like(c, 3),
    ),
    (
        r"and after (\S+) as well as the best table without .*?: both need (\S+) bits per letter",
        lambda c: [*steps_like(c, 4), c["bits_of_counting"](4, c["held_out"])],
    ),
    (r"begins not at a tenth but at 15 times the probability", by_definition),
    (r"numbers; anything from 10 to 25 does about as well", by_definition),  # tested below
    (r"runs of five need only (\S+) bits per letter", lambda c: [with_interpolation(c)[4]]),
    (
        r"new plays the writer needs (\S+) bits and the best of these tables (\S+), so",
        lambda c: [c["writer"].history[-1].bits, min(c["measures"].interpolated)],
    ),
    (r"in (\S+) steps on a GPU", lambda c: [c["writer"].history[-1].step]),
    (r"for 200 steps the rate rises", by_definition),  # provenance/data/train_writer.py
    (r"as one vector\) longer than 1 is shortened to 1, so", by_definition),  # the same
    (r"at each step a random 15 % of the numbers become 0 \(", by_definition),  # the same
    (r"has a 1 for every letter .*? has a 0, the score", by_definition),
    (r"\| names \| numbers \| GPT-2 \| millions .*? \| 124\.4 \|", by_definition),  # tested below
    (r"beside those of GPT-2 .*? smallest GPT-2 :name", by_definition),
    (r"GPT-2 scores the next token by", by_definition),
    (r"at a temperature of 0\.8 \(more on", by_definition),
    (r"has (\d+) places\. .*? last (\d+) tokens, which leaves room for (\d+) more", kept_places),
    (r"with about 20 tokens of text for each parameter", by_definition),  # hoffmann2022
    (
        r"some (\d+) million for our writer, whose texts have only about (\d+) million\.",
        lambda c: [
            round(20 * sum(W.size for W in c["writer"].parameters.values()) / 1e6, -1),
            4.7 / characters_per_token(c["writer"]),  # of as many million characters
        ],
    ),
    (r"continued to (\S+) steps, as", lambda c: [c["model"].history[-1].step]),
    (r"until there are (\S+) tokens", lambda c: [len(c["writer"].pairs.tokens)]),
    (r"below 1 the likely letters gain, above 1 the unlikely ones", by_definition),
    (r"a random number between 0 and 1\. ", by_definition),
    (r"cut the line from 0 to 1, so a random point", by_definition),
    (r"from 35 of Shakespeare's plays", by_definition),  # attention_lib/data/PROVENANCE.md
    (r"because the texts have 4\.7 million characters", by_definition),  # the same
    (r"and in block 1 one head gives most", by_definition),  # tested below
    (r"at a temperature of 0\.8, and took", by_definition),  # the same
    (
        r"We let it write about (\S+) characters",
        lambda c: [round(len(c["measures"].written), -3)],
    ),
    (
        r"four-word runs, (\S+) % occur in what it has read; "
        r"of those in \*The Tempest\*, (\S+) % do\.",
        lambda c: [100 * c["measures"].known[who][3] for who in ("writer", "held out")],
    ),
    (r"by its gain: `gain_1`, `gain_2`, and at", by_definition),  # names
    (r"to `-np\.inf` where `np\.tri\(n\)` is 0, then", by_definition),
]


def printed(chapter, start):
    """Return what the visible cell with this first line printed."""
    return find(chapter, start).printed.strip()


def test_the_names_that_are_held_out_are_those_that_training_holds_out(c):
    task = Spelling(c["names"])
    held_out = task.examples(list(c["held_out"]))
    np.testing.assert_array_equal(task.hold_out(np.random.default_rng(0)).X, held_out.X)


def test_pairs_save_more_than_a_bit(c):
    mean = np.concatenate([c["surprise"](name) for name in c["held_out"]]).mean()
    assert mean == pytest.approx(c["bits_of_counting"](2, c["held_out"]))
    assert mean < np.log2(27) - 1


def test_counting_gets_better_up_to_four_letters_and_then_only_on_its_own_names(c):
    new, own = (
        [c["bits_of_counting"](n, c[w]) for n in range(1, 7)] for w in ("held_out", "known")
    )
    assert int(np.argmin(new)) == 3
    assert new[3] < new[4] < new[5]
    assert own[:5] == sorted(own[:5], reverse=True)
    with_less = [c["bits_of_counting"](n, c["held_out"], added=0.02) for n in (4, 5)]
    assert with_less[0] < with_less[1]


def test_with_interpolation_longer_runs_do_little_harm_and_beat_the_decoder(c):
    bits_of = with_interpolation(c)
    assert bits_of[5] - min(bits_of) < 0.01
    assert min(bits_of) < load_names_model().history[-1].bits - 0.1
    others = [min(with_interpolation(c, strength)) for strength in (10, 15, 20, 25)]
    assert np.ptp(others) < 0.01
    row = [c["interpolated"]("cle" + letter) for letter in c["LETTERS"]]
    assert sum(row) == pytest.approx(1)


def test_a_longer_run_is_sharper_and_then_empty(chapter):
    figure = chapter.figure("fig-counting")
    name = chapter.namespace["NAME"]
    assert name in chapter.namespace["held_out"]
    seen = [
        [int(figure.frame(place=i, n=n)["seen"]) for i in range(len(name))] for n in range(2, 7)
    ]
    assert min(seen[0]) > 100
    assert seen[-1][name.index("t")] == 0
    assert not any("eopat" in known for known in chapter.namespace["known"])
    assert "atra" not in chapter.namespace["TABLES"][4][0]
    sharp = [
        np.mean([figure.frame(place=i, n=n)["row"].max() for i in range(len(name))]) for n in (2, 3)
    ]
    assert sharp[0] < sharp[1]
    empty = figure.frame(place=seen[-1].index(0), n=6)
    np.testing.assert_allclose(empty["row"], 1 / 27)
    assert empty["bits"] == pytest.approx(np.log2(27))


def test_training_in_the_chapter_prints_falling_bits_and_names(chapter):
    lines = [line.split() for line in printed(chapter, "learn(100)").splitlines()]
    assert [int(line[0]) for line in lines] == [20, 40, 60, 80, 100]
    found = [float(line[1]) for line in lines]
    assert found == sorted(found, reverse=True)
    assert found[-1] < 3.4
    assert all(len(line) == 7 for line in lines)


def test_the_stored_run_is_the_run_of_the_chapter(c):
    stored = {moment.step: moment.bits for moment in load_names_model().history}
    loss, _ = measure(c["task"], c["training"].parameters, c["training"].held_out)
    assert bits(loss) == pytest.approx(stored[100], abs=0.02)


def test_names_grow_pale_as_training_goes_on(chapter):
    figure = chapter.figure("fig-names")
    strange = [figure.frame(step=step)["strange"].mean() for step in (0, 20, 100, 1500)]
    assert strange == sorted(strange, reverse=True)
    assert strange[0] > 6
    assert strange[-1] < 3.5


def test_the_decoder_ends_with_the_bits_of_the_best_table(c):
    assert f"{c['model'].history[-1].bits:.2f}" == "2.99"
    assert all(len(beginning) == 3 for beginning in c["TABLES"][4][1])


def test_fifty_steps_are_as_good_as_the_table_of_pairs(c):
    pairs = c["bits_of_counting"](2, c["held_out"])
    bits_after = {moment.step: moment.bits for moment in load_names_model().history}
    assert bits_after[50] == pytest.approx(pairs, abs=0.05)


def test_the_cell_says_how_long_a_beginning_may_be(chapter, c):
    (cell,) = [each for each in chapter.cells if "writer = load_writer()" in each.code]
    assert f"at most {len(c['writer'].parameters['P'])} tokens" in cell.code


def test_nearly_every_pair_of_the_written_names_is_known(c):
    written = [c["from_pairs"](np.random.default_rng(seed)) for seed in range(20)]
    text, names = (".".join(["", *words, ""]) for words in (written, c["known"]))
    known = [a + b in names for a, b in itertools.pairwise(text)]
    assert np.mean(known) > 0.9


def test_cold_takes_all_and_rules_cut_the_tail(chapter):
    figure = chapter.figure("fig-sampling")
    cold = figure.frame(T=0.2, k=27, p=1.0)
    assert cold["weights"][0] > 0.9
    assert figure.frame(T=2.0, k=3, p=1.0)["left"] == 3
    assert figure.frame(T=1.0, k=27, p=0.5)["left"] < 10
    assert cold["choice"] < figure.frame(T=1.0, k=27, p=1.0)["choice"] < 27


def test_a_low_temperature_writes_known_names_and_a_high_one_others(c):
    task, model = Spelling(c["names"]), load_names_model()
    known = [
        np.mean([name in c["names"] for name in task.write(model.parameters, 60, T, rng=2)])
        for T in (0.3, 0.8, 1.5)
    ]
    assert known[0] == pytest.approx(0.5, abs=0.1)
    assert known == sorted(known, reverse=True)


def test_after_romeo_comes_a_mark_and_one_head_looks_at_the_token_before(chapter, c):
    tokens = c["writer"].pairs.tokens
    place = [tokens[token] for token in c["TEXT"]].index(" Rome") + 1
    assert tokens[c["TEXT"][place]] == "o"
    frame = chapter.figure("fig-writes").frame(place=place, block=1)
    assert {tokens[token] for token in c["FIRST"][place][:2]} == {"!", ","}
    assert frame["bets"][:2].sum() > 0.9
    assert frame["looks"][:, place - 1].max() > 0.7


def test_the_figure_of_the_writer_is_the_decoder(chapter, c):
    figure, writer = chapter.figure("fig-writes"), load_writer()
    text = c["TEXT"]
    for place in (0, 10, len(text) - 1):
        frame = figure.frame(place=place, block=2)
        weights = softmax(decoder_logits(text[: place + 1], writer.parameters)[-1])
        np.testing.assert_allclose(frame["bets"], np.sort(weights)[:-7:-1], rtol=1e-4)
        assert frame["looks"].shape == (4, len(text))
        np.testing.assert_allclose(frame["looks"].sum(axis=1), 1, rtol=1e-5)
        assert frame["looks"][:, place + 1 :].max(initial=0) == 0


def test_the_writer_beats_every_table_on_plays_that_it_never_read():
    measures, writer = load_measures(), load_writer()
    assert len(measures.counted) == 8
    assert writer.history[-1].bits < min(measures.counted + measures.interpolated) - 0.25
    assert int(np.argmin(measures.counted)) == 4


def test_copies_are_short_and_more_frequent_than_shakespeares(c):
    measures = load_measures()
    writer, held_out = measures.known["writer"], measures.known["held out"]
    assert 3 < writer[3] / held_out[3] < 4
    assert writer[5] == held_out[5] == 0
    assert len(measures.longest["writer"]) < 40
    assert measures.longest["writer"] in measures.written
    assert measures.longest["held out"] in load_writer().held_out
    assert len(measures.written) == len(load_writer().held_out)


def test_the_table_of_parameters_counts_those_of_the_cell_and_of_gpt_2(chapter, c):
    sizes = {name: W.size for name, W in c["parameters"].items()}
    parts = [["E"], ["P"], ["W_q", "W_k", "W_v"], ["W_o"], ["W_1", "W_2"]]
    parts += [["gain_1", "gain_2", "gain", "b_1", "b_2"], ["U"], list(sizes)]
    for part in parts:
        assert f"| {sum(sizes[name] for name in part):,} |" in chapter.prose
    d, blocks = 768, 12
    gpt = [50257 * d, 1024 * d, blocks * 3 * d * d, blocks * d * d, blocks * 2 * d * 4 * d]
    gpt += [(2 * blocks + 1) * 2 * d + blocks * 9 * d]  # GPT-2 has biases everywhere
    assert sum(gpt) == 124_439_808
    for part in [*gpt, sum(gpt)]:
        assert f"| {part / 1e6:.1f} |" in chapter.prose
    rounded = [round(part / 1e6, 1) for part in gpt]
    assert sum(rounded) == pytest.approx(round(sum(gpt) / 1e6, 1))  # the column adds up


def test_the_words_of_the_comment_can_be_learned_in_this_chapter(chapter):
    (line,) = [
        line
        for line in find(chapter, "from attention_lib import Spelling").code.splitlines()
        if line.startswith("# words = ")
    ]
    words = eval(line.removeprefix("# words = "), {"np": np})
    assert len(words) >= 100
    task = Spelling(words)
    assert len(task.hold_out(np.random.default_rng(0)).X) == len(words) // 10
    task.examples(["anna"])  # a later cell asks for this


def test_one_training_step_lowers_the_loss_on_its_names(chapter):
    before, after = map(float, printed(chapter, "from attention_lib import Adam").split())
    assert after < before


def test_two_letters_ahead_the_rows_are_more_alike(c):
    two = c["pairs"] @ c["pairs"]
    np.testing.assert_allclose(two.sum(axis=1), 1)
    assert np.ptp(two, axis=0).max() < np.ptp(c["pairs"], axis=0).max()
