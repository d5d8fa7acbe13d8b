"""The figure: what it sends to the page, and what it refuses to be made of."""

import json
from types import SimpleNamespace

import ipywidgets
import numpy as np
import pytest
from checks import run_python

from attention_lib import softmax
from bookwork.build import build_web
from bookwork.live import (
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
from bookwork.live.figure import STATIC
from bookwork.live.progress import Progress

SCORES = np.array([1.0, 2.0, 3.0])


def weights(temperature):
    return softmax(SCORES, temperature=temperature)


def make(function=weights, view=None, **options):
    view = bars(list("abc")) if view is None else view
    controls = options or {"temperature": slider(0.5, 2, 0.5, value=1)}
    return live(function, view, name="Weights", **controls)


def decode(figure, name, places):
    """Read one array as the page does."""
    (array,) = [a for a in figure.drawing.spec["arrays"] if a["name"] == name]
    size = int(np.prod(array["shape"]))
    kind = np.dtype("<u2" if array["steps"] == 65535 else "<u4")
    frame = np.ravel_multi_index(
        [i % c for i, c in zip(places, array["counts"], strict=True)], array["counts"]
    )
    begin = array["begin"] + frame * size * kind.itemsize
    part = np.frombuffer(figure.drawing.frames, kind, size, begin)
    step = (array["high"] - array["low"]) / array["steps"]
    return (array["low"] + step * part).reshape(array["shape"])


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
        bars(list("abcde"), limits=None),
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
        ({"t": 0.7}, r"t has no value 0\.7, which lies between its steps 0\.5 and 1$"),
        ({"t": 0.1}, r"t has no value 0\.1, which lies below its first step 0\.5$"),
        ({"t": 9}, r"t has no value 9, which lies above its last step 2$"),
        ({"t": "soft"}, r"t has no value 'soft'; its values are: 0\.5, 1\.0, 1\.5, 2\.0$"),
        ({"kind": "sharp"}, r"kind has no value 'sharp'; its values are: 'soft', 'hard'$"),
    ],
)
def test_a_frame_that_is_not_in_the_figure_is_refused(given, says):
    figure = make(lambda t, kind: t * SCORES, t=slider(0.5, 2, 0.5), kind=choice(["soft", "hard"]))
    with pytest.raises(ValueError, match=says):
        figure.frame(**given)


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


@pytest.mark.parametrize(("digits", "bits"), [(0, 16), (1, 32), (2, 32)])
def test_numbers_far_apart_keep_the_digits_that_are_printed(digits, bits):
    def numbers(t):
        return {"few": np.ones(1) * t, "far": np.array([0.5, 1e3 + t, 0.25])}

    views = [
        bars(["a"], "few"),
        bars(list("abc"), "far", digits=digits),
        bars(list("abc"), "far", digits=0),
    ]
    figure = make(numbers, views, t=slider(1, 2, 1))
    assert len(figure.drawing.frames) == 2 * (2 + 3 * bits // 8)
    for place, t in enumerate([1, 2]):
        for name, array in numbers(t).items():
            shown = decode(figure, name, [place])
            np.testing.assert_allclose(shown, array, atol=10.0**-digits / 100)


def test_a_figure_without_controls_shows_one_frame():
    figure = live(lambda: SCORES, bars(list("abc"), limits=None), name="Scores")
    assert figure.children == (figure.drawing,)
    np.testing.assert_allclose(decode(figure, "result", []), SCORES, atol=1e-4)


@pytest.mark.parametrize(
    ("control", "given", "taken"),
    [
        (slider(0, 1, 0.25), 0.3, 0.25),
        (slider(0, 10, 3), 5, 6),
        (log_slider(0, 2, 1), 30, 10),
        (ipywidgets.BoundedFloatText(max=1, step=0.5), 0.6, 0.5),
    ],
)
def test_a_control_that_is_set_to_a_number_it_does_not_have_takes_the_nearest(
    control, given, taken
):
    make(lambda t: [t], bars(["t"], limits=None), t=control)
    control.value = given
    assert control.value == taken


def test_the_bundled_views_are_made_from_the_scripts_as_they_stand(tmp_path):
    build_web.build_views(tmp_path)
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text() for path in STATIC.iterdir()}
    assert made == kept, "run make book, and commit bookwork/live/static with your change"


