"""What the chapter "Why attention?" says is what its cells and its figures give."""

import numpy as np
import pytest
from book.chapters import by_definition, printed
from given import right_answers

from attention_exercises import why_attention
from attention_lib.datasets import load_word_vectors


def recall(c, n, d=100):
    """Return the recall of sentences of n words in percent, read once and reread."""
    return 100 * c["RECALL"][d][n - 1]


CLAIMS = [
    (
        r"This table holds the (\d+) words that this chapter knows, with (\d+) numbers each",
        lambda c: c["E"].shape,
    ),
    (r"by the number `keep`, from 0 to 1, before", by_definition),
    (r"Whatever the length of the sentence, (\d+) numbers", lambda c: [c["write"](c["X"]).size]),
    (r"or five, or eight, or all (\d+)\?", lambda c: [len(c["X"])]),
    (
        r"after all (\d+) the story is nonsense, with (\w+) words of it right",
        lambda c: [len(c["X"]), right_words(c, len(c["X"]))],
    ),
    (r"more readings all (\w+) words are back", lambda c: [right_words(c, 8, rereadings=2)]),
    (r"With (\d+) words rereading does not help", lambda c: [len(c["X"])]),
    (r"tests (\w+) sentences of random words", lambda c: ["fifty"] if c["TRIALS"] == 50 else [""]),
    (r"read once and reread (\w+)\.", lambda c: ["twice"] if c["ROUNDS"] == 2 else [""]),
    (
        r"In sentences of eight words, (\d+) % of the words come back at once, and (\d+) % after",
        lambda c: recall(c, 8),
    ),
    (r"with (\d+) words neither way of reading", lambda c: [c["LONGEST"]]),
    (r"a row with a 1 in that place and 0 elsewhere.*? times 20, so that this", by_definition),
    (
        r"vectors, of (\d+) numbers, so that the summary has (\d+) too",
        lambda c: [c["TABLES"][50].shape[1]] * 2,
    ),
    (r"`np\.log2`, of both sides", by_definition),
    (
        r"A summary has (\d+) numbers of 32 bits each\. Every word is one of (\d+),",
        lambda c: [c["write"](c["X"]).size, len(c["E"])],
    ),
    (r"sentences of up to 50 words, their model .*? sentences of 50 words and more", by_definition),
    (r"yet (\S+) of the weight goes to \*dog\*", lambda c: [c["alpha"].max()]),
    (r"The 10 says how sharply we look, as the 20 did above", by_definition),
    (r"Lower the sharpness to 0,", by_definition),
    (r"at most 100 numbers, however many words there are. .*? \(64 bits each, more", by_definition),
    (r"Places and rows count from 0\.", by_definition),
    (r"Ten words and 100 seats", by_definition),
    (r"recall is perfect for up to 100 words", by_definition),
]


# what is said in words


def told_words(c, n, rereadings=0):
    """Return what the chapter's functions tell of the first n words."""
    memory = c["write"](c["X"][:n])
    rows = c["read_all"](memory, n)
    for _ in range(rereadings):
        rows = c["refine"](memory, rows)
    return c["say"](rows).split()


def right_words(c, n, rereadings=0):
    pairs = zip(told_words(c, n, rereadings), c["text"].split(), strict=False)
    return sum(told == word for told, word in pairs)


def test_the_sentence_of_the_cells_is_the_one_quoted(chapter):
    quoted = chapter.prose.split("> ")[1].split(" Who ran,")[0]
    assert quoted.lower().replace(",", "").rstrip(".") == chapter.namespace["text"]


def test_eight_words_fit_the_matrix_and_the_sentence_does_not(chapter):
    size = 100 * len(chapter.namespace["X"])
    assert printed(chapter, "rng = ") == ["(5,)", f"{size} numbers do not fit 800 rows"]


def test_the_shift_makes_the_words_easier_to_tell_apart(chapter):
    c = chapter.namespace
    unshifted = c["glove"].vectors / np.linalg.norm(c["glove"].vectors, axis=1, keepdims=True)
    for n in (3, 5, 8, 10, 17):
        right = c["drawn"][:n]
        before, after = (
            np.mean(
                [c["nearest"](c["write_many"](table[right]), t, n, table) for t in range(n)]
                == right
            )
            for table in (unshifted, c["E"])
        )
        assert before < after


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


def test_two_more_readings_bring_eight_words_back_and_no_more_of_seventeen(chapter):
    eight, whole = printed(chapter, "def refine")
    assert eight == "the queen lost her keys in the garden"
    assert whole.split() == told_words(chapter.namespace, 17, rereadings=2)
    assert right_words(chapter.namespace, 17, rereadings=2) <= right_words(chapter.namespace, 17)


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


