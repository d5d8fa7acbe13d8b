"""Sphinx extension: an exercise, its starter, hints and solution become one element of the page.

An ``{exercise}`` is checked if its starter, a code cell tagged ``exercise``, stands in it or before
the next heading. It may have dropdowns of class ``book-hint``, and a ``{solution}``: in a dropdown
of class ``book-solution``, or bare, and then it is folded here. All this, with what stands between,
is wrapped in one element that names the exercise, and every page gets the list of all exercises of
the book, from which page/exercises/exercise.js computes the reader's progress, and the keys of its
own exercises, with which page/exercises/key.js judges choices and numbers. Without scripts the page
shows the same parts, folded. Any other exercise is as sphinx-exercise has it.

What an exercise has is noted once: for the pages, for the report, and for checks.py, which compares
it with its checker.
"""

import json
import re
from base64 import b64encode
from itertools import takewhile
from pathlib import Path, PurePosixPath

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx_exercise.nodes import is_exercise_node, is_solution_node

from bookwork.book.book import Book
from bookwork.book.checkers import CheckersError, read_checkers
from bookwork.exercises.report import OUTLINE
from bookwork.sphinx import pages
from bookwork.sphinx.page_python import CELLS

logger = logging.getLogger(__name__)
NOTED = "bookwork exercises"  # the note of a page: its exercises in order
SHOWN = ("label", "title", "minutes", "difficulty", "extra")  # of a note, in every page
FURTHER = "Going further"  # the heading of what a chapter can do without
PARTS = ("starter", "hint", "solution")
LABEL = re.compile(r"""[^\s"'\\]{1,100}""")  # as in web/exercises/verdict.js
LABEL_RULE = "has at most 100 characters, without spaces, quotation marks and backslashes"
EFFORT = re.compile(r"\((?P<minutes>\d+) min, (?P<difficulty>easy|medium|hard)\)")
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
    app.connect("builder-inited", import_checkers)
    app.connect("doctree-read", bind)
    app.connect("env-updated", find_new_list)
    app.connect("env-updated", find_new_keys)
    app.connect("env-check-consistency", write_outline)  # when chapters have numbers
    app.connect("html-page-context", list_exercises)
    app.connect("html-page-context", add_keys)
    app.connect("html-page-context", tell_time)


# what an exercise is


def bind(app, doctree):
    """Note the exercises of a page, and wrap each that is checked with its parts."""
    own = app.env.metadata[app.env.docname]
    found = [bind_one(node, own.get(CELLS, ())) for node in [*doctree.findall(is_exercise_node)]]
    if found:
        own[NOTED] = found


def bind_one(node, cells):
    """Return the note of an exercise; if it has a whole starter, wrap it with its parts."""
    parts = parts_after(node)
    entry = note_of(node, [*node.findall(nodes.container), *parts], cells)
    if any(starter["exercise"] for starter in entry["starters"]):
        mark_choices(node)
        entry |= dict(zip(("minutes", "difficulty"), take_effort(node), strict=True))
        wrap(node, parts, {name: entry[name] for name in SHOWN})
    return entry


def note_of(node, parts, cells):
    """Return what an exercise has, as a note of its page."""
    codes = {cell["index"]: cell for cell in cells}
    starters = [codes[part["cell_index"]] for part in parts if part_of(part) == "starter"]
    return {
        "label": node["label"],
        "title": node[0][1].astext() if len(node[0]) > 1 else node["label"],
        "is_named": not node["label"].startswith(f"{node['docname']}-exercise-"),
        "line": node.line,
        "extra": is_extra(node),
        "letters": [letter for _, letters in letters_of(node) for letter in letters],
        "starters": [{key: cell[key] for key in ("code", "line", "exercise")} for cell in starters],
    }


def is_extra(node):
    """Return whether a node stands under the heading *Going further*, so nobody has to read it."""
    while (node := node.parent) is not None:
        if isinstance(node, nodes.section) and node[0].astext() == FURTHER:
            return True
    return False


def wrap(node, parts, shown):
    """Put the parts of an exercise into its box, and wrap it in one element."""
    group = exercise_group(classes=["book-exercise"], **shown)
    node.parent.replace(node, group)
    for part in parts:
        part.parent.remove(part)
    node += [fold(part) if is_solution_node(part) else part for part in parts]
    group += node
    for section in list(group.findall(nodes.section)):  # sphinx-exercise gives all the same id
        section.parent.replace(section, section.children)


def take_effort(node):
    """Remove "(5 min, easy)" from the text of an exercise; the title will show it."""
    for text in node.findall(nodes.Text):
        if match := EFFORT.search(text):
            rest = text[: match.start()].rstrip() + text[match.end() :]
            text.parent.replace(text, nodes.Text(rest))
            return int(match["minutes"]), match["difficulty"]
    return 0, ""


