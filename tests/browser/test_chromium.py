"""Finding Chromium: advice when it cannot be had."""

import pytest

from tools import find_chromium


def test_a_machine_that_cannot_install_it_is_told_what_to_do(monkeypatch):
    monkeypatch.setattr(find_chromium, "find_chromium", lambda: None)
    monkeypatch.setattr(find_chromium, "install_commands", lambda: [["false"], ["true"]])
    with pytest.raises(SystemExit, match=r"need Chromium, which is not on the path.*apt install"):
        find_chromium.install_chromium()
