"""What the chapter "Multi-head attention" says is what its cells and its figures give."""

from pathlib import Path

import numpy as np
import pytest
from book.chapters import run_chapter

from attention_lib import attention, merge_heads, self_attention, split_heads

GOLDEN = Path(__file__).parents[1] / "golden" / "torch_two_heads.npz"


@pytest.fixture(scope="module")
def chapter():
    return run_chapter("multi_head_attention")


def by_definition(c):
    return []


def toy(c, head, asks, word):
    """Return the weight that one word of the toy gives to another."""
    return c["ROWS"][head, c["words"].index(asks), c["words"].index(word)]


CLAIMS = [
    (
        r"For \*his\* each head brings back (\S+), the",
        lambda c: [c["heads"][0][2, 0]],
    ),
    (r"so \*his\* gives \*dog\* (\S+) of its weight", lambda c: [toy(c, 0, "his", "dog")]),
    (r"Now \*tail\* gets (\S+), so each", lambda c: [toy(c, 1, "his", "tail")]),
    (r"should hold 0, 1 and 4, 5\.", by_definition),  # of the reader's own try
    (r"put 0 in place of what is negative", by_definition),  # the formula below
    (r"the numbers marked 1 go to the chosen head", by_definition),  # what is drawn
    (r"The model all-MiniLM-L6-v2", by_definition),  # its name
    (
        r"has (\d) layers of (\d+) heads, counted from 0\.",
        lambda c: c["dog"].weights.shape[:2],
    ),
    (r"head 1 of layer 3 leads from .*? head 8 of layer 1 leads to", by_definition),  # tested below
    (r"Head 8 of layer 1 leads to the next token", by_definition),  # tested below
    (r"And does head 1 of layer 3 know", by_definition),  # a question
    (r"head 1 of layer 3 of MiniLM, alone, on the dog", by_definition),  # the checker's case
    (
        r"that is (\S+) on \*dog\* and (\S+) on \*tail\*, a row that no head has",
        lambda c: c["ROWS"][:2, 2].mean(axis=0)[[0, 3]],
    ),
]


# what is said in words


def find(chapter, start):
    """Return the visible cell with this first line."""
    (cell,) = [c for c in chapter.cells if c.visible and c.code.startswith(start)]
    return cell


def printed(chapter, start):
    return find(chapter, start).printed.splitlines()


def test_each_question_alone_finds_its_answer_and_both_in_one_head_find_neither(chapter):
    c = chapter.namespace
    whose, what, both = c["ROWS"][:, 2]  # of his
    assert (whose.argmax(), what.argmax()) == (0, 3)
    np.testing.assert_allclose(both[[0, 2]], both[3])  # dog, his and tail share the weight
    output = find(chapter, "both =").printed.split("[")[-1].strip("]\n")
    assert [float(number) for number in output.split()] == [0.98, 0.98]
    np.testing.assert_allclose(both @ c["X"], 1, atol=0.05)  # what his was before


def test_no_single_row_tells_which_word_answered_which_question(chapter):
    X = chapter.namespace["X"]
    swapped = X[[3, 1, 2, 0]]  # dog and tail change their vectors
    even = np.array([0.5, 0, 0, 0.5])
    np.testing.assert_array_equal(even @ X, even @ swapped)


def test_two_heads_add_a_being_and_a_thing_at_full_weight(chapter):
    assert printed(chapter, "W_q, W_k")[0] == "[(4, 1), (4, 1)] [1.82] [1.82]"
    assert printed(chapter, "from attention_lib import multi_head_attention") == [
        "(2, 4, 4) True",
        "[2.82 2.82]",
    ]


def test_a_head_needs_both_numbers_of_a_word(chapter):
    c = chapter.namespace
    for number in range(2):
        cut = c["X"] * (np.arange(2) == number)
        _, weights = self_attention(cut, *c["whose"], np.eye(2))
        assert weights[2].max() < 0.5  # his finds nobody


