"""What the chapter "Self-attention" says is what its cells and its figures give."""

from pathlib import Path

import numpy as np
import pytest
from book.chapters import by_definition, grid, printed

from attention_lib import self_attention, softmax
from attention_lib.models import load_minilm_attention, load_word_vectors

GOLDEN = Path(__file__).parents[1] / "golden" / "torch_self_attention.npz"


def happy(c, *tokens):
    """Return what the row of "happy" gives to these tokens when the marks are hidden."""
    return [c["happy"][c["dog"].tokens.index(token)] for token in tokens]


def last(tokens, word):
    return len(tokens) - 1 - tokens[::-1].index(word)


def finds_itself(weights, tokens):
    """Return the words whose largest weight is on the same word."""
    return [
        word for word, j in zip(tokens, weights.argmax(axis=1), strict=True) if word == tokens[j]
    ]


def scores(c, asks, *answers):
    """Return what a word of the toy scores others by its query and their keys."""
    toy = c["Q"] @ c["K"].T
    return [toy[c["four"].index(asks), c["four"].index(word)] for word in answers]


def raw_scores(c, asks, *answers):
    toy = c["X"] @ c["X"].T
    return [toy[c["four"].index(asks), c["four"].index(word)] for word in answers]


def river_and_bank(c):
    """Return the keys of river and of bank."""
    return c["glove"].matrix(["river", "bank"]) @ c["towards"]


