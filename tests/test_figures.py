"""Heatmaps show the numbers they are given, and everything written on them can be read."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from checks import refuses
from matplotlib.backends.backend_agg import FigureCanvasAgg
from myst_nb.core.config import NbParserConfig

from attention_lib.figures import show_heatmaps
from bookwork.sphinx.chapter_runs import ran

mpl.use("Agg")
pytestmark = pytest.mark.xdist_group("figures")  # one worker draws them for all these tests

DOG = ["When", "he", "saw", "his", "owner", ",", "the", "dog"]
DOG += ["was", "happy", ",", "so", "he", "wagged", "his", "tail"]
NINE = ["I", "like", "Natural", "Language", "Processing", ",", "a", "lot", "!"]
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


def luminance(rgb):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def overlap(one, other):
    return min(one.x1, other.x1) > max(one.x0, other.x0) and (
        min(one.y1, other.y1) > max(one.y0, other.y0)
    )


# the numbers


@pytest.mark.parametrize(
    "shape", [(3, 5), (4, 3, 5), (1, 3, 5), (2, 4, 3, 5), (1, 1), (2, 1, 1, 1)]
)
def test_every_panel_shows_its_matrix_and_no_other_number(shape):
    matrices = np.random.default_rng(1).normal(size=shape)
    figure = draw(matrices)
    shown = np.array([image.get_array() for image in images(figure)])
    np.testing.assert_array_equal(shown, matrices.reshape(-1, *shape[-2:]))


def test_rows_of_panels_go_down_and_columns_go_right():
    figure = draw(np.arange(6).reshape(2, 3, 1, 1))
    corners = {
        image.get_array().item(): (-image.axes.get_position().y0, image.axes.get_position().x0)
        for image in images(figure)
    }
    assert sorted(corners, key=corners.get) == [0, 1, 2, 3, 4, 5]


def test_queries_go_down_and_keys_go_right():
    figure = draw([[0, 1, 0], [0, 0, 0]])
    (axes,) = panels(figure)
    dark = [
        (i, j) for i in range(2) for j in range(3) if cell_pixels(figure, axes, i, j).mean() < 0.5
    ]
    assert dark == [(0, 1)]


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float16, np.float32])
def test_all_real_dtypes_are_drawn(dtype):
    matrix = np.eye(3, dtype=dtype)
    np.testing.assert_array_equal(images(draw(matrix))[0].get_array(), matrix)


def test_nested_lists_are_drawn():
    np.testing.assert_array_equal(images(draw([[1, 2], [3, 4]]))[0].get_array(), [[1, 2], [3, 4]])


def test_the_figure_and_its_input_do_not_share_numbers():
    matrices = weights(2, 3, 4)
    before = matrices.copy()
    figure = draw(matrices, titles=["a", "b"])
    np.testing.assert_array_equal(matrices, before)
    matrices[:] = 7
    np.testing.assert_array_equal([image.get_array() for image in images(figure)], before)


# the colour scale


@pytest.mark.parametrize(
    ("matrix", "options", "ends"),
    [
        ([[0.2, 0.8]], {}, (0, 0.8)),
        ([[2, 8]], {}, (0, 8)),
        ([[-1, 4]], {}, (-4, 4)),
        ([[-5, 4]], {}, (-5, 5)),
        ([[-5, -4]], {}, (-5, 5)),
        ([[0, 0]], {}, (0, 1)),
        ([[np.nan, np.nan]], {}, (0, 1)),
        ([[np.nan, 3, np.inf]], {}, (0, 3)),
        ([[-np.inf, 3, -2]], {}, (-3, 3)),
        ([[-np.inf, 3]], {}, (0, 3)),
        ([[0.2, 0.8]], {"vmax": 1}, (0, 1)),
        ([[0.2, 0.8]], {"vmin": 0.1}, (0.1, 0.8)),
        ([[0.2, 0.8]], {"vmin": -1}, (-1, 1)),
        ([[-1, 4]], {"vmax": 2}, (-2, 2)),
        ([[-1, 4]], {"vmin": -3}, (-3, 3)),
        ([[-1, 4]], {"vmin": 0}, (0, 4)),
        ([[-1, 4]], {"vmin": -1, "vmax": 5}, (-1, 5)),
        ([[-3, -1]], {"vmax": 0}, (-3, 0)),
        ([[-3, 4, -np.inf]], {"vmax": 0}, (-3, 0)),
        ([[-3, -1]], {"vmax": -2}, (-3, -2)),
        ([[-3, -1]], {"limits": (0, 1)}, (0, 1)),
        ([[0.2, 0.8]], {"limits": (None, 1)}, (0, 1)),
        ([[-1, 4]], {"limits": [-3, None]}, (-3, 3)),
        ([[-1, 4]], {"limits": None}, (-4, 4)),
    ],
)
def test_ends_of_the_scale(matrix, options, ends):
    assert images(draw(matrix, **options))[0].get_clim() == ends


def test_all_panels_and_the_only_bar_share_one_scale():
    figure = draw(weights(2, 3, 4, 4) * np.arange(1, 4)[:, None, None])
    (bar,) = set(figure.axes) - set(panels(figure))
    assert {id(image.norm) for image in images(figure)} == {id(images(figure)[0].norm)}
    assert {image.cmap.name for image in images(figure)} == {"Blues"}
    assert bar.get_ylim() == images(figure)[0].get_clim()


@pytest.mark.parametrize(
    ("matrix", "options", "extend"),
    [
        ([[0, 3]], {}, "neither"),
        ([[0, 3]], {"vmax": 2}, "max"),
        ([[0, 3]], {"vmin": 1}, "min"),
        ([[-3, 3]], {"vmax": 2}, "both"),
        ([[-np.inf, 3, np.inf, np.nan]], {}, "neither"),
    ],
)
def test_the_bar_is_pointed_where_finite_numbers_lie_beyond_it(matrix, options, extend):
    assert images(draw(matrix, **options))[0].colorbar.extend == extend


def test_the_bar_says_what_the_numbers_are():
    assert draw([[1]], value_label="weight").axes[-1].get_ylabel() == "weight"


def test_more_is_darker_without_hue():
    colours = images(draw([[1]]))[0].cmap(np.linspace(0, 1, 50))
    assert np.all(np.diff([luminance(colour) for colour in colours]) < 0)


def test_signs_differ_for_eyes_that_mix_red_and_green():
    colours = images(draw([[-1, 1]]))[0].cmap(np.linspace(0, 1, 51))[:, :3]
    light = np.array([luminance(colour) for colour in colours])
    assert np.all(np.diff(light[:26]) > 0)
    assert np.all(np.diff(light[25:]) < 0)
    deuteranopia = np.array(  # of linear RGB; Machado, Oliveira & Fernandes, 2009
        [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]
    )
    negative, positive = (colours[[10, 40]] ** 2.2) @ deuteranopia.T
    assert np.abs(negative - positive).max() > 0.3


def test_a_colour_map_can_be_chosen_by_name_or_object():
    for cmap in ("cividis", mpl.colormaps["cividis"]):
        assert images(draw([[1]], cmap=cmap))[0].cmap.name == "cividis"


# the numbers in the cells


@pytest.mark.parametrize(
    ("matrix", "texts"),
    [
        ([[0.314, 0.686]], ["0.31", "0.69"]),
        ([[1, 0], [0, 1]], ["1", "0", "0", "1"]),
        ([[True, False]], ["1", "0"]),
        ([[12345, -3]], ["12345", "-3"]),
        ([[-0.001, 0.5]], ["0.00", "0.50"]),
        ([[99.994, -0.5]], ["99.99", "-0.50"]),
        ([[123.4, 0.5]], ["123", "0.5"]),
        ([[0.0123, 0.01]], ["0.0123", "0.01"]),
        ([[0.1, 0.004]], ["0.10", "0.00"]),
        ([[np.nan, -np.inf], [np.inf, 0.5]], ["nan", "-inf", "inf", "0.50"]),
        ([[np.nan, 2]], ["nan", "2"]),
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


@pytest.mark.parametrize("shape", [(40, 40), (1, 60), (3, 4, 12, 12)])
def test_small_cells_hold_no_numbers(shape):
    assert not any(printed(axes) for axes in panels(draw(weights(*shape))))


def test_the_real_size_of_a_cell_decides_what_is_printed():
    one = [[0, 1] * 5] * 10
    sizes = {2: False, 3: True, 8: True}
    assert {w: bool(printed(panels(draw(one, figsize=(w, w)))[0])) for w in sizes} == sizes
    assert not printed(panels(draw(np.divide(one, 3), figsize=(3, 3)))[0])  # 0.33 is wider than 0


@pytest.mark.parametrize("cmap", [None, "viridis", "gray"])
@pytest.mark.parametrize("low", [0, -1])
def test_numbers_stand_out_from_the_colour_of_their_cell(low, cmap):
    matrix = np.linspace(low, 1, 100).reshape(10, 10)
    matrix[3, 4], matrix[5, 5], matrix[7, 2] = np.nan, -np.inf, np.inf
    figure = draw(matrix, cmap=cmap)
    (axes,) = panels(figure)
    assert len(axes.texts) == matrix.size
    seen = pixels(figure)
    for text in axes.texts:
        j, i = text.get_position()
        ink = mpl.colors.to_rgb(text.get_color())
        around = np.unique(cell_pixels(figure, axes, i, j, seen), axis=0)
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
    "one number": ([[0.5]], {}),
    "one number, long names": ([[0.5]], {"titles": LONG, "xlabel": LONG}),
    "one number, long name": ([[0.5]], {"titles": "One", "ylabel": LONG}),
    "one row": (weights(1, 20), {}),
    "one row of tokens": (weights(1, 16), {"key_labels": DOG, "query_labels": ["happy"]}),
    "one column": (weights(20, 1), {"xlabel": LONG}),
    "a sentence": (weights(16, 16), {"key_labels": DOG, "query_labels": DOG}),
    "40 × 40": (weights(40, 40), {}),
    "40 × 40 tokens": (weights(40, 40), {"key_labels": (DOG * 3)[:40], "query_labels": range(40)}),
    "100 tokens": (weights(2, 100), {"key_labels": DOG * 6 + NINE[:4]}),
    "grid": (
        weights(3, 4, 9, 9),
        {"key_labels": NINE, "query_labels": NINE, "titles": list("abcd")},
    ),
    "grid of titles": (weights(3, 2, 2, 3), {"titles": [[LONG, LONG]] * 3, "xlabel": LONG}),
    "rows": (weights(3, 1, 1, 16), {"titles": [["a"], ["b\nc"], ["d"]], "ylabel": "The queries"}),
    "bar": (-weights(1, 3), {"value_label": LONG, "vmax": 0.1}),
    "long tokens": (np.eye(3), {"key_labels": [LONG] * 3, "query_labels": [LONG] * 3}),
    "figsize": (
        weights(2, 16, 16),
        {"key_labels": DOG, "query_labels": DOG, "figsize": (4.5, 2.5)},
    ),
    "labels that turn": (np.eye(5), {"key_labels": ["abcdef"] * 5, "figsize": (2, 2)}),
    "high figsize": (weights(3, 3), {"key_labels": "abc", "figsize": (3, 9), "titles": LONG}),
    "wide figsize": (weights(2, 3, 3), {"figsize": (20, 3)}),
}


FIGSIZES = [list(options["figsize"]) for _, options in CASES.values() if "figsize" in options]


@pytest.fixture(scope="module", params=CASES.values(), ids=CASES.keys())
def case(request):
    matrices, options = request.param
    figure = draw(matrices, **options)
    figure.draw_without_rendering()
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


def test_the_bar_can_be_read_beside_panels_of_any_height(case):
    bar = case.axes[-1]
    assert len(tick_labels(bar.yaxis)) >= 2
    assert bar.get_window_extent().height > 0.5 * case.dpi


def test_many_labels_make_the_figure_wider_not_the_letters_smaller():
    (axes,) = panels(draw(weights(2, 100), key_labels=["word"] * 100))
    assert min(text.get_fontsize() for text in tick_labels(axes.xaxis)) > 8


def test_cells_are_square(case):
    for axes in panels(case):
        left, bottom, right, top = cell_box(axes, 0, 0)
        assert right - left == pytest.approx(top - bottom)


def test_figures_are_no_larger_than_what_they_show(case):
    if case.get_size_inches().tolist() not in FIGSIZES:
        boxes = [item.get_window_extent() for item in (*words(case), *case.axes)]
        page = mpl.transforms.Bbox.union(boxes)
        assert np.all(case.bbox.size - page.size < 0.2 * case.dpi)


@pytest.mark.parametrize("figsize", [(6, 3), (3, 6), np.array([4.5, 4.5])])
def test_figsize_is_kept(figsize):
    assert draw(weights(4, 4), figsize=figsize).get_size_inches() == pytest.approx(figsize)


@pytest.mark.parametrize("names", [("columns", "rows"), ("key_labels", "query_labels")])
def test_labels_are_written_at_their_cells(names):
    labels = dict(zip(names, (["a", "b"], [1.5, "x", None]), strict=True))
    figure = draw(weights(3, 2), **labels)
    (axes,) = panels(figure)
    assert [text.get_text() for text in tick_labels(axes.xaxis)] == ["a", "b"]
    assert [text.get_text() for text in tick_labels(axes.yaxis)] == ["1.5", "x", "None"]
    assert axes.get_xticks().tolist() == [0, 1]
    assert axes.get_yticks().tolist() == [0, 1, 2]


def test_key_labels_turn_only_where_they_are_wider_than_a_cell():
    def turns(labels):
        (axes,) = panels(draw(weights(1, len(labels)), key_labels=labels))
        return {text.get_rotation() for text in tick_labels(axes.xaxis)}

    assert turns(list("abcdefghij")) == {0}
    assert turns(DOG) == {90}
    assert turns([*"abcdefghi", "tenth and last"]) == {90}


def test_tokens_are_no_formulas_but_titles_may_be():
    figure = draw(np.eye(2), key_labels=["$x$", r"$\no$"], query_labels=["$", "$$"], titles="$QK$")
    (axes,) = panels(figure)
    pixels(figure)
    assert not any(
        text.get_parse_math() for axis in (axes.xaxis, axes.yaxis) for text in axis.get_ticklabels()
    )
    assert axes.title.get_parse_math()


@pytest.mark.parametrize(("count", "step"), [(1, 1), (5, 1), (10, 1), (40, 2), (70, 5), (400, 20)])
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


@pytest.mark.parametrize("titles", ["one title", ["one title"], [["one title"]]])
def test_one_matrix_has_one_title(titles):
    assert panels(draw([[1]], titles=titles))[0].get_title() == "one title"


# the page and the notebook


def test_readers_of_dark_pages_and_dark_styles_see_the_same_opaque_figure():
    plain = pixels(draw(weights(2, 3, 3), titles=["a", "b"]))
    assert plain[0, 0].tolist() == [1, 1, 1, 1]
    dark = {"figure.facecolor": "none", "axes.grid": True, "image.origin": "lower", "font.size": 20}
    with plt.style.context(["dark_background", dark]):
        styled = pixels(draw(weights(2, 3, 3), titles=["a", "b"]))
    np.testing.assert_array_equal(styled, plain)


def test_pyplot_keeps_nothing():
    settings = mpl.rcParams.copy()
    draw([[1]])
    assert plt.get_fignums() == []
    assert mpl.rcParams == settings
    mine = plt.figure()
    draw([[1]])
    assert plt.gcf() is mine
    assert plt.get_fignums() == [mine.number]
    plt.close(mine)


def test_a_notebook_shows_the_figure_once():
    lines = [
        "from attention_lib.figures import show_heatmaps",
        "show_heatmaps([[1]], 'Keys', 'Queries')",
        "figure = show_heatmaps([[1]], 'Keys', 'Queries')",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(line) for line in lines])
    place, patience = Path(__file__).parents[1], NbParserConfig(execution_timeout=600)
    with ThreadPoolExecutor() as pool:  # as chapters run, not where a browser's tests may wait
        assert pool.submit(ran, notebook, place, patience).result()
    shown = [
        ["image/png" in output.get("data", {}) for output in c.outputs] for c in notebook.cells
    ]
    assert shown == [[], [True], []]


# bad input

SHAPES = (
    "matrices must have shape (queries, keys), (columns, queries, keys) "
    "or (rows, columns, queries, keys), but has shape "
)


@pytest.mark.parametrize(
    ("matrices", "message"),
    [
        (0.5, SHAPES + "()"),
        ([0.5, 0.5], SHAPES + "(2,)"),
        (np.ones((1, 1, 1, 1, 1)), SHAPES + "(1, 1, 1, 1, 1)"),
        ([], SHAPES + "(0,)"),
        ([[]], "a heatmap needs at least one query and one key, but matrices has shape (1, 0)"),
        (
            np.ones((2, 0, 3)),
            "a heatmap needs at least one query and one key, but matrices has shape (2, 0, 3)",
        ),
        ([[1, 2], [3]], "matrices must be a rectangular array, but its rows differ in length"),
    ],
)
def test_what_has_no_queries_and_keys_is_refused(matrices, message):
    with refuses(ValueError, message):
        draw(matrices)


@pytest.mark.parametrize("matrices", [[["a"]], [[1j]], [[None]]])
def test_what_is_no_number_is_refused(matrices):
    with pytest.raises(TypeError, match=r"^matrices must hold real numbers, but its dtype is "):
        draw(matrices)


@pytest.mark.parametrize(("kind", "count"), [("query", 3), ("key", 5)])
@pytest.mark.parametrize("labels", [[], ["a"] * 4, ["a"] * 6])
def test_labels_that_do_not_match_are_refused(kind, count, labels):
    message = f"each {kind} needs one label, so {count} in all, but there are {len(labels)}"
    with refuses(ValueError, message):
        draw(weights(2, 3, 5), **{f"{kind}_labels": labels})


@pytest.mark.parametrize(
    "titles", ["one", ["a"], ["a", "b"], ["a"] * 6, [["a"] * 3], [["a", "b"]] * 3, [1, 2, 3], [[]]]
)
def test_titles_that_do_not_match_are_refused(titles):
    message = (
        "titles must hold one text per column, 3, or one list of 3 texts per row, 2, "
        f"but is {titles!r}"
    )
    with refuses(ValueError, message):
        draw(weights(2, 3, 4, 4), titles=titles)


def test_uneven_lists_of_titles_are_refused():
    with pytest.raises(ValueError, match=r"^titles must hold one text per column, 2, or one list "):
        draw(weights(2, 2, 4, 4), titles=[["a"], ["b", "c"]])


@pytest.mark.parametrize(
    ("options", "ends"),
    [
        ({"vmin": 2, "vmax": 1}, "2 and 1"),
        ({"vmin": 1, "vmax": 1}, "1 and 1"),
        ({"limits": (1, 0)}, "1 and 0"),
        ({"vmin": 3}, "3 and 1.0"),
        ({"vmax": 0}, "0.0 and 0"),
        ({"vmax": np.inf}, "0.0 and inf"),
        ({"vmin": np.nan}, "nan and 1.0"),
    ],
)
def test_a_scale_without_length_is_refused(options, ends):
    message = f"a scale must rise by a finite amount, but its ends are {ends}"
    with refuses(ValueError, message):
        draw([[0, 1]], **options)


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"rows": "ab", "query_labels": "ab"}, "rows and query_labels"),
        ({"columns": "ab", "key_labels": "ab"}, "columns and key_labels"),
        ({"limits": (0, 1), "vmin": 0}, "limits and vmin"),
        ({"limits": (0, 1), "vmax": 1}, "limits and vmax"),
    ],
)
def test_two_names_for_one_thing_are_refused(options, names):
    with refuses(TypeError, f"{names} are two names for one thing: pass one of them"):
        draw(np.eye(2), **options)


@pytest.mark.parametrize("limits", [1, (1,), (0, 1, 2), "01"])
def test_limits_that_are_not_two_are_refused(limits):
    with refuses(ValueError, f"limits must be two numbers, the lower one first, but is {limits!r}"):
        draw(np.eye(2), limits=limits)


def test_a_figure_too_small_for_its_labels_is_refused_and_not_left_open():
    message = "figsize (0.5, 0.5) leaves no room for cells beside the labels"
    with refuses(ValueError, message):
        draw(np.eye(3), figsize=(0.5, 0.5))
    assert plt.get_fignums() == []


@pytest.mark.parametrize("figsize", [(0, 0), (4, 0), (-1, 3), (np.nan, 3), (np.inf, 3), (3,), 3])
def test_a_figure_without_size_is_refused_and_not_left_open(figsize):
    message = f"figsize must be two positive numbers, width and height in inches, but is {figsize}"
    with refuses(ValueError, message):
        draw(np.eye(3), figsize=figsize)
    assert plt.get_fignums() == []
