"""The spelling of the chapters is checked where there are words, and nowhere else."""

import pytest

from tools.check_prose import check, prose_of

CHAPTER = """---
goals:
  - goal: wrods in the metadata are checked in the text
---

(sec-wrod)=
# A heading

A sentence with `wrods` in code, $wrods$ in a formula, {ref}`sec-wrod` and [a link](https://wrods.example).

```{code-cell} ipython3
---
mystnb:
  figure:
    caption: |
      What a caption says.
    name: fig-wrod
---
wrods = 1
```

:::{dropdown} Hint 1
:class-container: book-wrods

A hint's words, in the reader’s own time.
:::
"""


def test_code_formulas_labels_and_links_are_no_prose():
    assert check(CHAPTER) == []


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        ("A heading", "A haeding"),
        ("a caption says", "a captoin says"),
        ("A hint's words", "A hint's wrods"),
        ("[a link]", "[a lnik]"),
    ],
)
def test_a_misspelt_word_is_found_wherever_it_is_read(place, wrong):
    (fault,) = check(CHAPTER.replace(place, wrong))
    assert fault.startswith("unknown word: ")
    assert fault.removeprefix("unknown word: ") in wrong


def test_a_word_that_stands_twice_in_a_row_is_found():
    assert check("Read the\nthe book.") == ["twice: the"]
    assert check("He said that. That is all.") == []


def test_captions_are_kept_and_cells_are_not():
    prose = prose_of(CHAPTER)
    assert "What a caption says." in prose
    assert "wrods = 1" not in prose
