"""Heatmaps show the numbers they are given, and what is written on them can be read."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from checks import contrast, refuses
from matplotlib.backends.backend_agg import FigureCanvasAgg

from attention_lib.figures import show_heatmaps

mpl.use("Agg")
pytestmark = pytest.mark.xdist_group("figures")  # one worker draws them for all these tests


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
    ("matrix", "ends"),
    [
        ([[0.2, 0.8]], (0, 0.8)),
        ([[-1, 4]], (-4, 4)),
        ([[0, np.nan]], (0, 1)),
        ([[-np.inf, 3, np.nan]], (0, 3)),
    ],
)
def test_ends_of_the_scale(matrix, ends):
    assert images(draw(matrix))[0].get_clim() == ends


def test_all_panels_and_the_only_bar_share_one_scale():
    figure = draw(weights(2, 3, 4, 4) * np.arange(1, 4)[:, None, None])
    (bar,) = set(figure.axes) - set(panels(figure))
    assert len({image.get_clim() for image in images(figure)}) == 1
    assert {image.cmap.name for image in images(figure)} == {"Blues"}
    assert bar.get_ylim() == images(figure)[0].get_clim()


# the numbers in the cells


@pytest.mark.parametrize(
    ("matrix", "texts"),
    [
        ([[0.314, 0.686]], ["0.31", "0.69"]),
        ([[True, False]], ["1", ""]),
        ([[12345, -3]], ["1.23e+04", "-3"]),
        ([[-0.001, 0.5]], ["", "0.50"]),  # a wallpaper of 0.00 says nothing
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
        assert printed(axes) == [f"{matrix[at]:.2f}".replace("0.00", "") for at in places]
        for text, (i, j) in zip(axes.texts, places, strict=True):
            if not text.get_text():
                continue
            left, bottom, right, top = cell_box(axes, i, j)
            box = text.get_window_extent()
            assert left < box.x0 < box.x1 < right
            assert bottom < box.y0 < box.y1 < top


@pytest.mark.parametrize("shape", [(40, 40), (3, 4, 12, 12)])
def test_small_cells_hold_no_numbers(shape):
    assert not any(printed(axes) for axes in panels(draw(weights(*shape))))


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


# the words


@pytest.mark.parametrize("shape", [(1, 16), (2, 16, 16), (2, 3, 4, 5)])
def test_no_word_is_cut_and_cells_are_square(shape):
    figure = draw(weights(*shape), titles=["head"] * (*shape, 1)[-4:][0])
    figure.draw_without_rendering()
    box = figure.get_tightbbox()  # of all words, in inches
    assert 0 <= box.x0 < box.x1 <= figure.get_figwidth()
    assert 0 <= box.y0 < box.y1 <= figure.get_figheight()
    left, bottom, right, top = cell_box(panels(figure)[0], 0, 0)
    assert right - left == pytest.approx(top - bottom)


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


SHAPES = (
    "matrices must have shape (n, m), (columns, n, m) or (rows, columns, n, m), not empty, but "
)


@pytest.mark.parametrize("shape", [(2,), (1, 0), (1, 1, 1, 1, 1)])
def test_what_cannot_be_drawn_is_refused_and_no_figure_left_open(shape):
    with refuses(ValueError, f"{SHAPES}matrices has shape {shape}"):
        draw(np.ones(shape))
    with pytest.raises(ValueError, match="could not broadcast"):
        draw(weights(2, 3, 4, 4), titles=["a", "b"])
    assert plt.get_fignums() == []
