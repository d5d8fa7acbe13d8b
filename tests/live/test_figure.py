"""The figure: what it sends to the page, and what it refuses to be made of."""

import ipywidgets
import numpy as np
import pytest

from attention_lib import softmax
from attention_lib.live import bars, curve, difference, heatmap, live, plane, slider
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
