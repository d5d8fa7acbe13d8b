"""What each chapter says is what its cells give; and what is wrong is told with its sentence."""

import importlib

import numpy as np
import pytest
from chapters.claims import Claims, agrees, faults_of_page, unclaimed_numbers, wrong_claims
from chapters.page import ROOT, Chapter, Page, all_pages, fail_with, run_chapter

PAGES = [page for page in all_pages(ROOT) if page.is_notebook]
each_chapter = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
TEXT = """
# Bread

The sum is 3, of *two*
numbers. In 2017 it was $x = 7.5$, and `9.25`. Of 100 bakers 20 % ask 1.5 times
as much.

```{code-cell} ipython3
---
mystnb:
  figure: {caption: "Nearly 0.67 is −0.5 more", name: fig-x}
tags: [remove-input]
---
print("hidden")
x = 2 / 3
```

```{code-cell} ipython3
numbers = [1, 2]
sum(numbers)
```
"""


@each_chapter
def test_what_a_chapter_says_is_what_its_cells_give(page):
    fail_with(faults_of_page(page, run=lambda page: run_chapter(page.name)))


@pytest.mark.rare
@each_chapter
def test_what_takes_long_to_compute_is_so_too(page):
    claims = importlib.import_module(f"chapters.{page.name}").CLAIMS
    rare = [claim for claim in claims if claim.rare]
    fail_with(wrong_claims(run_chapter(page.name), rare) if rare else ())


@pytest.fixture(scope="module")
def bread():
    return Chapter(Page("chapters/bread.md", TEXT))


def test_a_page_is_run_in_order_and_read_with_its_captions(bread):
    hidden, shown = bread.cells
    assert (hidden.shown, hidden.value, hidden.printed) == (False, None, "hidden\n")
    assert (shown.shown, shown.value, bread["numbers"]) == (True, 3, [1, 2])
    assert bread.prose.startswith("\n# Bread\nThe sum is 3, of two numbers. In 2017")
    assert bread.sentence_at(bread.prose.index("0.67")) == "Nearly 0.67 is −0.5 more"
    assert bread.line_at(bread.prose.index("Of 100")) == 5
    with pytest.raises(KeyError, match="no figure fig-y"):
        bread.figure("fig-y")


def test_decimals_percentages_and_large_numbers_need_a_claim_or_a_reason(bread):
    claims = Claims(("of 100 bakers {} %", lambda c: 20), ("is {} more", lambda c: -0.5))
    given = {"as published": "100 300"}
    assert list(wrong_claims(bread, claims)) == []
    assert list(unclaimed_numbers(bread, claims, given)) == [
        'chapters/bread.md:5: "Of 100 bakers 20 % ask 1.5 times as much." – no claim computes 1.5: '
        "add it to tests/chapters/bread.py",
        'chapters/bread.md:8: "Nearly 0.67 is −0.5 more" – no claim computes 0.67: '
        "add it to tests/chapters/bread.py",
        "tests/chapters/bread.py:1: 300 is GIVEN, but chapters/bread.md does not say it",
    ]


@pytest.mark.parametrize(
    ("phrase", "compute", "told"),
    [
        ("The *sum* is {}, … {} numbers", lambda c: [sum(c["numbers"]), 2], ""),
        ("sum is", lambda c: True, ""),
        ("sum is {}", lambda c: 4, "4: ... – the text says 3, the cells give 4"),
        ("sum is 3, of {}", lambda c: "six", "4: ... – the text says two, the cells give six"),
        ("sum is", lambda c: np.False_, "4: ... – this is not so: False"),
        ("sum is", lambda c: c["y"], "4: ... – this cannot be computed: KeyError: 'y'"),
        ("sum is {}", lambda c: [3, 2], "4: ... – 1 numbers, but 2 are computed"),
        ("the sum was {} of two", lambda c: 3, "is no longer in ...; the nearest sentence is ..."),
        ("is", lambda c: 3, "is in ... in more than one place (lines 4, 8): add a word to it"),
    ],
)
def test_a_claim_that_does_not_hold_is_told_with_its_sentence(bread, phrase, compute, told):
    said = [told] if told else []
    for fault in wrong_claims(bread, Claims((phrase, compute))):
        assert [part for part in said.pop().split("...") if part.strip() not in fault] == []
        assert '"The sum is 3, of two numbers."' in fault or "more than one place" in fault
        assert "tests/chapters/bread.py:" in fault
    assert said == []


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("\nsum(total)", "21: the cell fails: NameError: name 'total' is not defined"),
        ("half = lambda n: n / 0\nhalf(1)", "20: the cell fails: ZeroDivisionError: division"),
        ("sum(numbers", "20: the cell fails: SyntaxError: '(' was never closed"),
        ("sum(numbers)", "1: nothing checks what it says: write tests/chapters/bread.py"),
    ],
)
def test_a_cell_that_fails_has_the_line_of_the_chapter(code, told):
    page = Page("chapters/bread.md", TEXT.replace("sum(numbers)", code))
    (fault,) = faults_of_page(page, run=Chapter)
    assert fault.startswith(f"chapters/bread.md:{told}")


@pytest.mark.parametrize(
    ("text", "values", "others"),
    [
        ("0.59", [0.5949], [0.5951]),
        ("9,000", [9000], [9001]),
        ("18", [np.array(18)], [17]),
        ("six", [6], [7, "six "]),
        ("0.0", [-0.01], [0.06]),
        ("−0.5", [-0.52], [0.5]),
        ("Mu", ["Mu"], ["Li"]),
    ],
)
def test_numbers_agree_to_the_digits_that_are_stated(text, values, others):
    assert all(agrees(text, value) for value in values)
    assert not any(agrees(text, value) for value in others)
