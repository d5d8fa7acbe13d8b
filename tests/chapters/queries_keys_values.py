"""What the chapter "Queries, keys and values" says is what its cells and its figures give."""

import numpy as np
from chapters.claims import Claims

from attention_lib import softmax


def scores_of(c, query):
    return c["K"] @ c["vector"](query)


def sorted_scores(c, query):
    return sorted(scores_of(c, query), reverse=True)


def weights_of(c, query, *titles):
    weights = softmax(scores_of(c, query), temperature=c["T"])
    return [weights[c["books"].titles.index(title)] for title in titles]


def summed(c, title):
    return c["match"](title, c["titles"]) @ c["years"]


def year_of(c, title):
    return c["books"].years[c["books"].titles.index(title)]


TIME = "the theory of time travel"


SHELF = ["The Time Machine", "A Brief History of Time", "Dracula", "Moby-Dick"]


def shelf(c):
    return list(zip(c["titles"], c["years"], strict=True))


def on_the_shelf(c, **at):
    return c.figure("fig-shelf").frame(**at)["weights"]


CLAIMS = Claims(
    (
        "It gives {} and {}. If you guessed {}, the year in the middle",
        lambda c: [
            *(summed(c, query) for query in ("the alchymist", "Dracula")),
            summed(c, "Dracula") / c["match"]("Dracula", c["titles"]).sum(),
        ],
    ),
    ("a vector of $d_k = {}$ numbers", lambda c: c["K"].shape[1]),
    ("There are {} of them, though", lambda c: c["match"]("psychology", c["majors"]).sum()),
    (
        "John's row is one-hot, and his major comes back",
        lambda c: c.printed("students =") == ["psychology [0. 1. 0.]", "[0. 0. 0.] [0. 1. 1.]"],
    ),
    (
        "works on a database of any size (first line below)",
        lambda c: c.printed("first, last =") == ["1851 1851", "1897 2011"],
    ),
    (
        "and yet the right title wins clearly",
        lambda c: -np.diff(sorted_scores(c, "the alchymist")[:2])[0] > 0.15,
    ),
    (
        "The second title scores almost as much as the first",
        lambda c: 0 < -np.diff(sorted_scores(c, TIME)[:2])[0] < 0.04,
    ),
    (
        "The Time Machine, {}; A Brief History of Time, {}; Dracula, {}; Moby-Dick, {};",
        lambda c: [year_of(c, title) for title in SHELF],
    ),
    ("and the year {} comes back", lambda c: c["hard"] @ c["books"].years),
    (
        "The soft weights are {} and {} for the first two titles …, and {} comes back",
        lambda c: [*weights_of(c, TIME, *SHELF[:2]), c["soft"] @ c["books"].years],
    ),
)


@CLAIMS.says("The library does it all in one call")
def the_one_line_of_the_library_is_the_soft_look_up(c):
    np.testing.assert_allclose(c["weights"][0], c["soft"], atol=1e-6)
    np.testing.assert_allclose(c["output"][0, 0], c["soft"] @ c["books"].years, rtol=1e-6)


@CLAIMS.says("And the alchymist gives nearly all of its weight to")
def the_misspelt_title_weighs_its_book_most(c):
    assert weights_of(c, "the alchymist", "The Alchemist")[0] > 0.9


@CLAIMS.says("its key holds only what the model made of the title")
def titles_link_dracula_with_vampires_but_not_moby_dick_with_whales(c):
    titles = c["books"].titles
    rank = {
        title: int((scores_of(c, query) > scores_of(c, query)[titles.index(title)]).sum())
        for query, title in [("vampires", "Dracula"), ("whale hunting", "Moby-Dick")]
    }
    assert rank["Dracula"] == 0
    assert rank["Moby-Dick"] >= 5


@CLAIMS.says("Soft weights change a little with every nudge")
def a_small_nudge_leaves_hard_weights_alone_and_moves_soft_ones_a_little(c):
    nudged = c["K"] @ (0.99 * c["vector"](TIME) + 0.01 * c["vector"]("vampires"))
    scores = scores_of(c, TIME)
    assert nudged.argmax() == scores.argmax()
    moved = np.abs(softmax(nudged, temperature=c["T"]) - softmax(scores, temperature=c["T"])).max()
    assert 1e-5 < moved < 0.01


@CLAIMS.says("finds his Alchemist only among keys")
def the_author_is_found_only_where_he_is_part_of_the_key(c):
    books, q = c["books"], c["vector"]("Paulo Coelho")
    book = books.titles.index("The Alchemist")
    assert (books.title_vectors @ q).argmax() != book
    assert (books.title_author_vectors @ q).argmax() == book


@CLAIMS.says("The row of Dracula sums to two")
def two_queries_are_not_one_hot_on_the_shelf_of_six(c):
    figure = c.figure("fig-exact")
    sums = {query: figure.frame(query=query)["matches"] for query in c["queries"]}
    assert {query: n for query, n in sums.items() if n != 1} == {"Dracula": 2, "the alchymist": 0}


@CLAIMS.says("The temperature slides the weights from a hard look-up to a plain average")
def lower_temperatures_come_closer_to_hard_and_higher_ones_to_equal_weights(c):
    times = {"query": TIME, "way": "soft"}
    rows = [on_the_shelf(c, temperature=t, **times) for t in c["temperatures"]]
    hard = on_the_shelf(c, query=TIME, way="hard")
    from_hard = [np.abs(row - hard).max() for row in rows]
    from_equal = [np.abs(row - 1 / 48).max() for row in rows]
    assert from_hard == sorted(from_hard)
    assert from_hard[0] < 0.06
    assert from_equal == sorted(from_equal, reverse=True)
    assert from_equal[-1] < 0.003


@CLAIMS.says("in the order of the scores for the theory of time travel")
def the_shelf_stands_in_the_order_of_its_first_query_which_lights_two_titles(c):
    row = on_the_shelf(c)
    np.testing.assert_allclose(row, sorted(c["soft"])[::-1], rtol=1e-5)
    assert (row > 0.3).sum() == 2


@CLAIMS.says("Choose whale hunting in")
def exact_finds_one_hard_finds_all_and_soft_tells_clear_from_unclear(c):
    titles, queries = c["shelf"], c["books"].queries
    exact = [query for query in queries if on_the_shelf(c, query=query, way="exact").any()]
    assert exact == ["The Alchemist"]
    for query in queries:
        assert on_the_shelf(c, query=query, way="hard").sum() == 1
        np.testing.assert_allclose(on_the_shelf(c, query=query, way="soft").sum(), 1, atol=1e-6)
    whales = on_the_shelf(c, query="whale hunting", way="hard")
    assert titles[whales.argmax()] == "Animal Farm"
    clear = [on_the_shelf(c, query=q).max() for q in ("the alchymist", "vampires")]
    unclear = [on_the_shelf(c, query=q).max() for q in (TIME, "whale hunting")]
    assert max(unclear) < 0.7
    assert min(clear) > 0.9


@CLAIMS.says("Hard weights stand still or jump")
def hard_weights_stand_still_and_jump_and_soft_ones_move_all_the_time(c):
    figure = c.figure("fig-nudge")
    for name, row in figure.frame(way="hard").items():
        assert set(row) <= {0.0, 1.0}
        assert (np.diff(row) != 0).sum() == (0 if name == "A Brief History of Time" else 1)
    for row in figure.frame(way="soft").values():
        assert (np.diff(row) != 0).all()
        assert np.abs(np.diff(row)).max() < 0.25
