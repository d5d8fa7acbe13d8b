"""What the welcome page says is what its cells give."""

import re

import numpy as np
import pytest
from chapters.claims import Claims
from chapters.page import ROOT

from attention_lib import attention


def softmax_by_hand():
    """Return the larger exponential, the sum of both, and the weight."""
    power = np.exp(3 / np.sqrt(2))
    return [power, power + 1, power / (power + 1)]


CLAIMS = Claims(
    ("shows the rest as {} %", lambda c: 100 * c["looks"].sum(axis=1)[:1]),
    ("Where does {} come from", lambda c: softmax_by_hand()[2]),
    ("they are {} and 0", lambda c: 3 / np.sqrt(2)),
    ("are {} and 1; and {} of {} is {}", lambda c: [softmax_by_hand()[k] for k in (0, 0, 1, 2)]),
)


@CLAIMS.says("solving all the exercises about fourteen more")
def the_exercises_take_about_fourteen_hours(c):
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "chapters").glob("*.md")]
    minutes = [int(m) for text in texts for m in re.findall(r"\((\d+) min, \w+\)", text)]
    assert sum(minutes) / 60 == pytest.approx(14, abs=1)


@CLAIMS.says("so the answer lies near its value")
def the_answer_lies_near_the_value_of_the_first_key(c):
    assert c["weights"][0].argmax() == 0
    assert 10 < c["output"].item() < 12


@CLAIMS.says("The second his looks mostly at dog")
def his_looks_at_the_dog_and_saw_looks_at_the_owner(c):
    figure = c.figure("fig-welcome")
    tokens = c["tokens"]
    for word, expected in [(tokens.index("tail") - 1, "dog"), (tokens.index("saw"), "owner")]:
        row = figure.frame(asks=word)["result"]
        assert tokens[row.argmax()] == expected
        assert row.sum() == pytest.approx(1, abs=1e-5)


@CLAIMS.says("about half on average")
def the_marks_take_about_half_of_the_attention_of_a_word(c):
    _, weights = attention(c["Q"][1], c["K"][1], c["V"][1])
    marks = weights[c["words"]][:, ~c["words"]].sum(axis=1)
    assert marks.mean() == pytest.approx(0.5, abs=0.05)


@CLAIMS.says("Wagged is in two pieces")
def the_caption_counts_the_pieces(c):
    tokens = c["tokens"]
    assert tokens[tokens.index("wa") + 1] == "##gged"
    assert not {"[CLS]", "[SEP]"} & set(tokens)
