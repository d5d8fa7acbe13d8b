"""Scripts and styles: which are checked, and what they share with Python."""

import re
from typing import get_args, get_type_hints

import pytest

from attention_exercises import Verdict
from bookwork.book.exercise_text import LABEL
from bookwork.build import build_web
from tools import check_web


@pytest.fixture
def runs(monkeypatch):
    """Return the commands that would be run; those of ESLint fail."""
    commands = []
    monkeypatch.setattr(build_web, "install_packages", lambda: None)
    monkeypatch.setattr(
        check_web, "run", lambda command: commands.append(command) or "eslint" in command[0]
    )
    return commands


def test_every_script_and_style_is_checked_and_what_fails_is_named(runs):
    assert check_web.main([]) == "Scripts and styles: ESLint failed, see above."
    _, lint, formats = runs
    scripts = {
        "bookwork/page/cells/cells.js",
        "bookwork/page/build.mjs",
        "bookwork/live/js/plane.js",
        "bookwork/commands/reload.js",
    }
    assert scripts <= set(lint)
    assert scripts | {"bookwork/page/site/book.css", "bookwork/live/js/figure.css"} <= set(formats)
    assert "--check" in formats


def test_nothing_is_changed_unless_it_is_asked_for(runs):
    check_web.main(["--fix"])
    assert ["--fix" in runs[1], "--write" in runs[2], "--check" in runs[2]] == [True, True, False]


def test_the_page_knows_the_statuses_of_a_verdict_and_the_form_of_a_label():
    script = (build_web.WEB / "exercises" / "verdict.js").read_text()
    listed = re.search(r"STATUSES = \{(.*?)\};", script, re.S)[1]
    statuses = re.findall(r'^ *"?([a-z ]+)"?: "(?:idle|wrong|right)",$', listed, re.M)
    assert statuses == list(get_args(get_type_hints(Verdict)["status"]))
    assert f"/^{LABEL.pattern}$/" in script
