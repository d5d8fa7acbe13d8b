"""What the chapter "Looking inside" says is what its cells and its figures give."""

import itertools

import numpy as np
import pytest
from book.chapters import by_definition, printed

from attention_lib import decoder_logits, softmax, train
from attention_lib.models import minilm


def last_his(sentence):
    """Return the place of the last "his"."""
    return max(place for place, token in enumerate(sentence.tokens) if token == "his")


def weight(sentence, head, place, word):
    """Return the weight that a place gives to the only place of a word."""
    (column,) = [j for j, token in enumerate(sentence.tokens) if token == word]
    return sentence.weights[head][place, column]


def pronouns(c):
    """Return, for every pronoun: its sentence, its place, the nouns, the subject, its noun."""
    return c["CASES"]


def place_of(c, head, number, place):
    """Return the place of the largest weight between [CLS] and [SEP]."""
    return int(c["sentences"][number].weights[head][place, 1:-1].argmax()) + 1


def misled_pronouns(c):
    """Return the pronouns that our head leads to a subject which is not their noun."""
    return [
        c["sentences"][number].tokens[place]
        for number, place, _, subject, noun in pronouns(c)
        if place_of(c, (3, 1), number, place) == subject != noun
    ]


def nearest(goal, V):
    """Return the row whose output comes nearest to a goal: least squares without negative weights.

    Weights enter one by one; those that would become negative leave again (Lawson and Hanson).
    """
    A, b = np.vstack([V.T, np.full(len(V), 1e3)]), np.append(goal, 1e3)  # and they sum to one
    row, used = np.zeros(len(V)), np.zeros(len(V), bool)
    while (slope := np.where(used, -np.inf, A.T @ (b - A @ row))).max() > 1e-8:
        used[slope.argmax()] = True
        while True:
            best = np.zeros(len(V))
            best[used] = np.linalg.lstsq(A[:, used], b, rcond=None)[0]
            if best[used].min() > 0:
                break
            below = used & (best <= 0)
            row = row + (row[below] / (row[below] - best[below])).min() * (best - row)
            used &= row > 1e-12
        row = best
    return row


def without(c, word):
    """Return the weight of a word, and the least error of rows that do not use it, in per cent."""
    whole, V, row, tokens = all_tokens(c)
    gone = np.array([token == word for token in tokens])
    other = nearest(whole, V[~gone])
    assert other.min() >= 0
    assert other.sum() == pytest.approx(1, abs=1e-6)
    miss = np.linalg.norm(whole - other @ V[~gone]) / np.linalg.norm(whole)
    return [row[gone].sum(), round(100 * miss)]


def all_tokens(c):
    """Return output, values, weights and tokens, if *his* asks the eight sentences as one text."""
    every = [c["layer"].project(s.X) for s in c["layer"].sentences]
    K, V = (np.concatenate([each[k][1] for each in every]).astype(float) for k in (1, 2))
    tokens = [token for s in c["layer"].sentences for token in s.tokens]
    row = softmax(K @ c["Q"][1, 16] / np.sqrt(32))
    return row @ V, V, row, tokens


def volume(c):
    """Return how long the added vectors are, and how they go with the weight on [CLS]."""
    rest = c["alpha"][:, 0]
    size = np.linalg.norm(c["heads"][1] @ c["blocks"][1], axis=-1)
    return [size[rest > 0.5].mean(), size[rest <= 0.5].mean(), -np.corrcoef(rest, size)[0, 1]]


def on_dog(c):
    """Return the average weight on the dog, as it was and with the nouns swapped."""
    pairs = (c["dog"], 8), (c["swapped"], 5)
    return [each.weights[5, 11][:, place].mean() for each, place in pairs]


def most_on_dog(c):
    """Return, for both sentences, how many tokens give the dog most, of how many."""
    pairs = (c["dog"], 8), (c["swapped"], 5)
    rows = [(each.weights[5, 11].argmax(axis=1) == place) for each, place in pairs]
    return [count for row in rows for count in (row.sum(), len(row))]


