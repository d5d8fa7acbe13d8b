"""Every name on the pages of notation and on the cheat sheet is in the library or in a chapter."""

import inspect
import re

from chapters.page import ROOT

import attention_lib

CELL = re.compile(r"^```\{code-cell\}.*?^```", re.M | re.S)


def text_of(name):
    return (ROOT / "chapters" / f"{name}.md").read_text(encoding="utf-8")


def test_every_name_on_the_notation_page_is_one_of_the_library_or_of_a_chapter():
    names = set(re.findall(r"`(\w+)`", text_of("notation")))
    functions = [getattr(attention_lib, name) for name in attention_lib.__all__]
    known = {word for f in functions for word in inspect.signature(f).parameters}
    known |= {word for f in functions for word in re.findall(r"\w+", inspect.getdoc(f))}
    for path in (ROOT / "chapters").glob("*.md"):
        known |= {w for cell in CELL.findall(text_of(path.stem)) for w in re.findall(r"\w+", cell)}
    assert len(names) > 30
    assert names - known == set()


def test_every_name_on_the_cheat_sheet_is_in_the_library():
    columns = [line.split("|")[-2] for line in text_of("summary").splitlines() if line[:2] == "| "]
    names = {name for column in columns for name in re.findall(r"`([a-z]\w+)`", column)}
    assert {"attention", "softmax", "top_k_mask", "feed_forward", "value_weighted"} <= names
    assert names <= set(attention_lib.__all__)
