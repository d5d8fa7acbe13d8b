"""What the chapter "Self-attention" says is what its cells and its figures give."""

import itertools

import numpy as np
import pytest
from book.chapters import run_chapter

from attention_lib import attention, causal_mask, self_attention, sinusoidal_positions, softmax
from attention_lib.datasets import load_minilm_attention, load_word_vectors


@pytest.fixture(scope="module")
def chapter():
    return run_chapter("self_attention")


RAW = ["unscaled", "scaled", "centred"]


def by_definition(c):
    return []


def happy(c, *tokens):
    """Return what the row of "happy" gives to these tokens when the marks are hidden."""
    return [c["happy"][c["dog"].tokens.index(token)] for token in tokens]


def finds_itself(weights, tokens):
    """Return the words whose largest weight is on the same word."""
    return [
        word for word, j in zip(tokens, weights.argmax(axis=1), strict=True) if word == tokens[j]
    ]


def toy_bank(other=(0, 2, 0)):
    """Return the weights of "bank" in the toy and what it becomes, beside this other word."""
    X = np.array([[0, 0, 0], [2, 0, 0], [0, 0, 0], other])
    output, weights = self_attention(X, [[1], [0], [0]], [[0], [1], [1]], np.diag([0, 1, 1]))
    return weights[1], (X + output)[1]


def asking_bank(c, sentence):
    """Return the weights of "bank" when it asks for loan and river, and what it becomes."""
    X, place = c["glove"].matrix(c[sentence]), c[sentence].index("bank")
    output, weights = self_attention(X, c["towards"], c["towards"], np.eye(50))
    return weights[place], X[place] + output[place]


CLAIMS = [
    (r"a single query q of shape 1 × d_k, .*? give a row of scores, 1 × n", by_definition),
    (r"makes weights of them, 1 × n\. .*? to one output, 1 × d_v\.", by_definition),
    (r"\(layer 3, head 1, counted from 0\)", by_definition),
    (r"`\[CLS\]` gets (\S+) of the weight", lambda c: [c["row"][0]]),
    (r"\(row 1\) puts (\S+) of its weight on \*loan\*", lambda c: [toy_bank()[0][3]]),
    (r"Put `\[0, 0, 2\]`, a river", by_definition),
    (r"puts (\S+) of its weight on \*river\*", lambda c: [asking_bank(c, "river")[0][-1]]),
    (
        r"\*Owner\* (\S+), \*tail\* (\S+), \*dog\* (\S+): these",
        lambda c: happy(c, "owner", "tail", "dog"),
    ),
    (r"the head is one of (\d+), chosen", lambda c: [np.prod(c["dog"].weights.shape[:2])]),
    (r"among the (\d+) words of our list", lambda c: [len(c["glove"].words)]),
    (r"the mean vector of 20,000 frequent words subtracted", by_definition),
    (r"Ours is all-MiniLM-L6-v2", by_definition),
    (r"\*\*word2vec\*\*", by_definition),
    (r"which sizes clash: (\d+) and (\d+)\.", lambda c: [c["K9"].shape[0], c["Q9"].shape[1]]),
    (
        r"even scaled, (\d+) of the (\d+) rows",
        lambda c: [len(finds_itself(c["RAW"]["scaled"], c["tokens"])), len(c["tokens"])],
    ),
    (r"of X the first (\d+) columns are drawn", lambda c: [c["end_to_end"](0)["X"].shape[1]]),
    (r"In the cells above, (\d+) stood for", lambda c: [c["Q9"].shape[1]]),
    (r'"what I look at is (\S+) noun"', lambda c: [c["happy"] @ c["is_noun"]]),
    (
        r'on average, at place (\S+)" \(`\[CLS\]` is place (\d)\)\.',
        lambda c: [c["happy"] @ c["place"], c["place"][c["dog"].tokens.index("[CLS]")]],
    ),
    (r"to within (0\.01): the projections", lambda c: [0.01]),
    (r"slide the length to 0\.", by_definition),
    (r"The first row of a causal matrix is 1 and then zeros\.", by_definition),
    (r"elsewhere the weights \(random projections\) are 0\.", by_definition),
    (r"here everything counts from 0, and", by_definition),
    (r"the change is 0 everywhere", by_definition),
    (r"one 1 in each row and column", by_definition),
    (r"such as `\[3, 4, 2, 0, 1\]`", by_definition),
    (r"Before point 3\. A causal", by_definition),
    (r"of \$-\\infty\$ gives 0/0\. The library's", by_definition),
    (r"once more, with the weights of .*?, to within (0\.01)\.", lambda c: [0.01]),
]


