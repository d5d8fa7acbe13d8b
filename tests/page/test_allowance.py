"""What a run may show: an update takes the place of what has its name, and adds nothing."""

import json
import subprocess
from pathlib import Path

from bookwork.build.build_web import NODE

SCRIPT = Path(__file__).with_name("allowance.mjs")
FIGURE = {"image/svg+xml": f"<svg>{'<path/>' * 9_000}</svg>", "text/plain": "a figure"}
HUGE = {"image/png": "A" * 9_000_000, "text/plain": "a picture"}


def fitted(*messages):
    command, given = [NODE / "bin" / "node", SCRIPT], json.dumps(messages)
    told = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return json.loads(told.stdout)


def show(kind, bundle, name="x"):
    return {"kind": kind, "bundle": bundle, "display_id": name}


def text(number):
    return {"text/plain": str(number)}


def test_the_last_of_many_updates_is_shown_however_many_there_are():
    updates = [show("update", text(i)) for i in range(500)]
    assert fitted(show("display", text("first")), *updates)[-1] == text(499)
    displays = [show("display", text(i), str(i)) for i in range(300)]
    assert fitted(*displays, show("update", text("new"), "0"))[-1] == text("new")
    large = [show("update", FIGURE)] * 50
    assert fitted(show("display", FIGURE), *large)[-1] == FIGURE


def test_an_update_that_is_too_large_is_refused_and_the_next_one_shown():
    pictures = [show("display", HUGE, name) for name in "ab"]
    *_, refused, shown = fitted(*pictures, show("update", HUGE, "c"), show("update", text(1), "c"))
    assert "as much as the page can take" in refused["text/plain"]
    assert shown == text(1)


def test_updates_of_names_that_nothing_has_are_limited_like_displays():
    *_, last, beyond = fitted(*[show("update", text(i), str(i)) for i in range(201)])
    assert (last, beyond) == (text(199), None)
