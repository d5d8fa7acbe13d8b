"""What the page "The machine" says is what its figures give, and its boxes lead somewhere."""

import re

import numpy as np
import pytest
from chapters.claims import Claims
from chapters.page import ROOT as BOOK

from attention_lib import machine


def slug(heading):
    """Return the name that Sphinx gives a section."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def bet_of(seen):
    """Return the largest bet on the next token, and the token."""
    return seen[2][machine.TEMPERATURES.index(1.0)][-1][0], seen[1][-1][0]


CLAIMS = Claims(
    (
        "from his to dog with a weight of {}",
        lambda c: c.figure("fig-machine").frame()["weights"][-1].max(),
    ),
    ("and bets {} on ym", lambda c: bet_of(c["machine"])[0]),
    ("only the last {} are read", lambda c: machine.MOST),
    ("number {} of layer 23, looks", lambda c: c.figure("fig-machine").controls["head"].value),
)


@CLAIMS.says("looks from his to dog")
def the_chosen_head_looks_from_his_to_dog(c):
    tokens = c["seen"]("When he saw his owner, the dog was happy, so he wagged his")[0]
    weights = c.figure("fig-machine").frame()["weights"]
    assert (tokens[-1], tokens[weights[-1].argmax()]) == ("_his", "_dog")


@CLAIMS.says("most squares are dark on the left")
def most_heads_rest_on_the_first_token(c):
    figure = c.figure("fig-machine")
    first = [
        figure.frame(layer=i, head=j)["weights"][1:, 0].mean() for i in range(30) for j in range(9)
    ]
    assert (np.array(first) > 0.5).mean() > 0.5


@CLAIMS.says("In this one it copies")
def the_head_looks_at_what_came_after_the_earlier_copy(c):
    tokens = c["machine"][0]
    weights = c.figure("fig-machine-own").frame()["weights"]
    assert tokens[weights[-1].argmax()] == bet_of(c["machine"])[1] == "ym"


@CLAIMS.says("The capital of France is Paris, and the capital of Italy is is stored, too")
def italy_is_stored(c):
    assert bet_of(c["italy"])[1] == "_Rome"


@CLAIMS.says("four layers with four heads each")
def the_writer_has_four_layers_of_four_heads(c):
    figure = c.figure("fig-machine-writer")
    assert [len(axis.values) for axis in figure.axes[:2]] == [4, 4]


@CLAIMS.says("Where nothing has colour, nothing has changed")
def the_first_vectors_do_not_change_and_the_last_ones_do(c):
    figure = c.figure("fig-machine-changed")
    assert not figure.frame(layer=0)["X"].any()
    assert not figure.frame(layer=0, head=0)["weights"].any()
    assert figure.frame(layer=3)["X"].any()


@CLAIMS.says("It knows no accents and no emoji")
def what_the_writer_does_not_know_is_said(c):
    for text in ("café", "🐕", "собака"):
        with pytest.raises(ValueError, match="is not one of those known"):
            machine.look(c["writer"], text)


@CLAIMS.says("its name leads to the section of this book that makes it")
def each_box_leads_to_a_section(c):
    stages = c.figure("fig-machine").drawing.spec["views"][0]["stages"]
    assert all(each["link"] for each in stages)
    for link in {each["link"] for each in stages}:
        page, _, part = link.partition(".html#")
        text = (BOOK / "chapters" / f"{page.removesuffix('.html')}.md").read_text(encoding="utf-8")
        headings = re.findall(r"^#+ (.*)", text, re.M)
        assert not part or part in map(slug, headings), link