# what is said in words


def printed(chapter, start):
    """Return what the visible cell with this first line printed."""
    (cell,) = [c for c in chapter.cells if c.visible and c.code.startswith(start)]
    return cell.printed.splitlines()


def grid(figure, *names):
    axes = {axis.name: axis.values for axis in figure.axes}
    return (
        dict(zip(names, values, strict=True))
        for values in itertools.product(*(axes[name] for name in names))
    )


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


def test_the_same_matrices_make_bank_a_word_about_money_or_about_water():
    weights, money = toy_bank()
    _, water = toy_bank(other=(0, 0, 2))
    assert weights[1] < 0.03
    np.testing.assert_allclose(money[[0, 2, 1]], water)
    assert money[1] > 1.8
    assert money[2] == 0


def test_a_bank_that_asks_for_loan_and_river_ends_on_the_right_side(chapter):
    c = chapter.namespace
    raw = c["near"](c["attended"](c["loan"])[1])
    money, water = (c["near"](asking_bank(c, name)[1]) for name in ("loan", "river"))
    assert money["loan"] > raw["loan"]
    assert money["loan"] > money["river"]
    assert water["river"] > water["loan"]


def test_one_matrix_shifts_the_row_of_every_position():
    P = sinusoidal_positions(30, 50)
    shift, *_ = np.linalg.lstsq(P[:-3], P[3:], rcond=None)
    np.testing.assert_allclose(P[:-3] @ shift, P[3:], atol=1e-8)


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
        np.testing.assert_allclose(figure.frame(**at, hidden=False)["result"], row, atol=2e-3)
        hidden = figure.frame(**at, hidden=True)["result"]
        np.testing.assert_allclose(hidden.sum(), 1, rtol=1e-5)
        assert hidden[0] == hidden[-1] == 0


def test_the_second_his_finds_dog_and_saw_finds_owner(chapter):
    figure, c = chapter.figure("fig-dog-row"), chapter.namespace
    second = len(c["TOKENS"]) - 1 - c["TOKENS"][::-1].index("his")
    assert c["TOKENS"][second + 1] == "tail"
    assert c["TOKENS"][figure.frame(asks=second)["result"].argmax()] == "dog"
    assert c["TOKENS"][figure.frame(asks=c["TOKENS"].index("saw"))["result"].argmax()] == "owner"


def test_owner_does_not_look_back_at_happy(chapter):
    c = chapter.namespace
    matrix = chapter.figure("fig-dog-matrix").frame()["result"]
    row = matrix[c["ASKING"].index("happy")]
    assert leaders(row, c["TOKENS"], 2) == ["owner", "tail"]
    back = matrix[c["ASKING"].index("owner"), c["TOKENS"].index("happy")]
    assert back < 0.05 < row.max() / 5


def test_neighbours_are_animals_and_parts_of_them_and_less_tidy_for_happy(chapter):
    lines = printed(chapter, 'print(glove.vector("dog").shape')
    assert lines[1:] == [
        "dog ['cat', 'dogs', 'horse', 'puppy']",
        "tail ['nose', 'legs', 'wings', 'teeth']",
        "happy ['me', 'i', 'always', 'glad']",
    ]


