"""What the chapter "Self-attention" says is what its cells and its figures give."""

import numpy as np
from chapters.claims import Claims

from attention_lib import softmax


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


def leaders(row, tokens, count):
    return [tokens[j] for j in np.argsort(-row)[:count]]


GIVEN = {
    "as close as the stored matrices": "0.01",
    "as published": "4.7",
}
CLAIMS = Claims(
    ("At dog, though less clearly than the second his", first_his),
    (
        "His gives dog {} of its weight. The tail",
        lambda c: [c["head"][16, c["dog"].tokens.index("dog")]],
    ),
    (
        "puts {} of its weight on river",
        lambda c: c["asked"](c["river"], c["towards"], c["towards"])[0][-1],
    ),
    (
        "as in {} of these {} rows",
        lambda c: c.printed("text = ")[1].split(" of "),
    ),
    (
        "the exponentials sum to {}, so dog gets {} / {}, or {} of the weight",
        lambda c: [total := np.exp(c["a"]).sum(), np.exp(c["a"][0]), total, c["alpha"][0]],
    ),
    ('output says "{} noun"', lambda c: c["head"][16] @ c["is_noun"]),
    ('with the second, "{} being"', lambda c: c["head"][16] @ c["is_being"]),
    ("More than half of its weight is on `[CLS]`", lambda c: c["row"][0] > 0.5),
    (
        "Now owner, tail and dog come first",
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


@CLAIMS.says("So river has the longer key, and in a dot product length counts")
def a_large_part_of_bank_points_elsewhere_and_the_lengths_decide(c):
    words = c["glove"].matrix(["river", "bank"])
    river, bank = words @ c["towards"]
    assert np.linalg.norm(river) > np.linalg.norm(bank)
    assert river @ bank > bank @ bank > river @ bank / np.linalg.norm(river) * np.linalg.norm(bank)
    plane, _ = np.linalg.qr(c["towards"])  # (d, 2): the two directions, at right angles
    kept = np.linalg.norm(words[1] @ plane)
    assert np.sqrt(words[1] @ words[1] - kept**2) > 0.6 * np.linalg.norm(words[1])


@CLAIMS.says("at right angles bank would still find mostly itself")
def bank_beats_river_along_directions_at_right_angles(c):
    assert c["towards"][:, 0] @ c["towards"][:, 1] > 0.2
    plane, _ = np.linalg.qr(c["towards"])
    river, bank = c["glove"].matrix(["river", "bank"]) @ plane
    assert bank @ bank > river @ bank


@CLAIMS.says("A mask before the softmax gives the same")
def rescaled_weights_are_those_of_a_mask_before_the_softmax(c):
    scores = np.log(c["row"])
    np.testing.assert_allclose(softmax(scores, mask=c["words"]), c["happy"], rtol=1e-5)


@CLAIMS.says("has become $(1.98, 2)$, a thing that belongs to a being")
def tail_belongs_to_a_being(c):
    np.testing.assert_array_equal(c["weights"][:2], 0.25)  # dog and wagged ask nothing
    np.testing.assert_array_equal((c["X"] + c["output"])[2:].round(2), [[2.82, 1], [1.98, 2]])


@CLAIMS.says("With raw vectors a louder question brings them together")
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
