"""What the chapter "Queries, keys and values" says is what its cells and its figures give.

Also here: the names on the notation page exist.
"""

import inspect
import re

import numpy as np
import pytest
from book.chapters import FOLDER, run_chapter

import attention_lib
from attention_lib import lookup, softmax


@pytest.fixture(scope="module")
def chapter():
    return run_chapter("queries_keys_values")


def scores_of(c, query):
    return c["K"] @ c["vector"](query)


def sorted_scores(c, query):
    return sorted(scores_of(c, query), reverse=True)


def weights_of(c, query, *titles):
    weights = softmax(scores_of(c, query), temperature=c["T"])
    return [weights[c["books"].titles.index(title)] for title in titles]


def summed(c, business):
    return c["match"](business, c["businesses"]) @ c["valuations"]


def miss(c, member):
    return min(abs(member - key) for key in c["member_ids"])


def years_of_the_best(c):
    return [c["books"].years[j] for j in np.argsort(-c["soft"])[:2]]


def by_definition(c):
    return []


def year_of(c, title):
    return c["books"].years[c["books"].titles.index(title)]


TIME = "the theory of time travel"
SHELF = ["The Time Machine", "A Brief History of Time", "Dracula", "Moby-Dick"]
CLAIMS = [
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
    (r"Formulas count from 1 and Python from 0, so \$k_2\$ is `names\[1\]`", by_definition),
    (r"1 if it equals the query, 0 if not", by_definition),
    (r"A single 1 among zeros", by_definition),
    (r"weight 0 strikes a value out and weight 1 keeps it", by_definition),
    (r"the majors whose weight is 1\.", by_definition),
    (
        r"member ID from (\d+) to (\d+), and on to (\d+): missing by (\w+) .*? by (\w+)\.",
        lambda c: [1042, 1043, 1060, *(miss(c, member) for member in (1043, 1060))],
    ),
    (r"The sum answers (\S+) for the cinema", lambda c: [summed(c, "cinema")]),
    (r"For the bakery it answers (\S+), which", lambda c: [summed(c, "bakery")]),
    (r"when (\S+) records are added", lambda c: [len(c["more"])]),
    (r"let all (\w+) surnames take their turn", lambda c: [len(c["surnames"])]),
    (r"A column not yet stored stays 0\.", by_definition),
    (r"This shop has (\d+) books", lambda c: [len(c["books"].titles)]),
    (r"a vector of \$d_k = (\d+)\$ numbers", lambda c: [c["K"].shape[1]]),
    (r"the titles and (\w+) queries were turned", lambda c: [len(c["books"].queries)]),
    (r"vectors are (\d) long: their \*\*norm\*\* is (\d)\.", lambda c: [c["norms"].mean()] * 2),
    (r"1 for the same direction, 0 for a right angle, negative beyond it", by_definition),
    (
        r"scores (\S+) against the right title and (\S+) against the next one\.",
        lambda c: sorted_scores(c, "the alchymist")[:2],
    ),
    (r"There are (\d+) scores", lambda c: [c["scores"].size]),
    (r"weight 1 for the highest score and 0 for all others", by_definition),
    (
        r"second title scores (\S+), almost as much as the first with (\S+),",
        lambda c: sorted_scores(c, TIME)[1::-1],
    ),
    (
        r"\*The Time Machine\* has weight (\S+) and \*A Brief History of Time\* (\S+)\.",
        lambda c: weights_of(c, TIME, "The Time Machine", "A Brief History of Time"),
    ),
    (r"We take \$T = (\S+)\$;", lambda c: [c["T"]]),
    (
        r"The (\S+) is rounded: every weight is positive",
        lambda c: [round(float(sorted(c["soft"])[-3]), 2)],
    ),
    (r"adds up the (\d+) titles not shown", lambda c: [c["books"].years.size - len(c["shown"])]),
    (
        r"with equal weights it would stand at (\S+)\.",
        lambda c: [c["with_others"](np.full(48, 1 / 48))[-1]],
    ),
    (
        r"the closer all (\d+) weights come to \$1/(\d+)\$",
        lambda c: [c["soft"].size, 1 / softmax(np.zeros_like(c["soft"]))[0]],
    ),
    (r"\(temperature (\S+); titles not shown", lambda c: [c["T"]]),
    (
        r"blends, almost entirely, (\d+) and (\d+) into (\S+), a year",
        lambda c: [*years_of_the_best(c), c["soft"] @ c["books"].years],
    ),
]


# what is said in words


def test_john_doe_studies_psychology_and_is_the_second_key(chapter):
    names, majors = chapter.namespace["names"], chapter.namespace["majors"]
    assert lookup("John Doe", names, majors) == "psychology"
    assert names.index("John Doe") + 1 == 2


def test_the_four_properties_hold_for_the_six_names(chapter):
    c = chapter.namespace
    assert dict(zip(c["surnames"], c["first_names"], strict=True)) == {
        "Zhang": "Aston",
        "Lipton": "Zachary",
        "Li": "Mu",
        "Smola": "Alex",
        "Hu": "Rachel",
        "Werness": "Brent",
    }
    shown = {cell.code.splitlines()[-1]: cell for cell in chapter.cells if cell.visible}
    both_sizes = shown['lookup("Li", surnames, first_names), lookup("Li", keys, values)']
    assert both_sizes.value == ("Mu", "Mu")
    assert shown['lookup("Li", ["Ng", "Li"], ["Andrew", "Fei-Fei"])'].value == "Fei-Fei"
    matches = next(cell for line, cell in shown.items() if "startswith" in line)
    assert matches.printed == "['Li']\n['Lipton', 'Li']\n"
    assert next(cell for line, cell in shown.items() if "== first_names" in line).value is True


