"""Every exercise of the book is whole, starts as "not started", and has a right solution."""

import ast
import base64
import functools
import json
import re
from html.parser import HTMLParser

import pytest
from built_book import built
from chapters.page import run_chapter
from chapters.printed import PRINTED

from attention_exercises import EXERCISES, Verdict

each_exercise = pytest.mark.parametrize("printed", PRINTED, ids=lambda printed: printed.label)


@each_exercise
def test_the_starter_is_not_started(printed):
    (cell,) = [cell for cell in run_chapter(printed.chapter).cells if cell.code == printed.starter]
    assert isinstance(cell.value, Verdict)
    assert (cell.value.label, cell.value.status) == (printed.label, "not started")
    assert cell.printed == ""


@each_exercise
def test_the_solution_is_correct_in_place_of_the_starter(printed):
    verdict = run(printed.code, dict(run_chapter(printed.chapter)))
    assert (verdict.label, verdict.status) == (printed.label, "correct"), verdict.message


def run(code, namespace):
    """Run code; return the value of its last line."""
    tree = ast.parse(code)
    last = tree.body.pop()
    exec(compile(tree, "<solution>", "exec"), namespace)
    return eval(compile(ast.Expression(last.value), "<solution>", "eval"), namespace)


# the built page


class Groups(HTMLParser):
    """Collects the classes of all elements inside each exercise of a page."""

    def __init__(self):
        super().__init__()
        self.found, self.label, self.depth = {}, None, 0

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "data-exercise" in attrs:
            self.label, self.depth = attrs["data-exercise"], 0
            self.found[self.label] = [attrs]
        if self.label:
            self.depth += tag == "div"
            self.found[self.label].append(f"{tag} {attrs.get('class', '')}".split())

    def handle_endtag(self, tag):
        self.depth -= tag == "div"
        if self.depth == 0:
            self.label = None


@functools.cache
def groups_of(chapter):
    """Return the classes of the elements of each exercise of a chapter."""
    parser = Groups()
    parser.feed(built(f"chapters/{chapter}.html"))
    return parser.found


@each_exercise
def test_the_page_binds_exercise_starter_hints_and_solution(printed):
    attributes, *elements = groups_of(printed.chapter)[printed.label]
    assert attributes["data-minutes"] == str(printed.minutes)
    assert attributes["data-difficulty"] == printed.difficulty
    kinds = ["exercise", "tag_exercise", "book-hint", "book-solution", "book-choices"]
    counts = [sum(kind in classes for classes in elements) for kind in kinds]
    assert counts == [1, 1, printed.hints, 1, bool(printed.choices)]


def test_every_page_lists_all_exercises_and_says_where_it_is():
    for page in ("queries_keys_values", "notation"):
        html = built(f"chapters/{page}.html")
        (data,) = re.findall(r'<script[^>]*id="book-exercises"[^>]*>(.+?)</script>', html, re.S)
        assert all(f'"label": "{label}"' in data for label in EXERCISES)
        assert data.count('"here": true') == (page == "queries_keys_values")


def test_a_page_has_the_keys_of_its_exercises_and_shows_none_at_a_glance():
    for chapter, exercises_of_it in EXERCISES.chapters.items():
        html = built(f"chapters/{chapter}.html")
        data = re.findall(r'<script[^>]*id="book-keys"[^>]*>"(.+?)"</script>', html)
        keys = json.loads(base64.b64decode(*data)) if data else {}
        wanted = {each.label: each.key for each in exercises_of_it if each.key}
        assert keys == json.loads(json.dumps(wanted))
