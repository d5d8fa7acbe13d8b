"""Static figures for the page, drawn with Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

try:
    import matplotlib.pyplot as plt
    from matplotlib.colors import Colormap, Normalize, to_rgb
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties
    from matplotlib.text import Text
    from matplotlib.textpath import text_to_path
    from matplotlib.ticker import MaxNLocator
    from matplotlib.transforms import Bbox
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        'figures need Matplotlib: pip install "attention_lib[figures]"'
    ) from None

from attention_lib._arguments import Array, as_floats

Panels: TypeAlias = NDArray[Any]  # of Matplotlib Axes, shape (rows, columns)
Size: TypeAlias = tuple[float, float]  # width and height in inches
Limits: TypeAlias = tuple[float | None, float | None]  # of the colour scale
Labels: TypeAlias = tuple[list[str], list[str]]  # of keys and queries; empty where there are none

STYLE = {"font.size": 9, "axes.titlesize": 9, "xtick.major.size": 2, "ytick.major.size": 2}
NO_NUMBER = {"facecolor": "#e4e4e4", "edgecolor": "#c8c8c8", "hatch": "/////"}  # nan, inf, -inf


def show_heatmaps(
    matrices: ArrayLike,
    xlabel: str,
    ylabel: str,
    titles: str | Sequence[str] | Sequence[Sequence[str]] | None = None,
    *,
    rows: Sequence[object] | None = None,
    columns: Sequence[object] | None = None,
    limits: Limits | None = None,
    value_label: str = "",
    figsize: Size | None = None,
    cmap: str | Colormap | None = None,
) -> Figure:
    """Draw matrices as heatmaps: a row per query, a column per key, one colour scale for all.

    Every number is drawn as it is, and printed where cells are large enough; nan, inf and -inf
    are hatched. See the chapter "The general formula".

    Parameters
    ----------
    matrices : array_like, shape (n, m), (columns, n, m) or (rows, columns, n, m)
        One matrix, a row of matrices or a grid of them, each with n queries and m keys.
    xlabel, ylabel : str
        What the keys and what the queries are.
    titles : str or sequence of str, optional
        One title per column, or a nested list with one per panel.
    rows, columns : sequence, optional
        One label, such as a token, for each query and for each key. Default: 0, 1, 2, …
    limits : (float, float), optional
        Ends of the colour scale; either may be None. Default: 0 and the largest number, or, if
        some number is negative, symmetric around 0. If it ends at 0 or below: from the smallest.
    value_label : str
        What the numbers are, written beside the colour bar.
    figsize : (float, float), optional
        Width and height in inches. Default: what cells and labels need.
    cmap : str or Colormap, optional
        Default: white to blue, or red to white to blue where the scale goes below 0.

    Returns
    -------
    Figure
        A notebook shows it when it is the last line of a cell.

    Examples
    --------
    >>> figure = show_heatmaps([[0.9, 0.1], [0.25, 0.75]], xlabel="Keys", ylabel="Queries")
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['0.90', '0.10', '0.25', '0.75']
    """
    grid = _as_grid(matrices)  # (rows, columns, n, m)
    names = _as_titles(titles, *grid.shape[:2])  # (rows, columns)
    labels = _as_labels("key", columns, grid.shape[3]), _as_labels("query", rows, grid.shape[2])
    _check_pair("limits", limits, "the lower one first")
    _check_pair("figsize", figsize, "width and height in inches")
    low, high = _scale(grid, *((None, None) if limits is None else limits))
    colours, norm = cmap or ("RdBu" if low < 0 else "Blues"), Normalize(low, high)
    with plt.style.context(["default", STYLE]):
        figure = plt.figure(facecolor="white")
        plt.close(figure)  # otherwise a notebook would show it twice
        panels = figure.subplots(*grid.shape[:2], squeeze=False)
        for at, panel in np.ndenumerate(panels):
            panel.patch.set(**NO_NUMBER)
            panel.imshow(grid[at], colours, norm, aspect="auto", interpolation="nearest")
            panel.set(title=names[at], xlabel=xlabel, ylabel=ylabel)
            panel.label_outer(remove_inner_ticks=True)
        _add_colour_bar(figure, panels, grid, value_label)
        cell = _lay_out(figure, panels, labels, figsize)
        _print_values(panels, grid, cell)
    return figure


def _as_grid(matrices: ArrayLike) -> Array:
    """Return matrices of shape (rows, columns, n, m), or say why they cannot be drawn."""
    (grid,) = as_floats(matrices=matrices)
    if not 2 <= grid.ndim <= 4:
        raise ValueError(
            "matrices must have shape (queries, keys), (columns, queries, keys) "
            f"or (rows, columns, queries, keys), but has shape {grid.shape}"
        )
    if grid.size == 0:
        raise ValueError(
            f"a heatmap needs at least one query and one key, but matrices has shape {grid.shape}"
        )
    return grid.astype(np.float64).reshape((1,) * (4 - grid.ndim) + grid.shape)


def _as_titles(titles: Any, rows: int, columns: int) -> NDArray[np.object_]:
    """Return one title per panel; one title per column goes above the top row."""
    given = [""] * columns if titles is None else titles
    texts = np.array([given] if isinstance(given, str) else given, dtype=object)
    fits = texts.shape in ((columns,), (rows, columns))
    if not fits or not all(isinstance(text, str) for text in texts.flat):
        raise ValueError(
            f"titles must hold one text per column, {columns}, or one list of {columns} texts "
            f"per row, {rows}, but is {titles!r}"
        )
    panels = np.full((rows, columns), "", dtype=object)
    panels[: 1 if texts.ndim == 1 else rows] = texts
    return panels


def _as_labels(kind: str, labels: Sequence[object] | None, count: int) -> list[str]:
    """Return the labels as texts: one for each query or key, or none at all."""
    texts = [] if labels is None else [str(label) for label in labels]
    if labels is not None and len(texts) != count:
        raise ValueError(
            f"each {kind} needs one label, so {count} in all, but there are {len(texts)}"
        )
    return texts


def _check_pair(name: str, pair: object, means: str) -> None:
    if pair is not None and np.shape(np.array(pair, dtype=object)) != (2,):
        raise ValueError(f"{name} must be two numbers, {means}, but is {pair!r}")


def _scale(grid: Array, vmin: float | None, vmax: float | None) -> tuple[float, float]:
    """Return the ends of the scale: from 0, or symmetric around 0 if a number is negative.

    A scale that ends at 0 or below cannot be symmetric: it starts at the smallest number.
    """
    finite = grid[np.isfinite(grid)]
    largest = float(np.abs(finite).max(initial=0)) or 1.0
    if vmin is None and finite.min(initial=0) < 0:
        vmin = -largest if vmax is None else -vmax if vmax > 0 else float(finite.min())
    low = vmin or 0.0
    high = vmax if vmax is not None else -low if low < 0 else largest
    if not 0 < high - low < np.inf:
        raise ValueError(f"a scale must rise by a finite amount, but its ends are {low} and {high}")
    return low, high


def _add_colour_bar(figure: Figure, panels: Panels, grid: Array, label: str) -> None:
    """Add one colour bar for all panels, pointed where numbers lie beyond its ends."""
    image, finite = panels[0, 0].images[0], grid[np.isfinite(grid)]
    below, above = (finite < image.norm.vmin).any(), (finite > image.norm.vmax).any()
    extend = ("neither", "min", "max", "both")[int(below) + 2 * int(above)]
    bar = figure.colorbar(image, cax=figure.add_axes((0, 0, 1, 1)), extend=extend)
    bar.set_label(label)
    bar.ax.tick_params(labelsize=9)  # decides how many numbers there is room for


def _lay_out(figure: Figure, panels: Panels, labels: Labels, figsize: Size | None) -> float:
    """Fit the figure to cells and labels, or the cells into `figsize`; return a cell's inches."""
    n, m = panels[0, 0].images[0].get_array().shape
    cells = np.array(panels.shape[::-1]) * (m, n)  # across and down the figure
    cell = min(0.5, *6 / cells)  # a page is about 7 inches wide
    cell = max(cell, 1 / max(n, m), 0.16 if any(labels) else 0.0)
    margins: Array = np.full((2, 2), 0.5)  # left and below, right and above
    spare: Array = np.zeros(2)
    for more in reversed(range(2 if figsize is None else 5)):
        cell += 0.0 if figsize is None else min(spare / cells)
        if not cell > 0:
            raise ValueError(f"figsize {figsize} leaves no room for cells beside the labels")
        _write_labels(panels, labels, cell)
        block = _place(figure, panels, cell * np.array([m, n]), margins, figsize)
        if more:  # what the last round would measure, nobody uses
            margins = _margins(figure, block)
            spare = figure.get_size_inches() - block.size - margins.sum(axis=0)
    return cell


