"""What the chapter "Multi-head attention" says is what its cells and its figures give."""

import itertools

import numpy as np
import pytest
from book.chapters import run_chapter

from attention_lib import attention, merge_heads, self_attention, softmax, split_heads


@pytest.fixture(scope="module")
def chapter():
    return run_chapter("multi_head_attention")


def by_definition(c):
    return []


def last_his(sentence):
    """Return the place of the last "his"."""
    return max(place for place, token in enumerate(sentence.tokens) if token == "his")


def weight(sentence, head, place, word):
    """Return the weight that a place gives to the only place of a word."""
    (column,) = [j for j, token in enumerate(sentence.tokens) if token == word]
    return sentence.weights[head][place, column]


# sentence: the nouns it has before and after its pronouns, the subject of its main clause, and
# for each pronoun the place of the noun it stands for
PRONOUNS = {
    0: ((5, 8, 17), 8, {2: 8, 4: 8, 13: 8, 16: 8}),
    1: ((5, 8, 16), 8, {2: 8, 4: 8, 13: 8, 15: 8}),
    2: ((2, 9, 16), 2, {6: 2, 8: 2, 12: 2, 15: 2}),
    3: ((2, 9, 15), 2, {6: 2, 8: 2, 12: 2, 14: 2}),
    5: ((2, 7), 2, {9: 2}),
    6: ((2, 7), 2, {9: 7}),
    7: ((2, 5, 8, 13), 2, {10: 5, 12: 5}),
}


def pronouns():
    """Return, for every pronoun: its sentence, its place, the nouns, the subject, its noun."""
    return [
        (number, place, nouns, subject, noun)
        for number, (nouns, subject, places) in PRONOUNS.items()
        for place, noun in places.items()
    ]


def found(c, head, number, place):
    """Return the place of the largest weight between [CLS] and [SEP]."""
    return int(c["sentences"][number].weights[head][place, 1:-1].argmax()) + 1


def hits(c, head):
    """Return for how many pronouns a head's largest weight is on the noun they stand for."""
    return sum(found(c, head, number, place) == noun for number, place, _, _, noun in pronouns())


def nearest_noun(place, nouns):
    """Return the last noun before a place, or None."""
    return max((noun for noun in nouns if noun < place), default=None)


def on_cls(c, head):
    """Return the weight that the pronouns give to [CLS], on average."""
    return np.mean([c["sentences"][each[0]].weights[head][each[1], 0] for each in pronouns()])


def lengths(c, whole, V, places):
    """Return the least miss of rows that give no weight to some places, as a share, and a bound.

    No row can come nearer than the bound: all values lie behind a plane at this distance.
    """
    rest = np.delete(V, places, axis=0)
    miss = whole - c["nearest"](whole, rest) @ rest
    size, away = np.linalg.norm(whole), miss / np.linalg.norm(miss)
    return np.linalg.norm(miss) / size, (away @ whole - (rest @ away).max()) / size


def all_tokens(c):
    """Return output, values and places of *dog*, if *his* asks the eight sentences as one text."""
    every = [c["layer"].project(s.X) for s in c["layer"].sentences]
    K, V = (np.concatenate([each[k][1] for each in every]).astype(float) for k in (1, 2))
    tokens = [token for s in c["layer"].sentences for token in s.tokens]
    dogs = [place for place, token in enumerate(tokens) if token == "dog"]
    return softmax(K @ c["Q"][1, 16] / np.sqrt(32)) @ V, V, dogs


def smollm2(c, name, word):
    """Return the weight that the last "his" gives to a word in the text of this name."""
    text = c["smollm2"].texts[name]
    place = max(j for j, token in enumerate(text.tokens) if token == "_his")
    return text.weights[c["smollm2"].heads.index((23, 4)), place, text.tokens.index(word)]


