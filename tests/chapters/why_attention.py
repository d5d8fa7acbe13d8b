"""What the chapter "Why attention?" says is what its cells and its figures give."""

import numpy as np
import pytest
from chapters.claims import Claims

CLAIMS = Claims(
    (
        "This table holds the {} words that this chapter knows, with {} numbers each",
        lambda c: c["E"].shape,
    ),
    ("You may think that {} numbers have room for the order", lambda c: c["E"].shape[1]),
    (
        "A summary of {} numbers seems large enough for {} words",
        lambda c: [c["E"].shape[1], len(c["X"])],
    ),
    (
        "A summary has {} numbers of 32 bits each. Every word is one of {}",
        lambda c: [c["write"](c["X"]).size, len(c["E"])],
    ),
    ("the weights {}, {}, {}, {}, {} and {}, so most", lambda c: c["alpha"]),
)


@CLAIMS.says("Whose tail is it, and what is the thirteenth word")
def the_sentence_of_the_cells_is_the_one_quoted(c):
    assert c["text"] == "when he saw his owner the dog was happy so he wagged his tail"
    assert c["words"][13 - 1] == "his"
    assert c.printed("positions = ") == [c["text"]]


@CLAIMS.says("each nudge moves … a little downhill, and the steeper the curve, the further")
def each_nudge_lowers_the_error_and_the_answer_comes_close(c):
    figure = c.figure("fig-nudges")
    frames = [figure.frame(times=times) for times in range(len(c["NUDGED"]))]
    errors = [c["squared_error"](frame["w"]) for frame in frames]
    assert errors == sorted(errors, reverse=True)
    steps = np.diff(c["NUDGED"])
    assert (steps > 0).all()
    assert (np.diff(steps) < 0).all()
    assert frames[-1]["answer"] == pytest.approx(6, abs=0.3)


@CLAIMS.says("We could cut the sentence after was, and never hear of a tail")
def the_sentence_does_not_fit_eight_slots(c):
    (said,) = c.printed("slots = ")
    assert "(14,100) into shape (8,100)" in said
    assert c["words"][8 - 1] == "was"


@CLAIMS.says("five of our eight slots go to when, he, his, the and was")
def common_words(c):
    rank = {word: c["glove"].rank[c["glove"].words.index(word)] for word in c["words"]}
    common = {word for word in c["words"][:8] if rank[word] < 200}
    assert common == {"when", "he", "his", "the", "was"}
    assert rank["owner"] > 1000


@CLAIMS.says("the sum drops it before anything is stored")
def the_sum_forgets_the_order_and_the_summary_does_not(c):
    np.testing.assert_allclose(c["one"], c["other"], atol=1e-6)
    texts = "the dog chased the cat", "the cat chased the dog"
    one, other = (c["write"](c["vectors"](text)) for text in texts)
    assert np.abs(one - other).max() > 0.1


@CLAIMS.says("Five words. A summary")
def five_words_come_back(c):
    lines = c.printed("for n in (3")
    assert lines[0].split() == c["words"][:3]
    assert lines[1].split() == c["words"][:5]
    assert lines[2].split() != c["words"][:8]


@CLAIMS.says("the owner has become a chicken, and a pony wags an iron")
def the_dog_is_a_cat_and_a_pony_wags_an_iron(c):
    eight, whole = (line.split() for line in c.printed("for n in (3")[2:])
    assert eight[c["words"].index("dog")] == "cat"
    told = [whole[c["words"].index(word)] for word in ("owner", "so", "wagged", "tail")]
    assert told == ["chicken", "pony", "wagged", "iron"]


@CLAIMS.says("of so many wrong words, one is often lucky and wins")
def most_words_are_beaten_by_another(c):
    assert c["RECALL"][100][len(c["X"]) - 1] < 0.5


@CLAIMS.says("four words do as badly as eight did before, ten as badly as twenty")
def half_the_numbers_bring_the_same_fall_at_about_half_the_length(c):
    few, many = (c["RECALL"][d] for d in (50, 100))
    halved = many[1::2]  # of 2, 4, 6, ... words
    np.testing.assert_allclose(few[: len(halved)], halved, atol=0.15)


@CLAIMS.says("We subtract the mean vector of frequent words")
def the_subtracted_average_makes_the_words_easier_to_tell_apart(c):
    vectors = c["glove"].vectors
    unshifted = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for n in (3, 5, 8, 10, 14):
        assert c["recall"](n, unshifted) < c["recall"](n, c["E"])


@CLAIMS.says("Nearly all of the weight goes to dog")
def pet_stands_nowhere_in_the_sentence_and_finds_the_dog(c):
    assert "pet" not in c["text"].split()
    assert c.printed("q = E")[1] == "dog"
    assert c["focus"](0, 10).max() > 0.95


@CLAIMS.says("it finds his, twice")
def each_query_of_the_figure_looks_elsewhere_and_his_at_both(c):
    rows = [c.figure("fig-focus").frame(query=k)["result"] for k in range(len(c["QUERIES"]))]
    assert [c["words"][row.argmax()] for row in rows] == ["dog", "happy", "tail", "so", "his"]
    assert [c["words"][place] for place in rows[-1].argsort()[-2:]] == ["his", "his"]
    assert rows[-1].max() < 0.5


@CLAIMS.says("With equal weights attention returns just the average")
def with_equal_weights_attention_is_the_average_whatever_the_query(c):
    figure = c.figure("fig-focus")
    for query in range(len(c["QUERIES"])):
        weights = figure.frame(query=query, sharpness=0)["result"]
        np.testing.assert_allclose(weights @ c["X"], c["X"].mean(axis=0), atol=1e-6)


@CLAIMS.says("and the rest on cat, whose vector is similar")
def the_step_of_the_cell_looks_at_the_dog_and_somewhat_at_the_cat(c):
    weights, word = c["decoder_step"](c["vectors"]("dog")[0])
    assert (c["SOURCE"][weights.argsort()[-2]], word) == ("cat", "chien")
    assert np.sort(weights)[-2:].sum() > 0.99


@CLAIMS.says("at chien and noir the weights cross")
def the_alignment_is_built_row_by_row_and_crosses_at_the_adjective(c):
    assert [c["SOURCE"][row.argmax()] for row in c["ALIGNED"]] == c["TURNS"]
    assert c["ALIGNED"].argmax(axis=1).tolist() == [0, 2, 1, 3, 4, 5]
