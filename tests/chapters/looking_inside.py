"""What the chapter "Looking inside" says is what its cells and its figures give."""

import numpy as np
import pytest
from chapters.claims import Claims

from attention_lib import attention, softmax, train


def last_his(sentence):
    """Return the place of the last "his"."""
    return max(place for place, token in enumerate(sentence.tokens) if token == "his")


def weight(sentence, head, place, word):
    """Return the weight that a place gives to the only place of a word."""
    (column,) = [j for j, token in enumerate(sentence.tokens) if token == word]
    return sentence.weights[head][place, column]


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


def volume(c, sentence):
    """Return how the lengths that our head adds fall with the weight on [CLS]: a correlation."""
    heads, weights = attention(*c["layer"].project(sentence.X))
    size = np.linalg.norm(heads[1] @ c["blocks"][1], axis=-1)
    return -np.corrcoef(weights[1][:, 0], size)[0, 1]


def on_subject(c):
    """Return how many pronouns look at the subject in our head."""
    rows = [(c["sentences"][i].weights[3, 1, at], subject) for i, at, _, subject, _ in c["CASES"]]
    return sum(row[1:-1].argmax() + 1 == subject for row, subject in rows)


def on_dog(c):
    """Return the average weight on the dog, as it was and with the nouns swapped."""
    pairs = (c["dog"], 8), (c["swapped"], 5)
    return [each.weights[5, 11][:, place].mean() for each, place in pairs]


def most_on_dog(c):
    """Return, for both sentences, how many tokens give the dog most, of how many."""
    pairs = (c["dog"], 8), (c["swapped"], 5)
    rows = [(each.weights[5, 11].argmax(axis=1) == place) for each, place in pairs]
    return [count for row in rows for count in (row.sum(), len(row))]


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


def mean_ablated(c, parameters, gone):
    """Return the share of right answers with a head's output replaced by its mean."""
    p, X = parameters, c["batch"].X @ parameters["E"] + parameters["P"]  # (200, 9, d)
    for layer in range(2):
        scores = (X @ p["W_q"][layer]) @ (X @ p["W_k"][layer]).swapaxes(1, 2)
        read = softmax(scores / np.sqrt(c["task"].d_k), mask=np.tri(9, dtype=bool))
        read = read @ (X @ p["W_v"][layer])
        X = X + (np.mean(read, axis=0) if layer == gone else read)
    return ((X[:, -1] @ p["U"]).argmax(axis=-1) == c["batch"].answers).mean()


CLAIMS = Claims(
    (
        "The subject wins, and no head beats it",
        lambda c: (
            c["every"].sum(axis=-1).max() < c["RULES"].sum(axis=1)[2] == max(c["RULES"].sum(axis=1))
        ),
    ),
    *(
        (f"| {rule} | {{}} |", lambda c, number=number: c["RULES"].sum(axis=1)[number])
        for number, rule in enumerate(("nearest noun before the pronoun", "first noun", "subject"))
    ),
    ("the best of all {} | {} |", lambda c: [c["on_cls"].size, c["every"].sum(axis=-1).max()]),
    ("it looks there for {} of the 20 pronouns", on_subject),
    ("our head, head 1 of layer 3 | {} |", lambda c: c["found"]((3, 1)).sum()),
    *(
        (f"| {word} | {{}} | {{}} % |", lambda c, word=word: without(c, word.strip("`")))
        for word in ("dog", "owner", "animal", "tail", "`[CLS]`")
    ),
    (
        "and every answer becomes that number",
        lambda c: (c["said"].argmax(axis=-1) == c["number"]).all(),
    ),
    (
        "Most tokens of both sentences look at the dog, whatever they are",
        lambda c: all(2 * count > n for count, n in np.reshape(most_on_dog(c), (2, 2))),
    ),
    (
        "the shorter the vector that the head adds for it, in all eight sentences",
        lambda c: all(volume(c, s) > 0.9 for s in c["layer"].sentences),
    ),
    (
        "nearly all of its weight goes to the number after the false",
        lambda c: misled(c, 4) > 0.95,
    ),
)


