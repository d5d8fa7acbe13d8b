"""What the chapter "Self-attention" says is what its cells and its figures give."""

import numpy as np
from chapters.claims import Claims


def happy(c, *tokens):
    """Return what the row of "happy" gives to these tokens when the marks are hidden."""
    return [c["happy"][c["dog"].tokens.index(token)] for token in tokens]


def last(tokens, word):
    return len(tokens) - 1 - tokens[::-1].index(word)


def first_his(c):
    """Return whether the first "his" looks most at dog, and less than the second does."""
    first = c["dog_row"](c["TOKENS"].index("his"), True)
    second = c["dog_row"](last(c["TOKENS"], "his"), True)
    return leaders(first, c["TOKENS"], 2) == ["dog", "his"] and first.max() < second.max()


def alike_rows(c):
    """Return in how many rows of raw weights a token finds itself, and how many there are."""
    return [int(number) for number in c.printed("text = ")[1].split(" of ")]


def leaders(row, tokens, count):
    return [tokens[j] for j in np.argsort(-row)[:count]]


CLAIMS = Claims(
    ("At dog, though less clearly than the second his", first_his),
    (
        "His gives dog {} of its weight. The tail",
        lambda c: [c["head"][16, c["dog"].tokens.index("dog")]],
    ),
    (
        "puts three quarters of its weight on river",
        lambda c: 0.74 < c["asked"](c["river"], c["towards"], c["towards"])[0][-1] < 0.76,
    ),
    ("as in all but {} of these rows", lambda c: -np.subtract(*alike_rows(c))),
    (
        "by the sum of all four, and dog gets {} of the weight",
        lambda c: np.exp(c["a"][0]) / np.exp(c["a"]).sum(),
    ),
    ("More than half of the weight of happy is on `[CLS]`", lambda c: c["row"][0] > 0.5),
    (
        "Without the marks owner, tail and dog come first",
        lambda c: leaders(c["happy"], c["dog"].tokens, 3) == ["owner", "tail", "dog"],
    ),
    (
        "The second his finds itself, the other his, and he, but not the dog",
        lambda c: leaders(c["raw_weights"][14], c["tokens"], 4) == ["his", "his", "he", "he"],
    ),
)


@CLAIMS.says("bank keeps more than two thirds of the weight for itself")
def raw_attention_moves_bank_towards_its_sentence_but_not_far_enough(c):
    before = c["near"](c["glove"].vector("bank"))
    after = {name: c["near"](c["attended"](c[name])[1]) for name in ("loan", "river")}
    assert before["loan"] > before["river"]
    assert after["loan"]["loan"] > max(before["loan"], after["river"]["loan"])
    assert after["river"]["river"] > max(before["river"], after["loan"]["river"])
    assert after["river"]["loan"] > after["river"]["river"]
    for name in ("loan", "river"):
        assert c["attended"](c[name])[0][c[name].index("bank")] > 2 / 3


@CLAIMS.says("hides both padding and future")
def the_padding_and_the_causal_mask_combine_to_one_of_three_axes(c):
    both = c["padding"] & c["causal_mask"](4)
    assert both.shape == (2, 4, 4)
    np.testing.assert_array_equal(both[1], np.tri(4, dtype=bool) & (np.arange(4) < 2))


@CLAIMS.says("in the other sentence it is nearer to loan than ever")
def a_bank_that_asks_for_loan_and_river_ends_on_the_right_side(c):
    raw = c["near"](c["attended"](c["loan"])[1])
    money, water = (
        c["near"](c["asked"](c[name], c["towards"], c["towards"])[1]) for name in ("loan", "river")
    )
    assert money["loan"] > raw["loan"]
    assert money["loan"] > money["river"]
    assert water["river"] > water["loan"]


@CLAIMS.says("Tail, in the last row, has become a thing that belongs to a being")
def tail_belongs_to_a_being(c):
    np.testing.assert_array_equal(c["weights"][:2], 0.25)  # dog and wagged ask nothing
    np.testing.assert_array_equal((c["X"] + c["output"])[2:].round(2), [[2.82, 1], [1.98, 2]])


@CLAIMS.says("With raw vectors they end together, because a louder bank finds only itself")
def louder_questions(c):
    for way, louder in (("two directions", True), ("raw vectors", False)):
        frames = [c.figure("fig-bank").frame(way=way, strength=s)["after"] for s in (0, 1, 2, 3)]
        gaps = [np.linalg.norm(after[0] - after[1]) for after in frames]
        assert gaps == sorted(gaps, reverse=not louder), way
    assert gaps[-1] < 0.02  # raw: both ends are back at the start
    np.testing.assert_allclose(frames[-1][0], c["START"][0], atol=0.01)


@CLAIMS.says("Owner, tail and dog lead the row of happy once more")
def happy_leads(c):
    assert leaders(c["happy"], c["dog"].tokens, 3) == ["owner", "tail", "dog"]
    assert sum(happy(c, "wa", "##gged")) < 0.03


@CLAIMS.says("though dog gets little more than an equal share")
def dog_gets_little_more_than_an_equal_share(c):
    assert 1 < happy(c, "dog")[0] * c["words"].sum() < 1.4


@CLAIMS.says("You look back from his and find dog")
def his_finds_dog_and_saw_finds_owner(c):
    tokens, figure = c["TOKENS"], c.figure("fig-dog-row")
    for place, answer in ((last(tokens, "his"), "dog"), (tokens.index("saw"), "owner")):
        assert tokens[figure.frame(asks=place)["result"].argmax()] == answer


@CLAIMS.says("The tail is the dog's")
def the_last_his_finds_the_dog_only_in_the_learned_matrix(c):
    words = c["PLAIN"]
    his, dog = last(words, "his"), words.index("dog")
    assert len(c["PATH"]) == 6
    for step, weights in c["PATH"].items():
        found = weights[his].argmax() == dog
        assert found == (step == "learned")
        if step != "equal or not":
            np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-5)
    assert c["PATH"]["random"].max() < 0.2
    assert np.diag(c["PATH"]["dot product"]).mean() > np.diag(c["PATH"]["scaled"]).mean()
