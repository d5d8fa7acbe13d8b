"""The numbers of every chapter are those that its cells give, and what says so can fail."""

import numpy as np
import pytest
from book.chapters import FOLDER, fail_with, run_chapter, run_text
from book.claims import agrees, faults_of_page, unclaimed_numbers, wrong_numbers
from book.reading import all_pages, read_page

ROOT = FOLDER.parent
CHAPTERS = [page for page in all_pages(ROOT) if page.is_notebook]
TESTS = "tests/book/test_numbers_page.py"
PAGE = """
# A page

The sum is 3, of two
numbers, and $x = 7$.

```{code-cell} ipython3
---
mystnb:
  figure: {caption: "Nearly 0.67", name: fig-x}
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
TOTAL = (r"sum is (\w+), of (\w+) numbers", lambda c: [sum(c["numbers"]), len(c["numbers"])])


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda page: page.name)
def test_every_number_in_the_text_is_claimed_and_is_what_the_cells_give(chapter):
    fail_with(faults_of_page(ROOT, chapter, run=lambda page: run_chapter(page.name)))


def test_a_page_is_run_in_order_and_read_with_its_captions():
    page = run_text("page", PAGE)
    hidden, shown = page.cells
    assert (hidden.visible, hidden.value, hidden.printed) == (False, None, "hidden\n")
    assert (shown.visible, shown.value) == (True, 3)
    assert page.prose == "# A page The sum is 3, of two numbers, and $x = 7$. Nearly 0.67"
    with pytest.raises(KeyError, match="no figure fig-y"):
        page.figure("fig-y")


def test_a_right_claim_passes_and_a_number_without_one_is_told_with_its_line():
    page = run_text("page", PAGE)
    assert list(wrong_numbers(page, [TOTAL], TESTS)) == []
    (fault,) = unclaimed_numbers(page, [TOTAL], TESTS)
    assert str(fault) == (
        'chapters/page.md:10: the number 0.67 in "= 7$. Nearly 0.67" has no claim: '
        "add one to tests/book/test_numbers_page.py"
    )


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ((r"sum is (\w+),", lambda c: [4]), "4: the text says 3, the cells give 4"),
        ((r"of two (\w+)", lambda c: ["words"]), "5: the text says numbers, the cells give words"),
        (
            ("no such words", lambda c: []),
            "the claim 'no such words' matches 0 places, not one, of chapters/page.md",
        ),
        (
            (r"sum is (.), of (\S+)", lambda c: [3]),
            r"the claim 'sum is (.), of (\\S+)' has 2 numbers in brackets, but computes 1",
        ),
        (
            (r"sum is (\w+)", lambda c: [c["total"]]),
            "the claim cannot be computed: KeyError: 'total'",
        ),
    ],
)
def test_a_claim_that_does_not_hold_is_one_sentence(claim, told):
    page = run_text("page", PAGE)
    (fault,) = wrong_numbers(page, [claim], TESTS)
    said = fault.sentence if fault.path == TESTS else str(fault).partition(":")[2]
    assert said == told


@pytest.fixture
def root(tmp_path):
    """Return the root of a book with one chapter and the file of its claims."""
    for folder in ("chapters", "tests/book"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "chapters" / "bread.md").write_text(PAGE)
    return tmp_path


def faults_of_bread(root):
    return faults_of_page(root, read_page(root, "chapters/bread.md"))


BREAD, CLAIMS = "chapters/bread.md", "tests/book/test_numbers_bread.py"


@pytest.mark.parametrize(
    ("claims", "told"),
    [
        (
            "CLAIMS = [\n    (r'sum is (.), of', lambda c: [3]),\n"
            "    (r'two (.{7})', lambda c: [2]),\n    (r'(0.67)', lambda c: [0.7]),\n]\n",
            [
                f"{BREAD}:5: the text says numbers, the cells give 2",
                f"{BREAD}:10: the text says 0.67, the cells give 0.7",
            ],
        ),
        (
            "CLAIMS = [(r'sum is (.), of', lambda c: [3]),\n (r'(0.66)', lambda c: [0.66])]",
            [
                f"{CLAIMS}:2: the claim '(0.66)' matches 0 places, not one, of {BREAD}",
                f'{BREAD}:10: the number 0.67 in "= 7$. Nearly 0.67" has no claim: '
                f"add one to {CLAIMS}",
            ],
        ),
        ("\nCLAIMS = [no]", [f"{CLAIMS}:2: this file cannot be run: NameError: name 'no' is"]),
        ("CLAIM = []", [f"{CLAIMS}:1: this file cannot be run: KeyError: 'CLAIMS'"]),
        (None, [f"{BREAD}:1: nothing checks the numbers of this chapter: write {CLAIMS}, as in"]),
    ],
)
def test_the_faults_of_a_file_of_claims_have_its_lines(root, claims, told):
    if claims is not None:
        (root / CLAIMS).write_text(claims)
    said = [str(fault) for fault in faults_of_bread(root)]
    assert [s[: len(t)] for s, t in zip(said, told, strict=True)] == told


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("\nsum(total)", "20: the cell fails: NameError: name 'total' is not defined"),
        (
            "half = lambda n: n / 0\nhalf(1)",
            "19: the cell fails: ZeroDivisionError: division by zero",
        ),
        ("sum(numbers", "19: the cell fails: SyntaxError: '(' was never closed"),
    ],
)
def test_a_cell_that_fails_has_the_line_of_the_chapter(root, code, told):
    page = root / "chapters" / "bread.md"
    page.write_text(page.read_text().replace("sum(numbers)", code))
    (root / "tests" / "book" / "test_numbers_bread.py").write_text("CLAIMS = []")
    (fault,) = faults_of_bread(root)
    assert str(fault).startswith(f"chapters/bread.md:{told}")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.59", 0.5949),
        ("9,000", 9000),
        ("18", np.array(18)),
        ("Six", 6),
        ("0", 0.4),
        ("0.0", -0.01),
        ("Mu", "Mu"),
    ],
)
def test_numbers_agree_to_the_digits_that_are_stated(text, value):
    assert agrees(text, value)


@pytest.mark.parametrize(("text", "value"), [("0.59", 0.5951), ("six", 7), ("Mu", "Li")])
def test_other_numbers_do_not(text, value):
    assert not agrees(text, value)
