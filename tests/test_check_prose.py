"""The spelling of the chapters is checked where there are words, and nowhere else."""

import pytest

from bookwork.book.pages import Page
from tools.check_prose import check

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


def told(text):
    return [str(fault) for fault in check(Page("chapters/page.md", text))]


def test_code_formulas_labels_and_links_are_no_prose():
    assert told(CHAPTER) == []


@pytest.mark.parametrize(
    ("place", "wrong", "line", "word"),
    [
        ("A heading", "A haeding", 7, "haeding"),
        ("a caption says", "a captoin says", 16, "captoin"),
        ("A hint's words", "A hint's wrods", 25, "wrods"),
        ("[a link]", "[a lnik]", 9, "lnik"),
    ],
)
def test_a_misspelt_word_is_told_with_its_line_wherever_it_is_read(place, wrong, line, word):
    sentence = f"{word} is not a known word: correct it, or add it to tools/words.txt"
    assert told(CHAPTER.replace(place, wrong)) == [f"chapters/page.md:{line}: {sentence}"]


def test_a_word_that_stands_twice_in_a_row_is_told_with_its_line():
    assert told("One.\n\nRead the\nthe book.") == ["chapters/page.md:3: the word the is repeated"]
    assert told("He said that. That is all.") == []


def test_brackets_around_the_number_of_an_equation_are_told():
    sentence = "the number of an equation already has brackets: leave out those around it"
    assert told("One.\n\nOne ({eq}`eq-one`).") == [f"chapters/page.md:3: {sentence}"]
    assert told("As {eq}`eq-one` says (see {eq}`eq-two`).") == []
