"""What the chapter "Multi-head attention" says is what its cells and its figures give."""

from pathlib import Path

import numpy as np
import pytest
from book.chapters import by_definition, find, printed

from attention_lib import (
    attention,
    feed_forward,
    multi_head_attention,
    self_attention,
)
from attention_lib.models import load_minilm_layer

GOLDEN = Path(__file__).parents[1] / "golden" / "torch_two_heads.npz"


def toy(c, head, asks, word):
    """Return the weight that one word of the toy gives to another."""
    return c["ROWS"][head, c["words"].index(asks), c["words"].index(word)]


def fed(c):
    """Return the number that the network of the toy gives to each word."""
    return feed_forward(c["stream"], c["W_1"], [-3], [[1]], [0])[:, 0]


CLAIMS = [
    (r"\*His\* gives \*dog\* (\S+) of its weight", lambda c: [toy(c, 0, "his", "dog")]),
    (r"Now \*tail\* gets (\S+), and the output", lambda c: [toy(c, 1, "his", "tail")]),
    (
        r"so all three dot products are (\d) and the three words",
        lambda c: {*(c["X"][2] @ c["W_q_both"] @ (c["X"] @ c["W_k_both"]).T)[[0, 2, 3]]},
    ),
    (
        r"has (\d+) heads of (\d+) numbers in each layer",
        lambda c: [c["dog"].weights.shape[1], load_minilm_layer().W_k.shape[-1]],
    ),
    (
        r"A quarter for each word\. Zeros seem .*? and here all its scores are (\d)\.",
        lambda c: {*(c["X"][3] @ c["W_q_what"] @ (c["X"] @ c["W_k_what"]).T)},
    ),
    (r"four more, which are 0 at first", by_definition),
    (r"rows in .*? were 0 \(which is why", by_definition),
    (r"which insists on .*? \(here (\d)\), we let", lambda c: [2 / 2]),
    (r"should hold 0, 1 and 4, 5\.", by_definition),  # of the reader's own try
    (r"negative ones are replaced by 0", by_definition),  # the formula below
    (r"one number that is above 0 only for a thing", by_definition),  # tested below
    (r"a threshold, here (\d), and replace what is negative by 0", lambda c: [3]),
    (
        r"The sum is (\S+) for \*tail\*, but also (\S+) for \*his\*, which is only half",
        lambda c: (c["stream"] @ c["W_1"])[[3, 2], 0],
    ),
    (
        r"After the subtraction only \*tail\* has a number left, (\S+)\. Such",
        lambda c: [fed(c)[3]],
    ),
    (r"The model all-MiniLM-L6-v2", by_definition),  # its name
    (
        r"has (\d) layers of (\d+) heads, counted from 0\.",
        lambda c: c["dog"].weights.shape[:2],
    ),
    (r"head 1 of layer 3 points from .*? head 8 of layer 1 points to", by_definition),  # below
    (r"Head 8 of layer 1 points to the next token", by_definition),  # tested below
    (r"And does head 1 of layer 3 know", by_definition),  # a question
    (r"then layer 3 of MiniLM, on the dog sentence", by_definition),  # the checker's case
    (
        r"that is (\S+) on \*dog\* and (\S+) on \*tail\*, a row that no head has",
        lambda c: c["ROWS"][:2, 2].mean(axis=0)[[0, 3]],
    ),
]


# what is said in words


def test_each_question_alone_finds_its_answer_and_both_in_one_head_find_neither(chapter):
    c = chapter.namespace
    whose, what, both = c["ROWS"][:, 2]  # of his
    assert (whose.argmax(), what.argmax()) == (0, 3)
    np.testing.assert_allclose(both[[0, 2]], both[3])  # dog, his and tail share the weight
    shown = [find(chapter, start).printed for start in ("import numpy", "W_q_what", "W_q_both")]
    outputs = [line.split("[")[-1].strip("]\n").split() for line in shown]
    assert outputs == [["1.82", "0.15"], ["0.15", "1.82"], ["0.98", "0.98"]]
    for row, answer in ((whose, 0), (what, 3), (both, 2)):  # close to dog, to tail, to his itself
        distances = np.linalg.norm(row @ c["X"] - c["X"], axis=1)
        assert distances.argmin() == answer


def test_the_query_and_the_keys_of_both_questions_are_those_of_the_text(chapter):
    c = chapter.namespace
    assert "query of *his* is now $(2, 2)$" in chapter.prose
    np.testing.assert_array_equal(c["X"][2] @ c["W_q_both"], [2, 2])
    assert "are $(2, 0)$, $(1, 1)$ and $(0, 2)$" in chapter.prose
    np.testing.assert_array_equal((c["X"] @ c["W_k_both"])[[0, 2, 3]], [[2, 0], [1, 1], [0, 2]])


def test_no_single_row_tells_which_word_answered_which_question(chapter):
    X = chapter.namespace["X"]
    swapped = X[[3, 1, 2, 0]]  # dog and tail change their vectors
    even = np.array([0.5, 0, 0, 0.5])
    np.testing.assert_array_equal(even @ X, even @ swapped)
    assert "their average, which is $(1, 1)$: exactly the old vector of *his*" in chapter.prose
    np.testing.assert_array_equal(even @ X, X[2])


