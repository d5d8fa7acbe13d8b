"""Large files that a page fetches if its reader agrees: in the site where they are there."""

import base64
import hashlib

import pytest
from bookwork.site import build_python

CONFIG = """\
title: Bread
sphinx:
  config:
    bookwork_package: bread
    bookwork_data:
      - {title: Dough, file: .cache/dough.bin, memory: 30}
      - .cache/flour.bin
"""
CONTENT = bytes(range(250))


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A book with a file of 250 bytes."""
    monkeypatch.delenv("BOOKWORK_DOWNLOADS", raising=False)
    (tmp_path / "_config.yml").write_text(CONFIG)
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "dough.bin").write_bytes(CONTENT)
    return tmp_path


def test_a_file_is_copied_under_a_name_that_changes_with_it(book):
    ((path, said),) = build_python.made_files(book, dict).items()
    (book / "data").mkdir()
    found = build_python.offered(book, book, path, said)
    assert found.pop("path").endswith("/site-packages/bread/data/dough.bin")
    digest = hashlib.sha256(CONTENT)
    name = f"data/{digest.hexdigest()[:32]}.bin"
    assert (book / name).read_bytes() == CONTENT
    integrity = f"sha256-{base64.b64encode(digest.digest()).decode()}"
    told = {"title": "Dough", "memory": 30, "size": 250, "name": name, "integrity": integrity}
    assert found == told | {"file": ".cache/dough.bin"}


def test_a_file_that_is_not_there_or_not_wanted_is_left_out(book, monkeypatch):
    monkeypatch.setenv("BOOKWORK_DOWNLOADS", "0")
    assert build_python.made_files(book, dict) == {}
    monkeypatch.delenv("BOOKWORK_DOWNLOADS")
    assert len(build_python.made_files(book, dict)) == 1
    (book / ".cache" / "dough.bin").unlink()
    assert build_python.made_files(book, dict) == build_python.made_files(book, str) == {}