def test_a_plane_calls_its_points_as_the_author_does():
    given = {"rings": "holes", "handle": "ball"}
    called = plane(rings=[[0, 1]], handle=[1, 1], called=given).options["called"]
    assert called == called | given | {"moves_to": "after"}
    with pytest.raises(ValueError, match="called names 'ball', but there are points, rings, hand"):
        plane(handle=[1, 1], called={"ball": "handle"})


def test_the_hull_has_its_corners_only_and_the_cone_starts_at_zero():
    points = [[0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [1, 0]]
    hull = plane(points=points, region="hull").options["region_points"]
    assert sorted(hull) == [[0, 0], [0, 2], [2, 0], [2, 2]]
    cone = plane(points=[[1, 0], [0, 2]], region="cone", limits=(-3, 3)).options["region_points"]
    assert sorted(cone) == [[0, 0], [0, 300], [300, 0]]
    far = plane(points=[[90, 0], [0, 2]], region="cone").options["region_points"]
    assert sorted(far) == [[0, 0], [0, 9000], [9000, 0]]


@pytest.mark.parametrize(
    ("view", "says"),
    [
        (bars(list("ab")), r"the bars needs 'result' of shape \(2,\), but .* shape \(3,\)$"),
        (bars(list("abc"), "weights"), r"shows 'weights', but the function returns only: result"),
        (plane(rings="result"), r"needs 'result' of shape \(m, 2\), but .* shape \(3,\)"),
        (plane(points=np.eye(2), weights="result"), r"needs 'result' of shape \(2,\), but .* \(3,"),
        (plane(points=np.eye(2), moves_to="result"), r"'result' of shape \(2, 2\), but .* \(3,"),
        (curve([0, 1, 2], at="nope"), r"curve moves 'nope', .* are: temperature$"),
        (plane(handle=[0, 1], drag=("temperature", "y")), r"plane moves 'y', .* are: temperature$"),
    ],
)
def test_a_view_that_does_not_fit_the_function_gets_a_sentence(view, says):
    with pytest.raises(ValueError, match=says):
        make(view=view)


@pytest.mark.parametrize(
    ("control", "values"),
    [
        (option_slider(["a", "b"]), "a, b"),
        (choice({"a": 1, "b": None}), "1, None"),
        (checkbox(), "False, True"),
        (option_slider([1, np.inf]), "1, inf"),
        (option_slider([2, 1, 3]), "2, 1, 3"),
    ],
)
def test_a_view_moves_numbers_that_grow(control, values):
    says = rf"moves 'query' along an axis, so .* numbers that grow, but they are: {values}$"
    with pytest.raises(ValueError, match=says):
        make(lambda query: SCORES, curve([0, 1, 2], "result", at="query"), query=control)
    with pytest.raises(ValueError, match=says):
        make(lambda query: SCORES[:2], plane(handle="result", drag=("query", "up")), query=control)


def test_a_plane_reaches_as_far_as_its_points_move():
    figure = make(lambda t: t * np.eye(2), plane(rings=np.eye(2), moves_to="result"), t=(1, 7))
    assert figure.drawing.spec["views"][0]["limits"] == (-7, 7)


@pytest.mark.parametrize(
    ("show", "lines"),
    [
        ("a", [("a", "a")]),
        (["a", "b"], [("a", "a"), ("b", "b")]),
        ({"a": "first", "b": 2}, [("a", "first"), ("b", "2")]),
    ],
)
def test_a_curve_may_have_several_lines(show, lines):
    view = curve([1, 2], show, digits=1)
    assert view.options["lines"] == lines
    figure = live(lambda: {"a": [1, 2], "b": [3, 101]}, view, name="Lines")
    low, high = figure.drawing.spec["views"][0]["limits"]
    assert (low < 1, high > (100 if len(lines) > 1 else 2)) == (True, True)


@pytest.mark.parametrize("name", ["name", "view", "function", "self", "from"])
def test_an_argument_may_have_any_name(name):
    one = {name: slider(1, 3, 1)}
    figure = live(lambda **given: given[name] * SCORES, bars(list("abc")), name="N", controls=one)
    np.testing.assert_array_equal(figure.frame(**{name: 2})["result"], 2 * SCORES)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"budget": slider(1, 3, 1)}, r"^live has .* for budget: .* into controls={'budget': …}$"),
        ({"name": choice(list("ab"))}, r"an argument called name goes into controls={'name': …}$"),
        ({"name": " "}, r"^a figure needs a name, for those who cannot see it: name=\"…\"$"),
        ({"view": []}, r"^view must be a view, such as bars or heatmap, .*, but is \[\]$"),
        ({"view": "bars"}, r"^view must be a view, such as .*, but is 'bars'$"),
    ],
)
def test_an_argument_of_live_that_makes_no_sense_gets_a_sentence(given, says):
    own = {"function": weights, "view": bars(list("abc")), "name": "Weights"}
    with pytest.raises(TypeError, match=says):
        live(**(own | given), temperature=slider(0.5, 2, 0.5))


