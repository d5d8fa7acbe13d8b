"""Sphinx extension: a question that readers answer by a guess before they see the truth.

    ::::{guess} Predict, then look
    :name: guess-cold
    Which weights do you expect when the temperature is close to 0?

    - one weight is 1, all others are 0
    - all are equal

    :::{dropdown} The answer
    One is 1. Who expects equal weights thinks of heat: cold brings out the differences.
    :::
    ::::

The box ends with the answer, in a dropdown, and its ``:name:`` is the one under which the reader's
guess is kept, with the progress. How it is guessed is said by one of three things:

- a list, as above: its items are choices;
- ``:names: with the cache; without it``: numbers, with a field for each name;
- ``:figure: fig-temperature``: the reader drags rings in this live figure, in the view that
  shows the array ``:shows:``. With the answer, the controls in ``:at: temperature = 10; score = 2``
  go to these values, and the figure draws what Python computed beside them. Views of bars,
  heatmaps (one row, ``:row:``) and planes (points) can do that; ``:names:``, if given, are the
  first of the bars, cells or points in words, and no others are guessed.

With ``:right: 2`` the second choice is marked as right when the answer is shown, with
``:right: 36; 120`` the numbers. With ``:veils:`` the output of the code cell right after the box is
hidden until a guess, the answer or *Run*, by styles alone, so never on paper or without scripts.

Nothing is counted: page/exercises/guess.js keeps the guess, and shows it with the answer. Without
scripts, on paper and in notebooks there is a box with the question and the fold.
"""

import json

from docutils import nodes
from docutils.parsers.rst.directives import flag, unchanged_required
from sphinx.util.docutils import SphinxDirective

from bookwork.sphinx.exercises import LABEL, LABEL_RULE
from bookwork.sphinx.pages import add_node

ATTRIBUTES = ("names", "figure", "shows", "row", "at", "right")


class guess_box(nodes.General, nodes.Element):  # noqa: N801
    """A question, how to guess, and the answer."""


def setup(app):
    """Register the directive."""
    add_node(app, guess_box, open_box)
    app.add_directive("guess", Guess)


class Guess(SphinxDirective):
    """A box that asks for a guess; see above."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True
    option_spec = dict.fromkeys(("name", *ATTRIBUTES), unchanged_required) | {"veils": flag}

    def run(self):
        """Return the box, with what page/exercises/guess.js wants to know."""
        words, messages = self.state.inline_text(self.arguments[0], self.lineno)
        box = nodes.admonition("", nodes.title("", "", *words), classes=["tip"])
        self.state.nested_parse(self.content, self.content_offset, box)
        if fault := fault_of(self.options, box):
            raise self.error(fault)
        given = {name: self.options[name] for name in ATTRIBUTES if name in self.options}
        given["at"] = json.dumps(settings_in(self.options.get("at", "")))
        classes = ["book-guess", "book-veils"] if "veils" in self.options else ["book-guess"]
        group = guess_box("", box, classes=classes, ids=[self.options["name"]], given=given)
        self.set_source_info(group)
        return [group, *messages]


def fault_of(options, box):
    """Return a sentence on what a box lacks, or nothing."""
    lists = [each for each in box if isinstance(each, nodes.bullet_list)]
    ways = [bool(lists), "names" in options and "figure" not in options, "figure" in options]
    if not LABEL.fullmatch(options.get("name", "")):
        return f"a guess is kept under its :name:, which {LABEL_RULE}"
    if box[-1].get("design_component") != "dropdown":
        return "a guess ends with its answer, in a {dropdown}"
    if sum(ways) != 1 or len(lists) > 1 or (lists and box[-2] is not lists[0]):
        return "a guess has one list of choices before its answer, or :names:, or a :figure:"
    if "figure" in options and not ("shows" in options and settings_in(options.get("at", ""))):
        return "a guess in a :figure: needs the array that it :shows:, and :at: control = value"
    return ""


def settings_in(text):
    """Return the values of controls by name; empty if a part of the text is no such thing.

    >>> settings_in("temperature = 10; causal = on"), settings_in("hot")
    ({'temperature': '10', 'causal': 'on'}, {})
    """
    parts = [part.partition("=") for part in text.split(";")]
    if not all(name.strip() and value.strip() for name, _, value in parts):
        return {}
    return {name.strip(): value.strip() for name, _, value in parts}


def open_box(self, node):
    """Begin a box."""
    data = {f"data-{name}": value for name, value in node["given"].items()}
    self.body.append(self.starttag(node, "div", role="group", **{"aria-label": "Guess"}, **data))
