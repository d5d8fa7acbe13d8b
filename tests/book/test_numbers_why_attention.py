"""What the chapter "Why attention?" says is what its cells and its figures give."""

import re

import numpy as np
import pytest
from book.chapters import FOLDER, by_definition, printed

from attention_lib.models import load_word_vectors

CLAIMS = [
    (
        r"A summary of (\d+) numbers seems large enough for (\d+) words",
        lambda c: [c["E"].shape[1], len(c["X"])],
    ),
    (
        r"This table holds the (\d+) words that this chapter knows, with (\d+) numbers each",
        lambda c: c["E"].shape,
    ),
    (r"by the number `keep`, from 0 to 1, before", by_definition),
    (
        r"the first eight and all (\d+)\. Which is .*? - eight words - all (\d+) :::",
        lambda c: [len(c["X"])] * 2,
    ),
    (
        r"after all (\d+) the story is nonsense, with (\w+) words of it right",
        lambda c: [len(c["X"]), right_words(c, len(c["X"]))],
    ),
    (
        r"A word in place has a dot product of (\d+) with its own row",
        lambda c: [(c["E"] * c["E"]).sum(axis=1).mean()],
    ),
    (
        r"They are small, (\S+) on average and (\S+) at most,",
        lambda c: [np.abs(c["moved"]).mean(), np.abs(c["moved"]).max()],
    ),
    (
        r"about \$\\sqrt\{16\} = (\d)\$ times the noise of one: (\S+) on average, "
        r".*? luckiest of (\d+) wrong rows",
        lambda c: [
            noise(c, 17).std() / noise(c, 2).std(),
            np.abs(noise(c, 17)).mean(),
            len(c["E"]) - 1,
        ],
    ),
    (r"on (\w+) sentences of random words", lambda c: ["fifty"] if c["TRIALS"] == 50 else [""]),
    (
        r"word vectors of (\d+) numbers instead of (\d+)",
        lambda c: [c["TABLES"][50].shape[1], c["TABLES"][100].shape[1]],
    ),
    (
        r"In sentences of eight words (\d+) % of the words .*? of (\d+) less than a quarter",
        lambda c: [100 * c["RECALL"][100][7], c["LONGEST"]],
    ),
    (r"After one such round all (\w+) words are back", lambda c: [right_words(c, 8, 1)]),
    (r"With (\d+) words it does not help", lambda c: [len(c["X"])]),
    (r"with each word, times 10, is .*? The factor 10 sets how sharply we look", by_definition),
    (r"yet (\S+) of the weight goes to \*dog\*", lambda c: [c["focus"](0, 10).max()]),
    (r"Lower the sharpness to 0,", by_definition),
    (r"is a row with a 1 there and 0 elsewhere.*? times 20:", by_definition),
    (r"The right place scores 20 and all others 0, so", by_definition),
    (
        r"the weights (\S+), (\S+), (\S+), (\S+), (\S+) and (\S+), so most of the weight",
        lambda c: c["alpha"],
    ),
    (r"The weight is (\S+) on \*dog\*, and the rest on", lambda c: [c["alpha"].max()]),
    (r"sentences of up to 50 words, their model .*? sentences of 50 words and more", by_definition),
    (
        r"A summary has (\d+) numbers of 32 bits each\. Every word is one of (\d+),",
        lambda c: [c["write"](c["X"]).size, len(c["E"])],
    ),
    (r"`np\.log2`, of both sides", by_definition),
]


# what is said in words


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
    text = (FOLDER / "why_attention.md").read_text(encoding="utf-8")
    namespace = dict(c)
    exec(re.search(r"```python\n(def refine.*?)```", text, re.S)[1], namespace)
    return namespace["refine"]


def right_words(c, n, rereadings=0):
    pairs = zip(told_words(c, n, rereadings), c["text"].split(), strict=False)
    return sum(told == word for told, word in pairs)


def test_the_sentence_of_the_cells_is_the_one_quoted(chapter):
    quoted = chapter.prose.split("> ")[1].split(" Who ran,")[0]
    assert quoted.lower().replace(",", "").rstrip(".") == chapter.namespace["text"]


def test_eight_words_fit_the_matrix_and_the_sentence_does_not(chapter):
    size = 100 * len(chapter.namespace["X"])
    assert printed(chapter, "rng = ") == ["(5,)", f"{size} numbers do not fit 800 rows"]


def test_twenty_gives_nearly_all_weight_to_the_label_that_fits(chapter):
    c, labels = chapter.namespace, np.eye(30)
    _, weights = c["attention"](20 * labels, labels, labels, score=c["dot_score"])
    assert weights.diagonal().min() > 0.999


def test_the_sum_forgets_the_order_and_the_summary_does_not(chapter):
    c = chapter.namespace
    np.testing.assert_allclose(c["one"], c["other"], atol=1e-6)
    texts = "the dog chased the cat", "the cat chased the dog"
    one, other = (c["write"](c["vectors"](text)) for text in texts)
    assert np.abs(one - other).max() > 0.1


def test_three_words_come_back_then_the_queen_is_a_princess_who_has_lost_teeth(chapter):
    lines = printed(chapter, "for n in (3")
    assert lines[0] == "the queen lost"
    assert lines[1] == "the queen lost girl keys"
    assert lines[2].startswith("the princess lost teeth")


