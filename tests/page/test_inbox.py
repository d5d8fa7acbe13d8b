"""Messages that wait for the page: what is cleared or changed before it draws is not drawn."""

import json
import subprocess
from pathlib import Path

from bookwork.build.build_web import NODE

SCRIPT = Path(__file__).with_name("inbox.mjs")
AT_ONCE, LATER = {"kind": "clear", "wait": False}, {"kind": "clear", "wait": True}
ELSEWHERE = {"kind": "stdout", "text": "e", "cell": "cell 2"}
WIDGETS = {"kind": "comms", "messages": []}


def text(letters):
    return {"kind": "stdout", "text": letters}


def left(*messages):
    command = [NODE / "bin" / "node", SCRIPT, json.dumps(messages)]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def test_of_a_storm_of_outputs_that_are_cleared_only_the_last_is_drawn():
    storm = [each for i in range(500) for each in (LATER, text(str(i)), WIDGETS)]
    assert left(text("a"), *storm, "done") == [
        *[WIDGETS] * 499,
        LATER,
        text("499"),
        WIDGETS,
        "done",
    ]
    storm = [each for i in range(500) for each in (text(str(i)), AT_ONCE)]
    assert left(*storm, text("b")) == [AT_ONCE, text("b")]


def change(name, number):
    return {"kind": "update", "display_id": name, "bundle": {"text/plain": number}}


def test_of_a_storm_of_changes_of_some_displays_only_the_last_of_each_is_drawn():
    names = [f"x{k}" for k in range(30)]
    storm = [change(name, i) for i in range(20) for name in names]
    others = [text("a"), {"kind": "display", "display_id": "x1"}]
    last = [change(name, 19) for name in names]
    assert left(*others, *storm, "done") == [*others, *last, "done"]


def test_what_is_not_cleared_stays():
    for messages in (
        [text("a"), LATER, "done"],  # nothing takes its place
        [ELSEWHERE, text("a"), text("b"), {**AT_ONCE, "cell": "cell 3"}],
        [{"kind": "update", "display_id": "x"}, AT_ONCE, text("b")],
    ):
        assert left(*messages) == messages
    assert left(ELSEWHERE, text("a"), AT_ONCE) == [ELSEWHERE, AT_ONCE]