def test_laid_end_to_end_each_answer_has_a_place_of_its_own(chapter):
    c = chapter.namespace
    assert printed(chapter, "W_q = np.stack") == ["[(4, 2), (4, 2)]"]
    assert printed(chapter, "end_to_end") == ["[1.82 0.15 0.15 1.82]"]
    dog, tail = c["X"][0], c["X"][3]
    np.testing.assert_allclose(c["end_to_end"][2], [*dog, *tail], atol=0.2)


def test_written_to_the_same_numbers_two_answers_say_no_more_than_one_head(chapter):
    c = chapter.namespace
    mixed = (c["end_to_end"] @ c["W_o_same"])[2]
    assert printed(chapter, "W_o_same") == ["[1.97 1.97]"]
    single = c["ROWS"][2, 2] @ c["X"]
    np.testing.assert_allclose(mixed / np.linalg.norm(mixed), single / np.linalg.norm(single))


def test_with_room_his_keeps_what_it_was_and_both_answers_beside_it(chapter):
    assert printed(chapter, "from attention_lib import multi_head_attention") == [
        "(2, 4, 4) True",
        "[1.   1.   1.82 0.15 0.15 1.82]",
    ]


def test_heads_that_do_not_read_the_new_numbers_find_what_they_found_before(chapter):
    c = chapter.namespace
    wider = [
        np.concatenate([c[name], np.zeros((2, 4, c[name].shape[2]))], axis=1)
        for name in ("W_q", "W_k", "W_v")
    ]
    output, _ = multi_head_attention(c["roomy"], *wider, c["W_o"])
    np.testing.assert_allclose(output, c["output"])


def test_all_heads_run_in_one_call_of_a_function_that_takes_a_batch(chapter):
    c = chapter.namespace
    Q, K, V = c["X"] @ c["W_q"], c["X"] @ c["W_k"], c["X"] @ c["W_v"]
    np.testing.assert_allclose(attention(Q, K, V)[0], c["heads"])


def test_a_head_needs_both_numbers_of_a_word(chapter):
    c = chapter.namespace
    for number in range(2):
        cut = c["X"] * (np.arange(2) == number)
        _, weights = self_attention(cut, c["W_q_whose"], c["W_k_whose"], np.eye(2))
        np.testing.assert_allclose(weights[2], 0.25)  # his finds nobody


def test_parts_of_the_output_projection_add_up(chapter):
    c = chapter.namespace
    blocks = c["W_o"].reshape(2, 2, 6)
    parts = [c["heads"][r] @ blocks[r] for r in range(2)]
    np.testing.assert_allclose(sum(parts), c["output"])
    written = [part.any(axis=0).tolist() for part in parts]
    assert written[0] == [False, False, True, True, False, False]
    assert written[1] == [False, False, False, False, True, True]


def test_splitting_by_reshape_equals_running_heads_one_by_one(chapter):
    assert find(chapter, "from attention_lib import split_heads").value is True


def test_of_the_four_words_only_tail_passes_the_threshold(chapter):
    c = chapter.namespace
    assert printed(chapter, "stream =") == ["[[0.75 0.75 2.82 3.98]]", "[[0.   0.   0.   0.98]]"]
    assert (fed(c) > 0).tolist() == [False, False, False, True]


def test_the_next_token_head_leads_to_the_next_token_from_most_words(chapter):
    weights = chapter.namespace["dog"].weights[1, 8]
    ahead = weights[1:-1].argmax(axis=1) == np.arange(2, len(weights))
    assert ahead.sum() > 0.8 * len(ahead)


def test_without_its_axis_the_mask_fits_as_many_sentences_as_heads_and_is_wrong(chapter):
    c = chapter.namespace
    scores = np.zeros(c["weights"].shape)
    with pytest.raises(ValueError, match="broadcast"):
        _ = scores + c["mask"]  # three sentences, two heads
    two = np.where(c["mask"][:2], scores[:2], -np.inf)
    right = np.where(c["mask"][:2, None], scores[:2], -np.inf)
    assert np.isinf(two[0, 1]).any()
    assert not np.isinf(right[0]).any()


def test_pytorch_gives_the_same_numbers_for_the_batch(chapter):
    c = chapter.namespace
    with np.load(GOLDEN) as stored:
        peer = {name.split("/")[-1]: stored[name] for name in stored.files if "/float64/" in name}
    np.testing.assert_array_equal(c["batch"], peer["X"])
    for name, mine in (("W_q", "W_q"), ("W_k", "W_k"), ("W_v", "W_v_short")):
        np.testing.assert_array_equal(c[mine], peer[name])
    np.testing.assert_array_equal(peer["W_o"], np.eye(2))
    assert printed(chapter, "from attention_lib import padding_mask") == [
        "(3, 2, 4, 4) (3, 1, 1, 4)",
        "[[0.88 0.12 0.   0.  ]",
        " [0.12 0.88 0.   0.  ]]",
    ]
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