def test_the_figure_reads_many_sentences_as_the_chapter_reads_one(chapter):
    c = chapter.namespace
    rows, n = c["drawn"][:6], 6
    many = c["write_many"](c["E"][rows])  # (trials, d)
    for trial in (0, 7):
        one = c["write"](c["E"][rows[:, trial]])
        np.testing.assert_allclose(many[trial], one, atol=1e-6)
        found = [c["nearest"](many, t, n, c["E"])[trial] for t in range(n)]
        assert found == c["read_all"](one, n).tolist()


@pytest.mark.parametrize("d", [50, 100])
def test_four_of_the_first_eight_words_are_common(chapter, d):
    glove = load_word_vectors(d)
    rank = {word: glove.rank[glove.words.index(word)] for word in chapter.namespace["words"]}
    common = [word for word in chapter.namespace["words"][:8] if rank[word] < 200]
    assert common == ["the", "her", "in", "the"]
    assert rank["queen"] > 1000


def test_the_thirteenth_word_is_his(chapter):
    assert chapter.namespace["words"][13 - 1] == "his"


def test_read_once_the_summary_gives_back_less_than_half_of_ten_words(chapter):
    assert recall(chapter.namespace, 10)[0] < 50


def test_the_words_and_vectors_of_the_check_are_those_of_the_chapter(chapter):
    table = why_attention._table()
    np.testing.assert_allclose(table, chapter.namespace["E"], atol=1e-6)
    assert len(table) == why_attention._WORDS


@pytest.mark.parametrize(("number", "n", "share"), [(0, 10, 1), (0, 20, 0.5), (1, 100, 1)])
def test_the_designs_of_the_solution_hold_what_it_says(chapter, number, n, share):
    design = {"np": np}
    exec(right_answers("ex-own-memory")[number], design)
    E = chapter.namespace["E"]
    words = np.random.default_rng(1).choice(len(E), n, replace=False)
    memory = design["store"](E[words], E)
    back = [design["recall"](memory, t, n, E) for t in range(n)]
    assert np.size(memory) <= 100
    assert np.mean(np.array(back) == words) == share


def test_with_equal_weights_attention_is_the_average_whatever_the_query(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-focus")
    for query in range(len(c["QUERIES"])):
        weights = figure.frame(query=query, sharpness=0)["result"]
        np.testing.assert_allclose(weights @ c["X"], c["X"].mean(axis=0), atol=1e-6)


# what the figures show


def test_through_the_summary_every_word_has_the_same_share_and_attention_takes_one(chapter):
    c, n = chapter.namespace, len(chapter.namespace["X"])
    for place in range(n):
        frame = chapter.figure("fig-squeeze").frame(place=place)
        np.testing.assert_allclose(frame["shares"][0], 1 / n, atol=1e-6)
        assert frame["shares"][1, place] == frame["looked"] > 0.999
        added = sum(np.roll(x, place - s) for s, x in enumerate(c["X"]))
        np.testing.assert_allclose(c["read"](c["write"](c["X"]), place, n), added, atol=1e-6)


def test_the_right_words_of_what_the_summary_gives_back_are_shaded(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-squeeze")
    back = [
        told == word for told, word in zip(c["say"](c["told"]).split(), c["words"], strict=True)
    ]
    assert figure.frame()["right"].tolist() == back
    assert sum(back) == 4


def test_rereading_helps_short_sentences_and_harms_long_ones(chapter):
    for d, turn in ((100, 12), (50, 7)):
        once, reread = chapter.namespace["RECALL"][d].T
        assert (reread[:turn] >= once[:turn]).all()
        assert (reread[turn:] < once[turn:]).all()
        assert max(once[-1], reread[-1]) < 0.25


def test_half_the_numbers_bring_the_same_fall_at_about_half_the_length(chapter):
    few, many = (chapter.namespace["RECALL"][d] for d in (50, 100))
    halved = many[1::2]  # of 2, 4, 6, ... words
    np.testing.assert_allclose(few[: len(halved)], halved, atol=0.15)


def test_the_curves_show_both_readings(chapter):
    figure, c = chapter.figure("fig-recall"), chapter.namespace
    for d in (50, 100):
        frame = figure.frame(n=10, d=d)
        np.testing.assert_allclose([frame["once"], frame["again"]], c["RECALL"][d].T)
        np.testing.assert_allclose([frame["now"], frame["then"]], c["RECALL"][d][9])


def test_each_query_of_the_figure_looks_elsewhere(chapter):
    c, words = chapter.namespace, chapter.namespace["text"].split()
    found = [
        words[chapter.figure("fig-focus").frame(query=query)["result"].argmax()]
        for query in range(len(c["QUERIES"]))
    ]
    assert found == ["dog", "king", "ran", "her", "so"]
