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


@pytest.mark.parametrize("shape", [(3, 5), (4, 3, 5), (2, 4, 3, 5), (2, 1, 1, 1)])
def test_every_panel_shows_its_matrix_in_one_scale_below_its_title(shape):
    matrices = np.random.default_rng(1).normal(size=shape)
    titles = np.array([f"{k}" for k in range(matrices[..., 0, 0].size)]).reshape(shape[:-2][-2:])
    figure = draw(matrices, titles=titles)
    images = [axes.images[0] for axes in panels(figure)]
    np.testing.assert_array_equal(
        [i.get_array() for i in images], matrices.reshape(-1, *shape[-2:])
    )
    assert len({image.get_clim() for image in images}) == 1
    assert [axes.get_title() for axes in panels(figure)] == titles.ravel().tolist()
    (bar,) = set(figure.axes) - set(panels(figure))
    assert bar.get_ylim() == images[0].get_clim()
    assert plt.get_fignums() == []  # or a notebook would show it again


@pytest.mark.parametrize(
    ("matrix", "ends", "texts"),
    [
        ([[0.314, 0.8]], (0, 0.8), ["0.31", "0.80"]),
        ([[True, False]], (0, 1), ["1", ""]),
        ([[12345, -3]], (-12345, 12345), ["1.23e+04", "-3"]),
        ([[-0.001, 0.5]], (-0.5, 0.5), ["", "0.50"]),  # a wallpaper of 0.00 says nothing
        ([[-np.inf, 3, np.nan, np.inf]], (0, 3), ["-inf", "3", "nan", "inf"]),
    ],
)
def test_ends_of_the_scale_and_printed_numbers(matrix, ends, texts):
    (axes,) = panels(draw(matrix))
    assert (axes.images[0].get_clim(), printed(axes)) == (ends, texts)


def test_every_number_is_printed_in_its_own_cell_if_it_has_room():
    matrices = weights(2, 3, 5, 6)
    figure = draw(matrices)
    for axes, matrix in zip(panels(figure), matrices.reshape(6, 5, 6), strict=True):
        assert printed(axes) == [f"{x:.2f}".replace("0.00", "") for x in matrix.ravel()]
        for text, (i, j) in zip(axes.texts, np.ndindex(5, 6), strict=True):
            left, bottom, right, top = cell_box(axes, i, j)
            box = text.get_window_extent()
            assert not text.get_text() or left < box.x0 < box.x1 < right
            assert not text.get_text() or bottom < box.y0 < box.y1 < top
    for shape in ((40, 40), (3, 4, 12, 12)):
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


@pytest.mark.parametrize("shape", [(1, 16), (2, 16, 16), (2, 3, 4, 5)])
def test_no_word_is_cut_and_cells_are_square(shape):
    figure = draw(weights(*shape), titles=["head"] * (*shape, 1)[-4:][0])
    figure.draw_without_rendering()
    box = figure.get_tightbbox()  # of all words, in inches
    assert 0 <= box.x0 < box.x1 <= figure.get_figwidth()
    assert 0 <= box.y0 < box.y1 <= figure.get_figheight()
    left, bottom, right, top = cell_box(panels(figure)[0], 0, 0)
    assert right - left == pytest.approx(top - bottom)


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


def test_readers_of_dark_pages_and_dark_styles_see_the_same_opaque_figure():
    plain, settings = pixels(draw(weights(2, 3, 3), titles=["a", "b"])), mpl.rcParams.copy()
    assert plain[0, 0].tolist() == [1, 1, 1, 1]
    dark = {"figure.facecolor": "none", "axes.grid": True, "image.origin": "lower", "font.size": 20}
    with plt.style.context(["dark_background", dark]):
        styled = pixels(draw(weights(2, 3, 3), titles=["a", "b"]))
    np.testing.assert_array_equal(styled, plain)
    assert mpl.rcParams == settings