def _place(
    figure: Figure, panels: Panels, panel: Array, margins: Array, figsize: Size | None
) -> Bbox:
    """Put panels and bar in place; return the box around the panels, in inches."""
    gaps = _gaps(panels, panel)
    block = np.array(panels.shape[::-1]) * (panel + gaps) - gaps
    size = block + margins.sum(axis=0) if figsize is None else np.array(figsize)
    start = (size - block + margins[0] - margins[1]) / 2
    figure.set_size_inches(*size)
    figure.subplots_adjust(*start / size, *(start + block) / size, *gaps / panel)
    length = max(block[1], 0.6)
    corner = start + np.array([block[0] + gaps[0] / 2 + 0.1, (block[1] - length) / 2])
    figure.axes[-1].set_position((*corner / size, *(0.14, length) / size))
    return Bbox([start, start + block])


def _margins(figure: Figure, block: Bbox) -> Array:
    """Return the inches that texts and bar need around the panels."""
    box = figure.get_tightbbox()  # moves the names of the axes, but counts only their middles
    names = [name for axes in figure.axes for name in (axes.xaxis.label, axes.yaxis.label)]
    box = Bbox.union([box, *(_inches(name) for name in names if name.get_text())])
    return np.subtract([block.min, box.max], [box.min, block.max]) + 0.05


