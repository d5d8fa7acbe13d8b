"""What is wrong with a guess is told in a sentence; test_build_book.py sees its file and line."""

import json

import pytest
from bookwork.sphinx.guesses import can_be_drawn, fault_of
from docutils import nodes

ANSWER = nodes.container(design_component="dropdown")
LIST = nodes.bullet_list()
CHOICES = nodes.bullet_list("", nodes.list_item(), nodes.list_item())
DRAWN = {"name": "guess-hot", "figure": "fig-hot", "shows": "weights", "at": "heat = 10"}
SPEC = {
    "views": [
        {"marks": [{"kind": "bar", "show": "weights"}]},
        {"marks": [{"kind": "line", "show": "sum"}]},
        {"marks": [{"kind": "cell", "show": "map"}], "rows": ["one", "two"]},
        {"marks": [{"kind": "point", "at": [[0, 1]]}, {"kind": "arrow", "to": "after"}]},
        {"stages": []},
    ],
    "controls": [{"name": "heat", "texts": ["1", "10"]}],
}


@pytest.mark.parametrize(
    ("options", "parts", "sentence"),
    [
        ({}, [LIST, ANSWER], "a guess is kept under its :name:, which"),
        ({"name": "a b"}, [LIST, ANSWER], "a guess is kept under its :name:, which"),
        ({"name": "g"}, [LIST], "a guess ends with its answer, in a {dropdown}"),
        ({"name": "g"}, [ANSWER], "a guess has one list of choices before"),
        ({"name": "g", "names": "x"}, [LIST, ANSWER], "a guess has one list of choices before"),
        (
            {"name": "g"},
            [LIST, nodes.paragraph(), ANSWER],
            "a guess has one list of choices before",
        ),
        (DRAWN | {"at": "hot"}, [ANSWER], "a guess in a :figure: needs the array that it :shows:"),
        ({"name": "g", "names": "x"}, [ANSWER], ""),
        ({"name": "g"}, [LIST, ANSWER], ""),
        (DRAWN | {"names": "x; y"}, [ANSWER], ""),
        ({"name": "g", "right": "2"}, [CHOICES, ANSWER], ""),
        ({"name": "g", "right": "3"}, [CHOICES, ANSWER], "what is :right: is the number of"),
        ({"name": "g", "names": "x; y", "right": "0.5; 2"}, [ANSWER], ""),
        ({"name": "g", "names": "x; y", "right": "0.5"}, [ANSWER], "what is :right: is"),
        ({"name": "g", "names": "x", "right": "half"}, [ANSWER], "what is :right: is"),
    ],
)
def test_a_box_that_cannot_be_answered_is_told(options, parts, sentence):
    box = nodes.admonition("", nodes.title(), *(part.deepcopy() for part in parts))
    found = fault_of(options, box)
    assert found.startswith(sentence)
    assert bool(found) == bool(sentence)


@pytest.mark.parametrize(
    ("changes", "can"),
    [
        ({"shows": "sum"}, False),
        ({"shows": "map"}, False),
        ({"at": {"cold": "1"}}, False),
        ({"at": {"heat": "3"}}, False),
        ({}, True),
        ({"shows": "map", "row": "two"}, True),
        ({"shows": "after"}, True),
    ],
)
def test_a_figure_has_to_have_what_is_dragged_in_a_guess(changes, can):
    given = DRAWN | {"at": {"heat": "10"}} | changes
    assert can_be_drawn(SPEC, **given | {"at": json.dumps(given["at"])}) == can