CLAIMS = [
    (r"should hold 0, 1 and 4, 5\.", by_definition),
    (
        r"It has (\d) layers of (\d+) heads, counted from 0, and .*? for eight sentences\.",
        lambda c: c["dog"].weights.shape[:2],
    ),
    (r"All (\d+) heads of MiniLM on the dog", lambda c: [c["resting"].size]),
    (r"of each row to mean 0 and variance 1 and multiplies", by_definition),
    (r"Does the head of layer 3 know", by_definition),
    (r"put 0 in place of what is negative", by_definition),
    (r"Layers 0 and 1 in .*? have one each\.", by_definition),
    (r"previous-token head\*\*: layer 0, head 2\. .*?\*\*: layer 1, head 8\.", by_definition),
    (
        r"over the rows, (\d+) of the (\d+) heads give .*? Head 5 of layer 4 gives it (\S+)\.",
        lambda c: [(c["resting"] > 0.5).sum(), c["resting"].size, c["resting"][4, 5]],
    ),
    (r"Head 1 of layer 3 is more interesting", by_definition),
    (
        r"finds \*dog\*, with weight (\S+); \*saw\*",
        lambda c: [weight(c["dog"], (3, 1), last_his(c["dog"]), "dog")],
    ),
    (r"Layer 3, head 1, in both sentences", by_definition),
    (
        r"gives \*owner\* (\S+) and \*dog\* (\S+), so the head",
        lambda c: [
            weight(c["swapped"], (3, 1), last_his(c["swapped"]), word) for word in ("owner", "dog")
        ],
    ),
    (
        r"and it has the same place, (\d)\.",
        lambda c: {s.tokens.index(w) for s, w in ((c["dog"], "dog"), (c["swapped"], "owner"))},
    ),
    (
        r"it gives the subject (\S+) and (\S+), although",
        lambda c: [c["sentences"][2].weights[3, 1, 15, 2], c["sentences"][3].weights[3, 1, 14, 2]],
    ),
    (
        r"our head gives \*animal\* (\S+) and \*street\* (\S+)\.",
        lambda c: c["sentences"][6].weights[3, 1, 9, [2, 7]],
    ),
    (r"another head, in layer 1, goes to the queen", by_definition),
    (r"Together the eight sentences have (\d+) pronouns", lambda c: [len(pronouns())]),
    (r"the first \*he\* gives `\[CLS\]` (\S+)\)", lambda c: [c["dog"].weights[3, 1, 2, 0]]),
    (
        r"for (\d+) of the (\d+)\. Taking the nearest noun .*? right for (\d+), and so .*? the "
        r"head in layer 1 is right for (\d+)\.",
        lambda c: [
            hits(c, (3, 1)),
            len(pronouns()),
            sum(nearest_noun(each[1], each[2]) == each[4] for each in pronouns()),
            hits(c, (1, 3)),
        ],
    ),
    (
        r"main clause it finds (\d+) times, twice",
        lambda c: [sum(found(c, (3, 1), *each[:2]) == each[3] for each in pronouns())],
    ),
    (r"tendency on (\d+) pronouns", lambda c: [len(pronouns())]),
    (
        r"on our (\d+) pronouns head 4 of layer 3 has (\d+) hits, one more .*? gives "
        r"`\[CLS\]` (\S+) of its weight on average, where head 1 gives it (\S+)\.",
        lambda c: [len(pronouns()), hits(c, (3, 4)), on_cls(c, (3, 4)), on_cls(c, (3, 1))],
    ),
    (
        r"Head 11 of layer 5 takes \*his\* to \*dog\* too, with weight (\S+)\.",
        lambda c: [weight(c["dog"], (5, 11), last_his(c["dog"]), "dog")],
    ),
    (r"weight (\S+), the largest of the three", lambda c: [smollm2(c, "dog", "_dog")]),
    (
        r" gives \*dog\* (\S+), and \*owner\* (\S+)\. Head 11 of layer 5 gives \*dog\* even",
        lambda c: [smollm2(c, "swap", "_dog"), smollm2(c, "swap", "_owner")],
    ),
    (r"The slice `\[:, 1:-1\]` leaves .*? column 1 is then column 0:", by_definition),
    (r"So does a head of SmolLM2-135M-Instruct ", by_definition),
    (r"to 4 bits each, in the format Q4_1;", by_definition),
    (r"The head of SmolLM2, again in 4 bits, still", by_definition),
    (r"The model all-MiniLM-L6-v2", by_definition),
    (r"We have all the attention of layer 3:", by_definition),
    (r"head 1 of layer 3 of MiniLM, alone, on the dog", by_definition),
    (
        r"Without head 1, which takes .*? by (\S+) of its length; without head 7, by (\S+)\.",
        lambda c: [c["moves"][1, 16], c["moves"][7, 16]],
    ),
    # from the abstract of their paper
    (r"pruned 38 of the 48 encoder heads .*? lost 0\.15 BLEU points, of 100 for", by_definition),
    (r"a number from 0 to 1, whose largest weight", by_definition),
    (r"counted from 0, contributes", by_definition),
    (r"keep two of the (\d+) numbers", lambda c: [c["V"].shape[-1]]),
    (r"The weight of \*dog\* falls to (\d),", lambda c: [c["other_row"][3]]),
    (r"says how far all (\d+) numbers move", lambda c: [c["V"].shape[-1]]),
    (
        r"In all (\d+) numbers the second row misses the output by (\d+) % of",
        lambda c: [c["V"].shape[-1], 100 * c["blend"](1.0)["whole"]],
    ),
    (
        r"without \*dog\* still misses by (\d+) % of",
        lambda c: [100 * lengths(c, c["of_his"], c["V"][1].astype(float), 8)[0]],
    ),
    (
        r"without the four \*dog\*s among them comes nearer to its output than (\d+) % of",
        lambda c: [np.floor(100 * lengths(c, *all_tokens(c))[1])],
    ),
    (r"If \*his\* asks all (\d+) tokens,", lambda c: [len(all_tokens(c)[1])]),
    (
        r"its (\d+) values point in (\d+) independent",
        lambda c: [c["V"].shape[1], np.linalg.matrix_rank(c["V"][1])],
    ),
    (
        r"Take all eight sentences as one text of (\d+) tokens:",
        lambda c: [sum(len(s.tokens) for s in c["layer"].sentences)],
    ),
    (
        r"The output fixes (\d+) numbers .*? more than (\d+) tokens",
        lambda c: [c["V"].shape[-1], c["V"].shape[-1] + 1],
    ),
]


