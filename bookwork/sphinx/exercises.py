"""Sphinx extension: an exercise, its starter, hints and solution become one element of the page.

An ``{exercise}`` is checked if its starter, a code cell tagged ``exercise``, stands in it or before
the next heading. It may have dropdowns of class ``book-hint``, and a ``{solution}``: in a dropdown
of class ``book-solution``, or bare, and then it is folded here. All this, with what stands between,
is wrapped in one element that names the exercise, and every page gets the list of all exercises of
the book, from which page/exercises/exercise.js computes the reader's progress, and the keys of its
own exercises, with which page/exercises/key.js judges choices and numbers. Without scripts the page
shows the same parts, folded. Any other exercise is as sphinx-exercise has it.

book/check_exercises.py checks, before a page is built, that the exercise has a checker.
"""

from base64 import b64encode
from contextlib import suppress
from itertools import takewhile

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import is_exercise_node, is_solution_node

from bookwork.book.book import Book
from bookwork.book.check_book import read_table
from bookwork.book.exercise_text import CHECK, EFFORT
from bookwork.book.faults import UnreadableError
from bookwork.sphinx import pages

NOTED = "bookwork exercises"  # the note of a page: its exercises in order
PARTS = ("starter", "hint", "solution")
HOW = "Write the letter"  # start of the sentence on how to choose in a notebook
PROGRESS = '<div class="exercise-line exercise-chapter"></div>'  # page/exercises/progress-view.js
SPEED = 150  # words of text or code that a reader reads in a minute
PLAY = 2  # minutes with a figure


class exercise_group(nodes.General, nodes.Element):  # noqa: N801
    """An exercise with everything that belongs to it."""


class folded_solution(nodes.General, nodes.Element):  # noqa: N801
    """A solution that is shown when its title is clicked, as a dropdown of sphinx-design is."""


FOLD = """<details class="sd-sphinx-override sd-dropdown sd-card sd-mb-3 book-solution">
<summary class="sd-summary-title sd-card-header"><span class="sd-summary-text">Solution</span>
</summary><div class="sd-summary-content sd-card-body">
"""


def setup(app):
    """Connect each step to Sphinx; a book need not list sphinx-exercise."""
    app.setup_extension("sphinx_exercise")
    pages.add_node(app, exercise_group, open_group)
    pages.add_node(app, folded_solution, pages.writes(FOLD), "</div></details>\n")
    app.add_post_transform(WriteTitles)
    app.connect("doctree-read", bind)
    app.connect("env-updated", lambda app, env: pages.all_if_changed(env, NOTED))
    app.connect("env-updated", make_keys)
    app.connect("html-page-context", list_exercises)
    app.connect("html-page-context", add_keys)
    app.connect("html-page-context", tell_time)


def bind(app, doctree):
    """Wrap each exercise that is checked with its parts, and add it to the book's list.

    One without a whole starter cell is left as sphinx-exercise has it.
    """
    found = list(doctree.findall(is_exercise_node))
    checked = [node for node in found if has_starter(node)]
    if checked:
        app.env.metadata[app.env.docname][NOTED] = list(map(bind_one, checked))


def bind_one(node):
    """Put the parts of an exercise into its box, and wrap it; return its entry in the list."""
    minutes, difficulty = take_effort(node)
    mark_choices(node)
    title = node[0][1].astext() if len(node[0]) > 1 else node["label"]
    entry = {"label": node["label"], "title": title, "minutes": minutes, "difficulty": difficulty}
    group = exercise_group(classes=["book-exercise"], **entry)
    parts = parts_after(node)
    node.parent.replace(node, group)
    for part in parts:
        part.parent.remove(part)
    node += [fold(part) if is_solution_node(part) else part for part in parts]
    group += node
    for section in list(group.findall(nodes.section)):  # sphinx-exercise gives all the same id
        section.parent.replace(section, section.children)
    return entry


def take_effort(node):
    """Remove "(5 min, easy)" from the text of an exercise; the title will show it."""
    for text in node.findall(nodes.Text):
        if match := EFFORT.search(text):
            rest = text[: match.start()].rstrip() + text[match.end() :]
            text.parent.replace(text, nodes.Text(rest))
            return int(match["minutes"]), match["difficulty"]
    return 0, ""


def mark_choices(node):
    """Mark the letters to choose from, which page/exercises/answer.js turns into buttons."""
    for choices in node.findall(nodes.bullet_list):
        letters = [first_bold(item) for item in choices]
        if letters == [chr(ord("a") + i) for i in range(len(letters))]:
            choices["classes"].append("book-choices")
    for paragraph in node.findall(nodes.paragraph):
        if paragraph.astext().startswith(HOW):
            paragraph["classes"].append("book-choices-how")


def first_bold(item):
    """Return the bold words that a list item begins with, or None."""
    words = [node for part in item[:1] for node in part if node.astext()]
    first = words[0] if words else None
    return first.astext() if isinstance(first, nodes.strong) else None


def has_starter(node):
    """Return whether a starter cell, one that calls `check`, is in an exercise or belongs to it."""
    cells = [*node.findall(nodes.container), *parts_after(node)]
    return any(CHECK.search(cell.astext()) for cell in cells if part_of(cell) == "starter")