def _gaps(panels: Panels, panel: Array) -> Array:
    """Return the inches between panels, across and down, that keep their texts apart."""
    texts = [text for axes in panels.flat for text in (axes.title, axes.xaxis.label)]
    width = max(_inches(text).width for text in texts)
    height = max(_inches(axes.yaxis.label).height for axes in panels[:, 0])
    title = max((_inches(axes.title).height for axes in panels[1:].flat), default=0)
    return 0.1 + np.maximum(0, [width - panel[0], max(height - panel[1], 1.5 * title)])


def _inches(text: Text) -> Bbox:
    """Return the box around a text, in inches from the corner of the figure."""
    return text.get_window_extent().transformed(text.figure.dpi_scale_trans.inverted())


def _write_labels(panels: Panels, labels: Labels, cell: float) -> None:
    """Label keys and queries, keys upright if wider than a cell; or number those with room."""
    points = 72 * cell
    size = min(9, 0.75 * points)
    upright = any(_width(key, size) > 0.9 * points for key in labels[0])
    axes = [(panel.xaxis, labels[0], 90 * upright) for panel in panels[-1]]
    axes += [(panel.yaxis, labels[1], 0) for panel in panels[:, 0]]
    for axis, texts, rotation in axes:
        if texts:  # which may contain a dollar sign
            style = {"size": size, "rotation": rotation, "parse_math": False}
            axis.set_ticks(range(len(texts)), texts, **style)
        else:
            room = max(1, int(np.ptp(axis.get_view_interval()) * cell * 4))
            axis.set_major_locator(MaxNLocator(room, integer=True, steps=[1, 2, 5], min_n_ticks=1))


def _width(text: str, size: float) -> float:
    """Return the width of a text in points."""
    font = FontProperties(size=size)
    return text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]


def _print_values(panels: Panels, grid: Array, cell: float) -> None:
    """Print each number in its cell, unless the cells are too small to read them."""
    if cell < 0.18:
        return
    texts = _as_texts(grid)
    size = min(9, 0.85 * 72 * cell / max(_width(text, 1) for text in set(texts.flat)))
    for at, panel in np.ndenumerate(panels if size >= 6.5 else panels[:0]):
        colours = panel.images[0].to_rgba(panel.images[0].get_array())  # (n, m, 4)
        for (i, j), text in np.ndenumerate(texts[at]):
            style = {"color": _ink(colours[i, j]), "size": size, "ha": "center", "va": "center"}
            panel.text(j, i, text, **style)


def _as_texts(grid: Array) -> NDArray[Any]:
    """Return the numbers as texts: whole numbers as such, others with two decimals."""
    finite = grid[np.isfinite(grid)]
    largest = np.abs(finite).max(initial=0)
    whole = largest < 1e6 and not (finite % 1).any()
    form = "z.0f" if whole else "z.2f" if 0.1 <= largest < 100 else "z.3g"
    return np.vectorize(lambda value: format(value, form), otypes=[object])(grid)


def _ink(colour: Array) -> str:
    """Return black or white, whichever has the higher contrast: at least 4.5 to 1."""
    rgb = colour[3] * colour[:3] + (1 - colour[3]) * np.array(to_rgb(NO_NUMBER["facecolor"]))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return "black" if linear @ (0.2126, 0.7152, 0.0722) > 0.179 else "white"
