"""The author's loop: each change leads to what depends on it, and to nothing else."""

import importlib
import re

import pytest
from book.small_books import shop, write

from bookwork.book.book import Book
from bookwork.commands import watch
from tools import ROOT


@pytest.mark.parametrize(
    ("names", "steps"),
    [
        (["chapters/a.md"], [watch.build_pages]),
        (["bookwork/page/cells/notebook.js"], [watch.build_bundle]),
        (["bookwork/live/js/bars.js"], [watch.build_bundle]),
        (["attention_lib/weights.py"], [watch.build_pages]),
        (["bookwork/page/site/book.css", "_toc.yml"], [watch.build_bundle, watch.build_pages]),
    ],
)
def test_a_change_leads_to_what_depends_on_it(names, steps):
    assert watch.steps_for(names) == steps


@pytest.mark.parametrize(
    ("before", "now", "names", "is_text"),
    [
        ({"a.md": 1, "b.md": 1}, {"a.md": 1, "b.md": 2}, ["b.md"], True),
        ({"a.md": 1}, {"a.md": 1, "b.md": 1}, ["b.md"], False),
        ({"a.md": 1, "b.ipynb": 1}, {"a.md": 1}, ["b.ipynb"], False),
        ({"a.md": 1, "_toc.yml": 1}, {"a.md": 2, "_toc.yml": 2}, ["_toc.yml", "a.md"], False),
    ],
)
def test_only_texts_that_were_there_need_no_new_set_up(before, now, names, is_text):
    before, now = ({ROOT / path: at for path, at in each.items()} for each in (before, now))
    assert watch.difference(Book(ROOT), before, now) == (names, is_text)


def test_every_file_of_the_book_is_watched_and_no_package():
    names = {path.relative_to(ROOT).as_posix() for path in watch.look(Book(ROOT))}
    assert {"_toc.yml", "chapters/welcome.md", "attention_lib/weights.py"} <= names
    assert {"bookwork/page/site/book.css", "bookwork/live/js/figure.js"} <= names
    assert not re.search("live/static|node_modules|__pycache__", " ".join(names))


def test_a_file_that_an_editor_took_away_for_a_moment_is_no_error(tmp_path):
    assert watch.changed_at(tmp_path / "gone") is None


def test_the_text_is_checked_with_the_checkers_as_they_are_now(tmp_path, capsys):
    config = "sphinx: {config: {bookwork_package: shop_of_watch}}"
    toc = "format: jb-book\nroot: start\n"
    write(tmp_path, {"_config.yml": config, "_toc.yml": toc, "start.md": "# Start\n"})
    for label in ("ex-old", "ex-another"):
        write(tmp_path, shop("shop_of_watch", label))
        importlib.invalidate_caches()
        watch.follow(Book(tmp_path), ["start.md"])
        assert f"the book has no exercise {label}" in capsys.readouterr().out
