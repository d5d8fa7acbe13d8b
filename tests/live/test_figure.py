"""The figure: what it sends to the page, and what it refuses to be made of."""

import ipywidgets
import numpy as np
import pytest

from attention_lib import softmax
from attention_lib.live import (
    bars,
    checkbox,
    choice,
    curve,
    difference,
    heatmap,
    live,
    log_slider,
    option_slider,
    plane,
    slider,
)
from attention_lib.live.figure import joined_script
from attention_lib.live.progress import Progress

SCORES = np.array([1.0, 2.0, 3.0])


def weights(temperature):
    return softmax(SCORES, temperature=temperature)


def make(function=weights, view=None, **options):
    view = bars("abc") if view is None else view
    controls = options or {"temperature": slider(0.5, 2, 0.5, value=1)}
    return live(function, view, name="Weights", **controls)


def decode(figure, name, places):
    """Read one array as the page does."""
    codes = np.frombuffer(figure.drawing.frames, "<u2")
    (array,) = [a for a in figure.drawing.spec["arrays"] if a["name"] == name]
    size = int(np.prod(array["shape"]))
    frame = np.ravel_multi_index(
        [i % c for i, c in zip(places, array["counts"], strict=True)], array["counts"]
    )
    part = codes[array["begin"] + frame * size :][:size]
    return (array["low"] + (array["high"] - array["low"]) / 65535 * part).reshape(array["shape"])


def test_the_buffer_holds_what_the_function_returned():
    figure = make()
    for place, temperature in enumerate([0.5, 1.0, 1.5, 2.0]):
        np.testing.assert_allclose(
            decode(figure, "result", [place]), weights(temperature), atol=1e-5
        )
        np.testing.assert_array_equal(
            figure.frame(temperature=temperature)["result"], weights(temperature)
        )


def test_a_frame_is_found_in_spite_of_rounding():
    def values(t, power, size, kind, on):
        return np.array([t, power, size, kind == "hard", on], float)

    figure = make(
        values,
        bars("abcde", limits=None),
        t=slider(0.0, 1, 0.1),
        power=log_slider(-2, 1, 0.25),
        size=option_slider([0.1, 0.3]),
        kind=choice(["soft", "hard"]),
        on=checkbox(),
    )
    frame = figure.frame(t=0.1 + 0.2, power=3.16, size=0.1 + 0.2, kind="hard", on=True)
    np.testing.assert_array_equal(frame["result"], [0.3, 10**0.5, 0.3, 1, 1])
    np.testing.assert_array_equal(figure.frame()["result"], [0, 1, 0.1, 0, 0])
    np.testing.assert_array_equal(figure.frame(t=np.float32(0.7))["result"][0], 0.7)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"temperature": 2.0}, r"has no control 'temperature'; its controls are: t, kind$"),
        ({"t": 0.7}, r"t has no value 0\.7, which lies between its steps 0\.5 and 1\.0$"),
        ({"t": 0.1}, r"t has no value 0\.1, which lies below its first step 0\.5$"),
        ({"t": 9}, r"t has no value 9, which lies above its last step 2\.0$"),
        ({"t": "soft"}, r"t has no value 'soft'; its values are: 0\.5, 1\.0, 1\.5, 2\.0$"),
        ({"kind": "sharp"}, r"kind has no value 'sharp'; its values are: 'soft', 'hard'$"),
    ],
)
def test_a_frame_that_is_not_in_the_figure_is_refused(given, says):
    figure = make(lambda t, kind: t * SCORES, t=slider(0.5, 2, 0.5), kind=choice(["soft", "hard"]))
    with pytest.raises(ValueError, match=says):
        figure.frame(**given)


def test_a_figure_without_controls_has_no_frame_but_one():
    figure = live(lambda: SCORES, bars("abc"), name="Scores")
    with pytest.raises(ValueError, match=r"has no control 't'; its controls are: none$"):
        figure.frame(t=1)


def test_several_arrays_follow_one_another_in_the_buffer():
    def both(temperature):
        return {"soft": weights(temperature)[None], "hard": np.eye(3)[[2]], "unused": np.ones(9)}

    rows, columns = ["q"], list("abc")
    views = [heatmap(rows, columns, "soft"), difference("soft", "hard", rows, columns)]
    figure = make(both, views)
    names = [array["name"] for array in figure.drawing.spec["arrays"]]
    assert names == ["soft", "soft − hard"]
    np.testing.assert_allclose(decode(figure, "soft", [3])[0], weights(2.0), atol=1e-5)
    np.testing.assert_allclose(
        decode(figure, "soft − hard", [3])[0], weights(2.0) - [0, 0, 1], atol=2e-5
    )


def test_controls_are_the_readers_own_ipywidgets():
    control = slider(0.5, 2, 0.5)
    figure = make(temperature=control)
    assert figure.drawing.controls == [control]
    assert control in figure.children[0].children
    assert isinstance(control, ipywidgets.FloatSlider)


def test_a_figure_without_controls_shows_one_frame():
    figure = live(lambda: SCORES, bars("abc", limits=None), name="Scores")
    assert figure.children == (figure.drawing,)
    np.testing.assert_allclose(decode(figure, "result", []), SCORES, atol=1e-4)


def test_modules_are_joined_without_imports_and_with_one_export():
    script = joined_script()
    lines = script.splitlines()
    assert not [line for line in lines if line.startswith("import ")]
    assert [line for line in lines if line.startswith("export ")] == ["export default { render };"]


