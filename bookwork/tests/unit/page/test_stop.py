"""Stop is heard although an address goes on answering that was revoked while it was asked for."""

import json
from pathlib import Path

import pytest
from bookwork.site.node import NODE
from checks import run

SCRIPT = Path(__file__).with_name("stop.mjs")


@pytest.mark.parametrize("stuck", ["one", "other"])
def test_stop_is_heard_at_the_second_request_at_the_latest(stuck):
    assert sorted(json.loads(run(NODE, SCRIPT, stuck).stdout)) == [False, True]