# what is said in words


def find(chapter, start):
    """Return the visible cell with this first line."""
    (cell,) = [c for c in chapter.cells if c.visible and c.code.startswith(start)]
    return cell


def printed(chapter, start):
    return find(chapter, start).printed.splitlines()


def test_two_rows_keep_apart_what_one_row_blends(chapter):
    one, other = (line.split(":")[1] for line in printed(chapter, "whose, what"))
    assert one != other
    assert find(chapter, "import numpy").value.tolist() == [0.5, 0.5]


def test_every_head_notices_a_change_of_the_first_number(chapter):
    assert printed(chapter, "nudged") == [f"head {i} unchanged: False" for i in range(2)]


def test_heads_one_by_one_are_the_library_s_and_their_parts_add_up(chapter):
    assert printed(chapter, "W_o =") == ["(5, 8) (2, 5, 5) True"]
    assert find(chapter, "blocks =").value is True


def test_splitting_by_reshape_equals_running_heads_one_by_one(chapter):
    assert find(chapter, "from attention_lib import split_heads").value is True


@pytest.mark.parametrize(("n", "d", "h", "d_k"), [(1, 3, 1, 2), (4, 6, 3, 2), (7, 5, 2, 4)])
def test_one_wide_product_equals_running_heads_one_by_one(n, d, h, d_k):
    rng = np.random.default_rng(n)
    X, W = rng.normal(size=(n, d)), rng.normal(size=(3, h, d, d_k))
    Q, K, V = (split_heads(X @ np.concatenate(list(each), axis=1), heads=h) for each in W)
    wide = merge_heads(attention(Q, K, V)[0])
    single = [self_attention(X, *W[:, i])[0] for i in range(h)]
    np.testing.assert_allclose(wide, np.concatenate(single, axis=-1))


