"""What a chapter promises its readers is what its exercises ask of them.

A chapter begins with its goals; its metadata name, for each of them, the exercises that meet it:

    goals:
      - goal: read a heatmap of weights, and notice when one is wrong
        met_by: [ex-rows-sum]
"""

import re

import pytest
import yaml
from book.chapters import FOLDER

from attention_lib.exercises import EXERCISES

CHAPTERS = sorted({exercise.chapter for exercise in EXERCISES.values()})
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


def read(chapter):
    """Return the metadata of a chapter and its text."""
    text = (FOLDER / f"{chapter}.md").read_text(encoding="utf-8")
    _, metadata, body = text.split("---\n", 2)
    return yaml.safe_load(metadata), body


def promised(body):
    """Return the goals that the text lists."""
    (items,) = re.findall(r"^After this chapter you can\n\n(.*?)\n\n(?!-)", body, re.M | re.S)
    return [" ".join(item.split()).rstrip(";.") for item in re.split(r"^- ", items, flags=re.M)[1:]]


@each_chapter
def test_the_goals_of_the_metadata_are_those_of_the_text(chapter):
    metadata, body = read(chapter)
    assert [entry["goal"] for entry in metadata["goals"]] == promised(body)


@each_chapter
def test_each_goal_is_met_by_an_exercise_of_the_chapter(chapter):
    here = {label for label, exercise in EXERCISES.items() if exercise.chapter == chapter}
    for entry in read(chapter)[0]["goals"]:
        assert entry["met_by"], entry["goal"]
        assert set(entry["met_by"]) <= here, entry["goal"]


@each_chapter
def test_each_exercise_serves_a_goal(chapter):
    here = {label for label, exercise in EXERCISES.items() if exercise.chapter == chapter}
    met = {label for entry in read(chapter)[0]["goals"] for label in entry["met_by"]}
    assert met == here
