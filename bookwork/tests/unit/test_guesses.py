"""What is wrong with a guess is told in a sentence; test_build_book.py sees its file and line."""

import pytest
from bookwork.sphinx.guesses import fault_of
from docutils import nodes

ANSWER = nodes.container(design_component="dropdown")
LIST = nodes.bullet_list()
DRAWN = {"name": "guess-hot", "figure": "fig-hot", "shows": "weights", "at": "heat = 10"}


@pytest.mark.parametrize(
    ("options", "parts", "sentence"),
    [
        ({}, [LIST, ANSWER], "a guess is kept under its :name:, which"),
        ({"name": "a b"}, [LIST, ANSWER], "a guess is kept under its :name:, which"),
        ({"name": "g"}, [LIST], "a guess ends with its answer, in a {dropdown}"),
        ({"name": "g"}, [ANSWER], "a guess has one list of choices before"),
        ({"name": "g", "names": "x"}, [LIST, ANSWER], "a guess has one list of choices before"),
        ({"name": "g"}, [LIST, nodes.title(), ANSWER], "a guess has one list of choices before"),
        (DRAWN | {"at": "hot"}, [ANSWER], "a guess in a :figure: needs the array that it :shows:"),
        ({"name": "g", "names": "x"}, [ANSWER], ""),
        ({"name": "g"}, [LIST, ANSWER], ""),
        (DRAWN | {"names": "x; y"}, [ANSWER], ""),
    ],
)
def test_a_box_that_cannot_be_answered_is_told(options, parts, sentence):
    box = nodes.admonition("", nodes.title(), *(part.deepcopy() for part in parts))
    found = fault_of(options, box)
    assert found.startswith(sentence)
    assert bool(found) == bool(sentence)