def test_words_meet_in_attention_and_not_in_the_feed_forward_network(chapter):
    assert printed(chapter, "from attention_lib import feed_forward") == [
        "attention:    [ True  True  True  True  True]",
        "feed-forward: [ True False False False False]",
    ]


def test_more_heads_of_less_width_hold_as_many_numbers():
    d = 512
    counts = {3 * h * d * (d // h) + h * (d // h) * d for h in (1, 2, 4, 8, 16)}
    assert counts == {4 * d * d}


def test_wagged_is_two_tokens_and_the_marks_are_there(chapter):
    tokens = chapter.namespace["dog"].tokens
    assert tokens[14:16] == ("wa", "##gged")
    assert (tokens[0], tokens[-1]) == ("[CLS]", "[SEP]")
    assert len(chapter.namespace["sentences"]) == 8


@pytest.mark.parametrize(("head", "offset", "least"), [((0, 2), -1, 0.99), ((1, 8), 1, 0.6)])
def test_the_previous_and_the_next_token_heads_keep_to_it_in_every_sentence(
    chapter, head, offset, least
):
    for sentence in chapter.namespace["sentences"]:
        assert np.diagonal(sentence.weights[head], offset=offset).mean() > least


def test_they_are_the_only_heads_with_such_a_band(chapter):
    weights = chapter.namespace["dog"].weights
    for offset, head in ((-1, (0, 2)), (1, (1, 8))):
        bands = np.diagonal(weights, offset=offset, axis1=-2, axis2=-1).mean(axis=-1)
        assert [tuple(at) for at in np.argwhere(bands > 0.5).tolist()] == [head]


def test_the_three_largest_weights_are_printed(chapter):
    his, saw = printed(chapter, "def looks")
    assert his.startswith("his:  [('dog', 0.59)")
    assert saw.startswith("saw:  [('owner', 0.49)")


def test_his_follows_the_subject_and_the_other_pronouns_rest(chapter):
    c = chapter.namespace
    for sentence, subject in ((c["dog"], "dog"), (c["swapped"], "owner")):
        row = sentence.weights[3, 1, last_his(sentence)]
        assert sentence.tokens[row.argmax()] == subject
        pronouns = [j for j, token in enumerate(sentence.tokens) if token in {"he", "his"}]
        resting = [place for place in pronouns if sentence.weights[3, 1, place].argmax() == 0]
        assert resting == pronouns[:-1]
        assert len(resting) == 3


def test_many_heads_but_not_the_most_give_most_of_their_weight_to_the_first_column(chapter):
    c = chapter.namespace
    assert 20 < (c["resting"] > 0.5).sum() < c["resting"].size / 2


def test_the_previous_token_head_is_strict_and_the_other_gives_two_thirds(chapter):
    assert printed(chapter, "previous =") == ["1.0 0.67"]


def test_she_goes_to_the_king_in_one_head_and_to_the_queen_in_another(chapter):
    subject, gender = printed(chapter, "she =")[-2:]
    assert subject.startswith("  she [('king',")
    assert gender.startswith("layer 1, head 3: she [('queen',")


def test_the_head_follows_the_subject_where_the_other_noun_is_nearer(chapter):
    first, second, third = printed(chapter, "she =")[1:6:2]
    assert first.startswith("  his [('dog', 0.65)")
    assert second.startswith("  his [('owner', 0.67)")
    assert third.startswith("  it [('animal', 0.32)")
    for number in (2, 3):
        nouns, subject, places = PRONOUNS[number]
        tokens, his = chapter.namespace["sentences"][number].tokens, max(places)
        assert tokens[his] == "his"
        assert nearest_noun(his, nouns) != subject
        assert [tokens[noun - 1] for noun in nouns[:2]] == ["the", "his"]  # not told apart


def test_the_table_of_pronouns_names_the_words_it_means(chapter):
    sentences = chapter.namespace["sentences"]
    for number, place, nouns, subject, noun in pronouns():
        tokens = sentences[number].tokens
        assert tokens[place] in {"he", "his", "it", "she", "her"}
        assert {subject, noun} <= set(nouns)
    told = {tokens[noun] for k, _, _, _, noun in pronouns() for tokens in [sentences[k].tokens]}
    assert told == {"dog", "owner", "animal", "street", "queen"}


def test_the_first_noun_is_right_as_often_as_the_nearest_and_the_subject_fails_twice(chapter):
    c = chapter.namespace
    assert sum(nouns[0] == noun for _, _, nouns, _, noun in pronouns()) == 9
    wrong = [found(c, (3, 1), k, p) for k, p, _, subject, noun in pronouns() if subject != noun]
    assert wrong.count(2) == 2
    assert hits(c, (3, 4)) == hits(c, (3, 1)) + 1


def test_no_row_without_the_dog_comes_near_the_output_in_all_numbers(chapter):
    c = chapter.namespace
    assert find(chapter, "def nearest").printed.strip() == "0.65"
    reached, bound = lengths(c, c["of_his"], c["V"][1].astype(float), 8)
    assert 0.65 < bound <= reached < 0.66
    whole, V, dogs = all_tokens(c)
    assert len(dogs) == 4
    reached, bound = lengths(c, whole, V, dogs)
    assert 0.16 < bound <= reached < 0.18


def test_only_one_of_three_heads_goes_to_the_owner(chapter):
    figure = chapter.figure("fig-looks-meaningful")
    ends = []
    for head in ((3, 1), (5, 11), "smollm2"):
        frame = figure.frame(head=head)
        for matrix in frame.values():
            np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=2e-3)
        ends.append([int(frame[name][3].argmax()) for name in ("as it was", "nouns swapped")])
    assert ends == [[0, 1], [0, 0], [0, 0]]  # 0 is dog, 1 is owner


def test_the_columns_of_that_figure_are_the_words_they_name(chapter):
    c = chapter.namespace
    texts = c["smollm2"].texts
    tokens = {
        "dog": c["dog"].tokens,
        "swapped": c["swapped"].tokens,
        "text": texts["dog"].tokens,
        "text swapped": texts["swap"].tokens,
    }
    for name, (asks, a_dog, an_owner) in c["PLACES"].items():
        words = [tokens[name][place].strip("_") for place in (*asks, a_dog, an_owner)]
        assert words == ["he", "his", "he", "his", "dog", "owner"]


def test_a_writing_model_never_looks_ahead(chapter):
    for text in chapter.namespace["smollm2"].texts.values():
        assert not np.triu(text.weights, k=1).any()


def test_the_topic_head_gives_the_dog_a_third_or_more_and_likes_it_more_when_swapped(chapter):
    c = chapter.namespace
    before, after = (float(number) for number in printed(chapter, "mean_on_dog")[0].split())
    assert 0.3 < before < after
    assert c["swapped"].tokens[5] == c["dog"].tokens[8] == "dog"
    his = [
        weight(sentence, (5, 11), last_his(sentence), "dog")
        for sentence in (c["dog"], c["swapped"])
    ]
    assert his[0] < his[1]


def test_the_layer_is_the_model_s_up_to_its_rounding(chapter):
    c = chapter.namespace
    assert np.abs(c["weights"] - c["dog"].weights[3]).max() < 0.02
    np.testing.assert_allclose(
        c["full"], merge_heads(c["heads"]) @ c["layer"].W_o + c["layer"].b_o, atol=1e-4
    )


def test_the_head_with_the_best_story_is_not_the_one_that_changes_his_most(chapter):
    moves = chapter.namespace["moves"][:, 16]
    assert moves.argmax() == 7
    assert moves[1] < np.sort(moves)[-3]
    assert moves.sum() > 2  # the twelve do not sum to one


def test_removing_heads_is_measured_as_the_caption_says(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-remove-heads")
    assert not figure.frame(head="none")["attention"].any()
    np.testing.assert_allclose(figure.frame(head=1)["attention"], c["moves"][1], rtol=1e-4)
    for head, earlier in itertools.product(range(12), (False, True)):
        frame = figure.frame(head=head, earlier=earlier)
        assert frame["layer"].mean() < 0.5 * frame["attention"].mean()
        assert frame["attention"].max() < 1.4
        assert frame["layer"].max() < 0.5


def test_two_rows_with_the_same_output_of_which_one_has_no_dog(chapter):
    c = chapter.namespace
    row, other = c["row"], c["other_row"]
    assert c["six"] == ["he", "saw", "owner", "dog", "so", "tail"]
    assert row.argmax() == 3
    assert row[3] > 0.7
    assert other[3] == 0
    assert other.min() >= 0
    np.testing.assert_allclose([row.sum(), other.sum()], 1)
    np.testing.assert_allclose(row @ c["V_2"], other @ c["V_2"])
    np.testing.assert_allclose(
        row, softmax((c["Q"][1, 16] @ c["K"][1].T)[c["places"]] / np.sqrt(32)), rtol=1e-4
    )


def test_the_output_does_not_move_while_the_weights_do(chapter):
    figure = chapter.figure("fig-same-output")
    (axis,) = figure.axes
    frames = [figure.frame(t=t) for t in axis.values]
    for frame in frames:
        np.testing.assert_allclose(frame["output"], frames[0]["output"], atol=1e-12)
        np.testing.assert_allclose(frame["weights"].sum(), 1)
        np.testing.assert_allclose(frame["drawn"], 0, atol=1e-12)
    assert frames[0]["whole"] == 0
    assert frames[-1]["whole"] > 0.8  # what is not drawn moves
    assert np.abs(frames[0]["weights"] - frames[-1]["weights"]).sum() > 1.4


def test_a_short_sentence_fixes_its_row_and_a_long_text_does_not(chapter):
    assert printed(chapter, "every_V") == [
        "19 weights, 19 independent equations",
        "129 weights, 33 independent equations",
    ]


def test_a_row_over_a_long_text_has_another_with_the_same_output(chapter):
    c = chapter.namespace
    V = np.concatenate(c["every_V"]).astype(float)  # (129, 32)
    K = np.concatenate([c["layer"].project(s.X)[1][1] for s in c["layer"].sentences])
    row = softmax((K @ c["Q"][1, 16] / np.sqrt(32)).astype(float))
    equations = np.column_stack([V, np.ones(len(V))]).T  # (33, 129)
    free = np.linalg.svd(equations)[2][33]  # (129,): changes no equation
    step = 0.9 * (row / np.abs(free)).min()
    assert step > 0
    other = row + step * free
    assert other.min() > 0
    assert not np.allclose(other, row, atol=1e-9)
    np.testing.assert_allclose(other @ V, row @ V, atol=1e-9)
    np.testing.assert_allclose(other.sum(), 1)


# what the figures show


def test_the_heads_of_the_figure_are_those_of_the_model(chapter):
    c = chapter.namespace
    figure = chapter.figure("fig-real-heads")
    for layer, head in itertools.product(range(6), range(12)):
        frame = figure.frame(layer=layer, head=head)
        np.testing.assert_array_equal(frame["result"], c["dog"].weights[layer, head])


def test_of_two_heads_one_leads_from_his_to_dog_and_the_other_to_tail(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-two-heads")
    frame = figure.frame()
    assert [c["inside"][place] for place in frame["rows"].argmax(axis=1)] == ["dog", "tail"]
    for asks in range(len(c["inside"])):
        rows = figure.frame(asks=asks)["rows"]
        for row, head in zip(rows, ((3, 1), (1, 8)), strict=True):
            np.testing.assert_array_equal(row, c["dog"].weights[head][asks + 1, 1:-1])


def test_the_swapped_bar_moves_from_dog_to_owner(chapter):
    c, figure = chapter.namespace, chapter.figure("fig-swap-nouns")
    frame = figure.frame()
    assert c["dog"].tokens[frame["dog"].argmax()] == "dog"
    assert c["swapped"].tokens[frame["owner"].argmax()] == "owner"
    for label, (here, there) in c["ASKED"].items():
        word = label.split()[0]
        assert (c["dog"].tokens[here], c["swapped"].tokens[there]) == (word, word)
    for word in (0, 2, 3):  # he (first), his (first), he (last)
        frame = figure.frame(word=word)
        assert frame["dog"].argmax() == frame["owner"].argmax() == 0
