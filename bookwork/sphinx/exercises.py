"""Sphinx extension: an exercise, its starter, hints and solution become one element of the page.

In a chapter they follow each other: an ``{exercise}``, a code cell tagged ``exercise``, dropdowns
of class ``book-hint``, a dropdown of class ``book-solution`` that contains the ``{solution}``. Here
they are wrapped in one element that names the exercise, and every page gets the list of all
exercises of the book, from which page/exercises/exercise.js computes the reader's progress. Without
scripts the page shows the same parts, hints and solution folded.

book/check_exercises.py checks, before a page is built, that each part is there and that the
exercise has a checker.
"""

import json

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import is_exercise_node

from bookwork.book.exercise_text import EFFORT

PARTS = ("starter", "hint", "solution")
HOW = "Write the letter"  # start of the sentence on how to choose in a notebook
SPEED = 150  # words of text or code that a reader reads in a minute
PLAY = 2  # minutes with a figure


class exercise_group(nodes.General, nodes.Element):  # noqa: N801
    """An exercise with everything that belongs to it."""


def setup(app):
    """Connect each step to Sphinx."""
    app.add_node(exercise_group, html=(open_group, close_group))
    app.add_post_transform(WriteTitles)
    app.connect("config-inited", accept_verdicts)
    app.connect("doctree-read", bind)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("env-updated", rewrite_all)
    app.connect("html-page-context", list_exercises)
    app.connect("html-page-context", tell_time)
    return {
        "version": "1",
        "env_version": 4,  # increase it when `bind` changes, so that pages are read again
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def accept_verdicts(app, config):
    """Show a verdict as text: myst-nb does not know the MIME type that is meant for scripts."""
    config.suppress_warnings = [*config.suppress_warnings, "mystnb.unknown_mime_type"]


def bind(app, doctree):
    """Wrap each exercise that is checked with its parts, and add it to the book's list.

    One without a starter cell is left as sphinx-exercise has it.
    """
    checked = [node for node in doctree.findall(is_exercise_node) if has_starter(node)]
    found = [bind_one(node) for node in checked]
    if found:
        exercises_of(app.env)[app.env.docname] = found


def has_starter(node):
    """Return whether a cell for the answer follows an exercise."""
    return "starter" in map(part_of, parts_after(node))


def bind_one(node):
    """Wrap one exercise; return its entry in the list."""
    minutes, difficulty = take_effort(node)
    mark_choices(node)
    title = node[0][1].astext() if len(node[0]) > 1 else node["label"]
    entry = {"label": node["label"], "title": title, "minutes": minutes, "difficulty": difficulty}
    group = exercise_group(classes=["book-exercise"], **entry)
    parts = parts_after(node)
    node.parent.replace(node, group)
    for part in [node, *parts]:
        if part is not node:
            part.parent.remove(part)
        group += part
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
    """Mark the letters to choose from, which page/exercises/choices.js turns into buttons."""
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


def parts_after(node):
    """Return the nodes that follow an exercise and belong to it."""
    siblings = node.parent[node.parent.index(node) + 1 :]
    parts = []
    for sibling in siblings:
        if part_of(sibling) is None:
            break
        parts.append(sibling)
    return parts


def part_of(node):
    """Return "starter", "hint" or "solution", or None for a node outside an exercise."""
    if not isinstance(node, nodes.Element):
        return None
    if "tag_exercise" in node.get("classes", ()):
        return "starter"
    classes = node.get("container_classes", ())  # of a dropdown
    return next((part for part in PARTS if f"book-{part}" in classes), None)


class WriteTitles(SphinxPostTransform):
    """Title an exercise "Exercise 1 Turn the list round 8 min, medium", each with its own style."""

    default_priority = 30  # after sphinx-exercise, which puts the name in parentheses

    def run(self, **kwargs):
        """Remove the parentheses; add the effort and a link to the exercise itself."""
        for group in self.document.findall(exercise_group):
            title = group[0][0]
            title.children = [child for child in title if child not in (" (", ")")]
            if group["minutes"]:
                effort = f"{group['minutes']} min, {group['difficulty']}"
                title += nodes.inline("", effort, classes=["book-effort"])
            title += link_to(group["label"])


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


def close_group(self, node):
    """End the element of an exercise."""
    self.body.append("</div>\n")


def exercises_of(env):
    """Return the exercises of the book: for each page that has any, a list in order."""
    if not hasattr(env, "book_exercises"):
        env.book_exercises = {}
    return env.book_exercises


def forget(app, env, docname):
    """Forget the exercises of a page that is read again or was removed."""
    exercises_of(env).pop(docname, None)


def merge(app, env, docnames, other):
    """Merge what another process has read."""
    found = exercises_of(other)
    exercises_of(env).update({name: found[name] for name in docnames if name in found})


def rewrite_all(app, env):
    """Write every page again when the list that is on every page has changed."""
    current = json.dumps(exercises_of(env), sort_keys=True)
    changed = current != getattr(env, "book_exercises_written", None)
    env.book_exercises_written = current
    return sorted(env.found_docs) if changed else []


def list_exercises(app, pagename, templatename, context, doctree):
    """Put the list of all exercises into a page, as data for page/exercises/exercise.js."""
    env = app.env
    chapters = [
        {
            "title": numbered_title(env, name),
            "href": app.builder.get_relative_uri(pagename, name),
            "here": name == pagename,
            "exercises": exercises_of(env)[name],
        }
        for name in reading_order(env, env.config.root_doc)
        if name in exercises_of(env)
    ]
    data = json.dumps(chapters, ensure_ascii=False).replace("<", "\\u003c")
    app.add_js_file(None, body=data, type="application/json", id="book-exercises")


def numbered_title(env, name):
    """Return the title of a page, as in the sidebar."""
    number, title = number_of(env, name), env.titles[name].astext()
    return f"{number}. {title}" if number else title


def number_of(env, page):
    """Return the number of a page as text: "4", or "" if it has none."""
    return ".".join(map(str, env.toc_secnumbers.get(page, {}).get("", ())))


def tell_time(app, pagename, templatename, context, doctree):
    """Say below the title of a chapter how long it takes; pages without exercises are skipped."""
    exercises = exercises_of(app.env).get(pagename, ())
    if doctree is None or not any(exercise["minutes"] for exercise in exercises):
        return
    reading, solving = reading_minutes(doctree), sum_minutes(exercises)
    text = f"About {reading} minutes to read, and {solving} for the exercises."
    line = f'<p class="book-time">{text}</p>'
    context["body"] = context["body"].replace("</h1>", f"</h1>\n{line}", 1)


def reading_minutes(doctree):
    """Return how long a page takes to read without its exercises, rounded to five minutes."""
    parts = [node for node in doctree.findall(is_read) if not is_extra(node)]
    words = sum(len(part.astext().split()) for part in parts)
    figures = sum(isinstance(part, nodes.figure) for part in parts)
    return max(5, 5 * round((words / SPEED + PLAY * figures) / 5))


def is_read(node):
    """Return whether a node is text, code or a figure."""
    return isinstance(node, nodes.paragraph | nodes.literal_block | nodes.figure)


def is_extra(node):
    """Return whether a node is part of an exercise."""
    while node is not None and not isinstance(node, exercise_group):
        node = node.parent
    return node is not None


def sum_minutes(exercises):
    """Return how long the exercises of a page take, rounded to five minutes."""
    return max(5, 5 * round(sum(exercise["minutes"] for exercise in exercises) / 5))


def reading_order(env, name, met=()):
    """Return a page and all below it, in the order of the table of contents, each once."""
    if name in met:
        return []
    found = [name]
    for child in env.toctree_includes.get(name, []):
        found += reading_order(env, child, [*met, *found])
    return found
