"""A view that a book brings itself: its script is checked at the door, its arrays keep shape."""

import numpy as np
import pytest

from bookwork.live import custom_view, live, own_view, slider

SCRIPT = """export const name = "dial";
export default function ({ size }, tools) {
  const element = tools.svg("svg", { width: size, "aria-label": "from here" });
  return { element, draw: (frame) => element.append(String(frame)) };
}
"""


@pytest.fixture
def script(tmp_path):
    """Return the file of a view."""
    path = tmp_path / "dial.js"
    path.write_text(SCRIPT)
    return path


def figure_of(view):
    """Return a figure of three arrays, each of another shape."""
    return live(
        lambda k: {"a": np.float64(k), "b": np.arange(3.0) * k, "c": np.full((2, 2), k)},
        view,
        name="Three",
        k=slider(1, 3, 1),
    )


def test_the_page_is_told_the_script_the_shapes_the_limits_and_the_options(script):
    figure = figure_of(custom_view(script, ["a", "b", "c"], colour="red", marks=[1, 2]))
    (view,) = figure.drawing.spec["views"]
    assert (view["kind"], view["file"], view["script"]) == ("custom view", "dial.js", SCRIPT)
    assert view["shapes"] == {"a": [], "b": [3], "c": [2, 2]}
    assert (view["limits"], view["colour"], view["marks"]) == ((0.0, 6.0), "red", [1, 2])


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (None, {}, "there is no script .*dial.js: name it as seen from the page"),
        ("draw()", {}, "dial.js exports nothing: write export default function"),
        ('import a from "./a.js";\n' + SCRIPT, {}, "imports './a.js', but a view is a single file"),
        ("export * from './b.js'\n" + SCRIPT, {}, "imports './b.js', but a view is a single file"),
        ('import "d3"\n' + SCRIPT, {}, "imports 'd3', but a view is a single file"),
        (SCRIPT, {"shapes": 1}, "the option 'shapes' of dial.js is set by the figure: rename it"),
        (SCRIPT, {"f": print}, "the option 'f' of dial.js should be numbers, texts or lists"),
    ],
)
def test_a_fault_of_the_script_is_told(tmp_path, text, options, sentence):
    path = tmp_path / "dial.js"
    if text:
        path.write_text(text)
    with pytest.raises(ValueError, match=sentence):
        custom_view(path, **options)


def test_an_array_that_is_missing_is_told(script):
    with pytest.raises(
        ValueError, match="the custom view shows 'z', but the function returns only: a, b"
    ):
        figure_of(custom_view(script, ["a", "z"]))


def test_it_goes_by_its_old_name_for_one_more_release(script):
    with pytest.warns(DeprecationWarning, match="own_view is now called custom_view"):
        assert own_view(script, title="A").options == custom_view(script, title="A").options
