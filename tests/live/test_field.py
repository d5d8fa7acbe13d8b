"""A map over the plane: what it asks of the function, and how little of it is stored."""

import numpy as np
import pytest

from bookwork.live import choice, field, live, slider, text

X, Y = np.linspace(-3, 3, 31), np.linspace(-2, 2, 21)
ACROSS, UP = np.meshgrid(X, Y)


def make(function, view, **controls):
    where = {"x": slider(-3.0, 3.0, 0.2), "y": slider(-2.0, 2.0, 0.2)}
    return live(function, view, name="Map", **(where | controls))


def test_a_map_is_stored_once_wherever_the_handle_stands():
    """Even if the function, called everywhere, would give more numbers than a figure may hold."""

    def maps(x, y, power):
        return {"maps": np.stack([ACROSS**power, UP**power]), "here": x**power + y**power}

    view = field(X, Y, "maps", titles=["across", "up"], at=("x", "y"), limits=None)
    figure = make(maps, [view, text("{here}")], power=choice([2, 4]))
    sizes = {a["name"]: (a["counts"], a["shape"]) for a in figure.drawing.spec["arrays"]}
    assert sizes["maps"] == ((1, 1, 2), (2, 21, 31))
    assert sizes["here"] == ((31, 21, 2), ())
    assert figure.drawing.spec["views"][0]["limits"] == (0, 81)
    np.testing.assert_array_equal(figure.frame(x=1.0, power=4)["maps"][0], ACROSS**4)


@pytest.mark.parametrize(
    "depends",
    [
        pytest.param(lambda x, y: x**2, id="equal at both ends"),
        pytest.param(lambda x, y: abs(x) == 1 and abs(y) == 1, id="at the start only elsewhere"),
        pytest.param(lambda x, y: x == y == 2, id="in one place"),
    ],
)
def test_a_map_that_follows_its_handle_anywhere_gets_a_sentence(depends):
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
def test_a_handle_that_leaves_the_map_gets_a_sentence(x, y, says):
    """The page would draw it outside and read the number at the edge."""
    with pytest.raises(ValueError, match=rf"^the field is known .*{says}$"):
        make(lambda x, y: ACROSS, field(X, Y, at=("x", "y")), x=x, y=y)


def test_a_handle_may_stand_at_the_edge_of_the_map_in_spite_of_rounding():
    ends = np.arange(3) * 0.1  # the last is a little more than 0.2
    make(lambda x, y: np.eye(3), field(ends, -ends[::-1], at=("x", "y")), x=[0, 0.2], y=[-0.2, 0])


def test_a_map_has_one_label_for_each_point_that_moves():
    view = field(X, Y, "map", points="keys", labels=["one"], at=("x", "y"))
    with pytest.raises(ValueError, match=r"the field needs 'keys' of shape \(1, 2\), but .* \(2, "):
        make(lambda x, y: {"map": ACROSS, "keys": np.eye(2)}, view)
