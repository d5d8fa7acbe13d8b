"""What the chapter "Why attention?" says is what its cells and its figures give."""

import re

import numpy as np
from chapters.claims import Claims
from chapters.page import ROOT


def noise(c, n):
    """Return what the other words add to every row's dot product, for each place of n."""
    E, added = c["E"], []
    for rows in c["drawn"][:n].T:
        memory = c["write"](E[rows])
        added += [E @ (c["read"](memory, t, n) - E[rows[t]]) for t in range(n)]
    return np.array(added)  # (places, words)


def told_words(c, n, rereadings=0):
    """Return what the chapter's functions tell of the first n words."""
    memory = c["write"](c["X"][:n])
    rows = c["read_all"](memory, n)
    for _ in range(rereadings):
        rows = refine(c)(memory, rows)
    return c["say"](rows).split()


def refine(c):
    """Return the function in the optional box, which no cell defines."""
    text = (ROOT / "chapters" / "why_attention.md").read_text(encoding="utf-8")
    namespace = dict(c)
    exec(re.search(r"```python\n(def refine.*?)```", text, re.S)[1], namespace)
    return namespace["refine"]


def right_words(c, n, rereadings=0):
    pairs = zip(told_words(c, n, rereadings), c["text"].split(), strict=False)
    return sum(told == word for told, word in pairs)


CLAIMS = Claims(
    (
        "A summary of {} numbers seems large enough for {} words",
        lambda c: [c["E"].shape[1], len(c["X"])],
    ),
    (
        "This table holds the {} words that this chapter knows, with {} numbers each",
        lambda c: c["E"].shape,
    ),
    (
        "after all {} the story is nonsense, with {} words of it right",
        lambda c: [len(c["X"]), right_words(c, len(c["X"]))],
    ),
    (
        "They are small, {} on average and {} at most",
        lambda c: [np.abs(c["moved"]).mean(), np.abs(c["moved"]).max()],
    ),
    ("times the noise of one: {} on average", lambda c: np.abs(noise(c, 17)).mean()),
    ("the luckiest of {} wrong rows", lambda c: len(c["E"]) - 1),
    (
        "word vectors of {} numbers instead of {}",
        lambda c: [c["TABLES"][50].shape[1], c["TABLES"][100].shape[1]],
    ),
    (
        "In sentences of eight words {} % of the words … of {} less than a quarter",
        lambda c: [100 * c["RECALL"][100][7], c["LONGEST"]],
    ),
    ("After one such round all {} words are back", lambda c: right_words(c, 8, 1)),
    ("yet {} of the weight goes to dog", lambda c: c["focus"](0, 10).max()),
    ("the weights {}, {}, {}, {}, {} and {}, so most", lambda c: c["alpha"]),
    ("The weight is {} on dog, and the rest", lambda c: c["alpha"].max()),
    (
        "A summary has {} numbers of 32 bits each. Every word is one of {}",
        lambda c: [c["write"](c["X"]).size, len(c["E"])],
    ),
    (
        "With 17 words it does not help",
        lambda c: right_words(c, 17, rereadings=1) <= right_words(c, 17),
    ),
)


@CLAIMS.says("it gets nearly all the weight, and the whole sentence is back")
def twenty_gives_nearly_all_weight_to_the_label_that_fits(c):
    labels = np.eye(30)
    _, weights = c["attention"](20 * labels, labels, labels, score=c["dot_score"])
    assert weights.diagonal().min() > 0.999


@CLAIMS.says("the sum drops the order before anything is stored")
def the_sum_forgets_the_order_and_the_summary_does_not(c):
    np.testing.assert_allclose(c["one"], c["other"], atol=1e-6)
    texts = "the dog chased the cat", "the cat chased the dog"
    one, other = (c["write"](c["vectors"](text)) for text in texts)
    assert np.abs(one - other).max() > 0.1


@CLAIMS.says("after eight words the queen is a princess and has lost teeth")
def three_words_come_back_then_the_queen_is_a_princess_who_has_lost_teeth(c):
    lines = c.printed("for n in (3")
    assert lines[0] == "the queen lost"
    assert lines[1] == "the queen lost girl keys"
    assert lines[2].startswith("the princess lost teeth")


@CLAIMS.says("Pet does not occur in the sentence")
def pet_stands_nowhere_in_the_sentence_and_finds_the_dog(c):
    assert "pet" not in c["text"].split()
    assert c.printed("q = E")[1] == "dog"


@CLAIMS.says("With equal weights attention is just a summary")
def with_equal_weights_attention_is_the_average_whatever_the_query(c):
    figure = c.figure("fig-focus")
    for query in range(len(c["QUERIES"])):
        weights = figure.frame(query=query, sharpness=0)["result"]
        np.testing.assert_allclose(weights @ c["X"], c["X"].mean(axis=0), atol=1e-6)


@CLAIMS.says("four words fare about as badly as eight did")
def half_the_numbers_bring_the_same_fall_at_about_half_the_length(c):
    few, many = (c["RECALL"][d] for d in (50, 100))
    halved = many[1::2]  # of 2, 4, 6, ... words
    np.testing.assert_allclose(few[: len(halved)], halved, atol=0.15)
    assert many[-1] < 0.25
    assert many[16] < 0.25  # sixteen others: most words are beaten by another row


@CLAIMS.says("so that the words are easier to tell apart")
def the_subtracted_average_makes_the_words_easier_to_tell_apart(c):
    vectors = c["glove"].vectors
    unshifted = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for n in (3, 5, 8, 10, 17):
        assert c["recall"](n, unshifted) < c["recall"](n, c["E"])


@CLAIMS.says("and the rest on cat, whose vector is similar")
def the_step_of_the_cell_looks_at_the_dog_and_somewhat_at_the_cat(c):
    weights, word = c["decoder_step"](c["vectors"]("dog")[0])
    assert (c["SOURCE"][weights.argsort()[-2]], word) == ("cat", "chien")
    assert np.sort(weights)[-2:].sum() > 0.99


@CLAIMS.says("at chien and noir the weights leave the diagonal and cross")
def the_alignment_is_built_row_by_row_and_crosses_at_the_adjective(c):
    assert [c["SOURCE"][row.argmax()] for row in c["ALIGNED"]] == c["TURNS"]
    assert c["ALIGNED"].argmax(axis=1).tolist() == [0, 2, 1, 3, 4, 5]


@CLAIMS.says("the whole sentence is back, the thirteenth word, his, included")
def the_thirteenth_word(c):
    assert c["words"][13 - 1] == "his"
    assert c.printed("def look") == [c["text"]]


@CLAIMS.says("four of our eight slots go to the, her, in and the")
def common_words(c):
    rank = {word: c["glove"].rank[c["glove"].words.index(word)] for word in c["words"]}
    assert [w for w in c["words"][:8] if rank[w] < 200] == ["the", "her", "in", "the"]
    assert rank["queen"] > 1000