@CLAIMS.says("each of the four gives dog its largest weight")
def all_four_pronouns_give_the_dog_their_largest_weight_in_both_sentences(c):
    for sentence in (c["dog"], c["swapped"]):
        asking = [j for j, token in enumerate(sentence.tokens) if token in {"he", "his"}]
        assert len(asking) == 4
        assert {sentence.tokens[sentence.weights[5, 11, j].argmax()] for j in asking} == {"dog"}


@CLAIMS.says("They still look at the dog, even more than before")
def with_the_nouns_swapped_the_pronouns_look_at_the_dog_even_more(c):
    for here, there in ((2, 2), (4, 4), (13, 13), (16, 15)):
        assert c["dog"].weights[5, 11, here, 8] < c["swapped"].weights[5, 11, there, 5]
    before, after = on_dog(c)
    assert 0.3 < before < after


@CLAIMS.says("Two heads have a band right beside the diagonal")
def they_are_the_only_heads_with_such_a_band(c):
    weights = c["dog"].weights
    for offset, head in ((-1, (0, 2)), (1, (1, 8))):
        bands = np.diagonal(weights, offset=offset, axis1=-2, axis2=-1).mean(axis=-1)
        assert [tuple(at) for at in np.argwhere(bands > 0.5).tolist()] == [head]


@CLAIMS.says("the last his looked at the subject of was happy both times")
def his_follows_the_subject_and_the_other_pronouns_rest(c):
    for sentence, subject in ((c["dog"], "dog"), (c["swapped"], "owner")):
        row = sentence.weights[3, 1, last_his(sentence)]
        assert sentence.tokens[row.argmax()] == subject
        pronouns = [j for j, token in enumerate(sentence.tokens) if token in {"he", "his"}]
        resting = [place for place in pronouns if sentence.weights[3, 1, place].argmax() == 0]
        assert resting == pronouns[:-1]
        assert len(resting) == 3


@CLAIMS.says("has almost no length, so the weight that rests on it adds little")
def the_value_of_cls_has_almost_no_length_and_so_adds_little(c):
    assert c["sizes"][1, 0] < 0.1 * c["sizes"][1, 1:].min()
    np.testing.assert_allclose(c["shares"].sum(axis=1), 1, rtol=1e-5)
    assert (c["shares"][:, 0] < c["alpha"][:, 0]).all()


@CLAIMS.says("another noun stands nearer to the last his than the subject does")
def the_head_follows_the_subject_where_the_other_noun_is_nearer(c):
    lines = c.printed("for number, place in ((2, 15)")
    assert [line.split("'")[1] for line in lines[1::2]] == ["dog", "owner", "animal", "king"]
    cases = {each[:2]: each[2:] for each in c["CASES"]}
    for number, his in ((2, 15), (3, 14)):
        nouns, subject, _ = cases[number, his]
        tokens = c["sentences"][number].tokens
        assert tokens[his] == "his"
        assert max(noun for noun in nouns if noun < his) != subject
        assert [tokens[noun - 1] for noun in nouns[:2]] == ["the", "his"]  # not told apart


@CLAIMS.says("and head 4 of layer 17 at the token that came after its earlier copy")
def the_induction_head_looks_at_what_followed_and_rests_where_nothing_repeats(c):
    head = c["PAIR"][1]
    for asks in range(7, 12):
        assert c["copies"][1, asks].argmax() == asks - 5
    for name, text in c["smollm2"].texts.items():
        rows = text.weights[head][1 : 7 if name == "induction" else None]
        assert (rows.argmax(axis=1) == 0).all()
    assert np.diagonal(c["copies"][0], -1).mean() > 0.9  # the other looks one back


@CLAIMS.says("If either head is taken away, the model does no better than a blind choice")
def without_either_head_the_copying_models_are_lost_whatever_their_pictures(c):
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