def test_all_vectors_have_norm_one(chapter):
    books = chapter.namespace["books"]
    for vectors in (books.title_vectors, books.query_vectors, books.title_author_vectors):
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)


def test_every_soft_weight_is_positive_and_the_two_best_hold_almost_all(chapter):
    soft = chapter.namespace["soft"]
    assert soft.min() > 0
    assert sum(sorted(soft)[-2:]) > 0.99


def test_no_title_equals_the_misspelt_query_and_the_right_one_wins(chapter):
    c = chapter.namespace
    assert "the alchymist" not in c["books"].titles
    first, second = sorted_scores(c, "the alchymist")[:2]
    assert first > 1.5 * second


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


def test_the_blend_is_a_year_in_which_neither_book_appeared(chapter):
    c = chapter.namespace
    years = dict(zip(c["books"].titles, c["books"].years, strict=True))
    assert c["hard"] @ c["books"].years == years["The Time Machine"]
    blend = round(float(c["soft"] @ c["books"].years))
    assert years["The Time Machine"] < blend < years["A Brief History of Time"]


# what the figures show


def test_two_names_are_not_one_hot_in_the_registrars_figure(chapter):
    figure = chapter.figure("fig-registrar")
    asked = chapter.namespace["asked"]
    sums = {name: figure.frame(query=name)["weights"].sum() for name in asked}
    assert {name: n for name, n in sums.items() if n != 1} == {"Sam Okoye": 2, "Jane Roe": 0}
    handed_out = figure.frame(query="John Doe")["handed out"]
    assert chapter.namespace["subjects"][handed_out.argmax()] == "psychology"


def test_a_near_miss_finds_no_more_than_a_far_one(chapter):
    figure = chapter.figure("fig-any-type")
    assert figure.frame(member=1042)["members"].sum() == 1
    assert not figure.frame(member=1043)["members"].any()
    assert not figure.frame(member=1060)["members"].any()


def test_what_matches_on_one_side_of_the_swap_never_matches_on_the_other(chapter):
    figure = chapter.figure("fig-swap")
    for query in range(len(chapter.namespace["either"])):
        frame = figure.frame(query=query)
        assert not (frame["names"].any() and frame["majors"].any())


def test_psychology_matches_two_majors_and_music_nothing(chapter):
    figure, either = chapter.figure("fig-swap"), chapter.namespace["either"]
    sums = {
        query: [int(row.sum()) for row in figure.frame(query=either.index(query)).values()]
        for query in ("psychology", "music")
    }
    assert sums == {"psychology": [0, 2], "music": [0, 0]}


def test_each_record_lights_up_one_cell_in_its_own_column_and_row(chapter):
    figure = chapter.figure("fig-authors")
    for records in range(7):
        stored = np.diag(np.arange(6) < records)
        np.testing.assert_array_equal(figure.frame(records=records)["result"], stored)


def test_lower_temperatures_come_closer_to_hard_and_higher_ones_to_equal_weights(chapter):
    figure, c = chapter.figure("fig-books"), chapter.namespace
    frames = [figure.frame(temperature=t) for t in c["temperatures"]]
    equal = c["with_others"](np.full(48, 1 / 48))
    from_hard = [np.abs(frame["soft"] - frame["hard"]).max() for frame in frames]
    from_equal = [np.abs(frame["soft"] - equal)[:-1].max() for frame in frames]
    assert from_hard == sorted(from_hard)
    assert from_hard[0] < 0.06
    assert from_equal == sorted(from_equal, reverse=True)
    assert from_equal[-1] < 0.003


def test_the_figure_starts_at_the_temperature_of_the_text(chapter):
    c = chapter.namespace
    soft = chapter.figure("fig-books").frame()["soft"]
    np.testing.assert_allclose(soft, c["with_others"](c["soft"]))


def test_the_best_title_of_every_query_is_shown_and_weights_sum_to_one(chapter):
    figure = chapter.figure("fig-books")
    for query in chapter.namespace["books"].queries:
        frame = figure.frame(query=query)
        assert frame["hard"][-1] == 0
        np.testing.assert_allclose(frame["soft"].sum(), 1, atol=1e-6)


def test_exact_finds_one_hard_finds_all_and_soft_tells_clear_from_unclear(chapter):
    figure, typed = chapter.figure("fig-three-ways"), chapter.namespace["typed"]
    assert figure.frame(way="exact")["result"].sum(axis=1).tolist() == [1, 0, 0, 0, 0]
    hard = figure.frame(way="hard")["result"]
    assert hard.sum(axis=1).tolist() == [1, 1, 1, 1, 1]
    assert chapter.namespace["shelf"][hard[-1].argmax()] == "Animal Farm"
    largest = dict(zip(typed, figure.frame(way="soft")["result"].max(axis=1), strict=True))
    assert min(largest["The Alchemist"], largest["vampires"], largest["the alchymist"]) > 0.9
    assert max(largest[TIME], largest["whale hunting"]) < 0.7


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