CLAIMS = [
    (
        r"At \*dog\*, with (\S+), before itself with (\S+)\. .*? "
        r"but it gets only (\S+)\. .*? \*Saw\*, however, does look at \*owner\*, with (\S+)\.",
        lambda c: [
            *(c["dog_row"](4, True)[c["TOKENS"].index(word)] for word in ("dog", "his", "owner")),
            c["dog_row"](c["TOKENS"].index("saw"), True).max(),
        ],
    ),
    (r"The answer A 1 and then zeros\. To leave", by_definition),  # tested below
    (r"With a length of 0 nobody may .*? all weights are 0, and no row", by_definition),  # the same
    (
        r"end at a loudness of 3: .*? at \((\S+), (\S+)\) and \((\S+), (\S+)\)\. Whoever puts",
        lambda c: c["apart"]("two directions", 3.0)["after"][:2].ravel(),
    ),
    (r"a single query q of shape 1 × d_k, .*? give a row of scores, 1 × n", by_definition),
    (r"makes weights of them, 1 × n\. .*? to one output, 1 × d_v\.", by_definition),
    (r"\(layer 3, head 1, counted from 0\)", by_definition),
    (
        r"\*His\* gives \*dog\* (\S+) of its weight, so this head",
        lambda c: [c["head"][16, c["dog"].tokens.index("dog")]],
    ),
    (r"the second \*his\*, now token (\d+), and", lambda c: [last(c["dog"].tokens, "his")]),
    (r"the mark `\[CLS\]` gets (\S+), although", lambda c: [c["row"][0]]),
    (
        r"puts (\S+) of its weight on \*river\*",
        lambda c: [c["asked"](c["river"], c["towards"], c["towards"])[0][-1]],
    ),
    (
        r"\*Owner\* (\S+), \*tail\* (\S+) and \*dog\* (\S+) come first",
        lambda c: happy(c, "owner", "tail", "dog"),
    ),
    (r"this head is one of (\d+), chosen", lambda c: [np.prod(c["dog"].weights.shape[:2])]),
    (r"Our example is all-MiniLM-L6-v2", by_definition),
    (r"\*\*word2vec\*\*", by_definition),
    (
        r"so in (\d+) of the (\d+) rows",
        lambda c: [len(finds_itself(c["raw_weights"], c["tokens"])), len(c["tokens"])],
    ),
    (
        r"it scores \*dog\*, \*tail\* and itself all (\d)\.",
        lambda c: {*raw_scores(c, "his", "dog", "tail", "his")},
    ),
    (r"in the last row, scores \*dog\* (\d), although", lambda c: raw_scores(c, "tail", "dog")),
    (
        r"scores \*dog\* (\d), itself (\d) and the others (\d)\.",
        lambda c: [*scores(c, "his", "dog", "his"), *{*scores(c, "his", "wagged", "tail")}],
    ),
    (
        r"\*Tail\* scores \*dog\* (\d), but \*dog\* scores \*tail\* (\d), so",
        lambda c: [*scores(c, "tail", "dog"), *scores(c, "dog", "tail")],
    ),
    (
        r"are yours to choose, here (\d) and (\d);",
        lambda c: [c["W_k"].shape[1], c["W_v"].shape[1]],
    ),
    (
        r"The scores (\d), (\d), (\d) and (\d) have the exponentials (\S+), (\d), (\S+) and (\d),",
        lambda c: [*c["a"], *np.exp(c["a"])],
    ),
    (
        r"which sum to (\d+), so \*dog\* gets (\S+) / (\d+), or (\S+) of the weight,",
        lambda c: [total := np.exp(c["a"]).sum(), np.exp(c["a"][0]), total, c["alpha"][0]],
    ),
    (r"and \*his\* itself gets (\S+)\. The value", lambda c: [c["alpha"][2]]),
    (r"which is (\S+) of \*being\*", lambda c: [c["one"][0]]),
    (r"not of \$d\$ or \$d_v\$; in the toy it is (\d)\.", lambda c: [np.sqrt(c["K"].shape[1])]),
    (r'output says "(\S+) noun"', lambda c: [c["happy"] @ c["is_noun"]]),
    (r'the second it says "(\S+) being"', lambda c: [c["happy"] @ c["is_being"]]),
    (r"\(to within (0\.01), because this book", lambda c: [0.01]),
    (r"our sentence has (\d+) \*\*tokens\*\*", lambda c: [len(c["tokens"])]),
    (r"The (\d) in \$W_q\$ makes", lambda c: [c["W_q"].max()]),
    (r"with `layer\.W_q\[1\]`, `layer\.b_q\[1\]` and so on", by_definition),
    (
        r"So \*river\* has the longer key \((\S+) against (\S+)\), and",
        lambda c: np.linalg.norm(river_and_bank(c), axis=1),
    ),
    (
        r"has the dot product (\S+) with the key of \*river\*, and only (\S+) with its own",
        lambda c: (keys := river_and_bank(c)) @ keys[1],
    ),
    (r"With length 0 nobody may look at anything, so all weights are 0\.", by_definition),
    (r"mask's axis of size (\d) stands for all", lambda c: [c["padding"].shape[1]]),
    (r"slide the length to 0\?", by_definition),
    (r"the first row of weights is 1 and then zeros\.", by_definition),
    (r"elsewhere the weights are 0\.", by_definition),
    (
        r"\(GPT-3 .*? has (\d+) layers of (\d+) heads, with .*? hold (\S+) million numbers",
        lambda c: [96, 96, 3 * 12_288 * 128 / 1e6],
    ),
    (r"row is the only one that sums to 0 instead of 1\.", by_definition),
    (r"and 0/0 is NaN\.", by_definition),
    (r"one 1 in each row and column", by_definition),
    (r"such as `\[3, 4, 2, 0, 1\]`", by_definition),
    (r"It breaks before point 3\. A causal", by_definition),
    (r"of \$-\\infty\$ gives 0/0\. The library's", by_definition),
    (r"once more, with the weights of .*?, to within (0\.01)\.", lambda c: [0.01]),
]


# what is said in words


def leaders(row, tokens, count):
    return [tokens[j] for j in np.argsort(-row)[:count]]


def test_raw_attention_moves_bank_towards_its_sentence_but_not_far_enough(chapter):
    c = chapter.namespace
    before = c["near"](c["glove"].vector("bank"))
    after = {name: c["near"](c["attended"](c[name])[1]) for name in ("loan", "river")}
    assert before["loan"] > before["river"]
    assert after["loan"]["loan"] > max(before["loan"], after["river"]["loan"])
    assert after["river"]["river"] > max(before["river"], after["loan"]["river"])
    assert after["river"]["loan"] > after["river"]["river"]
    for name in ("loan", "river"):
        assert c["attended"](c[name])[0][c[name].index("bank")] > 2 / 3


def test_the_padding_and_the_causal_mask_combine_to_one_of_three_axes(chapter):
    both = chapter.namespace["padding"] & chapter.namespace["causal_mask"](4)
    assert both.shape == (2, 4, 4)
    np.testing.assert_array_equal(both[1], np.tri(4, dtype=bool) & (np.arange(4) < 2))


