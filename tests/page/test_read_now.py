"""A file that Python reads while it waits comes whole, in parts, or with a reason why not."""

import json
from pathlib import Path

import pytest
from checks import run

from bookwork.build.node import NODE

SCRIPT = Path(__file__).with_name("read-now.mjs")
SIZE = 2**20
LATE = [0, 0]


def read(*answers):
    """Read a file of a megabyte from a server that gives these answers, (status, bytes) each."""
    done = run(NODE, SCRIPT, str(SIZE), json.dumps(answers))
    return json.loads(done.stdout)


def test_a_file_that_comes_in_time_is_one_request():
    told = read([200, SIZE])
    assert (told["whole"], told["ranges"], told["sizes"]) == (SIZE, [None], [SIZE])


def test_a_slow_file_comes_in_parts_that_grow_with_their_speed():
    told = read(LATE, [206, 2**18], LATE, [206, 2**17], [206, 2**18], [206, SIZE // 2 - 2**17])
    assert told["whole"] == SIZE
    assert told["ranges"][:3] == [None, "bytes=0-262143", "bytes=262144-786431"]
    assert told["sizes"] == [2**18, 2**18 + 2**17, 2**19 + 2**17, SIZE]


def test_progress_never_exceeds_the_file_when_a_server_sends_all_of_it_after_a_part():
    told = read(LATE, [206, 2**18], [200, SIZE])
    assert (told["whole"], told["sizes"]) == (SIZE, [2**18, SIZE])


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([[404, 10]], "the server responds with 404"),
        ([[200, 10]], "it arrived damaged"),
        ([[200, SIZE + 1]], "it arrived damaged"),
        ([LATE, [206, 0]], "it arrived damaged"),
        ([LATE] * 20, "the server does not respond"),
        ([], "interrupted"),
    ],
)
def test_a_file_that_does_not_come_says_why(answers, reason):
    assert read(*answers)["error"] == reason
