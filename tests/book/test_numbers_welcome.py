"""What the welcome page says is what its cells give."""

import re

import numpy as np
import pytest
from book.chapters import FOLDER, by_definition

from attention_lib import attention
from attention_lib.models import load_minilm_attention


def count_heads(c):
    layers, heads, *_ = load_minilm_attention()[0].weights.shape
    return [layers * heads]


CLAIMS = [
    (r"The model, all-MiniLM-L6-v2, was never", lambda c: []),  # its name
    (r"one of (\d+) in the model, recomputed", count_heads),
    (r"shows the rest as (\d+) %\.", lambda c: 100 * c["looks"].sum(axis=1)[:1]),
    (r"lies near its value, (\d+)\.", lambda c: [10]),
    (
        r"Where does (\S+) come from\? .*? are 3 and 0; divided by .*? they are (\S+) and 0; "
        r".*? are (\S+) and 1; and (\S+) of (\S+) is (\S+)\.",
        lambda c: softmax_by_hand(np.array([3, 0]) / np.sqrt(2)),
    ),
    (r"path\*\* to a Transformer is chapters 2, 3, 5, 6 and 8, .*? in chapter 4:", by_definition),
]


def softmax_by_hand(scores):
    """Return the numbers of the sentence: weight, score, exponential, their sum, weight."""
    powers = np.exp(scores)
    weight = powers[0] / powers.sum()
    return [weight, scores[0], powers[0], powers[0], powers.sum(), weight]


def test_the_exercises_take_about_fourteen_hours():
    texts = [path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")]
    minutes = [int(m) for text in texts for m in re.findall(r"\((\d+) min, \w+\)", text)]
    assert sum(minutes) / 60 == pytest.approx(14, abs=1)


def test_the_answer_lies_near_the_value_of_the_first_key(chapter):
    assert chapter.namespace["weights"][0].argmax() == 0
    assert 10 < chapter.namespace["output"].item() < 12


def test_his_looks_at_the_dog_and_saw_looks_at_the_owner(chapter):
    figure = chapter.figure("fig-welcome")
    tokens = chapter.namespace["tokens"]
    for word, expected in [(tokens.index("tail") - 1, "dog"), (tokens.index("saw"), "owner")]:
        row = figure.frame(asks=word)["result"]
        assert tokens[row.argmax()] == expected
        assert row.sum() == pytest.approx(1, abs=1e-5)


def test_the_marks_take_about_half_of_the_attention_of_a_word(chapter):
    c = chapter.namespace
    _, weights = attention(c["Q"][1], c["K"][1], c["V"][1])
    marks = weights[c["words"]][:, ~c["words"]].sum(axis=1)
    assert marks.mean() == pytest.approx(0.5, abs=0.05)


def test_the_caption_counts_the_pieces(chapter):
    tokens = chapter.namespace["tokens"]
    assert tokens[tokens.index("wa") + 1] == "##gged"
    assert not {"[CLS]", "[SEP]"} & set(tokens)
