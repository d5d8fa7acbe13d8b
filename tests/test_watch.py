"""The author's loop: each change leads to what depends on it, and to nothing else."""

import os

import pytest

from bookwork.commands import watch


@pytest.mark.parametrize(
    ("names", "steps"),
    [
        (["chapters/a.md"], [watch.build_pages]),
        (["bookwork/page/cells.js"], [watch.build_bundle]),
        (["bookwork/live/js/bars.js"], [watch.build_bundle]),
        (["attention_lib/weights.py"], [watch.build_pages]),
        (["bookwork/page/book.css", "_toc.yml"], [watch.build_bundle, watch.build_pages]),
    ],
)
def test_a_change_leads_to_what_depends_on_it(names, steps):
    assert watch.steps_for(names) == steps


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """Return the steps that were taken, as they would be after a change; nothing is built."""
    taken = []
    monkeypatch.setattr(watch, "STAMP", tmp_path / "shown")
    monkeypatch.setattr(watch, "begin_anew", lambda: taken.append("begin_anew"))
    monkeypatch.setattr(watch, "in_a_fork", lambda step, *_: taken.append(step.__name__) or True)
    return taken


def test_the_pages_own_python_follows_after_the_pages_are_shown(shown):
    watch.show(["attention_lib/weights.py"])
    assert shown == ["build_pages", "main", "build_python_of_pages"]  # the second checks the text
    assert watch.STAMP.is_file()


def test_a_changed_extension_begins_anew(shown):
    watch.show(["bookwork/sphinx/safety.py"])
    assert shown[0] == "begin_anew"


def test_a_build_that_fails_reloads_nothing(shown, monkeypatch):
    monkeypatch.setattr(watch, "in_a_fork", lambda step: False)
    watch.show(["chapters/a.md"])
    assert not watch.STAMP.exists()


@pytest.mark.parametrize(
    ("step", "well"),
    [
        (lambda: None, True),
        (lambda: 1, False),
        (lambda: 1 / 0, False),
        (lambda: os._exit(3), False),
    ],
)
def test_a_step_in_a_fork_tells_how_it_ended_and_ends_nothing_else(step, well, capfd):
    assert watch.in_a_fork(step) is well


def test_every_file_of_the_book_is_watched_and_no_package():
    names = {path.relative_to(watch.ROOT).as_posix() for path in watch.look()}
    assert {
        "_toc.yml",
        "chapters/welcome.md",
        "bookwork/page/book.css",
        "attention_lib/weights.py",
    } <= names
    assert "bookwork/live/js/figure.js" in names
    assert not any(
        "live/static" in name or "node_modules" in name or "__pycache__" in name for name in names
    )


def test_a_file_that_an_editor_took_away_for_a_moment_is_no_error(tmp_path):
    assert watch.changed_at(tmp_path / "gone") is None