def test_in_the_toy_his_finds_the_dog_and_tail_becomes_a_being_s_thing(chapter):
    c = chapter.namespace
    np.testing.assert_allclose(c["weights"][2].round(3), [0.853, 0.016, 0.115, 0.016])
    np.testing.assert_array_equal(c["weights"][:2], 0.25)  # dog and wagged ask nothing
    np.testing.assert_array_equal((c["X"] + c["output"])[2:].round(2), [[2.82, 1], [1.98, 2]])
    assert "$(2, 0)$ and that of *his* $(1, 0)$" in chapter.prose
    np.testing.assert_array_equal(c["V"][[0, 2]], [[2, 0], [1, 0]])


def test_a_bank_that_asks_for_loan_and_river_ends_on_the_right_side(chapter):
    c = chapter.namespace
    raw = c["near"](c["attended"](c["loan"])[1])
    money, water = (
        c["near"](c["asked"](c[name], c["towards"], c["towards"])[1]) for name in ("loan", "river")
    )
    assert money["loan"] > raw["loan"]
    assert money["loan"] > money["river"]
    assert water["river"] > water["loan"]


def test_river_loses_nothing_a_large_part_of_bank_points_elsewhere_and_the_lengths_decide(chapter):
    c = chapter.namespace
    words = c["glove"].matrix(["river", "bank"])
    river, bank = np.linalg.norm(words, axis=1)
    ask = words[1] @ c["towards"]  # (2,)
    found, itself = words @ c["towards"] @ ask
    assert found > itself > found * bank / river
    plane, _ = np.linalg.qr(c["towards"])  # (d, 2): the two directions, at right angles
    kept = np.linalg.norm(words @ plane, axis=1)
    assert kept[0] == pytest.approx(river)
    assert np.sqrt(bank**2 - kept[1] ** 2) > 0.6 * bank


