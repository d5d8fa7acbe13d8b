"""The rules of the house: which room imports from which."""

import ast
import sys

import pytest
from places import SOURCES

ROOMS = {  # of bookwork, and the rooms that each may import
    "exercises": (),
    "live": (),
    "book": ("exercises", "live"),
    "site": ("book", "exercises"),
    "sphinx": ("book", "site", "exercises"),
    "testing": ("book", "site"),
}
LIGHT = {  # what readers' Python gets, and what it may import besides NumPy and Python's own
    "exercises": set(),
    "live": {"ipywidgets", "anywidget", "traitlets", "IPython"},
}
BASE = {"bookwork", "numpy", *sys.stdlib_module_names}
BOOKS = {"bakery", "shop", "tools"}


def imported(source, package):
    """Return the dotted names that a source file imports; relative ones start at `package`."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: 1 - node.level or None] if node.level else []
            base = ".".join([*base, *filter(None, [node.module])])
            names |= {f"{base}.{alias.name}" for alias in node.names}
    return names


def foreign_to_room(room, source):
    """Return what a file of bookwork may not import: a book, or a room that is above its own."""
    found = set()
    for name in imported(source, f"bookwork.{room}"):
        top, inside = (*name.split("."), "")[:2]
        if top == "bookwork" and inside in ROOMS and inside not in (room, *ROOMS[room]):
            found.add(f"bookwork.{inside}")
        elif top in BOOKS or (room in LIGHT and top not in BASE | LIGHT[room]):
            found.add(top)
    return found


@pytest.mark.parametrize("room", [*ROOMS])
def test_a_room_imports_from_those_below_it_and_from_no_book(room):
    for path in (SOURCES / room).rglob("*.py"):
        if not {"node_modules", "snapshot"} & {*path.parts}:  # the snapshot is a part of the build
            assert foreign_to_room(room, path.read_text(encoding="utf-8")) == set(), path
