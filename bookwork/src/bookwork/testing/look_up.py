"""The search of a built book, outside a browser."""

import json
import subprocess
from pathlib import Path

from bookwork.book.files import WEB
from bookwork.site.build_web import NODE

LOOK_UP = Path(__file__).with_suffix(".mjs")


def entries_of(file):
    """Return what an index has, each with its page."""
    text = file.read_text(encoding="utf-8")
    found = json.loads(text.removeprefix("window.bookSearchIndex = ").removesuffix(";\n"))
    return [entry | {"page": one["href"]} for one in found["chapters"] for entry in one["entries"]]


def look_up(file, queries, folder):
    """Return what the search finds with an index, for all queries at once."""
    queries = list(queries)
    asked = folder / "queries.json"
    asked.write_text(json.dumps(queries), encoding="utf-8")
    command = [NODE, LOOK_UP, WEB, file, asked]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(zip(queries, json.loads(done.stdout), strict=True))