def two(t):
    return {"w": SCORES, "p": np.ones((2, 2)), "up": [t, 1.0]}


T = {"t": slider(0, 1, 1)}
TWICE = {"t": slider(0, 1, 1, name="x"), "s": slider(0, 1, 1, name="x")}
FAILS = r"^the function fails at t = 0: TypeError: .* "
TOGETHER = [
    (two, plane(points="p", weights="w"), T, r"one size m, but 'w' has shape \(3,\) and 'p' has"),
    (two, plane(points="p", labels=["a"]), T, r"'p' of shape \(1, 2\), but .* \(2, 2\)$"),
    (two, curve([1, 2], "up", log="y"), T, r"^log needs numbers above 0, but the lowest that is"),
    (two, curve([1, 2], "up", log="x", at="t"), T, r"^log .* above 0, but 't' can be 0$"),
    (two, None, {"controls": T} | T, r"^the control t is given twice, by itself and in controls$"),
    (two, None, TWICE, r"^two controls are called 'x': give each a name of its own$"),
    (lambda t, width: SCORES, None, T, f"{FAILS}missing .*'width'$"),
    (lambda: SCORES, None, T, f"{FAILS}unexpected .*'t'$"),
]


@pytest.mark.parametrize(("function", "view", "controls", "says"), TOGETHER)
def test_what_does_not_go_together_gets_a_sentence(function, view, controls, says):
    with pytest.raises(ValueError, match=says):
        make(function, view, **controls)


def test_an_argument_with_a_default_needs_no_control():
    figure = make(lambda t, factor=2, **more: factor * t * SCORES, t=slider(1, 2, 1))
    np.testing.assert_array_equal(figure.frame()["result"], 2 * SCORES)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_frames_over_budget_are_refused_before_they_are_made(count):
    calls = []
    names = "abcd"[:count]

    def scores(**given):
        calls.append(given)
        return np.ones(400_000 if count == 1 else 100)

    controls = {name: slider(0.0, 1.0, 0.005) for name in names}
    view = bars(range(400_000 if count == 1 else 100))
    with pytest.raises(ValueError, match=r"more than its budget of 2,000,000; a has 201 steps: gi"):
        live(scores, view, name="Scores", **controls)
    assert len(calls) == 1


@pytest.mark.parametrize("labels", [range(2), np.array(["a", "b"]), (None, np.int64(1))])
def test_labels_reach_the_page_as_texts(labels):
    views = [
        bars(labels, "v", title=1, reads="{label} {value}"),
        heatmap(labels, labels, "M", title=None),
        difference("M", "M", labels, labels, title=2.5),
        plane(rings="M", labels=labels, title=3),
        curve([0, 1], "v", points=([0, 1], [0, 1]), labels=labels, xlabel=1, ylabel=2),
    ]
    function = lambda t: {"v": np.ones(2), "M": np.eye(2)}  # noqa: E731
    figure = live(function, views, name=7, t=slider(0, 1, 1, name=5))
    spec = json.loads(json.dumps(figure.drawing.spec, allow_nan=False))
    assert (spec["name"], spec["controls"][0]["label"]) == ("7", "5")
    for view in spec["views"]:
        for name in ("labels", "rows", "columns"):
            assert view.get(name, list(map(str, labels))) == list(map(str, labels))
        for name in ("title", "reads", "xlabel", "ylabel"):
            assert isinstance(view.get(name, ""), str)
    assert [view["title"] for view in spec["views"]] == ["1", "", "2.5", "3", ""]


POINTS = ([0.0, 1.0], [-1.0, 5.0])


