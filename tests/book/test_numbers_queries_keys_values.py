"""What the chapter "Queries, keys and values" says is what its cells and its figures give.

Also here: the names on the notation page exist.
"""

import inspect
import re

import numpy as np
from book.chapters import FOLDER, by_definition, printed

import attention_lib
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


def years_of_the_best(c):
    return sorted(int(c["books"].years[j]) for j in np.argsort(-c["soft"])[:2])


def year_of(c, title):
    return c["books"].years[c["books"].titles.index(title)]


TIME = "the theory of time travel"
SHELF = ["The Time Machine", "A Brief History of Time", "Dracula", "Moby-Dick"]
CLAIMS = [
    (r"- a 1 for the first of the two, .*? - a 1 for each of the two", by_definition),
    (r"which is 1 if the key equals the query and 0 if not", by_definition),
    (r"A row with a single 1 among zeros", by_definition),
    (r"When is an entry of the row 1\?", by_definition),
    (r"within the distance, and 0 for the others", by_definition),
    (r"severely punishes a weight near 0\.", by_definition),
    (r"a weight of 0 strikes a value out and a weight of 1 keeps it", by_definition),
    (
        r"and what for \*Dracula\*, of (\d+) and of (\d+)\?",
        lambda c: [y for title, y in shelf(c) if title == "Dracula"],
    ),
    (
        r"It gives (\S+) and (\S+)\. A year in the middle, (\S+), would be an average",
        lambda c: [
            *(summed(c, query) for query in ("the alchymist", "Dracula")),
            summed(c, "Dracula") / c["match"]("Dracula", c["titles"]).sum(),
        ],
    ),
    (
        r"Which book appeared in (\d+)\?",
        lambda c: [y for title, y in shelf(c) if title == "The Time Machine"],
    ),
    (
        r"(\w+) books appeared in (\d+), so years, like titles, can fail",
        lambda c: [c["match"](1988, c["years"]).sum(), max(c["years"], key=c["years"].count)],
    ),
    (r"a larger shelf, with (\d+) books", lambda c: [len(c["books"].titles)]),
    (r"a vector of \$d_k = (\d+)\$ numbers", lambda c: [c["K"].shape[1]]),
    (r"A small trained model, all-MiniLM-L6-v2", by_definition),  # the name of the model
    (r"ask only the (\w+) queries in `books\.queries`", lambda c: [len(c["books"].queries)]),
    (r"length one: their \*\*norm\*\* is (\d)\.", lambda c: [c["norms"].mean()]),
    (r"is 1 for the same direction, 0 for a right angle, and negative beyond it", by_definition),
    (
        r"scores (\S+) against the right title and (\S+) against the next one,",
        lambda c: sorted_scores(c, "the alchymist")[:2],
    ),
    (r"every one of the (\d+) books has a score", lambda c: [c["scores"].size]),
    (r"weight 1 to the highest score and 0 to all others", by_definition),
    (
        r"second title scores (\S+), almost as much as the first with (\S+),",
        lambda c: sorted_scores(c, TIME)[1::-1],
    ),
    (
        r"\*The Time Machine\* has weight (\S+) and \*A Brief History of Time\* (\S+)\.",
        lambda c: weights_of(c, TIME, "The Time Machine", "A Brief History of Time"),
    ),
    (
        r"the closer all (\d+) weights come to \$1/(\d+)\$",
        lambda c: [c["soft"].size, 1 / softmax(np.zeros_like(c["soft"]))[0]],
    ),
    (r"from \*vampires\* \(0\) to \*the theory of time travel\* \(1\)", by_definition),
    (r"the years of all (\d+) books as values", lambda c: [c["books"].years.size]),
    (
        r"The second, (\S+), lies between (\d+) and (\d+), the years",
        lambda c: [c["soft"] @ c["books"].years, *years_of_the_best(c)],
    ),
    (
        r"The Time Machine, (\d+); A Brief History of Time, (\d+); Dracula, (\d+); "
        r"Moby-Dick, (\d+); and (\d+) other titles",
        lambda c: [*(year_of(c, title) for title in SHELF), len(c["books"].titles) - len(SHELF)],
    ),
    (r"and the year (\S+) comes back", lambda c: [c["hard"] @ c["books"].years]),
    (
        r"The soft weights are (\S+) and (\S+) for the first two titles .*?, and (\S+) comes back",
        lambda c: [*weights_of(c, TIME, *SHELF[:2]), c["soft"] @ c["books"].years],
    ),
]


def shelf(c):
    return list(zip(c["titles"], c["years"], strict=True))


# what is said in words


def test_the_time_machine_is_the_third_key_and_the_years_are_those_of_the_books(chapter):
    c = chapter.namespace
    assert c["titles"].index("The Time Machine") + 1 == 3
    published = dict(zip(c["books"].titles, c["books"].years, strict=True))
    assert {title: min(y for t, y in shelf(c) if t == title) for title in c["titles"]} == {
        title: published[title] for title in c["titles"]
    }


def test_the_shelf_is_asked_by_title_then_by_year(chapter):
    shown = {cell.code.splitlines()[0]: cell.printed for cell in chapter.cells if cell.visible}
    asked = shown["print(ask(1895, titles, years))"].splitlines()
    assert asked[1] == "The Time Machine"
    assert "1895" in asked[0]
    assert "1988" in asked[2]


def test_one_query_works_on_two_sizes_and_its_answer_depends_on_the_database(chapter):
    assert printed(chapter, "surnames =") == ["Mu Mu", "Bo"]


