"""A line that says how far something has come appears only where someone waits."""

from types import SimpleNamespace

import pytest

from bookwork.live.progress import Progress


@pytest.fixture
def shown(monkeypatch):
    """Return what a notebook is told to show, in order."""
    told = []

    def display(thing, **_):
        told.append(thing)
        return SimpleNamespace(update=lambda thing, **_: told.append(thing))

    monkeypatch.setattr("bookwork.live.progress.display", display)
    return told


def test_progress_appears_only_when_there_is_a_wait_and_then_goes_away(shown, monkeypatch):
    monkeypatch.setattr("bookwork.live.progress.get_ipython", object)
    with Progress() as progress:
        progress.tell(1.0)
    assert shown == []
    with Progress() as progress:
        for share in (0.25, 0.251, 0.5):
            progress.tell(share)
        assert [line["text/plain"] for line in shown] == ["computing: 25%", "computing: 50%"]
    assert shown[-1].data == ""


@pytest.mark.parametrize(("is_built", "lines"), [(False, 1), (True, 0)])
def test_progress_is_shown_in_the_readers_page_but_not_in_the_book(
    shown, monkeypatch, is_built, lines
):
    monkeypatch.setattr("bookwork.live.progress.sys.platform", "emscripten")
    if is_built:
        monkeypatch.setenv("BOOKWORK_QUIET", "1")
    with Progress() as progress:
        progress.tell(0.5)
        assert len(shown) == lines
