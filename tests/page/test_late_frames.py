"""Frames that never come: the page waits for them no longer than a while, and asks afresh."""

import json
import subprocess
from pathlib import Path

from bookwork.build.build_web import NODE

SCRIPT = Path(__file__).with_name("late-frames.mjs")


def test_frames_that_stall_are_given_up_and_asked_for_at_another_address():
    command = [NODE / "bin" / "node", SCRIPT]
    answer = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert answer["says"] == ["its numbers did not arrive; check your connection"] * 2
    address = "http://book/_static/book-frames/name.js"
    assert answer["asked"] == [address, f"{address}?again=1"]