def test_the_one_line_of_the_library_is_the_soft_look_up(chapter):
    c = chapter.namespace
    np.testing.assert_allclose(c["weights"][0], c["soft"], atol=1e-6)
    np.testing.assert_allclose(c["output"][0, 0], c["soft"] @ c["books"].years, rtol=1e-6)


def test_the_misspelt_query_ends_at_the_right_book(chapter):
    found = [cell.value for cell in chapter.cells if cell.code.startswith("top(softmax(")]
    assert [title for ((title, _),) in found] == ["The Alchemist"]


def test_every_soft_weight_is_positive_and_the_two_best_hold_almost_all(chapter):
    soft = chapter.namespace["soft"]
    assert soft.min() > 0
    assert sum(sorted(soft)[-2:]) > 0.99


def test_titles_link_dracula_with_vampires_but_not_moby_dick_with_whales(chapter):
    c = chapter.namespace
    titles = c["books"].titles
    rank = {
        title: int((scores_of(c, query) > scores_of(c, query)[titles.index(title)]).sum())
        for query, title in [("vampires", "Dracula"), ("whale hunting", "Moby-Dick")]
    }
    assert rank["Dracula"] == 0
    assert rank["Moby-Dick"] >= 5


def test_a_small_nudge_leaves_hard_weights_alone_and_moves_soft_ones_a_little(chapter):
    c = chapter.namespace
    nudged = c["K"] @ (0.99 * c["vector"](TIME) + 0.01 * c["vector"]("vampires"))
    scores = scores_of(c, TIME)
    assert nudged.argmax() == scores.argmax()
    moved = np.abs(softmax(nudged, temperature=c["T"]) - softmax(scores, temperature=c["T"])).max()
    assert 1e-5 < moved < 0.01


def test_the_author_is_found_only_where_he_is_part_of_the_key(chapter):
    books, q = chapter.namespace["books"], chapter.namespace["vector"]("Paulo Coelho")
    book = books.titles.index("The Alchemist")
    assert (books.title_vectors @ q).argmax() != book
    assert (books.title_author_vectors @ q).argmax() == book


# what the figures show


def test_two_queries_are_not_one_hot_on_the_shelf_of_six(chapter):
    figure = chapter.figure("fig-exact")
    sums = {query: figure.frame(query=query)["matches"] for query in chapter.namespace["queries"]}
    assert {query: n for query, n in sums.items() if n != 1} == {"Dracula": 2, "the alchymist": 0}


def on_the_shelf(chapter, **at):
    return chapter.figure("fig-shelf").frame(**at)["weights"]


def test_lower_temperatures_come_closer_to_hard_and_higher_ones_to_equal_weights(chapter):
    times = {"query": TIME, "way": "soft"}
    rows = [
        on_the_shelf(chapter, temperature=t, **times) for t in chapter.namespace["temperatures"]
    ]
    hard = on_the_shelf(chapter, query=TIME, way="hard")
    from_hard = [np.abs(row - hard).max() for row in rows]
    from_equal = [np.abs(row - 1 / 48).max() for row in rows]
    assert from_hard == sorted(from_hard)
    assert from_hard[0] < 0.06
    assert from_equal == sorted(from_equal, reverse=True)
    assert from_equal[-1] < 0.003


def test_the_shelf_starts_at_the_temperature_of_the_text(chapter):
    c = chapter.namespace
    np.testing.assert_allclose(on_the_shelf(chapter, query=TIME), c["soft"])


def test_exact_finds_one_hard_finds_all_and_soft_tells_clear_from_unclear(chapter):
    titles, queries = chapter.namespace["books"].titles, chapter.namespace["books"].queries
    exact = [query for query in queries if on_the_shelf(chapter, query=query, way="exact").any()]
    assert exact == ["The Alchemist"]
    for query in queries:
        assert on_the_shelf(chapter, query=query, way="hard").sum() == 1
        np.testing.assert_allclose(
            on_the_shelf(chapter, query=query, way="soft").sum(), 1, atol=1e-6
        )
    whales = on_the_shelf(chapter, query="whale hunting", way="hard")
    assert titles[whales.argmax()] == "Animal Farm"
    clear = [on_the_shelf(chapter, query=q).max() for q in ("the alchymist", "vampires")]
    unclear = [on_the_shelf(chapter, query=q).max() for q in (TIME, "whale hunting")]
    assert max(unclear) < 0.7
    assert min(clear) > 0.9


def test_hard_weights_stand_still_and_jump_and_soft_ones_move_all_the_time(chapter):
    figure = chapter.figure("fig-nudge")
    for name, row in figure.frame(way="hard").items():
        assert set(row) <= {0.0, 1.0}
        assert (np.diff(row) != 0).sum() == (0 if name == "A Brief History of Time" else 1)
    for row in figure.frame(way="soft").values():
        assert (np.diff(row) != 0).all()
        assert np.abs(np.diff(row)).max() < 0.25


# the notation page


def test_every_name_on_the_notation_page_is_one_of_the_library_or_of_a_chapter():
    text = (FOLDER / "notation.md").read_text(encoding="utf-8")
    names = set(re.findall(r"`(\w+)`", text))
    functions = [getattr(attention_lib, name) for name in attention_lib.__all__]
    known = {word for f in functions for word in inspect.signature(f).parameters}
    known |= {word for f in functions for word in re.findall(r"\w+", inspect.getdoc(f))}
    for chapter in FOLDER.glob("*.md"):
        cells = re.findall(
            r"^```\{code-cell\}.*?^```", chapter.read_text(encoding="utf-8"), re.M | re.S
        )
        known |= {word for cell in cells for word in re.findall(r"\w+", cell)}
    assert len(names) > 30
    assert names - known == set()
