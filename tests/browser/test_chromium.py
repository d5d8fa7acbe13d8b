"""Finding Chromium: on the path first, and advice when it cannot be had."""

import pytest

from tools import find_chromium


def test_chromium_on_the_path_is_taken(monkeypatch, tmp_path):
    program = tmp_path / "chromium-browser"
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_chromium.find_chromium() == str(program)


def test_a_machine_that_cannot_install_it_is_told_what_to_do(monkeypatch):
    monkeypatch.setattr(find_chromium, "find_chromium", lambda: None)
    monkeypatch.setattr(find_chromium, "install_commands", lambda: [["false"], ["true"]])
    with pytest.raises(SystemExit, match=r"need Chromium, which is not on the path.*apt install"):
        find_chromium.install_chromium()