@pytest.mark.parametrize(
    ("view", "low_high", "limits"),
    [
        (bars(list("ab"), "v"), (0.2, 0.9), [0, 1]),
        (bars(list("ab"), "v"), (-6e-8, 1 + 6e-8), [0, 1]),
        (bars(list("ab"), "v"), (-2, 0.5), [-2, 0.5]),
        (bars(list("ab"), "v", limits=None), (0.2, 0.9), [0, 0.9]),
        (bars(list("ab"), "v", limits=None), (-5, -2), [-5, 0]),
        (bars(list("ab"), "v", limits=(np.int64(-1), np.float32(6))), (2, 5), [-1, 6]),
        (heatmap(["a"], list("ab"), "M"), (-2, 5), [-5, 5]),
        (difference("M", "zero", ["a"], list("ab")), (0.2, 0.9), [-0.9, 0.9]),
        (difference("M", "zero", ["a"], list("ab")), (0, 0), [-1, 1]),
        (curve([0, 1], "v"), (0, 10), [-0.4, 10.4]),
        (curve([0, 1], "v", points=POINTS), (0, 4), [-1.24, 5.24]),
        (curve([0, 1], "v", at="t", reading="high"), (0, 100), [-4, 104]),
        (plane(handle="v"), (-4.5, 2), [-5, 5]),
        (plane(rings=[[0, 7.5]]), (0, 0), [-8, 8]),
    ],
)
def test_limits_that_are_not_given_fit_the_numbers(view, low_high, limits):
    low, high = low_high

    def numbers(t):
        v = np.array([low, high]) * t
        return {"v": v, "M": v[None], "zero": np.zeros((1, 2)), "high": high}

    figure = make(numbers, view, t=slider(0, 1, 1))
    assert figure.drawing.spec["views"][0]["limits"] == pytest.approx(limits)


@pytest.mark.parametrize(
    ("view", "limits"),
    [
        (bars(list("ab"), "v", limits=(0, 1)), (0, 1.5)),
        (bars(list("ab"), "v", limits=(-1, 9)), (-1, 9)),
        (heatmap(["a"], list("ab"), "rounded", limits=(0, 1)), (0, 1)),
        (difference("zero", "M", ["a"], list("ab"), limits=(-1, 1)), (-1.5, 1)),
        (curve([0, 1], "zeros", at="t", reading="most", limits=(0, 1)), (0, 1.5)),
        (plane(points=[[0, 7]], handle="v", limits=(0, 2)), (0, 7)),
    ],
)
def test_limits_that_are_given_move_if_a_number_lies_beyond(view, limits):
    def numbers(t):
        v = np.array([0, t / 2])
        more = {"M": v[None], "rounded": np.array([[-1e-9, 1 + 1e-9]])}
        return more | {"v": v, "zero": np.zeros((1, 2)), "zeros": v * 0, "most": t / 2}

    figure = make(numbers, view, t=slider(0, 3, 1))
    assert figure.drawing.spec["views"][0]["limits"] == limits


@pytest.mark.parametrize("missing", ["ipywidgets", "anywidget"])
def test_without_its_widgets_it_says_what_to_install(missing):
    code = f"import sys; sys.modules[{missing!r}] = None; import bookwork.live"
    says = f"live figures need {missing}: pip install ipywidgets anywidget"
    assert run_python("-c", code).stderr.splitlines()[-1] == f"ModuleNotFoundError: {says}"


@pytest.fixture
def shown(monkeypatch):
    """Return what a notebook is told to show, in order."""
    told = []

    def display(thing, **_):
        told.append(thing)
        return SimpleNamespace(update=lambda thing, **_: told.append(thing))

    monkeypatch.setattr("bookwork.live.progress.display", display)
    return told


def test_progress_appears_only_when_there_is_a_wait_and_then_goes_away(shown, monkeypatch):
    monkeypatch.setattr("bookwork.live.progress.get_ipython", object)
    with Progress() as progress:
        progress.tell(1.0)
    assert shown == []
    with Progress() as progress:
        for share in (0.25, 0.251, 0.5):
            progress.tell(share)
        assert [line["text/plain"] for line in shown] == ["computing: 25%", "computing: 50%"]
    assert shown[-1].data == ""


@pytest.mark.parametrize(("is_built", "lines"), [(False, 1), (True, 0)])
def test_progress_is_shown_in_the_readers_page_but_not_in_the_book(
    shown, monkeypatch, is_built, lines
):
    monkeypatch.setattr("bookwork.live.progress.sys.platform", "emscripten")
    if is_built:
        monkeypatch.setenv("BOOKWORK_QUIET", "1")
    with Progress() as progress:
        progress.tell(0.5)
        assert len(shown) == lines