def after_copies(c):
    """Return what the induction head gives to the tokens after the earlier copies."""
    return [float(c["after_the_copy"](asks)["after"]) for asks in range(7, 12)]


CLAIMS = [
    (
        r"They get (\d), (\d) and (\d+)\. The best head gets (\d+), so none beats all three\.",
        lambda c: [*c["RULES"].sum(axis=1), c["every"].sum(axis=-1).max()],
    ),
    (r"the small model all-MiniLM-L6-v2", by_definition),  # its name
    (
        r"It has (\d) layers of (\d+) heads, counted from 0, and this is head 11 of layer 5,",
        lambda c: c["dog"].weights.shape[:2],
    ),
    (r"Head 11 of layer 5\. Choose a pronoun", by_definition),  # what is drawn
    (
        r"gives the dog (\S+) of its weight in the first sentence and (\S+) in the second",
        on_dog,
    ),
    (
        r"and (\d+) of the (\d+) tokens, and then (\d+) of the (\d+), give it their largest",
        most_on_dog,
    ),
    (r"In another head, head 1 of layer 3, the last", by_definition),  # tested below
    (
        r"It does: \*owner\*, now the right answer, gets (\S+)\. From",
        lambda c: [weight(c["swapped"], (3, 1), last_his(c["swapped"]), "owner")],
    ),
    (r"Among the (\d+) heads in", lambda c: [c["on_cls"].size]),
    (r"\(layer 0, head 2\), .*? \(layer 1, head 8\)\.", by_definition),  # tested below
    (r"All (\d+) heads of MiniLM on the dog", lambda c: [c["on_cls"].size]),
    (
        r"over the rows, (\d+) of the (\d+) heads give `\[CLS\]` more than half",
        lambda c: [(c["on_cls"] > 0.5).sum(), c["on_cls"].size],
    ),
    (r"the parameters of layer 3, so", by_definition),  # which data there are
    (r"In our head, head 1, the value of `\[CLS\]`, after", by_definition),  # tested below
    (r"Head 1 of layer 3\. Press a word\.", by_definition),  # what is drawn
    (
        r"`\[CLS\]` has (\S+) of the weight, but its share is only (\S+), as",
        lambda c: [c["alpha"][:, 0].mean(), c["shares"][:, 0].mean()],
    ),
    (r"adds anything, its shares are 0\.", by_definition),  # what the exercise asks for
    (
        r"and it stands at the same place, (\d), so",
        lambda c: {s.tokens.index(w) for s, w in ((c["dog"], "dog"), (c["swapped"], "owner"))},
    ),
    (
        r"\*his\* gives the subject (\S+) and (\S+)\. In",
        lambda c: [c["sentences"][2].weights[3, 1, 15, 2], c["sentences"][3].weights[3, 1, 14, 2]],
    ),
    (r"sentences together, (\d+) pronouns refer to", lambda c: [len(pronouns(c))]),
    (
        r"How many of the (\d+) does each",
        lambda c: [len(pronouns(c))],
    ),
    (r"The rows are the (\d+) pronouns,", lambda c: [len(pronouns(c))]),
    (
        r"right nouns, of (\d+) .*? nearest noun before the pronoun \| (\d+) \| \| first noun \| "
        r"(\d+) \| \| subject \| (\d+) \| \| head 3 of layer 1, the best of all (\d+) \| (\d+) \| "
        r"\| our head, head 1 of layer 3 \| (\d+) \|",
        lambda c: [
            len(pronouns(c)),
            *c["RULES"].sum(axis=1),
            c["on_cls"].size,
            c["every"].sum(axis=-1).max(),
            c["found"]((3, 1)).sum(),
        ],
    ),
    (
        r"The rule is wrong for only (\w+) pronouns, and for (\w+) of them \(",
        lambda c: [(~c["RULES"][2]).sum(), len(misled_pronouns(c))],
    ),
    (r"The best of (\d+) heads also owes part of its score", lambda c: [c["on_cls"].size]),
    (
        r"first ten pronouns has (\d) right answers there, but only (\d) on the others; the best "
        r"on the last ten has (\d) there and (\d) on the others\. Only the (\d) and the (\d) are",
        lambda c: [
            *halves(c, 5, 10),
            *halves(c, 1, 3)[::-1],
            halves(c, 5, 10)[1],
            halves(c, 1, 3)[0],
        ],
    ),
    (r"a number from 0 to 1, whose largest weight", by_definition),  # what a share is
    (r"The slice `\[:, 1:-1\]` leaves .*? column 1 is then column 0:", by_definition),  # NumPy
    (r"heads of a real model, SmolLM2-135M-Instruct ", by_definition),  # its name
    (r"head 0 of layer 16 looks .*? head 4 of layer 17 looks", by_definition),  # tested below
    (
        r"head 4 of layer 17 gives the token after the earlier copy between (\S+) and (\S+) of",
        lambda c: [min(after_copies(c)), max(after_copies(c))],
    ),
    (r"Two heads of SmolLM2 on a text", by_definition),  # its name
    (r"such as C 4 A 2 F 5 B 1 A and should answer 2, the", by_definition),  # an example
    (r"an earlier copy, the score is 0\.", by_definition),  # what the exercise asks for
    (
        r"With seed 6 .*? each number gives the letter before it (\S+) of its weight\. With seed 4 "
        r"this weight is only (\S+), and judged",
        lambda c: [looks_back(c, seed) for seed in (6, 4)],
    ),
    (
        r"the \*last\* letter gives (\S+) of its weight to its own earlier copy",
        lambda c: [looks_at_copy(c, 4)],
    ),
    (r"gives (\S+) of its weight to the number after the \*false\*", lambda c: [misled(c, 4)]),
    (r"counted from 0, contributes", by_definition),  # how heads are counted
    (r"`heads\[0\]` is .*? and so on", by_definition),  # the same
    (
        r"In our head values have (\d+) numbers, and the dog .*? only (\d+) tokens\. "
        r"So we lay .*? one text of (\d+) tokens:",
        lambda c: [c["V"].shape[-1], c["V"].shape[1], len(all_tokens(c)[1])],
    ),
    (
        r"In the sentence, (\d+) independent equations fix the (\d+) weights\. With (\d+) tokens "
        r"there are only (\d+) equations",
        lambda c: [19, c["V"].shape[1], len(all_tokens(c)[1]), c["V"].shape[-1] + 1],
    ),
    (
        r"\*his\* of the dog sentence ask all (\d+) tokens\. Then",
        lambda c: [len(all_tokens(c)[1])],
    ),
    *(
        (rf"\| {name} \| (\S+) \| (\d+) % \|", lambda c, word=word: without(c, word))
        for name, word in [
            *((rf"\*{word}\*", word) for word in ("dog", "owner", "animal", "tail")),
            (r"`\[CLS\]`", "[CLS]"),
        ]
    ),
    (
        r"a vector of length (\S+) on average, for the others one of (\S+), and .*? of −(\S+)\. ",
        volume,
    ),
    (r"sentences 2 and 3 retell 0 and 1 in another", by_definition),  # tested below
    (r"from two seeds: 6, as there, and 4, because", by_definition),  # tested below
    (
        r"tried the seeds 0 to 19: in 16 only .*? \(0, 9 and 11\) both .*? with seed 4 only",
        by_definition,
    ),
    (r"and all (\d+) answers become that number", lambda c: [len(c["said"])]),
    (r"and its sum stays 1\?", by_definition),  # what weights are
    (r"the parameters of the model \(21 MB\)", by_definition),  # tests/test_minilm.py weighs them
    (r"a sentence of at most (\d+) tokens", lambda c: [minilm.LONGEST]),
    (r"With seed 6 both .*? with seed 4 only", by_definition),  # tested below
    (
        r"the bet after \*art\* is `ic` \(\*article\*\), with (\S+), because",
        lambda c: [bet(c, 0, "ic")],
    ),
    (
        r"it is \*thou\*, with (\S+), and after the last still \*thou\*, with (\S+)\. ",
        lambda c: [bet(c, 3, " thou"), bet(c, 4, " thou")],
    ),
    (r"such as `\(1, 3\)` for head 3 of layer 1", by_definition),  # how heads are named
    (
        r"head 1 of layer 3, the row of .*? \*animal\* gets (\S+) when .*? and (\S+), still",
        lambda c: [c[name].weights[3, 1, 9, 2] for name in ("one", "two")],
    ),
    (r"In head 3 of layer 1 \*she\* looks at \*queen\*", by_definition),  # tested below
]


