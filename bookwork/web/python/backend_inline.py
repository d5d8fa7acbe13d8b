"""Matplotlib's backend in the page: `plt.show()` sends the open figures, as SVG."""

import page_shell
from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_svg import FigureCanvasSVG


def flush_figures() -> None:
    """Show and close every open figure; ipywidgets calls this after `interact` functions."""
    for manager in Gcf.get_all_fig_managers():
        page_shell.display(manager.canvas.figure)
    Gcf.destroy_all()


class FigureManager(FigureManagerBase):
    """Shows figures where the cell's output goes."""

    @classmethod
    def pyplot_show(cls, *, block: bool | None = None) -> None:
        """Show and close every open figure."""
        flush_figures()


class FigureCanvas(FigureCanvasSVG):
    """A canvas that the page's manager shows."""

    manager_class = FigureManager
