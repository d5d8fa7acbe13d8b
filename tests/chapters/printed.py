"""The exercises as the book was built with them, from Sphinx's own files in _build."""

import pickle
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

import pytest
from bookwork.sphinx.exercises import NOTED, exercise_group, part_of
from chapters.page import ROOT, all_pages
from docutils import nodes
from sphinx_exercise.nodes import is_solution_node

TREES = ROOT / "_build" / ".doctrees"


@dataclass(frozen=True)
class Printed:
    """An exercise as its chapter prints it."""

    chapter: str
    label: str
    title: str
    minutes: int
    difficulty: str
    extra: bool  # it stands under Going further
    choices: list[str]  # letters
    starter: str
    parts: list[str]  # starter, hint, …, solution
    solves: list[str]  # the labels of exercises of which there is a solution in it
    codes: list[str]  # pieces of Python in its solutions

    @property
    def hints(self):
        """How many hints it has."""
        return self.parts.count("hint")

    @property
    def code(self):
        """The Python of its solution."""
        return "\n".join(self.codes)


@cache
def environment():
    """Return what Sphinx knows of all pages."""
    if not (TREES / "environment.pickle").is_file():
        pytest.fail("the book is not built: run make book first")
    return pickle.loads((TREES / "environment.pickle").read_bytes())


def exercises_on(page):
    """Return the exercises of a page that was built, in order."""
    noted = environment().metadata[page].get(NOTED, ())
    tree = pickle.loads((TREES / f"{page}.doctree").read_bytes()) if noted else nodes.document
    groups = {group["label"]: group for group in tree.findall(exercise_group)} if noted else {}
    return [printed(page, note, groups[note["label"]]) for note in noted]


def printed(page, note, group):
    """Return an exercise from its note and its element."""
    solutions = list(group.findall(is_solution_node))
    blocks = [block for solution in solutions for block in solution.findall(nodes.literal_block)]
    return Printed(
        chapter=PurePosixPath(page).name,
        label=note["label"],
        title=note["title"],
        minutes=note["minutes"],
        difficulty=note["difficulty"],
        extra=note["extra"],
        choices=note["letters"],
        starter=note["starters"][0]["code"],
        parts=[part for node in group[0] if (part := part_of(node))],
        solves=[solution["target_label"] for solution in solutions],
        codes=[block.astext() for block in blocks if block.get("language") == "python"],
    )


PRINTED = [each for page in all_pages(ROOT) for each in exercises_on(f"chapters/{page.name}")]
BY_LABEL = {each.label: each for each in PRINTED}