def test_one_more_reading_brings_eight_words_back_and_no_more_of_seventeen(chapter):
    c = chapter.namespace
    eight = told_words(c, 8, rereadings=1)
    assert " ".join(eight) == "the queen lost her keys in the garden"
    assert right_words(c, 17, rereadings=1) <= right_words(c, 17)


def test_attention_gives_the_whole_sentence_back(chapter):
    assert printed(chapter, "def look") == [chapter.namespace["text"]]


def test_moving_the_seats_is_a_matrix_and_the_cell_is_the_equation(chapter):
    c = chapter.namespace
    R = np.roll(np.eye(100), 1, axis=0)
    summary = np.zeros(100)
    for x in c["X"]:
        summary = R @ summary + x
    np.testing.assert_allclose(c["write"](c["X"]), summary, atol=1e-6)


def test_reading_back_gives_the_word_and_the_others_on_top(chapter):
    c = chapter.namespace
    n, t = 5, 2
    others = sum(np.roll(c["X"][s], t - s) for s in range(n) if s != t)
    np.testing.assert_allclose(
        c["read"](c["write"](c["X"][:n]), t, n), c["X"][t] + others, atol=1e-6
    )


def test_pet_stands_nowhere_in_the_sentence_and_finds_the_dog(chapter):
    c = chapter.namespace
    assert "pet" not in c["text"].split()
    assert printed(chapter, "q = E")[1] == "dog"


def test_a_word_out_of_place_resembles_no_word_much(chapter):
    E = chapter.namespace["E"]
    for seats in (1, 3, 7):
        cosines = np.abs(np.roll(E, seats, axis=1) @ E.T)
        assert cosines.mean() < 0.1
        assert cosines.max() < 0.5


def test_attention_keeps_every_number_of_every_word(chapter):
    (sizes,) = [cell.value for cell in chapter.cells if cell.code.startswith("write(X).size")]
    assert sizes == (100, 1700)


@pytest.mark.parametrize("d", [50, 100])
def test_four_of_the_first_eight_words_are_common(chapter, d):
    glove = load_word_vectors(d)
    rank = {word: glove.rank[glove.words.index(word)] for word in chapter.namespace["words"]}
    common = [word for word in chapter.namespace["words"][:8] if rank[word] < 200]
    assert common == ["the", "her", "in", "the"]
    assert rank["queen"] > 1000


def test_the_thirteenth_word_is_his(chapter):
    assert chapter.namespace["words"][13 - 1] == "his"


def test_with_equal_weights_attention_is_the_average_whatever_the_query(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-focus")
    for query in range(len(c["QUERIES"])):
        weights = figure.frame(query=query, sharpness=0)["result"]
        np.testing.assert_allclose(weights @ c["X"], c["X"].mean(axis=0), atol=1e-6)


# what the figures show


def test_the_figure_reads_many_sentences_as_the_chapter_reads_one(chapter):
    c, n = chapter.namespace, 6
    hits = [
        c["read_all"](c["write"](c["E"][rows]), n) == rows for rows in c["drawn"][:n].T
    ]  # (trials, n)
    assert np.mean(hits) == pytest.approx(c["RECALL"][100][n - 1])
    frame = chapter.figure("fig-recall").frame(n=n, d=50)
    assert frame["now"] == frame["recall"][n - 1] == c["RECALL"][50][n - 1]


def test_half_the_numbers_bring_the_same_fall_at_about_half_the_length(chapter):
    few, many = (chapter.namespace["RECALL"][d] for d in (50, 100))
    halved = many[1::2]  # of 2, 4, 6, ... words
    np.testing.assert_allclose(few[: len(halved)], halved, atol=0.15)
    assert many[-1] < 0.25
    assert many[16] < 0.25  # sixteen others: most words are beaten by another row


def test_the_subtracted_average_makes_the_words_easier_to_tell_apart(chapter):
    c = chapter.namespace
    vectors = c["glove"].vectors
    unshifted = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for n in (3, 5, 8, 10, 17):
        assert c["recall"](n, unshifted) < c["recall"](n, c["E"])


def test_the_step_of_the_cell_looks_at_the_dog_and_somewhat_at_the_cat(chapter):
    c = chapter.namespace
    weights, word = c["decoder_step"](c["vectors"]("dog")[0])
    assert (c["SOURCE"][weights.argsort()[-2]], word) == ("cat", "chien")
    assert np.sort(weights)[-2:].sum() > 0.99


def test_the_alignment_is_built_row_by_row_and_crosses_at_the_adjective(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-alignment")
    assert [c["SOURCE"][row.argmax()] for row in c["ALIGNED"]] == c["TURNS"]
    assert c["ALIGNED"].argmax(axis=1).tolist() == [0, 2, 1, 3, 4, 5]
    for step in range(6):
        frame = figure.frame(step=step)
        np.testing.assert_allclose(frame["so far"][: step + 1], c["ALIGNED"][: step + 1])
        assert not frame["so far"][step + 1 :].any()
        np.testing.assert_allclose(frame["now"], c["ALIGNED"][step])


def test_each_query_of_the_figure_looks_elsewhere(chapter):
    c, words = chapter.namespace, chapter.namespace["text"].split()
    found = [
        words[chapter.figure("fig-focus").frame(query=query)["result"].argmax()]
        for query in range(len(c["QUERIES"]))
    ]
    assert found == ["dog", "king", "ran", "her", "so"]
