"""What the chapter "Why attention?" says is what its cells and its figures give."""

import itertools

import numpy as np
import pytest
from book.chapters import run_chapter
from given import right_answers

from attention_lib.datasets import load_word_vectors
from attention_lib.exercises import why_attention


@pytest.fixture(scope="module")
def chapter():
    return run_chapter("why_attention")


def by_definition(c):
    return []


def first_lost(c, d):
    """Return the length from which on more than half of the first words are lost."""
    recalls = [c["recall_of_summary"](int(n), "first", 1.0, d) for n in c["counts"]]
    return next(n for n in c["counts"] if max(recalls[n - 1 :]) < 0.5)


CLAIMS = [
    (
        r"These are the (\d+) words that this chapter knows, with (\d+) numbers each",
        lambda c: c["E"].shape,
    ),
    (
        r"(\w+) of the (\d+) words are among the two hundred most frequent",
        lambda c: [len(c["common"]), len(c["X"])],
    ),
    (r"The other (\w+) nearly tell", lambda c: [len(c["X"]) - len(c["common"])]),
    (r"from 0 to 1, says how much", by_definition),
    (r"and 100 numbers the last word is nearly always safe", by_definition),
    (r"Whatever the length of the sentence, (\d+) numbers", lambda c: [c["write"](c["X"]).size]),
    (r"Five\? Eight\? All (\d+)\?", lambda c: [len(c["X"])]),
    (
        r"After (\d+) the story is nonsense: (\w+) words of it are right",
        lambda c: [len(c["X"]), right_words(c, len(c["X"]))],
    ),
    (r"the 20 gives nearly all weight to the one that fits", by_definition),
    (r"`np\.log2`, of both sides", by_definition),
    (r"usual numbers have (\d+) bits, not 32", lambda c: [8 * c["np"].dtype(float).itemsize]),
    (r"Let us ask (\d+) of them", lambda c: [c["TRIALS"]]),
    (
        r"more than half of the first words are lost from (\w+) words on with 50 numbers, "
        r"and from (\w+) on with 100",
        lambda c: [first_lost(c, 50), first_lost(c, 100)],
    ),
    (
        r"A summary has (\d+) numbers of 32 bits each\. Every word is one of (\d+),",
        lambda c: [c["write"](c["X"]).size, len(c["E"])],
    ),
    (r"sentences of up to 50 words, their model .*? sentences of 50 words and more", by_definition),
    (r"yet (\S+) of the weight goes to \*dog\*", lambda c: [c["alpha"].max()]),
    (r"The 10 is how sharply we look", by_definition),
    (r"lower the sharpness to 0:", by_definition),
    (r"at most 100 numbers, however many words there are. .*? \(64 bits each\)", by_definition),
    (r"Places and rows count from 0\.", by_definition),
    (r"Ten words and 100 seats", by_definition),
    (r"recall is perfect for up to 100 words", by_definition),
]


# what is said in words


def right_words(c, n):
    pairs = zip(c["tell"](n).split(), c["text"].split(), strict=False)
    return sum(told == word for told, word in pairs)


def printed(chapter, start):
    """Return what the visible cell with this first line printed."""
    (cell,) = [c for c in chapter.cells if c.visible and c.code.startswith(start)]
    return cell.printed.splitlines()


def test_the_sentence_of_the_cells_is_the_one_quoted(chapter):
    quoted = chapter.prose.split("> ")[1].split(" Who ran?")[0]
    assert quoted.lower().replace(",", "").rstrip(".") == chapter.namespace["text"]


def test_eight_words_fit_the_matrix_and_the_sentence_does_not(chapter):
    size = 100 * len(chapter.namespace["X"])
    assert printed(chapter, "W = ") == ["(5,)", f"(size 800 is different from {size})"]


def test_the_shift_makes_the_words_easier_to_tell_apart(chapter):
    c = chapter.namespace
    unshifted = c["glove"].vectors / np.linalg.norm(c["glove"].vectors, axis=1, keepdims=True)
    for n in (3, 5, 8, 10, 17):
        before, after = (
            c["share"](c["read"](c["write"](table[c["drawn"][:n]]), 0, n), 0, table)
            for table in (unshifted, c["E"])
        )
        assert before < after


def test_the_common_words_are_common_on_the_whole_list_of_glove_too(chapter):
    whole = load_word_vectors(50)  # its ranks are of the whole list
    rank = {word: whole.rank[whole.words.index(word)] for word in chapter.namespace["text"].split()}
    common = set(chapter.namespace["common"])
    assert {word for word in rank if rank[word] < 200} == common


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
    assert lines[2].startswith("the princess lost teeth")
    (counted,) = [cell.value for cell in chapter.cells if cell.code.startswith("[sum(told")]
    assert counted == [3, 4, 6, 4]


