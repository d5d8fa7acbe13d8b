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
    says = (
        r"^'result' is a map that x and y move on, so it must not depend on them, but it changes "
        r"at x = -3\.0, y = -1\.8$"
    )
    with pytest.raises(ValueError, match=says):
        make(lambda x, y: ACROSS + y, field(X, Y, at=("x", "y")))


@pytest.mark.parametrize(
    "depends",
    [
        pytest.param(lambda x, y: x**2, id="equal at both ends"),
        pytest.param(lambda x, y: abs(x) == 1 and abs(y) == 1, id="at the start only elsewhere"),
        pytest.param(lambda x, y: x == y == 2, id="in one place"),
    ],
)
def test_a_map_that_follows_its_query_anywhere_gets_a_sentence(depends):
    where = {"x": slider(-3, 3, 1, value=-3), "y": slider(-2, 2, 1, value=-2)}
    with pytest.raises(
        ValueError, match=r"^'result' is a map that x and y move on, .* changes at x"
    ):
        make(lambda x, y: ACROSS + depends(x, y), field(X, Y, at=("x", "y")), **where)


@pytest.mark.parametrize(
    ("x", "y", "says"),
    [
        (slider(-5, 3, 1), slider(-2, 2, 1), "from -3 to 3 along 'x', but that control can be -5"),
        (slider(-3, 3, 1), slider(-2, 5, 1), "from -2 to 2 along 'y', but that control can be 5"),
        (slider(0.0, 3.01, 3.01), slider(0, 1, 1), "'x', but that control can be 3.01"),
    ],
)
def test_a_query_that_leaves_the_map_gets_a_sentence(x, y, says):
    """The page would draw it outside and read the number at the edge."""
    with pytest.raises(ValueError, match=rf"^the field is known .*{says}$"):
        make(lambda x, y: ACROSS, field(X, Y, at=("x", "y")), x=x, y=y)


def test_a_query_may_stand_at_the_edge_of_the_map_in_spite_of_rounding():
    ends = np.arange(3) * 0.1  # the last is a little more than 0.2
    make(lambda x, y: np.eye(3), field(ends, -ends[::-1], at=("x", "y")), x=[0, 0.2], y=[-0.2, 0])


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
        (lambda: field(X, Y, at=("x", "x")), r"^at takes the names of two .* but is \('x', 'x'\)$"),
        (lambda: field(X, Y, at="xy"), r"^at takes the names of two controls, .* but is 'xy'$"),
        (lambda: field(X, Y, at=3), r"^at takes the names of two controls, .* but is 3$"),
        (
            lambda: field(X, Y, keys=[[1, 2], [2, 1]], labels=["one"]),
            r"^labels needs one label for each point; there are 2 keys, but 1 labels$",
        ),
        (
            lambda: field(X, Y, labels=["one"]),
            r"^labels needs one label for each point; there are 0 keys, but 1 labels$",
        ),
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


def test_a_map_has_one_label_for_each_point_that_moves():
    view = field(X, Y, "map", keys="keys", labels=["one"], at=("x", "y"))
    with pytest.raises(ValueError, match=r"the field needs 'keys' of shape \(1, 2\), but .* \(2, "):
        make(lambda x, y: {"map": ACROSS, "keys": np.eye(2)}, view)


def test_titles_that_are_no_list_get_a_sentence():
    with pytest.raises(TypeError, match=r"^titles is a list of labels, but is 3$"):
        field(X, Y, titles=3)