def test_raw_scores_are_symmetric_and_equal_words_have_equal_rows(chapter):
    assert printed(chapter, "first, second = 3, 14") == ["True True"]
    tokens = chapter.namespace["tokens"]
    assert (tokens[3], tokens[14], tokens[9]) == ("his", "his", "happy")
    assert tokens.count("his") == 2


def test_most_raw_words_stare_at_themselves_and_he_and_his_draw_the_most(chapter):
    tokens = chapter.namespace["tokens"]
    frames = {way: chapter.figure("fig-raw").frame(vectors=way)["result"] for way in RAW}
    assert len(finds_itself(frames["unscaled"], tokens)) > 12
    assert frames["unscaled"].max(axis=1).mean() > 2 * frames["scaled"].max(axis=1).mean()
    assert set(leaders(frames["scaled"].mean(axis=0), tokens, 4)) == {"he", "his"}


def test_centred_tail_finds_wagged_and_happy_finds_so_in_every_way(chapter):
    tokens = chapter.namespace["tokens"]
    frames = {way: chapter.figure("fig-raw").frame(vectors=way)["result"] for way in RAW}
    assert leaders(frames["scaled"][15], tokens, 2) == ["tail", "dog"]
    assert leaders(frames["centred"][15], tokens, 2) == ["tail", "wagged"]
    assert {leaders(w[9], tokens, 2)[1] for w in frames.values()} == {"so"}
    glove = load_word_vectors(50)
    centred = glove.matrix(tokens) - glove.mean
    right = softmax(centred @ centred.T / np.sqrt(50))
    np.testing.assert_allclose(frames["centred"], right, atol=1e-6)


def test_one_product_is_right_one_legal_and_wrong_and_one_illegal(chapter):
    right, wrong, illegal = printed(chapter, "def attempt")
    assert (right, wrong) == ("Q @ K.T: (9, 9)", "K.T @ Q: (16, 16)")
    assert "mismatch" in illegal
    (message,) = printed(chapter, "try:\n    self_attention(X, W_q.T")
    assert "W_q needs 50 rows" in message


def test_one_query_alone_and_all_at_once_agree_with_the_library(chapter):
    assert printed(chapter, "weights = softmax(Q @ K.T") == ["(9, 9) (9, 8)", "True True"]