def parts_after(node):
    """Return the nodes that follow an exercise, up to the last one that belongs to it.

    The next exercise, or a section, ends it; so does the solution of another exercise.
    """
    following = node.parent[node.parent.index(node) + 1 :]
    after = list(takewhile(lambda each: not ends(each, node), following))
    own = [k for k, each in enumerate(after, start=1) if part_of(each)]
    return after[: own[-1] if own else 0]


def ends(node, exercise):
    """Return whether a node cannot belong to the exercise before it."""
    others = is_solution_node(node) and node["target_label"] != exercise["label"]
    return others or is_exercise_node(node) or isinstance(node, nodes.section)


def part_of(node):
    """Return "starter", "hint" or "solution", or None for a node outside an exercise."""
    if not isinstance(node, nodes.Element):
        return None
    if "tag_exercise" in node.get("classes", ()):
        return "starter"
    if is_solution_node(node):
        return "solution"
    classes = node.get("container_classes", ())  # of a dropdown
    return next((part for part in PARTS if f"book-{part}" in classes), None)


def fold(solution):
    """Return a solution as a dropdown; the class that has others fold it goes."""
    solution["classes"] = [name for name in solution["classes"] if name != "dropdown"]
    return folded_solution("", solution)


class WriteTitles(SphinxPostTransform):
    """Title an exercise "Exercise 1 Turn the list round 8 min, medium", each with its own style."""

    default_priority = 30  # after sphinx-exercise, which puts the name in parentheses

    def run(self, **kwargs):
        """Remove the parentheses; add the effort and a link to the exercise itself."""
        for group in self.document.findall(exercise_group):
            title = group[0][0]
            title.children = [child for child in title if child not in (" (", ")")]
            title += link_to(group["label"])
            if group["minutes"]:
                effort = f"{group['minutes']} min, {group['difficulty']}"
                title += nodes.inline("", effort, classes=["book-effort"])


def link_to(label):
    """Return the link to an exercise in its title, like that of a heading."""
    words = {"reftitle": "Link to this exercise", "classes": ["headerlink"]}
    return nodes.reference("", "#", internal=True, refuri=f"#{label}", **words)


def open_group(self, node):
    """Begin the element of an exercise."""
    attributes = {
        "role": "group",
        "aria-label": f"Exercise: {node['title']}",
        "data-exercise": node["label"],
        "data-minutes": node["minutes"],
        "data-difficulty": node["difficulty"],
    }
    self.body.append(self.starttag(node, "div", **attributes))


def list_exercises(app, pagename, templatename, context, doctree):
    """Put the list of all exercises into a page, as data for page/exercises/exercise.js."""
    env, noted = app.env, pages.notes_of(app.env, NOTED)
    chapters = [
        {
            "title": pages.numbered_title(env, page),
            "href": app.builder.get_relative_uri(pagename, page),
            "here": page == pagename,
            "exercises": noted[page],
        }
        for page in pages.reading_order(env)
        if page in noted
    ]
    data = pages.as_data(chapters)
    app.add_js_file(None, body=data, type="application/json", id="book-exercises")


def make_keys(app, env):
    """Ask the checkers for the keys of all pages; return the pages whose keys have changed."""
    keys, app.book_keys = {}, {}
    with suppress(UnreadableError):  # which the check of the book tells
        table = read_table(Book(app.srcdir))
        keys = {each.label: each.key for chapter in table.values() for each in chapter}
    for page, exercises in pages.notes_of(env, NOTED).items():
        labels = [each["label"] for each in exercises]
        app.book_keys[page] = {label: keys[label] for label in labels if keys.get(label)}
    return [p for p, own in app.book_keys.items() if pages.has_changed(env, f"keys of {p}", own)]


def add_keys(app, pagename, templatename, context, doctree):
    """Put the keys of a page's exercises into it, so that no answer can be read at a glance."""
    if keys := app.book_keys.get(pagename):
        data = pages.as_data(b64encode(pages.as_data(keys).encode()).decode())
        app.add_js_file(None, body=data, type="application/json", id="book-keys")


def tell_time(app, pagename, templatename, context, doctree):
    """Say below the title of a chapter how long it takes, and leave a place for the progress."""
    exercises = pages.notes_of(app.env, NOTED).get(pagename)
    if doctree is None or not exercises:
        return
    line, solving = PROGRESS, sum(each["minutes"] for each in exercises)
    if solving:
        times = f"About {reading_minutes(doctree)} minutes to read, and {in_fives(solving)}"
        line = f'<p class="book-time">{times} for the exercises.</p>\n{PROGRESS}'
    context["body"] = context["body"].replace("</h1>", f"</h1>\n{line}", 1)


def reading_minutes(doctree):
    """Return how long a page takes to read without its exercises."""
    parts = [node for node in doctree.findall(is_read) if not pages.is_inside(node, exercise_group)]
    words = sum(len(part.astext().split()) for part in parts)
    figures = sum(isinstance(part, nodes.figure) for part in parts)
    return in_fives(words / SPEED + PLAY * figures)


def is_read(node):
    """Return whether a node is text, code or a figure."""
    return isinstance(node, nodes.paragraph | nodes.literal_block | nodes.figure)


def in_fives(minutes):
    """Return minutes in steps of five, at least one of them."""
    return max(5, 5 * round(minutes / 5))
