"""The figure: what it sends to the page, and what it refuses to be made of."""

import json
import subprocess

import numpy as np
import pytest
from bookwork.live import (
    bars,
    checkbox,
    choice,
    curve,
    heatmap,
    live,
    log_slider,
    option_slider,
    plane,
    slider,
)
from bookwork.live.script import FOLDER, join_modules
from bookwork.site.node import NODE

SCORES = np.array([1.0, 2.0, 3.0])


def weights(temperature):
    grown = np.exp(SCORES / temperature)
    return grown / grown.sum()


def make(function=weights, view=None, **options):
    view = bars(list("abc")) if view is None else view
    controls = options or {"temperature": slider(0.5, 2, 0.5, value=1)}
    return live(function, view, name="Weights", **controls)


def decode(figure, name, places):
    """Read one array as the page does."""
    (array,) = [a for a in figure.drawing.spec["arrays"] if a["name"] == name]
    size = int(np.prod(array["shape"]))
    kind = np.dtype({255: "<u1", 65535: "<u2"}.get(array["steps"], "<u4"))
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
        np.testing.assert_allclose(decode(figure, "result", [place]), weights(temperature), 0, 1e-5)
        assert (figure.frame(temperature=temperature)["result"] == weights(temperature)).all()


def test_a_frame_is_found_in_spite_of_rounding():
    def values(t, power, size, kind, on):
        return np.array([t, power, size, kind == "hard", on], float)

    figure = make(
        values,
        bars(list("abcde")),
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
        ({"temperature": 2.0}, r"'temperature', but the controls of the figure are: t, kind$"),
        ({"t": 0.7}, r"^the control t has no value 0\.7, but these: \[0\.5, 1\.0, 1\.5, 2\.0\]$"),
        ({"t": "soft"}, r"t has no value 'soft', but these: \[0\.5, "),
        ({"kind": "sharp"}, r"kind has no value 'sharp', but these: \['soft', 'hard'\]$"),
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
    figure = make(both, [heatmap(rows, columns, "soft"), heatmap(rows, columns, "hard")])
    names = [array["name"] for array in figure.drawing.spec["arrays"]]
    assert names == ["soft", "hard"]
    np.testing.assert_allclose(decode(figure, "soft", [3])[0], weights(2.0), atol=1e-5)
    np.testing.assert_allclose(decode(figure, "hard", [3])[0], [0, 0, 1], atol=2e-5)


@pytest.mark.parametrize(("digits", "bits"), [(0, 16), (1, 32), (2, 32)])
def test_numbers_far_apart_keep_the_digits_that_are_printed(digits, bits):
    def numbers(t):
        return {"few": np.ones(1) * t, "far": np.array([0.5, 1e3 + t, 0.25])}

    views = [bars(["a"], "few", digits=0), bars(list("abc"), "far", digits=digits)]
    figure = make(numbers, views, t=slider(1, 2, 1))
    assert len(figure.drawing.frames) == 2 * (1 + 3 * bits // 8)  # whole numbers take a byte
    for place, t in enumerate([1, 2]):
        for name, array in numbers(t).items():
            shown = decode(figure, name, [place])
            np.testing.assert_allclose(shown, array, atol=10.0**-digits / 100)


@pytest.mark.parametrize(("step", "most", "bytes_each"), [(0.01, 2.55, 1), (0.1, 25.9, 2)])
def test_numbers_that_were_rounded_are_kept_as_they_are(step, most, bytes_each):
    numbers = np.round(np.arange(-0.3, most - 0.3, step), 2)
    figure = live(lambda: numbers, bars(list(map(str, numbers))), name="Rounded")
    assert len(figure.drawing.frames) == bytes_each * len(numbers)
    np.testing.assert_allclose(decode(figure, "result", []), numbers, atol=1e-12)


def test_of_several_functions_each_is_called_for_the_controls_that_it_takes():
    calls = []

    def soft(temperature):
        calls.append(temperature)
        return {"soft": weights(temperature)}

    functions = [soft, lambda number: {"hard": np.eye(3)[number]}]
    views = [bars(list("abc"), "soft"), bars(list("abc"), "hard")]
    controls = {"temperature": slider(0.5, 2, 0.5), "number": slider(0, 2, 1)}
    figure = live(functions, views, name="Both", **controls)
    assert len(calls) == 5  # once to begin with, then at each temperature
    counts = {array["name"]: array["counts"] for array in figure.drawing.spec["arrays"]}
    assert counts == {"soft": (4, 1), "hard": (1, 3)}
    np.testing.assert_allclose(decode(figure, "soft", [3, 1]), weights(2.0), atol=1e-5)
    assert figure.frame(number=2)["hard"].tolist() == [0, 0, 1]


def test_the_script_of_a_figure_is_one_module_of_all_that_it_imports(tmp_path):
    script = tmp_path / "figure.mjs"
    script.write_text(join_modules(FOLDER), encoding="utf-8")
    run = f"import({json.dumps(script.as_uri())}).then((m) => console.log(Object.keys(m.default)))"
    told = subprocess.run([NODE, "-e", run], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[ 'render' ]"
    assert all(f'M["{path.stem}"]' in script.read_text() for path in FOLDER.glob("*.js"))


def corners(view):
    return view.options["marks"][0]["corners"]


def test_the_hull_has_its_corners_only_and_the_cone_starts_at_zero():
    points = [[0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [1, 0]]
    hull = corners(plane(points=points, region="hull"))
    assert sorted(hull) == [[0, 0], [0, 2], [2, 0], [2, 2]]
    cone = corners(plane(points=[[1, 0], [0, 2]], region="cone", limits=(-3, 3)))
    assert sorted(np.round(cone, 6).tolist()) == [[0, 0], [0, 3000], [3000, 0]]
    far = corners(plane(points=[[90, 0], [0, 2]], region="cone"))
    assert sorted(np.round(far, 6).tolist()) == [[0, 0], [0, 90000], [90000, 0]]


@pytest.mark.parametrize(
    ("view", "says"),
    [
        (bars(list("ab")), r"^'result', drawn by the bars, must have shape \(2,\), but has .*3"),
        (bars(list("abc"), "weights"), r"shows 'weights', but the function returns only: result"),
        (plane(rings="result"), r"must have shape \(labels, 2\), but has shape \(3,\)"),
        (plane(points=np.eye(2), weights="result"), r"'result', .* have shape \(2,\), but has"),
        (plane(points=np.eye(2), moves_to="result"), r"'result', .* \(2, 2\), but has shape \(3,"),
        (curve([0, 1, 2], at="nope"), r"curve moves 'nope', but the controls .* temperature$"),
        (curve([0, 1, 2], reading="result"), r"'result', .* shape \(\), but has shape \(3,\)$"),
        (curve([0, 1, 2], log="x"), r"^log needs numbers above 0, but the lowest is 0$"),
        (curve([1, 2, 3], "result", log="y", limits=(0, 9)), r"^log needs numbers above 0, but"),
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
    view = plane(rings=np.eye(2), moves_to="result")
    figure = make(lambda t: t * np.eye(2), view, t=slider(1, 7, 1))
    assert figure.drawing.spec["views"][0]["limits"] == (-3, 7)


@pytest.mark.parametrize(
    ("show", "lines"),
    [
        ("a", [("a", "curve")]),
        (["a", "b"], [("a", "a"), ("b", "b")]),
        ({"a": "first", "b": 2}, [("a", "first"), ("b", "2")]),
    ],
)
def test_a_curve_may_have_several_lines(show, lines):
    view = curve([1, 2], show, digits=1)
    assert [(mark["show"], mark["label"]) for mark in view.options["marks"]] == lines
    figure = live(lambda: {"a": [1, 2], "b": [3, 101]}, view, name="Lines")
    low, high = figure.drawing.spec["views"][0]["limits"]
    assert (low < 1, high > (100 if len(lines) > 1 else 2)) == (True, True)


@pytest.mark.parametrize("name", ["self", "from"])
def test_an_argument_may_have_another_words_name(name):
    one = {name: slider(1, 3, 1)}
    figure = live(lambda **given: given[name] * SCORES, bars(list("abc")), name="N", **one)
    np.testing.assert_array_equal(figure.frame(**{name: 2})["result"], 2 * SCORES)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"name": " "}, r"^a figure needs a name, for those who cannot see it: name=\"…\"$"),
        ({"view": []}, r"^a view is made by bars, heatmap and the like, but there is \[\]$"),
        ({"view": [bars]}, r"^a view is made by bars, .*, but there is \[<function bars at"),
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
    (two, plane(points="p", weights="w"), T, r"^'w', .* \(labels = 2,\), but has shape \(3,\)$"),
    (two, plane(points="p", labels=["a"]), T, r"'p', .* shape \(1, 2\), but has shape \(2, 2\)$"),
    (two, curve([1, 2], "up", log="y"), T, r"^log needs numbers above 0, but the lowest is 0$"),
    (
        two,
        curve([1, 2], "up", log="y", limits=(1, 9)),  # which once let the page hang
        T,
        r"^log needs numbers above 0, but the lowest is 0$",
    ),
    (two, curve([1, 2], "up", log="x", at="t"), T, r"^log .* above 0, but the lowest is 0$"),
    (two, None, TWICE, r"^each control needs a name of its own, but they are: x, x$"),
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


@pytest.mark.parametrize(("count", "asked"), [(1, 3), (2, 3), (4, 1)])
def test_frames_over_budget_are_refused_as_soon_as_that_is_known(count, asked):
    calls = []
    names = "abcd"[:count]

    def scores(**given):
        calls.append(given)
        return np.full(400_000, sum(given.values()))

    controls = {name: slider(0.0, 1.0, 0.005) for name in names}
    with pytest.raises(ValueError, match=r"more than the budget of 2,000,000; a has 201 steps: g"):
        live(scores, bars(range(400_000)), name="Scores", **controls)
    assert len(calls) == asked


@pytest.mark.parametrize("labels", [range(2), np.array(["a", "b"]), (None, np.int64(1))])
def test_labels_reach_the_page_as_texts(labels):
    views = [
        bars(labels, "v", title=1, reads="{label} {value}"),
        heatmap(labels, labels, "M", title=None),
        plane(rings="M", labels=labels, title=3),
        curve([0, 1], "v", points=([0, 1], [0, 1]), xlabel=1, ylabel=2),
    ]
    function = lambda t: {"v": np.ones(2), "M": np.eye(2)}  # noqa: E731
    figure = live(function, views, name=7, t=slider(0, 1, 1, name=5))
    spec = json.loads(json.dumps(figure.drawing.spec, allow_nan=False))
    assert (spec["name"], spec["controls"][0]["label"]) == ("7", "5")
    for view in spec["views"]:
        for name in ("labels", "rows", "columns"):
            assert (view.get(name) or list(map(str, labels))) == list(map(str, labels))
        assert all(isinstance(view[axis].get("label", ""), str) for axis in "xy")
    assert [view["title"] for view in spec["views"]] == ["1", "", "3", ""]


POINTS = ([0.0, 1.0], [-1.0, 5.0])


@pytest.mark.parametrize(
    ("view", "low_high", "limits"),
    [
        (bars(list("ab"), "v"), (0.2, 0.9), [0, 1]),
        (bars(list("ab"), "v"), (-6e-8, 1 + 6e-8), [0, 1]),
        (bars(list("ab"), "v"), (-2, 0.5), [-2, 0.5]),
        (bars(list("ab"), "v"), (-5, -2), [-5, 0]),
        (bars(list("ab"), "v", limits=(np.int64(-1), np.float32(6))), (2, 5), [-1, 6]),
        (heatmap(["a"], list("ab"), "M"), (-2, 5), [-5, 5]),
        (curve([0, 1], "v"), (0, 10), [-0.4, 10.4]),
        (curve([0, 1], "v", points=POINTS), (0, 4), [-1.24, 5.24]),
        (curve([0, 1], "v", at="t", reading="high"), (0, 100), [-4, 104]),
        (plane(handle="v"), (-4.5, 2), [-4.5, 3]),
        (plane(rings=[[0, 7.5]]), (0, 0), [-3, 7.5]),
    ],
)
def test_limits_that_are_not_given_fit_the_numbers(view, low_high, limits):
    low, high = low_high

    def numbers(t):
        v = np.array([low, high])  # at no place 0, unless it is one of them
        return {"v": v, "M": v[None], "zero": np.zeros((1, 2)), "high": high}

    figure = make(numbers, view, t=slider(0, 1, 1))
    assert figure.drawing.spec["views"][0]["limits"] == pytest.approx(limits)


@pytest.mark.parametrize(
    ("view", "limits"),
    [
        (bars(list("ab"), "v", limits=(0, 1)), (0, 1.5)),
        (bars(list("ab"), "v", limits=(-1, 9)), (-1, 9)),
        (heatmap(["a"], list("ab"), "rounded", limits=(0, 1)), (0, 1)),
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