def test_parts_of_the_output_projection_add_up(chapter):
    c = chapter.namespace
    blocks = c["W_o"].reshape(2, 1, 2)
    parts = [c["heads"][r] @ blocks[r] for r in range(2)]
    np.testing.assert_allclose(sum(parts), c["output"])


def test_splitting_by_reshape_equals_running_heads_one_by_one(chapter):
    assert find(chapter, "from attention_lib import split_heads").value is True


@pytest.mark.parametrize(("n", "d", "h", "d_k"), [(1, 3, 1, 2), (4, 6, 3, 2), (7, 5, 2, 4)])
def test_one_wide_product_equals_running_heads_one_by_one(n, d, h, d_k):
    rng = np.random.default_rng(n)
    X, W = rng.normal(size=(n, d)), rng.normal(size=(3, h, d, d_k))
    Q, K, V = (split_heads(X @ np.concatenate(list(each), axis=1), heads=h) for each in W)
    wide = merge_heads(attention(Q, K, V)[0])
    single = [self_attention(X, *W[:, i])[0] for i in range(h)]
    np.testing.assert_allclose(wide, np.concatenate(single, axis=-1))


def test_words_meet_in_attention_and_not_in_the_feed_forward_network(chapter):
    assert printed(chapter, "from attention_lib import feed_forward") == [
        "attended [ True  True  True  True]",
        "fed [ True False False False]",
    ]


def test_more_heads_of_less_width_hold_as_many_numbers():
    d = 512
    counts = {3 * h * d * (d // h) + h * (d // h) * d for h in (1, 2, 4, 8, 16)}
    assert counts == {4 * d * d}


def test_the_next_token_head_leads_to_the_next_token_from_most_words(chapter):
    weights = chapter.namespace["dog"].weights[1, 8]
    ahead = weights[1:-1].argmax(axis=1) == np.arange(2, len(weights))
    assert ahead.sum() > 0.8 * len(ahead)


def test_pytorch_gives_the_same_numbers_for_the_batch(chapter):
    c = chapter.namespace
    with np.load(GOLDEN) as stored:
        peer = {name.split("/")[-1]: stored[name] for name in stored.files if "/float64/" in name}
    np.testing.assert_array_equal(c["batch"], peer["X"])
    for name in ("W_q", "W_k", "W_v", "W_o"):
        np.testing.assert_array_equal(c[name], peer[name])
    np.testing.assert_allclose(c["O"], peer["expected_output"], atol=1e-12)
    np.testing.assert_allclose(c["weights"], peer["expected_weights"], atol=1e-12)
    np.testing.assert_allclose(c["weights"].mean(axis=1), peer["expected_average"], atol=1e-12)


# what the figures show


def test_in_the_toy_one_head_leads_to_dog_and_the_other_to_tail(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-toy-heads")
    whose, what, both = figure.frame()["rows"]
    assert [c["words"][row.argmax()] for row in (whose, what)] == ["dog", "tail"]
    assert both.max() < 0.34
    tail = figure.frame(asks=3)["rows"]
    assert tail[0].argmax() == 0
    np.testing.assert_allclose(tail[1], 0.25)  # tail asks nothing there


def test_a_single_reshape_gives_whole_words_to_a_head_and_the_right_cut_pieces_of_all(chapter):
    figure = chapter.figure("fig-reshape")
    cut, head = figure.axes
    wrong, right = cut.values
    for number in head.values:
        assert figure.frame(cut=wrong, head=number)["touched"] == 2
        taken = figure.frame(cut=right, head=number)["taken"]
        assert taken.all(axis=0).sum() == 2  # the same two numbers of each word
        assert taken.sum() == 8


def test_of_two_heads_one_leads_from_his_to_dog_and_the_other_to_tail(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-two-heads")
    frame = figure.frame()
    assert [c["inside"][place] for place in frame["rows"].argmax(axis=1)] == ["dog", "tail"]
    for asks in range(len(c["inside"])):
        rows = figure.frame(asks=asks)["rows"]
        for row, head in zip(rows, ((3, 1), (1, 8)), strict=True):
            np.testing.assert_array_equal(row, c["dog"].weights[head][asks + 1, 1:-1])
