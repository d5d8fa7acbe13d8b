"""Every exercise of the book is whole, starts as "not started", and has a right solution."""

import ast
import base64
import functools
import json
import re
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from bookwork.sphinx import exercises
from built_book import built
from chapters.page import run_chapter
from chapters.printed import PRINTED
from docutils import nodes
from sphinx_exercise.nodes import exercise_enumerable_node

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


# the extension


def make_exercise(*parts, text="Do it. (5 min, easy)"):
    """Make the nodes of a page: an exercise followed by its parts, and a paragraph."""
    exercise = exercise_enumerable_node("", nodes.title("", "Exercise"), label="ex-a", docname="a")
    exercise += nodes.section("", nodes.paragraph("", text), ids=["exercise-content"])
    dropdowns = [nodes.container(container_classes=[f"book-{part}"]) for part in parts[1:]]
    starter = [nodes.container(classes=["cell", f"tag_{part}"], cell_index=7) for part in parts[:1]]
    return nodes.section("", exercise, *starter, *dropdowns, nodes.paragraph("", "more"))


def test_an_exercise_is_wrapped_with_its_parts_and_no_more():
    page = make_exercise("exercise", "hint", "hint", "solution")
    cell = {"index": 7, "code": 'check("ex-a", f)', "line": 3, "exercise": "ex-a"}
    entry = exercises.bind_one(page[0], [cell])
    (shown,) = exercises.checked([entry])
    effort = {"minutes": 5, "difficulty": "easy", "extra": False}
    assert shown == {"label": "ex-a", "title": "ex-a"} | effort
    group, after = page.children
    ((title, text, *parts),) = group.children
    assert (title.astext(), text.astext(), after.astext()) == ("Exercise", "Do it.", "more")
    assert len(parts) == 4


def bullets(*texts):
    items = [nodes.list_item("", nodes.paragraph("", "", *parts)) for parts in texts]
    return nodes.bullet_list("", *items)


def test_only_a_list_of_letters_in_order_is_a_choice():
    bold = [[nodes.Text(""), nodes.strong("", letter), nodes.Text(": yes")] for letter in "abc"]
    lists = [bullets(*bold[:2]), bullets(*bold[1:]), bullets([nodes.Text("a: no")]), bullets([])]
    for each in lists:
        exercises.mark_choices(nodes.section("", each))
    assert [each["classes"] for each in lists] == [["book-choices"], [], [], []]


def test_the_time_to_read_counts_words_and_figures_but_no_exercises():
    text = nodes.paragraph("", "word " * 1500)
    page = nodes.section("", text, nodes.figure(), nodes.figure(), nodes.figure())
    page += exercises.exercise_group("", nodes.paragraph("", "word " * 9000))
    assert exercises.reading_minutes(page) == 15
    assert exercises.reading_minutes(nodes.section("", nodes.paragraph("", "short"))) == 5


def test_what_stands_under_going_further_is_extra():
    further = nodes.section("", nodes.title("", "Going further"), nodes.section("", nodes.title()))
    core, extra = (make_exercise("exercise")[0] for _ in range(2))
    further[1] += extra
    page = nodes.section("", nodes.title("", "Shares"), core, further)
    assert [exercises.is_extra(each) for each in (core, extra, page)] == [False, True, False]
    further[1] += nodes.paragraph("", "word " * 3000)
    assert exercises.reading_minutes(page) == 5


def test_a_page_is_written_again_if_its_list_of_exercises_is_another_and_not_if_lines_moved():
    noted = {"label": "ex-one", "title": "One", "minutes": 3, "difficulty": "easy", "extra": False}
    noted["line"] = 9
    env = SimpleNamespace(found_docs={"a", "b"}, metadata={"a": {exercises.NOTED: [noted]}})
    assert exercises.find_new_list(None, env) == ["a", "b"]
    noted["line"] = 12  # a sentence stands above it now
    assert exercises.find_new_list(None, env) == []
    noted["title"] = "Two"
    assert exercises.find_new_list(None, env) == ["a", "b"]
