"""What the summary says is what its cells and the library give."""

import numpy as np
from chapters.claims import Claims
from chapters.page import ROOT


def entropy(weights):
    return -np.sum(weights * np.log(np.maximum(weights, 1e-300)), axis=1).mean()


CLAIMS = Claims()


@CLAIMS.says("most words see little but themselves")
def the_caption_tells_what_the_path_shows(c):
    steps, words = c["STEPS"], c["words"]
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


@CLAIMS.says("Fifteen sentences that are often repeated")
def the_page_of_statements_has_as_many_rows_as_the_summary_says(c):
    lines = (ROOT / "chapters" / "statements.md").read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| ") and "you may read" not in line]
    assert len(rows) == 15