def bet(c, depth, token):
    """Return what the writer would bet on a token after the last of the line, by the lens."""
    return c["bets"][depth, -1, c["writer"].pairs.tokens.index(token)]


def looks_back(c, seed):
    """Return what the numbers give to the token before them, in the first layer."""
    _, looked = c["task"].predict(c["runs"][seed].parameters[-1], c["batch"].X)
    return looked[0][:, c["numbers"], c["numbers"] - 1].mean()


def looks_at_copy(c, seed):
    """Return what the last letter gives to its earlier copy, in the first layer."""
    tokens = c["batch"].X.argmax(axis=-1)  # (200, 9)
    _, looked = c["task"].predict(c["runs"][seed].parameters[-1], c["batch"].X)
    rows, places = np.nonzero(tokens[:, :-1] == tokens[:, -1:])
    assert (rows == np.arange(len(tokens))).all()  # one copy each
    return looked[0][rows, -1, places].mean()


def misled(c, seed):
    """Return what the second head gives to the number after a false place, which its letter heard.

    The first head adds nothing else.
    """
    p = c["runs"][seed].parameters[-1]
    X = c["batch"].X @ p["E"] + p["P"]  # (200, 9, d)
    texts, copy = np.arange(len(X)), c["same"].argmax(axis=1)
    false = (copy + 2) % 8
    heard = X[texts, copy] - p["P"][copy] + p["P"][false]  # (200, d)
    X[:, -1] += heard @ p["W_v"][0]
    scores = np.einsum("bk,bjk->bj", X[:, -1] @ p["W_q"][1], X @ p["W_k"][1])
    return softmax(scores / np.sqrt(c["task"].d_k))[texts, false + 1].mean()


