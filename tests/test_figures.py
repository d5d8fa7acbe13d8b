"""Heatmaps show the numbers they are given, and everything written on them can be read."""

import itertools

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from checks import contrast, refuses
from matplotlib.backends.backend_agg import FigureCanvasAgg

from attention_lib.figures import show_heatmaps

mpl.use("Agg")
pytestmark = pytest.mark.xdist_group("figures")  # one worker draws them for all these tests

DOG = ["When", "he", "saw", "his", "owner", ",", "the", "dog"]
DOG += ["was", "happy", ",", "so", "he", "wagged", "his", "tail"]
LONG = "A title that is longer than its panel"


def weights(*shape):
    scores = 2 * np.random.default_rng(0).normal(size=shape)
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)


def draw(matrices, **options):
    return show_heatmaps(matrices, **{"xlabel": "Keys", "ylabel": "Queries", **options})


def panels(figure):
    return [axes for axes in figure.axes if axes.images]


def images(figure):
    return [axes.images[0] for axes in panels(figure)]


def printed(axes):
    return [text.get_text() for text in axes.texts]


def tick_labels(axis):
    """Return the labels that are seen: the axis also keeps some beyond its ends."""
    low, high = sorted(axis.get_view_interval())
    ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
    labels = [label for tick in ticks for label in (tick.label1, tick.label2)]
    return [label for label in labels if label.get_visible()]


def words(figure):
    """Return all texts around the panels and the colour bar."""
    texts = [text for axes in figure.axes for text in (axes.title, axes.xaxis.label)]
    texts += [axes.yaxis.label for axes in figure.axes]
    texts += [text for axes in panels(figure) for text in tick_labels(axes.xaxis)]
    texts += [text for axes in figure.axes for text in tick_labels(axes.yaxis)]
    return [text for text in texts if text.get_text()]


