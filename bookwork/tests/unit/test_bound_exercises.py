"""What a page makes of its exercises: what belongs to each, and the minutes that they take."""

from types import SimpleNamespace

from bookwork.sphinx import exercises
from docutils import nodes
from sphinx_exercise.nodes import exercise_enumerable_node


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
