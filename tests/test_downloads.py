"""Large files of a book: cut into pieces once, and left out where they cannot be had."""

import hashlib
import json

import pytest

from bookwork.build import downloads, make_book
from bookwork.build.downloads import cut_downloads

CONFIG = """\
title: Bread
sphinx:
  config:
    bookwork_package: bread
    bookwork_downloads:
      - {title: Dough, fetch: bread.fetch, memory: 30}
"""
FETCH = """\
from pathlib import Path
print("Fetching dough")
Path("times").open("a").write(".")
print(Path("dough.bin").resolve())
"""
CONTENT = bytes(range(250))


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A book with a file of 250 bytes, cut into pieces of 100."""
    monkeypatch.setattr(downloads, "PIECE", 100)
    monkeypatch.delenv("PAGE_DOWNLOADS", raising=False)
    (tmp_path / "_config.yml").write_text(CONFIG)
    (tmp_path / "bread").mkdir()
    (tmp_path / "bread" / "fetch.py").write_text(FETCH)
    (tmp_path / "dough.bin").write_bytes(CONTENT)
    return tmp_path


def test_a_file_is_cut_once_into_pieces_named_by_their_digests(book):
    (found,) = cut_downloads(book)
    assert [found] == cut_downloads(book)
    assert (book / "times").read_text() == "."
    pieces = [(book / "_build" / "downloads" / name).read_bytes() for name in found.pop("pieces")]
    assert [len(piece) for piece in pieces] == [100, 100, 50]
    assert b"".join(pieces) == CONTENT
    digest = hashlib.sha256(pieces[0]).hexdigest()
    assert (book / "_build" / "downloads" / f"{digest[:32]}.bin").is_file()
    told = {"file": "dough.bin", "title": "Dough", "memory": 30, "size": 250, "piece": 100}
    assert found == told


def test_a_file_that_cannot_be_fetched_is_left_out_until_it_can(book, capsys):
    (book / "bread" / "fetch.py").write_text("raise SystemExit('no network')")
    assert cut_downloads(book) == []
    assert capsys.readouterr().out == "Leaving Dough out of the site: no network\n"
    (book / "bread" / "fetch.py").write_text(FETCH)
    assert len(cut_downloads(book)) == 1


def test_a_host_that_does_not_want_them_leaves_them_out(book, monkeypatch):
    cut_downloads(book)
    monkeypatch.setenv("PAGE_DOWNLOADS", "0")
    assert cut_downloads(book) == []
    assert not (book / "_build" / "downloads").exists()
    assert "downloads" in make_book.PARTS  # so what an earlier build put into the site goes, too


def test_a_book_without_any_needs_nothing(book):
    (book / "_config.yml").write_text("title: Bread")
    assert cut_downloads(book) == []
    assert json.dumps(sorted(path.name for path in book.iterdir())).count("_build") == 0
