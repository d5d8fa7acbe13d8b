"""What the page "In twenty minutes" says is what its figures give."""

import numpy as np
import pytest
from chapters.claims import Claims

from attention_lib.models import load_minilm_attention


def heads_of_minilm():
    layers, heads, *_ = load_minilm_attention()[0].weights.shape
    return layers * heads


CLAIMS = Claims(
    ("A shelf of {} titles", lambda c: len(c["books"].titles)),
    ("of the {} heads of a small model", lambda c: heads_of_minilm()),
)
GIVEN = {
    "the number of SmolLM2's tokens, as in its file": "49,152",
    "the temperature in the cell": "0.6",
}


@CLAIMS.says("The misspelt one finds nothing, and Dracula is on the shelf twice")
def an_exact_match_finds_one_two_or_none(c):
    figure = c.figure("fig-twenty-exact")
    assert [figure.frame(query=query)["result"].sum() for query in c["ASKED"]] == [1, 2, 0]


@CLAIMS.says("that the model knows only in pieces, finds its book now")
def softly_it_finds_its_book_and_heat_shares_the_weight_out(c):
    figure = c.figure("fig-twenty-soft")
    assert c["books"].titles[figure.frame()["result"].argmax()] == "The Alchemist"
    asked = {"query": "the theory of time travel"}
    most = [figure.frame(temperature=T, **asked)["result"].max() for T in c["TEMPERATURES"]]
    assert most == sorted(most, reverse=True)
    assert most[-1] < 1.1 / len(c["books"].titles)


@CLAIMS.says("begins as a thing and ends as a thing that belongs to a being")
def the_tail_becomes_a_thing_that_belongs_to_a_being(c):
    frame = c.figure("fig-twenty-toy").frame(asks=3)
    np.testing.assert_array_equal(frame["X"][3], [0, 2])
    being, thing = frame["X + O"][3]
    assert being == pytest.approx(2, abs=0.05)
    assert thing == 2


@CLAIMS.says("The second his finds dog, and saw finds whom he saw")
def his_finds_dog_and_saw_finds_the_owner(c):
    tokens, figure = c["tokens"], c.figure("fig-twenty-dog")
    for asks, found in [(tokens.index("tail") - 1, "dog"), (tokens.index("saw"), "owner")]:
        row = figure.frame(asks=asks)["result"]
        assert tokens[row.argmax()] == found
        assert row.sum() == pytest.approx(1, abs=1e-5)


@CLAIMS.says("some words give most of their weight to the marks")
def some_words_give_most_of_their_weight_to_the_marks(c):
    left = dict(zip(c["tokens"], c["kept"].sum(axis=1), strict=True))
    assert left["owner"] < 0.15
    assert left["his"] > 0.85  # the last one


@CLAIMS.says("One sentence, six matrices")
def the_six_matrices_are_what_the_caption_says(c):
    figure = c.figure("fig-twenty-path")
    frames = {step: figure.frame(step=step)["result"] for step in c["STEPS"]}
    plain, last = c["plain"], len(c["plain"]) - 2
    assert plain[last] == "his"
    assert frames["equal or not"][last].nonzero()[0].tolist() == [3, last]
    assert frames["scaled"].max(axis=1).mean() < frames["dot product"].max(axis=1).mean()
    assert not np.triu(frames["causal"], 1).any()
    assert plain[frames["learned"][last].argmax()] == "dog"
    for step in list(frames)[1:]:
        np.testing.assert_allclose(frames[step].sum(axis=1), 1, atol=1e-5)


@CLAIMS.says("After wagged his the model is nearly certain; after the, it is not")
def the_model_is_sure_of_the_tail_and_not_after_the(c):
    tokens, figure = c["TOKENS"], c.figure("fig-twenty-bets")
    best = {token: figure.frame(place=k)["result"].max() for k, token in enumerate(tokens)}
    assert best["_his"] > 0.8  # the last one
    assert best["_the"] < 0.05


@CLAIMS.says("Each token is drawn from its bets")
def the_writing_begins_with_the_beginning_and_ends_with_a_sentence(c):
    figure = c.figure("fig-twenty-writing")
    assert c["ALL"][: c["START"]] == c["beginning"].split()
    assert c["ALL"][-1] == "."
    for k, shown in enumerate(c["STAGES_OF_TEXT"][1:], start=1):
        written = len(shown) - shown.count("·")
        assert figure.frame(written_so_far=k)["result"].nonzero()[0].tolist() == [written - 1]