def letters_of(node):
    """Return each list of an exercise that is choices, with its letters in whatever order.

    The items of such a list begin with a letter in bold.
    """
    lists = list(node.findall(nodes.bullet_list))
    found = [[first_bold(item) or "" for item in each] for each in lists]
    pairs = zip(lists, found, strict=True)
    return [(each, letters) for each, letters in pairs if {*map(len, letters)} == {1}]


def mark_choices(node):
    """Mark the letters to choose from, which page/exercises/answer.js turns into buttons."""
    for choices, letters in letters_of(node):
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


# how it is shown


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
                effort += ", extra" if group["extra"] else ""
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


# what pages and commands know of all exercises


def checked(noted):
    """Return the exercises of a page that are checked, as its readers see them."""
    return [{name: each[name] for name in SHOWN} for each in noted if "minutes" in each]


def list_exercises(app, pagename, templatename, context, doctree):
    """Put the list of all exercises into a page, as data for page/exercises/exercise.js."""
    env, noted = app.env, pages.notes_of(app.env, NOTED)
    chapters = [
        {
            "title": pages.numbered_title(env, page),
            "href": app.builder.get_relative_uri(pagename, page),
            "here": page == pagename,
            "exercises": checked(noted[page]),
        }
        for page in pages.reading_order(env)
        if checked(noted.get(page, ()))
    ]
    data = pages.as_data(chapters)
    app.add_js_file(None, body=data, type="application/json", id="book-exercises")


def find_new_list(app, env):
    """Return all pages, to be written again, if the list of exercises in each is another now."""
    shown = {page: checked(noted) for page, noted in pages.notes_of(env, NOTED).items()}
    return sorted(env.found_docs) if pages.has_changed(env, NOTED, shown) else []


def write_outline(app, env):
    """Write the titles of the exercises by chapter, beside the site, for `bookwork report`."""
    noted, outline = pages.notes_of(env, NOTED), {}
    for page in pages.reading_order(env):
        named = [each for each in noted.get(page, ()) if each["is_named"]]
        titles = {n["label"]: n["title"] + " (extra)" * n["extra"] for n in named}
        if titles:
            chapter = pages.number_of(env, page) or PurePosixPath(page).name
            outline.setdefault(chapter, {}).update(titles)
    if app.builder.format == "html":
        text = json.dumps(outline, ensure_ascii=False, indent=1) + "\n"
        Path(app.outdir).parent.joinpath(OUTLINE).write_text(text, encoding="utf-8")


def import_checkers(app):
    """Import the checkers of each chapter's exercises; those that cannot be are told, and None."""
    app.book_checkers = None
    try:
        app.book_checkers = read_checkers(Book(app.srcdir))
    except CheckersError as error:
        path, line, said = error.fault
        logger.warning(said, location=f"{Path(app.srcdir, path)}:{line}")


def find_new_keys(app, env):
    """Ask the checkers for the keys of all pages; return the pages whose keys have changed."""
    exercises = [each for chapter in (app.book_checkers or {}).values() for each in chapter]
    keys, app.book_keys = {each.label: each.key for each in exercises}, {}
    for page, noted in pages.notes_of(env, NOTED).items():
        labels = [each["label"] for each in checked(noted)]
        app.book_keys[page] = {label: keys[label] for label in labels if keys.get(label)}
    return [p for p, own in app.book_keys.items() if pages.has_changed(env, f"keys of {p}", own)]


def add_keys(app, pagename, templatename, context, doctree):
    """Put the keys of a page's exercises into it, so that no answer can be read at a glance."""
    if keys := app.book_keys.get(pagename):
        data = pages.as_data(b64encode(pages.as_data(keys).encode()).decode())
        app.add_js_file(None, body=data, type="application/json", id="book-keys")


def tell_time(app, pagename, templatename, context, doctree):
    """Say below the title of a chapter how long it takes, and leave a place for the progress."""
    exercises = checked(pages.notes_of(app.env, NOTED).get(pagename, ()))
    if doctree is None or not exercises:
        return
    line, solving = PROGRESS, sum(each["minutes"] for each in exercises if not each["extra"])
    if solving:
        times = f"About {reading_minutes(doctree)} minutes to read, and {in_fives(solving)}"
        line = f'<p class="book-time">{times} for the exercises.</p>\n{PROGRESS}'
    context["body"] = context["body"].replace("</h1>", f"</h1>\n{line}", 1)


def reading_minutes(doctree):
    """Return how long the core of a page takes to read, without its exercises."""
    read = (node for node in doctree.findall(is_read) if not is_extra(node))
    parts = [node for node in read if not pages.is_inside(node, exercise_group)]
    words = sum(len(part.astext().split()) for part in parts)
    figures = sum(isinstance(part, nodes.figure) for part in parts)
    return in_fives(words / SPEED + PLAY * figures)


def is_read(node):
    """Return whether a node is text, code or a figure."""
    return isinstance(node, nodes.paragraph | nodes.literal_block | nodes.figure)


def in_fives(minutes):
    """Return minutes in steps of five, at least one of them."""
    return max(5, 5 * round(minutes / 5))