def test_attention_gives_the_whole_sentence_back(chapter):
    assert printed(chapter, "def look") == [chapter.namespace["text"]]


def test_moving_the_seats_is_a_matrix_and_the_cell_is_the_equation(chapter):
    c, keep = chapter.namespace, 0.7
    R = np.roll(np.eye(100), 1, axis=0)
    summary = np.zeros(100)
    for x in c["X"]:
        summary = keep * R @ summary + x
    np.testing.assert_allclose(c["write"](c["X"], keep), summary, atol=1e-6)


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


def test_attention_keeps_every_number_of_every_word(chapter):
    (sizes,) = [cell.value for cell in chapter.cells if cell.code.startswith("write(X).size")]
    assert sizes == (100, 1700)


def test_the_summary_gives_back_less_than_half_of_ten_words(chapter):
    c, n = chapter.namespace, 10
    memory = c["write"](c["E"][c["drawn"][:n]])  # (trials, d)
    shares = [c["share"](c["read"](memory, t, n), t, c["E"]) for t in range(n)]
    assert np.mean(shares) < 0.5


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


def test_no_number_of_slots_is_right_for_all_openings(chapter):
    figure = chapter.figure("fig-window")
    assert chapter.namespace["lengths"].tolist() == [3, 14, 23, 119]
    for slots in figure.axes[0].values:
        frame = figure.frame(slots=slots)
        assert frame["lost"].any() or frame["empty"].any()
    assert not figure.frame(slots=120)["lost"].any()


def test_others_overtake_the_queen_at_the_eighth_word_and_she_is_never_first_again(chapter):
    figure = chapter.figure("fig-queen")
    leads = [figure.frame(n=n)["summary"].argmax() == 0 for n in range(2, 18)]
    assert leads == [True] * 6 + [False] * 10


def test_the_rivals_of_the_figure_are_the_best_of_all_words(chapter):
    c = chapter.namespace
    for n in range(2, 18):
        told = c["name"](c["read"](c["write"](c["X"][:n]), 1, n))
        best = chapter.figure("fig-queen").frame(n=n)["summary"].argmax()
        assert c["RIVALS"][best] == told


def test_attention_gives_the_queen_back_however_long_the_sentence(chapter):
    frames = [chapter.figure("fig-queen").frame(n=n)["attention"] for n in range(2, 18)]
    assert all(frame.argmax() == 0 for frame in frames)
    np.testing.assert_allclose(frames, np.broadcast_to(frames[0], (16, 8)), atol=1e-4)
    everything = [*frames, *(chapter.figure("fig-queen").frame(n=n)["summary"] for n in (2, 17))]
    assert 0 <= np.min(everything) <= np.max(everything) <= 1.2  # as drawn


def test_attention_recalls_every_word_at_every_length(chapter):
    c = chapter.namespace
    assert (c["attended"] == 1).all()
    assert all(c["recall_of_attention"](n, 50) == 1 for n in (1, 10, 30))
    for n, d in itertools.product((1, 10, 30), (50, 100)):
        labels, V = np.eye(n), c["TABLES"][d][c["drawn"][:n]].swapaxes(0, 1)
        output, _ = c["attention"](20 * labels[-1:], labels, V, score=c["dot_score"])
        assert c["share"](output[:, 0], n - 1, c["TABLES"][d]) == 1  # the last word too


def recall(chapter, **at):
    return chapter.figure("fig-recall").frame(**at)["recall"]


def test_a_fading_memory_keeps_the_last_word_and_loses_the_first(chapter):
    assert recall(chapter, keep=0.8, place="last").min() > 0.95
    assert recall(chapter, keep=0.8, place="first")[9:].max() < 0.05


def test_without_fading_the_first_and_the_last_word_fade_alike(chapter):
    first, last = (recall(chapter, keep=1.0, place=place) for place in ("first", "last"))
    assert np.abs(first - last).max() < 0.1
    assert first[-1] < 0.2


@pytest.mark.parametrize("place", ["first", "last"])
def test_more_numbers_give_more_back(chapter, place):
    for keep in (0.8, 0.9, 1.0):
        few, many = (recall(chapter, keep=keep, place=place, d=d).mean() for d in (50, 100))
        assert few < many


def test_each_query_of_the_figure_looks_elsewhere(chapter):
    c, words = chapter.namespace, chapter.namespace["text"].split()
    found = [
        words[chapter.figure("fig-focus").frame(query=query)["result"].argmax()]
        for query in range(len(c["QUERIES"]))
    ]
    assert found == ["dog", "king", "ran", "her", "so"]
