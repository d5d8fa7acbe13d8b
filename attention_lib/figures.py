"""Static figures for the page, drawn with Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

try:
    import matplotlib.pyplot as plt
    from matplotlib import rc_context, rc_file_defaults, rcParams
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap, Normalize
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        'figures need Matplotlib: pip install "attention_lib[figures]"'
    ) from None

from attention_lib._arguments import Array, as_floats

STYLE = {"font.size": 9, "axes.titlesize": 9, "xtick.major.size": 2, "ytick.major.size": 2} | {
    f"axes.spines.{side}": False for side in ("left", "right", "top", "bottom")
}
LETTER = 0.65  # the width of a letter, in units of its size


def show_heatmaps(
    matrices: ArrayLike,
    xlabel: str,
    ylabel: str,
    titles: str | Sequence[str] | Sequence[Sequence[str]] | None = None,
    *,
    rows: Sequence[object] | None = None,
    columns: Sequence[object] | None = None,
    limits: tuple[float | None, float | None] | None = None,
    value_label: str = "",
    figsize: tuple[float, float] | None = None,
    cmap: str | Colormap | None = None,
) -> Figure:
    """Draw matrices as heatmaps: a row per query, a column per key, one colour scale for all.

    Every number is drawn as it is, and printed where cells are large enough, except for 0.00; nan,
    inf and -inf are grey. See the chapter "The general formula".

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
        some number is negative, symmetric around 0.
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
    for kind, labels, count in (("query", rows, grid.shape[2]), ("key", columns, grid.shape[3])):
        if labels is not None and len(labels) != count:
            raise ValueError(
                f"each {kind} needs one label, so {count} in all, but there are {len(labels)}"
            )
    texts = _as_texts(grid)  # (rows, columns, n, m)
    low, high = _scale(grid, *(limits or (None, None)))
    norm = Normalize(low, high)
    colours = plt.get_cmap(cmap or ("RdBu" if low < 0 else "Blues")).with_extremes(bad="#e4e4e4")
    cells = np.array(grid.shape[:2]) * grid.shape[2:]  # down and across the figure
    around = 1 + 0.3 * np.array(grid.shape[:2])  # inches for words and colour bar
    wanted = max(min(0.5, *6 / cells), 0.16)  # inches, on a page that is about 7 wide
    size = np.array(figsize or (wanted * cells + around)[::-1])
    cell = max(0.05, min((size[::-1] - around) / cells))
    with rc_context():
        rc_file_defaults()  # the look of the book, or of the machine
        rcParams.update(STYLE)
        figure = plt.figure(figsize=tuple(size), layout="compressed")
        plt.close(figure)  # otherwise a notebook would show it twice
        panels = figure.subplots(*grid.shape[:2], squeeze=False)
        for at, panel in np.ndenumerate(panels):
            image = panel.imshow(grid[at], colours, norm, interpolation="nearest")
            panel.set(title=names[at], xlabel=xlabel, ylabel=ylabel)
            _write_labels(panel, rows, columns, 72 * cell)
            panel.label_outer(remove_inner_ticks=True)
        bar = figure.colorbar(image, ax=panels, label=value_label, pad=0.02)
        bar.ax.tick_params(labelsize=9)
        figure.draw_without_rendering()  # lays it out
        figure.set_layout_engine("none")
        for at, panel in np.ndenumerate(panels):
            _print_values(panel, grid[at], texts[at])
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


def _scale(grid: Array, low: float | None, high: float | None) -> tuple[float, float]:
    """Return the ends of the scale: from 0, or symmetric around 0 if a number is negative."""
    finite = grid[np.isfinite(grid)]
    largest = float(np.abs(finite).max(initial=0)) or 1.0
    if low is None:
        low = -largest if finite.min(initial=0) < 0 else 0.0
    high = largest if high is None else high
    if not 0 < high - low < np.inf:
        raise ValueError(f"a scale must rise by a finite amount, but its ends are {low} and {high}")
    return low, high


def _write_labels(
    panel: Axes, rows: Sequence[object] | None, columns: Sequence[object] | None, points: float
) -> None:
    """Label queries and keys, or count them; keys stand upright if wider than a cell."""
    size = min(9, 0.75 * points)
    for axis, labels in ((panel.xaxis, columns), (panel.yaxis, rows)):
        if labels is None:
            axis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5], min_n_ticks=1))
            continue
        texts = [str(label) for label in labels]  # which may contain a dollar sign
        upright = axis is panel.xaxis and LETTER * size * max(map(len, texts)) > points
        style: dict[str, Any] = {"size": size, "rotation": 90 * upright, "parse_math": False}
        axis.set_ticks(range(len(texts)), texts, **style)


def _print_values(panel: Axes, matrix: Array, texts: NDArray[Any]) -> None:
    """Print each number in its cell, unless the cells are too small to read them."""
    points = 72 * panel.get_window_extent().width / panel.figure.dpi / matrix.shape[1]
    size = min(9, 0.9 * points / (LETTER * max(map(len, texts.flat))))
    if size < 6.5:
        return
    image = panel.images[0]
    colours = image.cmap(image.norm(np.ma.masked_invalid(matrix)))  # (n, m, 4)
    for (i, j), text in np.ndenumerate(np.where(texts == "0.00", "", texts)):
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
    rgb = colour[:3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return "black" if linear @ (0.2126, 0.7152, 0.0722) > 0.179 else "white"