def halves(c, layer, head):
    """Return the right answers of a head, on the first ten pronouns and on the last."""
    return c["found"]((layer, head)).reshape(2, 10).sum(axis=1)


# what is said in words


def test_all_four_pronouns_give_the_dog_their_largest_weight_in_both_sentences(chapter):
    c = chapter.namespace
    for sentence in (c["dog"], c["swapped"]):
        asking = [j for j, token in enumerate(sentence.tokens) if token in {"he", "his"}]
        assert len(asking) == 4
        assert {sentence.tokens[sentence.weights[5, 11, j].argmax()] for j in asking} == {"dog"}
    frame = chapter.figure("fig-believe").frame()
    assert c["inside"][frame["result"].argmax()] == "dog"


def test_with_the_nouns_swapped_the_pronouns_look_at_the_dog_even_more(chapter):
    c = chapter.namespace
    for here, there in ((2, 2), (4, 4), (13, 13), (16, 15)):
        assert c["dog"].weights[5, 11, here, 8] < c["swapped"].weights[5, 11, there, 5]
    before, after = on_dog(c)
    assert 0.3 < before < after


@pytest.mark.parametrize(("head", "offset", "least"), [((0, 2), -1, 0.99), ((1, 8), 1, 0.6)])
def test_the_previous_and_the_next_token_heads_keep_to_it_in_every_sentence(
    chapter, head, offset, least
):
    for sentence in chapter.namespace["sentences"]:
        assert np.diagonal(sentence.weights[head], offset=offset).mean() > least