def test_louder_questions_move_the_two_meanings_apart_unless_the_vectors_are_raw(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-bank")
    for way, louder in (("two directions", True), ("raw vectors", False)):
        frames = [figure.frame(way=way, strength=s)["after"] for s in (0, 0.5, 1, 2, 3)]
        gaps = [np.linalg.norm(after[0] - after[1]) for after in frames]
        assert gaps == sorted(gaps, reverse=not louder), way
    assert gaps[-1] < 0.02  # raw: both ends are back at the start
    np.testing.assert_allclose(frames[-1][0], c["START"][0], atol=0.01)
    start = figure.frame()
    assert (start["money"], start["water"], start["still"]) == pytest.approx(
        (0.91, 0.77, 0.61), abs=5e-3
    )
    np.testing.assert_array_equal(start["after"][2:], c["START"][2:])  # loan and river stay


def test_rescaled_weights_are_those_of_a_mask_before_the_softmax(chapter):
    c = chapter.namespace
    scores = np.log(c["row"])
    np.testing.assert_allclose(softmax(scores, mask=c["words"]), c["happy"], rtol=1e-5)


def test_more_than_half_of_happy_rests_on_the_first_mark(chapter):
    c = chapter.namespace
    assert c["dog"].tokens[c["row"].argmax()] == "[CLS]"
    assert c["row"].max() > 0.5
    assert leaders(c["happy"], c["dog"].tokens, 3) == ["owner", "tail", "dog"]
    assert sum(happy(c, "wa", "##gged")) < 0.03


def test_the_row_of_each_word_is_that_of_the_model(chapter):
    figure, dog = chapter.figure("fig-dog-row"), load_minilm_attention()[0]
    for at in grid(figure, "asks"):
        row = dog.weights[3, 1, at["asks"]]
        np.testing.assert_allclose(figure.frame(**at, words_only=False)["result"], row, atol=2e-3)
        shared = figure.frame(**at, words_only=True)["result"]
        np.testing.assert_allclose(shared.sum(), 1, rtol=1e-5)
        assert shared[0] == shared[-1] == 0


def test_the_second_his_finds_dog_and_saw_finds_owner(chapter):
    figure, c = chapter.figure("fig-dog-row"), chapter.namespace
    second = len(c["TOKENS"]) - 1 - c["TOKENS"][::-1].index("his")
    assert c["TOKENS"][second + 1] == "tail"
    assert c["TOKENS"][figure.frame(asks=second)["result"].argmax()] == "dog"
    assert c["TOKENS"][figure.frame(asks=c["TOKENS"].index("saw"))["result"].argmax()] == "owner"
    first, sure = (figure.frame(asks=at)["result"] for at in (c["TOKENS"].index("his"), second))
    assert c["TOKENS"][first.argmax()] == "dog"
    assert first.max() < sure.max() / 2


def test_owner_does_not_look_back_at_happy(chapter):
    c = chapter.namespace
    matrix = chapter.figure("fig-dog-matrix").frame()["result"]
    row = matrix[c["ASKING"].index("happy")]
    assert leaders(row, c["TOKENS"], 2) == ["owner", "tail"]
    back = matrix[c["ASKING"].index("owner"), c["TOKENS"].index("happy")]
    assert back < 0.05 < row.max() / 5


def test_raw_his_finds_its_own_kind_and_raw_scores_are_symmetric(chapter):
    c = chapter.namespace
    assert (c["tokens"][14], c["tokens"].count("his")) == ("his", 2)
    assert printed(chapter, "text = ")[1:] == ["14 of 16", "True"]
    assert leaders(c["raw_weights"][14], c["tokens"], 4) == ["his", "his", "he", "he"]
    glove = load_word_vectors(50)
    G = glove.matrix(c["tokens"])
    np.testing.assert_allclose(c["raw_weights"], softmax(G @ G.T / np.sqrt(50)))


def test_one_query_alone_and_all_at_once_agree_with_the_library(chapter):
    lines = printed(chapter, "from attention_lib import self_attention")
    assert lines[0] == "True True"
    assert printed(chapter, "two = ") == ["(2, 4, 1) (2, 4, 2) True"]


def test_the_steps_of_the_toy_are_those_of_the_library_and_follow_from_what_is_lit(chapter):
    """Each word's row follows from just the parts that the figure lights for it."""
    c, frame = chapter.namespace, chapter.figure("fig-toy").frame()
    enters = {each.name: each.after for each in c["STAGES"]}
    assert enters["scores"] == {"Q": "row", "K": "all"}
    assert enters["O"] == {"weights": "row", "V": "all"}
    assert enters["X + O"] == {"X": "row", "O": "row"}
    output, weights = self_attention(c["X"], c["W_q"], c["W_k"], c["W_v"])
    np.testing.assert_allclose(frame["O"], output)
    np.testing.assert_allclose(frame["weights"], weights)
    for i in range(4):
        np.testing.assert_allclose(frame["Q"][i] @ frame["K"].T, frame["scores"][i])
        np.testing.assert_allclose(softmax(frame["scores"][i]), frame["weights"][i])
        np.testing.assert_allclose(frame["weights"][i] @ frame["V"], frame["O"][i])
        np.testing.assert_allclose(frame["X"][i] + frame["O"][i], frame["X + O"][i])


def test_the_trained_head_gives_the_weights_that_the_model_computed(chapter):
    lines = printed(chapter, "from attention_lib import attention\n")
    assert lines == ["(19, 384) (19, 32) True"]


def test_masked_words_get_nothing_and_rows_still_sum_to_one(chapter):
    figure = chapter.figure("fig-masks")
    for at in grid(figure, "length", "causal"):
        frame = figure.frame(**at)
        assert not frame["weights"][~frame["mask"].astype(bool)].any()
        assert not frame["weights"][:, at["length"] :].any()
        assert frame["pairs"] == frame["mask"].sum()
        np.testing.assert_allclose(frame["weights"].sum(axis=1), 1 if at["length"] else 0)
    first = figure.frame(length=4, causal=True)["weights"][0]
    np.testing.assert_allclose(first, np.eye(4)[0])
    assert not figure.frame(length=0)["weights"].any()


def test_words_that_move_take_their_outputs_along(chapter):
    assert printed(chapter, "order =") == ["True"]
    c = chapter.namespace
    assert [c["four"][i] for i in c["order"]] == ["tail", "his", "dog", "wagged"]


def test_pytorch_gives_what_the_chapter_prints(chapter):
    c = chapter.namespace
    with np.load(GOLDEN) as stored:
        toy = {name.split("/")[-1]: x for name, x in stored.items()}
    for name, mine in (("X", "batch"), ("W_q", "W_q"), ("W_k", "W_k"), ("W_v", "W_v")):
        np.testing.assert_array_equal(toy[name], c[mine])
    np.testing.assert_array_equal(toy["mask"], c["mask"])
    np.testing.assert_allclose(toy["expected_output"], c["O_batch"], rtol=1e-6)
    assert printed(chapter, "batch =") == ["[[0.75 0.75 1.82 1.98]", " [0.88 0.98 0.5  0.5 ]]"]
