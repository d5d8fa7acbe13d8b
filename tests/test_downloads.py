"""Large files of a book: copied once, and left out where they cannot be had."""

import base64
import hashlib
import json

import pytest

from bookwork.build import build
from bookwork.build.downloads import copy_downloads

CONFIG = """\
title: Bread
sphinx:
  config:
    bookwork_package: bread
    bookwork_data:
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
    """A book with a file of 250 bytes."""
    monkeypatch.delenv("BOOKWORK_DOWNLOADS", raising=False)
    (tmp_path / "_config.yml").write_text(CONFIG)
    (tmp_path / "bread").mkdir()
    (tmp_path / "bread" / "fetch.py").write_text(FETCH)
    (tmp_path / "dough.bin").write_bytes(CONTENT)
    return tmp_path


def test_a_file_is_copied_once_under_a_name_that_changes_with_it(book):
    (found,) = copy_downloads(book)
    assert [found] == copy_downloads(book)
    assert (book / "times").read_text() == "."
    digest = hashlib.sha256(CONTENT)
    name = f"{digest.hexdigest()[:32]}.bin"
    assert (book / "_build" / "downloads" / name).read_bytes() == CONTENT
    integrity = f"sha256-{base64.b64encode(digest.digest()).decode()}"
    told = {"file": "dough.bin", "title": "Dough", "memory": 30, "size": 250}
    assert found == told | {"name": name, "integrity": integrity}


def test_a_file_that_cannot_be_fetched_is_left_out_until_it_can(book, capsys):
    (book / "bread" / "fetch.py").write_text("raise SystemExit('no network')")
    assert copy_downloads(book) == []
    assert capsys.readouterr().out == "Leaving Dough out of the site: no network\n"
    (book / "bread" / "fetch.py").write_text(FETCH)
    assert len(copy_downloads(book)) == 1


def test_a_host_that_does_not_want_them_leaves_them_out(book, monkeypatch):
    copy_downloads(book)
    monkeypatch.setenv("BOOKWORK_DOWNLOADS", "0")
    assert copy_downloads(book) == []
    assert not (book / "_build" / "downloads").exists()
    assert "downloads" in build.PARTS  # so what an earlier build put into the site goes, too


def test_a_book_without_any_needs_nothing(book):
    (book / "_config.yml").write_text("title: Bread")
    assert copy_downloads(book) == []
    assert json.dumps(sorted(path.name for path in book.iterdir())).count("_build") == 0
