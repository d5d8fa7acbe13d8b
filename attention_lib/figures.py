"""Static heatmaps for the page, drawn with Matplotlib."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lib._arguments import Numbers, as_floats, require

try:
    import matplotlib.pyplot as plt
    from matplotlib.figure import Figure
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        'figures need Matplotlib: pip install "attention_lib[figures]"'
    ) from None


def show_heatmaps(
    matrices: ArrayLike,
    xlabel: str,
    ylabel: str,
    titles: Numbers = None,
    *,
    figsize: tuple[float, float] | None = None,
    cmap: str | None = None,
) -> Figure:
    """Draw matrices as heatmaps: a row per query, a column per key, one colour scale for all.

    `matrices` are (n, m), a row of them (columns, n, m), or a grid (rows, columns, n, m); `titles`
    are one for each column, or for each matrix. Numbers but 0.00 are printed where there is room.
    """
    (given,) = as_floats(matrices=matrices)
    reason = "matrices must have shape (n, m), (columns, n, m) or (rows, columns, n, m), not empty"
    require(2 <= given.ndim <= 4 and given.size > 0, reason, matrices=given)
    grid = np.ma.masked_invalid(given.reshape((1,) * (4 - given.ndim) + given.shape))
    rows, columns, n, m = grid.shape
    names = np.full((rows, columns), "", dtype=object)
    names[: rows if np.ndim(titles) > 1 else 1] = "" if titles is None else titles
    high, cells = float(np.abs(grid).max() or 1), np.array([columns * m, rows * n])
    low, colours = (-high, "RdBu") if grid.min() < 0 else (0, "Blues")
    cell = max(min(0.5, *6 / cells), 0.16)  # inches, on a page that is about 7 wide
    size = figsize or cells * cell + 0.4 * np.array([columns, rows]) + 0.8
    scheme = plt.get_cmap(cmap or colours).with_extremes(bad="#e4e4e4")
    with plt.style.context(
        ["default", {"font.size": 9, "axes.titlesize": 9, "figure.figsize": size}]
    ):
        figure, panels = plt.subplots(rows, columns, squeeze=False, layout="compressed")
        plt.close(figure)  # otherwise a notebook would show it twice
        for at, panel in np.ndenumerate(panels):
            image = panel.imshow(grid[at], scheme, vmin=low, vmax=high)
            panel.set(title=names[at], xlabel=xlabel, ylabel=ylabel)
            panel.set(xticks=range(0, m, 1 + m // 13), yticks=range(0, n, 1 + n // 13))
            panel.label_outer(remove_inner_ticks=True)
            bright = np.power(scheme(image.norm(grid[at]))[..., :3], 2.2) @ (0.21, 0.72, 0.07)
            for at_cell, value in np.ndenumerate(grid[at].data if cell >= 0.29 else given[:0]):
                text = f"{value:z.2f}".replace("0.00", "") if abs(value) < 1 else f"{value:.3g}"
                ink = "w" if bright[at_cell] < 0.18 else "k"
                panel.text(*at_cell[::-1], text, size=7, ha="center", va="center", color=ink)
        figure.colorbar(image, ax=panels, pad=0.02).ax.tick_params(labelsize=9)
        figure.draw_without_rendering()  # laid out in this style, not in that of whoever draws it
    return figure