def test_they_are_the_only_heads_with_such_a_band(chapter):
    weights = chapter.namespace["dog"].weights
    for offset, head in ((-1, (0, 2)), (1, (1, 8))):
        bands = np.diagonal(weights, offset=offset, axis1=-2, axis2=-1).mean(axis=-1)
        assert [tuple(at) for at in np.argwhere(bands > 0.5).tolist()] == [head]


def test_his_follows_the_subject_and_the_other_pronouns_rest(chapter):
    c = chapter.namespace
    for sentence, subject in ((c["dog"], "dog"), (c["swapped"], "owner")):
        row = sentence.weights[3, 1, last_his(sentence)]
        assert sentence.tokens[row.argmax()] == subject
        pronouns = [j for j, token in enumerate(sentence.tokens) if token in {"he", "his"}]
        resting = [place for place in pronouns if sentence.weights[3, 1, place].argmax() == 0]
        assert resting == pronouns[:-1]
        assert len(resting) == 3


def test_the_value_of_cls_has_almost_no_length_and_so_adds_little(chapter):
    c = chapter.namespace
    assert c["sizes"][1, 0] < 0.1 * c["sizes"][1, 1:].min()
    np.testing.assert_allclose(c["shares"].sum(axis=1), 1, rtol=1e-5)
    assert (c["shares"][:, 0] < c["alpha"][:, 0]).all()


def test_the_head_follows_the_subject_where_the_other_noun_is_nearer(chapter):
    lines = printed(chapter, "for number, place in ((2, 15)")
    assert [line.split("'")[1] for line in lines[1::2]] == ["dog", "owner", "animal", "king"]
    cases = {each[:2]: each[2:] for each in pronouns(chapter.namespace)}
    for number, his in ((2, 15), (3, 14)):
        nouns, subject, _ = cases[number, his]
        tokens = chapter.namespace["sentences"][number].tokens
        assert tokens[his] == "his"
        assert max(noun for noun in nouns if noun < his) != subject
        assert [tokens[noun - 1] for noun in nouns[:2]] == ["the", "his"]  # not told apart


def test_the_table_of_pronouns_names_the_words_it_means(chapter):
    c = chapter.namespace
    sentences = c["sentences"]
    for number, place, nouns, subject, noun in pronouns(c):
        tokens = sentences[number].tokens
        assert tokens[place] in {"he", "his", "it", "she", "her"}
        assert {subject, noun} <= set(nouns)
    told = {sentences[number].tokens[noun] for number, _, _, _, noun in pronouns(c)}
    assert told == {"dog", "owner", "animal", "street", "queen"}


def test_the_first_noun_is_right_as_often_as_the_nearest_and_the_subject_fails_where_the_head_does(
    chapter,
):
    c = chapter.namespace
    assert c["RULES"].sum(axis=1).tolist() == [9, 9, 17]
    assert sum(place < min(nouns) for _, place, nouns, *_ in pronouns(c)) == 4
    assert misled_pronouns(c) == ["she", "it"]
    right = np.argwhere(c["found"]((3, 1))).ravel()
    assert c["RULES"][2][right].all()


def test_the_head_that_was_best_on_one_half_is_worse_on_the_other(chapter):
    every = chapter.namespace["every"].reshape(72, 2, 10).sum(axis=-1)  # (72, 2)
    assert [divmod(int(best), 12) for best in every.argmax(axis=0)] == [(5, 10), (1, 3)]
    for line in printed(chapter, "every = "):
        chosen, other = line.split(")")[1].split("then")
        assert int(other) < int(chosen)


