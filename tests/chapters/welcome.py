"""What the welcome page says is what its cells give."""

import re

import numpy as np
import pytest
from chapters.claims import Claims
from chapters.page import ROOT

from attention_lib.models import load_minilm_attention
from images.drawn.draw_diagrams import NUMBERS


def heads_of_minilm():
    layers, heads, *_ = load_minilm_attention()[0].weights.shape
    return layers * heads


def label_of(name):
    """Return the label of a chapter."""
    text = (ROOT / f"{name}.md").read_text(encoding="utf-8")
    return re.search(r"^\((sec-[\w-]+)\)=", text, re.M)[1]


CLAIMS = Claims(
    ("came through {} small squares", lambda c: c["NO_HEAD"][..., 0].size),
    ("one of {} in a small trained model", lambda c: heads_of_minilm()),
    ("Where does {} come from", lambda c: c["weights"][0, 0]),
)


@CLAIMS.says("A language model bets so, too")
def the_model_bets_on_the_tail(c):
    assert (c["NEXT"][0], c["ALL_HEADS"].argmax()) == (" tail", 0)
    assert c["ALL_HEADS"][0] > 0.8


@CLAIMS.says("the bets hardly move. Now switch off the whole first layer")
def no_head_is_needed_but_the_first_layer_is(c):
    assert c["NO_HEAD"][..., 0].min() > 0.6
    assert np.median(c["NO_HEAD"][..., 0]) > 0.85
    assert c["NO_LAYER"][0].max() < 0.001
    bets = c.figure("fig-welcome-heads").frame(layer=0, off="its whole layer")["bets"]
    assert bets[-1] == pytest.approx(1, abs=0.001)


@CLAIMS.says("so the answer lies near its value")
def the_answer_lies_near_the_value_of_the_first_key(c):
    assert c["weights"][0].argmax() == 0
    assert 10 < c["output"].item() < 12
    np.testing.assert_allclose(c["powers"] / c["powers"].sum(), c["weights"][0])


@CLAIMS.says("The second his looks mostly at dog")
def his_looks_at_the_dog_and_saw_looks_at_the_owner(c):
    figure = c.figure("fig-welcome")
    tokens = c["tokens"]
    for word, expected in [(tokens.index("tail") - 1, "dog"), (tokens.index("saw"), "owner")]:
        row = figure.frame(asks=word)["result"]
        assert tokens[row.argmax()] == expected
        assert row.sum() == pytest.approx(1, abs=1e-5)


@CLAIMS.says("after the, almost anything can follow; after the last his, it is nearly sure")
def the_model_is_nearly_sure_of_the_tail_and_of_nothing_after_the(c):
    figure, tokens = c.figure("fig-welcome-bets"), c["TOKENS"]
    best = {token: figure.frame(place=k)["result"].max() for k, token in enumerate(tokens)}
    assert best["_his"] > 0.8  # the last one
    assert best["_the"] < 0.05
    assert c["LABELS"][len(tokens) - 2][0] == "_tail"


@CLAIMS.says("It is fluent, and it goes in circles")
def what_it_writes_is_a_continuation_in_circles(c):
    told = "".join(c["goes_on"](c["beginning"]))
    assert told.startswith(" disappeared into the")
    assert told.count("ghost of the") == 3


@CLAIMS.says("you can open all its matrices")
def the_matrices_are_opened_in_the_chapter_that_the_page_names(c):
    text = (ROOT / "chapters" / "welcome.md").read_text(encoding="utf-8")
    files = {label_of(name): number for name, number in NUMBERS.items()}
    named = re.findall(r"hapter (\d+) <(sec-[\w-]+)>", text)
    assert (files["sec-real-model"], "sec-real-model") in named
    assert [(files[label], label) for _, label in named] == named


@CLAIMS.says("What you will be able to do")
def every_chapter_is_linked_from_the_outcomes(c):
    text = (ROOT / "chapters" / "welcome.md").read_text(encoding="utf-8")
    outcomes = text.split("## What you will")[1]
    for name in NUMBERS:
        assert f"{{ref}}`{label_of(name)}`" in outcomes, name


@CLAIMS.says("each disc carries the number of the chapter about that part, and leads there")
def the_discs_of_the_map_lead_to_all_chapters(c):
    drawn = (ROOT / "images" / "map.svg").read_text(encoding="utf-8")
    assert set(re.findall(r'href="(\w+)\.html"', drawn)) == {name[9:] for name in NUMBERS}


@CLAIMS.says("Wagged is in two pieces")
def the_caption_counts_the_pieces(c):
    tokens = c["tokens"]
    assert tokens[tokens.index("wa") + 1] == "##gged"
    assert not {"[CLS]", "[SEP]"} & set(tokens)
