"""What the chapter "Multi-head attention" says is what its cells and its figures give."""

from pathlib import Path

import numpy as np
import pytest
from chapters.claims import Claims

GOLDEN = Path(__file__).parents[1] / "golden" / "torch_two_heads.npz"


CLAIMS = Claims(
    (
        "Cut into equal thirds, … gives {} heads each, and only … which expects {}",
        lambda c: [(4 + 1 + 1) // 3, 4],
    ),
    (
        "the same weight on dog and on tail, a row that no head has",
        lambda c: np.ptp(c["ROWS"][:2, 2].mean(axis=0)[[0, 3]]) < 1e-12,
    ),
)


@CLAIMS.says("The query of his now fits the keys of dog, his and tail equally well")
def the_query_of_both_questions_scores_three_words_alike(c):
    query, keys = c["X"][2] @ c["W_q_both"], c["X"] @ c["W_k_both"]
    np.testing.assert_array_equal(keys @ query, [4, 0, 4, 4])


@CLAIMS.says("the average of the two words, $(1, 1)$, which is again the old vector of his")
def no_single_row_tells_which_word_answered_which_question(c):
    X = c["X"]
    swapped = X[[3, 1, 2, 0]]  # dog and tail change their vectors
    even = np.array([0.5, 0, 0, 0.5])
    np.testing.assert_array_equal(even @ X, even @ swapped)
    np.testing.assert_array_equal(even @ X, X[2])


@CLAIMS.says("Head 8 of layer 1 points to the next token from most words")
def the_next_token_head_leads_to_the_next_token_from_most_words(c):
    weights = c["dog"].weights[1, 8]
    ahead = weights[1:-1].argmax(axis=1) == np.arange(2, len(weights))
    assert ahead.sum() > 0.8 * len(ahead)


@CLAIMS.says("three sentences against two heads is an error")
def without_its_axis_the_mask_fits_as_many_sentences_as_heads_and_is_wrong(c):
    scores = np.zeros(c["weights"].shape)
    with pytest.raises(ValueError, match="broadcast"):
        _ = scores + c["mask"]  # three sentences, two heads
    two = np.where(c["mask"][:2], scores[:2], -np.inf)
    right = np.where(c["mask"][:2, None], scores[:2], -np.inf)
    assert np.isinf(two[0, 1]).any()
    assert not np.isinf(right[0]).any()


@CLAIMS.says("PyTorch, which does not run on this page, gives the same numbers")
def pytorch_gives_the_same_numbers_for_the_batch(c):
    with np.load(GOLDEN) as stored:
        peer = {name.split("/")[-1]: stored[name] for name in stored.files if "/float64/" in name}
    np.testing.assert_array_equal(c["batch"], peer["X"])
    for name, mine in (("W_q", "W_q"), ("W_k", "W_k"), ("W_v", "W_v_short")):
        np.testing.assert_array_equal(c[mine], peer[name])
    np.testing.assert_array_equal(peer["W_o"], np.eye(2))
    assert c.printed("from attention_lib import padding_mask") == [
        "(3, 2, 4, 4) (3, 1, 1, 4)",
        "[[0.88 0.12 0.   0.  ]",
        " [0.12 0.88 0.   0.  ]]",
    ]
    np.testing.assert_allclose(c["O"], peer["expected_output"], atol=1e-12)
    np.testing.assert_allclose(c["weights"], peer["expected_weights"], atol=1e-12)
    np.testing.assert_allclose(c["weights"].mean(axis=1), peer["expected_average"], atol=1e-12)


@CLAIMS.says("From his the two heads lead to dog and to tail")
def in_the_toy_one_head_leads_to_dog_and_the_other_to_tail(c):
    figure = c.figure("fig-toy-heads")
    whose, what, both = figure.frame()["rows"]
    assert [c["words"][row.argmax()] for row in (whose, what)] == ["dog", "tail"]
    assert both.max() < 0.34
    tail = figure.frame(asks=3)["rows"]
    assert tail[0].argmax() == 0
    np.testing.assert_allclose(tail[1], 0.25)  # tail asks nothing there


@CLAIMS.says("After a single reshape, a head has numbers from only two of the words")
def a_single_reshape_gives_whole_words_to_a_head_and_the_right_cut_pieces_of_all(c):
    figure = c.figure("fig-reshape")
    cut, head = figure.axes
    wrong, right = cut.values
    for number in head.values:
        assert figure.frame(cut=wrong, head=number)["touched"] == 2
        taken = figure.frame(cut=right, head=number)["taken"]
        assert taken.all(axis=0).sum() == 2  # the same two numbers of each word
        assert taken.sum() == 8


@CLAIMS.says("two heads seem to answer our two questions on")
def of_two_heads_one_leads_from_his_to_dog_and_the_other_to_tail(c):
    figure = c.figure("fig-two-heads")
    frame = figure.frame()
    assert [c["inside"][place] for place in frame["rows"].argmax(axis=1)] == ["dog", "tail"]
    for asks in range(len(c["inside"])):
        rows = figure.frame(asks=asks)["rows"]
        for row, head in zip(rows, ((3, 1), (1, 8)), strict=True):
            np.testing.assert_array_equal(row, c["dog"].weights[head][asks + 1, 1:-1])


@CLAIMS.says("Each question alone is easy")
def each_question_alone(c):
    whose, what, both = c["ROWS"][:, 2]  # of his
    np.testing.assert_allclose(both[[0, 2]], both[3])  # dog, his and tail share the weight
    for row, answer in ((whose, 0), (what, 3), (both, 2)):  # close to dog, to tail, to his itself
        assert np.linalg.norm(row @ c["X"] - c["X"], axis=1).argmin() == answer


@CLAIMS.says("write to the same two numbers, their answers would be mixed again")
def two_answers_mixed(c):
    mixed = (c["end_to_end"] @ np.vstack([np.eye(2), np.eye(2)]))[2]
    single = c["ROWS"][2, 2] @ c["X"]
    np.testing.assert_allclose(mixed / np.linalg.norm(mixed), single / np.linalg.norm(single))


@CLAIMS.says("Sharing is the same as copying")
def heads_that_share_are_heads_with_copies(c):
    np.testing.assert_allclose(c["shared"], c["copied"])