def pixels(figure):
    """Return the drawn figure, (height, width, 4), with row 0 at the bottom."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[::-1] / 255


def cell_box(axes, i, j):
    """Return the pixels of query i and key j: left, bottom, right, top."""
    corners = axes.transData.transform([(j - 0.5, i + 0.5), (j + 0.5, i - 0.5)])
    return corners.ravel()


def cell_pixels(figure, axes, i, j, seen=None):
    """Return the colours along the top of a cell, above its text, (pixels, 3)."""
    left, _, right, top = cell_box(axes, i, j).round().astype(int)
    seen = pixels(figure) if seen is None else seen
    return seen[top - 7 : top - 2, left + 3 : right - 3, :3].reshape(-1, 3)


def overlap(one, other):
    return min(one.x1, other.x1) > max(one.x0, other.x0) and (
        min(one.y1, other.y1) > max(one.y0, other.y0)
    )


# the numbers


@pytest.mark.parametrize("shape", [(3, 5), (4, 3, 5), (2, 4, 3, 5), (2, 1, 1, 1)])
def test_every_panel_shows_its_matrix_and_no_other_number(shape):
    matrices = np.random.default_rng(1).normal(size=shape)
    figure = draw(matrices)
    shown = np.array([image.get_array() for image in images(figure)])
    np.testing.assert_array_equal(shown, matrices.reshape(-1, *shape[-2:]))


def test_queries_go_down_and_keys_go_right():
    figure = draw([[0, 1, 0], [0, 0, 0]])
    (axes,) = panels(figure)
    dark = [
        (i, j) for i in range(2) for j in range(3) if cell_pixels(figure, axes, i, j).mean() < 0.5
    ]
    assert dark == [(0, 1)]


# the colour scale


@pytest.mark.parametrize(
    ("matrix", "limits", "ends"),
    [
        ([[0.2, 0.8]], None, (0, 0.8)),
        ([[-1, 4]], None, (-4, 4)),
        ([[-5, -4]], None, (-5, 5)),
        ([[0, np.nan]], None, (0, 1)),
        ([[-np.inf, 3, np.nan]], None, (0, 3)),
        ([[0.2, 0.8]], (None, 1), (0, 1)),
        ([[0.2, 0.8]], (-1, None), (-1, 1)),
        ([[-1, 4]], [None, 2], (-2, 2)),
        ([[-1, 4]], (0, None), (0, 4)),
        ([[-1, 4]], (-1, 5), (-1, 5)),
        ([[-3, 4, -np.inf]], (None, 0), (-3, 0)),
    ],
)
def test_ends_of_the_scale(matrix, limits, ends):
    assert images(draw(matrix, limits=limits))[0].get_clim() == ends


def test_all_panels_and_the_only_bar_share_one_scale():
    figure = draw(weights(2, 3, 4, 4) * np.arange(1, 4)[:, None, None])
    (bar,) = set(figure.axes) - set(panels(figure))
    assert {id(image.norm) for image in images(figure)} == {id(images(figure)[0].norm)}
    assert {image.cmap.name for image in images(figure)} == {"Blues"}
    assert bar.get_ylim() == images(figure)[0].get_clim()


@pytest.mark.parametrize(
    ("matrix", "limits", "extend"),
    [
        ([[0, 3]], None, "neither"),
        ([[0, 3]], (None, 2), "max"),
        ([[0, 3]], (1, None), "min"),
        ([[-3, 3]], (None, 2), "both"),
        ([[-np.inf, 3, np.inf, np.nan]], None, "neither"),
    ],
)
def test_the_bar_is_pointed_where_finite_numbers_lie_beyond_it(matrix, limits, extend):
    assert images(draw(matrix, limits=limits))[0].colorbar.extend == extend


# the numbers in the cells


@pytest.mark.parametrize(
    ("matrix", "texts"),
    [
        ([[0.314, 0.686]], ["0.31", "0.69"]),
        ([[True, False]], ["1", "0"]),
        ([[12345, -3]], ["12345", "-3"]),
        ([[-0.001, 0.5]], ["0.00", "0.50"]),
        ([[99.994, -0.5]], ["99.99", "-0.50"]),
        ([[123.4, 0.5]], ["123", "0.5"]),
        ([[0.0123, 0.01]], ["0.0123", "0.01"]),
        ([[np.nan, -np.inf], [np.inf, 0.5]], ["nan", "-inf", "inf", "0.50"]),
    ],
)
def test_printed_numbers(matrix, texts):
    assert printed(panels(draw(matrix))[0]) == texts


def test_every_number_is_printed_in_its_own_cell():
    matrices = weights(2, 3, 5, 6)
    figure = draw(matrices)
    for axes, matrix in zip(panels(figure), matrices.reshape(6, 5, 6), strict=True):
        places = [(i, j) for i in range(5) for j in range(6)]
        assert printed(axes) == [f"{matrix[at]:.2f}" for at in places]
        for text, (i, j) in zip(axes.texts, places, strict=True):
            left, bottom, right, top = cell_box(axes, i, j)
            box = text.get_window_extent()
            assert left < box.x0 < box.x1 < right
            assert bottom < box.y0 < box.y1 < top
            assert text.get_fontsize() >= 6.5


@pytest.mark.parametrize("shape", [(40, 40), (3, 4, 12, 12)])
def test_small_cells_hold_no_numbers(shape):
    assert not any(printed(axes) for axes in panels(draw(weights(*shape))))


def test_the_real_size_of_a_cell_decides_what_is_printed():
    one = [[0, 1] * 5] * 10
    sizes = {2: False, 3: True, 8: True}
    assert {w: bool(printed(panels(draw(one, figsize=(w, w)))[0])) for w in sizes} == sizes
    assert not printed(panels(draw(np.divide(one, 3), figsize=(3, 3)))[0])  # 0.33 is wider than 0


@pytest.mark.parametrize(("low", "cmap"), [(0, None), (-1, None), (-1, "viridis")])
def test_numbers_stand_out_from_the_colour_of_their_cell(low, cmap):
    matrix = np.linspace(low, 1, 100).reshape(10, 10)
    matrix[3, 4], matrix[5, 5], matrix[7, 2] = np.nan, -np.inf, np.inf
    figure = draw(matrix, cmap=cmap)
    (axes,) = panels(figure)
    assert len(axes.texts) == matrix.size
    seen = pixels(figure)
    for text in axes.texts:
        j, i = text.get_position()
        ink = mpl.colors.to_hex(text.get_color())
        around = map(mpl.colors.to_hex, np.unique(cell_pixels(figure, axes, i, j, seen), axis=0))
        assert min(contrast(ink, colour) for colour in around) >= 4.5


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_cells_without_a_number_are_grey_and_hatched(value):
    figure = draw([[value, 1], [0, 0.5]])
    (axes,) = panels(figure)
    hatched, plain = cell_pixels(figure, axes, 0, 0), cell_pixels(figure, axes, 0, 1)
    assert np.all(hatched.max(axis=1) - hatched.min(axis=1) < 0.01)
    assert len(np.unique(hatched, axis=0)) > 1
    assert len(np.unique(plain, axis=0)) == 1


# the words

CASES = {
    "one number, long names": ([[0.5]], {"titles": LONG, "xlabel": LONG}),
    "one row of tokens": (weights(1, 16), {"columns": DOG, "rows": ["happy"]}),
    "one column": (weights(20, 1), {"xlabel": LONG}),
    "40 × 40 tokens": (weights(40, 40), {"columns": (DOG * 3)[:40], "rows": range(40)}),
    "100 tokens": (weights(2, 100), {"columns": DOG * 6 + DOG[:4]}),
    "grid": (weights(3, 4, 16, 16), {"columns": DOG, "rows": DOG, "titles": list("abcd")}),
    "grid of titles": (weights(3, 2, 2, 3), {"titles": [[LONG, LONG]] * 3, "xlabel": LONG}),
    "rows": (weights(3, 1, 1, 16), {"titles": [["a"], ["b\nc"], ["d"]], "ylabel": "The queries"}),
    "bar": (-weights(1, 3), {"value_label": LONG, "limits": (None, 0.1)}),
    "long tokens": (np.eye(3), {"columns": [LONG] * 3, "rows": [LONG] * 3}),
    "figsize": (weights(2, 16, 16), {"columns": DOG, "rows": DOG, "figsize": (4.5, 2.5)}),
    "high figsize": (weights(3, 3), {"columns": "abc", "figsize": (3, 9), "titles": LONG}),
}


@pytest.fixture(scope="module", params=CASES.values(), ids=CASES.keys())
def case(request):
    matrices, options = request.param
    figure = draw(matrices, **options)
    figure.draw_without_rendering()
    if "figsize" in options:
        assert tuple(figure.get_size_inches()) == options["figsize"]
    else:  # no larger than what it shows
        boxes = [item.get_window_extent() for item in (*words(figure), *figure.axes)]
        assert np.all(figure.bbox.size - mpl.transforms.Bbox.union(boxes).size < 0.2 * figure.dpi)
    return figure


def test_no_word_is_cut(case):
    outside = [text.get_text() for text in words(case) if not inside(text, case)]
    assert not outside


def inside(text, figure):
    box, page = text.get_window_extent(), figure.bbox
    return page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1


def test_no_word_covers_another_or_a_panel(case):
    boxes = [(text.get_text(), text.get_window_extent()) for text in words(case)]
    boxes += [("axes", axes.get_window_extent()) for axes in case.axes]
    covered = [(a, b) for (a, x), (b, y) in itertools.combinations(boxes, 2) if overlap(x, y)]
    assert not covered


def test_cells_are_square_and_the_bar_can_be_read(case):
    for axes in panels(case):
        left, bottom, right, top = cell_box(axes, 0, 0)
        assert right - left == pytest.approx(top - bottom)
    assert len(tick_labels(case.axes[-1].yaxis)) >= 2
    assert case.axes[-1].get_window_extent().height > 0.5 * case.dpi


def test_labels_are_written_at_their_cells():
    figure = draw(weights(3, 2), columns=["a", "b"], rows=[1.5, "x", None])
    (axes,) = panels(figure)
    assert [text.get_text() for text in tick_labels(axes.xaxis)] == ["a", "b"]
    assert [text.get_text() for text in tick_labels(axes.yaxis)] == ["1.5", "x", "None"]
    assert axes.get_xticks().tolist() == [0, 1]
    assert axes.get_yticks().tolist() == [0, 1, 2]


def test_columns_turn_only_where_they_are_wider_than_a_cell():
    def turns(labels):
        (axes,) = panels(draw(weights(1, len(labels)), columns=labels))
        return {text.get_rotation() for text in tick_labels(axes.xaxis)}

    assert turns(list("abcdefghij")) == {0}
    assert turns(DOG) == {90}
    assert turns([*"abcdefghi", "tenth and last"]) == {90}


def test_tokens_are_no_formulas_but_titles_may_be():
    figure = draw(np.eye(2), columns=["$x$", r"$\no$"], rows=["$", "$$"], titles="$QK$")
    (axes,) = panels(figure)
    pixels(figure)
    assert not any(
        text.get_parse_math() for axis in (axes.xaxis, axes.yaxis) for text in axis.get_ticklabels()
    )
    assert axes.title.get_parse_math()


@pytest.mark.parametrize(("count", "step"), [(1, 1), (10, 1), (40, 2), (400, 20)])
def test_without_labels_cells_are_counted_from_0_by_a_round_step(count, step):
    for matrix, name in ((np.ones((1, count)), "xaxis"), (np.ones((count, 1)), "yaxis")):
        figure = draw(matrix)
        figure.draw_without_rendering()
        texts = [text.get_text() for text in tick_labels(getattr(panels(figure)[0], name))]
        assert texts == [str(number) for number in range(0, count, step)]


def test_axes_are_named_and_labelled_along_the_outer_edges():
    figure = draw(weights(2, 3, 4, 4), xlabel="Words looked at", ylabel="Words looking")
    names = [(axes.get_xlabel(), axes.get_ylabel()) for axes in panels(figure)]
    x, y = "Words looked at", "Words looking"
    assert names == [("", y), ("", ""), ("", ""), (x, y), (x, ""), (x, "")]
    counted = [bool(tick_labels(axes.xaxis)) for axes in panels(figure)]
    assert counted == [False] * 3 + [True] * 3


@pytest.mark.parametrize(
    ("titles", "shown"),
    [
        (None, ["", "", "", ""]),
        (["a", "b"], ["a", "b", "", ""]),
        ([["a", "b"], ["c", "d"]], ["a", "b", "c", "d"]),
        (np.array([["a", "b"], ["c", "d"]]), ["a", "b", "c", "d"]),
    ],
)
def test_titles_stand_above_columns_or_panels(titles, shown):
    figure = draw(weights(2, 2, 3, 3), titles=titles)
    assert [axes.get_title() for axes in panels(figure)] == shown


# the page and the notebook


def test_readers_of_dark_pages_and_dark_styles_see_the_same_opaque_figure():
    plain = pixels(draw(weights(2, 3, 3), titles=["a", "b"]))
    assert plain[0, 0].tolist() == [1, 1, 1, 1]
    dark = {"figure.facecolor": "none", "axes.grid": True, "image.origin": "lower", "font.size": 20}
    with plt.style.context(["dark_background", dark]):
        styled = pixels(draw(weights(2, 3, 3), titles=["a", "b"]))
    np.testing.assert_array_equal(styled, plain)


def test_pyplot_keeps_nothing_that_a_notebook_would_show_again():
    settings = mpl.rcParams.copy()
    draw([[1]])
    assert plt.get_fignums() == []
    assert mpl.rcParams == settings
    mine = plt.figure()
    draw([[1]])
    assert plt.gcf() is mine
    assert plt.get_fignums() == [mine.number]
    plt.close(mine)


# bad input


TITLES = "titles must hold one text per column, 3, or one list of 3 texts per row, 2, but is "
ENDS = "a scale must rise by a finite amount, but its ends are "
REFUSED = {
    "matrices must have shape (queries, keys), (columns, queries, keys) "
    "or (rows, columns, queries, keys), but has shape (2,)": ([0.5, 0.5], {}),
    "a heatmap needs at least one query and one key, but matrices has shape (1, 0)": ([[]], {}),
    "each query needs one label, so 1 in all, but there are 0": ([[1]], {"rows": []}),
    "each key needs one label, so 1 in all, but there are 3": ([[1]], {"columns": "abc"}),
    f"{TITLES}['a', 'b']": (weights(2, 3, 4, 4), {"titles": ["a", "b"]}),
    f"{TITLES}[1, 2, 3]": (weights(2, 3, 4, 4), {"titles": [1, 2, 3]}),
    f"{ENDS}2 and 1": ([[0, 1]], {"limits": (2, 1)}),
    f"{ENDS}0.0 and inf": ([[0, 1]], {"limits": (None, np.inf)}),
    "limits must be two numbers, the lower one first, but is 1": ([[1]], {"limits": 1}),
    "figsize must be two numbers, width and height in inches, but is 3": ([[1]], {"figsize": 3}),
    "figsize (0.5, 1) leaves no room for cells beside the labels": ([[1]], {"figsize": (0.5, 1)}),
}


@pytest.mark.parametrize(("message", "given"), REFUSED.items())
def test_what_cannot_be_drawn_is_refused_and_no_figure_left_open(message, given):
    with refuses(ValueError, message):
        draw(given[0], **given[1])
    assert plt.get_fignums() == []
