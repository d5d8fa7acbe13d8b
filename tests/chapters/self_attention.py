"""What the chapter "Self-attention" says is what its cells and its figures give."""

from pathlib import Path

import numpy as np
import pytest
from chapters.claims import Claims

from attention_lib import softmax

GOLDEN = Path(__file__).parents[1] / "golden" / "torch_self_attention.npz"


def happy(c, *tokens):
    """Return what the row of "happy" gives to these tokens when the marks are hidden."""
    return [c["happy"][c["dog"].tokens.index(token)] for token in tokens]


def last(tokens, word):
    return len(tokens) - 1 - tokens[::-1].index(word)


def river_and_bank(c):
    """Return the keys of river and of bank."""
    return c["glove"].matrix(["river", "bank"]) @ c["towards"]


def leaders(row, tokens, count):
    return [tokens[j] for j in np.argsort(-row)[:count]]


GIVEN = {
    "as close as the stored matrices": "0.01",
    "as published": "4.7",
}
CLAIMS = Claims(
    (
        "At dog, with {}, before itself with {}",
        lambda c: [c["dog_row"](4, True)[c["TOKENS"].index(word)] for word in ("dog", "his")],
    ),
    ("but it gets only {}", lambda c: c["dog_row"](4, True)[c["TOKENS"].index("owner")]),
    (
        "Saw, however, does look at owner, with {}",
        lambda c: c["dog_row"](c["TOKENS"].index("saw"), True).max(),
    ),
    (
        "end at a loudness of 3: … at ({}, {}) and ({}, {}). Whoever puts",
        lambda c: c["apart"]("two directions", 3.0)["after"][:2].ravel(),
    ),
    (
        "His gives dog {} of its weight, so this head",
        lambda c: [c["head"][16, c["dog"].tokens.index("dog")]],
    ),
    ("the mark `[CLS]` gets {}", lambda c: c["row"][0]),
    (
        "puts {} of its weight on river",
        lambda c: c["asked"](c["river"], c["towards"], c["towards"])[0][-1],
    ),
    ("Owner {}, tail {} and dog {} come first", lambda c: happy(c, "owner", "tail", "dog")),
    (
        "so in {} of the {} rows",
        lambda c: c.printed("text = ")[1].split(" of "),
    ),
    (
        "The scores {}, {}, {} and {} have the exponentials {}, {}, {} and {}",
        lambda c: [*c["a"], *np.exp(c["a"])],
    ),
    (
        "which sum to {}, so dog gets {} / {}, or {} of the weight",
        lambda c: [total := np.exp(c["a"]).sum(), np.exp(c["a"][0]), total, c["alpha"][0]],
    ),
    ("and his itself gets {}. The value", lambda c: c["alpha"][2]),
    ("which is {} of being", lambda c: c["one"][0]),
    ('output says "{} noun"', lambda c: c["happy"] @ c["is_noun"]),
    ('the second it says "{} being"', lambda c: c["happy"] @ c["is_being"]),
    (
        "So river has the longer key ({} against {}",
        lambda c: np.linalg.norm(river_and_bank(c), axis=1),
    ),
    (
        "has the dot product {} with the key of river, and only {} with its own",
        lambda c: (keys := river_and_bank(c)) @ keys[1],
    ),
    (
        "The second his finds itself, the other his, and he, but not the dog",
        lambda c: leaders(c["raw_weights"][14], c["tokens"], 4) == ["his", "his", "he", "he"],
    ),
)


@CLAIMS.says("more than two thirds of the weight stays on bank itself")
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


@CLAIMS.says("in the first it is nearer to loan than ever")
def a_bank_that_asks_for_loan_and_river_ends_on_the_right_side(c):
    raw = c["near"](c["attended"](c["loan"])[1])
    money, water = (
        c["near"](c["asked"](c[name], c["towards"], c["towards"])[1]) for name in ("loan", "river")
    )
    assert money["loan"] > raw["loan"]
    assert money["loan"] > money["river"]
    assert water["river"] > water["loan"]


@CLAIMS.says("so nothing of it is lost, whereas a large part of bank points elsewhere")
def river_loses_nothing_a_large_part_of_bank_points_elsewhere_and_the_lengths_decide(c):
    words = c["glove"].matrix(["river", "bank"])
    river, bank = np.linalg.norm(words, axis=1)
    ask = words[1] @ c["towards"]  # (2,)
    found, itself = words @ c["towards"] @ ask
    assert found > itself > found * bank / river
    plane, _ = np.linalg.qr(c["towards"])  # (d, 2): the two directions, at right angles
    kept = np.linalg.norm(words @ plane, axis=1)
    assert kept[0] == pytest.approx(river)
    assert np.sqrt(bank**2 - kept[1] ** 2) > 0.6 * bank


@CLAIMS.says("This gives the same as a mask before the softmax")
def rescaled_weights_are_those_of_a_mask_before_the_softmax(c):
    scores = np.log(c["row"])
    np.testing.assert_allclose(softmax(scores, mask=c["words"]), c["happy"], rtol=1e-5)


@CLAIMS.says("the row of owner has almost nothing at happy")
def owner_does_not_look_back_at_happy(c):
    matrix = c.figure("fig-dog-matrix").frame()["result"]
    row = matrix[c["ASKING"].index("happy")]
    assert leaders(row, c["TOKENS"], 2) == ["owner", "tail"]
    back = matrix[c["ASKING"].index("owner"), c["TOKENS"].index("happy")]
    assert back < 0.05 < row.max() / 5


@CLAIMS.says("has become $(1.98, 2)$, a thing that belongs to a being")
def tail_belongs_to_a_being(c):
    np.testing.assert_array_equal(c["weights"][:2], 0.25)  # dog and wagged ask nothing
    np.testing.assert_array_equal((c["X"] + c["output"])[2:].round(2), [[2.82, 1], [1.98, 2]])


@CLAIMS.says("With two directions, a louder question drives the meanings apart")
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


@CLAIMS.says("You look back from his and find dog")
def his_finds_dog_and_saw_finds_owner(c):
    tokens, figure = c["TOKENS"], c.figure("fig-dog-row")
    for place, answer in ((last(tokens, "his"), "dog"), (tokens.index("saw"), "owner")):
        assert tokens[figure.frame(asks=place)["result"].argmax()] == answer


@CLAIMS.says("PyTorch does not run in this page, but it gives the same numbers")
def pytorch_gives_the_same(c):
    with np.load(GOLDEN) as stored:
        toy = {name.split("/")[-1]: x for name, x in stored.items()}
    for name, mine in (("X", "batch"), ("W_q", "W_q"), ("W_k", "W_k"), ("W_v", "W_v")):
        np.testing.assert_array_equal(toy[name], c[mine])
    np.testing.assert_array_equal(toy["mask"], c["mask"])
    np.testing.assert_allclose(toy["expected_output"], c["O_batch"], rtol=1e-6)