@CLAIMS.says("over many texts. Here it agrees")
def mean_ablation_agrees(c):
    for run in c["runs"].values():
        p = run.parameters[-1]
        assert mean_ablated(c, p, None) == pytest.approx(c["right"](p))
        assert max(mean_ablated(c, p, gone) for gone in range(2)) <= 0.25


@CLAIMS.says("Of twenty seeds, only this one has no previous-token head", rare=True)
def of_twenty_seeds_only_one_looks_at_the_copy_alone(c):
    runs = {seed: train(c["task"], seed=seed, **c["settings"]) for seed in range(20)}
    c = c | {"runs": runs}
    kinds = {seed: (looks_back(c, seed) > 0.5, looks_at_copy(c, seed) > 0.5) for seed in runs}
    assert [seed for seed, kind in kinds.items() if kind == (False, True)] == [4]
    assert [seed for seed, kind in kinds.items() if kind == (True, True)] == [0, 9, 11]
    assert sum(kind == (True, False) for kind in kinds.values()) == 16


@CLAIMS.says("In head 3 of layer 1 she looks at queen")
def the_first_sentence_of_the_reader_is_read_as_the_caption_says(c):
    read, figure = c["read"], c.figure("fig-own-sentence")
    asks = read.tokens.index("she")
    frame = figure.frame(layer=1, head=3, asks=asks)["result"]
    assert read.tokens[frame.argmax()] == "queen"


@CLAIMS.says("Half of the weight becomes about an eighth of what is added")
def half_of_the_weight_is_an_eighth_of_what_is_added(c):
    assert 0.45 < c["alpha"][:, 0].mean() < 0.55
    assert 0.11 < c["shares"][:, 0].mean() < 0.14


@CLAIMS.says("There it does worse, both times")
def the_best_heads_on_ten_pronouns_do_worse_on_the_other_ten(c):
    for head, chosen in (((5, 10), 0), ((1, 3), 1)):
        right = halves(c, *head)
        assert right[chosen] == c["halves"][:, chosen].max()
        assert right[chosen] > right[1 - chosen]


@CLAIMS.says("Before any block the bet after art is `ic`")
def the_lens_reads_ic_first_and_then_thou(c):
    assert [
        bet(c, depth, token) == c["bets"][depth, -1].max()
        for depth, token in ((0, "ic"), (3, " thou"), (4, " thou"))
    ] == [True] * 3
    assert bet(c, 3, " thou") > 0.5


@CLAIMS.says("it gives animal less than half of the weight that it gave")
def animal_loses_half_of_its_weight_and_still_gets_the_most(c):
    tired, wide = (c[name].weights[3, 1, 9] for name in ("one", "two"))
    assert wide[2] < tired[2] / 2
    assert wide.argmax() == 2


@CLAIMS.says("In our head the row of it changes a lot")
def the_row_of_it_changes_most_in_the_head_that_the_text_names(c):
    one, two = (c[name] for name in ("one", "two"))
    (place,) = [
        i for i, pair in enumerate(zip(one.tokens, two.tokens, strict=True)) if len({*pair}) > 1
    ]
    it = one.tokens.index("it")
    assert it < place  # what differs comes later
    moved = np.abs(one.weights[:, :, it] - two.weights[:, :, it]).sum(axis=-1)  # (6, 12)
    assert divmod(int(moved.argmax()), 12) == (3, 1)


@CLAIMS.says("With seed 6 both diagonals are complete, with seed 4 only the second")
def the_circuits_are_diagonal_with_one_seed_and_half_with_the_other(c):
    figure = c.figure("fig-circuits")
    assert [figure.frame(seed=6, step=150)[name] for name in ("found", "copied")] == [6, 6]
    assert figure.frame(seed=4, step=150)["copied"] == 6
    assert figure.frame(seed=4, step=150)["found"] < 3


@CLAIMS.says("a previous-token head (layer 0, head 2), with a band just below the diagonal")
def bands_in_every_sentence(c):
    for head, offset, least in (((0, 2), -1, 0.99), ((1, 8), 1, 0.6)):
        for sentence in c["sentences"]:
            assert np.diagonal(sentence.weights[head], offset=offset).mean() > least
