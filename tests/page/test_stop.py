"""Stop is heard although an address goes on answering that was revoked while it was asked for."""

import json
from pathlib import Path

import pytest
from checks import run

from bookwork.build.node import NODE

SCRIPT = Path(__file__).with_name("stop.mjs")


@pytest.mark.parametrize("stuck", ["one", "other"])
def test_stop_is_heard_at_the_second_request_at_the_latest(stuck):
    said = json.loads(run(NODE, SCRIPT, stuck).stdout)
    assert sorted(said["heard"]) == [False, True]
    assert 2 in said["told"]  # Pyodide takes 2 for Ctrl+C