def test_the_rows_of_the_figure_of_rules_are_the_chosen_head_and_the_rules(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-rules")
    for layer, head in itertools.product((0, 1, 3), (1, 3, 4)):
        frame = figure.frame(layer=layer, head=head)
        right = np.vstack([frame["first ten"], frame["last ten"]])
        np.testing.assert_array_equal(right[:, 0], c["found"]((layer, head)))
        np.testing.assert_array_equal(right[:, 1:].T, c["RULES"])
        assert frame["all"] == frame["first"] + frame["last"] == right[:, 0].sum()


def test_the_induction_head_copies_and_rests_where_nothing_repeats(chapter):
    c = chapter.namespace
    head = c["PAIR"][1]
    for asks in range(7, 12):
        assert c["copies"][1, asks].argmax() == asks - 5
    for name, text in c["smollm2"].texts.items():
        rows = text.weights[head][1 : 7 if name == "induction" else None]
        assert (rows.argmax(axis=1) == 0).all()
    assert np.diagonal(c["copies"][0], -1).mean() > 0.9  # the other looks one back


def test_without_either_head_the_copying_models_are_lost_whatever_their_pictures(chapter):
    c = chapter.namespace
    for seed, run in c["runs"].items():
        whole, *ablated = (c["right"](run.parameters[-1], gone) for gone in (None, 0, 1))
        assert whole > 0.97, seed
        assert 0.15 < min(ablated) <= max(ablated) < 0.25, seed
    assert looks_back(c, 6) > 0.9
    assert looks_back(c, 4) < 0.2
    assert looks_at_copy(c, 4) > 0.9
    assert looks_at_copy(c, 6) < 0.2
    _, looked = c["task"].predict(c["runs"][4].parameters[-1], c["batch"].X)
    assert (looked[1][:, -1, 1:-1:2] * c["same"][:, ::2]).sum(axis=1).mean() > 0.95


def mean_ablated(c, parameters, gone):
    """Return the share of right answers with a head's output replaced by its mean."""
    p, X = parameters, c["batch"].X @ parameters["E"] + parameters["P"]  # (200, 9, d)
    for layer in range(2):
        scores = (X @ p["W_q"][layer]) @ (X @ p["W_k"][layer]).swapaxes(1, 2)
        read = softmax(scores / np.sqrt(c["task"].d_k), mask=np.tri(9, dtype=bool))
        read = read @ (X @ p["W_v"][layer])
        X = X + (np.mean(read, axis=0) if layer == gone else read)
    return ((X[:, -1] @ p["U"]).argmax(axis=-1) == c["batch"].answers).mean()


def test_mean_ablation_agrees(chapter):
    c = chapter.namespace
    for run in c["runs"].values():
        p = run.parameters[-1]
        assert mean_ablated(c, p, None) == pytest.approx(c["right"](p))
        assert max(mean_ablated(c, p, gone) for gone in range(2)) <= 0.25


@pytest.mark.rare
def test_of_twenty_seeds_only_one_looks_at_the_copy_alone(chapter):
    c = chapter.namespace
    runs = {seed: train(c["task"], seed=seed, **c["settings"]) for seed in range(20)}
    c = c | {"runs": runs}
    kinds = {seed: (looks_back(c, seed) > 0.5, looks_at_copy(c, seed) > 0.5) for seed in runs}
    assert [seed for seed, kind in kinds.items() if kind == (False, True)] == [4]
    assert [seed for seed, kind in kinds.items() if kind == (True, True)] == [0, 9, 11]
    assert sum(kind == (True, False) for kind in kinds.values()) == 16


def test_sentences_are_retold_and_one_has_no_pronoun_with_a_noun(chapter):
    words = [{*sentence.tokens} for sentence in chapter.namespace["sentences"]]
    assert (words[2], words[3]) == (words[0], words[1])
    assert not {"he", "his", "she", "her", "it"} & words[4]


def test_only_the_model_of_seed_4_follows_a_false_place(chapter):
    c = chapter.namespace
    line, told = printed(chapter, "p = runs[4]")
    assert told == "200 of 200"
    assert float(line) == pytest.approx(misled(c, 4), abs=0.01)
    assert misled(c, 4) > 0.95
    assert misled(c, 6) < 0.25


def test_the_figure_of_ablation_shows_what_was_measured(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-ablate")
    for seed, run in c["runs"].items():
        frame = figure.frame(seed=seed, step=150)
        assert frame["now"] == pytest.approx(c["right"](run.parameters[-1]))
        assert max(frame["without first"].max(), frame["without second"].max()) < 0.4


def test_a_short_sentence_fixes_its_row_and_a_long_text_does_not(chapter):
    assert printed(chapter, "every_V") == [
        "19 weights, 19 independent equations",
        "129 weights, 33 independent equations",
    ]


# what the figures show


def test_the_heads_of_the_figure_are_those_of_the_model(chapter):
    c = chapter.namespace
    figure = chapter.figure("fig-real-heads")
    for layer, head in itertools.product(range(6), range(12)):
        frame = figure.frame(layer=layer, head=head)
        np.testing.assert_array_equal(frame["weights"], c["dog"].weights[layer, head])


def test_the_figure_of_the_sink_shows_weights_and_shares(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-sink")
    for asks in range(len(c["dog"].tokens)):
        frame = figure.frame(asks=asks)
        np.testing.assert_array_equal(frame["weight"], c["alpha"][asks])
        np.testing.assert_array_equal(frame["share"], c["shares"][asks])


def test_the_first_sentence_of_the_reader_is_read_as_the_caption_says(chapter):
    read, figure = chapter.namespace["read"], chapter.figure("fig-own-sentence")
    asks = read.tokens.index("she")
    frame = figure.frame(layer=1, head=3, asks=asks)["result"]
    assert read.tokens[frame.argmax()] == "queen"
    assert [axis.start for axis in figure.axes] == [1, 3, asks]


def test_the_row_of_it_changes_most_in_the_head_that_the_text_names(chapter):
    one, two = (chapter.namespace[name] for name in ("one", "two"))
    (place,) = [
        i for i, pair in enumerate(zip(one.tokens, two.tokens, strict=True)) if len({*pair}) > 1
    ]
    it = one.tokens.index("it")
    assert it < place  # what differs comes later
    moved = np.abs(one.weights[:, :, it] - two.weights[:, :, it]).sum(axis=-1)  # (6, 12)
    assert divmod(int(moved.argmax()), 12) == (3, 1)
    frame = chapter.figure("fig-compare").frame(layer=3, head=1)
    np.testing.assert_array_equal(frame["second"], two.weights[3, 1])
    assert frame["most"] >= moved[3, 1] / 2 - 1e-4


def test_the_circuits_are_diagonal_with_one_seed_and_half_with_the_other(chapter):
    figure = chapter.figure("fig-circuits")
    assert [figure.frame(seed=6, step=150)[name] for name in ("found", "copied")] == [6, 6]
    assert figure.frame(seed=4, step=150)["copied"] == 6
    assert figure.frame(seed=4, step=150)["found"] < 3
    c, p = chapter.namespace, chapter.namespace["runs"][6].parameters[-1]
    E, W_v = p["E"], p["W_v"]
    scores = (E[:6] @ p["W_q"][1]) @ (E[:6] @ W_v[0] @ p["W_k"][1]).T / np.sqrt(c["task"].d_k)
    np.testing.assert_allclose(figure.frame(seed=6, step=150)["QK"], scores, atol=1e-2)
    np.testing.assert_allclose(
        figure.frame(seed=6, step=150)["OV"], E[6:] @ W_v[1] @ p["U"], atol=1e-2
    )


def test_the_lens_ends_with_what_the_writer_bets_on(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-lens")
    logits = decoder_logits(c["line"], c["writer"].parameters)
    np.testing.assert_allclose(c["bets"][-1], softmax(logits), atol=1e-5)
    for place in range(len(c["line"])):
        shown = figure.frame(place=place, depth=4)["result"]
        assert shown.max() == pytest.approx(softmax(logits)[place].max(), abs=1e-4)
    assert c["bets"][0, -1].argmax() == c["writer"].pairs.tokens.index("ic")
