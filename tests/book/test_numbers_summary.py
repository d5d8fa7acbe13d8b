"""What the summary says is what its cells and the library give."""

import re

import numpy as np
from book.chapters import FOLDER, by_definition

import attention_lib

CLAIMS = [
    (r"did this best, SmolLM2 could no longer copy", by_definition),  # shown in its chapter
    (r"sentence of (\d+) tokens, each a vector of size (\d+), goes", lambda c: [10, 64]),
    (r"a layer of (\d+) heads with", lambda c: [8]),
    (r"gives vectors of size (\d+) again", lambda c: [64]),
    (r"brings them back to size (\d+)\.", lambda c: [64]),
    (r"One sentence, (\w+) matrices", lambda c: [len(c["STEPS"])]),
]


def test_every_matrix_of_the_path_has_rows_that_sum_to_one_but_the_first(chapter):
    first, *others = chapter.namespace["STEPS"].values()
    assert first.sum(axis=1).max() == 2  # his, he: two places each
    for weights in others:
        np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)


def test_the_caption_tells_what_the_path_shows(chapter):
    steps, words = chapter.namespace["STEPS"], chapter.namespace["words"]
    last_his = words.index("tail") - 1
    assert np.flatnonzero(steps["equal or not"][last_his]).tolist() == [3, last_his]
    np.testing.assert_allclose(steps["shared out"][last_his, [3, last_his]], 0.5)
    same = steps["equal or not"].astype(bool)
    on_itself = np.where(same, steps["dot product"], 0).sum(axis=1)
    assert np.mean(on_itself > 0.9) > 0.5  # most words see little but themselves
    assert entropy(steps["scaled"]) > 2 * entropy(steps["dot product"])
    assert not np.triu(steps["causal"], 1).any()
    learned = steps["learned"]
    assert words[learned[words.index("saw")].argmax()] == "owner"
    assert words[learned[last_his].argmax()] == "dog"


def entropy(weights):
    return -np.sum(weights * np.log(np.maximum(weights, 1e-300)), axis=1).mean()


def test_every_name_on_the_cheat_sheet_is_in_the_library():
    lines = (FOLDER / "summary.md").read_text(encoding="utf-8").splitlines()
    columns = [line.split("|")[-2] for line in lines if line.startswith("| ")]
    names = {name for column in columns for name in re.findall(r"`([a-z]\w+)`", column)}
    assert {"attention", "softmax", "top_k_mask", "feed_forward", "value_weighted"} <= names
    assert names <= set(attention_lib.__all__)


def test_the_page_of_statements_has_as_many_rows_as_the_summary_says():
    lines = (FOLDER / "statements.md").read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| ") and "you may read" not in line]
    assert len(rows) == 15
