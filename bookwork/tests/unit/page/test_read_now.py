"""A file that Python reads while it waits comes whole, in parts, or with a reason why not."""

import json
from pathlib import Path

import pytest
from bookwork.site.node import NODE
from checks import run

SCRIPT = Path(__file__).with_name("read-now.mjs")
PART, SIZE = 2**19, 2**20 + 5


@pytest.mark.parametrize(
    ("answers", "ranges", "whole", "error"),
    [
        ([[200, SIZE]], 1, SIZE, None),  # a server that knows no parts
        ([[206, PART], [206, PART], [206, 5]], 3, SIZE, None),
        ([[206, PART], [200, SIZE]], 2, SIZE, None),
        ([[206, PART]], 1, None, None),  # Stop was pressed
        ([[404, 10]], 1, None, "the server responds with 404"),
        ([[200, 10]], 1, None, "it arrived damaged"),
        ([[206, 0]], 1, None, "it arrived damaged"),
        ([[206, SIZE + 1]], 1, None, "it arrived damaged"),
        ([[0, 0]], 1, None, "the server does not respond"),
    ],
)
def test_a_file_comes_whole_or_says_why_not(answers, ranges, whole, error):
    told = json.loads(run(NODE, SCRIPT, str(SIZE), json.dumps(answers)).stdout)
    asked = [f"bytes={i * PART}-{(i + 1) * PART - 1}" for i in range(ranges)]
    assert told.pop("heard") == [1, 1]  # Stop, at the second request at the latest
    assert told == {"ranges": asked, "whole": whole, "error": error}
