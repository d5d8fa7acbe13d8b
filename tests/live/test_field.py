"""A map over the plane: what it asks of the function, and how little of it is stored."""

import numpy as np
import pytest

from bookwork.live import choice, field, live, slider

X, Y = np.linspace(-3, 3, 31), np.linspace(-2, 2, 21)
ACROSS, UP = np.meshgrid(X, Y)


def make(function, view, **controls):
    where = {"x": slider(-3.0, 3.0, 0.2), "y": slider(-2.0, 2.0, 0.2)}
    return live(function, view, name="Map", **(where | controls))


def test_a_map_is_stored_once_wherever_the_query_stands():
    """Even if the function, called everywhere, would give more numbers than a figure may hold."""

    def maps(x, y, power):
        return {"maps": np.stack([ACROSS**power, UP**power]), "here": [x**power, y**power]}

    view = field(X, Y, "maps", titles=["across", "up"], at=("x", "y"), reading="here", limits=None)
    figure = make(maps, view, power=choice([2, 4]))
    sizes = {a["name"]: (a["counts"], a["shape"]) for a in figure.drawing.spec["arrays"]}
    assert sizes["maps"] == ((1, 1, 2), (2, 21, 31))
    assert sizes["here"] == ((31, 21, 2), (2,))
    assert figure.drawing.spec["views"][0]["limits"] == (0, 81)
    np.testing.assert_array_equal(figure.frame(x=1.0, power=4)["maps"][0], ACROSS**4)


def test_a_map_that_follows_its_query_gets_a_sentence():
    says = r"^'result' is a map that y moves on, so it must not depend on y, but it does$"
    with pytest.raises(ValueError, match=says):
        make(lambda x, y: ACROSS + y, field(X, Y, at=("x", "y")))


def test_a_function_that_returns_another_array_somewhere_is_still_refused():
    def odd(x, y):
        return {"map": ACROSS, "more": np.ones(2 if x < 2 else 3)}

    view = field(X, Y, "map", keys="more", at=("x", "y"))
    with pytest.raises(ValueError, match=r"the field needs 'more' of shape \(m, 2\), but"):
        make(odd, view)
    view = field(X, Y, "map", reading="more", titles=(), at=("x", "y"))
    with pytest.raises(ValueError, match=r"the field needs 'more' of shape \(\), but"):
        make(odd, view)


def test_arrays_that_change_their_shape_are_refused_beside_a_map():
    def odd(x, y):
        return {"map": ACROSS, "keys": np.ones((2 if x < 2 else 3, 2))}

    says = r"^a live figure needs the same arrays at every position .* \(3, 2\)} at x = 2\.0, y"
    with pytest.raises(ValueError, match=says):
        make(odd, field(X, Y, "map", keys="keys", at=("x", "y")))


@pytest.mark.parametrize(
    ("make_view", "says"),
    [
        (lambda: field([0, 1, 3], Y), r"^x must grow in equal steps, at least two places, but is"),
        (lambda: field(X, [1]), r"^y must grow in equal steps, at least two places, but is \[1\]$"),
        (lambda: field(X, Y[::-1]), r"^y must grow in equal steps"),
        (lambda: field(X, Y, at=("x",)), r"^at takes the names of two controls, across and up, "),
        (lambda: field(X, Y, reading="r"), r"^a reading belongs to a query, but the field has "),
        (lambda: field(X, Y, columns=0), r"^columns is how many maps stand side by side, but is 0"),
        (lambda: field(X, Y, keys=[[1, 2, 3]]), r"^keys must have shape \(m, 2\), but has shape"),
        (lambda: field(X, Y, reads="{a}"), r"^reads can say {x}, {y}, {title}, {value}, but asks"),
    ],
)
def test_a_map_that_makes_no_sense_gets_a_sentence(make_view, says):
    with pytest.raises(ValueError, match=says):
        make_view()


@pytest.mark.parametrize(
    ("titles", "says"),
    [
        (
            (),
            r"the field needs 'result' of shape \(21, 31\), but the function returns shape \(31, ",
        ),
        (["one"], r"the field needs 'result' of shape \(1, 21, 31\), but .* shape \(31, 21\)"),
    ],
)
def test_a_map_of_another_shape_gets_a_sentence(titles, says):
    with pytest.raises(ValueError, match=says):
        make(lambda x, y: ACROSS.T, field(X, Y, titles=titles, at=("x", "y")))
