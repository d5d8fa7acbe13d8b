"""A book is read from its folder alone: by any name of its pages, and beside other books."""

import json

import pytest
from book import small_books
from book.small_books import shop

from bookwork.__main__ import main
from bookwork.book.book import Book
from bookwork.book.check_book import faults_of

EXERCISE = ":::{exercise} One\n:label: ex-one\n:::\n"
ONE = {"ex-one": "One"}


def write(folder, files):
    small_books.write(folder, files)
    return Book(folder)


# the outline


@pytest.mark.parametrize("theme", ["book", "furo"])
def test_a_new_book_has_the_exercise_that_it_prints(tmp_path, theme):
    main(["new", str(tmp_path / "book"), "--theme", theme])
    assert Book(tmp_path / "book").outline == {"first": {"ex-shares": "Shares of anything"}}


@pytest.mark.parametrize("name", ["one", "one.md", "text/one"])
def test_a_page_may_be_listed_with_its_ending_and_lie_anywhere(tmp_path, name):
    file = f"{name.removesuffix('.md')}.md"
    toc = f"format: jb-book\nroot: start\nchapters:\n- file: {name}\n"
    book = write(tmp_path, {"_toc.yml": toc, "start.md": "# Start\n", file: EXERCISE})
    assert book.outline == {"one": ONE}


def test_notebooks_of_jupyter_and_restructured_text_are_pages_too(tmp_path):
    cell = {"cell_type": "markdown", "source": EXERCISE.splitlines(keepends=True)}
    notebook = json.dumps({"cells": [cell, {"cell_type": "code", "source": "1"}]})
    toc = "format: jb-book\nroot: start\nchapters:\n- file: one\n- file: two\n"
    files = {"_toc.yml": toc, "start.md": "# Start\n", "one.ipynb": notebook, "two.rst": "Two\n"}
    assert write(tmp_path, files).outline == {"one": ONE, "two": {}}


def test_a_project_of_plain_sphinx_has_an_outline(tmp_path):
    files = {"conf.py": "exclude_patterns = ['drafts']\n", "one.md": EXERCISE, "drafts/two.md": "#"}
    assert write(tmp_path, files).outline == {"one": ONE}


def test_a_title_is_found_in_every_form_of_the_directive(tmp_path):
    forms = [
        ":::{exercise} One\n:label: ex-one\n:::",
        ":::::{exercise}   Two, with `code` \n:class: wide\n:label:  ex-two\n:::::",
        "::::{exercise}\n:nonumber:\n:label: ex-three\n::::",
        "    :::{exercise} Shown\n    :label: ex-shown\n    :::",  # to show how
    ]
    book = write(tmp_path, {"conf.py": "", "a.md": "\n\n".join(forms)})
    titles = {"ex-one": "One", "ex-two": "Two, with `code`", "ex-three": ""}
    assert book.outline == {"a": titles}


# two books


def book_of(folder, label):
    """Write a book whose package has the same name as that of another book."""
    config = "sphinx: {config: {bookwork_package: shop_of_two, bookwork_strict: STRICT}}\n"
    files = {
        "_config.yml": config.replace("STRICT", str(label == "ex-b").lower()),
        "_toc.yml": f"format: jb-book\nroot: {label}\n",
        f"{label}.md": f"(sec-{label})=\n# The book of {label}\n\n{{ref}}`sec-ex-a`\n",
    }
    return write(folder, files | shop("shop_of_two", label))


def test_two_books_are_read_and_checked_in_one_process(tmp_path):
    first, second = (book_of(tmp_path / name, f"ex-{name}") for name in "ab")
    module = "shop_of_two/exercises/goods.py:1: the book has no exercise"
    for _ in range(2):
        assert [str(fault) for fault in faults_of(Book(first.root))] == [
            f"{module} ex-a in goods.md"
        ]
        assert [str(fault) for fault in faults_of(Book(second.root))] == [
            "ex-b.md:4: there is no label sec-ex-a; did you mean sec-ex-b?",
            f"{module} ex-b in goods.md",
        ]


ODD = """---
- a list
---

# Odd

```{code-cell}
---
- a list
---
1
```

- ```{note}
  In a list.
  ```

> :::{figure} gone.svg
> :name: 3
> :::

```{code-cell}
---
tags: [[a], 3]
---
```

:::{dropdown}
---
class-container:
---
:::

:::{exercise}
---
label: 4
---
:::

:::{exercise}
"""


def test_whatever_a_page_has_it_is_read(tmp_path):
    book = write(tmp_path, {"conf.py": "", "odd.md": ODD, "empty.md": ""})
    assert [str(fault) for fault in faults_of(book)] == [
        "odd.md:7: the cells of this page are not run: its first lines must say jupytext and "
        "kernelspec, as `bookwork new` writes them",
    ]
