"""Which exercises the chapters have, in which order and under which titles: for the report.

A clone has the chapters themselves. A wheel has none, so the book that makes one puts their outline
into it, as a file beside the modules of checkers.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

Outline: TypeAlias = Mapping[str, Mapping[str, str]]  # chapter -> label -> title, in order
FILE = "outline.json"
CONTENTS = re.compile(r"^\s*-\s+file:\s*[\"']?([\w./-]+)", re.M)
EXERCISE = re.compile(
    r"^(?:`{3,}|:{3,})\{exercise\} *(?P<title>.*)\n(?::.*\n)*?:label: *(?P<label>\S+)", re.M
)


class NoOutlineError(ValueError):
    """There are no chapters and no outline of them."""


def read_outline(folder: Path) -> Outline:
    """Return the outline that belongs to a package of checkers, in or beside a book's own."""
    if (folder / FILE).is_file():
        outline: Outline = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return outline
    roots = [root for root in folder.parents[:2] if (root / "_toc.yml").is_file()]
    return outline_of(roots[0] if roots else folder.parent)


def outline_of(root: Path) -> Outline:
    """Return the outline of the chapters in a repository."""
    contents = root / "_toc.yml"
    if not contents.is_file():
        raise NoOutlineError("this copy of the library has no list of the book's exercises")
    names = CONTENTS.findall(contents.read_text(encoding="utf-8"))
    outline: dict[str, dict[str, str]] = {}
    for name in names:  # a page of the reference may have the name of a chapter
        text = (root / f"{name}.md").read_text(encoding="utf-8")
        outline.setdefault(Path(name).name, {}).update(exercises_in(text))
    return outline


def exercises_in(text: str) -> dict[str, str]:
    r"""Return the titles of the exercises of a chapter, by label.

    Examples
    --------
    >>> exercises_in(":::{exercise} Cut or fill\n:label: ex-fit\n\nWrite `fit` …\n:::\n")
    {'ex-fit': 'Cut or fill'}
    """
    return {match["label"]: match["title"].strip() for match in EXERCISE.finditer(text)}