def test_the_steps_of_the_nine_tokens_are_those_of_the_library(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-nine")
    X = load_word_vectors(50).matrix(c["nine"])
    output, weights = self_attention(X, c["W_q"], c["W_k"], c["W_v"])
    frame = figure.frame()
    np.testing.assert_allclose(frame["O"], output)
    np.testing.assert_allclose(frame["weights"], weights)
    np.testing.assert_allclose(softmax(frame["scores"]), weights)
    np.testing.assert_allclose(frame["scores"], frame["Q"] @ frame["K"].T / 4)
    np.testing.assert_allclose(frame["O"], frame["weights"] @ frame["V"])


def test_each_stage_of_the_flow_is_lit_by_what_its_row_is_made_of(chapter):
    """Each token's row follows from just the parts that the figure lights for it."""
    c, figure = chapter.namespace, chapter.figure("fig-nine")
    enters = {each.name: each.after for each in c["STAGES"]}
    assert enters["scores"] == {"Q": "row", "K": "all"}
    assert enters["O"] == {"weights": "row", "V": "all"}
    frame = figure.frame()
    for i in range(9):
        np.testing.assert_allclose(frame["Q"][i] @ frame["K"].T / 4, frame["scores"][i])
        np.testing.assert_allclose(softmax(frame["scores"][i]), frame["weights"][i])
        np.testing.assert_allclose(frame["weights"][i] @ frame["V"], frame["O"][i])


def test_values_change_the_output_and_not_the_weights(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-values")
    for at in grid(figure, "asks"):
        frame = figure.frame(**at)
        np.testing.assert_allclose(frame["class"].sum(), 1, rtol=1e-5)
        np.testing.assert_allclose(frame["place"], frame["weights"] @ np.arange(1, 18))
    saw, his = (figure.frame(asks=asks) for asks in (c["ASKING"].index("saw"), 15))
    assert c["ASKING"][15] == "his"
    assert c["KINDS"][0] == "noun"
    assert min(saw["class"][0], his["class"][0]) > 0.7
    assert abs(saw["place"] - his["place"]) > 1


def test_the_trained_head_gives_the_weights_of_the_beginning(chapter):
    lines = printed(chapter, "from attention_lib import attention\n")
    assert lines == ["(19, 384) (19, 32) True"]


def test_a_trained_head_is_not_symmetric_and_tells_the_two_his_apart(chapter):
    lines = printed(chapter, "scores = Q @ K.T / np.sqrt(32)")
    there, back = (float(line.split(":")[1]) for line in lines[:2])
    assert there > 2
    assert back < 0
    assert lines[2].split(",")[0] == "[('[CLS]'"
    assert lines[3].split(",")[0] == "[('dog'"
    assert [chapter.namespace["dog"].tokens[place] for place in (4, 16)] == ["his", "his"]
    X = chapter.namespace["X_dog"]
    assert not np.allclose(X[4], X[16], atol=0.1)


def test_masked_tokens_get_nothing_and_rows_still_sum_to_one(chapter):
    figure = chapter.figure("fig-masks")
    for at in grid(figure, "length", "causal"):
        frame = figure.frame(**at)
        assert not frame["weights"][~frame["mask"].astype(bool)].any()
        assert not frame["weights"][:, at["length"] :].any()
        np.testing.assert_allclose(frame["weights"].sum(axis=1), 1 if at["length"] else 0)
    first = figure.frame(length=9, causal=True)["weights"][0]
    np.testing.assert_allclose(first, np.eye(9)[0])
    assert not figure.frame(length=0)["weights"].any()


def test_a_row_that_may_look_at_nothing_has_a_zero_output(chapter):
    c = chapter.namespace
    output, weights = attention(c["Q9"], c["K9"], c["V9"], mask=np.zeros((9, 9), dtype=bool))
    assert not output.any()
    assert not weights.any()


def test_words_that_move_take_their_outputs_along_until_positions_are_added(chapter):
    assert printed(chapter, "ours =") == ["[3, 4, 2, 0, 1] True"]
    assert printed(chapter, "from attention_lib import sinusoidal_positions")[0] == "False"


def test_dot_products_of_positions_depend_on_their_distance_alone():
    P = sinusoidal_positions(12, 50)
    products = P @ P.T
    for distance in range(12):
        np.testing.assert_allclose(np.diagonal(products, distance), products[0, distance])


def test_order_is_invisible_without_positions_and_mask_and_visible_with_either(chapter):
    figure = chapter.figure("fig-permute")
    for at in grid(figure, "order", "positions", "causal"):
        frame = figure.frame(**at)
        change = np.abs(frame["now"] - frame["before"]).max()
        moved = at["order"] != "the dog saw his owner"
        assert (change > 0.1) == (moved and (at["positions"] or at["causal"])), at
    start = figure.frame()
    np.testing.assert_array_equal(start["now"], start["before"])


def test_a_causal_mask_does_not_move_with_the_words(chapter):
    c = chapter.namespace
    given = (c["W_q"], c["W_k"], c["W_v"])
    output, _ = self_attention(c["Y"], *given, mask=causal_mask(5))
    moved, _ = self_attention(c["Y"][c["order"]], *given, mask=causal_mask(5))
    assert not np.allclose(moved, output[c["order"]])


def test_the_recomputed_row_of_happy_is_led_by_owner_tail_and_dog(chapter):
    c = chapter.namespace
    Q, K, V = (part[1] for part in c["layer"].project(c["X_dog"]))
    _, weights = attention(Q, K, V, mask=np.tile(c["words"], (19, 1)))
    row = weights[c["dog"].tokens.index("happy")]
    assert leaders(row, c["dog"].tokens, 3) == ["owner", "tail", "dog"]
    np.testing.assert_allclose(row, c["happy"], atol=0.01)