def test_the_hull_has_its_corners_only_and_the_cone_starts_at_zero():
    points = [[0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [1, 0]]
    hull = plane(values=points, region="hull").options["region_points"]
    assert sorted(hull) == [[0, 0], [0, 2], [2, 0], [2, 2]]
    cone = plane(values=[[1, 0], [0, 2]], region="cone", limits=(-3, 3)).options["region_points"]
    assert sorted(cone) == [[0, 0], [0, 300], [300, 0]]


@pytest.mark.parametrize(
    ("view", "says"),
    [
        (
            bars("ab"),
            r"the bars needs 'result' of shape \(2,\), but the function returns shape \(3,",
        ),
        (bars("abc", "weights"), r"shows 'weights', but the function returns only: result"),
        (heatmap("a", "abc"), r"needs 'result' of shape \(1, 3\), but .* shape \(3,\)"),
        (plane(keys="result"), r"needs 'result' of shape \(m, 2\), but .* shape \(3,\)"),
        (curve([0, 1], "result"), r"needs 'result' of shape \(2,\), but .* shape \(3,\)"),
    ],
)
def test_a_view_that_does_not_fit_the_function_gets_a_sentence(view, says):
    with pytest.raises(ValueError, match=says):
        make(view=view)


@pytest.mark.parametrize(
    ("view", "says"),
    [
        (curve([0, 1, 2], "result", at="nope"), r"curve moves 'nope', .* are: temperature$"),
        (plane(query=[0, 1], drag=("x", "y")), r"plane moves 'x', .* are: temperature$"),
        (
            plane(query=[0, 1], drag=("temperature", "y")),
            r"the plane moves 'y', but the figure has no such control; its controls are: temp",
        ),
    ],
)
def test_a_view_that_moves_no_control_gets_a_sentence(view, says):
    with pytest.raises(ValueError, match=says):
        make(view=view)


@pytest.mark.parametrize(
    "points",
    [
        {"values": [[0, 1], [1, 0]]},
        {"keys": [[0, 1], [1, 0]]},
        {"keys": np.ones((3, 2)), "values": [[0, 1], [1, 0]]},
    ],
)
def test_a_plane_has_one_weight_for_each_point(points):
    with pytest.raises(ValueError, match=r"needs 'result' of shape \(2,\), but .* shape \(3,\)"):
        make(view=plane(**points, weights="result"))


def test_a_plane_has_one_weight_for_each_point_that_moves():
    def moving(temperature):
        return {"weights": weights(temperature), "points": np.ones((2, 2))}

    says = r"plane needs one size m, but 'weights' has shape \(3,\) and 'points' has shape \(2, 2\)"
    with pytest.raises(ValueError, match=says):
        make(moving, plane(values="points", weights="weights"))


def test_what_is_no_control_is_refused():
    with pytest.raises(TypeError, match=r"^t must be a control, such as slider, .*, but is 3$"):
        make(t=3)


def test_two_controls_of_one_name_are_refused():
    with pytest.raises(
        ValueError, match="two controls are called 'x': give each a name of its own"
    ):
        make(lambda a, b: SCORES, a=slider(0, 1, 1, name="x"), b=slider(0, 1, 1, name="x"))


@pytest.mark.parametrize(
    ("make_view", "says"),
    [
        (
            lambda: plane(values=[[1, 2, 3]]),
            r"values must have shape \(m, 2\), but has shape \(1, 3",
        ),
        (lambda: plane(values=[[1, 2]], region="disc"), r"is 'hull' or 'cone' of fixed values"),
        (lambda: plane(values="moving", region="hull"), r"is 'hull' or 'cone' of fixed values"),
        (
            lambda: curve([0, 1], "fit", weights="w"),
            r"^weights belong to points, but the curve has none: give it points$",
        ),
        (
            lambda: curve([0, 1], "fit", points=([0, 1, 2], [0, 1])),
            r"^points must be two lists of one length, across and up, but have lengths 3 and 2$",
        ),
        (lambda: curve([0, 1], "fit", points=([0, 1, 2],)), r"across and up, but have lengths 3$"),
        (lambda: curve([[0, 1]], "fit"), r"x must have shape \(m,\), but has shape \(1, 2\)"),
    ],
)
def test_a_view_with_wrong_numbers_gets_a_sentence(make_view, says):
    with pytest.raises(ValueError, match=says):
        make_view()


@pytest.fixture
def notebook(monkeypatch):
    """Pretend to run in a notebook; return what it is told to show, in order."""
    shown = []

    class Place:
        def update(self, thing):
            shown.append(thing)

    def display(thing, display_id):
        shown.append(thing)
        return Place()

    monkeypatch.setattr("attention_lib.live.progress.get_ipython", object)
    monkeypatch.setattr("attention_lib.live.progress.display", display)
    return shown


def test_progress_appears_only_when_there_is_a_wait_and_then_goes_away(notebook):
    with Progress() as progress:
        progress.tell(1.0)
    assert notebook == []
    with Progress() as progress:
        progress.tell(0.25)
        progress.tell(0.5)
        assert [bar.value for bar in notebook] == [0.5]
    assert notebook[-1].data == ""


def test_progress_is_silent_while_the_book_is_built(notebook, monkeypatch):
    monkeypatch.setenv("ATTENTION_LIB_QUIET", "1")
    with Progress() as progress:
        progress.tell(0.5)
    assert notebook == []


def test_progress_is_silent_outside_a_notebook(capsys):
    with Progress() as progress:
        progress.tell(0.5)
    assert capsys.readouterr().out == ""


def test_progress_is_shown_in_the_readers_page_where_nothing_can_be_replaced(monkeypatch):
    shown = []
    monkeypatch.setattr("attention_lib.live.progress.sys.platform", "emscripten")
    monkeypatch.setattr("attention_lib.live.progress.display", lambda bar, **_: shown.append(bar))
    with Progress() as progress:
        progress.tell(0.5)
    assert [bar.value for bar in shown] == [0.5]
